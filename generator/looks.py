"""Looks: complete designs of cards, shipped as face files, and palettes to print them in."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from generator.model.face_file import SUFFIX

_STARTER: Final = Path(__file__).resolve().parent / "starter"
_LOOKS: Final = _STARTER / "looks"
_COLOURS: Final = re.compile(r"^colours:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
_LOW: Final = re.compile(r"^ink:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
SIZES: Final[Mapping[str, str]] = {
    "poker": "poker",
    "tarot": "tarot",
    "mini": "mini",
    "square": "square-card-63",
}
"""The sizes of every look, and the stock of each."""


class CardLook(Struct, frozen=True):
    """A look: its name, its title, and what it is in a sentence."""

    name: str
    title: str
    description: str

    @property
    def folder(self) -> Path:
        """Return the folder of its files."""
        return _LOOKS / self.name


@functools.cache
def card_looks() -> Mapping[str, CardLook]:
    """Return all looks by name."""
    found = {}
    for path in sorted(_LOOKS.glob("*/look.yaml")):
        given = yaml.safe_load(path.read_text("utf-8"))
        found[path.parent.name] = CardLook(path.parent.name, given["title"], given["description"])
    return found


@functools.cache
def palettes() -> Mapping[str, Mapping[str, Any]]:
    """Return all palettes by name: `description`, `colours`, and `low`, those for `--ink low`."""
    found: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
        (_STARTER / "palettes.yaml").read_text("utf-8")
    )
    return found


def look_files(look: CardLook, size: str, kind: str, palette: str | None) -> dict[str, str]:
    """Return the files of a look for a kind in one size, by their paths in the pack's templates:
    the front, the back, and all that these need. `palette` replaces the look's own colours."""
    files = {}
    for path in sorted(look.folder.rglob("*")):
        name = path.relative_to(look.folder).as_posix()
        if path.is_dir() or name == "look.yaml" or name.endswith(SUFFIX):
            continue
        files[name] = path.read_text("utf-8")
    if palette is not None:
        files["styles.yaml"] = _in_palette(files["styles.yaml"], palettes()[palette])
    for side, written in (("", kind), ("-back", f"{kind}-back")):
        files[written + SUFFIX] = (look.folder / f"{size}{side}{SUFFIX}").read_text("utf-8")
    return files


def _in_palette(styles: str, palette: Mapping[str, Any]) -> str:
    """Return the text of a styles.yaml in the colours of a palette."""
    colours = "".join(f"  {name}: {json.dumps(c)}\n" for name, c in palette["colours"].items())
    low = ", ".join(f"{name}: {json.dumps(colour)}" for name, colour in palette["low"].items())
    styles = _COLOURS.sub(lambda _: f"colours:\n{colours}", styles, count=1)
    return _LOW.sub(lambda _: f"ink:\n  low: {{{low}}}\n", styles, count=1)
