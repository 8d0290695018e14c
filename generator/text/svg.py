"""Set lines in; SVG text out, one `<tspan>` a run, each at its own absolute place.

To who reads SVG a tspan with its own x is a paragraph of its own that runs from left to right. So
text from right to left is framed by right-to-left marks, which keep what stands at its ends (a
full stop, a bracket) on the side where it belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from generator.model.lines import Line, Run
from generator.units import format_mm, pt_to_mm

_RIGHT_TO_LEFT_MARK: Final = "\u200f"


def to_svg(lines: Sequence[Line], x: float, y: float, colour: str) -> str:
    """The lines, their places from (x, y), mm, without the icons in them."""
    runs = [(run, line.y) for line in lines for run in line.runs if isinstance(run, Run)]
    return _text(runs, x, y, colour)


def _text(runs: list[tuple[Run, float]], x: float, y: float, colour: str) -> str:
    """A text element in the look of its first run; a tspan says where it differs."""
    if not runs:
        return ""
    base, _ = runs[0]
    look = {"fill": colour, **base.font.svg, "font-size": f"{pt_to_mm(base.size_pt):.5f}"}
    spans: list[str] = []
    for run, baseline in runs:
        other = ""
        if run.font is not base.font:
            other = _attributes(_difference(run.font.svg, base.font.svg))
        text = escape(run.text, quote=False)
        if run.right_to_left:
            text = f"{_RIGHT_TO_LEFT_MARK}{text}{_RIGHT_TO_LEFT_MARK}"
        place = f'x="{format_mm(x + run.x)}" y="{format_mm(y + baseline)}"'
        spans.append(f"<tspan {place}{other}>{text}</tspan>")
    return f"<text{_attributes(look)}>{''.join(spans)}</text>"


def _difference(look: Mapping[str, str], base: Mapping[str, str]) -> dict[str, str]:
    """What must be said to get from one look to another; what only the base says is undone."""
    undone = dict.fromkeys(base.keys() - look.keys(), "normal")
    return {name: value for name, value in look.items() if base.get(name) != value} | undone


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
