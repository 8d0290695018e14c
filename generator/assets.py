"""Finds and reads pictures, icons, drawings and texts of a project.

A picture's size is checked before it is decoded. It is decoded once, so that damage is found here
and not in the press.
"""

from __future__ import annotations

import functools
import hashlib
import io
import itertools
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec
from msgspec import Struct
from PIL import Image, UnidentifiedImageError

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.file_kinds import SVG, FileKind, kind_of
from generator.files import FileTooLargeError, Roots, UnreadableError, natural, refusal
from generator.geometry import Size
from generator.project import PICTURES, Project
from generator.svg_files import FAULTS, IconArt, cleaned, fault_in_words
from generator.svg_layers import LayeredArt, layered
from generator.svg_styles import UnfitDrawingError

MAX_BYTES: Final = 3_000_000
MAX_TEXT: Final = 200_000
"""Bytes of a text: about a hundred pages."""

T = TypeVar("T")


def _read_svg(what: str, path: Path, place: Span, roots: Roots) -> bytes | None:
    """Return the content of an icon or drawing; None if it is too large."""
    try:
        return roots.read(path, MAX_BYTES)
    except FileTooLargeError:
        return None
    except UnreadableError as error:
        raise GridpressError(error.told(place, f"the {what} {path.name}")) from error


def _understood(
    read: Callable[[bytes], T], content: bytes | None, path: Path, place: Span, what: str
) -> T:
    """Return what a file contains. Raises GridpressError (GP503) if it is not an icon or
    drawing."""
    hint = "save it as plain SVG with texts as paths"
    try:
        if content is not None:
            return read(content)
        reason = f"has more than {MAX_BYTES // 1_000_000} MB"
    except UnfitDrawingError as error:
        reason, hint = str(error), error.hint or hint
    except FAULTS as error:
        kind = kind_of(content or b"")
        reason, hint = (fault_in_words(error), hint) if kind in (None, SVG) else kind
    raise GridpressError(Diagnostic(place, "GP503", f"the {what} {path.name} {reason}", hint))


MAX_NAMES: Final = 2_000
DRAWINGS: Final = (".svg",)
DOCUMENTS: Final = (".md", ".txt")
_LAYERED: Final = msgspec.msgpack.Decoder(LayeredArt)


class _Remembered(Generic[T]):
    """A reader that reads a file again only when its times or size have changed."""

    def __init__(self, read: Callable[[Path, Span, Roots], T], roots: Roots) -> None:
        self.read = read
        self.roots = roots
        self.known: dict[tuple[Path, int, int, int], T] = {}

    def of(self, path: Path, span: Span) -> T:
        """Return the content of a file. Errors are not remembered, since their places differ."""
        try:
            status = self.roots.status(path)
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error
        if status is None:
            return self.read(path, span, self.roots)
        key = path, status.st_mtime_ns, status.st_ctime_ns, status.st_size
        if key not in self.known:
            self.known[key] = self.read(path, span, self.roots)
        return self.known[key]


class AssetFinder:
    """Finds pictures, icons and drawings, and remembers them until their files change.

    Files are read below `roots`, by default the given folders. Texts are those of `locale`. Every
    method raises GridpressError at `span`, the place that names the file.
    """

    def __init__(
        self,
        image_folders: Sequence[Path],
        icon_folders: Sequence[Path],
        roots: Roots | None = None,
        locale: str | None = None,
        art_folders: Sequence[Path] = (),
        cache: Cache = NOTHING_KEPT,
    ) -> None:
        self.image_folders = tuple(image_folders)
        self.icon_folders = tuple(icon_folders)
        self.art_folders = tuple(art_folders)
        self.locale = locale
        self.roots = roots or Roots((*self.image_folders, *self.icon_folders, *self.art_folders))
        self._pictures = _Remembered(picture_info, self.roots)
        self._icons = _Remembered(functools.partial(_read_svg, "icon"), self.roots)
        self._drawings = _Remembered(functools.partial(_read_svg, "drawing"), self.roots)
        self._cache = cache
        self._layered: dict[bytes, LayeredArt] = {}

    def __reduce__(self) -> tuple[type[AssetFinder], tuple[object, ...]]:
        """Another process looks into the folders for itself."""
        folders = self.image_folders, self.icon_folders
        return AssetFinder, (*folders, self.roots, self.locale, self.art_folders, self._cache)

    def image(self, name: str, span: Span | None = None) -> Path:
        """Return the file of a picture, such as `art/hero.png` (GP501, GP004)."""
        place = span or Span(name)
        path = self._find(name, self.image_folders, place)
        if path is None:
            hint = did_you_mean(name, self._names(self.image_folders, PICTURES))
            folders = ", ".join("/".join(folder.parts[-2:]) for folder in self.image_folders)
            hint = f"{hint}\nlooked in {folders}".strip()
            message = f"there is no picture {name!r}"
            raise GridpressError(Diagnostic(place, "GP501", message, hint))
        return path

    def icon(self, name: str, span: Span | None = None) -> Path:
        """Return the file of an icon, such as `whip` (GP502, GP004)."""
        return self._find_svg(name, self.icon_folders, span or Span(name), "icon")

    def icons(self) -> dict[str, Path]:
        """Return the file of each icon by name, folder by folder, nearest first."""
        found: dict[str, Path] = {}
        for folder in self.icon_folders:
            for name in self._names((folder,), DRAWINGS):
                found.setdefault(name.removesuffix(".svg"), folder / name)
        return found

    def drawing(self, name: str, span: Span | None = None) -> LayeredArt:
        """Return the layers of a drawing, such as `beasts/horse` (GP502, GP503, GP002, GP004)."""
        place = span or Span(name)
        path = self._drawing(name, place)
        return _understood(self._layers, self._drawings.of(path, place), path, place, "drawing")

    def _layers(self, content: bytes) -> LayeredArt:
        """Return the layers of a drawing from the cache: reading them takes ten times as long."""
        known = self._layered.get(content)
        if known is None:
            known = self._cache.read(_LAYERED.decode, Sort.DRAWINGS, content)
        if known is None:
            known = layered(content)
            self._cache.put(Sort.DRAWINGS, msgspec.msgpack.encode(known), content)
        self._layered[content] = known
        return known

    def icon_digest(self, name: str) -> str | None:
        """Return the digest of an icon's file; None if it cannot be read."""
        return _digest(lambda at: self._icons.of(self.icon(name, at), at), Span(name))

    def drawing_digest(self, name: str) -> str | None:
        """Return the digest of a drawing's file; None if it cannot be read."""
        return _digest(lambda at: self._drawings.of(self._drawing(name, at), at), Span(name))

    def _drawing(self, name: str, place: Span) -> Path:
        return self._find_svg(name, self.art_folders, place, "drawing")

    def _find_svg(self, name: str, folders: Sequence[Path], place: Span, what: str) -> Path:
        path = self._find(name, folders, place, ".svg")
        if path is None:
            known = (found.removesuffix(".svg") for found in self._names(folders, DRAWINGS))
            message = f"there is no {what} {name!r}"
            where = "/".join((*folders[0].parts[-3:], name)) if folders else name
            seen = "; gridpress list --icons draws all icons" if what == "icon" else ""
            hint = f"save yours as {where}.svg{seen}\n{did_you_mean(name, known)}".rstrip()
            raise GridpressError(Diagnostic(place, "GP502", message, hint))
        return path

    def picture(self, path: Path, span: Span | None = None) -> PictureInfo:
        """Return what `picture_info` finds in a file, read once."""
        return self._pictures.of(path, span or Span(path.as_posix()))

    def document(self, name: str, span: Span) -> tuple[Path, str]:
        """Return the file of a text, such as `rules.md`, and the text. For the locale `de`,
        `rules.de.md` comes first (GP501, GP002, GP004, GP105)."""
        stem, dot, suffix = name.rpartition(".")
        names = (f"{stem}.{self.locale}{dot}{suffix}", name) if self.locale else (name,)
        found = (self._find(one, (home,), span) for home in self.image_folders for one in names)
        path = next(filter(None, found), None)
        if path is None:
            hint = did_you_mean(name, self._names(self.image_folders, DOCUMENTS))
            raise GridpressError(Diagnostic(span, "GP501", f"there is no text {name!r}", hint))
        try:
            content = self.roots.read(path, MAX_TEXT)
            if content and (kind := kind_of(content)) is not None:
                message = f"{path.name} {kind.said}"
                raise GridpressError(Diagnostic(span, "GP105", message, kind.hint))
            return path, content.decode("utf-8-sig")
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error
        except (FileTooLargeError, UnicodeDecodeError) as error:
            hint = "save it as UTF-8 in your editor, 200 kB at most"
            message = f"{path.name} cannot be read as text"
            raise GridpressError(Diagnostic(span, "GP105", message, hint)) from error

    def content(self, path: Path, info: PictureInfo, span: Span) -> bytes:
        """Return the bytes of a picture that was read before (GP002, GP004)."""
        try:
            return self.roots.read_again(path, info.sha256, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error

    def art(self, path: Path, span: Span | None = None) -> IconArt:
        """Return an icon, read and cleaned once (GP002, GP004, GP503)."""
        place = span or Span(path.as_posix())
        return _understood(cleaned, self._icons.of(path, place), path, place, "icon")

    def drawn_picture(self, name: str, span: Span) -> IconArt:
        """Return a picture that is an SVG drawing (GP002, GP004, GP501, GP503)."""
        path = self.image(name, span)
        return _understood(cleaned, self._drawings.of(path, span), path, span, "picture")

    def drawn_picture_digest(self, name: str) -> str | None:
        """Return the digest of such a picture's file; None if it cannot be read."""
        return _digest(lambda at: self._drawings.of(self.image(name, at), at), Span(name))

    def _find(
        self, name: str, folders: Sequence[Path], span: Span, suffix: str = ""
    ) -> Path | None:
        refused = refusal(name, span)
        if refused is not None:
            raise GridpressError(refused)
        paths = (folder / f"{name}{suffix}" for folder in folders)
        try:
            return next(filter(self.roots.has_file, paths), None)
        except UnreadableError as error:
            raise GridpressError(error.told(span, repr(name))) from error

    def _names(self, folders: Sequence[Path], suffixes: tuple[str, ...]) -> list[str]:
        """Return the names that an author may have meant, at most `MAX_NAMES`."""
        found = (
            entry.path.relative_to(folder).as_posix()
            for folder in folders
            for entry in self.roots.walk(folder)
            if entry.path.name.lower().endswith(suffixes) and not entry.fault
        )
        return sorted(itertools.islice(found, MAX_NAMES), key=natural)


def _digest(read: Callable[[Span], bytes | None], place: Span) -> str | None:
    try:
        content = read(place)
    except GridpressError:
        return None
    return None if content is None else hashlib.sha256(content).hexdigest()


def assets_of(
    project: Project,
    pack: str,
    required: Sequence[str] = (),
    locale: str | None = None,
    cache: Cache = NOTHING_KEPT,
) -> AssetFinder:
    """Return the finder for a pack, which looks in its own folders first, then in those of required
    packs. A process that goes on gets the same one until another unsaved asset is among its files.
    """
    unsaved = {
        path: content
        for path, content in project.unsaved.items()
        if path.suffix.lower() not in _NO_ASSETS
    }
    found: AssetFinder = cache.latest(
        functools.partial(_finder, project, pack, required, locale, cache),
        (assets_of, pack, locale),
        *(project.root, project.shipped, project.around, tuple(required), unsaved),
    )
    return found


_NO_ASSETS: Final = (".yaml", ".yml", ".csv", ".tsv", ".j2")


def _finder(
    project: Project, pack: str, required: Sequence[str], locale: str | None, cache: Cache
) -> AssetFinder:
    templates = project.template_folders(pack, required)
    icons = tuple(folder / sub for folder in templates for sub in ("icons", "shared/icons"))
    drawings = tuple(folder / sub for folder in templates for sub in ("art", "shared/art"))
    pictures = tuple(project.cards(name) for name in (pack, *required))
    return AssetFinder(pictures, icons, project.roots, locale, drawings, cache)


MAX_FILE: Final = 100_000_000
MAX_PIXELS: Final = 100_000_000
MAX_UNPACKED: Final = 160_000_000
"""Bytes of a picture's pixels. A JPEG is printed without being unpacked."""
FORMATS: Final = ("PNG", "JPEG", "WEBP", "AVIF", "TIFF", "BMP", "GIF")
_OF_THE_ENGINE: Final = ("PNG", "JPEG", "WEBP", "GIF")
_MODES: Final = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "CMYK", "YCbCr", "I;16", "I;16B")
"""Pillow's modes of TIFF files that print as they look."""
_SORT, _PREVIEW, _LIGHTNESS = 254, 1, 262
"""TIFF 6.0: the tag NewSubfileType, its bit for a preview, the tag PhotometricInterpretation."""

_ORIENTATION: Final = 0x0112
_LYING: Final = 5
"""The first EXIF orientation of a picture that lies on its side."""
_UNPACKED_IN_PARTS: Final = ("JPEG", "MPO")
_CHANNELS: Final = {0: 1, 2: 3, 3: 4, 4: 2, 6: 4}  # of a PNG, by its kind of colour


class PictureInfo(Struct, frozen=True):
    """A printable picture: its pixels as stored, Pillow's names for format and mode, the sha256 of
    the file, and its EXIF orientation."""

    width_px: int
    height_px: int
    format: str
    mode: str
    sha256: str
    orientation: int

    @property
    def size(self) -> Size:
        """Return the pixels across and down."""
        return Size(self.width_px, self.height_px)


def picture_info(path: Path, span: Span | None = None, roots: Roots | None = None) -> PictureInfo:
    """Check a whole picture below `roots`, by default its own folder; `span` is where it is named.

    Raises GridpressError (GP002, GP004, GP503, GP504).
    """
    place = span or Span(path.as_posix())
    content = _content(path, place, roots or Roots((path.parent,)))
    try:
        # Pillow warns about large pictures; our own limit is an error.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _decoded(path, content, place)
    except GridpressError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(place, path, "far more than 100 million pixels") from error
    except UnidentifiedImageError as error:
        kind = kind_of(content) or _UNKNOWN
        message = f"{path.name} {kind.said}"
        raise GridpressError(Diagnostic(place, "GP503", message, kind.hint)) from error
    except Exception as error:  # Pillow's decoders raise any error for damaged files
        hint = "open it in a picture editor and save it again"
        message = f"{path.name} is damaged or incomplete"
        raise GridpressError(Diagnostic(place, "GP503", message, hint)) from error


class PictureSize(Struct, frozen=True):
    """The size of an upright picture in pixels or units of a drawing, and its dpi; 0 if the file
    has none."""

    pixels: Size
    dpi: float = 0.0


def picture_size(path: Path, span: Span, roots: Roots) -> PictureSize:
    """Return the size of a picture or SVG file, reading only its head.

    Raises GridpressError (GP002, GP004, GP503, GP504).
    """
    content = _content(path, span, roots)
    if path.suffix.lower() == ".svg":
        view = _understood(cleaned, content, path, span, "drawing").view_box
        return PictureSize(Size(view[2], view[3]))
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
            wide, high = picture.size
            if picture.getexif().get(_ORIENTATION, 1) >= _LYING:
                wide, high = high, wide
            dpi = picture.info.get("dpi", (0.0,))[0]
            return PictureSize(Size(wide, high), float(dpi) if dpi > 1 else 0.0)
    except Exception as error:  # the same
        kind = kind_of(content) or _UNKNOWN
        message = f"{path.name} {kind.said}"
        raise GridpressError(Diagnostic(span, "GP503", message, kind.hint)) from error


_UNKNOWN: Final = FileKind("is not a picture of a known format", "save it as PNG, JPEG or WebP")


def _content(path: Path, place: Span, roots: Roots) -> bytes:
    try:
        return roots.read(path, MAX_FILE)
    except UnreadableError as error:
        raise GridpressError(error.told(place, path.name)) from error
    except FileTooLargeError as error:
        raise _too_large(place, path, f"{error.size / 1_000_000:.0f} MB") from error


def _decoded(path: Path, content: bytes, place: Span) -> PictureInfo:
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        width, height = picture.size
        unpacked = width * height * _bytes_a_pixel(str(picture.format), content)
        limit = MAX_PIXELS if picture.format in _UNPACKED_IN_PARTS else MAX_UNPACKED
        if width * height > MAX_PIXELS or unpacked > limit:
            raise _too_large(place, path, f"{width} × {height} pixels")
        form = "JPEG" if picture.format == "MPO" else str(picture.format)
        if form == "TIFF":
            _check_tiff(picture, path, place)
        elif form != "JPEG" and getattr(picture, "is_animated", False):
            hint = "save one frame of it as PNG"
            message = f"{path.name} is animated"
            raise GridpressError(Diagnostic(place, "GP503", message, hint))
        mode = picture.mode
        # Decoding a JPEG at an eighth of its size finds the same damage in less time.
        picture.draft(None, (max(1, width // 8), max(1, height // 8)))
        picture.load()  # before its EXIF, which would hide errors
        orientation = _orientation(picture)
        if form == "TIFF":  # Pillow turns it upright
            width, height = picture.size
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        picture.verify()  # decoding ignores the checksums of a PNG
    sha256 = hashlib.sha256(content).hexdigest()
    return PictureInfo(width, height, form, mode, sha256, orientation)


def _check_tiff(picture: Image.Image, path: Path, place: Span) -> None:
    """Raise GridpressError (GP503) for a TIFF with several pages, or with pixels that Pillow
    misreads."""
    tags = picture.tag_v2  # type: ignore[attr-defined]
    is_deep = picture.mode.startswith("I")
    message, hint = "", "save it as PNG"
    if tags.get(_SORT, 0) & _PREVIEW:
        message, hint = "is a raw photo of a camera", "develop it, and save it as JPEG"
    elif picture.mode not in _MODES or (is_deep and tags.get(_LIGHTNESS) == 0):
        message = "is an unusual kind of TIFF, which cannot be printed"
        hint = "save it as PNG, or as TIFF with 8 bits in RGB"
    else:
        with suppress(EOFError):
            while not message:
                picture.seek(picture.tell() + 1)
                if not tags.get(_SORT, 0) & _PREVIEW:
                    message, hint = "has several pages", "save each page as a separate picture"
        picture.seek(0)
    if message:
        raise GridpressError(Diagnostic(place, "GP503", f"{path.name} {message}", hint))


def for_engine(content: bytes) -> bytes:
    """Return a picture in a format that the SVG engine can read."""
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        if picture.format in (*_OF_THE_ENGINE, "MPO"):
            return content
        out = io.BytesIO()
        shown = in_8_bits(picture)
        profile = picture.info.get("icc_profile") if picture.mode.startswith("RGB") else None
        mode = "RGBA" if shown.has_transparency_data else "RGB"
        shown.convert(mode).save(out, "PNG", icc_profile=profile)
        return out.getvalue()


def _bytes_a_pixel(form: str, content: bytes) -> int:
    """Return the bytes that engines need for a pixel."""
    if form in _UNPACKED_IN_PARTS:
        return 1
    if form != "PNG":
        return 4
    depth, kind = content[24], content[25]
    return _CHANNELS.get(kind, 4) * (2 if depth > 8 else 1)


def in_8_bits(picture: Image.Image) -> Image.Image:
    """Return a 16-bit grey picture with 8 bits: Pillow's own conversion turns all above 255
    white."""
    if not picture.mode.startswith("I"):
        return picture
    grey = picture.convert("I").point(lambda level: level * (1 / 257)).convert("L")
    if isinstance(clear := picture.info.get("transparency"), int):
        grey.info["transparency"] = clear // 257
    return grey


def _orientation(picture: Image.Image) -> int:
    try:
        value = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # damaged EXIF data does not affect the print
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _too_large(place: Span, path: Path, size: str) -> GridpressError:
    hint = "300 pixels per inch are enough for print: a poker card with bleed is 820 × 1120 pixels"
    return GridpressError(Diagnostic(place, "GP504", f"{path.name} is too large: {size}", hint))
