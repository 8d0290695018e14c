"""A pack's styles.yaml in, its fonts, palette and text styles out."""

from __future__ import annotations

from typing import Any

from generator.diagnostics import Outcome, Span, in_order
from generator.model.source import Document
from generator.model.values import Record
from generator.validate.roots import definition_reading, read_root
from generator.validate.shapes import STYLES
from generator.validate.types.base import Reading
from generator.validate.types.colours import parse_colour

_EMPTY = Record({}, Span(""))


def read_styles(document: Document | None) -> Outcome[Record]:
    """`fonts`, `fallback`, `colours` (`#rrggbb`), `ink.low`, `ink.mono` and `styles`.

    Sizes are in mm. A style's `font` is one of `fonts`; its `colour` is a name of `colours`, or
    `#rrggbb`. Without a file all of them are empty.
    """
    if document is None:
        return Outcome(_with_all({}, _EMPTY))
    reading = definition_reading()
    given = read_root(document, STYLES, reading)
    ink = given["ink"] or _EMPTY
    colours = given["colours"] or _EMPTY
    for mode, replaced in ink.items():
        _check_names(replaced or _EMPTY, colours, f"ink.{mode}", reading)
    fonts = given["fonts"] or _EMPTY
    styles = {
        name: _style(name, style, fonts, colours, reading)
        for name, style in (given["styles"] or _EMPTY).items()
    }
    made = {
        "fonts": fonts,
        "fallback": given["fallback"],
        "colours": colours,
        "ink": Record({mode: ink.get(mode) or _EMPTY for mode in ("low", "mono")}, ink.span),
        "styles": (given["styles"] or _EMPTY).with_values(styles),
    }
    return Outcome(_with_all(made, given.values), in_order(reading.faults))


def _with_all(made: dict[str, Any], given: Record) -> Record:
    empty = {"fonts": _EMPTY, "fallback": (), "colours": _EMPTY, "styles": _EMPTY}
    empty["ink"] = Record({"low": _EMPTY, "mono": _EMPTY}, given.span)
    return given.with_values({**empty, **made})


def _check_names(replaced: Record, colours: Record, path: str, reading: Reading) -> None:
    for name in replaced:
        if name not in colours and name not in reading.broken:
            message = f"{path}.{name}: there is no colour {name!r} to replace"
            reading.report(
                replaced.span_of(name), "GP309", message, reading.did_you_mean(name, colours)
            )


def _style(name: str, style: Record, fonts: Record, colours: Record, reading: Reading) -> Record:
    path = f"styles.{name}"
    font, colour = style["font"], str(style["colour"])
    if font not in fonts and font not in reading.broken:
        message = f"{path}.font: there is no font {font!r} in fonts"
        reading.report(style.span_of("font"), "GP403", message, reading.did_you_mean(font, fonts))
    if colour not in colours and colour not in reading.broken:
        try:
            colour = parse_colour(colour, {})
        except ValueError:
            message = f"{path}.colour: there is no colour {colour!r}"
            hint = reading.did_you_mean(colour, colours)
            reading.report(style.span_of("colour"), "GP309", message, hint)
    least = style["size"] if style["min"] is None else style["min"]
    if least > style["size"]:
        message = f"{path}.min: larger than the size"
        reading.fault(style.span_of("min"), "GP213", message, "text shrinks from size to min")
    return style.with_values({"min": least, "colour": colour})
