"""Draws the pictures of docs/face-files.md from its own YAML, and that of all looks:
`python docs/boxes_pictures.py`."""

import io
import re
import sys
import tempfile
from pathlib import Path

import yaml
from PIL import Image

from generator.build import Order
from generator.cli import run
from generator.cli.look_sheet import look_sheet
from generator.export import PreviewPicture, contact_sheet
from generator.fonts import own_font

HERE = Path(__file__).resolve().parent
PAGE = HERE / "face-files.md"
DPI, ART_DPI = 180, 300
WIDTH, HEIGHT, GAP = 44, 14, 4
"""Size of a box and the space around it, mm."""
SQUARE = ("badge",)
"""Boxes that are as wide as they are high."""
ART = (0, 0, 63.5, 44.4)
"""The place of a started card's picture, mm."""
SCENE = f"""\
face: poker
boxes: {{scene: {{part: shared/scene.svg.j2 landscape, at: [{", ".join(map(str, ART))}]}}}}
"""
CARDS_WIDTH, LOOKS_WIDTH = 780, 1000
CARDS = ("watchtower", "fair-wind", "the-wanderer")
KIND = """\
kind: sample
title: Sample
stock: {{like: poker, width: {width}, height: {height}}}
faces: {{front: sample.face.yaml}}
fields:
  name: {{type: text}}
  text: {{type: rich}}
  flavour: {{type: text}}
  art: {{type: image}}
  cost: {{type: int}}
  rank: {{type: int}}
  attack: {{type: int}}
  defence: {{type: int}}
  speed: {{type: int}}
  reach: {{type: int}}
"""
SAMPLE = """\
kind: sample
components:
  - {id: wolf, name: Ember Wolf, text: Draw **2** cards., art: fair-wind.png,
     flavour: "It hunts by the smell of smoke.",
     cost: 3, rank: 2, attack: 4, defence: 2, speed: 6, reach: 1}
"""
DIAL = """\
{% macro dial(x, y, w, h, c) %}
{% set r = h / 2 %}{% for i in range(12) %}
<line x1="0" y1="{{ 0.7 * r }}" x2="0" y2="{{ r }}" stroke="{{ colour.mark }}" stroke-width="0.7"
  transform="translate({{ x + w / 2 }} {{ y + r }}) rotate({{ 30 * i }})"/>
{% endfor %}
{{ text_line(c.speed, x + w / 2, y + r + 1.9, "title", anchor="middle") }}
{% endmacro %}
"""


def boxes() -> dict[str, str]:
    """Return the example of each kind of box in the page's table, by its picture."""
    rows = re.findall(
        r"^\| `(\w+:.*?)` \| !\[.*?\]\(pictures/(.*?)\)", PAGE.read_text("utf-8"), re.M
    )
    return {picture: box for box, picture in rows}


def place(number: int) -> tuple[int, int]:
    """Return the left and top edge of a box on the sample, mm."""
    return GAP, GAP + number * (HEIGHT + GAP)


def cropped(picture: Path, edges: tuple[float, float, float, float], dpi: int) -> Image.Image:
    """Return a part of a picture, by its left, top, right and bottom edge in mm."""
    left, top, right, bottom = (round(mm * dpi / 25.4) for mm in edges)
    with Image.open(picture) as whole:
        return whole.crop((left, top, right, bottom))


def preview(root: Path, dpi: int = DPI) -> Path:
    """Draw the pack and return the folder of its pictures."""
    if run(["preview", str(root), "-o", str(root / "out"), "--dpi", str(dpi)]) != 0:
        sys.exit("gridpress preview fails")
    return root / "out/duel/preview"


def write_pack(root: Path) -> None:
    """Write a pack with a component that shows all boxes, and the page's first card."""
    if run(["new", "pack", "duel", "--in", str(root)]) != 0:
        sys.exit("gridpress new pack fails")
    cards, templates = root / "cards/duel", root / "templates/duel"
    (templates / "card.face.yaml").write_text(SCENE, "utf-8")
    drawn, deck = preview(root, ART_DPI), cards / "cards.yaml"
    for name in CARDS:
        cropped(drawn / f"card.{name}.front.png", ART, ART_DPI).save(cards / f"{name}.png")
        text = deck.read_text("utf-8")
        deck.write_text(
            text.replace(f"id: {name}\n", f"id: {name}\n    art: {name}.png\n"), "utf-8"
        )
    pack = cards / "pack.yaml"
    pack.write_text(pack.read_text("utf-8").replace("[card]", "[card, sample]"), "utf-8")
    styles = templates / "styles.yaml"
    flavour = "  flavour: {font: body, italic: true, size: 9pt, min: 7pt, colour: mark}\n"
    styles.write_text(styles.read_text("utf-8") + flavour, "utf-8")
    found = boxes()
    whole = {"width": WIDTH + 2 * GAP, "height": GAP + len(found) * (HEIGHT + GAP)}
    (cards / "kinds/sample.yaml").write_text(KIND.format(**whole), "utf-8")
    (cards / "samples.yaml").write_text(SAMPLE, "utf-8")
    (templates / "parts.svg.j2").write_text(DIAL, "utf-8")
    placed = {}
    for number, (picture, box) in enumerate(found.items()):
        keys = yaml.safe_load(f"{{{box}}}")
        width = HEIGHT if next(iter(keys)) in SQUARE else WIDTH
        placed[Path(picture).stem] = {**keys, "at": [*place(number), width, HEIGHT]}
    face = {"face": "poker", "ground": "paper", "boxes": placed}
    (templates / "sample.face.yaml").write_text(yaml.safe_dump(face, sort_keys=False), "utf-8")
    whole_card = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)[0]
    (templates / "card.face.yaml").write_text(whole_card, "utf-8")


def save(picture: Image.Image, name: str, colours: int) -> None:
    """Write a small PNG."""
    small = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
    small.save(HERE / "pictures" / name, optimize=True)


def main() -> None:
    """Draw all pictures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_pack(root)
        drawn = preview(root)
        for number, picture in enumerate(boxes()):
            left, top = place(number)
            edges = (left - 1, top - 1, left + WIDTH + 1, top + HEIGHT + 1)
            save(cropped(drawn / "sample.wolf.front.png", edges, DPI), picture, 64)
        cards = [PreviewPicture(drawn / f"card.{name}.front.png", "") for name in CARDS]
        sheet = contact_sheet(cards, len(cards), CARDS_WIDTH, own_font())
        save(Image.open(io.BytesIO(sheet)), "face-file.png", 96)
    looks = Image.open(io.BytesIO(look_sheet("poker", None, Order())))
    looks.thumbnail((LOOKS_WIDTH, LOOKS_WIDTH))
    save(looks, "looks.png", 255)


if __name__ == "__main__":
    main()
