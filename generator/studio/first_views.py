"""What the browser is told, in its smallest form."""

from __future__ import annotations

from typing import Any

from generator.build import FaceName
from generator.diagnostics import Diagnostic
from generator.model.face import Face


def key(name: FaceName) -> str:
    """Return the name of a face on the wire."""
    return "/".join(name)


def face_view(face: Face, state: str) -> dict[str, Any]:
    """Return a face for the page."""
    stock = face.stock
    return {
        "key": key(FaceName.of(face)), "kind": face.kind, "id": face.component,
        "side": face.name, "sha": face.sha256, "width": stock.trim.width,
        "height": stock.trim.height, "bleed": stock.bleed, "safe": stock.safe,
        "shape": str(stock.shape), "corner": stock.corner_radius, "state": state,
        "flaws": [[r.x, r.y, r.width, r.height] for r in face.flaws],
    }  # fmt: skip


def finding(found: Diagnostic) -> dict[str, Any]:
    """Return a finding for the page."""
    span = found.span
    return {
        **found.as_dict(), "end_line": span.line, "end_column": span.column, "kind": None,
        "id": None, "path": None, "faces": [], "rects": [],
    }  # fmt: skip
