"""Posters and nested tiles, printed and read back: exact, without false alarms, faults found."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from export.hand_made import A4, face, redrawn, text, write
from preflight.tampering import codes, messages, rewrite, tamper, tell

from generator.diagnostics import Span
from generator.geometry import Matrix, Point, Size, pt_to_mm
from generator.impose import Slug, impose
from generator.model.catalogue import Paper, PrinterProfile, Shape, Stock
from generator.model.face import Face, PrintedPiece
from generator.model.pack import Backs, Layout, Print
from generator.preflight.painted import PaintedReader
from generator.preflight.raster import read_layers

LETTER = Paper("letter", "Letter", Size(215.9, 279.4), 4.2)
WALL = Stock("wall", Size(380, 340))
TILE = Stock("tile", Size(50.8, 43.99), bleed=3, shape=Shape.HEXAGON)
DOT = 2.0
STEP = 40


def squares(stock: Stock) -> str:
    """Small squares, each of a colour of its own, at known places of the poster."""
    return "".join(
        f'<rect x="{x - DOT / 2}" y="{y - DOT / 2}" width="{DOT}" height="{DOT}" '
        f'fill="#{x // STEP:02x}{y // STEP:02x}40"/>'
        for x in range(STEP, int(stock.trim.width), STEP)
        for y in range(STEP, int(stock.trim.height), STEP)
    )


def printed(
    folder: Path,
    faces: list[Face],
    layout: Layout,
    *,
    backs: Backs = Backs.NONE,
    behind: list[Face] | None = None,
    paper: Paper = A4,
    gutter: float | None = None,
    overlap: float = 10.0,
    copies: int = 1,
    profile: PrinterProfile | None = None,
) -> Path:
    made = [
        PrintedPiece(front, behind[n] if behind else None, copies) for n, front in enumerate(faces)
    ]
    print_ = Print(
        "cards", "Cards", Span("pack.yaml"), ("card",), (paper.name,), layout, backs, gutter,
        overlap=overlap,
    )  # fmt: skip
    outcome = impose(
        print_,
        made,
        paper,
        backs,
        profile=profile or PrinterProfile(),
        slug=Slug("Hand made", "1.0.0", "cards-a4.pdf"),
    )
    assert outcome.ok, outcome.diagnostics
    return write(folder, outcome.value, backs=backs, profile=profile)


def poster(folder: Path, body: str = "", stock: Stock = WALL, **more: Any) -> Path:
    return printed(
        folder, [face("wall", body or squares(stock), stock=stock)], Layout.POSTER, **more
    )


def tiles(folder: Path, count: int = 9, **more: Any) -> Path:
    made = [face(f"t{n}", text(f"{n}", y=22).replace('x="5"', 'x="22"'), stock=TILE)
            for n in range(count)]  # fmt: skip
    return printed(folder, made, Layout.NESTED, **more)


def seen_squares(path: Path) -> list[dict[tuple[int, int], Point]]:
    """For each page where the middle of each square is on it, mm from the page's corner."""
    document = pypdfium2.PdfDocument(path)
    pages = []
    for number in range(len(document)):
        page = document[number]
        one = pt_to_mm(1)
        to_paper = Matrix(one, 0, 0, -one, 0, page.get_height() * one)
        reader = PaintedReader(page.raw, page.get_textpage().raw, to_paper)
        (face,) = (layer for layer in read_layers(page, reader.to_paper) if layer.is_face)
        found = {
            (shape.fill[0] * STEP, shape.fill[1] * STEP): shape.box.centre
            for shape in reader.read(face.objects).shapes
            if shape.fill and shape.fill[2] == 0x40
        }
        pages.append(found)
    document.close()
    return pages


