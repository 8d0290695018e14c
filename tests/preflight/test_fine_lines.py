"""Which lines of a face are too thin: few short ones are, many are the grain of a drawing."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest
from pikepdf import Name

from generator.geometry import Matrix
from generator.preflight.page_objects import contents_of
from generator.preflight.painted import PaintedReader

LINE = b"0.07 w 20 %d m 27 %d l S "
TUFT = b"0.07 w 20 %d m 22 %d l S "
MM = Matrix(1, 0, 0, -1, 0, 200)


def count(content: bytes) -> int:
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 200))
    form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 200])
    pdf.pages[0].Resources = pikepdf.Dictionary(XObject={"/F": form})
    pdf.pages[0].Contents = pdf.make_stream(b"/F Do")
    out = io.BytesIO()
    pdf.save(out)
    page = pypdfium2.PdfDocument(out.getvalue())[0]
    objects = contents_of(next(page.get_objects(max_depth=1)).raw).objects
    reader = PaintedReader(page.raw, page.get_textpage().raw, MM)
    drawn = [each._replace(matrix=MM.then(each.matrix)) for each in objects]
    return len(reader.read(drawn, words_only=True).fine)


def several(line: bytes, times: int) -> bytes:
    return b"".join(line % (9 * n + 20, 9 * n + 20) for n in range(times))


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (several(LINE, 1), 1),
        (several(LINE, 6), 6),
        (several(LINE, 7), 0),
        (several(LINE, 1) + several(TUFT, 9), 0),
        (several(TUFT, 3), 0),
        (b"20 20 7 0.07 re f", 1),
        (b"q 20 20 7 0.07 re W n 0 0 90 90 re f Q", 1),
        (b"q 20 20 7 0.07 re W n 0 40 90 90 re f Q", 0),
        (b"q 0.5 0 0 0.5 0 0 cm " + several(LINE, 3) + b" Q", 3),
        (b"q 0.5 0 0 0.5 0 0 cm " + several(LINE, 4) + b" Q", 0),
        (b"0.14 w 20 20 m 40 20 l S", 0),
    ],
)
def test_few_short_hairlines_are_told(content: bytes, lines: int) -> None:
    assert count(content) == lines
