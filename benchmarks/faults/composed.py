"""Faults composed at random: kind, place and size follow from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from pikepdf import Dictionary, Object
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from faults import hands
from faults.bench import Fault, Level
from faults.fair import qr_path
from faults.hands import MM
from faults.marks import all_moved, layer
from faults.packs import TEMPLATES, changed, in_pack, inked
from faults.pages import flipped, in_bytes
from faults.pictures import BLANK, MASK, PICTURE, SWAPPED
from faults.places import (
    ANOTHER,
    BROKEN,
    CARDS,
    CHART,
    COINS,
    COVERED,
    DICE,
    FIELDS,
    GONE,
    LINE,
    MOVED,
    OTHERWISE,
    PALE,
    PENNANTS,
    RULES,
    SCALED,
    SHAPE,
    SIGNS,
    TENTS,
    TURNED,
    by_matrix,
    faint,
    in_file,
    of_face,
    placed,
)
from faults.words import GLYPHS, SIZED
from faults.words import MOVED as WORDS_MOVED

WHERE = (
    (CARDS, "acrobat", "front"), (CARDS, "clown", "front"), (CARDS, "fiddler", "front"),
    (CARDS, "acrobat", "back"), (CARDS, "parade", "front"), (CARDS, "bell", "front"),
    (CARDS, "rain", "back"), (COINS, "coin-2", "front"), (COINS, "coin-4", "back"),
    (DICE, "pips-3", "front"), (DICE, "pips-6", "front"), (RULES, "leaf-1", "front"),
    (RULES, "leaf-7", "front"), (CHART, "chart", "front"), (FIELDS, "barn", "front"),
    (TENTS, "anna", "front"), (SIGNS, "gate", "front"), (SIGNS, "stall", "back"),
    (PENNANTS, "south", "front"),
)  # fmt: skip
COLOURED = tuple(where for where in WHERE if where[0] != CHART and where[1:] != ("coin-2", "front"))
"""All but what is a picture alone, or in shades that have no number of their own."""
WORDED = tuple(where for where in WHERE if where[1] not in ("pips-3", "pips-6") and (
    where[0] == COINS or where[2] == "front"))  # fmt: skip
HEROES = ("acrobat", "baker", "clown", "diviner", "fiddler", "juggler")
ALIKE = (
    (CARDS, ("acrobat", "baker", "clown", "fiddler", "rain", "bell"), "front"),
    (COINS, ("coin-1", "coin-2", "coin-3", "coin-4"), "front"),
    (COINS, ("coin-1", "coin-2", "coin-3", "coin-4"), "back"),
    (DICE, ("pips-1", "pips-2", "pips-3", "pips-4", "pips-5", "pips-6"), "front"),
    (RULES, ("leaf-2", "leaf-3", "leaf-4", "leaf-5"), "front"),
    (FIELDS, ("well", "barn", "wood"), "front"),
)

Dice = random.Random


def _spread(dice: Dice, low: float, high: float) -> float:
    """A size between, small ones as often as large ones."""
    return float(low * (high / low) ** dice.random())


def _colour(dice: Dice) -> str:
    return " ".join(f"{dice.random():.2f}" for _ in range(3))


def _point(dice: Dice, form: Object) -> tuple[float, float]:
    """Somewhere within the trim of a face, pt."""
    width, height = hands.size(form)
    return dice.uniform(0.1, 0.8) * width, dice.uniform(0.1, 0.8) * height


def box(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    side, long, colour = _spread(dice, 0.3, 25), _spread(dice, 0.4, 2), _colour(dice)
    seed, opacity = dice.random(), dice.choice((1.0, 1.0, 0.6, 0.25))

    def change(form: Object) -> None:
        x, y = _point(Dice(seed), form)
        hands.resources(form, "/ExtGState")["/Gbox"] = Dictionary(ca=opacity)
        hands.after(form, f"/Gbox gs {colour} rg {x:.2f} {y:.2f} {side * MM:.3f} "
                          f"{side * long * MM:.3f} re f")  # fmt: skip

    return of_face("box over a face", COVERED, component, change, face=face, file=file,
                   name=f"{side:.1f} × {side * long:.1f} mm, {opacity:.0%}", drawn=True)  # fmt: skip


def blot(dice: Dice) -> Fault:
    file, page, radius = (
        *dice.choice(((CARDS, 0), (CARDS, 1), (RULES, 1), (CHART, 0))),
        _spread(dice, 0.4, 12),
    )
    x, y, colour = dice.uniform(120, 480), dice.uniform(180, 420), _colour(dice)
    side = radius * MM
    return in_file("box over a page", Level.PAGE, f"{2 * radius:.1f} mm", COVERED,
                   lambda f: f.edit_page(lambda s: f"q\n{s}\nQ\nq {colour} rg {x - side:.2f} {y - side:.2f} "
                                         f"{2 * side:.2f} {2 * side:.2f} re f Q\n", page),
                   file=file, drawn=True)  # fmt: skip


def hairline(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    width, grey, seed = _spread(dice, 0.03, 0.6), dice.choice((0, 0.5, 1)), dice.random()

    def change(form: Object) -> None:
        own = Dice(seed)
        (x1, y1), (x2, y2) = _point(own, form), _point(own, form)
        hands.after(form, f"{width * MM:.3f} w {grey} G {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S")

    return of_face("hairline over a face", LINE, component, change, face=face, file=file,
                   name=f"{width:.2f} mm, grey {grey}", drawn=True)  # fmt: skip


def nudge(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    by, angle = _spread(dice, 0.03, 3), dice.choice(((1, 0), (-1, 0), (0, 1), (0.7, -0.7)))
    x, y = by * angle[0] * MM, by * angle[1] * MM
    return of_face("face moved", MOVED, component, lambda form: hands.before(
        form, f"1 0 0 1 {x:.3f} {y:.3f} cm"), face=face, file=file, mm=by,
        name=f"{by:.2f} mm", drawn=True)  # fmt: skip


def swell(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    by = 1 + dice.choice((-1, 1)) * _spread(dice, 0.003, 0.15)
    return of_face("face scaled", SCALED, component, lambda form: hands.about_middle(form, by, 0, 0, by),
                   face=face, file=file, name=f"{by:.1%}", drawn=True)  # fmt: skip


def twist(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    a, b = dice.choice(((0.99995, 0.01), (0.9994, 0.0349), (0, 1), (-1, 0), (0.985, -0.1736)))
    return of_face("face turned", TURNED, component, lambda form: hands.about_middle(form, a, b, -b, a),
                   face=face, file=file, name=f"cosine {a}", drawn=True)  # fmt: skip


def displaced(dice: Dice) -> Fault:
    file, page, count = dice.choice(
        ((CARDS, 0, 8), (CARDS, 1, 8), (COINS, 0, 4), (DICE, 0, 20), (PENNANTS, 0, 2))
    )
    number, by = dice.randrange(count), _spread(dice, 0.03, 4)
    return in_file("face moved", Level.PAGE, f"drawing {number}, {by:.2f} mm", MOVED, lambda f: f.edit_page(
        placed(number, by_matrix("1 0 0 1", by, 0)), page), file=file, mm=by, drawn=True)  # fmt: skip


def swap(dice: Dice) -> Fault:
    file, several, face = dice.choice(ALIKE)
    one, other = dice.sample(several, 2)
    return in_file("faces exchanged", Level.FACE, f"{one} and {other}, {face}", ANOTHER,
                   lambda f: f.exchange(f.name(one, face), f.name(other, face)), file=file,
                   drawn=True)  # fmt: skip


def fade(dice: Dice) -> Fault:
    file, component, face = dice.choice(WHERE)
    opacity = dice.uniform(0.3, 0.95)
    return of_face("face faint", PALE, component, lambda form: faint(form, opacity), face=face,
                   file=file, name=f"{opacity:.0%}", drawn=True)  # fmt: skip


def repainted(dice: Dice) -> Fault:
    """A picture worked over, a little or much."""
    much, hero = _spread(dice, 0.03, 1), dice.choice(HEROES)
    seed = dice.random()

    def patch(p: Image.Image) -> Image.Image:
        own, side = Dice(seed), max(2, int(much * 250))
        x, y = own.randrange(p.width - side), own.randrange(p.height - side)
        p = p.copy()
        ImageDraw.Draw(p).rectangle((x, y, x + side, y + side), fill=(own.randrange(256), 90, 40))
        return p

    means: list[tuple[str, Callable[[Image.Image], Image.Image], str]] = [
        ("paler", lambda p: Image.blend(p, Image.new("RGB", p.size, "white"), much * 0.8), PALE),
        ("darker", lambda p: ImageEnhance.Brightness(p).enhance(1 - much * 0.7), "dark"),
        ("duller", lambda p: ImageEnhance.Color(p).enhance(1 - much), "colour|grey"),
        ("blurred", lambda p: p.filter(ImageFilter.GaussianBlur(much * 15)), "blur|sharp|coarse|soft"),
        ("moved", lambda p: ImageChops.offset(p, int(much * 80) + 1, 0), "moved|shift|another|mm"),
        ("patched", patch, f"{COVERED}|patch|part|{SWAPPED}"),
        ("warmer", lambda p: Image.merge("RGB", (p.split()[0].point(lambda v: min(255, int(v * (1 + much)))),
                                                 *p.split()[1:])), "colour|hue|red"),
    ]  # fmt: skip
    name, change, says = dice.choice(means)
    return of_face(f"picture {name}", f"{PICTURE}.*({says})|({says}).*{PICTURE}", hero,
                   lambda form: hands.repaint(hands.pictures(form)[0], change),
                   level=Level.PICTURE, name=f"by {much:.0%}", drawn=True)  # fmt: skip


def unpainted(dice: Dice) -> Fault:
    hero, number = dice.choice(HEROES), dice.randrange(2)
    if dice.random() < 0.5:
        return of_face("soft mask gone", MASK, hero, lambda form: [
            p.__delitem__("/SMask") for p in hands.pictures(form) if "/SMask" in p],
            level=Level.PICTURE, drawn=True)  # fmt: skip
    return of_face("picture blank", f"{PICTURE}.*({BLANK})|({BLANK}).*{PICTURE}", hero,
                   lambda form: hands.repaint(hands.pictures(form)[number], lambda p: Image.new(
                       "RGB", p.size, (dice.randrange(200, 256),) * 3)),
                   level=Level.PICTURE, name=f"picture {number}", drawn=True)  # fmt: skip


def letters(dice: Dice) -> Fault:
    file, component, face = dice.choice([w for w in WORDED if w[0] not in (COINS,)])
    seed = dice.randrange(10**6)

    def change(form: Object) -> None:
        several = hands.lines(form)
        longest = max(range(len(several)), key=lambda n: len(several[n][5]))
        hands.set_line(form, longest, lambda m: hands.glyphs_exchanged(m[0], Dice(seed)))

    return of_face("glyphs exchanged", GLYPHS, component, change, face=face, file=file,
                   level=Level.WORDS, name=f"seed {seed}", drawn=True)  # fmt: skip


def line_moved(dice: Dice) -> Fault:
    file, component, face = dice.choice(WORDED)
    by, seed = _spread(dice, 0.05, 6), dice.random()
    right = dice.random() < 0.5

    def change(form: Object) -> None:
        number = Dice(seed).randrange(len(hands.lines(form)))
        hands.set_line(
            form, number, lambda m: hands.line(m, by if right else 0, 0 if right else by)
        )

    return of_face("text moved", WORDS_MOVED, component, change, face=face, file=file,
                   level=Level.WORDS, mm=by, name=f"{by:.2f} mm", drawn=True)  # fmt: skip


def line_sized(dice: Dice) -> Fault:
    file, component, face = dice.choice(WORDED)
    by = 1 + dice.choice((-1, 1)) * _spread(dice, 0.01, 0.4)
    return of_face("text larger" if by > 1 else "text smaller", SIZED, component, lambda form: hands.set_line(
        form, 0, lambda m: hands.line(m, scale=by)), face=face, file=file, level=Level.WORDS,
        name=f"{by:.0%}", drawn=True)  # fmt: skip


def text_coloured(dice: Dice) -> Fault:
    file, component, face = dice.choice(WORDED)
    colour = _colour(dice)
    return of_face("text recoloured", f"{OTHERWISE}|contrast", component, lambda form: hands.edit(
        form, lambda told: re.sub(r"/\w+ cs [\d. ]+ sc\n(?=BT)", f"{colour} rg\n", told)),
        face=face, file=file, level=Level.WORDS, name=colour, drawn=True)  # fmt: skip


def shape_lost(dice: Dice) -> Fault:
    file, component, face = dice.choice([w for w in WHERE if w[1] not in ("bell", "parade")])
    seed = dice.random()

    def change(form: Object) -> None:
        inner = hands.drawing(form)
        found = list(re.finditer(SHAPE, hands.content(inner)))
        lost = Dice(seed).choice(found)
        hands.edit(inner, lambda told: told[: lost.start()] + told[lost.end() :])

    return of_face("shape lost", GONE, component, change, face=face, file=file, drawn=True)


def shape_coloured(dice: Dice) -> Fault:
    file, component, face = dice.choice(COLOURED)
    seed, colour = dice.random(), _colour(dice)

    def change(form: Object) -> None:
        inner = hands.drawing(form)
        # what has one flat colour may have a grey
        found = list(re.finditer(r"(?<= )(?:[\d.]+ )+(?=scn)", hands.content(inner)))
        one = Dice(seed).choice(found)
        hands.edit(inner, lambda told: f"{told[: one.start()]}{colour} {told[one.end() :]}")

    return of_face("shape recoloured", OTHERWISE, component, change, face=face, file=file,
                   name=colour, drawn=True)  # fmt: skip


def byte(dice: Dice) -> Fault:
    number, part = dice.randrange(40), dice.random()
    fault = in_bytes("byte in a stream", f"{BROKEN}|.", f"stream {number}, {part:.0%} into it",
                     lambda d: flipped(d, number, part), file=dice.choice((CARDS, RULES, CHART, DICE)))  # fmt: skip
    return replace(fault, drawn=True)


def layer_moved(dice: Dice) -> Fault:
    file, name = dice.choice(((CARDS, "CUT"), (COINS, "CUT"), (PENNANTS, "CUT"), (TENTS, "FOLD"),
                              (SIGNS, "FOLD"), (RULES, "FOLD"), (CARDS, "GUIDES"), (DICE, "GUIDES")))  # fmt: skip
    by, up = _spread(dice, 0.05, 3), dice.random() < 0.5 and name != "FOLD"
    up = up or file == TENTS
    says = {"CUT": "cut mark|cut|outline", "FOLD": "fold", "GUIDES": "ruler|tick|label"}[name]
    return in_file(f"{name.lower()} layer moved", Level.MARKS, f"{by:.2f} mm", says, lambda f: f.edit_page(
        layer(name, all_moved(0 if up else by, by if up else 0))), file=file, mm=by, drawn=True)  # fmt: skip


def page_mapped(dice: Dice) -> Fault:
    file, page = dice.choice(((CARDS, 0), (CARDS, 1), (COINS, 1), (RULES, 1), (CHART, 0)))
    by = _spread(dice, 0.05, 3)
    matrix, says, mm, kind = dice.choice((
        (f"1 0 0 1 {by * MM:.4f} 0", MOVED + "|register", by, "page moved"),
        (f"{1 + by / 100:.5f} 0 0 {1 + by / 100:.5f} 0 0", SCALED, by * 2, "page scaled"),
        (f"1 {by / 100:.5f} {-by / 100:.5f} 1 0 0", TURNED, by * 2, "page turned"),
    ))  # fmt: skip
    return in_file(kind, Level.PAGE, f"{by:.2f}", says, lambda f: f.edit_page(
        lambda s: f"q {matrix} cm\n{s}\nQ\n", page), file=file, mm=mm, drawn=True)  # fmt: skip


def code_spoilt(dice: Dice) -> Fault:
    if dice.random() < 0.5:
        light = dice.randrange(60, 140)  # about as light as its modules, which have a colour
        dark = [
            light + by for by in dice.choice(((110, -40, -50), (100, -30, 70), (-50, -40, 110)))
        ]
        return inked("#" + bytes(dark).hex(), "#" + bytes([light] * 3).hex())
    by = 1 - _spread(dice, 0.04, 0.4)
    path = qr_path(30, 78, 1.0)
    return in_pack("QR code", f"{by:.0%} as wide", r"GP838.*stretched", changed(
        f"{TEMPLATES}/leaf.svg.j2", f'<path d="{path}"',
        f'<path transform="translate({44 * (1 - by):.3f} 0) scale({by:.4f} 1)" d="{path}"'))  # fmt: skip


KINDS = (
    box, box, blot, hairline, nudge, nudge, swell, twist, displaced, swap, fade, repainted, repainted,
    repainted, unpainted, letters, letters, line_moved, line_sized, text_coloured, shape_lost,
    shape_coloured, byte, layer_moved, page_mapped, code_spoilt,
)  # fmt: skip
"""Each as often as it stands here."""


def faults(seed: int = 1, count: int = 155) -> list[Fault]:
    """So many faults of a seed."""
    return [
        KINDS[number % len(KINDS)](random.Random(f"{seed}/{number}")) for number in range(count)
    ]
