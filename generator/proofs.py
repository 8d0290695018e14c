"""The proof of a face: what it shows, drawn small when it was rendered, by which a finished file is
judged later; and the small steps of drawing, packing and comparing that both sides share."""

from __future__ import annotations

import base64
import functools
import io
import math
from typing import Any, Final, NamedTuple

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, WebPImagePlugin  # noqa: F401, else Pillow loads all there are

from generator.geometry import Matrix

DPI: Final = 100
"""Of the pixels that are looked at: 3 mm of bleed are 12 of them, a 7 pt line is 10 high. Four of
them become one of a proof, which is 0.5 mm wide."""
SMALLER: Final = 2
PAINTER: Final = f"PDFium {pypdfium2.PDFIUM_INFO.build}"
"""Who draws the proofs: another version of it draws edges another way."""
_LEVELS: Final = 16
"""Of each channel that are kept; more would only take more room."""
_COARSE: Final = bytes(
    round(level * (_LEVELS - 1) / 255) * 255 // (_LEVELS - 1) for level in range(256)
)
_SAME: Final = 16
"""By which a pixel may differ from its proof: half a level, and what comes of rounding."""
_BEYOND: Final = [max(difference - _SAME, 0) for difference in range(256)]
MOST_PIXELS: Final = 5_000_000
"""Of a proof: of a face of A0."""
_REDUCE_FROM: Final = 512
"""Pixels, of the longer side, from which a picture is drawn with half of them each way."""
_QUARTER_FROM: Final = 1000
"""Pixels from which it is drawn with a quarter: 75 dpi are left of 300."""
_QUARTER: Final = 4
_MOST_SMALL: Final = 24
_MODEST: Final = 2_000_000
"""So many pictures of so many pixels a process remembers made smaller."""


def proof(page: pypdfium2.PdfPage) -> str:
    """The proof of the face that a page shows alone, to the edges of its form: WebP without loss,
    as base64."""
    stream = io.BytesIO()
    coarse = drawn(page).point(_COARSE * 4)
    coarse.save(stream, "WEBP", lossless=True, method=0, quality=0)
    return base64.b64encode(stream.getvalue()).decode()


def drawn(page: pypdfium2.PdfPage, laid: Matrix | None = None) -> Image.Image:
    """What a page shows, at the size of a proof, on nothing; `laid` otherwise, through a matrix of
    the proof's pixels about its middle."""
    width, height = (max(-(-side * DPI // 72), 1) for side in page.get_size())
    size = int(width), int(height)
    bitmap = pypdfium2.PdfBitmap.new_native(*size, pdfium.FPDFBitmap_BGRA, rev_byteorder=True)
    bitmap.fill_rect((0, 0, 0, 0), 0, 0, *size)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    if laid is None:
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, 0, flags)
    else:
        through = pdfium.FS_MATRIX(*_on_bitmap(laid, size, page.get_size()))
        everywhere = pdfium.FS_RECTF(0, 0, *size)
        pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, through, everywhere, flags)
    picture: Image.Image = bitmap.to_pil().reduce(SMALLER)
    bitmap.close()
    return picture


def _on_bitmap(laid: Matrix, size: tuple[int, int], page: tuple[float, float]) -> Matrix:
    """From points of a page to pixels of its bitmap, through a matrix about its middle."""
    x, y = size[0] / 2, size[1] / 2
    larger = Matrix(*laid[:4], laid.e * SMALLER, laid.f * SMALLER)
    scaled = Matrix(size[0] / page[0], 0, 0, size[1] / page[1], -x, -y)
    return Matrix(e=x, f=y).then(larger).then(scaled)


def proof_pixels(width: float, height: float) -> float:
    """How many the proof of a face of that size, pt, has."""
    return width * height * (DPI / SMALLER / 72) ** 2


class NoProofError(ValueError):
    """What is written in the place of a proof is none."""


def shown(proof: str) -> Image.Image:
    """A proof as it is seen on white paper. Raises NoProofError."""
    try:
        with Image.open(io.BytesIO(base64.b64decode(proof)), formats=("WEBP",)) as picture:
            if math.prod(picture.size) > MOST_PIXELS:
                raise NoProofError
            small = picture.copy()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NoProofError from error
    return on_paper(small)


def on_paper(picture: Image.Image) -> Image.Image:
    """A picture as it is seen on white paper."""
    if picture.mode == "RGB":  # as WebP tells of one that is opaque all over
        return picture
    paper = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def off(seen: Image.Image, proof: Image.Image) -> Image.Image:
    """Where a picture at the size of a proof is another than that: how far, by its worst channel,
    less what comes of how the proof is kept."""
    red, green, blue = ImageChops.difference(seen, proof).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(_BEYOND)


def is_as(seen: Image.Image, proof: Image.Image) -> bool:
    """True for a picture that shows what its proof does."""
    return seen.size == proof.size and off(seen, proof).getbbox() is None


def lighten(picture: Any) -> None:
    """Make a large JPEG smaller, so that it is drawn fast; others stay as they are."""
    if picture.get("/Filter") != pikepdf.Name.DCTDecode:
        return
    size = int(picture.Width), int(picture.Height)
    if max(size) < _REDUCE_FROM:
        return
    if "/SMask" in picture or "/Decode" in picture or "/DecodeParms" in picture:
        return
    if isinstance(picture.get("/ColorSpace"), pikepdf.Array) and not _is_profiled(picture):
        return
    small = (_remembered if math.prod(size) <= _MODEST else _smaller)(
        picture.read_raw_bytes(), size
    )
    if small is None:
        return
    # As plain pixels: a JPEG would be decoded again wherever the picture is drawn.
    picture.write(small.pixels)
    picture.ColorSpace = pikepdf.Name.DeviceGray if small.grey else pikepdf.Name.DeviceRGB
    picture.BitsPerComponent, picture.Width, picture.Height = 8, small.width, small.height


def _is_profiled(picture: Any) -> bool:
    """True for colours by a profile, of which sRGB is taken for granted."""
    return bool(picture.ColorSpace[0] == pikepdf.Name.ICCBased)


class _SmallPicture(NamedTuple):
    """A picture made smaller, 8 bits a channel."""

    pixels: bytes
    width: int
    height: int
    grey: bool


def _smaller(content: bytes, size: tuple[int, int]) -> _SmallPicture | None:
    """A JPEG made smaller; None where it is of other colours or another size, or no use."""
    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.mode not in ("RGB", "L") or image.size != size:
                return None
            smaller = _QUARTER if max(image.size) >= _QUARTER_FROM else 2
            image.draft(image.mode, (image.width // smaller, image.height // smaller))
            small = image.copy()
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    return _SmallPicture(small.tobytes(), small.width, small.height, small.mode == "L")


_remembered: Final = functools.lru_cache(_MOST_SMALL)(_smaller)
"""For what many faces share: each batch of them has a copy of it."""


def lighten_all(pdf: pikepdf.Pdf) -> None:
    """Make the large JPEGs of a file smaller."""
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == pikepdf.Name.Image:
            lighten(item)
