"""Hypothesis strategies that break pictures, fonts, workbooks, archives and PDFs.

Each takes a sound file apart, breaks one or two of its parts, and puts it together with right
checksums, so that a reader gets to the broken part.
"""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import pikepdf
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from fuzzing.edits import broken_bytes, broken_file, broken_text
from fuzzing.projects import fonts, other_pictures

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_NAMES: Final = (
    *("../x.yaml", "/etc/x.yaml", "cards/../../x.yaml", "C:/x.yaml", "cards\\mini\\x.yaml"),
    *("cards/mini/con.yaml", "cards/mini/a:b.yaml", "cards//mini/x.yaml", "cards/MINI/pack.yaml"),
    *("cards/mini/pack.yaml/x", "cards", "a" * 255, "d/" * 99 + "x.yaml", "\x1b[31m.yaml"),
)
_FLOOD: Final = 60_000_000
"""Bytes that a part unpacks to, where it is made to flood the memory."""


@cache
def _flood() -> bytes:
    return zlib.compress(bytes(_FLOOD))


@st.composite
def broken_picture(draw: st.DrawFn, content: bytes) -> bytes:
    """Break a PNG, JPEG or WebP, or put another file in its place."""
    if draw(st.integers(0, 6)) == 6:
        content = draw(st.sampled_from(other_pictures()))
    if not content.startswith(_PNG):
        return draw(broken_bytes(content, 0, draw(st.sampled_from((64, 700, len(content))))))
    chunks = list(_png_chunks(content))
    at = draw(st.integers(0, len(chunks) - 1))
    name, data = chunks[at]
    match draw(st.integers(0, 4)):
        case 0 | 1:
            chunks[at] = (name, draw(broken_bytes(data, resized=name != b"IHDR")))
        case 2:
            del chunks[at]
        case 3:
            other = draw(st.sampled_from((b"tRNS", b"PLTE", b"eXIf", b"acTL", b"pHYs", b"gAMA")))
            chunks.insert(at, (other, draw(st.binary(max_size=26))))
        case _:
            other = draw(st.sampled_from((b"iCCP", b"zTXt", b"IDAT")))
            chunks.insert(1, (other, (b"" if other == b"IDAT" else b"a\0\0") + _flood()))
    return _PNG + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 8 <= len(content):
        size = int.from_bytes(content[at : at + 4])
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        at += 12 + size


@st.composite
def broken_font(draw: st.DrawFn, content: bytes) -> bytes:
    """Break a font: its directory, one of its tables, or all of it."""
    content = draw(st.sampled_from((content, *fonts())))
    start = int.from_bytes(content[12:16]) if content.startswith(b"ttcf") else 0
    tables = int.from_bytes(content[start + 4 : start + 6])
    record = start + 12 + 16 * draw(st.integers(0, tables - 1))
    at, size = struct.unpack(">II", content[record + 8 : record + 16])
    match draw(st.integers(0, 5)):
        case 0 | 1 | 2:
            end = at + min(size, draw(st.sampled_from((16, 64, size))))
            return draw(broken_bytes(content, at, end, resized=False))
        case 3:
            return draw(broken_bytes(content, record, record + 16, resized=False))
        case 4:
            return draw(broken_bytes(content, 0, start + 12, resized=False))
    return draw(broken_bytes(content))


@st.composite
def broken_workbook(draw: st.DrawFn, content: bytes) -> bytes:
    """Break a part of an XLSX file, or the archive around the parts."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = draw(st.sampled_from(sorted(parts)))
    match draw(st.integers(0, 6)):
        case 0:
            del parts[name]
        case 1:
            parts[draw(st.sampled_from(_NAMES))] = b"x"
        case 2:
            parts[name] += b" " * _FLOOD
        case _:
            parts[name] = draw(broken_file(parts[name], "sheet"))
    made = zipped(parts.items())
    return draw(broken_bytes(made)) if draw(st.integers(0, 5)) == 5 else made


@st.composite
def broken_archive(draw: st.DrawFn, content: bytes) -> bytes:
    """Give a zipped project an entry with an odd name, kind or size, or break its bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        parts: list[tuple[str | zipfile.ZipInfo, bytes]] = [
            (name, found.read(name)) for name in found.namelist()
        ]
    at = draw(st.integers(0, len(parts) - 1))
    name, data = parts[at]
    match draw(st.integers(0, 5)):
        case 0:
            parts[at] = (draw(st.sampled_from(_NAMES)), data)
        case 1:
            link = zipfile.ZipInfo(str(name))
            link.external_attr = (draw(st.sampled_from((stat.S_IFLNK, stat.S_IFIFO))) | 511) << 16
            parts[at] = (link, draw(st.sampled_from((b"/etc/passwd", b"../canary/secret.yaml"))))
        case 2:
            parts[at] = (name, data + bytes(draw(st.sampled_from((1000, _FLOOD)))))
        case 3:
            parts.append((draw(st.sampled_from((*_NAMES, name))), data))
        case 4:
            parts += [(f"cards/mini/{number}.txt", b"") for number in range(30_000)]
        case _:
            parts[at] = (name, draw(broken_bytes(data)))
    made = zipped(parts)
    return draw(broken_bytes(made)) if draw(st.integers(0, 2)) == 2 else made


