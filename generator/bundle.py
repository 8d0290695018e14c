"""Packs a project into one zip, with what its packs use; unpacks such a zip for the time of a
command.
"""

from __future__ import annotations

import functools
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Final

from generator import limits, writing
from generator.diagnostics import Diagnostic, GridpressError, Span, plain
from generator.files import FileTooLargeError, Roots, UnreadableError, refusal
from generator.model.pack import Pack
from generator.project import PACK_FILE, PARTS, PICTURES, SHARED, Project, workbooks_in

if TYPE_CHECKING:
    from generator.fonts import FontLibrary

SUFFIX: Final = ".zip"
MAX_TOTAL: Final = 2_000_000_000
MAX_FILE: Final = 200_000_000
"""Bytes of a zip and of all that it unpacks to, and of a file in it."""
MAX_FILES: Final = 20_000
_LONGEST: Final = 200
"""Bytes of a name."""
_BLOCK: Final = 1 << 20
_A_BLOCK: Final = 0.05
"""Seconds of processor time to unpack a block."""
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_FONTS: Final = (".ttf", ".otf", ".ttc", ".otc")
_DEFINITIONS: Final = (".yaml", ".yml", ".csv", ".tsv", ".json", ".xlsx", ".xlsm", ".md", ".txt")
_TEXTS: Final = (".md", ".txt")
_DRAWINGS: Final = (".j2", ".svg", ".yaml", ".yml")
_ELSEWHERE: Final = "give it another name: whoever gets the zip may have another system"
_AS_IT_IS: Final = "ask for another copy, or unpack it yourself and look at its contents"


def bundle_contents(
    project: Project,
    packs: Sequence[Pack],
    shown: Iterable[Path],
    fonts: FontLibrary,
    *,
    every: bool = False,
) -> tuple[dict[str, Callable[[], bytes]], tuple[str, ...]]:
    """Return the files that packs use, by their paths in the zip, and the folders of fonts without
    a licence. Each file is read when its turn comes.

    Taken are the definitions of the packs, the files that these name, and so on; pictures that are
    `shown`; fonts that styles name, with the texts beside them; licences and credits. every: files
    that nothing seems to name, too. Raises GridpressError for a file that cannot be read.
    """
    cards, templates = project.root / "cards", project.root / "templates"
    folders = list(dict.fromkeys(name for pack in packs for name in (pack.name, *pack.requires)))
    sure: list[Path] = []
    maybe: list[Path] = []
    for name in dict.fromkeys((*folders, SHARED)):
        of_pack = [
            *_files(project, cards / name, (*_DEFINITIONS, *PICTURES)),
            *_files(project, templates / name, _DRAWINGS),
            *(p for p in _files(project, cards / name, ()) if _NOTICE.match(p.name)),
        ]
        for path in dict.fromkeys(of_pack):
            is_sure = path.suffix.lower() in _READ_BY_ALL or _NOTICE.match(path.name)
            (sure if is_sure or every else maybe).append(path)
    sure += [path for path in shown if path.is_relative_to(cards)]
    taken = list(_named(project, sure, maybe))
    own = project.root / "fonts"
    families = {family for pack in packs for family in _families(pack)}
    named = {fonts.shown(file) for family in families for file in fonts.named(family)}
    homes = {path.parent for path in _files(project, own, _FONTS) if project.display(path) in named}
    bare = []
    for home in sorted(homes):
        around = [path for path in _files(project, home, ()) if path.parent == home]
        taken += around
        if all(path.suffix.lower() in _FONTS for path in around):
            bare.append(_inside(project, home))
    files: dict[str, Callable[[], bytes]] = {}
    for path in taken:
        files[_inside(project, path)] = functools.partial(_read, project, path)
    for name, path in _workbooks(project, taken):
        files.setdefault(name, functools.partial(_read, project, path))
    return files, tuple(bare)


