"""Draws pictures of faces with a given number of pixels, for shops, virtual tables and programs.

PDFium draws the objects that go into the PDF of a sheet: a picture is the print.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Outcome
from generator.export.loose_pages import LoosePage, loose_pages
from generator.export.pictures import picture_reader
from generator.export.svg_to_pdf import beside, compile_art, even_chunks
from generator.files import Roots
from generator.fonts import FontLibrary
from generator.geometry import MM_PER_INCH, PT_PER_MM, Matrix, Rect, summed
from generator.model.catalogue import Shape, Stock
from generator.model.face import Face
from generator.outlines import die, polygon
from generator.pdf_syntax import as_path, moved

_PACKED: Final = 3
"""The compression level of PNGs: the default 6 takes half as long again and saves little."""
_POINTS_PER_INCH: Final = 72
_ROWS_AT_ONCE: Final = 64
Ground = tuple[int, int, int, int]
"""The paper of a page: red, green, blue and opacity."""
NOTHING: Final[Ground] = (255, 255, 255, 0)
_CANVASES_AT_ONCE: Final = 12
_SHY: Final = 1e-3
"""pt taken from the size of a page, so that rounding adds no pixel."""
_QUALITIES: Final = (95, 90, 85, 80, 70, 60)
"""Qualities of a JPEG, tried in turn until it is small enough."""
_OPAQUE: Final = 250
"""The least opacity, of 255, of a smoothed edge of a shape drawn to the border."""


class Canvas(NamedTuple):
    """A number of pixels around the middle of a face's trim.

    Art must cover a piece of this `shape`. `turned` means a quarter to the right; `cut` means
    transparent outside the die line; `most_bytes` limits the file, 0 for any size.
    """

    width: int
    height: int
    dpi: float
    shape: Shape = Shape.RECTANGLE
    turned: bool = False
    cut: bool = False
    format: str = "png"
    most_bytes: int = 0

    @classmethod
    def cut_out(cls, stock: Stock, dpi: float) -> Canvas:
        """Return the canvas of a piece as it is cut out."""
        sides = stock.trim.width, stock.trim.height
        width, height = (max(1, round(side * dpi / MM_PER_INCH)) for side in sides)
        return cls(width, height, dpi, stock.shape, cut=stock.shape is not Shape.RECTANGLE)

    @property
    def pixels(self) -> int:
        """Return their number."""
        return self.width * self.height


class Wanted(NamedTuple):
    """A face to draw on a canvas, into a file."""

    face: Face
    canvas: Canvas
    target: Path


class DrawnCanvas(NamedTuple):
    """A drawn picture: the share of its shape without art, 0 to 1, and the bytes of its file."""

    bare: float
    size: int


class _CanvasTask(NamedTuple):
    """Pages of a PDF for one worker, and their pictures."""

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
    """Draw the pictures; return the result for each file.

    Errors are those of `compile_art`. Raises OSError when a file cannot be written.
    """
    faces = list({picture.face.sha256: picture.face for picture in pictures}.values())
    art = compile_art(faces, fonts, scratch, roots=roots, jobs=jobs, cache=cache)
    if not art.ok:
        return Outcome({}, art.diagnostics)

    read = picture_reader(faces, roots or beside(faces))
    tasks = [
        _CanvasTask(
            str(some[0].face.span),
            loose_pages([canvas_page(p.face, p.canvas) for p in some], art.value, fonts, read),
            tuple(picture.canvas for picture in some),
            tuple(picture.target for picture in some),
        )
        for some in even_chunks(list(pictures), -(-len(pictures) // _CANVASES_AT_ONCE))
    ]
    results: dict[Path, DrawnCanvas] = {}
    for at, drawn in workers.answers(_draw_canvases, tasks, jobs):
        results |= dict(zip(tasks[at].targets, drawn, strict=True))
        progress(len(results), len(pictures))
    return Outcome(results, art.diagnostics)


def canvas_page(face: Face, canvas: Canvas) -> LoosePage:
    """Return the page of a face on a canvas."""
    width, height = (pixels * _POINTS_PER_INCH / canvas.dpi - _SHY for pixels in canvas[:2])
    painted = face_operators(face, canvas, (width, height))
    cut = _die_on(face, canvas, (width, height)) if canvas.cut else ""
    return LoosePage(face, round(width, 4), round(height, 4), painted.encode(), cut.encode())


def face_operators(face: Face, canvas: Canvas, size: tuple[float, float]) -> str:
    """Return the operators that paint a face in the middle of a page, pt."""
    return f"q {moved(_onto(face.stock, canvas, size))} /F Do Q"


def _onto(stock: Stock, canvas: Canvas, size: tuple[float, float]) -> Matrix:
    """Return the matrix from a face with its bleed, pt upwards, to such a page."""
    width, height = ((side + 2 * stock.bleed) * PT_PER_MM for side in (
        stock.trim.width, stock.trim.height))  # fmt: skip
    if canvas.turned:
        return Matrix(0, -1, 1, 0, (size[0] - height) / 2, (size[1] + width) / 2)
    return Matrix(1, 0, 0, 1, (size[0] - width) / 2, (size[1] - height) / 2)


def _die_on(face: Face, canvas: Canvas, size: tuple[float, float]) -> str:
    """Return the die line of a face on such a page."""
    stock = face.stock
    top = stock.trim.height + stock.bleed
    from_mm = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, PT_PER_MM * stock.bleed, PT_PER_MM * top)
    a, b, c, d, e, f = _onto(stock, canvas, size).then(from_mm)
    return as_path(
        (
            step,
            [
                v
                for x, y in zip(ps[::2], ps[1::2], strict=True)
                for v in (a * x + c * y + e, b * x + d * y + f)
            ],
        )
        for step, ps in die(stock, face.name)
    )


def rendered(pdf: bytes, looks: Iterable[tuple[float, Ground]]) -> Iterator[Image.Image]:
    """Yield a picture of each page, by its dpi and ground; each is of use until the next."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page, (dpi, ground) in zip(document, looks, strict=True):
            scale = dpi / _POINTS_PER_INCH
            pixels = page.get_width() * page.get_height() * scale * scale
            limits.allow(limits.FACE + limits.MEGAPIXEL * pixels / 1_000_000)
            bitmap = page.render(scale=scale, fill_color=ground, rev_byteorder=True)
            yield bitmap.to_pil()
            bitmap.close()
            page.close()
    finally:
        document.close()


