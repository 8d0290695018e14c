"""What was found on many faces in; each fault told once, in order, out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from generator.diagnostics import Diagnostic, Span, in_order


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic and the face it was found on, such as `the front of 'basic'`.

    `template` is the place in a template that is at fault; None when it is an author's value.
    Findings there with one `topic` are one fault, even where their measures differ.
    """

    diagnostic: Diagnostic
    face: str
    template: Span | None = None
    topic: str = ""


def told_once(findings: Iterable[Finding]) -> tuple[Diagnostic, ...]:
    """A template's fault shows on every face it draws, but is one fault: it is told once, with
    the first such face and the number of the others."""
    first: dict[object, Finding] = {}
    faces: dict[object, set[str]] = {}
    for finding in findings:
        told = finding.diagnostic
        where = finding.template or told.span
        key = (where, told.code, told.severity, finding.topic or told.message)
        first.setdefault(key, finding)
        faces.setdefault(key, set()).add(finding.face)
    return in_order(_told(finding, len(faces[key]) - 1) for key, finding in first.items())


def _told(finding: Finding, others: int) -> Diagnostic:
    told = finding.diagnostic
    if finding.template is None:
        return told
    more = f" and {others} more" if others else ""
    return dataclasses.replace(told, message=f"{told.message} ({finding.face}{more})")
