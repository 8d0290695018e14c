"""Cutting machines: contours where the PDF has its pieces, in files that other programs open."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import ezdxf
import pikepdf
import pytest
from outlets.helpers import change
from PIL import Image

from generator.cli import run

Export = Callable[..., tuple[int, str, str]]
MANY = """\
title: Mini
version: 1.0.0
stocks:
  euro: {size: [63mm, 88mm], shape: rounded, corner_radius: 3mm}
  chit: {size: [19mm, 19mm], shape: circle, safe: 2mm}
  odd: {size: [30mm, 45mm], shape: path, safe: 0mm,
        path: "M0 0 H30 V45 H0 Z M10 10 V20 H20 V10 Z",
        folds: [[[0mm, 30mm], [30mm, 30mm]]]}
prints:
  cards: {title: Cards, kinds: [card, odd], papers: [a4]}
  labels: {title: Labels, kinds: [chit], papers: [a4], layout: labels, labels: {a4: l7651}}
  stickers: {title: Stickers, kinds: [chit], papers: [a4]}
"""


@pytest.fixture
def folder(printable: Path, exported: Callable[..., str]) -> Path:
    """The folder for cutting machines."""
    (printable / "cards/mini/pack.yaml").write_text(MANY, encoding="utf-8")
    said = exported("--for", "cutter")
    assert "pack.yaml:11:11: warning[GP712]: Labels: not cut by a machine" in said
    return printable / "output/mini/cutter"


def svg(path: Path) -> dict[str, list[str]]:
    """The paths of each layer."""
    found = re.findall(r'inkscape:label="([^"]+)"[^>]*>\n(.*?)</g>', path.read_text("utf-8"), re.S)
    return {name: re.findall(r' d="([^"]+)"', body) for name, body in found}


def numbers(path: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?[\d.]+", path)]


def test_a_cutting_file_for_each_sheet_with_marks(folder: Path) -> None:
    made = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert [name for name in made if name.startswith("silhouette/")] == [
        "silhouette/cards-a4-1.dxf",
        "silhouette/cards-a4-1.svg",
        "silhouette/cards-a4.pdf",
        "silhouette/manifest.json",
        "silhouette/stickers-a4-1.dxf",
        "silhouette/stickers-a4-1.svg",
        "silhouette/stickers-a4.pdf",
    ]
    assert len(svg(folder / "silhouette/cards-a4-1.svg")["Regmarks"]) == 5
    assert len(svg(folder / "silhouette-4/cards-a4-1.svg")["Regmarks"]) == 8
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert sorted(file["file"] for file in listed["files"]) == [
        name for name in made if name != "manifest.json"
    ]


def test_contours_are_those_of_the_manifest_holes_first(folder: Path) -> None:
    found = svg(folder / "silhouette/cards-a4-1.svg")
    assert list(found) == ["Regmarks", "Crease", "Cut"]
    told = json.loads((folder / "silhouette/manifest.json").read_text("utf-8"))
    page = next(f for f in told["files"] if f["file"] == "cards-a4.pdf")["pages"][0]
    size = f'width="{page["width_mm"]:g}mm" height="{page["height_mm"]:g}mm"'
    assert size in (folder / "silhouette/cards-a4-1.svg").read_text("utf-8")
    odd = next(p for p in page["placements"] if p["kind"] == "odd")
    assert len(found["Crease"]) == 1
    hole, outline = [path for path in found["Cut"] if "C" not in path]
    around = numbers(outline)
    assert min(around[::2]) == pytest.approx(odd["x_mm"], abs=1e-3)
    assert max(around[1::2]) == pytest.approx(odd["y_mm"] + odd["h_mm"], abs=1e-3)
    inside = numbers(hole)
    assert max(inside[::2]) - min(inside[::2]) == pytest.approx(10, abs=1e-3)
    cards = [p for p in page["placements"] if p["kind"] == "card"]
    assert len(cards) == len(found["Cut"]) - 2


@pytest.mark.parametrize(
    ("file", "layers"),
    [
        ("silhouette/stickers-a4-1.svg", ["Regmarks", "Kiss cut"]),
        ("cricut/stickers-1.svg", ["Kiss cut"]),
        ("cricut/cards-1.svg", ["Cut"]),
    ],
)
def test_labels_and_sheets_of_stickers_are_cut_down_to_their_backing(
    file: str, layers: list[str], folder: Path
) -> None:
    assert list(svg(folder / file)) == layers


def test_full_sheets_of_stickers_are_too(printable: Path, export: Export) -> None:
    pack = re.sub("  (labels|cards):.*\n", "", MANY)
    (printable / "cards/mini/pack.yaml").write_text(pack, encoding="utf-8")
    paper = "kinds: [chit], papers: [a4]"
    change(printable / "cards/mini/pack.yaml", paper, f"{paper}, stickers: true")
    assert export("--for", "cutter")[0] == 0
    made = printable / "output/mini/cutter/silhouette/stickers-a4-1.svg"
    assert list(svg(made)) == ["Regmarks", "Kiss cut"]


def test_the_dxf_opens_and_is_the_same_upside_down(folder: Path) -> None:
    text = (folder / "silhouette/cards-a4-1.dxf").read_text("ascii")
    drawing = ezdxf.read(StringIO(text))  # type: ignore[attr-defined]
    assert drawing.dxfversion == "AC1009"
    lines: list[Any] = list(drawing.modelspace())
    assert {line.dxf.layer for line in lines} == {"CUT", "CREASE"}
    assert all(line.is_closed == (line.dxf.layer == "CUT") for line in lines)
    drawn = svg(folder / "silhouette/cards-a4-1.svg")
    assert len(lines) == len(drawn["Cut"]) + len(drawn["Crease"])
    with pikepdf.open(folder / "silhouette/cards-a4.pdf") as pdf:
        height = float(pdf.pages[0].mediabox[3]) * 25.4 / 72
    crease = next(line for line in lines if line.dxf.layer == "CREASE")
    ys = [height - vertex.dxf.location.y for vertex in crease.vertices]
    assert ys == pytest.approx(numbers(drawn["Crease"][0])[1::2], abs=1e-3)


def test_plotters_find_the_contours_as_a_spot_colour(folder: Path) -> None:
    with pikepdf.open(folder / "plotter/cards-a4.pdf") as pdf:
        front = pdf.pages[0].obj
        spaces = {str(space[1]) for space in front.Resources.ColorSpace.values()}
        assert spaces == {"/CutContour", "/Crease"}
        assert front.Resources.ExtGState.Overprinted.OP
        cuts = front.Contents.read_bytes().count(b"/CutContour CS")
        assert cuts == len(svg(folder / "silhouette/cards-a4-1.svg")["Cut"])
        assert b"CutContour" not in pdf.pages[1].obj.Contents.read_bytes()


def test_a_picture_of_a_sheet_is_clear_between_its_pieces(folder: Path) -> None:
    with Image.open(folder / "cricut/cards-1.png") as picture:
        assert picture.size == (2025, 2775)
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        alpha = picture.getchannel("A")
    cards = [path for path in svg(folder / "cricut/cards-1.svg")["Cut"] if "C" in path]
    assert cards
    for path in cards:
        points = [number * 300 / 25.4 for number in numbers(path)]
        left, right = round(min(points[::2])), round(max(points[::2]))
        top, middle = round(min(points[1::2])), round((min(points[1::2]) + max(points[1::2])) / 2)
        assert alpha.getpixel((left + 2, middle)) == 255
        assert alpha.getpixel((right - 3, middle)) == 255
        assert alpha.getpixel((left - 3, middle)) == 0
        assert alpha.getpixel((left + 2, top + 2)) == 0  # a round corner


def test_pieces_larger_than_the_picture_are_left_out(printable: Path, export: Export) -> None:
    (printable / "cards/shared").mkdir()
    own = printable / "cards/shared/cutters.yaml"
    own.write_text("cutters: {small: {title: Small, area: [70mm, 100mm]}, none: {title: None}}\n")
    assert "cutters.none: it needs marks: or area:" in export("--for", "cutter")[2]
    change(own, ", none: {title: None}", "")
    status, _, err = export("--for", "cutter")
    assert status == 0
    assert "warning[GP712]: Small takes no 'odd': it is larger than 70 × 100 mm" in err
    assert "Cricut print then cut takes no 'odd'" not in err


def test_build_with_marks_of_an_unknown_cutter(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", ".", "--marks", "silhouete", "--jobs", "1"]) == 1
    said = capsys.readouterr().err
    assert "error[GP711]: no cutting machine has marks called 'silhouete'" in said
    assert "did you mean 'silhouette'" in said
