"""The traces of all faces in, findings about values that only some eyes can tell apart out.

A thing that every face of a value has in the same colour, and every face of another value in
another colour, wherever it stands, shows the value by its colour. Nobody needs the colour where
something else that is seen tells the two apart as well (`signs.py`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from msgspec import Struct

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.eyes import Sight, apart
from generator.preflight.faces import FaceElement, FaceTrace, unpacked
from generator.preflight.manifest_reader import ExpectedFile
from generator.preflight.page_objects import Colour
from generator.preflight.paints import paints_of
from generator.preflight.signs import ValuedFace, told_apart

LEAST_APART: Final = 10.0
"""CIEDE2000 that colours must be apart to be told from each other on a table. M. Stone, D. A.
Szafir and V. Setlur, "An engineering model for color difference as a function of size" (2014):
marks a third of a degree wide, 3 mm at 50 cm, are told apart by half of the people when they differ
by 7 in lightness, 10 in red and green, 14 in blue and yellow (CIELAB)."""
NOTICED: Final = 2.3
"""A difference that is just noticeable in CIELAB (M. Mahy, L. Van Eycken, A. Oosterlinck, 1994):
marks less apart to a full sight are not meant to differ, if they have a hue."""
_HINT: Final = (
    "let a shape, a letter or a pattern differ as well, or take colours of other lightness"
)
_TOLD: Final = 3
"""Pairs of values that are named in one finding."""

Thing = tuple[int, ...]
"""A mark in its place, one of its form and size that may stand elsewhere, or one of its form."""


class _Coloured(Struct):
    """What all faces of one value have in the same colours, and where the first has it."""

    first: FaceTrace
    colours: dict[Thing, set[Colour]]
    boxes: dict[Thing, Rect]


_Near = Mapping[tuple[str, str], Mapping[Sight, float]]
"""By two values, to whom they are alike and how far apart they then are."""


def choices_apart(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP841: values that are shown by a colour alone stay apart to colour-blind eyes and in a
    grey print."""
    if subject.expected is None:
        return
    for faces in _families(subject.expected, traces).values():
        for name, values in _coloured(faces).items():
            near = dict(_near(values))
            apart_ = told_apart(name, faces, near) if near else frozenset()
            close = {pair: sights for pair, sights in near.items() if pair not in apart_}
            if close:
                yield _finding(name, values, close)


def _families(
    expected: ExpectedFile, traces: Sequence[FaceTrace]
) -> Mapping[tuple[str, str], list[ValuedFace]]:
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


def _coloured(faces: Sequence[ValuedFace]) -> Mapping[str, Mapping[str, _Coloured]]:
    """By field and value. Marks are unpacked for one face at a time: all of a large deck would not
    fit."""
    found: dict[str, dict[str, _Coloured]] = defaultdict(dict)
    for trace, shown in faces:
        boxes: dict[Thing, Rect] = {}
        colours: dict[Thing, set[Colour]] = defaultdict(set)
        for thing, mark in _things(unpacked(trace.marks)):
            colours[thing].add(mark.colour)
            boxes.setdefault(thing, mark.place)
        for name, values in shown.items():
            for value in values:
                known = found[name].get(value)
                if known is None:
                    found[name][value] = _Coloured(trace, {**colours}, boxes)
                else:
                    known.colours = {
                        thing: seen
                        for thing, seen in known.colours.items()
                        if colours.get(thing) == seen
                    }
    return found


def _things(marks: Mapping[int, FaceElement]) -> Iterator[tuple[Thing, FaceElement]]:
    for key, mark in marks.items():
        yield (key,), mark
        yield (mark.form, *mark.corners[2:]), mark
        yield (mark.form, mark.what & 1), mark


def _near(
    values: Mapping[str, _Coloured],
) -> Iterator[tuple[tuple[str, str], dict[Sight, float]]]:
    """The pairs of values whose colours are too close to each other, if colours show them."""
    for (one, a), (other, b) in combinations(sorted(values.items()), 2):
        pairs = {pair for _, pairs in _carriers(a, b) for pair in pairs}
        seen = {sight: max(apart(*pair, sight) for pair in pairs) for sight in Sight if pairs}
        near = {sight: far for sight, far in seen.items() if far < LEAST_APART}
        if near and (seen[Sight.FULL] >= NOTICED or any(map(_are_greys, pairs))):
            yield (one, other), near


def _are_greys(pair: tuple[Colour, Colour]) -> bool:
    """Whether both are greys: of two colours a print in greys makes such as nobody means to be
    nearly alike."""
    return all(len({*colour}) == 1 for colour in pair)


def _carriers(
    a: _Coloured, b: _Coloured
) -> Iterator[tuple[Thing, Iterable[tuple[Colour, Colour]]]]:
    """What shows by its colour which of two values it is. Of things of one form that have several
    colours it is not known which of one face is which of the other."""
    for thing, colours in a.colours.items():
        others = b.colours.get(thing, colours)
        ours, theirs = colours - others, others - colours
        if ours and theirs and (len(thing) == 1 or len(ours) == len(theirs) == 1):
            yield thing, product(ours, theirs)


def _seen_by(near: Mapping[Sight, float]) -> str:
    if Sight.FULL in near:
        return f"to every eye (ΔE {near[Sight.FULL]:.1f})"
    return "in " + ", ".join(f"{sight} (ΔE {far:.1f})" for sight, far in near.items())


def _finding(name: str, values: Mapping[str, _Coloured], close: _Near) -> Finding:
    worst = sorted(close, key=lambda pair: min(close[pair].values()))
    told = "; ".join(
        f"{one!r} and {other!r} are alike {_seen_by(close[one, other])}"
        for one, other in worst[:_TOLD]
    )
    more = f"; and {len(worst) - _TOLD} more pairs" if len(worst) > _TOLD else ""
    one, other = (values[value] for value in worst[0])
    where = one.first.expected
    boxes = (one.boxes[thing] for thing, _ in _carriers(one, other))
    return finding_of(
        where,
        "GP841",
        f"the {where.face}s of {where.kind!r} show {name!r} by colour alone: {told}{more}",
        _HINT,
        severity=Severity.WARNING,
        page=one.first.page,
        place=where.on_page(max(boxes, key=lambda box: box.width * box.height)),
    )


def overprints(subject: Subject) -> Iterator[Finding]:
    """GP843: nothing white overprints, which is then not there at all, and no colour, which mixes
    with what lies below. Black may, and an ink of its own: a die line does."""
    for number, paints in enumerate(paints_of(subject), start=1):
        for what, place in paints.over.items():
            message, severity = _OVERPRINTED[what]
            yield Finding("GP843", message, _KNOCK_OUT, severity, number, place)


_OVERPRINTED: Final = {
    "white": ("something white overprints: in print it is not there", Severity.ERROR),
    "colour": ("a colour overprints: in print it mixes with what lies below", Severity.WARNING),
}
_KNOCK_OUT: Final = "turn overprinting off for it, in the program that drew it"


def asked_of_presses(subject: Subject) -> Iterator[Finding]:
    """GP844: no state asks of a press what no screen shows, and what another press may not heed."""
    for number, paints in enumerate(paints_of(subject), start=1):
        for what, place in paints.unseen.items():
            yield Finding("GP844", what, _AS_SHOWN, Severity.WARNING, number, place)


_AS_SHOWN: Final = "take it out in the program that drew it: a screen shows it otherwise than print"
