"""A pack of every sort of piece, without a fault: what rivals' faults are made in."""

from __future__ import annotations

import functools
import io
import math
import random
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFilter
from reportlab.graphics.barcode.qr import QrCodeWidget

Files = dict[str, str | bytes]
"""A project: what is in each file, by its path."""

PACK = """\
title: Fair
version: 1.0.0
stocks:
  coin: {size: [25mm, 25mm], bleed: 1.5mm, safe: 2mm, shape: circle}
  leaf: {size: [90mm, 120mm]}
  chart: {size: [300mm, 280mm]}
  field: {size: [44mm, 38.1mm], shape: hexagon}
  pennant: {size: [50mm, 40mm], shape: path, path: "M0 0 H50 L40 20 L50 40 H0 Z"}
prints:
  cards: {title: Cards, kinds: [hero, event], papers: [a4], gutter: 6mm}
  coins: {title: Coins, kinds: [coin], papers: [a4], gutter: 4mm}
  dice: {title: Dice, kinds: [die-face], papers: [a4], layout: labels, labels: {a4: l7651}, backs: none}
  rules: {title: Rules, kinds: [leaf], papers: [a4], layout: booklet, backs: duplex-short}
  chart: {title: Chart, kinds: [chart], papers: [a4], layout: poster}
  fields: {title: Fields, kinds: [field], papers: [a4], layout: nested}
  tents: {title: Tents, kinds: [tent], papers: [a4], backs: none}
  signs: {title: Signs, kinds: [sign], papers: [a4], gutter: 6mm, backs: gutterfold}
  pennants: {title: Pennants, kinds: [pennant], papers: [a4], backs: none}
"""
STYLES = """\
fonts: {body: Alegreya Sans, show: Cinzel}
colours: {ink: "#1d1a17", paper: "#f4ead2", red: "#8e2a1c", night: "#22384f", gold: "#d9b45a", moss: "#4d6b3c"}
styles:
  title: {font: show, weight: 700, size: 13pt, min: 13pt, colour: ink}
  body: {font: body, size: 9pt, min: 9pt, colour: ink}
  large: {font: body, weight: 700, size: 18pt, min: 18pt, colour: ink}
"""
HEROES = (
    ("acrobat", "Acrobat", 3, "Move twice. If you end on a rope, draw 1 card and keep it hidden."),
    ("baker", "Baker", 2, "Gain 4 coins. Each player to your left may buy a pie for 2 coins."),
    ("clown", "Clown", 1, "Swap hands with a neighbour. Nobody may look before the bell rings."),
    ("diviner", "Diviner", 5, "Look at the top 3 events. Put them back in any order you like."),
    ("fiddler", "Fiddler", 4, "All players in your field move 1 step towards the wheel."),
    ("juggler", "Juggler", 6, "Discard up to 5 cards. Draw as many, then give 1 away."),
)
EVENTS = (
    ("rain", "Rain", "Every stall closes. Lose 2 coins for each field that you hold."),
    ("parade", "Parade", "Count the red fields. Gain 1 coin for each of them, 7 at most."),
    ("thief", "Thief", "Show your hand. The player with the fewest coins takes 1 card."),
    ("bell", "Bell", "The round ends now. Players without a hero draw 2 cards."),
    ("lantern", "Lantern", "Turn over all fields around you. They stay lit until the end."),
    ("storm", "Storm", "Each hero moves 3 steps downwind. Who leaves the chart is out."),
)
HERO = """\
kind: hero
stock: poker
faces: {front: hero.svg.j2, back: hero-back.svg.j2}
fields:
  name: {type: text}
  cost: {type: int}
  text: {type: rich}
  art: {type: image}
  figure: {type: image}
"""
EVENT = """\
kind: event
stock: poker
faces: {front: event.svg.j2, back: event-back.svg.j2}
fields:
  name: {type: text}
  text: {type: rich}
  turn: {type: int}
"""
KINDS = {
    "hero": HERO,
    "event": EVENT,
    "coin": "kind: coin\nstock: coin\nfaces: {front: coin.svg.j2, back: coin-back.svg.j2}\n"
    "fields: {value: {type: int}, other: {type: int}}\n",
    "die-face": "kind: die-face\nstock: square-16\nfaces: {front: die.svg.j2}\n"
    "fields: {pips: {type: int}}\nquantity: 4\n",
    "leaf": "kind: leaf\nstock: leaf\nfaces: {front: leaf.svg.j2}\n"
    "fields: {number: {type: int}, text: {type: rich}}\n",
    "chart": "kind: chart\nstock: chart\nfaces: {front: chart.svg.j2}\nfields: {name: {type: text}}\n",
    "field": "kind: field\nstock: field\nfaces: {front: field.svg.j2}\nquantity: 5\n"
    "fields: {name: {type: text}, fill: {type: colour}}\n",
    "tent": "kind: tent\nstock: name-tent\nfaces: {front: tent.svg.j2}\nfields: {name: {type: text}}\n",
    "sign": "kind: sign\nstock: mini-euro\nfaces: {front: sign.svg.j2, back: sign-back.svg.j2}\n"
    "fields: {name: {type: text}}\n",
    "pennant": "kind: pennant\nstock: pennant\nfaces: {front: pennant.svg.j2}\n"
    "fields: {name: {type: text}}\n",
}
CARD_GROUND = '<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.paper }}"/>\n'
TEMPLATES = {
    "hero": CARD_GROUND
    + """\
{{ image(c.art, -3, -3, 69.5, 45) }}
{{ image(c.figure, 20, 12, 22, 28) }}
<rect x="-3" y="40" width="69.5" height="9" fill="{{ colour.gold }}"/>
{{ text_line(c.name, 31.75, 46.5, "title", anchor="middle") }}
{{ text_box(c.text, 7, 53, 49.5, 22, "body") }}
<circle cx="55" cy="80" r="4.5" fill="{{ colour.red }}"/>
{{ text_line(c.cost, 55, 82.2, "large", anchor="middle", colour="#ffffff") }}
<path d="M7 77 H45" stroke="{{ colour.ink }}" stroke-width="0.3"/>
<path d="M7 82 l3 -4 l3 4 l3 -4 l3 4" fill="none" stroke="{{ colour.moss }}" stroke-width="0.8"/>
""",
    "hero-back": """\
<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.night }}"/>
<circle cx="31.75" cy="44.45" r="18" fill="{{ colour.gold }}"/>
{{ draw.star(31.75, 40.45, 5, 12, 5, fill=colour.night) }}
""",
    "event": """\
<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.moss }}"/>
<rect x="5" y="5" width="53.5" height="78.9" rx="3" fill="{{ colour.paper }}"/>
{{ text_line(c.name, 31.75, 16, "title", anchor="middle") }}
{{ text_box(c.text, 9, 22, 45, 30, "body") }}
{{ draw.star(31.75, 66, c.turn + 3, 12, 6, fill=colour.red) }}
""",
    "event-back": """\
<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.red }}"/>
<rect x="14" y="24" width="36" height="40" fill="{{ colour.gold }}"/>
{{ draw.star(31.75, 42.45, 7, 13, 8, fill=colour.red) }}
""",
    "coin": """\
<rect x="-1.5" y="-1.5" width="28" height="28" fill="{{ colour.gold }}"/>
{{ text_line(c.value, 12.5, 15, "large", anchor="middle") }}
<path d="M7 18 h11" stroke="{{ colour.red }}" stroke-width="1"/>
""",
    "coin-back": """\
<rect x="-1.5" y="-1.5" width="28" height="28" fill="{{ colour.paper }}"/>
{{ text_line(c.other, 12.5, 15, "large", anchor="middle") }}
""",
    "die": """\
<rect x="-3" y="-3" width="{{ stock.w + 6 }}" height="{{ stock.h + 6 }}" fill="{{ colour.paper }}"/>
{% for n in range(c.pips) %}
{% set at = polar(stock.w / 2, stock.h / 2, 4.5 if c.pips > 1 else 0, 360 / c.pips * n + 20) %}
<circle cx="{{ at[0] }}" cy="{{ at[1] }}" r="1.5" fill="{{ colour.red }}"/>
{% endfor %}
""",
    "leaf": """\
<rect x="-3" y="-3" width="96" height="126" fill="#fffaf0"/>
{{ text_line("Rules " ~ c.number, 45, 16, "title", anchor="middle") }}
{{ text_box(c.text, 10, 22, 70, 60, "body") }}
{% if c.number == 1 %}
<rect x="28" y="76" width="34" height="34" fill="#ffffff"/>
<path d="QRPATH" fill="#000000"/>
{% endif %}
""",
    "chart": """\
<rect x="-3" y="-3" width="306" height="286" fill="{{ colour.paper }}"/>
{% for y in range(30, 270, 30) %}
<path d="M10 {{ y }} C80 {{ y - 25 }} 200 {{ y + 25 }} 290 {{ y }}" fill="none" stroke="{{ colour.moss }}" stroke-width="1.5"/>
{{ text_line(c.name ~ ", road " ~ y, 40 + y / 2, y + 12, "large") }}
{% endfor %}
""",
    "field": """\
<rect x="-3" y="-3" width="50" height="44.1" fill="{{ colour.paper }}"/>
<circle cx="22" cy="19" r="13" fill="{{ c.fill }}"/>
{{ text_line(c.name, 22, 21, "body", anchor="middle", colour="#ffffff") }}
""",
    "tent": """\
<rect x="-3" y="-3" width="94.9" height="107.6" fill="{{ colour.paper }}"/>
<g transform="rotate(180 44.45 50.8)">{{ draw.star(20, 76, 5, 9, 4, fill=colour.red) }}</g>
{{ text_box(c.name, 8.9, 17.6, 46, 12, "large", rotate=180) }}
{{ draw.star(20, 76, 5, 9, 4, fill=colour.red) }}
{{ text_box(c.name, 34, 72, 46, 12, "large") }}
""",
    "sign": """\
<rect x="-3" y="-3" width="50" height="74" fill="{{ colour.night }}"/>
<rect x="4" y="4" width="36" height="60" fill="{{ colour.paper }}"/>
{{ text_line(c.name, 22, 34, "title", anchor="middle") }}
""",
    "sign-back": """\
<rect x="-3" y="-3" width="50" height="74" fill="{{ colour.moss }}"/>
<circle cx="22" cy="34" r="12" fill="{{ colour.gold }}"/>
""",
    "pennant": """\
<rect x="-3" y="-3" width="56" height="46" fill="{{ colour.red }}"/>
{{ text_line(c.name, 6, 22, "title", colour="#ffffff") }}
""",
}


