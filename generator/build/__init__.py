"""The way from a pack's files to printed sheets, the only place that calls one stage after another.

`opening` loads and validates, `pipeline` draws and lays out, `printing` writes PDFs; a `Session`
does the same again and again while files are edited. Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.build.early_prints import PrintedPart
    from generator.build.opening import OpenPack, in_locale_of, open_pack, printer_of
    from generator.build.order import Order, PrintedFile
    from generator.build.packing import PackedComponent, PackedKind, Packing, packing_list
    from generator.build.pipeline import StepProgress, draw, each_once, lay_out, silent
    from generator.build.print_runs import LaidOut, PrintRun, is_draft
    from generator.build.printing import check_prints, press_into, press_pack
    from generator.build.receipts import inputs_of, keep_receipt, known_outcome
    from generator.build.session import Session
    from generator.build.standing import Standing
    from generator.build.updates import FaceName, FaceUpdate, PackCheck, PackUpdate

__all__ = [
    "FaceName",
    "FaceUpdate",
    "LaidOut",
    "OpenPack",
    "Order",
    "PackCheck",
    "PackUpdate",
    "PackedComponent",
    "PackedKind",
    "Packing",
    "PrintRun",
    "PrintedFile",
    "PrintedPart",
    "Session",
    "Standing",
    "StepProgress",
    "check_prints",
    "draw",
    "each_once",
    "in_locale_of",
    "inputs_of",
    "is_draft",
    "keep_receipt",
    "known_outcome",
    "lay_out",
    "open_pack",
    "packing_list",
    "press_into",
    "press_pack",
    "printer_of",
    "silent",
]

__getattr__ = on_first_use(
    __name__,
    {
        "early_prints": "PrintedPart",
        "opening": "OpenPack in_locale_of open_pack printer_of",
        "order": "Order PrintedFile",
        "packing": "PackedComponent PackedKind Packing packing_list",
        "pipeline": "StepProgress draw each_once lay_out silent",
        "print_runs": "LaidOut PrintRun is_draft",
        "printing": "check_prints press_into press_pack",
        "receipts": "inputs_of keep_receipt known_outcome",
        "session": "Session",
        "standing": "Standing",
        "updates": "FaceName FaceUpdate PackCheck PackUpdate",
    },
)
