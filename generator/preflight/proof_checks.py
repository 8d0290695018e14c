"""The traces of all faces in; findings about those that are not what was rendered, by their proofs
and by what they are made of, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.model.manifest import FormEntry
from generator.pdf_forms import FormReader
from generator.preflight.checking import Finding, Subject, finding_of
from generator.preflight.faces import Trace
from generator.proofs import PAINTER

_AGAIN: Final = "build the pack again: something has changed the file since it was made"
_MOST: Final = 200
"""Faces that are looked at closely: who has more has one fault many times."""


def as_rendered(subject: Subject, traces: Sequence[Trace]) -> Iterator[Finding]:
    """GP857: each face shows what it showed when it was rendered, and is made of the same."""
    expected = subject.expected
    if expected is None or not (expected.forms or expected.proofs):
        return
    reader = FormReader(subject.pdf)
    closely = 0
    for trace in traces:
        face = trace.expected
        told = expected.forms.get(face.sha256)
        made = reader.read(trace.form) if told is not None else None
        if not trace.changed and made == told:
            continue
        closely += 1
        if trace.changed and closely <= _MOST:
            from generator.preflight.likening import Eye  # noqa: PLC0415, few files need it

            eye = Eye(expected)
            strict = made != told or expected.painter == PAINTER
            told_of = list(eye.differences(trace, told, made, strict=strict))
        elif trace.changed:
            told_of = [("it does not show what was rendered", None)]
        else:
            assert told is not None
            assert made is not None
            told_of = [(_unlike(told, made), None)]
        for message, place in told_of:
            more = {} if place is None else {"place": face.on_page(place)}
            yield finding_of(
                face,
                "GP857",
                f"the {face.face} of {face.component!r}: {message}",
                _AGAIN,
                page=trace.page,
                copies=trace.copies,
                **more,
            )


def _unlike(told: FormEntry, made: FormEntry) -> str:
    """Of what a face is made otherwise, if it looks alike when it is drawn small."""
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
