"""Findings and the waivers of a pack in; findings that are left, those that the author accepts, and
waivers that were for nothing, out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from generator.diagnostics import Severity
from generator.model.manifest import WaiverEntry
from generator.model.pack import COARSE, uncopied
from generator.preflight.checking import Finding


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding that the author accepts, and by which waiver."""

    finding: Finding
    waiver: WaiverEntry


def waive(
    findings: Iterable[Finding], waivers: Sequence[WaiverEntry]
) -> tuple[tuple[Finding, ...], tuple[Waived, ...]]:
    """The findings that no waiver is for, and those that the first fitting one is for."""
    left, waived = [], []
    for finding in findings:
        waiver = next((waiver for waiver in waivers if _is_for(waiver, finding)), None)
        if waiver is None:
            left.append(finding)
        else:
            waived.append(Waived(finding, waiver))
    return tuple(left), tuple(waived)


def idle(waivers: Sequence[WaiverEntry], used: Iterable[WaiverEntry]) -> tuple[Finding, ...]:
    """GP871: a warning for each waiver that was for nothing."""
    busy = set(used)
    return tuple(
        Finding(
            "GP871",
            f"the waiver of {waiver.code} for {waiver.component!r} matches no finding",
            "take it out of pack.yaml: it would hide the next such fault",
            Severity.WARNING,
            source=waiver.source,
        )
        for waiver in waivers
        if waiver not in busy
    )


def _is_for(waiver: WaiverEntry, finding: Finding) -> bool:
    codes = COARSE if waiver.code in COARSE else (waiver.code,)
    return finding.code in codes and fnmatchcase(uncopied(finding.component), waiver.component)
