"""Read YAML into nodes that know their places in the text.

The nodes are unexpanded: an alias is a node of its own, and `<<` a key like others.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any, Final

import yaml
from msgspec import Struct
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from generator.edits.changes import UnfitEditError

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH: Final = 100
_MAX_EXPANDED: Final = 100_000
_BREAKS: Final = re.compile(r"(?:\r?\n[ \t]*)+\Z")
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)+(?:#[^\r\n]*\s+)*")
_NULLS: Final = ("", "~", "null")
MERGE: Final = "<<"

SCALAR: Final = 0
LIST: Final = 1
MAPPING: Final = 2
ALIAS: Final = 3


class YamlNode(Struct, eq=False):
    """A node and its place in the text. `keys` belong to the `items` of a mapping; the item of an
    alias is its target. A collection without brackets ends where its last item does; `column` is
    the column of its items."""

    sort: int
    start: int
    end: int
    text: str = ""
    style: str = ""
    flow: bool = False
    column: int = 0
    anchor: str | None = None
    keys: Sequence[YamlNode] = ()
    items: Sequence[YamlNode] = ()

    @property
    def is_null(self) -> bool:
        """Return True for `~`, `null` without quotes, and an empty value."""
        return self.sort == SCALAR and not self.style and self.text in _NULLS

    @property
    def steps(self) -> Sequence[str | int]:
        """Return the keys of a mapping or the numbers of a list; empty for other nodes."""
        if self.sort == MAPPING:
            return [key.text for key in self.keys]
        return range(len(self.items) if self.sort == LIST else 0)

    def own(self, step: str | int) -> YamlNode | None:
        """Return an item by its key or number, without those that are merged; None without one."""
        steps = self.steps
        return self.items[steps.index(step)] if step in steps else None


class AliasName(Struct, frozen=True):
    """An alias, in data that are not expanded."""

    name: str


class YamlTree(Struct, frozen=True):
    """The nodes of a text. `is_whole` is False where the text stops being YAML."""

    text: str
    root: YamlNode | None
    is_whole: bool = True
    fault: str = ""
    read_to: int = 0
    unknown: str = ""
    """The first alias without a target."""


@functools.lru_cache(maxsize=4)
def yaml_tree(text: str) -> YamlTree:
    """Return the nodes of a text, as far as it is YAML. They are kept for the next look at it."""
    reading = _Reading(text)
    try:
        reading.read()
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", 0) + 1
        reading.fault = f"the file is not valid YAML at line {line}: fix that first"
    return reading.tree()


class _Reading:
    """Builds nodes from the events of the parser."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fault = ""
        self._end = 0
        self._unknown = ""
        self._anchors: dict[str, YamlNode] = {}
        self._top = YamlNode(LIST, 0, len(text), items=[])
        self._stack: list[YamlNode] = []
        self._opened = self._top

    def read(self) -> None:
        """Read all events; stop at what no file may have. Raises yaml.YAMLError."""
        loader = _LOADER(self.text)
        next_event = loader.get_event
        documents = 0
        try:
            while type(event := next_event()) is not StreamEndEvent:
                kind = type(event)
                if kind is ScalarEvent:
                    self._scalar(event)
                elif kind in (MappingStartEvent, SequenceStartEvent):
                    self._open(event, MAPPING if kind is MappingStartEvent else LIST)
                    if len(self._stack) > _MAX_DEPTH:
                        self.fault = f"the file is nested deeper than {_MAX_DEPTH} levels"
                        return
                elif kind in (MappingEndEvent, SequenceEndEvent):
                    if self._opened.flow:
                        self._end = event.end_mark.index
                    self._opened.end = self._end
                    self._opened = self._stack.pop()
                elif kind is AliasEvent:
                    self._alias(event)
                elif kind is DocumentStartEvent:
                    documents += 1
                    if documents > 1:
                        self.fault = "the file has a second document: a line ---"
                        return
        finally:
            loader.dispose()

    def tree(self) -> YamlTree:
        """Return what was read; what is open ends there."""
        if self.fault:
            for node in [*self._stack, self._opened][1:]:
                node.end = max(self._end, node.start)
                if node.sort == MAPPING and len(node.keys) > len(node.items):
                    missing = YamlNode(SCALAR, self._end, self._end)
                    node.items = [*node.items, missing]
        root = self._top.items[0] if self._top.items else None
        is_whole = not self.fault
        return YamlTree(self.text, root, is_whole, self.fault, self._end, self._unknown)

    def _scalar(self, event: Any) -> None:
        start, self._end, style = event.start_mark.index, event.end_mark.index, event.style
        if style in ("|", ">"):
            self._end = _block_end(self.text, start, self._end)
        node = YamlNode(SCALAR, start, self._end, event.value, style or "")
        if event.anchor is not None:
            self._named(node, event.anchor)
        self._add(node)

    def _open(self, event: Any, sort: int) -> None:
        mark = event.start_mark
        start, column = mark.index, mark.column
        if not event.flow_style and self.text[start] in "&!":
            first = _PROPERTIES.match(self.text, start)
            at = first.end() if first else start
            column = at - self.text.rfind("\n", 0, at) - 1
        node = YamlNode(sort, start, start, "", "", event.flow_style, column, None, [], [])
        if event.anchor is not None:
            self._named(node, event.anchor)
        self._add(node)
        self._stack.append(self._opened)
        self._opened = node

    def _alias(self, event: Any) -> None:
        self._end = event.end_mark.index
        target = self._anchors.get(event.anchor)
        is_closed = target is not None and target is not self._opened
        is_closed = is_closed and not any(target is node for node in self._stack)
        items = [target] if target is not None and is_closed else []
        if not items:
            self._unknown = self._unknown or event.anchor
        self._add(YamlNode(ALIAS, event.start_mark.index, self._end, event.anchor, items=items))

    def _named(self, node: YamlNode, anchor: str) -> None:
        node.anchor = anchor
        self._anchors[anchor] = node

    def _add(self, node: YamlNode) -> None:
        opened: Any = self._opened
        if opened.sort == MAPPING and len(opened.keys) == len(opened.items):
            opened.keys.append(node)
        else:
            opened.items.append(node)


