"""Exports a pack: draws it with the bleed of an outlet, makes its files, and delivers them."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generator import __version__, export, guests, limits, load, validate
from generator.build import (
    LaidOut,
    OpenPack,
    Order,
    Standing,
    StepProgress,
    draw,
    in_locale_of,
    is_draft,
    open_pack,
    press_into,
    silent,
)
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.export import Canvas, DrawnCanvas, Told, Wanted, nobody
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of
from generator.geometry import summed
from generator.model.catalogue import OUTLETS, PdfProfile, Shop, Stock
from generator.model.manifest import MANIFEST
from generator.model.pack import Pack
from generator.outlets.cutter import CuttingMachines
from generator.outlets.download import Download
from generator.outlets.images import MAX_PIXELS, Drawings, Images
from generator.outlets.pdfx import PRESSES
from generator.outlets.playground import TabletopPlayground
from generator.outlets.playingcards import PlayingCards
from generator.outlets.shipment import (
    ExportOptions,
    Lot,
    Outlet,
    PictureOrder,
    Shipment,
    Shipped,
    lots_of,
    paths_fault,
    refuse,
)
from generator.outlets.shops import PrintShop
from generator.outlets.tabletop import TabletopSimulator
from generator.project import Project, Target
from generator.writing import TargetFolder, workshop


class FileListing(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A file in the manifest of an export; pictures name their face, copies, pixels and product."""

    file: str
    sha256: str
    bytes: int
    kind: str = ""
    component: str = ""
    side: str = ""
    copies: int = 0
    width_px: int = 0
    height_px: int = 0
    product: str = ""


class Listing(Struct, frozen=True, kw_only=True):
    """The manifest of an export."""

    gridpress: str
    pack: str
    version: str
    outlet: str
    players: int | None
    files: Annotated[tuple[FileListing, ...], Meta(max_length=100_000)]


def _listed(shipped: Shipped, folder: Path) -> FileListing:
    content = (folder / shipped.path).read_bytes()
    face, canvas = shipped.face, shipped.canvas
    return FileListing(
        file=shipped.path,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        kind=face.kind if face else "",
        component=face.component if face else "",
        side=face.name if face else "",
        copies=shipped.copies,
        width_px=canvas.width if canvas else 0,
        height_px=canvas.height if canvas else 0,
        product=shipped.product,
    )


def _manifest_text(listing: Listing) -> str:
    """Return the manifest as JSON, one file a line."""
    fields = msgspec.to_builtins(listing)
    files = ",\n  ".join(json.dumps(file, ensure_ascii=False) for file in fields.pop("files"))
    head = json.dumps(fields, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "files": [\n  {files}\n ]\n}}\n'


PROFILES_FILE: Final = "pdf_profiles.yaml"
_OWN: Final[tuple[Outlet, ...]] = (
    Images(),
    Drawings(),
    Download(),
    CuttingMachines(),
    TabletopSimulator(),
    PlayingCards(),
    TabletopPlayground(),
    *PRESSES,
)
MAX_PICTURES: Final = 5_000
"""Pictures of one export, counting copies."""


class Exported(Struct, frozen=True):
    """The result of an export. `drafts` are the waivers that accept coarse pictures, if any are."""

    folder: Path
    files: int
    pieces: int
    drafts: tuple[Span, ...] = ()


def pdf_profiles_of(project: Project) -> Outcome[Mapping[str, PdfProfile]]:
    """Return the PDF profiles of Gridpress and of a project."""
    standing = Standing()
    shops, catalogue = standing.shops(project), standing.catalogue(project)
    read = load.read_shared(project, (PROFILES_FILE,), standing.documents)
    profiles = validate.read_pdf_profiles(read.value, shops.value, catalogue.value.papers)
    outcomes = (shops, catalogue, read, profiles)
    return Outcome(profiles.value, tuple(said for one in outcomes for said in one.diagnostics))


class _GuestOutlet(Outlet):
    """An outlet from an installed package."""

    def __init__(self, name: str, guest: str, kind: guests.OutletKind) -> None:
        self.name = name
        self.title = kind.title
        self._guest = guest
        self._kind = kind

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Return the same bleed for all kinds, if the guest asks for one."""
        bleed = self._kind.bleed
        return {} if bleed is None else {lot.kind.name: bleed for lot in lots}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Call the guest's function. Raises GridpressError (GP012) if it fails."""
        where = self._kind.fill
        try:
            made: Outcome[tuple[Shipped, ...]] = guests.carried_out(self._guest, where, shipment)
            refuse(paths_fault((file.path for file in made.value), shipment.pack.span))
        except (ValueError, TypeError, AttributeError) as error:
            raise guests.unusable_guest(self._guest, f"{where}: {error}") from error
        return made


