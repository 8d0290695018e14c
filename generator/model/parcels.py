"""Records that refer to each other in, a flat parcel that can be sent to another process out.

Pickle follows references by calls inside calls: a track of spaces that each name the next would
be too deep for it, and circles are common. In a parcel a reference is a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.diagnostics import Span
from generator.model.values import Items, Record


@dataclass(frozen=True, slots=True)
class _Link:
    """Stands for one of the records that are packed together."""

    number: int


Parcel = tuple[tuple[dict[str, Any], Span, Mapping[str, Span]], ...]


def packed(records: Sequence[Record]) -> Parcel:
    """The records with all that is in them, and links where they name each other."""
    links = {id(record): _Link(number) for number, record in enumerate(records)}

    def linked(value: Any) -> Any:
        if isinstance(value, Record):
            return links.get(id(value)) or Record(
                {name: linked(item) for name, item in value.items()}, value.span, value.spans
            )
        return Items(map(linked, value)) if isinstance(value, Items) else value

    return tuple(
        ({name: linked(value) for name, value in record.items()}, record.span, record.spans)
        for record in records
    )


def unpacked(parcel: Parcel) -> tuple[Record, ...]:
    """The same records again, each of them once."""
    records = tuple(Record({}, span) for _, span, _ in parcel)

    def resolved(value: Any) -> Any:
        if isinstance(value, _Link):
            return records[value.number]
        if isinstance(value, Record):
            inner = {name: resolved(item) for name, item in value.items()}
            return Record(inner, value.span, value.spans)
        return Items(map(resolved, value)) if isinstance(value, Items) else value

    for record, (values, _, spans) in zip(records, parcel, strict=True):
        record.fill({name: resolved(value) for name, value in values.items()}, spans)
    return records
