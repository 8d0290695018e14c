"""The traces of all faces in, findings about values that only some eyes can tell apart out.

A mark that every face of a value has in the same colour, and every face of another value in
another colour, shows the value by its colour. Where some mark (a shape, words, a picture) is on
every face of one value and on none of the other, nobody needs the colour; nor where a form is, such
as trees that stand elsewhere on each tile, or where each value has a word of its own. Words and
pictures where faces of one value differ anyway, as in titles and art, tell nothing of a value that
is on a face or two: they are there by chance.

sRGB is IEC 61966-2-1; Lab is CIE 1976 with the white D65; a difference is CIEDE2000 as written out
by G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 color-difference formula" (2005); eyes without
one kind of cone are simulated by the matrices for severity 1.0 of G. M. Machado, M. M. Oliveira and
L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency"
(2009), applied to linear light."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from msgspec import Struct, field

from generator.diagnostics import Severity
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import FaceElement, FaceTrace, places, unpacked
from generator.preflight.manifest_reader import ExpectedFile
from generator.preflight.page_objects import Colour
from generator.preflight.paints import paints_of
from generator.units import summed

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


Sign = int | str
"""A form, or a word."""
Corners = tuple[int, int, int, int]
"""Where a mark is, as of `FaceElement`; of a word nowhere."""
_NOWHERE: Final = (0, 0, 0, 0)
_OFTEN: Final = 3
"""Faces that have a thing not by chance, though others have other things in its place."""
_SAME_PLACE: Final = 0.3
"""Of what two boxes take, that they share."""


class _Value(Struct):
    """What all faces of one value have in common: marks, with their colour where it is the same,
    forms and words; and which of the marks that others have in common, which forms and which words
    it has anywhere."""

    first: FaceTrace
    common: dict[int, FaceElement]
    colours: dict[int, Colour]
    signs: dict[Sign, Corners]
    anywhere: set[int] = field(default_factory=set)
    all_signs: set[Sign] = field(default_factory=set)
    faces: int = 1

    def meet(self, marks: Mapping[int, FaceElement], signs: Mapping[Sign, Corners]) -> None:
        """Keep what one more face has as well."""
        self.faces += 1
        self.signs = {sign: place for sign, place in self.signs.items() if sign in signs}
        self.common = {key: mark for key, mark in self.common.items() if key in marks}
        self.colours = {
            key: colour
            for key, colour in self.colours.items()
            if key in marks and marks[key].colour == colour
        }


_Values = dict[str, dict[str, _Value]]
"""By field, then by value."""


def choices_apart(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP841: values that are shown by a colour alone stay apart to colour-blind eyes and in a
    grey print."""
    if subject.expected is None:
        return
    for faces in _families(subject.expected, traces).values():
        for name, values in _read(faces).items():
            yield from _compared(name, values, _varied(name, faces, values))


def _families(
    expected: ExpectedFile, traces: Sequence[FaceTrace]
) -> Mapping[tuple[str, str], list[tuple[FaceTrace, dict[str, set[str]]]]]:
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


def _read(faces: Sequence[tuple[FaceTrace, dict[str, set[str]]]]) -> _Values:
    """What the faces of each value have in common. Marks are unpacked for one face at a time: all
    of a large deck would not fit."""
    found: _Values = defaultdict(dict)
    for trace, shown in faces:
        marks = unpacked(trace.marks)
        signs = _signs(marks, trace.words)
        for name, value in _pairs(shown):
            known = found[name].get(value)
            if known is None:
                colours = {key: mark.colour for key, mark in marks.items()}
                known = found[name][value] = _Value(trace, marks, colours, signs)
            else:
                known.meet(marks, signs)
            known.all_signs |= signs.keys()
    common = {key for values in found.values() for v in values.values() for key in v.common}
    for trace, shown in faces:
        marks_here = common & places(trace.marks)
        for name, value in _pairs(shown):
            found[name][value].anywhere |= marks_here
    return found


