"""File and manifest in; findings about what one has and the other has not: pages, faces, pieces,
words.

The pieces are counted where the manifest has them: that they are drawn there is GP806.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from generator.geometry import Point, Rect
from generator.model.manifest import PosterEntry
from generator.model.pack import Backs
from generator.preflight.checking import (
    PLACE_TOLERANCE,
    Finding,
    Match,
    Subject,
    distance,
    finding_of,
)
from generator.preflight.faces import FaceTrace
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.sheet_checks import FRONT_FACE

NOT_BUILT: Final = "the file is not the one that was built (its sha256)"
_AGAIN: Final = "build the pack again: file and manifest are written together"
_TURN_TOLERANCE: Final = 0.01
"""Degrees: 0.01 mm at the corner of a poker card, 0.05 mm at that of a page of A4."""
_SCALE_TOLERANCE: Final = 0.0001
"""0.02 mm in the width of a page of A4."""


def agreement(subject: Subject) -> Iterator[Finding]:
    """GP806: the file is the one that the manifest describes, page by page, face by face."""
    if subject.expected is None:
        return
    for message in _at_large(subject, subject.expected):
        yield subject.fault("GP806", message, _AGAIN)
    for page in subject.matched:
        number = page.read.number
        drawn, listed = len(page.read.draws), len(page.matches)
        if drawn != listed:
            message = f"{drawn} faces are drawn, the manifest lists {listed}"
            yield subject.fault("GP806", message, _AGAIN, number)
        for match in page.matches:
            for message in drawn_otherwise(match):
                yield subject.fault("GP806", message, _AGAIN, number, match.expected)
        for what in page.read.others:
            message = f"{what} is put on the page that is neither a face nor a mark"
            yield subject.fault("GP806", message, _AGAIN, number)
        for draw in page.surplus:
            x, y = draw.centre.x, draw.centre.y
            message = f"something is drawn about ({x:.2f}, {y:.2f}) mm that is not in the manifest"
            yield subject.fault("GP806", message, _AGAIN, number)


def _at_large(subject: Subject, expected: ExpectedFile) -> Iterator[str]:
    """What file and manifest differ in as a whole, and what the manifest leaves out."""
    if subject.sha256 != expected.sha256:
        yield NOT_BUILT
    if expected.untold:
        untold = "; ".join(expected.untold)
        yield f"the manifest lacks what every build tells, which nobody could look for: {untold}"
    pages, wanted = len(subject.pages), len(expected.pages)
    if pages != wanted:
        yield f"the file has {pages} pages, the manifest {wanted}"


def drawn_otherwise(match: Match) -> Iterator[str]:
    """How a face is drawn in another way than it should be, in words."""
    want, draw = match.expected, match.draw
    if draw is None:
        yield f"the {want} is not drawn"
        return
    off = distance(draw.centre, want.box.centre)
    if off > PLACE_TOLERANCE:
        yield f"the {want} is {off:.2f} mm away from its place"
    turn = (draw.rotation - want.rotation + 180) % 360 - 180
    if abs(turn) > _TURN_TOLERANCE:
        turned_by = (draw.rotation + 1) % 360 - 1  # 359.97° is a little the other way
        yield f"the {want} is turned by {turned_by:.4g}°, not by {want.rotation}°"
    if draw.scale[1] < 0:
        yield f"the {want} is mirrored"
        return
    for scale in draw.scale:
        if abs(scale - 1) > _SCALE_TOLERANCE:
            yield f"the {want} is drawn at {100 * scale:.2f} % of its size"
            return
    size = want.box.size if want.rotation % 180 == 0 else want.box.size.turned
    if off <= PLACE_TOLERANCE and _is_cut_otherwise(match):
        yield f"the {want} is cut to another part of it than it should be"
    bleeds = ((draw.width - size.width) / 2, (draw.height - size.height) / 2)
    if abs(bleeds[0] - bleeds[1]) > PLACE_TOLERANCE:
        yield f"the {want} is not {size.width:g} × {size.height:g} mm and an even bleed"
    elif abs(min(bleeds) - want.bleed) > PLACE_TOLERANCE:
        yield f"the {want} has {min(bleeds):.2f} mm of bleed, not {want.bleed:g} mm"


def _is_cut_otherwise(match: Match) -> bool:
    """True when a clip path shows more of a face, or less, than the manifest has."""
    want, draw = match.expected, match.draw
    if draw is None:
        return False
    turned = want.rotation % 180 != 0
    width, height = (draw.height, draw.width) if turned else (draw.width, draw.height)
    whole = Rect(draw.centre.x - width / 2, draw.centre.y - height / 2, width, height)
    shown = whole if draw.window is None else whole.cut_to(draw.window)
    if not (
        shown.contains(want.art, PLACE_TOLERANCE) and want.art.contains(shown, PLACE_TOLERANCE)
    ):
        return True
    return any(not _is_near(corner, draw.clip) for corner in want.outline)


def _is_near(corner: Point, corners: Sequence[Point]) -> bool:
    return any(distance(corner, other) <= PLACE_TOLERANCE for other in corners)


_REBUILT: Final = "build the pack again: nothing may be left out of the file or put into it"


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
    yield from _missing_backs(subject)
    yield from _missing_pages(subject)


def _missing_backs(subject: Subject) -> Iterator[Finding]:
    """Sheets of which a side is gone, with its page in the manifest."""
    expected = subject.expected
    if expected is None or expected.backs not in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT):
        return
    pages, labels = expected.pages, {page.label for page in expected.pages}
    for page in pages:
        sheet, _, side = page.label.partition(" ")
        other = {"front": "back", "back": "front"}.get(side)
        if other and f"{sheet} {other}" not in labels:
            message = f"sheet {sheet} has a {side} and no {other}"
            yield Finding("GP854", message, _REBUILT, page=page.number)


def _missing_pages(subject: Subject) -> Iterator[Finding]:
    """Posters that lack pages."""
    there: dict[tuple[str, str, int], set[tuple[int, int]]] = defaultdict(set)
    first: dict[tuple[str, str, int], tuple[int, Expected, PosterEntry]] = {}
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
    if placed is None:
        return Finding(code, message, _REBUILT, page=number, **more)
    return finding_of(placed, code, message, _REBUILT, page=number, **more)


_REBUILD: Final = "build the pack again: the words in the file are not those that were drawn"
_LONGEST: Final = 40
"""Letters of a face that a message shows."""


def own_words(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP856: each face shows the letters and digits of its own words, each as often as it should.

    Their order, and signs such as hyphens, which PDF readers take out, are not compared; nor are
    posters, of which no page has all the words. A text that is drawn twice, as with a shadow, may
    count once: readers take what lies nearly on itself for one. And they may count a letter with
    accents that a font sets of parts more than once.
    """
    for trace in traces:
        face = trace.expected
        if face.words is None or face.poster is not None:
            continue
        texts, there = face.words.split("\n"), _letters(trace.words)
        most, least = _letters(*texts), _letters(*set(texts))
        missing, surplus = (least - there).total(), (there - most).total()
        if missing or there.keys() - most.keys():
            yield finding_of(
                face,
                "GP856",
                f"the {face.face} of {face.component!r} does not show its own words,"
                f" {_quoted(face.words)}: of its letters {missing} are missing, {surplus} too many",
                _REBUILD,
                page=trace.page,
                copies=trace.copies,
            )


def _letters(*texts: str) -> Counter[str]:
    """How often each letter and digit comes; ligatures and accents taken apart."""
    found: Counter[str] = Counter()
    for sign, count in Counter("".join(texts)).items():
        for part in _parts(sign):
            found[part] += count
    return found


@lru_cache(maxsize=4096)
def _parts(sign: str) -> tuple[str, ...]:
    """The letters and digits in a sign."""
    plain = unicodedata.normalize("NFKD", sign)
    return tuple(part for part in plain if unicodedata.category(part)[0] in "LN")


def _quoted(words: str) -> str:
    words = words.replace("\n", " ")
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"‘{words}’" if words else "none"
