"""Put a locale over a pack: translated fields, and words for texts such as [[Whip]]."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping as Words
from collections.abc import Sequence as List
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import (
    Diagnostic,
    Suggestions,
)
from generator.load.component_files import strange_keys
from generator.model.source import (
    WORD,
    ComponentSource,
    Document,
    Mapping,
    Node,
    PackSource,
    Scalar,
    Sequence,
    cut_off,
    with_words,
    words_of,
)

_OF_PACK: Final = ("title", "description")
_KEYS: Final = (*_OF_PACK, "words", "components")
_Overlays = dict[tuple[str, str], Mapping]


def translate(
    components: List[ComponentSource], locale: Document
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """Return the components with translated fields, and the faults of the locale."""
    faults: list[Diagnostic] = []
    root = _mapping(locale.root, "a locale file", faults)
    faults += strange_keys(root, _KEYS, "locale")
    _check_words(root.get("words"), faults)
    overlays = _overlays(root.get("components"), components, faults)
    return tuple(_overlaid(component, overlays) for component in components), faults


def retitled(head: Document, locale: Document) -> Document:
    """Return pack.yaml with the locale's title and description."""
    if not (isinstance(head.root, Mapping) and isinstance(locale.root, Mapping)):
        return head
    said = [
        (name, node)
        for name, node in locale.root.entries
        if name.text in _OF_PACK and not (isinstance(node, Scalar) and node.is_null)
    ]
    kept = head.root.without(*(name.text for name, _ in said))
    return replace(head, root=replace(kept, entries=(*kept.entries, *said))) if said else head


def _mapping(node: Node, what: str, faults: list[Diagnostic]) -> Mapping:
    if isinstance(node, Mapping):
        return node
    if not (isinstance(node, Scalar) and node.is_null):
        message = f"{what} must be a mapping"
        faults.append(Diagnostic(node.span, "GP203", message, "write key: value"))
    return Mapping((), node.span)


def _check_words(words: Node | None, faults: list[Diagnostic]) -> None:
    if words is None:
        return
    for name, word in _mapping(words, "words", faults).entries:
        faults += cut_off(word, f"words.{name.text}")
        if not isinstance(word, Scalar) or word.is_null:
            message = f"the translation of {name.text!r} is not a text"
            faults.append(Diagnostic(word.span, "GP203", message, "write Whip: Peitsche"))


def _overlays(
    node: Node | None, components: List[ComponentSource], faults: list[Diagnostic]
) -> _Overlays:
    ids: dict[str, set[str]] = defaultdict(set)
    suggestions = Suggestions()
    for component in components:
        ids[component.kind.text].add(component.id)
    overlays: _Overlays = {}
    kinds = () if node is None else _mapping(node, "components", faults).entries
    for kind, entries in kinds:
        if kind.text not in ids:
            message = f"the pack has no components of kind {kind.text!r}"
            hint = suggestions.did_you_mean(kind.text, ids)
            faults.append(Diagnostic(kind.span, "GP212", message, hint))
            continue
        for name, fields in _mapping(entries, "a kind's translation", faults).entries:
            if name.text in ids[kind.text]:
                overlay = _mapping(fields, "a component's translation", faults)
                overlays[kind.text, name.text] = overlay
                continue
            message = f"there is no {kind.text} {name.text!r}"
            hint = suggestions.did_you_mean(name.text, ids[kind.text])
            faults.append(Diagnostic(name.span, "GP205", message, hint))
    return overlays


def _overlaid(component: ComponentSource, overlays: _Overlays) -> ComponentSource:
    overlay = overlays.get((component.kind.text, component.id))
    if overlay is None:
        return component
    kept = component.node.without(*overlay.keys())
    return ComponentSource(
        component.kind, Mapping((*kept.entries, *overlay.entries), component.node.span)
    )


def words_for(source: PackSource) -> dict[str, str]:
    """Return the words for texts and templates: the pack's locale first, then those of required
    packs, nearest first."""
    words: dict[str, str] = {}
    for pack in (source, *source.lenders):
        words = words_of(pack.locale) | words
    return words


def worded(component: ComponentSource, words: Words[str, str]) -> ComponentSource:
    """Return the component with a locale's word in place of each [[Whip]]; without one, Whip."""
    if not _has_words(component.node):
        return component
    return ComponentSource(component.kind, _said_in(component.node, words))


def _has_words(node: Node) -> bool:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            if WORD in node.text:  # of a cell its rich text has it, too
                return True
        elif isinstance(node, Mapping):
            waiting += [value for _, value in node.entries]
        else:
            waiting += node.items
    return False


def _said(node: Node, words: Words[str, str]) -> Node:
    if isinstance(node, Mapping):
        return _said_in(node, words)
    if isinstance(node, Sequence):
        items = tuple(_said(item, words) for item in node.items)
        changed = any(new is not old for new, old in zip(items, node.items, strict=True))
        return replace(node, items=items) if changed else node
    text = with_words(node.text, lambda own: words.get(own, own))
    if text == node.text:
        return node
    cell = node.cell
    if cell is not None:
        cell = replace(cell, rich=with_words(cell.rich, lambda own: words.get(own, own)))
    return replace(node, text=text, cell=cell)


def _said_in(node: Mapping, words: Words[str, str]) -> Mapping:
    entries = tuple((name, _said(value, words)) for name, value in node.entries)
    changed = any(new is not old for (_, new), (_, old) in zip(entries, node.entries, strict=True))
    return replace(node, entries=entries) if changed else node
