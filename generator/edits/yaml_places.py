"""Find the items of YAML lists and mappings in the text with their comments, and splice them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from generator.edits.changes import UnfitEditError
from generator.edits.yaml_tree import MAPPING, YamlNode

_TO_DASH: Final = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]*-")
_TO_COLON: Final = re.compile(r"[ \t]*:")
_BLANK: Final = re.compile(r"[ \t]*,?\s*")
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)+")
TRAILING: Final = re.compile(r"[ \t]+#[^\r\n]*")
_DEEPER: Final = re.compile(r"(?:[ \t]*\r?\n)+([ \t]*)#[^\r\n]*")


class Splice(NamedTuple):
    """A part of a text, and what takes its place."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Return a text with parts replaced. They lie apart; equal places keep their order."""
    made, at = [], 0
    for start, end, new in sorted(splices, key=lambda splice: splice[:2]):
        made += [text[at:start], new]
        at = end
    return "".join((*made, text[at:]))


class ItemPlaces(Struct, frozen=True):
    """The places of the items of a list or mapping: `places` with their comments, `starts` below
    the comments above them, and `values` behind the dash or colon of each. When items change
    places, the text between them stays."""

    text: str
    places: Sequence[tuple[int, int]]
    starts: Sequence[int]
    values: Sequence[int]
    usual: str
    """The text to write between two items if the file has no example."""

    def reordered(self, order: Sequence[int]) -> list[Splice]:
        """Return the splices for another order."""
        parts = [self.text[start:end] for start, end in self.places]
        moved = ((to, at) for to, at in enumerate(order) if parts[at] != parts[to])
        return [Splice(*self.places[to], parts[at]) for to, at in moved]

    def inserted(self, at: int, items: Sequence[str]) -> Splice:
        """Return the splice for more items before the item `at`, or after the last."""
        at = min(at, len(self.places))
        between = self._between(at)
        if at < len(self.places):
            place = self.places[at][0]
            return Splice(place, place, "".join(f"{item}{between}" for item in items))
        place = self.places[-1][1]
        return Splice(place, place, "".join(f"{between}{item}" for item in items))

    def removed(self, first: int, last: int) -> Splice:
        """Return the splice that leaves items out, but not all, with the blanks on one side."""
        start, end = self.places[first][0], self.places[last][1]
        if last + 1 < len(self.places) and _BLANK.fullmatch(self._gap(last)):
            return Splice(start, self.places[last + 1][0], "")
        if first and _BLANK.fullmatch(self._gap(first - 1)):
            return Splice(self.places[first - 1][1], end, "")
        if last + 1 < len(self.places):
            blank = _BLANK.match(self.text, end)
            return Splice(start, blank.end() if blank else end, "")
        return Splice(len(self.text[:start].rstrip()), end, "")

    def _gap(self, at: int) -> str:
        """Return the text after the item `at`."""
        return self.text[self.places[at][1] : self.places[at + 1][0]]

    def _between(self, at: int) -> str:
        """Return the text between two items near the item `at`."""
        near = [gap for n in (at - 1, at, at - 2) if 0 <= n < len(self.places) - 1
                if _BLANK.fullmatch(gap := self._gap(n))]  # fmt: skip
        if near:
            return Counter(near).most_common(1)[0][0]
        every = (self._gap(n) for n in range(len(self.places) - 1))
        return next((gap for gap in every if _BLANK.fullmatch(gap)), self.usual)


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
    return ItemPlaces(text, list(zip(heads, ends, strict=True)), starts, values, usual)


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
    return ItemPlaces(text, list(zip(starts, ends, strict=True)), starts, values, ", ")


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
