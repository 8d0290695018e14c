"""What a finished PDF says of itself: title and numbers in, metadata and viewer hints out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from generator import __version__
from generator.model.pack import Backs
from generator.model.sheet import PdfLayer, Sheet

PRODUCER: Final = f"Gridpress {__version__}"
_DUPLEX: Final = {
    Backs.DUPLEX_LONG: "/DuplexFlipLongEdge",
    Backs.DUPLEX_SHORT: "/DuplexFlipShortEdge",
    Backs.GUTTERFOLD: "/Simplex",
    Backs.NONE: "/Simplex",
}


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """What goes into a file beside its sheets. `language` is a BCP 47 tag."""

    title: str
    backs: Backs
    language: str = "en"
    subject: str = ""


def describe(pdf: Pdf, info: PdfInfo, sheets: Sequence[Sheet]) -> None:
    """Write metadata, page labels, layers and the hints for the printer. No dates: the same
    input gives the same bytes."""
    _metadata(pdf, info)
    pdf.Root.Lang = String(info.language)
    pdf.Root.ViewerPreferences = Dictionary(
        DisplayDocTitle=True,
        Duplex=Name(_DUPLEX[info.backs]),
        # Not Name.None_, which writes /None_.
        PrintScaling=Name("/None"),
        PickTrayByPDFSize=True,
    )
    labels: list[object] = []
    for number, sheet in enumerate(sheets):
        labels += [number, Dictionary(P=String(sheet.label))]
    pdf.Root.PageLabels = Dictionary(Nums=Array(labels))


def add_layers(pdf: Pdf, sheets: Sequence[Sheet]) -> dict[PdfLayer, Object]:
    """Add an optional content group, on and printed at first, for each layer with marks on it."""
    used = {mark.layer for sheet in sheets for mark in sheet.marks}
    groups: dict[PdfLayer, Object] = {
        layer: pdf.make_indirect(
            Dictionary(
                Type=Name.OCG,
                Name=String(str(layer)),
                Intent=Name.View,
                Usage=Dictionary(
                    View=Dictionary(ViewState=Name.ON), Print=Dictionary(PrintState=Name.ON)
                ),
            )
        )
        for layer in PdfLayer
        if layer in used
    }
    if groups:
        every = list(groups.values())
        pdf.Root.OCProperties = Dictionary(
            OCGs=Array(every),
            D=Dictionary(Name=String("Layers"), ON=Array(every), OFF=Array(), Order=Array(every)),
        )
    return groups


def _metadata(pdf: Pdf, info: PdfInfo) -> None:
    pdf.docinfo = pdf.make_indirect(Dictionary())
    # ReportLab's has the time in it; qpdf makes a new one from what the file holds.
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]
    entries = {
        "/Title": info.title,
        "/Subject": info.subject,
        "/Creator": PRODUCER,
        "/Producer": PRODUCER,
    }
    for key, text in entries.items():
        if text:
            pdf.docinfo[key] = String(text)
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp["dc:title"] = info.title
        xmp["dc:language"] = [info.language]
        if info.subject:
            xmp["dc:description"] = info.subject
        xmp["xmp:CreatorTool"] = PRODUCER
        xmp["pdf:Producer"] = PRODUCER
