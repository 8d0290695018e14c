"""Pages of posters as imposition lays them out are in order; those laid out wrong are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from preflight.laid import WALL, Laid, marked

from generator.geometry import Point
from generator.model.face import LineMark, PdfLayer, TextMark
from generator.model.pack import Backs, Layout
from generator.preflight.sheet_checks import odd_poster


def test_pages_of_a_poster_meet_and_are_named(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE)
    assert len(laid.sheets) > 3
    assert laid.told() == []
    assert any("is not named A1" in each for each in laid.told(marked(laid.sheets, renamed)))
    wrong = laid.told(marked(laid.sheets, named_on_top))
    assert wrong == ["C9 is to be glued on top of A1, where A2 comes"]
    [first, *others] = laid.sheets
    [placed] = first.placements
    assert placed.poster is not None
    shorter = replace(placed.poster, shown=replace(placed.poster.shown, width=80))
    gap = laid.told([replace(first, placements=(replace(placed, poster=shorter),)), *others])
    assert "mm between them" in gap[0]
    assert placed.clip is not None
    less = replace(placed, clip=replace(placed.clip, width=placed.clip.width - 4))
    told = laid.told([replace(first, placements=(less,)), *others])
    assert told == ["the front of 'p0', copy 1: two pages repeat 6.00 mm of each other, not 10 mm"]


def changed_where(layer: PdfLayer, start: Point, end: Point | None) -> Callable[[Any], Any]:
    """A line that begins there ends elsewhere, or is gone."""

    def change(mark: Any) -> Any:
        if not isinstance(mark, LineMark) or (mark.layer, mark.start) != (layer, start):
            return mark
        return None if end is None else replace(mark, end=end)

    return change


def test_marks_of_a_poster_are_worked_out_anew(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE)

    def odd(change: Callable[[Any], Any] = lambda mark: mark) -> list[str]:
        expected, matched = laid.matched(marked(laid.sheets, change))
        return [f"{o.code} {o.message}" for match in matched for o in odd_poster(match, expected)]

    assert odd() == []
    lines = [mark for mark in laid.sheets[0].marks if isinstance(mark, LineMark)]
    cut = next(mark for mark in lines if mark.layer is PdfLayer.CUT)
    assert "GP814" in odd(changed_where(cut.layer, cut.start, None))[0]
    turned = odd(changed_where(cut.layer, cut.start, cut.start.moved(3, 3)))
    assert "cut mark at its corner" in turned[0]
    guides = next(mark for mark in lines if mark.layer is PdfLayer.GUIDES)
    [lost] = odd(changed_where(guides.layer, guides.start, None))[:1]
    assert "no diamond is drawn at its corner" in lost
    words = [mark for mark in laid.sheets[0].marks if isinstance(mark, TextMark)]
    on_top = next(mark for mark in words if "on top here" in mark.text)
    assert (
        "is not on the strip"
        in odd(lambda m: replace(m, at=m.at.moved(-40, -40)) if m is on_top else m)[0]
    )
    assert (
        "pt small"
        in odd(lambda m: replace(m, size_pt=3) if getattr(m, "text", "") == "A1" else m)[0]
    )


def renamed(mark: Any) -> Any:
    return replace(mark, text="A9") if isinstance(mark, TextMark) and mark.text == "A1" else mark


def named_on_top(mark: Any) -> Any:
    if isinstance(mark, TextMark) and mark.text == "A2 goes on top here":
        return replace(mark, text="C9 goes on top here")
    return mark
