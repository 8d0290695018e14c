"""The deck of different poker cards that every contender draws.

A card has 41 elements on 63 × 88 mm: one of 20 JPEGs of 750 × 1050 px, a title, three icons, ten
pips, a track of eight numbered boxes, and 60 wrapped words.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
PICTURES = 20
WORDS = (
    "axle barrel canter draw echo ford gravel hoof ingot jostle keel lantern mettle nave oath "
    "pivot quarry rein spoke trace umber verge wheel yoke zenith amber bridle cinder dust edge "
    "furrow gallop harness iron journey knot lash mane north outrider pace quick rut swerve tack"
).split()


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    title: str
    text: str
    picture: str
    pips: int
    hue: str


def cards(count: int) -> list[Card]:
    """Return the first cards of the deck."""
    return [_card(number) for number in range(count)]


def _card(number: int) -> Card:
    dice = random.Random(number)
    words = [dice.choice(WORDS) for _ in range(60)]
    sentences = [" ".join(words[i : i + 10]).capitalize() + "." for i in range(0, 60, 10)]
    title = f"{dice.choice(WORDS).capitalize()} {dice.choice(WORDS).capitalize()} {number}"
    hue = "#" + "".join(f"{dice.randrange(40, 150):02x}" for _ in range(3))
    return Card(
        f"card-{number:05d}",
        title,
        " ".join(sentences),
        f"art/{number % PICTURES:02d}.jpg",
        dice.randrange(11),
        hue,
    )


def write_pictures(folder: Path) -> None:
    """Write twenty JPEGs as large as real art."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES):
        dice = random.Random(1000 + number)
        picture = Image.effect_noise((750, 1050), 40).convert("RGB")
        draw = ImageDraw.Draw(picture, "RGBA")
        for _ in range(60):
            x, y, r = dice.randrange(750), dice.randrange(1050), dice.randrange(20, 200)
            colour = (*(dice.randrange(256) for _ in range(3)), 140)
            draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)
        picture.filter(ImageFilter.GaussianBlur(1)).save(
            folder / f"art/{number:02d}.jpg", quality=85
        )


def as_rows(deck: list[Card]) -> list[dict[str, object]]:
    """Return the cards as rows for JSON and CSV."""
    return [asdict(card) for card in deck]
