"""Read what packs may name: stocks, papers, label sheets, cutters, printers, shops and PDF
profiles."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from msgspec.structs import replace

from generator import guests
from generator.diagnostics import Outcome, Span
from generator.geometry import MM_PER_INCH, Point, Rect, Size, format_mm
from generator.model.catalogue import (
    ADDRESS,
    OUTLETS,
    WISHES,
    AnySize,
    Blank,
    Catalogue,
    Cutter,
    Edge,
    Fold,
    LabelSheet,
    Paper,
    PdfProfile,
    PrinterProfile,
    PrinterStretch,
    Product,
    Registration,
    Shape,
    Shop,
    Stock,
    TableObject,
    Wish,
)
from generator.model.source import Document
from generator.model.values import Record
from generator.validate.components import UnresolvedComponent
from generator.validate.definition_files import (
    CUTTERS,
    LABEL_SHEETS,
    PAPERS,
    PDF_PROFILES,
    PROFILE,
    SHOPS,
    STOCKS,
    Root,
    definition_reading,
    read_root,
)
from generator.validate.kinds import Kinds, StockPlan
from generator.validate.reading import (
    INVALID,
    Evaluation,
    Reading,
    is_numeric,
    quoted_value,
    struct_of,
)

MAX_LENGTH: Final = 20_000
_WIDEST: Final = 1e6
"""A number beyond this, mm, is a slip, and its curves need no work."""
_TOLERANCE: Final = 0.01
_LABEL_TOLERANCE: Final = 0.5
"""Makers of label sheets round their drawings, mm."""
_PATH_DATA: Final = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")
_SUCH_AS: Final = 'such as "M0 0 L10 0 L10 20 Z"'


@lru_cache(maxsize=256)  # components of one shape write the same
def path_fault(path: str, trim: Size) -> tuple[str, str] | None:
    """Return what is wrong with path data in trim coordinates, mm, and what to do; None for a
    closed outline inside the trim."""
    if len(path) > MAX_LENGTH:
        message = f"the path has {len(path)} characters"
        return message, f"{MAX_LENGTH} are enough for any die: draw it with fewer points"
    if _PATH_DATA.fullmatch(path) is None:
        return "this is not SVG path data", _SUCH_AS
    pen = RecordingPen()
    try:
        parse_path(path, pen)
    except (ValueError, IndexError, AttributeError, TypeError, ArithmeticError, AssertionError):
        return "this path cannot be read: a number is missing or one too many", _SUCH_AS
    return _outline_fault(pen, trim)


def _outline_fault(pen: RecordingPen, trim: Size) -> tuple[str, str] | None:
    numbers = [number for _, points in pen.value for point in points for number in point]
    if not all(math.isfinite(number) and abs(number) <= _WIDEST for number in numbers):
        return "a number of the path is too large for a sheet", "the unit is the millimetre"
    commands = [command for command, _ in pen.value]
    if "endPath" in commands:
        return "the path is not closed", "end each outline with Z"
    if not {"lineTo", "curveTo", "qCurveTo"} & set(commands):
        return "the path encloses nothing", _SUCH_AS
    box = _bounds(pen)
    if not Rect(0, 0, trim.width, trim.height).contains(box, _TOLERANCE):
        reach = f"from {_corner(box.x, box.y)} to {_corner(box.right, box.bottom)}"
        message = f"the path runs {reach}, beyond the trim of {_corner(trim.width, trim.height)} mm"
        return message, "move it to where the trim's corner is 0 0, or give a larger size"
    return None


def _bounds(pen: RecordingPen) -> Rect:
    measure: Any = BoundsPen(None)
    pen.replay(measure)
    x, y, right, bottom = measure.bounds
    return Rect(x, y, right - x, bottom - y)


def _corner(x: float, y: float) -> str:
    return f"{format_mm(round(x, 2))} × {format_mm(round(y, 2))}"


def read_catalogue(documents: Sequence[Document]) -> Outcome[Catalogue]:
    """Return everything that the files define. A later definition of a name replaces an earlier
    one."""
    reading = definition_reading()
    stocks: dict[str, Stock] = {}
    papers: dict[str, Paper] = {}
    sheets: dict[str, tuple[LabelSheet, Record]] = {}
    cutters: dict[str, Cutter] = {}
    for document in documents:
        values = read_root(document, {**STOCKS, **PAPERS, **LABEL_SHEETS, **CUTTERS}, reading)
        stocks |= make_stocks(values["stocks"] or {}, reading)
        for name, given in (values["cutters"] or {}).items():
            cutters[name] = _cutter(name, given, reading)
        papers |= {
            name: struct_of(Paper, given, name=name, size=Size(*given["size"]))
            for name, given in (values["papers"] or {}).items()
        }
        sheets |= {
            name: (_label_sheet(name, given), given)
            for name, given in (values["label_sheets"] or {}).items()
        }
    for sheet, given in sheets.values():
        _check_label_sheet(sheet, given, papers, reading)
    label_sheets = {name: sheet for name, (sheet, _) in sheets.items()}
    return Outcome(Catalogue(stocks, papers, label_sheets, cutters), reading.found)


def make_stocks(given: Mapping[str, Record], reading: Reading) -> dict[str, Stock]:
    """Return stocks, including faulty ones, so that kinds find them."""
    return {name: _stock(name, values, reading) for name, values in given.items()}


def _stock(name: str, given: Record, reading: Reading) -> Stock:
    stock = struct_of(
        Stock,
        given,
        name=name,
        trim=Size(*given["size"]),
        shape=Shape(given["shape"]),
        folds=tuple(Fold(Point(*start), Point(*end)) for start, end in given["folds"]),
        edge=Edge(given["edge"]),
    )
    for field, message, hint in _stock_faults(stock):
        reading.fault(given.span_of(field), "GP213", f"stocks.{name}.{field}: {message}", hint)
    return stock


def _stock_faults(stock: Stock) -> list[tuple[str, str, str]]:
    """Return faults of a stock: the field, what is wrong, what to do."""
    faults: list[tuple[str, str, str]] = []
    shorter = min(stock.trim.width, stock.trim.height)
    rounded, by_path = stock.shape is Shape.ROUNDED, stock.shape is Shape.PATH
    if rounded != (stock.corner_radius > 0):
        faults.append(
            ("corner_radius", "a corner radius and shape: rounded go together", "give both or none")
        )
    if stock.corner_radius > shorter / 2:
        faults.append(
            ("corner_radius", "more than half of the shorter side", "or take shape: circle")
        )
    if by_path != bool(stock.path):
        faults.append(("path", "a path and shape: path go together", "give both or none"))
    elif by_path and (wrong := path_fault(stock.path, stock.trim)) is not None:
        faults.append(("path", *wrong))
    if stock.safe * 2 >= shorter:
        faults.append(("safe", "nothing of the face is left inside", "give a smaller margin"))
    return faults


def _label_sheet(name: str, given: Record) -> LabelSheet:
    label, pitch = Size(*given["label"]), Size(*given["pitch"])
    return struct_of(
        LabelSheet, given, name=name, label=label, first=Point(*given["first"]), pitch=pitch
    )


def _check_label_sheet(
    sheet: LabelSheet,
    given: Record,
    papers: Mapping[str, Paper],
    reading: Reading,
) -> None:
    path = f"label_sheets.{sheet.name}"
    if sheet.paper not in papers:
        if sheet.paper not in reading.broken:
            said = f"{path}.paper: there is no paper"
            reading.unknown(said, sheet.paper, papers, given.span_of("paper"), "GP603")
        return
    if not sheet.label.fits_in(sheet.pitch):
        hint = "from the left edge of one label to the left edge of the next, and so downwards"
        message = f"{path}.pitch: smaller than the label, so that labels overlap"
        reading.fault(given.span_of("pitch"), "GP213", message, hint)
    right = sheet.first.x + (sheet.columns - 1) * sheet.pitch.width + sheet.label.width
    bottom = sheet.first.y + (sheet.rows - 1) * sheet.pitch.height + sheet.label.height
    if not Size(right, bottom).fits_in(papers[sheet.paper].size, _LABEL_TOLERANCE):
        message = f"{path}: the labels reach to {right:.1f} × {bottom:.1f} mm, beyond the paper"
        hint = f"measure first, pitch and label again, or the paper {sheet.paper}"
        reading.fault(given.span, "GP213", message, hint)


def _cutter(name: str, given: Record, reading: Reading) -> Cutter:
    marks, area = given["marks"], given["area"]
    if not marks and not area:
        hint = "give marks: that it looks for, or the area: that its program prints"
        reading.fault(given.span, "GP213", f"cutters.{name}: it needs marks: or area:", hint)
    registration = struct_of(Registration, marks, square=marks["square"] or 0.0) if marks else None
    return Cutter(name, str(given["title"]), registration, Size(*area) if area else None)


def read_profile(document: Document) -> Outcome[PrinterProfile]:
    """Return a printer's measured offsets and distortion."""
    reading = definition_reading()
    reading.code = "GP605"
    values = read_root(document, PROFILE, reading)
    front, back = (Point(*(values[side] or (0.0, 0.0))) for side in ("front", "back"))
    profile = PrinterProfile(
        name=str(values["name"]),
        front=front,
        back=back,
        tolerance=values["tolerance"],
        front_stretch=_stretch(values.values, "front"),
        back_stretch=_stretch(values.values, "back"),
    )
    return Outcome(profile, reading.found)


