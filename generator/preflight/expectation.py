"""A manifest in, what it says must be on the paper out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.diagnostics import Diagnostic, Outcome, Span, did_you_mean
from generator.geometry import Point, Rect
from generator.model.pack import Backs
from generator.model.sheet import Side
from generator.model.stock import Shape

_AGAIN = "build the pack again; do not edit the manifest by hand"


@dataclass(frozen=True, slots=True)
class Expected:
    """A face that must be drawn; `box` is that of the turned trim, `rotation` clockwise."""

    component: str
    copy: int
    kind: str
    face: str
    side: Side
    box: Rect
    rotation: int
    bleed: float
    clip: Rect | None
    shape: Shape
    sha256: str

    def __str__(self) -> str:
        return f"{self.face} of {self.component!r}, copy {self.copy}"

    @property
    def art(self) -> Rect:
        """What of the page it covers with its bleed."""
        return self.clip or self.box.grown(self.bleed)

    @property
    def piece(self) -> tuple[str, str, int]:
        """What tells a card from all others of its file, whichever side is up."""
        return (self.kind, self.component, self.copy)


@dataclass(frozen=True, slots=True)
class ExpectedPage:
    """A page that must be there, mm; `ruler` is the two ends of its scale."""

    number: int
    side: Side
    width: float
    height: float
    ruler: tuple[Point, Point] | None
    placements: tuple[Expected, ...]


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A PDF that must be there; `offsets` is where the printer's ink lands, by side, mm."""

    backs: Backs
    sha256: str
    offsets: Mapping[Side, Point]
    pages: tuple[ExpectedPage, ...]


def read_manifest(manifest: Path, pdf: str) -> Outcome[ExpectedFile | None]:
    """What the manifest says of the PDF of that name.

    Errors: GP002 when it cannot be read; GP806 when it is not a manifest or has no such PDF.
    """
    shown = str(manifest)
    try:
        listed = json.loads(manifest.read_text(encoding="utf-8"))
        files = {str(file["file"]): file for file in listed["files"]}
        if pdf not in files:
            message = f"the manifest does not list {pdf!r}"
            fault = Diagnostic(Span(shown), "GP806", message, did_you_mean(pdf, files))
            return Outcome(None, (fault,))
        return Outcome(_file(files[pdf]))
    except OSError as error:
        message = f"the manifest cannot be read: {error.strerror}"
        return Outcome(None, (Diagnostic(Span(shown), "GP002", message),))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"this is not a manifest of Gridpress: {type(error).__name__}: {error}"
        return Outcome(None, (Diagnostic(Span(shown), "GP806", message, _AGAIN),))


def _file(told: Any) -> ExpectedFile:
    printer = told["printer"]
    return ExpectedFile(
        Backs(told["backs"]),
        str(told["sha256"]),
        {Side.FRONT: _point(printer["front_mm"]), Side.BACK: _point(printer["back_mm"])},
        tuple(_page(page) for page in told["pages"]),
    )


def _page(told: Any) -> ExpectedPage:
    ruler = told["ruler_mm"]
    return ExpectedPage(
        int(told["page"]),
        Side(told["side"]),
        float(told["width_mm"]),
        float(told["height_mm"]),
        (_point(ruler[:2]), _point(ruler[2:])) if ruler else None,
        tuple(_placement(placement) for placement in told["placements"]),
    )


def _placement(told: Any) -> Expected:
    return Expected(
        str(told["component"]),
        int(told["copy"]),
        str(told["kind"]),
        str(told["face"]),
        Side(told["side"]),
        _rect([told[key] for key in ("x_mm", "y_mm", "w_mm", "h_mm")]),
        int(told["rotation"]),
        float(told["bleed_mm"]),
        _rect(told["clip_mm"]) if told["clip_mm"] else None,
        Shape(told["shape"]),
        str(told["sha256"]),
    )


def _point(told: Any) -> Point:
    x, y = told
    return Point(float(x), float(y))


def _rect(told: Any) -> Rect:
    x, y, w, h = told
    return Rect(float(x), float(y), float(w), float(h))
