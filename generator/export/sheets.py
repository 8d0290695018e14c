"""Writes sheets as one PDF, with marks, layers, title and page labels.

ReportLab draws the marks, each layer between `/OC /<LAYER> BDC` and `EMC`. Faces lie under them.
"""

from __future__ import annotations

import hashlib
import html
import io
import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Final

import msgspec
from fontTools.svgLib.path import parse_path
from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator import __version__
from generator.cache import NOTHING_KEPT, Cache
from generator.export.forms import FaceWriter, uses_opacity
from generator.export.pdf_file import PdfFile, named_references, reference
from generator.export.pictures import picture_reader
from generator.export.svg_to_pdf import ArtPdfs, EngineArt
from generator.files import Roots
from generator.fonts import OWN_FAMILY, FontLibrary
from generator.geometry import PT_PER_MM, Matrix, Point, Rect, Size, around, mm_to_pt
from generator.model.catalogue import TRUE, PrinterStretch
from generator.model.face import (
    LineMark,
    Mark,
    PathMark,
    PdfLayer,
    Placement,
    Sheet,
    TextMark,
)
from generator.model.manifest import WrittenFile, face_name
from generator.model.pack import Backs
from generator.model.packed import digest_of
from generator.outlines import SegmentPen
from generator.pdf_syntax import Entries, dictionary, moved, text
from generator.text import Lettering, TextStyle, Used, fit_line, font_uses

_TURNS: Final = {0: (1, 0, 0, 1), 90: (0, -1, 1, 0), 180: (-1, 0, 0, -1), 270: (0, 1, -1, 0)}
"""a b c d of the matrices that turn clockwise, by degrees; y points up."""
_OF_PLACEMENT: Final = tuple(
    name for name in Placement.__struct_fields__ if name not in ("face", "copy")
)
_PACKED: Final = 6


def sheets_key(sheets: Sequence[Sheet], fonts: FontLibrary, info: PdfInfo) -> bytes:
    """Return a digest of everything that the PDF of these sheets depends on, except Gridpress's own
    font."""
    content = hashlib.blake2b(fonts.fingerprint(), digest_size=32)
    for sheet in sheets:
        placed = [
            (
                placed.face.sha256,
                *(getattr(placed, name) for name in _OF_PLACEMENT),
            )
            for placed in sheet.placements
        ]
        told = (sheet.paper, sheet.size, sheet.side, sheet.number, sheet.label, sheet.marks)
        content.update(msgspec.msgpack.encode((*told, sheet.stretch, placed)))
    content.update(msgspec.msgpack.encode(info))
    return content.digest()


def write_pdf(
    sheets: Sequence[Sheet],
    art: ArtPdfs,
    fonts: FontLibrary,
    target: Path,
    info: PdfInfo,
    own_fonts: FontLibrary,
    roots: Roots,
    cache: Cache = NOTHING_KEPT,
) -> WrittenFile:
    """Write the sheets to `target`, each distinct face stored once; return digests of its pages.

    Text is set in `fonts`, rulers and slugs in `own_fonts`; pictures are read below `roots`. Raises
    OSError when the file cannot be written, GridpressError for an unprintable font or picture.
    """
    pdf = PdfFile()
    faces = {p.face.sha256: p.face for sheet in sheets for p in sheet.placements}
    marks = MarkWriter(own_fonts)
    with EngineArt(art) as engine:
        writer = FaceWriter(pdf, fonts, picture_reader(faces.values(), roots), engine, cache)
        layers = {layer: pdf.add(_layer(layer)) for layer in _used_layers(sheets)}
        lettering, tree = pdf.reserve(), pdf.reserve()
        pages: list[int] = []
        digests: list[str] = []
        for sheet in sheets:
            content = sheet_content(sheet, marks)
            digests.append(digest_of(content))
            stream = pdf.stream({}, zlib.compress(content, _PACKED))
            shown = {p.face.sha256: p.face for p in sheet.placements}
            forms = {face_name(sha256): writer.form(face) for sha256, face in shown.items()}
            page = _page(sheet, forms, layers, lettering)
            page["Parent"], page["Contents"] = reference(tree), reference(stream)
            if any(map(uses_opacity, shown.values())):
                page["Group"] = b"<</S /Transparency /CS %s>>" % writer.rgb
            pages.append(pdf.add(dictionary(page)))
        writer.fonts.use(own_fonts, font_uses(marks.used))
        made = writer.finish()
    pdf.put(lettering, named_references({name: made[name] for name in marks.used}))
    kids = b" ".join(map(reference, pages))
    pdf.put(tree, b"<</Type /Pages /Count %d /Kids [%s]>>" % (len(pages), kids))
    root, about = describe(pdf, info, sheets, tree, layers)
    written = io.BytesIO()
    pdf.write(written, root, about)
    target.write_bytes(written.getbuffer())
    sha256 = hashlib.sha256(written.getbuffer()).hexdigest()
    objects = dict(sorted((writer.digests | writer.fonts.digests).items()))
    return WrittenFile(sha256, objects, tuple(digests))


