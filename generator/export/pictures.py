"""Puts pictures into a PDF, with the data of JPEG and PNG files as they are where PDF allows it.

PNG (W3C, third edition) and PDF pack rows of pixels alike: Flate with predictor 15. Pillow converts
everything else, such as transparency.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from PIL import Image

from generator.assets import MAX_FILE, in_8_bits
from generator.diagnostics import Diagnostic, GridpressError
from generator.export.pdf_file import PdfFile, reference
from generator.files import Roots, UnreadableError
from generator.model.face import Asset, Face
from generator.pdf_syntax import Entries

_GREY, _RGB, _PALETTE = 0, 2, 3
_COLORS: Final = {_GREY: 1, _RGB: 3, _PALETTE: 1}
_INVERTED: Final = b"[1 0 1 0 1 0 1 0]"
_START_OF_FRAME: Final = frozenset(
    (0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF)
)
_OF_PDF: Final = (0xC0, 0xC1, 0xC2)
_SPACES: Final = {1: "Grey", 3: "RGB"}


def picture_reader(faces: Iterable[Face], roots: Roots) -> Callable[[Asset], bytes]:
    """Return a function that reads the pictures of faces below `roots`. It raises GridpressError
    for a picture that changed since the faces were drawn."""
    shown = {asset.sha256: face for face in faces for asset in face.assets}

    def read(asset: Asset) -> bytes:
        try:
            return roots.read_again(asset.path, asset.sha256, MAX_FILE)
        except UnreadableError as error:
            face = shown[asset.sha256]
            message = f"the picture {asset.path.name!r} {error.reason}"
            raise GridpressError(Diagnostic(face.span, "GP703", message)) from error

    return read


class ColourSpaces(NamedTuple):
    """The numbers of the colour spaces of a file."""

    grey: int
    rgb: int


class PictureWriter:
    """Adds pictures to a file; `spaces` are for colours without a profile of their own."""

    def __init__(self, pdf: PdfFile, spaces: ColourSpaces) -> None:
        self._pdf = pdf
        self._spaces = spaces
        self._profiles: dict[bytes, int] = {}

    def add(self, content: bytes) -> tuple[int, tuple[bytes, ...]]:
        """Add a picture; return its number, and the stored data of its pixels and mask."""
        if content.startswith(b"\xff\xd8") and (head := _JpegHead.of(content)).is_usual:
            return self._jpeg(content, head)
        if content.startswith(b"\x89PNG"):
            png = _Png.of(content)
            if png.is_plain:
                return self._png(png), (png.data,)
        with Image.open(io.BytesIO(content)) as opened:
            opened.load()
            return self._taken_apart(opened)

    def _space(self, profile: bytes, colours: int) -> bytes:
        """Return the colour space of pixels."""
        if not profile or colours not in _SPACES or profile[16:20] != _SIGNATURES[colours]:
            return reference(self._spaces.grey if colours == 1 else self._spaces.rgb)
        if profile not in self._profiles:
            number = self._pdf.stream({"N": colours}, zlib.compress(profile, 9))
            self._profiles[profile] = self._pdf.add(b"[/ICCBased %s]" % reference(number))
        return reference(self._profiles[profile])

    def _jpeg(self, content: bytes, head: _JpegHead) -> tuple[int, tuple[bytes, ...]]:
        entries: Entries = {
            "Type": "/XObject",
            "Subtype": "/Image",
            "Width": head.width,
            "Height": head.height,
            "BitsPerComponent": 8,
            "ColorSpace": self._space(head.profile, head.colours),
            "Filter": "/DCTDecode",
        }
        if head.colours == 4:
            entries["ColorSpace"] = "/DeviceCMYK"
            if head.by_adobe:
                entries["Decode"] = _INVERTED
        return self._pdf.stream(entries, content, packed=False), (content,)

    def _png(self, png: _Png, mask: int | None = None) -> int:
        colours = _COLORS[png.colour_type]
        space = self._space(png.profile, 1 if png.colour_type == _GREY else 3)
        if png.colour_type == _PALETTE:
            last = len(png.palette) // 3 - 1
            space = b"[/Indexed %s %d <%s>]" % (space, last, png.palette.hex().encode())
        entries: Entries = {
            "Type": "/XObject",
            "Subtype": "/Image",
            "Width": png.width,
            "Height": png.height,
            "BitsPerComponent": png.bits,
            "ColorSpace": space,
            "DecodeParms": (
                f"<</Predictor 15 /Colors {colours} /BitsPerComponent {png.bits} "
                f"/Columns {png.width}>>"
            ),
        }
        if mask is not None:
            entries["SMask"] = reference(mask)
        return self._pdf.stream(entries, png.data)

    def _taken_apart(self, picture: Image.Image) -> tuple[int, tuple[bytes, ...]]:
        """Add a picture with its colours and transparency as separate objects."""
        if picture.mode == "CMYK":
            return self._inks(picture)
        profile = picture.info.get("icc_profile") or b""
        picture = in_8_bits(picture)
        is_grey = picture.mode in ("L", "LA", "1")
        mask, streams = None, list[bytes]()
        if picture.has_transparency_data:
            whole = picture.convert("LA" if is_grey else "RGBA")
            alpha = _packed(whole.getchannel("A"), b"")
            mask = self._png(alpha)
            streams.append(alpha.data)
            colours = whole.convert("L" if is_grey else "RGB")
        else:
            colours = picture.convert("L" if is_grey else "RGB")
        pixels = _packed(colours, profile)
        return self._png(pixels, mask), (pixels.data, *streams)

    def _inks(self, picture: Image.Image) -> tuple[int, tuple[bytes, ...]]:
        """Add a picture in four inks, such as a TIFF."""
        entries: Entries = {
            "Type": "/XObject",
            "Subtype": "/Image",
            "Width": picture.width,
            "Height": picture.height,
            "BitsPerComponent": 8,
            "ColorSpace": "/DeviceCMYK",
        }
        pixels = zlib.compress(picture.tobytes(), 9)
        return self._pdf.stream(entries, pixels), (pixels,)


_SIGNATURES: Final = {1: b"GRAY", 3: b"RGB "}
"""The signatures of colour spaces in profiles (ICC.1:2022, 7.2.8)."""


def _packed(picture: Image.Image, profile: bytes) -> _Png:
    out = io.BytesIO()
    picture.save(out, "PNG", icc_profile=profile or None)
    return _Png.of(out.getvalue())


class _Png(NamedTuple):
    """A PNG: its packed pixels and their format."""

    width: int
    height: int
    bits: int
    colour_type: int
    is_plain: bool
    data: bytes
    palette: bytes
    profile: bytes

    @classmethod
    def of(cls, content: bytes) -> _Png:
        """Read the chunks of a sound PNG."""
        chunks = list(_chunks(content))
        width, height, bits, colour_type, _, _, interlaced = struct.unpack(">2I5B", chunks[0][1])
        names = {name for name, _ in chunks}
        plain = colour_type in _COLORS and not interlaced and b"tRNS" not in names
        first = dict(reversed(chunks))
        profile = b""
        if b"iCCP" in first:
            packed = first[b"iCCP"].partition(b"\0")[2][1:]
            profile = zlib.decompress(packed)
        data = b"".join(data for name, data in chunks if name == b"IDAT")
        palette = first.get(b"PLTE", b"")
        return cls(width, height, bits, colour_type, plain, data, palette, profile)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        at += 12 + length


class _JpegHead(NamedTuple):
    """The head of a JPEG: size, number of colours, profile, whether Adobe wrote it, whose CMYK is
    inverted, and whether its compression is one that PDF has (ISO 32000-1, 7.4.8)."""

    width: int
    height: int
    colours: int
    profile: bytes
    by_adobe: bool
    is_usual: bool

    @classmethod
    def of(cls, content: bytes) -> _JpegHead:
        """Read the segments of a sound JPEG (ITU-T T.81, annex B)."""
        width = height = colours = 0
        profile: dict[int, bytes] = {}
        by_adobe = is_usual = False
        at = 2
        while at + 4 <= len(content) and not colours:
            marker = content[at + 1]
            if content[at] != 0xFF or marker == 0xFF:
                at += 1
                continue
            length = int.from_bytes(content[at + 2 : at + 4], "big")
            data = content[at + 4 : at + 2 + length]
            if marker in _START_OF_FRAME:
                height, width, colours = struct.unpack(">xHHB", data[:6])
                is_usual = marker in _OF_PDF
            elif marker == 0xE2 and data.startswith(b"ICC_PROFILE\0"):
                profile[data[12]] = data[14:]
            elif marker == 0xEE and data.startswith(b"Adobe"):
                by_adobe = True
            at += 2 + length
        whole = b"".join(profile[number] for number in sorted(profile))
        return cls(width, height, colours, whole, by_adobe, is_usual)
