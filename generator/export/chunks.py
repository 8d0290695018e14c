"""Drawings in, the same in even chunks out, by rules that know nothing of the machine."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypeVar

T = TypeVar("T")

MOST_IN_A_CHUNK: Final = 300
ALONE_UP_TO: Final = 120


def chunk_count(drawings: int) -> int:
    """One up to 120 drawings; beyond, at least two (they run side by side), of at most 300.

    The number of jobs has no say, so that the bytes are the same on every machine.
    """
    if drawings <= ALONE_UP_TO:
        return min(drawings, 1)
    return max(2, -(-drawings // MOST_IN_A_CHUNK))


def even_chunks(drawings: list[T], count: int) -> list[list[T]]:
    """The drawings, in order, in `count` runs whose lengths differ by one at most."""
    ends = [len(drawings) * number // max(count, 1) for number in range(count + 1)]
    return [drawings[start:end] for start, end in pairwise(ends)]
