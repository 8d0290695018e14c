"""Draws the pictures of README.md, print-a-game.md, make-a-deck.md and coming-from.md, from what
these pages say: `python docs/deck_pictures.py`."""

import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import staging
import yaml
from PIL import Image

from generator.cli import run
from generator.export import PreviewPicture, contact_sheet
from generator.fonts import own_font

HERE = Path(__file__).resolve().parent
TABLE = "creatures.csv"
DRAWN = Path("output/my-creatures/preview")
UNTIL_STOPPED = ("studio", "watch")
WIDTH, COLOURS = 900, 96
EDGE = 6
"""mm of the table around a sheet."""


def chapters() -> list[str]:
    """Return the numbered chapters of make-a-deck.md."""
    text = (HERE / "make-a-deck.md").read_text("utf-8")
    return [part for part in text.split("\n## ") if part[0].isdecimal()]


def follow(chapter: str) -> None:
    """Do what a chapter says in the current folder. Raises SystemExit if a step fails."""
    for language, body in blocks(chapter):
        if language == "csv":
            Path(TABLE).write_text(body, "utf-8")
        elif language == "yaml":
            write(body)
        else:
            for line in body.splitlines():
                do(line)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the language and the text of each block of code."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)


def do(line: str) -> None:
    """Do a command."""
    words = shlex.split(line)[1:]
    if words[0] not in UNTIL_STOPPED and run(words) != 0:
        sys.exit(f"{line} fails")


def write(block: str) -> None:
    """Write YAML to the file in its first line, in place of what the file says under its keys."""
    head, _, body = block.partition("\n")
    path = Path(head.removeprefix("# "))
    text = path.read_text("utf-8") if path.is_file() else ""
    for key in yaml.safe_load(body):
        text = re.sub(rf"^{key}:.*\n(?: .*\n)*", "", text, flags=re.M)
    path.write_text(text + body, "utf-8")


def readme_card() -> str:
    """Return the YAML of the card in README.md."""
    [card] = [body for _, body in blocks((HERE.parent / "README.md").read_text("utf-8"))
              if body.startswith("kind: card")]  # fmt: skip
    return card


def examples() -> list[tuple[str, str, str]]:
    """Return the tool, the table and the command of each example of coming-from.md."""
    parts = (HERE / "coming-from.md").read_text("utf-8").split("\n## ")[1:]
    found = []
    for part in parts:
        code = blocks(part)
        tables = [body for language, body in code if language == "csv"]
        found += [(part.split("\n")[0], table, code[-1][1]) for table in tables]
    return found


def main() -> None:
    """Follow the pages, each in a folder of its own."""
    for draw in (deck, card, sheet, comers):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            draw()
            os.chdir(HERE)


def deck() -> None:
    """Draw the cards after each chapter that has a picture, and the finished deck."""
    for chapter in chapters():
        follow(chapter)
        for name in re.findall(r"\(pictures/(deck-.*?)\)", chapter):
            do("gridpress preview")
            faces = [*sorted(DRAWN.glob("*.front.png")), min(DRAWN.glob("*.back.png"))]
            keep(in_a_row(faces), name)
    fronts = [opened(path) for path in sorted(DRAWN.glob("*.front.png"))]
    backs = [opened(min(DRAWN.glob("*.back.png")))]
    laid = [
        *staging.moved(staging.fan(fronts), 88, 62),
        *staging.moved(staging.pile(backs), 212, 66),
        *staging.moved(staging.spread(fronts[:1]), 290, 66, 8),
    ]
    keep(staging.photograph(laid, 340, 136, WIDTH), "deck-print.png")


def card() -> None:
    """Draw the card of README.md."""
    do('gridpress new pack "My Game" --look classic')
    Path("cards/my-game/cards.yaml").write_text(readme_card(), "utf-8")
    do("gridpress preview --dpi 110")
    opened(Path("output/my-game/preview/card.ember-wolf.front.png")).save(
        HERE / "pictures/readme-card.png", optimize=True
    )


def sheet() -> None:
    """Draw the top of a sheet."""
    do("gridpress build dragon-draft --paper a4 --only dragon/*")
    page = pypdfium2.PdfDocument("output/dragon-draft/cards-a4.only.pdf")[0]
    whole = page.render(scale=staging.DPI / 72).to_pil().convert("RGBA")
    wide, high = staging.size(whole)
    on_table = staging.Lying(whole, wide / 2 + EDGE, high / 2 + EDGE)
    keep(staging.photograph([on_table], wide + 2 * EDGE, 90, WIDTH), "printed-sheet.png")


def comers() -> None:
    """Draw the first card of each example of coming-from.md."""
    firsts = []
    for tool, table, command in examples():
        folder = Path(re.sub(r"\W", "", tool))
        folder.mkdir()
        os.chdir(folder)
        Path(shlex.split(command)[2]).write_text(table, "utf-8")
        do(command)
        do("gridpress preview")
        drawn = sorted(Path("output").rglob("*.front.png"))
        os.chdir("..")
        firsts.append(PreviewPicture(folder / drawn[-1], tool))
    keep(drawn_in_a_row(firsts), "coming-from.png")


def in_a_row(faces: Sequence[Path]) -> Image.Image:
    """Return faces side by side."""
    return drawn_in_a_row([PreviewPicture(face, "") for face in faces])


def drawn_in_a_row(cards: Sequence[PreviewPicture]) -> Image.Image:
    """Return faces side by side, with their names."""
    return Image.open(io.BytesIO(contact_sheet(cards, len(cards), WIDTH, own_font())))


def opened(path: Path) -> Image.Image:
    """Return a piece for a scene."""
    return Image.open(path).convert("RGBA")


def keep(picture: Image.Image, name: str) -> None:
    """Save a picture with few colours."""
    small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(HERE / "pictures" / name, optimize=True)


if __name__ == "__main__":
    main()
