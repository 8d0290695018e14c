"""Describes files to the page, also those that came with Gridpress."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Struct

from generator.edits import why_readonly
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project
from generator.studio.desk import Desk
from generator.studio.edited_texts import MOST_TEXT, RefusedError, TextState
from generator.studio.file_places import ELSEWHERE
from generator.studio.project_files import ProjectFile, files_of_pack, size_of, sort_of

_DRAWING: Final = ("template", "face")
_TEXTS: Final = (".md", ".txt", ".json")
"""Their values are not set one by one, but all of their text can be typed."""


class FileTold(Struct, frozen=True):
    """A file as the page sees it; `readonly` says in words why it cannot be changed."""

    path: str
    sort: str
    rev: int
    size: int
    readonly: str
    state: TextState


def all_files(desk: Desk, pack: str) -> list[FileTold]:
    """Return all files of a pack."""
    return [_told(desk, one) for one in files_of_pack(desk.project, pack)]


def one_file(desk: Desk, path: str) -> FileTold:
    """Return a file of the project."""
    text = desk.text(path) if desk.is_open(path) else None
    size = size_of(desk.project, path) if text is None else len(text.encode("utf-8", "replace"))
    return _told(desk, ProjectFile(path, sort_of(path), size))


def file_with_text(desk: Desk, path: str) -> dict[str, Any]:
    """Return a file and its text, also of one outside the project. Raises RefusedError."""
    if desk.has(path):
        text, theirs = desk.text(path), desk.theirs(path)
        return {"file": one_file(desk, path), "text": text, "theirs": theirs}
    content = content_of(desk.project, path, MOST_TEXT)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError(f"{path} is no text") from error
    file = ProjectFile(path, sort_of(path), len(content), is_own=False)
    return {"file": _told(desk, file), "text": text, "theirs": None}


def takers_of(desk: Desk, pack: str, path: str) -> list[str]:
    """Return the templates and face files of a pack that take something from one of them, also by
    way of others."""
    listed = files_of_pack(desk.project, pack)
    drawing = [one.path for one in listed if one.sort in _DRAWING and desk.has(one.path)]
    texts = {file: desk.text(file) or "" for file in drawing if file.count("/") > 1}
    found = [path] if path in texts else []
    for taken in found:  # which grows
        for file, text in texts.items():
            if file not in found and re.search(_name_in(file, taken), text):
                found.append(file)
    return found[1:]


def _name_in(file: str, taken: str) -> str:
    """Return a pattern for the name of a template in the text of another."""
    _, folder, inside = taken.split("/", 2)
    own = f"(?:{re.escape(folder)}/)?" if file.split("/")[1] == folder else f"{re.escape(folder)}/"
    return rf"(?<![\w./-]){own}{re.escape(inside)}(?![\w.-])"


def content_of(project: Project, path: str, most: int) -> bytes:
    """Return the content of a file as it is on the disk, also of one outside the project that its
    packs need. Raises RefusedError."""
    try:
        found = project.located(path)
        if found is None:
            raise RefusedError(f"there is no file {path}")
        return project.roots.read(found, most)
    except (UnreadableError, FileTooLargeError, ValueError) as error:
        raise RefusedError(f"{path} cannot be read") from error


def _told(desk: Desk, one: ProjectFile) -> FileTold:
    is_text = one.path.lower().endswith(_TEXTS)
    readonly = ELSEWHERE if not one.is_own else "" if is_text else why_readonly(one.path)
    return FileTold(
        one.path, one.sort, desk.rev(one.path), one.size, readonly, desk.state(one.path)
    )
