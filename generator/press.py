"""Prints packs: finished PDFs with their manifest, put in place; long, since a pack that stays
open, and is printed again as its files change, goes the same way.

What an open pack answers is what a build of the same files would say and print; what it has from
before only saves time. Nothing here is shared with another, so there may be several in a process.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator import __version__, export, guests, limits, preflight, real_folders, workers
from generator.cache import Cache, InMemory, Sort
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.export import Delivery, Told, nobody
from generator.fonts import FontLibrary, own_fonts
from generator.model.catalogue import PrintedOn
from generator.model.face import Face
from generator.model.manifest import MANIFEST, KindEntry, Manifest, manifest_parts
from generator.model.pack import COARSE, SELDOM_MEANT, Pack
from generator.order import Order, PrintedFile
from generator.outlines import waste
from generator.pdf_forms import PAINTER, FileParts
from generator.prepress import StepProgress, in_locale_of, lay_out, silent
from generator.print_runs import REST, LaidOut, OpenPack, PrintRun, Standing
from generator.project import Project, Target
from generator.real_folders import TargetFolder, workshop


def press_pack(
    target: Target,
    order: Order,
    output: Path | TargetFolder,
    progress: StepProgress = silent,
    told: Told = nobody,
) -> Outcome[tuple[PrintedFile, ...]]:
    """Build one pack into `output/<pack>/`; the value is empty when nothing was written.

    With errors, or with warnings in a strict order, nothing is written but preflight's report, if
    it came to that. A full disk, a folder that cannot be written or a link in its place raises
    GridpressError; the last good build then stays whole. `told` hears of a build that is waited
    for, in the same folder.
    """
    order = in_locale_of(target, order)
    place = TargetFolder.of(output) / target.pack
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        written = _written(lay_out(target, order, scratch, progress), order, staged, progress)
        return _delivered(written, order, staged, delivery, place.path, progress)


def proof_pack(
    pack: Target | OpenPack, order: Order, progress: StepProgress = silent
) -> tuple[Diagnostic, ...]:
    """All that `press_pack` would say of a pack, which is printed into a folder that is gone in the
    end; of one that is open, of its faces and sheets. Raises GridpressError as that does."""
    with workshop() as (scratch, staged):
        return press_into(pack, order, staged, scratch, progress).diagnostics


def press_into(
    pack: Target | OpenPack,
    order: Order,
    folder: Path,
    scratch: Path,
    progress: StepProgress = silent,
) -> Outcome[LaidOut | None]:
    """Print a pack into a folder that is there, with its manifest, as `press_pack` does, and say
    how it is laid out; None where it cannot be. Raises GridpressError as that does."""
    order = in_locale_of(pack, order) if isinstance(pack, Target) else order
    laid_out = lay_out(pack, order, scratch, progress)
    written = _written(laid_out, order, folder, progress)
    if written.value is None:
        return Outcome(None, written.diagnostics)
    build = _looked_over(written.value, order, folder, progress)
    found = preflight.diagnostics(build, folder)
    said = (*written.diagnostics, *_undelivered(found, written.value.spans, folder))
    return Outcome(laid_out.value if Outcome(None, said).ok else None, said)


def press_laid_out(
    laid_out: LaidOut,
    said: tuple[Diagnostic, ...],
    order: Order,
    output: Path | TargetFolder,
    progress: StepProgress,
    told: Told,
) -> Outcome[tuple[PrintedFile, ...]]:
    """The same for a pack that is laid out already, of which this was `said`."""
    place = TargetFolder.of(output) / laid_out.opened.pack.name
    with export.delivering(place, told) as delivery, workshop() as (_, staged):
        written = _written(Outcome(laid_out, said), order, staged, progress)
        return _delivered(written, order, staged, delivery, place.path, progress)


_LARGE: Final = 1_000
"""Faces of a build from which the memory that it takes to write them is better given back."""
_PARTS: Final = msgspec.msgpack.Decoder(FileParts)


class _WrittenFiles(Struct, frozen=True):
    """What there is to say of files that are written but not yet checked: as what they are
    reported, the files themselves, where the pack asks for each, and what it prints on."""

    title: str
    files: tuple[PrintedFile, ...]
    spans: Mapping[str, Span]
    printed_on: PrintedOn


def _written(
    laid_out: Outcome[LaidOut | None], order: Order, staged: Path, progress: StepProgress
) -> Outcome[_WrittenFiles | None]:
    """The files of a pack that is laid out, in a folder. All that is known of its faces is gone
    when this returns: of a large pack that is most of the memory it takes."""
    if laid_out.value is None:
        return Outcome(None, laid_out.diagnostics)
    if not laid_out.ok or (order.strict and laid_out.diagnostics):
        found = _seen_unprinted(laid_out.value, laid_out.diagnostics, order, progress)
        return Outcome(None, (*laid_out.diagnostics, *found))
    pack = laid_out.value.opened.pack
    faults = write_print_files(laid_out.value, order, staged, progress)
    if not order.only:  # guests tell of the pack as a whole
        faults += _write_reports(pack, order, staged)
    if faults:
        return Outcome(None, (*laid_out.diagnostics, *faults))
    return Outcome(_described(laid_out.value, staged), laid_out.diagnostics)


def _described(laid_out: LaidOut, staged: Path) -> _WrittenFiles:
    pack, runs = laid_out.opened.pack, laid_out.runs
    spans = {run.file_name: run.print_.span for run in runs}
    files = tuple(_printed(run, staged) for run in runs)
    catalogue = laid_out.opened.catalogue
    printed_on = PrintedOn(catalogue, {}, {run.print_.name: run.print_.overlap for run in runs})
    return _WrittenFiles(f"{pack.title} {pack.version}", files, spans, printed_on)


def _seen_unprinted(
    laid_out: LaidOut, said: Sequence[Diagnostic], order: Order, progress: StepProgress
) -> Iterator[Diagnostic]:
    """What preflight finds of a pack that is not printed for another reason, which was `said`."""
    coarse = {*COARSE} if any(found.code in COARSE for found in said) else set()
    told: set[tuple[str, ...]] = set()
    lacking = (found.span for found in said if found.code == "GP402")
    unset = [f"{span.file}:{span.line}" for span in lacking]
    for part in laid_out.parts:
        with workshop() as (_, staged):
            if faults := write_print_files(part, order, staged, progress):
                yield from faults
                continue
            written = _described(part, staged)
            known = coarse | (_OF_FIT if part.scopes == REST else set())
            codes = preflight.codes_of(part.scopes) - known
            build = _looked_over(written, order, staged, progress)
            seen = preflight.part_of(build, codes, told, unset)
            told |= {found.cause for report in seen.reports for found in report.findings}
            yield from _undelivered(preflight.diagnostics(seen, staged), written.spans, staged)


_OF_FIT: Final = {"GP821", "GP828"}  # a text that does not fit is shown smaller


def _delivered(
    written: Outcome[_WrittenFiles | None],
    order: Order,
    staged: Path,
    delivery: Delivery,
    folder: Path,
    progress: StepProgress,
) -> Outcome[tuple[PrintedFile, ...]]:
    """The files in their place, if they are right."""
    if written.value is None:
        return Outcome((), written.diagnostics)
    found = _check(written.value, order, staged, folder, progress)
    files = tuple(replace(file, path=folder / file.path.name) for file in written.value.files)
    printed = Outcome(files, (*written.diagnostics, *found))
    if not printed.ok or (order.strict and found):
        delivery.publish_report(staged, [order.called(name) for name in preflight.REPORTS])
        undelivered = _undelivered(found, written.value.spans, folder)
        return Outcome((), (*written.diagnostics, *undelivered))
    if strangers := delivery.strangers(staged, order.called(MANIFEST)):
        return Outcome((), (*printed.diagnostics, *strangers))
    delivery.publish(staged, order.called(MANIFEST), () if order.only else order.papers)
    return printed


def write_print_files(
    laid_out: LaidOut, order: Order, staged: Path, progress: StepProgress
) -> tuple[Diagnostic, ...]:
    """The PDFs and the manifest, into a folder; faults of faces if the engine finds any."""
    pack = laid_out.opened.pack
    placed = laid_out.placed
    fonts, cache = laid_out.fonts, order.cache
    proofs = export.kept_proofs(placed, fonts, cache)
    with tempfile.TemporaryDirectory(dir=staged) as scratch:
        left = export.faces_without_proof(placed, proofs)
        fresh: list[_File] = []
        parts: dict[int, FileParts] = {}
        for number, run in enumerate(laid_out.runs):
            info = export.PdfInfo(
                title=f"{pack.title}: {run.print_.title} ({run.paper.title})",
                backs=run.backs,
                language=pack.language,
                subject=pack.description,
            )
            key = export.sheets_key(run.sheets, fonts, info)
            shown = dict.fromkeys(p.face.sha256 for sheet in run.sheets for p in sheet.placements)
            faces = tuple(left.pop(sha256) for sha256 in shown if sha256 in left)
            kept = None if faces else cache.get(Sort.SHEETS, key)
            told = cache.read(_PARTS.decode, Sort.PARTS, key)
            if kept is None or told is None:
                unproven = export.Unproven(faces, Path(scratch, f"alone-{number}.pdf"))
                fresh.append(_File(number, key, run, info, staged / run.file_name, unproven))
            else:
                (staged / run.file_name).write_bytes(kept)
                parts[number] = told
            del kept  # a whole file
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
        writer = _Writer(art.value, fonts, cache)
        apart = len(placed) >= _LARGE and not cache.goes_on
        written = workers.shared(writer.write, fresh, order.jobs, apart=apart)
        for done, (at, made_of) in enumerate(written, 1):
            progress("writing", done, len(fresh))
            file = fresh[at]
            parts[file.number] = made_of
            cache.put(Sort.SHEETS, file.target.read_bytes(), file.key)
            cache.put(Sort.PARTS, msgspec.msgpack.encode(made_of), file.key)
        batches = [batch for file in fresh for batch in file.unproven.batches()]
        for _, made in workers.shared(export.draw_proofs, batches, order.jobs):
            proofs |= made
            export.keep_proofs(made, fonts, cache)
    with limits.at(laid_out.runs[0].print_.span, limits.BEGINNING + limits.PIECE * len(placed)):
        written_as = [parts[number] for number in range(len(laid_out.runs))]
        manifest = _manifest(laid_out, order, placed, staged, written_as, proofs)
        with (staged / order.called(MANIFEST)).open("wb") as opened:
            opened.writelines(manifest_parts(manifest))
    return ()


def _write_reports(pack: Pack, order: Order, staged: Path) -> tuple[Diagnostic, ...]:
    """What the pack's guests tell of it, each in a file of its own; faults of guests."""
    with limits.at(pack.span, limits.BEGINNING):
        told = guests.told_of(pack.guests, pack)
    for name, text in told.value.items():
        (staged / order.called(name)).write_bytes(text)
    return told.diagnostics


