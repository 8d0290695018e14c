from decimal import Decimal
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import BLUE, Rect, face, place, sheet, write
from preflight.tampering import codes, found, messages, rewrite, tamper, tell

from generator.geometry import Size
from generator.model.pack import Backs
from generator.model.stock import Shape, Stock

FULL = [0, 0, Decimal("595.2756"), Decimal("841.8898")]


def scaled(box: str, factor: float) -> object:
    def change(pdf: pikepdf.Pdf) -> None:
        values = [Decimal(str(round(float(v) * factor, 3))) for v in FULL]
        pdf.pages[1].obj[box] = pikepdf.Array(values)

    return change


def put(name: str, value: object) -> object:
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
