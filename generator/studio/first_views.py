"""What the browser is told, in its smallest form."""

from __future__ import annotations

from typing import Any

from generator.build import FaceName, PackCheck
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


def model(check: PackCheck) -> dict[str, Any]:
    """Return a pack for the page."""
    assert check.opened is not None
    pack = check.opened.pack
    kinds: list[dict[str, Any]] = [
        {
            "name": kind.name, "title": kind.title, "description": kind.description,
            "own": kind.name not in pack.lent, "file": kind.span.file, "line": kind.span.line,
            "stock": None, "faces": {}, "made_from": kind.made_from, "look": None, "fields": [],
        }
        for kind in pack.kinds.values()
    ]  # fmt: skip
    components = {
        kind: [
            {
                "id": one.id, "name": str(one.values.get("name") or one.id),
                "quantity": one.quantity, "file": one.span.file, "path": [],
                "line": one.span.line, "readonly": False,
            }
            for one in found
        ]
        for kind, found in pack.components.items()
    }  # fmt: skip
    return {
        "name": pack.name, "title": pack.title, "version": pack.version,
        "language": pack.language, "languages": [pack.language], "players": None,
        "kinds": kinds, "components": components, "palette": [], "styles": [], "stocks": [],
        "icons": [], "prints": [], "papers": [],
    }  # fmt: skip
