"""A kind with its components, and drawn faces, in; what the manifest says of them out.

By this preflight knows how many of each there must be, which must look alike and which apart, and
on which line of the author's files to put a finding.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.face import Face
from generator.model.pack import Component, Field, Kind, Waiver
from generator.model.stock import Edge
from generator.model.values import Record

_DIGITS: Final = 16
_UNSEEN: Final = ("id", "index")
"""Values that tell components apart without being a reason to look different."""


def definition(
    kind: Kind,
    components: Sequence[Component],
    packs: Sequence[str],
    kinds: Mapping[str, Kind],
    white: bool = False,
) -> dict[str, Any]:
    """What the manifest says of a kind: its stock, and of each component how many are printed,
    where it was written, a digest of its values and those that are one of some choices.

    `packs` are the names of the pack and of those that it requires. `kinds` are all their kinds:
    a component shows the choices of what it is made from, too. `white` says that paper is left
    white for grounds, whatever the stock says.
    """
    choices = list(_choices(kind, kinds))
    told: dict[str, Any] = {
        "title": kind.title,
        "why": kind.why,
        "quantities": {component.id: component.quantity for component in components},
    }
    if kind.made_from is not None:
        told["made_from"] = kind.made_from
    if kind.stock is not None:
        told |= {
            "bleed_mm": kind.stock.bleed,
            "safe_mm": kind.stock.safe,
            "edge": str(Edge.WHITE if white else kind.stock.edge),
        }
    told["components"] = {
        component.id: {
            "source": source(component.span, packs),
            "content": content(component),
            "choices": {
                ".".join(path): str(value)
                for path in choices
                if (value := _value(component.values, path)) is not None
            },
        }
        for component in components
    }
    return told


def face_texts(faces: Iterable[Face], packs: Sequence[str]) -> dict[str, Any]:
    """The texts of each face by its digest: style, size reached (pt), box in trim
    coordinates (mm) and where the words were written."""
    return {
        face.sha256: [
            {
                "style": text.style,
                "size_pt": round(text.size_pt, 2),
                "box_mm": [
                    round(v, 3)
                    for v in (text.used.x, text.used.y, text.used.width, text.used.height)
                ],
                "source": source(text.span, packs),
            }
            for text in face.text_boxes
        ]
        for face in faces
    }


def face_words(faces: Iterable[Face]) -> dict[str, str]:
    """The words of each face by its digest, of those that tell them."""
    return {face.sha256: face.words for face in faces if face.words is not None}


def waiver(given: Waiver, packs: Sequence[str]) -> dict[str, str]:
    """A waiver as preflight reads it."""
    return {
        "code": given.code,
        "component": given.component,
        "reason": given.reason,
        "source": source(given.span, packs),
    }


def source(span: Span, packs: Sequence[str]) -> str:
    """`cards/<pack>/file.yaml:line:column`, from wherever the build was started."""
    own = [f"{folder}/{pack}/" for pack in packs for folder in ("cards", "templates")]
    for folder in (*own, "templates/shared/"):
        _, found, rest = span.file.rpartition(folder)
        if found:
            return str(Span(found + rest, span.line, span.column))
    return str(Span(span.file.rpartition("/")[2], span.line, span.column))


def content(component: Component) -> str:
    """A digest of all values but the id: components with the same one should look alike."""
    values = {name: value for name, value in component.values.items() if name not in _UNSEEN}
    text = json.dumps(_plain(values, (component.values,)), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _choices(kind: Kind, kinds: Mapping[str, Kind]) -> Iterator[tuple[str, ...]]:
    """The names that lead to each value that is one of some choices, own or of the parent."""
    yield from _choice_fields(kind.fields)
    parent = kinds.get(kind.made_from or "")
    if parent is None:
        return
    entries = parent.fields.get(kind.each or "")
    if entries is not None and entries.of is not None:
        yield from _choice_fields(entries.of.fields)
    for path in _choices(parent, kinds):
        yield (parent.name.replace("-", "_"), *path)


def _choice_fields(fields: Mapping[str, Field]) -> Iterator[tuple[str, ...]]:
    for field in fields.values():
        if field.type == "choice":
            yield (field.name,)
        for path in _choice_fields(field.fields):
            yield (field.name, *path)


def _value(values: Any, path: tuple[str, ...]) -> Any:
    """The value that names lead to, None when one of them leads nowhere."""
    for name in path:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def _plain(value: Any, around: tuple[Any, ...]) -> Any:
    """Values without what cannot be written: another component is told by its id."""
    if isinstance(value, Record) and value not in around and "id" in value:
        return str(value["id"])
    if isinstance(value, Mapping):
        return {str(name): _plain(item, around) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, around) for item in value]
    return value if isinstance(value, int | float | bool | None) else str(value)
