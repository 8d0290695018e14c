"""Checks for what prints otherwise than any screen shows it: overprinting, screens, tones and black
by functions of its own, inks of its own, intents, layers.

None of that is in a proof, and a digest tells only that something is otherwise. So it is judged by
what a file says, whatever its manifest says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pikepdf import Array, Dictionary, Name, Object, Stream

from generator.diagnostics import Severity
from generator.pdf_forms import Form, forms_in
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.paints import COARSE, FINE, of_state, paints_of

_CATEGORIES: Final = frozenset(
    "/ExtGState /ColorSpace /Pattern /Shading /XObject /Font /Properties /CharProcs".split()
)
"""Of resources: what is in them is named by whoever wrote them."""
_ASIDE: Final = frozenset("/Parent /FontDescriptor /ToUnicode /Widths /W /Encoding".split())
_OVER: Final = "something in it overprints what lies below"
_INTENT: Final = "its colours are converted by another intent"
_OTHER_COLOURS: Final = "its grey, RGB or CMYK is told to be another one"
_DEFAULTS: Final = frozenset(("/DefaultGray", "/DefaultRGB", "/DefaultCMYK"))
_LAYER: Final = "it is on a layer: whether it is printed hangs on that"
_USUAL_INTENT: Final = Name.RelativeColorimetric
_OPERATORS: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?"
    rb"|(?<![^\s\])>])(?:([-+]?(?:\d++\.?+\d*+|\.\d++))|/(\w++))\s++(ri|i)(?=\s|$)",
    re.S,
)
_WORD: Final = b"/Artifact"
"""All that a build writes in a face with an i in it; searching for that letter alone is fast."""
_HINT: Final = "build the pack again: something has changed the file since it was made"


def as_seen(subject: Subject) -> Iterator[Finding]:
    """GP844: every face prints as it is seen: nothing of that kind is in what a build draws."""
    reader = UnseenReader(subject)
    told: dict[Form, str] = {}
    for page in subject.matched:
        for match in page.matches:
            if match.draw is None:
                continue
            form = match.draw.form
            if form not in told:
                told[form] = "; ".join(reader.read(form))
                if told[form]:
                    face = match.expected
                    message = f"the {face.face} of {face.component!r}: {told[form]}"
                    yield finding_of(face, "GP844", message, _HINT, page=page.read.number)


class UnseenReader:
    """Reads faces of one file; what many of them draw is read once."""

    def __init__(self, subject: Subject) -> None:
        self._pdf, self._prints = subject.pdf, subject.prints
        self._set: dict[Form, tuple[str, ...]] = {}

    def read(self, form: Form) -> Iterator[str]:
        """What a face does that is not seen, in words. Only one that names such a thing is
        followed."""
        face = self._pdf.get_object(form)
        found = dict.fromkeys(_followed(face)) if self._prints.is_noted(form) else {}
        for part in forms_in(face):
            found |= dict.fromkeys(self._set_in(part))
        yield from found

    def _set_in(self, part: Object) -> tuple[str, ...]:
        if part.objgen not in self._set:
            content = part.read_bytes()
            begins = content.count(b"i") > content.count(_WORD)
            self._set[part.objgen] = tuple(_set_in(content)) if begins else ()
        return self._set[part.objgen]


def _set_in(content: bytes) -> Iterator[str]:
    """What a content stream sets by operators of its own."""
    for match in _OPERATORS.finditer(content):
        if match[3] == b"ri" and match[2] != b"RelativeColorimetric":
            yield _INTENT
        elif match[3] == b"i" and float(match[1] or 0) > FINE:
            yield COARSE


def _followed(form: Object) -> Iterator[str]:
    """The same of a face with all that it leads to."""
    seen: set[Form] = set()
    waiting: list[Any] = [form]
    while waiting:
        thing = waiting.pop()
        if not isinstance(thing, Array | Dictionary | Stream):
            continue
        if thing.is_indirect:
            if thing.objgen in seen:
                continue
            seen.add(thing.objgen)
        if isinstance(thing, Array):
            yield from _of_space(thing)
            waiting += list(thing)
            continue
        yield from _of(thing)
        for key, value in thing.items():
            if key in _CATEGORIES and isinstance(value, Dictionary):
                if key == "/ColorSpace" and _DEFAULTS & set(value.keys()):
                    yield _OTHER_COLOURS
                waiting += [each for _, each in value.items()]
            elif key not in _ASIDE:
                waiting.append(value)


def _of(thing: Any) -> Iterator[str]:
    yield from of_state(thing)
    if thing.get("/OP") is True or thing.get("/op") is True:
        yield _OVER
    key = "/Intent" if thing.get("/Subtype") == Name.Image else "/RI"
    if thing.get(key, _USUAL_INTENT) != _USUAL_INTENT:
        yield _INTENT
    if "/OC" in thing:
        yield _LAYER
    if "/Alternates" in thing:
        yield "one of its pictures has another in its place for print"
    if thing.get("/K") is True and thing.get("/S") == Name.Transparency:
        yield "what is in it knocks out what lies below, where it should mix"


def _of_space(space: Array) -> Iterator[str]:
    """The inks of its own that a colour space prints with."""
    if len(space) < 2 or space[0] not in (Name.Separation, Name.DeviceN):
        return
    names = [space[1]] if space[0] == Name.Separation else list(space[1])
    inks = ", ".join(f"‘{str(name).removeprefix('/')}’" for name in names)
    yield f"it is printed in inks of its own: {inks}"


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
