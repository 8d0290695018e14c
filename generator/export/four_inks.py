"""Writes a PDF for a press: pages with trim and bleed in cyan, magenta, yellow and black.

Art is drawn as for printing, converted by an ICC profile and placed as one picture, so nothing is
transparent or in another colour space. Black stays black ink alone: the art is drawn again with
white in place of black, and the difference is the black. Text with nothing on top is set over the
picture.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pikepdf
import pypdfium2 as pdfium
from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, String
from PIL import Image, ImageChops, ImageCms

from generator import __version__, limits, workers
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Outcome
from generator.export.canvases import Canvas, face_operators
from generator.export.font_embedding import FontWriter
from generator.export.loose_pages import LoosePage, loose_pages
from generator.export.pdf_file import PdfFile, named_references, reference
from generator.export.pictures import picture_reader
from generator.export.svg_to_pdf import ArtPdfs, beside, compile_art, even_chunks
from generator.files import Roots
from generator.fonts import FontLibrary
from generator.geometry import MM_PER_INCH, PT_PER_MM, Matrix, Rect, mm_to_pt, summed
from generator.model.face import Face
from generator.model.packed import pack
from generator.pdf_syntax import Entries, dictionary, moved
from generator.writing import save

DPI: Final = 300
_IN_A_CHUNK: Final = 6
_INKED: Final = 12
"""Converting a pixel takes this many times as long as drawing it."""
_A_STRIP: Final = 1_500_000
"""Pixels that are converted at once."""
_POINTS_PER_INCH: Final = 72
_DATE: Final = "D:20000101000000Z"
"""The date of every file: the standards require one, and equal input must give equal bytes."""
_ISO_DATE: Final = "2000-01-01T00:00:00Z"
_PAINTS: Final = ("g", "G", "rg", "RG", "sc", "SC", "scn", "SCN")
_PDFX: Final = "http://www.npes.org/pdfx/ns/id/"


class Inks(NamedTuple):
    """A printing condition: the file of its profile, its name in registries, and its title."""

    profile: str
    condition: str
    title: str


class PressInfo(Struct, frozen=True):
    """The document information of a file; `standard` is PDF/X-1a:2003 or PDF/X-4."""

    title: str
    standard: str
    inks: Inks


def write_press(
    pages: Sequence[Face | None],
    fonts: FontLibrary,
    target: Path,
    info: PressInfo,
    scratch: Path,
    *,
    roots: Roots | None = None,
    jobs: int = 1,
    cache: Cache = NOTHING_KEPT,
) -> Outcome[None]:
    """Write faces of one stock as pages; None is a blank page.

    Errors are those of `compile_art`. Raises OSError when a file cannot be written.
    """
    faces = list({face.sha256: face for face in pages if face is not None}.values())
    art = compile_art(faces, fonts, scratch, roots=roots, jobs=jobs, cache=cache)
    if not art.ok:
        return Outcome(None, art.diagnostics)
    pictures = [scratch / f"inks-{face.sha256[:24]}" for face in faces]
    tasks = list(_tasks(faces, pictures, fonts, art.value, info.inks.profile, roots))
    for _ in workers.answers(_ink, tasks, jobs):
        pass
    _bind(pages, dict(zip((f.sha256 for f in faces), pictures, strict=True)), fonts, target, info)
    return Outcome(None, art.diagnostics)


# -- letters and picture of a face ----------------------------------------------------------------


def _without_letters(face: Face) -> Face:
    """Return a face without the texts that are set over its picture."""
    content, kept, at = face.drawing.content.plain, [], 0
    for one in face.drawing.texts:
        kept.append(content[at : one.begin])
        at = one.end
    rest = pack(b"".join((*kept, content[at:])))
    return replace(face, drawing=replace(face.drawing, content=rest))


def _letters(face: Face, profile: str) -> bytes:
    """Return the operators of these texts, in the inks of a profile."""
    content, parts = face.drawing.content.plain, []
    for one in face.drawing.texts:
        inks = " ".join(f"{ink:.4f}" for ink in inks_of(one.colour, profile))
        parts += [
            content[one.begin : one.paint_begin],
            f"{inks} k\n".encode(),
            content[one.paint_end : one.end],
        ]
    return b"".join(parts)


def _canvas(face: Face) -> Canvas:
    trim, bleed = face.stock.trim, face.stock.bleed
    width, height = (
        max(1, round((side + 2 * bleed) * DPI / MM_PER_INCH)) for side in (trim.width, trim.height)
    )
    return Canvas(width, height, DPI)


# -- pictures in four inks -------------------------------------------------------------------------


class _InkTask(NamedTuple):
    """The art of some faces, plain and with white for black, and their pictures."""

    place: str
    plain: bytes
    white: bytes
    profile: str
    canvases: tuple[Canvas, ...]
    targets: tuple[Path, ...]


def _tasks(
    faces: Sequence[Face],
    targets: Sequence[Path],
    fonts: FontLibrary,
    art: ArtPdfs,
    profile: str,
    roots: Roots | None,
) -> Iterator[_InkTask]:
    read = picture_reader(faces, roots or beside(faces))
    both = list(zip(faces, targets, strict=True))
    for some in even_chunks(both, -(-len(both) // _IN_A_CHUNK)):
        pages = [_page(_without_letters(face)) for face, _ in some]
        plain, white = loose_pages(pages, art, fonts, read), BytesIO()
        with Pdf.open(BytesIO(plain)) as pdf:
            _whiten(pdf)
            pdf.save(white)
        yield _InkTask(
            str(some[0][0].span),
            plain,
            white.getvalue(),
            profile,
            tuple(_canvas(face) for face, _ in some),
            tuple(target for _, target in some),
        )


def _page(face: Face) -> LoosePage:
    canvas = _canvas(face)
    width, height = (pixels * _POINTS_PER_INCH / DPI - 1e-3 for pixels in canvas[:2])
    painted = face_operators(face, canvas, (width, height))
    return LoosePage(face, round(width, 4), round(height, 4), painted.encode())


def _whiten(pdf: Pdf) -> None:
    """Paint black things white, except in masks."""
    masks = {
        state.SMask.G.objgen
        for state in pdf.objects
        if isinstance(state, Dictionary) and isinstance(state.get("/SMask"), Dictionary)
        and "/G" in state.SMask
    }  # fmt: skip
    for stream in pdf.objects:
        is_form = isinstance(stream, pikepdf.Stream) and stream.get("/Subtype") == Name.Form
        if is_form and stream.objgen not in masks:
            steps = [_whitened(step) for step in pikepdf.parse_content_stream(stream)]
            stream.write(pikepdf.unparse_content_stream(steps))


def _whitened(step: Any) -> Any:
    operator, operands = str(step.operator), list(step.operands)
    if operator not in _PAINTS or len(operands) not in (1, 3):
        return step
    if not all(isinstance(one, int | Decimal) and one == 0 for one in operands):
        return step
    return pikepdf.ContentStreamInstruction([1] * len(operands), step.operator)


def _ink(task: _InkTask) -> int:
    """Draw the pictures of a task, each into a file of packed pixels."""
    pixels = summed(canvas.width * canvas.height for canvas in task.canvases)
    seconds = limits.FACE * len(task.targets)
    seconds += _INKED * limits.MEGAPIXEL * pixels / 1_000_000
    with ExitStack() as opened, limits.at(task.place, seconds):
        plain, white = (pdfium.PdfDocument(pdf) for pdf in (task.plain, task.white))
        opened.callback(plain.close)
        opened.callback(white.close)
        for number, (canvas, target) in enumerate(zip(task.canvases, task.targets, strict=True)):
            packer, packed = zlib.compressobj(), bytearray()
            for top in range(0, canvas.height, rows := max(1, _A_STRIP // canvas.width)):
                bottom = min(canvas.height, top + rows)
                seen, lit = (_strip(pdf[number], canvas, top, bottom) for pdf in (plain, white))
                packed += packer.compress(_inked(seen, lit, task.profile))
            packed += packer.flush()
            target.write_bytes(bytes(packed))
    return len(task.targets)


def _strip(page: Any, canvas: Canvas, top: int, bottom: int) -> Image.Image:
    """Return some rows of pixels of a page."""
    scale = canvas.dpi / _POINTS_PER_INCH
    cut = [max(0, pixels - 0.25) / scale for pixels in (0, canvas.height - bottom, 0, top)]
    bitmap = page.render(scale=scale, crop=tuple(cut), rev_byteorder=True)
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    page.close()
    return picture.crop((0, 0, canvas.width, bottom - top))


def _inked(seen: Image.Image, lit: Image.Image, profile: str) -> bytes:
    """Return the four inks of each pixel. `lit` is the picture with white for black: where it is
    brighter than `seen`, black covers the rest."""
    red, green, blue = ImageChops.subtract(lit, seen).split()
    black = np.asarray(ImageChops.darker(ImageChops.darker(red, green), blue)).reshape(-1)
    inks = np.array(_separated(seen, profile)).reshape(-1, 4)
    if len(there := np.flatnonzero(black)):
        cover = black[there].astype(np.int32)[:, None]
        left = 255 - cover
        plain = np.asarray(seen).reshape(-1, 3)[there].astype(np.int32)
        beneath = np.minimum(plain * 255 // np.maximum(left, 1), 255)
        ground = Image.fromarray(np.where(left, beneath, 255).astype(np.uint8)[None])
        made = np.asarray(_separated(ground, profile))[0].astype(np.int32) * left // 255
        made[:, 3:] += cover
        inks[there] = np.minimum(made, 255)
    return inks.tobytes()


def _separated(picture: Image.Image, profile: str) -> Image.Image:
    """Return a picture in four inks."""
    return ImageCms.applyTransform(picture, _transform(profile))  # type: ignore[return-value]


@cache
def _transform(profile: str) -> Any:
    source, target = (ImageCms.ImageCmsProfile(BytesIO(_profile(n))) for n in ("sRGB-v4", profile))
    return ImageCms.buildTransform(
        source,
        target,
        "RGB",
        "CMYK",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def _profile(name: str) -> bytes:
    return files(__package__).joinpath(f"profiles/{name}.icc").read_bytes()


@lru_cache(1024)
def inks_of(colour: str, profile: str) -> tuple[float, float, float, float]:
    """Return `#rrggbb` in four inks, 0 to 1; a grey is black ink alone."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if red == green == blue:
        return 0.0, 0.0, 0.0, 1 - red / 255
    dot = Image.new("RGB", (1, 1), (red, green, blue))
    c, m, y, k = ImageCms.applyTransform(dot, _transform(profile)).tobytes()  # type: ignore[union-attr]
    return c / 255, m / 255, y / 255, k / 255


