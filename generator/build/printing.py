"""Print packs: write PDFs and their manifest, and put them in place."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator import __version__, export, guests, limits, workers
from generator.build.opening import OpenPack, in_locale_of
from generator.build.order import Order, PrintedFile
from generator.build.pipeline import StepProgress, lay_out, silent
from generator.build.print_runs import LaidOut, PrintRun
from generator.cache import Cache, Sort
from generator.diagnostics import Diagnostic, Outcome
from generator.export import Delivery, Told, nobody
from generator.files import Roots
from generator.fonts import FontLibrary, own_fonts
from generator.model.manifest import MANIFEST, KindEntry, Manifest, WrittenFile, manifest_bytes
from generator.model.pack import COARSE, Pack
from generator.outlines import waste
from generator.project import Target
from generator.writing import TargetFolder, workshop


def press_pack(
    target: Target,
    order: Order,
    output: Path | TargetFolder,
    progress: StepProgress = silent,
    told: Told = nobody,
) -> Outcome[tuple[PrintedFile, ...]]:
    """Build one pack into `output/<pack>/` and return its files, none if nothing was written.

    Nothing is written with errors, or with warnings in a strict order. A full disk, a folder that
    cannot be written or a link in its place raises GridpressError; the last good build then stays
    whole. `told` hears of another build in the same folder that must end first.
    """
    order = in_locale_of(target, order)
    place = TargetFolder.of(output) / target.pack
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        written = _written(lay_out(target, order, scratch, progress), order, staged, progress)
        return _delivered(written, order, staged, delivery, place.path)


def check_prints(
    pack: Target | OpenPack, order: Order, progress: StepProgress = silent
) -> tuple[Diagnostic, ...]:
    """Return what `press_pack` would say of a pack, without writing it. For a pack that is open,
    that is what there is to say of its faces and sheets."""
    order = in_locale_of(pack, order) if isinstance(pack, Target) else order
    with workshop() as (scratch, _):
        laid_out = lay_out(pack, order, scratch, progress)
    if laid_out.value is None or not laid_out.ok or order.is_part:
        return laid_out.diagnostics
    return (*laid_out.diagnostics, *_told_by_guests(laid_out.value.opened.pack).diagnostics)


def press_into(
    pack: Target | OpenPack,
    order: Order,
    folder: Path,
    scratch: Path,
    progress: StepProgress = silent,
) -> Outcome[LaidOut | None]:
    """Print a pack into an existing folder, with its manifest, as `press_pack` does. Return how it
    is laid out, None where it cannot be. Raises GridpressError as that does."""
    order = in_locale_of(pack, order) if isinstance(pack, Target) else order
    laid_out = lay_out(pack, order, scratch, progress)
    written = _written(laid_out, order, folder, progress)
    return Outcome(laid_out.value if written.value else None, written.diagnostics)


def press_laid_out(
    laid_out: LaidOut,
    said: tuple[Diagnostic, ...],
    order: Order,
    output: Path | TargetFolder,
    progress: StepProgress,
    told: Told,
) -> Outcome[tuple[PrintedFile, ...]]:
    """Do the same for a pack that is laid out already; `said` are its findings so far."""
    place = TargetFolder.of(output) / laid_out.opened.pack.name
    with export.delivering(place, told) as delivery, workshop() as (_, staged):
        written = _written(Outcome(laid_out, said), order, staged, progress)
        return _delivered(written, order, staged, delivery, place.path)


_LARGE: Final = 1_000
"""With this many faces, a separate process writes the files, so that their memory is freed."""
_DIGESTS: Final = msgspec.msgpack.Decoder(WrittenFile)


def _written(
    laid_out: Outcome[LaidOut | None], order: Order, staged: Path, progress: StepProgress
) -> Outcome[tuple[PrintedFile, ...]]:
    """Write the files of a pack that is laid out into a folder."""
    if laid_out.value is None or not laid_out.ok or (order.strict and laid_out.diagnostics):
        return Outcome((), laid_out.diagnostics)
    faults = write_print_files(laid_out.value, order, staged, progress)
    if not order.is_part:  # guests report on the pack as a whole
        faults += _write_reports(laid_out.value.opened.pack, order, staged)
    if faults:
        return Outcome((), (*laid_out.diagnostics, *faults))
    files = tuple(_printed(run, staged) for run in laid_out.value.runs)
    return Outcome(files, laid_out.diagnostics)


def _delivered(
    written: Outcome[tuple[PrintedFile, ...]],
    order: Order,
    staged: Path,
    delivery: Delivery,
    folder: Path,
) -> Outcome[tuple[PrintedFile, ...]]:
    """Move the files into their place."""
    if not written.value:
        return written
    if strangers := delivery.strangers(staged, order.called(MANIFEST)):
        return Outcome((), (*written.diagnostics, *strangers))
    delivery.publish(staged, order.called(MANIFEST), () if order.is_part else order.papers)
    files = tuple(replace(file, path=folder / file.path.name) for file in written.value)
    return Outcome(files, written.diagnostics)


def write_print_files(
    laid_out: LaidOut, order: Order, staged: Path, progress: StepProgress
) -> tuple[Diagnostic, ...]:
    """Write the PDFs and the manifest into a folder. Return the faults that the SVG engine finds in
    faces."""
    pack = laid_out.opened.pack
    placed = laid_out.placed
    fonts, cache = laid_out.fonts, order.cache
    fresh: list[_File] = []
    digests: dict[int, WrittenFile] = {}
    for number, run in enumerate(laid_out.runs):
        info = export.PdfInfo(
            title=f"{pack.title}: {run.print_.title} ({run.paper.title})",
            backs=run.backs,
            language=pack.language,
            subject=pack.description,
        )
        key = export.sheets_key(run.sheets, fonts, info)
        kept, told = cache.get(Sort.SHEETS, key), cache.read(_DIGESTS.decode, Sort.PARTS, key)
        if kept is None or told is None:
            fresh.append(_File(number, key, run, info, staged / run.file_name))
        else:
            (staged / run.file_name).write_bytes(kept)
            digests[number] = told
        del kept  # a whole file
    with tempfile.TemporaryDirectory(dir=staged) as scratch:
        art = export.compile_art(
            placed if fresh else (),
            fonts,
            Path(scratch),
            roots=laid_out.roots,
            jobs=order.jobs,
            progress=lambda done, total: progress("printing", done, total),
            cache=cache,
        )
        if not art.ok:
            return art.diagnostics
        progress("writing", 0, len(fresh))
        writer = _Writer(art.value, fonts, laid_out.roots, cache)
        apart = len(placed) >= _LARGE and not cache.goes_on
        written = workers.shared(writer.write, fresh, order.jobs, apart=apart)
        for done, (at, made_of) in enumerate(written, 1):
            progress("writing", done, len(fresh))
            file = fresh[at]
            digests[file.number] = made_of
            cache.put(Sort.SHEETS, file.target.read_bytes(), file.key)
            cache.put(Sort.PARTS, msgspec.msgpack.encode(made_of), file.key)
    with limits.at(laid_out.runs[0].print_.span, limits.PIECE * len(placed)):
        ordered = [digests[number] for number in range(len(laid_out.runs))]
        manifest = _manifest(laid_out, order, staged, ordered)
        (staged / order.called(MANIFEST)).write_bytes(manifest_bytes(manifest))
    return ()


def _write_reports(pack: Pack, order: Order, staged: Path) -> tuple[Diagnostic, ...]:
    """Write what the pack's guests report, each into a file of its own; return faults of guests."""
    told = _told_by_guests(pack)
    for name, text in told.value.items():
        (staged / order.called(name)).write_bytes(text)
    return told.diagnostics


