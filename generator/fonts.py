"""The fonts of a project: families, weights, slants and features.

Typst draws with the same files. It calls families by other names: `Barlow` with a stretch of 75 %
is what people call `Barlow Condensed`.
"""

from __future__ import annotations

import functools
import hashlib
import struct
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import typst
import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.file_kinds import FileKind, kind_of
from generator.files import FileTooLargeError, Roots, UnreadableError
from generator.project import Project, shipped_root

OWN_FAMILY: Final = "Noto Sans"
"""The family of rulers, slugs and captions; it ships with Gridpress."""

_MOST_INSTANCES: Final = 100
"""The most instances that are read of a variable font."""
_HALF: Final = 0.5
_NAME_FAMILY: Final = 1
_FS_TYPE, _MAY_BE, _RESTRICTED = 8, 0x0E, 0x02
"""The place of fsType in the table OS/2, its bits for embedding, and the bit that forbids it."""
_PRESENTATION_FORMS: Final = frozenset((*range(0xFB00, 0xFE00), *range(0xFE70, 0xFEFD)))
"""Ligatures and shaped Arabic and Hebrew letters (Unicode 16, blocks FB00 to FDFF and FE70 to
FEFF)."""
_NO_LANGUAGE: Final = 0xFFFF
"""HB_OT_LAYOUT_DEFAULT_LANGUAGE_INDEX."""
_NAME_TYPOGRAPHIC_FAMILY: Final = 16

# Keywords and stretches of CSS Fonts 4, section 2.3.
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


class FontFile(Struct, frozen=True):
    """A face of a family, as Typst names it. `index` is its place in a collection, `axes` its place
    on the axes of a variable font."""

    family: str
    weight: int
    italic: bool
    stretch: float
    index: int = 0
    axes: tuple[tuple[str, float], ...] = ()

    @property
    def svg(self) -> dict[str, str]:
        """Return the SVG attributes that make the engine choose this file."""
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

    `families` are the names that a style may use. `typst` is what the SVG engine compiles with.
    `cache` keeps what other modules learn about these fonts, such as shaped words. `display` shows
    a path to the user. Raises GridpressError for each font file that cannot be used (GP403), and
    for what cannot be read (GP002, GP004, GP011).
    """

    def __init__(
        self,
        folders: Sequence[Path],
        roots: Roots | None = None,
        display: Callable[[Path], str] = Path.as_posix,
    ) -> None:
        self.folders = tuple(folders)
        self._names, self._others = _checked(folders, roots or Roots(self.folders), display)
        self.typst = typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=False,
            font_paths=[str(folder) for folder in self.folders],
        )
        self.cache: dict[Hashable, Any] = {}
        self._shown = display(folders[0]) if folders else "fonts"
        self._paths: dict[FontFile, Path] = {}
        self._fonts: dict[FontFile, Any] = {}
        self._digests: dict[FontFile, str] = {}
        self._letters: dict[FontFile, Mapping[int, str]] = {}
        self._by_name: dict[str, list[FontFile]] = {}
        known = set(self._read())
        unknown = [shown for path, shown in self._names.items() if path not in known]
        if unknown:
            raise GridpressError(*map(unusable_font, unknown))
        self.families = tuple(sorted(self._by_name))

    def __reduce__(self) -> tuple[type[FontLibrary], tuple[object, ...]]:
        """Let another process read the same files, which are checked."""
        return FontLibrary, (self.folders, Roots((), trusted=self.folders))

    def _read(self) -> Iterator[Path]:
        for info in self.typst.fonts():
            if info.path is None:
                continue
            path = Path(info.path).resolve()
            yield path
            file = FontFile(
                info.family, info.weight, info.style != "normal", info.stretch, info.index
            )
            # The nearest folder wins.
            if self._paths.setdefault(file, path) != path:
                continue
            for name in dict.fromkeys((file.family, self._display_name(file))):
                self._by_name.setdefault(name, []).extend(self._instances(file, path))

    def _instances(self, file: FontFile, path: Path) -> Iterator[FontFile]:
        """Yield the named instances of a variable font, the default first; otherwise the font
        itself."""
        face = self.font(file).face
        axes = {axis.tag: axis.default_value for axis in face.axis_infos}
        if not axes:
            yield file
            return
        places = [tuple(instance.design_coords) for instance in face.named_instances]
        for place in list(dict.fromkeys((tuple(axes.values()), *places)))[:_MOST_INSTANCES]:
            at = dict(zip(axes, place, strict=True))
            instance = replace(
                file,
                weight=round(at.get("wght", file.weight)),
                italic=at.get("ital", float(file.italic)) >= _HALF or at.get("slnt", 0.0) < 0,
                stretch=at["wdth"] / 100 if "wdth" in at else file.stretch,
                axes=tuple(at.items()),
            )
            self._paths[instance] = path
            yield instance

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
        """Return the face nearest to the given values: by stretch, then slant, then weight (CSS
        Fonts 4, section 5.2). Raises GridpressError (GP403 at `span`) for an unknown family."""
        files = self._by_name.get(family)
        if files is None:
            where = span or Span(self._shown)
            hint = did_you_mean(family, self.families) or "put its .ttf or .otf files into fonts/"
            if self._others:
                word = family.replace(" ", "").lower()
                others = sorted(self._others, key=lambda name: word not in name.lower())
                hint += f"\n{', '.join(others[:_SHOWN])} in fonts/: only TTF and OTF files print"
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
        """Return the HarfBuzz font of a file, opened once."""
        font = self._fonts.get(file)
        if font is None:
            blob = hb.Blob(self._paths[file].read_bytes())  # a mapped file may change meanwhile
            font = self._fonts[file] = hb.Font(hb.Face(blob, file.index))
            if file.axes:
                font.set_variations(dict(file.axes))
        return font

    def files(self) -> tuple[FontFile, ...]:
        """Return all fonts, variable ones once."""
        return tuple(file for file in self._paths if not file.axes)

    def named(self, family: str) -> tuple[FontFile, ...]:
        """Return the faces of a family, if it exists."""
        return tuple(self._by_name.get(family, ()))

    def shown(self, file: FontFile) -> str:
        """Return a font file's name for the user."""
        path = self._paths[file]
        return self._names.get(path, path.as_posix())

    def fingerprint(self) -> bytes:
        """Return a digest of all fonts."""
        content = hashlib.blake2b(digest_size=32)
        for file in self.files():
            content.update(repr(file).encode() + self.digest(file).encode())
        return content.digest()

    def path(self, file: FontFile) -> Path:
        """Return the file of a font."""
        return self._paths[file]

    def digest(self, file: FontFile) -> str:
        """Return the sha256 of a font, wherever its file is."""
        digest = self._digests.get(file)
        if digest is None:
            which = f"{file.index} {file.axes}".encode()
            digest = hashlib.sha256(which + self._paths[file].read_bytes()).hexdigest()
            self._digests[file] = digest
        return digest

    def forbids_embedding(self, file: FontFile) -> bool:
        """Return whether the font's licence bits forbid putting it into a PDF (fsType of OS/2)."""
        table = self.font(file).face.reference_table("OS/2").data
        return len(table) >= _FS_TYPE + 2 and table[_FS_TYPE + 1] & _MAY_BE == _RESTRICTED

    def features(self, file: FontFile) -> frozenset[str]:
        """Return the tags of the substitutions in a font."""
        face = self.font(file).face
        table = "GSUB"
        scripts = range(len(face.get_table_script_tags(table)))
        tags = (face.get_language_feature_tags(table, script, _NO_LANGUAGE) for script in scripts)
        return frozenset(tag for of_script in tags for tag in of_script)

    def letters(self, file: FontFile) -> Mapping[int, str]:
        """Return the letters that each glyph shows. A presentation form shows the letters that
        people search for."""
        if file in self._letters:
            return self._letters[file]
        font = self.font(file)
        shown: dict[int, str] = {}
        for code in font.face.unicodes:
            char = chr(code)
            if code in _PRESENTATION_FORMS:
                char = unicodedata.normalize("NFKC", char).strip()
            shown.setdefault(font.get_nominal_glyph(code) or 0, char)
        shown.pop(0, None)
        self._letters[file] = shown
        return shown


