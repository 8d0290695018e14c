"""Draws all looks on one picture: two fronts and the back of each, from a deck that is started in
a folder for the moment."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from generator.build import Order
from generator.export import PreviewPicture, contact_sheet
from generator.fonts import own_font
from generator.looks import Dress, card_looks
from generator.outlets import preview_pack
from generator.project import Project, Target, shipped_root
from generator.starters import start_pack

_CARDS: Final = (("ember-wolf", "front"), ("quiet-harbour", "front"), ("fog", "back"))
_DPI, _COLUMNS, _WIDTH_PX = 150, 6, 1800


def look_sheet(size: str, palette: str | None, order: Order) -> bytes:
    """Return a PNG of all looks in a size of cards; `palette` replaces their own colours.

    Raises GridpressError when no temporary folder can be written.
    """
    pictures = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for look in card_looks().values():
            start_pack(root, look.name, look.title, Dress(look, size, palette))
            preview_pack(Target(Project(root, shipped_root()), look.name), order, root, _DPI)
            drawn = root / look.name / "preview"
            for id_, side in _CARDS:
                words = look.name if id_ == _CARDS[0][0] else ""
                pictures.append(PreviewPicture(drawn / f"card.{id_}.{side}.png", words))
        return contact_sheet(pictures, _COLUMNS, _WIDTH_PX, own_font())
