"""The finished PDFs of joust-racers, measured: strips keep one grid wherever they are printed and
add up, turn lines and arcs have the angles of the data, rulers are as long as a card."""

from __future__ import annotations

import ctypes
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from packs.pdf_objects import objects_of
from packs.shipped import ROOT, changed

from generator.build import Order, press_pack
from generator.geometry import Matrix, pt_to_mm
from generator.model.pack import Pack, Record
from generator.project import Project, Target

NAME = "joust-racers"
WIDE, HIGH, COLUMNS = 54.0, 8.5, 12
NEAR = 0.01
"""mm: how well strips must agree."""
SUMS = ("speed", "reflexes", "handling", "armor", "ram", "valor")

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A path on a page: its corners in order (mm, from the page's lower left), its fill."""

    points: tuple[Point, ...]
    fill: tuple[int, int, int] | None

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, width, height."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


@dataclass(frozen=True)
class Text:
    """Words on a page and the left, bottom, right and top of their box, mm."""

    words: str
    box: tuple[float, float, float, float]


def built(root: Path, output: Path, only: str) -> Path:
    """The folder of the A4 files of some components."""
    target = Target(Project(root, ROOT), NAME)
    outcome = press_pack(target, Order(only=only, papers=("a4",)), output)
    assert outcome.diagnostics == ()
    return output / NAME


def objects(page: Any) -> Iterator[tuple[Any, int, Matrix]]:
    """Every object of a page with the matrix from its own space to the page's."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_FORM:
            yield from objects_of(item)


def read(pdf: Path) -> Iterator[tuple[list[Shape], list[Text]]]:
    """The shapes and texts of each page."""
    document = pypdfium2.PdfDocument(pdf)
    for number in range(len(document)):
        page = document[number]
        words = page.get_textpage()
        shapes: list[Shape] = []
        texts: list[Text] = []
        for item, kind, outside in objects(page.raw):
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                shapes.append(Shape(tuple(_points(item, outside)), _fill(item)))
            elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
                texts.append(_text(item, outside, words.raw))
        yield shapes, texts


def _points(item: Any, outside: Matrix) -> Iterator[Point]:
    own = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, own)
    m = outside.then(Matrix(own.a, own.b, own.c, own.d, own.e, own.f))
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(pdfium.FPDFPath_CountSegments(item)):
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(item, index), x, y)
        yield (
            pt_to_mm(m.a * x.value + m.c * y.value + m.e),
            pt_to_mm(m.b * x.value + m.d * y.value + m.f),
        )


def _fill(item: Any) -> tuple[int, int, int] | None:
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, mode, stroked)
    r, g, b, a = (ctypes.c_uint() for _ in range(4))
    if not mode.value or not pdfium.FPDFPageObj_GetFillColor(item, r, g, b, a):
        return None
    return r.value, g.value, b.value


def _text(item: Any, outside: Matrix, words: Any) -> Text:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    corners = [
        (outside.a * x + outside.c * y + outside.e, outside.b * x + outside.d * y + outside.f)
        for x in (left.value, right.value)
        for y in (bottom.value, top.value)
    ]
    xs, ys = zip(*corners, strict=True)
    size = pdfium.FPDFTextObj_GetText(item, words, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFTextObj_GetText(
        item, words, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size
    )
    said = buffer.raw[: size - 2].decode("utf-16-le")
    return Text(said, tuple(map(pt_to_mm, (min(xs), min(ys), max(xs), max(ys)))))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Strip:
    """A strip as printed: where it is, its column's grounds and its figures from its left edge."""

    left: float
    bottom: float
    grounds: tuple[float, ...]
    figures: tuple[tuple[str, float, float], ...]
    """Words, their left, and the middle of their box."""

    def values(self) -> dict[int, str]:
        """The figures by column."""
        return {int(middle / (WIDE / COLUMNS)): words for words, _, middle in self.figures}


def strips(pdf: Path, dark: bool = False) -> list[Strip]:
    """All strips of a file, those of parts on white, or the sums on a dark ground."""
    found = []
    for shapes, texts in read(pdf):
        for shape in shapes:
            left, bottom, width, height = shape.box
            if abs(width - WIDE) > 0.1 or abs(height - HIGH) > 0.1 or len(shape.points) != 5:
                continue
            assert shape.fill is not None
            if (sum(shape.fill) < 200) != dark:
                continue
            inside = [
                s.box[0] - left
                for s in shapes
                if s.fill and abs(s.box[2] - WIDE / COLUMNS) < 0.1
                and 3 < s.box[3] < HIGH - 1 and -0.1 < s.box[1] - bottom < 0.1
                and -0.1 < s.box[0] - left < WIDE
            ]  # fmt: skip
            figures = [
                (t.words.strip(), t.box[0] - left, (t.box[0] + t.box[2]) / 2 - left)
                for t in texts
                if left <= t.box[0] and t.box[2] <= left + WIDE
                and bottom <= (t.box[1] + t.box[3]) / 2 <= bottom + HIGH
            ]  # fmt: skip
            found.append(Strip(left, bottom, tuple(sorted(inside)), tuple(figures)))
    return found


@pytest.fixture
def racer(pack: Pack) -> Record:
    """Pot Luck, which has four shields."""
    return next(c.values for c in pack.components["racer"] if c.id == "pot-luck")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `gridpress build joust-racers --only pot-luck` prints."""
    return built(ROOT, tmp_path_factory.mktemp("racer"), "pot-luck")


@pytest.mark.thorough
def test_strips_have_one_grid_on_cards_and_on_the_build_sheet(files: Path, racer: Record) -> None:
    on_cards, on_sheet = strips(files / "cards-a4.only.pdf"), strips(files / "racers-a4.only.pdf")
    assert len(on_sheet) == len(racer["strips"]) == 9
    # each card has all that is on it, so a shield comes with an engine that is not built in
    assert len(on_cards) == 1 + 2 * 6 + 1
    wanted = [step * 2 * WIDE / COLUMNS for step in range(COLUMNS // 2)]
    for strip in on_cards + on_sheet:
        assert strip.grounds == pytest.approx(wanted, abs=NEAR)
    places: dict[tuple[str, int], list[float]] = defaultdict(list)
    for strip in on_cards + on_sheet:
        for words, left, middle in strip.figures:
            places[words, int(middle / (WIDE / COLUMNS))].append(left)
    assert sum(len(lefts) > 1 for lefts in places.values()) > 10
    for figure, lefts in places.items():
        assert max(lefts) - min(lefts) < NEAR, figure


@pytest.mark.thorough
def test_strips_of_the_sheet_lie_edge_to_edge(files: Path) -> None:
    on_sheet = strips(files / "racers-a4.only.pdf")
    (total,) = strips(files / "racers-a4.only.pdf", dark=True)
    lefts = [strip.left for strip in (*on_sheet, total)]
    assert max(lefts) - min(lefts) < NEAR
    bottoms = [strip.bottom for strip in on_sheet]
    steps = [upper - lower for upper, lower in pairwise(bottoms)]
    assert steps == pytest.approx([14] * 8, abs=NEAR)
    assert bottoms[-1] - total.bottom == pytest.approx(HIGH, abs=NEAR)


def test_the_printed_figures_add_up_down_each_column(files: Path, racer: Record) -> None:
    rows = [strip.values() for strip in strips(files / "racers-a4.only.pdf")]
    (total,) = (strip.values() for strip in strips(files / "racers-a4.only.pdf", dark=True))
    for column, name in enumerate(SUMS):
        printed = sum(int(row.get(column, 0)) for row in rows)
        assert printed == int(total[column]) == racer[name], name
    assert [row[6] for row in rows if 6 in row] == [total[6]] == [str(racer["durability"])]
    assert total[10] == racer["weapon"]["weapon"]["arc"]["label"]


def test_the_build_sheet_says_each_ability_once(files: Path, racer: Record, pack: Pack) -> None:
    page = pypdfium2.PdfDocument(files / "racers-a4.only.pdf")[0]
    said = " ".join(page.get_textpage().get_text_range().split())
    ids = {part["id"] for part in racer["parts"]}
    spelled = {
        c.values["words"]: re.sub(r"\*\*|\{sp\}", "", c.values["spelled"]).split(".")[0]
        for kind, parent, known in (
            ("part-ability", "part", ids), ("knight-ability", "knight", {racer["knight"]["id"]}),
        )
        for c in pack.components[kind]
        if c.values[parent]["id"] in known
    }  # fmt: skip
    assert len(spelled) == 12
    counts = {name: said.count(" ".join(text.split()[:4])) for name, text in spelled.items()}
    assert counts == dict.fromkeys(spelled, 1)


def lines_from(pdf: Path, page: int) -> dict[Point, list[float]]:
    """The straight lines of a page that share a start: how each is turned from upwards, degrees
    clockwise, by where they start."""
    shapes, _ = list(read(pdf))[page]
    starts: dict[Point, list[float]] = defaultdict(list)
    for shape in shapes:
        if len(shape.points) != 2:
            continue
        (x1, y1), (x2, y2) = shape.points
        place = next((p for p in starts if math.dist(p, (x1, y1)) < NEAR), (x1, y1))
        starts[place].append(math.degrees(math.atan2(x2 - x1, y2 - y1)))
    return {start: turns for start, turns in starts.items() if len(turns) >= 3}


def upright(fans: dict[Point, list[float]]) -> dict[Point, list[float]]:
    """The same on a card that was laid on the sheet with its arcs, of four lines, upwards."""
    (arcs,) = (turns for turns in fans.values() if len(turns) == 4)
    ahead = [math.radians(turn) for turn in arcs]
    way = math.atan2(sum(map(math.sin, ahead)), sum(map(math.cos, ahead)))
    turn, sin, cos = math.degrees(way), math.sin(way), math.cos(way)
    return {
        (x * cos - y * sin, x * sin + y * cos): sorted((t - turn + 180) % 360 - 180 for t in turns)
        for (x, y), turns in fans.items()
    }


def measured(pdf: Path, width: float, height: float, step: float, narrow: float) -> None:
    """The back of one knight's card of a size: three turn lines from the middle of each side, and
    arcs A and B before the front."""
    fans = upright(lines_from(pdf, 1))
    assert len(fans) == 3
    left, front, right = (fans[start] for start in sorted(fans))
    assert right == pytest.approx([-3 * step, -2 * step, -step], abs=0.02)
    assert left == pytest.approx([step, 2 * step, 3 * step], abs=0.02)
    assert front == pytest.approx([-90, -narrow / 2, narrow / 2, 90], abs=0.02)
    (x1, y1), (x2, y2), (x3, y3) = sorted(fans)
    assert x3 - x1 == pytest.approx(width, abs=NEAR)
    assert x2 - x1 == pytest.approx(width / 2, abs=NEAR)
    assert y1 == pytest.approx(y3, abs=NEAR)
    assert y1 - y2 == pytest.approx(height * 0.64, abs=NEAR)


@pytest.mark.thorough
def test_turn_lines_and_arcs_have_the_angles_of_the_data(tmp_path: Path) -> None:
    measured(built(ROOT, tmp_path, "delve") / "cards-a4.only.pdf", 63.5, 88.9, 45, 45)


def spans(folder: Path) -> set[float]:
    """How far apart the two end marks of the measures on the rulers are, mm."""
    shapes, _ = next(read(folder / "pieces-a4.only.pdf"))
    ends = [s.points for s in shapes if len(s.points) == 4 and abs(s.box[3] - 4.4) < 0.1]
    assert len(ends) >= 4
    return {round(abs(points[2][0] - points[0][0]), 2) for points in ends}


def test_rulers_are_as_long_as_the_sides_of_a_card(tmp_path: Path) -> None:
    assert spans(built(ROOT, tmp_path, "ruler")) == {63.5, 88.9}


@pytest.mark.thorough
def test_another_size_of_card_and_other_angles_are_followed(tmp_path: Path) -> None:
    changed(
        tmp_path,
        NAME,
        ("pack.yaml", "joust-card: {size: [63.5mm, 88.9mm]", "joust-card: {size: [100mm, 70mm]"),
        ("pack.yaml", "turn_step: 45", "turn_step: 30"),
        ("arcs.yaml", "angle: 45", "angle: 60"),
        ("rulers.yaml", "long: 2", "long: 1"),
    )
    pdf = built(tmp_path, tmp_path / "out", "delve") / "cards-a4.only.pdf"
    measured(pdf, 100, 70, 30, 60)
    assert spans(built(tmp_path, tmp_path / "rulers", "ruler")) == {70.0, 100.0}


@pytest.mark.thorough
@pytest.mark.parametrize("ink", ["low", "mono"])
def test_knights_print_without_a_finding_in_little_ink(ink: str, tmp_path: Path) -> None:
    """The pale ground of an arc must not stand for the ground in the bleed."""
    order = Order(only="delve", papers=("letter",), ink=ink)
    assert press_pack(Target(Project(ROOT, ROOT), NAME), order, tmp_path).diagnostics == ()