def _weight_distance(wanted: int, weight: int) -> tuple[int, int]:
    """Return how far a weight is from the wanted one, in the order of CSS Fonts 4."""
    if 400 <= wanted <= 500 and wanted <= weight <= 500:
        return (0, weight - wanted)
    lighter_first = wanted <= 500
    preferred = weight <= wanted if lighter_first else weight >= wanted
    return (1 if preferred else 2, abs(weight - wanted))


def fonts_of(project: Project) -> FontLibrary:
    """Return the fonts that a project's packs may use, its own before the shipped ones."""
    return FontLibrary(project.font_folders(), project.roots, project.display)


@functools.cache
def own_fonts() -> FontLibrary:
    """Return the shipped fonts, for rulers, slugs and captions."""
    folders = (shipped_root() / "fonts",)
    return FontLibrary(folders, Roots((), trusted=folders))


def own_font() -> Path:
    """Return the file of the font of rulers, slugs and captions."""
    library = own_fonts()
    return library.path(library.find(OWN_FAMILY))


_ALWAYS: Final = {"lnum": 1}
"""Lining figures: in text, an old-style 1 looks like I and a 0 like o."""
_WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "lining": {"lnum": 1},
    "old-style": {"onum": 1, "lnum": 0},
    "tabular": {"tnum": 1},
    "proportional": {"pnum": 1},
    "slashed-zero": {"zero": 1},
    "fractions": {"frac": 1},
    "ordinals": {"ordn": 1},
    "superscript": {"sups": 1},
    "subscript": {"subs": 1},
    "small-capitals": {"smcp": 1},
    "all-small-capitals": {"smcp": 1, "c2sc": 1},
    "capital-forms": {"case": 1},
    "titling": {"titl": 1},
    "swashes": {"swsh": 1},
    "more-ligatures": {"dlig": 1},
    "no-ligatures": {"liga": 0, "clig": 0},
    "no-kerning": {"kern": 0},
}
_SETS: Final = {f"set-{number}": {f"ss{number:02}": 1} for number in range(1, 21)}
FEATURES: Final[Mapping[str, Mapping[str, int]]] = {**_WORDS, **_SETS}
"""The words for features in a style, and the features that each sets."""


