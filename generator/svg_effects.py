"""Prepares effects for the SVG engine, and refuses what only Inkscape can show."""

from __future__ import annotations

import io
import math
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from xml.etree.ElementTree import Element

from PIL import Image, ImageOps

from generator.css_colours import css_hex
from generator.geometry import IDENTITY, Matrix, Rect, parse_transform
from generator.svg_styles import UnfitDrawingError, length, name_of

LINK: Final = re.compile(r"url\(#([^()'\"\s]+)\)")
XLINK_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_USED: Final = re.compile(r"""url\(\s*['"]?#([^()'"\s]+)""")
_OF_INKSCAPE: Final = {
    "mesh": "a mesh gradient",
    "meshgradient": "a mesh gradient",
    "hatch": "a hatch",
}
_PNG_INSTEAD: Final = "use linear and radial gradients, or export the drawing as PNG of 600 dpi"
_TO_PATHS: Final = "in Inkscape, Text > Convert to Text, then Path > Object to Path"
_UNSEEN: Final = ("0", "hidden", "none")
_STILL: Final = "save the drawing as it looks after the animation"
_JPEG: Final = re.compile(r"\s*data:image/jpe?g;base64,")
_ORIENTATION: Final = 0x0112
_LINEAR: Final = ("color-interpolation-filters", "linearRGB")
_SHADOW: Final = re.compile(r"drop-shadow\(((?:[^()]|\([^()]*\))*)\)")
_WORD: Final = re.compile(r"[^\s(]+(?:\([^()]*\))?")
_AROUND: Final = 10
"""The longest fall of a shadow in unknown coordinates, in sizes of the drawing."""
_OF_THEIR_OWN: Final = ("svg", "symbol", "defs", "pattern", "marker", "clipPath", "mask", "use")


def refuse_unseen(root: Element) -> None:
    """Raise UnfitDrawingError for parts that only Inkscape shows."""
    texts = [text for each in root.iter() for text in (*each.attrib.values(), each.text or "")]
    used = {link for text in texts if "url(" in text for link in _USED.findall(text)}
    for element in root.iter():
        name = name_of(element)
        if name == "flowRoot" and any(text.strip() for text in element.itertext()):
            told = "has flowed text, which only Inkscape can show"
            raise UnfitDrawingError(told, element, _TO_PATHS)
        if name.lower() in _OF_INKSCAPE and element.get("id") in used:
            told = f"has {_OF_INKSCAPE[name.lower()]}, which only Inkscape shows"
            raise UnfitDrawingError(told, element, _PNG_INSTEAD)
        if any(_value(element, name) in _UNSEEN for name in map(_animated, element) if name):
            raise UnfitDrawingError("has a part that only its animation shows", element, _STILL)


def _animated(child: Element) -> str:
    """Return the attribute that an animation changes, or nothing."""
    return child.get("attributeName", "") if name_of(child) in ("animate", "set") else ""


def _value(element: Element, name: str) -> str:
    """Return the value of an attribute or of the same property in `style`."""
    styled = re.search(rf"(?:^|;)\s*{re.escape(name)}\s*:\s*([^;]+)", element.get("style", ""))
    return (styled[1] if styled else element.get(name, "")).strip()


def drop_idle_effects(root: Element) -> None:
    """Remove references to missing clips, masks and filters, as a browser ignores them."""
    ids = {element.get("id") for element in root.iter()}
    for element in root.iter():
        for key in ("clip-path", "mask", "filter"):
            link = LINK.fullmatch(element.get(key, ""))
            if link is not None and link[1] not in ids:
                del element.attrib[key]


