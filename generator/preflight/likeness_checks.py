"""The traces of all faces in, findings about different things that look alike, and alike things
that look different, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from generator.diagnostics import Severity
from generator.preflight.closeup import Form, Likeness
from generator.preflight.expectation import ExpectedFile
from generator.preflight.faces import Trace
from generator.preflight.finding import Finding
from generator.preflight.likeness import (
    Shown,
    close_ups,
    forms_by_component,
    near_pairs,
    shown_faces,
    traces_by_form,
)
from generator.preflight.subject import Subject

_FRONT: Final = "front"
_NEARLY: Final = (Likeness.NEARLY_SAME,)
_DIFFERENT: Final = (Likeness.NEARLY_SAME, Likeness.CLEARLY_DIFFERENT)
_NAMED: Final = 4
"""Components that are named in one finding."""
_SHOW_IT: Final = "show on paper what differs, or make it one component with a larger quantity"
_ALIKE: Final = "take out of the template what differs, or make it differ clearly"
_AGAIN: Final = "build the pack again: copies are drawn from one picture"

Pair = tuple[Form, Form]
_Groups = dict[tuple[str, frozenset[tuple[str, int]]], list[str]]
"""The components by kind and look."""


def alike(subject: Subject, traces: Sequence[Trace]) -> Iterator[Finding]:
    """GP852: components with other values look different on at least one face.

    Of a kind that is made from another all may look the same (one for each), or those with the
    same choice (a token for each racer in the colour of its team).
    """
    if subject.expected is None:
        return
    faces = shown_faces(subject)
    look = _looks(subject, faces, traces)
    groups: _Groups = defaultdict(list)
    shown: dict[tuple[str, str], Form] = {}
    for (kind, id_), sides in forms_by_component(subject).items():
        drawn = [(face, form) for face, forms in sides.items() for form in forms]
        if drawn and (kind, id_) in subject.expected.components:
            groups[kind, frozenset((face, look[form]) for face, form in drawn)].append(id_)
            shown[kind, id_] = drawn[0][1]
    for (kind, seen), ids in groups.items():
        if _is_meant(subject.expected, kind, seen, groups):
            continue
        contents = {subject.expected.components[kind, id_].content for id_ in ids}
        if len(contents) > 1:
            message = f"{_named(ids)} of {kind!r} look the same, though their values differ"
            face = faces[shown[kind, ids[0]]]
            yield _finding("GP852", message, _SHOW_IT, face, Severity.WARNING)


def _is_meant(
    expected: ExpectedFile, kind: str, look: frozenset[tuple[str, int]], groups: _Groups
) -> bool:
    """True for a made kind whose look has all of it, or just those with one value of a choice."""
    ids = groups[kind, look]
    choices = {id_: expected.components[kind, id_].choices for id_ in ids}
    if not expected.components[kind, ids[0]].made:
        return False
    others = [
        expected.components[kind, id_].choices
        for (other, seen), there in groups.items()
        if other == kind and seen != look
        for id_ in there
    ]
    return not others or any(
        len({told.get(name) for told in choices.values()}) == 1
        and all(told.get(name) != value for told in others)
        for name, value in choices[ids[0]].items()
    )


def differing(subject: Subject, traces: Sequence[Trace]) -> Iterator[Finding]:
    """GP853: copies look the same, and so do components with the same values; no back is nearly,
    but not quite, like another: it would give the card away."""
    if subject.expected is None:
        return
    faces = shown_faces(subject)
    seen = traces_by_form(faces, traces)
    copies = [pair for pair in _copies(subject) if seen.keys() >= set(pair)]
    twins = [pair for pair in _twins(subject) if _same_words(seen, pair)]
    backs = [
        pair for pair in near_pairs(seen) if _is_back_of_another(subject.expected, faces, pair)
    ]
    told: set[Pair] = set()
    questions = (
        (copies, _DIFFERENT, "copies of {0} look different", _AGAIN, Severity.ERROR),
        (twins, _DIFFERENT, "{0} and {1} with the same values differ", _ALIKE, Severity.WARNING),
        (backs, _NEARLY, "{0} and {1} are nearly, but not quite, alike", _ALIKE, Severity.WARNING),
    )
    with close_ups(subject, faces, [*copies, *twins, *backs]) as closely:
        for pairs, wrong, message, hint, severity in questions:
            different = [p for p in pairs if p not in told and closely.compare(*p) in wrong]
            told |= {*different, *((other, one) for one, other in different)}
            for kind, face, first, others in _by_family(faces, different):
                ids = (repr(shown.expected.component) for shown in first)
                more = f", and {others} more pairs" if others else ""
                text = f"{face}s of {kind!r}: {message.format(*ids)}{more}"
                yield _finding("GP853", text, hint, first[1], severity)


def _by_family(
    faces: dict[Form, Shown], pairs: Sequence[Pair]
) -> Iterator[tuple[str, str, tuple[Shown, Shown], int]]:
    """Kind, name of the face, the first pair of those, and how many more there are."""
    families: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        where = faces[pair[0]].expected
        families[where.kind, where.face].append(pair)
    for (kind, face), (first, *others) in families.items():
        one, other = first
        yield kind, face, (faces[one], faces[other]), len(others)


def _looks(subject: Subject, faces: dict[Form, Shown], traces: Sequence[Trace]) -> dict[Form, int]:
    """A number for each drawn face, the same for those that look the same."""
    look = {form: number for number, form in enumerate(faces)}
    pairs = list(near_pairs(traces_by_form(faces, traces)))
    with close_ups(subject, faces, pairs) as closely:
        for one, other in pairs:
            if closely.compare(one, other) is Likeness.SAME:
                look[other] = look[one]
    return look


def _copies(subject: Subject) -> Iterator[Pair]:
    """The faces of copies of one component that are drawn from more than one picture."""
    for sides in forms_by_component(subject).values():
        for first, *others in filter(None, sides.values()):
            yield from ((first, other) for other in others)


def _twins(subject: Subject) -> Iterator[Pair]:
    """The faces of components with the same values."""
    assert subject.expected is not None
    groups: dict[tuple[str, str, str], list[Form]] = defaultdict(list)
    for (kind, id_), sides in forms_by_component(subject).items():
        component = subject.expected.components.get((kind, id_))
        for face, forms in sides.items() if component else ():
            assert component is not None
            groups[kind, component.content, face] += forms[:1]
    for forms in groups.values():
        different = list(dict.fromkeys(forms))
        yield from ((different[0], other) for other in different[1:])


def _same_words(seen: dict[Form, Trace], pair: Pair) -> bool:
    """Numbered pieces, told apart by nothing but their number, are meant to differ."""
    one, other = (seen.get(form) for form in pair)
    return one is not None and other is not None and one.words == other.words


def _is_back_of_another(expected: ExpectedFile, faces: dict[Form, Shown], pair: Pair) -> bool:
    """True for backs whose difference no choice of an author explains."""
    one, other = (_choices(expected, faces[form]) for form in pair)
    explained = any(one[name].isdisjoint(other[name]) for name in one.keys() & other.keys())
    return faces[pair[0]].expected.face != _FRONT and not explained


def _choices(expected: ExpectedFile, face: Shown) -> dict[str, set[str]]:
    """The values of each choice field that the components with this face have."""
    found: dict[str, set[str]] = defaultdict(set)
    for owner in face.owners & expected.components.keys():
        for name, value in expected.components[owner].choices.items():
            found[name].add(value)
    return found


def _named(ids: Sequence[str]) -> str:
    named = ", ".join(map(repr, ids[:_NAMED]))
    return f"{named} and {len(ids) - _NAMED} more" if len(ids) > _NAMED else named


def _finding(code: str, message: str, hint: str, face: Shown, severity: Severity) -> Finding:
    where = face.expected
    return Finding(
        code,
        message,
        hint,
        severity,
        page=face.page,
        place=where.box,
        component=f"{where.kind}/{where.component}",
        source=where.source,
    )
