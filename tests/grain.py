"""Grain, as a photograph has it, that is the same whichever tests ran before: Pillow's is drawn
from one row of figures of the whole process."""

import random
from functools import cache

from PIL import Image


@cache
def grain(size: tuple[int, int], spread: float, seed: int = 0) -> Image.Image:
    """A grey picture: its shades lie around the middle one, so far apart. Whoever draws on it has a
    copy."""
    dice = random.Random(seed)
    shades = (round(dice.gauss(128, spread)) for _ in range(size[0] * size[1]))
    return Image.frombytes("L", size, bytes(min(max(shade, 0), 255) for shade in shades))