def _signs(marks: Mapping[int, FaceElement], words: str) -> dict[Sign, Corners]:
    """The forms of a face, each with one of its places, and its words."""
    forms: dict[Sign, Corners] = {mark.what: mark.corners for mark in marks.values()}
    return forms | dict.fromkeys(words.casefold().split(), _NOWHERE)


def _varied(
    name: str,
    faces: Sequence[tuple[FaceTrace, dict[str, set[str]]]],
    values: Mapping[str, _Value],
) -> set[Corners]:
    """Where words and pictures of one value differ, if some value is on a face or two."""
    if min(value.faces for value in values.values()) >= _OFTEN:
        return set()
    return {
        mark.corners
        for trace, shown in faces
        for value in shown.get(name, ())
        for key, mark in unpacked(trace.marks).items()
        if values[value].faces > 1 and key not in values[value].common and not mark.is_shape
    }


def _pairs(shown: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, values in shown.items() for value in sorted(values))


def _compared(name: str, values: Mapping[str, _Value], varied: set[Corners]) -> Iterator[Finding]:
    """A finding about a field, if any of its values are too close to each other."""
    close: dict[tuple[str, str], dict[Sight, float]] = {}
    for (one, a), (other, b) in combinations(sorted(values.items()), 2):
        if _differ_in_marks(a, b, varied):
            continue
        carriers = _carriers(a, b)
        pairs = {(a.colours[key], b.colours[key]) for key in carriers}
        seen = {sight: max(apart(*pair, sight) for pair in pairs) for sight in Sight if pairs}
        near = {sight: far for sight, far in seen.items() if far < LEAST_APART}
        if near and seen[Sight.FULL] >= NOTICED:
            close[one, other] = near
    if close:
        yield _finding(name, values, close)


def _differ_in_marks(a: _Value, b: _Value, varied: set[Corners]) -> bool:
    """Whether a mark, a form or a word tells two values apart, and is not there by chance."""
    for one, other in ((a, b), (b, a)):
        marks = [one.common[key] for key in one.common.keys() - other.anywhere]
        if any(mark.is_shape or _tells(one, mark.corners, varied) for mark in marks):
            return True
        forms = [sign for sign in one.signs.keys() - other.all_signs if isinstance(sign, int)]
        if any(not form & 1 or _tells(one, one.signs[form], varied) for form in forms):
            return True
    words = (
        [sign for sign in one.signs.keys() - other.all_signs if isinstance(sign, str)]
        for one, other in ((a, b), (b, a))
    )  # a word that only one has may be there by chance
    return all(words) and (not varied or max(a.faces, b.faces) > 1)


def _tells(value: _Value, corners: Corners, varied: set[Corners]) -> bool:
    """Whether what all faces of a value have in a place, and others have not, is of the value."""
    return value.faces >= _OFTEN or not any(_is_same_place(corners, other) for other in varied)


def _is_same_place(one: Corners, other: Corners) -> bool:
    (x, y, w, h), (x2, y2, w2, h2) = one, other
    wide, high = min(x + w, x2 + w2) - max(x, x2), min(y + h, y2 + h2) - max(y, y2)
    shared = max(wide, 0) * max(high, 0)
    return one == other or shared > _SAME_PLACE * (w * h + w2 * h2 - shared)


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
    return finding_of(
        where,
        "GP841",
        f"the {where.face}s of {where.kind!r} show {name!r} by colour alone: {told}{more}",
        _HINT,
        severity=Severity.WARNING,
        page=one.first.page,
        place=where.on_page(largest),
    )


Linear = tuple[float, float, float]
"""Red, green and blue light, 0 to 1."""


class Lab(NamedTuple):
    """A colour in CIELAB, D65."""

    lightness: float
    a: float
    b: float


