"""Writes sheets as one finished PDF, with marks, layers, title and page labels.

ReportLab draws the marks, on pages that carry nothing else: page order and sizes are its own, each
layer's marks stand between `/OC /<LAYER> BDC` and `EMC`. The faces are put under them.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from itertools import chain, groupby
from pathlib import Path
from typing import Final

import msgspec
from fontTools.svgLib.path import parse_path
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Pdf, String
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from generator import __version__
from generator.cache import NOTHING_KEPT, Cache
from generator.export.forms import face_forms
from generator.export.pdf_text import Composing
from generator.export.svg_to_pdf import ArtPdfs
from generator.fonts import FontLibrary
from generator.geometry import Matrix, Point, Rect, Size, around, mm_to_pt
from generator.model.catalogue import TRUE, PrinterStretch
from generator.model.face import LineMark, Mark, PathMark, PdfLayer, Placement, Sheet, TextMark
from generator.model.manifest import WrittenFile, face_name
from generator.model.pack import Backs
from generator.outlines import SegmentPen
from generator.pdf_digests import file_digests
from generator.writing import save

_TURNS: Final = {0: (1, 0, 0, 1), 90: (0, -1, 1, 0), 180: (-1, 0, 0, -1), 270: (0, 1, -1, 0)}
"""a b c d of the matrices that turn clockwise, by degrees, where y points up."""
_OF_PLACEMENT: Final = tuple(
    name for name in Placement.__struct_fields__ if name not in ("face", "copy")
)


def sheets_key(sheets: Sequence[Sheet], fonts: FontLibrary, info: PdfInfo) -> bytes:
    """A digest of all that the PDF of these sheets follows from, but the font of its rulers and
    slugs, which is part of Gridpress."""
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
    cache: Cache = NOTHING_KEPT,
) -> WrittenFile:
    """Write the sheets to `target`: each distinct face is stored once and drawn at each of its
    places, its text set in `fonts`; rulers and slugs are set in Gridpress's font of `own_fonts`.
    Return the digests of what its pages show.

    Raises OSError when the file cannot be written, GridpressError when a font is no use.
    """
    composing = Composing(fonts, own_fonts)
    with ExitStack() as opened:
        pdf = opened.enter_context(Pdf.open(io.BytesIO(marks_pdf(sheets, composing.mark))))
        placements = [placed for sheet in sheets for placed in sheet.placements]
        turns: dict[str, set[int]] = {}
        for placed in placements:
            turns.setdefault(placed.face.sha256, set()).add(placed.rotation % 360)
        faces = (placed.face for placed in placements)
        forms, fonts_ = face_forms(pdf, faces, art, composing, opened, cache, turns)
        slug = Dictionary({f"/{name}": fonts_[name] for name in composing.own_names()})
        groups = add_layers(pdf, sheets)
        for page, sheet in zip(pdf.pages, sheets, strict=True):
            _dress(pdf, page.obj, sheet, forms, groups, slug)
        describe(pdf, info, sheets)
        save(
            pdf,
            target,
            min_version="1.7",
            object_stream_mode=ObjectStreamMode.generate,
            deterministic_id=True,
        )
    with Pdf.open(target) as written:
        return file_digests(written)


def _dress(
    pdf: Pdf,
    page: Object,
    sheet: Sheet,
    forms: Mapping[str, Object],
    groups: Mapping[PdfLayer, Object],
    slug: Dictionary,
) -> None:
    """Put the faces under the marks of a page, and write its boxes."""
    drawn = "".join(_drawn(placement, sheet.size) for placement in sheet.placements)
    content = drawn.encode() + page.Contents.read_bytes()
    page.Contents = pdf.make_stream(_stretched(content, sheet.stretch, sheet.size))
    page.Resources = _resources(sheet, forms, groups, slug)
    # ReportLab writes these two on every page, though there is nothing to say.
    for key in ("/Rotate", "/Trans"):
        if key in page:
            del page[key]
    paper = Rect(0, 0, sheet.size.width, sheet.size.height)
    trims = [placement.finished for placement in sheet.placements]
    bleeds = [placement.art for placement in sheet.placements]
    page.MediaBox = _box(paper, sheet.size)
    page.BleedBox = _box(_extent(bleeds, paper), sheet.size)
    page.TrimBox = _box(_extent(trims, paper), sheet.size)


def _stretched(content: bytes, stretch: PrinterStretch, page: Size) -> bytes:
    """Wrap the content of a page, mm, so that a printer that stretches it prints it as meant."""
    if stretch == TRUE:
        return content
    point = mm_to_pt(1)
    upright = Matrix(point, 0, 0, -point, 0, point * page.height)
    matrix = upright.then(stretch.lands(page).inverse).then(upright.inverse)
    return b"q %s cm\n%s\nQ" % (" ".join(f"{value:.8f}" for value in matrix).encode(), content)


def _resources(
    sheet: Sheet,
    forms: Mapping[str, Object],
    groups: Mapping[PdfLayer, Object],
    slug: Dictionary,
) -> Dictionary:
    """What the content names: faces, the layers of the marks, the font of slugs and rulers."""
    faces = dict.fromkeys(placement.face.sha256 for placement in sheet.placements)
    layers = {mark.layer for mark in sheet.marks}
    resources = Dictionary()
    if faces:
        resources.XObject = Dictionary({f"/{face_name(sha)}": forms[sha] for sha in faces})
    if layers:
        resources.Properties = Dictionary(
            {f"/{layer.name}": group for layer, group in groups.items() if layer in layers}
        )
    if any(isinstance(mark, TextMark) for mark in sheet.marks):
        resources.Font = slug
    return resources


def _drawn(placement: Placement, page: Size) -> str:
    """The operators that draw one face: clipped if need be, turned about its middle, in place."""
    trim, bleed = placement.face.stock.trim, placement.face.stock.bleed
    x, y = mm_to_pt(trim.width / 2 + bleed), mm_to_pt(trim.height / 2 + bleed)
    a, b, c, d = _TURNS[placement.rotation % 360]
    middle = placement.trim.centre
    e = mm_to_pt(middle.x) - (a * x + c * y)
    f = mm_to_pt(page.height - middle.y) - (b * x + d * y)
    matrix = " ".join(map(_number, (a, b, c, d, e, f)))
    name = face_name(placement.face.sha256)
    return f"q {_clip(placement, page)}{matrix} cm /{name} Do Q\n"


def _clip(placement: Placement, page: Size) -> str:
    """A clipping path where less is to show than the face holds."""
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
    """The box around all, inside the paper; the whole paper when there are none."""
    return around(boxes).cut_to(paper) if boxes else paper


def _box(rect: Rect, page: Size) -> Array:
    """A page box, pt from the bottom left."""
    corners = (rect.x, page.height - rect.bottom, rect.right, page.height - rect.y)
    return Array([Decimal(_number(mm_to_pt(mm))) for mm in corners])


def _number(value: float) -> str:
    """A number as PDF writes it, exact to 0.00004 mm."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) >= 0.00005 else "0"