def _stretch(values: Record, side: str) -> PrinterStretch:
    short, long = values[f"{side}_scale"] or (1.0, 1.0)
    return PrinterStretch(short, long, values[f"{side}_skew"])


_MAX_FOLDS: Final = 1000
_LEAST: Final = 0.1
_MOST: Final = 3000.0
"""The least and greatest side of a piece, mm."""
_DIGITS: Final = 4
"""Decimals of a side in mm: pieces that differ less share a stock."""
_INSTEAD: Final = {
    "width": f"it must be a number of mm from {_LEAST:g} to {_MOST:g}",
    "height": f"it must be a number of mm from {_LEAST:g} to {_MOST:g}",
    "path": 'it must be SVG path data in mm, such as "M0 0 L10 0 L10 20 Z"',
    "folds": "it must be a list of folds, each [[x, y], [x, y]] in mm",
}


def stock_of(component: UnresolvedComponent, evaluation: Evaluation) -> Stock | None:
    """Return the component's stock: its kind's, or one worked out from it. After a fault (GP211,
    GP213) it is the kind's."""
    plan, like = component.plan.stock, component.plan.kind.stock
    if plan is None or like is None or not component.plan.sound or _stock_faults(like):
        return like
    found = {name: _value(name, plan, component, evaluation) for name in plan.formulas}
    if any(value is INVALID for value in found.values()):
        return like
    trim = Size(found.get("width", like.trim.width), found.get("height", like.trim.height))
    stock = replace(like, trim=trim)
    if "path" in found:
        stock = replace(stock, shape=Shape.PATH, corner_radius=0.0, path=found["path"])
    if "folds" in found:
        stock = replace(stock, folds=found["folds"])
    for field, message, hint in _stock_faults(stock):
        span = plan.formulas[field].span if field in plan.formulas else plan.span
        evaluation.refuse(span, "GP213", f"stock.{field}: {message}", hint, component)
    return stock


