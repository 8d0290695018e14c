"""Faces told in a few words in; what preflight expects of a file and the traces it left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pikepdf

from generator.diagnostics import Span
from generator.geometry import Rect
from generator.model.pack import Backs
from generator.model.sheet import Side
from generator.model.stock import Shape
from generator.preflight.expectation import (
    Expected,
    ExpectedComponent,
    ExpectedFile,
    ExpectedPage,
)
from generator.preflight.faces import Trace
from generator.preflight.marks import on_page, packed
from generator.preflight.painted import Painted, PaintedShape, PaintedText
from generator.preflight.subject import Subject

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
    copies: int = 1
    quantity: int = 1
    content: str = ""
    kind: str = "card"
    face: str = "front"


def expected(drawn: Drawn, copy: int = 1) -> Expected:
    told = f"{sorted(drawn.shapes.items())} {drawn.words} {drawn.kind} {drawn.face}"
    return Expected(
        drawn.component,
        copy,
        drawn.kind,
        drawn.face,
        Side.BACK if drawn.face == "back" else Side.FRONT,
        TRIM,
        0,
        3,
        None,
        Shape.RECTANGLE,
        hashlib.sha256(told.encode()).hexdigest(),
        Span(f"cards/hand/{drawn.component}.yaml", 3, 5),
    )


def trace_of(drawn: Drawn, page: int = 1) -> Trace:
    where = expected(drawn)
    texts = tuple(
        PaintedText(on_page(Rect(5, 10 * n, 30, 4), where), 9, "Body", words, INK, 255, 0, 0, n)
        for n, words in enumerate(drawn.words)
    )
    shapes = tuple(
        PaintedShape(on_page(Rect(*place), where), 5, colour, None, 255, 100 + n)
        for n, (place, colour) in enumerate(drawn.shapes.items())
    )
    painted = Painted(texts, (), shapes)
    words = " ".join(drawn.words)
    return Trace(where, page, drawn.copies, (1, 1), bytes(3), words, packed(painted, where.box))


def deck(*faces: Drawn) -> tuple[Subject, list[Trace]]:
    """A file with one page, and the traces of its faces, those that look the same once."""
    placements = [expected(drawn, copy + 1) for drawn in faces for copy in range(drawn.copies)]
    components = {
        (drawn.kind, drawn.component): ExpectedComponent(
            drawn.kind,
            drawn.component,
            drawn.quantity,
            drawn.content or drawn.component,
            drawn.choices,
            Span(f"cards/hand/{drawn.component}.yaml", 3, 5),
        )
        for drawn in faces
    }
    page = ExpectedPage(1, Side.FRONT, 210, 297, None, tuple(placements))
    file = ExpectedFile(Backs.NONE, "", {}, (page,), components=components)
    traces = {trace.expected.sha256: trace for trace in map(trace_of, reversed(faces))}
    return Subject("cards.pdf", pikepdf.new(), "", (), file), list(traces.values())[::-1]
