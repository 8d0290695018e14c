"""Checks a deck as a careful reader does: are two backs meant, is one marked, have two cards one
picture?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from PIL import Image, ImageChops, ImageFilter

from generator.diagnostics import Severity
from generator.geometry import summed
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
    here, near = (
        ImageChops.subtract(off, less)
        for less in (usual, usual.filter(ImageFilter.MaxFilter(_BESIDE)))
    )
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