class _File(NamedTuple):
    """A file to write, and the faces in it that no file before it has a proof of."""

    number: int
    key: bytes
    run: PrintRun
    info: export.PdfInfo
    target: Path
    unproven: export.Unproven


class _Writer(Struct, frozen=True):
    """Writes files in which drawings and fonts of a pack are shown."""

    art: export.ArtPdfs
    fonts: FontLibrary
    cache: Cache

    def write(self, file: _File) -> FileParts:
        """The file, and its unproven faces in one of their own; what it is made of."""
        sheets, faces = file.run.sheets, file.unproven.faces
        seconds = limits.FILE + limits.PAGE * len(sheets) + limits.FACE * len(faces)
        with limits.at(file.run.print_.span, seconds):
            export.write_pdf(
                *(sheets, self.art, self.fonts, file.target, file.info, own_fonts()),
                self.cache,
                file.unproven,
            )
            return export.written_parts(file.target, sheets, self.cache)


def _manifest(
    laid_out: LaidOut,
    order: Order,
    placed: Sequence[Face],
    staged: Path,
    parts: Sequence[FileParts],
    proofs: Mapping[str, str],
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
            made_of,
            export.rules_entry(run.print_, run.paper, laid_out.opened.catalogue.label_sheets),
            run.is_draft,
        )
        for run, made_of in zip(laid_out.runs, parts, strict=True)
    ]
    return Manifest(
        gridpress=__version__,
        pack=pack.name,
        version=pack.version,
        locale=order.locale or "",
        players=pack.players,
        kinds=_kinds(pack, order),
        waivers=tuple(
            export.waiver_entry(waiver, packs)
            for waiver in pack.waivers
            if waiver.code not in SELDOM_MEANT
        ),
        files=tuple(export.file_entry(file, order.cache) for file in files),
        texts=export.face_texts(placed, pack, packs, order.cache),
        words=export.face_words(placed),
        painter=PAINTER,
        proofs={face.sha256: proofs[face.sha256] for face in placed if face.sha256 in proofs},
    )


