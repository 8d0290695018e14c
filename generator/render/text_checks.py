"""Checks texts where they are set on a face: too small (GP405), too near the cut (GP404), or left
unfinished (GP407)."""

from __future__ import annotations

import re
import string
from typing import Final

from generator.diagnostics import Severity, Span, warning
from generator.geometry import Matrix, Rect, depth_inside, format_mm, pt_to_mm
from generator.model.catalogue import Shape, Stock
from generator.model.face import TextBox
from generator.model.painted import is_ornament
from generator.outlines import polygon
from generator.render.face_builder import FaceBuilder, PlacedText, TypesetText
from generator.render.svg_lint import Located
from generator.render.template_lines import Site


def on_one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text[:200].split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


LEAST_PT: Final = 5.0
SMALL_PT: Final = 6.5
ROUNDING_PT: Final = 0.01
TOUCH_MM: Final = 0.15
"""Too little for anyone to see, and the reach of a letter beyond its advance."""
_LEFT_OVER: Final = re.compile(r"\bTODO\b|\b(?i:lorem\s+ipsum)\b|\{\{[^{}]*\}\}")


def left_over(words: str) -> str:
    """Return TODO, lorem ipsum or a placeholder in double braces that was left in a text, or an
    empty text."""
    found = _LEFT_OVER.search(words)
    if found is None or (found[0] == "TODO" and words.replace("TODO", "").isupper()):
        return ""  # among capitals, TODO is Spanish for "all"
    return found[0]


_AROUND: Final = string.punctuation + string.whitespace + "…"


def measure_texts(builder: FaceBuilder, texts: tuple[Located, ...]) -> None:
    """Note the places of texts on the face (`builder.boxes`); report GP404, GP405 and GP407."""
    for one in texts:
        if one.matrix is None or not isinstance(one.what, int):
            continue
        text = builder.texts[one.what]
        what, fitted, matrix = text.what, text.what.fitted, one.matrix
        size = round(fitted.size_pt * matrix.down, 3)
        used, lines = matrix.box(what.used), len(fitted.lines)
        span = text.source or builder.component.span
        box = matrix.box(what.box)
        if one.what in builder.smaller or fitted.missing or fitted.unknown_icons:
            builder.flaws.append(box)
        if left := left_over(text.words):
            _blame_words(builder, text, left)
        adorns = what.style.decoration
        call = builder.span(text.call)
        builder.boxes.append(TextBox(box, used, what.style.name, size, lines, span, adorns, call))
        if adorns:
            continue
        if lines and size < SMALL_PT - ROUNDING_PT:
            _blame_size(builder, text, size)
        if lines and fitted.overflow is None:
            _blame_place(builder, text, used, matrix)


def _blame_words(builder: FaceBuilder, text: PlacedText, words: str) -> None:
    whole = on_one_line(text.words)
    message = f"{words!r} is left over in a text: {whole!r}"
    if text.words.strip(_AROUND) == words.strip(_AROUND):
        message = f"{whole!r} is left over where a text belongs"
    hint = "write the words that belong there"
    warn_left_over(builder, text.source, text.call, message, hint, words)


def warn_left_over(
    builder: FaceBuilder,
    source: Span | None,
    call: Site | Span | None,
    message: str,
    hint: str,
    topic: str,
) -> None:
    """Report GP407 where the text was written, or at the template line that sets it."""
    if source is None:
        builder.blame_template(call, "GP407", message, hint, Severity.WARNING, topic=topic)
    else:
        builder.blame_value(warning(source, "GP407", message, hint))


def _blame_size(builder: FaceBuilder, text: PlacedText, size: float) -> None:
    style = text.what.style.name
    message = f"text in style {style!r} prints at {size:.1f} pt"
    hint = "use at least 7 pt: raise the style's min in styles.yaml, or its size"
    if size < LEAST_PT - ROUNDING_PT:
        message += ", too small to read"
    builder.blame_template(text.call, "GP405", message, hint, Severity.WARNING, topic=style)


def _blame_place(builder: FaceBuilder, text: PlacedText, used: Rect, matrix: Matrix) -> None:
    """Report text outside the safe zone, an error if letters are cut off (GP404)."""
    stock, what = builder.stock, text.what
    if not (used.width and used.height):
        return
    out, side = _way_out(stock, what, used, matrix)
    if out <= TOUCH_MM - stock.safe:
        return
    style, safe = what.style.name, format_mm(stock.safe)
    words = repr(on_one_line(text.words))
    em = pt_to_mm(what.fitted.size_pt * matrix.down)
    where = f" ({side})" if side else ""
    severity = Severity.WARNING
    if out > _LOST * em:
        message = f"text in style {style!r} is cut off: {words} reaches {out:.1f} mm over the cut"
        if not is_ornament(text.words, what.fitted.size_pt * matrix.down):
            severity = Severity.ERROR
    else:
        reach = out + stock.safe
        message = f"text in style {style!r} reaches {reach:.1f} mm out of the safe zone"
    hint = (
        f"keep text {safe} mm away from the cut; this one is {words}. If it is only"
        " decoration, give its style `decoration: true`"
    )
    builder.blame_template(text.call, "GP404", message + where, hint, severity, topic=style)


_LOST: Final = 0.1
"""Em beyond the cut at which a letter is lost."""
_HIGH: Final = 0.5
"""Em that all letters reach above their baseline."""


def _way_out(stock: Stock, what: TypesetText, used: Rect, matrix: Matrix) -> tuple[float, str]:
    """Return how far a text reaches over the cut, mm (negative inside), and the side. In a circle
    or a hexagon each line is measured to the outline."""
    trim = Rect(0, 0, stock.trim.width, stock.trim.height)
    if stock.shape in (Shape.CIRCLE, Shape.HEXAGON):
        em, corners = pt_to_mm(what.fitted.size_pt), polygon(trim, stock.shape)
        ends = [
            matrix.point(corner)
            for line in what.fitted.lines
            for corner in Rect(
                what.x + line.x, what.y + line.y - _HIGH * em, line.width, _HIGH * em
            )
            .cut_to(what.used)
            .corners
        ]
        return max(-depth_inside(end, corners) for end in ends), ""
    out = {
        "left": -used.x,
        "top": -used.y,
        "right": used.right - trim.right,
        "bottom": used.bottom - trim.bottom,
    }
    side = max(out, key=lambda name: out[name])
    return out[side], side