def _block_end(text: str, start: int, end: int) -> int:
    """Return where a block scalar ends: with its last line, without the blank ones after it."""
    written = text[start:end]
    header = written.partition("\n")[0].partition("#")[0]
    if "+" in header:
        return end - (2 if written.endswith("\r\n") else 1 if written.endswith("\n") else 0)
    blank = _BREAKS.search(written)
    return end - len(blank[0]) if blank else end


def raw_data(node: YamlNode | None) -> Any:
    """Return the unexpanded data of a node: texts, None, lists, mappings and aliases.

    Raises UnfitEditError where a key stands twice or is no text.
    """
    if node is None:
        return None
    if node.sort == SCALAR:
        return None if node.is_null else node.text
    if node.sort == LIST:
        return [raw_data(item) for item in node.items]
    if node.sort == ALIAS:
        return AliasName(node.text)
    made = {}
    for key, item in zip(node.keys, node.items, strict=True):
        if key.sort != SCALAR:
            raise UnfitEditError("a key of this file is not text: fix that first")
        made[key.text] = raw_data(item)
    if len(made) < len(node.keys):
        twice = next(key.text for n, key in enumerate(node.keys)
                     if key.text in [other.text for other in node.keys[:n]])  # fmt: skip
        raise UnfitEditError(f"the key {twice!r} is in one mapping twice: remove one first")
    return made


def is_same(one: Any, other: Any) -> bool:
    """Return whether data are equal, with their keys in the same order."""
    return repr(one) == repr(other)


def target_of(node: YamlNode) -> YamlNode:
    """Return the target of an alias, or the node itself. Raises UnfitEditError."""
    if node.sort != ALIAS:
        return node
    if not node.items:
        raise UnfitEditError(f"*{node.text} has no &{node.text} before it: fix that first")
    return node.items[0]


def entries_of(node: YamlNode) -> dict[str, YamlNode]:
    """Return the values of a mapping by key, those that it merges first."""
    merged: dict[str, YamlNode] = {}
    own: dict[str, YamlNode] = {}
    for key, item in zip(node.keys, node.items, strict=True):
        if key.text == MERGE and not key.style:
            target = target_of(item)
            for part in target.items if target.sort == LIST else [target]:
                taken = target_of(part)
                if taken.sort == MAPPING:
                    merged = {**entries_of(taken), **merged}
        else:
            own.setdefault(key.text, item)
    return {**merged, **own}


def full_data(node: YamlNode) -> Any:
    """Return the data of a node, with targets in place of aliases."""
    left = [_MAX_EXPANDED]

    def data(node: YamlNode) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise UnfitEditError("the aliases of this file expand to too many values")
        node = target_of(node)
        if node.sort == SCALAR:
            return None if node.is_null else node.text
        if node.sort == LIST:
            return [data(item) for item in node.items]
        return {key: data(item) for key, item in entries_of(node).items()}

    return data(node)
