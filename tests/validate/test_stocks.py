"""Stocks that are worked out for each component."""

from __future__ import annotations

from validate.projects import FIXTURES, check

from generator.diagnostics import Span
from generator.geometry import Size
from generator.load.documents import parse
from generator.model.pack import Component, Pack
from generator.model.source import Document
from generator.model.stock import Shape, Stock
from generator.validate import read_catalogue

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


def test_a_fault_is_told_once_and_names_one_of_those_that_have_it() -> None:
    said = check(FIXTURES / "wrong-stock").diagnostics
    width = next(d for d in said if d.message.startswith("stock.width"))
    assert width.message == "stock.width: wide is 0 (for piece none and 1 more)"
    assert "pieces.yaml:3:5" in width.hint


def test_a_paper_too_small_for_labels_of_others_is_told_itself() -> None:
    sheet = "{title: L, paper: leaf, label: [90mm, 40mm], columns: 1, rows: 1, first: [0mm, 0mm], "
    texts = (
        "papers:\n  leaf: {title: Leaf, size: [100mm, 100mm]}\n",
        "papers:\n  leaf: {title: Leaf, size: [50mm, 50mm]}\n",
        f"label_sheets:\n  mine: {sheet}pitch: [90mm, 40mm]}}\n",
    )
    read = [(f"{n}.yaml", parse(text, f"{n}.yaml")[0]) for n, text in enumerate(texts)]
    documents = [Document(name, root) for name, root in read if root is not None]
    [fault] = read_catalogue(documents).diagnostics
    assert (fault.code, fault.span) == ("GP213", Span("1.yaml", 2, 9))
    [fault] = read_catalogue(documents[1:]).diagnostics
    assert (fault.code, fault.span) == ("GP213", Span("2.yaml", 2, 9))
