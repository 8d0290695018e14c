"""Cutting machines: contours where the finished PDF has its pieces, in files that open."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import ezdxf
import pikepdf
import pytest
from PIL import Image

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
    """What was made for cutting machines."""
    project = printable
    (project / "cards/mini/pack.yaml").write_text(MANY, encoding="utf-8")
    said = exported("--for", "cutter")
    assert "pack.yaml:11:11: warning[GP712]: Labels: not cut by a machine" in said
    return project / "output/mini/cutter"


def layers(svg: str) -> dict[str, list[str]]:
    found = re.findall(r'inkscape:label="([^"]+)"[^>]*>\n(.*?)</g>', svg, re.S)
    return {name: re.findall(r' d="([^"]+)"', body) for name, body in found}


@pytest.mark.thorough
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
    four = (folder / "silhouette-4/cards-a4-1.svg").read_text("utf-8")
    three = (folder / "silhouette/cards-a4-1.svg").read_text("utf-8")
    assert (len(layers(four)["Regmarks"]), len(layers(three)["Regmarks"])) == (8, 5)
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert sorted(file["file"] for file in listed["files"]) == [
        name for name in made if name != "manifest.json"
    ]


@pytest.mark.thorough
def test_contours_are_those_of_the_manifest_holes_first(folder: Path) -> None:
    svg = (folder / "silhouette/cards-a4-1.svg").read_text("utf-8")
    found = layers(svg)
    assert list(found) == ["Regmarks", "Crease", "Cut"]
    told = json.loads((folder / "silhouette/manifest.json").read_text("utf-8"))
    page = next(f for f in told["files"] if f["file"] == "cards-a4.pdf")["pages"][0]
    assert f'width="{page["width_mm"]:g}mm" height="{page["height_mm"]:g}mm"' in svg
    odd = next(p for p in page["placements"] if p["kind"] == "odd")
    assert len(found["Crease"]) == 1
    hole, outline = [path for path in found["Cut"] if "C" not in path]
    around = [float(n) for n in re.findall(r"-?[\d.]+", outline)]
    assert min(around[::2]) == pytest.approx(odd["x_mm"], abs=1e-3)
    assert max(around[1::2]) == pytest.approx(odd["y_mm"] + odd["h_mm"], abs=1e-3)
    inside = [float(n) for n in re.findall(r"-?[\d.]+", hole)]
    assert max(inside[::2]) - min(inside[::2]) == pytest.approx(10, abs=1e-3)
    cards = [p for p in page["placements"] if p["kind"] == "card"]
    assert len(cards) == len(found["Cut"]) - 2


def test_stickers_are_cut_down_to_their_backing(folder: Path) -> None:
    assert list(layers((folder / "silhouette/stickers-a4-1.svg").read_text("utf-8"))) == [
        "Regmarks",
        "Kiss cut",
    ]


@pytest.mark.thorough
def test_stickers_on_full_sheets_are_too(printable: Path, export: Export) -> None:
    pack = re.sub("  labels:.*\n", "", MANY).replace("[a4]}\n", "[a4], stickers: true}\n")
    pack = pack.replace("[card, odd], papers: [a4], stickers: true", "[card, odd], papers: [a4]")
    (printable / "cards/mini/pack.yaml").write_text(pack, encoding="utf-8")
    assert export("--for", "cutter")[0] == 0
    made = printable / "output/mini/cutter"
    for folder, paper in (("silhouette", "-a4"), ("cricut", "")):
        found = {
            name: set(layers((made / f"{folder}/{name}{paper}-1.svg").read_text("utf-8")))
            for name in ("cards", "stickers")
        }
        assert found["cards"] >= {"Cut"}
        assert found["stickers"] >= {"Kiss cut"}
        assert not found["cards"] & {"Kiss cut"}
        assert not found["stickers"] & {"Cut"}


def test_the_dxf_opens_and_is_the_same_upside_down(folder: Path) -> None:
    text = (folder / "silhouette/cards-a4-1.dxf").read_text("ascii")
    drawing = ezdxf.read(StringIO(text))  # type: ignore[attr-defined]
    assert drawing.dxfversion == "AC1009"
    lines: list[Any] = list(drawing.modelspace())
    assert {line.dxf.layer for line in lines} == {"CUT", "CREASE"}
    assert all(line.is_closed == (line.dxf.layer == "CUT") for line in lines)
    svg = layers((folder / "silhouette/cards-a4-1.svg").read_text("utf-8"))
    assert len(lines) == len(svg["Cut"]) + len(svg["Crease"])
    with pikepdf.open(folder / "silhouette/cards-a4.pdf") as pdf:
        height = float(pdf.pages[0].mediabox[3]) * 25.4 / 72
    crease = next(line for line in lines if line.dxf.layer == "CREASE")
    ys = [height - vertex.dxf.location.y for vertex in crease.vertices]
    told = [float(n) for n in re.findall(r"-?[\d.]+", svg["Crease"][0])]
    assert ys == pytest.approx(told[1::2], abs=1e-3)


def test_plotters_find_the_contours_as_a_spot_colour(folder: Path) -> None:
    with pikepdf.open(folder / "plotter/cards-a4.pdf") as pdf:
        front = pdf.pages[0].obj
        spaces = {str(space[1]) for space in front.Resources.ColorSpace.values()}
        assert spaces == {"/CutContour", "/Crease"}
        assert front.Resources.ExtGState.Overprinted.OP
        drawn = front.Contents.read_bytes()
        assert drawn.count(b"/CutContour CS") == len(
            layers((folder / "silhouette/cards-a4-1.svg").read_text("utf-8"))["Cut"]
        )
        assert b"CutContour" not in pdf.pages[1].obj.Contents.read_bytes()


def test_a_picture_of_a_sheet_is_clear_between_its_pieces(folder: Path) -> None:
    with Image.open(folder / "cricut/cards-1.png") as picture:
        assert picture.size == (2025, 2775)
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        alpha = picture.getchannel("A")
        svg = layers((folder / "cricut/cards-1.svg").read_text("utf-8"))
        whole = [path for path in svg["Cut"] if "C" in path]
        assert whole
        for path in whole:
            numbers = [float(n) * 300 / 25.4 for n in re.findall(r"-?[\d.]+", path)]
            left, right = min(numbers[::2]), max(numbers[::2])
            top, bottom = min(numbers[1::2]), max(numbers[1::2])
            assert alpha.getpixel((round(left) + 2, round((top + bottom) / 2))) == 255
            assert alpha.getpixel((round(left) - 3, round((top + bottom) / 2))) == 0
            assert alpha.getpixel((round(left) + 2, round(top) + 2)) == 0  # a round corner
            assert alpha.getpixel((round(right) - 3, round((top + bottom) / 2))) == 255


@pytest.mark.thorough
def test_the_same_bytes_again(printable: Path, export: Export) -> None:
    (printable / "cards/mini/pack.yaml").write_text(MANY, encoding="utf-8")
    assert export("--for", "cutter", "-o", "one")[0] == 0
    assert export("--for", "cutter", "-o", "two")[0] == 0
    one, two = (
        {p.name: p.read_bytes() for p in (printable / name / "mini/cutter").rglob("*.*")}
        for name in ("one", "two")
    )
    assert one == two


@pytest.mark.thorough
def test_what_is_larger_than_the_picture_is_left_out(printable: Path, export: Export) -> None:
    project = printable
    status, _, err = export("--for", "cutter")
    assert status == 0
    assert "warning[GP712]: Cricut print then cut takes no 'odd'" not in err
    (project / "cards/shared").mkdir()
    own = "cutters: {small: {title: Small, area: [70mm, 100mm]}, none: {title: None}}\n"
    (project / "cards/shared/cutters.yaml").write_text(own)
    assert "cutters.none: it finds nothing to cut" in export("--for", "cutter")[2]
    (project / "cards/shared/cutters.yaml").write_text(own.replace(", none: {title: None}", ""))
    status, _, err = export("--for", "cutter")
    assert status == 0
    assert "warning[GP712]: Small takes no 'odd': it is larger than 70 × 100 mm" in err


def test_build_with_marks_of_a_cutter_that_there_is_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from generator.cli import run

    assert run(["build", ".", "--marks", "silhouete", "--jobs", "1"]) == 1
    said = capsys.readouterr().err
    assert "error[GP711]: no cutter looks for marks called 'silhouete'" in said
    assert "did you mean 'silhouette'" in said
