"""Looks: complete designs of cards, shipped as face files, and palettes to print them in."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from generator.model.face_file import SUFFIX
from generator.written_yaml import as_values

_STARTER: Final = Path(__file__).resolve().parent / "starter"
_LOOKS: Final = _STARTER / "looks"
_COLOURS: Final = re.compile(r"^colours:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
_LOW: Final = re.compile(r"^ink:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
_ORNAMENTS: Final = "ornaments.svg.j2"
_LIKE: Final = re.compile(r"^like: (\S+)$", re.MULTILINE)
_FILE: Final = re.compile(rf"([a-z-]+)-look(?:-[a-z-]+)?{re.escape(SUFFIX)}")
STYLES: Final = "styles.yaml"


class CardSize(Struct, frozen=True):
    """A size that looks have: the name of its stock, and its trim in mm."""

    stock: str
    width: float
    height: float


SIZES: Final[Mapping[str, CardSize]] = {
    "poker": CardSize("poker", 63.5, 88.9),
    "tarot": CardSize("tarot", 69.85, 120.65),
    "mini": CardSize("mini", 44.45, 63.5),
    "square": CardSize("square-card-63", 63.5, 63.5),
}
"""The sizes of every look."""


class LookWords(Struct, frozen=True):
    """The title of a look, and what it is in a sentence, in another language."""

    title: str
    description: str


class CardLook(Struct, frozen=True):
    """A look: its name, its title, and what it is in a sentence; the same in German."""

    name: str
    title: str
    description: str
    de: LookWords

    @property
    def folder(self) -> Path:
        """Return the folder of its files."""
        return _LOOKS / self.name


@functools.cache
def card_looks() -> Mapping[str, CardLook]:
    """Return all looks by name."""
    found = {}
    for path in sorted(_LOOKS.glob("*/look.yaml")):
        given = as_values(path.read_text("utf-8"))
        look = CardLook(
            path.parent.name, given["title"], given["description"], LookWords(**given["de"])
        )
        found[look.name] = look
    return found


@functools.cache
def palettes() -> Mapping[str, Mapping[str, Any]]:
    """Return all palettes by name: `description`, `colours`, and `low`, those for `--ink low`; its
    title and description in German, `de`."""
    found: Mapping[str, Mapping[str, Any]] = as_values(
        (_STARTER / "palettes.yaml").read_text("utf-8")
    )
    return found


def look_of_file(name: str) -> CardLook | None:
    """Return the look that a face file of a pack belongs to, by its name."""
    match = _FILE.fullmatch(name)
    return card_looks().get(match[1]) if match else None


def shipped_texts(name: str) -> tuple[str, ...]:
    """Return the texts that looks have for a file of theirs, such as an icon."""
    paths = (look.folder / name for look in card_looks().values())
    return tuple(path.read_text("utf-8") for path in paths if path.is_file())


class Dress(Struct, frozen=True):
    """A look for a kind of card, in a size, and the palette that replaces its colours."""

    look: CardLook
    size: str = "poker"
    palette: str | None = None

    def file(self, part: str = "") -> str:
        """Return the name of a face file of the look; `part` is "", "-plain" or "-back"."""
        size = "" if self.size == "poker" else f"-{self.size}"
        return f"{self.look.name}-look{size}{part}{SUFFIX}"

    def files(self, *, plain: bool = False) -> dict[str, str]:
        """Return the files of the look by their paths in a pack's templates: the front (with
        `plain` that for cards without pictures too), the back, and all that these need."""
        parts = ("", "-plain", "-back") if plain else ("", "-back")
        files = {self.file(part): self._face(part) for part in parts}
        for path in sorted(self.look.folder.rglob("*")):
            name = path.relative_to(self.look.folder).as_posix()
            if path.is_dir() or name in ("look.yaml", STYLES) or name.endswith(SUFFIX):
                continue
            name = self._ornaments if name == _ORNAMENTS else name
            files[name] = path.read_text("utf-8")
        return files

    @property
    def _ornaments(self) -> str:
        return f"{self.look.name}-look.svg.j2"

    def _face(self, part: str) -> str:
        text = (self.look.folder / f"{self.size}{part}{SUFFIX}").read_text("utf-8")
        text = text.replace(_ORNAMENTS, self._ornaments)
        return _LIKE.sub(f"like: {self.file()}", text, count=1)

    def styles(self) -> str:
        """Return the look's styles.yaml, in the colours of the palette."""
        text = (self.look.folder / STYLES).read_text("utf-8")
        return text if self.palette is None else _in_palette(text, palettes()[self.palette])

    def layout(self, *, plain: bool) -> Mapping[str, Any]:
        """Return what a front's file says: `let`, `boxes`, and `variants` by type."""
        own = as_values(self._face("-plain" if plain else ""))
        files = [as_values(self._face("")), own] if "like" in own else [own]
        found: dict[str, Any] = {"let": {}, "boxes": {}, "variants": {}}
        for file in files:
            variants = file.get("variants") or []
            listed = variants if isinstance(variants, list) else [variants]
            tints: dict[str, Any] = next(
                (one for one in listed if one.get("by", "type") == "type"), {}
            )
            given = {"let": file.get("let"), "boxes": file.get("boxes"), "variants": tints}
            found = _over(found, {key: value for key, value in given.items() if value})
        found["variants"].pop("by", None)
        return found


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return maps within maps, with the values of another over them."""
    both = (key for key in own if isinstance(own[key], dict) and isinstance(base.get(key), dict))
    return {**base, **own, **{key: _over(base[key], own[key]) for key in both}}


def _in_palette(styles: str, palette: Mapping[str, Any]) -> str:
    """Return the text of a styles.yaml in the colours of a palette."""
    colours = "".join(f"  {name}: {json.dumps(c)}\n" for name, c in palette["colours"].items())
    low = ", ".join(f"{name}: {json.dumps(colour)}" for name, colour in palette["low"].items())
    styles = _COLOURS.sub(lambda _: f"colours:\n{colours}", styles, count=1)
    return _LOW.sub(lambda _: f"ink:\n  low: {{{low}}}\n", styles, count=1)
