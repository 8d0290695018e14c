"""What is placed in a file in, findings about pieces and faces that are missing or too many out.

The pieces are counted where the manifest has them: that they are drawn there is GP806.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

from generator.model.sheet import PosterPage
from generator.preflight.expectation import Expected
from generator.preflight.finding import Finding
from generator.preflight.registration_checks import FRONT_FACE
from generator.preflight.subject import Subject

_AGAIN: Final = "build the pack again: nothing may be left out of the file or put into it"


def counts(subject: Subject) -> Iterator[Finding]:
    """GP851: of each component there are as many pieces as its quantity."""
    if subject.expected is None:
        return
    pieces: dict[tuple[str, str], set[int]] = defaultdict(set)
    first: dict[tuple[str, str], tuple[int, Expected | None]] = {}
    nowhere = (0, None)
    for number, placed in _placed(subject):
        pieces[placed.kind, placed.component].add(placed.copy)
        first.setdefault((placed.kind, placed.component), (number, placed))
    for key, component in subject.expected.components.items():
        there = len(pieces[key])
        if there != component.quantity:
            yield _finding(
                "GP851",
                f"{there} of {component.id!r} are in the file, its quantity is"
                f" {component.quantity}",
                *first.get(key, nowhere),
                component=f"{component.kind}/{component.id}",
                source=component.source,
            )


def faces_present(subject: Subject) -> Iterator[Finding]:
    """GP854: every piece has a front if its kind has one, and all the faces that other copies of
    the component have. A component without a back at all is meant to be blank behind."""
    needed: dict[tuple[str, str], set[str]] = defaultdict(set)
    of_piece: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    first: dict[tuple[str, str, int], tuple[int, Expected]] = {}
    for number, placed in _placed(subject):
        needed[placed.piece[:2]].add(placed.face)
        of_piece[placed.piece].add(placed.face)
        first.setdefault(placed.piece, (number, placed))
    with_front = {kind for (kind, _), faces in needed.items() if FRONT_FACE in faces}
    for piece, faces in of_piece.items():
        number, placed = first[piece]
        front = {FRONT_FACE} if placed.kind in with_front else set()
        for missing in sorted((needed[piece[:2]] | front) - faces):
            message = f"{placed.component!r}, copy {placed.copy}, has no {missing}"
            yield _finding("GP854", message, number, placed)
    yield from _missing_pages(subject)


def _missing_pages(subject: Subject) -> Iterator[Finding]:
    """Posters that lack pages."""
    there: dict[tuple[str, str, int], set[tuple[int, int]]] = defaultdict(set)
    first: dict[tuple[str, str, int], tuple[int, Expected, PosterPage]] = {}
    for number, placed in _placed(subject):
        if placed.poster is not None:
            there[placed.piece].add((placed.poster.row, placed.poster.column))
            first.setdefault(placed.piece, (number, placed, placed.poster))
    for piece, (number, placed, page) in first.items():
        missing = page.rows * page.columns - len(there[piece])
        if missing > 0:
            pages = "a page" if missing == 1 else f"{missing} pages"
            message = f"the {placed} lacks {pages} of {page.rows * page.columns}"
            yield _finding("GP854", message, number, placed)


def faces_unique(subject: Subject) -> Iterator[Finding]:
    """GP855: each face of each piece, and of a poster each page, is in the file once."""
    times = Counter(_part(placed) for _, placed in _placed(subject))
    told = set()
    for number, placed in _placed(subject):
        key = _part(placed)
        if times[key] > 1 and key not in told:
            told.add(key)
            message = f"the {placed} stands {times[key]} times in the file"
            yield _finding("GP855", message, number, placed)


def _part(placed: Expected) -> tuple[object, ...]:
    page = placed.poster
    return placed.piece, placed.face, page and (page.row, page.column)


def _placed(subject: Subject) -> Iterator[tuple[int, Expected]]:
    """Every placement with the number of its page."""
    for page in subject.expected.pages if subject.expected else ():
        for placed in page.placements:
            yield page.number, placed


def _finding(code: str, message: str, number: int, placed: Expected | None, **more: Any) -> Finding:
    if placed is not None:
        found = {
            "place": placed.finished,
            "component": f"{placed.kind}/{placed.component}",
            "source": placed.source,
        }
        more = found | more
    return Finding(code, message, _AGAIN, page=number, **more)
