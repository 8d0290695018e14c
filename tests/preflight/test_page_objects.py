"""What a path looks like, whatever its colour, its size and its place."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Dictionary, Name

from generator.geometry import IDENTITY, Matrix, Rect
from generator.preflight import page_objects
from generator.preflight.page_objects import Clips, WordsOfPage, box_of, contents_of, outline_of
from generator.preflight.raster import opened_pdf

ARROW = b"0 0 m 10 5 l 0 10 l h f "
DISC = b"5 0 m 10 0 10 10 5 10 c 0 10 0 0 5 0 c f "
ROD = b"5 5 m 45 5 l S "
MOVED = b"1 0 0 1 31.37 17.93 cm "
SMALL = b"0.37 0 0 0.37 31.37 17.93 cm "


def outline(content: bytes, turn: int = 0) -> int:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 200))
    form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 200])
    pdf.pages[0].Resources = pikepdf.Dictionary(XObject={"/F": form})
    pdf.pages[0].Contents = pdf.make_stream(b"/F Do")
    out = io.BytesIO()
    pdf.save(out)
    page = pypdfium2.PdfDocument(out.getvalue())[0]
    [drawn] = contents_of(next(page.get_objects(max_depth=1)).raw).objects
    # to paper, the y axis downwards, and there turned
    about = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}[turn]
    matrix = Matrix(*about, 0, 0).then(Matrix(1, 0, 0, -1, 0, 200)).then(drawn.matrix)
    return outline_of(drawn.item, matrix, box_of(drawn.item, matrix), turn)


@pytest.mark.parametrize("shape", [ARROW, DISC, ROD, b"[4 2] 0 d " + ROD])
def test_a_shape_is_the_same_in_another_place_and_colour(shape: bytes) -> None:
    assert outline(shape) == outline(MOVED + b"1 0 0 rg 0 0 1 RG " + shape)


@pytest.mark.parametrize("shape", [ARROW, DISC])
def test_a_shape_is_the_same_in_another_size(shape: bytes) -> None:
    assert outline(shape) == outline(SMALL + shape)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_face_that_is_turned_has_the_same_shapes(turn: int) -> None:
    assert outline(MOVED + ARROW, turn) == outline(ARROW)


@pytest.mark.parametrize(
    "other",
    [
        b"-1 0 0 1 10 0 cm " + ARROW,
        b"0 1 -1 0 10 0 cm " + ARROW,
        b"0 0 m 10 5 l 3 10 l h f ",
        b"0 0 m 10 5 l 0 10 l h S ",
        b"0 0 5 10 re W n " + ARROW,
        DISC,
    ],
)
def test_another_outline_is_another(other: bytes) -> None:
    assert outline(other) != outline(ARROW)


@pytest.mark.parametrize("pen", [b"4 w ", b"[4 2] 0 d ", b"[1 5] 0 d ", b"[8 2 2 2] 0 d "])
def test_a_line_is_told_by_its_width_and_dashes(pen: bytes) -> None:
    assert outline(pen + ROD) != outline(ROD)
    assert outline(b"[4 2] 0 d " + ROD) != outline(b"[2 4] 0 d " + ROD)


def test_what_cuts_nothing_away_changes_nothing() -> None:
    assert outline(b"-5 -5 99 99 re W n " + ARROW) == outline(ARROW)


def test_a_size_beyond_all_paper_is_no_fault() -> None:
    assert outline(b"0 0 m 99999999999 9999999999999 l 5 -99999999999 l h f ") >= 0


def test_words_that_are_gathered_at_one_go_are_those_that_are_asked_for_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = b"BT /F 9 Tf 9 80 Td (two) Tj 40 0 Td (words) Tj 0 -20 Td (of a line) Tj () Tj ET"
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 100))
        font = {"/Type": Name.Font, "/Subtype": Name.Type1, "/BaseFont": Name.Helvetica}
        pdf.pages[0].Resources = Dictionary(Font={"/F": Dictionary(font)})
        pdf.pages[0].Contents = pikepdf.Stream(pdf, shown)
        pdf.save(tmp_path / "words.pdf")
    with opened_pdf(tmp_path / "words.pdf") as document:
        page = document[0]
        text_page = page.get_textpage()
        raw = text_page.raw
        items = [thing.raw for thing in page.get_objects()]
        alone = [WordsOfPage(raw).of(item) for item in items]
        monkeypatch.setattr(page_objects, "_MANY_LETTERS", 1)
        assert [WordsOfPage(raw).of(item) for item in items] == alone
        assert [words.strip() for words in alone][:3] == ["two", "words", "of a line"]


def test_each_object_is_cut_by_its_own_clip_paths() -> None:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 200))
    parts = [b"q %d 10 50 60 re W n 0 0 200 200 re f 9 9 5 5 re f Q " % x for x in range(0, 100, 9)]
    inner = b"q 10 10 50 60 re W n 20 20 90 90 re W n 0 0 200 200 re f Q 0 0 9 9 re f"
    pdf.pages[0].Contents = pdf.make_stream(b"".join(parts) + inner)
    out = io.BytesIO()
    pdf.save(out)
    page = pypdfium2.PdfDocument(out.getvalue())[0]
    items = [drawn.raw for drawn in page.get_objects()]
    clips = Clips()
    found = [clips.box_of(item) for item in items]
    assert found == [Clips().box_of(item) for item in items]
    assert found[::2] == [
        *(Rect(x, 10, 50, 60) for x in range(0, 100, 9)),
        Rect(20, 20, 40, 50),
    ]
    assert found[-1] is None


def test_what_a_damaged_file_puts_nowhere_covers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Rect, Matrix]] = []
    monkeypatch.setattr(
        f"{__name__}.outline_of",
        lambda item, _, box, __: seen.append((box, page_objects.matrix_of(item))) or 0,
    )
    outline(b"2000000000 0 0 2000000000 0 0 cm " * 5 + DISC)
    assert seen == [(Rect(0, 0, 0, 0), IDENTITY)]
