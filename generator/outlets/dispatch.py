"""Packs in, the files of an outlet in its folder out: drawn at the bleed that it wants, read back,
and put in place in one step."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator import export, limits, load, validate
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.export import Canvas, DrawnCanvas, Told, Wanted, nobody
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of
from generator.model.manifest import MANIFEST
from generator.model.outlet import OUTLETS, PdfProfile, Shop
from generator.model.pack import Component, Pack
from generator.model.stock import Stock
from generator.order import Order
from generator.outlets.cutter import CuttingMachines
from generator.outlets.download import Download
from generator.outlets.images import Drawings, Images
from generator.outlets.outlet_manifest import inspect, listing_of, listing_text
from generator.outlets.pdfx import PRESSES
from generator.outlets.playground import TabletopPlayground
from generator.outlets.playingcards import PlayingCards
from generator.outlets.shipment import ExportOptions, Outlet, PictureOrder, Shipment, lots_of
from generator.outlets.shops import PrintShop
from generator.outlets.tabletop import TabletopSimulator
from generator.prepress import StepProgress, draw, open_pack, silent
from generator.press import MAX_PIXELS, press_into
from generator.print_runs import LaidOut, OpenPack
from generator.project import Project, Target
from generator.realfolder import TargetFolder, workshop
from generator.standing import Standing
from generator.units import summed

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
"""That one export makes, a copy of one counted too."""


class Exported(Struct, frozen=True):
    """What was made: the folder, how many files, how many pieces they show, and where the pack
    accepts pictures that are too coarse, which makes a draft of it."""

    folder: Path
    files: int
    pieces: int
    drafts: tuple[Span, ...] = ()


def pdf_profiles_of(project: Project) -> Outcome[Mapping[str, PdfProfile]]:
    """Who takes which PDF, as far as a project knows: what is shipped and its own."""
    standing = Standing()
    shops, catalogue = standing.shops(project), standing.catalogue(project)
    read = load.read_shared(project, (PROFILES_FILE,), standing.documents)
    profiles = validate.read_pdf_profiles(read.value, shops.value, catalogue.value.papers)
    told = (shops, catalogue, read, profiles)
    return Outcome(profiles.value, tuple(said for each in told for said in each.diagnostics))


def outlet_named(name: str, shops: Mapping[str, Shop]) -> Outlet:
    """The outlet of a name. Raises GridpressError (GP711) when there is none."""
    for outlet in _OWN:
        if outlet.name == name:
            return outlet
    if name in shops:
        return PrintShop(shops[name])
    hint = did_you_mean(name, (*OUTLETS, *shops)) + "; see gridpress export --list"
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
    """Make the files of one pack for an outlet, in `output/<pack>/<outlet>/`, those of a part of
    it in `<outlet>.only/`; None when nothing was written.

    Raises GridpressError for an outlet that there is not (GP711), for names that will not do
    (GP713), and as `press_pack` does.
    """
    shops = Standing().shops(target.project)
    opened = open_pack(target, order)
    said = (*shops.diagnostics, *opened.diagnostics)
    if opened.value is None or not shops.ok:
        return Outcome(None, said)
    outlet = outlet_named(name, shops.value)
    place = output / target.pack / (f"{name}.only" if order.only else name)
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        made = _made(opened.value, outlet, order, asked, (scratch, staged, place.path), progress)
        said += made.diagnostics
        if made.value is None or not made.ok or (order.strict and said):
            return Outcome(None, said)
        delivery.publish_tree(staged)
    drafts = tuple(waiver.span for waiver in opened.value.pack.waivers if waiver.lets_coarse)
    return Outcome(replace(made.value, folder=place.path, drafts=drafts), said)


def _made(
    opened: OpenPack,
    outlet: Outlet,
    order: Order,
    asked: ExportOptions,
    folders: tuple[Path, Path, Path],
    progress: StepProgress,
) -> Outcome[Exported | None]:
    """The files of an outlet, with their manifest, read back. The folders: for work in progress,
    for the files, and where these will be."""
    scratch, staged, place = folders
    lots = lots_of(opened.pack, None, order.only)
    if not lots:
        hint = "look at --only, and at the prints of pack.yaml"
        nothing = Diagnostic(opened.pack.span, "GP606", "there is nothing to export", hint)
        return Outcome(None, (nothing,))
    bled = replace(opened, pack=_with_bleeds(opened.pack, outlet.bleeds(opened.pack, lots, asked)))
    fonts = fonts_of(opened.target.project, scratch)
    faces = draw(bled, order, scratch, progress, fonts)
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
    with limits.at(bled.pack.span, limits.BEGINNING + limits.FACE * len(faces.value)):
        filled = outlet.fill(shipment)
    said += filled.diagnostics
    if not filled.ok or not filled.value:
        if filled.ok:
            message = f"{outlet.title} takes nothing of this pack"
            said += (Diagnostic(opened.pack.span, "GP606", message, "see what it says above"),)
        return Outcome(None, said)
    progress("checking", 0, 0)
    listing = listing_of(bled.pack, outlet.name, filled.value, staged)
    told = {shipped.canvas.dpi for shipped in filled.value if shipped.canvas}
    dpi = told.pop() if len(told) == 1 else None
    speaking = {shipped.path for shipped in filled.value if shipped.face and shipped.face.words}
    said += tuple(inspect(listing, staged, dpi, speaking, opened.pack.span))
    (staged / MANIFEST).write_text(listing_text(listing), encoding="utf-8")
    # An outlet with a file for each face may have left kinds out.
    shown = {shipped.face.kind for shipped in filled.value if shipped.face}
    taken = [lot for lot in shipment.lots if not shown or lot.kind.name in shown]
    pieces = summed(piece.copies for lot in taken for piece in lot.pieces)
    return Outcome(Exported(staged, len(filled.value), pieces), said)


def _draw(
    opened: OpenPack,
    fonts: FontLibrary,
    roots: Roots,
    order: Order,
    folders: tuple[Path, Path],
    progress: StepProgress,
    drawings: Sequence[PictureOrder],
) -> Outcome[Mapping[str, DrawnCanvas]]:
    """Make pictures, those that look alike once. The folders: for work in progress, for the files.

    Raises GridpressError for too many (GP715) or too large ones (GP504).
    """
    scratch, staged = folders
    faults = (*_too_many(drawings, opened.pack.span), *_too_large(drawings))
    if faults:
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
    """The pack with other bleeds for some kinds."""
    kinds, components = dict(pack.kinds), dict(pack.components)
    for name, bleed in bleeds.items():
        kinds[name] = replace(kinds[name], stock=_bled(kinds[name].stock, bleed))
        components[name] = tuple(_component(c, bleed) for c in components[name])
    return replace(pack, kinds=kinds, components=components)


def _component(component: Component, bleed: float) -> Component:
    return replace(component, stock=_bled(component.stock, bleed))


def _bled(stock: Stock | None, bleed: float) -> Stock | None:
    return stock and replace(stock, bleed=bleed)


def _too_many(drawings: Sequence[PictureOrder], span: Span) -> Iterator[Diagnostic]:
    """GP715 for more pictures than anybody uploads."""
    if len(drawings) > MAX_PICTURES:
        message = f"{len(drawings):,} pictures would be made; the most is {MAX_PICTURES:,}"
        hint = "make fewer copies, or choose components with --only"
        yield Diagnostic(span, "GP715", message, hint)


def _too_large(drawings: Sequence[PictureOrder]) -> Iterator[Diagnostic]:
    """GP504 for pictures of too many pixels, once a kind and side."""
    seen = set()
    for drawing in drawings:
        canvas, face = drawing.canvas, drawing.face
        if canvas.pixels > MAX_PIXELS and (face.kind, face.name) not in seen:
            seen.add((face.kind, face.name))
            most = f"the most is {MAX_PIXELS / 1e6:.0f} million"
            message = (
                f"the {face.name} of {face.kind}/{face.component} would have "
                f"{canvas.pixels / 1e6:,.0f} million pixels; {most}"
            )
            yield Diagnostic(face.span, "GP504", message, "give a lower --dpi, or leave it out")
