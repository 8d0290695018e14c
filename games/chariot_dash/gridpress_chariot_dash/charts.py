"""Charts: plain numbers in, SVG as text out, for a page that is read on a screen or printed.

Each series has a colour and a dash of its own, so that lines can be told apart in grey.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final

RED: Final = "#a93a22"
GREY: Final = "#777777"

Series = Mapping[str, Sequence[float | None]]
"""Values by the name of a series; None is a gap."""


def stacks(
    rows: Mapping[str, Sequence[float]], parts_of: Sequence[str], shades: Sequence[str]
) -> str:
    """A bar for each row, of parts that add up to 1; a part that has room says its percentage."""
    left, width, high, gap = 150.0, 340.0, 17.0, 5.0
    made = []
    for number, (name, values) in enumerate(rows.items()):
        y = 6 + number * (high + gap)
        made.append(_text(left - 8, y + 12.5, name, "end"))
        x = left
        for shade, value in zip(shades, values, strict=True):
            wide = width * value
            if wide > 0:
                made.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high}" '
                    f'fill="{shade}" stroke="#fff" stroke-width=".8"/>'
                )
            if wide > 30:
                ink = "#ffffff" if _is_dark(shade) else "#222222"
                made.append(_text(x + wide / 2, y + 12.5, f"{value:.0%}", "middle", ink=ink))
            x += wide
    foot = 6 + len(rows) * (high + gap) + 6
    x = left
    for shade, name in zip(shades, parts_of, strict=True):
        made.append(f'<rect x="{x}" y="{foot}" width="12" height="12" fill="{shade}"/>')
        made.append(_text(x + 17, foot + 10.5, name, "start"))
        x += 34 + 7.2 * len(name)
    return _svg(500, foot + 20, made)


def whiskers(
    rows: Mapping[str, tuple[float, float, float]],
    told_as: Callable[[float], str],
    mark: tuple[float, str] | None = None,
) -> str:
    """A dot for each row's value on a line from the low to the high end of its interval.

    mark: a value that all are to be compared with, and what it is.
    """
    left, width, high, top = 150.0, 330.0, 26.0, 24.0 if mark else 8.0
    ends = [end for _, low, top_end in rows.values() for end in (low, top_end) if isfinite(end)]
    ends += [mark[0]] if mark else []
    step = _step(max(ends, default=1.0) - min(ends, default=0.0))
    first = floor(min(ends, default=0.0) / step) * step
    last = max(first + step, ceil(max(ends, default=1.0) / step - 1e-9) * step)
    bottom = top + high * len(rows)

    def at(value: float) -> float:
        return left + width * (max(first, min(value, last)) - first) / (last - first)

    parts = []
    for n in range(round((last - first) / step) + 1):
        x = at(first + n * step)
        parts.append(
            f'<path d="M{x:.1f} {top}V{bottom}" stroke="{GREY}" stroke-width=".4" '
            'stroke-opacity=".6"/>'
        )
        parts.append(_text(x, bottom + 16, told_as(first + n * step), "middle"))
    if mark:
        x = at(mark[0])
        parts.append(f'<path d="M{x:.1f} {top - 4}V{bottom}" stroke="#222222" stroke-width="1.6"/>')
        parts.append(_text(x, top - 9, mark[1], "middle", bold=True))
    for number, (name, (value, low, up)) in enumerate(rows.items()):
        y = top + high * (number + 0.5)
        parts.append(_text(left - 10, y + 4.5, name, "end"))
        parts.append(
            f'<path d="M{at(low):.1f} {y - 5}v10m0 -5H{at(up):.1f}m0 -5v10" fill="none" '
            f'stroke="{RED}" stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="4.6" fill="{RED}"/>')
    return _svg(500, bottom + 24, parts)


def _step(span: float, most: int = 6) -> float:
    """The distance of marks on a scale: 1, 2 or 5 times a power of ten."""
    rough = max(span, 1e-9) / most
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def _is_dark(colour: str) -> bool:
    """By its luma (BT.601), of 255."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def _text(
    x: float, y: float, words: str, anchor: str, *, bold: bool = False, ink: str = "#222222"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="13" '
        f'font-family="inherit" fill="{ink}"{weight}>{escape(words)}</text>'
    )


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img">{"".join(parts)}</svg>'
    )
