"""A card as a press takes it, by hand; ways to be refused there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Pdf, String

from generator.outlets import pdf_profiles_of
from generator.preflight import preflight
from generator.project import project_here

GOOD = "0.2 0.3 0.1 0.4 k 0 0 198 270 re f\n"
PAGES = 2


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that a profile's printer refuses: the code that must be found, and nothing else."""

    name: str
    code: str
    change: Callable[[Pdf], object]
    profile: str | None = "drivethru"


def write_card(path: Path, change: Callable[[Pdf], object]) -> None:
    """A poker card of two pages, PDF/X-1a as far as anybody here can tell; changed."""
    with Pdf.new() as pdf:
        for _ in range(PAGES):
            pdf.add_blank_page(page_size=(198, 270))
            page = pdf.pages[-1].obj
            page.TrimBox, page.BleedBox = Array([9, 9, 189, 261]), Array([0, 0, 198, 270])
            page.Contents = pdf.make_stream(GOOD.encode())
            page.Resources = Dictionary(
                ExtGState=Dictionary(Over=Dictionary(op=True), Half=Dictionary(ca=0.5))
            )
        pdf.docinfo["/GTS_PDFXVersion"] = String("PDF/X-1a:2003")
        change(pdf)
        pdf.save(path)


def painted(content: str) -> Callable[[Pdf], object]:
    """Something more on the first page."""

    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.Contents = pdf.make_stream((GOOD + content).encode())

    return change


def boxed(**boxes: list[float]) -> Callable[[Pdf], object]:
    """Other boxes on all pages."""

    def change(pdf: Pdf) -> None:
        for page in pdf.pages:
            for key, box in boxes.items():
                page.obj[f"/{key}"] = Array(box)

    return change


def unsaid(pdf: Pdf) -> None:
    """Of no standard."""
    del pdf.docinfo["/GTS_PDFXVersion"]


def without_a_back(pdf: Pdf) -> None:
    """A card of one side."""
    del pdf.pages[1]


def pictured(pdf: Pdf) -> None:
    """A picture of 20 dpi in RGB."""
    picture = pdf.make_stream(
        bytes(range(256)) * 3, Subtype=Name.Image, Width=16, Height=16, BitsPerComponent=8,
        ColorSpace=Name.DeviceGray,
    )  # fmt: skip
    pdf.pages[0].obj.Resources.XObject = Dictionary(Im=picture)
    painted("q 60 0 0 60 60 100 cm /Im Do Q")(pdf)


FAULTS = (
    Refused("a card of no size of the shop", "GP881", boxed(TrimBox=[9, 9, 180, 240])),
    Refused("a card with 2 mm of bleed", "GP882", boxed(BleedBox=[3.3, 3.3, 194.7, 266.7])),
    Refused("a square in RGB", "GP883", painted("1 0 0 rg 60 60 40 40 re f")),
    Refused("a square of 280 % of ink", "GP842", painted("0.8 0.8 0.8 0.4 k 60 60 40 40 re f")),
    Refused("a file of no standard", "GP884", unsaid),
    Refused("a square that is half there", "GP885", painted("/Half gs 60 60 40 40 re f")),
    Refused("a card of one side", "GP886", without_a_back),
    Refused("a picture of 20 dpi", "GP831", pictured),
    Refused("a white square that overprints", "GP843",
            painted("/Over gs 0 0 0 0 k 60 60 40 40 re f"), None),
    Refused("a hairline", "GP829", painted("0 0 0 0 K 0.1 w 60 60 m 120 60 l S"), None),
    Refused("a PDF for a shop that takes pictures", "GP887",
            painted("q 0.5 g 0 0 198 270 re f Q"), "tgc"),
)  # fmt: skip
MINDED_BY_NOBODY = frozenset(("GP808", "GP861"))
ALSO = {"GP887": {"GP883"}}


def judged(folder: Path, only: str) -> Iterator[tuple[Refused, bool, set[str]]]:
    """Each fault, whether it is found, and the codes that there is no reason for."""
    profiles = pdf_profiles_of(project_here()).value
    path = folder / "card.pdf"
    for fault in (Refused("a card that is taken", "", lambda pdf: None), *FAULTS):
        if only in fault.name:
            write_card(path, fault.change)
            profile = profiles[fault.profile] if fault.profile else None
            report = preflight(path, profile=profile)
            found = {d.code for d in report.diagnostics} - MINDED_BY_NOBODY
            others = found - {fault.code} - ALSO.get(fault.code, set())
            yield fault, not fault.code or fault.code in found, others
