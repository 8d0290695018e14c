"""Reads SVG files as drawing programs save them.

Styles and units are resolved first. A file of plain shapes is then rewritten without the program's
own data; any other goes to the SVG engine. Files that neither can print, or that refer to something
outside, are refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser
from msgspec import Struct

from generator.geometry import IDENTITY, Matrix, Rect, parse_transform
from generator.svg_effects import LINK, XLINK_HREF, drop_idle_effects, help_engine, refuse_unseen
from generator.svg_shapes import SHAPES, UNREADABLE, shape_outline
from generator.svg_styles import LINE, UnfitDrawingError, length, name_of, resolve_styles
from generator.svg_subset import ELEMENTS, ICON_ID, as_hex

_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_PLAIN: Final = frozenset(
    (*SHAPES, "g", "defs", "clipPath", "linearGradient", "radialGradient", "stop")
)
"""Elements that PDF operators can draw."""
_BY_NAME: Final = frozenset(("use", "symbol", "mask"))
"""Elements that draw others by name, which layers may have too."""
_TELLING: Final = frozenset(
    ("style", "filter", "marker", "marker-start", "marker-mid", "marker-end", "paint-order")
)
"""Attributes with an effect that PDF operators cannot draw."""
_OF_ROOT: Final = re.compile(r"x|y|width|height|viewBox|preserveAspectRatio|id")
_SEPARATORS: Final = re.compile(r"[\s,]+")
_EMBEDDED: Final = re.compile(r"\s*data:image/(png|jpe?g|gif|webp|svg\+xml)[;,]")
_TEXTS: Final = frozenset(("text", "tspan", "textPath"))
_BEYOND: Final = 0.001
"""Share of its size that a drawing may exceed its view box."""
_VIEW: Final = f"{ICON_ID}view"

ViewBox = tuple[float, float, float, float]


class IconArt(Struct, frozen=True):
    """An icon: its view box (x, y, width, height in its own units) and its markup. `whole` means
    that the SVG engine draws it, with one of `families` for each text."""

    view_box: ViewBox
    body: str
    whole: bool = False
    families: tuple[str, ...] = ()


class _NotPlainError(UnfitDrawingError):
    """Raised for a part that PDF operators cannot draw."""


FAULTS: Final = (UnfitDrawingError, ParseError, ValueError, LookupError)
"""Errors that reading a drawing may raise."""


def fault_in_words(error: Exception) -> str:
    """Return the reason as the end of a sentence."""
    match error:
        case UnfitDrawingError():
            return str(error)
        case ParseError():
            line, column = error.position
            return f"is not well-formed SVG: see its line {line}, column {column + 1}"
        case _:
            return "is not text in a known encoding"


@functools.lru_cache(128)  # a session reads the same icons at each look
def cleaned(content: bytes) -> IconArt:
    """Return a drawing. Raises one of `FAULTS`."""
    root = rooted(content)
    _drop_idle_links(root)
    view = view_box(root)
    try:
        body = "".join(markup(child, _PLAIN) for child in root)
    except _NotPlainError:
        return _as_it_is(root, view)
    if _is_beyond(root, view):
        x, y, width, height = view
        cut = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        body = f'<clipPath id="{_VIEW}">{cut}</clipPath><g clip-path="url(#{_VIEW})">{body}</g>'
    return IconArt(view, _in_group(root, body))


def rooted(content: bytes, *, hidden: bool = False) -> Element:
    """Return the root of a drawing with its styles as attributes; `hidden` parts stay if asked.
    Raises one of `FAULTS`."""
    if content.startswith(b"\x1f\x8b"):
        raise UnfitDrawingError("is compressed (SVGZ)", hint="save it as plain SVG")
    builder = _LineBuilder()
    builder.parser = DefusedXMLParser(target=builder)
    try:
        builder.parser.feed(content)
    except DefusedXmlException as error:
        hint = "in Illustrator, save it with Preserve Illustrator Editing Capabilities off"
        raise UnfitDrawingError("declares entities, which are not allowed", None, hint) from error
    root: Element = builder.parser.close()
    if name_of(root) != "svg":
        raise UnfitDrawingError("is not an SVG drawing")
    refuse_unseen(root)
    for element in root.iter():
        _check(element)
    resolve_styles(root, view_box(root), hidden=hidden)
    drop_idle_effects(root)
    help_engine(root, Rect(*view_box(root)))
    background = root.attrib.pop("background-color", root.attrib.pop("background", ""))
    if background.startswith("#"):
        share = dict(zip(("x", "y", "width", "height"), map(str, view_box(root)), strict=True))
        root.insert(0, Element("rect", {**share, "fill": background, "stroke": "none"}))
    _check_uses(root)
    return root


def _drop_idle_links(root: Element) -> None:
    """Replace references to missing paints by their fallback, or by none."""
    ids = {element.get("id") for element in root.iter()}
    for element in root.iter():
        for key in ("fill", "stroke"):
            link, _, instead = element.get(key, "").partition(" ")
            found = LINK.fullmatch(link)
            if found is not None:
                element.set(key, link if found[1] in ids else as_hex(instead) or "none")


class _LineBuilder(TreeBuilder):
    """Notes the line of each element."""

    parser: Any

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        """Begin an element."""
        line = self.parser.parser.CurrentLineNumber
        return super().start(tag, {LINE: str(line), **attrs})


def _check(element: Element) -> None:
    """Refuse scripts and references to something outside the drawing."""
    name = name_of(element)
    if name == "script":
        raise UnfitDrawingError("has a script", element)
    for key, value in element.attrib.items():
        if key.lower().startswith("on"):
            raise UnfitDrawingError(f"has a script in the attribute {key}", element)
        if key not in ("href", XLINK_HREF) or name == "a" or name.startswith("{"):
            continue
        if not value.startswith("#") and not (name == "image" and _EMBEDDED.match(value)):
            hint = "embed the picture in the drawing program" if name == "image" else ""
            what = f"refers to something outside: {value[:40]!r}"
            raise UnfitDrawingError(what, element, hint)


def looks(element: Element) -> dict[str, str]:
    """Return the attributes of a group that change the look of its content."""
    found = attributes(element, "g")
    return {name: value for name, value in found.items() if not _OF_ROOT.fullmatch(name)}


def markup(element: Element, known: frozenset[str] = _PLAIN | _BY_NAME) -> str:
    """Return an element and its content, rewritten. Raises UnfitDrawingError for anything but the
    `known` elements in a plain look."""
    name = name_of(element)
    if name not in known:
        raise _NotPlainError(f"has <{name}>, which cannot be printed here", element)
    found = attributes(element, name)
    if "mask" in found and "mask" not in known:
        raise _NotPlainError("has a mask, which cannot be printed here", element)
    given = "".join(f' {key}="{escape(value)}"' for key, value in found.items())
    inside = "".join(markup(child, known) for child in element)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def attributes(element: Element, name: str) -> dict[str, str]:
    """Return the attributes that print, for an element of that name. Raises UnfitDrawingError for
    one that PDF operators cannot draw."""
    known = ELEMENTS[name]
    found = {}
    for given, value in element.attrib.items():
        key = "href" if given == XLINK_HREF else given
        check = known.get(key)
        if key in _TELLING and value not in ("none", "normal"):
            raise _NotPlainError(f"has {key}={value!r}, which cannot be printed here", element)
        if check is None or key in _TELLING:
            continue
        if check(value):
            raise _NotPlainError(f"has {key}={value!r}, which {check(value)}", element)
        found[key] = value
    return found


def _in_group(root: Element, body: str) -> str:
    around = "".join(f' {name}="{escape(value)}"' for name, value in looks(root).items())
    return f"<g{around}>{body}</g>" if around else body


def _as_it_is(root: Element, view: ViewBox) -> IconArt:
    """Return a drawing for the engine."""
    for element in root.iter():
        if name_of(element) == "foreignObject":
            hint = "save its texts as paths, or as texts of SVG"
            if not any(text.strip() for text in element.itertext()):
                hint = (
                    "Figma writes angular gradients and background blur so: use linear and radial"
                    " gradients, or export the picture as PNG"
                )
            raise UnfitDrawingError("has HTML in a <foreignObject>", element, hint)
    body = "".join(map(_written, root))
    around = {key: value for key, value in _named(root) if not _OF_ROOT.fullmatch(key)}
    if around:
        body = f"<g{_listed(around)}>{body}</g>"
    return IconArt(view, body, True, tuple(dict.fromkeys(_families(root, "serif"))))


def _written(element: Element) -> str:
    name = name_of(element)
    inside = "".join(_written(child) + escape(child.tail or "", False) for child in element)
    text = escape(element.text or "", False) if name in _TEXTS else ""
    given = _listed(dict(_named(element)))
    if name not in _TEXTS:
        inside = "".join(map(_written, element))
    return f"<{name}{given}>{text}{inside}</{name}>"


def _named(element: Element) -> Iterator[tuple[str, str]]:
    for key, value in element.attrib.items():
        if key == XLINK_HREF:
            yield "href", value
        elif key.startswith(_XML):
            yield f"xml:{key.removeprefix(_XML)}", value
        elif not key.startswith("{") and ":" not in key:
            yield key, value


def _listed(given: Mapping[str, str]) -> str:
    return "".join(f' {key}="{escape(value)}"' for key, value in given.items())


def _families(element: Element, family: str) -> Iterator[str]:
    """Yield the font families of texts."""
    family = element.get("font-family", family)
    if name_of(element) in _TEXTS and "".join(element.itertext()).strip():
        yield family
    for child in element:
        yield from _families(child, family)


def _is_beyond(root: Element, view: ViewBox) -> bool:
    """Return whether a drawing may paint outside its view box."""
    x, y, width, height = view
    room = Rect(x, y, width, height).grown(_BEYOND * max(width, height))
    return not all(room.contains(box) for box in _boxes(root, IDENTITY, {}))


def _boxes(element: Element, matrix: Matrix, around: Mapping[str, str]) -> Iterator[Rect]:
    """Yield the boxes of an element's shapes, including their lines."""
    look = {**around, **element.attrib}
    matrix = matrix.then(parse_transform(element.get("transform", "")))
    name = name_of(element)
    if name in ("defs", "clipPath", "linearGradient", "radialGradient"):
        return
    if name in SHAPES:
        try:
            outline = shape_outline(name, element.attrib)
        except UNREADABLE:
            return
        if outline is not None:
            line = float(look.get("stroke-width", 1)) if look.get("stroke", "none") != "none" else 0
            yield matrix.box(outline.box).grown(line * abs(matrix.area) ** 0.5 / 2)
    for child in element:
        yield from _boxes(child, matrix, look)


def _check_uses(root: Element) -> None:
    """Raise UnfitDrawingError for a `<use>` of something that is not in the drawing."""
    ids = {element.get("id") for element in root.iter()}
    for element in root.iter():
        if name_of(element) == "use":
            link = element.get("href", element.get(XLINK_HREF, "#")).removeprefix("#")
            if link not in ids:
                raise UnfitDrawingError(f"uses #{link}, which does not exist")


def view_box(root: Element) -> ViewBox:
    """Return the view box of a drawing, or the box of its size. Raises UnfitDrawingError."""
    box = root.get("viewBox")
    x = y = 0.0
    try:
        if box is not None:
            x, y, width, height = (float(n) for n in _SEPARATORS.split(box.strip()))
        else:
            width, height = (length(root.get(side, "0")) for side in ("width", "height"))
    except ValueError as error:
        raise UnfitDrawingError(f"has a viewBox that is not four numbers: {box!r}") from error
    if not (0 < width < 1e6 and 0 < height < 1e6 and abs(x) < 1e6 and abs(y) < 1e6):
        raise UnfitDrawingError(
            "has no viewBox, or an empty one",
            hint="set the size of the drawing in the drawing program, and save it again",
        )
    return x, y, width, height
