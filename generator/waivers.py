"""Applies the waivers of a pack to what its checks find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Severity, Span, warning
from generator.model.pack import COARSE, SELDOM_MEANT, WAIVABLE, Waiver


class Waiving:
    """The waivers of a pack for faces, sets and sheets, and which of them were used.

    A waiver accepts warnings, and pictures that are too coarse for anything but a draft.
    """

    def __init__(self, waivers: Iterable[Waiver]) -> None:
        self._waivers = [waiver for waiver in waivers if waiver.code not in SELDOM_MEANT]
        self._used: set[Span] = set()

    def accepts(self, found: Diagnostic, component: str) -> bool:
        """Tell whether the author accepts a finding about a component, `kind/id`."""
        if found.severity is Severity.ERROR and found.code not in COARSE:
            return False
        fitting = [
            waiver
            for waiver in self._waivers
            if found.code == waiver.code or (found.code in COARSE and waiver.lets_coarse)
            if waiver.fits(component)
        ]
        self._used.update(waiver.span for waiver in fitting)
        return bool(fitting)

    def rest(self, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return the findings that the author does not accept."""
        return tuple(each for each in found if not self.accepts(each, each.component))

    def idle(self) -> Iterator[Diagnostic]:
        """Yield GP871 for each waiver that accepted nothing, once all checks have run."""
        for waiver in self._waivers:
            if waiver.span not in self._used:
                message = f"the waiver of {waiver.code} for {waiver.component!r} matches no finding"
                hint = "remove it from pack.yaml: it would hide the next fault of this kind"
                yield warning(waiver.span, "GP871", message, hint)


def naming_waivers(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Add the line that waives it to the hint of the first warning of each code."""
    named, told = set[str](), []
    for each in found:
        line = _line(each) if each.code not in named else ""
        if line:
            named.add(each.code)
            each = replace(each, hint=f"{each.hint}\n{line}".strip())  # noqa: PLW2901
        told.append(each)
    return tuple(told)


def _line(found: Diagnostic) -> str:
    """Return what to write to waive a warning; "" for what cannot be waived or says so itself."""
    if found.severity is not Severity.WARNING or not found.component:
        return ""
    if not re.fullmatch(WAIVABLE, found.code) or "waivers:" in found.hint:
        return ""
    entry = f"{{code: {found.code}, component: {found.component}, reason: …}}"
    return f"to accept it, write in pack.yaml: waivers: [{entry}]"
