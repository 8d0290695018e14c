"""Faults beside the cut, on folds and in tents, on pieces of every shape and paper, and words that
are set over words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from faults.bench import Bench, Fault, Level
from faults.honest import Deck

EDGE = r"GP811.*edge of colour"
FRAME = r"GP811.*thin frame"
SAFE = r"GP823.*(over the cut|safe zone)"
GOLD, MOSS, NIGHT, RED = "#d9b45a", "#4d6b3c", "#22384f", "#8e2a1c"
OFFSETS = (-0.5, -0.3, -0.2, 0.0, 0.2, 0.3, 0.5)
"""mm outside of the cut."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sort of piece: its stock, size, bleed and outline (SVG path data), how it is printed."""

    name: str
    stock: str
    size: tuple[float, float]
    bleed: float
    outline: str
    print_: str = ""
    pack: str = ""
    back: bool = False

    def deck(self, svg: str, *, cards: tuple[str, ...] = ("name: Acrobat, number: 1",)) -> Deck:
        """A pack of it with something drawn on its ground."""
        front, back = (self.ground(MOSS), self.ground(GOLD) + svg) if self.back else ("", "")
        return Deck(
            self.name, front or svg, back, stock=self.stock, size=self.size, bleed=self.bleed,
            fill=MOSS if self.back else GOLD, print_=self.print_, pack=self.pack, cards=cards,
        )  # fmt: skip

    def ground(self, fill: str) -> str:
        (w, h), b = self.size, self.bleed
        return f'<rect x="{-b}" y="{-b}" width="{w + 2 * b}" height="{h + 2 * b}" fill="{fill}"/>\n'

    def to(self, off: float, inside: str = MOSS, outside: str = GOLD) -> str:
        """A face of one colour that ends so far outside of the cut, where another begins."""
        pen = f'stroke-linejoin="miter" stroke-miterlimit="9" stroke-width="{2 * abs(off)}"'
        stroke = inside if off > 0 else outside
        return f'<path d="{self.outline}" fill="{inside}" stroke="{stroke}" {pen}/>\n'

    def frame(self, off: float, width: float, colour: str = "#ffffff") -> str:
        """A line around it, its middle so far outside of the cut."""
        outer, inner = off + width / 2, off - width / 2
        whole = self.to(outer, colour)
        return whole + self.to(inner, GOLD, colour)


def _box(w: float, h: float) -> str:
    return f"M0 0H{w}V{h}H0Z"


def _hex(w: float, h: float) -> str:
    xy: tuple[tuple[float, float], ...]
    if h > w:
        xy = ((w / 2, 0), (w, h / 4), (w, 0.75 * h), (w / 2, h), (0, 0.75 * h), (0, h / 4))
    else:
        xy = ((w / 4, 0), (0.75 * w, 0), (w, h / 2), (0.75 * w, h), (w / 4, h), (0, h / 2))
    return "M" + "L".join(f"{x:.4f} {y:.4f}" for x, y in xy) + "Z"


def _circle(w: float) -> str:
    r = w / 2
    return f"M0 {r}A{r} {r} 0 0 1 {w} {r}A{r} {r} 0 0 1 0 {r}Z"


PENNANT = "M0 0 H50 L40 20 L50 40 H0 Z"
SHIELD = "M0 0 H19.05 V13 C19.05 19 14 23 9.525 25.4 C5 23 0 19 0 13 Z"
POKER = Piece("nine poker cards", "poker", (63.5, 88.9), 3, _box(63.5, 88.9))
PIECES = (
    POKER,
    replace(POKER, name="backs of poker cards", back=True),
    replace(POKER, name="poker cards that touch", print_="gutter: 0mm"),
    replace(POKER, name="poker cards on Letter", print_="papers: [letter]"),
    replace(POKER, name="poker cards on photo paper", print_="papers: [photo-4x6]"),
    Piece("square counters", "square-16", (16, 16), 2, _box(16, 16)),
    Piece("dice stickers", "square-16", (16, 16), 2, _box(16, 16),
          "layout: labels, labels: {a4: l7651}, backs: none"),
    Piece("round counters", "circle-25", (25.4, 25.4), 3, _circle(25.4)),
    Piece("backs of round counters", "circle-25", (25.4, 25.4), 3, _circle(25.4), back=True),
    Piece("hex tiles, nested", "hex-44", (50.8, 43.994), 3, _hex(50.8, 43.994), "layout: nested"),
    Piece("pointy hex tiles", "hex-82-pointy", (82.489, 95.25), 3, _hex(82.489, 95.25)),
    Piece("pennants", "pennant", (50, 40), 3, PENNANT,
          pack=f'stocks:\n  pennant: {{size: [50mm, 40mm], shape: path, path: "{PENNANT}"}}\n'),
    Piece("backs of pennants", "pennant", (50, 40), 3, "M50 0 H0 L10 20 L0 40 H50 Z",
          pack=f'stocks:\n  pennant: {{size: [50mm, 40mm], shape: path, path: "{PENNANT}"}}\n', back=True),
    Piece("a board in pages", "board", (300, 280), 3, _box(300, 280), "layout: poster",
          "stocks:\n  board: {size: [300mm, 280mm]}\n"),
    Piece("booklet pages", "leaf", (90, 120), 3, _box(90, 120), "layout: booklet, backs: duplex-short",
          "stocks:\n  leaf: {size: [90mm, 120mm]}\n"),
    Piece("cards without bleed", "bare", (60, 80), 0, _box(60, 80), "", "stocks:\n  bare: {size: [60mm, 80mm], bleed: 0mm}\n"),
)  # fmt: skip


