"""Font folders in; what may be given to the engines out: copies of the files that were found sound.

Engines open fonts by their paths, and later. So a stranger's fonts are copied as they are checked,
under names of our own: what was looked at is what is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots, TooLargeError, UnreadableError
from generator.sfnt import UnsoundError, contents

SUFFIXES: Final = frozenset((".ttf", ".otf", ".ttc", ".otc"))
MAX_FILE: Final = 50_000_000
MAX_BYTES: Final = 200_000_000
MAX_FILES: Final = 500
MAX_CHARACTERS: Final = 10_000_000

_AGAIN: Final = "download it again, or take it out of the fonts folder"
_FEWER: Final = "keep only the fonts that the pack uses"


@dataclass(frozen=True, slots=True)
class Typecase:
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
            self._characters += contents(content).characters
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
