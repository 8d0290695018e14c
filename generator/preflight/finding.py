"""Findings in a finished PDF, with their pages and places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from generator.diagnostics import Diagnostic, Severity, Span, plain
from generator.geometry import Rect
from generator.model.manifest import page_range


class Finding(Struct, frozen=True):
    """One fault in a finished PDF. `page` counts from 1, 0 for the whole file; `place` is in mm
    from the top left corner of the page; `component` is `kind/id`. `others` are findings of the
    same cause."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    page: int = 0
    place: Rect | None = None
    component: str = ""
    others: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        for name in ("message", "component"):  # they quote what a stranger wrote
            force_setattr(self, name, plain(getattr(self, name)))
        force_setattr(self, "hint", "\n".join(map(plain, self.hint.split("\n"))))

    @property
    def pages(self) -> tuple[int, ...]:
        """Return the pages with this fault, each once."""
        pages = {each.page for each in (self, *self.others) if each.page}
        return tuple(sorted(pages))

    def diagnostic(self, file: str) -> Diagnostic:
        """Return the finding as a line on the terminal, whose line number is the page."""
        where = "page" if len(self.pages) == 1 else "pages"
        head = f"{where} {page_range(self.pages)}: " if self.pages else ""
        alike = {each.message for each in self.others} - {self.message}
        more = f" (and {len(alike)} more like it)" if alike else ""
        place = f"at ({self.place.x:.1f}, {self.place.y:.1f}) mm" if self.place else ""
        origin = ", ".join(filter(None, (place, self.component)))
        return Diagnostic(
            Span(file, max(self.page, 1)),
            self.code,
            head + self.message + more,
            "\n".join(filter(None, (origin, self.hint))),
            self.severity,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the places of the finding for JSON: the first, and all of them."""
        places = [{**each._where(), "message": each.message} for each in (self, *self.others)]
        return {**self._where(), "places": places}

    def _where(self) -> dict[str, Any]:
        box = self.place
        return {
            "page": self.page,
            "place_mm": box and [round(v, 2) for v in (box.x, box.y, box.width, box.height)],
            "component": self.component,
        }


_PARTICULAR: Final = re.compile(r"‘[^’]*’|'[^']*'|#[0-9a-f]{6}|[+-]?[0-9][0-9.,]*")
"""The parts of a message that differ among faults of one cause."""


def one_a_cause(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Join findings that differ only in figures, quoted words and pages to the first of them."""
    found: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        kind = finding.component.partition("/")[0]
        cause = finding.code, finding.severity, kind, _PARTICULAR.sub("…", finding.message)
        found.setdefault(cause, []).extend((replace(finding, others=()), *finding.others))
    return tuple(
        replace(first, others=tuple(others))
        for first, *others in map(dict.fromkeys, found.values())
    )
