import re
from pathlib import Path

import pikepdf
import pytest
from preflight.tampering import codes, found, messages, rewrite, tamper, tell

FIRST = re.compile(r"q 1 0 0 1 (\S+) (\S+) cm /(\S+) Do Q\n")


def moved(content: str, right_mm: float) -> str:
    """The content with its first face moved."""
    match = FIRST.search(content)
    assert match
    x = float(match[1]) + right_mm * 72 / 25.4
    return content.replace(match[0], f"q 1 0 0 1 {x:.4f} {match[2]} cm /{match[3]} Do Q\n", 1)


def test_a_file_that_has_changed_is_told_of(duplex: Path) -> None:
    with pikepdf.open(duplex, allow_overwriting_input=True) as pdf:
        pdf.docinfo["/Title"] = "Another"
        pdf.save(duplex)
    assert found(duplex) == [("GP806", 1)]


@pytest.mark.parametrize("by", [0.1, -0.1, 0.03, 5])
def test_a_face_out_of_its_place_is_told_of(fronts: Path, by: float) -> None:
    rewrite(fronts, 0, lambda content: moved(content, by))
    assert found(fronts) == [("GP806", 1)]
    assert f"'card-0', copy 1 is {abs(by):.2f} mm away" in messages(fronts)


def test_a_face_within_the_tolerance_is_not(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: moved(content, 0.01))
    assert found(fronts) == []


def test_a_face_that_is_not_drawn_is_told_of(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: FIRST.sub("", content, count=1))
    assert codes(fronts) == {"GP806"}
    assert "3 faces are drawn, the manifest lists 4" in messages(fronts)
    assert "'card-0', copy 1 is not drawn" in messages(fronts)


def test_a_face_drawn_twice_is_told_of(fronts: Path) -> None:
    rewrite(fronts, 0, lambda content: FIRST.sub(lambda m: 2 * m[0], content, count=1))
    assert codes(fronts) == {"GP806"}
    assert "not in the manifest" in messages(fronts)


def test_the_wrong_face_in_the_right_place_is_told_of(fronts: Path) -> None:
    def swap(content: str) -> str:
        one, other = FIRST.findall(content)[:2]
        return content.replace(
            f"{one[0]} {one[1]} cm /{one[2]}", f"{one[0]} {one[1]} cm /{other[2]}"
        )

    rewrite(fronts, 0, swap)
    assert codes(fronts) == {"GP806"}


def test_a_turned_face_is_told_of(fronts: Path) -> None:
    rewrite(
        fronts,
        0,
        lambda s: s.replace("q 1 0 0 1 48.189 527.2441", "q -1 0 0 -1 243.7795 793.7008", 1),
    )
    assert found(fronts) == [("GP806", 1)]
    assert "turned by 180.0°, not by 0°" in messages(fronts)


def test_a_face_at_another_scale_is_told_of(fronts: Path) -> None:
    def shrink(s: str) -> str:
        return s.replace("q 1 0 0 1 48.189 527.2441", "q 0.97 0 0 0.97 51.1228 531.241", 1)

    rewrite(fronts, 0, shrink)
    assert ("GP806", 1) in found(fronts)
    assert "97.00 %" in messages(fronts)


def test_a_mirrored_face_is_told_of(fronts: Path) -> None:
    rewrite(
        fronts,
        0,
        lambda s: s.replace("q 1 0 0 1 48.189 527.2441", "q -1 0 0 1 243.7795 527.2441", 1),
    )
    assert codes(fronts) == {"GP806"}


def test_a_page_too_few_or_too_many_is_told_of(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.pages.append(pdf.pages[0]))
    assert "the file has 3 pages, the manifest 2" in messages(duplex)


def test_a_missing_page_is_told_of(duplex: Path) -> None:
    tamper(duplex, lambda pdf: pdf.pages.__delitem__(1))
    assert ("GP806", 1) in found(duplex)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"w_mm": 60, "x_mm": 21.5}, "an even bleed"),
        ({"bleed_mm": 4}, "has 3.00 mm of bleed, not 4 mm"),
        ({"sha256": "0" * 64}, "is not drawn"),
    ],
)
def test_a_manifest_that_promises_more_is_told_of(
    fronts: Path, change: dict[str, object], message: str
) -> None:
    tell(fronts, lambda file: file["pages"][0]["placements"][0].update(change))
    assert "GP806" in codes(fronts)
    assert message in messages(fronts)


PATCH = "q 1 1 1 rg 60 600 100 80 re f Q"
STAMP = "BT /F1+0 60 Tf 100 400 Td (TRIAL) Tj ET"
PIXEL = "q 40 0 0 40 100 650 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"


@pytest.mark.parametrize(
    ("drawn", "what"), [(PATCH, "a shape"), (STAMP, "text"), (PIXEL, "a picture")]
)
def test_what_is_put_over_the_page_is_told_of(fronts: Path, drawn: str, what: str) -> None:
    rewrite(fronts, 0, lambda content: f"{content}\n{drawn}\n")
    assert ("GP806", 1) in found(fronts)
    assert f"{what} is put on the page that is neither a face nor a mark" in messages(fronts)


def test_faces_seen_through_an_effect_are_told_of(fronts: Path) -> None:
    def fade(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        states = {"/Thin": pikepdf.Dictionary(LW=1), "/Pale": pikepdf.Dictionary(ca=0.3)}
        page.Resources.ExtGState = pikepdf.Dictionary(states)
        page.Contents.write(b"/Thin gs /Pale gs\n" + page.Contents.read_bytes())

    tamper(fronts, fade)
    assert ("GP806", 1) in found(fronts)
    assert "transparency" in messages(fronts)


def test_a_page_behind_another_clip_is_told_of(fronts: Path) -> None:
    window = "q 0 0 20 842 re W n "
    rewrite(fronts, 0, lambda s: f"{window}{FIRST.search(s)[0]}Q\n{FIRST.sub('', s, count=1)}")  # type: ignore[index]
    assert ("GP806", 1) in found(fronts)
    assert "is cut to another part of it" in messages(fronts)