def test_features_are_at_their_distance_over_all_pages(tmp_path: Path) -> None:
    path = poster(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    listed = [page["placements"][0] for page in manifest["files"][0]["pages"]]
    pages = seen_squares(path)
    assert len(pages) == len(listed) > 3
    origins = []
    for found in pages:
        offsets = [Point(at.x - x, at.y - y) for (x, y), at in found.items()]
        assert len(offsets) == 9 * 8
        assert all(math.dist((o.x, o.y), (offsets[0].x, offsets[0].y)) < 0.02 for o in offsets)
        origins.append(offsets[0])
    for origin, placed in zip(origins, listed, strict=True):
        assert (origin.x, origin.y) == pytest.approx((placed["x_mm"], placed["y_mm"]), abs=0.02)
    for (one, a), (other, b) in combinations(zip(origins, listed, strict=True), 2):
        columns = b["poster"]["column"] - a["poster"]["column"]
        rows = b["poster"]["row"] - a["poster"]["row"]
        across, down = a["clip_mm"][2:]
        # Outer windows lack no width here, as the bleed fills the edge that they show.
        assert abs(one.x - other.x - columns * (across - 10)) < 0.02
        assert abs(one.y - other.y - rows * (down - 10)) < 0.02


def test_the_face_is_stored_once(tmp_path: Path) -> None:
    with pikepdf.open(poster(tmp_path)) as pdf:
        forms = {form.objgen for page in pdf.pages for form in page.obj.Resources.XObject.values()}
        assert len(forms) == 1


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("paper", "overlap"), [(A4, 4.0), (LETTER, 10.0), (A4, 25.0)])
def test_a_good_poster_is_silent(tmp_path: Path, paper: Paper, overlap: float) -> None:
    path = poster(tmp_path, paper=paper, overlap=overlap, copies=2)
    assert messages(path) == ""


def test_words_across_a_seam_are_no_fault(tmp_path: Path) -> None:
    words = "".join(
        text("round and round the circuit goes the race until the last of all has come home " * 2,
             y=y)
        for y in range(12, 330, 27)
    )  # fmt: skip
    assert messages(poster(tmp_path, words)) == ""


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("shape", [Shape.HEXAGON, Shape.CIRCLE, Shape.PATH])
def test_shapes_of_their_own(tmp_path: Path, shape: Shape) -> None:
    stock = Stock("wall", Size(380, 340), shape=shape, path="M0 0 H380 V340 H60 Z")
    assert messages(poster(tmp_path, stock=stock)) == ""


def test_a_small_poster_beside_a_large_one(tmp_path: Path) -> None:
    made = [face("wall", stock=WALL), face("leaf", stock=Stock("leaf", Size(150, 150)))]
    assert messages(printed(tmp_path, made, Layout.POSTER)) == ""


def test_a_printer_that_is_off(tmp_path: Path) -> None:
    profile = PrinterProfile("attic", Point(0.3, -0.2), Point(-0.4, 0.5))
    assert messages(poster(tmp_path, profile=profile)) == ""
    behind = [face(f"t{n}", name="back", stock=TILE) for n in range(9)]
    path = tiles(tmp_path / "t", backs=Backs.DUPLEX_LONG, behind=behind, profile=profile)
    assert messages(path) == ""


def moved_window(content: str) -> str:
    found = re.search(r"q (\S+) (\S+ \S+ \S+ re W n)", content)
    assert found
    return content.replace(found[0], f"q {float(found[1]) + 0.1 * 72 / 25.4:.4f} {found[2]}", 1)


def test_a_window_that_is_shifted(tmp_path: Path) -> None:
    path = poster(tmp_path)
    rewrite(path, 2, moved_window)
    assert codes(path) == {"GP806"}
    assert "another part of it" in messages(path)


def test_a_window_that_is_lost(tmp_path: Path) -> None:
    path = poster(tmp_path)
    rewrite(path, 1, lambda s: re.sub(r"q \S+ \S+ \S+ \S+ re W n ", "q ", s, count=1))
    assert "GP806" in codes(path)


def test_a_page_whose_face_is_shifted(tmp_path: Path) -> None:
    path = poster(tmp_path)
    shift = lambda m: f"{m[1]} {float(m[2]) + 0.1:.4f} "  # noqa: E731
    rewrite(path, 0, lambda s: re.sub(r"(1 0 0 1) (\S+) ", shift, s, count=1))
    assert codes(path) == {"GP806"}


def test_a_page_that_is_missing(tmp_path: Path) -> None:
    path = poster(tmp_path)
    tamper(path, lambda pdf: pdf.pages.__delitem__(1))
    assert "GP806" in codes(path)

    def without(file: dict[str, Any]) -> None:
        file["pages"].pop(1)
        for number, page in enumerate(file["pages"], 1):
            page["page"] = number

    tell(path, without)
    assert codes(path) == {"GP854", "GP861"}  # the labels tell, too
    assert "lacks a page of" in messages(path)


