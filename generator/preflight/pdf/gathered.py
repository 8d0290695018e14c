"""Collects findings of a PDF: one for each cause, and no more than anybody reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from generator.diagnostics import Severity
from generator.preflight.finding import Finding, cause_of, one_a_cause

MOST_OF_A_KIND: Final = 100
_MOST_ALIKE: Final = 1_000


class Gathered:
    """Keeps at most `MOST_OF_A_KIND` causes of each code, and counts the rest."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], list[Finding]] = {}
        self._kinds: Counter[str] = Counter()
        self._left: Counter[str] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings."""
        for finding in findings:
            cause = cause_of(finding)
            if cause not in self._found:
                if self._kinds[finding.code] == MOST_OF_A_KIND:
                    self._left[finding.code] += 1
                    continue
                self._kinds[finding.code] += 1
            alike = self._found.setdefault(cause, [])
            if len(alike) < _MOST_ALIKE:
                alike.append(finding)

    def all(self) -> tuple[Finding, ...]:
        """Return the findings: errors first, then by code and page."""
        return tuple(sorted(self._merged(), key=_rank))

    def _merged(self) -> Iterator[Finding]:
        for alike in self._found.values():
            yield from one_a_cause(alike)
        for code, count in self._left.items():
            yield Finding(code, f"and {count:,} more of this kind")


def _rank(finding: Finding) -> tuple[bool, str, int]:
    return finding.severity is not Severity.ERROR, finding.code, finding.page