def in_deck(kind: str, name: str, says: str, deck: Deck, mm: float = 0.0) -> Fault:
    """A fault in a pack of its own."""

    def make(bench: Bench, folder: Path) -> None:
        bench.build(deck.files(), folder)

    return Fault(kind, Level.PACK, name, says, make, mm=mm)


def faults() -> list[Fault]:
    """All of these."""
    return [*_rings(), *_parts(), *_frames(), *_icons(), *_tents(), *_outlined(), *_over()]


def _rings() -> Iterator[Fault]:
    """Another colour begins on all of the edge."""
    for number, piece in enumerate(PIECES):
        offsets = OFFSETS if number in (0, 7) else (OFFSETS[number % 7], OFFSETS[(number + 4) % 7])
        for off in offsets:
            if off >= 0 and not piece.bleed:
                off = -0.4  # noqa: PLW2901
            says = (
                EDGE if piece.bleed else f"{EDGE}|{FRAME}"
            )  # what is left of it is as thin as a line
            yield in_deck(
                "edge along the cut", f"{piece.name}, {off} mm", says, piece.deck(piece.to(off))
            )
    yield in_deck(
        "edge along the cut", "pale on pale", EDGE, POKER.deck(POKER.to(0.3, "#efe0b8", "#d3c49c"))
    )
    yield in_deck(
        "edge along the cut",
        "a photo to the trim",
        EDGE,
        POKER.deck(
            '<rect x="-3" y="-3" width="69.5" height="94.9" fill="#22384f"/>{{ image("art/tall.jpg", 0, 0, 63.5, 88.9, fit="cover") }}'
        ),
    )


def _parts() -> Iterator[Fault]:
    """Another colour begins on a part of a side."""
    w, h = POKER.size
    for off in OFFSETS:
        for share in (0.5, 1 / 3):
            name = f"{share:.0%} of a side, {off} mm"
            if off * 10 % 2:
                art = f'<rect x="8" y="{-3}" width="{w * share:.2f}" height="{3 - off}" fill="{MOSS}"/>'
            else:
                art = f'<rect x="{w + off - 20}" y="30" width="20" height="{h * share:.2f}" fill="{MOSS}"/>'
            yield in_deck("edge on part of a side", name, EDGE, POKER.deck(art))
    for off in (-0.3, 0.0, 0.3):
        art = f'<rect x="{-off}" y="30" width="{w + 2 * off}" height="7" fill="{MOSS}"/>'
        yield in_deck("edge on part of a side", f"a band of 7 mm, {off} mm", EDGE, POKER.deck(art))
    coin = PIECES[7]
    half = f'<path d="M0 12.7A12.7 12.7 0 0 1 25.4 12.7Z" fill="{MOSS}"/>'
    yield in_deck("edge on part of a side", "half a coin", EDGE, coin.deck(half))
    tile = PIECES[9]
    xy = [(12.7, 0), (38.1, 0), (50.8, 21.997), (25.4, 21.997)]
    wedge = "M" + "L".join(f"{x} {y}" for x, y in xy) + "Z"
    yield in_deck(
        "edge on part of a side",
        "two sides of a hex tile",
        EDGE,
        tile.deck(f'<path d="{wedge}" fill="{MOSS}"/>'),
    )
    yield in_deck(
        "edge on part of a side",
        "one side of a pennant",
        EDGE,
        PIECES[11].deck(f'<path d="M0 0H50L40 20H0z" fill="{MOSS}"/>'),
    )


