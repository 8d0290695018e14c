"""Work out which parts of a YAML text a change replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.edits.changes import (
    CopyItem,
    InsertItem,
    OrderItems,
    Path,
    RemoveItem,
    SetValue,
    UnfitEditError,
    index_of,
)
from generator.edits.yaml_places import TRAILING, ItemPlaces, Splice, item_places, value_start
from generator.edits.yaml_text import (
    TextSpot,
    Written,
    entry_text,
    in_brackets,
    item_text,
    key_text,
    written_value,
)
from generator.edits.yaml_tree import ALIAS, LIST, MAPPING, SCALAR, YamlNode, YamlTree

_BETWEEN: Final = re.compile(r"[ \t]*((?:[&!][^\s#]*[ \t]*)*)([ \t]*#[^\r\n]*)?")


class Replace(Struct, frozen=True):
    """A value written anew as a whole."""

    path: Path
    value: Any


class InsertItems(Struct, frozen=True):
    """Items added to a list one after the other, from the index `at` on."""

    path: Path
    at: int
    values: tuple[Any, ...]


class RemoveItems(Struct, frozen=True):
    """Several items left out of a list, but not all; the numbers go down."""

    path: Path
    steps: tuple[int, ...]


Primitive = (
    Replace | SetValue | InsertItem | InsertItems | RemoveItem | RemoveItems | OrderItems | CopyItem
)


class Owned(Struct, frozen=True):
    """A node, the list or mapping around it, and its index there. `outer` is the column of
    the innermost items without brackets around it."""

    node: YamlNode
    parent: YamlNode | None = None
    index: int = 0
    outer: int = -2


def owned(tree: YamlTree, path: Path) -> Owned:
    """Return the node at a path that follows no alias. Raises UnfitEditError."""
    if tree.root is None:
        raise UnfitEditError("the file is empty")
    found = Owned(tree.root)
    for step in path:
        node = found.node
        index = index_of(node.steps, step)
        outer = found.outer if node.flow else node.column
        found = Owned(node.items[index], node, index, outer)
    return found


class YamlSplices:
    """Writes changes of a tree as splices of its text."""

    def __init__(self, tree: YamlTree) -> None:
        self._tree = tree
        self._text = tree.text
        self._newline = "\r\n" if "\r\n" in tree.text else "\n"

    def of(self, change: Primitive) -> list[Splice]:  # noqa: PLR0911, one for each
        """Return the splices of a change. Raises UnfitEditError."""
        match change:
            case Replace(path, value):
                return [self._replaced(owned(self._tree, path), value)]
            case SetValue(path, value):
                within = owned(self._tree, path[:-1])
                if _has(within.node, path[-1]):
                    return [self._replaced(owned(self._tree, path), value)]
                return [self._inserted(within, len(within.node.items), [{str(path[-1]): value}])]
            case InsertItem(path, at, value):
                return [self._inserted(owned(self._tree, path), max(at, 0), [value])]
            case InsertItems(path, at, values):
                return [self._inserted(owned(self._tree, path), max(at, 0), values)]
            case RemoveItem(path):
                item = owned(self._tree, path)
                return [self._places(path[:-1]).removed(item.index, item.index)]
            case RemoveItems(path, steps):
                places = self._places(path)
                return [places.removed(first, last) for first, last in _runs(steps)]
            case OrderItems(path, order):
                return self._places(path).reordered(order)
            case CopyItem(path, at, _, name):
                return [self._copied(path, at, name)]

    def _places(self, path: Path) -> ItemPlaces:
        return self._places_in(owned(self._tree, path).node)

    def _places_in(self, node: YamlNode) -> ItemPlaces:
        is_root = node is self._tree.root
        return item_places(self._text, node, self._newline, is_root=is_root)

    def _copied(self, path: Path, at: int, name: str) -> Splice:
        item = owned(self._tree, path)
        places = self._places(path[:-1])
        start, end = places.starts[item.index], places.places[item.index][1]
        again = self._text[start:end]
        if item.parent is not None and item.parent.sort == MAPPING:
            if not name:
                raise UnfitEditError("the copy needs a name")
            key = item.parent.keys[item.index]
            again = key_text(name) + self._text[key.end : end]
        return self._at_end(places.inserted(max(at, 0), [again]))

    def _at_end(self, splice: Splice) -> Splice:
        """Return a splice with a line end if it has several lines and ends the text."""
        ends = splice.end == len(self._text) and "\n" in splice.text
        return splice._replace(text=splice.text + self._newline) if ends else splice

    def _inserted(self, within: Owned, at: int, values: Sequence[Any]) -> Splice:
        """Return the splice for more items of a list, or for the entries of a mapping."""
        node = within.node
        entries = [*values[0].items()] if node.sort == MAPPING else []
        if node.flow:
            items = [f"{key_text(str(key))}: {in_brackets(each)}" for key, each in entries]
            items = items or [*map(in_brackets, values)]
        else:
            spot = TextSpot(node.column, node.column, False, self._newline, None, "")
            like = _alike(node, at, entries[0][1]) if entries else None
            items = [entry_text(str(key), each, replace(spot, like=like)) for key, each in entries]
            items = items or [
                item_text(each, replace(spot, like=_alike(node, at, each))) for each in values
            ]
        return self._at_end(self._places_in(node).inserted(at, items))

    def _replaced(self, item: Owned, value: Any) -> Splice:
        node, parent, text = item.node, item.parent, self._text
        start = value_start(text, node)
        flow = parent is not None and parent.flow
        after = start
        if parent is not None and not (flow and parent.sort == LIST):
            after = self._places_in(parent).values[item.index]
        column = start - text.rfind("\n", 0, start) - 1
        spot = TextSpot(item.outer, column, flow, self._newline, node, text[start : node.end])
        made = written_value(value, spot, as_block=_as_block(item, value))
        if made.inline and made.is_block and self._has_comment_below(item):
            made = Written(in_brackets(value))  # the comment would be taken for text
        if node.sort == SCALAR and start == node.end and not text[after:start].strip():
            return self._filled(item, after, start, made)
        if node.flow or node.sort in (SCALAR, ALIAS):
            return self._in_line(item, after, made)
        between = _BETWEEN.match(text, after)
        properties, comment = (between[1], between[2] or "") if between else ("", "")
        new = self._behind(item, made, properties, comment)
        return self._at_end(Splice(after, self._whole_end(item), new))

    def _has_comment_below(self, item: Owned) -> bool:
        end = self._whole_end(item)
        return "\n" in self._text[item.node.end : end]

    def _whole_end(self, item: Owned) -> int:
        """Return where a value ends, with the comments that belong to its last line."""
        if item.parent is not None:
            return self._places_in(item.parent).places[item.index][1]
        comment = TRAILING.match(self._text, item.node.end)
        return comment.end() if comment else item.node.end

    def _filled(self, item: Owned, after: int, end: int, made: Written) -> Splice:
        """Write a value where none is."""
        if item.parent is None:
            return Splice(end, end, made.text)
        if item.parent.flow:
            colon = "" if self._text[after - 1] == ":" else ":"
            return Splice(after, end, f"{colon} {made.text}")
        if made.inline and not made.is_block:
            return Splice(after, after, f" {made.text}")
        comment = TRAILING.match(self._text, after)
        end = comment.end() if comment else after
        new = self._behind(item, made, "", self._text[after:end])
        return self._at_end(Splice(after, end, new))

    def _in_line(self, item: Owned, after: int, made: Written) -> Splice:
        """Write a value in place of one that begins on the line of its key."""
        node, text = item.node, self._text
        start, end = value_start(text, node), node.end
        is_block = node.sort == SCALAR and node.style in ("|", ">")
        if made.inline and not made.is_block:
            header = text[start:end].partition("\n")[0] if is_block else ""
            comment = TRAILING.search(header)
            return Splice(start, end, made.text + (comment[0].rstrip("\r") if comment else ""))
        comment = None if is_block or item.parent is None else TRAILING.match(text, end)
        said = comment[0] if comment else ""
        end = comment.end() if comment else end
        if made.inline:
            return self._at_end(Splice(start, end, _with_comment(made, made.text, said)))
        between = _BETWEEN.match(text, after)
        new = self._behind(item, made, between[1] if between else "", said)
        return self._at_end(Splice(after, end, new))

    def _behind(self, item: Owned, made: Written, properties: str, comment: str) -> str:
        """Return a value as it stands behind a colon, a dash, or at the top of a file."""
        said = properties.strip()
        said = f" {said}" if said else ""
        if comment and not comment[0].isspace():
            comment = f"  {comment}"
        if item.parent is None:
            return made.text
        if made.inline:
            return _with_comment(made, f"{said} {made.text}", comment)
        if item.parent.sort == LIST and not said and not comment:
            return f" {made.text}"
        return f"{said}{comment}{self._newline}{' ' * (item.outer + 2)}{made.text}"


def _with_comment(made: Written, text: str, comment: str) -> str:
    """Return a text with a comment behind it; a block has it on its first line."""
    if not made.is_block:
        return text + comment
    first, line, rest = text.partition("\n")
    if first.endswith("\r"):
        first, line = first[:-1], "\r\n"
    return f"{first}{comment}{line}{rest}"


def _runs(steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of numbers that follow each other; the numbers go down."""
    last = steps[0]
    for step, following in zip(steps, (*steps[1:], None), strict=True):
        if following is None or following < step - 1:
            yield step, last
            last = following or 0


def _has(node: YamlNode, step: str | int) -> bool:
    return node.sort == LIST or any(key.text == step for key in node.keys)


def _alike(node: YamlNode, at: int, value: Any) -> YamlNode | None:
    """Return a value of the same sort that shows how a new one is written: the nearest of those
    that are written as most are."""
    sort = MAPPING if isinstance(value, dict) else LIST if isinstance(value, list) else SCALAR
    found = [(n, each) for n, each in enumerate(node.items) if each.sort == sort and each.items]
    if not found:
        return None
    near = [each for _, each in sorted(found, key=lambda pair: (abs(pair[0] - at + 0.5), pair[0]))]
    many = sum(each.flow for each in near)
    is_flow = near[0].flow if 2 * many == len(near) else 2 * many > len(near)
    return next(each for each in near if each.flow == is_flow)


def _as_block(item: Owned, value: Any) -> bool | None:
    """Return whether a list or mapping is written without brackets, as the one before it or those
    beside it; None if nothing shows it."""
    if not isinstance(value, dict | list):
        return None
    if item.node.items and item.node.sort != ALIAS:
        return not item.node.flow
    if item.parent is not None and item.parent.sort == LIST:
        like = _alike(item.parent, item.index, value)
        return not like.flow if like else None
    return None
