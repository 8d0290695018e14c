"""Makes the files of an outlet in its folder: a pack is drawn at the bleed that it wants, its files
read back against the manifest that goes with them, and put in place in one step."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec
from defusedxml import ElementTree
from msgspec import Meta, Struct
from msgspec.structs import replace
from PIL import Image

from generator import __version__, export, guests, limits, load, validate
from generator.diagnostics import CODES, Diagnostic, GridpressError, Outcome, Span, did_you_mean
from generator.export import Canvas, DrawnCanvas, Told, Wanted, nobody
from generator.files import Roots
from generator.fonts import FontLibrary, fonts_of
from generator.geometry import summed
from generator.model.catalogue import OUTLETS, PdfProfile, Shop, Stock
from generator.model.manifest import MANIFEST
from generator.model.pack import Component, Pack
from generator.order import Order
from generator.outlets.cutter import CuttingMachines
from generator.outlets.download import Download
from generator.outlets.images import MAX_PIXELS, Drawings, Images, PrintShop
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
from generator.outlets.tabletop import TabletopSimulator
from generator.prepress import StepProgress, draw, in_locale_of, open_pack, silent
from generator.press import press_into
from generator.print_runs import LaidOut, OpenPack, Standing, is_draft
from generator.project import Project, Target
from generator.real_folders import TargetFolder, workshop


class FileListing(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A file: its path with slashes, its digest and size; which face it shows, how many of it are
    wanted, how many pixels it has, and the product that it is sold as."""

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
    """All that was made for an outlet."""

    gridpress: str
    pack: str
    version: str
    outlet: str
    players: int | None
    files: Annotated[tuple[FileListing, ...], Meta(max_length=100_000)]


def listing_of(pack: Pack, outlet: str, shipped: Iterable[Shipped], folder: Path) -> Listing:
    """What lies in a folder. Raises OSError for a file that is not there."""
    return Listing(
        gridpress=__version__,
        pack=pack.name,
        version=pack.version,
        outlet=outlet,
        players=pack.players,
        files=tuple(_file(one, folder) for one in shipped),
    )


def _file(shipped: Shipped, folder: Path) -> FileListing:
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


def listing_text(listing: Listing) -> str:
    """JSON, a file a line."""
    told = msgspec.to_builtins(listing)
    files = ",\n  ".join(json.dumps(file, ensure_ascii=False) for file in told.pop("files"))
    head = json.dumps(told, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "files": [\n  {files}\n ]\n}}\n'


_DPI_OFF: Final = 0.02
"""PNG counts pixels a metre, whole ones."""
_PLAIN: Final = 2
"""Levels by which all pixels of a picture may differ and it still shows nothing."""


def inspect(
    listing: Listing, folder: Path, dpi: float | None, speaking: Collection[str], span: Span
) -> list[Diagnostic]:
    """What is wrong with the files: GP716. `dpi` is what all pictures are to say, if any; those
    that are `speaking` have words on them."""
    faults = []
    for file in listing.files:
        for wrong in _faults(file, folder / file.file, dpi, file.file in speaking):
            hint = "this should not be: export again; if it stays, tell us"
            faults.append(Diagnostic(span, "GP716", f"{file.file}: {wrong}", hint))
    faults += [
        Diagnostic(span, "GP716", f"{name}: nobody asked for it", "export again")
        for name in sorted(_strangers(listing.files, folder))
    ]
    return faults


def _faults(file: FileListing, path: Path, dpi: float | None, speaks: bool) -> Iterator[str]:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != file.sha256:
        yield "it is not what was written"
    if path.suffix in (".png", ".jpg"):
        yield from _picture_faults(file, path, dpi, speaks)
    elif path.suffix == ".svg":
        try:
            ElementTree.fromstring(content)
        except ElementTree.ParseError as error:
            yield f"no program opens it: {error}"


def _picture_faults(
    file: FileListing, path: Path, dpi: float | None, speaks: bool
) -> Iterator[str]:
    with Image.open(path) as picture:
        picture.load()
        if file.width_px and picture.size != (file.width_px, file.height_px):
            width, height = picture.size
            yield f"{width} × {height} px, not {file.width_px} × {file.height_px}"
        told = picture.info.get("dpi", (0, 0))
        if file.kind and dpi is not None and any(abs(float(one) - dpi) > _DPI_OFF for one in told):
            yield f"it says {float(told[0]):.1f} dpi, not {dpi:.1f}"
        if file.kind and not picture.info.get("icc_profile"):
            yield "it does not say what its colours are (no profile)"
        if speaks and max(high - low for low, high in _extremes(picture)) <= _PLAIN:
            yield "it shows nothing"


def _extremes(picture: Image.Image) -> list[tuple[int, int]]:
    found = picture.getextrema()
    return [found] if isinstance(found[0], int | float) else list(found)  # type: ignore[list-item]


def _strangers(files: Iterable[FileListing], folder: Path) -> set[str]:
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    return there - {file.file for file in files}


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


class _GuestOutlet(Outlet):
    """The outlet of a guest, of which nobody knows how well it was made."""

    def __init__(self, name: str, guest: str, kind: guests.OutletKind) -> None:
        self.name = name
        self.title = kind.title
        self._guest = guest
        self._kind = kind

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """One for all kinds, or every kind as it is."""
        bleed = self._kind.bleed
        return {} if bleed is None else {lot.kind.name: bleed for lot in lots}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """What its function makes. Raises GridpressError (GP012) where that breaks down, names what
        is not there, or says something by a code that is not its own."""
        where = self._kind.fill
        try:
            made = guests.carried_out(self._guest, where, shipment)
            if not isinstance(made, Outcome):
                raise TypeError(f"{type(made).__name__} is no Outcome")
            files = tuple(made.value)
            if odd := [file for file in files if not isinstance(file, Shipped)]:
                raise TypeError(f"{type(odd[0]).__name__} is no Shipped")
            codes = CODES.keys() | guests.guest(self._guest).codes.keys()
            if unknown := [said.code for said in made.diagnostics if said.code not in codes]:
                raise ValueError(f"{unknown[0]} is none of its codes")
            refuse(paths_fault((file.path for file in files), shipment.pack.span))
            if made.ok and (lost := _lost(files, shipment.folder)):
                raise ValueError(f"{lost} is not there")
        except (ValueError, TypeError) as error:
            raise guests.unusable_guest(self._guest, f"{where}: {error}") from error
        return Outcome(files, made.diagnostics)


def _lost(files: Iterable[Shipped], folder: Path) -> str:
    return next((file.path for file in files if not (folder / file.path).is_file()), "")


def outlet_named(name: str, shops: Mapping[str, Shop]) -> Outlet:
    """The outlet of a name. Raises GridpressError (GP711) when there is none."""
    for outlet in _OWN:
        if outlet.name == name:
            return outlet
    if name in shops:
        return PrintShop(shops[name])
    brought = guests.outlets()
    if name in brought:
        return _GuestOutlet(name, *brought[name])
    hint = did_you_mean(name, (*OUTLETS, *shops, *brought)) + "; see gridpress export --list"
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
    it in `<outlet>.only/`, in another language in `<outlet>.de/`; None when nothing was written.

    Raises GridpressError for an outlet that there is not (GP711), for names that will not do
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
        said += made.diagnostics
        if made.value is None or not made.ok or (order.strict and said):
            return Outcome(None, said)
        if strangers := delivery.strangers(staged):
            return Outcome(None, (*said, *strangers))
        delivery.publish_tree(staged)
    return Outcome(replace(made.value, folder=place.path), said)


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
