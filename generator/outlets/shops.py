"""Print shops: the product that a stock becomes, and its pictures as the shop takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from operator import itemgetter
from typing import Final, NamedTuple

from generator.diagnostics import Diagnostic, Outcome, warning
from generator.export import Canvas
from generator.geometry import MM_PER_INCH, Rect, Size, format_mm, summed
from generator.model.catalogue import Edge, Product, Shape, Shop, Stock
from generator.model.pack import Pack
from generator.outlets.images import MAX_PIXELS, SUFFIX
from generator.outlets.shipment import (
    ExportOptions,
    Lot,
    Outlet,
    PictureOrder,
    Piece,
    Shipment,
    Shipped,
    left_out,
    paths_fault,
    refuse,
    wish_of,
)

SAME: Final = 0.4
"""mm that a trim may differ from a product without a warning."""
NEAR: Final = 2.0
"""mm that it may differ with a warning that some bleed becomes visible."""
_BARE: Final = 0.0005
"""Part of a picture that may stay bare because of rounding."""
_STEPS_PER_MM: Final = 100
"""Bleeds are rounded up to these."""
_RECTANGULAR: Final = (Shape.RECTANGLE, Shape.ROUNDED)


class ProductFit(NamedTuple):
    """A product for a stock, turned or not, and the difference between their trims, mm."""

    product: Product
    turned: bool
    off: float


class PrintShop(Outlet):
    """The outlet for a print shop."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self.name, self.title = shop.name, shop.title

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Return how far the pictures of each kind's product reach beyond its trim."""
        bleeds: dict[str, float] = {}
        for lot in lots:
            canvas = self._canvas(lot, pack)
            if canvas is not None:
                wanted = _beyond(lot.stock.trim, canvas)
                bleeds[lot.kind.name] = max(wanted, bleeds.get(lot.kind.name, 0.0))
        return bleeds

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Draw a picture for each side of each piece, or of each copy."""
        findings: list[Diagnostic] = []
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
                findings.append(self._too_large(lot, canvas))
                continue
            if fit is not None and fit.off > SAME:
                findings.append(_is_near(lot, fit, self.title, stocks))
            product = fit.product.name if fit else ""
            taken.setdefault((lot.kind.name, product), []).append((lot, canvas))
            findings += self._unsafe(lot, fit)
        findings += (self._why_not(lot, len(more), stocks) for lot, *more in refused.values())
        for (_, product), lots in taken.items():
            drawings += self._of_lots(lots, product)
            findings += self._too_many([lot for lot, _ in lots], product)
        refuse(paths_fault((drawing.path for drawing in drawings), shipment.pack.span))
        drawn = shipment.draw(drawings)
        findings += drawn.diagnostics
        for drawing in drawings if drawn.ok else ():
            findings += self._faults(drawing, *drawn.value[drawing.path])
        return Outcome(
            tuple(drawing.shipped for drawing in drawings), tuple(dict.fromkeys(findings))
        )

    def _fit(self, lot: Lot, pack: Pack) -> ProductFit | None:
        """Return the product that the pack names, else the nearest one, if it is near enough."""
        named = wish_of(pack, self.name).products.get(lot.kind.name)
        if named is None:
            fits = _fits(lot.stock, self._shop.products.values())
            ranked = ((fit.off, fit.product.sticks is not lot.stickers, fit) for fit in fits)
            fit = min(ranked, key=itemgetter(0, 1), default=(0.0, False, None))[2]
            return fit if fit and fit.off <= NEAR else None
        product = self._shop.products[named]
        return min(_turns(lot.stock.trim, product), key=lambda fit: fit.off)

    def _canvas(self, lot: Lot, pack: Pack) -> Canvas | None:
        """Return the size of a lot's pictures, or None if the shop has no product for it."""
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
        """Yield the pictures of a kind that becomes one product.

        Pieces of several sizes share no back.
        """
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
        return name + SUFFIX[self._shop.format]

    def _why_not(self, lot: Lot, more: int, stocks: Iterable[Stock]) -> Diagnostic:
        """Return GP712 with the nearest product; `more` sizes of the kind are left out, too."""
        stock = lot.stock
        like = [p for p in self._shop.products.values() if _same_shape(stock.shape, p.shape)]
        nearest = min(_fits(stock, like), key=lambda fit: fit.off, default=None)
        shape = "with its own outline" if stock.shape is Shape.PATH else f"({stock.shape})"
        why = f"it makes nothing of {_size(stock.trim)} {shape}"
        why += f", nor of its kind's other sizes ({more})" * bool(more)
        if nearest is None:
            return left_out(
                lot, self.title, why, "print it at home, or give it one of the shop's shapes"
            )
        product = nearest.product
        trim = product.trim.turned if nearest.turned else product.trim
        hint = (
            f"nearest is {product.name}, {_size(trim)}: {_stock_for(product, stocks)}, or write "
            f"outlets: {{{self.name}: {{products: {{{lot.kind.name}: {product.name}}}}}}}"
        )
        return left_out(lot, self.title, why, hint)

    def _too_large(self, lot: Lot, canvas: Canvas) -> Diagnostic:
        most = f"{MAX_PIXELS / 1e6:.0f} million"
        why = f"{canvas.pixels / 1e6:,.0f} million pixels a picture; the most is {most}"
        return left_out(lot, self.title, why, "give it a smaller stock, or split it into several")

    def _too_many(self, lots: Sequence[Lot], product: str) -> Iterator[Diagnostic]:
        lot, most = lots[0], self._shop.most
        count = summed(piece.copies for lot in lots for piece in lot.pieces)
        if most and count > most:
            message = f"{lot.kind.name}: {count} pieces of {product}; {self.title} takes {most}"
            yield warning(lot.kind.span, "GP715", message, "order them as several products")

    def _unsafe(self, lot: Lot, fit: ProductFit | None) -> Iterator[Diagnostic]:
        """Yield GP714 for text nearer to the cut than the shop advises."""
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
        face, shop = drawing.face, self._shop
        if bare > _BARE and face.stock.edge is Edge.INK:
            message = (
                f"{face.kind}/{face.component}: the art of the {face.name} leaves "
                f"{100 * bare:.1f} % of the picture white that {self.title} cuts it from"
            )
            hint = "extend the art to the end of the stock's bleed, however wide that is"
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
    """Yield the product upright and turned."""
    for turned in (False, True):
        size = product.trim.turned if turned else product.trim
        off = max(abs(trim.width - size.width), abs(trim.height - size.height))
        yield ProductFit(product, turned, off)


