"""Find the values of a YAML text by their place, and places by path."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final

from generator.edits.changes import Path, UnfitEditError
from generator.edits.places import LineStarts, Place
from generator.edits.yaml_places import value_start
from generator.edits.yaml_tree import (
    LIST,
    MAPPING,
    SCALAR,
    YamlNode,
    entries_of,
    target_of,
    yaml_tree,
)

_MAX_SHOWN: Final = 100_000


class YamlLookup:
    """The places of a YAML text. Aliases and merged keys have the place of their target."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff")
        self._tree = yaml_tree(text)
        self._lines = LineStarts(text)
        self.is_whole = self._tree.is_whole

    def at(self, line: int, column: int) -> Place | None:
        """Return the innermost value at a place, or None."""
        node = self._tree.root
        at = self._lines.index(line, column)
        if node is None or (not self.is_whole and at > self._tree.read_to):
            return None
        steps: list[str | int] = []
        while (index := self._child(node, at)) is not None:
            steps.append(node.keys[index].text if node.sort == MAPPING else index)
            node = node.items[index]
        return self._place(tuple(steps), node)

    def of(self, path: Path) -> Place | None:
        """Return the place of a value, or None."""
        node = self._found(path)
        return None if node is None else self._place(tuple(path), node)

    def node(self, path: Path = ()) -> dict[str, Any] | None:
        """Return a value as it is typed: its text, items or entries, ready for JSON."""
        found = self._found(path)
        try:
            return None if found is None else _shown(found, [_MAX_SHOWN])
        except UnfitEditError:
            return None

    def _place(self, path: Path, node: YamlNode) -> Place:
        return self._lines.place(path, value_start(self._tree.text, node), node.end)

    def _found(self, path: Path) -> YamlNode | None:
        node = self._tree.root
        try:
            for step in path:
                if node is None:
                    return None
                node = target_of(node)
                if node.sort == MAPPING:
                    node = entries_of(node).get(str(step))
                elif node.sort == LIST and isinstance(step, int) and 0 <= step < len(node.items):
                    node = node.items[step]
                else:
                    return None
        except UnfitEditError:
            return None
        return node

    def _child(self, node: YamlNode, at: int) -> int | None:
        """Return the index of the item that a place belongs to."""
        if node.sort not in (LIST, MAPPING):
            return None
        starts = node.keys if node.sort == MAPPING else node.items
        index = bisect_right(starts, at, key=lambda each: self._start(node, each)) - 1
        if index < 0:
            return None
        end = node.items[index].end
        if at <= end:
            return index
        between = self._tree.text[end:at]
        if node.flow:
            return None if "," in between or at >= node.end else index
        if "\n" not in between:
            return index
        indented = len(between) - between.rfind("\n") - 1
        return index if indented > node.column and not between.rpartition("\n")[2].strip() else None

    def _start(self, node: YamlNode, each: YamlNode) -> int:
        """Return where an item begins, with the dash before it."""
        if node.flow or node.sort == MAPPING:
            return each.start
        return min(each.start, self._tree.text.rfind("\n", 0, each.start) + 1 + node.column)


def _shown(node: YamlNode, left: list[int]) -> dict[str, Any]:
    left[0] -= 1
    if left[0] < 0:
        raise UnfitEditError("the aliases of this file expand to too many values")
    node = target_of(node)
    if node.sort == SCALAR:
        return {"text": node.text, "plain": not node.style}
    if node.sort == LIST:
        return {"items": [_shown(item, left) for item in node.items]}
    return {"entries": [[key, _shown(item, left)] for key, item in entries_of(node).items()]}
