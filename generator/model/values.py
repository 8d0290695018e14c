"""Values of a validated component: text that knows where it was written, and frozen records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from generator.diagnostics import Span


class SourceText(str):
    """Text from an author's file. `rich` says that its markup (**bold**, {icon}) is meant."""

    __slots__ = ("rich", "span")

    span: Span
    rich: bool

    def __new__(cls, text: str, span: Span, rich: bool = False) -> SourceText:
        """Text, the place it was written, and whether its markup counts."""
        self = super().__new__(cls, text)
        self.span = span
        self.rich = rich
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (SourceText, (str(self), self.span, self.rich))


class Items(tuple[Any, ...]):
    """A list that cannot be changed; equal to a list or tuple of the same values."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)

    def __getitem__(self, place: Any) -> Any:
        found = tuple.__getitem__(self, place)
        return Items(found) if isinstance(place, slice) else found


class Record(Mapping[str, Any]):
    """Named values that cannot be changed; knows where each was written.

    Templates and expressions reach the values as attributes: `c.name`.
    """

    __slots__ = ("_later", "_spans", "_values", "span")

    def __init__(
        self, values: Mapping[str, Any], span: Span, spans: Mapping[str, Span] | None = None
    ) -> None:
        self._values = dict(values)
        self._spans = dict(spans or {})
        self._later: Callable[[str], None] | None = None
        self.span = span

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            if self._later is None:
                raise
            self._later(name)
            return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Record({self._values!r})"

    def as_dict(self) -> dict[str, Any]:
        """The values by name, as a copy that may be changed."""
        return dict(self._values)

    @property
    def spans(self) -> Mapping[str, Span]:
        """Where each value that was written was written."""
        return self._spans

    def span_of(self, name: str) -> Span:
        """Where the value was written, or the record itself when it was not (a default)."""
        return self._spans.get(name, self.span)

    def fill(self, values: Mapping[str, Any], spans: Mapping[str, Span] | None = None) -> None:
        """Add values while the record is still being made: others may already refer to it.

        Only the validate stage does this; a record that has left it never changes.
        """
        self._values.update(values)
        self._spans.update(spans or {})

    def defer(self, compute: Callable[[str], None] | None) -> None:
        """Have values that are still missing computed on demand; None once all are there."""
        self._later = compute

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """The same record with values added or replaced."""
        return Record({**self._values, **more}, self.span, self._spans)


class AskedRecord(Record):
    """The values of a component, which notes the names of those that it is `asked` for. Its copy
    (`as_dict`) is for formulas, which say themselves what they ask for."""

    __slots__ = ("asked",)

    def __init__(self, span: Span) -> None:
        super().__init__({}, span)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self._values)
        return super().__iter__()


class _Link(Struct, frozen=True):
    """Stands for one of the records that are packed together."""

    number: int


Parcel = tuple[tuple[dict[str, Any], Span, Mapping[str, Span]], ...]


def to_parcel(records: Sequence[Record]) -> Parcel:
    """The records with all that is in them, for another process; links where they name each other.

    Pickle follows references by calls inside calls: a track of spaces that each name the next would
    be too deep for it, and circles are common. In a parcel a reference is a number.
    """
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


def from_parcel(parcel: Parcel) -> tuple[Record, ...]:
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
