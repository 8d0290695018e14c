"""The export stage: sheets in, finished files out.

What it offers is imported on first use: a worker process, which imports this package to reach
the SVG engine, does without the half second that ReportLab and pikepdf take.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from generator.export.canvases import Canvas, DrawnCanvas, Wanted, draw_canvases
    from generator.export.delivery import (
        DEFAULT_OUTPUT,
        PREVIEW,
        Delivery,
        Told,
        delivering,
        nobody,
        tidy,
        tidy_all,
    )
    from generator.export.four_inks import Inks, PressInfo, write_press
    from generator.export.manifest_entries import (
        ManifestFile,
        face_texts,
        face_words,
        file_entry,
        kind_entry,
        rules_entry,
        waiver_entry,
    )
    from generator.export.previews import (
        PreviewPicture,
        Unproven,
        contact_sheet,
        draw_proofs,
        face_pages,
        face_pictures,
        keep_proofs,
        kept_proofs,
        without_proofs,
    )
    from generator.export.sheets import PdfInfo, sheets_key, write_pdf, written_parts
    from generator.export.svg_to_pdf import ArtPdfs, compile_art

_HOMES: Final = {
    "ArtPdfs": "svg_to_pdf",
    "Canvas": "canvases",
    "DrawnCanvas": "canvases",
    "Wanted": "canvases",
    "draw_canvases": "canvases",
    "DEFAULT_OUTPUT": "delivery",
    "Delivery": "delivery",
    "PREVIEW": "delivery",
    "Told": "delivery",
    "Unproven": "previews",
    "Inks": "four_inks",
    "ManifestFile": "manifest_entries",
    "PdfInfo": "sheets",
    "PreviewPicture": "previews",
    "PressInfo": "four_inks",
    "compile_art": "svg_to_pdf",
    "contact_sheet": "previews",
    "delivering": "delivery",
    "draw_proofs": "previews",
    "face_texts": "manifest_entries",
    "face_words": "manifest_entries",
    "face_pages": "previews",
    "face_pictures": "previews",
    "file_entry": "manifest_entries",
    "keep_proofs": "previews",
    "kept_proofs": "previews",
    "without_proofs": "previews",
    "kind_entry": "manifest_entries",
    "rules_entry": "manifest_entries",
    "nobody": "delivery",
    "tidy": "delivery",
    "tidy_all": "delivery",
    "waiver_entry": "manifest_entries",
    "sheets_key": "sheets",
    "written_parts": "sheets",
    "write_pdf": "sheets",
    "write_press": "four_inks",
}

__all__ = [
    "DEFAULT_OUTPUT",
    "PREVIEW",
    "ArtPdfs",
    "Canvas",
    "Delivery",
    "DrawnCanvas",
    "Inks",
    "ManifestFile",
    "PdfInfo",
    "PressInfo",
    "PreviewPicture",
    "Told",
    "Unproven",
    "Wanted",
    "compile_art",
    "contact_sheet",
    "delivering",
    "draw_canvases",
    "draw_proofs",
    "face_pages",
    "face_pictures",
    "face_texts",
    "face_words",
    "file_entry",
    "keep_proofs",
    "kept_proofs",
    "kind_entry",
    "nobody",
    "rules_entry",
    "sheets_key",
    "tidy",
    "tidy_all",
    "waiver_entry",
    "without_proofs",
    "write_pdf",
    "write_press",
    "written_parts",
]


# Else ReportLab runs files of these names in the home folder as code. That is the current folder
# for a user who has none, and a stranger's pack may be unpacked there.
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