def help_engine(root: Element, box: Rect) -> None:
    """Rewrite shadows and embedded photos so that the engine draws them as a browser does. `box` is
    the view box."""
    for number, (element, matrix) in enumerate(list(_placed(root, IDENTITY))):
        if name_of(element) == "feDropShadow":
            element.set(*_LINEAR)
        elif name_of(element) == "image":
            _turn_upright(element)
        if "drop-shadow(" in element.get("filter", ""):
            name = f"gridpress-shadow-{number}"
            drawn = Element("filter", {"id": name, "filterUnits": "userSpaceOnUse"})
            drawn.extend(list(_shadows(element)))
            region = _region(drawn, box, matrix)
            sides = zip(("x", "y", "width", "height"), region, strict=True)
            drawn.attrib |= {side: f"{size:g}" for side, size in sides}
            root.append(drawn)
            element.set("filter", f"url(#{name})")


def _placed(element: Element, matrix: Matrix | None) -> Iterator[tuple[Element, Matrix | None]]:
    """Yield elements with the way from their coordinates to those of the drawing, None inside of
    elements that have coordinates of their own."""
    try:
        own = parse_transform(element.get("transform", ""))
    except ValueError:
        own = IDENTITY
    matrix = matrix and matrix.then(own)
    yield element, matrix
    for child in element:
        yield from _placed(child, None if name_of(child) in _OF_THEIR_OWN else matrix)


def _region(shadows: Element, box: Rect, matrix: Matrix | None) -> tuple[float, ...]:
    """Return where shadows may fall, in an element's coordinates: the larger it is, the longer the
    engine takes."""
    if matrix is None or not matrix.area:
        seen = box.grown(_AROUND * max(box.width, box.height))
    else:
        names = ("dx", "dy", "stdDeviation", "stdDeviation", "stdDeviation")
        far = (abs(float(each.get(name, "0"))) for each in shadows for name in names)
        seen = matrix.inverse.box(box).grown(math.fsum(far))
    return seen.x, seen.y, seen.width, seen.height


def _shadows(element: Element) -> Iterator[Element]:
    """Yield the shadows of a CSS filter as parts of an SVG filter."""
    value = element.attrib["filter"]
    looks = [_shadow(each) for each in _SHADOW.findall(value)]
    if _SHADOW.sub("", value).strip() or None in looks:
        hint = "draw the shadow as a shape of its own, or with the filters of the program"
        raise UnfitDrawingError(f"has the filter {value!r}, which does not print", element, hint)
    yield from (Element("feDropShadow", dict((_LINEAR, *look.items()))) for look in looks if look)


def _shadow(given: str) -> dict[str, str] | None:
    """Return a CSS shadow as SVG attributes; None if it is not understood."""
    sizes, colours = list[float](), list[str]()
    for word in _WORD.findall(given):
        try:
            sizes.append(length(word))
        except ValueError:
            colours.append(word)
    colour = "".join(colours) or "currentColor"
    known = css_hex(colour)
    if not 2 <= len(sizes) <= 3 or (known is None and colour.lower() != "currentcolor"):
        return None
    names = ("dx", "dy", "stdDeviation")
    look = dict(zip(names, (f"{size:g}" for size in (*sizes, 0.0)), strict=False))
    paint, alpha = (known[:7], known[7:]) if known else ("currentColor", "")
    return look | {"flood-color": paint, "flood-opacity": f"{int(alpha or 'ff', 16) / 255:.4g}"}


def _turn_upright(image: Element) -> None:
    """Turn an embedded photo upright; one that cannot be read stays as it is."""
    key = "href" if "href" in image.attrib else XLINK_HREF
    head = _JPEG.match(image.get(key, ""))
    if head is None:
        return
    with (
        suppress(OSError, ValueError, SyntaxError, Image.DecompressionBombError),
        Image.open(io.BytesIO(b64decode(image.attrib[key][head.end() :]))) as picture,
    ):
        if picture.getexif().get(_ORIENTATION, 1) != 1:
            out, profile = io.BytesIO(), picture.info.get("icc_profile")
            turned = ImageOps.exif_transpose(picture)
            turned.save(out, "JPEG", quality=95, subsampling=0, icc_profile=profile)
            image.set(key, head[0] + b64encode(out.getvalue()).decode())