def sheet_content(sheet: Sheet, marks: MarkWriter) -> bytes:
    """Return the operators of a page: its faces, then its marks."""
    drawn = "".join(_drawn(placement, sheet.size) for placement in sheet.placements)
    content = f"{drawn}{marks.operators(sheet)}"
    if sheet.stretch != TRUE:
        content = f"q {moved(_against(sheet.stretch, sheet.size))}\n{content}\nQ"
    return content.encode()


def _against(stretch: PrinterStretch, page: Size) -> Matrix:
    """Return the matrix, in points, that cancels a printer's stretch."""
    inches = mm_to_pt(1)
    upright = Matrix(inches, 0, 0, -inches, 0, inches * page.height)
    return upright.then(stretch.lands(page).inverse).then(upright.inverse)


def _page(
    sheet: Sheet,
    forms: Mapping[str, int],
    layers: Mapping[PdfLayer, int],
    lettering: int,
) -> Entries:
    """Return the entries of a page: its boxes and resources."""
    resources: Entries = {}
    if forms:
        resources["XObject"] = named_references(forms)
    used = {mark.layer for mark in sheet.marks}
    if used:
        resources["Properties"] = named_references(
            {layer.name: number for layer, number in layers.items() if layer in used}
        )
    if any(isinstance(mark, TextMark) for mark in sheet.marks):
        resources["Font"] = reference(lettering)
    paper = Rect(0, 0, sheet.size.width, sheet.size.height)
    trims = [placement.finished for placement in sheet.placements]
    bleeds = [placement.art for placement in sheet.placements]
    return {
        "Type": "/Page",
        "Resources": dictionary(resources),
        "MediaBox": _box(paper, sheet.size),
        "BleedBox": _box(_extent(bleeds, paper), sheet.size),
        "TrimBox": _box(_extent(trims, paper), sheet.size),
    }


def _drawn(placement: Placement, page: Size) -> str:
    """Return the operators that draw one face in its place."""
    trim, bleed = placement.face.stock.trim, placement.face.stock.bleed
    x, y = mm_to_pt(trim.width / 2 + bleed), mm_to_pt(trim.height / 2 + bleed)
    a, b, c, d = _TURNS[placement.rotation % 360]
    middle = placement.trim.centre
    e = mm_to_pt(middle.x) - (a * x + c * y)
    f = mm_to_pt(page.height - middle.y) - (b * x + d * y)
    matrix = " ".join(map(_number, (a, b, c, d, e, f)))
    return f"q {_clip(placement, page)}{matrix} cm /{face_name(placement.face.sha256)} Do Q\n"


def _clip(placement: Placement, page: Size) -> str:
    """Return a clipping path where less than the whole face is shown."""
    if placement.edge:
        corners = (
            f"{_number(mm_to_pt(p.x))} {_number(mm_to_pt(page.height - p.y))}"
            for p in placement.edge
        )
        return f"{' l '.join(corners).replace(' l ', ' m ', 1)} l h W n "
    clip = placement.clip
    if clip is None and placement.bleed < placement.face.stock.bleed:
        clip = placement.trim.grown(placement.bleed)
    if clip is None:
        return ""
    lengths = (clip.x, page.height - clip.bottom, clip.width, clip.height)
    return " ".join(_number(mm_to_pt(length)) for length in lengths) + " re W n "


def _extent(boxes: Sequence[Rect], paper: Rect) -> Rect:
    """Return the box around all boxes, cut to the paper; without boxes the whole paper."""
    return around(boxes).cut_to(paper) if boxes else paper


