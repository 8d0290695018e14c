"""Gives cards of a pack another look: the same fields and data, in other boxes and styles."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generator.diagnostics import Diagnostic, GridpressError
from generator.files import Roots
from generator.looks import SIZES, STYLES, CardLook, Dress, look_of_file, shipped_texts
from generator.model.pack import Kind, Pack
from generator.picture_folder import FRONT
from generator.roles import roles_of
from generator.starters import text_in_file
from generator.table_columns import Column
from generator.table_faces import dressed
from generator.writing import write_files
from generator.written_yaml import with_faces, with_styles

_ELSEWHERE: Final = "check the folder, or choose another with --in"
_TYPES: Final = ("text", "rich", "choice", "int", "number", "bool", "image", "colour")


def kinds_in_looks(pack: Pack) -> dict[str, CardLook]:
    """Return the look of each kind whose front is made from one, by the kind's name."""
    found = {}
    for kind in pack.kinds.values():
        face = pack.face_files.get(str(kind.faces.get(FRONT, "")))
        look = None if face is None else look_of_file(face.like)
        if look is not None:
            found[kind.name] = look
    return found


def relook(
    folder: Path, pack: Pack, kinds: Sequence[Kind], look: CardLook, palette: str | None
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Dress kinds of a pack anew, each in the size of its stock; return the files that changed, and
    what is left to do.

    A face file that was changed by hand keeps its old text beside it, with `-before` in its name;
    so does styles.yaml. Raises GridpressError when a kind has a size that no look has (GP602), or a
    file cannot be written (GP702).
    """
    cards, templates = (folder / part / pack.name for part in ("cards", "templates"))
    roots = Roots((folder,))
    files: dict[Path, str | Callable[[], bytes]] = {}
    notes, worn, heads = [], kinds_in_looks(pack), _heads(cards, roots)
    for kind in kinds:
        dress = Dress(look, _size(kind), palette)
        roles = roles_of(_columns(pack, kind, heads))
        faces = dressed(roles, dress, kind.name)
        worn_so_far = Dress(worn.get(kind.name, look), dress.size)
        before = dressed(roles, worn_so_far, kind.name).files
        shared = dress.files(plain=True)
        for name, text in faces.files.items():
            path = templates / name
            if name not in shared:
                files |= _replaced(path, text, before.get(name), roots)
            elif not path.is_file() or text_in_file(path, roots) in shipped_texts(name):
                files[path] = text
        path = cards / "kinds" / f"{kind.name}.yaml"
        old = text_in_file(path, roots)
        made = with_faces(old, faces.names)
        if made is None:
            listed = ", ".join(f"{side}: {name}" for side, name in faces.names.items())
            notes.append(f"write faces: {{{listed}}} into {path}")
        elif made != old:
            files[path] = made
    styles = templates / STYLES
    wanted = Dress(look, palette=palette).styles()
    if styles.is_file():
        wanted = with_styles(wanted, text_in_file(styles, roots), str(styles))
    own = next(iter(worn.values()), look)
    files |= _replaced(styles, wanted, Dress(own).styles(), roots)
    return write_files(folder, files, _ELSEWHERE), tuple(notes)


def _size(kind: Kind) -> str:
    """Return the size of looks that a kind has. Raises GridpressError (GP602)."""
    trim = None if kind.stock is None else kind.stock.trim
    for name, size in SIZES.items():
        if trim is not None and (trim.width, trim.height) == (size.width, size.height):
            return name
    message = f"{kind.name} has a size that no look has"
    hint = f"looks come in the sizes {', '.join(size.stock for size in SIZES.values())}"
    raise GridpressError(Diagnostic(kind.span, "GP602", message, hint))


def _columns(pack: Pack, kind: Kind, heads: Mapping[str, str]) -> Iterator[Column]:
    """Yield the fields of a kind with the values of its components, and their heads in a table."""
    components = pack.components.get(kind.name, ())
    for field in kind.fields.values():
        if field.type in _TYPES:
            cells = tuple(_said(one.values.get(field.name)) for one in components)
            yield Column(field.name, field.type, cells, head=heads.get(field.name, ""))


def _heads(cards: Path, roots: Roots) -> dict[str, str]:
    """Return the heads of columns that were imported into a pack, by the names of their fields: the
    first two rows of its files in `imported/`."""
    heads: dict[str, str] = {}
    for path in sorted((cards / "imported").glob("*.csv")):
        rows = csv.reader(io.StringIO(text_in_file(path, roots)))
        heads |= dict(zip(next(rows, ()), next(rows, ()), strict=False))
    return heads


def _said(value: Any) -> str:
    return "" if value is None else str(value)


def _replaced(
    path: Path, text: str, before: str | None, roots: Roots
) -> dict[Path, str | Callable[[], bytes]]:
    """Return a file with a new text, and one with its old text unless that is known: `before`."""
    if not path.is_file():
        return {path: text}
    old = text_in_file(path, roots)
    if old in (text, before):
        return {} if old == text else {path: text}
    name, dot, suffix = path.name.partition(".")
    return {path: text, path.with_name(f"{name}-before{dot}{suffix}"): old}
