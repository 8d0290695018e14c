import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import BLUE, Rect, face, place, sheet, write
from msgspec.structs import replace
from pikepdf import Name
from preflight.tampering import codes, found, messages, rewrite, tamper, tell

from generator.geometry import Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import Side
from generator.model.pack import Backs

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


# GP805


def test_a_ruler_of_another_length_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace("340.1575 19.84252 l", "331.6535 19.84252 l"))
    assert found(duplex) == [("GP805", 1)]
    assert "is 97.00 mm long, not 100 mm" in messages(duplex)


def test_a_ruler_that_is_gone_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s[: s.index("/OC /GUIDES")])
    assert found(duplex) == [("GP805", 1)]
    assert "missing" in messages(duplex)


def test_a_ruler_in_another_place_is_told_of(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace(" 19.84252", " 29.84252"))
    assert found(duplex) == [("GP805", 1)]
    assert "not where" in messages(duplex)


def test_rulers_are_measured_without_a_manifest(duplex: Path) -> None:
    rewrite(duplex, 1, lambda s: s.replace("340.1575", "331.6535").replace("344.6929", "336.05"))
    (duplex.parent / "manifest.json").unlink()
    assert found(duplex) == [("GP805", 2)]


def test_a_manifest_cannot_call_97_mm_100(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: s.replace("340.1575 19.84252 l", "331.6535 19.84252 l"))
    tell(duplex, lambda file: file["pages"][0].update(ruler_mm=[20, 290, 117, 290]))
    assert codes(duplex) == {"GP805"}


def test_a_whole_page_scaled_down_is_found_by_its_ruler_too(duplex: Path) -> None:
    rewrite(duplex, 0, lambda s: f"0.97 0 0 0.97 9 12 cm {s}")
    assert {"GP805", "GP806"} <= codes(duplex)
    assert "drawn at 97.00 % of its size" in messages(duplex)


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
