"""How a text is to look: the values of one entry under `styles:` in a pack's styles.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Align(StrEnum):
    """Where lines stand in their box; `start` is left, or right in a right-to-left paragraph."""

    START = "start"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"


class VAlign(StrEnum):
    """Where the lines as a whole stand in their box."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A named style. Sizes in pt; `leading` and `paragraph_gap` in line heights: the distance
    between baselines is size × leading, paragraphs stand leading × (1 + paragraph_gap) apart.

    Text that is a `decoration` is there to be looked at: it may be pale, small and cut off.
    `family` is a name that the font library knows, `stretch` the width of the face wanted over
    the normal one; `fallback` are families asked, in order, for what it lacks. `lang` (BCP 47)
    chooses hyphenation. `features` are OpenType features by their tags, each with its value.
    """

    name: str
    family: str
    weight: int = 400
    italic: bool = False
    size_pt: float = 9.0
    min_pt: float = 7.0
    leading: float = 1.25
    colour: str = "#000000"
    align: str = "left"
    hyphenate: bool = False
    fallback: tuple[str, ...] = ()
    lang: str = "en"
    paragraph_gap: float = 0.5
    stretch: float = 1.0
    features: tuple[tuple[str, int], ...] = ()
    decoration: bool = False
