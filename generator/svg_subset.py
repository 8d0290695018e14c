"""The SVG that is known to print right: elements, attributes, values, and how much of them; and
files as drawing programs save them, cleaned to it; long, since one list says what is let through.

Each was drawn with the engine both to PDF and to PNG and looked at (Typst 0.15). What is not
listed, or not understood, is left out in silence, or drawn otherwise in print than on the screen.
The check of a value returns what is wrong with it, empty for nothing; what stands behind a
semicolon says what to do. `<use>`, masks and clips draw a part as often as they name it, and a part
may name others: ten lines can ask for more shapes than a year can draw.

Of a file only shapes come through: no scripts, styles, texts, pictures or links to anything
outside. What is left is written anew, without namespaces and what would not print;
`style="fill:red"` becomes `fill="red"`.

A template takes a drawing by its layers, in its colours. A layer is a named group of the drawing,
or of a layer, by the name that drawing programs show (`inkscape:label`, else the id). A colour with
a name is a swatch, a gradient of one stop: where the layer is drawn, a template says what is
painted for it. A mark is a place: a group, a clone or a rectangle of a layer that is looked at and
not drawn. What the root says of lines and fills is for who opens the file: on a face the template
says it.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from msgspec import Struct, field
from PIL import ImageColor

from generator.geometry import Matrix, Rect, parse_transform, summed

# The engine knows the 147 names of SVG 1.1, and prints every other one black.
NAMES: Final = frozenset(ImageColor.colormap) - {"rebeccapurple"}
_WRITTEN: Final = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|rgb\(\s*\d{1,3}\s*(?:,\s*\d{1,3}\s*){2}\)"
)

ValueCheck = Callable[[str], str]

# Possessive (++, *+), so that no run of blanks or digits is tried again from each of its places.
_NUMBER: Final = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?+")
# Ten million and more: the engine counts in numbers of seven digits, and breaks down far beyond.
_LARGE: Final = re.compile(r"(?<![.\d])\d{8}|[eE]\+?0*+(?:[1-9]\d|[7-9])")
_TOO_LARGE: Final = "has a number over 9,999,999; give lengths in mm"
_NUMBER_OR_PERCENT: Final = re.compile(_NUMBER.pattern + "%?")
_NUMBERS: Final = re.compile(rf"\s*+{_NUMBER.pattern}(?:[\s,]++{_NUMBER.pattern})*+\s*+")
_UNIT: Final = re.compile(_NUMBER.pattern + r"\s*(mm|cm|in|pt|px|pc|em|ex|rem|%)")
_PATH: Final = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")
_OTHER_PAINTS: Final = re.compile(r"none|transparent|currentColor|inherit|url\(#[\w.-]+\)")
_LOCAL: Final = re.compile(r"#[\w.-]+")
_LOCAL_URL: Final = re.compile(r"url\(#[\w.-]+\)|none")
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")
_ASPECT: Final = re.compile(r"none|x(Min|Mid|Max)Y(Min|Mid|Max)( (meet|slice))?")


def is_number(value: str) -> str:
    """A number of millimetres."""
    if _NUMBER.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    if _UNIT.fullmatch(value):
        return "has a unit; write the number of millimetres alone"
    return "is not a number"


def is_share(value: str) -> str:
    """A number, or one with a per cent sign."""
    if _NUMBER_OR_PERCENT.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a number"


def is_numbers(value: str) -> str:
    """Numbers with spaces or commas between them."""
    if _NUMBERS.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a list of numbers; write them with spaces between"


def is_dashes(value: str) -> str:
    """Lengths of dashes and gaps."""
    return "" if value == "none" else is_numbers(value)


def is_path(value: str) -> str:
    """Path data, by its characters: a word such as `nan` or `None` in it is found."""
    if not value or _PATH.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not path data; it begins with M, then letters and numbers"


def is_paint(value: str) -> str:
    """A colour, a gradient or nothing."""
    if as_hex(value) is not None or _OTHER_PAINTS.fullmatch(value):
        return ""
    return "is not a colour; write #rrggbb, and transparency as fill-opacity"


def is_transform(value: str) -> str:
    """A list of transforms."""
    try:
        parse_transform(value)
    except ValueError as error:
        return f"is not understood, {error}; write such as translate(3 4) rotate(90)"
    return ""


def is_local(value: str) -> str:
    """A link to something on the same face."""
    return (
        ""
        if _LOCAL.fullmatch(value)
        else "leads out of the face; use #name, the id of something on it"
    )


def is_local_url(value: str) -> str:
    """A clip path or mask on the same face."""
    return "" if _LOCAL_URL.fullmatch(value) else "is not understood; write url(#name)"


def is_name(value: str) -> str:
    """An id."""
    return "" if _NAME.fullmatch(value) else "is not a name; use letters, digits and hyphens"


def is_aspect(value: str) -> str:
    """preserveAspectRatio."""
    return "" if _ASPECT.fullmatch(value) else "is not understood"


def is_anything(_value: str) -> str:
    """What the engine may read as it likes."""
    return ""


def one_of(*choices: str) -> ValueCheck:
    """A keyword."""
    known = frozenset(choices)

    def check(value: str) -> str:
        return "" if value in known else f"does not print; use {' or '.join(choices)}"

    return check


@functools.lru_cache(maxsize=4096)
def as_hex(colour: str) -> str | None:
    """A colour as `#rrggbb`, or `#rrggbbaa` if it is not opaque; None for what is none.

    Known are the forms that print right: `#a53`, `#a53c1f`, both with alpha, `rgb(1, 2, 3)` and
    the names of SVG 1.1.
    """
    text = colour.strip().lower()
    if text not in NAMES and not _WRITTEN.fullmatch(text):
        return None
    rgb: Any = ImageColor.getrgb(text)
    return "#" + "".join(f"{min(part, 255):02x}" for part in rgb)


_UNITS: Final = one_of("userSpaceOnUse", "objectBoundingBox")
_RULE: Final = one_of("nonzero", "evenodd", "inherit")

_LOOK: Final[Mapping[str, ValueCheck]] = {
    "id": is_name,
    "transform": is_transform,
    "fill": is_paint,
    "fill-opacity": is_share,
    "fill-rule": _RULE,
    "stroke": is_paint,
    "stroke-width": is_number,
    "stroke-opacity": is_share,
    "stroke-linecap": one_of("butt", "round", "square"),
    "stroke-linejoin": one_of("miter", "round", "bevel"),
    "stroke-miterlimit": is_number,
    "stroke-dasharray": is_dashes,
    "stroke-dashoffset": is_number,
    "opacity": is_share,
    "color": is_paint,
    "clip-path": is_local_url,
    "clip-rule": _RULE,
    "mask": is_local_url,
    "paint-order": is_anything,
    "display": one_of("none", "inline"),
    "visibility": one_of("visible", "hidden"),
}
_BOX: Final[Mapping[str, ValueCheck]] = dict.fromkeys(("x", "y", "width", "height"), is_number)
_GRADIENT: Final[Mapping[str, ValueCheck]] = {
    "id": is_name,
    "href": is_local,
    "gradientUnits": _UNITS,
    "gradientTransform": is_transform,
    # Repeated gradients differ between the PDF and the screen.
    "spreadMethod": one_of("pad"),
}
_TEXT: Final[Mapping[str, ValueCheck]] = {
    **_LOOK,
    "x": is_numbers,
    "y": is_numbers,
    "dx": is_numbers,
    "dy": is_numbers,
    "text-anchor": one_of("start", "middle", "end"),
    "font-family": is_anything,
    "font-size": is_number,
    "font-weight": one_of("normal", "bold", *map(str, range(100, 1000, 100))),
    "font-style": one_of("normal", "italic"),
    "font-stretch": one_of(
        "normal",
        *(f"{amount}{way}" for amount in ("ultra-", "extra-", "", "semi-")
          for way in ("condensed", "expanded")),
    ),
}  # fmt: skip

ELEMENTS: Final[Mapping[str, Mapping[str, ValueCheck]]] = {
    "g": _LOOK,
    "defs": _LOOK,
    "path": {**_LOOK, "d": is_path, "pathLength": is_number},
    "rect": {**_LOOK, **_BOX, "rx": is_number, "ry": is_number},
    "circle": {**_LOOK, **dict.fromkeys(("cx", "cy", "r"), is_number)},
    "ellipse": {**_LOOK, **dict.fromkeys(("cx", "cy", "rx", "ry"), is_number)},
    "line": {**_LOOK, **dict.fromkeys(("x1", "y1", "x2", "y2"), is_number)},
    "polyline": {**_LOOK, "points": is_numbers},
    "polygon": {**_LOOK, "points": is_numbers},
    "use": {**_LOOK, **_BOX, "href": is_local},
    "symbol": {
        **_LOOK,
        "viewBox": is_numbers,
        "preserveAspectRatio": is_aspect,
        "overflow": one_of("visible", "hidden"),
    },
    "image": {**_LOOK, **_BOX, "href": is_anything, "preserveAspectRatio": is_aspect},
    "clipPath": {**_LOOK, "clipPathUnits": _UNITS},
    "mask": {**_LOOK, **dict.fromkeys(_BOX, is_share), "maskUnits": _UNITS,
             "maskContentUnits": _UNITS},
    "linearGradient": {**_GRADIENT, **dict.fromkeys(("x1", "y1", "x2", "y2"), is_share)},
    "radialGradient": {**_GRADIENT, **dict.fromkeys(("cx", "cy", "r", "fx", "fy"), is_share)},
    "stop": {"id": is_name, "offset": is_share, "stop-color": is_paint, "stop-opacity": is_share},
    "text": _TEXT,
    "tspan": _TEXT,
    "textPath": {**_TEXT, "href": is_local, "startOffset": is_share},
    "title": {},
    "desc": {},
}  # fmt: skip

HIDDEN: Final = frozenset(
    ("defs", "symbol", "clipPath", "mask", "linearGradient", "radialGradient")
)
"""What is inside of these is drawn elsewhere, or not at all."""

TEXTS: Final = frozenset(("text", "tspan", "textPath"))
SILENT: Final = frozenset(("title", "desc"))
"""The words in these are for who reads the SVG."""
SHAPES: Final = ELEMENTS.keys() - TEXTS - SILENT - {"image"}
"""What icons may have."""

ICON_ID: Final = "icon-"
"""How the ids inside of icons begin. They stand on a face as often as their icon does."""

_AS_PICTURE: Final = "filters become coarse pixels in print: draw it, or make it part of a picture"
_NO_STYLES: Final = 'write each look as an attribute, such as fill="…"'
_NO_MOTION: Final = "paper does not move"
_USE_TEXT: Final = "use text_box or text_line, which place text exactly"
_USE_LOOP: Final = "draw the shape again in a loop, or use draw.hatch or draw.grid"

INSTEAD_OF_ELEMENT: Final[Mapping[str, str]] = {
    "svg": "write only what goes inside of it: the <svg> around a face is made for you",
    "style": _NO_STYLES,
    "filter": _AS_PICTURE,
    "pattern": _USE_LOOP,
    "marker": "use draw.arrow",
    "script": "use the template's own {% for %} and {% if %}",
    "foreignObject": _USE_TEXT,
    "animate": _NO_MOTION,
    "animateTransform": _NO_MOTION,
    "set": _NO_MOTION,
    "a": "use <g>: paper has no links",
    "switch": "use the template's own {% if %}",
    "metadata": "leave it out",
    "view": "leave it out",
    "img": "use the helper image(…)",
    "tref": _USE_TEXT,
    "font": "put the font's file into fonts/ and name it in styles.yaml",
}

INSTEAD_OF_ATTRIBUTE: Final[Mapping[str, str]] = {
    "style": _NO_STYLES,
    "class": _NO_STYLES,
    "filter": _AS_PICTURE,
    "transform-origin": "write rotate(angle x y) with the point to turn about",
    "vector-effect": "leave it out and write the stroke-width that is to be printed",
    "letter-spacing": _USE_TEXT,
    "word-spacing": _USE_TEXT,
    "dominant-baseline": _USE_TEXT,
    "alignment-baseline": _USE_TEXT,
    "baseline-shift": _USE_TEXT,
    "textLength": _USE_TEXT,
    "direction": _USE_TEXT,
    "writing-mode": "use text_box with rotate=90",
    "text-decoration": "draw a line under it",
    "xlink:href": "write href",
    "mix-blend-mode": "choose the colour that it is to have",
    "marker-end": "use draw.arrow",
    "marker-start": "use draw.arrow",
    "font": "write font-family, font-size and font-weight",
    "viewBox": 'use <g transform="translate(…) scale(…)">',
}


MAX_NESTED: Final = 100
"""Elements inside of each other, what is drawn by its name counted where it is drawn: the engine
takes no more."""


class SvgPart(Struct):
    """An element with an id, or the whole drawing, and its place: how much its elements are to
    draw without those of parts inside of it, and how deep they are nested; `inside` are these
    parts, `links` the ids that it names, and where."""

    name: str = ""
    at: int = 0
    elements: int = 0
    depth: int = 0
    inside: list[SvgPart] = field(default_factory=list)
    links: list[tuple[str, int]] = field(default_factory=list)


class RepeatError(Exception):
    """Too much is drawn, or nested too deep (`deep`), or a part inside of itself (`endless`), by
    what stands `at` its place and names `name`."""

    def __init__(self, name: str, at: int, endless: bool = False, deep: bool = False) -> None:
        super().__init__(name)
        self.name, self.at, self.endless, self.deep = name, at, endless, deep


def elements_drawn(whole: SvgPart, parts: Mapping[str, SvgPart], most: int) -> int:
    """How many elements a drawing draws. Raises RepeatError over `most`, or where they are nested
    deeper than `MAX_NESTED`.

    Without recursion: a hostile drawing has chains of many thousand parts.
    """
    totals: dict[int, int] = {}
    depths: dict[int, int] = {}
    stack = [(whole, _drawn_by(whole, parts))]
    begun = {id(whole)}
    while stack:
        part, needs = stack[-1]
        for other, name, at in needs:
            if id(other) in totals:
                continue
            if id(other) in begun:
                raise RepeatError(name, at, endless=True)
            begun.add(id(other))
            stack.append((other, _drawn_by(other, parts)))
            break
        else:
            stack.pop()
            totals[id(part)] = _total(part, parts, totals, most)
            depths[id(part)] = _depth(part, parts, depths)
    return totals[id(whole)]


def _drawn_by(part: SvgPart, parts: Mapping[str, SvgPart]) -> Iterator[tuple[SvgPart, str, int]]:
    yield from ((other, other.name, other.at) for other in part.inside)
    yield from ((parts[name], name, at) for name, at in part.links if name in parts)


def _total(
    part: SvgPart, parts: Mapping[str, SvgPart], totals: Mapping[int, int], most: int
) -> int:
    total = part.elements + summed(totals[id(other)] for other in part.inside)
    if total > most:
        raise RepeatError(part.name, part.at)
    for name, at in part.links:
        if name in parts:
            total += totals[id(parts[name])]
            if total > most:
                raise RepeatError(name, at)
    return total


def _depth(part: SvgPart, parts: Mapping[str, SvgPart], depths: Mapping[int, int]) -> int:
    """How deep a part is nested: what is drawn by its name counts as if at the innermost place."""
    depth = part.depth
    for name, at in part.links:
        if name in parts:
            depth = max(depth, part.depth + 1 + depths[id(parts[name])])
            if depth > MAX_NESTED:
                raise RepeatError(name, at, deep=True)
    return max([depth, *(1 + depths[id(other)] for other in part.inside)])


MAX_DEPTH: Final = 50
MAX_SHAPES: Final = 10_000

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_DROPPED: Final = SILENT | {"metadata"}
_IGNORED: Final = re.compile(r"class|version|role|xmlns.*|(data|aria|enable|xml)[-:].*|\{.*")
_OF_ROOT: Final = re.compile(r"x|y|width|height|viewBox|preserveAspectRatio|id")
_CLEAN_URL: Final = re.compile(r"url\(\s*+['\"]?#([^()'\"\s]++)['\"]?\s*+\)")
_LENGTH: Final = re.compile(r"\s*+([0-9.]++)\s*+(?:px|mm|pt|cm|in)?\s*+")
_PIXELS: Final = re.compile(r"(?<![\d.])([\d.]++)px")
_SEPARATORS: Final = re.compile(r"[\s,]+")


class IconArt(Struct, frozen=True):
    """An icon: its view box (x, y, width, height in its own units) and the shapes in it."""

    view_box: tuple[float, float, float, float]
    body: str


class UnfitDrawingError(Exception):
    """What a drawing must not have; the message goes on from "the icon x.svg …"."""


FAULTS: Final = (UnfitDrawingError, ParseError, DefusedXmlException, ValueError, LookupError)
"""What reading a drawing may raise."""


def fault_in_words(error: Exception) -> str:
    """What such a fault is, as a sentence goes on."""
    match error:
        case UnfitDrawingError():
            return str(error)
        case ParseError():
            line, column = error.position
            return f"is not well-formed SVG: see its line {line}, column {column + 1}"
        case DefusedXmlException():
            return "has a document type or entities, which are not allowed"
        case _:
            return "is not text in a known encoding"


@functools.lru_cache(128)  # a session reads the same icons at each look
def cleaned(content: bytes) -> IconArt:
    """The whole of a drawing. Raises one of `FAULTS`."""
    root = rooted(content)
    body = "".join(markup(child, 1) for child in root)
    _check_uses(fromstring(f"<svg>{body}</svg>"))
    around = "".join(f' {name}="{escape(value)}"' for name, value in looks(root).items())
    return IconArt(_view_box(root), f"<g{around}>{body}</g>" if around else body)


def rooted(content: bytes) -> Element:
    """The root of a drawing. Raises one of `FAULTS`."""
    root: Element = fromstring(content, forbid_dtd=True)
    if name_of(root) != "svg":
        raise UnfitDrawingError("is not an SVG drawing")
    return root


def looks(element: Element) -> dict[str, str]:
    """How a group, or the whole drawing, makes what is in it look."""
    found = attributes(element, "g")
    return {name: value for name, value in found.items() if not _OF_ROOT.fullmatch(name)}


def name_of(element: Element) -> str:
    """The tag without the SVG namespace; those of other namespaces keep theirs."""
    return str(element.tag).removeprefix(_SVG)


def markup(element: Element, depth: int) -> str:
    """An element with all that is in it, as it is written anew; empty for what is left out."""
    name = name_of(element)
    if name in _DROPPED or name.startswith("{"):  # what drawing programs keep for themselves
        return ""
    if name not in SHAPES:
        raise UnfitDrawingError(f"has <{name}>, which cannot be printed in an icon")
    if depth > MAX_DEPTH:
        raise UnfitDrawingError(f"is nested deeper than {MAX_DEPTH} groups")
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes(element, name).items())
    inside = "".join(markup(child, depth + 1) for child in element)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def attributes(element: Element, name_: str) -> dict[str, str]:
    """Those that print, of an element of that name."""
    kept: dict[str, str] = {}
    styled: dict[str, str] = {}
    for name, value in element.attrib.items():
        if name == "style":
            for declaration in filter(str.strip, value.split(";")):
                key, _, style = declaration.partition(":")
                if not key.strip().startswith("-"):  # a drawing program's own
                    styled[key.strip()] = style.replace("!important", "").strip()
        elif name == _XLINK_HREF:
            kept["href"] = value
        elif not _IGNORED.fullmatch(name):
            kept[name] = value
    known = ELEMENTS[name_]
    found = {}
    for name, value in {**kept, **styled}.items():  # a style counts for more than an attribute
        _check(name, value)
        check = known.get(name)
        plain = _PIXELS.sub(r"\1", _CLEAN_URL.sub(r"url(#\1)", value))
        if check is not None and not check(plain):
            found[name] = plain
    return found


def _check(name: str, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        raise UnfitDrawingError(f"has the attribute {name!r}, which is not known")
    if name.lower().startswith("on"):
        raise UnfitDrawingError(f"has a script in the attribute {name}")
    if name == "href" and not value.startswith("#"):
        raise UnfitDrawingError("uses something outside of itself")
    if "url(" in _CLEAN_URL.sub("", value).lower():
        raise UnfitDrawingError("uses something outside of itself")


def _check_uses(root: Element) -> None:
    """Counts the shapes, those too that `<use>`, masks and clips draw again. Raises UnfitError for
    too many, or a circle."""
    parts: dict[str, SvgPart] = {}
    whole = SvgPart()
    _count(root, whole, parts)
    for name in (name for part in (whole, *parts.values()) for name, _ in part.links):
        if name not in parts:
            raise UnfitDrawingError(f"uses #{name}, which it does not have")
    try:
        total = elements_drawn(whole, parts, MAX_SHAPES)
    except RepeatError as error:
        if error.endless:
            raise UnfitDrawingError(f"has #{error.name} inside of itself again") from error
        total = MAX_SHAPES + 1
    if total > MAX_SHAPES:
        raise UnfitDrawingError(f"has more than {MAX_SHAPES:,} shapes")


def _count(element: Element, part: SvgPart, parts: dict[str, SvgPart]) -> None:
    if "id" in element.attrib:
        inner = SvgPart(element.attrib["id"])
        part.inside.append(inner)
        parts.setdefault(inner.name, inner)
        part = inner
    part.elements += 1
    if name_of(element) == "use":
        part.links.append((element.get("href", "#").removeprefix("#"), 0))
    for key in ("mask", "clip-path"):
        found = _CLEAN_URL.search(element.get(key, ""))
        if found is not None:
            part.links.append((found[1], 0))
    for child in element:
        _count(child, part, parts)


def _view_box(root: Element) -> tuple[float, float, float, float]:
    box = root.get("viewBox")
    try:
        if box is not None:
            x, y, width, height = (float(n) for n in _SEPARATORS.split(box.strip()))
        else:
            lengths = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
            x = y = 0.0
            width, height = (float(length[1]) if length else 0.0 for length in lengths)
    except ValueError as error:
        raise UnfitDrawingError(f"has a viewBox that is not four numbers: {box!r}") from error
    if not (0 < width < 1e6 and 0 < height < 1e6 and abs(x) < 1e6 and abs(y) < 1e6):
        raise UnfitDrawingError("has no viewBox, or an empty one")
    return x, y, width, height


MAX_LAYERS: Final = 3_000_000
"""Characters of all layers of a drawing, each with what it uses of the drawing's definitions."""

