"""Find the items of YAML lists and mappings in the text, with the comments that belong to them."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from generator.edits.changes import UnfitEditError
from generator.edits.slots import Slots
from generator.edits.yaml_tree import MAPPING, YamlNode

_TO_DASH: Final = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]*-")
_TO_COLON: Final = re.compile(r"[ \t]*:")
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)+")
TRAILING: Final = re.compile(r"[ \t]+#[^\r\n]*")
_DEEPER: Final = re.compile(r"(?:[ \t]*\r?\n)+([ \t]*)#[^\r\n]*")


class ItemPlaces(Struct, frozen=True):
    """The places of the items of a list or mapping: `slots` with their comments, `starts` below
    the comments above them, and `values` behind the dash or colon of each."""

    slots: Slots
    starts: list[int]
    values: list[int]


def value_start(text: str, node: YamlNode) -> int:
    """Return where the value of a node begins, behind an anchor."""
    if node.start < node.end and text[node.start] in "&!":
        found = _PROPERTIES.match(text, node.start)
        return min(found.end(), node.end) if found else node.start
    return node.start


def item_places(text: str, node: YamlNode, newline: str, *, is_root: bool = False) -> ItemPlaces:
    """Return the places of the items of a list or mapping. Raises UnfitEditError."""
    if node.flow:
        return _in_brackets(text, node)
    starts = [key.start for key in node.keys] if node.sort == MAPPING else _dashes(text, node)
    ends = [_end(text, item.end, node.column) for item in node.items]
    heads = [
        start if is_root and not n else _head(text, start, ends[n - 1] if n else 0, node.column)
        for n, start in enumerate(starts)
    ]
    values = _colons(text, node) if node.sort == MAPPING else [start + 1 for start in starts]
    usual = newline + " " * node.column
    return ItemPlaces(Slots(text, list(zip(heads, ends, strict=True)), usual), starts, values)


def _in_brackets(text: str, node: YamlNode) -> ItemPlaces:
    if text[value_start(text, node)] not in "[{":
        raise UnfitEditError("this entry has no brackets of its own: write { } around it first")
    is_mapping = node.sort == MAPPING
    starts = [each.start for each in (node.keys if is_mapping else node.items)]
    values = _colons(text, node, may_lack=True) if is_mapping else starts
    ends = [
        item.end if item.start < item.end else value
        for item, value in zip(node.items, values, strict=True)
    ]
    slots = Slots(text, list(zip(starts, ends, strict=True)), ", ")
    return ItemPlaces(slots, starts, values)


def _colons(text: str, node: YamlNode, *, may_lack: bool = False) -> list[int]:
    """Return the places behind the colons; behind the key where a value is missing in brackets."""
    found = []
    for key in node.keys:
        colon = _TO_COLON.match(text, key.end)
        if colon is None and not may_lack:
            raise UnfitEditError(f"the key {key.text!r} is written with ?: write it as key: value")
        found.append(colon.end() if colon else key.end)
    return found


def _dashes(text: str, node: YamlNode) -> list[int]:
    found = []
    at = value_start(text, node)
    for item in node.items:
        dash = _TO_DASH.match(text, at)
        if dash is None:
            raise UnfitEditError("the items of this list are written in an unusual way")
        found.append(dash.end() - 1)
        at = item.end
    return found


def _end(text: str, end: int, column: int) -> int:
    """Return where an item ends: with the comment behind it, and those below it that are indented
    further."""
    if found := TRAILING.match(text, end):
        end = found.end()
    while (found := _DEEPER.match(text, end)) and len(found[1]) > column:
        end = found.end()
    return end


def _head(text: str, start: int, after: int, column: int) -> int:
    """Return where an item begins, with the comment lines directly above it."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(" "):
        return start
    while line > after:
        above = text.rfind("\n", 0, line - 1) + 1
        written = text[above : line - 1]
        comment = written.lstrip(" ")
        if above < after or not comment.startswith("#") or len(written) - len(comment) != column:
            break
        start, line = above + column, above
    return start
