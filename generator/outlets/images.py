"""Each face as a picture; long, since all who take some have them drawn, named and refused alike.

Previews with contact sheets of them; pictures of an outlet, with a table that says what they are;
those that print shops take, and which of their products a stock becomes; or each face as one SVG
with text as text, for who goes on in a drawing program.
"""

from __future__ import annotations

import base64
import csv
import itertools
import math
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from generator import export
from generator.assets import MAX_FILE, for_engine
from generator.diagnostics import Diagnostic, GridpressError, Outcome, warning
from generator.export import Canvas, Told, nobody
from generator.files import Roots, UnreadableError
from generator.fonts import FontLibrary, own_font
from generator.geometry import MM_PER_INCH, Rect, Size, format_mm, summed
from generator.model.catalogue import Edge, Product, Shape, Shop, Stock
from generator.model.face import Face
from generator.model.pack import Pack
from generator.order import Order
from generator.outlets.shipment import (
    NAMES,
    ExportOptions,
    Lot,
    Outlet,
    PictureOrder,
    Piece,
    Shipment,
    Shipped,
    left_out,
    named_faces,
    paths_fault,
    refuse,
    wish_of,
)
from generator.prepress import StepProgress, in_locale_of, lay_out, silent
from generator.project import Target
from generator.writing import TargetFolder, workshop

DPI: Final = 300
TABLE: Final = "images.csv"
_SUFFIX: Final = {"png": ".png", "jpeg": ".jpg"}


class Images(Outlet):
    """The outlet of those who want just pictures."""

    name = "images"
    title = "pictures"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """A picture of each face, and `images.csv` with file, kind, id, side and copies."""
        drawings = list(_drawings(shipment))
        wish = wish_of(shipment.pack, self.name)
        refuse(paths_fault((TABLE, *(d.path for d in drawings)), wish.span))
        drawn = shipment.draw(drawings)
        table = shipment.folder / TABLE
        table.write_text(_table(drawings), encoding="utf-8", newline="")
        shipped = (Shipped(TABLE), *(drawing.shipped for drawing in drawings))
        return Outcome(shipped, drawn.diagnostics)


def _drawings(shipment: Shipment) -> Iterator[PictureOrder]:
    asked = shipment.asked
    names = wish_of(shipment.pack, Images.name).names or NAMES
    suffix = _SUFFIX[asked.format or "png"]
    for name, lot, piece, face in named_faces(shipment.lots, names):
        yield PictureOrder(face, _canvas(lot, asked), name + suffix, piece.copies)


def _canvas(lot: Lot, asked: ExportOptions) -> Canvas:
    bleed = lot.stock.bleed if asked.bleed and not asked.transparent else 0.0
    dpi = asked.dpi or DPI
    trim = lot.stock.trim
    width, height = (
        max(1, round((side + 2 * bleed) * dpi / MM_PER_INCH)) for side in (trim.width, trim.height)
    )
    return Canvas(
        width,
        height,
        dpi,
        lot.stock.shape,
        cut=asked.transparent,
        format=asked.format or "png",
    )


def _table(drawings: Sequence[PictureOrder]) -> str:
    written = StringIO()
    rows = csv.writer(written, lineterminator="\r\n")  # RFC 4180
    rows.writerow(("file", "kind", "id", "side", "copies", "width_px", "height_px"))
    for path, face, copies, canvas in ((d.path, d.face, d.copies, d.canvas) for d in drawings):
        rows.writerow(
            (path, face.kind, face.component, face.name, copies, canvas.width, canvas.height)
        )
    return written.getvalue()


_TYPES: Final = ((b"\xff\xd8", "image/jpeg"), (b"RIFF", "image/webp"), (b"GIF8", "image/gif"))
"""The types of pictures by how they begin; all others are PNG."""