def _box(rect: Rect, page: Size) -> str:
    """Return a page box, pt from the bottom left."""
    corners = (rect.x, page.height - rect.bottom, rect.right, page.height - rect.y)
    return f"[{' '.join(_number(mm_to_pt(mm)) for mm in corners)}]"


def _number(value: float) -> str:
    """Return a number in PDF syntax, exact to 0.00004 mm."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.00005 else "0"


PRODUCER: Final = f"Gridpress {__version__}"
_DUPLEX: Final = {
    Backs.DUPLEX_LONG: "/DuplexFlipLongEdge",
    Backs.DUPLEX_SHORT: "/DuplexFlipShortEdge",
    Backs.GUTTERFOLD: "/Simplex",
    Backs.NONE: "/Simplex",
}


class PdfInfo(Struct, frozen=True):
    """The document information of a file. `language` is a BCP 47 tag."""

    title: str
    backs: Backs
    language: str = "en"
    subject: str = ""


def describe(
    pdf: PdfFile,
    info: PdfInfo,
    sheets: Sequence[Sheet],
    tree: int,
    layers: Mapping[PdfLayer, int],
) -> tuple[int, int]:
    """Write metadata, page labels, layers and hints for the printer; return the numbers of
    catalogue and information. There are no dates, so that equal input gives equal bytes."""
    labels = b" ".join(
        b"%d <</P %s>>" % (number, text(sheet.label)) for number, sheet in enumerate(sheets)
    )
    root: Entries = {
        "Type": "/Catalog",
        "Pages": reference(tree),
        "Lang": text(info.language),
        "Metadata": reference(
            pdf.stream({"Type": "/Metadata", "Subtype": "/XML"}, _xmp(info), packed=False)
        ),
        "PageLabels": b"<</Nums [%s]>>" % labels,
        "ViewerPreferences": dictionary(
            {
                "DisplayDocTitle": "true",
                "Duplex": _DUPLEX[info.backs],
                "PrintScaling": "/None",
                "PickTrayByPDFSize": "true",
            }
        ),
    }
    if layers:
        every = b" ".join(map(reference, layers.values()))
        root["OCProperties"] = (
            b"<</OCGs [%s] /D <</Name (Layers) /ON [%s] /OFF [] /Order [%s]>>>>" % ((every,) * 3)
        )
    about = {
        "Title": info.title,
        "Subject": info.subject,
        "Creator": PRODUCER,
        "Producer": PRODUCER,
    }
    entries = {key: text(value) for key, value in about.items() if value}
    return pdf.add(dictionary(root)), pdf.add(dictionary(entries))


def _used_layers(sheets: Sequence[Sheet]) -> list[PdfLayer]:
    used = {mark.layer for sheet in sheets for mark in sheet.marks}
    return [layer for layer in PdfLayer if layer in used]


def _layer(layer: PdfLayer) -> bytes:
    """Return an optional content group that is visible and printed."""
    return (
        b"<</Type /OCG /Name %s /Intent /View /Usage <</View <</ViewState /ON>> "
        b"/Print <</PrintState /ON>>>>>>" % text(str(layer))
    )


_XMP: Final = """\
<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
{subject}<xmp:CreatorTool>{producer}</xmp:CreatorTool>
<pdf:Producer>{producer}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""


def _xmp(info: PdfInfo) -> bytes:
    """Return the document information as XMP (ISO 16684-1)."""
    subject = ""
    if info.subject:
        told = html.escape(info.subject)
        subject = (
            f'<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{told}</rdf:li></rdf:Alt>'
            "</dc:description>\n"
        )
    title, language = html.escape(info.title), html.escape(info.language)
    filled = _XMP.format(title=title, language=language, subject=subject, producer=PRODUCER)
    return filled.encode()


