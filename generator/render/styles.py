"""A pack's styles.yaml: its text styles, its colours, and the replacements of ink modes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean, nearest, warning
from generator.fonts import FEATURES, OWN_FAMILY, FontLibrary, features, needed_features
from generator.geometry import mm_to_pt
from generator.model.values import Record, SourceText
from generator.render.face_builder import CurrentFace
from generator.render.template_lines import calling
from generator.sandbox import as_text
from generator.svg_subset import as_hex
from generator.text import TextStyle

_OTHER_PAINTS: Final = re.compile(r"none|transparent|currentColor|url\(#[\w.-]+\)")
BLACK: Final = "#000000"


class Palette:
    """The colours of a pack, by their names in styles.yaml."""

    def __init__(self, colours: Mapping[str, str], current: CurrentFace) -> None:
        self.colours = colours
        self._current = current

    def paint(self, value: Any) -> str:
        """Return the SVG paint for a name of the palette or any other paint. An unknown one is
        black and reported (GP309)."""
        text = as_text(value)
        named = self.colours.get(text)
        if named is not None:
            return named
        if as_hex(text) is None and not _OTHER_PAINTS.fullmatch(text):
            hint = "" if text.startswith("#") else did_you_mean(text, self.colours)
            message = f"there is no colour {text!r}"
            hint = hint or "write a colour as #rrggbb, or give it a name in styles.yaml"
            self._current.builder.blame_template(calling(), "GP309", message, hint, missing=text)
            return BLACK
        return str(text)


_NONE: Mapping[str, Any] = {}


class Styles(Struct, frozen=True):
    """The styles and colours of a pack, and the replacements of each ink mode."""

    text: Mapping[str, TextStyle]
    colours: Mapping[str, str]
    ink: Mapping[str, Mapping[str, str]]


def styles_of(styles: Record, language: str) -> Styles:
    """Read validated styles: lengths are in mm, a colour is a name or `#rrggbb`."""
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
            decoration=given.get("decoration", False),
        )
        for name, given in (styles.get("styles") or _NONE).items()
    }
    ink = {mode: dict(replaced) for mode, replaced in (styles.get("ink") or _NONE).items()}
    return Styles(text, colours, ink)


def unknown_fonts(styles: Record, fonts: FontLibrary) -> Iterator[Diagnostic]:
    """Yield GP403 for each family in styles.yaml that is not installed."""
    for family, span in _named_families(styles):
        try:
            fonts.find(family, span=span)
        except GridpressError as error:
            yield from error.diagnostics


def _named_families(styles: Record) -> Iterator[tuple[str, Span]]:
    """Yield the families that styles.yaml names, with their places."""
    named = styles.get("fonts") or Record(_NONE, styles.span)
    for key, family in named.items():
        yield family, named.span_of(key)
    for family in styles.get("fallback") or ():
        yield family, getattr(family, "span", styles.span_of("fallback"))


def forbidden_fonts(styles: Record, fonts: FontLibrary) -> Iterator[Diagnostic]:
    """Yield GP408 for each family that may not be embedded in a PDF."""
    for family, span in _named_families(styles):
        if any(fonts.forbids_embedding(file) for file in fonts.named(family)):
            message = f"the font {family!r} says that it may not be embedded in a PDF"
            hint = "ask its maker, or take one with an open licence, such as those of Google Fonts"
            yield warning(span, "GP408", message, hint)


def with_known_fonts(styles: Record, fonts: FontLibrary) -> Record:
    """Return styles with missing families replaced by the probable one or by ours."""

    def known(family: str) -> str:
        if fonts.named(family):
            return family
        return nearest(family, fonts.families) or OWN_FAMILY

    named = styles.get("fonts") or Record(_NONE, styles.span)
    families = {key: known(family) for key, family in named.items()}
    fallback = tuple(map(known, styles.get("fallback") or ()))
    changed = {"fonts": named.with_values(families), "fallback": fallback}
    return styles.with_values(changed)


def unsaid_ink(styles: Record, mode: str) -> Iterator[Diagnostic]:
    """Yield GP310 if low ink is printed and styles.yaml gives no colours for it."""
    if mode == "low" and styles.span.file and not (styles.get("ink") or _NONE).get("low"):
        message = "there are no colours for --ink low: large flats become tints automatically"
        hint = (
            "a ground keeps its colour if drawings or bands lie on it beside light and dark words\n"
            "give the colours to use instead in styles.yaml, under ink: low:"
        )
        yield warning(styles.span, "GP310", message, hint)


def idle_features(styles: Record, fonts: FontLibrary) -> Iterator[Diagnostic]:
    """Yield GP406 for features that a style's font does not have."""
    families = styles.get("fonts") or _NONE
    for style in (styles.get("styles") or _NONE).values():
        for word in style.get("features") or ():
            stretch = style.get("stretch", 100) / 100
            family = families[style["font"]]
            file = fonts.find(family, style["weight"], style["italic"], stretch)
            if set(needed_features(word)) <= fonts.features(file):
                continue
            able = [
                other for other in FEATURES if set(needed_features(other)) <= fonts.features(file)
            ]
            span = word.span if isinstance(word, SourceText) else styles.span
            message = f"the font {family!r} has no {word.replace('-', ' ')}"
            yield warning(span, "GP406", message, f"leave it out; the font has {', '.join(able)}")


def at_size(style: TextStyle, size_pt: float) -> TextStyle:
    """Return a style in another size; its smallest size stays, unless the new one is smaller."""
    return replace(style, size_pt=size_pt, min_pt=min(style.min_pt, size_pt))


def _points(length_mm: float) -> float:
    """Convert mm to pt, without rounding errors from an earlier conversion."""
    return round(mm_to_pt(length_mm), 6)