def fair() -> Files:
    """All files of the pack; those that make a fault change one."""
    cards, templates = "cards/fair", "templates/fair"
    files: Files = {
        f"{cards}/pack.yaml": PACK,
        f"{templates}/styles.yaml": STYLES,
        f"{cards}/hero.yaml": _components("hero", (
            f"id: {id_}, name: {name}, cost: {cost}, art: art/{n}.jpg, figure: art/fig{n}.png, "
            f'text: "{text}"' for n, (id_, name, cost, text) in enumerate(HEROES))),
        f"{cards}/event.yaml": _components("event", (
            f'id: {id_}, name: {name}, turn: {n}, text: "{text}"'
            for n, (id_, name, text) in enumerate(EVENTS, 1))),
        f"{cards}/coin.yaml": _components("coin", (
            f"id: coin-{n}, value: {n}, other: {n + 4}" for n in range(1, 5))),
        f"{cards}/die-face.yaml": _components("die-face", (
            f"id: pips-{n}, pips: {n}" for n in range(1, 7))),
        f"{cards}/leaf.yaml": _components("leaf", (
            f'id: leaf-{n}, number: {n}, text: "{HEROES[n % 6][3]} {EVENTS[n % 6][2]}"'
            for n in range(1, 9))),
        f"{cards}/chart.yaml": _components("chart", ["id: chart, name: Great fair"]),
        f"{cards}/field.yaml": _components("field", (
            f'id: {name.lower()}, name: {name}, fill: "{fill}"'
            for name, fill in (("Well", "#22384f"), ("Barn", "#8e2a1c"), ("Wood", "#4d6b3c")))),
        f"{cards}/tent.yaml": _components("tent", ["id: anna, name: Anna", "id: bert, name: Bert"]),
        f"{cards}/sign.yaml": _components("sign", (
            f"id: {name.lower()}, name: {name}" for name in ("Gate", "Stage", "Stall"))),
        f"{cards}/pennant.yaml": _components("pennant", (
            f"id: {name.lower()}, name: {name}" for name in ("North", "South"))),
    }  # fmt: skip
    files |= {f"{cards}/kinds/{name}.yaml": text for name, text in KINDS.items()}
    for name, text in TEMPLATES.items():
        files[f"{templates}/{name}.svg.j2"] = text.replace("QRPATH", qr_path(30, 78, 1.0))
    return files | {f"{cards}/art/{name}": data for name, data in pictures().items()}


