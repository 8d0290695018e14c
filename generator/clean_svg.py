"""SVG files as drawing programs save them, cleaned: what is left of one prints, and leads nowhere.

Only shapes come through: no scripts, styles, texts, pictures or links to anything outside. What is
left is written anew, without namespaces and what would not print; `style="fill:red"` becomes
`fill="red"`.

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
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from msgspec import Struct

from generator.geometry import Matrix, Rect, parse_transform
from generator.svg_subset import ELEMENTS, SHAPES, SILENT, RepeatError, SvgPart, elements_drawn

MAX_DEPTH: Final = 50
MAX_SHAPES: Final = 10_000

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_DROPPED: Final = SILENT | {"metadata"}
_IGNORED: Final = re.compile(r"class|version|role|xmlns.*|(data|aria|enable|xml)[-:].*|\{.*")
_OF_ROOT: Final = re.compile(r"x|y|width|height|viewBox|preserveAspectRatio|id")
_LOCAL_URL: Final = re.compile(r"url\(\s*+['\"]?#([^()'\"\s]++)['\"]?\s*+\)")
_LENGTH: Final = re.compile(r"\s*+([0-9.]++)\s*+(?:px|mm|pt|cm|in)?\s*+")
_PIXELS: Final = re.compile(r"(?<![\d.])([\d.]++)px")
_NUMBERS: Final = re.compile(r"[\s,]+")


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
        plain = _PIXELS.sub(r"\1", _LOCAL_URL.sub(r"url(#\1)", value))
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
    if "url(" in _LOCAL_URL.sub("", value).lower():
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
        found = _LOCAL_URL.search(element.get(key, ""))
        if found is not None:
            part.links.append((found[1], 0))
    for child in element:
        _count(child, part, parts)


def _view_box(root: Element) -> tuple[float, float, float, float]:
    box = root.get("viewBox")
    try:
        if box is not None:
            x, y, width, height = (float(n) for n in _NUMBERS.split(box.strip()))
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
_NAME: Final = re.compile(r"[\w.-]+")


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
    """The layers of a drawing. Raises one of `clean_svg.FAULTS`."""
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
            name = label if _NAME.fullmatch(label) else element.get("id", "")
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
