"""Faces in, the distinct ones in even chunks out, by rules that know nothing of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from generator.model.face import Face

MOST_IN_A_CHUNK: Final = 300
ALONE_UP_TO: Final = 120


def distinct(faces: Sequence[Face]) -> list[Face]:
    """Each face that looks different once, in the order of first appearance."""
    first: dict[str, Face] = {}
    for face in faces:
        first.setdefault(face.sha256, face)
    return list(first.values())


def chunk_count(faces: int) -> int:
    """One up to 120 faces; beyond, at least two (they run side by side), of at most 300.

    The number of jobs has no say, so that the bytes are the same on every machine.
    """
    if faces <= ALONE_UP_TO:
        return min(faces, 1)
    return max(2, -(-faces // MOST_IN_A_CHUNK))


def even_chunks(faces: list[Face], count: int) -> list[list[Face]]:
    """The faces, in order, in `count` runs whose lengths differ by one at most."""
    ends = [len(faces) * number // max(count, 1) for number in range(count + 1)]
    return [faces[start:end] for start, end in pairwise(ends)]
