"""What is wrong with set texts, and what to do: too long, too small, too near the edge, unknown."""

from __future__ import annotations

import unicodedata
from typing import Final, NamedTuple

import re2

from generator.diagnostics import Severity, Span, warning
from generator.geometry import Rect
from generator.model.face import TextBox
from generator.render.face_builder import FaceBuilder, PlacedText
from generator.render.shapes import mm
from generator.render.svg_lint import Located
from generator.render.template_trace import Site, calling
from generator.text import FittedText, TextStyle


class GivenText(NamedTuple):
    """Text to be set: whether its markup counts, and where it was written, if it was."""

    plain: str
    rich: bool
    source: Span | None


_LONG: Final = 12
"""Letters of a word that is worth a hyphen."""


def blame_overflow(
    builder: FaceBuilder,
    given: GivenText,
    style: TextStyle,
    fitted: FittedText,
    width: float,
    height: float | None,
) -> None:
    """GP401: how much too large, and about how many letters too long."""
    over = fitted.overflow
    assert over is not None
    if height is None:
        place = f"a line of {mm(width)} mm"
    else:
        place = f"a box of {mm(width)} × {mm(height)} mm"
    if over.width > 0:
        what = "it" if over.word == given.plain else repr(on_one_line(over.word))
        how = f"{what} is {over.width:.1f} mm too wide"
        share, letters = over.width / (width + over.width), len(over.word)
    else:
        how = f"it is {over.height:.1f} mm too high"
        share, letters = over.height / ((height or 0.0) + over.height), len(given.plain)
    message = (
        f"{on_one_line(given.plain)!r} does not fit {place} in style {style.name!r}: "
        f"at its smallest size, {fitted.size_pt:g} pt, {how}"
    )
    few = max(1, round(share * letters))
    hint = f"shorten it by about {few} character{'s' * (few > 1)}, or enlarge the box"
    at = builder.span(calling())
    if at is not None and given.source is not None:
        hint += f" at {at.file}:{at.line}"
    if over.width > 0 and height is not None and len(over.word) >= _LONG and not style.hyphenate:
        hint += f"; with hyphenate: true the style {style.name!r} parts words"
    builder.blame_text(given.source, "GP401", message, hint)


def blame_missing(builder: FaceBuilder, given: GivenText, style: TextStyle, char: str) -> None:
    """GP402: which character no font of the style has."""
    builder.missing.add(char)
    name = unicodedata.name(char, "")
    asked = " or ".join(dict.fromkeys((style.family, *style.fallback)))
    message = f"{char!r} (U+{ord(char):04X}{' ' * bool(name)}{name}) is not in {asked}"
    hint = "use another character, or add a font that has it to `fallback` in styles.yaml"
    builder.blame_text(given.source, "GP402", message, hint)


def blame_mark(builder: FaceBuilder, given: GivenText, mark: str) -> None:
    """GP407: a brace that will have been meant for an icon, or stars for bold type."""
    message = f"{mark!r} is printed as it stands"
    hint = r"an icon is one name between braces, {star}; a brace that is to be read is written \{"
    if mark.startswith("*"):
        hint = r"bold begins and ends at words of one paragraph, **so**; a star to be read is \*"
    _warn(builder, given.source, calling(), message, hint, mark)


