"""Applies the waivers of a pack to what its checks find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Severity, Span, warning
from generator.model.pack import COARSE, SELDOM_MEANT, WAIVABLE, Waiver

_TO_ACCEPT: Final = "to accept it, write in pack.yaml:"


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
        is_first = each.severity is Severity.WARNING and each.code not in named
        if is_first and is_waivable(each) and "waivers:" not in each.hint:
            named.add(each.code)
            told.append(accepted_by_line(each))
        else:
            told.append(each)
    return tuple(told)


def is_waivable(found: Diagnostic) -> bool:
    """Tell whether a waiver of the pack can accept a finding."""
    is_mild = found.severity is Severity.WARNING or found.code in COARSE
    return is_mild and bool(found.component) and bool(re.fullmatch(WAIVABLE, found.code))


def accepted_by_line(found: Diagnostic) -> Diagnostic:
    """Return a finding whose hint ends with the line that waives it."""
    entry = f"{{code: {found.code}, component: {found.component}, reason: …}}"
    return replace(found, hint=f"{found.hint}\n{_TO_ACCEPT} waivers: [{entry}]".strip())


def hint_without_line(hint: str) -> str:
    """Return a hint without the line that waives its finding."""
    return "\n".join(line for line in hint.split("\n") if not line.startswith(_TO_ACCEPT))
