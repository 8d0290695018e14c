"""What Gridpress says about an author's files: where, how bad, what is wrong, what to do.

Every stage returns diagnostics with its result; only the command line prints them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from generator.codes import CODES

T = TypeVar("T")

# Control characters, what turns the direction of the text around it, and half characters, as
# which Python reads the bytes of a file name that is not UTF-8.
_UNPRINTABLE: Final = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)


def printable(text: str) -> str:
    """The text with \\x1b and the like for what must not reach a terminal or a report: a stranger
    chose the names of files and fonts."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


class Severity(StrEnum):
    """How bad a finding is. An error stops the build; a warning does unless `--strict`."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file. `file` is as the user would type it; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is a key of `generator.codes.CODES`."""

    span: Span
    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unknown diagnostic code {self.code}")

    def __str__(self) -> str:
        head = f"{self.span}: {self.severity}[{self.code}]: {printable(self.message)}"
        return head + "".join(f"\n    {printable(line)}" for line in self.hint.split("\n") if line)

    def as_dict(self) -> dict[str, str | int]:
        """The JSON form of the command-line contract."""
        return {
            "file": printable(self.span.file),
            "line": self.span.line,
            "column": self.span.column,
            "severity": str(self.severity),
            "code": self.code,
            "message": printable(self.message),
            "hint": "\n".join(map(printable, self.hint.split("\n"))),
        }


def warning(span: Span, code: str, message: str, hint: str = "") -> Diagnostic:
    """A diagnostic that does not stop a build by itself."""
    return Diagnostic(span, code, message, hint, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a stage returns: its value, usable only if `ok`, and all that it has to say."""

    value: T
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """True when no finding is an error."""
        return not any(d.severity is Severity.ERROR for d in self.diagnostics)


class GridpressError(Exception):
    """Raised where a fault ends the work at once; carries the diagnostics to show."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


def _order(found: Diagnostic) -> tuple[Span, str, str, str, str]:
    return found.span, found.severity, found.code, found.message, found.hint


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by place, then code; the same finding at the same place only once."""
    return tuple(sorted(set(diagnostics), key=_order))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, if any is near."""
    return next(iter(difflib.get_close_matches(word, sorted(set(known)), n=1, cutoff=0.6)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or lists them when none is near."""
    words = sorted(set(known))
    near = nearest(word, words)
    if near is not None:
        return f"did you mean {near!r}?"
    if not words:
        return ""
    listed = ", ".join(words[:12]) + (", …" if len(words) > 12 else "")
    return f"known: {listed}"
