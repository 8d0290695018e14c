"""A folder in, the YAML files below it out: in natural order, without leaving the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, Span
from generator.files import Roots
from generator.paths import device_refused, is_device, natural

SUFFIXES: Final = (".yaml", ".yml")
MAX_FILES: Final = 2_000
"""YAML files below one folder of a pack."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The folders that may be read from, and how a path is shown to the user."""

    roots: Roots
    display: Callable[[Path], str]


def yaml_files(
    folder: Path, bounds: Bounds, skip: frozenset[Path] = frozenset()
) -> tuple[tuple[Path, ...], list[Diagnostic]]:
    """All YAML files below the folder except those in `skip`, and what could not be looked at."""
    found: list[Path] = []
    faults: list[Diagnostic] = []
    for entry in bounds.roots.walk(folder, skip=skip):
        if entry.fault is not None:
            what = "the folder" if entry.is_folder else "the file"
            faults.append(entry.fault.told(Span(bounds.display(entry.path)), what))
        elif is_device(entry.path.name):
            faults.append(device_refused(entry.path.name, Span(bounds.display(entry.path))))
        elif not entry.is_folder and entry.path.suffix.lower() in SUFFIXES:
            found.append(entry.path)
    if len(found) > MAX_FILES:
        message = f"there are more than {MAX_FILES:,} YAML files here"
        hint = "put components of one kind into one file"
        return (), [*faults, Diagnostic(Span(bounds.display(folder)), "GP110", message, hint)]
    return tuple(sorted(found, key=lambda path: _order(path.relative_to(folder)))), faults


def _order(path: Path) -> list[list[str | int]]:
    return [natural(part) for part in path.parts]
