"""The traces of all faces in; who shows which face, and which faces are nearly alike, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from PIL import Image, ImageChops, ImageStat

from generator.preflight.closeup import CloseUps, Form
from generator.preflight.expectation import Expected
from generator.preflight.faces import Trace
from generator.preflight.subject import Subject
from generator.sums import summed

_NEAR: Final = 10.0
"""Levels of 255 by which small pictures of faces that may be alike differ at most, on average."""
_NEIGHBOURS: Final = 12
"""Faces that each is compared with: of all that are as bright, so that a deck of thousands of
tiles without words is looked through in seconds."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A face as it is drawn: the object in the file, where it is drawn first, and the components
    (kind, id) that show it."""

    form: Form
    page: int
    expected: Expected
    owners: frozenset[tuple[str, str]]


def shown_faces(subject: Subject) -> dict[Form, Shown]:
    """Every face that is drawn where the manifest has one."""
    first: dict[Form, tuple[int, Expected]] = {}
    owners: dict[Form, set[tuple[str, str]]] = defaultdict(set)
    for page in subject.matched:
        for match in page.matches:
            if match.draw is not None:
                first.setdefault(match.draw.form, (page.read.number, match.expected))
                owners[match.draw.form].add(match.expected.piece[:2])
    return {form: Shown(form, *at, frozenset(owners[form])) for form, at in first.items()}


def forms_by_component(subject: Subject) -> dict[tuple[str, str], dict[str, list[Form]]]:
    """The drawn faces of each component by name of the face, those of its copies once."""
    found: dict[tuple[str, str], dict[str, list[Form]]] = defaultdict(lambda: defaultdict(list))
    for page in subject.matched:
        for match in page.matches:
            forms = found[match.expected.piece[:2]][match.expected.face]
            if match.draw is not None and match.draw.form not in forms:
                forms.append(match.draw.form)
    return found


def traces_by_form(faces: dict[Form, Shown], traces: Sequence[Trace]) -> dict[Form, Trace]:
    """The trace that each drawn face has left."""
    forms = {(s.page, s.expected.piece, s.expected.face): s.form for s in faces.values()}
    keyed = ((forms.get((t.page, t.expected.piece, t.expected.face)), t) for t in traces)
    return {form: trace for form, trace in keyed if form is not None}


def near_pairs(traces: dict[Form, Trace]) -> Iterator[tuple[Form, Form]]:
    """Faces of one kind and name that have the same words and are worth a closer look."""
    families: dict[tuple[str, str, str], list[tuple[float, Form]]] = defaultdict(list)
    for form, trace in traces.items():
        family = (trace.expected.kind, trace.expected.face, trace.words)
        families[family].append((sum(trace.thumbnail) / len(trace.thumbnail), form))
    for members in families.values():
        members.sort()
        for place, (light, one) in enumerate(members):
            for lighter, other in islice(members, place + 1, place + 1 + _NEIGHBOURS):
                if lighter - light > _NEAR:
                    break
                if _is_near(traces[one], traces[other]):
                    yield one, other


def close_ups(
    subject: Subject, faces: dict[Form, Shown], pairs: Sequence[tuple[Form, Form]]
) -> CloseUps:
    """What compares the faces of the pairs; to be closed."""
    forms = dict.fromkeys(form for pair in pairs for form in pair)
    return CloseUps(subject.pdf, {form: faces[form].expected.bleed for form in forms})


def _is_near(one: Trace, other: Trace) -> bool:
    if one.size != other.size:
        return False
    a, b = (Image.frombytes("RGB", t.size, t.thumbnail) for t in (one, other))
    difference = ImageStat.Stat(ImageChops.difference(a, b)).mean
    return summed(difference) / 3 <= _NEAR
