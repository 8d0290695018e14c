"""Draws the pictures of docs/tutorial.md by its own steps: `python docs/tutorial.py`."""

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from PIL import Image

from generator.cli import run

HERE = Path(__file__).resolve().parent
PAGE = HERE / "tutorial.md"
KINDS = ("card", "token", "board", "box", "rules")
WIDEST = 1000


def steps() -> list[str | list[str]]:
    """The commands of the page, and what its reader writes, in their order."""
    found: list[str | list[str]] = []
    for language, body in re.findall(
        r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S
    ):
        if language == "yaml":
            found.append(body)
        else:
            found += [shlex.split(line)[1:] for line in body.splitlines()]
    return found


def follow(cards: Path) -> None:
    """Do what the page says in the current folder. Raises SystemExit where a step fails."""
    for step in steps():
        if isinstance(step, str):
            cards.write_text(cards.read_text("utf-8") + step, "utf-8")
        elif run(step) != 0:
            sys.exit(f"gridpress {' '.join(step)} fails")


def main() -> None:
    """Follow the page and keep the contact sheets."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        follow(Path("hills/cards/the-far-hills/cards.yaml"))
        run(["preview", "hills", "-o", "out", "--dpi", "100"])
        for kind in KINDS:
            with Image.open(f"out/the-far-hills/preview/{kind}.png") as picture:
                picture.thumbnail((WIDEST, WIDEST))
                small = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
                small.save(HERE / f"pictures/tutorial-{kind}.png", optimize=True)
        os.chdir(HERE)


if __name__ == "__main__":
    main()
