"""Projects that nobody has named yet, and the projects that were opened last."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from generator.model.source import as_id
from generator.project import Project, shipped_root
from generator.studio.edited_texts import RefusedError

_MOST_RECENT: Final = 12
_MOST_LISTED: Final = 50


class RecentPack(Struct, frozen=True):
    """A pack that was opened: its project's folder, its name and what people call it."""

    folder: str
    pack: str
    title: str
    draft: bool = False


class KnownFolder(Struct, frozen=True):
    """A folder, as one types it, and whether it is a project."""

    path: str
    project: bool


class Drafts:
    """Projects in a folder of Gridpress's own, until they are kept somewhere else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def new(self) -> Path:
        """Return the folder for another draft."""
        path = self._folder / secrets.token_hex(4)
        path.mkdir(mode=0o700, parents=True)
        return path

    def has(self, root: Path | None) -> bool:
        """Return whether a project is a draft."""
        return root is not None and root.parent == self._folder

    def drop(self, root: Path) -> None:
        """Delete a draft."""
        if self.has(root):
            shutil.rmtree(root, ignore_errors=True)

    def all(self) -> list[Path]:
        """Return the drafts, the newest first."""
        with suppress(OSError):
            return sorted(self._folder.iterdir(), key=lambda one: -one.stat().st_mtime)
        return []


def moved_draft(root: Path, place: Path) -> None:
    """Move a draft to its place. Raises RefusedError if the place is taken or cannot be written."""
    if is_empty(place):
        _move_inside(root, place)
        return
    if place.exists():
        raise RefusedError(f"there is a folder {shown_folder(place)} already: choose another name")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        arriving = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        shutil.move(root, arriving)
        os.rename(arriving, place)
    except OSError as error:
        words = f"{shown_folder(place)} cannot be written: {error.strerror or error}"
        raise RefusedError(words) from error


def _move_inside(root: Path, place: Path) -> None:
    """Move a draft into an empty folder, which stays the one that terminals are in."""
    try:
        shutil.copytree(root, place, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        for one in root.iterdir():
            shutil.rmtree(place / one.name, ignore_errors=True)
        raise RefusedError(f"{shown_folder(place)} cannot be written: {error}") from error
    shutil.rmtree(root, ignore_errors=True)


def is_empty(folder: Path) -> bool:
    """Return whether a folder is there and has nothing but hidden files, such as those of Git."""
    with suppress(OSError):
        return all(one.name.startswith(".") for one in folder.iterdir())
    return False


class RecentPacks:
    """The packs that were opened last, remembered in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def note(self, recent: RecentPack) -> None:
        """Put a pack first. A full disk costs only the memory."""
        others = [one for one in self._read() if one.folder != recent.folder]
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = self._file.with_suffix(".new")
            new.write_bytes(msgspec.json.encode([recent, *others][:_MOST_RECENT]))
            os.replace(new, self._file)

    def there(self) -> list[RecentPack]:
        """Return those that still exist, the last one first."""
        return [one for one in self._read() if Path(one.folder, "cards", one.pack).is_dir()]

    def _read(self) -> list[RecentPack]:
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode(self._file.read_bytes(), type=list[RecentPack])
        return []


def shown_folder(path: Path) -> str:
    """Return a folder as people write it, with ~ for their own."""
    with suppress(ValueError, RuntimeError):
        return Path("~", path.relative_to(Path.home())).as_posix()
    return str(path)


def typed_folder(text: str) -> Path:
    """Return the folder that somebody typed. Raises RefusedError."""
    try:
        return Path(text.strip()).expanduser().resolve()
    except (RuntimeError, ValueError, OSError) as error:
        raise RefusedError(f"there is no folder {text}") from error


def folder_for(title: str) -> str:
    """Return the name of the folder of a project with this title. Raises RefusedError."""
    name = as_id(title) if title.isprintable() else ""
    if not name:
        raise RefusedError("folders and files get this name, so it needs letters or digits")
    return name


def completed(text: str) -> list[KnownFolder]:
    """Return the folders below home, and below the current one, whose paths begin with a text."""
    typed = text if "/" in text else "~/"
    begun, _, start = typed.rpartition("/")
    try:
        folder = Path(begun or "/").expanduser().resolve()
        own = (Path.home().resolve(), Path.cwd())
    except (RuntimeError, ValueError, OSError):
        return []
    if not any(folder.is_relative_to(one) for one in own):
        return []
    fitting = [one for one in _folders_in(folder) if one.name.lower().startswith(start.lower())]
    return [KnownFolder(f"{begun}/{one.name}", is_project(one)) for one in fitting[:_MOST_LISTED]]


def is_project(folder: Path) -> bool:
    """Return whether a folder has packs."""
    with suppress(OSError):
        return any(Project(folder, shipped_root(), around=folder).packs())
    return False


def _folders_in(folder: Path) -> Iterable[Path]:
    with suppress(OSError):
        found = [one for one in folder.iterdir() if not one.name.startswith(".") and one.is_dir()]
        return sorted(found, key=lambda one: one.name.lower())
    return []
