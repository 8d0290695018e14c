"""Colour glyphs, from every sort of colour font."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables.sbixGlyph import Glyph as PictureGlyph
from fontTools.ttLib.tables.sbixStrike import Strike
from PIL import Image
from render.studio import Studio, operators, png, source, styles

from generator.fonts import FontLibrary

FIRE = "🔥"
GLYPHS = [".notdef", "space", "fire", "layer"]


def square(size: int) -> Any:
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, size), (size, size), (size, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()


def layers(builder: FontBuilder) -> None:
    builder.setupCPAL([[(1, 0, 0, 1)]])
    builder.setupCOLR({"fire": [("layer", 0)]})


def gradient(builder: FontBuilder) -> None:
    builder.setupCPAL([[(1, 0, 0, 1), (1, 0, 0, 1)]])
    line = {"ColorStop": [{"StopOffset": n, "PaletteIndex": n, "Alpha": 1} for n in (0, 1)]}
    fill = {"Format": 4, "ColorLine": {"Extend": "pad", **line},
            "x0": 0, "y0": 0, "x1": 1000, "y1": 0, "x2": 0, "y2": 1000}  # fmt: skip
    builder.setupCOLR({"fire": {"Format": 10, "Glyph": "layer", "Paint": fill}})


def bitmap(builder: FontBuilder) -> None:
    content = io.BytesIO()
    Image.new("RGB", (8, 8), "#ff0000").save(content, "PNG")
    strike = Strike(ppem=8, resolution=72)
    for name in GLYPHS:
        is_seen = name == "fire"
        data = content.getvalue() if is_seen else None
        strike.glyphs[name] = PictureGlyph(
            glyphName=name, graphicType="png " if is_seen else None, imageData=data,
            originOffsetX=0, originOffsetY=0)  # fmt: skip
    table = newTable("sbix")
    table.strikes = {8: strike}
    builder.font["sbix"] = table


def drawing(builder: FontBuilder) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g id="glyph2">'
        '<path d="M0 0V-1000H1000V0z" fill="#ff0000"/></g></svg>'
    )
    table = newTable("SVG ")
    table.docList = [(svg, 2, 2)]
    builder.font["SVG "] = table


def emoji_font(path: Path, colours: Callable[[FontBuilder], None]) -> Path:
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(GLYPHS)
    builder.setupCharacterMap({ord(" "): "space", ord(FIRE): "fire"})
    empty = TTGlyphPen(None).glyph()
    builder.setupGlyf(
        {".notdef": square(500), "space": empty, "fire": square(900), "layer": square(1000)}
    )
    builder.setupHorizontalMetrics(dict.fromkeys(GLYPHS, (1000, 0)))
    builder.setupHorizontalHeader(ascent=1000, descent=-200)
    builder.setupNameTable({"familyName": "Fires", "styleName": "Regular", "psName": "Fires"})
    builder.setupOS2()
    builder.setupPost()
    colours(builder)
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
    return path


SORTS = pytest.mark.parametrize("colours", [layers, gradient, bitmap, drawing])


@SORTS
def test_a_letter_prints_in_its_colours_and_can_be_copied(
    studio: Studio, tmp_path: Path, colours: Callable[[FontBuilder], None]
) -> None:
    emoji_font(tmp_path / "fonts/fires.ttf", colours)
    studio.fonts = FontLibrary([*studio.fonts.folders, tmp_path / "fonts"])
    studio.styles = styles(fallback=(source("Fires"),))
    face = studio.face(
        '<rect x="-3" y="-3" width="69" height="94" fill="#fff"/>'
        f'{{{{ text_line("{FIRE}", 10, 40, "title", size=72) }}}}'
    )
    assert len(face.drawing.engine) == 1
    assert "3 Tr" in operators(face)
    drawn = png(face, tmp_path, dpi=127, fonts=studio.fonts)
    middle = drawn.getpixel((5 * (10 + 10 + 3), 5 * (40 - 12 + 3)))
    assert middle == (255, 0, 0)


@SORTS
def test_in_mono_a_letter_is_grey(
    studio: Studio, tmp_path: Path, colours: Callable[[FontBuilder], None]
) -> None:
    emoji_font(tmp_path / "fonts/fires.ttf", colours)
    studio.fonts = FontLibrary([*studio.fonts.folders, tmp_path / "fonts"])
    studio.styles = styles(fallback=(source("Fires"),))
    text = f'{{{{ text_line("{FIRE}", 10, 40, "title", size=72) }}}}'
    face = studio.face(text, ink="mono")
    red, green, blue = png(face, tmp_path, dpi=127, fonts=studio.fonts).getpixel((115, 155))[:3]
    assert max(red, green, blue) - min(red, green, blue) <= 2
    assert 90 < red < 170