class Drawings(Outlet):
    """The outlet of drawing programs."""

    name = "svg"
    title = "SVG"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<kind>-<id>-<side>.svg` of each face; pictures are in it."""
        wish = wish_of(shipment.pack, self.name)
        named = list(named_faces(shipment.lots, wish.names or NAMES))
        files = {f"{name}.svg": (face, piece.copies) for name, _, piece, face in named}
        refuse(paths_fault((f"{name}.svg" for name, *_ in named), wish.span))
        for path, (face, _) in files.items():
            target = shipment.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_whole(face, shipment.roots), encoding="utf-8")
        shipped = (Shipped(path, face, copies) for path, (face, copies) in files.items())
        return Outcome(tuple(shipped))


def _whole(face: Face, roots: Roots) -> str:
    """The SVG of a face with its pictures inside. Raises GridpressError for one that has become
    another since it was looked at."""
    svg = face.svg
    for asset in face.assets:
        try:
            content = for_engine(roots.read_again(asset.path, asset.sha256, MAX_FILE))
        except UnreadableError as error:
            raise GridpressError(error.told(face.span, asset.path.name)) from error
        packed = base64.b64encode(content).decode("ascii")
        type_ = next((type_ for sign, type_ in _TYPES if content.startswith(sign)), "image/png")
        svg = svg.replace(asset.href, f"data:{type_};base64,{packed}")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


_LEAST_DPI: Final = 36
MAX_PIXELS: Final = 40_000_000
"""Of the picture of one face: 1 × 1 m at 150 dpi."""
CONTACT_COLUMNS = 6
CONTACT_WIDTH_PX = 1800


def preview_pack(
    target: Target,
    order: Order,
    output: Path | TargetFolder,
    dpi: int,
    progress: StepProgress = silent,
    told: Told = nobody,
) -> Outcome[tuple[Path, ...]]:
    """Draw the faces of one pack, cut out, into `output/<pack>/preview/<kind>.<id>.<side>.png`, and
    for each kind a contact sheet `preview/<kind>.png`; of a part of it in `preview.only/`, in
    another language in `preview.de/`. Returns the contact sheets. Of a pack with errors, draws what
    can be drawn, with the places of its errors framed in red and the bleed around them.

    Raises GridpressError as `press_pack` does.
    """
    order = in_locale_of(target, order)
    place = TargetFolder.of(output) / target.pack / order.folder(export.PREVIEW)
    with export.delivering(place, told) as delivery, workshop() as (scratch, staged):
        drawn = lay_out(target, order, scratch, progress, on_sheets=False)
        laid_out, said = drawn.value, drawn.diagnostics
        if laid_out is None or (not laid_out.faces and not drawn.ok):
            return Outcome((), said)
        faces = laid_out.faces
        refused = tuple(_refused(laid_out.opened.pack, faces, dpi))
        if refused:
            return Outcome((), (*said, *refused))
        roots, fonts = laid_out.roots, laid_out.fonts
        faults = _draw_pictures(roots, fonts, faces, order, dpi, staged, progress)
        if faults:
            return Outcome((), (*said, *faults))
        delivery.publish(staged)
    kinds = dict.fromkeys(face.kind for face in faces)
    return Outcome(tuple(place.path / f"{kind}.png" for kind in kinds), said)


def _refused(pack: Pack, faces: Sequence[Face], dpi: int) -> Iterator[Diagnostic]:
    """GP504 for faces whose picture would have more than `MAX_PIXELS`; GP606 if there are none."""
    if not faces:
        yield warning(pack.span, "GP606", "there is nothing to draw", "see prints and quantities")
    for face in faces:
        trim, bleed = face.stock.trim, face.stock.bleed
        area = (trim.width + 2 * bleed) * (trim.height + 2 * bleed)
        pixels = area * (dpi / MM_PER_INCH) ** 2
        if pixels > MAX_PIXELS:
            message = (
                f"the {face.name} of {face.component} at {dpi} dpi would have "
                f"{pixels / 1e6:,.0f} million pixels; the most is {MAX_PIXELS / 1e6:.0f} million"
            )
            least = int(MM_PER_INCH * math.sqrt(MAX_PIXELS / area))
            hint = f"give --dpi {least}" if least >= _LEAST_DPI else "choose others with --only"
            yield Diagnostic(face.span, "GP504", message, hint)


def _draw_pictures(
    roots: Roots,
    fonts: FontLibrary,
    faces: Sequence[Face],
    order: Order,
    dpi: int,
    staged: Path,
    progress: StepProgress,
) -> tuple[Diagnostic, ...]:
    font = own_font()
    with tempfile.TemporaryDirectory(dir=staged) as scratch:
        drawn = export.face_pictures(
            faces,
            fonts,
            Path(scratch),
            dpi=dpi,
            cut=True,
            roots=roots,
            jobs=order.jobs,
            progress=lambda done, total: progress("drawing", done, total),
            cache=order.cache,
        )
        if not drawn.ok:
            return drawn.diagnostics
        for kind, of_kind in itertools.groupby(faces, key=lambda face: face.kind):
            pictures = []
            for face in of_kind:
                path = staged / f"{kind}.{face.component}.{face.name}.png"
                shutil.copyfile(drawn.value[face.sha256], path)
                pictures.append(export.PreviewPicture(path, f"{face.component} {face.name}"))
            sheet = export.contact_sheet(pictures, CONTACT_COLUMNS, CONTACT_WIDTH_PX, font)
            (staged / f"{kind}.png").write_bytes(sheet)
    return ()


SAME: Final = 0.4
"""mm by which a side may be off from the product's and still be called its size."""
NEAR: Final = 2.0
"""mm by which it may be off and be printed on it all the same, with its bleed where it lacks."""
_BARE: Final = 0.0005
"""Part of a picture that may be left bare by rounding."""
_ROUND: Final = 100
"""Steps of a mm to which a bleed is rounded up."""
_RECTANGULAR: Final = (Shape.RECTANGLE, Shape.ROUNDED)


class ProductFit(NamedTuple):
    """A product that a stock becomes: turned or not, and how far off it is, mm."""

    product: Product
    turned: bool
    off: float


class PrintShop(Outlet):
    """The outlet that a shop is."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self.name, self.title = shop.name, shop.title

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Of each kind as much as the pictures of its product reach beyond its trim."""
        found: dict[str, float] = {}
        for lot in lots:
            canvas = self._canvas(lot, pack)
            if canvas is not None:
                wanted = _beyond(lot.stock.trim, canvas)
                found[lot.kind.name] = max(wanted, found.get(lot.kind.name, 0.0))
        return found

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """A picture for each side of each piece, or each copy, in folders by product and kind."""
        said: list[Diagnostic] = []
        drawings: list[PictureOrder] = []
        stocks = shipment.catalogue.stocks.values()
        refused: dict[str, list[Lot]] = {}
        taken: dict[tuple[str, str], list[tuple[Lot, Canvas]]] = {}
        for lot in shipment.lots:
            canvas = self._canvas(lot, shipment.pack)
            fit = self._fit(lot, shipment.pack)
            if canvas is None:
                refused.setdefault(lot.kind.name, []).append(lot)
                continue
            if canvas.pixels > MAX_PIXELS:
                said.append(self._too_large(lot, canvas))
                continue
            if fit is not None and fit.off > SAME:
                said.append(_is_near(lot, fit, self.title, stocks))
            product = fit.product.name if fit else ""
            taken.setdefault((lot.kind.name, product), []).append((lot, canvas))
            said += self._unsafe(lot, fit)
        said += (self._why_not(lot, len(more), stocks) for lot, *more in refused.values())
        for (_, product), lots in taken.items():
            drawings += self._of_lots(lots, product)
            said += self._too_many([lot for lot, _ in lots], product)
        refuse(paths_fault((drawing.path for drawing in drawings), shipment.pack.span))
        drawn = shipment.draw(drawings)
        said += drawn.diagnostics
        for drawing in drawings if drawn.ok else ():
            said += self._faults(drawing, *drawn.value[drawing.path])
        return Outcome(tuple(drawing.shipped for drawing in drawings), tuple(dict.fromkeys(said)))

    def _fit(self, lot: Lot, pack: Pack) -> ProductFit | None:
        """The product that the pack names, else the nearest that is near enough."""
        named = wish_of(pack, self.name).products.get(lot.kind.name)
        if named is None:
            fits = _fits(lot.stock, self._shop.products.values())
            ranked = ((fit.off, fit.product.sticks is not lot.stickers, fit) for fit in fits)
            fit = min(ranked, key=itemgetter(0, 1), default=(0.0, False, None))[2]
            return fit if fit and fit.off <= NEAR else None
        product = self._shop.products[named]
        return min(_turns(lot.stock.trim, product), key=lambda fit: fit.off)

    def _canvas(self, lot: Lot, pack: Pack) -> Canvas | None:
        """The pixels around a lot's trim, upright as its faces are unless they are turned."""
        shop, fit = self._shop, self._fit(lot, pack)
        if fit is not None:
            width, height = fit.product.canvas
            return Canvas(
                width,
                height,
                shop.dpi,
                fit.product.shape,
                turned=fit.turned,
                format=shop.format,
                most_bytes=shop.most_bytes,
            )
        if shop.any_size is None:
            return None
        trim, bleed, dpi = lot.stock.trim, shop.any_size.bleed, float(shop.dpi)
        longest = max(trim.width, trim.height) + 2 * bleed
        if shop.any_size.most_px:
            dpi = min(dpi, shop.any_size.most_px * MM_PER_INCH / longest)
        width, height = (
            max(1, int((side + 2 * bleed) * dpi / MM_PER_INCH + 0.5))
            for side in (trim.width, trim.height)
        )
        shape, bytes_ = lot.stock.shape, shop.most_bytes
        return Canvas(width, height, dpi, shape, format=shop.format, most_bytes=bytes_)

    def _of_lots(self, lots: Sequence[tuple[Lot, Canvas]], product: str) -> Iterator[PictureOrder]:
        """What is drawn of the pieces of a kind that become one product. Of several sizes each
        piece has a back of its own, as they have none in common."""
        shop, number = self._shop, 0
        for lot, canvas in lots:
            shared = lot.shared_back if shop.shared_back and len(lots) == 1 else None
            if shared is not None:
                name = self._named(shop.shared_back, lot, lot.pieces[0], product, 0)
                yield PictureOrder(
                    shared, canvas, name, summed(p.copies for p in lot.pieces), product
                )
            for piece in lot.pieces:
                for _ in range(piece.copies if shop.repeats else 1):
                    number += 1
                    copies = 1 if shop.repeats else piece.copies
                    for pattern, face in ((shop.fronts, piece.front), (shop.backs, piece.back)):
                        if face is not None and (face is piece.front or shared is None):
                            name = self._named(pattern, lot, piece, product, number)
                            yield PictureOrder(face, canvas, name, copies, product)

    def _named(self, pattern: str, lot: Lot, piece: Piece, product: str, number: int) -> str:
        name = pattern.format(
            product=product,
            kind=lot.kind.name,
            id=piece.id,
            name=piece.file_name,
            number=f"{number:03}",
            copies=piece.copies,
        )
        return name + _SUFFIX[self._shop.format]

    def _why_not(self, lot: Lot, more: int, stocks: Iterable[Stock]) -> Diagnostic:
        """GP712 with the nearest product, and what to change: the stock of that size, if one is.
        `more` sizes of the kind are left out, too."""
        stock = lot.stock
        like = [p for p in self._shop.products.values() if _same_shape(stock.shape, p.shape)]
        nearest = min(_fits(stock, like), key=lambda fit: fit.off, default=None)
        why = f"nothing that it makes is {_size(stock.trim)} ({stock.shape})"
        why += f", nor any of its other sizes ({more})" * bool(more)
        if nearest is None:
            return left_out(lot, self.title, why, f"it makes nothing of shape {stock.shape}")
        product = nearest.product
        trim = product.trim.turned if nearest.turned else product.trim
        hint = (
            f"nearest is {product.name}, {_size(trim)}: {_stock_for(product, stocks)}, or say "
            f"outlets: {{{self.name}: {{products: {{{lot.kind.name}: {product.name}}}}}}}"
        )
        return left_out(lot, self.title, why, hint)

    def _too_large(self, lot: Lot, canvas: Canvas) -> Diagnostic:
        most = f"{MAX_PIXELS / 1e6:.0f} million"
        why = f"{canvas.pixels / 1e6:,.0f} million pixels a picture, where {most} are the most"
        return left_out(lot, self.title, why, "give it a smaller stock, or make it of several")

    def _too_many(self, lots: Sequence[Lot], product: str) -> Iterator[Diagnostic]:
        lot, most = lots[0], self._shop.most
        count = summed(piece.copies for lot in lots for piece in lot.pieces)
        if most and count > most:
            message = f"{lot.kind.name}: {count} pieces of {product}; {self.title} takes {most}"
            yield warning(lot.kind.span, "GP715", message, "order them as several products")

    def _unsafe(self, lot: Lot, fit: ProductFit | None) -> Iterator[Diagnostic]:
        """GP714 for text that is nearer to the product's cut than its shop advises."""
        trim = lot.stock.trim
        cut = trim if fit is None else (fit.product.trim.turned if fit.turned else fit.product.trim)
        middle = Rect(0, 0, trim.width, trim.height).centre
        x, y = middle.x - cut.width / 2, middle.y - cut.height / 2
        safe = Rect(x, y, cut.width, cut.height).grown(-self._shop.safe)
        for piece in lot.pieces:
            for face in piece.faces.values():
                out = [b for b in face.text_boxes if b.lines and not safe.contains(b.used, 0.05)]
                if out:
                    message = (
                        f"{face.kind}/{face.component}: text of the {face.name} is nearer than "
                        f"{format_mm(round(self._shop.safe, 2))} mm to where {self.title} cuts"
                    )
                    hint = "keep text further inside, as the stock's safe zone asks"
                    yield warning(out[0].span, "GP714", message, hint)

    def _faults(self, drawing: PictureOrder, bare: float, size: int) -> Iterator[Diagnostic]:
        """What is wrong with a picture."""
        face, shop = drawing.face, self._shop
        if bare > _BARE and face.stock.edge is Edge.INK:
            message = (
                f"{face.kind}/{face.component}: the art of the {face.name} leaves "
                f"{100 * bare:.1f} % of the picture white that {self.title} cuts it from"
            )
            hint = "let the art go on to the end of the stock's bleed, whatever that is"
            yield warning(face.span, "GP714", message, hint)
        if shop.most_bytes and size > shop.most_bytes:
            message = (
                f"{drawing.path}: {size / 1e6:.1f} MB; {self.title} takes "
                f"{shop.most_bytes / 1e6:.1f} MB"
            )
            yield Diagnostic(face.span, "GP715", message, "use fewer or simpler pictures")


def _same_shape(one: Shape, other: Shape) -> bool:
    return one is other or (one in _RECTANGULAR and other in _RECTANGULAR)


def _fits(stock: Stock, products: Iterable[Product]) -> Iterator[ProductFit]:
    for product in products:
        if _same_shape(stock.shape, product.shape):
            yield from _turns(stock.trim, product)


def _turns(trim: Size, product: Product) -> Iterator[ProductFit]:
    """Upright, and turned if that is something else."""
    for turned in (False, True):
        size = product.trim.turned if turned else product.trim
        off = max(abs(trim.width - size.width), abs(trim.height - size.height))
        yield ProductFit(product, turned, off)


def _beyond(trim: Size, canvas: Canvas) -> float:
    """mm of art that a canvas wants around a trim, at its widest."""
    size = trim.turned if canvas.turned else trim
    sides = zip((size.width, size.height), canvas[:2], strict=True)
    wanted = max((pixels * MM_PER_INCH / canvas.dpi - side) / 2 for side, pixels in sides)
    return max(0.0, ceil(wanted * _ROUND) / _ROUND)


def _stock_for(product: Product, stocks: Iterable[Stock]) -> str:
    """What to change: the stock that is a product's size, where there is one."""
    same = (one for one in stocks if any(fit.off <= SAME for fit in _fits(one, [product])))
    stock = next(same, None)
    return f"take the stock {stock.name}" if stock else "make the stock that large"


def _is_near(lot: Lot, fit: ProductFit, shop: str, stocks: Iterable[Stock]) -> Diagnostic:
    trim = fit.product.trim.turned if fit.turned else fit.product.trim
    message = (
        f"{lot.kind.name}: {_size(lot.stock.trim)} is printed as {shop}'s {fit.product.name}, "
        f"{_size(trim)}; around the edge it shows what is bleed otherwise"
    )
    hint = f"{_stock_for(fit.product, stocks)}, and there is no such edge"
    return warning(lot.kind.span, "GP712", message, hint)


def _size(size: Size) -> str:
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"
