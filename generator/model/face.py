"""What render hands on: a face as SVG with what was learned while drawing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.diagnostics import Span
from generator.geometry import Rect
from generator.model.stock import Stock


@dataclass(frozen=True, slots=True)
class TextBox:
    """One set text: its box and what the ink fills (trim coordinates, mm), size reached, pt."""

    box: Rect
    used: Rect
    style: str
    size_pt: float
    lines: int
    span: Span


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture that a face shows: `href` in the SVG is named by content, `path` is the file, and
    `sha256` what was in it when it was found fit to print."""

    href: str
    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a component. The SVG's viewBox is the trim grown by the bleed, in mm, with
    its origin at the trim's top-left corner, so it is wholly determined by its text: `sha256`
    is that of the SVG, and faces with the same one are drawn once."""

    component: str
    kind: str
    name: str
    stock: Stock
    svg: str
    sha256: str
    span: Span
    text_boxes: tuple[TextBox, ...] = ()
    assets: tuple[Asset, ...] = ()
