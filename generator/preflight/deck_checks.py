"""Checks a deck as a careful reader does: are two backs meant, is one marked, have two cards one
picture, is a title or another field set otherwise on a few cards than on nearly all? It is long,
since each of them holds all cards of a kind against each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter

from generator.diagnostics import Severity
from generator.geometry import pt_to_mm, summed
from generator.model.manifest import TextEntry
from generator.pdf_forms import Form
from generator.preflight.art_checks import FEW, OWN
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import FaceTrace
from generator.preflight.likeness_checks import (
    ALIKE,
    CloseUps,
    FacePair,
    Likeness,
    ShownFace,
    choices_of,
    close_ups,
    named,
    near_pairs,
    same_by_right,
    shown_faces,
    traces_by_form,
    unlike,
)
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.page_reader import SetText
from generator.preflight.raster import lightest_near

_FRONT: Final = "front"
_TWO: Final = {2: "two", 3: "three"}
_A_FEW: Final = 3
"""Cards of which one may stand out."""
_MOST: Final = 60
"""Backs that are compared at one go."""
_BESIDE: Final = 7
"""Pixels of 0.17 mm: where backs that are saved one by one differ, they do so nearby."""
_SPOT, _TINT = 12, 3
"""Levels of 255 of one pixel, and of a square of so many pixels on average:"""
_BROAD: Final = 30
_EVERYWHERE: Final = 0.01
"""Of a picture, that is more than a small mark."""
_GRAIN: Final = ImageFilter.BoxBlur(2)


def marked_backs(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP853: no back is nearly, but not quite, like all others: it would give the card away."""
    if subject.expected is None:
        return
    faces = shown_faces(subject)
    seen = traces_by_form(faces, traces)
    rightly = {frozenset(pair) for pairs in same_by_right(subject, seen) for pair in pairs}
    backs = [
        pair
        for pair in near_pairs(seen)
        if frozenset(pair) not in rightly and _is_back_of_another(subject.expected, faces, pair)
    ]
    with close_ups(subject, faces, backs) as closely:
        how = {pair: closely.compare(*pair) for pair in backs}
        near = [p for p in backs if how[p] is not Likeness.CLEARLY_DIFFERENT]
        wrong = [
            p
            for p in near
            if how[p] is Likeness.NEARLY_SAME
            and not _has_own_backs(subject.expected, faces, near, p)
        ]
        wrong = list(_marked(closely, faces, near, wrong))
    yield from unlike(faces, wrong, "{0} and {1} are nearly, but not quite, alike", ALIKE)