def outlet_named(name: str, shops: Mapping[str, Shop]) -> Outlet:
    """Return an outlet by name. Raises GridpressError (GP711) for an unknown one."""
    for outlet in _OWN:
        if outlet.name == name:
            return outlet
    if name in shops:
        return PrintShop(shops[name])
    brought = guests.outlets()
    if name in brought:
        return _GuestOutlet(name, *brought[name])
    hint = did_you_mean(name, (*OUTLETS, *shops, *brought)) + "\ngridpress export --list has all"
    raise GridpressError(Diagnostic(Span(name), "GP711", f"there is no outlet {name!r}", hint))


def export_pack(
    target: Target,
    order: Order,
    name: str,
    asked: ExportOptions,
    output: TargetFolder,
    progress: StepProgress = silent,
    told: Told = nobody,
) -> Outcome[Exported | None]:
    """Make the files of a pack for an outlet; return None if nothing was written.

    They go to `output/<pack>/<outlet>/`; a part of the pack to `<outlet>.only/`, another language
    to `<outlet>.de/`. Raises GridpressError for an unknown outlet (GP711), for unusable file names
    (GP713), and as `press_pack` does.
    """
    shops = Standing().shops(target.project)
    order = in_locale_of(target, order)
    opened = open_pack(target, order)
    said = (*shops.diagnostics, *opened.diagnostics)
    if opened.value is None or not shops.ok:
        return Outcome(None, said)
    outlet = outlet_named(name, shops.value)
    place = output / target.pack / order.folder(name)
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        made = _made(opened.value, outlet, order, asked, (scratch, staged, place.path), progress)
        said = _each_once((*said, *made.diagnostics))
        if made.value is None or not made.ok or (order.strict and said):
            return Outcome(None, said)
        if strangers := delivery.strangers(staged):
            return Outcome(None, (*said, *strangers))
        delivery.publish_tree(staged)
    return Outcome(replace(made.value, folder=place.path), said)


