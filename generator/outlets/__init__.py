"""Exports for shops and other programs: pictures, presses, cutting machines, virtual tables.

Names are imported on first use, so that a preview does not load all outlets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.outlets.dispatch import Exported, export_pack, outlet_named, pdf_profiles_of
    from generator.outlets.images import preview_pack
    from generator.outlets.shipment import ExportOptions, PictureOrder, Shipment, Shipped

__all__ = [
    "ExportOptions",
    "Exported",
    "PictureOrder",
    "Shipment",
    "Shipped",
    "export_pack",
    "outlet_named",
    "pdf_profiles_of",
    "preview_pack",
]

__getattr__ = on_first_use(
    __name__,
    {
        "dispatch": "Exported export_pack outlet_named pdf_profiles_of",
        "images": "preview_pack",
        "shipment": "ExportOptions PictureOrder Shipment Shipped",
    },
)
