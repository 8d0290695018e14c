"""The SVG that is known to print right: elements, attributes and values.

Each was drawn with the engine to PDF and PNG and compared (Typst 0.15). A check returns what is
wrong with a value, or an empty text; advice follows a semicolon.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from PIL import ImageColor

from generator.geometry import parse_transform

# The engine prints names outside SVG 1.1 black.
NAMES: Final = frozenset(ImageColor.colormap) - {"rebeccapurple"}
_WRITTEN: Final = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|rgb\(\s*\d{1,3}\s*(?:,\s*\d{1,3}\s*){2}\)"
)

ValueCheck = Callable[[str], str]

# Possessive (++, *+) to avoid backtracking.
_NUMBER: Final = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?+")
# Ten million and more, which the engine cannot handle.
_LARGE: Final = re.compile(r"(?<![.\d])\d{8}|[eE]\+?0*+(?:[1-9]\d|[7-9])")
_TOO_LARGE: Final = "has a number over 9,999,999; write lengths in mm"
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
    """Check a number of millimetres."""
    if _NUMBER.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    if _UNIT.fullmatch(value):
        return "has a unit; write the number of millimetres alone"
    return "is not a number"


def is_share(value: str) -> str:
    """Check a number or a percentage."""
    if _NUMBER_OR_PERCENT.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a number"


def is_numbers(value: str) -> str:
    """Check numbers separated by spaces or commas."""
    if _NUMBERS.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not a list of numbers; write them with spaces between"


def is_dashes(value: str) -> str:
    """Check the lengths of dashes and gaps."""
    return "" if value == "none" else is_numbers(value)


def is_path(value: str) -> str:
    """Check the characters of path data, so that words such as `nan` are found."""
    if not value or _PATH.fullmatch(value):
        return _TOO_LARGE if _LARGE.search(value) else ""
    return "is not path data; it begins with M, then letters and numbers"


def is_paint(value: str) -> str:
    """Check a colour, a gradient or none."""
    if as_hex(value) is not None or _OTHER_PAINTS.fullmatch(value):
        return ""
    return "is not a colour; write #rrggbb, and transparency as fill-opacity"


def is_transform(value: str) -> str:
    """Check a list of transforms."""
    try:
        parse_transform(value)
    except ValueError as error:
        return f"is not understood: {error}; write for example translate(3 4) rotate(90)"
    return ""


def is_local(value: str) -> str:
    """Check a link to something on the same face."""
    return (
        ""
        if _LOCAL.fullmatch(value)
        else "leads out of the face; use #name, the id of something on it"
    )


def is_local_url(value: str) -> str:
    """Check a link to a clip path or mask on the same face."""
    return "" if _LOCAL_URL.fullmatch(value) else "is not understood; write url(#name)"


def is_name(value: str) -> str:
    """Check an id."""
    return "" if _NAME.fullmatch(value) else "is not a name; use letters, digits and hyphens"


def is_aspect(value: str) -> str:
    """Check `preserveAspectRatio`."""
    return "" if _ASPECT.fullmatch(value) else "is not understood"


def is_anything(_value: str) -> str:
    """Accept any value."""
    return ""


def one_of(*choices: str) -> ValueCheck:
    """Return a check for keywords."""
    known = frozenset(choices)

    def check(value: str) -> str:
        return "" if value in known else f"does not print; use {' or '.join(choices)}"

    return check


@functools.lru_cache(maxsize=4096)
def as_hex(colour: str) -> str | None:
    """Return a colour as `#rrggbb`, or `#rrggbbaa` if it is not opaque; None for anything but
    `#a53`, `#a53c1f`, both with alpha, `rgb(1, 2, 3)` and the names of SVG 1.1."""
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
"""Elements whose content is drawn elsewhere, or not at all."""

TEXTS: Final = frozenset(("text", "tspan", "textPath"))
SILENT: Final = frozenset(("title", "desc"))
"""Elements with words for readers of the SVG."""
SHAPES: Final = ELEMENTS.keys() - TEXTS - SILENT - {"image"}
"""Elements that icons may have."""

ICON_ID: Final = "icon-"
"""The prefix of ids inside icons, which repeat on a face."""

_AS_PICTURE: Final = "filters become coarse pixels in print: draw it, or make it part of a picture"
_NO_STYLES: Final = 'write each look as an attribute, such as fill="…"'
_NO_MOTION: Final = "paper does not move"
_USE_TEXT: Final = "use text_box or text_line, which place text exactly"
_USE_LOOP: Final = "draw the shape again in a loop, or use draw.hatch or draw.grid"

INSTEAD_OF_ELEMENT: Final[Mapping[str, str]] = {
    "svg": "write only its content: the <svg> around a face is added for you",
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
    "class": _NO_STYLES,
    "filter": _AS_PICTURE,
    "transform-origin": "write rotate(angle x y) with the point to turn about",
    "vector-effect": "leave it out and write the printed stroke-width",
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
    "mix-blend-mode": "choose the final colour",
    "marker-end": "use draw.arrow",
    "marker-start": "use draw.arrow",
    "font": "write font-family, font-size and font-weight",
    "viewBox": 'use <g transform="translate(…) scale(…)">',
}