def _beyond(trim: Size, canvas: Canvas) -> float:
    """Return how far a canvas reaches beyond a trim at its widest, mm."""
    size = trim.turned if canvas.turned else trim
    sides = zip((size.width, size.height), canvas[:2], strict=True)
    wanted = max((pixels * MM_PER_INCH / canvas.dpi - side) / 2 for side, pixels in sides)
    return max(0.0, ceil(wanted * _STEPS_PER_MM) / _STEPS_PER_MM)


def _stock_for(product: Product, stocks: Iterable[Stock]) -> str:
    """Return the advice to take the stock of a product's size, if there is one."""
    same = (one for one in stocks if any(fit.off <= SAME for fit in _fits(one, [product])))
    stock = next(same, None)
    return f"take the stock {stock.name}" if stock else "make the stock that large"


def _is_near(lot: Lot, fit: ProductFit, shop: str, stocks: Iterable[Stock]) -> Diagnostic:
    trim = fit.product.trim.turned if fit.turned else fit.product.trim
    message = (
        f"{lot.kind.name}: {_size(lot.stock.trim)} is printed as {shop}'s {fit.product.name}, "
        f"{_size(trim)}; some of the bleed will show around its edge"
    )
    hint = f"{_stock_for(fit.product, stocks)}, and no bleed will show"
    return warning(lot.kind.span, "GP712", message, hint)


def _size(size: Size) -> str:
    return f"{format_mm(round(size.width, 2))} × {format_mm(round(size.height, 2))} mm"
