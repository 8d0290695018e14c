"""Checks that a title, or another field, is not set otherwise on a few cards of a kind than on
nearly all: in another style, size or colour, or elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from typing import Final

from msgspec import Struct

from generator.diagnostics import Severity
from generator.geometry import pt_to_mm
from generator.model.manifest import TextEntry
from generator.preflight.art_checks import FEW
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.deck_checks import by_side
from generator.preflight.faces import FaceTrace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.page_reader import SetText

_ONE_LINE: Final = 1.5
"""Em that the ink of one line is high at most."""
_SAME_PT: Final = 0.25
"""pt that nobody sees in a size."""
_MANY: Final = 5
"""Cards from which on one that is set otherwise is told."""
_FIFTH, _ALIKE = 5, 6
"""Such a part of the cards may be set otherwise, where so many are alike; else one."""
_REVERSED: Final = 128
"""Levels between two colours of which one is for dark grounds."""
_SEEN: Final = 24
"""Levels of 255 between two colours."""
_IN_LINE, _LEVEL = 0.4, 0.4
"""mm, and em, by which places differ that are one: letters have their sides, some stand out."""
_MOVED: Final = 0.3
"""mm beyond that."""
_BACK: Final = {"farther right": "farther left", "lower": "higher"}


def odd_sizes(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP859: the title of one card is not set otherwise than those of all others of its kind.
    Where a file has a part of them, as with --only, others may be so, too."""
    if subject.expected is None or subject.expected.part:
        return
    told: set[tuple[str, str]] = set()
    for odd, message in _odd_fields(subject.expected, traces, _turned(subject)):
        told.add((odd.expected.kind, odd.expected.component))
        yield _odd(odd.expected, odd.page, message)
    for faces in by_side(subject).values():
        for style, sizes in _titles(faces).items():
            (usual, count), *_rest = Counter(sizes.values()).most_common()
            odd_ones = [id_ for id_, size in sizes.items() if abs(size - usual) > _SAME_PT]
            if count < len(sizes) - 1 or not odd_ones:
                continue
            page, face = faces[odd_ones[0]]
            if (face.kind, face.component) not in told:
                size = sizes[odd_ones[0]]
                message = f"text in style {style!r} has {size:g} pt, on all other cards of"
                yield _odd(face, page, f"{message} {face.kind!r} {usual:g} pt")


def _odd(face: Expected, page: int, message: str) -> Finding:
    return finding_of(
        face,
        "GP859",
        f"the {face.face} of {face.component!r}: {message}",
        "set it as the others, shorten it, or give it more room; if it is to stand out, a choice"
        " field that says so explains it",
        severity=Severity.WARNING,
        page=page,
    )


class _Title(Struct, frozen=True):
    """The text of a field on a face: what is promised and how it is set."""

    trace: FaceTrace
    told: TextEntry
    look: SetText


def _turned(subject: Subject) -> Set[tuple[str, str, str]]:
    """The faces that are drawn otherwise round than they should be, by kind, side and component."""
    return {
        (match.expected.kind, match.expected.face, match.expected.component)
        for page in subject.matched
        for match in page.matches
        if abs((match.rotation - match.expected.rotation + 180) % 360 - 180) > 1
    }


def _odd_fields(
    expected: ExpectedFile, traces: Sequence[FaceTrace], astray: Set[tuple[str, str, str]]
) -> Iterator[tuple[FaceTrace, str]]:
    """The faces on which a field is set otherwise than on all others, and how; of those that are
    as they should be."""
    fields: dict[tuple[str, str, str], dict[str, list[_Title]]] = {}
    for trace in traces:
        face = trace.expected
        if trace.changed or (face.kind, face.face, face.component) in astray:
            continue  # which is told; its texts are anywhere
        for look in trace.texts:
            told = face.texts[look.number]
            if told.field and not face.bound:  # the pages of a book are no cards
                cards = fields.setdefault((face.kind, face.face, told.field), {})
                cards.setdefault(face.component, []).append(_Title(trace, told, look))
    for (_, _, field), cards in fields.items():
        titles = [several[0] for several in cards.values() if len(several) == 1]
        if len(titles) < max(_MANY, len(cards)):
            continue
        for title, message in _set_otherwise(expected, titles):
            yield title.trace, f"{field} {message}"


def _set_otherwise(
    expected: ExpectedFile, titles: Sequence[_Title]
) -> Iterator[tuple[_Title, str]]:
    """Which of some titles are set otherwise than nearly all, and in what way; the first way."""
    for how in (_style, _size, _colour, _place):
        odd = how(titles)
        if not 0 < len(odd) <= _few(len(titles)):
            continue
        if not _is_explained(expected, [titles[number] for number in odd], titles):
            others = "all other" if len(odd) == 1 else "nearly all other"
            for number, (message, usual) in odd.items():
                kind = titles[number].trace.expected.kind
                yield titles[number], message.format(f"on {others} cards of {kind!r}") + usual
        return


