"""The names of pictures and icons in, their files inside the project and what they hold out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import Roots, UnreadableError, natural, refusal
from generator.icons import IconArt, read_icon
from generator.pictures import MAX_FILE, PictureInfo, picture_info
from generator.project import Project

__all__ = ["AssetFinder", "IconArt", "PictureInfo", "picture_info", "read_icon"]

T = TypeVar("T")

MAX_NAMES: Final = 2_000
MAX_SWELLING: Final = 4_000_000_000
PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
ICONS: Final = (".svg",)


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
    """Looks up pictures and icons, and remembers what it has read until their files change.

    Files are read below `roots`, by default these folders, and links may lead nowhere else. Every
    method raises GridpressError at `span`, the place that names the file.
    """

    def __init__(
        self,
        image_folders: Sequence[Path],
        icon_folders: Sequence[Path],
        roots: Roots | None = None,
    ) -> None:
        self.image_folders = tuple(image_folders)
        self.icon_folders = tuple(icon_folders)
        self.roots = roots or Roots((*self.image_folders, *self.icon_folders))
        self._pictures = _Remembered(picture_info, self.roots)
        self._swelling = 0
        self._icons = _Remembered(read_icon, self.roots)

    def __reduce__(self) -> tuple[type[AssetFinder], tuple[object, ...]]:
        """Another process looks into the folders for itself."""
        return AssetFinder, (self.image_folders, self.icon_folders, self.roots)

    def image(self, name: str, span: Span | None = None) -> Path:
        """The file of a picture, such as `art/hero.png` (GP501, GP004)."""
        place = span or Span(name)
        path = self._find(name, self.image_folders, place)
        if path is None:
            hint = did_you_mean(name, self._names(self.image_folders, PICTURES))
            message = f"there is no picture {name!r}"
            raise GridpressError(Diagnostic(place, "GP501", message, hint))
        return path

    def icon(self, name: str, span: Span | None = None) -> Path:
        """The file of an icon, such as `whip` (GP502, GP004)."""
        place = span or Span(name)
        path = self._find(name, self.icon_folders, place, ".svg")
        if path is None:
            known = (found.removesuffix(".svg") for found in self._names(self.icon_folders, ICONS))
            message = f"there is no icon {name!r}"
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

    def content(self, path: Path, info: PictureInfo, span: Span) -> bytes:
        """The bytes of a picture of which `picture` said this (GP002, GP004)."""
        try:
            return self.roots.read_again(path, info.sha256, MAX_FILE)
        except UnreadableError as error:
            raise GridpressError(error.told(span, path.name)) from error

    def art(self, path: Path, span: Span | None = None) -> IconArt:
        """What `read_icon` says of a file, read once."""
        return self._icons.of(path, span or Span(path.as_posix()))

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


def assets_of(project: Project, pack: str, required: Sequence[str] = ()) -> AssetFinder:
    """Where a pack's pictures and icons are looked up: nearest first, those of the packs that it
    requires after its own."""
    icons = tuple(
        folder / sub
        for folder in project.template_folders(pack, required)
        for sub in ("icons", "shared/icons")
    )
    pictures = tuple(project.cards(name) for name in (pack, *required))
    return AssetFinder(pictures, icons, project.roots)
