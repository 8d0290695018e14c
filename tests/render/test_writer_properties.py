"""Our operators draw faces as the SVG engine does, for any printable SVG in a template."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

import pypdfium2
from PIL import Image, ImageChops, ImageFilter
from render.studio import Studio

from generator.diagnostics import Span
from generator.export.loose_pages import face_pages
from generator.fonts import own_fonts
from generator.geometry import Rect, Size
from generator.model.catalogue import Stock
from generator.model.face import Art, Drawing, Face, drawn_by_engine
from generator.render.engine_art import Source
from generator.render.face_builder import FaceBuilder
from generator.render.ink import Ink
from generator.render.painting import Painter
from generator.render.svg_lint import Linter

SIDE: Final = 30
DPI: Final = 100
MANY: Final = 200
MOST: Final = 0.001
"""Largest share of a drawing's pixels that may differ."""
SEEN: Final = 24
"""Least difference of a pixel and all around it that somebody would see, out of 255."""
STOCK: Final = Stock("square", Size(SIDE, SIDE), bleed=0)
HEAD: Final = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'


class Bare(NamedTuple):
    """The parts of a builder that a painter uses for shapes."""

    stock: Stock = STOCK
    texts: tuple[Any, ...] = ()
    pictures: Mapping[str, Any] = MappingProxyType({})


# -- random SVG ------------------------------------------------------------------------------------

COLOURS: Final = ("#d02020", "#2060c0", "gold", "#080", "rgb(90, 20, 90)", "#1a9a5a80")
PAINTS: Final = (*COLOURS, "none", "currentColor", "url(#g0)", "url(#g1)", "url(#g2)")
SHARES: Final = ("0.2", "0.5", "80%", "1")
LOOKS: Final[dict[str, Sequence[str]]] = {
    "fill": PAINTS,
    "fill-opacity": SHARES,
    "fill-rule": ("evenodd", "nonzero", "inherit"),
    "stroke": PAINTS[:-3],
    "stroke-opacity": SHARES,
    "stroke-width": ("1", "2.5", "4"),
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "stroke-miterlimit": ("1", "2", "10"),
    "stroke-dasharray": ("none", "3 2", "4,1,2", "5", "0 3"),
    "stroke-dashoffset": ("1", "-2.5", "40"),
    "color": COLOURS,
    "opacity": SHARES,
    "transform": (
        "translate(3 -2)", "rotate(30 15 15)", "scale(0.7 1.2)", "skewX(20)",
        "matrix(0.8 0.3 -0.2 0.9 4 1)", "translate(30) scale(-1 1)",
    ),
    "clip-path": ("url(#c0)", "url(#c1)", "none"),
    "visibility": ("hidden", "visible", "visible", "visible"),
    "display": ("inline", "inline", "inline", "none"),
}  # fmt: skip
IN_CLIP: Final = {key: LOOKS[key] for key in ("transform", "visibility")}
IN_CLIP["clip-rule"] = ("evenodd", "nonzero")
ENDS: Final = {"linearGradient": ("x1", "y1", "x2", "y2"), "radialGradient": ("cx", "cy", "r")}