_LABEL: Final = "{http://www.inkscape.org/namespaces/inkscape}label"
_REFERENCE: Final = re.compile(r'url\(#([\w.-]+)\)| href="#([\w.-]+)"')
_PAINT: Final = re.compile(r"url\(#([\w.-]+)\)")
_ID: Final = re.compile(r' id="([\w.-]+)"')
_LAYER_NAME: Final = re.compile(r"[\w.-]+")


class DrawingMark(Struct, frozen=True):
    """A place in a drawing, in its units and in degrees: where the origin of a group or clone comes
    to, how it is turned, how large it is, and `flip`, -1 where it is mirrored; of a rectangle its
    corner, width and height."""

    name: str
    x: float
    y: float
    turn: float = 0.0
    size: float = 1.0
    flip: int = 1
    w: float = 0.0
    h: float = 0.0


class DrawnLayer(Struct, frozen=True):
    """A layer: its shapes, in which `url(#name)` stands for each of `colours`, and its marks."""

    body: str
    colours: tuple[str, ...]
    marks: tuple[DrawingMark, ...]


class LayeredArt(Struct, frozen=True):
    """A drawing: its layers by name; one inside of another as `outer/inner`."""

    layers: Mapping[str, DrawnLayer]


class _Definitions(Struct, frozen=True):
    """What layers share: the names of swatches by the ids that stand for them, and for each id in
    the drawing's definitions the element there that has it, itself or inside of it."""

    swatches: Mapping[str, str]
    homes: Mapping[str, Element]


