"""Text that is not as it was set: squeezed, moved, mixed up, in other glyphs or colours."""

from __future__ import annotations

import io
import random
import re
from typing import Any

from fontTools.ttLib import TTFont
from pikepdf import Dictionary, Name

from faults import hands
from faults.bench import Fault, Level
from faults.hands import Finished
from faults.places import CARDS, CHART, COINS, RULES, SIGNS, in_file, of_face

TEXT = r"text|word|letter|glyph|line|digit|‘"
GLYPHS = r"glyph|letter|digit|font|words|own words"
MOVED = rf"({TEXT}).*(moved|mm|place|shift)|(moved|mm|place|shift).*({TEXT})"
SIZED = r"pt|size|small|large|scaled"
SQUEEZED = r"squeez|closer|narrow|condens|wid|stretch|tight|size"
UPON = r"over (it|one another|each other|another|other)|overlap|text over|on top|upon|cover"
ORDER = r"order|another line|moved|exchanged|place"
COLOUR = r"colour|contrast|pale|invisible|cannot be seen|light"
FONT = r"font|glyph|letter"


def tr(form: Any, state: str) -> None:
    """All text of a face in another text state."""
    hands.edit(form, lambda told: told.replace("BT 0 Tr", f"BT 0 Tr {state}"))


def _glyph(number: int, seed: int) -> Any:
    def change(form: Any) -> None:
        def said(found: re.Match[str]) -> str:
            return hands.glyphs_exchanged(found[0], random.Random(seed))

        hands.set_line(form, number, said)

    return change


def _digit(form: Any) -> None:
    """The number on a coin is another glyph of its font."""
    found = hands.lines(form)[0]
    code = re.search(r"<([0-9A-F]{4})>", found[5])
    assert code
    other = f"{int(code[1], 16) + 1:04X}"
    hands.set_line(form, 0, lambda m: m[0].replace(code[1], other, 1))


def _lines_exchanged(form: Any) -> None:
    first, second = hands.lines(form)[1:3]
    y1, y2 = first[4], second[4]
    hands.set_line(form, 1, lambda m: hands.line(m, y=float(y2) - float(y1)))
    hands.set_line(form, 2, lambda m: hands.line(m, y=float(y1) - float(y2)))


def _onto(form: Any) -> None:
    first, second = hands.lines(form)[1:3]
    hands.set_line(form, 2, lambda m: hands.line(m, y=float(first[4]) - float(second[4]) + 0.6))


def _coloured(rgb: str) -> Any:
    return lambda form: hands.edit(
        form, lambda told: re.sub(r"/\w+ cs [\d. ]+ sc\n(?=BT)", f"{rgb} rg\n", told)
    )


def _again(form: Any) -> None:
    """A line once more, a little beside itself."""
    hands.set_line(form, 0, lambda m: hands.line(m) + hands.line(m, x=0.4, y=0.3))


def _lost(form: Any) -> None:
    hands.set_line(form, len(hands.lines(form)) - 1, lambda m: "\n")


def fonts(f: Finished) -> dict[str, Any]:
    """The fonts of a file, by their names."""
    found: dict[str, Any] = {}
    for obj in f.pdf.objects:
        if isinstance(obj, Dictionary) and obj.get("/Subtype") == Name.Type0:
            found.setdefault(str(obj.BaseFont), obj)
    return found


def _descriptor(font: Any) -> Any:
    return font.DescendantFonts[0].FontDescriptor


def _programs_exchanged(f: Finished) -> None:
    """Two fonts with each other's outlines."""
    one, other = (
        _descriptor(font) for font in list(fonts(f).values())[:2]
    )  # both have outlines of one sort
    key = next(k for k in ("/FontFile2", "/FontFile3") if k in one)
    one[key], other[key] = other[key], one[key]


def _outlines_exchanged(f: Finished) -> None:
    """Two glyphs of a font with each other's outlines."""
    for font in fonts(f).values():
        descriptor = _descriptor(font)
        if "/FontFile2" not in descriptor:
            continue
        program = TTFont(io.BytesIO(descriptor.FontFile2.read_bytes()))
        if "glyf" not in program:
            continue
        outlines = program["glyf"]
        inked = [n for n in program.getGlyphOrder() if outlines[n].numberOfContours > 0]
        one, other = inked[3], inked[8]
        outlines[one], outlines[other] = outlines[other], outlines[one]
        stream = io.BytesIO()
        program.save(stream)
        descriptor.FontFile2.write(stream.getvalue())
        return


def _programless(f: Finished) -> None:
    """The first font without its outlines."""
    descriptor = _descriptor(next(iter(fonts(f).values())))
    for key in ("/FontFile2", "/FontFile3"):
        if key in descriptor:
            del descriptor[key]


def _widths(f: Finished) -> None:
    """All letters as wide."""
    for font in fonts(f).values():
        font.DescendantFonts[0].DW = 300
        del font.DescendantFonts[0].W


def _identity(f: Finished) -> None:
    """Codes of a font lead to other glyphs."""
    font = next(iter(fonts(f).values()))
    count = 4000
    font.DescendantFonts[0].CIDToGIDMap = f.pdf.make_stream(
        b"".join(max(0, n + 1).to_bytes(2, "big") for n in range(count))
    )


def _unmapped(f: Finished) -> None:
    """Words that are seen but cannot be found or copied."""
    for font in fonts(f).values():
        if "/ToUnicode" in font:
            del font["/ToUnicode"]


