"""SVG files as drawing programs save them, cleaned: what is left of one prints, and leads nowhere.

Only shapes come through: no scripts, styles, texts, pictures or links to anything outside. What is
left is written anew, without namespaces and what would not print; `style="fill:red"` becomes
`fill="red"`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from generator.svg_subset import ELEMENTS, SHAPES, SILENT, Part, RepeatError, drawn

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


@dataclass(frozen=True, slots=True)
class IconArt:
    """An icon: its view box (x, y, width, height in its own units) and the shapes in it."""

    view_box: tuple[float, float, float, float]
    body: str


class UnfitError(Exception):
    """What a drawing must not have; the message goes on from "the icon x.svg …"."""


FAULTS: Final = (UnfitError, ParseError, DefusedXmlException, ValueError, LookupError)
"""What reading a drawing may raise."""


def in_words(error: Exception) -> str:
    """What such a fault is, as a sentence goes on."""
    match error:
        case UnfitError():
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
        raise UnfitError("is not an SVG drawing")
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
        raise UnfitError(f"has <{name}>, which cannot be printed in an icon")
    if depth > MAX_DEPTH:
        raise UnfitError(f"is nested deeper than {MAX_DEPTH} groups")
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
        raise UnfitError(f"has the attribute {name!r}, which is not known")
    if name.lower().startswith("on"):
        raise UnfitError(f"has a script in the attribute {name}")
    if name == "href" and not value.startswith("#"):
        raise UnfitError("uses something outside of itself")
    if "url(" in _LOCAL_URL.sub("", value).lower():
        raise UnfitError("uses something outside of itself")


def _check_uses(root: Element) -> None:
    """Counts the shapes, those too that `<use>`, masks and clips draw again. Raises UnfitError for
    too many, or a circle."""
    parts: dict[str, Part] = {}
    whole = Part()
    _count(root, whole, parts)
    for name in (name for part in (whole, *parts.values()) for name, _ in part.links):
        if name not in parts:
            raise UnfitError(f"uses #{name}, which it does not have")
    try:
        total = drawn(whole, parts, MAX_SHAPES)
    except RepeatError as error:
        if error.endless:
            raise UnfitError(f"has #{error.name} inside of itself again") from error
        total = MAX_SHAPES + 1
    if total > MAX_SHAPES:
        raise UnfitError(f"has more than {MAX_SHAPES:,} shapes")


def _count(element: Element, part: Part, parts: dict[str, Part]) -> None:
    if "id" in element.attrib:
        inner = Part(element.attrib["id"])
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
        raise UnfitError(f"has a viewBox that is not four numbers: {box!r}") from error
    if not (0 < width < 1e6 and 0 < height < 1e6 and abs(x) < 1e6 and abs(y) < 1e6):
        raise UnfitError("has no viewBox, or an empty one")
    return x, y, width, height
