"""Checks for different things that look alike, alike things that look different, and faces that are
not what was rendered, by their proofs.

Faces that may be alike by their small pictures are drawn once more, larger, and each at the same
place: on the pages two equal faces differ in the grey of their edges.
"""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Self

import pypdfium2
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, Pdf, StreamDecodeLevel
from PIL import Image, ImageChops, ImageStat

from generator.diagnostics import Severity
from generator.geometry import mm_to_pt, summed
from generator.model.manifest import FormEntry
from generator.pdf_forms import PAINTER, SHOWN, Form, FormReader, oddities
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import FaceTrace
from generator.preflight.file_checks import UnseenReader
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.raster import darkest_near
from generator.preflight.undoing import redrawn

_DPI: Final = 150
"""A dot of 0.2 mm, about what one sees on a card in the hand, is one pixel."""
_SEEN: Final = 12
"""Levels of 255 by which a pixel must differ to count: less is not seen in print."""
_CLEAR: Final = 64
"""Levels that make another colour, not another shade."""
_SPOT: Final = 13
"""Pixels, 2.2 mm: what differs over less is a flaw, a moved line or a pencil mark, not a sign."""
_KEPT: Final = 16
"""Pictures that are kept while others are compared with them."""
_MOST_PIXELS: Final = 4_000_000
"""Of a picture, of a board of A3; larger faces are drawn smaller."""


class Likeness(Enum):
    """What one sees of two faces side by side."""

    SAME = auto()
    NEARLY_SAME = auto()
    CLEARLY_DIFFERENT = auto()


class CloseUps:
    """Compares the trims of faces, whatever their place and turn on the pages of the file.

    On the pages two equal faces differ in the grey of their edges; drawn at the same place they
    do not.
    """

    def __init__(self, pdf: Pdf, forms: Mapping[Form, float]) -> None:
        """The faces that will be compared, each with its bleed, mm."""
        self._pages = {form: number for number, form in enumerate(forms)}
        self._document = pypdfium2.PdfDocument(_one_a_page(pdf, forms)) if forms else None
        self._picture = lru_cache(maxsize=_KEPT)(self._draw)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._picture.cache_clear()
        if self._document is not None:
            self._document.close()

    def compare(self, one: Form, other: Form) -> Likeness:
        """How alike two faces are."""
        if one == other:
            return Likeness.SAME
        a, b = self._picture(one), self._picture(other)
        if a.size != b.size:
            return Likeness.CLEARLY_DIFFERENT
        red, green, blue = ImageChops.difference(a, b).split()
        off = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        extremes: Any = off.getextrema()
        if extremes[1] < _SEEN:
            return Likeness.SAME
        clear = off.point([255 * (level >= _CLEAR) for level in range(256)])
        spots = darkest_near(clear, _SPOT).getbbox()
        return Likeness.CLEARLY_DIFFERENT if spots else Likeness.NEARLY_SAME

    def picture(self, form: Form) -> Image.Image:
        """The trim of one."""
        return self._picture(form)

    def _draw(self, form: Form) -> Image.Image:
        assert self._document is not None
        page = self._document[self._pages[form]]
        width, height = (max(side, 1) for side in page.get_size())
        scale = min(_DPI / 72, math.sqrt(_MOST_PIXELS / (width * height)))
        picture: Image.Image = page.render(scale=scale, rev_byteorder=True).to_pil()
        return picture.convert("RGB")