def _overprinted(form: Any) -> None:
    """White letters that leave no white, since the press overprints them."""
    for thing in (form, *hands.art(form)):
        hands.resources(thing, "/ExtGState")["/Gop"] = Dictionary(OP=True, op=True, OPM=1)
        hands.before(thing, "/Gop gs")


def faults() -> list[Fault]:
    """All of these."""

    def of(kind: str, says: str, change: Any, component: str = "juggler", **more: Any) -> Fault:
        return of_face(kind, says, component, change, level=Level.WORDS, **more)

    one = "moved by"
    return [
        of("glyphs exchanged", GLYPHS, _glyph(0, 1), name="in a title"),
        of("glyphs exchanged", GLYPHS, _glyph(1, 2), name="in a text"),
        of("glyphs exchanged", GLYPHS, _glyph(3, 3), "leaf-6", file=RULES),
        of("glyphs exchanged", GLYPHS, _glyph(2, 4), "chart", file=CHART),
        of("digit changed", GLYPHS, _digit, "coin-3", file=COINS),
        of("digit changed", GLYPHS, _digit, "coin-2", file=COINS, face="back"),
        of("text smaller", SIZED, lambda f: hands.set_line(f, 0, lambda m: hands.line(m, scale=0.7))),
        of("text smaller", SIZED, lambda f: hands.set_line(f, 0, lambda m: hands.line(m, scale=0.97)), "gate",
           file=SIGNS, name="97 %"),
        of("text larger", SIZED, lambda f: hands.set_line(f, 0, lambda m: hands.line(m, scale=1.2)), "rain"),
        of("text squeezed", SQUEEZED, lambda f: tr(f, "75 Tz")),
        of("text squeezed", SQUEEZED, lambda f: tr(f, "-0.15 Tc"), "storm", name="letters tighter"),
        of("text moved", MOVED, lambda f: hands.set_line(f, 0, lambda m: hands.line(m, x=0.4)), mm=0.4,
           name=f"{one} 0.4 mm"),
        of("text moved", MOVED, lambda f: hands.set_line(f, 1, lambda m: hands.line(m, x=2, y=1)), mm=2.2),
        of("text moved", MOVED, lambda f: tr(f, "1 Ts"), "bell", mm=1, name="raised"),
        of("text over text", UPON, _onto, mm=2),
        of("text over text", UPON, lambda f: hands.set_line(
            f, 1, lambda m: hands.line(m, y=float(hands.lines(f)[0][4]) - float(m[4]))), "thief", mm=5,
           name="on its title"),
        of("lines in another order", ORDER, _lines_exchanged, mm=4),
        of("lines in another order", ORDER, _lines_exchanged, "leaf-4", file=RULES, mm=4),
        of("text recoloured", COLOUR, _coloured(".957 .918 .824"), name="as its ground"),
        of("text recoloured", COLOUR, _coloured(".2 .25 .1"), "lantern", name="a little green"),
        of("text recoloured", COLOUR, _coloured(".8 .1 .1"), "stall", file=SIGNS, name="red"),
        of("text invisible", r"invisible|cannot be seen|lack|missing|not drawn|lost",
           lambda f: hands.edit(f, lambda t: t.replace("BT 0 Tr", "BT 3 Tr"))),
        of("text outlined", r"outline|stroke|hollow|letters|thin|bold|otherwise|look",
           lambda f: hands.edit(f, lambda t: t.replace("BT 0 Tr", "0.1 w BT 1 Tr"))),
        of("text outlined", r"bold|stroke|thick|heav|letters|otherwise|look",
           lambda f: hands.edit(f, lambda t: t.replace("BT 0 Tr", "0.25 w BT 2 Tr")), "rain", name="bolder"),
        of("text squeezed", SQUEEZED, lambda f: hands.set_line(f, 3, lambda m: m[0].replace("Tf 1 0", "Tf .98 0")),
           name="a digit to 98 %"),
        of("text smaller", SIZED, lambda f: hands.set_line(f, 0, lambda m: hands.line(m, scale=0.98)), "coin-1",
           file=COINS, name="a digit at 98 %"),
        of("text moved", MOVED, lambda f: hands.set_line(f, 3, lambda m: hands.line(m, x=1)), mm=1, name="a digit"),
        of("text twice", rf"{UPON}|words", lambda f: hands.set_line(f, 3, lambda m: m[0] + hands.line(m, x=1.8)),
           name="a digit"),
        of("line over text", "line", lambda f: hands.after(f, "0.11 0.1 0.09 rg 30 103.5 80 .7 re f")),
        of("text twice", r"twice|again|double|over|shadow|too many", _again, name="0.5 mm beside itself"),
        of("line lost", r"missing|lost|lack|own words", _lost),
        of("line lost", r"missing|lost|lack|own words", _lost, "leaf-2", file=RULES),
        of("overprint", r"overprint", _overprinted, name="white letters overprinted"),
        in_file("font replaced", Level.WORDS, "two fonts' outlines exchanged", FONT, _programs_exchanged),
        in_file("font replaced", Level.WORDS, "two glyphs' outlines exchanged", FONT, _outlines_exchanged),
        in_file("font replaced", Level.WORDS, "codes lead one glyph on", FONT, _identity),
        in_file("text not to be found", Level.WORDS, "no ToUnicode", r"words|found|copied|unicode|letters|read",
                _unmapped, file=CARDS),
        in_file("font replaced", Level.WORDS, "a font's widths wrong", r"font|width|letters|moved|own words",
_widths),
        in_file("font not embedded", Level.WORDS, "of a title", "GP804",
_programless),
    ]  # fmt: skip
