"""`gridpress track show` and `shorten`, and how they find a track by its name."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from generator.build import OpenPack, Order, open_pack
from generator.cli import INTERRUPTED, options, terminal
from generator.cli.terminal import ProgressLine
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Outcome,
    Severity,
    Span,
    did_you_mean,
    nearest,
    plain,
)
from generator.export import face_pages, face_pictures
from generator.fonts import OWN_FAMILY, FontLibrary, fonts_of
from generator.geometry import Rect, summed
from generator.load import read_pack
from generator.model.catalogue import Stock
from generator.model.face import Art, Face, drawn_by_engine
from generator.model.pack import Component, Pack
from generator.model.source import Mapping as MappingNode
from generator.model.source import Node, PackSource, Scalar
from generator.model.source import Sequence as WrittenList
from generator.model.values import Record
from generator.project import Project, Target, find_targets, shipped_root
from generator.tracks import (
    ON_PAGE,
    Candidate,
    Course,
    Fonts,
    Schematic,
    Tile,
    alike_runs,
    course_of,
    draw_schematic,
    references,
    sheet,
    shortenings,
    tile_of,
    track_listing,
)
from generator.writing import at_work, write_named

_BOLD: Final = 700
_SHEET_DPI: Final = 120
_ENDINGS: Final = ("", "svg", "png", "txt", "text", "md")


@click.command("show")
@click.argument("layout", metavar="LAYOUT")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "svg", "png"]),
    help="text: a table and a small map; svg, png: a plan.  [default: by FILE's ending, else text]",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write it to; the terminal by default.",
)
@click.option(
    "--dpi",
    type=click.IntRange(options.LEAST_DPI, 600),
    default=150,
    show_default=True,
    help="Dots per inch of a PNG.",
)
def show_command(layout: str, format_: str | None, file: Path | None, dpi: int) -> int:
    """Show a track: its tiles and their places, its length and width, and a map or plan.

    A plan shows tiles with their numbers, the finish line, arrows of travel and removable tiles;
    its legend lists the tiles. A track with mistakes is shown, too, with what would close its gaps;
    the exit status is then 1.
    """
    ending = file.suffix[1:].lower() if file else ""
    if format_ is None and ending not in _ENDINGS:
        raise click.UsageError(f"no picture is drawn as {ending}: name it .svg, .png or .txt")
    wanted = format_ or (ending if ending in ("svg", "png") else "text")
    if wanted == "png" and file is None and sys.stdout.isatty():
        raise click.UsageError("a PNG needs a file: add -o track.png")
    track = find_track(layout)
    outcome, component = _open(track)
    terminal.show(outcome.diagnostics)
    if component is None or outcome.value is None:
        return 1
    if wanted == "text":
        lines = _text(outcome.value, component).split("\n")
        made = "\n".join(map(plain, lines)).encode()
    else:
        drawn = _drawn(outcome.value, component)
        made = drawn.svg.encode() if wanted == "svg" else _png(outcome.value, drawn, dpi)
    _deliver(made, file)
    return int(_is_wrong(outcome, track))


def _name(opened: OpenPack, component: Component) -> str:
    return f"{opened.pack.name}/{component.id}"


def _title(component: Component) -> str:
    """Return the name of a track, or its id as words."""
    name = component.values.get("name") or component.values.get("title")
    return str(name) if isinstance(name, str) else component.id.replace("-", " ").capitalize()


def _text(opened: OpenPack, component: Component) -> str:
    head = f"{_title(component)}  ({_name(opened, component)})"
    pool = tiles_for(opened.pack, component)
    return "\n".join((head, "", *track_listing(layout_of(component), pool), ""))


def _drawn(opened: OpenPack, component: Component) -> Schematic:
    fonts = _lettering(fonts_of(opened.target.project))
    note = f"{opened.pack.title}: {_name(opened, component)}"
    pool = tiles_for(opened.pack, component)
    return draw_schematic(layout_of(component), _title(component), note, fonts, pool)


def _lettering(library: FontLibrary) -> Fonts:
    return Fonts(library.find(OWN_FAMILY).svg, library.find(OWN_FAMILY, weight=_BOLD).svg)


def _png(opened: OpenPack, drawn: Schematic, dpi: int) -> bytes:
    """Return the picture as PNG. Raises GridpressError."""
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        fonts = fonts_of(opened.target.project)
        return _picture(_face(drawn, "plan", opened.pack.span), fonts, Path(scratch), dpi)


def _face(drawn: Schematic, what: str, span: Span) -> Face:
    stock = Stock(what, drawn.size, bleed=0, safe=0)
    sha256 = hashlib.sha256(drawn.svg.encode()).hexdigest()
    art = Art(drawn.svg, sha256, Rect(0, 0, drawn.size.width, drawn.size.height))
    return Face(what, what, "front", stock, drawn_by_engine(art), sha256, span)


def _picture(face: Face, fonts: FontLibrary, scratch: Path, dpi: int) -> bytes:
    pictures = face_pictures([face], fonts, scratch, dpi=dpi)
    if not pictures.ok:
        raise GridpressError(*pictures.diagnostics)
    return pictures.value[face.sha256].read_bytes()


def _deliver(made: bytes, file: Path | None) -> None:
    """Write to a file and print its name, or write to standard output."""
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
        return
    write_named(file, made, "choose another with -o")
    terminal.say(str(file))


def write_sheet(circuits: Sequence[Candidate], tiles: str, file: Path) -> None:
    """Draw circuits, numbered from 1, to a .pdf or a .png. Raises GridpressError."""
    is_pdf = file.suffix.lower() == ".pdf"
    some = ON_PAGE if is_pdf else len(circuits)
    parts = [(n, circuits[n : n + some]) for n in range(0, len(circuits), some)]
    with at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        fonts = fonts_of(Project(shipped_root(), shipped_root()))
        faces = []
        for page, (first, shown) in enumerate(parts, 1):
            of = f", page {page} of {len(parts)}" if len(parts) > 1 else ""
            note = f"{first + 1} to {first + len(shown)} of {len(circuits)}{of}"
            title = f"Circuits of {tiles}"
            drawn = sheet(shown, first + 1, title, note, _lettering(fonts))
            faces.append(_face(drawn, "sheet", Span("contact sheet")))
        if is_pdf:
            pages = face_pages(faces, fonts, Path(scratch))
            if not pages.ok:
                raise GridpressError(*pages.diagnostics)
            made = pages.value
        else:
            made = _picture(faces[0], fonts, Path(scratch), _SHEET_DPI)
    write_named(file, made, "choose another with -o")
    terminal.note(str(file))


Choice = tuple[tuple[int, int], ...]
"""Runs of tiles by number, with how many tiles of each to remove."""


@click.command("shorten")
@click.argument("layout", metavar="LAYOUT")
@click.option("--most", type=click.IntRange(1), help="Remove at most this many tiles at once.")
@click.option("--limit", type=click.IntRange(1), help="Stop after this many choices.")
def shorten_command(layout: str, most: int | None, limit: int | None) -> int:
    """Find which tiles you can remove from a track so that the rest, pushed together, is a circuit.

    Each line is a set of tiles to paste into `removable:`, the smallest first; bend#2 is the second
    bend. (or 1) marks a tile in a row of equal ones: remove any. The tile with the finish
    line stays, and so do the starts for the vehicles. No set contains a smaller one.
    """
    outcome, component = open_track(layout)
    terminal.show(outcome.diagnostics)
    if component is None:
        return 1
    record = layout_of(component)
    course = course_of(record)
    if not course.is_circuit:
        terminal.note(f"{layout} is not a circuit, so there is nothing to shorten")
        return 0
    stay = frozenset(tile["number"] for tile in record["tiles"] if tile["finish"])
    # Without a number of vehicles, all starts stay.
    starts = record["starts"] if record["vehicles"] is None else record["vehicles"]
    alike = alike_runs(course, stay)
    lines = _ChoiceLines(alike, references(record))
    found = 0
    with ProgressLine() as line:
        try:
            choices = _choices(course, stay, starts, alike, most, line)
            for size, same in groupby(islice(choices, limit), key=_size):
                line.say(f"{size} tile{'' if size == 1 else 's'}")
                for choice in same:
                    found += 1
                    line.say(lines.line(choice))
        except KeyboardInterrupt:
            line.end(f"stopped: {_counted(found)} so far, there may be more")
            return INTERRUPTED
        if not found:
            line.end(f"no tiles can leave{f', {most} at most' if most else ''}")
        else:
            ended = f"; there may be more than --limit {limit}" if found == limit else " in all"
            line.end(_counted(found) + ended)
    return 0


def _choices(
    course: Course,
    stay: frozenset[int],
    starts: int,
    alike: Sequence[Sequence[int]],
    most: int | None,
    line: ProgressLine,
) -> Iterator[Choice]:
    run_of = {number: run for run, numbers in enumerate(alike) for number in numbers}
    said: set[Choice] = set()

    def tell(size: int) -> None:
        line.show(f"looking for sets of {size} tiles, {_counted(len(said))}; Ctrl-C stops")

    for leaving in shortenings(course, stay=stay, starts=starts, most=most, report=tell):
        choice = tuple(sorted(Counter(run_of[number] for number in leaving).items()))
        if choice not in said:
            said.add(choice)
            yield choice


def _size(choice: Choice) -> int:
    return summed(count for _, count in choice)


class _ChoiceLines(Struct, frozen=True):
    """Sets of tiles as lines, with the name of each tile."""

    alike: Sequence[Sequence[int]]
    names: Mapping[int, str]

    def line(self, choice: Choice) -> str:
        """Return `  [3, 7]  (or 8 for 7)`."""
        leaving: list[str] = []
        instead: list[str] = []
        for run, count in choice:
            calls = [self.names[number] for number in self.alike[run]]
            leaving += calls[:count]
            if count < len(calls):
                instead.append(_instead(calls[:count], calls[count:]))
        listed = f"  [{', '.join(leaving)}]"
        return f"{listed}  ({'; '.join(instead)})" if instead else listed


def _instead(named: Sequence[str], others: Iterable[str]) -> str:
    """Return `or 8 for 7`."""
    what = named[0] if len(named) == 1 else f"any of {', '.join(named)}"
    return f"or {' or '.join(others)} for {what}"


def _counted(number: int) -> str:
    return f"{number} choice{'' if number == 1 else 's'}"


_COUNTS: Final = "counts are such as '6S 8C': 6 straights, 8 curves"


class Listed(Struct, frozen=True):
    """A track as a pack writes it, right or wrong: its place, the place of the next in its file,
    and the places of what its aliases (*name) stand for."""

    target: Target
    kind: str
    id: str
    span: Span
    until: Span | None = None
    shared: frozenset[Span] = frozenset()

    @property
    def name(self) -> str:
        """Return `pack/id`."""
        return f"{self.target.pack}/{self.id}"

    def holds(self, span: Span) -> bool:
        """Return True for a place in the track's own lines or aliases."""
        after = self.until is None or span < self.until
        own = span.file == self.span.file and self.span <= span and after
        return own or span in self.shared


