"""Pieces laid side by side on a table, row after row; and the script by which Tabletop Playground
lays them down.

Its makers document no saved states. What they do document is a script that belongs to an object and
makes others from their templates (`@tabletop-playground/api`): so a package has one more object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

_SCRIPT: Final = """// Lays all pieces on the table: choose "{action}" in the menu of its object.
"use strict";
const {{ refObject, world }} = require("@tabletop-playground/api");

// of each piece its template, and where its middle comes to lie: cm from the middle of the table
const PIECES = {pieces};

refObject.addCustomAction("{action}", "Put all pieces on the table, kind by kind");
refObject.onCustomAction.add(() => {{
    for (const [template, x, y] of PIECES) {{
        const z = world.getTableHeight([x, y, 0]) + {above};
        const piece = world.createObjectFromTemplate(template, [x, y, z]);
        if (piece) piece.snapToGround();
    }}
}});
"""
_ACTION: Final = "Lay out the game"
_ABOVE: Final = 3
"""cm over the table, from where a piece is let down."""
_PIECES: Final = re.compile(r"^const PIECES = (\[.*?\n\]);$", re.DOTALL | re.MULTILINE)


@dataclass(slots=True)
class Rows:
    """Places from left to right, row after row, of `wide` at most, with a gap between them."""

    wide: float
    gap: float
    x: float = 0.0
    y: float = 0.0
    deep: float = 0.0

    def part(self) -> None:
        """Leave room before the next kind."""
        self.x += self.gap if self.x else 0.0

    def place(self, width: float, depth: float) -> tuple[float, float]:
        """The middle of a place of a size, beside the one before it: from the left and from
        behind."""
        if self.x and self.x + width > self.wide:
            self.x, self.y, self.deep = 0.0, self.y + self.deep + self.gap, 0.0
        middle = self.x + width / 2, self.y + depth / 2
        self.x += width + self.gap
        self.deep = max(self.deep, depth)
        return middle


class Laid(NamedTuple):
    """A piece on the table: its template, and its middle from that of the table, cm: `x` away from
    who sits at it, `y` to the right."""

    template: str
    x: float
    y: float


def in_the_middle(placed: Sequence[tuple[str, float, float]]) -> list[Laid]:
    """Pieces by their templates and the places that `Rows` gave them, about the table's middle."""
    xs, ys = [x for _, x, _ in placed], [y for *_, y in placed]
    across, down = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [Laid(one, round(down - y, 2), round(x - across, 2)) for one, x, y in placed]


def script_of(pieces: Sequence[Laid]) -> str:
    """The script that lays them down."""
    lines = ",\n    ".join(json.dumps(piece) for piece in pieces)
    return _SCRIPT.format(action=_ACTION, above=_ABOVE, pieces=f"[\n    {lines},\n]")


def pieces_of(script: str) -> list[Laid]:
    """What a script lays down; nothing where it does not say."""
    told = _PIECES.search(script)
    return [Laid(*one) for one in json.loads(told[1].replace(",\n]", "\n]"))] if told else []