# -- the file --------------------------------------------------------------------------------------


def _bind(
    pages: Sequence[Face | None],
    pictures: dict[str, Path],
    fonts: FontLibrary,
    target: Path,
    info: PressInfo,
) -> None:
    stock = next(face.stock for face in pages if face is not None)
    whole = Rect(0, 0, stock.trim.width, stock.trim.height).grown(stock.bleed)
    file = PdfFile()
    lettering, tree = FontWriter(file), file.reserve()
    fonts_object = file.reserve()
    forms: dict[str, int] = {}
    numbers_: list[int] = []
    for face in pages:
        page: Entries = {
            "Type": "/Page",
            "Parent": reference(tree),
            "MediaBox": _corners(whole, 0.0),
            "BleedBox": _corners(whole, 0.0),
            "TrimBox": _corners(whole, stock.bleed),
            "Resources": "<<>>",
        }
        content = b"q Q"  # Ghostscript cannot unpack an empty stream
        if face is not None:
            if face.sha256 not in forms:
                lettering.use(fonts, face.drawing.fonts)
                picture = pictures[face.sha256].read_bytes()
                forms[face.sha256] = _form(file, face, picture, info.inks.profile, fonts_object)
            page["Resources"] = b"<</XObject <</F %s>>>>" % reference(forms[face.sha256])
            content = b"/F Do"
        page["Contents"] = reference(file.stream({}, content, packed=False))
        numbers_.append(file.add(dictionary(page)))
    file.put(fonts_object, named_references(lettering.write()))
    kids = b" ".join(map(reference, numbers_))
    file.put(tree, b"<</Type /Pages /Count %d /Kids [%s]>>" % (len(numbers_), kids))
    written = BytesIO()
    file.write(written, file.add(b"<</Type /Catalog /Pages %s>>" % reference(tree)))
    with Pdf.open(written) as pdf:
        _describe(pdf, info)
        is_old = info.standard != "PDF/X-4"
        save(
            pdf,
            target,
            force_version="1.4" if is_old else "1.6",
            object_stream_mode=ObjectStreamMode.disable if is_old else ObjectStreamMode.generate,
            deterministic_id=True,
        )