def _check(
    written: _WrittenFiles, order: Order, staged: Path, folder: Path, progress: StepProgress
) -> tuple[Diagnostic, ...]:
    """Read the finished files back, write the report beside them; what there is to say, with the
    files where they will be."""
    build = _looked_over(written, order, staged, progress)
    preflight.write_report(build, written.title, staged)
    return preflight.diagnostics(build, folder)


def _looked_over(
    written: _WrittenFiles, order: Order, staged: Path, progress: StepProgress
) -> preflight.Build:
    workers.give_back()  # what faces took
    return preflight.preflight_build(
        staged,
        order.jobs,
        lambda done, total: progress("checking", done, total),
        written.spans,
        manifest=order.called(MANIFEST),
        cache=order.cache,
        printed_on=partial(_of_its_pack, written.printed_on),
    )


def _of_its_pack(known: PrintedOn, _: str) -> PrintedOn:
    """What the pack of a build prints on, whatever it is called."""
    return known


def _undelivered(
    found: Sequence[Diagnostic], spans: Mapping[str, Span], folder: Path
) -> Iterator[Diagnostic]:
    """What is wrong with files that will not be there, where the pack asks for them."""
    asked = {str(folder / name): (name, span) for name, span in spans.items()}
    for diagnostic in found:
        if diagnostic.span.file not in asked:
            yield diagnostic
        else:
            name, span = asked[diagnostic.span.file]
            yield replace(diagnostic, span=span, message=f"{name}: {diagnostic.message}")


