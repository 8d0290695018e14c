"""PDFs as many programs write them, made here: one card a page with bleed, in four inks."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.misc import eexec
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image

from generator.model.catalogue import PdfProfile
from generator.preflight import Finding
from generator.preflight.pdf import check_pdf
from generator.project import shipped_root

BLEED = 9.0
TRIM = (180.0, 252.0)
"""A poker card, pt."""
WIDTH, HEIGHT = (side + 2 * BLEED for side in TRIM)
GROUND = "q 0.2 0.3 0.1 0.4 k 0 0 400 400 re f Q\n"
FONT = next((shipped_root() / "fonts").rglob("*.ttf"))

Edit = Callable[[Pdf], object]


def card(
    path: Path,
    content: str = "",
    *,
    edit: Edit | None = None,
    resources: Callable[[Pdf], Mapping[str, Mapping[str, Any]]] | None = None,
    pages: int = 1,
    ground: str = GROUND,
) -> Path:
    """Cards with a ground and this content; `edit` changes the file before it is saved."""
    with Pdf.new() as pdf:
        named = resources(pdf) if resources else {}
        within = Dictionary({f"/{key}": Dictionary(dict(value)) for key, value in named.items()})
        for _ in range(pages):
            pdf.add_blank_page(page_size=(WIDTH, HEIGHT))
            page = pdf.pages[-1].obj
            page.TrimBox = Array([BLEED, BLEED, WIDTH - BLEED, HEIGHT - BLEED])
            page.BleedBox = Array([0, 0, WIDTH, HEIGHT])
            page.Resources = within
            page.Contents = pdf.make_stream((ground + content).encode("latin-1"))
        if edit:
            edit(pdf)
        pdf.save(path)
    return path


def as_x(version: str = "PDF/X-1a:2003", condition: str = "FOGRA39") -> Edit:
    """Return an edit that claims a standard for the file."""

    def edit(pdf: Pdf) -> None:
        pdf.docinfo["/GTS_PDFXVersion"] = String(version)
        intent = Dictionary(S=Name.GTS_PDFX, OutputConditionIdentifier=String(condition))
        pdf.Root.OutputIntents = Array([intent])

    return edit


def on_page(**entries: object) -> Edit:
    """Return an edit that gives each page other entries; None removes one."""

    def edit(pdf: Pdf) -> None:
        for page in pdf.pages:
            for key, value in entries.items():
                if value is None:
                    del page.obj[f"/{key}"]
                else:
                    page.obj[f"/{key}"] = value

    return edit


def in_root(**entries: Any) -> Edit:
    """Return an edit that gives the catalogue other entries."""

    def edit(pdf: Pdf) -> None:
        for key, value in entries.items():
            pdf.Root[f"/{key}"] = value

    return edit


def image(pdf: Pdf, size: tuple[int, int] = (400, 400), **entries: Any) -> pikepdf.Object:
    """Return a picture without any detail, RGB unless `entries` say otherwise."""
    channels = {"/DeviceCMYK": 4, "/DeviceGray": 1}.get(str(entries.get("ColorSpace")), 3)
    values = entries.pop("Bytes", bytes([90]) * (size[0] * size[1] * channels))
    told = {"ColorSpace": Name.DeviceRGB, "BitsPerComponent": 8, **entries}
    return pdf.make_stream(values, Subtype=Name.Image, Width=size[0], Height=size[1], **told)


def jpeg(pdf: Pdf, colour: tuple[int, int, int, int], *, inverted: bool) -> pikepdf.Object:
    """Return a JPEG in four inks of one colour (255 for a full layer), as Photoshop stores it or
    not."""
    kept = tuple(255 - ink for ink in colour) if inverted else colour
    out = io.BytesIO()
    # Pillow turns the inks around when it writes a JPEG, as Photoshop does.
    Image.new("CMYK", (300, 300), tuple(255 - ink for ink in kept)).save(out, "JPEG")
    stream = image(pdf, (300, 300), ColorSpace=Name.DeviceCMYK)
    stream.write(out.getvalue(), filter=Name.DCTDecode)
    if inverted:
        stream.Decode = Array([1, 0] * 4)
    return stream


def composite(pdf: Pdf, said: str = "", *, mapped: bool = False, lost: str = "") -> Any:
    """A font as Chromium embeds it, whole; it says which letters these are. `lost` letters are
    mapped to a glyph that the font does not have; `mapped` has a map from codes to glyphs."""
    with TTFont(FONT, lazy=True) as whole:
        cmap, count = whole.getBestCmap(), whole["maxp"].numGlyphs
        scale = 1000 / whole["head"].unitsPerEm
        widths: list[Any] = []
        lines = []
        for letter in sorted(set(said)):
            name = cmap[ord(letter)]
            number = whole.getGlyphID(name)
            widths += [number, Array([round(whole["hmtx"][name][0] * scale)])]
            lines.append(f"<{number:04x}> <{ord(letter):04x}>")
    lines += [f"<0000> <{ord(letter):04x}>" for letter in lost]
    unicode = f"{len(lines)} beginbfchar\n" + "\n".join(lines) + "\nendbfchar"
    file = pdf.make_stream(FONT.read_bytes())
    descriptor = Dictionary(Type=Name.FontDescriptor, FontName=Name("/ABCDEF+Own"), FontFile2=file)
    numbers = b"".join(number.to_bytes(2, "big") for number in range(count))
    onto = pdf.make_stream(numbers) if mapped else Name.Identity
    within = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name("/ABCDEF+Own"),
        FontDescriptor=descriptor, W=Array(widths), CIDToGIDMap=onto,
    )  # fmt: skip
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Own"),
        Encoding=Name("/Identity-H"), DescendantFonts=Array([within]),
        ToUnicode=pdf.make_stream(unicode.encode()),
    )  # fmt: skip
    return pdf.make_indirect(font)


def coded(words: str) -> str:
    """Return words as codes of `composite`."""
    with TTFont(FONT, lazy=True) as font:
        cmap = font.getBestCmap()
        return "".join(f"{font.getGlyphID(cmap[ord(letter)]):04x}" for letter in words)


def type1(pdf: Pdf, names: str = "A B") -> Any:
    """A font as LaTeX embeds it, with glyphs of these names; codes 65, 66 … are A, B and so on."""
    within = "dup /Private 1 dict dup begin /CharStrings 9 dict dup begin\n" + "".join(
        f"/{name} 4 RD abcd ND\n" for name in [".notdef", *names.split()]
    )
    clear = b"%!PS-AdobeFont-1.0: Own\ncurrentfile eexec\n"
    packed, _ = eexec.encrypt(b"0000" + within.encode(), 55665)
    file = pdf.make_stream(clear + packed, Length1=len(clear), Length2=len(packed), Length3=0)
    return _simple("Type1", Dictionary(FontName=Name.Own, FontFile=file))


def type1c(pdf: Pdf, names: str = "A B") -> Any:
    """Return the same font as InDesign embeds it, compact."""
    builder = FontBuilder(1000, isTTF=False)
    glyphs = [".notdef", *names.split()]
    builder.setupGlyphOrder(glyphs)
    pen = T2CharStringPen(500, None)
    pen.moveTo((0, 0))
    pen.lineTo((400, 0))
    pen.lineTo((0, 400))
    pen.closePath()
    drawn = pen.getCharString()
    builder.setupCFF("Own", {}, dict.fromkeys(glyphs, drawn), {})
    out = io.BytesIO()
    builder.font["CFF "].cff.compile(out, builder.font, isCFF2=False)
    file = pdf.make_stream(out.getvalue(), Subtype=Name.Type1C)
    return _simple("Type1", Dictionary(FontName=Name.Own, FontFile3=file))


def compact(pdf: Pdf) -> Any:
    """Return the same as a composite font, as typst writes it: 1 is A, 2 is B, and 9 has no
    glyph."""
    file = type1c(pdf).FontDescriptor.FontFile3
    file.Subtype = Name.CIDFontType0C
    unicode = b"3 beginbfrange\n<0001> <0002> <0041>\n<0009> <0009> [<0043>]\nendbfrange"
    within = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType0, DW=700,
        FontDescriptor=Dictionary(FontName=Name.Own, FontFile3=file),
    )  # fmt: skip
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Own"),
        Encoding=Name("/Identity-H"), DescendantFonts=Array([within]),
        ToUnicode=pdf.make_stream(unicode),
    )  # fmt: skip


def truetype(pdf: Pdf) -> Any:
    """A whole TrueType font without an encoding, as LibreOffice embeds a part of one."""
    with TTFont(FONT) as whole:
        table = next(each for each in whole["cmap"].tables if each.format == 4)
        table.platformID, table.platEncID = 3, 0
        whole["cmap"].tables = [table]
        out = io.BytesIO()
        whole.save(out)
    descriptor = Dictionary(FontName=Name.Own, Flags=4, FontFile2=pdf.make_stream(out.getvalue()))
    font = _simple("TrueType", descriptor)
    del font.Encoding
    return font


def _simple(kind: str, descriptor: Dictionary) -> Dictionary:
    encoding = Dictionary(Type=Name.Encoding, Differences=Array([65, Name.A, Name.B, Name.C]))
    return Dictionary(
        Type=Name.Font, Subtype=Name(f"/{kind}"), BaseFont=Name("/ABCDEF+Own"), Encoding=encoding,
        FirstChar=65, Widths=Array([700, 700, 700]), FontDescriptor=descriptor,
    )  # fmt: skip


def type3(pdf: Pdf, names: str = "A B") -> Any:
    """A font of drawings, as Chromium embeds emoji."""
    glyph = pdf.make_stream(b"700 0 0 0 700 700 d1 0 0 700 700 re f")
    font = _simple("Type3", Dictionary())
    font.FontMatrix = Array([0.001, 0, 0, 0.001, 0, 0])
    font.FontBBox = Array([0, 0, 700, 700])
    font.CharProcs = Dictionary({f"/{name}": glyph for name in names.split()})
    return font


def words(shown: str = "<41424142>", size: float = 9, x: float = 40, y: float = 120) -> str:
    """Commands that show words, white, in the font F."""
    return f"BT /F {size} Tf 0 0 0 0 k {x} {y} Td {shown} Tj ET\n"


def findings(path: Path, profile: PdfProfile | None = None) -> tuple[Finding, ...]:
    """Return the findings in a file."""
    return check_pdf(path, profile)


def told(path: Path, profile: PdfProfile | None = None) -> set[str]:
    """Return the codes of the findings in a file."""
    return {found.code for found in findings(path, profile)}
