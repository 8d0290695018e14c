"""Where a game goes besides the printer at home: pictures, print shops, drawing programs.

What it offers is imported on first use: who wants a preview needs none of the shops.
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
