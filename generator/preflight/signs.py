"""Faces with the value of a choice that each shows in; which pairs of values something besides a
colour tells apart out.

A sign is what can be seen of a face without its colours: a shape, words or a picture in its place,
a form or a line of words wherever it stands, how many there are of a form, a word or a part of one.
It tells a value from another when it is on every face of the one and on none of the other.

Some of what only one value has is there by chance, as a title, the picture of a card or a counter
that stands where the cost says are on the only card of its value. So what stands in a place where
faces of one value differ anyway, or is of a form that stands elsewhere on each of them, tells
nothing of a value that is on a face or two."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from generator.preflight.faces import FaceElement, FaceTrace, unpacked

ValuedFace = tuple[FaceTrace, Mapping[str, set[str]]]
"""A face, and by field the values that are shown on it."""
Pair = tuple[str, str]
Corners = tuple[int, int, int, int]
"""Where a mark is, as of `FaceElement`."""
Thing = tuple[int, int, int]
"""The form of a shape, its width and its height."""
Sign = tuple[str, int | str | Thing, int]
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

    common: dict[Sign, _Mark | None]
    anywhere: set[Sign] = field(default_factory=set)
    faces: int = 1


class _Varied(Struct):
    """What differs among faces of one value: places of words and pictures; corners and middles of
    shapes; forms that stand elsewhere; things of which there are more or fewer."""

    places: set[Corners] = field(default_factory=set)
    spots: set[tuple[int, int, int]] = field(default_factory=set)
    roving: set[Thing] = field(default_factory=set)
    counts: set[Thing] = field(default_factory=set)

    def has(self, mark: FaceElement) -> bool:
        """Whether faces of one value differ where this is."""
        if mark.is_shape:
            return not self.spots.isdisjoint(_spots(mark))
        return any(_is_same_place(mark.corners, other) for other in self.places)


def told_apart(name: str, faces: Sequence[ValuedFace], pairs: Collection[Pair]) -> frozenset[Pair]:
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


def _signs(trace: FaceTrace) -> Iterator[tuple[Sign, _Mark | None]]:
    counts: Counter[Thing] = Counter()
    shown: dict[Thing, _Mark] = {}
    for key, element in unpacked(trace.marks).items():
        mark = _Mark(key, element)
        yield (_MARK, key, 0), mark
        yield (_FORM, element.form, 0), mark
        yield (_WHAT, element.what, 0), mark
        if element.is_shape:
            thing = _thing(element)
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


def _thing(mark: FaceElement) -> Thing:
    return mark.form, *mark.corners[2:]


def _spots(mark: FaceElement) -> Iterator[tuple[int, int, int]]:
    x, y, w, h = mark.corners
    for at, (across, down) in enumerate(((x, y), (x + w // 2, y + h // 2), (x + w, y + h))):
        yield at, round(across / _NEAR), round(down / _NEAR)


def _varied(name: str, faces: Sequence[ValuedFace]) -> _Varied | None:
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
    amounts: dict[Thing, set[int]] = defaultdict(set)
    seen: Counter[Thing] = Counter()
    for trace in traces:
        counts: Counter[Thing] = Counter()
        for key, mark in unpacked(trace.marks).items():
            if mark.is_shape:
                counts[_thing(mark)] += 1
            if key in common:
                continue
            if mark.is_shape:
                varied.spots.update(_spots(mark))
                varied.roving.add(_thing(mark))
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
    sign: Sign, mark: _Mark, one: _Value, varied: _Varied | None, counted: Collection[object]
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
    is_roving = sort == _MARK and _thing(mark.element) in varied.roving
    return not is_roving and not varied.has(mark.element)


def _differ_in_words(pair: Pair, values: tuple[_Value, _Value], varied: _Varied | None) -> bool:
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


def _is_same_place(one: Corners, other: Corners) -> bool:
    (x, y, w, h), (x2, y2, w2, h2) = one, other
    wide, high = min(x + w, x2 + w2) - max(x, x2), min(y + h, y2 + h2) - max(y, y2)
    shared = max(wide, 0) * max(high, 0)
    return one == other or shared > _SAME_PLACE * (w * h + w2 * h2 - shared)
