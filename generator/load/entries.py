"""Where the components of a file stand, though it may be no YAML, and which repeat others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator
from typing import Final

_LIST: Final = re.compile(r"components:[ \t]*(?:#.*)?\r?$")
_LONE_END: Final = re.compile(r"\r(?!\Z)|[\x85\u2028\u2029]")
"""What begins a new line for YAML, besides what ends the lines of a file."""
_BEGINNING: Final = r"(?m)(?:^[ \t]*|(?<=[:?-])[ \t]+|(?<=[\[{,])[ \t]*)"
"""Where a value may begin; `R &B` within a text is none."""
_ANCHOR: Final = re.compile(_BEGINNING + r"&([^\s,\[\]{}]+)")
_ALIAS: Final = re.compile(_BEGINNING + r"\*([^\s,\[\]{}]+)")
KEPT: Final = re.compile(_ANCHOR.pattern + r"[ \t]+([\w.][^#\n,:{}\[\]]*)$")
"""A plain text with an anchor, which can be known though what is around it is no YAML."""


def repeating(
    lines: list[str], gone: list[tuple[int, int]], known_names: Container[str]
) -> Iterator[tuple[int, int]]:
    """The components that repeat a part of those that are gone, or of others such, but for what is
    known of them."""
    words = {each: "\n".join(lines[slice(*each)]) for each in (*gone, *entries(lines))}
    by_name: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for each, text in words.items():
        for name in _ALIAS.findall(text):
            by_name[name].append(each)
    known, waiting = set(gone), [*gone]
    while waiting:
        for name in _ANCHOR.findall(words[waiting.pop()]):
            for each in by_name.pop(name, ()) if name not in known_names else ():
                if each not in known:
                    known.add(each)
                    waiting.append(each)
                    yield each


def blank(line: str) -> str:
    """Nothing, as high as YAML takes this line to be."""
    return "\n" * len(_LONE_END.findall(line))


def entries(lines: list[str]) -> list[tuple[int, int]]:
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