def test_a_page_that_is_there_twice(tmp_path: Path) -> None:
    path = poster(tmp_path)
    twice = lambda file: file["pages"][1]["placements"][0].update(  # noqa: E731
        poster=file["pages"][0]["placements"][0]["poster"]
    )
    tell(path, twice)
    assert {"GP854", "GP855"} <= codes(path)


def test_a_cut_mark_beside_the_seam(tmp_path: Path) -> None:
    path = poster(tmp_path)

    def moved(content: str) -> str:
        marks = content[content.index("/CUT BDC") :]
        lines = re.findall(r"(\S+) (\S+) m (\S+) (\S+) l", marks)
        upright = {a for a, _, c, _ in lines if a == c}
        for x in sorted(upright):
            there = f"{float(x) + 0.1 * 72 / 25.4:.4f}"
            marks = re.sub(rf"(?<!\S){re.escape(x)} (\S+) (?=[ml])", rf"{there} \1 ", marks)
        return content[: content.index("/CUT BDC")] + marks

    rewrite(path, 0, moved)
    assert "GP814" in codes(path)


def test_words_that_are_covered_are_found_on_their_page(tmp_path: Path) -> None:
    hidden = text("Lost", y=300) + '<rect x="0" y="290" width="60" height="20" fill="#eeeedd"/>'
    assert codes(poster(tmp_path, hidden)) == {"GP824"}


@pytest.mark.thorough
def test_a_poster_without_bleed_is_found_at_its_own_edges(tmp_path: Path) -> None:
    drawn = face("wall", stock=WALL)
    svg = drawn.svg.replace(
        '<rect x="-3.0" y="-3.0" width="386.0" height="346.0" fill="#ddccaa"/>',
        '<rect x="0" y="0" width="380" height="340" fill="#ddccaa"/>',
    )
    assert svg != drawn.svg
    bare = redrawn(drawn, svg)
    assert codes(printed(tmp_path, [bare], Layout.POSTER)) == {"GP811"}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("backs", "gutter"), [(b, 2.0 if n % 2 else None) for n, b in enumerate(Backs)]
)
def test_good_tiles_are_silent(tmp_path: Path, backs: Backs, gutter: float | None) -> None:
    behind = [face(f"t{n}", name="back", stock=TILE) for n in range(9)]
    path = tiles(tmp_path, backs=backs, gutter=gutter, copies=2,
                 behind=None if backs is Backs.NONE else behind)  # fmt: skip
    assert messages(path) == ""


def test_tiles_without_bleed_are_found_though_most_edges_are_shared(tmp_path: Path) -> None:
    drawn = face("t", stock=TILE)
    corners = "12.7 0 38.1 0 50.8 21.995 38.1 43.99 12.7 43.99 0 21.995"
    svg = re.sub(r"<rect[^>]*/>", f'<polygon points="{corners}" fill="#ddccaa"/>', drawn.svg)
    bare = redrawn(drawn, svg)
    path = printed(tmp_path, [bare], Layout.NESTED, copies=25)
    assert codes(path) == {"GP811"}


def test_a_die_line_that_is_off(tmp_path: Path) -> None:
    path = tiles(tmp_path)

    def moved(content: str) -> str:
        start = content.index("/CUT BDC")
        head, marks = content[:start], content[start:]
        found = list(re.finditer(r"(\S+) (\S+) l", marks))[8]
        there = f"{float(found[1]) + 0.3:.4f} {found[2]} l"
        return head + marks[: found.start()] + there + marks[found.end() :]

    rewrite(path, 0, moved)
    assert codes(path) == {"GP814"}


def test_a_tile_that_bleeds_over_its_neighbour(tmp_path: Path) -> None:
    path = tiles(tmp_path)

    def grown(file: dict[str, Any]) -> None:
        placed = file["pages"][0]["placements"][0]
        x, y, w, h = (placed[key] for key in ("x_mm", "y_mm", "w_mm", "h_mm"))
        placed["edge_mm"] = [[x - 3, y - 3], [x + w + 3, y - 3], [x + w + 3, y + h + 3],
                             [x - 3, y + h + 3]]  # fmt: skip

    tell(path, grown)
    assert {"GP803", "GP806"} <= codes(path)


def test_a_tile_that_lost_its_clip(tmp_path: Path) -> None:
    path = tiles(tmp_path)
    rewrite(path, 0, lambda s: re.sub(r"q [^q]*? h W n ", "q ", s, count=1))
    assert codes(path) == {"GP806"}
