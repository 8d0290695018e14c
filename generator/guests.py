"""What an installed package may bring to Gridpress, and how it is found: a game is a guest.

A guest is a value, `Guest`, to which an entry point of the group `gridpress.games` leads. It names
its functions as `package.module:function`: they are imported when they are needed, so that a list
of commands imports no game. Entry points come from where Python and Gridpress are installed, never
from the current folder or a project (`generator/__main__.py`). docs/games.md shows one.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from generator.codes import CODES
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, plain, warning

GROUP: Final = "gridpress.games"


@dataclass(frozen=True, slots=True)
class Command:
    """A word after `gridpress`. help: one line for the list; where: of its click command."""

    help: str
    where: str


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to try with a component of this pack's kind that `gridpress new` has just started.

    words: after `gridpress`, with {} for the component's name.
    """

    pack: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Guest:
    """What a package brings. name: that of its entry point.

    codes: its diagnostics' codes, with what each is about. A code of ours is not taken for them.
    """

    name: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    next_steps: Sequence[NextStep] = ()
    codes: Mapping[str, str] = field(default_factory=dict)


def installed() -> Outcome[tuple[Guest, ...]]:
    """All guests by their names, with a warning (GP012) for each that cannot be had."""
    guests, faults = [], []
    for name in sorted(_offered()):
        try:
            guests.append(guest(name))
        except GridpressError as error:
            faults += [warning(d.span, d.code, d.message, d.hint) for d in error.diagnostics]
    return Outcome(tuple(guests), tuple(faults))


@cache
def guest(name: str) -> Guest:
    """The guest of this name. Raises GridpressError (GP012) when it cannot be loaded; KeyError
    when none is installed."""
    entry = _offered()[name]
    found = brought(name, entry.value)
    if not isinstance(found, Guest):
        raise _unusable(name, f"{entry.value} is no Guest")
    if found.name != name:
        raise _unusable(name, f"{entry.value} calls itself {found.name!r}")
    if taken := sorted(CODES.keys() & found.codes):
        raise _unusable(name, f"{', '.join(taken)}: codes of Gridpress's own")
    return found


def next_steps(packs: Collection[str], kind: str) -> tuple[str, ...]:
    """What guests say to try with a component of a kind that one of these packs has."""
    steps = (step for guest in installed().value for step in guest.next_steps)
    return tuple(step.words for step in steps if step.pack in packs and step.kind == kind)


def brought(guest_name: str, where: str) -> Any:
    """What a guest brings, imported now. where: `package.module:name`.

    Raises GridpressError (GP012) when it is not there, or fails.
    """
    module, _, name = where.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:  # whatever a stranger's module does as it is imported
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise _unusable(guest_name, said) from error


@cache
def _offered() -> Mapping[str, EntryPoint]:
    """The entry points by name; of two of the same name the one that is found first."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return found


def _unusable(name: str, why: str) -> GridpressError:
    message = f"the game {name!r} is installed, and cannot be loaded: {plain(why)}"
    hint = "install a version of it that goes with this Gridpress, or remove it (pip uninstall)"
    return GridpressError(Diagnostic(Span(name), "GP012", message, hint))
