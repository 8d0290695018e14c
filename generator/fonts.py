"""Font folders in; the font file that a family, weight and slant name out.

Typst draws with the same files: it is given the same folders and no others, and what it calls a
family (`Barlow`, stretch 75 %) is mapped from what people call it (`Barlow Condensed`).
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typst
import uharfbuzz as hb

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean

_SUFFIXES: Final = frozenset((".ttf", ".otf", ".ttc", ".otc"))
_NAME_FAMILY: Final = 1
_NAME_TYPOGRAPHIC_FAMILY: Final = 16

# The keywords of CSS Fonts 4, section 2.3, and the width class of OpenType that each stands for.
_STRETCH_KEYWORDS: Final = {
    0.5: "ultra-condensed",
    0.625: "extra-condensed",
    0.75: "condensed",
    0.875: "semi-condensed",
    1.125: "semi-expanded",
    1.25: "expanded",
    1.5: "extra-expanded",
    2.0: "ultra-expanded",
}


@dataclass(frozen=True, slots=True)
class FontFile:
    """One face of a family, as Typst names it; `index` is its place in a collection."""

    family: str
    weight: int
    italic: bool
    stretch: float
    path: Path
    index: int = 0

    @property
    def svg(self) -> dict[str, str]:
        """The SVG attributes that make the engine choose this very file."""
        family = self.family
        if not (family.isascii() and family.replace(" ", "").isalpha()):
            family = f'"{family}"' if "'" in family else f"'{family}'"
        attributes = {"font-family": family, "font-weight": str(self.weight)}
        if self.italic:
            attributes["font-style"] = "italic"
        if self.stretch != 1.0:
            nearest = min(_STRETCH_KEYWORDS, key=lambda ratio: abs(ratio - self.stretch))
            attributes["font-stretch"] = _STRETCH_KEYWORDS[nearest]
        return attributes


class FontLibrary:
    """The fonts of some folders, nearest folder first.

    `families` are the names that a style may use, `typst` is what the engine compiles with.
    `cache` keeps what others learn about these fonts (shaped words), so it lives as long as they.
    Raises GridpressError (GP403, one a file) when a font file cannot be used.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self.typst = typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=False,
            font_paths=[str(folder) for folder in self.folders],
        )
        self.cache: dict[Hashable, Any] = {}
        self._fonts: dict[FontFile, Any] = {}
        self._by_name: dict[str, list[FontFile]] = {}
        self._read()
        self.families = tuple(sorted(self._by_name))

    def __reduce__(self) -> tuple[type[FontLibrary], tuple[Sequence[Path]]]:
        """Another process reads the folders for itself."""
        return FontLibrary, (self.folders,)

    def _read(self) -> None:
        known: set[Path] = set()
        for info in self.typst.fonts():
            if info.path is None:
                continue
            path = Path(info.path)
            known.add(path)
            file = FontFile(
                info.family, info.weight, info.style != "normal", info.stretch, path, info.index
            )
            for name in dict.fromkeys((file.family, self._display_name(file))):
                self._by_name.setdefault(name, []).append(file)
        faults = [_unreadable(path) for path in _font_files(self.folders) if path not in known]
        faults += [_unreadable(path) for path in sorted(known) if not _is_whole(path)]
        if faults:
            raise GridpressError(*faults)

    def _display_name(self, file: FontFile) -> str:
        face = self.font(file).face
        name = face.get_name(_NAME_TYPOGRAPHIC_FAMILY) or face.get_name(_NAME_FAMILY)
        return str(name or file.family)

    def find(
        self,
        family: str,
        weight: int = 400,
        italic: bool = False,
        stretch: float = 1.0,
        span: Span | None = None,
    ) -> FontFile:
        """The face nearest to what is asked, by the order of CSS Fonts 4, section 5.2: stretch,
        then slant, then weight. Raises GridpressError (GP403 at `span`) for an unknown family.
        """
        files = self._by_name.get(family)
        if files is None:
            where = span or Span(_shown(self.folders[0]) if self.folders else "fonts")
            hint = did_you_mean(family, self.families) or "put its .ttf or .otf files into fonts/"
            raise GridpressError(
                Diagnostic(where, "GP403", f"there is no font family {family!r}", hint)
            )
        return min(
            files,
            key=lambda f: (
                abs(f.stretch - stretch),
                f.italic is not italic,
                _weight_distance(weight, f.weight),
            ),
        )

    def font(self, file: FontFile) -> Any:
        """The HarfBuzz font of a file, opened once; it measures in font units."""
        font = self._fonts.get(file)
        if font is None:
            blob = hb.Blob.from_file_path(str(file.path))
            font = self._fonts[file] = hb.Font(hb.Face(blob, file.index))
        return font


def _weight_distance(wanted: int, weight: int) -> tuple[int, int]:
    """CSS's order: regular looks to medium first, light looks lighter first, bold bolder."""
    if 400 <= wanted <= 500 and wanted <= weight <= 500:
        return (0, weight - wanted)
    lighter_first = wanted <= 500
    preferred = weight <= wanted if lighter_first else weight >= wanted
    return (1 if preferred else 2, abs(weight - wanted))


def _font_files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        paths = (path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
        yield from sorted(path for path in paths if path.is_file())


def _is_whole(path: Path) -> bool:
    """False for a file cut short: one whose table directory points behind its end.

    Collections have a directory for each font and are left to the engine.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] == b"ttcf":
            return True
        (tables,) = struct.unpack(">4xH6x", head)
        directory = file.read(16 * tables)
    if len(directory) < 16 * tables:
        return False
    return all(offset + length <= size for offset, length in struct.iter_unpack(">8xLL", directory))


def _unreadable(path: Path) -> Diagnostic:
    message = "the font file is damaged or cannot be read"
    hint = "download it again, or take it out of the fonts folder"
    if path.is_symlink():
        message, hint = "the font file is a link", "copy the font itself into the fonts folder"
    return Diagnostic(Span(_shown(path)), "GP403", message, hint)


def _shown(path: Path) -> str:
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