def _one_a_page(pdf: Pdf, forms: Mapping[Form, float]) -> bytes:
    """A file in which every page is the trim of one face."""
    target = Pdf.new()
    for form, bleed in forms.items():
        face = target.copy_foreign(pdf.get_object(form))
        x1, y1, x2, y2 = (float(value) for value in face.BBox)
        inset = mm_to_pt(bleed)
        page = target.add_blank_page(page_size=(x2 - x1, y2 - y1))
        page.mediabox = Array([x1 + inset, y1 + inset, x2 - inset, y2 - inset])
        page.Resources = Dictionary(XObject=Dictionary(F=face))
        page.Contents = target.make_stream(b"/F Do")
        if "/Matrix" in face:
            del face[Name.Matrix]
    out = io.BytesIO()
    target.save(out, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return out.getvalue()


_NEAR: Final = 10.0
"""Levels of 255 by which small pictures of faces that may be alike differ at most, on average."""
_NEIGHBOURS: Final = 12
"""Faces that each is compared with: of all that are as bright, so that a deck of thousands of
tiles without words is looked through in seconds."""


class ShownFace(Struct, frozen=True):
    """A face as it is drawn: the object in the file, where it is drawn first, and the components
    (kind, id) that show it."""

    form: Form
    page: int
    expected: Expected
    owners: frozenset[tuple[str, str]]


def shown_faces(subject: Subject) -> dict[Form, ShownFace]:
    """Every face that is drawn where the manifest has one."""
    first: dict[Form, tuple[int, Expected]] = {}
    owners: dict[Form, set[tuple[str, str]]] = defaultdict(set)
    for page in subject.matched:
        for match in page.matches:
            if match.draw is not None:
                first.setdefault(match.draw.form, (page.read.number, match.expected))
                owners[match.draw.form].add(match.expected.piece[:2])
    return {form: ShownFace(form, *at, frozenset(owners[form])) for form, at in first.items()}


def forms_by_component(subject: Subject) -> dict[tuple[str, str], dict[str, list[Form]]]:
    """The drawn faces of each component by name of the face, those of its copies once."""
    found: dict[tuple[str, str], dict[str, list[Form]]] = defaultdict(lambda: defaultdict(list))
    for page in subject.matched:
        for match in page.matches:
            forms = found[match.expected.piece[:2]][match.expected.face]
            if match.draw is not None and match.draw.form not in forms:
                forms.append(match.draw.form)
    return found


def traces_by_form(
    faces: dict[Form, ShownFace], traces: Sequence[FaceTrace]
) -> dict[Form, FaceTrace]:
    """The trace that each drawn face has left."""
    forms = {(s.page, s.expected.piece, s.expected.face): s.form for s in faces.values()}
    keyed = ((forms.get((t.page, t.expected.piece, t.expected.face)), t) for t in traces)
    return {form: trace for form, trace in keyed if form is not None}


def near_pairs(traces: dict[Form, FaceTrace]) -> Iterator[tuple[Form, Form]]:
    """Faces of one kind and name that have the same words and are worth a closer look."""
    families: dict[tuple[str, str, str], list[tuple[float, Form]]] = defaultdict(list)
    for form, trace in traces.items():
        family = (trace.expected.kind, trace.expected.face, trace.words)
        families[family].append((_lightness(trace.thumbnail), form))
    for members in families.values():
        members.sort()
        for place, (light, one) in enumerate(members):
            for lighter, other in islice(members, place + 1, place + 1 + _NEIGHBOURS):
                if lighter - light > _NEAR:
                    break
                if _is_near(traces[one], traces[other]):
                    yield one, other


def _lightness(thumbnail: bytes) -> float:
    """The mean of all levels."""
    levels = Image.frombytes("L", (len(thumbnail), 1), thumbnail)
    return float(ImageStat.Stat(levels).mean[0])


def close_ups(
    subject: Subject, faces: dict[Form, ShownFace], pairs: Sequence[tuple[Form, Form]]
) -> CloseUps:
    """What compares the faces of the pairs; to be closed."""
    forms = dict.fromkeys(form for pair in pairs for form in pair)
    return CloseUps(subject.pdf, {form: faces[form].expected.bleed for form in forms})


def _is_near(one: FaceTrace, other: FaceTrace) -> bool:
    if one.size != other.size:
        return False
    a, b = (Image.frombytes("RGB", t.size, t.thumbnail) for t in (one, other))
    difference = ImageStat.Stat(ImageChops.difference(a, b)).mean
    return summed(difference) / 3 <= _NEAR


_NAMED: Final = 4
"""Components that are named in one finding."""
_SHOW_IT: Final = "show on paper what differs, or make it one component with a larger quantity"
ALIKE: Final = "take out of the template what differs, or make it differ clearly"
_AGAIN: Final = "build the pack again: copies are drawn from one picture"

FacePair = tuple[Form, Form]
_Groups = dict[tuple[str, frozenset[tuple[str, int]]], list[str]]
"""The components by kind and look."""


def alike(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
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
            message = f"{named(ids)} of {kind!r} look the same, though their values differ"
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


def differing(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP853: copies look the same, and so do components with the same values."""
    if subject.expected is None:
        return
    faces = shown_faces(subject)
    copies, twins = same_by_right(subject, traces_by_form(faces, traces))
    told: set[FacePair] = set()
    questions = (
        (copies, "copies of {0} look different", _AGAIN, Severity.ERROR),
        (twins, "{0} and {1} with the same values differ", ALIKE, Severity.WARNING),
    )
    with close_ups(subject, faces, [*copies, *twins]) as closely:
        for pairs, message, hint, severity in questions:
            wrong = [p for p in pairs if p not in told and closely.compare(*p) is not Likeness.SAME]
            told |= {*wrong, *((other, one) for one, other in wrong)}
            yield from unlike(faces, wrong, message, hint, severity)


def same_by_right(
    subject: Subject, seen: dict[Form, FaceTrace]
) -> tuple[Sequence[FacePair], Sequence[FacePair]]:
    """The pairs of faces of copies, and of components with the same values."""
    copies = [pair for pair in _copies(subject) if seen.keys() >= set(pair)]
    return copies, [pair for pair in _twins(subject) if _same_words(seen, pair)]


def unlike(
    faces: dict[Form, ShownFace],
    pairs: Sequence[FacePair],
    message: str,
    hint: str,
    severity: Severity = Severity.WARNING,
) -> Iterator[Finding]:
    """GP853 about the first of some pairs of each family, and how many more there are."""
    for kind, face, first, others in _by_family(faces, pairs):
        ids = (repr(shown.expected.component) for shown in first)
        more = f", and {others} more pairs" if others else ""
        text = f"{face}s of {kind!r}: {message.format(*ids)}{more}"
        yield _finding("GP853", text, hint, first[1], severity)


def _by_family(
    faces: dict[Form, ShownFace], pairs: Sequence[FacePair]
) -> Iterator[tuple[str, str, tuple[ShownFace, ShownFace], int]]:
    """Kind, name of the face, the first pair of those, and how many more there are."""
    families: dict[tuple[str, str], list[FacePair]] = defaultdict(list)
    for pair in pairs:
        where = faces[pair[0]].expected
        families[where.kind, where.face].append(pair)
    for (kind, face), (first, *others) in families.items():
        one, other = first
        yield kind, face, (faces[one], faces[other]), len(others)


def _looks(
    subject: Subject, faces: dict[Form, ShownFace], traces: Sequence[FaceTrace]
) -> dict[Form, int]:
    """A number for each drawn face, the same for those that look the same."""
    look = {form: number for number, form in enumerate(faces)}
    pairs = list(near_pairs(traces_by_form(faces, traces)))
    with close_ups(subject, faces, pairs) as closely:
        for one, other in pairs:
            if closely.compare(one, other) is Likeness.SAME:
                look[other] = look[one]
    return look


def _copies(subject: Subject) -> Iterator[FacePair]:
    """The faces of copies of one component that are drawn from more than one picture."""
    for sides in forms_by_component(subject).values():
        for first, *others in filter(None, sides.values()):
            yield from ((first, other) for other in others)


def _twins(subject: Subject) -> Iterator[FacePair]:
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


def _same_words(seen: dict[Form, FaceTrace], pair: FacePair) -> bool:
    """Numbered pieces, told apart by nothing but their number, are meant to differ."""
    one, other = (seen.get(form) for form in pair)
    return one is not None and other is not None and one.words == other.words


def choices_of(expected: ExpectedFile, face: ShownFace) -> dict[str, set[str]]:
    """The values of each choice field that the components with this face have."""
    found: dict[str, set[str]] = defaultdict(set)
    for owner in face.owners & expected.components.keys():
        for name, value in expected.components[owner].choices.items():
            found[name].add(value)
    return found


def named(ids: Sequence[str]) -> str:
    """The first of some ids, and how many there are more."""
    named = ", ".join(map(repr, ids[:_NAMED]))
    return f"{named} and {len(ids) - _NAMED} more" if len(ids) > _NAMED else named


def _finding(code: str, message: str, hint: str, face: ShownFace, severity: Severity) -> Finding:
    where = face.expected
    place = {"page": face.page, "place": where.box}
    return finding_of(where, code, message, hint, severity=severity, **place)


_CHANGED: Final = "build the pack again: something has changed the file since it was made"
_MOST: Final = 60
"""Faces that are looked at closely: who has more has one fault many times."""


def as_rendered(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP857: each face shows what it showed when it was rendered, and is made of the same."""
    expected = subject.expected
    if expected is None or not (expected.forms or expected.proofs):
        return
    reader, unseen = FormReader(subject.pdf, subject.prints), UnseenReader(subject)
    closely, eye = 0, None
    for trace in traces:
        face = trace.expected
        told = expected.forms.get(face.sha256)
        made = reader.read(trace.form) if told is not None else None
        if not trace.changed and (made == told or any(unseen.read(trace.form))):
            continue  # what is not seen is told as such
        closely += 1
        if trace.changed and closely <= _MOST:
            from generator.preflight import differences  # noqa: PLC0415, few files need it

            eye = eye or differences.Eye(expected)
            strict = made != told or expected.painter == PAINTER
            with redrawn(subject.pdf, trace.form) as drawn:
                told_of = list(eye.differences(trace, told, made, drawn, strict=strict))
        elif trace.changed:
            told_of = [("it does not show what was rendered", None)]
        else:
            assert told is not None
            assert made is not None
            told_of = [(made_otherwise(told, made), None)]
        if made != told:
            odd = "; ".join(oddities(subject.pdf.get_object(trace.form)))
            told_of = [(odd, None)] if odd else told_of
        for message, place in told_of:
            more = {} if place is None else {"place": face.on_page(place)}
            yield finding_of(
                face,
                "GP857",
                f"the {face.face} of {face.component!r}: {message}",
                _CHANGED,
                page=trace.page,
                copies=trace.copies,
                **more,
            )


def made_otherwise(told: FormEntry, made: FormEntry) -> str:
    """Of what a face is made otherwise, if it looks alike when it is drawn small."""
    if told.drawing == made.drawing and told.fonts == made.fonts:
        one, other = ([each.digest[: -2 * SHOWN] for each in f.pictures] for f in (told, made))
        if one == other:
            return (
                "one of its pictures, whose pixels are as they were, is shown by another colour"
                " profile, decoding or intent"
            )
    parts = [
        what
        for what, one, other in (
            ("its drawing", told.drawing, made.drawing),
            ("one of its pictures", told.pictures, made.pictures),
            ("one of its fonts", told.fonts, made.fonts),
        )
        if one != other
    ]
    return f"{' and '.join(parts)} was changed after it was rendered, too little to be seen small"
