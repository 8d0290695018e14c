"""Pictures, icons and texts of a project: found by their names; icons read and cleaned.

Of an icon only shapes come through: no scripts, styles, texts, pictures or links to anything
outside. What is left is written anew, without namespaces and what would not print;
`style="fill:red"` becomes `fill="red"`.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, Generic, TypeVar
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.files import Roots, TooLargeError, UnreadableError, natural, refusal
from generator.pictures import MAX_FILE, PictureInfo, picture_info
from generator.project import Project
from generator.svg_subset import ELEMENTS, SHAPES, SILENT, Part, RepeatError, drawn

MAX_BYTES: Final = 1_000_000
MAX_TEXT: Final = 200_000
"""Bytes of a text: a book of a hundred pages."""
MAX_DEPTH: Final = 50
MAX_SHAPES: Final = 10_000

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_DROPPED: Final = SILENT | {"metadata"}
_IGNORED: Final = re.compile(r"class|version|role|xmlns.*|(data|aria|enable|xml)[-:].*|\{.*")
_OF_ROOT: Final = re.compile(r"x|y|width|height|viewBox|preserveAspectRatio|id")
_LOCAL_URL: Final = re.compile(r"url\(\s*+['\"]?#([^()'\"\s]++)['\"]?\s*+\)")
_LENGTH: Final = re.compile(r"\s*+([0-9.]++)\s*+(?:px|mm|pt|cm|in)?\s*+")
_PIXELS: Final = re.compile(r"(?<![\d.])([\d.]++)px")
_NUMBERS: Final = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class IconArt:
    """An icon: its view box (x, y, width, height in its own units) and the shapes in it."""

    view_box: tuple[float, float, float, float]
    body: str


def read_icon(path: Path, span: Span | None = None, roots: Roots | None = None) -> IconArt:
    """Reads and cleans an icon below one of the roots (without any: below its own folder). `span`
    is where its name is written.

    Raises GridpressError (GP002, GP004, GP503).
    """
    place = span or Span(path.as_posix())
    try:
        return _cleaned((roots or Roots((path.parent,))).read(path, MAX_BYTES))
    except UnreadableError as error:
        raise GridpressError(error.told(place, f"the icon {path.name}")) from error
    except TooLargeError:
        code, reason = "GP503", "has more than 1 MB"
    except (_UnfitError, ParseError, DefusedXmlException, ValueError, LookupError) as error:
        code, reason = "GP503", _in_words(error)
    hint = (
        "an icon holds shapes only; in a drawing program, save it as plain SVG with texts as paths"
    )
    raise GridpressError(Diagnostic(place, code, f"the icon {path.name} {reason}", hint))


class _UnfitError(Exception):
    """What an icon must not have; the message goes on from "the icon x.svg …"."""


def _in_words(error: Exception) -> str:
    match error:
        case _UnfitError():
            return str(error)
        case ParseError():
            line, column = error.position
            return f"is not well-formed SVG: see its line {line}, column {column + 1}"
        case DefusedXmlException():
            return "has a document type or entities, which are not allowed"
        case _:
            return "is not text in a known encoding"


@functools.lru_cache(128)  # a session reads the same icons at each look
def _cleaned(content: bytes) -> IconArt:
    root: Element = fromstring(content, forbid_dtd=True)
    if _name(root) != "svg":
        raise _UnfitError("is not an SVG drawing")
    body = "".join(_markup(child, 1) for child in root)
    _check_uses(fromstring(f"<svg>{body}</svg>"))
    around = "".join(
        f' {name}="{escape(value)}"'
        for name, value in _attributes(root, "g").items()
        if not _OF_ROOT.fullmatch(name)
    )
    return IconArt(_view_box(root), f"<g{around}>{body}</g>" if around else body)


def _name(element: Element) -> str:
    """The tag without the SVG namespace; those of other namespaces keep theirs."""
    return str(element.tag).removeprefix(_SVG)


def _markup(element: Element, depth: int) -> str:
    name = _name(element)
    if name in _DROPPED or name.startswith("{"):  # what drawing programs keep for themselves
        return ""
    if name not in SHAPES:
        raise _UnfitError(f"has <{name}>, which cannot be printed in an icon")
    if depth > MAX_DEPTH:
        raise _UnfitError(f"is nested deeper than {MAX_DEPTH} groups")
    attributes = "".join(
        f' {key}="{escape(value)}"' for key, value in _attributes(element, name).items()
    )
    inside = "".join(_markup(child, depth + 1) for child in element)
    return f"<{name}{attributes}>{inside}</{name}>" if inside else f"<{name}{attributes}/>"


def _attributes(element: Element, name_: str) -> dict[str, str]:
    """Those that print, of an element of that name."""
    kept: dict[str, str] = {}
    styled: dict[str, str] = {}
    for name, value in element.attrib.items():
        if name == "style":
            for declaration in filter(str.strip, value.split(";")):
                key, _, style = declaration.partition(":")
                if not key.strip().startswith("-"):  # a drawing program's own
                    styled[key.strip()] = style.replace("!important", "").strip()
        elif name == _XLINK_HREF:
            kept["href"] = value
        elif not _IGNORED.fullmatch(name):
            kept[name] = value
    known = ELEMENTS[name_]
    attributes = {}
    for name, value in {**kept, **styled}.items():  # a style counts for more than an attribute
        _check(name, value)
        check = known.get(name)
        plain = _PIXELS.sub(r"\1", _LOCAL_URL.sub(r"url(#\1)", value))
        if check is not None and not check(plain):
            attributes[name] = plain
    return attributes


def _check(name: str, value: str) -> None:
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        raise _UnfitError(f"has the attribute {name!r}, which is not known")
    if name.lower().startswith("on"):
        raise _UnfitError(f"has a script in the attribute {name}")
    if name == "href" and not value.startswith("#"):
        raise _UnfitError("uses something outside of itself")
    if "url(" in _LOCAL_URL.sub("", value).lower():
        raise _UnfitError("uses something outside of itself")


def _check_uses(root: Element) -> None:
    """Counts the shapes, those too that `<use>`, masks and clips draw again. Raises _UnfitError for
    too many, or a circle."""
    parts: dict[str, Part] = {}
    whole = Part()
    _count(root, whole, parts)
    for name in (name for part in (whole, *parts.values()) for name, _ in part.links):
        if name not in parts:
            raise _UnfitError(f"uses #{name}, which it does not have")
    try:
        total = drawn(whole, parts, MAX_SHAPES)
    except RepeatError as error:
        if error.endless:
            raise _UnfitError(f"has #{error.name} inside of itself again") from error
        total = MAX_SHAPES + 1
    if total > MAX_SHAPES:
        raise _UnfitError(f"has more than {MAX_SHAPES:,} shapes")


def _count(element: Element, part: Part, parts: dict[str, Part]) -> None:
    if "id" in element.attrib:
        inner = Part(element.attrib["id"])
        part.inside.append(inner)
        parts.setdefault(inner.name, inner)
        part = inner
    part.elements += 1
    if _name(element) == "use":
        part.links.append((element.get("href", "#").removeprefix("#"), 0))
    for key in ("mask", "clip-path"):
        found = _LOCAL_URL.search(element.get(key, ""))
        if found is not None:
            part.links.append((found[1], 0))
    for child in element:
        _count(child, part, parts)


def _view_box(root: Element) -> tuple[float, float, float, float]:
    box = root.get("viewBox")
    try:
        if box is not None:
            x, y, width, height = (float(n) for n in _NUMBERS.split(box.strip()))
        else:
            lengths = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
            x = y = 0.0
            width, height = (float(length[1]) if length else 0.0 for length in lengths)
    except ValueError as error:
        raise _UnfitError(f"has a viewBox that is not four numbers: {box!r}") from error
    if not (0 < width < 1e6 and 0 < height < 1e6 and abs(x) < 1e6 and abs(y) < 1e6):
        raise _UnfitError("has no viewBox, or an empty one")
    return x, y, width, height


__all__ = ["AssetFinder", "IconArt", "PictureInfo", "picture_info", "read_icon"]

T = TypeVar("T")

MAX_NAMES: Final = 2_000
MAX_SWELLING: Final = 4_000_000_000
PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
ICONS: Final = (".svg",)
DOCUMENTS: Final = (".md", ".txt")


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

    Files are read below `roots`, by default these folders, and links may lead nowhere else. Texts
    are those of the `locale` that is printed. Every method raises GridpressError at `span`, the
    place that names the file.
    """

    def __init__(
        self,
        image_folders: Sequence[Path],
        icon_folders: Sequence[Path],
        roots: Roots | None = None,
        locale: str | None = None,
    ) -> None:
        self.image_folders = tuple(image_folders)
        self.icon_folders = tuple(icon_folders)
        self.locale = locale
        self.roots = roots or Roots((*self.image_folders, *self.icon_folders))
        self._pictures = _Remembered(picture_info, self.roots)
        self._swelling = 0
        self._icons = _Remembered(read_icon, self.roots)

    def __reduce__(self) -> tuple[type[AssetFinder], tuple[object, ...]]:
        """Another process looks into the folders for itself."""
        return AssetFinder, (self.image_folders, self.icon_folders, self.roots, self.locale)

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


def assets_of(
    project: Project, pack: str, required: Sequence[str] = (), locale: str | None = None
) -> AssetFinder:
    """Where a pack's pictures, icons and texts are looked up: nearest first, those of the packs
    that it requires after its own."""
    icons = tuple(
        folder / sub
        for folder in project.template_folders(pack, required)
        for sub in ("icons", "shared/icons")
    )
    pictures = tuple(project.cards(name) for name in (pack, *required))
    return AssetFinder(pictures, icons, project.roots, locale)