def on_one_line(text: str) -> str:
    """The text, or its beginning, on one line."""
    line = " ".join(text[:200].split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


LEAST_PT: Final = 5.0
SMALL_PT: Final = 6.5
ROUNDING_PT: Final = 0.01
TOUCH_MM: Final = 0.15
"""What nobody sees, and what a letter may stand out of its own advance."""
_NOTES: Final = (
    r"TODO|FIXME|TBD|tbd|T\.B\.D\.|TBA|TBC|WIP|X{4,}",
    r"A COMPLETER|À COMPLÉTER|À FAIRE|POR HACER|DA FARE|A FAZER",
    r"(?i:todo|fixme):|(?i:lorem ipsum|dolor sit amet|consectetur adipi[a-z]+|foo ?bar)",
    r"(?i:(?:insert|enter|add)(?: [a-z]+)? (?:text|title|description|rules) here|text goes here)",
    r"(?i:sample text|filler text|dummy text|placeholder (?:text|title|name|art|card)|blindtext)",
    r"(?i:platzhaltertext|mustertext|beispieltext|faux texte|texte (?:à compléter|d[’'] ?exemple))",
    r"(?i:texto de (?:ejemplo|exemplo|relleno|muestra)|testo (?:segnaposto|di esempio))",
    r"(?i:sed do eiusmod|tempor incididunt|texte à venir|text folgt)",
    r"(?i:voorbeeldtekst|przykładowy tekst|exempeltext|exempeltekst|образец текста)",
)
"""Notes to oneself and stand-ins, as words among others; `todo`, in Spanish all, not without its
colon, and in a text of capitals neither."""
_ALONE: Final = (
    r"nan|NaN|undefined|null|xxx",
    r"(?i:placeholder|platzhalter|segnaposto|untitled|asdf+|qwerty|foo|lorem|ipsum)",
    r"(?i:(?:card|flavou?r) text|card name|kartenname|nom de la carte|nombre de la carta)",
    r"(?i:nome della carta|new card|neue karte)",
    r"(?i:test(?:[ -]?card|[ -]?karte| test)|bla+h?(?:[ ,]+bla+h?)+[.!…]*|noch offen|zu ergänzen)",
    r"(?i:à (?:définir|compléter)|por definir|da (?:definire|completare)|nog in te vullen)",
    r"(?i:do uzupełnienia|заполнить|.+ (?:\((?:copy|kopie|copie|copia)\)|- (?:copy|kopie)))",
    r"(?i:(?:(?:your|card|flavou?r|rules) )?(?:text|title|description) (?:comes )?here[.!…]*)",
    r"(?i:texte ici|testo qui|texto aqu[ií]|tekst hier|tekst tutaj|hier text|текст здесь)",
)
"""What is left over where it is the whole text."""
_MARKS: Final = (
    r"(?:^|[^\pL\pN!?])(\?\?\?)",  # not of who shouts
    r"(?:^|[^\pL\pN])(XXX)[^\pL\pN]+[\pL\pN]|(?:^|[^\pL\pN ] *)(XXX)[^\pL\pN]*$",  # not a number
    r"(#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|SPILL!|BEZUG!|WERT!))",
    r"(\{\{[^{}]*\}\}|\$\{\w+\}|&(?:nbsp|amp|quot|lt|gt|#\d+);)",
    r"([<\[](?i:text|title|name|description|insert(?: [a-z ]+)?)[>\]])",
    r"(%\(\w+\)[sd]|\[object Object\]|\\u[0-9a-fA-F]{4})",
    r"(?:^|[^\pL])((?i:the the|and and|of of))(?:$|[^\pL])",
    r"(</?(?i:b|i|u|s|em|strong|br|p|span|font|sub|su[bp]|small|big|div|center|colou?r|h[1-6]|li|ul)"
    r"(?:[ =][^<>]*)?/?>|\[/(?i:b|i|u|s|colou?r|size|center|url)\])",
    r"([ÃÂ][\x{80}-\x{bf}]|â€.|\x{fffd})",
)
"""The same without letters around them; what a table, a program or a web page left where it had
nothing; UTF-8 that was read as Latin 1."""
_LEFT_OVER: Final = re2.compile(
    "|".join(
        (
            rf"(?:^|[^\pL\pN])({'|'.join(_NOTES)})(?:$|[^\pL\pN])",
            rf"^({'|'.join(_ALONE)})$",
            *_MARKS,
        )
    )
)


_TAG: Final = re2.compile(r"<[A-Za-z]+[1-6]?(?:[ =/][^<>]*)?>")


def left_over(words: str) -> str:
    """What was left in a text that is no part of it; empty for nothing."""
    found = _LEFT_OVER.search(words)
    left = next(filter(None, found.groups()), "") if found else ""
    is_a_word = left == "TODO" and words != left and words.isupper() and "TODO:" not in words
    return "" if is_a_word else left


def measure_texts(builder: FaceBuilder, texts: tuple[Located, ...]) -> None:
    """Where texts stand on the face (`builder.boxes`), GP404, GP405, GP407."""
    safe = builder.stock.safe_zone
    for one in texts:
        if one.matrix is None or not isinstance(one.what, int):
            continue
        if one.what >= len(builder.texts):  # a mark that no helper left
            continue
        text = builder.texts[one.what]
        what, fitted, matrix = text.what, text.what.fitted, one.matrix
        size = round(fitted.size_pt * matrix.down, 3)
        used, lines = matrix.box(what.used), len(fitted.lines)
        span = text.source or builder.component.span
        box = matrix.box(what.box)
        if left := left_over(text.words):
            _blame_words(builder, text, left)
        adorns = what.style.decoration
        builder.boxes.append(TextBox(box, used, what.style.name, size, lines, span, adorns))
        if adorns:
            continue
        if lines and size < SMALL_PT - ROUNDING_PT:
            _blame_size(builder, text, size)
        if lines and fitted.overflow is None and not safe.contains(used, TOUCH_MM):
            _blame_place(builder, text, used, safe)


def _blame_words(builder: FaceBuilder, text: PlacedText, words: str) -> None:
    """GP407, where the text was written, else at the line of the template that sets it."""
    message = f"{words!r} was left in a text that is printed: {on_one_line(text.words)!r}"
    hint = "write what is to be read there"
    if words.startswith(("</", "[/")) or _TAG.match(words):
        hint = (
            "in a rich text **bold** and *italic* are all there is; an empty line parts paragraphs"
        )
    if words[0] in "ÃÂâ\ufffd":
        hint = "save the file or table as UTF-8: these letters are another, read wrongly"
    _warn(builder, text.source, text.call, message, hint, words)


def _warn(
    builder: FaceBuilder,
    source: Span | None,
    call: Site | Span | None,
    message: str,
    hint: str,
    topic: str,
) -> None:
    if source is None:
        builder.blame_template(call, "GP407", message, hint, Severity.WARNING, topic=topic)
    else:
        builder.blame_value(warning(source, "GP407", message, hint))


def _blame_size(builder: FaceBuilder, text: PlacedText, size: float) -> None:
    style = text.what.style.name
    severity = Severity.ERROR if size < LEAST_PT - ROUNDING_PT else Severity.WARNING
    message = f"text in style {style!r} prints at {size:.1f} pt"
    hint = "7 pt and more read well; raise the style's min in styles.yaml, or the size"
    builder.blame_template(text.call, "GP405", message, hint, severity, topic=style)


def _blame_place(builder: FaceBuilder, text: PlacedText, used: Rect, safe: Rect) -> None:
    if not (used.width and used.height):
        return
    style = text.what.style.name
    out = {
        "left": safe.x - used.x,
        "top": safe.y - used.y,
        "right": used.right - safe.right,
        "bottom": used.bottom - safe.bottom,
    }
    side, most = max(out.items(), key=lambda item: item[1])
    message = f"text in style {style!r} reaches {most:.1f} mm out of the safe zone ({side})"
    words = on_one_line(text.words)
    hint = f"keep text {builder.stock.safe:g} mm away from the cut; this one is {words!r}"
    builder.blame_template(text.call, "GP404", message, hint, Severity.WARNING, topic=style)
