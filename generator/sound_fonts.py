"""Fonts that may be given to the engines: copies of those files that were found sound.

A font may come from a stranger, and the engines that read fonts believe what is written in them: a
file of 12 bytes can say that it is a collection of four thousand million fonts. Here only numbers
are added up, so that what passes costs the engines no more than its size does. Whether such a font
can be used is then theirs to say. The layout is that of OpenType 1.9. Engines open fonts by their
paths, and later: so files are copied as they are checked, under names of our own.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots, TooLargeError, UnreadableError
from generator.geometry import summed

MAX_FONTS: Final = 64
MAX_TABLES: Final = 128
MAX_MAPPED: Final = 4_000_000
MAX_NAMES: Final = 4_000
MAX_NAME_BYTES: Final = 2_000_000
MAX_PARTS: Final = 1_000
MAX_NESTED: Final = 16

_MAX_MAPPINGS: Final = 64
_MAX_PARTS_IN_ALL: Final = 400_000
_MAX_GLYPHS: Final = 65_535
_NONE: Final = memoryview(b"")
_CUT: Final = "is damaged: it ends before what it says is in it"
_KINDS: Final = (b"\0\1\0\0", b"true", b"OTTO")
_WEB: Final = (b"wOFF", b"wOF2")
_GZIP: Final = b"\x1f\x8b"
_GROUPS_OF_FORM_8: Final = 8_204
_FORM_OF_VARIANTS: Final = 14
_PUT_TOGETHER: Final = 0x80
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080


class UnsoundError(Exception):
    """Why a file is no font that may be opened; goes on from "the font file …"."""


class FontContents(NamedTuple):
    """What a font file holds: fonts, and characters that these say they have."""

    fonts: int
    characters: int


def font_contents(data: bytes) -> FontContents:
    """What a font file says of itself, once all of it was found to be inside of it and bounded.

    Raises UnsoundError.
    """
    reading = _FontReading(data)
    try:
        starts = _starts(data)
        for start in starts:
            reading.read_font(start)
    except struct.error as error:
        raise UnsoundError(_CUT) from error
    return FontContents(len(starts), reading.characters)


def _starts(data: bytes) -> tuple[int, ...]:
    """Where each font's list of tables begins."""
    kind = data[:4]
    if kind in _WEB:
        raise UnsoundError("is a font of the web (WOFF), which does not print")
    if kind in _KINDS:
        return (0,)
    if kind != b"ttcf":
        raise UnsoundError("is no font")
    (count,) = struct.unpack_from(">L", data, 8)
    if not 0 < count <= MAX_FONTS:
        raise UnsoundError(f"is a collection of {count:,} fonts; the most is {MAX_FONTS}")
    return struct.unpack_from(f">{count}L", data, 12)


