"""Photographic grain that does not depend on the tests that ran before, as Pillow's does: it draws
from one random sequence for the whole process."""

import random
from functools import cache

from PIL import Image


@cache
def grain(size: tuple[int, int], spread: float, seed: int = 0) -> Image.Image:
    """Return a grey picture whose shades vary this far around the middle one. Draw on a copy: the
    picture is shared."""
    dice = random.Random(seed)
    shades = (round(dice.gauss(128, spread)) for _ in range(size[0] * size[1]))
    return Image.frombytes("L", size, bytes(min(max(shade, 0), 255) for shade in shades))
