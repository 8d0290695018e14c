"""Numbers, colours and transforms in; the operators of a PDF page that mean them out."""

from __future__ import annotations

import functools

from PIL import ImageColor

from generator.export.plates.reading import LeftToEngineError
from generator.matrices import Matrix

Colour = tuple[int, int, int, float]
"""Red, green and blue from 0 to 255, opacity from 0 to 1."""

RGB = "c0"
GREY = "c1"
"""The names of the colour spaces on every plate."""


def number(value: float) -> str:
    """A number as PDF writes it, exact to 0.000005."""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def numbers(*values: float) -> str:
    """Numbers with spaces between."""
    return " ".join(map(number, values))


def transform(matrix: Matrix) -> str:
    """What makes a transform that of all that follows; in more digits, as it scales them."""
    return " ".join(f"{value:.8f}".rstrip("0").rstrip(".") for value in matrix) + " cm\n"


@functools.lru_cache(4096)
def colour(text: str) -> Colour | None:
    """A paint as SVG writes it, None for no paint. Raises LeftToEngineError for any other."""
    if text in ("none", "transparent"):
        return None
    try:
        red, green, blue, *alpha = ImageColor.getrgb(text)
    except ValueError:
        raise LeftToEngineError(f"the paint {text}") from None
    return red, green, blue, (alpha[0] / 255 if alpha else 1.0)


@functools.lru_cache(4096)
def paint(colour: Colour, *, stroke: bool) -> str:
    """What makes a colour that of the fills or strokes that follow. A grey one has one number, so
    that a printer takes black ink alone for it."""
    red, green, blue, _ = colour
    shares = (red,) if red == green == blue else (red, green, blue)
    space, choose, put = (GREY if len(shares) == 1 else RGB), "cs", "scn"
    if stroke:
        choose, put = choose.upper(), put.upper()
    return f"/{space} {choose} {' '.join(f'{share / 255:.8g}' for share in shares)} {put}\n"
