"""File and manifest in, findings about what one has and the other has not out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.geometry import Point, Rect
from generator.preflight.finding import Finding
from generator.preflight.matching import PLACE_TOLERANCE, Match, distance
from generator.preflight.subject import Subject

_AGAIN: Final = "build the pack again: file and manifest are written together"
_TURN_TOLERANCE: Final = 0.05
"""Degrees: 0.1 mm at the corner of a poker card."""
_SCALE_TOLERANCE: Final = 0.0005
"""0.05 mm in the width of a page of A4."""


def agreement(subject: Subject) -> Iterator[Finding]:
    """GP806: the file is the one that the manifest describes, page by page, face by face."""
    if subject.expected is None:
        return
    if subject.sha256 != subject.expected.sha256:
        yield subject.fault("GP806", "the file is not the one that was built (its sha256)", _AGAIN)
    pages, wanted = len(subject.pages), len(subject.expected.pages)
    if pages != wanted:
        message = f"the file has {pages} pages, the manifest {wanted}"
        yield subject.fault("GP806", message, _AGAIN)
    for page in subject.matched:
        number = page.read.number
        drawn, listed = len(page.read.draws), len(page.matches)
        if drawn != listed:
            message = f"{drawn} faces are drawn, the manifest lists {listed}"
            yield subject.fault("GP806", message, _AGAIN, number)
        for match in page.matches:
            for message in differences(match):
                yield subject.fault("GP806", message, _AGAIN, number, match.expected)
        for what in page.read.others:
            message = f"{what} is put on the page that is neither a face nor a mark"
            yield subject.fault("GP806", message, _AGAIN, number)
        for draw in page.surplus:
            x, y = draw.centre.x, draw.centre.y
            message = f"something is drawn about ({x:.2f}, {y:.2f}) mm that is not in the manifest"
            yield subject.fault("GP806", message, _AGAIN, number)


def differences(match: Match) -> Iterator[str]:
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
        yield f"the {want} is turned by {draw.rotation:.1f}°, not by {want.rotation}°"
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
    elif min(bleeds) < want.bleed - PLACE_TOLERANCE:
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
