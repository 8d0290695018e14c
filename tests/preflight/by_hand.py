"""Faces told in a few words in; what preflight expects of a file and the traces it left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from msgspec import structs

from generator.geometry import Rect
from generator.model.catalogue import Shape
from generator.model.face import Side
from generator.model.pack import Backs
from generator.pdf_forms import Fingerprints
from generator.preflight.checking import Subject
from generator.preflight.faces import FaceTrace, packed
from generator.preflight.manifest_reader import (
    Expected,
    ExpectedComponent,
    ExpectedFile,
    ExpectedPage,
)
from generator.preflight.painted import Painted, PaintedShape, PaintedText

Colour = tuple[int, int, int]
INK: Colour = (20, 20, 20)
TRIM = Rect(20, 30, 63, 88)


@dataclass(frozen=True)
class Drawn:
    """One face of a component: words and coloured shapes by place (trim coordinates)."""

    component: str
    choices: Mapping[str, str] = field(default_factory=dict)
    words: Sequence[str] = ()
    shapes: Mapping[tuple[float, float, float, float], Colour] = field(default_factory=dict)
    segments: Mapping[tuple[float, float, float, float], int] = field(default_factory=dict)
    outlines: Mapping[tuple[float, float, float, float], int] = field(default_factory=dict)
    ink: Colour = INK
    copies: int = 1
    quantity: int = 1
    content: str = ""
    kind: str = "card"
    face: str = "front"


def placed(box: Rect, **more: Any) -> Expected:
    """A face that must be in a place; `more` is as `altered` has it."""
    told = {
        "component": "ant", "copy": 1, "kind": "card", "face": "front", "side": Side.FRONT,
        "rotation": 0, "bleed": 3, "clip": None, "shape": Shape.RECTANGLE, "sha256": "0a",
    }  # fmt: skip
    return Expected(**_entry(told | {"box": box} | more))


def altered(face: Expected, **more: Any) -> Expected:
    """The face with another `box`, `clip` (Rects), `outline` (Points) or any other field."""
    return structs.replace(face, **_entry(more))


def _entry(told: dict[str, Any]) -> dict[str, Any]:
    """The fields of a manifest for boxes and points."""
    if "box" in told:
        box = told.pop("box")
        told |= {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    if "clip" in told:
        clip = told.pop("clip")
        told["clip_mm"] = clip and (clip.x, clip.y, clip.width, clip.height)
    if "outline" in told:
        told["edge_mm"] = tuple((corner.x, corner.y) for corner in told.pop("outline"))
    return told


def page_of(
    *placements: Expected, number: int = 1, width: float = 210, height: float = 297
) -> ExpectedPage:
    """A page without a ruler that must be there."""
    return ExpectedPage(
        number=number, side=Side.FRONT, width=width, height=height, margin=0, ruler_mm=None,
        placements=placements,
    )  # fmt: skip


def expected(drawn: Drawn, copy: int = 1) -> Expected:
    shown = sorted(drawn.shapes.items()), sorted(drawn.outlines.items()), drawn.ink
    told = f"{shown} {drawn.words} {drawn.kind} {drawn.face}"
    return placed(
        TRIM,
        component=drawn.component,
        copy=copy,
        kind=drawn.kind,
        face=drawn.face,
        side=Side.BACK if drawn.face == "back" else Side.FRONT,
        sha256=hashlib.sha256(told.encode()).hexdigest(),
        source=f"cards/hand/{drawn.component}.yaml:3:5",
    )


def trace_of(drawn: Drawn, page: int = 1) -> FaceTrace:
    where = expected(drawn)
    texts = tuple(
        PaintedText(
            where.on_page(Rect(5, 10 * n, 30, 4)), 9, "Body", words, drawn.ink, 255, 0, 0, n
        )
        for n, words in enumerate(drawn.words)
    )
    shapes = tuple(
        PaintedShape(
            where.on_page(Rect(*place)),
            drawn.segments.get(place, 5),
            colour,
            None,
            255,
            100 + n,
            drawn.outlines.get(place, 0),
        )
        for n, (place, colour) in enumerate(drawn.shapes.items())
    )
    painted = Painted(texts, (), shapes)
    words = " ".join(drawn.words)
    return FaceTrace(where, page, drawn.copies, (1, 1), bytes(3), words, packed(painted, where.box))


def deck(*faces: Drawn) -> tuple[Subject, list[FaceTrace]]:
    """A file with one page, and the traces of its faces, those that look the same once."""
    placements = [expected(drawn, copy + 1) for drawn in faces for copy in range(drawn.copies)]
    components = {
        (drawn.kind, drawn.component): ExpectedComponent(
            drawn.kind,
            drawn.component,
            drawn.quantity,
            drawn.content or drawn.component,
            drawn.choices,
            f"cards/hand/{drawn.component}.yaml:3:5",
        )
        for drawn in faces
    }
    page = page_of(*placements)
    file = ExpectedFile(Backs.NONE, "", {}, (page,), components=components)
    traces = {trace.expected.sha256: trace for trace in map(trace_of, reversed(faces))}
    pdf = pikepdf.new()
    subject = Subject("cards.pdf", pdf, Fingerprints(pdf), "", (), file)
    return subject, list(traces.values())[::-1]
