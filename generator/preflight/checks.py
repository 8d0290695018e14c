"""The table of checks: a new one is a function, a line here and a seeded fault in the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from generator.diagnostics import Diagnostic
from generator.preflight.agreement_checks import agreement
from generator.preflight.file_checks import fonts, structure
from generator.preflight.page_checks import page_boxes, page_sizes, placements, rulers
from generator.preflight.registration_checks import registration
from generator.preflight.subject import Subject


@dataclass(frozen=True, slots=True)
class Check:
    """One check: the code of its findings, what it makes sure of, and how. One that needs the
    manifest finds nothing without it."""

    code: str
    title: str
    run: Callable[[Subject], Iterator[Diagnostic]]
    needs_manifest: bool = False


CHECKS: Final = (
    Check("GP801", "every page is the size of its paper", page_sizes, needs_manifest=True),
    Check("GP802", "TrimBox and BleedBox are there and nested", page_boxes),
    Check("GP803", "no piece overlaps another or the edge", placements, needs_manifest=True),
    Check("GP804", "every font is embedded", fonts),
    Check("GP805", "rulers are as long as they say", rulers),
    Check("GP806", "the file is as the manifest says", agreement, needs_manifest=True),
    Check("GP807", "backs come behind their fronts", registration, needs_manifest=True),
    Check("GP808", "nothing that a print must not have", structure),
)
