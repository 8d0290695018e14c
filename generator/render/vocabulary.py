"""The SVG that is known to print right: elements, their attributes, and what to use for others.

Each was drawn with the engine both to PDF and to PNG and looked at (Typst 0.15). What is not
listed is left out in silence, or drawn otherwise in print than on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.render.attributes import (
    Check,
    is_anything,
    is_aspect,
    is_dashes,
    is_local,
    is_local_url,
    is_name,
    is_number,
    is_numbers,
    is_paint,
    is_path,
    is_share,
    is_transform,
    one_of,
)

_UNITS: Final = one_of("userSpaceOnUse", "objectBoundingBox")
_RULE: Final = one_of("nonzero", "evenodd", "inherit")

_LOOK: Final[Mapping[str, Check]] = {
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
_BOX: Final[Mapping[str, Check]] = dict.fromkeys(("x", "y", "width", "height"), is_number)
_GRADIENT: Final[Mapping[str, Check]] = {
    "id": is_name,
    "href": is_local,
    "gradientUnits": _UNITS,
    "gradientTransform": is_transform,
    # Repeated gradients differ between the PDF and the screen.
    "spreadMethod": one_of("pad"),
}
_TEXT: Final[Mapping[str, Check]] = {
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

ELEMENTS: Final[Mapping[str, Mapping[str, Check]]] = {
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
