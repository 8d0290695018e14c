"""What stopped a template, or is wrong with what it wrote, told at the line that is at fault."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jinja2 import Template

from generator.diagnostics import Severity, Span, did_you_mean
from generator.model.pack import Record
from generator.render.extents import flats
from generator.render.face_builder import CurrentFace, FaceBuilder
from generator.render.styles import Ink
from generator.render.svg_lint import MOST_TOLD, Located, SvgFault
from generator.render.template_trace import sites_of_output
from generator.sandbox import SandboxError
from generator.svg_subset import as_hex

_QUOTED: Final = re.compile(r"'([^']+)'")
_OWNER: Final = re.compile(r"^[A-Z]\w*\.(?=\w+\(\))")
"""What Python says before the name of a helper: of no use to who writes templates."""
_HINTS: Final = {
    "GP303": "is it misspelt, or a field that the kind does not have?",
    "GP304": "look at the values that this line works with",
    "GP305": "docs/templates.md lists what templates can use",
    "GP306": "is a loop too long?",
}


def blame_run(
    error: SandboxError,
    builder: FaceBuilder,
    template: str,
    asked: Span,
    colours: Mapping[str, str],
) -> None:
    """What stopped a template. `asked` is where the kind names it."""
    message = _OWNER.sub("", error.message)
    quoted = _QUOTED.search(message)
    word = quoted[1] if quoted else ""
    hint = error.hint
    if error.kind == "GP301":
        hint = hint or builder.templates.missing(word)
    hint = hint or _HINTS.get(error.kind, "")
    if error.line is None:
        at = asked if error.kind == "GP301" else Span(template)
        builder.blame_template(at, error.kind, message, hint, missing=error.missing)
        return
    file = error.template or template
    span = builder.templates.span(file, error.line, word)
    if error.caller is not None:
        line, caller = error.caller
        hint = f"{hint}\nit is called at {caller}:{line}"
    if error.kind == "GP303" and builder.templates.has(file, error.line, f"colour.{word}"):
        message = f"there is no colour {word!r} in styles.yaml"
        hint = did_you_mean(word, colours) or "give the pack a styles.yaml with its colours"
        builder.blame_template(span, "GP309", message, hint, missing=word)
        return
    builder.blame_template(span, error.kind, message, hint, missing=error.missing)


def blame_output(
    faults: Sequence[SvgFault],
    builder: FaceBuilder,
    current: CurrentFace,
    template: Template,
    context: Mapping[str, Any],
    svg: str,
    head: int,
) -> None:
    """What is wrong with an SVG whose first `head` characters are not the template's."""
    if not faults:
        return
    content = svg.encode()
    last = len(svg) - head - len("</svg>") - 1
    told = {(fault.code, fault.message): fault for fault in reversed(faults)}
    told_faults = list(told.values())[-MOST_TOLD:]
    places = (len(content[: fault.at].decode(errors="ignore")) - head for fault in told_faults)
    offsets = [max(0, min(place, last)) for place in places]
    current.begin(builder.again())
    sites = sites_of_output(template, context, offsets, builder.templates.source)
    for fault, site in zip(told_faults, sites, strict=True):
        span = builder.templates.span(*site, fault.word)
        builder.blame_template(span, fault.code, fault.message, fault.hint)
    current.begin(builder)


def untold(builder: FaceBuilder, faults: Sequence[SvgFault]) -> list[SvgFault]:
    """Faults less those that a helper has told already."""
    return [f for f in faults if not (f.code == "GP402" and f.word in builder.missing)]


_PART: Final = 0.2
_OWN_PART: Final = 0.5
"""How much of a face a flat covers that low ink is told of, at least; one in a component's own
colour, which tells it from others, may cover more."""
_AREA: Final = 1_000.0
_OWN_AREA: Final = 1_500.0
"""And how large it is, mm²; a part of it as large as `_MOST` is told of on small pieces, too."""
_MOST: Final = 0.35
_LONGEST: Final = 40


def blame_flats(
    ink: Ink, builder: FaceBuilder, content: bytes, colours: Mapping[str, str], styles: str
) -> None:
    """Flats of a face, whose SVG `content` is, that take much ink though low ink is asked for, as
    nobody says what takes their place; told at the file where one would say so, by the name that
    they have in the pack's `colours`."""
    trim = builder.stock.trim
    for flat in flats(content, trim.width, trim.height) if ink.mode == "low" else ():
        colour, area = as_hex(flat.colour), flat.part * trim.width * trim.height
        if colour is None or not ink.is_costly(colour):
            continue
        is_own = _is_own(colour, builder.component.values)
        if is_own and (flat.part < _OWN_PART or area < _OWN_AREA):
            continue
        if flat.part < _PART or (flat.part < _MOST and area < _AREA):
            continue
        name = next((name for name, known in colours.items() if known == colour), "")
        told = f"{name} ({flat.colour})" if name else flat.colour
        whose = ", the component's own colour," if is_own else ""
        message = f"a flat in {told}{whose} takes as much ink as without --ink low"
        hint = f'write under ink: low: what takes its place, as {name or "field"}: "#f4efe6"'
        if not name:
            hint += f'\nit needs a name for that, under colours:, as field: "{flat.colour}"'
        hint += '\nor draw less in the template, {% if ink == "low" %}'
        builder.blame_template(Span(styles), "GP310", message, hint, Severity.WARNING)


def _is_own(colour: str, value: Any, depth: int = 3) -> bool:
    """Whether a colour stands in a component's values, or in those that they refer to."""
    if isinstance(value, str):
        return len(value) < _LONGEST and as_hex(value) == colour
    inside = value.values() if isinstance(value, Record) else value
    return (
        depth > 0
        and isinstance(value, (Record, tuple))
        and any(_is_own(colour, inner, depth - 1) for inner in inside)
    )


def strangers(builder: FaceBuilder, pictures: Sequence[Located]) -> list[SvgFault]:
    """Pictures that no helper placed: their files are not known, and would not be printed."""
    return [
        SvgFault(
            shown.at,
            "GP308",
            f"the picture {shown.what.get('href', '')!r} is not placed by a helper",
            "use image(path, x, y, w, h), which also finds the file in the pack",
            "image",
        )
        for shown in pictures
        if not isinstance(shown.what, int) and shown.what.get("href") not in builder.pictures
    ]
