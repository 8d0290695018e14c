"""Finds guests: installed packages that bring a game to Gridpress.

An entry point of the group `gridpress.games` leads to a `Guest`, which names its functions as
`package.module:function`. They are imported when needed. Entry points come from where Python and
Gridpress are installed, never from the current folder or a project. See docs/games.md.

A guest is trusted like Gridpress itself. Its values are made plain before packs see them.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from generator.diagnostics import CODES, Diagnostic, GridpressError, Outcome, Span, plain, warning

if TYPE_CHECKING:
    from generator.model.pack import Component, Pack

GROUP: Final = "gridpress.games"
_OUTLET: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_REPORT: Final = re.compile(r"[a-z0-9][a-z0-9-]*\.(html|json|csv|txt|md)")


class Command(Struct, frozen=True):
    """A command after `gridpress`. help: its line in the list; where: its click command."""

    help: str
    where: str


class NextStep(Struct, frozen=True):
    """A command to try after `gridpress new` has started a component of this kind.

    words: the command without `gridpress`, with {} for the component's name.
    """

    pack: str
    kind: str
    words: str


class FieldKind(Struct, frozen=True):
    """A type of field, written in YAML as one text.

    says, example: words for messages, such as "a burning time" and "2h 30m". read: a function from
    that text to a plain value; it raises ValueError. pattern: a regular expression for editors.
    """

    says: str
    example: str
    read: str
    pattern: str = ""


class OutletKind(Struct, frozen=True):
    """A destination of `gridpress export --for`.

    help: its line in the list; title: its name in messages. fill: a function from a
    `generator.outlets.Shipment` to an `Outcome` of `Shipped` files. bleed: mm that it needs; by
    default the bleed of each kind.
    """

    help: str
    title: str
    fill: str
    bleed: float | None = None


class OwnEditor(Struct, frozen=True):
    """An editor of a guest that the studio shows beside the form of a kind."""

    name: str
    title: str


class Judgement(Struct, frozen=True):
    """A figure on one component, in words. A warning is marked as such."""

    label: str
    value: str
    is_warning: bool = False


class Guest(Struct, frozen=True):
    """Everything that a package brings. name: the name of its entry point.

    Commands and outlets are always available; everything else only for packs whose pack.yaml names
    the guest under `guests`, and for packs that require one of these.

    helpers: functions for templates. checks: functions from a checked `Pack` to diagnostics.
    reports: functions from a `Pack` to the text of a file. codes: codes of diagnostics with their
    meanings; explanations: a paragraph on what to do, for `gridpress explain`. Results are cached,
    so they may depend only on arguments and code.

    editors, judges: for the studio, by kind. A judge is a function from a `Component` and its
    checked `Pack` to judgements.
    """

    name: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    outlets: Mapping[str, OutletKind] = field(default_factory=dict)
    next_steps: Sequence[NextStep] = ()
    fields: Mapping[str, FieldKind] = field(default_factory=dict)
    helpers: Mapping[str, str] = field(default_factory=dict)
    checks: Sequence[str] = ()
    reports: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    explanations: Mapping[str, str] = field(default_factory=dict)
    editors: Mapping[str, OwnEditor] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)


def installed() -> Outcome[tuple[Guest, ...]]:
    """Return all guests by name, with a warning (GP012) for each that cannot be loaded."""
    guests, faults = [], []
    for name in sorted(offered()):
        try:
            guests.append(guest(name))
        except GridpressError as error:
            faults += [warning(d.span, d.code, d.message, d.hint) for d in error.diagnostics]
    return Outcome(tuple(guests), tuple(faults))


@cache
def guest(name: str) -> Guest:
    """Return an offered guest. Raises GridpressError (GP012) when it cannot be loaded."""
    where = offered()[name]
    found = brought(name, where)
    if not isinstance(found, Guest):
        raise unusable_guest(name, f"{where} is no Guest")
    if found.name != name:
        raise unusable_guest(name, f"{where} calls itself {found.name!r}")
    if taken := sorted(CODES.keys() & found.codes):
        raise unusable_guest(name, f"{', '.join(taken)}: these codes belong to Gridpress")
    if taken := sorted(_own_outlets(found)):
        raise unusable_guest(name, f"{', '.join(taken)}: these outlets belong to Gridpress")
    if odd := [outlet for outlet in found.outlets if not _OUTLET.fullmatch(outlet)]:
        raise unusable_guest(name, f"{', '.join(odd)}: not a name for an outlet, such as lamp-shop")
    if odd := [file for file in found.reports if not _REPORT.fullmatch(file)]:
        raise unusable_guest(
            name, f"{', '.join(odd)}: not a name for a report, such as burning.html"
        )
    return found


def _own_outlets(found: Guest) -> Collection[str]:
    """Return the guest's outlets that Gridpress has too."""
    if not found.outlets:
        return ()
    from generator.model.catalogue import OUTLETS  # noqa: PLC0415, a list of commands needs none

    return OUTLETS.keys() & found.outlets


def brought(name: str, where: str) -> Any:
    """Import a guest's object from `package.module:name`. Raises GridpressError (GP012)."""
    module, _, attribute = where.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # importing may raise anything
        raise unusable_guest(name, _told(error)) from error


def carried_out(name: str, where: str, *arguments: Any, **named: Any) -> Any:
    """Call a guest's function and return its result, an iterator as a tuple. Raises ValueError and
    TypeError as it does, GridpressError (GP012) for other errors."""
    function = brought(name, where)
    try:
        found = function(*arguments, **named)
        return tuple(found) if isinstance(found, Iterator) else found
    except (GridpressError, ValueError, TypeError):
        raise
    except Exception as error:
        raise unusable_guest(name, f"{where} fails with {_told(error)}") from error


