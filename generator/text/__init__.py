"""Text, a style and a box in; shaped, broken, fitted lines, and their SVG, out. See docs/text.md.

Shared by the stages: it knows fonts and the model's geometry, no stage.
"""

from generator.model.lines import Glyph, InlineIcon, Line, Run, Stretch
from generator.text.copy import IconSource
from generator.text.fit import fit_text
from generator.text.fitted import FittedText, Overflow
from generator.text.single import fit_line, measure
from generator.text.style import Align, TextStyle, VAlign
from generator.text.svg import to_svg
from generator.text.words import IconMetrics

__all__ = [
    "Align",
    "FittedText",
    "Glyph",
    "IconMetrics",
    "IconSource",
    "InlineIcon",
    "Line",
    "Overflow",
    "Run",
    "Stretch",
    "TextStyle",
    "VAlign",
    "fit_line",
    "fit_text",
    "measure",
    "to_svg",
]