def zipped(parts: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    """Return a ZIP archive, the same bytes each time."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that stand twice
        for name, content in parts:
            entry = zipfile.ZipInfo(name) if isinstance(name, str) else name
            made.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


@st.composite
def broken_pdf(draw: st.DrawFn, content: bytes) -> bytes:
    """Break a PDF: as it is written, unpacked, by its objects, or with something far too large."""
    way = draw(st.integers(0, 4))
    if way == 0:
        return draw(broken_bytes(content))
    with pikepdf.open(io.BytesIO(content)) as pdf:
        if way == 1:
            return draw(broken_text(_saved(pdf, qdf=True).decode("latin-1"), "pdf")).encode(
                "latin-1", "replace"
            )
        if way == 2:
            stream = draw(st.sampled_from([one for one in pdf.objects if isinstance(one, Stream)]))
            text = stream.read_bytes().decode("latin-1")
            stream.write(draw(broken_text(text, "pdf")).encode("latin-1", "replace"))
        elif way == 3:
            for _ in range(draw(st.integers(1, 4))):
                _change_object(draw, pdf)
        else:
            _grow(draw, pdf)
        return _saved(pdf)


def _saved(pdf: Pdf, *, qdf: bool = False) -> bytes:
    out = io.BytesIO()
    pdf.save(out, qdf=qdf, static_id=True, compress_streams=False)
    return out.getvalue()


def _change_object(draw: st.DrawFn, pdf: Pdf) -> None:
    """Give a key or item of an object another value, or take it away."""
    objects = [one for one in pdf.objects if isinstance(one, Dictionary | Stream | Array)]
    holder = draw(st.sampled_from([pdf.Root, pdf.pages[0].obj, *objects]))
    for _ in range(draw(st.integers(0, 3))):
        inside = [v for _, v in _items(holder) if isinstance(v, Dictionary | Stream | Array)]
        if inside:
            holder = draw(st.sampled_from(inside))
    items = _items(holder)
    if not items:
        return
    key, old = draw(st.sampled_from(items))
    deep = draw(st.sampled_from((1, 50, 490)))
    makers: list[Any] = [
        lambda: draw(st.sampled_from((0, -1, 90, 65536, 2**31 - 1, True, None))),
        lambda: Object.parse(draw(st.sampled_from((b"0.000001", b"-0.5", b"99999999999.0")))),
        lambda: Name(draw(st.sampled_from(("/Page", "/Image", "/JPXDecode", "/DeviceN", "/X")))),
        lambda: String(draw(st.sampled_from((b"", b"\xff\xfe\xd8\x00", b"\x1b[31m", b"a" * 5000)))),
        lambda: Array([old] * draw(st.sampled_from((0, 1, 300)))),
        Dictionary,
        lambda: draw(st.sampled_from(objects)),
        lambda: pdf.Root,
        lambda: pdf.make_stream(draw(st.binary(max_size=30))),
        lambda: Object.parse(b"[" * deep + b"0" + b"]" * deep),
    ]
    new = draw(st.sampled_from(makers))()
    if new is None:
        del holder[key]
    else:
        holder[key] = new


def _items(holder: Object) -> list[tuple[Any, Any]]:
    if isinstance(holder, Array):
        return list(enumerate(holder))
    return [(key, value) for key, value in holder.items() if key != "/Length"]


def _grow(draw: st.DrawFn, pdf: Pdf) -> None:
    """Put something on the first page that takes far more to read than its bytes say."""
    page = pdf.pages[0]
    content, resources = b"/X Do ", Dictionary()
    match draw(st.integers(0, 6)):
        case 0:
            form = _form(pdf, b"0 0 50 50 re f")
            uses = draw(st.sampled_from((1, 2, 10)))
            for _ in range(draw(st.sampled_from((5, 30, 200)))):
                inner = Dictionary(XObject=Dictionary(A=form))
                form = _form(pdf, b"/A Do " * uses, Resources=inner)
            resources = Dictionary(XObject=Dictionary(X=form))
        case 1:
            form = _form(pdf, b"/X Do /X Do")
            form.Resources = resources = Dictionary(XObject=Dictionary(X=form))
        case 2:
            picture = pdf.make_stream(zlib.compress(bytes(1000)), Type=Name.XObject)
            width, height = draw(st.sampled_from(((100_000, 100_000), (0, 0), (-5, 9), (9000, 1))))
            picture.Subtype, picture.Width, picture.Height = Name.Image, width, height
            picture.ColorSpace, picture.BitsPerComponent = Name.DeviceRGB, 8
            names = (Name.FlateDecode, Name.JPXDecode, Name.JBIG2Decode, Name.DCTDecode)
            picture.Filter = draw(st.sampled_from(names))
            resources = Dictionary(XObject=Dictionary(X=picture))
        case 3:
            form = _form(pdf, b"")
            form.write(_flood(), filter=Name.FlateDecode)
            resources = Dictionary(XObject=Dictionary(X=form))
        case 4:
            content = draw(st.sampled_from((b"q ", b"0 0 9 9 re f ", b"[[[[ ", b"BT (a) Tj ET ")))
            content *= draw(st.sampled_from((1000, 300_000)))
        case 5:
            box = draw(st.sampled_from(((0, 0, 10**6, 10**6), (0, 0, 0, 0), (5, 5, -5, -5))))
            page.obj[draw(st.sampled_from(("/MediaBox", "/CropBox", "/TrimBox")))] = Array(box)
        case _:
            tree = pdf.Root.Pages
            tree.Kids.append(draw(st.sampled_from((tree, tree.Kids[0]))))
            tree.Count = draw(st.sampled_from((0, -1, 10**9)))
            return
    for category, entries in resources.items():
        there = page.resources.get(category, Dictionary())
        for key, value in entries.items():
            there[key] = value
        page.resources[category] = there
    page.contents_add(content)


def _form(pdf: Pdf, content: bytes, **entries: Any) -> Stream:
    box = Array([0, 0, 200, 200])
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=box, **entries)