def _frames() -> Iterator[Fault]:
    """A thin frame."""
    widths = (0.3, 0.5, 0.8, 1.0)
    for number, piece in enumerate(PIECES):
        for step in range(2 if number else 4):
            width = widths[(number + step) % 4]
            off = (-0.4, 0.0, 0.3, -0.2)[(number + step) % 4]
            if not piece.bleed:
                off = -0.2 - width / 2
            name = f"{piece.name}, {width} mm wide, {off} mm"
            yield in_deck("frame beside the cut", name, FRAME, piece.deck(piece.frame(off, width)))


def _icons() -> Iterator[Fault]:
    """An icon of 8 mm, so much of which is beyond the cut."""
    for share in (8, 20, 28, 50, 75, 85, 92):
        at = POKER.size[0] - 8 + 8 * share / 100
        keep = f'<path d="M{at} 30h2v1h4v-1h2v6l-4 3-4-3z" fill="{RED}"/>'
        yield in_deck("art over the cut", f"{share} % of an icon", SAFE, POKER.deck(keep))


def _tents() -> Iterator[Fault]:
    """What is on the front of a tent is on its back, unturned."""
    for name, svg in (
        ("a drawing", '<path d="M40 {y}h6v3l4 6h-14l4-6z" fill="#8e2a1c"/>'),
        ("a picture", '{{{{ image("art/fig0.png", 38, {y}, 12, 15) }}}}'),
        ("both sides of a picture", '{{{{ image("art/0.jpg", 24, {y}, 40, 26) }}}}'),
    ):
        both = svg.format(y=14) + svg.format(y=66)
        yield in_deck("tent's back not turned", name, r"GP817", _tent(name, both))


def _over() -> Iterator[Fault]:
    """Digits over digits, words that slant over words, and the same words twice."""
    drawn = random.Random(20)
    line = '{{{{ text_line("{}", {:.2f}, {:.2f}, "large", anchor="middle", rotate={}) }}}}\n'
    for number in range(9):
        x, y, move = drawn.uniform(25, 38), drawn.uniform(25, 60), drawn.uniform(0.3, 0.9)
        one, other = drawn.sample("0123456789", 2)
        below, slant = line.format("Acrobat", x, y, 0), drawn.randint(-60, 60)
        name, above = (
            (f"{other} over {one}", line.format(one, x, y, 0) + line.format(other, x, y, 0)),
            (f"slanting by {slant}°", below + line.format("Baker", x, y, slant)),
            (f"twice, moved {move:.2f} mm", below + line.format("Acrobat", x + move, y, 0)),
        )[number % 3]
        yield in_deck("words over words", name, r"GP826", POKER.deck(above))


def _tent(name: str, svg: str) -> Deck:
    return Deck(name, svg, stock="name-tent", size=(88.9, 101.6), cards=("name: Anna",))


def _outlined() -> Iterator[Fault]:
    """Words in outlines, at one go and letter by letter, on a fold and unturned."""
    for word in ("Anna", "Wirtshaus", "Bertold"):
        for each in (False, True):
            how = "letter by letter" if each else "at one go"
            on_fold = outlined(word, 20, 53, 9, each=each)
            yield in_deck("word on a fold", f"{word}, {how}", r"GP816", _tent(word, on_fold))
            both = outlined(word, 20, 30, 9, each=each) + outlined("Oda", 20, 80, 9, each=each)
            yield in_deck("tent's back not turned", f"{word}, {how}", r"GP817", _tent(word, both))


def outlined(word: str, x: float, y: float, mm: float, *, each: bool) -> str:
    """A word as paths, whose em is so many mm."""
    font = TTFont(
        next(Path(__file__).parents[2].glob("fonts/alegreya-sans/AlegreyaSans_400Regular.ttf"))
    )
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale, at, letters = mm / font["head"].unitsPerEm, 0.0, []
    for letter in word:
        glyph = glyphs[names[ord(letter)]]
        pen = SVGPathPen(glyphs)
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, x + at, y)))
        letters.append(pen.getCommands())
        at += glyph.width * scale
    paths = letters if each else [" ".join(letters)]
    return "".join(f'<path d="{path}" fill="#1d1a17"/>' for path in paths)