def _kinds(pack: Pack, order: Order) -> dict[str, KindEntry]:
    """The kinds that are on the ordered papers, each once, in the order of the prints."""
    told = {}
    prints = (p for p in pack.prints if not order.papers or set(order.papers) & set(p.papers))
    for name in dict.fromkeys(kind for print_ in prints for kind in print_.kinds):
        asked = [
            component
            for component in pack.printed(name)
            if not order.only or component.answers_to(order.only)
        ]
        if asked:
            told[name] = export.kind_entry(
                pack.kinds[name],
                asked,
                (pack.name, *pack.requires),
                pack.kinds,
                white=order.ink != "full",
            )
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


class FaceName(NamedTuple):
    """Which face it is: the kind and id of its component, and the name of the side."""

    kind: str
    component: str
    name: str


class PackUpdate(Struct, frozen=True):
    """What there was to say at one look at a pack: its findings; and, against the last look at
    which it could be drawn, the faces that are new or look otherwise, and those that are gone. A
    pack with errors has no `faces` and no `pages`."""

    diagnostics: tuple[Diagnostic, ...]
    faces: tuple[Face, ...] = ()
    changed: tuple[Face, ...] = ()
    gone: tuple[FaceName, ...] = ()
    pages: tuple[PrintRun, ...] = ()


