"""Lists the files of a pack that can be seen or edited in the studio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import yaml
from msgspec import Struct

from generator.edits import why_readonly
from generator.looks import STYLES
from generator.model.face_file import SUFFIX
from generator.project import (
    PACK_FILE,
    PARTS,
    PICTURES,
    PROFILE_FILE,
    SHARED,
    WORKBOOKS,
    Project,
    workbooks_in,
)
from generator.written_yaml import as_values

_TABLES: Final = (".csv", ".tsv", ".ods", *WORKBOOKS)
_FONTS: Final = (".ttf", ".otf", ".ttc", ".woff", ".woff2")
_TEXTS: Final = (".md", ".txt")
_EDITED: Final = frozenset({"components", "face", "kind", "pack", "styles", "table", "template"})
"""Sorts of files that make a pack, and that people edit as text."""


class ProjectFile(Struct, frozen=True):
    """A file: its path on the wire, its sort, and its size in bytes. One that is not the project's
    `own` came with Gridpress."""

    path: str
    sort: str
    size: int
    is_own: bool = True


class PackTitle(Struct, frozen=True):
    """A pack of the project, and what people call it."""

    name: str
    title: str


def packs_of(project: Project) -> list[PackTitle]:
    """Return the packs of a project."""
    return [PackTitle(name, _title(project, name)) for name in project.packs()]


def files_of_pack(project: Project, pack: str) -> list[ProjectFile]:
    """Return the files of a pack and of those that it requires, and those that all packs of its
    project share, by their paths."""
    packs = _with_required(project, pack)
    roots = {name: project.home(name) for name in packs} | {SHARED: project.root}
    folders = [root / part / name for name, root in roots.items() for part in PARTS[:2]]
    found = [path for folder in folders for path in _walked(project, folder)]
    found += _walked(project, project.root / "fonts")
    found += _beside(project.root / "templates")
    found += [project.root / name for name in (PROFILE_FILE, *workbooks_in(project.root))]
    listed = (_listed(project, path) for path in dict.fromkeys(found) if path.is_file())
    return sorted(listed, key=lambda one: (not one.is_own, one.path))


def size_of(project: Project, file: str) -> int:
    """Return the size of a file of the project in bytes, 0 without one."""
    try:
        return (project.root / file).stat().st_size
    except OSError:
        return 0


def texts_of_pack(project: Project, pack: str) -> Iterator[str]:
    """Yield the files of a project that make a pack and are edited as text, here or elsewhere."""
    for one in files_of_pack(project, pack):
        if one.is_own and one.sort in _EDITED and not why_readonly(one.path):
            yield one.path


def sort_of(file: str) -> str:
    """Return the sort of a file, by its path."""
    path = PurePosixPath(file)
    name, suffix = path.name.lower(), path.suffix.lower()
    if suffix in (".yaml", ".yml"):
        return _sort_of_yaml(path)
    if suffix == ".svg" and "icons" in path.parts:
        return "icon"
    if name.endswith(".j2"):
        return "template"
    sorts = ((PICTURES, "picture"), (_TABLES, "table"), (_FONTS, "font"), (_TEXTS, "text"))
    return next((sort for suffixes, sort in sorts if suffix in suffixes), "other")


def _sort_of_yaml(path: PurePosixPath) -> str:
    known = {PACK_FILE: "pack", STYLES: "styles"}
    if path.name in known:
        return known[path.name]
    if path.name.endswith(SUFFIX):
        return "face"
    if "kinds" in path.parts:
        return "kind"
    is_data = path.parts[:1] == ("cards",) and path.parts[1:2] != (SHARED,)
    return "components" if is_data and "locales" not in path.parts else "other"


def _walked(project: Project, folder: Path) -> Iterator[Path]:
    if project.roots.holds(folder):
        yield from (one.path for one in project.roots.walk(folder) if not one.is_folder)


def _beside(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*") if path.is_file()]


def _listed(project: Project, path: Path) -> ProjectFile:
    is_own = path.is_relative_to(project.root)
    name = path.relative_to(project.root).as_posix() if is_own else project.display(path)
    return ProjectFile(name, sort_of(name), path.stat().st_size, is_own)


def _with_required(project: Project, pack: str) -> list[str]:
    """Return a pack and all that it requires, nearest first."""
    found = [pack]
    for name in found:  # which grows
        required = _told_of(project, name).get("requires")
        known = project.known_packs() if required else frozenset()
        found += [one for one in required or () if one in known and one not in found]
    return found


def _title(project: Project, pack: str) -> str:
    told = _told_of(project, pack)
    return str(told.get("title") or told.get("name") or pack)


def _told_of(project: Project, pack: str) -> dict[str, Any]:
    """Return what a pack says of itself; nothing if that cannot be read."""
    try:
        told = as_values((project.cards(pack) / PACK_FILE).read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return told if isinstance(told, dict) else {}
