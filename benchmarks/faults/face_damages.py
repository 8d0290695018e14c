"""Damages to faces: what templates and data get wrong, though they draw without an error."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from msgspec.structs import replace

from faults.damage import Damage, in_face
from faults.fair import qr_path
from generator.geometry import Point, Rect
from generator.model.catalogue import Fold
from generator.model.face import Art, Face

PAPER, INK = "#f4ead2", "#1d1a17"


def redrawn(face: Face, svg: str) -> Face:
    """The face with all of it as one drawing."""
    b, trim = face.stock.bleed, face.stock.trim
    box = Rect(-b, -b, trim.width + 2 * b, trim.height + 2 * b)
    sha256 = hashlib.sha256(svg.encode()).hexdigest()
    return replace(face, layers=(Art(svg, sha256, box, face.assets),), sha256=sha256)


def front(change: Callable[[str], str], kind: str = "card") -> Callable[[Face], Face]:
    """The SVG of all fronts of a kind changed."""
    return _of(kind, "front", change)


def back(change: Callable[[str], str], kind: str = "card") -> Callable[[Face], Face]:
    return _of(kind, "back", change)


def _of(kind: str, name: str, change: Callable[[str], str]) -> Callable[[Face], Face]:
    def changed(face: Face) -> Face:
        if (face.kind, face.name) != (kind, name):
            return face
        svg = change(face.svg)
        if svg == face.svg:
            raise SystemExit(f"nothing to change in the {name} of {face.component}")
        return redrawn(face, svg)

    return changed


def only(component: str, change: Callable[[Face], Face]) -> Callable[[Face], Face]:
    return lambda face: change(face) if face.component == component else face


def last(svg: str, drawn: str) -> str:
    """Something drawn over all."""
    return svg.replace("</svg>", f"{drawn}</svg>")


def sized(svg: str, pt: float) -> str:
    """All text at another size."""
    return re.sub(r'font-size="[^"]*"', f'font-size="{pt * 25.4 / 72:.4f}"', svg)


def ground(svg: str, box: str) -> str:
    """The ground, which fills the bleed, and the band over it at another size."""
    return svg.replace('x="-3" y="-3" width="69.5" height="94.9"', box).replace(
        'x="-3" y="-3" width="69.5" height="17"', 'x="4" y="4" width="55" height="10"'
    )


def moved_text(svg: str, by: float) -> str:
    """All text moved down, mm."""
    return re.sub(r"(<text)( |>)", rf'\1 transform="translate(0 {by})"\2', svg)


def clipped(svg: str) -> str:
    """Everything through a window that cuts the text."""
    start = svg.index(">") + 1
    window = '<clipPath id="w"><rect x="-3" y="-3" width="40" height="94.9"/></clipPath>'
    return f'{svg[:start]}{window}<g clip-path="url(#w)">{svg[start:-6]}</g></svg>'


def alike_but_shaped(svg: str) -> str:
    """Suits told by their shapes, and by red and green of the same lightness."""
    for old, new in (("#b3381e", "#b0604f"), ("#1f5f8b", "#7f7440"), ("#a9bf4a", "#8c7048")):
        svg = svg.replace(old, new)
    return svg


def alike_hues(svg: str) -> str:
    """Suits told by red and green of the same lightness, and by nothing else."""
    svg = alike_but_shaped(svg)
    return re.sub(r'<(path|circle|rect)[^>]*fill="#ffffff"/>', "", svg)


def folded(svg: Callable[[str], str] = str) -> Callable[[Face], Face]:
    """A card that is folded in the middle, with more drawn on its front."""

    def changed(face: Face) -> Face:
        if (face.kind, face.name) != ("card", "front"):
            return face
        fold = Fold(Point(0, 44.45), Point(63.5, 44.45))
        return replace(redrawn(face, svg(face.svg)), stock=replace(face.stock, folds=(fold,)))

    return changed


class Twin:
    """The front of one card for that of another."""

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = one, other
        self.drawn: Face | None = None

    def __call__(self, face: Face) -> Face:
        if face.kind == "card" and face.name == "front":
            if face.component == self.one:
                self.drawn = face
            elif face.component == self.other and self.drawn:
                return replace(redrawn(face, self.drawn.svg), words=self.drawn.words)
        return face


INNOCENT: tuple[Damage, ...] = (
    in_face("suits of alike hues, but of unlike shapes", "", front(alike_but_shaped)),
    in_face("text of 7 pt", "", front(lambda s: sized(s, 7))),
    in_face("large text of 3.5 : 1", "", front(lambda s: s.replace(INK, "#7e7a77"), "token"),
            file="tokens-a4.pdf"),
)  # fmt: skip

DAMAGES: tuple[Damage, ...] = (
    # Bleed
    in_face("a bleed of 1 mm", "GP811",
            front(lambda s: ground(s, 'x="-1" y="-1" width="65.5" height="90.9"'))),
    in_face("no bleed at all", "GP811",
            front(lambda s: ground(s, 'x="0" y="0" width="63.5" height="88.9"'))),
    in_face("a bleed that lacks 1 mm at the bottom", "GP811",
            front(lambda s: s.replace('height="94.9"', 'height="93.9"'))),
    in_face("a white edge", "GP811",
            front(lambda s: ground(s, 'x="5" y="5" width="53" height="78"'))),
    in_face("a token's bleed of 0.5 mm", "GP811", front(lambda s: s.replace(
        '<rect x="-1.5" y="-1.5" width="28" height="28"', '<circle cx="12.5" cy="12.5" r="13"'),
        "token"), file="tokens-a4.pdf"),
    # Folds and lines
    in_face("text on a fold", "GP816", folded(lambda s: last(
        s, '<text x="8" y="46" font-size="5" font-family="Alegreya Sans">Fold</text>')), also="GP815 GP817 GP856"),
    in_face("a tent whose back is not turned", "GP817", folded(), also="GP815 GP816"),
    in_face("a line of 0.06 mm", "GP829", front(lambda s: last(
        s, '<path d="M8 80h40" stroke="#1d1a17" stroke-width="0.06"/>'))),
    in_face("a QR code of 0.3 mm a module", "GP838", front(lambda s: last(
        s, '<path d="M44 66h10v10h-10z" fill="#fff"/>' f'<path d="{qr_path(45.2, 67.2, 0.3)}"/>')), also="GP824 GP825"),
    # Text
    in_face("text of 4.5 pt", "GP821", front(lambda s: sized(s, 4.5))),
    in_face("text of 6 pt", "GP821", front(lambda s: sized(s, 6))),
    in_face("text at the cut", "GP823", front(lambda s: moved_text(s, 20))),
    in_face("text on a token at the cut", "GP823", front(lambda s: moved_text(s, 10), "token"),
            file="tokens-a4.pdf"),
    in_face("text with something over it", "GP824", front(lambda s: last(
        s, f'<rect x="4" y="50" width="56" height="20" fill="{PAPER}"/>'))),
    in_face("text that is cut off", "GP824", front(clipped), also="GP811 GP825"),
    in_face("text of the colour of its ground", "GP825", front(lambda s: s.replace(INK, PAPER)),
            also="GP852"),
    in_face("pale text", "GP825", front(lambda s: s.replace(INK, "#b9a98a"))),
    in_face("text over a picture", "GP825", front(lambda s: moved_text(s, -20)),
            also="GP823 GP824"),
    in_face("text over text", "GP826", front(lambda s: last(
        s, '<text x="8" y="61" font-size="5" font-family="Alegreya Sans">Back</text>')),
            also="GP856"),
    in_face("text that is mirrored", "GP827", back(lambda s: last(
        s, '<g transform="translate(63.5 0) scale(-1 1)"><text x="20" y="20" font-size="5" '
        'font-family="Alegreya Sans" fill="#ffffff">Back</text></g>')), also="GP856"),
    in_face("small pale text on a dark ground", "GP828", back(lambda s: last(
        s, '<text x="20" y="20" font-size="2.4" font-family="Alegreya Sans" fill="#ffffff">'
        "Back</text>")), also="GP856"),
    # Colour and ink
    in_face("suits of alike hues", "GP841", front(alike_hues)),
    in_face("a page soaked in ink", "GP842", back(lambda s: re.sub(
        r"</svg>", '<rect x="-3" y="-3" width="69.5" height="94.9" fill="#0a0505"/></svg>', s))),
    # The set
    in_face("two cards that look the same", "GP852", Twin("card-1", "card-4")),
    in_face("a back with a mark on it", "GP853", only("card-3", back(lambda s: last(
        s, '<circle cx="8" cy="8" r="0.8" fill="#d9c27a"/>'))), also="GP858"),
    in_face("a card with another back", "GP858", only("card-3", back(
        lambda s: s.replace("#2d4a3e", "#8a2018")))),
)  # fmt: skip
