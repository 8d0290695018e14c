"""Faults beside the cut, on folds and in tents, on pieces of every shape and paper, and words that
are set over words; those near the cut also composed from a seed, with look-alikes without a fault."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from faults.bench import Bench, Fault, Level
from faults.honest import Deck

EDGE = r"GP811.*edge of colour"
FRAME = r"GP811.*thin frame"
SAFE = r"GP823.*(over the cut|safe zone)"
GOLD, MOSS, NIGHT, RED = "#d9b45a", "#4d6b3c", "#22384f", "#8e2a1c"
Point = tuple[float, float]
Drawn = tuple[str, str, str, Deck]
"""A kind of fault, its name, what is to be told, and the deck."""
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
        return _band(self, off - width / 2, width, GOLD, colour)


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
    """A word as paths, whose em is so many mm, from there on."""
    letters, _ = _spelt(word, mm)
    return _at(x, y, 0, letters if each else [" ".join(letters)])


def _spelt(word: str, mm: float) -> tuple[list[str], tuple[float, float, float, float]]:
    """The letters of a word as path data, from 0, 0 on, and their box."""
    font = TTFont(
        next(Path(__file__).parents[2].glob("fonts/alegreya-sans/AlegreyaSans_400Regular.ttf"))
    )
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale, at, letters, box = mm / font["head"].unitsPerEm, 0.0, [], BoundsPen(glyphs)
    for letter in word:
        glyph, place = glyphs[names[ord(letter)]], (scale, 0, 0, -scale, at, 0)
        pen = SVGPathPen(glyphs)
        glyph.draw(TransformPen(pen, place))
        glyph.draw(TransformPen(box, place))
        letters.append(pen.getCommands())
        at += glyph.width * scale
    return letters, box.bounds


def _at(x: float, y: float, turn: float, paths: list[str], fill: str = "#1d1a17") -> str:
    drawn = "".join(f'<path d="{path}" fill="{fill}"/>' for path in paths)
    return f'<g transform="translate({x:.3f} {y:.3f}) rotate({turn})">{drawn}</g>'


# Composed: kind, place and size follow from a seed

Dice = random.Random
WORDS = ("Anna", "Wirtshaus", "Bertold", "Dragon", "VICTORY", "Forest", "GOLD", "Rathaus", "Attack")
ICONS = (
    "M0 -.5L.12 -.16H.48L.19 .06L.3 .4L0 .19L-.3 .4L-.19 .06L-.48 -.16H-.12Z",
    "M0 -.5C.2 -.2 .38 0 .38 .18A.38 .34 0 0 1 -.38 .18C-.38 0 -.2 -.2 0 -.5Z",
    "M0 .45C-.6 0 -.5 -.4 -.25 -.4C-.1 -.4 0 -.25 0 -.2C0 -.25 .1 -.4 .25 -.4C.5 -.4 .6 0 0 .45Z",
    "M-.16 -.5H.16V-.16H.5V.16H.16V.5H-.16V.16H-.5V-.16H-.16Z",
    "M-.4 .5V-.05L0 -.5L.4 -.05V.5H.1V.15H-.1V.5Z",
    "M-.4 -.5H.4V.1C.4 .3 .1 .45 0 .5C-.1 .45 -.4 .3 -.4 .1Z",
)
"""A star, a drop, a heart, a cross, a house and a shield, about 1 mm high around 0, 0."""
BARE = PIECES[15]
MARGIN = 3.0
"""mm that is safe on these pieces."""
INKS = ("#1d1a17", NIGHT, RED)


def _beside(dice: Dice, piece: Piece, wide: float, high: float, inside: float) -> Point:
    """The middle of a thing that ends so far inside of one side, its long way along that, and is
    safe from the others."""
    (w, h) = piece.size
    x = dice.uniform(MARGIN + wide / 2, w - MARGIN - wide / 2)
    y = dice.uniform(MARGIN + high / 2, h - MARGIN - high / 2)
    if wide >= high:
        return x, dice.choice((inside + high / 2, h - inside - high / 2))
    return dice.choice((inside + wide / 2, w - inside - wide / 2)), y


def _inside(dice: Dice, across: float, *, fair: bool) -> float:
    """mm inside of the cut where such a thing ends: over it, out of the safe zone, or safe."""
    if fair:
        return MARGIN + dice.uniform(0, 2)
    return dice.choice((-across * dice.uniform(0.15, 0.85), dice.uniform(0.3, MARGIN - 0.7)))


def word_astray(dice: Dice, *, fair: bool = False) -> Drawn:
    """A word in outlines, level or upright, letter by letter or at one go."""
    piece, word, em = dice.choice((POKER, BARE)), dice.choice(WORDS), dice.uniform(2.8, 10)
    letters, (left, top, right, bottom) = _spelt(word, em)
    wide, high, turn = right - left, bottom - top, dice.choice((0, 0, 90, 180, 270))
    inside = _inside(dice, high, fair=fair)
    across, down = (high, wide) if turn % 180 else (wide, high)
    x, y = _beside(dice, piece, across, down, inside)
    paths = letters if dice.random() < 0.6 else [" ".join(letters)]
    middle = f'<g transform="translate({x:.3f} {y:.3f}) rotate({turn})">{{}}</g>'
    art = _at(-(left + right) / 2, -(top + bottom) / 2, 0, paths, dice.choice(INKS))
    name = f"{word} of {em:.1f} mm, {turn}°, {inside:.1f} mm inside, {piece.name}"
    return "word near the cut", name, SAFE, piece.deck(middle.format(art))


def icon_astray(dice: Dice, *, fair: bool = False) -> Drawn:
    """An icon, plain, on a disc or as a line."""
    piece, side, icon = dice.choice((POKER, BARE)), dice.uniform(3.2, 12), dice.choice(ICONS)
    # drops and shields are narrower than they are high
    inside = _inside(dice, 0.7 * side, fair=fair)
    x, y = _beside(dice, piece, *dice.choice(((side, 0.99 * side), (0.99 * side, side))), inside)
    how, ink = dice.choice(("plain", "on a disc", "a line")), dice.choice(INKS)
    scale, pen = side, f'fill="{ink}"'
    disc = ""
    if how == "on a disc":
        disc = f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{side / 2:.3f}" fill="{ink}"/>'
        scale, pen = 0.6 * side, 'fill="#ffffff"'
    elif how == "a line":
        scale, pen = 0.92 * side, f'fill="none" stroke="{ink}" stroke-width="0.08"'
    at = f'transform="translate({x:.3f} {y:.3f}) scale({scale:.3f})"'
    name = f"{ICONS.index(icon)}, {how}, {side:.1f} mm, {inside:.1f} mm inside, {piece.name}"
    return "icon near the cut", name, SAFE, piece.deck(f'{disc}<path {at} d="{icon}" {pen}/>')


def bare_frame(dice: Dice, *, fair: bool = False) -> Drawn:
    """A thin frame on a card without bleed."""
    (w, h), width = BARE.size, dice.uniform(0.2, 1)
    near = dice.uniform(2.2, 5) if fair else dice.uniform(0.1, 1.2)
    m, ink = near + width / 2, dice.choice(INKS)
    dash = f' stroke-dasharray="{dice.uniform(3, 6):.1f} {dice.uniform(0.8, 2):.1f}"'
    how = dice.choice(("whole", "whole", "in dashes", "double"))
    box = '<rect x="{0:.3f}" y="{0:.3f}" width="{1:.3f}" height="{2:.3f}" fill="none" stroke="{3}" stroke-width="{4:.3f}"{5}/>'
    art = box.format(m, w - 2 * m, h - 2 * m, ink, width, dash if how == "in dashes" else "")
    if how == "double":
        inner = m + width + 0.5
        art += box.format(inner, w - 2 * inner, h - 2 * inner, ink, width / 2, "")
    says = f"{EDGE}|{FRAME}"
    return (
        "frame without bleed",
        f"{how}, {width:.1f} mm wide, {near:.1f} mm from the cut",
        says,
        BARE.deck(art),
    )


def small_piece(dice: Dice, *, fair: bool = False) -> Drawn:
    """A small square on which another colour begins near the cut; a fair one has a disc."""
    side, off = dice.uniform(3.2, 8), dice.choice((-1, 1)) * dice.uniform(0.1, 0.35)
    stock = f"stocks:\n  small: {{size: [{side:.2f}mm, {side:.2f}mm], bleed: 1mm, safe: 0.5mm}}\n"
    side = float(f"{side:.2f}")
    piece = Piece("small", "small", (side, side), 1, _box(side, side), pack=stock)
    disc = f'<circle cx="{side / 2}" cy="{side / 2}" r="{0.3 * side:.3f}" fill="{MOSS}"/>'
    name = f"{side:.1f} mm, {off:.2f} mm outside"
    return "edge of a small piece", name, EDGE, piece.deck(disc if fair else piece.to(off))


def _free(name: str, size: Point, outline: str) -> Piece:
    w, h = size
    return Piece(name, "free", size, 3, outline, pack=(
        f'stocks:\n  free: {{size: [{w}mm, {h}mm], shape: path, path: "{outline}"}}\n'
    ))  # fmt: skip


FREE = (
    _free("octagons", (40, 40), "M12 0H28L40 12V28L28 40H12L0 28V12Z"),
    _free("half circles", (50, 25), "M0 25A25 25 0 0 1 50 25Z"),
    _free("plus signs", (40, 40), "M12 0H28V12H40V28H28V40H12V28H0V12H12Z"),
    _free("small plus signs", (15, 15), "M5 0H10V5H15V10H10V15H5V10H0V5H5Z"),
    _free("small octagons", (11, 11), "M3 0H8L11 3V8L8 11H3L0 8V3Z"),
    _free("moons", (40, 40), "M20 0A20 20 0 1 0 40 20A16 16 0 0 1 20 0Z"),
)
RIMMED = (POKER, *PIECES[5:11], PIECES[13], *FREE)


def _colours(dice: Dice, count: int) -> list[str]:
    """So many of which each is 50 levels and more from the others."""
    found: list[tuple[int, ...]] = []
    while len(found) < count:
        grey = dice.random() < 0.3
        new = (dice.randrange(256),) * 3 if grey else tuple(dice.randrange(256) for _ in range(3))
        if all(max(abs(a - b) for a, b in zip(new, one, strict=True)) >= 50 for one in found):
            found.append(new)
    return ["#{:02x}{:02x}{:02x}".format(*one) for one in found]


def other_rim(dice: Dice, *, fair: bool = False) -> Drawn:
    """A rim of any colour, to the end of the bleed or 0.3 mm wide and more."""
    piece, (inner, outer) = dice.choice(RIMMED), _colours(dice, 2)
    off, wide = dice.uniform(-0.5, 0.5), dice.choice((5.0, dice.uniform(0.3, 1.6)))
    if fair:
        off, wide = dice.uniform(-2.5, -1.4), 6.0
    name = f"{outer} around {inner}, {off:.2f} mm, {wide:.1f} mm wide, {piece.name}"
    art = piece.ground(inner) + _band(piece, off, wide, inner, outer)
    return "rim of another colour", name, f"{EDGE}|{FRAME}|GP811.*art stops", piece.deck(art)


def framed_panel(dice: Dice, *, fair: bool = False) -> Drawn:
    """A thin frame within which another colour begins, on straight pieces often wider on a side."""
    piece, wide = dice.choice((BARE, BARE, *RIMMED)), dice.uniform(0.25, 1)
    ground, line, panel = _colours(dice, 3)
    near = dice.uniform(0, 0.7) if piece.bleed else dice.uniform(0.3, 1.1)
    near = dice.uniform(2.2, 3) if fair else near
    (w, h), sides = piece.size, [wide] * 4
    if piece in (BARE, POKER) and dice.random() < 0.5:
        sides[dice.randrange(4)] += dice.uniform(0.3, 2)
        left, top, right, low = sides
        box = '<rect x="{:.3f}" y="{:.3f}" width="{:.3f}" height="{:.3f}" fill="{}"/>'
        art = box.format(near, near, w - 2 * near, h - 2 * near, line) + box.format(
            near + left, near + top, w - 2 * near - left - right, h - 2 * near - top - low, panel
        )
    else:
        art = _band(piece, -near - wide, wide, panel, line, ground)
    name = f"{max(sides):.1f} mm wide, {near:.2f} mm from the cut, {piece.name}"
    return (
        "frame around another colour",
        name,
        f"{EDGE}|{FRAME}",
        piece.deck(piece.ground(ground) + art),
    )


def _band(piece: Piece, start: float, wide: float, inner: str, colour: str, outer: str = "") -> str:
    """A face of one colour, around which is a band from so far outside of the cut on."""
    path, end = piece.outline, start + wide
    pen = f'<path d="{path}" fill="{{}}" stroke="{{}}" stroke-miterlimit="9" stroke-width="{{:.3f}}"/>'
    within = (
        f'<clipPath id="within"><path d="{path}"/></clipPath><g clip-path="url(#within)">{{}}</g>'
    )
    if start >= 0:
        return pen.format(colour, colour, 2 * end) + pen.format(inner, inner, 2 * start)
    inside = pen.format(inner, colour, -2 * start)
    if end < 0:
        inside += pen.format("none", outer or inner, -2 * end)
    return (pen.format(colour, colour, 2 * end) if end > 0 else "") + within.format(inside)


TURNED = '{{{{ text_line("{}", {:.2f}, {:.2f}, "large", anchor="middle", rotate={}) }}}}\n'


def unturned(dice: Dice, *, fair: bool = False) -> Drawn:
    """A tent with other words on its back than on its front, in outlines, many in capitals, or live;
    some have words on one side alone. A fair one is turned."""
    sides = ("back",) if dice.random() < 0.2 else ("front", "back")
    on_head = len(sides) > 1 and dice.random() < 0.2
    art, names = "", []
    for side in sides:
        word, em, live = dice.choice(WORDS), dice.uniform(5, 12), dice.random() < 0.3
        word = word.upper() if dice.random() < 0.6 else word
        turn = 180 * (side == "back" if fair else on_head)
        x, y = 44.5 + dice.uniform(-8, 8), (26 if side == "back" else 76) + dice.uniform(-7, 7)
        names.append(f"{word}{', live' if live else f' of {em:.1f} mm'}, {turn}° on the {side}")
        if live:
            art += TURNED.format(word, x, y, turn)
            continue
        letters, (left, top, right, low) = _spelt(word, em)
        paths = letters if dice.random() < 0.6 else [" ".join(letters)]
        middle = _at(-(left + right) / 2, -(top + low) / 2, 0, paths, dice.choice(INKS))
        art += f'<g transform="translate({x:.3f} {y:.3f}) rotate({turn})">{middle}</g>'
    name = "; ".join(names)
    return "tent's back not turned", name, "GP817", _tent(name, art)


COMPOSED = (
    word_astray, icon_astray, unturned, other_rim, word_astray, icon_astray, framed_panel, bare_frame,
    small_piece,
)  # fmt: skip


FAIR = (icon_astray, word_astray, unturned, bare_frame, small_piece, other_rim, framed_panel)


def composed(seed: int = 1, count: int = 48) -> Iterator[Fault]:
    """So many faults of a seed."""
    for number in range(count):
        kind, name, says, deck = COMPOSED[number % len(COMPOSED)](Dice(f"{seed}/edges/{number}"))
        yield replace(in_deck(kind, name, says, deck), drawn=True)


def honest(seed: int = 1, count: int = 10) -> Iterator[Deck]:
    """So many look-alikes that are within the safe zone."""
    for number in range(count):
        maker = FAIR[number % len(FAIR)]
        _, name, _, deck = maker(Dice(f"{seed}/safe/{number}"), fair=True)
        yield replace(deck, name=f"safe: {name}")