class Session:
    """One pack of a project, open as `order` says. To be closed, or used as a context manager.

    Its methods are called one after another, from any thread.
    """

    def __init__(self, target: Target, order: Order) -> None:
        self.target = target
        self._order = replace(order, cache=InMemory(order.cache))
        self._spoken = self._order
        self._unsaved: dict[Path, bytes] = {}
        self._standing = Standing(cache=self._order.cache)
        self._looks: dict[FaceName, str] = {}
        self._laid_out: Outcome[LaidOut | None] = Outcome(None)
        self._scratch = tempfile.TemporaryDirectory(prefix="gridpress-")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Clear away what was kept on the disk; pictures and fonts of the faces are gone then."""
        self._laid_out = Outcome(None)
        self._standing = Standing()
        self._scratch.cleanup()

    @property
    def folder(self) -> Path:
        """Where on the disk it keeps what faces need until they are printed."""
        return Path(self._scratch.name)

    def edit(self, path: Path, text: str | None) -> None:
        """Take the text of a file for this from now on; None: it is again what is saved.

        Raises UnreadableError for a path that leads out of the project.
        """
        real = self.target.project.roots.real(path)
        if text is None:
            self._unsaved.pop(real, None)
        else:
            self._unsaved[real] = text.encode("utf-8", "surrogatepass")

    def look(self, progress: StepProgress = silent) -> PackUpdate:
        """Look at the files as they are now, and draw what they change."""
        here = self.target.project
        project = Project(here.root, here.shipped, dict(self._unsaved), here.around)
        target, scratch = replace(self.target, project=project), self.folder
        try:
            with real_folders.at_work():
                self._standing.look_over(project)
                self._spoken = in_locale_of(target, self._order)
                laid_out = lay_out(target, self._spoken, scratch, progress, self._standing)
        except GridpressError as error:
            laid_out = Outcome(None, error.diagnostics)
        if not laid_out.ok:
            laid_out = Outcome(None, laid_out.diagnostics)
        self._laid_out = laid_out
        if laid_out.value is None:
            return PackUpdate(laid_out.diagnostics)
        faces, runs = laid_out.value.faces, laid_out.value.runs
        before, self._looks = self._looks, {_side(face): face.sha256 for face in faces}
        changed = tuple(face for face in faces if before.get(_side(face)) != face.sha256)
        gone = tuple(side for side in before if side not in self._looks)
        return PackUpdate(laid_out.diagnostics, faces, changed, gone, runs)

    def pictures(self, faces: Sequence[Face], dpi: float) -> Outcome[Mapping[str, bytes]]:
        """PNG pictures of faces of the last look, as they are printed, by their sha256."""
        laid_out = self._laid_out.value
        if laid_out is None or not faces:
            return Outcome({})
        with real_folders.at_work(), tempfile.TemporaryDirectory(dir=self.folder) as folder:
            drawn = export.face_pictures(
                faces,
                laid_out.fonts,
                Path(folder),
                dpi=dpi,
                roots=laid_out.roots,
                cache=self._order.cache,
            )
            if not drawn.ok:
                return Outcome({}, drawn.diagnostics)
            read = {sha256: path.read_bytes() for sha256, path in drawn.value.items()}
        return Outcome(read, drawn.diagnostics)

    def print(
        self, output: Path | TargetFolder, progress: StepProgress = silent, told: Told = nobody
    ) -> Outcome[tuple[PrintedFile, ...]]:
        """Put the PDFs of the last look in place, as `press_pack` does, with all that it says; of a
        pack with errors not what preflight finds of the rest, which takes as long as a build."""
        laid_out = self._laid_out
        if laid_out.value is None or (self._order.strict and laid_out.diagnostics):
            return Outcome((), laid_out.diagnostics)
        said = laid_out.diagnostics
        try:
            return press_laid_out(laid_out.value, said, self._spoken, output, progress, told)
        except GridpressError as error:
            return Outcome((), (*said, *error.diagnostics))


def _side(face: Face) -> FaceName:
    return FaceName(face.kind, face.component, face.name)
