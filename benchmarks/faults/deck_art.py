"""Pictures and codes in decks composed at random: the same art twice, what is left in a picture of its
making, codes that are spoilt; and look-alikes without a fault. All follows from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps
from reportlab.graphics.barcode.qr import QrCodeWidget

from faults.bench import Fault
from faults.edges import in_deck
from faults.fair import Files, encoded, figure, landscape, qr_path
from faults.honest import BODY, Deck

Dice = random.Random
GROUNDS = ("#22384f", "#8e2a1c", "#f4ead2", "#4d6b3c", "#ffffff", "#101014", "#d9b45a", "#7a8aa0")
NAMES = (
    "Acrobat", "Baker", "Clown", "Diviner", "Fiddler", "Juggler", "Piper", "Rider", "Sailor", "Tinker",
    "Usher", "Weaver",
)  # fmt: skip
WORDS = "move twice draw one card keep it hidden then gain coins each player may swap hands with a neighbour".split()


@dataclass(frozen=True, slots=True)
class Made(Deck):
    """A deck with files of its own beside those that all have."""

    more_files: Files = field(default_factory=dict)

    def files(self) -> Files:
        return Deck.files(self) | self.more_files


def spread(dice: Dice, low: float, high: float) -> float:
    """A size between, small ones as often as large ones."""
    return float(low * (high / low) ** dice.random())


def cards(dice: Dice, count: int, least: int = 4, most: int = 16) -> tuple[str, ...]:
    """So many cards with texts of some words."""
    rows = []
    for number in range(count):
        text = " ".join(dice.choice(WORDS) for _ in range(dice.randint(least, most)))
        rows.append(
            f'name: {NAMES[number % 12]}{" the Second" * (number // 12)}, number: {number}, text: "{text.capitalize()}."'
        )
    return tuple(rows)


def drawn_in(kind: str, name: str, says: str, deck: Deck, mm: float = 0.0) -> Fault:
    return replace(in_deck(kind, name, says, deck), mm=mm, drawn=True)


# Art


def twice(dice: Dice) -> Fault:
    """One picture of many is another one again, worked over a little."""
    count = dice.randint(4, 8)
    one, other = dice.sample(range(count), 2)
    cut = dice.random() < 0.4
    drawn: list[Image.Image] = [_figure(n, dice) if cut else _scene(dice) for n in range(count)]
    what = drawn[one]
    by = spread(dice, 0.02, 0.12)
    how = dice.choice(
        (
            "mirrored",
            "grey",
            "resized",
            "cropped",
            "saved",
            "tinted",
            "brighter",
            "mirrored and cropped",
        )
    )
    mask = what.getchannel("A") if cut else None

    def plain(change: Callable[[Image.Image], Image.Image]) -> Image.Image:
        done = change(what.convert("RGB"))
        if mask is not None and done.size == mask.size:
            done.putalpha(mask)
        return done

    crop = (
        int(what.width * by / 2),
        int(what.height * by / 2),
        int(what.width * (1 - by / 2)),
        int(what.height * (1 - by / 2)),
    )
    made = {
        "mirrored": lambda: ImageOps.mirror(what),
        "grey": lambda: plain(lambda p: ImageOps.grayscale(p).convert("RGB")),
        "resized": lambda: what.resize(
            (int(what.width * (0.5 + by * 4)), int(what.height * (0.5 + by * 4))),
            Image.Resampling.LANCZOS,
        ),
        "cropped": lambda: what.crop(crop),
        "saved": lambda: what,
        "tinted": lambda: plain(
            lambda p: ImageChops.multiply(
                p,
                Image.new("RGB", p.size, dice.choice(("#fff0c8", "#d8e8ff", "#ffe0e0", "#e8ffd8"))),
            )
        ),
        "brighter": lambda: plain(lambda p: ImageEnhance.Brightness(p).enhance(1 + 2 * by)),
        "mirrored and cropped": lambda: ImageOps.mirror(what).crop(crop),
    }[how]()
    drawn[other] = made
    files: Files = {
        f"cards/deck/art/own{n}.{'png' if cut else 'jpg'}": encoded(p, "PNG")
        if cut
        else encoded(p, "JPEG", quality=dice.choice((70, 80, 90, 95)))
        for n, p in enumerate(drawn)
    }
    place = "8, 18, 32, 40" if cut else "-3, -3, 69.5, 45"
    front = (
        f'{{{{ image("art/own%d.{"png" if cut else "jpg"}" % c.number, {place}, fit="cover") }}}}'
        + BODY
    )
    deck = Made("twice", front, cards=cards(dice, count), more_files=files)
    return drawn_in(
        "same art twice", f"{'cut-out' if cut else 'picture'} {how}, {by:.0%}", r"GP860", deck
    )


def _scene(dice: Dice) -> Image.Image:
    """A picture of many things on a ground of its own."""
    size = (822, 532)
    base = landscape(dice.randrange(1000), size)
    pen = ImageDraw.Draw(base)
    for _ in range(dice.randrange(3, 9)):
        x, y, r = dice.randrange(size[0]), dice.randrange(size[1]), dice.randrange(20, 110)
        fill = tuple(dice.randrange(256) for _ in "rgb")
        dice.choice((pen.ellipse, pen.rectangle))(
            (x, y, x + r, y + r * dice.uniform(0.5, 1.5)), fill=fill
        )
    return base


def _figure(number: int, dice: Dice) -> Image.Image:
    """A figure with things in its hands."""
    base = figure(number % 6)
    pen = ImageDraw.Draw(base)
    for _ in range(4):
        x, y, r = dice.randrange(20, 200), dice.randrange(20, 280), dice.randrange(10, 50)
        pen.ellipse((x, y, x + r, y + r), fill=(*(dice.randrange(256) for _ in "rgb"), 255))
    return base


def fair_art(dice: Dice) -> Deck:
    """Pictures of one series: alike in style, ground and subject, and yet each another."""
    count, how = dice.randint(4, 8), dice.randrange(4)
    drawn = []
    for number in range(count):
        if how == 0:  # one ground, another thing
            picture = landscape(3)
            pen = ImageDraw.Draw(picture)
            x, y = 250 + dice.randrange(300), 120 + dice.randrange(200)
            pen.ellipse((x, y, x + 160, y + 190), fill=tuple(dice.randrange(256) for _ in "rgb"))
        elif how == 1:  # icons on white
            picture = Image.new("RGB", (600, 400), "white")
            pen = ImageDraw.Draw(picture)
            pen.regular_polygon((300, 200, 120), 3 + number, fill=(60, 60, 70))
        elif how == 2:  # hills by hue
            picture = landscape(number)
        else:
            picture = _scene(dice)
        drawn.append(picture)
    files: Files = {
        f"cards/deck/art/own{n}.jpg": encoded(p, "JPEG", quality=90) for n, p in enumerate(drawn)
    }
    front = '{{ image("art/own%d.jpg" % c.number, -3, -3, 69.5, 45, fit="cover") }}' + BODY
    return Made(f"fair art {how}", front, cards=cards(dice, count), more_files=files)


# Codes


def code(dice: Dice) -> Fault:  # noqa: C901, one branch a fault
    """A QR code that no reader, or not every one, reads."""
    text = "https://example.org/" + "x" * dice.randrange(0, 40)
    module = spread(dice, 0.42, 1.0)
    across = 25 if len(text) < 27 else 29 if len(text) < 43 else 33
    how = dice.choice(
        (
            "fine",
            "finder",
            "covered",
            "quiet",
            "photo",
            "pale",
            "inverted",
            "corner",
            "over the cut",
            "turned",
        )
    )
    if how == "fine":
        module = spread(dice, 0.12, 0.37)
    if module * (across + 8) > 55:
        module = 55 / (across + 8)
    side = module * across
    x, y = 31.75 - side / 2, 40 - side / 2
    quiet = 4 * module
    ground = f'<rect x="{x - quiet}" y="{y - quiet}" width="{side + 2 * quiet}" height="{side + 2 * quiet}" fill="#ffffff"/>'
    path, after, dark = qr_path(x, y, module, text), "", "#000000"
    real = module * (17 + 4 * _version(text))
    fx, fy = dice.choice(((x, y), (x + real - 7 * module, y), (x, y + real - 7 * module)))
    name = f"{how}, {module:.2f} mm"
    if how == "finder":
        after = f'<circle cx="{fx + 3.5 * module}" cy="{fy + 3.5 * module}" r="{dice.uniform(2.5, 6) * module}" fill="{dice.choice(GROUNDS)}"/>'
    elif how == "covered":
        part = dice.uniform(0.35, 0.7) * real
        after = f'<rect x="{x + (real - part) / 2}" y="{y + (real - part) / 2}" width="{part}" height="{part}" fill="{dice.choice(GROUNDS)}"/>'
    elif how == "corner":
        part = dice.uniform(0.3, 0.5) * real
        after = f'<path d="M{x - quiet} {y - quiet}h{part + quiet}l{-part - quiet} {part + quiet}z" fill="{dice.choice(GROUNDS)}"/>'
    elif how == "quiet":
        left = dice.uniform(0, 2.5) * module
        frame = dice.choice(("#000000", "#22384f", "#3a2a1a"))
        ground = f'<rect x="{x - 8}" y="{y - 8}" width="{real + 16}" height="{real + 16}" fill="{frame}"/><rect x="{x - left}" y="{y - left}" width="{real + 2 * left}" height="{real + 2 * left}" fill="#ffffff"/>'
        name += f", {left / module:.1f} modules"
    elif how == "over the cut":
        name += (by := dice.uniform(1, 6)) and f", by {by:.1f} modules"
        right = 63.5 - real + by * module
        path, ground = (
            qr_path(right, y, module, text),
            ground.replace(f'x="{x - quiet}"', f'x="{right - quiet}"'),
        )
    elif how == "turned":
        frame = dice.choice(("#000000", "#22384f", "#3a2a1a"))
        turn = f'<g transform="rotate({dice.uniform(5, 85):.1f} 31.75 40)">'
        ground = f'<rect x="-3" y="-3" width="69.5" height="75" fill="{frame}"/>{turn}<rect x="{x}" y="{y}" width="{real}" height="{real}" fill="#ffffff"/>'
        after = "</g>"
    elif how == "photo":
        ground = '{{ image("art/tall.jpg", -3, -3, 69.5, 94.9) }}'
    elif how == "pale":
        light = dice.randrange(200, 256)
        dark, fill = "#" + f"{light - dice.randrange(15, 70):02x}" * 3, "#" + f"{light:02x}" * 3
        ground = ground.replace("#ffffff", fill)
        name += f", {dark} on {fill}"
    elif how == "inverted":
        ground, dark = (
            ground.replace("#ffffff", dice.choice(("#000000", "#22384f", "#8e2a1c"))),
            "#ffffff",
        )
    front = f'{ground}<path d="{path}" fill="{dark}"/>{after}{{{{ text_line(c.name, 31.75, 82, "body", anchor="middle") }}}}'
    deck = Made("code", front, cards=cards(dice, 1), fill="#f4ead2" if how != "photo" else "")
    return drawn_in("QR code", name, r"GP838", deck, module)


def _version(text: str) -> int:
    qr: Any = QrCodeWidget(text, barLevel="M").qr  # type: ignore[attr-defined]
    qr.make()
    return (len(qr.modules) - 17) // 4


def fair_code(dice: Dice) -> Deck:
    """A code of any size and colour that a reader reads, and what is none."""
    text = "https://example.org/" + "x" * dice.randrange(0, 40)
    module = spread(dice, 0.41, 1.1)
    across = 17 + 4 * _version(text)
    module = min(module, 55 / (across + 8))
    side = module * across
    x, y, quiet = 31.75 - side / 2, 40 - side / 2, 4 * module
    dark = dice.choice(("#000000", "#22384f", "#8e2a1c", "#1d1a17", "#4d2a10"))
    light = dice.choice(("#ffffff", "#f4ead2", "#fff0a0"))
    front = f'<rect x="{x - quiet - 0.1}" y="{y - quiet - 0.1}" width="{side + 2 * quiet + 0.2}" height="{side + 2 * quiet + 0.2}" fill="{light}"/><path d="{qr_path(x, y, module, text)}" fill="{dark}"/>'
    if dice.random() < 0.4:
        part = side * 0.2
        front += f'<rect x="{x + (side - part) / 2}" y="{y + (side - part) / 2}" width="{part}" height="{part}" fill="#d9b45a"/>'
    if dice.random() < 0.25:  # a maze, a chequer: no code
        n, m = dice.randrange(10, 25), dice.uniform(0.8, 1.5)
        front = "".join(
            f'<rect x="{8 + i % n * m:.2f}" y="{20 + i // n * m:.2f}" width="{m:.2f}" height="{m:.2f}" fill="#1d1a17"/>' for i in range(n * n) if dice.random() < 0.5
        )  # fmt: skip
    return Made(
        f"fair code {module:.2f} {dark} {light}",
        front + '{{ text_line(c.name, 31.75, 82, "body", anchor="middle") }}',
        cards=cards(dice, 1),
    )


# Remains


def remains(dice: Dice) -> Fault:
    """Something of its making is left in a picture."""
    how = dice.choice(
        (
            "dashes",
            "black cross",
            "box",
            "chequers",
            "black fringe",
            "enlarged",
            "enlarged",
            "chequers",
        )
    )
    picture = landscape(dice.randrange(20))
    pen = ImageDraw.Draw(picture)
    w, h = picture.size
    name, says, front = how, r"GP837", '{{ image("art/own.png", -3, -3, 69.5, 45, fit="cover") }}'
    colour = dice.choice(((0, 255, 255), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0)))
    if how == "dashes":
        y, x = dice.randrange(40, h - 40), 0
        while x < w:
            long = dice.randrange(6, 30)
            pen.line((x, y, x + long, y), fill=colour, width=2)
            x += long + dice.randrange(5, 20)
        name += f" {colour}"
    elif how == "black cross":
        pen.line((w // 2, 0, w // 2, h), fill=(0, 0, 0), width=dice.choice((1, 2)))
        pen.line((0, h // 2, w, h // 2), fill=(0, 0, 0), width=dice.choice((1, 2)))
    elif how == "box":
        inset = dice.randrange(25, 60)
        pen.rectangle(
            (inset, inset, w - inset, h - inset), outline=colour, width=dice.choice((1, 2, 3))
        )
        name += f" {colour} {inset}"
    elif how == "chequers":
        side, (one, other) = (
            dice.choice((8, 10, 12, 16, 20)),
            dice.choice(
                (
                    ((255, 255, 255), (204, 204, 204)),
                    ((255, 255, 255), (191, 191, 191)),
                    ((102, 102, 102), (153, 153, 153)),
                    ((255, 255, 255), (239, 239, 239)),
                )
            ),
        )
        picture = Image.new("RGB", (600, 600), one)
        pen = ImageDraw.Draw(picture)
        for n in range((600 // side + 1) ** 2):
            cx, cy = n % (600 // side + 1), n // (600 // side + 1)
            if (cx + cy) % 2:
                pen.rectangle(
                    (cx * side, cy * side, cx * side + side - 1, cy * side + side - 1), fill=other
                )
        thing = figure(dice.randrange(6)).resize((420, 534))
        picture.paste(thing, (90, 40), thing)
        front = '{{ image("art/own.png", 8, 5, 47, 47, fit="cover") }}'
        name += f" {side} {one[0]} {other[0]}"
    elif how == "black fringe":
        cut = figure(dice.randrange(6)).resize((390, 496))
        pixels = dice.choice((1, 2, 3))
        hard = cut.getchannel("A").point(lambda v: 255 if v > 100 else 0)
        inner = hard.filter(ImageFilter.MinFilter(2 * pixels + 1))
        dark = Image.new("RGB", cut.size, "black")
        dark.paste(cut.convert("RGB"), mask=inner)
        dark.putalpha(hard)
        picture, front = dark, '{{ image("art/own.png", 12, 12, 33, 42) }}'
        name += f" {pixels}"
    else:
        times = dice.uniform(2, 2.6)
        small = picture.resize((round(w / times), round(h / times)), Image.Resampling.LANCZOS)
        picture = small.resize(
            (w, h),
            dice.choice(
                (Image.Resampling.BICUBIC, Image.Resampling.LANCZOS, Image.Resampling.BILINEAR)
            ),
        )
        says, name = r"GP836", f"enlarged {times:.2f}"
    files: Files = {"cards/deck/art/own.png": encoded(picture, "PNG")}
    deck = Made("remains", front + BODY, cards=cards(dice, 1), more_files=files)
    return drawn_in("left in a picture", name, says, deck)


def fair_pictures(dice: Dice) -> Deck:  # noqa: C901, one branch a picture
    """Pictures with lines, chequers, outlines and soft edges that belong there."""
    how = dice.randrange(6)
    picture: Image.Image = landscape(dice.randrange(20))
    w, h = picture.size
    pen = ImageDraw.Draw(picture)
    front = '{{ image("art/own.png", -3, -3, 69.5, 45, fit="cover") }}'
    if how == 0:  # masts and a horizon
        for x in range(100, w, dice.randrange(120, 300)):
            pen.line((x, 60, x, h), fill=(20, 20, 20), width=3)
    elif how == 1:  # a chessboard
        side = dice.choice((40, 50, 66))
        for n in range(64):
            if (n + n // 8) % 2:
                pen.rectangle(
                    (
                        100 + n % 8 * side,
                        20 + n // 8 * side,
                        100 + n % 8 * side + side,
                        20 + n // 8 * side + side,
                    ),
                    fill=(120, 60, 30),
                )
    elif how == 2:  # a drawn outline
        cut = figure(dice.randrange(6)).resize((390, 496))
        hard = cut.getchannel("A")
        inner = hard.filter(ImageFilter.MinFilter(dice.choice((9, 13))))
        dark = Image.new("RGB", cut.size, (20, 15, 10))
        dark.paste(cut.convert("RGB"), mask=inner)
        dark.putalpha(hard)
        picture, front = dark, '{{ image("art/own.png", 12, 12, 33, 42) }}'
    elif how == 3:  # soft and sharp
        picture = picture.filter(ImageFilter.GaussianBlur(3))
        pen = ImageDraw.Draw(picture)
        for _ in range(30):
            x, y = dice.randrange(w), dice.randrange(h)
            pen.ellipse((x, y, x + 30, y + 40), fill=tuple(dice.randrange(256) for _ in "rgb"))
    elif how == 4:  # tiles of grey
        picture = Image.new("RGB", (600, 400), (200, 200, 204))
        pen = ImageDraw.Draw(picture)
        for n in range(60):
            x, y = n % 10 * 60, n // 10 * 60
            pen.rectangle(
                (x + 2, y + 2, x + 57, y + 57), fill=tuple([170 + dice.randrange(50)] * 3)
            )
    return Made(
        f"fair pictures {how}",
        front + BODY,
        cards=cards(dice, 1),
        more_files={"cards/deck/art/own.png": encoded(picture, "PNG")},
    )
