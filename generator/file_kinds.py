"""Names what a file is by how it begins, for files that are not what their names promise."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_HEAD: Final = 4096
_PNG: Final = "File > Export As > PNG"
_AS_PNG: Final = "open it in the program that made it, and export it as PNG"
_AGAIN: Final = "save or download it again; a file in a cloud folder must be on this computer"


class FileKind(NamedTuple):
    """A kind of file: the end of a sentence about it, and what to do."""

    said: str
    hint: str


SVG: Final = FileKind("is an SVG drawing", "rename it to end in .svg")


def _at(start: int, *signs: bytes) -> re.Pattern[bytes]:
    either = b"|".join(map(re.escape, signs))
    return re.compile(b"(?s).{%d}(?:%s)" % (start, either))


def _box(*brands: bytes) -> re.Pattern[bytes]:
    return re.compile(b"(?s).{4}ftyp(?:%s)" % b"|".join(brands))


_KINDS: Final = (
    (re.compile(rb"\Z"), FileKind("is empty", _AGAIN)),
    (re.compile(rb"\0{64,}\Z"), FileKind("begins with nothing but zeros", _AGAIN)),
    (
        re.compile(rb"version https://git-lfs\.github\.com/"),
        FileKind("is a Git LFS pointer, not the file itself", "run git lfs pull"),
    ),
    (
        re.compile(rb"(?:\.\./)*(?:\.git|/)/?annex/objects/"),
        FileKind("is a git-annex pointer, not the file itself", "run git annex get"),
    ),
    (
        re.compile(rb"(?i)(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"
                   rb"<(?:!doctype\s+html|html|head|body)\b", re.DOTALL),
        FileKind(
            "is a web page, not the file itself",
            "open the address in a browser, and save the file from there",
        ),
    ),
    (
        re.compile(rb"(?i)(?:\xef\xbb\xbf)?\s*(?:<\?xml.*?\?>\s*)?(?:<!doctype svg.*?>\s*|"
                   rb"<!--.*?-->\s*)*<svg\b", re.DOTALL),
        SVG,
    ),
    (
        _at(0, b"\0\x05\x16\x07"),
        FileKind(
            "is a Mac's hidden note about another file",
            "use the file whose name does not begin with ._",
        ),
    ),
    (
        _box(b"hei[cxms]", b"hev[cxms]", b"mif1", b"msf1"),
        FileKind(
            "is a HEIC photo, as iPhones save it",
            "export it as JPEG (Mac: Preview > File > Export; iPhone: Settings > Camera > Formats "
            "> Most Compatible)",
        ),
    ),
    (_box(b"avi[fs]"), FileKind("is an AVIF picture that cannot be read", "save it as PNG")),
    (_box(b"jxl "), FileKind("is a JPEG XL picture", "save it as PNG or JPEG")),
    (_at(0, b"\xff\x0a", b"\0\0\0\x0cJXL "),
     FileKind("is a JPEG XL picture", "save it as PNG or JPEG")),
    (_at(0, b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51"),
     FileKind("is a JPEG 2000 picture", "save it as PNG or JPEG")),
    (_box(b"crx "), FileKind("is a raw photo of a camera", "develop it, and save it as JPEG")),
    (re.compile(rb"(?s).{4}ftyp"), FileKind("is a video", "save one frame of it as PNG")),
    (_at(0, b"8BPS"), FileKind("is a Photoshop file", f"in Photoshop, {_PNG}")),
    (_at(0, b"gimp xcf"), FileKind("is a GIMP file", f"in GIMP, {_PNG}")),
    (_at(0, b"\0\xffKA"), FileKind("is an Affinity file", "in Affinity, File > Export > PNG")),
    (_at(0, b"CSFCHUNK"), FileKind("is a Clip Studio Paint file",
                                   "in Clip Studio Paint, File > Export (Single Layer) > PNG")),
    (re.compile(rb"(?s)PK.*?mimetypeapplication/x-krita"),
     FileKind("is a Krita file", "in Krita, File > Export > PNG")),
    (re.compile(rb"(?s)PK.*?mimetypeimage/openraster"),
     FileKind("is an OpenRaster file", _AS_PNG)),
    (re.compile(rb"(?s)PK.*?Document\.archive"),
     FileKind("is a Procreate file", "in Procreate, Actions > Share > PNG")),
    (_at(0, b"PK\3\4", b"Rar!", b"7z\xbc\xaf"),
     FileKind("is a packed folder", "unpack it, and use the files in it")),
    (_at(0, b"%PDF"),
     FileKind("is a PDF or Illustrator file", "export its page as PNG of 300 dpi, or as SVG")),
    (_at(0, b"%!FontType", b"%!PS-AdobeFont", b"\x80\x01"),
     FileKind("is a PostScript Type 1 font", "use the same font as OTF or TTF")),
    (_at(0, b"%!PS", b"\xc5\xd0\xd3\xc6"),
     FileKind("is an EPS file", "export it as PNG of 300 dpi, or as SVG")),
    (_at(0, b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"IIRO", b"IIU\0"),
     FileKind("is a TIFF or raw photo of a kind that cannot be read",
              "save it as PNG or JPEG, or as TIFF with 8 bits and without layers")),
    (_at(0, b"\0\0\1\0"), FileKind("is a Windows icon", "save it as PNG")),
    (_at(0, b"\x89PNG"), FileKind("is a PNG picture", "rename it to end in .png")),
    (_at(0, b"\xff\xd8\xff"), FileKind("is a JPEG picture", "rename it to end in .jpg")),
    (_at(0, b"GIF8"), FileKind("is a GIF picture", "rename it to end in .gif")),
    (_at(8, b"WEBP"), FileKind("is a WebP picture", "rename it to end in .webp")),
    (_at(0, b"wOFF", b"wOF2"),
     FileKind("is a font for web pages (WOFF)", "get the same font as TTF or OTF")),
    (_at(0, b"\0\1\0\0", b"OTTO", b"ttcf"), FileKind("is a font", "put it into fonts/")),
)  # fmt: skip


def kind_of(content: bytes) -> FileKind | None:
    """Return what a file is that begins so; None for one of no kind that is known here."""
    head = content[:_HEAD]
    return next((kind for sign, kind in _KINDS if sign.match(head)), None)
