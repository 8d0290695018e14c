"""The export stage: writes finished files from sheets.

Modules are imported on first use: workers that only need the SVG engine save the half second that
ReportLab and pikepdf take.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.export.canvases import Canvas, DrawnCanvas, Wanted, draw_canvases
    from generator.export.contact_sheets import PreviewPicture, contact_sheet
    from generator.export.delivery import (
        DEFAULT_OUTPUT,
        PREVIEW,
        Delivery,
        Told,
        delivering,
        nobody,
    )
    from generator.export.face_pixels import face_picture, face_pictures
    from generator.export.four_inks import Inks, PressInfo, write_press
    from generator.export.loose_pages import face_pages
    from generator.export.manifest_entries import (
        ManifestFile,
        file_entry,
        kind_entry,
        waiver_entry,
    )
    from generator.export.sheets import PdfInfo, sheets_key, write_pdf
    from generator.export.svg_to_pdf import ArtPdfs, compile_art

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
    "Wanted",
    "compile_art",
    "contact_sheet",
    "delivering",
    "draw_canvases",
    "face_pages",
    "face_picture",
    "face_pictures",
    "file_entry",
    "kind_entry",
    "nobody",
    "sheets_key",
    "waiver_entry",
    "write_pdf",
    "write_press",
]


# Otherwise ReportLab runs files with these names in the home folder, which is the current folder
# for users without one, where a stranger's pack may be unpacked.
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))


__getattr__ = on_first_use(
    __name__,
    {
        "delivery": "DEFAULT_OUTPUT PREVIEW Delivery Told delivering nobody",
        "four_inks": "Inks PressInfo write_press",
        "manifest_entries": "ManifestFile file_entry kind_entry waiver_entry",
        "canvases": "Canvas DrawnCanvas Wanted draw_canvases",
        "contact_sheets": "PreviewPicture contact_sheet",
        "face_pixels": "face_picture face_pictures",
        "loose_pages": "face_pages",
        "sheets": "PdfInfo sheets_key write_pdf",
        "svg_to_pdf": "ArtPdfs compile_art",
    },
)
