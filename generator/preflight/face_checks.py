"""Checks a face right after it was drawn, and notes what checks of the whole set compare."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Container
from typing import Final

from generator.geometry import Rect
from generator.model.painted import (
    CheckedFace,
    FaceFinding,
    FaceGeometry,
    FaceTraits,
    PaintedArt,
    PaintedPicture,
    PaintedShape,
    PictureLooks,
)
from generator.preflight.face_edges import border_width, edge_findings
from generator.preflight.face_lines import line_findings
from generator.preflight.face_pictures import picture_findings
from generator.preflight.face_scene import Scene
from generator.preflight.face_texts import text_findings

_MOST_FORMS: Final = 400
_MOST_FILLS: Final = 32
_LEAST_SHARE: Final = 0.002
"""Share of the trim: a smaller spot shows no value by its colour."""


def look_over(
    face: FaceGeometry, looks: PictureLooks, *, compared: Container[str] = ()
) -> CheckedFace:
    """Return what is wrong with a face, and its traits for checks of the set; of `compared` kinds,
    all of them."""
    scene = Scene(face, looks)
    if face.kind in compared:
        return CheckedFace(_findings(scene, looks), traits_of(face))
    return CheckedFace(_findings(scene, looks), FaceTraits(border=border_width(scene)))


def _findings(scene: Scene, looks: PictureLooks) -> tuple[FaceFinding, ...]:
    found = [
        *text_findings(scene),
        *picture_findings(scene, looks),
        *edge_findings(scene),
        *line_findings(scene),
    ]
    return tuple(sorted(found, key=lambda each: -1 if each.about is None else each.about))


def traits_of(face: FaceGeometry) -> FaceTraits:
    """Return the traits of a face that are compared with other faces of its set."""
    trim = Rect(0, 0, face.stock.trim.width, face.stock.trim.height)
    shares: dict[str, float] = defaultdict(float)
    forms: set[int] | None = set()
    for thing in face.painted:
        if isinstance(thing, PaintedArt):
            forms = None
        elif isinstance(thing, PaintedShape | PaintedPicture):
            if isinstance(thing, PaintedShape) and thing.colour:
                shares[thing.colour] += _area(thing, trim) / (trim.width * trim.height)
            if forms is not None:
                forms.update(_forms(thing))
                forms = forms if len(forms) <= _MOST_FORMS else None
    most = sorted(((-share, colour) for colour, share in shares.items() if share >= _LEAST_SHARE))
    return FaceTraits(
        tuple((colour, round(-share, 4)) for share, colour in most[:_MOST_FILLS]),
        None if forms is None else tuple(sorted(forms)),
        border_width(Scene(face, lambda _: None)),
    )


def _area(shape: PaintedShape, trim: Rect) -> float:
    """Return roughly how much of the trim a shape covers, mm²."""
    shown = shape.box.cut_to(trim)
    if shape.line:
        return shape.line * (shown.width + shown.height)
    whole = shape.box.width * shape.box.height
    return min(shape.area, whole) * (shown.width * shown.height / whole) if whole else 0.0


def _forms(thing: PaintedShape | PaintedPicture) -> tuple[int, int]:
    """Return digests of a thing without its colour, without and with its place to a tenth of a
    mm."""
    if isinstance(thing, PaintedPicture):
        form = zlib.crc32(thing.href.encode())
    else:
        form = zlib.crc32(b"%d %s" % (round(100 * thing.line), thing.path.encode()))
    box = thing.box
    place = (round(10 * value) for value in (box.x, box.y, box.width, box.height))
    return form, zlib.crc32(b"%d %d %d %d" % (*place,), form)
