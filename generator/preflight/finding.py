"""What a check has to say: what is wrong, how bad, on which page and where, and whence it came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generator.diagnostics import Diagnostic, Severity, Span, plain
from generator.geometry import Rect


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault in a finished PDF. `page` counts from 1, 0 for the whole file; `place` is in mm
    from the page's top-left corner; `component` is `kind/id`; `source` is where the author wrote
    what the fault is about; `copies` is on how many places of the file the same fault is."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    page: int = 0
    place: Rect | None = None
    component: str = ""
    source: str = ""
    copies: int = 1

    def __post_init__(self) -> None:
        for name in ("message", "hint", "component", "source"):  # they quote what a stranger wrote
            text = getattr(self, name)
            if not text.isprintable():
                lines = map(plain, text.split("\n"))
                object.__setattr__(self, name, ("\n" if name == "hint" else " ").join(lines))

    def diagnostic(self, shown: str) -> Diagnostic:
        """The finding as a line on the terminal: its line is the page of the PDF."""
        where = f"page {self.page}: " if self.page else ""
        more = f" (and {self.copies - 1} more of it)" if self.copies > 1 else ""
        hint = "\n".join(filter(None, (self._origin(), self.hint)))
        return Diagnostic(
            Span(shown, max(self.page, 1)),
            self.code,
            where + self.message + more,
            hint,
            self.severity,
        )

    def as_dict(self) -> dict[str, Any]:
        """What JSON has of it beside the fields of a diagnostic."""
        box = self.place
        return {
            "page": self.page,
            "place_mm": box and [round(v, 2) for v in (box.x, box.y, box.width, box.height)],
            "component": self.component,
            "source": self.source or None,
            "copies": self.copies,
        }

    def _origin(self) -> str:
        parts = []
        if self.place is not None:
            parts.append(f"at ({self.place.x:.1f}, {self.place.y:.1f}) mm")
        if self.component:
            parts.append(self.component)
        if self.source:
            parts.append(f"from {self.source}")
        return ", ".join(parts)