@functools.lru_cache(64)
def layered(content: bytes) -> LayeredArt:
    """The layers of a drawing. Raises one of `FAULTS`."""
    cleaned(content)  # which holds the whole drawing against its limits
    root = rooted(content)
    shared = _definitions(root)
    layers: dict[str, DrawnLayer] = {}
    room = MAX_LAYERS
    for name, way in _named(root):
        if name in layers:
            raise UnfitDrawingError(f"has two layers that are called {name}")
        layers[name] = _layer(name, way, shared)
        room -= len(layers[name].body)
        if room < 0:
            raise UnfitDrawingError("repeats its definitions too often: use them in fewer layers")
    return LayeredArt(layers)


def _named(root: Element) -> Iterator[tuple[str, tuple[Element, ...]]]:
    """Each layer by name, with the groups that lead to it, itself the last."""
    for outer, group in _groups(root):
        yield outer, (group,)
        for inner, part in _groups(group):
            yield f"{outer}/{inner}", (group, part)


def _groups(element: Element) -> Iterator[tuple[str, Element]]:
    for child in element:
        name = child.get(_LABEL) or child.get("id")
        if name and name_of(child) == "g":
            yield name, child


def _definitions(root: Element) -> _Definitions:
    homes = {
        inner.attrib["id"]: child
        for defs in reversed(list(root.iter()))  # so that of nested ones the outer one counts
        if name_of(defs) == "defs"
        for child in defs
        for inner in child.iter()
        if "id" in inner.attrib
    }
    swatches = {id_: name for id_ in homes if (name := _swatch(id_, homes))}
    return _Definitions(swatches, homes)


