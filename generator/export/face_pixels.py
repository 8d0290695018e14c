"""Draws pictures of faces: as printed, in rows, or with a given number of pixels.

PDFium draws the objects that go into the PDF of a sheet: a picture is the print.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import pypdfium2
from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFont

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

_PREVIEWS_AT_ONCE: Final = 24
_PACKED: Final = 3
"""The compression level of PNGs: the default 6 takes half as long again and saves little."""
_POINTS_PER_INCH: Final = 72
_PAPER: Final = (255, 255, 255, 255)
_NOTHING: Final = (255, 255, 255, 0)
"""The paper of pages: red, green, blue and opacity."""


class _PreviewTask(NamedTuple):
    """Pages of a PDF for one worker, and their pictures."""

    place: str
    pdf: bytes
    targets: tuple[Path, ...]
    dpi: float
    flaws: tuple[tuple[Rect, ...], ...]
    grounds: tuple[tuple[int, int, int, int], ...]


def face_pictures(
    faces: Sequence[Face],
    fonts: FontLibrary,
    folder: Path,
    *,
    dpi: float,
    cut: bool = False,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cache: Cache = NOTHING_KEPT,
) -> Outcome[Mapping[str, Path]]:
    """Draw every distinct face to `folder/<sha256>.png` with its bleed, and its flaws framed in
    red. With `cut`, faces without flaws are drawn as they are cut out.

    Returns the picture of each face by its sha256. Raises the errors of `compile_art`.
    """
    wanted = list({face.sha256: face for face in faces}.values())
    art = compile_art(
        wanted,
        fonts,
        folder,
        roots=roots,
        jobs=jobs,
        cache=cache,
    )
    pictures = {face.sha256: folder / f"{face.sha256}.png" for face in wanted}
    if not art.ok:
        return Outcome(pictures, art.diagnostics)
    read = picture_reader(wanted, roots or beside(wanted))

    def page(face: Face) -> LoosePage:
        is_cut = cut and not face.flaws
        return _page(face, Canvas.cut_out(face.stock, dpi)) if is_cut else LoosePage.of(face)

    tasks = [
        _PreviewTask(
            str(some[0].span),
            loose_pages(pages := list(map(page, some)), art.value, fonts, read, cache),
            tuple(pictures[face.sha256] for face in some),
            dpi,
            tuple(_on_picture(face) for face in some),
            tuple(_NOTHING if page.cut else _PAPER for page in pages),
        )
        for some in even_chunks(wanted, -(-len(wanted) // _PREVIEWS_AT_ONCE))
    ]
    done = 0
    here = len(tasks) == 1 and jobs == 1  # no worker needed
    for drawn in map(_draw, tasks) if here else (n for _, n in workers.answers(_draw, tasks, jobs)):
        done += drawn
        progress(done, len(wanted))
    return Outcome(pictures, ())


def face_pages(faces: Sequence[Face], fonts: FontLibrary, folder: Path) -> Outcome[bytes]:
    """Return a PDF with a page for each face. Errors are those of `compile_art`."""
    art = compile_art(faces, fonts, folder)
    if not art.ok:
        return Outcome(b"", art.diagnostics)
    pages = [LoosePage.of(face) for face in faces]
    return Outcome(loose_pages(pages, art.value, fonts, picture_reader(faces, beside(faces))))


def _draw(task: _PreviewTask) -> int:
    """Draw the pages of a task; return how many."""
    with limits.at(task.place, limits.FACE * len(task.targets)):
        pdf = pypdfium2.PdfDocument(task.pdf)
        try:
            for page, target, flaws, ground in zip(
                pdf, task.targets, task.flaws, task.grounds, strict=True
            ):
                drawn = page.render(
                    scale=task.dpi / _POINTS_PER_INCH, fill_color=ground, rev_byteorder=True
                )
                limits.allow(limits.MEGAPIXEL * drawn.width * drawn.height / 1_000_000)
                target.write_bytes(as_png(_framed(drawn.to_pil(), flaws, task.dpi), task.dpi))
                drawn.close()
                page.close()
        finally:
            pdf.close()
    return len(task.targets)


_RED: Final = "#d6001c"
_FRAME_MM: Final = 0.6


def _on_picture(face: Face) -> tuple[Rect, ...]:
    """Return the flaws of a face, mm from the corner of its bleed."""
    return tuple(flaw.moved(face.stock.bleed, face.stock.bleed) for flaw in face.flaws)


def _framed(picture: Image.Image, flaws: Sequence[Rect], dpi: float) -> Image.Image:
    """Return a picture with red frames around places, mm."""
    if not flaws:
        return picture
    picture = picture.convert("RGB")
    pen, scale = ImageDraw.Draw(picture), dpi / MM_PER_INCH
    for flaw in flaws:
        around = flaw.grown(_FRAME_MM)
        corners = [v * scale for v in (around.x, around.y, around.right, around.bottom)]
        pen.rectangle(corners, outline=_RED, width=max(2, round(_FRAME_MM * scale)))
    return picture


_PNG_MODES: Final = {"L": 0, "RGB": 2, "RGBA": 6}
_UP: Final = b"\2"
_ROWS_AT_ONCE: Final = 64


def as_png(picture: Image.Image, dpi: float, profile: bytes = b"") -> bytes:
    """Return a grey, RGB or RGBA picture as PNG, with an ICC profile if given.

    Each row is stored as the difference from the one above. Trying all five filters on each row, as
    Pillow does, takes twice the time and saves nothing for art of templates.
    """
    width, height = picture.size
    row = width * len(picture.getbands())
    packer, packed, above = zlib.compressobj(_PACKED), [], bytes(row)
    for top in range(0, height, _ROWS_AT_ONCE):
        some = picture.crop((0, top, width, min(top + _ROWS_AT_ONCE, height))).tobytes()
        size = row, len(some) // row
        these, those = (Image.frombytes("L", size, part) for part in (some, above + some[:-row]))
        rows = ImageChops.subtract_modulo(these, those).tobytes()
        lines = (_UP + rows[at : at + row] for at in range(0, len(rows), row))
        packed.append(packer.compress(b"".join(lines)))
        above = some[-row:]
    packed.append(packer.flush())
    per_m = round(dpi * 1000 / MM_PER_INCH)
    header = struct.pack(">2I5B", width, height, 8, _PNG_MODES[picture.mode], 0, 0, 0)
    chunks = {b"IHDR": header, b"pHYs": struct.pack(">2IB", per_m, per_m, 1)}
    if profile:
        chunks[b"iCCP"] = b"ICC Profile\0\0" + zlib.compress(profile, 9)
    chunks |= {b"IDAT": b"".join(packed), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(what)) + name + what + struct.pack(">I", zlib.crc32(name + what))
        for name, what in chunks.items()
    )


_GAP: Final = 0.06
"""White around a picture, in widths of a column."""
_CAPTION: Final = 0.065
"""Size of captions, in widths of a column."""
_LEAST_CAPTION_PX: Final = 11
_GROUND: Final = "#e9e7e2"
_INK: Final = "#1d1a17"


class PreviewPicture(Struct, frozen=True):
    """A picture file and its caption."""

    path: Path
    caption: str


def contact_sheet(
    pictures: Sequence[PreviewPicture], columns: int, width_px: int, font: Path
) -> bytes:
    """Return the PNG of a sheet `width_px` wide, on which every picture fills its column.

    Raises ValueError without a picture or a column, OSError for an unreadable picture or font.
    """
    if not pictures or columns < 1:
        raise ValueError("a contact sheet needs pictures and columns")
    columns = min(columns, len(pictures))
    column = width_px / columns
    gap = round(column * _GAP)
    inner = max(1, round(column) - 2 * gap)
    lettering = ImageFont.truetype(font, max(_LEAST_CAPTION_PX, round(column * _CAPTION)))
    foot = 2 * round(lettering.size)
    rows = [pictures[start : start + columns] for start in range(0, len(pictures), columns)]
    heights = [max(_height(picture, inner) for picture in row) for row in rows]
    total = summed(heights) + len(rows) * (gap + foot) + gap
    sheet = Image.new("RGB", (width_px, total), _GROUND)
    pen = ImageDraw.Draw(sheet)
    top = gap
    for row, height in zip(rows, heights, strict=True):
        for number, picture in enumerate(row):
            left = round(number * column) + gap
            with Image.open(picture.path) as opened:
                small = _on_ground(opened).resize(
                    (inner, _height(picture, inner)), Image.Resampling.LANCZOS
                )
            sheet.paste(small, (left, top + height - small.height))
            caption = _shortened(picture.caption, lettering, inner)
            pen.text((left + inner / 2, top + height + foot / 2), caption, _INK, lettering, "mm")
        top += height + gap + foot
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _on_ground(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    ground = Image.new("RGB", picture.size, _GROUND)
    ground.paste(picture, mask=picture)
    return ground


def _height(picture: PreviewPicture, width: int) -> int:
    with Image.open(picture.path) as opened:
        return max(1, round(width * opened.height / opened.width))


def _shortened(caption: str, lettering: ImageFont.FreeTypeFont, width: int) -> str:
    """Return as much of a caption as fits, with an ellipsis."""
    if lettering.getlength(caption) <= width:
        return caption
    while caption and lettering.getlength(caption + "…") > width:
        caption = caption[:-1]
    return caption.rstrip() + "…"


_CANVASES_AT_ONCE: Final = 12
_SHY: Final = 1e-3
"""pt by which a page is smaller than its pixels, so that rounding adds none."""
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

    def tasks() -> Iterator[_CanvasTask]:
        for some in even_chunks(list(pictures), -(-len(pictures) // _CANVASES_AT_ONCE)):
            pages = [_page(picture.face, picture.canvas) for picture in some]
            yield _CanvasTask(
                str(some[0].face.span),
                loose_pages(pages, art.value, fonts, read),
                tuple(picture.canvas for picture in some),
                tuple(picture.target for picture in some),
            )

    results: dict[Path, DrawnCanvas] = {}
    made = list(tasks())
    for at, drawn in workers.answers(_draw_canvases, made, jobs):
        results |= dict(zip(made[at].targets, drawn, strict=True))
        progress(len(results), len(pictures))
    return Outcome(results, art.diagnostics)


def _page(face: Face, canvas: Canvas) -> LoosePage:
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


def _draw_canvases(task: _CanvasTask) -> list[DrawnCanvas]:
    """Draw the pages of a task."""
    drawn = []
    pixels = summed(canvas.width * canvas.height for canvas in task.canvases)
    seconds = limits.FACE * len(task.targets)
    with limits.at(task.place, seconds + limits.MEGAPIXEL * pixels / 1_000_000):
        pdf = pypdfium2.PdfDocument(task.pdf)
        try:
            for page, canvas, target in zip(pdf, task.canvases, task.targets, strict=True):
                bitmap = page.render(
                    scale=canvas.dpi / _POINTS_PER_INCH,
                    fill_color=_NOTHING,
                    rev_byteorder=True,
                )
                drawn.append(_written(bitmap.to_pil(), canvas, target))
                bitmap.close()
                page.close()
        finally:
            pdf.close()
    return drawn


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
