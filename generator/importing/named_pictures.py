"""Find the pictures that a table names, beside it and in folders there."""

from __future__ import annotations

import functools
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from msgspec.structs import replace

from generator.assets import PictureSize, picture_size
from generator.cells import PICTURE_NAME
from generator.diagnostics import GridpressError, Span
from generator.files import Roots, UnreadableError, refusal
from generator.project import PARTS
from generator.table_columns import Column
from generator.table_import import PictureFile
from generator.writing import is_plain_path

_LOOKED_THROUGH: Final = 5_000


class NamedPictures:
    """The pictures of a table that exist, by their names in the pack. `home` is where the table is,
    None if it has no folder."""

    def __init__(self, home: Path | None) -> None:
        self._home = home
        self.found: dict[str, PictureFile] = {}

    def named(self, column: Column) -> Column:
        """Return a column with its pictures' names in the pack."""
        if column.type != "image":
            return column
        return replace(column, cells=tuple(map(self._name, column.cells)))

    def _name(self, cell: str) -> str:
        name = PurePath(cell).as_posix()
        is_plain = not refusal(name, Span(name)) and is_plain_path(name)
        last = name.rpartition("/")[2]
        if not cell or self._home is None:
            return cell
        if is_plain and self._is_there(name):
            self.found[cell] = PictureFile(self._home, name)
            return cell
        inner = self._below.get(last.lower())
        if inner is None:
            return cell if is_plain else last
        self.found[last] = PictureFile(self._home, inner)
        return last

    def sizes(self, column: Column) -> dict[str, PictureSize]:
        """Return the sizes of a column's pictures that exist."""
        found = {}
        for name in dict.fromkeys(filter(self.found.get, column.cells)):
            file = self.found[name]
            with suppress(GridpressError):
                path = file.home / file.name
                found[name] = picture_size(path, Span(name), Roots((file.home,)))
        return found

    def _is_there(self, name: str) -> bool:
        assert self._home is not None
        try:
            return Roots((self._home,)).has_file(self._home / name)
        except UnreadableError:  # a name too long for a file, or a link that leads out
            return False

    @functools.cached_property
    def _below(self) -> dict[str, str]:
        assert self._home is not None
        found: dict[str, str] = {}
        own = frozenset(self._home / name for name in (*PARTS, "output"))
        entries = islice(Roots((self._home,)).walk(self._home, own), _LOOKED_THROUGH)
        for entry in entries:
            if not entry.is_folder and not entry.fault and PICTURE_NAME.fullmatch(entry.path.name):
                path = entry.path.relative_to(self._home).as_posix()
                known = found.setdefault(entry.path.name.lower(), path)
                if known != path:
                    found[entry.path.name.lower()] = ""
        return {name: path for name, path in found.items() if path}