def _form(file: PdfFile, face: Face, picture: bytes, profile: str, fonts: int) -> int:
    """Add a face: its picture in the middle of the page, and its letters."""
    stock, canvas = face.stock, _canvas(face)
    image = file.stream(
        {
            "Type": "/XObject",
            "Subtype": "/Image",
            "Width": canvas.width,
            "Height": canvas.height,
            "ColorSpace": "/DeviceCMYK",
            "BitsPerComponent": 8,
        },
        picture,
    )
    width, height = mm_to_pt(face.box.width), mm_to_pt(face.box.height)
    wide, high = (pixels * _POINTS_PER_INCH / DPI for pixels in canvas[:2])
    place = f"{wide:.4f} 0 0 {high:.4f} {(width - wide) / 2:.4f} {(height - high) / 2:.4f}"
    scale = PT_PER_MM
    onto = Matrix(scale, 0, 0, -scale, scale * stock.bleed, scale * face.box.bottom)
    letters = _letters(face, profile)
    content = f"q {place} cm /I Do Q\nq {moved(onto)}\n".encode() + letters + b"Q\n"
    entries: Entries = {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": _corners(face.box, 0.0),
        "Resources": b"<</XObject <</I %s>>%s>>"
        % (reference(image), b" /Font %s" % reference(fonts) if letters else b""),
    }
    return file.stream(entries, zlib.compress(content))


