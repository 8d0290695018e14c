"""Backs that are not behind their fronts, and folds that are elsewhere, are told of."""

import re
from pathlib import Path

import pytest
from export.hand_made import face, place, sheet, write
from msgspec.structs import replace
from pikepdf import Name
from preflight.tampering import codes, found, messages, rewrite, tamper, tell

from generator.model.face import Side

PLACE = re.compile(r"q 1 0 0 1 (\S+) (\S+) cm /(\S+) Do Q\n")


def shift_back(file: dict, **by: float) -> None:
    """Move the first back, in the manifest only."""
    placement = file["pages"][1]["placements"][0]
    for key, value in by.items():
        placement[key] += value


def move_back(content: str, mm: float) -> str:
    match = PLACE.search(content)
    assert match
    x = float(match[1]) + mm * 72 / 25.4
    return content.replace(f"q 1 0 0 1 {match[1]}", f"q 1 0 0 1 {x:.4f}", 1)


def test_a_back_that_has_moved_is_told_of_though_the_manifest_agrees(duplex: Path) -> None:
    rewrite(duplex, 1, lambda content: move_back(content, 0.1))
    tell(duplex, lambda file: shift_back(file, x_mm=0.1))
    assert ("GP807", 2) in found(duplex)
    assert "+0.10 mm to the right and +0.00 mm down" in messages(duplex)


def test_it_is_the_file_that_counts_not_the_manifest(duplex: Path) -> None:
    rewrite(duplex, 1, lambda content: move_back(content, 0.1))
    assert {"GP806", "GP807"} == codes(duplex)


def test_swapped_backs_are_told_of(duplex: Path) -> None:
    def swap(file: dict) -> None:
        one, other = file["pages"][1]["placements"][:2]
        for key in ("x_mm", "y_mm"):
            one[key], other[key] = other[key], one[key]

    def swap_drawn(content: str) -> str:
        one, other = (match[2] for match in PLACE.findall(content)[:2])
        return content.replace(one, "X").replace(other, one).replace("X", other)

    tell(duplex, swap)
    rewrite(duplex, 1, swap_drawn)
    assert codes(duplex) == {"GP807"}
    assert "(and 1 more of it)" in messages(duplex)


def test_a_strangers_back_is_told_of(duplex: Path) -> None:
    tell(duplex, lambda file: file["pages"][1]["placements"][0].update(component="card-9"))
    assert "behind the front of 'card-0', copy 1 lies the back of 'card-9'" in messages(duplex)
    assert "the back of 'card-9', copy 1 has no front" in messages(duplex)


def test_a_hint_for_the_other_edge_is_told_of(duplex: Path) -> None:
    tamper(
        duplex,
        lambda pdf: pdf.Root.ViewerPreferences.__setitem__("/Duplex", Name.DuplexFlipShortEdge),
    )
    assert codes(duplex) == {"GP807"}
    assert "tells the printer duplex-short, but it is laid out for duplex-long" in messages(duplex)
    assert len(found(duplex)) > 1


def test_fronts_alone_must_not_be_printed_on_both_sides(fronts: Path) -> None:
    tamper(
        fronts,
        lambda pdf: pdf.Root.ViewerPreferences.__setitem__("/Duplex", Name.DuplexFlipLongEdge),
    )
    assert found(fronts) == [("GP807", 1)]
    assert "fronts only" in messages(fronts)


def test_no_hint_at_all_is_told_of(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.Root.ViewerPreferences.__delitem__("/Duplex"))
    assert found(duplex) == [("GP807", 1)]