def _value(
    name: str, plan: StockPlan, component: UnresolvedComponent, evaluation: Evaluation
) -> Any:
    """Return a side in mm, path data or folds, or INVALID."""
    formula = plan.formulas[name]
    found = evaluation.value(formula, evaluation.names(component.record), component)
    if found is INVALID:
        return INVALID
    if name == "path" and isinstance(found, str) and found.strip():
        return str(found)
    if name == "folds" and isinstance(found, tuple):
        folds = tuple(filter(None, map(_fold, found)))
        if len(folds) == len(found) <= _MAX_FOLDS:
            return folds
    if name in ("width", "height") and _is_mm(found, _LEAST):
        return round(float(found), _DIGITS)
    message = f"stock.{name}: {formula.text} is {quoted_value(found)}"
    evaluation.refuse(formula.span, "GP213", message, _INSTEAD[name], component)
    return INVALID


def _fold(found: Any) -> Fold | None:
    """Return [[x, y], [x, y]] as a fold, or None."""
    if not isinstance(found, tuple) or len(found) != 2:
        return None
    ends = [
        Point(round(float(end[0]), _DIGITS), round(float(end[1]), _DIGITS))
        for end in found
        if isinstance(end, tuple) and len(end) == 2 and all(_is_mm(x, -_MOST) for x in end)
    ]
    return Fold(*ends) if len(ends) == 2 else None


def _is_mm(found: Any, least: float) -> bool:
    return is_numeric(found) and least <= found <= _MOST


_OF_SHOPS: Final = ("product", "kind", "id", "name", "number", "copies")
_OF_PICTURES: Final = ("kind", "id", "name", "side", "number", "copies")
"""Names in braces that file names may have."""
_MOST_LETTERS: Final = 150
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_REST: Final = re.compile(r"[A-Za-z0-9_.,()\[\] /-]*")
"""Characters that every file system accepts."""
_ROUNDING_PX: Final = 1.0