class Draughtsman(random.Random):
    """Draws at random, the same for the same seed."""

    def number(self) -> str:
        return f"{self.randint(0, 2 * SIDE) / 2:g}"

    def length(self) -> str:
        return f"{self.randint(4, 40) / 2:g}"

    def some(self, of: Mapping[str, Sequence[str]], most: int = 5) -> dict[str, str]:
        keys = self.sample(sorted(of), self.randint(0, min(most, len(of))))
        return {key: self.choice(of[key]) for key in keys}

    def path(self) -> str:
        steps = [f"M{self.number()} {self.number()}"]
        for _ in range(self.randint(1, 6)):
            letter = self.choice("LlHhVvCcSsQqTtAaZz")
            places = (self.number() if letter.isupper() else str(self.randint(-12, 12))
                      for _ in range(6))  # fmt: skip
            count = {"H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "Z": 0}.get(letter.upper(), 2)
            arc = ""
            if letter in "Aa":
                arc = f"{self.length()} {self.length()} {self.randint(0, 90)} "
                arc += f"{self.randint(0, 1)} {self.randint(0, 1)} "
            steps.append(f"{letter}{arc}{' '.join(islice(places, count))}")
            if self.random() < 0.1:
                steps.append(f"M{self.number()} {self.number()}l{self.randint(-9, 9)} 7")
        return "".join(steps)

    def shape(self, looks: Mapping[str, Sequence[str]] = LOOKS) -> str:
        kind = self.choice("rect circle ellipse line polygon polyline path path path".split())
        number, length = self.number, self.length
        given = {
            "rect": lambda: (
                {"x": number(), "y": number(), "width": length(), "height": length()}
                | self.some({"rx": [length()], "ry": [length()]})
            ),
            "circle": lambda: {"cx": number(), "cy": number(), "r": length()},
            "ellipse": lambda: {"cx": number(), "cy": number(), "rx": length(), "ry": length()},
            "line": lambda: {"x1": number(), "y1": number(), "x2": number(), "y2": number()},
            "path": lambda: {"d": self.path()},
        }.get(kind, lambda: {"points": " ".join(f"{number()},{number()}" for _ in range(5))})()
        given |= self.some(looks)
        # PDFium draws curves of gradient lines coarsely, and puts a fill over them.
        if looks is LOOKS and kind in ("line", "polygon", "polyline") and self.random() < 0.2:
            given |= {"fill": "none", "stroke": f"url(#g{self.randrange(3)})"}
        return written(kind, given)

    def group(self) -> str:
        inside = (self.anything() for _ in range(self.randint(1, 3)))
        mask = {"mask": "url(#m)"} if self.random() < 0.06 else {}
        return written("g", self.some(LOOKS, 3) | mask, "".join(inside))

    def anything(self) -> str:
        if self.random() < 0.06:
            return written("use", {"href": "#u"} | self.some(LOOKS, 2))
        return self.group() if self.random() < 0.3 else self.shape()

    def gradient(self, number: int) -> str:
        kind = self.choice(tuple(ENDS))
        in_box = self.random() < 0.5
        places = ("10%", "0.3", "50%", "0.9") if in_box else ("2", "9", "15", "28")
        given = {"id": f"g{number}", **self.some(dict.fromkeys(ENDS[kind], places))}
        if not in_box:
            given |= {"gradientUnits": "userSpaceOnUse"}
            given |= {key: self.choice(places) for key in ENDS[kind]}
        if number == 1 and self.random() < 0.5:
            return written(kind, given | {"href": "#g0"})
        if number:  # one that others take over from has none: the engine does not take it
            moves = ("rotate(20)", "scale(0.5 1)", "translate(0.1 0.2)")
            given |= self.some({"gradientTransform": moves})
        offsets = sorted(self.choices(("0", "0.3", "60%", "1"), k=self.randint(1, 4)))
        opacity = {"stop-opacity": SHARES} if self.random() < 0.2 else {}
        stops = (
            written("stop", {"offset": at, "stop-color": self.choice(COLOURS[:-1])}
                    | self.some(opacity))
            for at in offsets
        )  # fmt: skip
        return written(kind, given, "".join(stops))

    def clip(self, number: int) -> str:
        inside = "".join(self.shape(IN_CLIP) for _ in range(self.choice((0, 1, 1, 1, 2))))
        return written("clipPath", {"id": f"c{number}"} | self.some(IN_CLIP, 1), inside)

    def drawing(self) -> str:
        defined = [*map(self.gradient, range(3)), *map(self.clip, range(2))]
        defined += [written("mask", {"id": "m"}, self.shape(IN_CLIP | {"fill": COLOURS}))]
        defined += [written("defs", {}, written("g", {"id": "u"}, self.shape() + self.shape()))]
        shown = [self.anything() for _ in range(self.randint(1, 4))]
        first, last = (defined, shown) if self.random() < 0.7 else (shown, defined)
        return "".join((*first, *last))


def written(name: str, given: Mapping[str, str], inside: str = "") -> str:
    said = "".join(f' {key}="{value}"' for key, value in given.items())
    return f"<{name}{said}>{inside}</{name}>"


# -- drawn twice -----------------------------------------------------------------------------------


def painted(body: str) -> Drawing:
    """Draw it with our writer."""
    linter = Linter(own_fonts())
    content = f"{HEAD}{body}</svg>".encode()
    linted = linter.read(content)
    assert linted.faults == (), (linted.faults, body)
    painter = Painter(own_fonts(), Ink("full", {}, {}), linter)
    return painter.drawing(cast(FaceBuilder, Bare()), Source(content, len(HEAD), linted))


def by_engine(body: str) -> Drawing:
    # Draw something behind it: the engine crops a lone shape to a box of its own.
    svg = f'{HEAD}<rect width="{SIDE}" height="{SIDE}" fill="white"/>{body}</svg>'
    digest = hashlib.sha256(svg.encode()).hexdigest()
    return drawn_by_engine(Art(svg, digest, Rect(0, 0, SIDE, SIDE)))


def differences(bodies: Sequence[str], folder: Path) -> list[float]:
    """Compare our drawings with the engine's; return the share of differing pixels, 0 to 1, of
    each."""
    faces = []
    for number, body in enumerate(bodies):
        for drawing in (painted(body), by_engine(body)):
            digest = hashlib.sha256(f"{number} {len(faces)}".encode()).hexdigest()
            faces.append(Face("any", "card", "front", STOCK, drawing, digest, Span("any.yaml")))
    return differing(faces, folder)


def differing(faces: Sequence[Face], folder: Path, dpi: int = DPI) -> list[float]:
    """Compare each second face with the one before; return the shares of differing pixels."""
    outcome = face_pages(faces, own_fonts(), folder)
    assert outcome.ok, outcome.diagnostics
    pdf = pypdfium2.PdfDocument(outcome.value)
    pictures = [page.render(scale=dpi / 72).to_pil().convert("RGB") for page in pdf]
    pdf.close()
    return [seen(ours, theirs) for ours, theirs in zip(pictures[::2], pictures[1::2], strict=True)]


def seen(one: Image.Image, other: Image.Image) -> float:
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    left = most.filter(ImageFilter.MinFilter(3)).histogram()
    return sum(left[SEEN:]) / sum(left)


def test_random_drawings_look_as_the_engine_draws_them(tmp_path: Path) -> None:
    bodies = [Draughtsman(seed).drawing() for seed in range(MANY)]
    found = differences(bodies, tmp_path)
    assert [body for body, part in zip(bodies, found, strict=True) if part > MOST] == []


WHITE: Final = '<mask id="m"><rect width="63" height="88" fill="white"/></mask>'
WORDS: Final = """
<g {look}>{{{{ text_box("Æ **Office** fjord – Ωmega 1.250", 6, 8, 50, 30, "title", rich=true) }}}}
{{{{ text_line("AVATAR", 6, 60, "body", rotate=-20) }}}}<text x="6" y="70" font-size="8"
font-family="Cinzel">own<tspan dy="4" fill="#2060c0">text</tspan></text></g>"""
LOOKS_OF_TEXT: Final = (
    "",
    'opacity="0.5"',
    'fill="gold" fill-opacity="0.5"',
    'clip-path="url(#c)"',
    'stroke="#2060c0" stroke-width="0.4" stroke-opacity="0.6"',
    'transform="matrix(.8 .2 0 1 2 2)"',
)


def test_text_is_printed_as_its_outlines(studio: Studio, tmp_path: Path) -> None:
    """The engine draws the outlines of text inside a mask."""
    clip = '<clipPath id="c"><circle cx="30" cy="30" r="26"/></clipPath>'
    faces = []
    for look in LOOKS_OF_TEXT:
        body = clip + WORDS.format(look=look)
        faces += [studio.face(body), studio.face(f'{WHITE}<g mask="url(#m)">{body}</g>')]
    assert [len(face.drawing.engine) for face in faces] == [0, 1] * len(LOOKS_OF_TEXT)
    assert max(differing(faces, tmp_path, 4 * DPI)) < MOST
