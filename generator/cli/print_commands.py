"""Commands that print packs and check prints: `build`, `check` and `preflight`.

The press is imported only when needed: a build without changes does without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from generator import guests
from generator.build import (
    Order,
    Packing,
    PrintedFile,
    inputs_of,
    keep_receipt,
    known_outcome,
    packing_list,
)
from generator.bundle import unpacked_archives
from generator.cli import OUR_BUG, options, terminal
from generator.cli.terminal import progress_bar, show_packing_list, tell_of_bugs
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.model.catalogue import PdfProfile
from generator.model.manifest import MANIFEST, MOST_BYTES
from generator.model.pack import COARSE, words_in
from generator.project import PROFILE_FILE, Target, find_targets, project_here
from generator.workers import collecting_hardly
from generator.writing import TargetFolder


@click.command("build")
@options.format_
@click.option(
    "--marks",
    default="",
    metavar="CUTTER",
    help="Add marks for a cutting machine: silhouette, or silhouette-4 for one that needs four.",
)
@click.option(
    "--start-label",
    type=click.IntRange(1, 10_000),
    default=1,
    metavar="N",
    help="Begin at label N of a used sheet of labels, counted row by row from the top left.",
)
@options.of_a_build
def build_command(
    packs: tuple[str, ...],
    order: Order,
    output: TargetFolder,
    format_: str,
    marks: str,
    start_label: int,
) -> int:
    """Print packs: OUTPUT/PACK/PRINT-PAPER.pdf for each kind of paper, and a manifest.

    Without a PACK or FOLDER, every pack is printed; a zip is read like a folder. With --only or
    --locale, the prints go to separate files (PRINT-PAPER.only.pdf, PRINT-PAPER.de.pdf), and those
    of the whole pack stay. --only skips packs without such a component. While a pack has errors,
    nothing is written and its last good build stays.
    """
    asked = replace(order, marks=marks, start_label=start_label)
    said: list[Diagnostic] = []
    built: list[dict[str, Any]] = []
    terminal.note_shipped(packs)
    with collecting_hardly(), unpacked_archives(packs) as names:
        for target, wanted in _shared_out(find_targets(names), asked):
            order = _spoken(target, wanted)
            try:
                outcome = _built(target, order, output)
            except GridpressError as error:  # other packs are still printed
                outcome = Outcome((), error.diagnostics)
            if format_ == "json":
                built.append(_told(target.pack, outcome.value, order))
            else:
                terminal.show(outcome.diagnostics, said)
            said.extend(outcome.diagnostics)
            if format_ == "text" and outcome.value:
                _show(target.pack, outcome.value, order)
            elif format_ == "text":
                terminal.say(
                    f"{target.pack}: not printed ({terminal.summary(outcome.diagnostics)})"
                )
    if format_ == "json":
        terminal.say_json({"packs": built, "findings": terminal.listed(said)})
    return OUR_BUG if tell_of_bugs(said) else int(terminal.has_failed(said, order.strict))


def _told(pack: str, files: tuple[PrintedFile, ...], order: Order) -> dict[str, Any]:
    """Return what was printed of a pack, as JSON. Without files, nothing was printed."""
    listed = [
        {
            "file": file.path.as_posix(),
            "pages": file.pages,
            "pieces": file.pieces,
            "media": file.media,
            "waste": round(file.waste, 4),
            "sha256": file.sha256,
        }
        for file in files
    ]
    if not files:
        return {"pack": pack, "files": listed, "players": None, "kinds": [], "draft": False}
    packing = _packing(files, order)
    kinds = [
        {"kind": kind.name, "different": kind.different, "pieces": kind.pieces, "why": kind.why}
        for kind in packing_list(packing)
    ]
    draft = any(file.draft for file in packing.files)
    return {
        "pack": pack,
        "files": listed,
        "players": packing.players,
        "kinds": kinds,
        "draft": draft,
    }


def _packing(files: tuple[PrintedFile, ...], order: Order) -> Packing:
    manifest = files[0].path.parent / order.called(MANIFEST)
    try:
        with manifest.open("rb") as file:
            packing: Packing = msgspec.json.decode(file.read(MOST_BYTES), type=Packing)
    except (OSError, msgspec.MsgspecError) as error:  # changed since it was written
        message = "the build is done, but its manifest was removed or replaced meanwhile"
        hint = "look at the folder, and build again"
        raise GridpressError(Diagnostic(Span(str(manifest)), "GP002", message, hint)) from error
    return packing


def _shared_out(targets: Sequence[Target], order: Order) -> Iterator[tuple[Target, Order]]:
    """Yield each pack with the words of `--only` that it knows; leave out packs that know none.

    Words that no pack knows go to every pack that is left, or else to all, to be reported there.
    """
    if order.only is None or len(targets) < 2:
        yield from ((target, order) for target in targets)
        return
    known = {target: _known_words(target, order) for target in targets}
    unknown = set(words_in(order.only)).difference(*known.values())
    concerned = [target for target in targets if known[target]] or targets
    for target in concerned:
        words = [word for word in words_in(order.only) if word in known[target] | unknown]
        yield target, replace(order, only=", ".join(words))


def _known_words(target: Target, order: Order) -> frozenset[str]:
    """Return the words of `--only` that fit a component; all if the pack cannot be read."""
    from generator.build import open_pack

    words = frozenset(words_in(order.only))
    try:
        opened = open_pack(target, replace(_spoken(target, order), only=None)).value
    except GridpressError:
        return words
    if opened is None:
        return words
    called = [one.called for found in opened.pack.components.values() for one in found]
    return frozenset(word for word in words if any(one.fits(word) for one in called))


def _spoken(target: Target, order: Order) -> Order:
    if order.locale is None:
        return order
    from generator.build import in_locale_of  # not needed for an unchanged build

    return in_locale_of(target, order)


def _built(target: Target, order: Order, output: TargetFolder) -> Outcome[tuple[PrintedFile, ...]]:
    """Print a pack, unless the same was printed before."""
    place = output / target.pack
    inputs = inputs_of(target.project) if order.cache.folder else None
    known = known_outcome(target, order, place, inputs) if inputs else None
    if known is not None:
        return known
    from generator.build import press_pack

    with progress_bar(target.pack) as progress:
        outcome = press_pack(target, order, output, progress, terminal.note)
    if inputs:
        reports = [name for name in guests.reports() if (place.path / order.called(name)).is_file()]
        others = [order.called(name) for name in (MANIFEST, *(() if order.only else reports))]
        keep_receipt(target, order, place, inputs, outcome, others)
    return outcome


def _show(pack: str, files: tuple[PrintedFile, ...], order: Order) -> None:
    """Print what was printed and why, then the files."""
    packing = _packing(files, order)
    players = packing.players
    terminal.say(f"{pack}: printed" + (f" for {players} players" if players else ""))
    show_packing_list(packing_list(packing))
    terminal.say(_files(files))
    printers = {file.printer for file in packing.files}
    for name in sorted(each.name for each in printers if each is not None and each.is_off):
        terminal.say(f"  shifted for {name or 'your printer'}, as {PROFILE_FILE} says")
    drafts = ", ".join(file.file for file in packing.files if file.draft)
    for waiver in packing.waivers if drafts else ():
        if waiver.code in COARSE:
            because = f"{waiver.source} accepts coarse pictures"
            terminal.say(f"  a draft, as each sheet says: {drafts} ({because})")


def _files(files: tuple[PrintedFile, ...]) -> str:
    width = max(len(str(file.path)) for file in files)
    lines = [
        f"  {file.path!s:<{width}}  {file.pages:>3} page{' ' if file.pages == 1 else 's'}"
        f"  {file.pieces:>4} piece{' ' if file.pieces == 1 else 's'}"
        f"  {100 * file.waste:>3.0f} % waste  {file.media}"
        for file in files
    ]
    return "\n".join(line.rstrip() for line in lines)


@click.command("check")
@options.format_
@options.of_an_order
def check_command(packs: tuple[str, ...], order: Order, format_: str) -> int:
    """Look for mistakes in packs: data, references, texts that do not fit, pictures, sizes, faces
    and sheets.

    It reports what a build with the same options would report, with the same exit status, and
    writes no file.
    """
    from generator.build import check_prints

    said: list[Diagnostic] = []
    terminal.note_shipped(packs)
    with unpacked_archives(packs) as names:
        for target, wanted in _shared_out(find_targets(names), order):
            try:
                with progress_bar(target.pack) as progress:
                    found = check_prints(target, wanted, progress)
            except GridpressError as error:  # other packs are still checked
                found = error.diagnostics
            if format_ == "text":
                terminal.show(found, said)
                terminal.say(f"{target.pack}: {terminal.summary(found)}")
            said.extend(found)
    if format_ == "json":
        terminal.show_json(said)
    return int(terminal.has_failed(said, order.strict))


@click.command("preflight")
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option(
    "--profile",
    metavar="NAME",
    help="The shop or printer to check for: drivethru, tgc, mpc, press-eu, home, or another one of"
    " pdf_profiles.yaml.",
)
@click.option(
    "--report",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for preflight.html, with a picture of each place at fault.",
)
@options.format_
@options.strict
def preflight_command(
    pdf: Path, profile: str | None, folder: Path | None, format_: str, strict: bool
) -> int:
    """Check a finished PDF before you print it.

    If the manifest of its build is beside it, report what changed since.
    """
    from generator.preflight import REPORT, findings_page, preflight
    from generator.writing import write_files

    wanted = None if profile is None else _profile_named(profile)
    with progress_bar(pdf.name, "checking"):
        found = preflight(pdf, wanted)
        if folder is not None:
            page = {folder / REPORT: findings_page(pdf, found)}
            write_files(folder, page, "choose another folder with --report")
    said = [finding.diagnostic(str(pdf)) for finding in found]
    if format_ == "json":
        listed = zip(said, found, strict=True)
        terminal.say_json([{**line.as_dict(), **one.as_dict()} for line, one in listed])
    else:
        terminal.show(said)
        terminal.say(f"{pdf}: {terminal.summary(said)}")
    return int(terminal.has_failed(said, strict))


def _profile_named(name: str) -> PdfProfile:
    """Return a profile by name. Raises UsageError if it is unknown, GridpressError if it is
    faulty."""
    from generator.outlets import pdf_profiles_of  # takes long to import

    profiles = pdf_profiles_of(project_here())
    if not profiles.ok:
        raise GridpressError(*profiles.diagnostics)
    if name not in profiles.value:
        known = ", ".join(profiles.value)
        raise click.UsageError(f"--profile: there is no {name!r}; there are {known}")
    return profiles.value[name]