def read_shops(documents: Sequence[Document]) -> Outcome[Mapping[str, Shop]]:
    """Return all print shops. A later definition of a name replaces an earlier one."""
    reading = definition_reading()
    shops: dict[str, Shop] = {}
    for document in documents:
        values = read_root(document, SHOPS, reading)
        shops |= {name: _shop(name, v, reading) for name, v in (values["shops"] or {}).items()}
    return Outcome(shops, reading.found)


def _shop(name: str, given: Record, reading: Reading) -> Shop:
    path = f"shops.{name}"
    # A piece of any size is not a product and has no name for {product}.
    known = _OF_SHOPS if given["any_size"] is None else _OF_SHOPS[1:]
    for field, needed in (("fronts", ("id",)), ("backs", ("id",)), ("shared_back", ())):
        fault = _name_fault(str(given[field]), known, needed) if given.get(field) else None
        if fault is not None:
            reading.fault(given.span_of(field), "GP213", f"{path}.{field}: {fault[0]}", fault[1])
    products: Mapping[str, Record] = given["products"] or {}
    if not products and not given["any_size"]:
        hint = "give products:, or any_size: if it cuts every size"
        reading.fault(given.span, "GP213", f"{path}: the shop makes nothing", hint)
    any_size = given["any_size"]
    return struct_of(
        Shop,
        given,
        name=name,
        span=given.span,
        products={
            key: _product(key, value, given["dpi"], f"{path}.products.{key}", reading)
            for key, value in products.items()
        },
        any_size=struct_of(AnySize, any_size) if any_size else None,
    )


def _product(name: str, given: Record, dpi: int, path: str, reading: Reading) -> Product:
    canvas = (int(given["canvas"][0]), int(given["canvas"][1]))
    trim = Size(*given["trim"])
    per_mm = dpi / MM_PER_INCH
    if any(
        cut * per_mm > pixels + _ROUNDING_PX
        for cut, pixels in zip((trim.width, trim.height), canvas, strict=True)
    ):
        message = f"{path}.canvas: at {dpi} dpi it is smaller than the trim"
        reading.fault(given.span_of("canvas"), "GP213", message, "count the pixels again")
    return Product(name, canvas, trim, Shape(given["shape"]), given["sticker"])


def make_wishes(
    root: Root, kinds: Kinds, shops: Mapping[str, Shop] | None, reading: Reading
) -> Mapping[str, Wish]:
    """Return the outlet settings of pack.yaml, checked against the kinds, and against `shops` if
    given."""
    wishes = {}
    for name, given in (root["outlets"] or {}).items():
        for field in ("products", "objects"):
            for kind in given[field] or ():
                at = given[field].span_of(kind)
                _check_kind(kind, f"outlets.{name}.{field}", at, kinds, reading)
        if shops is not None:
            _check_outlet(name, given, shops, reading)
        names = str(given["names"])
        fault = _name_fault(names, _OF_PICTURES, ("id", "side")) if names else None
        if fault is not None:
            at = given.span_of("names")
            reading.fault(at, "GP213", f"outlets.{name}.names: {fault[0]}", fault[1])
        products = {kind: str(word) for kind, word in (given["products"] or {}).items()}
        objects = {kind: TableObject(word) for kind, word in (given["objects"] or {}).items()}
        url = str(given["url"])
        if url and not ADDRESS.fullmatch(url):
            message = f"outlets.{name}.url: {url!r} is no address"
            reading.fault(
                given.span_of("url"), "GP213", message, "such as https://example.org/mine"
            )
        wishes[name] = Wish(given.span, products, objects, names, url, given["sheet_px"] or 0)
    return wishes


def _check_outlet(name: str, given: Record, shops: Mapping[str, Shop], reading: Reading) -> None:
    """Report unknown outlets and products (GP711), and warn about settings that an outlet ignores.
    The settings of a misspelt outlet are checked against the nearest name."""
    outlets = (*OUTLETS, *shops, *guests.outlets())
    meant = name if name in outlets else reading.suggestions.nearest(name, outlets)
    if meant != name:
        reading.unknown("outlets: there is no outlet", name, outlets, given.span, "GP711")
    if meant is None:
        return
    shop = shops.get(meant)
    known = shop.products if shop else {}
    minded = WISHES.get(meant, ("products",) if known else ())
    for field in given.spans:
        if field not in minded:
            message = f"outlets.{name}.{field}: this has no effect on this outlet"
            hint = f"remove it; this outlet uses {', '.join(minded) or 'none of them'}"
            reading.remark(given.span_of(field), "GP213", message, hint)
    for kind, product in (given["products"] or {}).items() if known else ():
        if shop and product not in known:
            said, at = f"{shop.title} makes no product", given["products"].span_of(kind)
            reading.unknown(said, product, known, at, "GP711")