def test_a_back_upside_down_is_told_of(turned: Path) -> None:
    tell(turned, lambda file: file["pages"][1]["placements"][0].update(rotation=270))
    assert {"GP806", "GP807"} >= codes(turned)
    middle = "q 0 1 -1 0 "

    def turn(content: str) -> str:
        a4_long = 841.8898
        match = re.search(r"q 0 -1 1 0 (\S+) (\S+) cm", content)
        assert match
        width, height = 94 * 72 / 25.4, 69 * 72 / 25.4
        x, y = float(match[1]) + width, float(match[2]) - height
        assert x < a4_long
        return content.replace(match[0], f"{middle}{x:.4f} {y:.4f} cm")

    rewrite(turned, 1, turn)
    assert found(turned) == [("GP807", 2)]
    assert "turned by 180°" in messages(turned).replace("-", "")


def test_pages_of_a_booklet_back_each_other_at_the_same_place(tmp_path: Path) -> None:
    def spread(off: float, folder: str) -> Path:
        behind = [
            replace(place(face("p2"), 20, 20 + off), side=Side.BACK),
            replace(place(face("p3"), 127, 20), side=Side.BACK),
        ]
        sheets = [
            sheet([place(face("p4"), 20, 20), place(face("p1"), 127, 20)]),
            sheet(behind, side=Side.BACK),
        ]
        return write(tmp_path / folder, sheets)

    assert found(spread(0, "good")) == []
    assert found(spread(0.1, "bad")) == [("GP807", 2)]


def test_a_front_without_a_back_is_fine_if_its_kind_has_none(tmp_path: Path) -> None:
    two = [place(face("a"), 20, 20), place(face("only-front"), 20, 130)]
    back = place(face("a", name="back"), 210 - 20 - 63, 20)
    path = write(tmp_path, [sheet(two), sheet([back], side=Side.BACK)])
    assert found(path) == []


def test_a_copy_whose_back_is_missing_is_told_of(tmp_path: Path) -> None:
    two = [place(face("a"), 20, 20), place(face("a"), 20, 130, copy=2)]
    back = place(face("a", name="back"), 210 - 20 - 63, 20)
    path = write(tmp_path, [sheet(two), sheet([back], side=Side.BACK)])
    assert found(path) == [("GP807", 1), ("GP854", 1)]
    assert "copy 2 has no back behind it" in messages(path)


def test_a_printer_profile_is_taken_into_account(tmp_path: Path) -> None:
    """The printer puts backs 0.5 mm to the right; they are laid out as much to the left."""
    back = place(face("a", name="back"), 210 - 20 - 63 - 0.5, 20)
    path = write(tmp_path, [sheet([place(face("a"), 20, 20)]), sheet([back], side=Side.BACK)])
    assert found(path) == [("GP807", 2)]
    tell(path, lambda file: file["printer"].update(back_mm=[0.5, 0]))
    assert found(path) == []
    tell(path, lambda file: file["printer"].update(back_mm=[-0.5, 0]))
    assert found(path) == [("GP807", 2)]


def test_a_fold_line_that_has_moved_is_told_of(folded: Path) -> None:
    rewrite(folded, 0, lambda content: content.replace("297.6378", "297.9213"))
    assert [code for code, _ in found(folded)] == ["GP807"]
    assert "-0.20 mm to the right" in messages(folded)


def test_a_fold_line_that_is_gone_is_told_of(folded: Path) -> None:
    rewrite(folded, 0, lambda content: content.replace("/OC /FOLD BDC", "/Span <<>> BDC"))
    assert set(found(folded)) == {("GP806", 1), ("GP807", 1)}
    assert "no fold line" in messages(folded)


def test_a_folded_back_that_has_moved_is_told_of(folded: Path) -> None:
    def move(file: dict) -> None:
        file["pages"][0]["placements"][2]["y_mm"] += 0.1

    tell(folded, move)
    assert codes(folded) == {"GP806"}, "the drawing is still in its place"


@pytest.mark.parametrize("kind", ["duplex", "turned"])
def test_sheets_in_the_wrong_order_are_told_of(request: pytest.FixtureRequest, kind: str) -> None:
    path: Path = request.getfixturevalue(kind)
    tamper(path, lambda pdf: pdf.pages.reverse())
    assert "GP806" in codes(path)
