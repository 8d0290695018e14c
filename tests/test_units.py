"""Holds that sums of floats are the same on every Python: `summed`, not the built-in sum."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import format_mm, mm_to_pt, parse_length, pt_to_mm, summed


@pytest.mark.parametrize(
    ("text", "mm"),
    [("63.5mm", 63.5), ("2.5in", 63.5), ("2.5 in", 63.5), ("7", 7), ("1cm", 10), ("72pt", 25.4)],
)
def test_lengths(text: str, mm: float) -> None:
    assert parse_length(text) == pytest.approx(mm)


@pytest.mark.parametrize("text", ["", "mm", "1.2.3mm", "3 ft", "1e3mm", "nan", "1_0mm"])
def test_not_lengths(text: str) -> None:
    with pytest.raises(ValueError, match="is not a length"):
        parse_length(text)


@given(st.floats(-1e4, 1e4))
def test_points_and_back(mm: float) -> None:
    assert pt_to_mm(mm_to_pt(mm)) == pytest.approx(mm, abs=1e-9)


@given(st.integers(-10_000_000, 10_000_000))
def test_formatted_millimetres_read_back(tenths_of_micrometres: int) -> None:
    mm = tenths_of_micrometres / 10_000
    assert parse_length(format_mm(mm)) == pytest.approx(mm, abs=1e-9)


PACKAGE = Path(__file__).parent.parent / "generator"
WHOLE_CALLS = ("bool", "int", "len", "ord")


def test_floats_are_added_one_after_the_other() -> None:
    tenths = [0.1] * 10
    assert summed(tenths) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 != 1
    assert summed([1e100, 1.0, -1e100]) == 0


def test_whole_numbers_stay_whole() -> None:
    assert repr(summed([1, 2])) == "3"
    assert repr(summed(())) == "0"


def is_whole(node: ast.expr) -> bool:
    """Whether a value is an int by its form alone, whatever the names in it stand for."""
    match node:
        case ast.Constant(value=int()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in WHOLE_CALLS
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return is_whole(left) and is_whole(right)
        case ast.BoolOp(values=values):
            return all(map(is_whole, values))
        case ast.IfExp(body=body, orelse=other):
            return is_whole(body) and is_whole(other)
    return False


def adds_whole(node: ast.AST) -> bool:
    """Whether it is a call of the built-in sum that adds up ints."""
    match node:
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=one)], keywords=[]):
            return is_whole(one)
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[ast.Call(func=ast.Name(id="map"), args=[ast.Name(id=name), *_])],
            keywords=[],
        ):
            return name in WHOLE_CALLS
    return False


def version_bound(source: str) -> list[int]:
    """The lines where something adds up floats in the way of the Python that runs it."""
    tree = ast.parse(source)
    fine = {
        id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and adds_whole(node)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if id(node) not in fine
        and (
            (isinstance(node, ast.Name) and node.id == "sum")
            or (isinstance(node, ast.Attribute) and node.attr == "sumprod")
        )
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("sum(1 for a in b)", []),
        ("sum(len(a) + 1 for a in b)", []),
        ("sum(a > b for a in c)", []),
        ("sum(map(len, a))", []),
        ("import math\nmath.fsum(a)", []),
        ("\nsum(a)", [2]),
        ("sum(a.width for a in b)", [1]),
        ("sum(len(a) / 2 for a in b)", [1]),
        ("sum((1 for a in b), 0.5)", [1]),
        ("map(sum, a)", [1]),
        ("import math\nmath.sumprod(a, b)", [2]),
    ],
)
def test_the_lint_tells_sums_of_whole_numbers_from_others(source: str, lines: list[int]) -> None:
    assert version_bound(source) == lines


def test_only_whole_numbers_go_into_the_built_in_sum() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}:{line}: use generator.geometry.summed"
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\b(sum|sumprod)\b", source := path.read_text("utf-8"))
        for line in version_bound(source)
    }
    assert sorted(found) == []
