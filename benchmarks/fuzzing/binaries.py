"""Pictures, fonts, workbooks in, the same with a few of their parts wrong out."""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

from PIL import Image

from fuzzing import words
from fuzzing.corpus import fonts, mini, zipped
from fuzzing.texts import ANY, DRAWING, broken, bytes_broken

_EDGES: Final = (0, 1, 2, 3, 4, 7, 8, 16, 127, 128, 255, 256, 1000, 32767, 32768, 65534, 65535)
_LARGE: Final = (*_EDGES, 65536, 1 << 20, (1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)
_PNG: Final = b"\x89PNG\r\n\x1a\n"


def _few(rng: Random) -> int:
    return rng.choice((1, 1, 1, 2, 3))


@cache
def _flood(size: int) -> bytes:
    """So many zeros, packed."""
    return zlib.compress(bytes(size))


def _poked(data: bytes, rng: Random, start: int = 0, end: int | None = None) -> bytes:
    """Bytes with one number of 1, 2 or 4 bytes between two places replaced by one at an edge."""
    end = len(data) if end is None else min(end, len(data))
    form = rng.choice((">B", ">H", ">H", ">I", "<H", "<I"))
    size = struct.calcsize(form)
    if end - start < size:
        return data
    at = rng.randrange(start, end - size + 1)
    number = rng.choice(_LARGE) % (1 << 8 * size)
    return data[:at] + struct.pack(form, number) + data[at + size :]


# Pictures.


@cache
def _other_forms() -> tuple[bytes, ...]:
    """The same picture in forms that a pack may not have, or not under this name."""
    files = mini()
    picture = Image.open(io.BytesIO(files["cards/mini/art/field.png"]))
    made = [content for path, content in files.items() if "/art/" in path]
    for form, mode in (
        *(("GIF", "P"), ("TIFF", "RGB"), ("BMP", "RGB"), ("ICO", "RGBA"), ("PPM", "RGB")),
        *(
            ("PNG", "P"),
            ("PNG", "LA"),
            ("PNG", "I;16"),
            ("PNG", "1"),
            ("JPEG", "CMYK"),
            ("JPEG", "L"),
        ),
        *(("WEBP", "RGBA"), ("EPS", "RGB"), ("PDF", "RGB"), ("TGA", "RGB"), ("JPEG2000", "RGB")),
    ):
        stream = io.BytesIO()
        picture.convert(mode).save(stream, form)
        made.append(stream.getvalue())
    frames = [picture, picture.rotate(90)]
    for form in ("PNG", "GIF", "WEBP"):
        stream = io.BytesIO()
        picture.save(stream, form, save_all=True, append_images=frames)
        made.append(stream.getvalue())
    return (*made, b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>")


def picture(content: bytes, rng: Random) -> bytes:
    """A PNG, JPEG or WebP with chunks wrong, or another file in its place."""
    if rng.random() < 0.15:
        content = rng.choice(_other_forms())
    for _ in range(_few(rng)):
        if rng.random() < 0.1:
            content = bytes_broken(content, rng)
        elif content.startswith(_PNG):
            content = _png(content, rng)
        elif content.startswith(b"\xff\xd8"):
            content = _jpeg(content, rng)
        elif content.startswith(b"RIFF"):
            content = _webp(content, rng)
        else:
            content = _poked(content, rng, 0, 64)
    return content


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 8 <= len(content):
        size = int.from_bytes(content[at : at + 4])
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        at += 12 + size


def _png_of(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    return _PNG + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _png(content: bytes, rng: Random) -> bytes:
    chunks = list(_png_chunks(content)) or [(b"IHDR", b"\0" * 13)]
    at = rng.randrange(len(chunks))
    name, data = chunks[at]
    flood = _flood(rng.choice((100, 100_000, 60_000_000)))
    match rng.randrange(8):
        case 0:
            chunks[0] = (b"IHDR", _poked(chunks[0][1], rng))
        case 1:
            width, height = rng.choice(_LARGE), rng.choice(_LARGE)
            chunks[0] = (b"IHDR", struct.pack(">II", width, height) + chunks[0][1][8:])
        case 2:
            del chunks[at]
        case 3:
            chunks.insert(at, chunks[rng.randrange(len(chunks))])
        case 4:
            chunks[at] = (name, _poked(data, rng))
        case 5:
            new = rng.choice((b"iCCP", b"zTXt", b"iTXt"))
            head = b"a\0\0" if new != b"iTXt" else b"a\0\1\0\0\0"
            chunks.insert(1, (new, head + flood))
        case 6:
            extra = rng.choice(
                (b"tRNS", b"PLTE", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"pHYs", b"gAMA")
            )
            chunks.insert(
                rng.choice((1, at)), (extra, rng.randbytes(rng.choice((0, 1, 6, 9, 26, 768))))
            )
        case _:
            chunks = [chunk for chunk in chunks if chunk[0] != b"IDAT"]
            chunks.insert(-1, (b"IDAT", flood))
    return _png_of(chunks)


def _jpeg(content: bytes, rng: Random) -> bytes:
    starts = [
        at for at in range(len(content) - 4) if content[at] == 0xFF and content[at + 1] > 0xBF
    ]
    at = rng.choice(starts or [0])
    size = int.from_bytes(content[at + 2 : at + 4])
    match rng.randrange(6):
        case 0:
            return _poked(content, rng, at, at + 4 + min(size, 24))
        case 1:
            return content[:at] + content[at + 2 + size :]
        case 2:
            return content[:at] + content[at : at + 2 + size] * rng.choice((2, 90)) + content[at:]
        case 3:
            exif = (
                b"Exif\0\0"
                + rng.choice((b"MM\0*\0\0\0\x08", b"II*\0\x08\0\0\0"))
                + rng.randbytes(40)
            )
            return content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:]
        case 4:
            icc = (
                b"ICC_PROFILE\0" + bytes([rng.randrange(4), rng.randrange(4)]) + rng.randbytes(200)
            )
            return content[:2] + b"\xff\xe2" + struct.pack(">H", len(icc) + 2) + icc + content[2:]
        case _:
            frames = [place for place in starts if content[place + 1] in (0xC0, 0xC2)]
            place = rng.choice(frames or [0])
            sides = struct.pack(">HH", rng.choice(_EDGES), rng.choice(_EDGES))
            return content[: place + 5] + sides + content[place + 9 :]


def _webp(content: bytes, rng: Random) -> bytes:
    match rng.randrange(4):
        case 0:
            return _poked(content, rng, 0, 40)
        case 1:
            wide, high = rng.choice(_LARGE) & 0xFFFFFF, rng.choice(_LARGE) & 0xFFFFFF
            flags = bytes([rng.randrange(256), 0, 0, 0])
            chunk = flags + wide.to_bytes(3, "little") + high.to_bytes(3, "little")
            body = b"WEBPVP8X" + struct.pack("<I", 10) + chunk + content[12:]
        case 2:
            name = rng.choice((b"ANIM", b"ANMF", b"ALPH", b"ICCP", b"EXIF", b"XMP "))
            extra = rng.randbytes(rng.choice((0, 6, 16, 100)))
            body = content[8:] + name + struct.pack("<I", len(extra)) + extra
        case _:
            return bytes_broken(content, rng)
    return b"RIFF" + struct.pack("<I", len(body)) + body


# Fonts.


def font(_: bytes, rng: Random) -> bytes:
    """A font in one of its forms, with its tables wrong."""
    content = rng.choice(fonts())
    for _time in range(_few(rng)):
        content = _font(content, rng)
    return content


def _font(content: bytes, rng: Random) -> bytes:
    if len(content) < 16:
        return content
    if content.startswith(b"ttcf") and rng.random() < 0.5:
        return _poked(content, rng, 0, 20)
    start = int.from_bytes(content[12:16]) if content.startswith(b"ttcf") else 0
    start = start if start + 12 < len(content) else 0
    count = min(int.from_bytes(content[start + 4 : start + 6]), 40)
    records = [start + 12 + 16 * n for n in range(count)]
    records = [record for record in records if record + 16 <= len(content)]
    if not records:
        return _poked(content, rng, 0, 60)
    record = rng.choice(records)
    tag, _, at, size = struct.unpack(">4sIII", content[record : record + 16])
    match rng.randrange(9):
        case 0:
            return _poked(content, rng, start, start + 12)
        case 1:
            return _poked(content, rng, record + 8, record + 16)
        case 2:
            return (
                content[:record]
                + rng.choice((b"xxxx", b"GSUB", b"CFF ", b"glyf"))
                + content[record + 4 :]
            )
        case 3 | 4 | 5:
            return _poked(content, rng, at, at + min(size, rng.choice((16, 64, size))))
        case 6:
            return (
                content[:at]
                + bytes_broken(content[at : at + size], rng)[:size]
                + content[at + size :]
            )
        case 7:
            other = rng.choice(records)
            return content[: record + 4] + content[other + 4 : other + 16] + content[record + 16 :]
        case _:
            cut = rng.choice((4, 12, 16, 40, len(content) // 2, len(content) - 2))
            return content[:cut] if tag else content


# Workbooks.


def workbook(content: bytes, rng: Random) -> bytes:
    """An XLSX with its parts, or the archive around them, wrong."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(_few(rng)):
        name = rng.choice(list(parts))
        match rng.randrange(10):
            case 0:
                del parts[name]
            case 1:
                parts[rng.choice(("../x", "/etc/x", "xl/vbaProject.bin", "a" * 300, "é", ""))] = (
                    b"x"
                )
            case 2:
                parts[name] = _sheet_words(parts[name], rng)
            case 3 | 4:
                parts["xl/worksheets/sheet1.xml"] = _cells(rng)
            case 5:
                parts[name] = parts[name] + b" " * rng.choice((10, 100_000, 60_000_000))
            case 6:
                parts[name] = b"<!DOCTYPE a [" + _entities(rng) + b"]>" + parts[name]
            case _:
                parts[name] = broken(parts[name], rng, rng.choice((ANY, DRAWING)))
        if not parts:
            break
    made = zipped(parts)
    return _poked(made, rng) if rng.random() < 0.2 else made


_ENTRIES: Final = (
    *("../x.yaml", "/etc/x.yaml", "cards/../../x.yaml", "C:/x.yaml", "cards\\mini\\x.yaml"),
    *("cards/mini/con.yaml", "cards/mini/x.yaml ", "cards/mini/a:b.yaml", "cards//mini/x.yaml"),
    *("cards/MINI/pack.yaml", "Cards/mini/pack.yaml", "cards/mini/pack.yaml/x", "cards", "cards/"),
    *(
        "a" * 255 + ".yaml",
        "d/" * 99 + "x.yaml",
        "\x1b[31m.yaml",
        "struct.py",
        "fonts/own/\u202egnp",
    ),
)


def archive(content: bytes, rng: Random) -> bytes:
    """A zip of a project with odd names, kinds and sizes of entries, or bytes wrong."""
    with zipfile.ZipFile(io.BytesIO(content)) as found:
        parts = [(name, found.read(name)) for name in found.namelist()]
    odd = rng.sample(range(len(parts)), _few(rng))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (name, data) in enumerate(parts):
            for entry, inside in _entries(name, data, rng) if number in odd else [(name, data)]:
                made.writestr(_dated(entry), inside)
        for number in range(rng.choice((*[0] * 9, 30_000, 70_000))):
            made.writestr(_dated(f"cards/mini/{number}.txt"), b"")
    whole = stream.getvalue()
    return _poked(whole, rng) if rng.random() < 0.4 else whole


def _dated(entry: zipfile.ZipInfo | str) -> zipfile.ZipInfo:
    """The same bytes at any time."""
    made = zipfile.ZipInfo(entry) if isinstance(entry, str) else entry
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def _entries(name: str, data: bytes, rng: Random) -> Iterator[tuple[zipfile.ZipInfo | str, bytes]]:
    """What stands in an archive for a file: nothing, or one or two entries."""
    match rng.randrange(6):
        case 0:
            yield rng.choice(_ENTRIES), data
        case 1:
            entry = zipfile.ZipInfo(name)
            kinds = (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFDIR)
            entry.external_attr = (rng.choice(kinds) | 0o777) << 16
            yield entry, rng.choice((b"/etc/passwd", b"../../../canary/secret.yaml", data))
        case 2:
            yield name, data + bytes(rng.choice((1000, 60_000_000, 250_000_000)))
        case 3:
            yield name, data
            yield rng.choice((*_ENTRIES, name)), data
        case 4:
            yield name, broken(data, rng, ANY)


def _entities(rng: Random) -> bytes:
    if rng.random() < 0.5:
        return b"<!ENTITY x SYSTEM 'file:///etc/passwd'>"
    steps = (f"<!ENTITY e{n} '{f'&e{n - 1};' * 10 if n else 'x'}'>" for n in range(9))
    return "".join(steps).encode()


def _cells(rng: Random) -> bytes:
    """A sheet of cells of all sorts in odd places."""
    rows = []
    for number in range(1, rng.choice((2, 3, 9))):
        cells = []
        for letter in "ABCDE"[: rng.randrange(1, 6)]:
            sort = rng.choice(("s", "b", "d", "e", "n", "str", "inlineStr", "x"))
            place = rng.choice(
                (f"{letter}{number}", "XFD1048576", "A0", "", "ZZZZ9", "1A", "A" + "9" * 30)
            )
            value = rng.choice(
                (*words.NUMBERS, *words.TRAPS, "id", "name", "0", "#REF!", "2020-01-01")
            )
            value = value.replace("&", "&amp;").replace("<", "&lt;")
            formula = rng.choice(
                ("", "", "<f>1/0</f>", "<f t='shared' si='0' ref='A1:XFD9'>B1</f>")
            )
            style = rng.choice(("", " s='0'", " s='99999'", " s='-1'"))
            cells.append(
                f"<c r='{place}' t='{sort}'{style}>{formula}<v>{value}</v><is><t>{value}</t></is>"
                "</c>"
            )
        row = rng.choice((str(number), "0", "1048577", "-1", "x", "999999999"))
        rows.append(f"<row r='{row}'>{''.join(cells)}</row>")
    extra = rng.choice(
        (
            "",
            "<dimension ref='A1:XFD1048576'/>",
            "<mergeCells><mergeCell ref='A1:XFD9'/></mergeCells>",
        )
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    made = f"<worksheet xmlns='{main}'>{extra}<sheetData>{''.join(rows)}</sheetData></worksheet>"
    return made.encode("utf-8", "surrogatepass")


def _sheet_words(part: bytes, rng: Random) -> bytes:
    old = rng.choice(
        (b"inlineStr", b"Sheet", b"worksheets/sheet1.xml", b"rId1", b"main", b"1", b"Disc")
    )
    new = rng.choice(
        (
            b"",
            b"s",
            b"../../../canary/secret.txt",
            b"http://localhost/",
            b"9" * 30,
            b"\xff",
            b"&#0;",
        )
    )
    return part.replace(old, new)
