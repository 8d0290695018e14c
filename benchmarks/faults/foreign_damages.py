"""Damages by other programs: stamps on pages, effects, layers, print settings, lost words."""

from __future__ import annotations

import re
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from faults.damage import Damage, forms, in_page, in_pdf
from faults.pdf_damages import with_text

PATCH = "q 1 1 1 rg 60 400 100 80 re f Q\n"
"""White, over the picture of a card."""


def after(drawn: str) -> Any:
    """Something that is painted over the page."""
    return lambda content: f"{content}\n{drawn}"


def stamped(pdf: pikepdf.Pdf) -> None:
    """A picture on the first page."""
    pixel = pdf.make_stream(
        b"\xc8\x00\x00", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1,
        ColorSpace=Name.DeviceRGB, BitsPerComponent=8,
    )  # fmt: skip
    pdf.pages[0].obj.Resources.XObject["/Stamp"] = pixel
    _prepend(pdf.pages[0].Contents, "", "q 40 0 0 40 100 650 cm /Stamp Do Q\n")


def faded(pdf: pikepdf.Pdf) -> None:
    """The backs of the first sheet, painted with little of their ink."""
    pdf.pages[1].obj.Resources["/ExtGState"] = Dictionary(G9=Dictionary(ca=0.3, CA=0.3))
    _prepend(pdf.pages[1].Contents, "/G9 gs\n")


def _prepend(stream: pikepdf.Object, before: str, behind: str = "") -> None:
    stream.write(before.encode() + stream.read_bytes() + behind.encode())


SHOWN = re.compile(r"(?:\[[^\]]*\]|<[0-9A-Fa-f\s]*>|\((?:[^()\\]|\\.)*\))\s*T[Jj]\b", re.S)
"""What shows a line, or a part of one."""


def wordless(pdf: pikepdf.Pdf, which: slice = slice(None)) -> None:
    """The first card without its texts, or without some of their lines."""
    for form in with_text(next(forms(pdf))):
        content = form.read_bytes().decode("latin-1")
        for line in SHOWN.findall(content)[which]:
            content = content.replace(line, "", 1)
        form.write(content.encode("latin-1"))


def mistaken(pdf: pikepdf.Pdf) -> None:
    """Two cards with each other's fronts, wherever they are drawn."""
    one, other = list(pdf.pages[0].resources.XObject.keys())[:2]
    drawings = {key: pdf.pages[0].resources.XObject[key] for key in (one, other)}
    for page in pdf.pages:
        for key, instead in ((one, other), (other, one)):
            if key in page.resources.XObject:
                page.resources.XObject[key] = drawings[instead]


def cut_lines(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """Their layer."""
    return next(g for g in pdf.Root.OCProperties.OCGs if str(g.Name) == "Cut lines")


def upturned(pdf: pikepdf.Pdf) -> None:
    """The first card upside down within its place."""
    form = next(forms(pdf))
    width, height = (float(length) for length in form.BBox.as_list()[2:])
    _prepend(form, f"q -1 0 0 -1 {width} {height} cm\n", "\nQ")


def hidden(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OCProperties.D.OFF = Array([cut_lines(pdf)])


def unprinted(pdf: pikepdf.Pdf) -> None:
    cut_lines(pdf).Usage = Dictionary(Print=Dictionary(PrintState=Name.OFF))


def asked(name: str, value: object) -> Any:
    """Something that the print dialog is told."""
    return lambda pdf: pdf.Root.ViewerPreferences.__setitem__(name, value)


def screened(pdf: pikepdf.Pdf) -> None:
    """The first card with a screen of its own."""
    form = next(forms(pdf))
    form.Resources["/ExtGState"] = Dictionary(
        Gx=Dictionary(HT=Dictionary(HalftoneType=1, Frequency=9))
    )
    _prepend(form, "/Gx gs\n")


DAMAGES: tuple[Damage, ...] = (
    in_pdf("a card with a screen of its own", "GP844", screened, also="GP857"),
    in_page("a white patch on a card", "GP806", after(PATCH)),
    in_page("a word stamped on a page", "GP806",
            after("q .5 g BT /F1+0 60 Tf 1 0 0 1 100 400 Tm (TRIAL) Tj ET Q\n"),
            also="GP824 GP825"),
    in_pdf("a picture stamped on a page", "GP806", stamped),
    in_pdf("a page of faded backs", "GP806", faded),
    in_page("half of a page clipped away", "GP806", lambda s: f"0 0 300 842 re W n\n{s}", page=1),
    in_page("a cut mark through a card", "GP814",
            after("/OC /CUT BDC q 100 100 m 100 500 l S Q EMC\n")),
    in_page("all cut marks lost", "GP814",
            lambda s: re.sub(r"/OC /CUT BDC.*?EMC", "", s, flags=re.S)),
    in_pdf("a card without its words", "GP856", wordless, also="GP857"),
    in_pdf("a card that lacks a line of its text", "GP856",
           lambda pdf: wordless(pdf, slice(-1, None)), also="GP857"),
    in_pdf("two cards with each other's fronts", "GP856", mistaken, also="GP857"),
    in_pdf("a card upside down within its place", "GP857", upturned),
    in_pdf("the cut lines hidden", "GP808", hidden),
    in_pdf("the cut lines left out of the print", "GP808", unprinted),
    in_pdf("a print of two copies", "GP808", asked("/NumCopies", 2)),
    in_pdf("a print of the first page only", "GP808", asked("/PrintPageRange", Array([1, 1]))),
    in_pdf("a print of the pieces without their bleed", "GP808", asked("/PrintArea", Name.TrimBox)),
)  # fmt: skip
