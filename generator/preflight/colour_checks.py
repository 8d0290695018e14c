"""The traces of all faces in, findings about values that only some eyes can tell apart out.

A mark that every face of a value has in the same colour, and every face of another value in
another colour, shows the value by its colour. Where some mark (a shape, words, a picture) is on
every face of one value and on none of the other, nobody needs the colour.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from generator.diagnostics import Severity
from generator.preflight.colorimetry import Sight, apart
from generator.preflight.faces import Trace
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import ExpectedFile
from generator.preflight.marks import Mark, on_page, unpacked
from generator.preflight.page_objects import Colour
from generator.preflight.subject import Subject

LEAST_APART: Final = 10.0
"""CIEDE2000 that colours must be apart to be told from each other on a table. M. Stone, D. A.
Szafir and V. Setlur, "An engineering model for color difference as a function of size" (2014):
marks a third of a degree wide, 3 mm at 50 cm, are told apart by half of the people when they differ
by 7 in lightness, 10 in red and green, 14 in blue and yellow (CIELAB)."""
NOTICED: Final = 2.3
"""A difference that is just noticeable in CIELAB (M. Mahy, L. Van Eycken, A. Oosterlinck, 1994):
marks less apart to a full sight are not meant to differ."""
_HINT: Final = (
    "let a shape, a letter or a pattern differ as well, or take colours of other lightness"
)
_TOLD: Final = 3
"""Pairs of values that are named in one finding."""


@dataclass(slots=True)
class _Value:
    """What all faces of one value have in common: marks, with their colour where it is the same;
    and which of the marks that others have in common it has anywhere."""

    first: Trace
    common: dict[int, Mark]
    colours: dict[int, Colour]
    anywhere: set[int] = field(default_factory=set)

    def meet(self, marks: Mapping[int, Mark]) -> None:
        """Keep what one more face has as well."""
        self.common = {key: mark for key, mark in self.common.items() if key in marks}
        self.colours = {
            key: colour
            for key, colour in self.colours.items()
            if key in marks and marks[key].colour == colour
        }


_Values = dict[str, dict[str, _Value]]
"""By field, then by value."""


def choices_apart(subject: Subject, traces: Sequence[Trace]) -> Iterator[Finding]:
    """GP841: values that are shown by a colour alone stay apart to colour-blind eyes and in a
    grey print."""
    if subject.expected is None:
        return
    for faces in _families(subject.expected, traces).values():
        for name, values in _read(faces).items():
            yield from _compared(name, values)


def _families(
    expected: ExpectedFile, traces: Sequence[Trace]
) -> Mapping[tuple[str, str], list[tuple[Trace, dict[str, set[str]]]]]:
    """By kind and face: its traces, each with the values that are shown on it, by field."""
    looks = {trace.expected.sha256: trace for trace in traces}
    shown: dict[tuple[str, str], dict[str, dict[str, set[str]]]] = defaultdict(dict)
    for page in expected.pages:
        for placed in page.placements:
            component = expected.components.get((placed.kind, placed.component))
            if component is None or not component.choices or placed.sha256 not in looks:
                continue
            faces = shown[placed.kind, placed.face].setdefault(placed.sha256, defaultdict(set))
            for name, value in component.choices.items():
                faces[name].add(value)
    return {
        family: [(looks[sha256], values) for sha256, values in faces.items()]
        for family, faces in shown.items()
    }


def _read(faces: Sequence[tuple[Trace, dict[str, set[str]]]]) -> _Values:
    """What the faces of each value have in common. Marks are unpacked for one face at a time: all
    of a large deck would not fit."""
    found: _Values = defaultdict(dict)
    for trace, shown in faces:
        marks = unpacked(trace.marks)
        for name, value in _pairs(shown):
            known = found[name].get(value)
            if known is None:
                colours = {key: mark.colour for key, mark in marks.items()}
                found[name][value] = _Value(trace, marks, colours)
            else:
                known.meet(marks)
    common = {key for values in found.values() for v in values.values() for key in v.common}
    for trace, shown in faces:
        marks_here = common & unpacked(trace.marks).keys()
        for name, value in _pairs(shown):
            found[name][value].anywhere |= marks_here
    return found


def _pairs(shown: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, values in shown.items() for value in sorted(values))


def _compared(name: str, values: Mapping[str, _Value]) -> Iterator[Finding]:
    """A finding about a field, if any of its values are too close to each other."""
    close: dict[tuple[str, str], dict[Sight, float]] = {}
    for (one, a), (other, b) in combinations(sorted(values.items()), 2):
        if _differ_in_marks(a, b):
            continue
        carriers = _carriers(a, b)
        pairs = {(a.colours[key], b.colours[key]) for key in carriers}
        seen = {sight: max(apart(*pair, sight) for pair in pairs) for sight in Sight if pairs}
        near = {sight: far for sight, far in seen.items() if far < LEAST_APART}
        if near and seen[Sight.FULL] >= NOTICED:
            close[one, other] = near
    if close:
        yield _finding(name, values, close)


def _differ_in_marks(a: _Value, b: _Value) -> bool:
    return bool(a.common.keys() - b.anywhere or b.common.keys() - a.anywhere)


def _carriers(a: _Value, b: _Value) -> list[int]:
    """Marks that show by their colour which of two values it is."""
    return [key for key, colour in a.colours.items() if b.colours.get(key, colour) != colour]


def _finding(
    name: str, values: Mapping[str, _Value], close: Mapping[tuple[str, str], Mapping[Sight, float]]
) -> Finding:
    worst = sorted(close, key=lambda pair: min(close[pair].values()))
    told = "; ".join(
        f"{one!r} and {other!r} are alike in "
        + ", ".join(f"{sight} (ΔE {far:.1f})" for sight, far in close[one, other].items())
        for one, other in worst[:_TOLD]
    )
    more = f"; and {len(worst) - _TOLD} more pairs" if len(worst) > _TOLD else ""
    one, other = (values[value] for value in worst[0])
    where = one.first.expected
    largest = max(
        (one.common[key].place for key in _carriers(one, other)), key=lambda p: p.width * p.height
    )
    return Finding(
        "GP841",
        f"the {where.face}s of {where.kind!r} show {name!r} by colour alone: {told}{more}",
        _HINT,
        Severity.WARNING,
        page=one.first.page,
        place=on_page(largest, where),
        component=f"{where.kind}/{where.component}",
        source=where.source,
    )
