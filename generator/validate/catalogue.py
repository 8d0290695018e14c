"""Files of stocks, papers and label sheets in, the `Catalogue` out. Later files come first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.diagnostics import Outcome, Span, did_you_mean, in_order
from generator.geometry import Point, Size
from generator.model.source import Document
from generator.model.stock import (
    Catalogue,
    Edge,
    Fold,
    LabelSheet,
    Paper,
    PrinterProfile,
    Shape,
    Stock,
)
from generator.model.values import Record
from generator.validate.die_lines import path_fault
from generator.validate.roots import definition_reading, read_root
from generator.validate.shapes import LABEL_SHEETS, PAPERS, PROFILE, STOCKS
from generator.validate.types.base import Reading

_TOLERANCE: Final = 0.5  # mm: makers round their drawings


def read_catalogue(documents: Sequence[Document]) -> Outcome[Catalogue]:
    """All that the files define; a name that a later file defines again is replaced."""
    reading = definition_reading()
    stocks: dict[str, Stock] = {}
    papers: dict[str, Paper] = {}
    replaced: dict[str, tuple[Paper, Span]] = {}
    sheets: dict[str, tuple[LabelSheet, Record]] = {}
    for document in documents:
        values = read_root(document, {**STOCKS, **PAPERS, **LABEL_SHEETS}, reading)
        stocks |= make_stocks(values["stocks"] or {}, reading)
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
    return Outcome(Catalogue(stocks, papers, label_sheets), in_order(reading.faults))


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
    if sheet.paper in reading.broken:
        return
    if sheet.paper not in papers:
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
    if reach.fits_in(papers[sheet.paper].size, _TOLERANCE):
        return
    before, now = replaced.get(sheet.paper, (None, given.span))
    if before is not None and reach.fits_in(before.size, _TOLERANCE):
        message = f"papers.{sheet.paper}: smaller than the labels of {sheet.name}, which are on it"
        reading.fault(now, "GP213", message, "give your own paper another name")
    else:
        message = f"{path}: the labels reach to {right:.1f} × {bottom:.1f} mm, beyond the paper"
        reading.fault(given.span, "GP213", message, "measure first, pitch and label again")


def read_profile(document: Document) -> Outcome[PrinterProfile]:
    """Where a printer puts ink against where it was told to."""
    reading = definition_reading()
    reading.code = "GP605"
    values = read_root(document, PROFILE, reading)
    front, back = (Point(*(values[side] or (0.0, 0.0))) for side in ("front", "back"))
    profile = PrinterProfile(str(values["name"]), front, back, values["tolerance"])
    return Outcome(profile, in_order(reading.faults))