def tracks_of(target: Target) -> Outcome[tuple[Listed, ...]]:
    """Return the tracks that a pack writes itself, unchecked, with errors of reading its files."""
    read = read_pack(target.project, target.pack, None)
    tracks = (
        () if read.value is None else tuple(written(target, read.value, set(_kinds(read.value))))
    )
    return Outcome(tracks, read.diagnostics)


def find_tracks(targets: Iterable[Target]) -> tuple[Listed, ...]:
    """Return the tracks of some packs. Raises GridpressError if files cannot be read and there are
    none."""
    return gathered(map(tracks_of, targets))


def gathered(read: Iterable[Outcome[tuple[Listed, ...]]]) -> tuple[Listed, ...]:
    """Join lists of tracks. Raises GridpressError if files cannot be read and there are none."""
    read = tuple(read)
    listed = tuple(one for outcome in read for one in outcome.value)
    faults = [d for outcome in read if not outcome.ok for d in outcome.diagnostics]
    if faults and not listed:
        raise GridpressError(*faults)
    return listed


def parted(
    found: Iterable[Diagnostic], wanted: Sequence[Listed], every: Sequence[Listed]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the errors outside of `every` listed component, and the diagnostics of the wanted
    ones."""
    found = tuple(found)
    beside = [
        d
        for d in found
        if d.severity is Severity.ERROR and not any(one.holds(d.span) for one in every)
    ]
    return beside, [d for d in found if any(one.holds(d.span) for one in wanted)]


def find_track(name: str) -> Listed:
    """Return the track of a name: `pack/id`, `folder/id`, or an id that only one pack has.

    Raises GridpressError: GP915 if there is none or more than one, GP001 for an unknown pack.
    """
    where = name.rpartition("/")[0]
    known = find_tracks(find_targets([where]) if where else in_reach())
    return the_one(name, known, "track", "GP915")


def the_one(name: str, known: Sequence[Listed], what: str, code: str) -> Listed:
    """Return the known component with this id, or `where/id`.

    Raises GridpressError with the code if there is none or more than one.
    """
    wanted = name.rpartition("/")[2]
    found = [one for one in known if one.id == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(one.name for one in found)
        raise _fault(code, name, f"which {what}: {names}?", f"write {found[0].name}")
    near = nearest(wanted, (one.id for one in known))
    meant = [one.name for one in known if one.id == near]
    hint = did_you_mean(meant[0] if meant else name, (one.name for one in known))
    raise _fault(code, name, f"there is no {what} {name!r}", hint or f"no pack here has {what}s")


def open_track(name: str) -> tuple[Outcome[OpenPack | None], Component | None]:
    """Open the pack of a track, and return the track if it has no errors."""
    track = find_track(name)
    outcome, component = _open(track)
    return outcome, None if _is_wrong(outcome, track) else component


def _open(track: Listed) -> tuple[Outcome[OpenPack | None], Component | None]:
    """Open the pack of a track, and return the track if its course can be read."""
    outcome = open_pack(track.target, Order(), in_parts=True)
    components = outcome.value.pack.components.get(track.kind, ()) if outcome.value else ()
    return outcome, next((c for c in components if c.id == track.id), None)


def _is_wrong(outcome: Outcome[OpenPack | None], track: Listed) -> bool:
    return any(d.severity is Severity.ERROR and track.holds(d.span) for d in outcome.diagnostics)


def open_yard(name: str) -> tuple[Pack, str | None]:
    """Open the pack of a set of tiles, even if its tracks have errors; also return the kind of
    `pack/kind`.

    Raises GridpressError: GP914 for another name, or the errors of the pack.
    """
    kind = None
    try:
        targets = find_targets([name])
    except GridpressError as error:
        where, _, kind = name.rpartition("/")
        if not where:
            [said] = error.diagnostics
            message = f"{name!r} is neither a count of tiles nor a pack or folder"
            raise _fault("GP914", name, message, f"{said.hint}\n{_COUNTS}".strip()) from error
        targets = find_targets([where])
    if len(targets) > 1:
        names = ", ".join(target.pack for target in targets)
        raise _fault("GP914", name, f"which pack: {names}?", "name the one that has the tiles")
    outcome = open_pack(targets[0], Order(), in_parts=True)
    tracks = () if outcome.ok else tracks_of(targets[0]).value
    beside = [d for d in outcome.diagnostics if not any(track.holds(d.span) for track in tracks)]
    if outcome.value is None or not Outcome(None, tuple(beside)).ok:
        raise GridpressError(*outcome.diagnostics)
    return outcome.value.pack, kind


def tiles_for(pack: Pack, component: Component) -> tuple[Tile, ...]:
    """Return all tiles of the kinds of a track."""
    kinds = dict.fromkeys(tile["kind"] for tile in layout_of(component)["tiles"] if tile["kind"])
    found = (one.values["tile"] for kind in kinds for one in pack.components.get(kind, ()))
    return tuple(map(tile_of, found))


def layout_of(component: Component) -> Record:
    """Return the record `layout` of a track."""
    found: Record = component.values["layout"]
    return found


def in_reach() -> Sequence[Target]:
    """Return the packs of the current folder, then the shipped ones with other names."""
    shipped = Project(shipped_root(), shipped_root())
    here = find_targets(())
    names = {target.pack for target in here}
    return (*here, *(Target(shipped, pack) for pack in shipped.packs() if pack not in names))


def written(target: Target, source: PackSource, kinds: Collection[str]) -> Iterator[Listed]:
    """Yield the components of some kinds that a pack writes itself."""
    for number, component in enumerate(source.components):
        name = component.node.get("id")
        if component.kind.text in kinds and isinstance(name, Scalar):
            rest = source.components[number + 1 :]
            span = component.node.span
            after = (c.node.span for c in rest if c.node.span.file == span.file)
            until = min((s for s in after if s > span), default=None)
            one = Listed(target, component.kind.text, name.text, span, until)
            shared = (s for s in _spans(component.node) if not one.holds(s))
            yield replace(one, shared=frozenset(shared))


def _spans(node: Node) -> Iterator[Span]:
    """Yield the places of all keys and values below a node."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node.span
        if isinstance(node, MappingNode):
            waiting += (part for entry in node.entries for part in entry)
        elif isinstance(node, WrittenList):
            waiting += node.items


def _kinds(source: PackSource) -> Iterator[str]:
    """Yield the kinds of layouts of a pack and of the packs that it requires."""
    for document in source.kinds:
        if isinstance(document.root, MappingNode) and document.root.get("layout") is not None:
            kind = document.root.get("kind")
            yield kind.text if isinstance(kind, Scalar) else document.file.rpartition("/")[2][:-5]
    for required in source.required:
        yield from _kinds(required)


def _fault(code: str, name: str, message: str, hint: str) -> GridpressError:
    return GridpressError(Diagnostic(Span(name), code, message, hint))