def _swatch(id_: str, homes: Mapping[str, Element]) -> str:
    """The name of the swatch that an id stands for; empty for none."""
    for _ in range(3):  # a drawing program puts gradients between that take another one's stops
        element = homes.get(id_)
        if element is None or name_of(element) not in ("linearGradient", "radialGradient"):
            return ""
        stops = [child for child in element if name_of(child) == "stop"]
        if stops:
            label = element.get(_LABEL, "")
            name = label if _LAYER_NAME.fullmatch(label) else element.get("id", "")
            return name if len(stops) == 1 else ""
        id_ = attributes(element, name_of(element)).get("href", "").removeprefix("#")
    return ""


def _layer(name: str, way: Sequence[Element], shared: _Definitions) -> DrawnLayer:
    inside = "".join(markup(child, len(way) + 1) for child in way[-1])
    body = _with_definitions(name, inside, shared)
    for group in reversed(way):
        look = "".join(
            f' {key}="{escape(value)}"'
            for key, value in looks(group).items()
            if key not in ("display", "visibility")  # of who works on another layer
        )
        body = f"<g{look}>{body}</g>" if look else body
    body = _PAINT.sub(lambda found: f"url(#{shared.swatches.get(found[1], found[1])})", body)
    known = set(shared.swatches.values())
    colours = tuple(dict.fromkeys(filter(known.__contains__, _PAINT.findall(body))))
    return DrawnLayer(body, colours, tuple(_marks(way)))


