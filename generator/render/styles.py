"""What a pack's styles.yaml says in; its text styles, ready to set with, out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.diagnostics import Diagnostic, GridpressError, warning
from generator.features import FEATURES, features, needed
from generator.fonts import FontLibrary
from generator.model.values import Record, SourceText
from generator.text import TextStyle
from generator.units import mm_to_pt

_NONE: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Styles:
    """The styles and colours of a pack, by name, and what each ink mode puts in their place."""

    text: Mapping[str, TextStyle]
    colours: Mapping[str, str]
    ink: Mapping[str, Mapping[str, str]]


def read_styles(styles: Record, language: str) -> Styles:
    """Styles as validate hands them on: lengths in mm, a colour as a name or `#rrggbb`."""
    colours = dict(styles.get("colours") or _NONE)
    fonts = styles.get("fonts") or _NONE
    fallback = tuple(styles.get("fallback") or ())
    text = {
        name: TextStyle(
            name=name,
            family=fonts[given["font"]],
            weight=given["weight"],
            italic=given["italic"],
            size_pt=_points(given["size"]),
            min_pt=_points(given["min"]),
            leading=given["leading"],
            colour=colours.get(given["colour"], given["colour"]),
            align=given["align"],
            hyphenate=given["hyphenate"],
            fallback=fallback,
            lang=language,
            paragraph_gap=given["paragraph_gap"],
            stretch=given.get("stretch", 100) / 100,
            features=features(given.get("features") or ()),
        )
        for name, given in (styles.get("styles") or _NONE).items()
    }
    ink = {mode: dict(replaced) for mode, replaced in (styles.get("ink") or _NONE).items()}
    return Styles(text, colours, ink)


def unknown_fonts(styles: Record, fonts: FontLibrary) -> Iterator[Diagnostic]:
    """GP403 for each family that styles.yaml names and no font folder has."""
    named = styles.get("fonts") or Record(_NONE, styles.span)
    listed = styles.get("fallback") or ()
    places = [(family, named.span_of(key)) for key, family in named.items()]
    places += [(family, getattr(family, "span", styles.span_of("fallback"))) for family in listed]
    for family, span in places:
        try:
            fonts.find(family, span=span)
        except GridpressError as error:
            yield from error.diagnostics


def idle_features(styles: Record, fonts: FontLibrary) -> Iterator[Diagnostic]:
    """GP406 for what a style asks of a font that it cannot do."""
    families = styles.get("fonts") or _NONE
    for style in (styles.get("styles") or _NONE).values():
        for word in style.get("features") or ():
            stretch = style.get("stretch", 100) / 100
            family = families[style["font"]]
            file = fonts.find(family, style["weight"], style["italic"], stretch)
            if set(needed(word)) <= fonts.features(file):
                continue
            able = [other for other in FEATURES if set(needed(other)) <= fonts.features(file)]
            span = word.span if isinstance(word, SourceText) else styles.span
            message = f"the font {family!r} has no {word.replace('-', ' ')}"
            yield warning(span, "GP406", message, f"leave it out; it can do {', '.join(able)}")


def at_size(style: TextStyle, size_pt: float) -> TextStyle:
    """The style in another size; its smallest one stays, or is the new one if that is smaller."""
    return dataclasses.replace(style, size_pt=size_pt, min_pt=min(style.min_pt, size_pt))


def _points(length_mm: float) -> float:
    """Millimetres to points, rid of what the way from points to millimetres and back added."""
    return round(mm_to_pt(length_mm), 6)
