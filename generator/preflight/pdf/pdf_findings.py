"""Findings of a PDF: values, and one line for each cause."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Severity, Span
from generator.geometry import Rect

MOST_OF_A_KIND: Final = 100
_MOST_ALIKE: Final = 1_000
_NAMED: Final = 12
"""Runs of pages that a message lists."""
_PARTICULAR: Final = re.compile(r"“[^”]*”|[+-]?[0-9][0-9.,]*")
"""What differs between messages of one cause: quoted words and figures."""


class Finding(Struct, frozen=True):
    """A fault of a PDF. `page` counts from 1, 0 stands for the whole file; `place` is in mm from
    the top left corner of the page. `pages` lists all pages that have the fault; `alike` counts
    other faults that differ from it in figures or quoted words only."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.WARNING
    page: int = 0
    place: Rect | None = None
    pages: tuple[int, ...] = ()
    alike: int = 0

    def diagnostic(self, shown: str) -> Diagnostic:
        """Return the finding as a line for the terminal; the line number is the page."""
        where = f"{_listed(self.pages or (self.page,))}: " if self.page else ""
        more = f" ({self.alike:,} more like it)" if self.alike else ""
        hint = self.hint
        if self.place is not None:
            at = f"at {self.place.x:.1f} mm from the left, {self.place.y:.1f} mm from the top"
            hint = f"{at} of page {self.page}\n{hint}".strip()
        span = Span(shown, max(self.page, 1))
        return Diagnostic(span, self.code, where + self.message + more, hint, self.severity)

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON has besides the fields of a diagnostic; lengths in mm."""
        box = self.place
        return {
            "page": self.page,
            "pages": list(self.pages),
            "place_mm": box and [round(v, 2) for v in (box.x, box.y, box.width, box.height)],
            "alike": self.alike,
        }


class PdfReport(Struct, frozen=True):
    """The findings of one PDF and its number of pages."""

    file: Path
    pages: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings as lines for the terminal."""
        return tuple(finding.diagnostic(str(self.file)) for finding in self.findings)

    def texts(self) -> dict[str, str]:
        """Return the findings as the texts of `preflight.json` and `preflight.txt`."""
        told = {"file": self.file.name, "pages": self.pages, "findings": self.listed()}
        lines = map(str, self.diagnostics or (f"{self.file.name}: nothing found",))
        return {
            "preflight.json": json.dumps(told, ensure_ascii=False, indent=1) + "\n",
            "preflight.txt": "\n".join(lines) + "\n",
        }

    def listed(self) -> list[dict[str, object]]:
        """Return the findings for JSON."""
        shown = str(self.file)
        return [{**each.diagnostic(shown).as_dict(), **each.as_dict()} for each in self.findings]


class Gathered:
    """Collects findings, one for each cause, and at most `MOST_OF_A_KIND` of each code."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, ...], Finding] = {}
        self._pages: dict[tuple[str, ...], dict[int, None]] = {}
        self._messages: dict[tuple[str, ...], set[str]] = {}
        self._kinds: Counter[str] = Counter()
        self._left: Counter[str] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings; those of a known cause only add their page."""
        for finding in findings:
            cause = (finding.code, finding.severity, _PARTICULAR.sub("…", finding.message))
            if cause not in self._first:
                if self._kinds[finding.code] == MOST_OF_A_KIND:
                    self._left[finding.code] += 1
                    continue
                self._kinds[finding.code] += 1
                self._first[cause] = finding
            messages = self._messages.setdefault(cause, set())
            if len(messages) < _MOST_ALIKE:
                messages.add(finding.message)
            if finding.page:
                self._pages.setdefault(cause, {})[finding.page] = None

    def all(self) -> tuple[Finding, ...]:
        """Return the findings: errors first, then by code and page."""
        return tuple(sorted(self._merged(), key=_rank))

    def _merged(self) -> Iterator[Finding]:
        for cause, first in self._first.items():
            pages = tuple(sorted(self._pages.get(cause, ())))
            yield replace(first, pages=pages, alike=len(self._messages[cause]) - 1)
        for code, count in self._left.items():
            yield Finding(code, f"and {count:,} more of this kind")


def _rank(finding: Finding) -> tuple[bool, str, int]:
    return finding.severity is not Severity.ERROR, finding.code, finding.page


def _listed(pages: Sequence[int]) -> str:
    """Pages in words: `page 3`, `pages 1–3, 7`."""
    runs = []
    for _, run in groupby(enumerate(pages), lambda each: each[1] - each[0]):
        numbers = [page for _, page in run]
        runs.append(f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}")
    more = ", …" if len(runs) > _NAMED else ""
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(runs[:_NAMED])}{more}"