PRODUCER: Final = f"Gridpress {__version__}"
_DUPLEX: Final = {
    Backs.DUPLEX_LONG: "/DuplexFlipLongEdge",
    Backs.DUPLEX_SHORT: "/DuplexFlipShortEdge",
    Backs.GUTTERFOLD: "/Simplex",
    Backs.NONE: "/Simplex",
}


class PdfInfo(Struct, frozen=True):
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


TextOperators = Callable[[TextMark, float], str]
"""A text and the height of its page, mm: the operators that print it."""


def marks_pdf(sheets: Sequence[Sheet], letters: TextOperators) -> bytes:
    """Draw the marks of all sheets, their texts by `letters`, whose fonts the pages still lack."""
    buffer = io.BytesIO()
    # Uncompressed here: pikepdf compresses when it saves, with the same zlib on every machine.
    canvas = _FontlessCanvas(buffer, invariant=1, pageCompression=0)
    for sheet in sheets:
        canvas.setPageSize((mm_to_pt(sheet.size.width), mm_to_pt(sheet.size.height)))
        pencil = _Pencil(canvas, sheet.size.height, letters)
        for layer in PdfLayer:
            marks = [mark for mark in sheet.marks if mark.layer is layer]
            if marks:
                canvas.addLiteral(f"/OC /{layer.name} BDC")
                pencil.draw(marks)
                canvas.addLiteral("EMC")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class _FontlessCanvas(Canvas):
    """Begins no page with a font: the letters bring theirs, and readers complain of a page that
    sets one which it lacks."""

    def _make_preamble(self) -> None:
        self._preamble = "1 0 0 1 0 0 cm"


class _Pencil:
    """Draws marks, in mm from the top left, on a canvas that counts points from the bottom."""

    def __init__(self, canvas: Canvas, height: float, letters: TextOperators) -> None:
        self.canvas = canvas
        self.height = height
        self.letters = letters

    def draw(self, marks: Iterable[Mark]) -> None:
        """Marks that follow each other and look alike become one stroke of many parts."""
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
    """Width, grey, dash and window of a stroke; None for text."""
    match mark:
        case LineMark():
            return (mark.width, mark.grey, mark.dash, None)
        case PathMark():
            return (mark.width, mark.grey, (), mark.clip)
        case TextMark():
            return None
