"""Components and words in, the components with those words wherever their texts say [[…]] out."""

from __future__ import annotations

import re
from collections.abc import Mapping as Words
from collections.abc import Sequence as List
from dataclasses import replace
from typing import Final

from generator.model.source import (
    ComponentSource,
    Mapping,
    Node,
    PackSource,
    Sequence,
    words_of,
)

_PLACE: Final = re.compile(r"\[\[\s*+([^\[\]]++)\]\]")


def words_for(source: PackSource) -> dict[str, str]:
    """What a pack says for the words of its texts and templates: its locale's, before those of the
    packs that it requires, nearest first."""
    words: dict[str, str] = {}
    for pack in (source, *source.lenders):
        words = words_of(pack.locale) | words
    return words


def worded(
    components: List[ComponentSource], words: Words[str, str]
) -> tuple[ComponentSource, ...]:
    """The components with the word for `Whip` wherever a text says [[Whip]]: Whip itself unless
    `words` has another."""
    return tuple(
        ComponentSource(component.kind, _said_in(component.node, words)) for component in components
    )


def _said(node: Node, words: Words[str, str]) -> Node:
    """The node itself where nothing in it changes: most texts have no such words."""
    if isinstance(node, Mapping):
        return _said_in(node, words)
    if isinstance(node, Sequence):
        items = tuple(_said(item, words) for item in node.items)
        changed = any(new is not old for new, old in zip(items, node.items, strict=True))
        return replace(node, items=items) if changed else node
    if "[[" not in node.text:
        return node
    return replace(node, text=_PLACE.sub(lambda place: _word(place[1].rstrip(), words), node.text))


def _word(own: str, words: Words[str, str]) -> str:
    return words.get(own, own)


def _said_in(node: Mapping, words: Words[str, str]) -> Mapping:
    entries = tuple((name, _said(value, words)) for name, value in node.entries)
    changed = any(new is not old for (_, new), (_, old) in zip(entries, node.entries, strict=True))
    return replace(node, entries=entries) if changed else node
