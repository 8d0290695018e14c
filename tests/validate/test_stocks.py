"""Stocks that components work out for themselves, and die lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from validate.projects import FIXTURES, PLAIN, check, laid, unpacked

from generator.diagnostics import Span
from generator.geometry import Size
from generator.load.documents import parse_yaml
from generator.model.catalogue import Shape, Stock
from generator.model.pack import Component, Pack
from generator.model.source import Document
from generator.validate import read_catalogue
from generator.validate.catalogue_files import MAX_LENGTH, path_fault

TRIM = Size(50, 40)


@pytest.mark.parametrize(
    "path",
    [
        "M0 0 H50 V40 H0 Z",
        "M0 0 h50 v40 z M10 10 L20 10 L20 20 Z",  # with a hole
        "M25 0 A25 20 0 0 1 25 40 A25 20 0 0 1 25 0 Z",
        "M0 20 C0 -6.6 50 -6.6 50 20 Q25 40 0 20 Z",  # handles reach out, the curve does not
        "M-0.005 0 H50.005 V40 Z",
    ],
)
def test_closed_outlines_inside_the_trim_are_right(path: str) -> None:
    assert path_fault(path, TRIM) is None


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("hello", "not SVG path data"),
        ("", "not SVG path data"),
        ("M0 0 L10", "cannot be read"),
        ("M0 0 A10 10 0 2 1 5 5 Z", "cannot be read"),
        ("M0 0 Z", "encloses nothing"),
        ("M0 0 H50 V40", "not closed"),
        ("M0 0 H50 V40 M0 0 H10 V10 Z", "not closed"),
        ("M0 0 H1e999 V40 Z", "too large for a sheet"),
        ("M0 0 H1e300 V40 Z", "too large for a sheet"),
        ("M0 0 H50.02 V40 Z", "beyond the trim"),
        ("M0 0 C0 -10 50 -10 50 0 V40 Z", "beyond the trim"),
        ("M0 0" + " H50" * MAX_LENGTH + " Z", "characters"),
    ],
)
def test_what_is_wrong_is_said(path: str, said: str) -> None:
    found = path_fault(path, TRIM)
    assert found is not None
    message, hint = found
    assert said in message
    assert hint


@given(st.text("MmZzLlHhVvCcSsQqTtAa0123456789eE+-., ", max_size=60))
def test_any_path_data_is_either_right_or_told(path: str) -> None:
    found = path_fault(f"M0 0 {path}", TRIM)
    assert found is None or all(found)


ROOT = FIXTURES / "worked-stock"


def stocks(pack: Pack, kind: str) -> dict[str, Stock]:
    found: tuple[Component, ...] = pack.components[kind]
    return {c.id: c.stock for c in found if c.stock is not None}


def test_sides_and_outline_are_worked_out_and_all_else_is_like_the_stock() -> None:
    pack = check(ROOT, players=3).pack
    like = pack.kinds["piece"].stock
    assert like is not None
    assert (like.trim, like.shape) == (Size(50, 40), Shape.ROUNDED)
    small, large = stocks(pack, "piece").values()
    assert (small.trim, large.trim) == (Size(60, 30), Size(152.4, 30))
    assert (small.shape, small.corner_radius) == (Shape.PATH, 0)
    assert small.path == "M0 0 H60.0 V20 Z"
    assert (small.name, small.bleed, small.safe, small.folds) == (
        *(like.name, like.bleed, like.safe, like.folds),
    )


def test_each_side_may_be_left_out_and_kinds_made_from_others_have_stocks_too() -> None:
    found = stocks(check(ROOT).pack, "lid")
    assert {id_: stock.trim for id_, stock in found.items()} == {
        "small": Size(32, 40),
        "large": Size(78.2, 40),
    }
    assert {stock.shape for stock in found.values()} == {Shape.ROUNDED}


def test_a_named_stock_is_that_of_every_component() -> None:
    pack = check(ROOT).pack
    assert set(stocks(pack, "tag").values()) == {pack.kinds["tag"].stock}


def test_a_kind_that_is_only_data_has_no_stock() -> None:
    pack = check(FIXTURES / "fine").pack
    data = [kind.name for kind in pack.kinds.values() if kind.stock is None]
    assert data
    assert all(c.stock is None for kind in data for c in pack.components[kind])


def test_a_fault_is_told_once_and_names_one_of_those_that_have_it(tmp_path: Path) -> None:
    said = check(unpacked("wrong-stock.txt", tmp_path)).diagnostics
    width = next(d for d in said if d.message.startswith("stock.width"))
    assert width.message == "stock.width: wide is 0 (for piece none and 1 more)"
    assert "pieces.yaml:3:5" in width.hint


def test_a_kind_does_not_miss_a_stock_that_is_wrong(tmp_path: Path) -> None:
    files = {
        "cards/demo/pack.yaml": "title: D\nstocks: {wide: {size: [90mm, 60mm], radius: 3mm}}\n",
        "cards/demo/kinds/card.yaml": "kind: card\nstock: wide\nfaces: {front: a.svg.j2}\n",
    }
    said = check(laid(PLAIN | files, tmp_path)).diagnostics
    assert "stocks.wide.radius: no such field" in [d.message for d in said]
    assert not [d for d in said if d.code == "GP602"]


def test_labels_must_fit_their_paper() -> None:
    sheet = "{title: L, paper: leaf, label: [90mm, 40mm], columns: 1, rows: 1, first: [0mm, 0mm], "
    texts = (
        "papers:\n  leaf: {title: Leaf, size: [50mm, 50mm]}\n",
        f"label_sheets:\n  mine: {sheet}pitch: [90mm, 40mm]}}\n",
    )
    read = [(f"{n}.yaml", parse_yaml(text, f"{n}.yaml")[0]) for n, text in enumerate(texts)]
    documents = [Document(name, root) for name, root in read if root is not None]
    [fault] = read_catalogue(documents).diagnostics
    assert (fault.code, fault.span) == ("GP213", Span("1.yaml", 2, 9))


def test_labels_lie_in_the_middle_of_their_sheets() -> None:
    """Die-cut sheets are symmetric, even if a table of measures says otherwise."""
    shared = Path(__file__).parents[2] / "cards/shared"
    paths = [shared / f"{name}.yaml" for name in ("stocks", "papers", "label_sheets")]
    read = [(str(path), parse_yaml(path.read_text("utf-8"), str(path))[0]) for path in paths]
    catalogue = read_catalogue([Document(name, root) for name, root in read if root]).value
    assert len(catalogue.label_sheets) > 10
    off = {}
    for sheet in catalogue.label_sheets.values():
        paper = catalogue.papers[sheet.paper].size
        width = 2 * sheet.first.x + (sheet.columns - 1) * sheet.pitch.width + sheet.label.width
        height = 2 * sheet.first.y + (sheet.rows - 1) * sheet.pitch.height + sheet.label.height
        off[sheet.name] = max(abs(width - paper.width), abs(height - paper.height)) / 2
    assert {name: by for name, by in off.items() if by > ROUNDED.get(name, 0.2)} == {}
    avery = catalogue.label_sheets["avery-5160"]
    assert (avery.pitch.width, avery.first.x) == (69.85, 4.7625)
    assert catalogue.label_sheets["l7651"].first.y == 10.7


ROUNDED = {"l4730": 1.3, "l4732": 0.4, "l4770": 0.7, "avery-6570": 0.9, "avery-5294": 1.4}
"""Sheets that are off by this many mm; no better measures were available."""


@pytest.mark.parametrize("size", ["63x88", "88 x 63.5", "63mm × 88mm"])
def test_a_size_in_place_of_a_stock_names_the_stocks_of_that_size(
    size: str, tmp_path: Path
) -> None:
    root = unpacked("unknown-stock-and-paper.txt", tmp_path)
    kind = root / "cards/demo/kinds/dragon.yaml"
    kind.write_text(kind.read_text("utf-8").replace("pokr", size), "utf-8")
    [said] = [found for found in check(root).diagnostics if found.code == "GP602"]
    assert said.hint.startswith("write the name of a stock: ")
    assert "poker (63.5 × 88.9 mm)" in said.hint
