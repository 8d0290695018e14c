"""A seed in; numbers and points that look random, and are the same on every machine, out.

The helpers `jitter`, `scatter` and `polar` of templates.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Any

from generator.render import outlines
from generator.render.numbers import number, parts, size
from generator.render.outlines import XY
from generator.sandbox import as_text

_PER_BLOCK = 16
MAX_SEED = 1_000


def jitter(seed: Any, count: int) -> tuple[float, ...]:
    """`count` numbers from −1 to 1, spread evenly; the first ones do not depend on the count."""
    wanted, text = parts(count, "count"), as_text(seed)
    if len(text) > MAX_SEED:  # it is gone through once for every few numbers
        raise ValueError(f"a seed of more than {MAX_SEED:,} characters")
    words = (word for block in range(-(-wanted // _PER_BLOCK)) for word in _words(block, text))
    return tuple(word / 0x7FFF_FFFF - 1 for word, _ in zip(words, range(wanted), strict=False))


def _words(block: int, seed: str) -> tuple[int, ...]:
    """16 whole numbers from 0 to 2³² − 2."""
    digest = hashlib.sha512(f"{block}:{seed}".encode()).digest()
    return tuple(min(word, 0xFFFF_FFFE) for word in struct.unpack(f">{_PER_BLOCK}I", digest))


def scatter(x: float, y: float, w: float, h: float, count: int, seed: Any = 0) -> tuple[XY, ...]:
    """Points strewn over a box, one in each cell of a grid, so that they neither clump nor line
    up; others for each seed."""
    x, y, w, h = number(x, "x"), number(y, "y"), size(w, "w"), size(h, "h")
    wanted = parts(count, "count")
    columns = max(1, round((wanted * w / h) ** 0.5))
    rows = -(-wanted // columns)
    across, down = jitter(f"{seed} across", wanted), jitter(f"{seed} down", wanted)
    return tuple(
        (
            x + w * (i % columns + 0.5 + 0.45 * across[i]) / columns,
            y + h * (i // columns + 0.5 + 0.45 * down[i]) / rows,
        )
        for i in range(wanted)
    )


def polar(cx: float, cy: float, r: float, angle: float) -> XY:
    """The point at a distance and angle from a middle."""
    return outlines.polar(
        number(cx, "cx"), number(cy, "cy"), number(r, "r"), number(angle, "angle")
    )
