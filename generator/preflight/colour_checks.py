"""Checks that values told by colour are told apart by every eye and in a grey print, by hue, sign
or pattern. It is long, since it says what an eye sees and what of a face is no colour.

A thing that every face of a value has in the same colour, and every face of another value in
another colour, wherever it stands, shows the value by its colour. Nobody needs the colour where
something else that is seen tells the two apart as well: a sign.

A sign is what can be seen of a face without its colours: a shape, words or a picture in its place,
a form or a line of words wherever it stands, how many there are of a form, a word or a part of one.
It tells a value from another when it is on every face of the one and on none of the other.

Some of what only one value has is there by chance, as a title, the picture of a card or a counter
that stands where the cost says are on the only card of its value. So what stands in a place where
faces of one value differ anyway, or is of a form that stands elsewhere on each of them, tells
nothing of a value that is on a face or two.

sRGB is IEC 61966-2-1; Lab is CIE 1976 with the white D65; a difference is CIEDE2000 as written out
by G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 color-difference formula" (2005); eyes without
one kind of cone are simulated by the matrices for severity 1.0 of G. M. Machado, M. M. Oliveira and
L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency"
(2009), applied to linear light."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from msgspec import Struct, field

from generator.diagnostics import Severity
from generator.geometry import Rect, summed
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import FaceElement, FaceTrace, unpacked
from generator.preflight.manifest_reader import ExpectedFile
from generator.preflight.page_objects import Colour

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
    return delta_e(seen_colour(one, sight), seen_colour(other, sight))


@lru_cache(maxsize=4096)
def seen_colour(colour: Colour, sight: Sight = Sight.FULL) -> Lab:
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

_ValuedFace = tuple[FaceTrace, Mapping[str, set[str]]]
"""A face, and by field the values that are shown on it."""
_Thing = tuple[int, ...]
"""A mark in its place, one of its form and size that may stand elsewhere, or one of its form."""


class _Coloured(Struct):
    """What all faces of one value have in the same colours, and where the first has it."""

    first: FaceTrace
    colours: dict[_Thing, set[Colour]]
    boxes: dict[_Thing, Rect]


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
            apart_ = _told_apart(name, faces, near) if near else frozenset()
            close = {pair: sights for pair, sights in near.items() if pair not in apart_}
            if close:
                yield _finding(name, values, close)


def _families(
    expected: ExpectedFile, traces: Sequence[FaceTrace]
) -> Mapping[tuple[str, str], list[_ValuedFace]]:
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


def _coloured(faces: Sequence[_ValuedFace]) -> Mapping[str, Mapping[str, _Coloured]]:
    """By field and value. Marks are unpacked for one face at a time: all of a large deck would not
    fit."""
    found: dict[str, dict[str, _Coloured]] = defaultdict(dict)
    for trace, shown in faces:
        boxes: dict[_Thing, Rect] = {}
        colours: dict[_Thing, set[Colour]] = defaultdict(set)
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


def _things(marks: Mapping[int, FaceElement]) -> Iterator[tuple[_Thing, FaceElement]]:
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
) -> Iterator[tuple[_Thing, Iterable[tuple[Colour, Colour]]]]:
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


_Pair = tuple[str, str]
_Corners = tuple[int, int, int, int]
"""Where a mark is, as of `FaceElement`."""
_Shape = tuple[int, int, int]
"""The form of a shape, its width and its height."""
_Sign = tuple[str, int | str | _Shape, int]
"""Its sort (below), what it is, and more of that."""

_MARK, _FORM, _WHAT, _COUNT, _WORD, _PART = "mark", "form", "what", "count", "word", "part"
_OFTEN: Final = 3
"""Faces that have a thing not by chance, though others have other things in its place."""
_TWICE: Final = 2
_SAME_PLACE: Final = 0.3
"""Of what two boxes take, that they share."""
_NEAR: Final = 10
"""Tenths of a mm, to which corners and middles of shapes are one place."""
_PART_OF_WORD: Final = re.compile(r"[^\W\d_]+|\d+|_+|([^\w\s])\1*")
_LETTERS: Final = {_OFTEN: 1, _TWICE: 3}
"""By faces of a value, the letters that not all its words begin with by chance."""


class _Mark(NamedTuple):
    key: int
    element: FaceElement


class _Value(Struct):
    """What all faces of one value have in common, each with the mark that it is of on the first of
    them, if it is of one; which of what any value has in common is on any of them; and on how many
    it was looked."""

    common: dict[_Sign, _Mark | None]
    anywhere: set[_Sign] = field(default_factory=set)
    faces: int = 1


class _Varied(Struct):
    """What differs among faces of one value: places of words and pictures; corners and middles of
    shapes; forms that stand elsewhere; things of which there are more or fewer."""

    places: set[_Corners] = field(default_factory=set)
    spots: set[tuple[int, int, int]] = field(default_factory=set)
    roving: set[_Shape] = field(default_factory=set)
    counts: set[_Shape] = field(default_factory=set)

    def has(self, mark: FaceElement) -> bool:
        """Whether faces of one value differ where this is."""
        if mark.is_shape:
            return not self.spots.isdisjoint(_spots(mark))
        return any(_is_same_place(mark.corners, other) for other in self.places)


def _told_apart(
    name: str, faces: Sequence[_ValuedFace], pairs: Collection[_Pair]
) -> frozenset[_Pair]:
    """Those of some pairs of values of a field that something besides a colour tells apart."""
    asked = {value for pair in pairs for value in pair}
    values: dict[str, _Value] = {}
    for trace, shown in faces:
        here = sorted(asked & shown.get(name, set()))
        signs = dict(_signs(trace)) if here else {}
        for value in here:
            known = values.get(value)
            if known is None:
                values[value] = _Value(dict(signs))
            else:
                known.faces += 1
                known.common = {s: mark for s, mark in known.common.items() if s in signs}
    ours = {sign for value in values.values() for sign in value.common}
    for trace, shown in faces:
        here = sorted(asked & shown.get(name, set()))
        common = {sign for sign, _ in _signs(trace) if sign in ours} if here else set()
        for value in here:
            values[value].anywhere |= common
    varied = _varied(name, faces)
    return frozenset(
        (one, other)
        for one, other in pairs
        if _differ(values[one], values[other], varied)
        or _differ(values[other], values[one], varied)
        or _differ_in_words((one, other), (values[one], values[other]), varied)
    )


def _signs(trace: FaceTrace) -> Iterator[tuple[_Sign, _Mark | None]]:
    counts: Counter[_Shape] = Counter()
    shown: dict[_Shape, _Mark] = {}
    for key, element in unpacked(trace.marks).items():
        mark = _Mark(key, element)
        yield (_MARK, key, 0), mark
        yield (_FORM, element.form, 0), mark
        yield (_WHAT, element.what, 0), mark
        if element.is_shape:
            thing = _shape(element)
            counts[thing] += 1
            shown[thing] = mark
    for thing, count in counts.items():
        yield (_COUNT, thing, count), shown[thing]
    for word in set(trace.words.casefold().split()):
        for part in _PART_OF_WORD.finditer(word):
            yield (_WORD, part[0], 0), None
        for letters in _LETTERS.values():
            if len(word) > letters:
                yield (_PART, f"{word[:letters]}…", letters), None
                yield (_PART, f"…{word[-letters:]}", letters), None


def _shape(mark: FaceElement) -> _Shape:
    return mark.form, *mark.corners[2:]


def _spots(mark: FaceElement) -> Iterator[tuple[int, int, int]]:
    x, y, w, h = mark.corners
    for at, (across, down) in enumerate(((x, y), (x + w // 2, y + h // 2), (x + w, y + h))):
        yield at, round(across / _NEAR), round(down / _NEAR)


def _varied(name: str, faces: Sequence[_ValuedFace]) -> _Varied | None:
    """What differs among faces of one value; None where every value is on enough faces for all
    that these have in common to be of it."""
    counted = Counter(value for _, shown in faces for value in shown.get(name, ()))
    if min(counted.values()) >= _OFTEN:
        return None
    varied = _Varied()
    by_value: dict[str, list[FaceTrace]] = defaultdict(list)
    for trace, shown in faces:
        for value in shown.get(name, ()):
            by_value[value].append(trace)
    for traces in by_value.values():
        _vary(traces, varied)
    return varied


def _vary(traces: Sequence[FaceTrace], varied: _Varied) -> None:
    common = set(unpacked(traces[0].marks))
    for trace in traces[1:]:
        common &= unpacked(trace.marks).keys()
    amounts: dict[_Shape, set[int]] = defaultdict(set)
    seen: Counter[_Shape] = Counter()
    for trace in traces:
        counts: Counter[_Shape] = Counter()
        for key, mark in unpacked(trace.marks).items():
            if mark.is_shape:
                counts[_shape(mark)] += 1
            if key in common:
                continue
            if mark.is_shape:
                varied.spots.update(_spots(mark))
                varied.roving.add(_shape(mark))
            else:
                varied.places.add(mark.corners)
        for thing, count in counts.items():
            amounts[thing].add(count)
            seen[thing] += 1
    varied.counts |= {
        thing for thing, found in amounts.items() if len(found) > 1 or seen[thing] < len(traces)
    }


def _differ(one: _Value, other: _Value, varied: _Varied | None) -> bool:
    """Whether a mark, a form or how many there are of it tells one value from another."""
    counted = {what for sort, what, _ in other.common if sort == _COUNT}
    return any(
        mark is not None and _tells(sign, mark, one, varied, counted)
        for sign, mark in one.common.items()
        if sign not in other.anywhere
    )


def _tells(
    sign: _Sign, mark: _Mark, one: _Value, varied: _Varied | None, counted: Collection[object]
) -> bool:
    """Whether what all faces of a value have, and no others, is of the value."""
    if varied is None or one.faces >= _OFTEN:
        return True
    sort, what, _ = sign
    if sort == _COUNT:
        return what in counted and what not in varied.counts
    stands_elsewhere = (_MARK, mark.key, 0) not in one.common
    if stands_elsewhere and mark.element.is_shape and sort != _MARK and one.faces >= _TWICE:
        return True  # and yet it is the same
    is_roving = sort == _MARK and _shape(mark.element) in varied.roving
    return not is_roving and not varied.has(mark.element)


def _differ_in_words(pair: _Pair, values: tuple[_Value, _Value], varied: _Varied | None) -> bool:
    """Whether each of two values has a word of its own, or a part of all its words: one that only
    one has may be there by chance."""
    a, b = values
    fewest, most = min(a.faces, b.faces), max(a.faces, b.faces)
    words, parts = [], []
    for name, one, other in ((pair[0], a, b), (pair[1], b, a)):
        own = one.common.keys() - other.anywhere
        words.append(
            any(
                sort == _WORD
                and (varied is None or not word.isdigit() or word == name or fewest >= _OFTEN)
                for sort, word, _ in own
                if isinstance(word, str)
            )
        )
        parts.append({letters for sort, _, letters in own if sort == _PART})
    enough = {letters for faces, letters in _LETTERS.items() if fewest >= faces}
    if parts[0] & parts[1] & enough:
        return True
    return all(words) and (varied is None or most > 1)


def _is_same_place(one: _Corners, other: _Corners) -> bool:
    (x, y, w, h), (x2, y2, w2, h2) = one, other
    wide, high = min(x + w, x2 + w2) - max(x, x2), min(y + h, y2 + h2) - max(y, y2)
    shared = max(wide, 0) * max(high, 0)
    return one == other or shared > _SAME_PLACE * (w * h + w2 * h2 - shared)
