"""What a pack requires in, the packs that are meant, read, and what is wrong with them out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sized
from typing import Final

from generator.diagnostics import Diagnostic, Outcome, Severity, did_you_mean
from generator.load.documents import read_document
from generator.model.source import Document, Mapping, PackSource, Scalar
from generator.project import PACK_FILE, Project
from generator.versions import fits, is_requirement

REQUIRES: Final = "requires"
MAX_REQUIRED: Final = 50
"""Packs on one way from a pack through what it requires, and beside each other on it."""

Names = Callable[[], Collection[str]]
Reader = Callable[[str], Outcome[PackSource | None]]


def read_required(
    head: Document | None, packs: Names, above: tuple[str, ...], read: Reader
) -> tuple[tuple[PackSource, ...], list[Diagnostic]]:
    """The packs that a pack.yaml requires, in its order, and their errors.

    GP001 for one that is nowhere, GP006 for a version that does not fit, GP007 for packs that
    require each other. `packs` says which there are; `above` are the names of the packs that led
    here, this one's the last. Warnings of a required pack are for who builds that.
    """
    found: list[PackSource] = []
    faults: list[Diagnostic] = []
    for name, wanted in _requirements(head):
        known = packs()
        fault = _missing(name, known) or _circle(name, above) or _too_many(name, above, found)
        if fault is None:
            outcome = read(name.text)
            faults += [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
            if outcome.value is None:
                continue
            found.append(outcome.value)
            fault = _misfit(name, wanted, outcome.value)
        if fault is not None:
            faults.append(fault)
    return tuple(found), faults


def required_packs(project: Project, pack: str) -> tuple[str, ...]:
    """The names of all packs that a pack needs, nearest first, as far as they are there; of each
    only pack.yaml is read."""
    known = project.known_packs()
    found = [pack]
    for name in found:  # grows on the way
        path = project.cards(name) / PACK_FILE
        head = read_document(path, project.display(path), project.roots).value
        asked = (other.text for other, _ in _requirements(head))
        found += [other for other in asked if other in known and other not in found]
    return tuple(found[1:])


def _requirements(head: Document | None) -> Iterator[tuple[Scalar, str]]:
    """Each pack's name, and the bounds of its version; what is no such pair validate tells of."""
    node = head.root.get(REQUIRES) if head and isinstance(head.root, Mapping) else None
    for name, wanted in node.entries if isinstance(node, Mapping) else ():
        if isinstance(wanted, Scalar) and is_requirement(wanted.text):
            yield name, wanted.text


def _missing(name: Scalar, known: Collection[str]) -> Diagnostic | None:
    if name.text in known:
        return None
    hint = did_you_mean(name.text, known) or "put it into the project, beside this pack"
    return Diagnostic(name.span, "GP001", f"requires: there is no pack {name.text!r}", hint)


def _too_many(name: Scalar, above: Sized, beside: Sized) -> Diagnostic | None:
    if len(above) + len(beside) <= MAX_REQUIRED:
        return None
    message = f"requires: {name.text} would be more than {MAX_REQUIRED} packs"
    return Diagnostic(name.span, "GP110", message, "put what is needed of them into one pack")


def _circle(name: Scalar, above: tuple[str, ...]) -> Diagnostic | None:
    if name.text not in above:
        return None
    way = " requires ".join((*above[above.index(name.text) :], name.text))
    hint = "move what both need into a pack of its own, and require that"
    return Diagnostic(name.span, "GP007", f"requires: a circle, {way}", hint)


def _misfit(name: Scalar, wanted: str, source: PackSource) -> Diagnostic | None:
    root = source.pack.root
    node = root.get("version") if isinstance(root, Mapping) else None
    if not isinstance(node, Scalar) or fits(node.text, wanted):
        return None
    message = f"requires: {name.text} {wanted} is needed, and this is {node.text}"
    hint = f"its version stands at {node.span}; get another, or change what is required"
    return Diagnostic(name.span, "GP006", message, hint)
