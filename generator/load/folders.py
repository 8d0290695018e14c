"""A folder in, the YAML files below it out: in natural order, without leaving the project."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, Span
from generator.load.files import unreadable
from generator.paths import is_inside, natural

SUFFIXES: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The folders that links may lead into, and how a path is shown to the user."""

    roots: tuple[Path, ...]
    display: Callable[[Path], str]

    def leaves(self, path: Path) -> Diagnostic | None:
        """GP004 for a link that leads out of the project."""
        if is_inside(path, self.roots):
            return None
        hint = "copy the file into the project"
        return Diagnostic(
            Span(self.display(path)), "GP004", "a link leads out of the project", hint
        )


def yaml_files(
    folder: Path, bounds: Bounds, skip: frozenset[Path] = frozenset()
) -> tuple[tuple[Path, ...], list[Diagnostic]]:
    """All YAML files below the folder except those in `skip`, and what could not be looked at."""
    found: list[Path] = []
    faults: list[Diagnostic] = []
    waiting, seen = [folder], set()
    while waiting:
        current = waiting.pop()
        try:
            real = os.path.realpath(current, strict=True)
            if real in seen:  # a link to a folder above it
                continue
            seen.add(real)
            with os.scandir(current) as entries:
                names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
        except OSError as error:
            faults.append(unreadable(Span(bounds.display(current)), "folder", error))
            continue
        for path in (current / name for name in names):
            if path in skip:
                continue
            kept = waiting if os.path.isdir(path) else found
            if kept is found and path.suffix.lower() not in SUFFIXES:
                continue
            leaving = bounds.leaves(path)
            if leaving is None:
                kept.append(path)
            else:
                faults.append(leaving)
    return tuple(sorted(found, key=lambda path: _order(path.relative_to(folder)))), faults


def _order(path: Path) -> list[list[str | int]]:
    return [natural(part) for part in path.parts]
