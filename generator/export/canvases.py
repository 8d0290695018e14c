"""Faces, their art drawn, in; pictures of just so many pixels out, as shops and tables take them.

PDFium draws the very objects that go into the PDF of a sheet, so a picture is the print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import pypdfium2 as pdfium
from pikepdf import Array, Dictionary, Pdf
from PIL import Image, ImageDraw

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Outcome
from generator.export.forms import face_forms
from generator.export.pdf_text import Composing, clipped, numbers
from generator.export.previews import as_png
from generator.export.svg_to_pdf import compile_art, even_chunks
from generator.files import Roots
from generator.fonts import FontLibrary
from generator.geometry import PT_PER_MM, Matrix, Rect, summed
from generator.model.catalogue import Shape
from generator.model.face import Clip, Face
from generator.outlines import die, polygon

_IN_A_CHUNK: Final = 12
_POINTS_PER_INCH: Final = 72
_SHY: Final = 1e-3
"""pt: a page is that much smaller than its pixels, so that none is added to them by rounding."""
_QUALITIES: Final = (95, 90, 85, 80, 70, 60)
"""Of a JPEG, tried in turn until it is small enough."""
_ROWS_AT_ONCE: Final = 64
_OPAQUE: Final = 250
"""Of 255: what the edge of a shape drawn to the very border is at least, anti-aliased."""


class Canvas(NamedTuple):
    """So many pixels around the middle of a face's trim; a piece of this `shape`, as large as they
    are, is to be covered with art. `turned`: a quarter to the right. `cut`: only what is inside the
    die line, the rest transparent. `most_bytes` of the file; 0 for any."""

    width: int
    height: int
    dpi: float
    shape: Shape = Shape.RECTANGLE
    turned: bool = False
    cut: bool = False
    format: str = "png"
    most_bytes: int = 0

    @property
    def pixels(self) -> int:
        """All of them."""
        return self.width * self.height


class Wanted(NamedTuple):
    """A face to be drawn on a canvas, into a file."""

    face: Face
    canvas: Canvas
    target: Path


class DrawnCanvas(NamedTuple):
    """What came of a picture: which part of the shape on its canvas the art leaves bare, 0 to 1;
    how large the file is, bytes."""

    bare: float
    size: int


class _CanvasTask(NamedTuple):
    """The pages of a PDF for one worker, and the pictures that they become."""

    place: str
    pdf: bytes
    canvases: tuple[Canvas, ...]
    targets: tuple[Path, ...]


def draw_canvases(
    pictures: Sequence[Wanted],
    fonts: FontLibrary,
    scratch: Path,
    *,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cache: Cache = NOTHING_KEPT,
) -> Outcome[Mapping[Path, DrawnCanvas]]:
    """Draw the pictures; what came of each, by its file.

    Errors are those of `compile_art`. Raises OSError when a file cannot be written.
    """
    faces = list({picture.face.sha256: picture.face for picture in pictures}.values())
    art = compile_art(faces, fonts, scratch, roots=roots, jobs=jobs, cache=cache)
    if not art.ok:
        return Outcome({}, art.diagnostics)

    def tasks() -> Iterator[_CanvasTask]:
        for some in even_chunks(list(pictures), -(-len(pictures) // _IN_A_CHUNK)):
            with ExitStack() as opened:
                pdf = opened.enter_context(Pdf.new())
                composing = Composing(fonts)
                forms, _ = face_forms(pdf, [p.face for p in some], art.value, composing, opened)
                for picture in some:
                    page = pdf.add_blank_page()
                    canvas, form = picture.canvas, forms[picture.face.sha256]
                    size = [pixels * _POINTS_PER_INCH / canvas.dpi - _SHY for pixels in canvas[:2]]
                    page.obj.MediaBox = Array([0, 0, *(round(side, 4) for side in size)])
                    page.obj.Resources = Dictionary(XObject=Dictionary(F=form))
                    painted = face_operators(picture.face, canvas, (size[0], size[1]))
                    page.obj.Contents = pdf.make_stream(painted.encode())
                written = BytesIO()
                pdf.save(written)
            place = str(some[0].face.span)
            targets = tuple(picture.target for picture in some)
            yield _CanvasTask(place, written.getvalue(), tuple(p.canvas for p in some), targets)

    results: dict[Path, DrawnCanvas] = {}
    made = list(tasks())
    for at, drawn in workers.answers(_draw, made, jobs):
        results |= dict(zip(made[at].targets, drawn, strict=True))
        progress(len(results), len(pictures))
    return Outcome(results, art.diagnostics)


def face_operators(face: Face, canvas: Canvas, size: tuple[float, float]) -> str:
    """The operators that paint a face with the middle of its trim in the middle of a page, pt."""
    stock = face.stock
    width, height = ((side + 2 * stock.bleed) * PT_PER_MM for side in (
        stock.trim.width, stock.trim.height))  # fmt: skip
    if canvas.turned:
        onto = Matrix(0, -1, 1, 0, (size[0] - height) / 2, (size[1] + width) / 2)
    else:
        onto = Matrix(1, 0, 0, 1, (size[0] - width) / 2, (size[1] - height) / 2)
    clip = ""
    if canvas.cut:
        from_mm = Matrix(
            PT_PER_MM, 0, 0, -PT_PER_MM, PT_PER_MM * stock.bleed, height - PT_PER_MM * stock.bleed
        )
        clip = clipped(Clip(die(stock)), onto.then(from_mm))
    return f"q {clip} {numbers(*onto)} cm /F Do Q"


def _draw(task: _CanvasTask) -> list[DrawnCanvas]:
    """Draw the pages of a task."""
    drawn = []
    pixels = summed(canvas.width * canvas.height for canvas in task.canvases)
    seconds = limits.BEGINNING + limits.FACE * len(task.targets)
    with limits.at(task.place, seconds + limits.MEGAPIXEL * pixels / 1_000_000):
        pdf = pdfium.PdfDocument(task.pdf)
        try:
            for page, canvas, target in zip(pdf, task.canvases, task.targets, strict=True):
                bitmap = page.render(
                    scale=canvas.dpi / _POINTS_PER_INCH,
                    fill_color=(255, 255, 255, 0),
                    rev_byteorder=True,
                )
                drawn.append(_written(bitmap.to_pil(), canvas, target))
                bitmap.close()
                page.close()
        finally:
            pdf.close()
    return drawn


def _written(picture: Image.Image, canvas: Canvas, target: Path) -> DrawnCanvas:
    if picture.size != canvas[:2]:  # a pixel more or less, by rounding: white is what is outside
        picture = picture.crop((0, 0, *canvas[:2]))
    piece = _piece(canvas.width, canvas.height, canvas.shape)
    counted = picture.getchannel("A").histogram(piece)
    bare = summed(counted[:_OPAQUE]) / max(1, summed(counted))
    if not canvas.cut:
        picture = _on_white(picture)
    dpi = (canvas.dpi, canvas.dpi)
    if canvas.format == "jpeg":
        for quality in _QUALITIES:
            picture.save(
                target, "JPEG", quality=quality, subsampling=0, dpi=dpi, icc_profile=_srgb()
            )
            if not canvas.most_bytes or target.stat().st_size <= canvas.most_bytes:
                break
    else:
        target.write_bytes(as_png(picture, canvas.dpi, _srgb()))
    return DrawnCanvas(bare, target.stat().st_size)


def _on_white(picture: Image.Image) -> Image.Image:
    """A picture with white behind it. Part by part: a large one takes hundreds of MB."""
    whole = Image.new("RGB", picture.size)
    for top in range(0, picture.height, _ROWS_AT_ONCE):
        part = picture.crop((0, top, picture.width, min(top + _ROWS_AT_ONCE, picture.height)))
        ground = Image.new("RGBA", part.size, (255, 255, 255, 255))
        whole.paste(Image.alpha_composite(ground, part).convert("RGB"), (0, top))
    return whole


@lru_cache(maxsize=2)
def _piece(width: int, height: int, shape: Shape) -> Image.Image:
    """White where a piece of a shape lies that is as large as its canvas, but for its outermost
    pixel: of that the art covers a part, where its edge is round or slanted."""
    mask = Image.new("L", (width, height), 0)
    corners = polygon(Rect(0, 0, width - 1, height - 1).grown(-1), shape)
    ImageDraw.Draw(mask).polygon([(corner.x, corner.y) for corner in corners], 255)
    return mask


@cache
def _srgb() -> bytes:
    return files(__package__).joinpath("profiles/sRGB-v4.icc").read_bytes()
