"""The faces of a file in; what a careful reader asks about a deck as a whole out: are two backs
meant, have two cards one picture, and why is one title smaller?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from generator.diagnostics import Severity
from generator.geometry import pt_to_mm, summed
from generator.pdf_forms import Form
from generator.preflight.art_checks import FEW, OWN
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import FaceTrace
from generator.preflight.likeness_checks import (
    Likeness,
    ShownFace,
    choices_of,
    close_ups,
    named,
    near_pairs,
    shown_faces,
    traces_by_form,
)
from generator.preflight.manifest_reader import Expected, ExpectedFile

_FRONT: Final = "front"
_TWO: Final = {2: "two", 3: "three"}
_ONE_LINE: Final = 1.5
"""Em that the ink of one line is high at most."""
_SAME_PT: Final = 0.25
"""pt that nobody sees in a size."""


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


def shared_art(subject: Subject, _: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP860: where nearly every card of a kind has a picture of its own, no two have the same."""
    if subject.expected is None:
        return
    for faces in _by_side(subject).values():
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


def odd_sizes(subject: Subject, _: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP859: the title of one card is not of another size than those of all others of its kind.
    Where a file has a part of them, as with --only, others may have that size too."""
    if subject.expected is None or subject.expected.part:
        return
    for faces in _by_side(subject).values():
        for style, sizes in _titles(faces).items():
            (usual, count), *_rest = Counter(sizes.values()).most_common()
            odd = [id_ for id_, size in sizes.items() if abs(size - usual) > _SAME_PT]
            if count < len(sizes) - 1 or not odd:
                continue
            page, face = faces[odd[0]]
            yield finding_of(
                face,
                "GP859",
                f"the {face.face} of {odd[0]!r}: text in style {style!r} has {sizes[odd[0]]:g} pt,"
                f" on all other cards of {face.kind!r} {usual:g} pt",
                "shorten it, give it more room, or make the others as small",
                severity=Severity.WARNING,
                page=page,
            )


def _by_side(subject: Subject) -> Mapping[tuple[str, str], Mapping[str, tuple[int, Expected]]]:
    """The faces of a kind, each with its first page, by the component that has them."""
    found: dict[tuple[str, str], dict[str, tuple[int, Expected]]] = defaultdict(dict)
    for page in subject.matched:
        for match in page.matches:
            face = match.expected
            found[face.kind, face.face].setdefault(face.component, (page.read.number, face))
    return found


def _titles(faces: Mapping[str, tuple[int, Expected]]) -> Mapping[str, Mapping[str, float]]:
    """The sizes of each style that is on each of several faces once, in one line; by component."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for id_, (_, face) in faces.items():
        times = Counter(text.style for text in face.texts)
        for text in face.texts:
            if times[text.style] == 1 and text.box.height < _ONE_LINE * pt_to_mm(text.size_pt):
                found[text.style][id_] = text.size_pt
    return {s: sizes for s, sizes in found.items() if len(sizes) == len(faces) >= FEW}