def helpers(names: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """Return the functions that templates may call, by name; the first guest keeps a name."""
    found: dict[str, Callable[..., Any]] = {}
    for name in names:
        for word, where in guest(name).helpers.items():
            found.setdefault(word, partial(_help, name, where))
    return found


def _help(name: str, where: str, *arguments: Any, **named: Any) -> Any:
    return plain_value(carried_out(name, where, *arguments, **named), Span(name))


def plain_value(value: Any, span: Span) -> Any:
    """Return a guest's value as packs may get it. Raises TypeError unless it consists of text,
    numbers, lists and maps."""
    from generator.model.values import Items, Record  # noqa: PLC0415, a list of commands needs none

    if value is None or isinstance(value, str):
        return value
    for kind in (bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, (list, tuple)):
        return Items(plain_value(one, span) for one in value)
    if isinstance(value, Mapping):
        return Record({str(key): plain_value(one, span) for key, one in value.items()}, span)
    raise TypeError(f"a guest gives text, numbers, lists and maps, not {type(value).__name__}")


def reports() -> tuple[str, ...]:
    """Return the names of all files that guests may add to a build."""
    return tuple(name for guest in installed().value for name in guest.reports)


def told_of(names: Iterable[str], pack: object) -> Outcome[dict[str, bytes]]:
    """Return the reports of guests about a pack, by file name. A guest that fails is GP012."""
    texts: dict[str, bytes] = {}
    faults: list[Diagnostic] = []
    for known in map(guest, names):
        for name, where in known.reports.items():
            try:
                texts[name] = str(carried_out(known.name, where, pack)).encode()
            except GridpressError as error:
                faults += error.diagnostics
            except (ValueError, TypeError) as error:
                faults += unusable_guest(known.name, f"{where}: {error}").diagnostics
    return Outcome(texts, tuple(faults))


def editor(names: Iterable[str], kind: str) -> OwnEditor | None:
    """Return the editor that the first of these guests has for a kind."""
    return next((found for one in map(guest, names) if (found := one.editors.get(kind))), None)


def judges(names: Iterable[str], kind: str) -> Iterator[tuple[str, str]]:
    """Yield the guests that judge components of a kind, each with its function."""
    for one in map(guest, names):
        if kind in one.judges:
            yield one.name, one.judges[kind]


def judgements(names: Iterable[str], component: Component, pack: Pack) -> tuple[Judgement, ...]:
    """Return the judgements of guests on a component. A guest that fails is a warning."""
    found: list[Judgement] = []
    for name, where in judges(names, component.kind):
        try:
            for one in carried_out(name, where, component, pack):
                if not isinstance(one, Judgement):
                    raise TypeError(f"{one!r} is no Judgement")
                found.append(one)
        except (GridpressError, ValueError, TypeError) as error:
            found.append(Judgement(name, plain(str(error)), is_warning=True))
    return tuple(found)


def outlets() -> dict[str, tuple[str, OutletKind]]:
    """Return the outlets of all guests by name, each with its guest; the first guest keeps a
    name."""
    found: dict[str, tuple[str, OutletKind]] = {}
    for guest in installed().value:
        for name, outlet in guest.outlets.items():
            found.setdefault(name, (guest.name, outlet))
    return found


def next_steps(packs: Collection[str], kind: str) -> tuple[str, ...]:
    """Return the commands that guests suggest for a component of this kind in these packs."""
    steps = (step for guest in installed().value for step in guest.next_steps)
    return tuple(step.words for step in steps if step.pack in packs and step.kind == kind)


@cache
def offered() -> Mapping[str, str]:
    """Return where each guest is, by name; the first one found keeps a name."""
    found: dict[str, str] = {}
    # Faster than importlib.metadata, which would take a quarter of the time of --help.
    for folder in filter(os.path.isabs, sys.path):
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".dist-info"):
                    found = {**_listed(os.path.join(folder, name, "entry_points.txt")), **found}
    return found


def _listed(file: str) -> dict[str, str]:
    """Return the entries of our group in a package's entry points."""
    with suppress(OSError, UnicodeDecodeError), open(file, encoding="utf-8") as opened:
        _, _, ours = opened.read().partition(f"[{GROUP}]\n")
        parted = (line.partition("=") for line in ours.partition("\n[")[0].splitlines())
        return {name.strip(): where.strip() for name, equals, where in parted if equals}
    return {}


def fingerprint() -> bytes:
    """Return a digest of the code of all guests that take part in builds."""
    digest = hashlib.blake2b(digest_size=32)
    for guest in installed().value:
        if not (guest.fields or guest.helpers or guest.checks or guest.reports):
            continue
        digest.update(f"{guest.name}\0".encode())
        with suppress(ImportError, ValueError, OSError):
            where = offered()[guest.name]
            spec = importlib.util.find_spec(where.partition(":")[0].partition(".")[0])
            for folder in (spec and spec.submodule_search_locations) or ():
                digest.update(stamp(Path(folder)))
    return digest.digest()


def stamp(folder: Path | str) -> bytes:
    """Return a digest of the names, sizes and times of a package's files."""
    told = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                of_it = b"" if entry.name == "__pycache__" else stamp(entry.path)
            else:
                status = entry.stat()
                of_it = b"%d %d" % (status.st_size, status.st_mtime_ns)
            told.append(b"%b\0%b" % (os.fsencode(entry.name), of_it))
    return hashlib.blake2b(b"\0".join(told), digest_size=32).digest()


def unusable_guest(name: str, why: str) -> GridpressError:
    """Return the error for a guest that is installed but cannot be used."""
    message = f"the game {name!r} is installed but cannot be used: {plain(why)}"
    hint = "install a version for this Gridpress, or remove it (pip uninstall)"
    return GridpressError(Diagnostic(Span(name), "GP012", message, hint))


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