def _draw_canvases(task: _CanvasTask) -> list[DrawnCanvas]:
    """Draw the pages of a task."""
    with limits.at(task.place):
        looks = [(canvas.dpi, NOTHING) for canvas in task.canvases]
        drawn = zip(rendered(task.pdf, looks), task.canvases, task.targets, strict=True)
        return [_written(*one) for one in drawn]


def _written(picture: Image.Image, canvas: Canvas, target: Path) -> DrawnCanvas:
    if picture.size != canvas[:2]:  # rounding adds or drops a pixel; the outside is white
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
    """Return a picture on white. It works in strips: a large picture takes hundreds of MB."""
    whole = Image.new("RGB", picture.size)
    for top in range(0, picture.height, _ROWS_AT_ONCE):
        part = picture.crop((0, top, picture.width, min(top + _ROWS_AT_ONCE, picture.height)))
        ground = Image.new("RGBA", part.size, (255, 255, 255, 255))
        whole.paste(Image.alpha_composite(ground, part).convert("RGB"), (0, top))
    return whole


@lru_cache(maxsize=2)
def _piece(width: int, height: int, shape: Shape) -> Image.Image:
    """Return a mask of the piece, white inside. It leaves out the outermost pixel, which art may
    cover in part."""
    mask = Image.new("L", (width, height), 0)
    corners = polygon(Rect(0, 0, width - 1, height - 1).grown(-1), shape)
    ImageDraw.Draw(mask).polygon([(corner.x, corner.y) for corner in corners], 255)
    return mask


@cache
def _srgb() -> bytes:
    return files(__package__).joinpath("profiles/sRGB-v4.icc").read_bytes()


_PNG_MODES: Final = {"L": 0, "RGB": 2, "RGBA": 6}
_UP: Final = b"\2"


def as_png(picture: Image.Image, dpi: float, profile: bytes = b"", level: int = _PACKED) -> bytes:
    """Return a grey, RGB or RGBA picture as PNG, packed at a `level`, with an ICC profile if given.

    Each row is stored as the difference from the one above. Trying all five filters on each row, as
    Pillow does, takes twice the time and saves nothing for art of templates.
    """
    width, height = picture.size
    row = width * len(picture.getbands())
    packer, parts, above = zlib.compressobj(level), list[bytes](), bytes(row)
    for top in range(0, height, _ROWS_AT_ONCE):
        some = picture.crop((0, top, width, min(top + _ROWS_AT_ONCE, height))).tobytes()
        size = row, len(some) // row
        these, those = (Image.frombytes("L", size, part) for part in (some, above + some[:-row]))
        rows = ImageChops.subtract_modulo(these, those).tobytes()
        lines = (_UP + rows[at : at + row] for at in range(0, len(rows), row))
        parts.append(packer.compress(b"".join(lines)))
        above = some[-row:]
    parts.append(packer.flush())
    per_m = round(dpi * 1000 / MM_PER_INCH)
    header = struct.pack(">2I5B", width, height, 8, _PNG_MODES[picture.mode], 0, 0, 0)
    chunks = {b"IHDR": header, b"pHYs": struct.pack(">2IB", per_m, per_m, 1)}
    if profile:
        chunks[b"iCCP"] = b"ICC Profile\0\0" + zlib.compress(profile, 9)
    chunks |= {b"IDAT": b"".join(parts), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(what)) + name + what + struct.pack(">I", zlib.crc32(name + what))
        for name, what in chunks.items()
    )