def _told_by_guests(pack: Pack) -> Outcome[dict[str, bytes]]:
    with limits.at(pack.span):
        return guests.told_of(pack.guests, pack)


class _File(NamedTuple):
    """A file to write; `key` is where a cache keeps it."""

    number: int
    key: bytes
    run: PrintRun
    info: export.PdfInfo
    target: Path


class _Writer(Struct, frozen=True):
    """Writes files that show the drawings and fonts of a pack."""

    art: export.ArtPdfs
    fonts: FontLibrary
    roots: Roots
    cache: Cache

    def write(self, file: _File) -> WrittenFile:
        """Write a file and return the digests of what its pages show."""
        sheets = file.run.sheets
        with limits.at(file.run.print_.span, limits.FILE + limits.PAGE * len(sheets)):
            return export.write_pdf(
                *(sheets, self.art, self.fonts, file.target, file.info, own_fonts(), self.roots),
                self.cache,
            )


def _manifest(
    laid_out: LaidOut, order: Order, staged: Path, digests: Sequence[WrittenFile]
) -> Manifest:
    pack = laid_out.opened.pack
    packs = (pack.name, *pack.requires)
    files = [
        export.ManifestFile(
            staged / run.file_name,
            run.print_.name,
            run.paper.name,
            run.backs,
            run.sheets,
            laid_out.opened.profile,
            shown,
            run.is_draft,
        )
        for run, shown in zip(laid_out.runs, digests, strict=True)
    ]
    return Manifest(
        gridpress=__version__,
        pack=pack.name,
        version=pack.version,
        locale=order.locale or "",
        players=pack.players,
        kinds=_kinds(pack, order),
        waivers=tuple(
            export.waiver_entry(waiver, packs) for waiver in pack.waivers if waiver.code in COARSE
        ),
        files=tuple(export.file_entry(file, order.cache) for file in files),
    )


def _kinds(pack: Pack, order: Order) -> dict[str, KindEntry]:
    """Return the kinds that are on the ordered papers, each once, in the order of the prints."""
    told = {}
    prints = (p for p in pack.prints if not order.papers or set(order.papers) & set(p.papers))
    for name in dict.fromkeys(kind for print_ in prints for kind in print_.kinds):
        asked = list(filter(order.asks_for, pack.printed(name)))
        if asked:
            told[name] = export.kind_entry(pack.kinds[name], asked)
    return told


def _printed(run: PrintRun, staged: Path) -> PrintedFile:
    pieces = {
        (placed.face.kind, placed.face.component, placed.copy)
        for sheet in run.sheets
        for placed in sheet.placements
        if placed.face.name == "front"
    }
    return PrintedFile(
        staged / run.file_name,
        len(run.sheets),
        len(pieces),
        run.print_.media,
        waste(run.sheets),
        hashlib.sha256((staged / run.file_name).read_bytes()).hexdigest(),
    )