def _few(count: int) -> int:
    """How many of so many cards are told, if they are set otherwise than all others."""
    return max(min(count // _FIFTH, count - _ALIKE), 1)


def _is_explained(expected: ExpectedFile, odd: Sequence[_Title], titles: Sequence[_Title]) -> bool:
    """Whether a choice of the author tells them from all others, too."""

    def choices(title: _Title) -> Mapping[str, str]:
        face = title.trace.expected
        component = expected.components.get((face.kind, face.component))
        return component.choices if component else {}

    usual = [title for title in titles if title not in odd]
    if len(odd) > 1 and not {_layout(title) for title in odd} & {_layout(title) for title in usual}:
        return True
    others = [choices(title) for title in usual]
    return any(
        all(told.get(name) != choices(one).get(name) for one in odd for told in others)
        for name in choices(odd[0])
    )


def _layout(title: _Title) -> frozenset[str]:
    """The fields, and styles, of the other texts on its face: several cards that have others
    are laid out by themselves."""
    return frozenset(
        text.field or text.style for text in title.trace.expected.texts if text is not title.told
    )


_Odd = Mapping[int, tuple[str, str]]
"""Which of some titles are set otherwise: how, with {} for others, and how those are."""


def _apart(values: Sequence[Hashable]) -> tuple[int, Sequence[int]]:
    """The place of one of the value that most have, and those of all that have another one; none
    where these are too many."""
    (usual, _), *_ = Counter(values).most_common(1)
    odd = [number for number, value in enumerate(values) if value != usual]
    return values.index(usual), odd if len(odd) <= _few(len(values)) else ()


def _style(titles: Sequence[_Title]) -> _Odd:
    usual, odd = _apart([(title.told.style, title.look.font) for title in titles])
    was = titles[usual].told.style
    if len(odd) > 1:  # letters of another font: what a bold word, or an icon, begins
        odd = [number for number in odd if titles[number].told.style != was]
    return {
        number: ("is set in another font than {}", "")
        if titles[number].told.style == was
        else (f"is set in style {titles[number].told.style!r}, {{}}", f" in {was!r}")
        for number in odd
    }


def _size(titles: Sequence[_Title]) -> _Odd:
    """Such as have more letters than all others, or would be wider, may have been made to fit."""
    sizes = [title.told.size_pt for title in titles]
    (usual, _), *_ = Counter(round(size / _SAME_PT / 2) for size in sizes).most_common(1)
    others = [
        t for t, size in zip(titles, sizes, strict=True) if round(size / _SAME_PT / 2) == usual
    ]
    found = {}
    for number, title in enumerate(titles):
        size, its = title.told.size_pt, others[0].told.size_pt
        longest = title.look.letters > max(other.look.letters for other in others)
        width = title.told.box.width * its / max(size, _SAME_PT)
        widest = width > max(other.told.box.width for other in others)
        if abs(size - its) > _SAME_PT and not (size < its and (longest or widest)):
            found[number] = f"has {size:g} pt, {{}}", f" {its:g} pt"
    return found if len(titles) - len(others) <= _few(len(titles)) else {}


def _colour(titles: Sequence[_Title]) -> _Odd:
    usual, odd = _apart([title.look.colour for title in titles])
    was = titles[usual].look.colour
    apart = {
        number: max(abs(a - b) for a, b in zip(titles[number].look.colour, was, strict=True))
        for number in odd
    }
    return {
        number: (f"is {_named_colour(titles[number].look.colour)}, {{}}", f" {_named_colour(was)}")
        for number, off in apart.items()
        if off >= _SEEN and (len(odd) == 1 or off < _REVERSED)
    }


def _named_colour(colour: tuple[int, int, int]) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


def _place(titles: Sequence[_Title]) -> _Odd:
    """Of level lines: by their left ends, middles or right ends, whichever are in line on all
    others; and by how high they stand."""
    boxes = [title.told.box for title in titles]
    lines = [
        b.height < _ONE_LINE * pt_to_mm(t.told.size_pt) for t, b in zip(titles, boxes, strict=True)
    ]
    sizes = [title.told.size_pt for title in titles]
    if not all(lines) or max(sizes) - min(sizes) > _SAME_PT:
        return {}  # letters made smaller do not begin as high
    em = pt_to_mm(titles[0].told.size_pt)
    edges = {
        "farther right": [
            [box.x for box in boxes],
            [box.x + box.width / 2 for box in boxes],
            [box.right for box in boxes],
        ],
        "lower": [[box.y for box in boxes], [box.bottom for box in boxes]],
    }
    for way, several in edges.items():
        loose = _LEVEL * em if way == "lower" else _IN_LINE
        in_line = [off for places in several if (off := _out_of_line(places, loose)) is not None]
        if not in_line or (way == "lower" and len(in_line) < len(several)):
            continue
        found = {}
        for number, off in enumerate(zip(*in_line, strict=True)):
            if min(off) > _MOVED or max(off) < -_MOVED:
                by = min(off, key=abs)
                to = way if by > 0 else _BACK[way]
                found[number] = f"stands {abs(by):.1f} mm {to} than {{}}", ""
        if found:
            return found
    return {}


def _out_of_line(places: Sequence[float], loose: float) -> Sequence[float] | None:
    """How far each place is beyond those in line, mm; None where too many are out of it."""
    in_order = sorted(places)
    for few in range(1, _few(len(places)) + 1):
        ends = [
            (in_order[start], in_order[start + len(places) - few - 1]) for start in range(few + 1)
        ]
        low, high = min(ends, key=lambda end: end[1] - end[0])
        if high - low <= loose:
            return [min(place - low, 0) + max(place - high, 0) for place in places]
    return None


def _titles(faces: Mapping[str, tuple[int, Expected]]) -> Mapping[str, Mapping[str, float]]:
    """The size (pt) of each style that is on each of several faces once, in one line, by
    component: also one that was made to fit, for it shows."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for id_, (_, face) in faces.items():
        times = Counter(text.style for text in face.texts)
        for text in face.texts:
            if times[text.style] == 1 and text.box.height < _ONE_LINE * pt_to_mm(text.size_pt):
                found[text.style][id_] = text.size_pt
    return {s: sizes for s, sizes in found.items() if len(sizes) == len(faces) >= FEW}