def features(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the features of a style, sorted by tag; later words win."""
    wanted = dict(_ALWAYS)
    for word in words:
        wanted |= FEATURES[word]
    return tuple(sorted(wanted.items()))


def needed_features(word: str) -> tuple[str, ...]:
    """Return the features that a font needs for a word to have an effect."""
    if word in ("lining", "proportional", "old-style"):
        return ()
    return tuple(tag for tag, value in FEATURES[word].items() if value)


def is_unseen(sign: str) -> bool:
    """Return whether a sign has no ink in any font, such as a joiner or a variation selector."""
    return unicodedata.category(sign) == "Cf" or unicodedata.name(sign, "").startswith(
        ("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")
    )


_KINDS: Final = (b"\0\1\0\0", b"true", b"OTTO")
_NO_FONT: Final = FileKind("is not a font", "")


class UnsoundError(Exception):
    """The reason why a file is not a usable font, and what to do."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.hint = hint


def check_font(data: bytes) -> None:
    """Raise UnsoundError for a file that is not a font, or is incomplete."""
    if data[:4] not in (*_KINDS, b"ttcf"):
        other = kind_of(data) or _NO_FONT
        raise UnsoundError(other.said, other.hint)
    try:
        count = struct.unpack_from(">L", data, 8)[0] if data[:4] == b"ttcf" else 0
        ends = [end for start in struct.unpack_from(f">{count}L", data, 12) or (0,)
                for end in _ends_of_tables(data, start)]  # fmt: skip
    except struct.error:
        ends = []
    if not ends or max(ends) > len(data):
        raise UnsoundError("is damaged: a part of it is missing")


def _ends_of_tables(data: bytes, start: int) -> Iterator[int]:
    """Yield the end of each table of the font whose table directory starts there (OpenType 1.9)."""
    (count,) = struct.unpack_from(">4xH", data, start)
    for number in range(count):
        offset, length = struct.unpack_from(">8xLL", data, start + 12 + 16 * number)
        yield offset + length


SUFFIXES: Final = frozenset((".ttf", ".otf", ".ttc", ".otc"))
_OTHER_FONTS: Final = frozenset(
    (".woff", ".woff2", ".eot", ".pfb", ".pfm", ".dfont", ".fon", ".zip")
)
"""Suffixes of font files that cannot be printed."""
_SHOWN: Final = 3
MAX_FILE: Final = 50_000_000


def _checked(
    folders: Sequence[Path], roots: Roots, display: Callable[[Path], str]
) -> tuple[dict[Path, str], list[str]]:
    """Return each font file in folders that `roots` does not trust, with the name that its author
    knows, and the names of other files there that hold fonts. Raises GridpressError."""
    shown: dict[Path, str] = {}
    others: list[str] = []
    faults: list[Diagnostic] = []
    for folder in folders:
        with suppress(UnreadableError):  # `walk` reports it
            if roots.trusts(folder):
                continue
        for entry in roots.walk(folder):
            suffix = entry.path.suffix.lower()
            if entry.fault is not None:
                what = "the folder" if entry.is_folder else "the file"
                faults.append(entry.fault.told(Span(display(entry.path)), what))
            elif suffix in SUFFIXES and not entry.is_folder:
                name = shown[entry.path.resolve()] = display(entry.path)
                faults += _faults(entry.path, name, roots)
            elif suffix in _OTHER_FONTS:
                others.append(entry.path.name)
    if faults:
        raise GridpressError(*faults)
    return shown, others


def _faults(path: Path, shown: str, roots: Roots) -> Iterator[Diagnostic]:
    """Yield what keeps a file from being used as a font."""
    try:
        check_font(roots.read(path, MAX_FILE))
    except UnreadableError as error:
        yield error.told(Span(shown), "the font file")
    except FileTooLargeError as error:
        reason = f"has {error.size / 1_000_000:.0f} MB; the most is {MAX_FILE // 1_000_000} MB"
        yield unusable_font(shown, reason, "keep only the fonts that the pack uses")
    except UnsoundError as error:
        yield unusable_font(shown, str(error), error.hint)


def unusable_font(
    shown: str, reason: str = "is damaged or cannot be read", hint: str = ""
) -> Diagnostic:
    """Return GP403 for a font file."""
    hint = hint or "download it again, or remove it from the fonts folder"
    return Diagnostic(Span(shown), "GP403", f"the font file {reason}", hint)
