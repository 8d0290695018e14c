"""Values that authors wrote, which know their place: texts, lists and records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from generator.diagnostics import Span


class SourceText(str):
    """Text from an author's file. `rich` means that its markup (**bold**, {icon}) counts; for a
    picture's name, that the file is missing and a placeholder is printed."""

    __slots__ = ("rich", "span")

    span: Span
    rich: bool

    def __new__(cls, text: str, span: Span, rich: bool = False) -> SourceText:
        """Make a text with its place."""
        self = super().__new__(cls, text)
        self.span = span
        self.rich = rich
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (SourceText, (str(self), self.span, self.rich))


class Items(tuple[Any, ...]):
    """An immutable list, equal to a list or tuple of the same values."""

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
    """Immutable named values, each with its place. Templates read them as `c.name`."""

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
        """Return the values by name as a copy."""
        return dict(self._values)

    @property
    def spans(self) -> Mapping[str, Span]:
        """Return the places of values that were written."""
        return self._spans

    def span_of(self, name: str) -> Span:
        """Return the place of a value, or of the record for a default."""
        return self._spans.get(name, self.span)

    def fill(self, values: Mapping[str, Any], spans: Mapping[str, Span] | None = None) -> None:
        """Add values while the record is being made. Only validate does this."""
        self._values.update(values)
        self._spans.update(spans or {})

    def defer(self, compute: Callable[[str], None] | None) -> None:
        """Compute missing values on demand; None ends that."""
        self._later = compute

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """Return the record with values added or replaced."""
        return Record({**self._values, **more}, self.span, self._spans)


class _Link(Struct, frozen=True):
    """A reference to one of the records that are packed together."""

    number: int


Parcel = tuple[tuple[dict[str, Any], Span, Mapping[str, Span]], ...]


def to_parcel(records: Sequence[Record]) -> Parcel:
    """Return the records for another process, with numbers in place of references.

    Pickle follows references recursively, so a long chain of them would exhaust its stack.
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
    """Return the records of a parcel."""
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
