"""Gathers the findings of a file: one for each cause, and a bounded number of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.finding import Finding, one_a_cause

MOST_OF_A_KIND: Final = 100
"""Findings with one code that are listed."""
_MOST_ALIKE: Final = 1_000
"""Places of one cause that are kept."""
_MANY: Final = 2_000


def warned(code: str, message: str, hint: str, page: int = 0, place: Rect | None = None) -> Finding:
    """Return a finding that is a warning."""
    return Finding(code, message, hint, Severity.WARNING, page, place)


class Gathered:
    """Collects the findings of one file."""

    def __init__(self) -> None:
        self._new: list[Finding] = []
        self._found: tuple[Finding, ...] = ()
        self._left: Counter[str] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Add what a check finds."""
        self._new.extend(findings)
        if len(self._new) > _MANY:
            self._join()

    def all(self) -> tuple[Finding, ...]:
        """Return the findings: errors first, then by code and page."""
        self._join()
        more = (
            warned(code, f"and {count:,} more like it", "") for code, count in self._left.items()
        )
        return tuple(sorted((*self._found, *more), key=_rank))

    def _join(self) -> None:
        kept, counts = [], Counter[str]()
        for finding in one_a_cause((*self._found, *self._new)):
            counts[finding.code] += 1
            if counts[finding.code] <= MOST_OF_A_KIND:
                kept.append(replace(finding, others=finding.others[:_MOST_ALIKE]))
            else:
                self._left[finding.code] += 1
        self._found, self._new = tuple(kept), []


def _rank(finding: Finding) -> tuple[bool, str, bool, int]:
    is_rest = finding.message.startswith("and ")
    return finding.severity is not Severity.ERROR, finding.code, is_rest, finding.page