def _corners(whole: Rect, inset: float) -> str:
    """Return a box on a page as large as `whole`, pt from the lower left."""
    sides = (inset, inset, whole.width - inset, whole.height - inset)
    return f"[{' '.join(f'{mm_to_pt(side):.4f}' for side in sides)}]"


def _describe(pdf: Pdf, info: PressInfo) -> None:
    """Write the entries that the standards require: standard, printing condition, date and
    author."""
    producer = f"Gridpress {__version__}"
    pdf.docinfo = pdf.make_indirect(Dictionary())
    told = {
        "/Title": info.title,
        "/Creator": producer,
        "/Producer": producer,
        "/CreationDate": _DATE,
        "/ModDate": _DATE,
        "/GTS_PDFXVersion": info.standard,
    }
    for key, text in told.items():
        pdf.docinfo[key] = String(text)
    pdf.docinfo.Trapped = Name("/False")
    profile = pdf.make_stream(_profile(info.inks.profile))
    profile.N = 4
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(info.inks.condition),
        OutputCondition=String(info.inks.title),
        RegistryName=String("http://www.color.org"),
        Info=String(info.inks.title),
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])
    if info.standard != "PDF/X-4":
        return
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp.register_xml_namespace(_PDFX, "pdfxid")
        xmp["dc:title"] = info.title
        xmp["xmp:CreatorTool"] = xmp["pdf:Producer"] = producer
        xmp["pdf:Trapped"] = "False"
        for key in ("xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate"):
            xmp[key] = _ISO_DATE
        xmp["xmpMM:DocumentID"] = f"gridpress:{info.title}"
        xmp["xmpMM:VersionID"] = "1"
        xmp["xmpMM:RenditionClass"] = "default"
        xmp[f"{{{_PDFX}}}GTS_PDFXVersion"] = "PDF/X-4"