def _marked(
    closely: CloseUps,
    faces: dict[Form, ShownFace],
    near: Sequence[FacePair],
    wrong: Sequence[FacePair],
) -> Iterator[FacePair]:
    """Of pairs that differ, those of which one stands out of all that are near; and those of such
    a one that seem to be the same. Where many stand out, each has a back of its own."""
    families: dict[tuple[str, str], dict[Form, int]] = defaultdict(dict)
    for form in (form for pair in near for form in pair):
        where = faces[form].expected
        families[where.kind, where.face][form] = len(faces[form].owners)
    for family, forms in families.items():
        of_it = [
            p for p in near if (faces[p[0]].expected.kind, faces[p[0]].expected.face) == family
        ]
        cards = summed(forms.values())
        if cards < _A_FEW or len(forms) > _MOST:
            yield from (pair for pair in of_it if pair in wrong)
            continue
        odd = _standing_out({form: closely.picture(form) for form in forms}, forms)
        if cards >= FEW and len(odd) > max(1, cards // FEW):
            odd = set()
        for pair in of_it:
            single = any(forms[form] == 1 for form in pair)
            one, other = map(closely.picture, pair)
            if len(odd.intersection(pair)) == 1 or (
                pair in wrong and not single and _is_more_than_grain(one, other)
            ):
                yield pair


def _is_more_than_grain(one: Image.Image, other: Image.Image) -> bool:
    """False for pictures that differ as one that is saved twice."""
    off = _worst(ImageChops.difference(one, other))
    if _is_everywhere(off):
        off = _worst(ImageChops.difference(one.filter(_GRAIN), other.filter(_GRAIN)))
    return max(off.tobytes()) >= _SPOT


def _is_everywhere(off: Image.Image) -> bool:
    return summed(off.histogram()[_TINT:]) > _EVERYWHERE * off.width * off.height


def _standing_out(pictures: Mapping[Form, Image.Image], owners: Mapping[Form, int]) -> set[Form]:
    """Which pictures are somewhere darker or lighter than all others, by more than these differ
    there; all over, by a little. Where one is so nearly everywhere, as when each was saved by
    itself, what stands out of its grain counts."""
    size = next(iter(pictures.values())).size
    sharp = {form: picture for form, picture in pictures.items() if picture.size == size}
    blurred = {form: picture.filter(_GRAIN) for form, picture in sharp.items()}
    ends, soft_ends = _second_ends(sharp, owners), _second_ends(blurred, owners)
    found = set()
    for form, picture in sharp.items():
        off = _beyond(picture, ends)
        tint = max(off[0].reduce(min(_BROAD, *size)).tobytes())
        if _is_everywhere(off[0]):
            off = _beyond(blurred[form], soft_ends)
        if tint >= _TINT or max(off[1].tobytes()) >= _SPOT:
            found.add(form)
    return found


def _second_ends(
    pictures: Mapping[Form, Image.Image], owners: Mapping[Form, int]
) -> tuple[Image.Image, Image.Image]:
    """Of each pixel the second of the lightest, and of the darkest, levels that cards have: what
    is beyond these is on one card alone."""
    size = next(iter(pictures.values())).size
    most = second = Image.new("RGB", size, "black")
    least = last = Image.new("RGB", size, "white")
    for form, picture in pictures.items():
        for _ in range(min(owners[form], 2)):
            second = ImageChops.lighter(second, ImageChops.darker(most, picture))
            most = ImageChops.lighter(most, picture)
            last = ImageChops.darker(last, ImageChops.lighter(least, picture))
            least = ImageChops.darker(least, picture)
    return second, last


def _beyond(
    picture: Image.Image, ends: tuple[Image.Image, Image.Image]
) -> tuple[Image.Image, Image.Image]:
    """By how much a picture is beyond all others, less what these differ there, and nearby."""
    second, last = ends
    usual = ImageChops.subtract(second, last)
    off = ImageChops.add(ImageChops.subtract(picture, second), ImageChops.subtract(last, picture))
    here, near = (ImageChops.subtract(off, less) for less in (usual, lightest_near(usual, _BESIDE)))
    return _worst(here), _worst(near)


def _worst(picture: Image.Image) -> Image.Image:
    red, green, blue = picture.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _is_back_of_another(
    expected: ExpectedFile, faces: dict[Form, ShownFace], pair: FacePair
) -> bool:
    """True for backs whose difference no choice of an author explains."""
    one, other = (choices_of(expected, faces[form]) for form in pair)
    explained = any(one[name].isdisjoint(other[name]) for name in one.keys() & other.keys())
    return faces[pair[0]].expected.face != _FRONT and not explained


def _has_own_backs(
    expected: ExpectedFile, faces: dict[Form, ShownFace], near: Sequence[FacePair], pair: FacePair
) -> bool:
    """True for backs of a kind in which each component has a back of its own, most of them unlike
    each other: they tell whose a piece is, and no deck is shuffled with them."""
    one, other = (faces[form] for form in pair)
    if len(one.owners) > 1 or len(other.owners) > 1:
        return False
    family = one.expected.kind, one.expected.face
    forms = {form for form, f in faces.items() if (f.expected.kind, f.expected.face) == family}
    alike = sum(first in forms and second in forms for first, second in near)
    if len(forms) == len(pair):
        pieces = (expected.components.get(owner) for owner in one.owners | other.owners)
        return all(piece is not None and piece.made for piece in pieces)
    return alike < len(forms) - 1


def two_backs(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP858: the cards of a deck have one back, unless words on it, or a choice of the author, say
    which part of the deck it is for. Of two that are nearly alike GP853 tells."""
    if subject.expected is None:
        return
    faces = shown_faces(subject)
    seen = traces_by_form(faces, traces)
    decks: dict[tuple[str, str, str], list[ShownFace]] = defaultdict(list)
    for form, face in faces.items():
        where = face.expected
        if where.face != _FRONT and form in seen:
            decks[where.kind, where.face, seen[form].words].append(face)
    for (kind, _, _), backs in decks.items():
        several = _unexplained(subject.expected, backs)
        if several is None or _are_near(subject, faces, seen, several):
            continue
        *rare, _ = sorted(several, key=lambda back: len(back.owners))
        ids = sorted(id_ for back in rare for _, id_ in back.owners)
        yield finding_of(
            rare[0].expected,
            "GP858",
            f"cards of {kind!r} have {_TWO.get(len(several), len(several))} backs: that of"
            f" {named(ids)} is not that of the others, and gives them away",
            "give all one back; or a choice field that says which have which, or a word on it",
            severity=Severity.WARNING,
            page=rare[0].page,
        )


def _are_near(
    subject: Subject,
    faces: dict[Form, ShownFace],
    seen: dict[Form, FaceTrace],
    backs: Sequence[ShownFace],
) -> bool:
    """Whether two backs are hardly told apart."""
    pairs = list(near_pairs({back.form: seen[back.form] for back in backs}))
    with close_ups(subject, faces, pairs) as closely:
        return any(closely.compare(*pair) is Likeness.NEARLY_SAME for pair in pairs)


def _unexplained(expected: ExpectedFile, backs: Sequence[ShownFace]) -> Sequence[ShownFace] | None:
    """The backs of a deck that is shuffled, if nothing says why there are several: more than two
    tell whose a piece is, unless most have one of them."""
    cards = {owner for back in backs for owner in back.owners}
    usual = max(len(back.owners) for back in backs)
    if len(backs) == 1 or len(cards) < FEW or (len(backs) > 2 and usual < OWN * len(cards)):
        return None
    if any(piece.made for owner in cards if (piece := expected.components.get(owner))):
        return None
    told = [choices_of(expected, back) for back in backs]
    fields = set.intersection(*(set(values) for values in told))
    for name in fields:
        if summed(len(values[name]) for values in told) == len(
            {value for values in told for value in values[name]}
        ):
            return None
    return backs


def shared_art(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP860: where nearly every card of a kind has a picture of its own, no two have the same. One
    picture of all backs that was saved anew for each is nobody's own."""
    if subject.expected is None:
        return
    for (kind, side), faces in by_side(subject).items():
        backs = {
            t.form: t
            for t in traces
            if side != _FRONT and (t.expected.kind, t.expected.face) == (kind, side)
        }
        if len({form for pair in near_pairs(backs) for form in pair}) >= OWN * len(backs) > 0:
            continue
        for users in _pictures_by_place(subject.expected, faces):
            shared = sorted(sorted(ids) for ids in users.values() if len(ids) > 1)
            cards = summed(len(ids) for ids in users.values())
            if cards < FEW or not shared or len(users) < OWN * cards:
                continue
            page, face = faces[shared[0][0]]
            yield finding_of(
                face,
                "GP860",
                f"the {face.face} of {named(shared[0])} has the same picture, though nearly every"
                f" card of {face.kind!r} has one of its own",
                "was one file named twice, or saved under two names?",
                severity=Severity.WARNING,
                page=page,
            )


def _pictures_by_place(
    expected: ExpectedFile, faces: Mapping[str, tuple[int, Expected]]
) -> Iterable[Mapping[str, set[str]]]:
    """For each place where faces of a kind have a picture: whose, by its digest."""
    places: dict[tuple[float, ...], dict[str, set[str]]] = {}
    for id_, (_, face) in faces.items():
        form, piece = expected.forms.get(face.sha256), expected.components.get((face.kind, id_))
        for picture in form.pictures if form and piece and not piece.made else ():
            users = places.setdefault(picture.box_mm, {})
            users.setdefault(picture.digest, set()).add(id_)
    return places.values()


def by_side(subject: Subject) -> Mapping[tuple[str, str], Mapping[str, tuple[int, Expected]]]:
    """The faces of a kind, each with its first page, by the component that has them."""
    found: dict[tuple[str, str], dict[str, tuple[int, Expected]]] = defaultdict(dict)
    for page in subject.matched:
        for match in page.matches:
            face = match.expected
            found[face.kind, face.face].setdefault(face.component, (page.read.number, face))
    return found


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
