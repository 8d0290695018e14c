"""A face file: the layout of a face as boxes with numbers, which needs no template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from generator.diagnostics import Span
from generator.model.values import SourceText

SUFFIX: Final = ".face.yaml"
"""Ends the names of face files, to tell them from templates."""
ROW, COLUMN, TABLE = "row", "column", "table"
BOX_SHAPES: Final = (
    "rectangle", "circle", "hexagon", "diamond", "shield", "star", "banner", "octagon",
)  # fmt: skip

At = tuple[float, float, float, float]
"""The left and top edge of a box, and its width and height, mm from the top-left corner of the
trim."""


class BoxEdge(Struct, frozen=True):
    """A line around a box: its colour and its width, mm."""

    colour: SourceText
    width: float


class FaceBox(Struct, frozen=True):
    """A box of a face: `what` it is, such as `text`, and `value`, what is written behind that word.
    `span` is the place of its name. A row or column has `boxes`, which share its place; a table has
    two for each of its lines, the words and the value.

    `size` is in pt, as are `steps`, the smaller sizes to try. `gap`, `radius` and `width` are in
    mm, `turn` is in degrees. None means that the file says nothing.
    """

    name: str
    span: Span
    what: str
    value: SourceText
    at: At
    when: SourceText | None = None
    style: SourceText | None = None
    size: float | None = None
    steps: tuple[float, ...] = ()
    align: str | None = None
    valign: str = "top"
    colour: SourceText | None = None
    ground: SourceText | None = None
    edge: BoxEdge | None = None
    fit: str = "cover"
    focus: SourceText | None = None
    shape: str | None = None
    radius: float = 0.0
    width: float = 0.3
    opacity: float = 1.0
    turn: float = 0.0
    times: SourceText | None = None
    gap: float = 0.0
    across: int | None = None
    lines: SourceText | None = None
    boxes: tuple[FaceBox, ...] = ()


class FaceLayout(Struct, frozen=True):
    """The ground of a face, and its boxes from back to front."""

    ground: SourceText | None
    boxes: tuple[FaceBox, ...]


class FaceVariants(Struct, frozen=True):
    """An expression, and those of its values that have variants."""

    by: SourceText
    values: tuple[str, ...]


class FaceFile(Struct, frozen=True):
    """A face file: the stock that it is made for, the names that its boxes use, and its layouts.
    `like` is the file whose boxes it takes over.

    `fields` are expressions that stand for fields of a component, `let` others that may use these.
    Keys of `layouts` have the value of each of `variants`; None is any value without a variant.
    """

    name: str
    span: Span
    stock: str
    layouts: Mapping[tuple[str | None, ...], FaceLayout]
    variants: tuple[FaceVariants, ...] = ()
    fields: Mapping[str, SourceText] = field(default_factory=dict)
    let: Mapping[str, SourceText] = field(default_factory=dict)
    like: str = ""
