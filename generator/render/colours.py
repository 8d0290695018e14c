"""A colour as a template names it in; a colour that SVG knows out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from generator.diagnostics import did_you_mean
from generator.render.draft import Desk
from generator.render.ink import as_hex
from generator.render.places import calling
from generator.sandbox import as_text

_OTHER_PAINTS: Final = re.compile(r"none|transparent|currentColor|url\(#[\w.-]+\)")
BLACK: Final = "#000000"


class Palette:
    """The colours of a pack, by the names of its styles.yaml."""

    def __init__(self, colours: Mapping[str, str], desk: Desk) -> None:
        self.colours = colours
        self._desk = desk

    def paint(self, value: Any) -> str:
        """A name of the pack's palette, or any other paint that prints right, as SVG has it.

        An unknown one is black, and a fault of the template (GP309).
        """
        text = as_text(value)
        named = self.colours.get(text)
        if named is not None:
            return named
        if as_hex(text) is None and not _OTHER_PAINTS.fullmatch(text):
            hint = "" if text.startswith("#") else did_you_mean(text, self.colours)
            message = f"there is no colour {text!r}"
            hint = hint or "write a colour as #rrggbb, or give it a name in styles.yaml"
            self._desk.draft.blame_template(calling(), "GP309", message, hint, word=text)
            return BLACK
        return str(text)