class MarkWriter:
    """Writes the marks of sheets, with texts in Gridpress's own font; `used` are the words so
    far."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._lettering = Lettering(fonts)
        self.used: Used = {}

    def operators(self, sheet: Sheet) -> str:
        """Return the operators that draw the marks of a sheet, layer by layer."""
        canvas = _FontlessCanvas(io.BytesIO(), invariant=1, pageCompression=0)
        canvas.setPageSize((mm_to_pt(sheet.size.width), mm_to_pt(sheet.size.height)))
        pencil = _Pencil(canvas, sheet.size.height, self._letters)
        for layer in PdfLayer:
            marks = [mark for mark in sheet.marks if mark.layer is layer]
            if marks:
                canvas.addLiteral(f"/OC /{layer.name} BDC")
                pencil.draw(marks)
                canvas.addLiteral("EMC")
        drawn: str = canvas.getCurrentPageContent()
        return drawn

    def _letters(self, mark: TextMark, height: float) -> str:
        """Return the operators of a text in black ink, on a page of this height, mm."""
        style = TextStyle("marks", OWN_FAMILY, size_pt=mark.size_pt, min_pt=mark.size_pt)
        set_ = fit_line(mark.text, style, rich=False, fonts=self._fonts, anchor=mark.anchor)
        turn = math.radians(mark.rotation)
        cos, sin = math.cos(turn), math.sin(turn)
        onto = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, PT_PER_MM * height)
        matrix = onto.then(Matrix(cos, sin, -sin, cos, mark.at.x, mark.at.y))
        letters = self._lettering.write(set_.lines, 0.0, 0.0, self.used)
        return f"q {moved(matrix)} 0 g BT 0 Tr {letters} ET Q"


TextOperators = Callable[[TextMark, float], str]
"""A function from a text and the height of its page, mm, to operators."""


class _FontlessCanvas(Canvas):
    """A canvas whose pages begin without a font, since some readers complain about a missing
    one."""

    def _make_preamble(self) -> None:
        self._preamble = "1 0 0 1 0 0 cm"


class _Pencil:
    """Draws marks, in mm from the top left, on a canvas in points from the bottom."""

    def __init__(self, canvas: Canvas, height: float, letters: TextOperators) -> None:
        self.canvas = canvas
        self.height = height
        self.letters = letters

    def draw(self, marks: Iterable[Mark]) -> None:
        """Draw marks; successive marks that look alike become one stroke."""
        for look, run in groupby(marks, key=_look):
            if look is None:
                for mark in run:
                    assert isinstance(mark, TextMark)
                    self.canvas.addLiteral(self.letters(mark, self.height))
                continue
            path = self.canvas.beginPath()
            for mark in run:
                self._trace(path, mark)
            self._stroke(path, *look)

    def _at(self, point: Point) -> tuple[float, float]:
        return mm_to_pt(point.x), mm_to_pt(self.height - point.y)

    def _trace(self, path: PDFPathObject, mark: Mark) -> None:
        if isinstance(mark, LineMark):
            path.moveTo(*self._at(mark.start))
            path.lineTo(*self._at(mark.end))
        elif isinstance(mark, PathMark):
            pen = SegmentPen()
            parse_path(mark.path, pen)
            draw: dict[str, Callable[..., None]] = {
                "M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close,
            }  # fmt: skip
            for step, values in pen.segments:
                ends = (Point(*values[at : at + 2]) for at in range(0, len(values), 2))
                draw[step](*chain.from_iterable(map(self._at, ends)))

    def _stroke(
        self,
        path: PDFPathObject,
        width: float,
        grey: float,
        dash: tuple[float, ...],
        clip: Rect | None,
    ) -> None:
        if clip is not None:
            self.canvas.saveState()
            window = self.canvas.beginPath()
            x, y = self._at(Point(clip.x, clip.bottom))
            window.rect(x, y, mm_to_pt(clip.width), mm_to_pt(clip.height))
            self.canvas.clipPath(window, stroke=0, fill=0)
        self.canvas.setLineWidth(mm_to_pt(width))
        self.canvas.setStrokeGray(grey)
        self.canvas.setDash([mm_to_pt(length) for length in dash])
        self.canvas.drawPath(path, stroke=1, fill=0)
        if clip is not None:
            self.canvas.restoreState()


def _look(mark: Mark) -> tuple[float, float, tuple[float, ...], Rect | None] | None:
    """Return width, grey, dash and window of a stroke; None for text."""
    match mark:
        case LineMark():
            return (mark.width, mark.grey, mark.dash, None)
        case PathMark():
            return (mark.width, mark.grey, (), mark.clip)
        case TextMark():
            return None