def _each_once(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings without those that outlets which print report again; the hint that says how
    to accept a warning is kept."""
    told: dict[tuple[Span, str, str], Diagnostic] = {}
    for one in found:
        key = one.span, one.code, one.message
        told[key] = max(told.get(key, one), one, key=lambda each: len(each.hint))
    return tuple(told.values())


def _made(
    opened: OpenPack,
    outlet: Outlet,
    order: Order,
    asked: ExportOptions,
    folders: tuple[Path, Path, Path],
    progress: StepProgress,
) -> Outcome[Exported | None]:
    """Make the files of an outlet and their manifest.

    The folders are for work in progress, for the files, and for their delivery.
    """
    scratch, staged, place = folders
    lots = lots_of(opened.pack, None, order.only)
    if not lots:
        hint = "look at --only, and at the prints of pack.yaml"
        nothing = Diagnostic(opened.pack.span, "GP606", "there is nothing to export", hint)
        return Outcome(None, (nothing,))
    bled = replace(opened, pack=_with_bleeds(opened.pack, outlet.bleeds(opened.pack, lots, asked)))
    fonts = fonts_of(opened.target.project)
    faces = draw(bled, order, scratch, progress, fonts, for_export=True)
    said = faces.diagnostics
    if not faces.ok:
        return Outcome(None, said)
    roots = opened.target.project.roots.also(scratch)

    def printed(folder: str, *, ink: str = "", marks: str = "") -> Outcome[LaidOut | None]:
        (staged / folder).mkdir(parents=True)
        wanted = replace(order, ink=ink or order.ink, marks=marks)
        return press_into(opened.target, wanted, staged / folder, scratch, progress)

    shipment = Shipment(
        bled.pack,
        lots_of(bled.pack, faces.value, order.only),
        asked,
        fonts,
        roots,
        staged,
        place,
        partial(_draw, bled, fonts, roots, order, (scratch, staged), progress),
        opened.catalogue,
        printed,
        order,
    )
    with limits.at(bled.pack.span, limits.FACE * len(faces.value)):
        filled = outlet.fill(shipment)
    said += filled.diagnostics
    if not filled.ok or not filled.value:
        if filled.ok:
            message = f"{outlet.title} takes nothing of this pack"
            said += (Diagnostic(opened.pack.span, "GP606", message, "see the findings above"),)
        return Outcome(None, said)
    listing = Listing(
        gridpress=__version__,
        pack=bled.pack.name,
        version=bled.pack.version,
        outlet=outlet.name,
        players=bled.pack.players,
        files=tuple(_listed(shipped, staged) for shipped in filled.value),
    )
    (staged / MANIFEST).write_text(_manifest_text(listing), encoding="utf-8")
    # Outlets that list faces may have left out kinds.
    shown = {shipped.face.kind for shipped in filled.value if shipped.face}
    taken = [lot for lot in shipment.lots if not shown or lot.kind.name in shown]
    pieces = summed(piece.copies for lot in taken for piece in lot.pieces)
    coarse = is_draft(bled.pack, faces.value)
    drafts = tuple(w.span for w in bled.pack.waivers if coarse and w.lets_coarse)
    return Outcome(Exported(staged, len(filled.value), pieces, drafts), said)


def _draw(
    opened: OpenPack,
    fonts: FontLibrary,
    roots: Roots,
    order: Order,
    folders: tuple[Path, Path],
    progress: StepProgress,
    drawings: Sequence[PictureOrder],
) -> Outcome[Mapping[str, DrawnCanvas]]:
    """Draw pictures; those that look alike are drawn once and copied.

    The folders are for work in progress and for the files. Raises GridpressError for too many
    pictures (GP715) and for too large ones (GP504).
    """
    scratch, staged = folders
    if len(drawings) > MAX_PICTURES:
        message = f"{len(drawings):,} pictures would be made; the most is {MAX_PICTURES:,}"
        hint = "make fewer copies, or choose components with --only"
        raise GridpressError(Diagnostic(opened.pack.span, "GP715", message, hint))
    if faults := tuple(_too_large(drawings)):
        raise GridpressError(*faults)
    first: dict[tuple[str, Canvas], PictureOrder] = {}
    for drawing in drawings:
        first.setdefault((drawing.face.sha256, drawing.canvas), drawing)
        (staged / drawing.path).parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as art:
        drawn = export.draw_canvases(
            [Wanted(d.face, d.canvas, staged / d.path) for d in first.values()],
            fonts,
            Path(art),
            roots=roots,
            jobs=order.jobs,
            progress=lambda done, total: progress("drawing", done, total),
            cache=order.cache,
        )
    results: dict[str, DrawnCanvas] = {}
    for drawing in drawings if drawn.ok else ():
        made = staged / first[drawing.face.sha256, drawing.canvas].path
        results[drawing.path] = drawn.value[made]
        if made != staged / drawing.path:
            shutil.copyfile(made, staged / drawing.path)
    return Outcome(results, drawn.diagnostics)


def _with_bleeds(pack: Pack, bleeds: Mapping[str, float]) -> Pack:
    """Return the pack with other bleeds for some kinds."""

    def bled(stock: Stock | None, bleed: float) -> Stock | None:
        return stock and replace(stock, bleed=bleed)

    kinds, components = dict(pack.kinds), dict(pack.components)
    for name, bleed in bleeds.items():
        kinds[name] = replace(kinds[name], stock=bled(kinds[name].stock, bleed))
        components[name] = tuple(
            replace(one, stock=bled(one.stock, bleed)) for one in components[name]
        )
    return replace(pack, kinds=kinds, components=components)


def _too_large(drawings: Sequence[PictureOrder]) -> Iterator[Diagnostic]:
    """Yield GP504 once for each kind and side with too many pixels."""
    seen = set()
    for drawing in drawings:
        canvas, face = drawing.canvas, drawing.face
        if canvas.pixels > MAX_PIXELS and (face.kind, face.name) not in seen:
            seen.add((face.kind, face.name))
            message = (
                f"the {face.name} of {face.kind}/{face.component} would have "
                f"{canvas.pixels / 1e6:,.0f} million pixels; "
                f"the most is {MAX_PIXELS / 1e6:.0f} million"
            )
            yield Diagnostic(face.span, "GP504", message, "give a lower --dpi, or leave it out")
