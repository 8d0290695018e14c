"""The text of a file in, its nodes out; where it is no YAML, those beside the broken fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from msgspec import Struct
from yaml.events import MappingStartEvent

from generator.diagnostics import Diagnostic, Span
from generator.geometry import summed
from generator.load.nodes import FASTEST, read_nodes
from generator.model.source import Mapping, Node, Scalar, Sequence

_MOST_BROKEN: Final = 20
"""Components of a file, and fields of one, of which is told what is wrong with each."""
_LIST: Final = re.compile(r"components:[ \t]*(?:#.*)?\r?$")
_LONE_END: Final = re.compile(r"\r(?!\Z)|[\x85\u2028\u2029]")
"""What begins a new line for YAML, besides what ends the lines of a file."""
_BEGINNING: Final = r"(?m)(?:^[ \t]*|(?<=[:?-])[ \t]+|(?<=[\[{,])[ \t]*)"
"""Where a value may begin; `R &B` within a text is none."""
_ANCHOR: Final = re.compile(_BEGINNING + r"&([^\s,\[\]{}]+)")
_KEPT: Final = re.compile(_ANCHOR.pattern + r"[ \t]+([\w.][^#\n,:{}\[\]]*)$")
"""A plain text with an anchor, which can be known though what is around it is no YAML."""
_DASH: Final = re.compile(r" *- +(?:&\S+[ \t]*)?(?:#.*)?")
_KEY: Final = re.compile(r"[\w-]+:(?=\s|$)")
_LOST: Final = "no-yaml"
"""An anchor for what stands in the place of a field that is no YAML."""


def parse(text: str, shown: str, loader: Any = FASTEST) -> tuple[Node | None, list[Diagnostic]]:
    """The root node, or None when there is no using the text, and all that is wrong with it. In a
    list of components that are no YAML those fields stand nowhere that are none; a component that
    cannot be read without them is left out."""
    whole = read_nodes(text, shown, loader)
    if not whole.ended:
        return _rooted(whole.root, whole.faults, shown)
    lines = text.split("\n")
    broken = [
        at for at in _components(lines) if not _is_mapping("\n".join(lines[slice(*at)]), loader)
    ]
    if not broken:
        return None, [*whole.faults, *whole.ended]
    # Where the whole stops may be far behind the quote that is not closed.
    faults: list[Diagnostic] = []
    lost: list[str] = []
    for first, end in broken[:_MOST_BROKEN]:
        mended = _Broken(lines, first, end, shown, loader).mended(faults)
        lost += (old for old, new in zip(lines[first:end], mended, strict=True) if old != new)
        lines[first:end] = mended
    more = broken[_MOST_BROKEN:]
    for first, end in more:
        lost += lines[first:end]
        lines[first:end] = map(_blank, lines[first:end])
    if more:
        message = f"components from here on that are no YAML, too: {len(more):,}"
        hint = "mend those above: it may well be the same mistake"
        faults.append(Diagnostic(Span(shown, more[0][0] + 1), "GP101", message, hint))
    gone = "\n".join(lost)
    anchors = {name: Scalar("", Span(shown).nowhere) for name in (_LOST, *_ANCHOR.findall(gone))}
    anchors |= {name: Scalar(word.rstrip(), Span(shown)) for name, word in _KEPT.findall(gone)}
    rest = read_nodes("\n".join(lines), shown, loader, anchors)
    faults += (*rest.faults, *rest.ended)
    root = rest.root
    if rest.ended or not isinstance(root, Mapping):
        return None, faults
    is_list = isinstance(root.get("components"), Sequence)  # else there was but this one
    return (root if is_list else None), faults


def _rooted(
    root: Node | None, faults: list[Diagnostic], shown: str
) -> tuple[Node | None, list[Diagnostic]]:
    if isinstance(root, Scalar) and not root.span.column:  # an alias of nothing, which was told
        return None, faults
    if root is None or (isinstance(root, Scalar) and root.is_null):
        hint = "write its content, or delete the file"
        return None, [*faults, Diagnostic(Span(shown), "GP109", "the file is empty", hint)]
    return root, faults


def _is_mapping(text: str, loader: Any, at: int = 3) -> bool:
    """Whether a text is YAML, the event of this number the beginning of a mapping."""
    try:
        events = [type(event) for event in yaml.parse(text, Loader=loader)]
    except (yaml.YAMLError, ValueError, OverflowError):
        return False
    return issubclass(events[at], MappingStartEvent) if len(events) > at else False


class _Broken(Struct, frozen=True):
    """A component that is no YAML: its lines among those of its file, from 0."""

    lines: list[str]
    first: int
    end: int
    shown: str
    loader: Any

    def mended(self, faults: list[Diagnostic]) -> list[str]:
        """Its lines, with the mark of what is lost for each field that is no YAML; nothing where
        that is of no help. What is wrong with each field is told."""
        mended, told = self.lines[self.first : self.end], len(faults)
        for begin, end, indent in self._fields():
            if len(faults) - told >= _MOST_BROKEN:
                break
            field = [" " * indent + mended[begin][indent:], *mended[begin + 1 : end]]
            if _is_mapping("\n".join(field), self.loader, 2):
                continue
            fault = self._fault(mended, begin, end) or self._fault(field, begin, end, begin)
            key = _KEY.match(mended[begin], indent)
            is_flow = mended[begin][indent : indent + 1] in ("{", "[")
            if fault is None or is_flow or (not key and any("<<:" in line for line in mended)):
                break
            faults.append(fault)
            mark = f"{key[0] if key else '<<:'} *{_LOST}"
            empty = "\n" * (len(_LONE_END.findall(mended[begin])))
            mended[begin:end] = (mended[begin][:indent] + mark + empty, *map(_blank, field[1:]))
        if _is_mapping("\n".join(mended), self.loader):
            return mended
        if fault := self._fault(mended, 0, len(mended)):
            faults.append(fault)
        return [*map(_blank, self.lines[self.first : self.end])]

    def _fault(self, lines: list[str], begin: int, end: int, at: int = 0) -> Diagnostic | None:
        """Why these lines, which are those of the component from `at` on, are no YAML, if it is
        because of a field that has lines from `begin` to `end`."""
        above = map(_blank, self.lines[: self.first + at])
        ended = read_nodes("\n".join((*above, *lines)), self.shown, self.loader).ended
        before = sum(1 + len(_LONE_END.findall(line)) for line in self.lines[: self.first])
        height = [1 + len(_LONE_END.findall(line)) for line in self.lines[self.first : self.end]]
        top = before + summed(height[:begin])
        if ended and (at or top < ended[0].span.line <= top + summed(height[begin:end])):
            return ended[0]
        return None

    def _fields(self) -> Iterator[tuple[int, int, int]]:
        """From where to where each field stands, from 0, and at what column its key."""
        lines = self.lines[self.first : self.end]
        dash = _DASH.match(lines[0])
        if dash is None:
            return
        indent, begin = dash.end(), 0
        if not lines[0][indent:].strip():
            begin = next((at for at, line in enumerate(lines[1:], 1) if line.strip()), len(lines))
            indent = len(lines[begin]) - len(lines[begin].lstrip(" ")) if begin < len(lines) else 0
        for at in range(begin + 1, len(lines) + 1):
            line = lines[at] if at < len(lines) else ""
            is_key = line[:indent].isspace() and line[indent:][:1] not in ("", " ", "#", "-", "\r")
            if at == len(lines) or is_key:
                yield begin, at, indent
                begin = at


def _blank(line: str) -> str:
    """Nothing, as high as YAML takes this line to be."""
    return "\n" * len(_LONE_END.findall(line))


def _components(lines: list[str]) -> list[tuple[int, int]]:
    """From where to where each component stands that is written as a block, one below the other."""
    found: list[tuple[int, int]] = []
    begin = next((at + 1 for at, line in enumerate(lines) if _LIST.match(line)), len(lines))
    indent = None
    for at in range(begin, len(lines)):
        line = lines[at].lstrip(" ")
        if not line.strip() or line.startswith("#"):
            continue
        depth = len(lines[at]) - len(line)
        is_first = line.startswith("- ")
        indent = depth if indent is None else indent
        if not depth and not line.startswith("\t") and (indent or not is_first):
            break  # what stands at the left edge is the file's own
        if depth == indent and is_first:
            found.append((at, at + 1))
        elif found:
            found[-1] = found[-1][0], at + 1
    return found
