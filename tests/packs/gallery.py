"""Draw the parts of a pack alone: one face for each template, with the pack's styles and icons, on
a stock of any size."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from packs.shipped import ROOT, drawn
from PIL import Image

from generator.export import face_pictures
from generator.fonts import own_fonts
from generator.model.face import Face

Record = Mapping[str, Any]
GALLERY = "gallery"
OF_WHOLE_FACES = ("GP811", "GP824", "GP826")
"""Findings of parts that overlap, lie beside each other or leave most of a face empty."""


def shown(
    folder: Path, name: str, size: str, templates: Sequence[str], records: Sequence[Record] = ({},)
) -> list[Face]:
    """Draw each record with each template and the parts of a pack; return the faces by template,
    then by record."""
    cards = folder / "cards" / GALLERY
    (cards / "kinds").mkdir(parents=True)
    shutil.copytree(ROOT / "templates" / name, folder / "templates" / GALLERY)
    kinds = [f"look-{n:02}" for n in range(len(templates))]
    fields = {
        key: {"type": "int" if isinstance(value, int) else "text", "optional": True}
        for key, value in records[0].items()
    }
    for kind, template in zip(kinds, templates, strict=True):
        look = folder / "templates" / GALLERY / f"{kind}.svg.j2"
        look.write_text(template, encoding="utf-8")
        faces = {"front": look.name}
        rows = [{"id": f"n{n}", **record} for n, record in enumerate(records)]
        _write(
            cards / f"kinds/{kind}.yaml",
            {"kind": kind, "title": "Look", "stock": "wall", "faces": faces, "fields": fields},
        )
        _write(cards / f"{kind}.yaml", {"kind": kind, "components": rows})
    _write(cards / "pack.yaml", _pack(size, kinds))
    found = drawn(folder, GALLERY, but=OF_WHOLE_FACES)
    return [face for kind in kinds for face in found if face.kind == kind]


def _pack(size: str, kinds: Sequence[str]) -> Record:
    print_ = {"title": "All", "kinds": list(kinds), "layout": "nup", "papers": ["a4"]}
    return {
        "title": "Gallery",
        "version": "1.0.0",
        "language": "en",
        "description": "Parts to look at.",
        "stocks": {"wall": {"size": size.split(), "bleed": "3mm", "safe": "0mm"}},
        "prints": {"all": {**print_, "media": "paper"}},
    }


def _write(path: Path, value: Record) -> None:
    path.write_text(yaml.safe_dump(value), encoding="utf-8")


def pictures(faces: Sequence[Face], folder: Path, dpi: float = 254) -> list[Image.Image]:
    """Return the faces in grey. At 254 dpi a millimetre is 10 pixels, so that the middle of a face
    is the middle of its picture."""
    folder.mkdir()
    fonts = own_fonts()
    files = face_pictures(faces, fonts, folder, dpi=dpi).value
    return [Image.open(files[face.sha256]).convert("L") for face in faces]
