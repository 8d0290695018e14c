"""Where a game goes besides the printer at home: pictures, print shops, drawing programs."""

from generator.outlets.dispatch import (
    Exported,
    export_pack,
    outlet_named,
    pdf_profiles_of,
)
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
]
