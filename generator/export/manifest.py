"""Finished files and their sheets in, the text of `manifest.json` out.

The manifest says what must be on the paper: preflight compares it with what is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from generator import __version__
from generator.geometry import Point, bounds
from generator.model.pack import Backs
from generator.model.sheet import Layer, LineMark, Placement, PosterPage, Sheet, Side
from generator.model.stock import PrinterProfile, Shape
from generator.outlines import corners
from generator.waste import waste

RULER_LENGTHS: Final = (100.0, 50.0)
"""mm of the scales that a page may carry; one of the first length comes before the others."""


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One finished PDF, where it is now, what is on it, how its backs come behind."""

    path: Path
    print_: str
    paper: str
    backs: Backs
    sheets: tuple[Sheet, ...]
    profile: PrinterProfile = field(default_factory=PrinterProfile)


def manifest_text(
    pack: str,
    version: str,
    files: Sequence[ManifestFile],
    kinds: Mapping[str, Any] | None = None,
    players: int | None = None,
    texts: Mapping[str, Any] | None = None,
    waivers: Sequence[Mapping[str, str]] = (),
    words: Mapping[str, str] | None = None,
) -> str:
    """JSON with the keys always in the same order; lengths in mm, to 0.1 µm.

    `players` is the number that it was printed for, None when the pack does not say; `kinds`,
    `texts` and `words` are as `definitions` makes them; `waivers` are the findings of preflight
    that the author has seen and accepts.

    Raises OSError when one of the files cannot be read.
    """
    manifest = {
        "gridpress": __version__,
        "pack": pack,
        "version": version,
        "players": players,
        "kinds": dict(kinds or {}),
        "waivers": list(waivers),
        "files": [_file(file) for file in files],
        "texts": dict(texts or {}),
        "words": dict(words or {}),
    }
    return _json(manifest) + "\n"


def _json(value: Any, indent: str = "") -> str:
    """JSON in which what holds no further mapping stands in one line: a placement, a ruler."""
    items = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(value, dict | list) or not any(map(_holds_mapping, items)):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + " "
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_json(item, inner)}" for key, item in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(lines) + f"\n{indent}}}"
    return f"[\n{inner}" + f",\n{inner}".join(_json(v, inner) for v in value) + f"\n{indent}]"


def _holds_mapping(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_mapping, value))
    return isinstance(value, dict)


def _file(file: ManifestFile) -> dict[str, Any]:
    with file.path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {
        "file": file.path.name,
        "print": file.print_,
        "paper": file.paper,
        "backs": str(file.backs),
        "sha256": digest,
        "waste": round(waste(file.sheets), 4),
        "printer": {
            "name": file.profile.name,
            "front_mm": _numbers(file.profile.front.x, file.profile.front.y),
            "back_mm": _numbers(file.profile.back.x, file.profile.back.y),
            "tolerance_mm": _number(file.profile.tolerance),
        },
        "pages": [_page(number, sheet) for number, sheet in enumerate(file.sheets, start=1)],
    }


def _page(number: int, sheet: Sheet) -> dict[str, Any]:
    return {
        "page": number,
        "side": str(sheet.side),
        "width_mm": _number(sheet.size.width),
        "height_mm": _number(sheet.size.height),
        "margin_mm": _number(sheet.paper.margin),
        "label": sheet.label,
        "ruler_mm": _ruler(sheet),
        "placements": [_placement(placement) for placement in sheet.placements],
    }


def _placement(placement: Placement) -> dict[str, Any]:
    clip = placement.clip
    told = {
        "component": placement.face.component,
        "copy": placement.copy,
        "kind": placement.face.kind,
        "face": placement.face.name,
        "side": str(placement.side),
        "x_mm": _number(placement.x),
        "y_mm": _number(placement.y),
        "w_mm": _number(placement.width),
        "h_mm": _number(placement.height),
        "rotation": placement.rotation % 360,
        "bleed_mm": _number(placement.bleed),
        "clip_mm": clip and _numbers(clip.x, clip.y, clip.width, clip.height),
        "shape": str(placement.face.stock.shape),
        "sha256": placement.face.sha256,
    }
    if placement.face.stock.shape is Shape.PATH and placement.side is Side.FRONT:
        told["die_mm"] = _die(placement)
    if not placement.marked:
        told["marked"] = False
    if placement.edge:
        told["edge_mm"] = [_numbers(corner.x, corner.y) for corner in placement.edge]
    if placement.poster is not None:
        told["poster"] = _poster(placement.poster)
    return told


def _die(placement: Placement) -> list[float]:
    """The box around the corners of a free outline, as its die line lies on the page, mm."""
    trim = placement.face.stock.trim
    middle, centre = Point(trim.width / 2, trim.height / 2), placement.trim.centre
    by = centre.x - middle.x, centre.y - middle.y
    drawn = corners(placement.face.stock)
    box = bounds([p.turned(placement.rotation, middle).moved(*by) for p in drawn])
    return _numbers(box.x, box.y, box.width, box.height)


def _poster(page: PosterPage) -> dict[str, Any]:
    """Which page of a poster it is, from 1, and what of it stays in sight when all are glued."""
    shown = page.shown
    return {
        "row": page.row,
        "column": page.column,
        "rows": page.rows,
        "columns": page.columns,
        "shown_mm": _numbers(shown.x, shown.y, shown.width, shown.height),
    }


def _ruler(sheet: Sheet) -> list[float] | None:
    """The ends of the page's ruler, or None for a page without one."""
    lines = list(_guide_lines(sheet))
    for length in RULER_LENGTHS:
        for start, end in lines:
            if math.isclose(math.dist(start, end), length, abs_tol=1e-4):
                return _numbers(*start, *end)
    return None


def _guide_lines(sheet: Sheet) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    for mark in sheet.marks:
        if isinstance(mark, LineMark) and mark.layer is Layer.GUIDES:
            yield _pair(mark.start), _pair(mark.end)


def _pair(point: Point) -> tuple[float, float]:
    return point.x, point.y


def _numbers(*values: float) -> list[float]:
    return [_number(value) for value in values]


def _number(value: float) -> float:
    """To four places; whole numbers without a point, and never -0."""
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded
