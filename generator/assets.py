"""Pictures, icons, drawings and texts of a project: found by their names, read, remembered."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.clean_svg import FAULTS, IconArt, LayeredArt, cleaned, fault_in_words, layered
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import Roots, TooLargeError, UnreadableError, natural, refusal
from generator.pictures import MAX_FILE, PictureInfo, picture_info
from generator.project import Project

MAX_BYTES: Final = 1_000_000
MAX_TEXT: Final = 200_000
"""Bytes of a text: a book of a hundred pages."""

T = TypeVar("T")


def _read_svg(what: str, path: Path, place: Span, roots: Roots) -> bytes | None:
    """What is in the file of an icon or drawing; None when that is too much."""
    try:
        return roots.read(path, MAX_BYTES)
    except TooLargeError:
        return None
    except UnreadableError as error:
        raise GridpressError(error.told(place, f"the {what} {path.name}")) from error


def _understood(
    read: Callable[[bytes], T], content: bytes | None, path: Path, place: Span, what: str
) -> T:
    """What a file says; GP503 when it is no icon or drawing."""
    try:
        if content is not None:
            return read(content)
        reason = "has more than 1 MB"
    except FAULTS as error:
        reason = fault_in_words(error)
    hint = (
        f"{'an icon' if what == 'icon' else 'a drawing'} holds shapes only; "
        "in a drawing program, save it as plain SVG with texts as paths"
    )
    raise GridpressError(Diagnostic(place, "GP503", f"the {what} {path.name} {reason}", hint))


MAX_NAMES: Final = 2_000
MAX_SWELLING: Final = 4_000_000_000
PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
DRAWINGS: Final = (".svg",)
DOCUMENTS: Final = (".md", ".txt")
_LAYERED: Final = msgspec.msgpack.Decoder(LayeredArt)


class _Remembered(Generic[T]):
    """A reader of files that reads a file again only when its time or size has changed."""

    def __init__(self, read: Callable[[Path, Span, Roots], T], roots: Roots) -> None:
        self.read = read
        self.roots = roots
        self.known: dict[tuple[Path, int, int], T] = {}

    def of(self, path: Path, span: Span) -> T:
        """What the reader says of a file. Faults are not remembered: their places differ."""
        try:
            status = self.roots.status(path)
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error
        if status is None:
            return self.read(path, span, self.roots)
        key = path, status.st_mtime_ns, status.st_size
        if key not in self.known:
            self.known[key] = self.read(path, span, self.roots)
        return self.known[key]


class AssetFinder:
    """Looks up pictures, icons and drawings, and remembers what it has read until their files
    change.

    Files are read below `roots`, by default these folders, and links may lead nowhere else. Texts
    are those of the `locale` that is printed. What drawings say is in the `cache`. Every method
    raises GridpressError at `span`, the place that names the file.
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
        of_all = (*self.image_folders, *self.icon_folders, *self.art_folders)
        self.roots = roots or Roots(of_all)
        self._pictures = _Remembered(picture_info, self.roots)
        self._swelling = 0
        self._icons = _Remembered(functools.partial(_read_svg, "icon"), self.roots)
        self._drawings = _Remembered(functools.partial(_read_svg, "drawing"), self.roots)
        self._cache = cache
        self._layered: dict[bytes, LayeredArt] = {}

    def __reduce__(self) -> tuple[type[AssetFinder], tuple[object, ...]]:
        """Another process looks into the folders for itself."""
        folders = self.image_folders, self.icon_folders
        return AssetFinder, (*folders, self.roots, self.locale, self.art_folders, self._cache)

    def image(self, name: str, span: Span | None = None) -> Path:
        """The file of a picture, such as `art/hero.png` (GP501, GP004)."""
        place = span or Span(name)
        path = self._find(name, self.image_folders, place)
        if path is None:
            hint = did_you_mean(name, self._names(self.image_folders, PICTURES))
            folders = ", ".join("/".join(folder.parts[-2:]) for folder in self.image_folders)
            hint = f"{hint}\nlooked for in {folders}".strip()
            message = f"there is no picture {name!r}"
            raise GridpressError(Diagnostic(place, "GP501", message, hint))
        return path

    def icon(self, name: str, span: Span | None = None) -> Path:
        """The file of an icon, such as `whip` (GP502, GP004)."""
        place = span or Span(name)
        return self._find_svg(name, self.icon_folders, place, "icon")

    def drawing(self, name: str, span: Span | None = None) -> LayeredArt:
        """The layers of a drawing, such as `beasts/horse` (GP502, GP503, GP002, GP004)."""
        place = span or Span(name)
        path = self._drawing(name, place)
        return _understood(self._layers, self._drawings.of(path, place), path, place, "drawing")

    def _layers(self, content: bytes) -> LayeredArt:
        """What `layered` says, which takes ten times as long as to read it back."""
        known = self._layered.get(content)
        if known is None:
            known = self._cache.read(_LAYERED.decode, Sort.DRAWINGS, content)
        if known is None:
            known = layered(content)
            self._cache.put(Sort.DRAWINGS, msgspec.msgpack.encode(known), content)
        self._layered[content] = known
        return known

    def icon_digest(self, name: str) -> str | None:
        """Of what an icon is drawn from, without a look at what that says; None where it is not
        there, or not to be read. It is the same file that `art` reads."""
        return _digest(lambda at: self._icons.of(self.icon(name, at), at), Span(name))

    def drawing_digest(self, name: str) -> str | None:
        """The same for a drawing."""
        return _digest(lambda at: self._drawings.of(self._drawing(name, at), at), Span(name))

    def _drawing(self, name: str, place: Span) -> Path:
        return self._find_svg(name, self.art_folders, place, "drawing")

    def _find_svg(self, name: str, folders: Sequence[Path], place: Span, what: str) -> Path:
        path = self._find(name, folders, place, ".svg")
        if path is None:
            known = (found.removesuffix(".svg") for found in self._names(folders, DRAWINGS))
            message = f"there is no {what} {name!r}"
            raise GridpressError(Diagnostic(place, "GP502", message, did_you_mean(name, known)))
        return path

    def picture(self, path: Path, span: Span | None = None) -> PictureInfo:
        """What `picture_info` says of a file, read once (GP504 for too many that are small as
        files and vast as pictures)."""
        place = span or Span(path.as_posix())
        known = len(self._pictures.known)
        info = self._pictures.of(path, place)
        if len(self._pictures.known) > known:
            self._swelling += info.swelling
        if self._swelling > MAX_SWELLING:
            message = f"{path.name} and others unpack to far more than is in their files"
            hint = "scale them to their printed size at 300 dpi"
            raise GridpressError(Diagnostic(place, "GP504", message, hint))
        return info

    def document(self, name: str, span: Span) -> tuple[Path, str]:
        """The file of a text, such as `rules.md`, and what it says: `rules.de.md` for the locale
        `de` if there is one (GP501, GP002, GP004, GP105)."""
        stem, dot, suffix = name.rpartition(".")
        names = (f"{stem}.{self.locale}{dot}{suffix}", name) if self.locale else (name,)
        found = (self._find(one, (home,), span) for home in self.image_folders for one in names)
        path = next(filter(None, found), None)
        if path is None:
            hint = did_you_mean(name, self._names(self.image_folders, DOCUMENTS))
            raise GridpressError(Diagnostic(span, "GP501", f"there is no text {name!r}", hint))
        try:
            return path, self.roots.read(path, MAX_TEXT).decode("utf-8-sig")
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error
        except (TooLargeError, UnicodeDecodeError) as error:
            hint = "save it as UTF-8 in your editor, 200 kB at most"
            message = f"{path.name} cannot be read as text"
            raise GridpressError(Diagnostic(span, "GP105", message, hint)) from error

    def content(self, path: Path, info: PictureInfo, span: Span) -> bytes:
        """The bytes of a picture of which `picture` said this (GP002, GP004)."""
        try:
            return self.roots.read_again(path, info.sha256, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error

    def art(self, path: Path, span: Span | None = None) -> IconArt:
        """An icon, read and cleaned once (GP002, GP004, GP503). Without a `span` the file is
        the place that names it."""
        place = span or Span(path.as_posix())
        return _understood(cleaned, self._icons.of(path, place), path, place, "icon")

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
        """The names that an author can have meant, at most `MAX_NAMES`."""
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
    """Where a pack's pictures, icons, drawings and texts are looked up: nearest first, those of the
    packs that it requires after its own. What drawings say may be in the `cache`."""
    templates = project.template_folders(pack, required)
    icons = tuple(folder / sub for folder in templates for sub in ("icons", "shared/icons"))
    drawings = tuple(folder / sub for folder in templates for sub in ("art", "shared/art"))
    pictures = tuple(project.cards(name) for name in (pack, *required))
    return AssetFinder(pictures, icons, project.roots, locale, drawings, cache)
