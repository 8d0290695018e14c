"""A folder in; in it a small pack that uses all that preflight looks at, and is without a fault."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

SUITS = ("ember", "tide", "moss")
CARDS = 9

PACK = """\
title: Gauntlet
version: 1.0.0
stocks:
  token: {size: [25mm, 25mm], bleed: 1.5mm, safe: 1.5mm, shape: circle}
  wall: {size: [320mm, 290mm]}
  tile: {size: [50.8mm, 44mm], shape: hexagon}
prints:
  cards: {title: Cards, kinds: [card], papers: [a4], gutter: 6mm}
  tokens: {title: Tokens, kinds: [token], papers: [a4], gutter: 3mm}
  folded: {title: Signs, kinds: [sign], papers: [a4], gutter: 6mm, backs: gutterfold}
  wall: {title: Wall, kinds: [wall], papers: [a4], layout: poster}
  tiles: {title: Tiles, kinds: [tile], papers: [a4], layout: nested}
"""
STYLES = """\
fonts: {body: Alegreya Sans}
colours: {ink: "#1d1a17", paper: "#f4ead2", ember: "#b3381e", tide: "#1f5f8b", moss: "#a9bf4a"}
styles:
  title: {font: body, weight: 700, size: 14pt, colour: ink}
  body: {font: body, size: 9pt, colour: ink}
"""
CARD = """\
kind: card
stock: poker
faces: {front: card.svg.j2, back: back.svg.j2}
quantity: 2
fields:
  suit: {type: choice, choices: [ember, tide, moss]}
  text: {type: rich}
  art: {type: image}
"""
TOKEN = """\
kind: token
stock: token
faces: {front: token.svg.j2, back: token-back.svg.j2}
fields:
  value: {type: int}
"""
SIGN = """\
kind: sign
stock: mini-euro
faces: {front: sign.svg.j2, back: sign.svg.j2}
fields:
  word: {type: text}
"""
WALL = """\
kind: wall
stock: wall
faces: {front: wall.svg.j2}
fields:
  word: {type: text}
"""
TILE = """\
kind: tile
stock: tile
faces: {front: tile.svg.j2}
quantity: 7
fields:
  word: {type: text}
"""
TEMPLATES = {
    "card": """\
<rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ colour.paper }}"/>
{{ image(c.art, 6, 22, 51.5, 30) }}
<rect x="-3" y="-3" width="69.5" height="17" fill="{{ colour[c.suit] }}"/>
{% if c.suit == "ember" %}<path d="M9 4 L14 12 L4 12 Z" fill="#ffffff"/>
{% elif c.suit == "tide" %}<circle cx="9" cy="8" r="4" fill="#ffffff"/>
{% else %}<rect x="5" y="4" width="8" height="8" fill="#ffffff"/>{% endif %}
{{ text_line(c.id, 31.75, 20, "title", anchor="middle") }}
{{ text_box(c.text, 6, 55, 51.5, 24, "body") }}
""",
    "back": """\
<rect x="-3" y="-3" width="69.5" height="94.9" fill="#2d4a3e"/>
<circle cx="31.75" cy="44.45" r="18" fill="#d9c27a"/>
""",
    "token": """\
<rect x="-1.5" y="-1.5" width="28" height="28" fill="{{ colour.paper }}"/>
{{ text_line(c.value, 12.5, 15, "title", anchor="middle") }}
""",
    "token-back": '<rect x="-1.5" y="-1.5" width="28" height="28" fill="#7a6a4a"/>\n',
    "sign": """\
<rect x="-3" y="-3" width="50" height="74" fill="{{ colour.tide }}"/>
<rect x="2.5" y="2.5" width="39" height="63" fill="{{ colour.paper }}"/>
{{ text_line(c.word, 22, 34, "title", anchor="middle") }}
""",
    "wall": """\
<rect x="-3" y="-3" width="326" height="296" fill="{{ colour.paper }}"/>
{% for y in range(20, 280, 20) %}
{{ text_line(c.word ~ " and on and on it goes, from one end to the other " * 3, 6, y, "title") }}
{% endfor %}
""",
    "tile": """\
<rect x="-3" y="-3" width="56.8" height="50" fill="{{ colour.paper }}"/>
{{ text_line(c.word, 25.4, 24, "title", anchor="middle") }}
""",
}


def write_pack(folder: Path) -> None:
    """A project with the pack `gauntlet`."""
    cards, templates = folder / "cards/gauntlet", folder / "templates/gauntlet"
    for sub in (cards / "kinds", cards / "art", templates):
        sub.mkdir(parents=True, exist_ok=True)
    files = {
        cards / "pack.yaml": PACK,
        cards / "kinds/card.yaml": CARD,
        cards / "kinds/token.yaml": TOKEN,
        cards / "kinds/sign.yaml": SIGN,
        cards / "kinds/wall.yaml": WALL,
        cards / "kinds/tile.yaml": TILE,
        cards / "cards.yaml": _cards(),
        cards / "tokens.yaml": _components("token", (f"value: {n}" for n in range(1, 6))),
        cards / "walls.yaml": _components("wall", ["word: Round"]),
        cards / "tiles.yaml": _components("tile", (f"word: {w}" for w in ("Bend", "Ramp"))),
        cards / "signs.yaml": _components("sign", (f"word: {w}" for w in ("Start", "Pit"))),
        templates / "styles.yaml": STYLES,
    } | {templates / f"{name}.svg.j2": text for name, text in TEMPLATES.items()}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    dice = random.Random(7)
    for number in range(3):
        colours = [tuple(dice.randrange(60, 200) for _ in range(3)) for _ in range(12)]
        small = Image.new("RGB", (4, 3))
        small.putdata(colours)
        small.resize((618, 360), Image.Resampling.BICUBIC).save(cards / f"art/{number}.jpg")


def _cards() -> str:
    dice = random.Random(3)
    words = "axle brake clutch drift engine fender gasket hinge idle jack kerb lever".split()
    entries = []
    for number in range(CARDS):
        text = " ".join(dice.choice(words) for _ in range(24)).capitalize()
        entries.append(
            f"id: card-{number}, suit: {SUITS[number % 3]}, "
            f"art: art/{number % 3}.jpg, text: {text}."
        )
    lines = "".join(f"  - {{{entry}}}\n" for entry in entries)
    return f"kind: card\ncomponents:\n{lines}"


def _components(kind: str, values: Iterable[str]) -> str:
    lines = (f"  - {{id: {kind}-{n}, {value}}}\n" for n, value in enumerate(values))
    return f"kind: {kind}\ncomponents:\n" + "".join(lines)