def _components(kind: str, values: object) -> str:
    lines = (f"  - {{{value}}}\n" for value in values)  # type: ignore[attr-defined]
    return f"kind: {kind}\ncomponents:\n" + "".join(lines)


def write(files: Files, folder: Path) -> None:
    """The files of a project, into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@functools.cache
def qr_path(x: float, y: float, module: float, text: str = "https://example.org/fair") -> str:
    """The dark modules of a QR code as SVG path data, its first at (x, y), mm."""
    qr: Any = QrCodeWidget(text, barLevel="M").qr  # type: ignore[attr-defined]
    qr.make()
    return "".join(
        f"M{x + column * module:.3f} {y + row * module:.3f}h{module}v{module}h-{module}z"
        for row, line in enumerate(qr.modules)
        for column, dark in enumerate(line)
        if dark
    )


@functools.cache
def pictures() -> dict[str, bytes]:
    """Landscapes without a mirror image, and figures cut out of their ground, 300 dpi."""
    found: dict[str, bytes] = {}
    for number in range(len(HEROES)):
        found[f"{number}.jpg"] = encoded(landscape(number), "JPEG", quality=90)
        found[f"fig{number}.png"] = encoded(figure(number), "PNG")
    return found


def encoded(picture: Image.Image, kind: str, **options: int) -> bytes:
    """The bytes of a file."""
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def landscape(number: int, size: tuple[int, int] = (822, 532)) -> Image.Image:
    """Hills below a sky, told apart by hue, with a sun on one side."""
    dice = random.Random(number)
    width, height = size
    sky = Image.linear_gradient("L").resize(size)
    hue = number * 40 % 256
    picture = Image.merge("HSV", (Image.new("L", size, hue), sky.point(lambda v: v // 3 + 60),
                                  sky.point(lambda v: 240 - v // 3))).convert("RGB")  # fmt: skip
    pen = ImageDraw.Draw(picture)
    at, high = dice.randrange(80, 240), dice.randrange(60, 140)
    pen.ellipse((at, high, at + 110, high + 110), fill=(250, 236, 190))
    for layer in range(4):
        base, wave = height * (0.45 + layer * 0.14), dice.uniform(0, 6)
        line = [
            (x, base + 30 * math.sin(x / (60 + 30 * layer) + wave) + 12 * math.sin(x / 17 + layer))
            for x in range(0, width + 4, 4)
        ]
        shade = 150 - 30 * layer
        fill = (shade * (1 + number % 2) // 2, shade, shade * (2 - number % 2) // 2)
        pen.polygon([(0, height), *line, (width, height)], fill=fill)
    noise = Image.effect_noise(size, 24).convert("RGB")
    noise = noise.filter(ImageFilter.GaussianBlur(0.7))
    return Image.blend(picture, noise, 0.06)


def figure(number: int) -> Image.Image:
    """A person, with soft edges and nothing around."""
    size = (260, 331)
    mask = Image.new("L", (size[0] * 2, size[1] * 2))
    pen = ImageDraw.Draw(mask)
    pen.ellipse((180, 20, 340, 180), fill=255)
    pen.polygon([(120, 640), (200, 180), (320, 180), (420 - 20 * number, 640)], fill=255)
    pen.line((200, 260, 40, 120 + 40 * number), fill=255, width=50)
    mask = mask.resize(size, Image.Resampling.LANCZOS)
    cloth = Image.new("RGB", size, ((70 + 45 * number) % 256, 60, (200 - 30 * number) % 256))
    ImageDraw.Draw(cloth).rectangle((0, 0, size[0], 92), fill=(240, 205, 170))
    cloth.putalpha(mask)
    return cloth
