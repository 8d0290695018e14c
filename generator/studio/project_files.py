"""Lists the files of a pack that can be seen or edited in the studio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import yaml
from msgspec import Struct

from generator.looks import STYLES
from generator.model.face_file import SUFFIX
from generator.project import (
    PACK_FILE,
    PICTURES,
    PROFILE_FILE,
    SHARED,
    WORKBOOKS,
    Project,
    workbooks_in,
)

_TABLES: Final = (".csv", ".tsv", ".ods", *WORKBOOKS)
_FONTS: Final = (".ttf", ".otf", ".ttc", ".woff", ".woff2")
_TEXTS: Final = (".md", ".txt")


class ProjectFile(Struct, frozen=True):
    """A file of the project: its path on the wire, its sort, and its size in bytes."""

    path: str
    sort: str
    size: int


class PackTitle(Struct, frozen=True):
    """A pack of the project, and what people call it."""

    name: str
    title: str


def packs_of(project: Project) -> list[PackTitle]:
    """Return the packs of a project."""
    return [PackTitle(name, _title(project, name)) for name in project.packs()]


def files_of_pack(project: Project, pack: str) -> list[ProjectFile]:
    """Return the files of a pack and those that all packs of its project share, by their paths."""
    cards, templates = project.root / "cards", project.root / "templates"
    folders = [cards / pack, cards / "shared", templates / pack, templates / "shared"]
    found = [path for folder in folders for path in _walked(project, folder)]
    found += _walked(project, project.root / "fonts")
    found += _beside(templates)
    found += [project.root / name for name in (PROFILE_FILE, *workbooks_in(project.root))]
    listed = {path.relative_to(project.root).as_posix(): path for path in found}
    return [_listed(name, path) for name, path in sorted(listed.items()) if path.is_file()]


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


def _listed(name: str, path: Path) -> ProjectFile:
    return ProjectFile(name, sort_of(name), path.stat().st_size)


def _title(project: Project, pack: str) -> str:
    try:
        text = (project.cards(pack) / PACK_FILE).read_text("utf-8")
        told = yaml.safe_load(text)
        return str(told.get("title") or told.get("name") or pack)
    except (OSError, ValueError, AttributeError, yaml.YAMLError):
        return pack
