"""`gridpress track check`: packs or tracks in, what is wrong with the tracks out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from generator.cli import options, terminal
from generator.cli.track_lookup import (
    Listed,
    find_track,
    find_tracks,
    in_reach,
    layout_of,
    parted,
    tracks_of,
)
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.order import Order
from generator.prepress import open_pack
from generator.print_runs import OpenPack
from generator.project import Target, find_targets


@click.command("check")
@click.argument("names", nargs=-1, metavar="[PACK|LAYOUT]...")
@options.format_
@options.strict
def command(names: tuple[str, ...], format_: str, strict: bool) -> int:
    """Check tracks: does each close, does none of its tiles lie on another, are there enough tiles,
    starts and markers for it, and can its removable tiles really leave.

    Without a name: the tracks of all packs in reach. Faults name the two tiles and the gap between
    them; `gridpress check` looks at all the rest of a pack.
    """
    said: list[Diagnostic] = []
    for target, tracks in _wanted(names).items():
        outcome = open_pack(target, Order(), in_parts=True)
        opened, every = outcome.value, tracks_of(target).value
        beside, theirs = parted(outcome.diagnostics, tracks, every)
        said += (*beside, *theirs)
        if format_ == "text":
            terminal.show((*beside, *theirs))
            for track in tracks:
                found = tuple(d for d in theirs if track.holds(d.span))
                size = _size(opened, track) if Outcome(None, found).ok else ""
                told = terminal.summary(found) if found or size or not beside else "not looked at"
                terminal.say(f"{track.name}: {size}{told}")
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, strict))


def _wanted(names: Sequence[str]) -> dict[Target, list[Listed]]:
    """The tracks to look at, by pack."""
    found: dict[Target, list[Listed]] = {}
    faults: list[Diagnostic] = []
    for name in names:
        try:
            tracks = list(_named(name))
        except GridpressError as error:
            faults += error.diagnostics
            continue
        for track in tracks:
            found.setdefault(track.target, []).append(track)
    if faults:
        raise GridpressError(*faults)
    if not names:
        found = {target: list(tracks_of(target).value) for target in in_reach()}
    return {target: list(dict.fromkeys(tracks)) for target, tracks in found.items() if tracks}


def _named(name: str) -> Iterator[Listed]:
    """All tracks of a pack or folder, or one track."""
    try:
        targets = find_targets([name])
    except GridpressError:
        yield find_track(name)
        return
    tracks = find_tracks(targets)
    if not tracks:
        hint = "a track is a component of a kind that has a section layout:"
        raise GridpressError(Diagnostic(Span(name), "GP915", f"{name} has no tracks", hint))
    yield from tracks


def _size(opened: OpenPack | None, track: Listed) -> str:
    """What the track is, where it is right, whatever is wrong beside it."""
    components = opened.pack.components.get(track.kind, ()) if opened else ()
    found = next((c for c in components if c.id == track.id), None)
    if found is None:
        return ""
    layout = layout_of(found)
    closed, length = ("a circuit", "round") if layout["closed"] else ("open", "long")
    return f"{closed} of {len(layout['tiles'])} tiles, {layout['cells']:g} cells {length}: "
