"""An SVG icon file in, markup that is safe to put into a face out.

Only shapes come through: no scripts, styles, texts, pictures or links to anything outside. What
is left is written anew, without namespaces and what would not print; `style="fill:red"` becomes
`fill="red"`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots, TooLargeError, UnreadableError
from generator.repeats import Part, RepeatError, drawn
from generator.svg_subset import ELEMENTS, SHAPES, SILENT

MAX_BYTES: Final = 1_000_000
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


def read_icon(path: Path, span: Span | None = None, roots: Roots | None = None) -> IconArt:
    """Reads and cleans an icon below one of the roots (without any: below its own folder). `span`
    is where its name is written.

    Raises GridpressError (GP002, GP004, GP503).
    """
    place = span or Span(path.as_posix())
    try:
        return _cleaned((roots or Roots((path.parent,))).read(path, MAX_BYTES))
    except UnreadableError as error:
        raise GridpressError(error.told(place, f"the icon {path.name}")) from error
    except TooLargeError:
        code, reason = "GP503", "has more than 1 MB"
    except (_UnfitError, ParseError, DefusedXmlException, ValueError, LookupError) as error:
        code, reason = "GP503", _in_words(error)
    hint = (
        "an icon holds shapes only; in a drawing program, save it as plain SVG with texts as paths"
    )
    raise GridpressError(Diagnostic(place, code, f"the icon {path.name} {reason}", hint))


class _UnfitError(Exception):
    """What an icon must not have; the message goes on from "the icon x.svg …"."""


def _in_words(error: Exception) -> str:
    match error:
        case _UnfitError():
            return str(error)
        case ParseError():
            line, column = error.position
            return f"is not well-formed SVG: see its line {line}, column {column + 1}"
        case DefusedXmlException():
            return "has a document type or entities, which are not allowed"
        case _:
            return "is not text in a known encoding"


def _cleaned(content: bytes) -> IconArt:
    root: Element = fromstring(content, forbid_dtd=True)
    if _name(root) != "svg":
        raise _UnfitError("is not an SVG drawing")
    body = "".join(_markup(child, 1) for child in root)
    _check_uses(fromstring(f"<svg>{body}</svg>"))
    around = "".join(
        f' {name}="{escape(value)}"'
        for name, value in _attributes(root, "g").items()
        if not _OF_ROOT.fullmatch(name)
    )
    return IconArt(_view_box(root), f"<g{around}>{body}</g>" if around else body)


def _name(element: Element) -> str:
    """The tag without the SVG namespace; those of other namespaces keep theirs."""
    return str(element.tag).removeprefix(_SVG)


def _markup(element: Element, depth: int) -> str:
    name = _name(element)
    if name in _DROPPED or name.startswith("{"):  # what drawing programs keep for themselves
        return ""
    if name not in SHAPES:
        raise _UnfitError(f"has <{name}>, which cannot be printed in an icon")
    if depth > MAX_DEPTH:
        raise _UnfitError(f"is nested deeper than {MAX_DEPTH} groups")
    attributes = "".join(
        f' {key}="{escape(value)}"' for key, value in _attributes(element, name).items()
    )
    inside = "".join(_markup(child, depth + 1) for child in element)
    return f"<{name}{attributes}>{inside}</{name}>" if inside else f"<{name}{attributes}/>"


def _attributes(element: Element, name_: str) -> dict[str, str]:
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
    attributes = {}
    for name, value in {**kept, **styled}.items():  # a style counts for more than an attribute
        _check(name, value)
        check = known.get(name)
        plain = _PIXELS.sub(r"\1", _LOCAL_URL.sub(r"url(#\1)", value))
        if check is not None and not check(plain):
            attributes[name] = plain
    return attributes


def _check(name: str, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        raise _UnfitError(f"has the attribute {name!r}, which is not known")
    if name.lower().startswith("on"):
        raise _UnfitError(f"has a script in the attribute {name}")
    if name == "href" and not value.startswith("#"):
        raise _UnfitError("uses something outside of itself")
    if "url(" in _LOCAL_URL.sub("", value).lower():
        raise _UnfitError("uses something outside of itself")


def _check_uses(root: Element) -> None:
    """Counts the shapes, those too that `<use>`, masks and clips draw again. Raises _UnfitError for
    too many, or a circle."""
    parts: dict[str, Part] = {}
    whole = Part()
    _count(root, whole, parts)
    for name in (name for part in (whole, *parts.values()) for name, _ in part.links):
        if name not in parts:
            raise _UnfitError(f"uses #{name}, which it does not have")
    try:
        total = drawn(whole, parts, MAX_SHAPES)
    except RepeatError as error:
        if error.endless:
            raise _UnfitError(f"has #{error.name} inside of itself again") from error
        total = MAX_SHAPES + 1
    if total > MAX_SHAPES:
        raise _UnfitError(f"has more than {MAX_SHAPES:,} shapes")


def _count(element: Element, part: Part, parts: dict[str, Part]) -> None:
    if "id" in element.attrib:
        inner = Part(element.attrib["id"])
        part.inside.append(inner)
        parts.setdefault(inner.name, inner)
        part = inner
    part.elements += 1
    if _name(element) == "use":
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
        raise _UnfitError(f"has a viewBox that is not four numbers: {box!r}") from error
    if not (0 < width < 1e6 and 0 < height < 1e6 and abs(x) < 1e6 and abs(y) < 1e6):
        raise _UnfitError("has no viewBox, or an empty one")
    return x, y, width, height
