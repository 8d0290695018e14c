"""Text, a style and a box in; shaped, broken, fitted lines, and their SVG, out. See docs/text.md.

Shared by the stages: it knows fonts and the model's geometry, no stage.
"""

from generator.text.fit import fit_line, fit_text, measure
from generator.text.lines import FittedText, to_svg
from generator.text.paragraph import IconMetrics
from generator.text.style import Align, TextStyle, VAlign

__all__ = [
    "Align",
    "FittedText",
    "IconMetrics",
    "TextStyle",
    "VAlign",
    "fit_line",
    "fit_text",
    "measure",
    "to_svg",
]
