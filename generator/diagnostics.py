"""What Gridpress says about an author's files: where, how bad, what is wrong, what to do.

Every stage returns diagnostics with its result; only the command line prints them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from heapq import nsmallest
from itertools import islice
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

T = TypeVar("T")

MAX_WORDING: Final = 1000
"""Characters of a message and of a hint: what is longer is told without its middle."""
MAX_COMPARED: Final = 100_000
"""Names that one reading looks through for those that were meant; then it makes no more
suggestions."""
_CODE: Final = re.compile(r"[A-Z]{2,8}\d{3}")
_MAX_SUGGESTED: Final = 80
_NEAR: Final = 0.6
_LISTED: Final = 12
# Controls (a terminal obeys them), what turns the direction of text, line ends, half characters.
_HARMFUL: Final = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)


class Severity(StrEnum):
    """How bad a finding is. An error stops the build; a warning does unless `--strict`."""

    ERROR = "error"
    WARNING = "warning"


class Span(Struct, frozen=True, order=True):
    """A place in a file. `file` is as the user would type it; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    @property
    def nowhere(self) -> Span:
        """The place of what is not written there: nothing that is found of it is told."""
        return Span(self.file, self.line, 0)

    def __str__(self) -> str:
        return f"{plain(self.file)}:{self.line}:{self.column}"


class Diagnostic(Struct, frozen=True):
    """One finding. `code` is a key of `generator.codes.CODES`, or of the codes of a guest.

    Its words may quote what a stranger wrote: they are kept short, and harmless on a terminal.
    `missing` is the name that something asked for and that is not there, if that is what is wrong.
    """

    span: Span
    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    missing: str = ""

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise ValueError(f"{self.code} is no code of a diagnostic")
        force_setattr(self, "message", plain(shortened(self.message)))
        lines = shortened(self.hint).split("\n")
        force_setattr(self, "hint", "\n".join(map(plain, lines)))

    def __str__(self) -> str:
        head = f"{self.span}: {self.severity}[{self.code}]: {self.message}"
        return head + "".join(f"\n    {line}" for line in self.hint.split("\n") if line)

    def as_dict(self) -> dict[str, str | int]:
        """The JSON form of the command-line contract."""
        return {
            "file": plain(self.span.file),
            "line": self.span.line,
            "column": self.span.column,
            "severity": str(self.severity),
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
        }


def warning(span: Span, code: str, message: str, hint: str = "") -> Diagnostic:
    """A diagnostic that does not stop a build by itself."""
    return Diagnostic(span, code, message, hint, Severity.WARNING)


class Outcome(Struct, Generic[T], frozen=True):
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


def plain(text: str) -> str:
    """A stranger's text on one line that no terminal obeys: what is harmful in it as `\\u001b`."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shortened(text: str, most: int = MAX_WORDING) -> str:
    """A text, or its beginning and its end where it has more than `most` characters."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def _order(found: Diagnostic) -> tuple[Span, str, str, str, str]:
    return found.span, found.severity, found.code, found.message, found.hint


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by place, then code; the same finding at the same place only once, and none of what
    stands nowhere."""
    return tuple(sorted({found for found in diagnostics if found.span.column}, key=_order))


def foremost(diagnostics: Sequence[Diagnostic], most: int) -> tuple[tuple[Diagnostic, ...], str]:
    """At most so many of them, in order, errors before warnings; what the others are, in words,
    empty when there are none."""
    if len(diagnostics) <= most:
        return tuple(diagnostics), ""
    first = sorted(diagnostics, key=lambda found: found.severity is not Severity.ERROR)
    counts = Counter(found.code for found in first[most:])
    others = ", ".join(f"{count:,} × {code}" for code, count in sorted(counts.items()))
    left = len(diagnostics) - most
    return in_order(first[:most]), f"{left:,} more finding{'s' * (left != 1)}: {others}"


class Suggestions:
    """Names the known words that were probably meant. That is work for each of them, so it stops
    when `MAX_COMPARED` have been looked at: a file with so many mistakes has one of its own."""

    def __init__(self) -> None:
        self._left = MAX_COMPARED

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """The known word that was probably meant, if any is near."""
        if self._left <= 0 or not 0 < len(word) <= _MAX_SUGGESTED:
            return None
        matcher = SequenceMatcher(b=word.casefold(), autojunk=False)
        best: tuple[float, str] | None = None
        for near in islice(known, self._left):
            self._left -= 1
            if not _NEAR / 2 <= len(near) / len(word) <= 2 / _NEAR:
                continue
            matcher.set_seq1(near.casefold())
            least = best[0] if best else _NEAR
            if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least:
                # What takes its time takes it by the square of the letters.
                self._left -= len(near) * len(word) // 40
                if (ratio := matcher.ratio()) >= least:
                    best = max(best or (0.0, ""), (ratio, near))
        return best[1] if best else None

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        """A hint that names the nearest known word, or lists them when none is near; of many those
        that have most of its letters."""
        words = set(islice(known, max(self._left, 0)))
        near = self.nearest(word, words)
        if near is not None:
            return f"did you mean {near!r}?" + (_ALIKE if _seen(near) == _seen(word) else "")
        if not words:
            return ""
        self._left -= len(words)
        if len(words) <= _LISTED or len(word) > _MAX_SUGGESTED:
            listed = nsmallest(_LISTED, words)
        else:
            matcher = SequenceMatcher(b=word.casefold(), autojunk=False)
            ranked = []
            for each in words:
                matcher.set_seq1(each.casefold())
                ranked.append((-matcher.quick_ratio(), each))
            listed = [each for _, each in nsmallest(_LISTED, ranked)]
        return f"known: {', '.join(listed)}" + ", …" * (len(words) > _LISTED)


_ALIKE: Final = (
    "\nthey look alike, but one has a letter and its accent as two signs, or a sign that nobody"
    " sees: copy the name from there"
)


def _seen(word: str) -> str:
    """What a reader sees of a word."""
    composed = unicodedata.normalize("NFKC", word)
    return "".join(sign for sign in composed if unicodedata.category(sign) != "Cf")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, if any is near."""
    return Suggestions().nearest(word, known)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """What `Suggestions` hints at. Where a file may bring many such words, they share one."""
    return Suggestions().did_you_mean(word, known)
