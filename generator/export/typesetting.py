"""The SVG of a face in; its art and its lines of text, in the order of painting, out.

The engine draws the text of an SVG glyph by glyph. Text that is given to it as text it sets in a
third of the time and in one operator a line; it looks the same to the pixel. What helpers set
straight onto a face is taken out of its SVG; text that is turned, clipped or set from right to left
stays in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import unescape
from typing import Final, NamedTuple
from xml.parsers import expat

_ATTRIBUTES: Final = r'(?: [\w-]+="[^"<>]*")+'
_SPANS: Final = rf"(?:<tspan{_ATTRIBUTES}>[^<>]*</tspan>)+"
_TEXT: Final = re.compile(rf"<text({_ATTRIBUTES})>({_SPANS})</text>")
_SPAN: Final = re.compile(rf"<tspan({_ATTRIBUTES})>([^<>]*)</tspan>")
_ATTRIBUTE: Final = re.compile(r" ([\w-]+)=\"([^\"]*)\"")
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_DEFINED: Final = re.compile(r"\sid=[\"']([^\"']+)[\"']")
_REFERRED: Final = re.compile(r"url\(\s*[\"']?#([^)\"'\s]+)|href=[\"']#([^\"']+)[\"']")
_PLAIN: Final = re.compile(r"\S+(?: \S+)*")
_LOOK: Final = frozenset(
    ("fill", "font-family", "font-size", "font-weight", "font-style", "font-stretch")
)
_STRETCHES: Final = {
    "ultra-condensed": 50.0,
    "extra-condensed": 62.5,
    "condensed": 75.0,
    "semi-condensed": 87.5,
    "normal": 100.0,
    "semi-expanded": 112.5,
    "expanded": 125.0,
    "extra-expanded": 150.0,
    "ultra-expanded": 200.0,
}
_FROM_RIGHT: Final = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))


class Line(NamedTuple):
    """A run of text: its words, where its baseline starts (user units of the SVG, which are mm),
    size in the same unit, family, weight, style, width of the letters (per cent), colour
    (a grey as one number from 0 to 255)."""

    words: str
    x: float
    y: float
    size: float
    family: str
    weight: int
    style: str
    stretch: float
    fill: str | int


Layer = str | tuple[Line, ...]
"""A whole SVG, or lines of text over it."""


def layers(svg: str) -> tuple[Layer, ...]:
    """What to paint one over the other; the SVG alone when its text had better stay in it."""
    content = svg.encode()
    try:
        head, places = _texts(content)
    except expat.ExpatError:  # the engine says what is wrong with it
        return (svg,)
    parts: list[Layer] = []
    start = head
    for begin, end in places:
        lines = _lines(content[begin:end].decode())
        if lines is None:
            continue
        _add_art(parts, content, head, start, begin)
        before = parts[-1] if parts else ""
        if isinstance(before, str):
            parts.append(lines)
        else:
            parts[-1] = (*before, *lines)
        start = end
    _add_art(parts, content, head, start, content.rindex(b"</svg>"))
    whole = all(_is_whole(part) for part in parts if isinstance(part, str))
    return tuple(parts) if whole and places else (svg,)


def _add_art(parts: list[Layer], content: bytes, head: int, start: int, end: int) -> None:
    art = content[start:end].strip()
    if art:
        parts.append((content[:head] + art + b"</svg>").decode())


def _is_whole(svg: str) -> bool:
    """False when it refers to something that is in another part."""
    referred = {one or other for one, other in _REFERRED.findall(svg)}
    return not referred or referred <= set(_DEFINED.findall(svg))


def _texts(content: bytes) -> tuple[int, Sequence[tuple[int, int]]]:
    """Where the inside of the root begins, and from where to where each text right in it is."""
    places: list[tuple[int, int]] = []
    depth = head = begun = 0
    parser = expat.ParserCreate()

    def start(name: str, _: object) -> None:
        nonlocal depth, head, begun
        if depth == 1:
            head = head or parser.CurrentByteIndex
            begun = parser.CurrentByteIndex if name == "text" else 0
        depth += 1

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        if depth == 1 and name == "text":
            places.append((begun, content.index(b">", parser.CurrentByteIndex) + 1))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(content, True)
    return head or content.index(b">") + 1, places


def _lines(text: str) -> tuple[Line, ...] | None:
    """The lines of a text element; None for one that is set in a way only the SVG knows."""
    whole = _TEXT.fullmatch(text)
    if whole is None:
        return None
    base = dict(_ATTRIBUTE.findall(whole[1]))
    try:
        return tuple(_line(base, *span) for span in _SPAN.findall(whole[2]))
    except (KeyError, ValueError):
        return None


def _line(base: dict[str, str], told: str, words: str) -> Line:
    """Raises ValueError or KeyError for what is not as helpers write it."""
    look = {**base, **dict(_ATTRIBUTE.findall(told))}
    x, y = float(look.pop("x")), float(look.pop("y"))
    text = unescape(words)
    if look.keys() - _LOOK or not _PLAIN.fullmatch(text) or _runs_from_right(text):
        raise ValueError(text)
    if not _COLOUR.fullmatch(look["fill"]):
        raise ValueError(look["fill"])
    weight = look.get("font-weight", "400")
    return Line(
        text,
        x,
        y,
        float(look["font-size"]),
        unescape(look["font-family"]).strip("'\""),
        400 if weight == "normal" else int(weight),
        look.get("font-style", "normal"),
        _STRETCHES[look.get("font-stretch", "normal")],
        _ink(look["fill"]),
    )


def _runs_from_right(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(c) in _FROM_RIGHT for c in text)


SETTING: Final = """\
#set text(top-edge: "baseline", bottom-edge: "baseline", hyphenate: false, cjk-latin-spacing: none)
#let ink(c) = if type(c) == int { luma(c) } else { rgb(c) }
#let line(dx, dy, l) = place(
  top + left, dx: dx + l.at(1) * 1mm, dy: dy + l.at(2) * 1mm,
  block(width: 2000mm, text(
    size: l.at(3) * 1mm, font: l.at(4), weight: l.at(5), style: l.at(6), stretch: l.at(7) * 1%,
    fill: ink(l.at(8)), l.at(0),
  )),
)
#let face(width, height, bleed, parts) = for part in parts {
  if type(part) == str { place(image(bytes(part), format: "svg", width: width, height: height)) }
  else { for l in part { line(bleed, bleed, l) } }
}
"""
"""What a Typst document needs to set the layers of a face, as JSON gives them."""


def _ink(fill: str) -> str | int:
    """Grey as one number, so that black print is black ink alone; else a colour."""
    red, green, blue = fill[1:3], fill[3:5], fill[5:7]
    return int(red, 16) if red.lower() == green.lower() == blue.lower() else fill
