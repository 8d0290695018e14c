"""Draws the pictures of docs/tutorial.md by its own steps: `python docs/tutorial.py`."""

import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import yaml
from PIL import Image

from generator.cli import run
from generator.export import PreviewPicture, contact_sheet
from generator.fonts import own_font

HERE = Path(__file__).resolve().parent
PAGE = HERE / "tutorial.md"
TABLE = "creatures.csv"
PREVIEW = Path("output/my-creatures/preview")
WIDTH, COLOURS = 900, 96


def chapters() -> list[str]:
    """Return the chapters of the page, in their order."""
    return PAGE.read_text("utf-8").split("\n## ")[1:]


def follow(chapter: str) -> None:
    """Do what a chapter says in the current folder. Raises SystemExit if a step fails."""
    for language, body in re.findall(r"^```(\w*)\n(.*?)^```$", chapter, re.M | re.S):
        if language == "csv":
            Path(TABLE).write_text(body, "utf-8")
        elif language == "yaml":
            write(body)
        else:
            for line in body.splitlines():
                if run(shlex.split(line)[1:]) != 0:
                    sys.exit(f"{line} fails")


def write(block: str) -> None:
    """Write YAML to the file in its first line, in place of what the file says under its keys."""
    head, _, body = block.partition("\n")
    path = Path(head.removeprefix("# "))
    text = path.read_text("utf-8") if path.is_file() else ""
    for key in yaml.safe_load(body):
        text = re.sub(rf"^{key}:.*\n(?: .*\n)*", "", text, flags=re.M)
    path.write_text(text + body, "utf-8")


def main() -> None:
    """Follow the page, and draw the cards after each chapter that has a picture."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for chapter in chapters():
            follow(chapter)
            for name in re.findall(r"\(pictures/(tutorial-.*?)\)", chapter):
                run(["preview"])
                faces = [*sorted(PREVIEW.glob("*.front.png")), min(PREVIEW.glob("*.back.png"))]
                cards = [PreviewPicture(face, "") for face in faces]
                sheet = Image.open(io.BytesIO(contact_sheet(cards, len(cards), WIDTH, own_font())))
                small = sheet.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                small.save(HERE / "pictures" / name, optimize=True)
        os.chdir(HERE)


if __name__ == "__main__":
    main()
