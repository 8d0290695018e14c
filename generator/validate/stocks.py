"""Stocks, papers, label sheets and cutters: from files and packs; stocks of components' own too."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from msgspec.structs import replace

from generator.diagnostics import Outcome, Span, did_you_mean
from generator.geometry import Point, Rect, Size, format_mm
from generator.model.catalogue import (
    Catalogue,
    Cutter,
    Edge,
    Fold,
    LabelSheet,
    Paper,
    PrinterProfile,
    PrinterStretch,
    Registration,
    Shape,
    Stock,
)
from generator.model.pack import Record
from generator.model.source import Document
from generator.validate.definition_fields import (
    CUTTERS,
    LABEL_SHEETS,
    PAPERS,
    PROFILE,
    STOCKS,
)
from generator.validate.definition_types import definition_reading, read_root
from generator.validate.formulas import Evaluation, quoted
from generator.validate.kinds import StockPlan
from generator.validate.reading import INVALID, Reading
from generator.validate.unresolved import UnresolvedComponent

MAX_LENGTH: Final = 20_000
"""Characters of path data."""
_WIDEST: Final = 1e6
"""mm: a number beyond is a slip, and its curves need not be worked out."""
_TOLERANCE: Final = 0.01
_LABEL_TOLERANCE: Final = 0.5
"""mm: makers of label sheets round their drawings."""
_PATH_DATA: Final = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")
_SUCH_AS: Final = 'such as "M0 0 L10 0 L10 20 Z"'


@lru_cache(maxsize=256)  # components of one shape write the same
def path_fault(path: str, trim: Size) -> tuple[str, str] | None:
    """What is wrong with path data in trim coordinates, mm, and what to do; None when it is a
    closed outline inside the trim, of numbers that can be worked with."""
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
    return _fault(pen, trim)


def _fault(pen: RecordingPen, trim: Size) -> tuple[str, str] | None:
    numbers = [number for _, points in pen.value for point in points for number in point]
    if not all(math.isfinite(number) and abs(number) <= _WIDEST for number in numbers):
        return "a number of the path is no place on a sheet", "the unit is the millimetre"
    commands = [command for command, _ in pen.value]
    if "endPath" in commands:
        return "the path is not closed", "end each outline with Z"
    if not {"lineTo", "curveTo", "qCurveTo"} & set(commands):
        return "the path encloses nothing", _SUCH_AS
    box = _bounds(pen)
    if not Rect(0, 0, trim.width, trim.height).contains(box, _TOLERANCE):
        reach = f"from {_place(box.x, box.y)} to {_place(box.right, box.bottom)}"
        message = f"the path runs {reach}, beyond the trim of {_place(trim.width, trim.height)} mm"
        return message, "move it to where the trim's corner is 0 0, or give a larger size"
    return None


def _bounds(pen: RecordingPen) -> Rect:
    measure: Any = BoundsPen(None)
    pen.replay(measure)
    x, y, right, bottom = measure.bounds
    return Rect(x, y, right - x, bottom - y)


def _place(x: float, y: float) -> str:
    return f"{format_mm(round(x, 2))} × {format_mm(round(y, 2))}"


def read_catalogue(documents: Sequence[Document]) -> Outcome[Catalogue]:
    """All that the files define; a name that a later file defines again is replaced."""
    reading = definition_reading()
    stocks: dict[str, Stock] = {}
    papers: dict[str, Paper] = {}
    replaced: dict[str, tuple[Paper, Span]] = {}
    sheets: dict[str, tuple[LabelSheet, Record]] = {}
    cutters: dict[str, Cutter] = {}
    for document in documents:
        values = read_root(document, {**STOCKS, **PAPERS, **LABEL_SHEETS, **CUTTERS}, reading)
        stocks |= make_stocks(values["stocks"] or {}, reading)
        for name, given in (values["cutters"] or {}).items():
            cutters[name] = _cutter(name, given, reading)
        for name, given in (values["papers"] or {}).items():
            if name in papers:
                replaced[name] = papers[name], given.span
            papers[name] = _paper(name, given)
        sheets |= {
            name: (_label_sheet(name, given), given)
            for name, given in (values["label_sheets"] or {}).items()
        }
    for sheet, given in sheets.values():
        _check_label_sheet(sheet, given, papers, replaced, reading)
    label_sheets = {name: sheet for name, (sheet, _) in sheets.items()}
    return Outcome(Catalogue(stocks, papers, label_sheets, cutters), reading.found)


def make_stocks(given: Mapping[str, Record], reading: Reading) -> dict[str, Stock]:
    """Stocks from their records; those with a fault are there too, so that kinds find them."""
    return {name: _stock(name, values, reading) for name, values in given.items()}


def _stock(name: str, given: Record, reading: Reading) -> Stock:
    stock = Stock(
        name=name,
        trim=Size(*given["size"]),
        bleed=given["bleed"],
        safe=given["safe"],
        corner_radius=given["corner_radius"],
        shape=Shape(given["shape"]),
        path=str(given["path"]),
        folds=tuple(Fold(Point(*start), Point(*end)) for start, end in given["folds"]),
        description=str(given["description"]),
        edge=Edge(given["edge"]),
    )
    for field, message, hint in stock_faults(stock):
        reading.fault(given.span_of(field), "GP213", f"stocks.{name}.{field}: {message}", hint)
    return stock


def stock_faults(stock: Stock) -> list[tuple[str, str, str]]:
    """What a stock cannot be cut by: the field, what is wrong with it, what to do."""
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


def _paper(name: str, given: Record) -> Paper:
    return Paper(name, str(given["title"]), Size(*given["size"]), given["margin"])


def _label_sheet(name: str, given: Record) -> LabelSheet:
    return LabelSheet(
        name=name,
        title=str(given["title"]),
        paper=str(given["paper"]),
        label=Size(*given["label"]),
        columns=given["columns"],
        rows=given["rows"],
        first=Point(*given["first"]),
        pitch=Size(*given["pitch"]),
        corner_radius=given["corner_radius"],
    )


def _check_label_sheet(
    sheet: LabelSheet,
    given: Record,
    papers: Mapping[str, Paper],
    replaced: Mapping[str, tuple[Paper, Span]],
    reading: Reading,
) -> None:
    path = f"label_sheets.{sheet.name}"
    if sheet.paper not in papers:
        if sheet.paper not in reading.broken:
            message = f"{path}.paper: there is no paper {sheet.paper!r}"
            hint = did_you_mean(sheet.paper, papers)
            reading.report(given.span_of("paper"), "GP603", message, hint)
        return
    if not sheet.label.fits_in(sheet.pitch):
        hint = "from the left edge of one label to the left edge of the next, and so downwards"
        message = f"{path}.pitch: smaller than the label, so that labels overlap"
        reading.fault(given.span_of("pitch"), "GP213", message, hint)
    right = sheet.first.x + (sheet.columns - 1) * sheet.pitch.width + sheet.label.width
    bottom = sheet.first.y + (sheet.rows - 1) * sheet.pitch.height + sheet.label.height
    reach = Size(right, bottom)
    if reach.fits_in(papers[sheet.paper].size, _LABEL_TOLERANCE):
        return
    before, now = replaced.get(sheet.paper, (None, given.span))
    if before is not None and reach.fits_in(before.size, _LABEL_TOLERANCE):
        message = f"papers.{sheet.paper}: smaller than the labels of {sheet.name}, which are on it"
        reading.fault(now, "GP213", message, "give your own paper another name")
    else:
        message = f"{path}: the labels reach to {right:.1f} × {bottom:.1f} mm, beyond the paper"
        reading.fault(given.span, "GP213", message, "measure first, pitch and label again")


def _cutter(name: str, given: Record, reading: Reading) -> Cutter:
    marks, area = given["marks"], given["area"]
    if not marks and not area:
        hint = "give marks: that it looks for, or the area: that its program prints"
        reading.fault(given.span, "GP213", f"cutters.{name}: it finds nothing to cut", hint)
    wanted = ("inset", "length", "thickness", "square", "clear")
    return Cutter(
        name,
        str(given["title"]),
        Registration(*(marks[length] for length in wanted)) if marks else None,
        Size(*area) if area else None,
    )


def read_profile(document: Document) -> Outcome[PrinterProfile]:
    """Where a printer puts ink against where it was told to."""
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


MAX_FOLDS: Final = 1000
LEAST: Final = 0.1
MOST: Final = 3000.0
"""mm that a side may be: less is no piece, more is not to be put together from sheets."""
_DIGITS: Final = 4
"""Of a side in mm: pieces that differ by less are of one stock."""
_INSTEAD: Final = {
    "width": f"it must be a number of mm from {LEAST:g} to {MOST:g}",
    "height": f"it must be a number of mm from {LEAST:g} to {MOST:g}",
    "path": 'it must be SVG path data in mm, such as "M0 0 L10 0 L10 20 Z"',
    "folds": "it must be a list of folds, each [[x, y], [x, y]] in mm",
}


def stock_of(component: UnresolvedComponent, evaluation: Evaluation) -> Stock | None:
    """The kind's stock, or what is worked out from it for this component: GP213 where that cannot
    be cut, GP211 where an expression fails. After a fault the kind's counts, and so it does where
    it cannot be cut itself, which has been told."""
    plan, like = component.plan.stock, component.plan.kind.stock
    if plan is None or like is None or not component.plan.sound or stock_faults(like):
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
    for field, message, hint in stock_faults(stock):
        span = plan.formulas[field].span if field in plan.formulas else plan.span
        evaluation.refuse(span, "GP213", f"stock.{field}: {message}", hint, component)
    return stock


def _value(
    name: str, plan: StockPlan, component: UnresolvedComponent, evaluation: Evaluation
) -> Any:
    """A side in mm or path data, or INVALID."""
    formula = plan.formulas[name]
    found = evaluation.value(formula, evaluation.names(component.record), component)
    if found is INVALID:
        return INVALID
    if name == "path" and isinstance(found, str) and found.strip():
        return str(found)
    if name == "folds" and isinstance(found, tuple):
        folds = tuple(filter(None, map(_fold, found)))
        if len(folds) == len(found) <= MAX_FOLDS:
            return folds
    if name in ("width", "height") and _is_side(found):
        return round(float(found), _DIGITS)
    message = f"stock.{name}: {formula.text} is {quoted(found)}"
    evaluation.refuse(formula.span, "GP213", message, _INSTEAD[name], component)
    return INVALID


def _fold(found: Any) -> Fold | None:
    """[[x, y], [x, y]] as a fold; None for what is none."""
    if not isinstance(found, tuple) or len(found) != 2:
        return None
    ends = [
        Point(round(float(end[0]), _DIGITS), round(float(end[1]), _DIGITS))
        for end in found
        if isinstance(end, tuple) and len(end) == 2 and all(map(_is_place, end))
    ]
    return Fold(*ends) if len(ends) == 2 else None


def _is_place(found: Any) -> bool:
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return number and -MOST <= found <= MOST


def _is_side(found: Any) -> bool:
    number = isinstance(found, int | float) and not isinstance(found, bool)
    return number and LEAST <= found <= MOST
