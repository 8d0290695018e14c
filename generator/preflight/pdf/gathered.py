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


def warned(code: str, message: str, hint: str, page: int = 0, place: Rect | None = None) -> Finding:
    """Return a finding that is a warning."""
    return Finding(code, message, hint, Severity.WARNING, page, place)


def by_cause(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return a finding for each cause: errors first, then by code and page."""
    kept, counts = [], Counter[str]()
    for finding in one_a_cause(findings):
        counts[finding.code] += 1
        if counts[finding.code] <= MOST_OF_A_KIND:
            kept.append(replace(finding, others=finding.others[:_MOST_ALIKE]))
    kept += [
        warned(code, f"and {count - MOST_OF_A_KIND:,} more like it", "")
        for code, count in counts.items()
        if count > MOST_OF_A_KIND
    ]
    return tuple(sorted(kept, key=_rank))


def _rank(finding: Finding) -> tuple[bool, str, bool, int]:
    is_rest = finding.message.startswith("and ")
    return finding.severity is not Severity.ERROR, finding.code, is_rest, finding.page