def _check_kind(kind: str, path: str, at: Span, kinds: Kinds, reading: Reading) -> None:
    plan = kinds.plans.get(kind)
    if (plan is None or not plan.kind.faces) and not kinds.hides(kind):
        known = (name for name, plan in kinds.plans.items() if plan.kind.faces)
        message = f"{path}: there is no kind {kind!r} that has faces"
        reading.report(at, "GP212", message, reading.did_you_mean(kind, known))


def _name_fault(
    pattern: str, known: Sequence[str], needed: Sequence[str]
) -> tuple[str, str] | None:
    """Return what is wrong with a pattern for file names, and what to do."""
    such_as = "such as " + "-".join(f"{{{name}}}" for name in (needed or ("kind",)))
    if len(pattern) > _MOST_LETTERS:
        return f"longer than {_MOST_LETTERS} characters", such_as
    for name in _PLACEHOLDER.findall(pattern):
        if name not in known:
            listed = ", ".join(f"{{{name}}}" for name in known)
            return f"there is no {{{name}}}", f"known: {listed}"
    rest = _PLACEHOLDER.sub("", pattern)
    if not _REST.fullmatch(rest):
        return (
            "it has a character that not every file system takes",
            "letters, digits, spaces and _ . , ( ) [ ] - are fine, and / for a folder",
        )
    parts = pattern.split("/")
    if any(part.strip(" .") != part or not part for part in parts):
        return "a folder or name in it is empty, or begins or ends with a dot or a space", such_as
    for name in needed:
        named = name == "id" and "{name}" in pattern
        if f"{{{name}}}" not in pattern and not named:
            return f"without {{{name}}} files would have the same name", such_as
    return None


def read_pdf_profiles(
    documents: Sequence[Document], shops: Mapping[str, Shop], papers: Mapping[str, Paper]
) -> Outcome[Mapping[str, PdfProfile]]:
    """Return all PDF profiles. A later definition of a name replaces an earlier one."""
    reading = definition_reading()
    profiles: dict[str, PdfProfile] = {}
    for document in documents:
        values = read_root(document, PDF_PROFILES, reading)
        for name, given in (values["profiles"] or {}).items():
            profiles[name] = _profile(name, given, shops, papers, reading)
    return Outcome(profiles, reading.found)


def _profile(
    name: str,
    given: Record,
    shops: Mapping[str, Shop],
    papers: Mapping[str, Paper],
    reading: Reading,
) -> PdfProfile:
    path, bleed = f"profiles.{name}", given["bleed"]
    shop = _named(given, "shop", [given["shop"]] if given["shop"] else [], shops, path, reading)
    blanks = [blank for one in shop for blank in _pictured(one)]
    blanks += (
        Blank(key, Size(*size), Size(size[0] + 2 * bleed, size[1] + 2 * bleed))
        for key, size in (given["products"] or {}).items()
    )
    return struct_of(
        PdfProfile,
        given,
        name=name,
        blanks=tuple(blanks),
        papers=tuple(_named(given, "papers", given["papers"] or [], papers, path, reading)),
        pictures=bool(shop),
        colours=tuple(map(str, given["colours"] or ())),
        standards=tuple(map(str, given["standards"] or ())),
        conditions=tuple(map(str, given["conditions"] or ())),
    )


def _named(
    given: Record,
    field: str,
    names: Sequence[str],
    known: Mapping[str, Any],
    path: str,
    reading: Reading,
) -> list[Any]:
    """Look up names, and report unknown ones."""
    for name in names:
        if name not in known:
            reading.unknown(f"{path}.{field}: there is no", name, known, given.span_of(field))
    return [known[name] for name in names if name in known]


def _pictured(shop: Shop) -> Iterator[Blank]:
    """Yield a shop's products as pages of the size of its pictures."""
    for product in shop.products.values():
        width, height = (pixels / shop.dpi * MM_PER_INCH for pixels in product.canvas)
        yield Blank(product.name, product.trim, Size(width, height))