def _with_definitions(name: str, body: str, shared: _Definitions) -> str:
    """The shapes of a layer with the definitions that they use, and no ids but those in use."""
    own = set(_ID.findall(body))
    used: dict[int, str] = {}
    named: set[str] = set()
    asked = [body]
    while asked:
        for found in _REFERENCE.finditer(asked.pop()):
            id_ = found[1] or found[2]
            if id_ in named or id_ in shared.swatches:
                continue
            named.add(id_)
            home = shared.homes.get(id_)
            if id_ in own:
                continue
            if home is None:
                raise UnfitDrawingError(
                    f"uses #{id_} in {name}, and has it neither there nor in its defs"
                )
            if id(home) not in used:
                used[id(home)] = markup(home, 1)
                asked.append(used[id(home)])
    whole = f"<defs>{''.join(used.values())}</defs>{body}" if used else body
    return _ID.sub(lambda found: found[0] if found[1] in named else "", whole)


def _marks(way: Sequence[Element]) -> Iterator[DrawingMark]:
    around = Matrix()
    for group in way:
        around = around.then(_matrix(group))
    taken: set[str] = set()
    for number, child in enumerate(way[-1], 1):
        tag = name_of(child)
        if tag not in ("g", "use", "rect"):
            continue
        name = child.get(_LABEL) or child.get("id") or ""
        name = str(number) if not name or name in taken else name
        taken.add(name)
        given = attributes(child, tag)
        x, y, w, h = (float(given.get(key, 0)) for key in ("x", "y", "width", "height"))
        matrix = around.then(_matrix(child))
        if tag == "rect":
            box = matrix.box(Rect(x, y, w, h))
            corner = _short(box.x), _short(box.y)
            yield DrawingMark(name, *corner, w=_short(box.width), h=_short(box.height))
        else:
            at = matrix.then(Matrix(e=x, f=y))
            turn, flip = math.degrees(math.atan2(-at.c, at.d)), -1 if at.area < 0 else 1
            yield DrawingMark(name, _short(at.e), _short(at.f), _short(turn), _short(at.down), flip)


def _short(value: float) -> float:
    """A number as short as one writes it, so that it is the same on every machine."""
    return round(value, 3) + 0.0


def _matrix(element: Element) -> Matrix:
    return parse_transform(attributes(element, "g").get("transform", ""))
