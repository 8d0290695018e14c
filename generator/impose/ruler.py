"""A spot in, a ruler of millimetres and inches out: measured on paper, it tells the scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.impose.spot import Spot
from generator.model.sheet import Layer, LineMark, Mark, TextMark
from generator.units import MM_PER_INCH

RULERS: Final = ((100, 4), (50, 2))
"""Lengths in millimetres and in inches; the shorter pair is for papers too small for the other."""
RULER_HEIGHT: Final = 3.5
"""mm across both scales."""
_LABEL_ROOM: Final = 8.5
_LABEL_GAP: Final = 1.2
_LABEL_PT: Final = 4.5
_LINE_GAP: Final = 0.3
_TICK: Final = 0.9
_END_TICK: Final = 1.6


def ruler_length(ruler: tuple[int, int]) -> float:
    """mm from the zero of a ruler to the end of its labels."""
    return max(ruler[0], ruler[1] * MM_PER_INCH) + _LABEL_ROOM


def ruler_marks(spot: Spot, ruler: tuple[int, int], grey: float) -> Iterator[Mark]:
    """Two scales back to back: centimetres with ticks up, half inches with ticks down."""
    mm, inches = ruler
    centimetres = [i * 10.0 for i in range(mm // 10 + 1)]
    half_inches = [i * MM_PER_INCH / 2 for i in range(2 * inches + 1)]
    label = ruler_length(ruler) - _LABEL_ROOM + _LABEL_GAP
    upper, lower = (RULER_HEIGHT - _LINE_GAP) / 2, (RULER_HEIGHT + _LINE_GAP) / 2
    yield from _scale(spot, upper, -1, centimetres, grey)
    yield TextMark(Layer.GUIDES, spot.at(label, upper), f"{mm} mm", _LABEL_PT, spot.rotation)
    yield from _scale(spot, lower, 1, half_inches, grey)
    yield TextMark(
        Layer.GUIDES, spot.at(label, RULER_HEIGHT - 0.1), f"{inches} in", _LABEL_PT, spot.rotation
    )


def _scale(spot: Spot, line: float, out: int, ticks: list[float], grey: float) -> Iterator[Mark]:
    yield LineMark(Layer.GUIDES, spot.at(0, line), spot.at(ticks[-1], line), grey=grey)
    for tick in ticks:
        length = _END_TICK if tick in (0, ticks[-1]) else _TICK
        tip = spot.at(tick, line + out * length)
        yield LineMark(Layer.GUIDES, spot.at(tick, line), tip, grey=grey)
