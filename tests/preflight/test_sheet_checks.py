"""Pages of other sizes, boxes and pieces than they should have are told of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from export.hand_made import BLUE, face, place, sheet, write
from msgspec.structs import replace
from preflight.laid import LEAF, TENT, WALL, Laid
from preflight.tampering import found, messages, tamper, tell

from generator.geometry import Point, Rect, Size
from generator.model.catalogue import Fold, Shape, Stock
from generator.model.pack import Backs, Layout
from generator.outlines import flattened
from generator.preflight.checking import Subject
from generator.preflight.sheet_checks import as_defined

FULL = [0, 0, 595.2756, 841.8898]


def scaled(box: str, factor: float) -> Callable[[pikepdf.Pdf], None]:
    def change(pdf: pikepdf.Pdf) -> None:
        values = [round(v * factor, 3) for v in FULL]
        pdf.pages[1].obj[box] = pikepdf.Array(values)

    return change


def put(name: str, value: object) -> Callable[[pikepdf.Pdf], None]:
    return lambda pdf: pdf.pages[0].obj.__setitem__(name, value)


# GP801


@pytest.mark.parametrize("box", ["/MediaBox", "/CropBox"])
def test_a_page_at_97_percent_is_not_its_paper(duplex: Path, box: str) -> None:
    tamper(duplex, scaled(box, 0.97))
    assert ("GP801", 2) in found(duplex)


def test_a_page_in_other_units_is_not_its_paper(duplex: Path) -> None:
    tamper(duplex, put("/UserUnit", 2))
    assert ("GP801", 1) in found(duplex)
    assert "420.00 × 594.00 mm" in messages(duplex)


def test_a_page_that_a_viewer_turns_is_told_of(duplex: Path) -> None:
    tamper(duplex, put("/Rotate", 90))
    assert found(duplex) == [("GP801", 1)]


def test_a_file_without_a_page_that_is_as_it_should_be_is_told_of(fronts: Path) -> None:
    tamper(fronts, put("/Rotate", 90))
    assert found(fronts) == [("GP801", 1)]


def test_letter_is_not_a4(duplex: Path) -> None:
    tell(duplex, lambda file: file["pages"][0].update(width_mm=215.9, height_mm=279.4))
    assert ("GP801", 1) in found(duplex)


# GP802


@pytest.mark.parametrize("name", ["/TrimBox", "/BleedBox"])
def test_a_missing_box_is_told_of(duplex: Path, name: str) -> None:
    tamper(duplex, lambda pdf: pdf.pages[0].obj.__delitem__(name))
    assert found(duplex) == [("GP802", 1)]


def test_boxes_must_be_nested(duplex: Path) -> None:
    tamper(duplex, put("/BleedBox", pikepdf.Array([100, 100, 200, 200])))
    assert "the TrimBox reaches out of the BleedBox" in messages(duplex)
    tamper(duplex, put("/BleedBox", pikepdf.Array([-9, 0, 600, 850])))
    assert "the BleedBox reaches out of the page" in messages(duplex)


def test_a_trim_box_must_hug_the_pieces(duplex: Path) -> None:
    tamper(duplex, put("/TrimBox", pikepdf.Array([60, 224, 490, 785])))
    assert found(duplex) == [("GP802", 1)]


def test_a_bleed_box_must_hug_the_art(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.pages[0].obj.__setitem__("/BleedBox", pdf.pages[0].mediabox))
    assert found(duplex) == [("GP802", 1)]
    assert "the BleedBox is not the box around the art of the pieces" in messages(duplex)


def test_boxes_are_checked_without_a_manifest(duplex: Path) -> None:
    (duplex.parent / "manifest.json").unlink()
    tamper_alone = pikepdf.open(duplex, allow_overwriting_input=True)
    with tamper_alone as pdf:
        del pdf.pages[1].obj["/TrimBox"]
        pdf.save(duplex)
    assert found(duplex) == [("GP802", 2)]


# GP803


def test_two_pieces_on_one_place_are_told_of(tmp_path: Path) -> None:
    pieces = [place(face("a"), 20, 20), place(face("b", ground=BLUE), 82.9, 20)]
    path = write(tmp_path, [sheet(pieces)], backs=Backs.NONE)
    assert found(path) == [("GP803", 1)]
    assert "overlap by 0.10 mm" in messages(path)


def test_bleed_over_a_neighbour_is_told_of_and_a_clip_prevents_it(tmp_path: Path) -> None:
    left, right = face("a"), face("b", ground=BLUE)
    bleeding = [place(left, 20, 20), place(right, 83, 20)]
    path = write(tmp_path / "1", [sheet(bleeding)], backs=Backs.NONE)
    assert found(path) == [("GP803", 1)]
    assert "bleed" in messages(path)
    clipped = [
        place(left, 20, 20, clip=Rect(17, 17, 66, 94)),
        place(right, 83, 20, clip=Rect(83, 17, 66, 94)),
    ]
    assert found(write(tmp_path / "2", [sheet(clipped)], backs=Backs.NONE)) == []


def test_a_piece_that_leaves_the_page_is_told_of(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([place(face("a"), 150, 20)])], backs=Backs.NONE)
    assert found(path) == [("GP803", 1), ("GP812", 1)]


def test_hexagons_may_nest_but_not_overlap(tmp_path: Path) -> None:
    hexagon = Stock("tile", Size(40, 34.641), bleed=0, shape=Shape.HEXAGON)
    a, b = face("a", stock=hexagon), face("b", stock=hexagon, ground=BLUE)
    nested = [place(a, 20, 20), place(b, 50, 20 + 34.641 / 2)]
    assert found(write(tmp_path / "1", [sheet(nested)], backs=Backs.NONE)) == []
    closer = [place(a, 20, 20), place(b, 49.5, 20 + 34.641 / 2)]
    path = write(tmp_path / "2", [sheet(closer)], backs=Backs.NONE)
    assert found(path) == [("GP803", 1)]


# GP815


NOTCHED = Stock("flag", Size(50, 40), bleed=2, shape=Shape.PATH, path="M0 0 H50 L40 20 L50 40 H0 Z")


@pytest.mark.parametrize(
    ("stock", "changes", "words"),
    [
        (LEAF, {}, ""),
        (LEAF, {"trim": Size(120, 90)}, "another size than its stock, leaf"),
        (LEAF, {"trim": Size(90, 120.1)}, "another size"),
        (LEAF, {"shape": Shape.ROUNDED}, "another shape"),
        (NOTCHED, {}, ""),
        (NOTCHED, {"path": "M0 0 H50 L42 20 L50 40 H0 Z"}, "another outline"),
    ],
)
def test_pieces_are_as_their_stocks_are(
    tmp_path: Path, stock: Stock, changes: dict[str, Any], words: str
) -> None:
    laid, nothing = Laid(tmp_path, Layout.NUP, stock, 2), None
    expected, matched = laid.matched(laid.sheets)
    expected = replace(expected, stocks={"card": replace(stock, **changes)})
    [match] = matched
    cut = tuple(
        replace(piece, contour=tuple(p.moved(piece.x, piece.y) for p in flattened(stock.path)))
        for piece in match.expected.placements
    )
    matched = (replace(match, expected=replace(match.expected, placements=cut)),)
    subject = Subject("", nothing, nothing, "", (), expected, matched)  # type: ignore[arg-type]
    told = [finding.message for finding in as_defined(subject)]
    assert [words in each for each in told] == [True] * bool(words)


def test_pages_of_posters_repeat_what_the_pack_has(tmp_path: Path) -> None:
    laid, nothing = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE), None
    expected, matched = laid.matched(laid.sheets)
    for overlap, words in (
        (10.0, []),
        (12.0, ["pages repeat 10 mm of each other, pack.yaml has 12"]),
    ):
        known = replace(expected, overlap=overlap)
        subject = Subject("", nothing, nothing, "", (), known, matched)  # type: ignore[arg-type]
        assert [finding.message for finding in as_defined(subject)] == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": 90.1}, "another size or shape than copy 1 of it"),
        ({"shape": Shape.ROUNDED}, "another size or shape"),
        ({"bleed": 2.5}, "another bleed"),
        ({"folds": (Fold(Point(0, 51), Point(80, 51)),)}, "other folds"),
    ],
)
def test_a_copy_that_is_cut_otherwise(tmp_path: Path, change: Any, words: str) -> None:
    laid = Laid(tmp_path, Layout.NUP, TENT, 1, copies=2)
    assert laid.told() == []
    first, second = laid.sheets[0].placements
    of_placement = {name: value for name, value in change.items() if hasattr(second, name)}
    stock = {name: value for name, value in change.items() if name not in of_placement}
    other = replace(second.face, stock=replace(second.face.stock, **stock))
    changed = replace(second, face=other, **of_placement)
    [told, *_] = [
        said
        for said in laid.told([replace(laid.sheets[0], placements=(first, changed))])
        if "copy 1 of it" in said
    ]
    assert words in told
