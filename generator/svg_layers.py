"""Reads the layers of a drawing, which templates draw in their own colours.

A layer is a named group at the top of the drawing, or in such a group; its name is
`inkscape:label`, else its id. A swatch (a gradient with one stop) is a colour that the template
chooses. A mark is a place: a group, a clone or a rectangle in a layer that is not drawn. Line and
fill styles of the root are ignored: the template sets them.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element

from msgspec import Struct

from generator.geometry import Matrix, Rect, parse_transform
from generator.svg_files import attributes, cleaned, looks, markup, rooted
from generator.svg_styles import UnfitDrawingError, name_of

_LABEL: Final = "{http://www.inkscape.org/namespaces/inkscape}label"
_REFERENCE: Final = re.compile(r'url\(#([\w.-]+)\)| href="#([\w.-]+)"')
_PAINT: Final = re.compile(r"url\(#([\w.-]+)\)")
_ID: Final = re.compile(r' id="([\w.-]+)"')
_LAYER_NAME: Final = re.compile(r"[\w.-]+")


class DrawingMark(Struct, frozen=True):
    """A place in a drawing, in its units and in degrees. A group or clone gives its origin, turn,
    size and `flip` (-1 if mirrored), a rectangle its corner, width and height."""

    name: str
    x: float
    y: float
    turn: float = 0.0
    size: float = 1.0
    flip: int = 1
    w: float = 0.0
    h: float = 0.0


class DrawnLayer(Struct, frozen=True):
    """A layer: its shapes, with `url(#name)` for each of `colours`, and its marks."""

    body: str
    colours: tuple[str, ...]
    marks: tuple[DrawingMark, ...]


class LayeredArt(Struct, frozen=True):
    """A drawing: its layers by name; a layer inside another is `outer/inner`."""

    layers: Mapping[str, DrawnLayer]


class _Definitions(Struct, frozen=True):
    """Swatch names by id, and for each id in the definitions the outermost element that holds
    it."""

    swatches: Mapping[str, str]
    homes: Mapping[str, Element]


@functools.lru_cache(64)
def layered(content: bytes) -> LayeredArt:
    """Return the layers of a drawing. Raises one of `FAULTS`."""
    cleaned(content)  # checks the whole drawing
    root = rooted(content, hidden=True)
    shared = _definitions(root)
    layers: dict[str, DrawnLayer] = {}
    for name, way in _named(root):
        if name in layers:
            raise UnfitDrawingError(f"has two layers named {name}")
        layers[name] = _layer(name, way, shared)
    return LayeredArt(layers)


def _named(root: Element) -> Iterator[tuple[str, tuple[Element, ...]]]:
    """Yield each layer's name with the groups that lead to it; the layer is the last."""
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
        for defs in reversed(list(root.iter()))  # so that outer definitions win
        if name_of(defs) == "defs"
        for child in defs
        for inner in child.iter()
        if "id" in inner.attrib
    }
    swatches = {id_: name for id_ in homes if (name := _swatch(id_, homes))}
    return _Definitions(swatches, homes)


def _swatch(id_: str, homes: Mapping[str, Element]) -> str:
    """Return the name of an id's swatch; empty without one."""
    for _ in range(3):  # drawing programs chain gradients that share stops
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
    inside = "".join(map(markup, way[-1]))
    body = _with_definitions(name, inside, shared)
    for group in reversed(way):
        look = "".join(
            f' {key}="{escape(value)}"'
            for key, value in looks(group).items()
            if key not in ("display", "visibility")  # hidden while working on another layer
        )
        body = f"<g{look}>{body}</g>" if look else body
    body = _PAINT.sub(lambda found: f"url(#{shared.swatches.get(found[1], found[1])})", body)
    known = set(shared.swatches.values())
    colours = tuple(dict.fromkeys(filter(known.__contains__, _PAINT.findall(body))))
    return DrawnLayer(body, colours, tuple(_marks(way)))


def _with_definitions(name: str, body: str, shared: _Definitions) -> str:
    """Return a layer's shapes with the definitions they use, and only ids in use."""
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
                    f"uses #{id_} in {name}, but defines it neither there nor in its defs"
                )
            if id(home) not in used:
                used[id(home)] = markup(home)
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
    """Return a number rounded to 0.001, the same on every machine."""
    return round(value, 3) + 0.0


def _matrix(element: Element) -> Matrix:
    return parse_transform(attributes(element, "g").get("transform", ""))
