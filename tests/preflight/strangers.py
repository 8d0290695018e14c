"""PDFs as other programs write them: one card a page, by hand."""

from __future__ import annotations

from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from generator.model.catalogue import PdfProfile
from generator.preflight import preflight
from generator.preflight.checking import Finding

BLEED = 9.0
TRIM = (180.0, 252.0)  # poker, pt
GROUND = "0.2 0.3 0.1 0.4 k 0 0 400 400 re f"


def card(path: Path, content: str = "", *, ground: str = GROUND, pages: int = 2) -> Path:
    """Cards with a ground and something on it, with boxes; `content` may show a picture Im, words
    in F1, shade with Deep, and take the states White (overprints) and Half (not opaque)."""
    width, height = (side + 2 * BLEED for side in TRIM)
    with Pdf.new() as pdf:
        picture = pdf.make_stream(
            bytes(range(100)) * 3, Subtype=Name.Image, Width=10, Height=10,
            ColorSpace=Name.DeviceRGB, BitsPerComponent=8,
        )  # fmt: skip
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        spot = Array([Name.Separation, Name.Gold, Name.DeviceCMYK, tint(pdf)])
        soaked = Dictionary(
            FunctionType=2, N=1, Domain=Array([0, 1]),
            C0=Array([0, 0, 0, 0]), C1=Array([1, 0.9, 0.9, 0.5]),
        )  # fmt: skip
        deep = Dictionary(
            ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([0, 0, 200, 0]),
            Function=soaked,
        )  # fmt: skip
        for _ in range(pages):
            pdf.add_blank_page(page_size=(width, height))
            page = pdf.pages[-1].obj
            page.TrimBox = Array([BLEED, BLEED, width - BLEED, height - BLEED])
            page.BleedBox = Array([0, 0, width, height])
            page.Resources = Dictionary(
                Font=Dictionary(F1=font),
                XObject=Dictionary(Im=picture),
                ColorSpace=Dictionary(Gold=spot),
                Shading=Dictionary(Deep=deep),
                ExtGState=Dictionary(
                    White=Dictionary(op=True, OP=True, OPM=1), Half=Dictionary(ca=0.5)
                ),
            )
            page.Contents = pdf.make_stream(f"q {ground} Q\n{content}".encode())
        pdf.save(path)
    return path


def tint(pdf: Pdf) -> pikepdf.Object:
    """How an ink of its own is shown on a screen."""
    function = pdf.make_stream(b"{ dup 0 exch 0 exch 0 }")
    function.FunctionType = 4
    function.Domain, function.Range = Array([0, 1]), Array([0, 1] * 4)
    return function


def changed(path: Path, **entries: object) -> Path:
    """The same with other entries on every page; None takes one away."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for page in pdf.pages:
            for key, value in entries.items():
                if value is None:
                    del page.obj[f"/{key}"]
                else:
                    page.obj[f"/{key}"] = value
        pdf.save(path)
    return path


def as_x(path: Path, version: str = "PDF/X-1a:2003", condition: str = "FOGRA39") -> Path:
    """The same, said to be of a standard."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.docinfo["/GTS_PDFXVersion"] = String(version)
        intent = Dictionary(S=Name.GTS_PDFX, OutputConditionIdentifier=String(condition))
        pdf.Root.OutputIntents = Array([intent])
        pdf.save(path)
    return path


def findings(path: Path, profile: PdfProfile | None = None) -> list[Finding]:
    """All but what nobody minds who is sent a file."""
    report = preflight(path, profile=profile)
    assert report.faults == ()
    return [found for found in report.findings if found.code not in ("GP808", "GP861")]


def told(path: Path, profile: PdfProfile | None = None) -> set[str]:
    """Their codes."""
    return {found.code for found in findings(path, profile)}