class _FontReading:
    """One reading of a file: what is in all its fonts is added up as it is read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.characters = 0
        self.parts = 0

    def read_font(self, start: int) -> None:
        """Reads the font whose list of tables is there."""
        tables = self._tables(start)
        _check_names(tables.get(b"name", _NONE))
        _check_drawings(tables.get(b"SVG ", _NONE))
        self._count_characters(tables.get(b"cmap", _NONE))
        if {b"head", b"loca", b"glyf"} <= tables.keys():
            self._check_composites(tables[b"glyf"], _places(tables[b"head"], tables[b"loca"]))

    def _tables(self, start: int) -> Mapping[bytes, memoryview]:
        kind, count = struct.unpack_from(">4sH", self.data, start)
        if kind not in _KINDS or not 0 < count <= MAX_TABLES:
            raise UnsoundError("is damaged: it has no list of tables")
        view = memoryview(self.data)
        tables = {}
        for number in range(count):
            entry = struct.unpack_from(">4s4xLL", self.data, start + 12 + 16 * number)
            tag, offset, length = entry
            if offset + length > len(view):
                raise UnsoundError(_CUT)
            tables[tag] = view[offset : offset + length]
        return tables

    def _count_characters(self, mappings: memoryview) -> None:
        if not mappings:
            return
        (count,) = struct.unpack_from(">2xH", mappings)
        if count > _MAX_MAPPINGS:
            raise UnsoundError(f"maps its characters in {count:,} ways")
        for number in range(count):
            (offset,) = struct.unpack_from(">4xL", mappings, 4 + 8 * number)
            for first, last in _ranges(mappings, offset):
                self.characters += max(1, last - first + 1)
                if self.characters > MAX_MAPPED:
                    raise UnsoundError(f"says that it has over {MAX_MAPPED:,} characters")

    def _check_composites(self, glyphs: memoryview, places: Sequence[int]) -> None:
        """Letters are put together from others: counted is what is drawn in the end."""
        composites: dict[int, tuple[int, ...]] = {}
        for glyph, (place, end) in enumerate(pairwise(places)):
            if place < end and place + 10 <= len(glyphs) and glyphs[place] & _PUT_TOGETHER:
                composites[glyph] = tuple(_parts(glyphs, place + 10))
                self.parts += len(composites[glyph])
                if self.parts > _MAX_PARTS_IN_ALL:
                    raise UnsoundError("has letters of too many parts")
        _check_depth(composites)


def _check_depth(composites: Mapping[int, Sequence[int]]) -> None:
    """What a letter is of in the end, when its parts are put together from others in turn."""
    known: dict[int, tuple[int, int]] = {}
    for glyph, made_of in composites.items():
        if composites.keys().isdisjoint(made_of) and made_of:  # most are
            known[glyph] = len(made_of), 1

    def whole(glyph: int, outside: int) -> tuple[int, int]:
        """Of how many parts a letter is, and how deep they lie in each other."""
        if glyph not in composites:
            return 1, 0
        if glyph not in known and outside <= MAX_NESTED:
            inner = [whole(part, outside + 1) for part in composites[glyph]]
            # Of no parts at all where the table ends too soon.
            deepest = max((deep for _, deep in inner), default=0)
            known[glyph] = summed(parts for parts, _ in inner), 1 + deepest
        parts, depth = known.get(glyph, (1, MAX_NESTED + 1))
        if depth > MAX_NESTED:
            raise UnsoundError("has letters in letters without end")
        if parts > MAX_PARTS:
            raise UnsoundError(f"has a letter of more than {MAX_PARTS:,} parts")
        return parts, depth

    for glyph in composites:
        whole(glyph, 0)


def _check_names(names: memoryview) -> None:
    if not names:
        return
    (count,) = struct.unpack_from(">2xH", names)
    if count > MAX_NAMES:
        raise UnsoundError(f"has {count:,} names; the most is {MAX_NAMES:,}")
    lengths = (struct.unpack_from(">8xH2x", names, 6 + 12 * number)[0] for number in range(count))
    if summed(lengths) > MAX_NAME_BYTES:
        raise UnsoundError("has names of more than 2 MB")


def _check_drawings(drawings: memoryview) -> None:
    """Letters drawn as SVG may be packed, to a thousandth of what they unpack to."""
    if not drawings:
        return
    (start,) = struct.unpack_from(">2xL", drawings)
    (count,) = struct.unpack_from(">H", drawings, start)
    for number in range(count):
        (offset,) = struct.unpack_from(">4xL", drawings, start + 2 + 12 * number)
        if bytes(drawings[start + offset : start + offset + 2]) == _GZIP:
            raise UnsoundError("has letters that are packed drawings")


def _ranges(mappings: memoryview, offset: int) -> Iterator[tuple[int, int]]:
    """The first and last of each row of characters that one mapping says it has."""
    (form,) = struct.unpack_from(">H", mappings, offset)
    if form == 4:
        (double,) = struct.unpack_from(">6xH", mappings, offset)
        ends = struct.unpack_from(f">{double // 2}H", mappings, offset + 14)
        starts = struct.unpack_from(f">{double // 2}H", mappings, offset + 16 + double)
        yield from zip(starts, ends, strict=True)
    elif form in (8, 12, 13):
        head = offset + (_GROUPS_OF_FORM_8 if form == 8 else 12)
        (count,) = struct.unpack_from(">L", mappings, head)
        groups = mappings[head + 4 : head + 4 + 12 * count]
        if len(groups) < 12 * count:
            raise UnsoundError(_CUT)
        yield from struct.iter_unpack(">LL4x", groups)
    elif form in (6, 10):
        count = struct.unpack_from(">8xH" if form == 6 else ">16xL", mappings, offset)[0]
        yield 1, count
    elif form != _FORM_OF_VARIANTS:
        yield 1, 256 if form == 0 else 65_536


def _places(head: memoryview, loca: memoryview) -> Sequence[int]:
    """Where each letter begins in `glyf`; one more says where the last ends."""
    (is_long,) = struct.unpack_from(">50xH", head)
    count = min(len(loca) // (4 if is_long else 2), _MAX_GLYPHS + 1)
    places: Sequence[int] = struct.unpack_from(f">{count}{'L' if is_long else 'H'}", loca)
    return places if is_long else [2 * place for place in places]


def _parts(glyphs: memoryview, place: int) -> Iterator[int]:
    """The letters that one is put together from."""
    for _ in range(MAX_PARTS + 1):
        if place + 4 > len(glyphs):
            return
        flags, glyph = struct.unpack_from(">HH", glyphs, place)
        yield glyph
        if not flags & _MORE:
            return
        place += 8 if flags & _WORDS else 6
        place += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0


SUFFIXES: Final = frozenset((".ttf", ".otf", ".ttc", ".otc"))
MAX_FILE: Final = 50_000_000
MAX_BYTES: Final = 200_000_000
MAX_FILES: Final = 500
MAX_CHARACTERS: Final = 10_000_000

_AGAIN: Final = "download it again, or take it out of the fonts folder"
_FEWER: Final = "keep only the fonts that the pack uses"


class Typecase(Struct, frozen=True):
    """Folders for the engines, nearest first; `shown` says by which name the author knows each file
    that was copied there."""

    folders: tuple[Path, ...]
    shown: Mapping[Path, str]


def fill(
    folders: Sequence[Path],
    roots: Roots,
    display: Callable[[Path], str],
    make_folder: Callable[[], Path],
) -> Typecase:
    """The folders that `roots` trust as they are, and those of others copied into one that
    `make_folder` makes when there is a font to copy.

    Raises GridpressError: GP403 for each file that cannot be used, and for too many; GP002, GP004
    and GP011 for what cannot be read; GP702 where no copy can be written.
    """
    copying = _Copying(roots, display, make_folder)
    kept = []
    for number, folder in enumerate(folders):
        if copying.may_stay(folder):
            kept.append(folder)
        elif (copied := copying.copy(folder, str(number))) is not None:
            kept.append(copied)
    if copying.faults:
        raise GridpressError(*copying.faults)
    return Typecase(tuple(kept), copying.shown)


def unusable(
    shown: str, reason: str = "is damaged or cannot be read", hint: str = ""
) -> Diagnostic:
    """GP403 for a font file."""
    return Diagnostic(Span(shown), "GP403", f"the font file {reason}", hint or _AGAIN)


class _Copying:
    """One filling of a typecase: what was copied so far, and what is wrong."""

    def __init__(
        self, roots: Roots, display: Callable[[Path], str], make_folder: Callable[[], Path]
    ) -> None:
        self._roots = roots
        self._display = display
        self._make_folder = make_folder
        self._made: Path | None = None
        self._bytes = 0
        self._fonts = 0
        self._characters = 0
        self.shown: dict[Path, str] = {}
        self.faults: list[Diagnostic] = []

    def may_stay(self, folder: Path) -> bool:
        """True for a folder that is trusted; what else is wrong with it is told when it is read."""
        try:
            return self._roots.trusts(folder)
        except UnreadableError:
            return False

    def copy(self, folder: Path, name: str) -> Path | None:
        """The fonts of a folder, copied; None when it has none."""
        target = None
        for path in self._files(folder):
            shown = self._display(path)
            content = self._sound(path, shown)
            if content is None:
                continue
            try:
                if target is None:
                    self._made = self._made or self._make_folder()
                    target = self._made / name
                    target.mkdir()
                copied = target / f"{len(self.shown):04}{path.suffix.lower()}"
                copied.write_bytes(content)
            except OSError as error:
                message = f"the fonts cannot be copied to the temporary folder: {error.strerror}"
                hint = "make room there, or name another in TMPDIR"
                raise GridpressError(Diagnostic(Span(shown), "GP702", message, hint)) from error
            self.shown[copied] = shown
        return target

    def _files(self, folder: Path) -> Iterator[Path]:
        for entry in self._roots.walk(folder):
            is_font = entry.path.suffix.lower() in SUFFIXES
            if entry.fault is not None:
                what = "the folder" if entry.is_folder else "the file"
                self.faults.append(entry.fault.told(Span(self._display(entry.path)), what))
            elif is_font and not entry.is_folder:
                yield entry.path

    def _sound(self, path: Path, shown: str) -> bytes | None:
        """The content of a font file that engines may open; None, and a fault, for others."""
        try:
            self._fonts += 1
            self._check_total(self._fonts > MAX_FILES, f"more than {MAX_FILES} of them", shown)
            content = self._roots.read(path, MAX_FILE)
            self._bytes += len(content)
            self._check_total(self._bytes > MAX_BYTES, "more than 200 MB of them", shown)
            self._characters += font_contents(content).characters
            many = "more characters in them than there are"
            self._check_total(self._characters > MAX_CHARACTERS, many, shown)
        except UnreadableError as error:
            self.faults.append(error.told(Span(shown), "the font file"))
        except TooLargeError as error:
            reason = f"has {error.size / 1_000_000:.0f} MB; the most is {MAX_FILE // 1_000_000} MB"
            self.faults.append(unusable(shown, reason, _FEWER))
        except UnsoundError as error:
            self.faults.append(unusable(shown, str(error)))
        else:
            return content
        return None

    def _check_total(self, is_too_much: bool, how_much: str, shown: str) -> None:
        if is_too_much:
            message = f"these are too many fonts: {how_much}"
            fault = Diagnostic(Span(shown), "GP403", message, _FEWER)
            raise GridpressError(*self.faults, fault)
