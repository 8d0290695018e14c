"""A pack's components and a locale file in, the components in that language out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence as List
from typing import Final

from generator.diagnostics import Diagnostic, Suggestions, did_you_mean
from generator.model.source import ComponentSource, Document, Mapping, Node, Scalar

_KEYS: Final = ("words", "components")

Overlays = dict[tuple[str, str], Mapping]


def translate(
    components: List[ComponentSource], locale: Document
) -> tuple[tuple[ComponentSource, ...], list[Diagnostic]]:
    """The components with the fields that the locale gives anew, and what is wrong with it."""
    faults: list[Diagnostic] = []
    root = _mapping(locale.root, "a locale file", faults)
    for key, _ in root.entries:
        if key.text not in _KEYS:
            message = f"{key.text!r} is not known in a locale file"
            faults.append(Diagnostic(key.span, "GP202", message, did_you_mean(key.text, _KEYS)))
    _check_words(root.get("words"), faults)
    overlays = _overlays(root.get("components"), components, faults)
    return tuple(_overlaid(component, overlays) for component in components), faults


def _mapping(node: Node, what: str, faults: list[Diagnostic]) -> Mapping:
    if isinstance(node, Mapping):
        return node
    if not (isinstance(node, Scalar) and node.is_null):
        faults.append(Diagnostic(node.span, "GP203", f"{what} is a mapping", "write key: value"))
    return Mapping((), node.span)


def _check_words(words: Node | None, faults: list[Diagnostic]) -> None:
    if words is None:
        return
    for name, word in _mapping(words, "words", faults).entries:
        if not isinstance(word, Scalar) or word.is_null:
            message = f"the translation of {name.text!r} is not a text"
            faults.append(Diagnostic(word.span, "GP203", message, "write Whip: Peitsche"))


def _overlays(
    node: Node | None, components: List[ComponentSource], faults: list[Diagnostic]
) -> Overlays:
    ids: dict[str, set[str]] = defaultdict(set)
    suggestions = Suggestions()
    for component in components:
        ids[component.kind.text].add(_id(component))
    overlays: Overlays = {}
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


def _id(component: ComponentSource) -> str:
    node = component.node.get("id")
    return node.text if isinstance(node, Scalar) else ""


def _overlaid(component: ComponentSource, overlays: Overlays) -> ComponentSource:
    overlay = overlays.get((component.kind.text, _id(component)))
    if overlay is None:
        return component
    kept = component.node.without(*overlay.keys())
    return ComponentSource(
        component.kind, Mapping((*kept.entries, *overlay.entries), component.node.span)
    )