def _workbooks(project: Project, taken: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Yield the workbooks in the project's own folder that files name, each beside the file that
    names it: only the folders of a project are unpacked."""
    names = workbooks_in(project.root)
    for path in taken:
        if names and path.suffix.lower() in _READ_BY_ALL:
            text = _read(project, path)
            for name in names if _ROWS.search(text) else ():
                if os.fsencode(name) in text:
                    yield _inside(project, path.parent / name), project.root / name


_ROWS: Final = re.compile(rb"^rows[ \t]*:", re.MULTILINE)
_READ_BY_ALL: Final = (".yaml", ".yml")
_NOTICE: Final = re.compile(r"(?i)(licen[cs]e|copying|credits|notice|authors|ofl)\b")
_PARTS_OF_NAME: Final = re.compile(rb"[A-Za-z]+")


def _named(project: Project, sure: Sequence[Path], maybe: Sequence[Path]) -> Iterator[Path]:
    """Yield the files in `sure`, and those in `maybe` that a yielded file names. An icon is named
    when all words of its name occur somewhere; a translated text, when the text is named."""
    parts: set[bytes] = set()
    waiting, left = list(sure), list(maybe)
    while waiting:
        texts = []
        for path in waiting:
            yield path
            if path.suffix.lower() not in PICTURES:
                texts.append(_read(project, path))
        for text in texts:
            parts |= {part.lower() for part in _PARTS_OF_NAME.findall(text)}
        waiting = [path for path in left if _is_named(path, texts, parts)]
        left = [path for path in left if path not in waiting]


def _is_named(path: Path, texts: Sequence[bytes], parts: set[bytes]) -> bool:
    stem, suffix = path.stem, path.suffix
    if suffix.lower() == ".svg" and "templates" in path.parts:
        return {part.lower() for part in _PARTS_OF_NAME.findall(os.fsencode(stem))} <= parts
    names = [path.name]
    if suffix.lower() in _TEXTS and "." in stem:  # rules.de.md
        names.append(stem.rpartition(".")[0] + suffix)
    return any(os.fsencode(name) in text for name in names for text in texts)


def _families(pack: Pack) -> Iterator[str]:
    styles = pack.styles
    named = styles.get("fonts")
    yield from (str(name) for name in (named.values() if named else ()))
    yield from map(str, styles.get("fallback") or ())


def _files(project: Project, folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    if not project.roots.holds(folder):
        return
    for entry in project.roots.walk(folder):
        if entry.fault is not None:
            raise GridpressError(entry.fault.told(Span(project.display(entry.path)), "it"))
        if not entry.is_folder and (not suffixes or entry.path.suffix.lower() in suffixes):
            yield entry.path


def _read(project: Project, path: Path) -> bytes:
    try:
        with limits.at(project.display(path)):
            return project.roots.read(path, MAX_FILE)
    except UnreadableError as error:
        raise GridpressError(error.told(Span(project.display(path)), "the file")) from error
    except FileTooLargeError as error:
        raise _too_much(project.display(path), f"more than {MAX_FILE:,} bytes") from error


def _inside(project: Project, path: Path) -> str:
    return path.relative_to(project.root).as_posix()


def zipped(files: Mapping[str, Callable[[], bytes]], file: BinaryIO) -> None:
    """Write the files as a zip, with the same bytes for the same files.

    Raises GridpressError: GP004 for a name that could not be unpacked on every system, GP110 for
    more than is unpacked.
    """
    known: dict[str, str] = {}
    left = MAX_TOTAL
    if len(files) > MAX_FILES:
        raise _too_much(min(files), f"more than {MAX_FILES:,} files")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _DATE)
            _checked(entry, name, known, _ELSEWHERE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            entry.create_system = 3
            content = files[name]()
            left -= len(content)
            if left < 0:
                raise _too_much(name, f"more than {MAX_TOTAL:,} bytes with the files before it")
            with limits.at(name, _seconds(len(content))):
                archive.writestr(entry, content)


@contextmanager
def unpacked_archives(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Unpack the archives among the names of packs and folders, and yield the names with the
    folders that they are in instead; these are removed in the end. Raises GridpressError."""
    given = tuple(names)
    if not any(_is_archive(name) for name in given):
        yield given
        return
    with writing.at_work(), tempfile.TemporaryDirectory(prefix="gridpress-") as folder:
        found = []
        for number, name in enumerate(given):
            if _is_archive(name):
                home = Path(folder, str(number), plain(Path(name).name)).resolve()
                home.mkdir(parents=True)
                _unpack(Path(name), home)
                name = str(home)  # noqa: PLW2901
            found.append(name)
        yield tuple(found)


def _is_archive(name: str) -> bool:
    return name.lower().endswith(SUFFIX) and os.path.isfile(name)


def _unpack(path: Path, home: Path) -> None:
    shown = path.as_posix()
    try:
        here = path.resolve()
        with (
            limits.at(shown),
            Roots((here.parent,)).open(here, MAX_TOTAL) as file,
            zipfile.ZipFile(file) as archive,
        ):
            _extract(archive, home, shown)
        if not any(home.glob(f"cards/*/{PACK_FILE}")):
            message = "there is no pack in this zip"
            hint = f"a project has cards/<pack>/{PACK_FILE}; gridpress pack-up makes a zip of one"
            raise GridpressError(Diagnostic(Span(shown), "GP003", message, hint))
    except UnreadableError as error:
        raise GridpressError(error.told(Span(shown), "the file")) from error
    except FileTooLargeError as error:
        raise _too_much(shown, f"more than {MAX_TOTAL:,} bytes") from error
    except (
        zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError,
    ) as error:  # fmt: skip
        message = "this zip cannot be unpacked: it is damaged, encrypted or of another format"
        raise GridpressError(Diagnostic(Span(shown), "GP105", message, _AS_IT_IS)) from error


def _seconds(size: int) -> float:
    return limits.FILE + limits.MEGABYTE * size / 1_000_000


def _extract(archive: zipfile.ZipFile, home: Path, shown: str) -> None:
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise _too_much(shown, f"more than {MAX_FILES:,} files and folders")
    above = _above([entry.filename for entry in entries])
    known: dict[str, str] = {}
    left = MAX_TOTAL
    for entry in entries:
        name = _checked(entry, shown, known)  # each folder on the way to it is known then, too
        if entry.header_offset < 0:
            raise zipfile.BadZipFile
        if len(known) > MAX_FILES:
            raise _too_much(shown, f"more than {MAX_FILES:,} files and folders")
        inner = name.removeprefix(above)
        if entry.is_dir() or inner.partition("/")[0] not in PARTS or "/" not in inner:
            continue
        target = home.joinpath(*inner.split("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("xb") as file:
            size = 0
            while block := source.read(_BLOCK):
                limits.allow(_A_BLOCK)
                size, left = size + len(block), left - len(block)
                if size > MAX_FILE or left < 0:
                    raise _too_much(shown, "more than it says, or more than can be unpacked")
                file.write(block)


def _above(names: Sequence[str]) -> str:
    """Return the folder around a project, if it was packed with its folder; else nothing."""
    firsts = {name.partition("/")[0] for name in names if name}
    inside = len(firsts) == 1 and not firsts & {*PARTS}
    return f"{firsts.pop()}/" if inside else ""


def _checked(
    entry: zipfile.ZipInfo, shown: str, known: dict[str, str], hint: str = _AS_IT_IS
) -> str:
    """Return the name of an entry, which every system can unpack; note the folders around it in
    `known`. Raises GridpressError (GP004)."""
    name = entry.orig_filename.removesuffix("/")
    place = Span(shown)
    refused = refusal(name, place)
    if refused is not None:
        raise GridpressError(Diagnostic(place, refused.code, refused.message, hint))
    fault = _fault(entry, name)
    parts = name.split("/")
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        is_file = depth == len(parts) and not entry.is_dir()
        key = unicodedata.normalize("NFC", part).casefold()
        told = f"{part}{'' if is_file else '/'}"
        is_again = is_file and key in known
        if known.setdefault(key, told) != told or is_again:
            fault = (
                f"is in it twice, or beside {known[key]!r}, which is the same name on some systems"
            )
    if fault:
        raise GridpressError(Diagnostic(place, "GP004", f"{name!r} {fault}", hint))
    return name


def _fault(entry: zipfile.ZipInfo, name: str) -> str:
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device"
    if len(name.encode()) > _LONGEST:
        return f"is longer than {_LONGEST} bytes"
    parts = PurePosixPath(name).parts
    if "//" in name or "." in name.split("/") or any(part[-1] in ". " for part in parts):
        return "is a name that not every system allows"
    if any(sign in name for sign in '<>:"|?*'):
        return "has a character that not every system allows"
    return ""


def _too_much(shown: str, what: str) -> GridpressError:
    hint = "split it into several projects, with smaller pictures"
    return GridpressError(Diagnostic(Span(shown), "GP110", f"this holds {what}", hint))
