"""Makes the view of a face file: its boxes as they are typed, and the keys that boxes may have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct, structs

from generator.geometry import parse_length
from generator.model.face import Face
from generator.model.face_file import At, FaceBox
from generator.model.pack import Field
from generator.model.source import Document, Node, PackSource, Scalar
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.studio.file_places import FilePlaces, WireFile
from generator.studio.written_components import as_node
from generator.validate import BOX, TypedFace, box_keys, typed_face

_AT: Final = "at"
_LIKE: Final = "like"
_USUAL: Final = {one.name: one.default for one in structs.fields(FaceBox)}


class KeyView(Struct, frozen=True):
    """A key that a box may have, and its value in a box without it; None if it depends on more."""

    type: str
    choices: tuple[str, ...]
    min: float | None
    max: float | None
    default: str | float | None


class ValueView(Struct, frozen=True):
    """A value as it is typed, and where it is written."""

    node: dict[str, Any]
    file: str
    path: tuple[str | int, ...]


class BoxView(Struct, frozen=True):
    """A box: `what` it is, or None for one that was dropped or is wrong. `own` boxes are in no
    other file, `drawn` ones are on the face that is shown."""

    name: str
    what: str | None
    at: At | None
    own: bool
    drawn: bool
    dropped: bool
    line: int
    values: dict[str, ValueView]


class VariantsView(Struct, frozen=True):
    """An expression, the values that have variants of the face, and the value that is shown."""

    by: str
    values: tuple[str, ...]
    now: str | None


class LayoutView(Struct, frozen=True):
    """A face file with what it takes over. `files` are those that it consists of, itself first;
    `heirs` take it over. `node` is all that is typed in the file itself."""

    number: int
    name: str
    files: tuple[WireFile, ...]
    heirs: tuple[str, ...]
    node: dict[str, Any] | None
    ground: ValueView | None
    boxes: tuple[BoxView, ...]
    names: dict[str, str]
    variants: tuple[VariantsView, ...]
    sorts: dict[str, tuple[str, ...]]
    keys: dict[str, KeyView]


def layout_view(
    file: str, face: Face | None, source: PackSource, files: FilePlaces, number: int
) -> LayoutView | None:
    """Return the boxes of a face file, as they are on a face that is shown; None for a file that is
    no face file of the pack, or cannot be read."""
    documents = source.face_files
    paths = {files.file(one.file).path: name for name, one in documents.items()}
    name = paths.get(file, "")
    typed = typed_face(name, documents, face.variants if face else ())
    if typed is None:
        return None
    shown = documents[name].file
    places = files.last_whole(shown)
    written = _Written(files)
    drawn = None if face is None else {one.name for one in face.placed}
    return LayoutView(
        number=number,
        name=name,
        files=tuple(files.file(documents[one].file) for one in typed.files),
        heirs=tuple(_heirs(name, documents, files)),
        node=places.node() if places else None,
        ground=None if typed.ground is None else written.value(typed.ground, typed.ground),
        boxes=tuple(_boxes(typed, drawn, written)),
        names={key.text: one.text for key, one in typed.names.entries if isinstance(one, Scalar)},
        variants=tuple(VariantsView(str(by), values, now) for by, values, now in typed.chosen),
        sorts=box_keys(),
        keys={key: _key(key, field) for key, field in BOX.items()},
    )


class _Written:
    """Finds the places of values in their files."""

    def __init__(self, files: FilePlaces) -> None:
        self._files = files

    def value(self, at: Scalar, node: Node) -> ValueView:
        """Return a value of a key, or of itself, that is written at a place."""
        found = self._files.last_whole(at.span.file)
        place = found.at(at.span.line, at.span.column) if found else None
        path = place.path if place else ()
        return ValueView(as_node(node), self._files.file(at.span.file).path, path)


def _boxes(typed: TypedFace, drawn: set[str] | None, written: _Written) -> Iterable[BoxView]:
    sorts = box_keys()
    for key, node in typed.boxes.entries:
        name = key.text
        entries = node.entries if isinstance(node, MappingNode) else ()
        values = {one.text: written.value(one, value) for one, value in entries}
        said = [word for word in sorts if (one := values.get(word)) and not _is_nothing(one)]
        yield BoxView(
            name=name,
            what=said[0] if len(said) == 1 else None,
            at=_place(node),
            own=name in typed.own,
            drawn=drawn is None or name in drawn,
            dropped=isinstance(node, Scalar) and node.is_null,
            line=key.span.line,
            values=values,
        )


def _is_nothing(value: ValueView) -> bool:
    return value.node.get("plain", False) and value.node["text"] in ("", "~", "null")


def _place(node: Node) -> At | None:
    at = node.get(_AT) if isinstance(node, MappingNode) else None
    items = at.items if isinstance(at, SequenceNode) else ()
    try:
        x, y, w, h = (parse_length(one.text) for one in items if isinstance(one, Scalar))
    except ValueError:
        return None
    return x, y, w, h


def _heirs(name: str, documents: Mapping[str, Document], files: FilePlaces) -> Iterable[str]:
    for document in documents.values():
        root = document.root
        like = root.get(_LIKE) if isinstance(root, MappingNode) else None
        if isinstance(like, Scalar) and like.text == name:
            yield files.file(document.file).path


def _key(name: str, field: Field) -> KeyView:
    usual = _USUAL.get(name)
    default = usual if isinstance(usual, str | float) else None
    return KeyView(field.type, tuple(map(str, field.choices)), field.min, field.max, default)