class Sight(StrEnum):
    """An eye, or a printer, that a colour is seen through."""

    FULL = "full colour sight"
    PROTANOPIA = "protanopia"
    DEUTERANOPIA = "deuteranopia"
    TRITANOPIA = "tritanopia"
    GREYSCALE = "greyscale"


_LUMINANCE: Final = (0.2126729, 0.7151522, 0.0721750)
_TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    _LUMINANCE,
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)
_SIGHTS: Final = {
    Sight.FULL: ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    Sight.PROTANOPIA: (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    Sight.DEUTERANOPIA: (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    Sight.TRITANOPIA: (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    Sight.GREYSCALE: (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}
_DARK: Final = 216 / 24389
_SLOPE: Final = 24389 / 27


def apart(one: Colour, other: Colour, sight: Sight = Sight.FULL) -> float:
    """How far apart two colours are to an eye, CIEDE2000."""
    return delta_e(seen(one, sight), seen(other, sight))


@lru_cache(maxsize=4096)
def seen(colour: Colour, sight: Sight = Sight.FULL) -> Lab:
    """What an eye sees of a colour."""
    return _lab(_times(_SIGHTS[sight], _light(colour)))


def delta_e(one: Lab, other: Lab) -> float:
    """The CIEDE2000 difference of two colours, all its weights 1.

    1 is hardly seen where the two meet; black and white are 100 apart.
    """
    mean_chroma = (math.hypot(one.a, one.b) + math.hypot(other.a, other.b)) / 2
    grey = 1 + 0.5 * (1 - _fade(mean_chroma))
    chroma1, hue1 = _polar(one.a * grey, one.b)
    chroma2, hue2 = _polar(other.a * grey, other.b)
    turn = _turn(hue1, hue2) if chroma1 and chroma2 else 0.0
    lightness = (one.lightness + other.lightness) / 2
    chroma = (chroma1 + chroma2) / 2
    # The mean of two angles lies half the turn from the first; without a colour it is their sum.
    hue = (hue1 + turn / 2) % 360 if chroma1 and chroma2 else hue1 + hue2
    off = (lightness - 50) ** 2
    by_lightness = (other.lightness - one.lightness) / (1 + 0.015 * off / math.sqrt(20 + off))
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    by_hue = (2 * math.sqrt(chroma1 * chroma2) * math.sin(math.radians(turn / 2))) / (
        1 + 0.015 * chroma * _hue_weight(hue)
    )
    return math.sqrt(
        by_lightness**2 + by_chroma**2 + by_hue**2 + _rotation(chroma, hue) * by_chroma * by_hue
    )


def _fade(chroma: float) -> float:
    power: float = chroma**7
    return math.sqrt(power / (power + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    """Chroma, and hue in degrees."""
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _turn(start: float, end: float) -> float:
    """Degrees from one hue to another, the shorter way; -180 to 180."""
    turn = end - start
    if abs(turn) <= 180:
        return turn
    return turn - 360 if turn > 0 else turn + 360


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )


def _rotation(chroma: float, hue: float) -> float:
    angle = 30 * math.exp(-(((hue - 275) / 25) ** 2))
    return -2 * _fade(chroma) * math.sin(math.radians(2 * angle))


def _light(colour: Colour) -> Linear:
    r, g, b = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return r, g, b


def _times(matrix: tuple[Linear, Linear, Linear], light: Linear) -> Linear:
    """Light through a matrix, and what no screen can show cut off."""
    r, g, b = (
        min(max(summed(m * v for m, v in zip(row, light, strict=True)), 0.0), 1.0) for row in matrix
    )
    return r, g, b


def _lab(light: Linear) -> Lab:
    x, y, z = (
        _root(summed(m * v for m, v in zip(row, light, strict=True)) / white)
        for row, white in zip(_TO_XYZ, _WHITE, strict=True)
    )
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _root(value: float) -> float:
    return value ** (1 / 3) if value > _DARK else (_SLOPE * value + 16) / 116


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
