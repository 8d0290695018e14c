"""Words are drawn last only where the page looks the same as when all is drawn in its order."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pypdfium2
import pytest
from grain import grain
from PIL import Image, ImageChops, ImageFilter

from generator.geometry import Matrix, Rect, pt_to_mm
from generator.preflight.painted import PaintedReader
from generator.preflight.raster import (
    PageDrawing,
    Raster,
    darkest_near,
    lightest_near,
    read_layers,
    rendered,
    seen_and_ground,
)

SIZE = 70.0  # mm, 198.4 pt
WORDS = b"BT /F 20 Tf 1 0 0 1 40 100 Tm 0 0.2 0.6 rg (Words) Tj ET "
MORE_WORDS = b"BT /F 12 Tf 1 0 0 1 30 30 Tm 0 0 0 rg (More) Tj ET "
GROUND = b"0.9 0.8 0.5 rg 20 20 150 150 re f "
OVER = b"1 0 0 rg 60 95 20 30 re f "
ASIDE = b"1 0 0 rg 60 140 20 20 re f "
MARKS = b"5 5 m 5 30 l 190 170 m 190 190 l S "
LINE = b"5 100 m 190 110 l S "
FAINT = b"/G gs "


def document(
    *faces: bytes, after: bytes = b"", group: bool = False
) -> tuple[pypdfium2.PdfDocument, pypdfium2.PdfPage]:
    """A page that draws the faces, all in the same place, and something after them."""
    pdf = pikepdf.new()
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
    )
    faint = pikepdf.Dictionary(BM=pikepdf.Name.Multiply)
    more: dict[str, Any] = {}
    if group:
        more["Group"] = pikepdf.Dictionary(S=pikepdf.Name.Transparency, I=True)
    forms = {
        f"/X{number}": pdf.make_stream(
            face,
            Type=pikepdf.Name.XObject,
            Subtype=pikepdf.Name.Form,
            BBox=[0, 0, 198, 198],
            Resources=pikepdf.Dictionary(
                Font=pikepdf.Dictionary(F=font), ExtGState=pikepdf.Dictionary(G=faint)
            ),
            **more,
        )
        for number, face in enumerate(faces)
    }
    page = pdf.add_blank_page(page_size=(198, 198))
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(forms))
    drawn = b" ".join(b"q %s Do Q" % name.encode() for name in forms)
    page.Contents = pdf.make_stream(drawn + b" " + after)
    out = io.BytesIO()
    pdf.save(out)
    opened = pypdfium2.PdfDocument(out.getvalue())
    return opened, opened[0]


def looked_at(page: pypdfium2.PdfPage, known: bool = True) -> tuple[Raster, Raster]:
    one = pt_to_mm(1)
    to_paper = Matrix(one, 0, 0, -one, 0, page.get_height() * one)
    reader = PaintedReader(page.raw, page.get_textpage().raw, to_paper)
    layers = read_layers(page, reader.to_paper)
    painted = [reader.read(layer.objects, words_only=True) for layer in layers if layer.is_face]
    return seen_and_ground(
        page, Rect(0, 0, SIZE, SIZE), layers, painted if known else [None] * len(painted)
    )


def is_same(one: Raster, other: Raster) -> bool:
    return ImageChops.difference(one.image, other.image).getbbox() is None


def without_words(face: bytes) -> bytes:
    return face.replace(WORDS, b"").replace(MORE_WORDS, b"")


@pytest.mark.parametrize(
    ("faces", "more", "way"),
    [
        ((GROUND + WORDS,), {}, "last"),
        ((GROUND + WORDS + ASIDE,), {}, "last"),
        ((GROUND + WORDS,), {"after": MARKS}, "last"),
        ((GROUND + WORDS, ASIDE), {}, "last"),
        ((GROUND + WORDS + OVER,), {}, "around"),
        ((GROUND + WORDS + OVER + MORE_WORDS,), {}, "around"),
        ((GROUND + WORDS,), {"after": OVER}, "around"),
        ((GROUND + WORDS,), {"after": LINE}, "around"),
        ((GROUND + WORDS, OVER), {}, "around"),
        ((GROUND + FAINT + WORDS,), {}, "whole"),
        ((GROUND + WORDS,), {"group": True}, "whole"),
    ],
)
def test_a_page_looks_the_same_however_it_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
    faces: tuple[bytes, ...],
    more: dict[str, Any],
    way: str,
) -> None:
    fresh = document(*faces, **more)
    as_it_is = rendered(fresh[1], SIZE, SIZE)
    wordless = document(*(without_words(face) for face in faces), **more)
    ways: list[str] = []

    def watched(drawing: PageDrawing, place: Rect | None = None, *, anew: bool = False) -> None:
        ways.append("around" if anew else "whole" if place is None else "last")
        draw(drawing, place, anew=anew)

    draw = PageDrawing.draw
    monkeypatch.setattr(PageDrawing, "draw", watched)
    seen, ground = looked_at(fresh[1])
    assert ways[-1] == way
    assert is_same(seen, as_it_is)
    assert is_same(ground, rendered(wordless[1], SIZE, SIZE))
    assert not is_same(seen, ground)


def test_a_face_of_which_nothing_is_known_may_hide_its_words() -> None:
    page = document(GROUND + WORDS + OVER)
    as_it_is = rendered(page[1], SIZE, SIZE)
    seen, ground = looked_at(page[1], known=False)
    assert is_same(seen, as_it_is)
    assert not is_same(seen, ground)


@pytest.mark.parametrize(
    ("drawn", "shown"), [(b"0 0.2 0.6 rg 42 95 8 25 re f ", True), (b"", False)]
)
def test_what_the_art_shows_of_words_that_are_not_painted_is_no_ground(
    drawn: bytes, shown: bool
) -> None:
    face = GROUND + drawn + WORDS.replace(b"BT", b"BT 3 Tr")
    opened = document(face)
    as_it_is = rendered(opened[1], SIZE, SIZE)
    seen, ground = looked_at(opened[1])
    assert is_same(seen, as_it_is)
    assert is_same(seen, ground) is not shown


@pytest.mark.parametrize("side", [1, 3, 5, 7, 13])
@pytest.mark.parametrize("size", [(40, 23), (13, 13), (4, 30), (1, 1)])
def test_the_lightest_and_the_darkest_near_are_those_of_a_square(
    size: tuple[int, int], side: int
) -> None:
    grey = grain(size, 60)
    colours = Image.merge("RGB", (grey, grain(size, 90, seed=1), grain(size, 20, seed=2)))
    for picture in (grey, colours, grey.point([255 * (level > 90) for level in range(256)])):
        lightest, darkest = lightest_near(picture, side), darkest_near(picture, side)
        assert lightest.tobytes() == picture.filter(ImageFilter.MaxFilter(side)).tobytes()
        assert darkest.tobytes() == picture.filter(ImageFilter.MinFilter(side)).tobytes()
