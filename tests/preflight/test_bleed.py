import json
from pathlib import Path

import pytest
from export.hand_made import CARD, cut, die, face, place, ruler, sheet, text, write
from preflight.tampering import found, messages, tell

from generator.geometry import Rect, Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import Sheet
from generator.model.pack import Backs
from generator.preflight.cut_checks import _without_tips

INKED = '<rect x="{0}" y="{1}" width="{2}" height="{3}" fill="#446688"/>'


def page(body: str, ground: str = "#ffffff") -> list[Sheet]:
    return [sheet([place(face("card-1", body, ground=ground, stock=CARD), 20, 20)], ruler())]


def pressed(folder: Path, body: str, ground: str = "#ffffff") -> Path:
    return write(folder, page(body, ground), backs=Backs.NONE)


def codes(path: Path) -> list[str]:
    return [code for code, _ in found(path) if code in ("GP811", "GP813")]


def drift(path: Path, mm: float) -> None:
    tell(path, lambda file: file["printer"].update(tolerance_mm=mm))


def test_art_to_the_end_of_the_bleed_is_fine(tmp_path: Path) -> None:
    assert codes(pressed(tmp_path, INKED.format(-3, -3, 69, 94))) == []


def test_a_coarse_screen_goes_on_where_there_is_a_dot_further_out(tmp_path: Path) -> None:
    """Between two rows of which what is looked at before the end of the bleed happens to lie."""
    rows = [
        f'<path d="M-3.5 {1.8 * n - 3.2}h70" stroke="#446688" stroke-width="0.9"'
        ' stroke-dasharray="0.8 0.4"/>'
        for n in range(54)
    ]
    assert codes(pressed(tmp_path, "".join(rows))) == []


def test_a_turned_placement_is_measured_as_it_lies(tmp_path: Path) -> None:
    card = face("card-1", INKED.format(-3, -3, 69, 94), ground="#ffffff")
    path = write(tmp_path, [sheet([place(card, 20, 20, rotation=90)])], backs=Backs.NONE)
    assert codes(path) == []


@pytest.mark.parametrize(
    ("box", "reach"),
    [((-1, -3, 67, 94), "1.1"), ((-3, -3, 69, 92), "1.1"), ((0, 0, 63, 88), "0.0")],
)
def test_a_bleed_that_stops_short_is_told_of(
    tmp_path: Path, box: tuple[float, ...], reach: str
) -> None:
    path = pressed(tmp_path, INKED.format(*box))
    assert codes(path) == ["GP811"]
    assert f"stops {reach}" in messages(path)


def test_a_thinner_bleed_is_told_of_on_one_short_side_too(tmp_path: Path) -> None:
    assert codes(pressed(tmp_path, INKED.format(-3, -3, 69, 91.2))) == ["GP811"]


def test_a_white_edge_is_a_warning_unless_the_stock_says_so(tmp_path: Path) -> None:
    path = pressed(tmp_path, INKED.format(10, 10, 40, 40))
    assert "100 % of the edge is white paper" in messages(path)
    told = path.parent / "manifest.json"
    card = {"title": "", "why": "", "edge": "white", "quantities": {}, "components": {}}
    kinds = f'"kinds": {json.dumps({"card": card})}'
    told.write_text(told.read_text().replace('"kinds": {}', kinds), encoding="utf-8")
    assert codes(path) == []


def test_a_thin_border_is_told_of_when_the_printer_drifts(tmp_path: Path) -> None:
    path = pressed(tmp_path, INKED.format(1.5, 1.5, 60, 85), ground="#dd9922")
    assert codes(path) == []
    drift(path, 0.8)
    assert codes(path) == ["GP813"]
    assert "your drift is 0.8 mm, this 1.5 mm border will look uneven" in messages(path)


def test_a_wide_border_and_art_that_runs_over_the_cut_are_fine(tmp_path: Path) -> None:
    wide = pressed(tmp_path / "wide", INKED.format(4, 4, 55, 80), ground="#dd9922")
    over = pressed(tmp_path / "over", INKED.format(-3, 20, 69, 30), ground="#dd9922")
    for path in (wide, over):
        drift(path, 0.8)
        assert codes(path) == []


def test_words_and_cut_marks_are_not_mistaken_for_art(tmp_path: Path) -> None:
    card = face("card-1", text("Front"))
    path = write(tmp_path, [sheet([place(card, 20, 20)], (*ruler(), cut(20)))], backs=Backs.NONE)
    assert codes(path) == []


def test_a_piece_is_looked_at_on_each_side_on_which_a_copy_of_it_bleeds(tmp_path: Path) -> None:
    """Two that touch: the first shows no bleed at its right, and that of the other is missing."""
    card = face("card-1", INKED.format(-3, -3, 66, 94), ground="#ffffff")
    left = place(card, 20, 20, clip=Rect(17, 17, 66, 94))
    right = place(card, 83, 20, copy=2, clip=Rect(83, 17, 66, 94))
    path = write(tmp_path, [sheet([left])], backs=Backs.NONE)
    assert codes(path) == []
    path = write(tmp_path, [sheet([left, right])], backs=Backs.NONE)
    assert codes(path) == ["GP811"]


PENNANT = Stock("pennant", Size(50, 40), bleed=3, shape=Shape.PATH, path="M0 0H50L40 20L50 40H0Z")
BLOB = Stock("blob", Size(40, 40), bleed=3, shape=Shape.PATH, path="M0 0C20 0 40 20 40 40L0 40Z")


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("stock", "die_line"), [
    (PENNANT, "M20 30L70 30L60 50L70 70L20 70Z"),
    (BLOB, "M20 30C40 30 60 50 60 70L20 70Z"),
])  # fmt: skip
def test_a_free_outline_bleeds_too(tmp_path: Path, stock: Stock, die_line: str) -> None:
    def told(body: str, name: str) -> list[str]:
        piece = place(face("piece", body, stock=stock, ground="#ffffff"), 20, 30)
        return codes(write(tmp_path / name, [sheet([piece], (*ruler(), die(die_line)))],
                           backs=Backs.NONE, proven=True))  # fmt: skip

    assert told(INKED.format(-3, -3, 60, 60), "fine") == []
    assert told(f'<path d="{stock.path}" fill="#446688"/>', "bare") == ["GP811"]
    assert told(INKED.format(-3, 3, 60, 34) + INKED.format(-3, 39.3, 60, 4), "band") == []


def test_tips_that_end_at_the_cut_are_no_lack_of_bleed() -> None:
    row = [False] * 40 + [True] * 4 + [False] * 9 + [True] * 5
    assert sum(_without_tips(row)) == 5
    assert sum(_without_tips([True] * 3 + [False] * 30 + [True] * 2)) == 5, "the row is closed"
    assert not any(_without_tips([True] * 4 + [False] * 30))
