"""docs/printing.md says what the code does, and the shipped stocks, papers and labels are sound."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from generator.geometry import format_mm
from generator.impose.labels import corner
from generator.impose.nested import best_nest
from generator.impose.page_layout import (
    LEAST_BLEED,
    RULERS,
    best_folded_grid,
    best_grid,
)
from generator.impose.poster import MOST_PAGES
from generator.load import read_document
from generator.model.catalogue import Catalogue, Shape
from generator.model.face import PdfLayer
from generator.model.pack import DEFAULT_OVERLAP, Backs, Layout
from generator.validate import read_catalogue
from generator.validate.definition_files import PRINT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/printing.md").read_text("utf-8")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    documents = []
    for name in ("stocks", "papers", "label_sheets"):
        path = ROOT / f"cards/shared/{name}.yaml"
        first = path.read_text("utf-8").splitlines()[0]
        assert first == f"# yaml-language-server: $schema=schemas/{name}.schema.json"
        read = read_document(path, f"cards/shared/{name}.yaml")
        assert read.value is not None
        assert read.diagnostics == ()
        documents.append(read.value)
    outcome = read_catalogue(documents)
    assert outcome.diagnostics == ()
    return outcome.value


def table(*head: str) -> list[list[str]]:
    """Return the rows of the table whose head begins with these cells."""
    match = re.search(
        rf"^\| {' [|] '.join(head)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE
    )
    assert match, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in match[1].splitlines()]


def size(width: float, height: float) -> str:
    return f"{format_mm(width)} × {format_mm(height)} mm"


def test_every_paper_is_listed(catalogue: Catalogue) -> None:
    rows = re.search(r"\| name \| paper \| size.*\n.*\n((?:\|.*\n)+)", PAGE)
    assert rows
    listed = [[c.strip() for c in line.strip("|").split("|")] for line in rows[1].splitlines()]
    assert listed == [
        [p.name, p.title, size(p.size.width, p.size.height), f"{format_mm(p.margin)} mm"]
        for p in catalogue.papers.values()
    ]


def test_every_label_sheet_is_listed(catalogue: Catalogue) -> None:
    listed = {
        (paper, name)
        for paper, names in table("paper", "label sheets")
        for name in re.findall(r"`([\w-]+)`", names)
    }
    assert listed == {(sheet.paper, sheet.name) for sheet in catalogue.label_sheets.values()}


def test_how_many_fit(catalogue: Catalogue) -> None:
    a4, letter, photo = (catalogue.papers[n] for n in ("a4", "letter", "photo-4x6"))
    for name, *told in table("stock"):
        stock = catalogue.stocks[name]
        grids = [
            best_grid(stock, a4, None),
            best_grid(stock, a4, 0),
            best_grid(stock, letter, None),
            best_grid(stock, letter, 0),
            best_grid(stock, photo, None),
            best_folded_grid(stock, a4, None),
            best_folded_grid(stock, letter, None),
        ]
        assert (name, told) == (name, [str(g.count) if g else "–" for g in grids])


def test_how_many_hexagons_fit(catalogue: Catalogue) -> None:
    for name, *told in table("hexagon"):
        stock = catalogue.stocks[name]
        assert stock.shape is Shape.HEXAGON
        found = [
            nest
            for paper in (catalogue.papers["a4"], catalogue.papers["letter"])
            for nest in (best_grid(stock, paper, 0), best_nest(stock, paper, 0))
        ]
        assert told == [str(nest.count) if nest else "–" for nest in found]


def test_figures_of_posters() -> None:
    overlap = PRINT["overlap"]
    assert overlap.min is not None
    assert overlap.max is not None
    assert f"at most {MOST_PAGES}" in PAGE
    assert f"({DEFAULT_OVERLAP:g} mm by default, {overlap.min:g} to {overlap.max:g} mm)" in PAGE


def test_figures() -> None:
    assert f"(at least {format_mm(LEAST_BLEED)} mm)" in PAGE
    for mm, inches in RULERS:
        assert f"{mm} mm and {inches} in" in PAGE


def test_every_layout_way_of_backing_and_layer_is_explained() -> None:
    assert [row[0].strip("`") for row in table("layout")] == list(Layout)
    assert [row[0] for row in table("backs")] == list(Backs)
    assert {row[0] for row in table("layer")} == set(PdfLayer)


def test_every_stock_is_described_and_fits_a_shipped_paper(catalogue: Catalogue) -> None:
    for stock in catalogue.stocks.values():
        assert stock.description
        assert any(best_grid(stock, paper, None) for paper in catalogue.papers.values())


def test_hexagons_are_regular(catalogue: Catalogue) -> None:
    hexagons = [s for s in catalogue.stocks.values() if s.shape is Shape.HEXAGON]
    assert len(hexagons) >= 5
    for stock in hexagons:
        long, short = sorted((stock.trim.width, stock.trim.height), reverse=True)
        assert short / long == pytest.approx(math.sqrt(3) / 2, abs=1e-3)


def test_common_sizes_are_there(catalogue: Catalogue) -> None:
    assert {"poker", "bridge", "tarot", "mini", "euro-poker", "square-card-70"} <= set(
        catalogue.stocks
    )
    assert {"die-sticker-16", "standee-folded", "circle-25", "hex-25"} <= set(catalogue.stocks)


def test_labels_stand_inside_their_paper_and_apart(catalogue: Catalogue) -> None:
    for sheet in catalogue.label_sheets.values():
        paper = catalogue.papers[sheet.paper]
        last = corner(sheet, sheet.columns * sheet.rows - 1)
        right, bottom = last.x + sheet.label.width, last.y + sheet.label.height
        assert right <= paper.size.width + 1e-6
        assert bottom <= paper.size.height + 1e-6
        # Makers roughly centre their labels, so a swapped digit shows up here.
        assert paper.size.width - right == pytest.approx(sheet.first.x, abs=3)
        assert paper.size.height - bottom == pytest.approx(sheet.first.y, abs=3)
