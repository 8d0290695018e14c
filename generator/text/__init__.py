"""Sets text: shapes, breaks and fits it into a box. See docs/text.md. All stages may use it; it
depends on none."""

from generator.text.fit import ALL, SHARE_BEFORE, FittedText, fit_line, fit_text, measure, to_svg
from generator.text.markup import Align, TextStyle, VAlign, mark_alone
from generator.text.operators import Lettering, Used, font_uses
from generator.text.paragraph import IconMetrics, lost_marks
from generator.text.shaper import has_colours

__all__ = [
    "ALL",
    "SHARE_BEFORE",
    "Align",
    "FittedText",
    "IconMetrics",
    "Lettering",
    "TextStyle",
    "Used",
    "VAlign",
    "fit_line",
    "fit_text",
    "font_uses",
    "has_colours",
    "lost_marks",
    "mark_alone",
    "measure",
    "to_svg",
]
