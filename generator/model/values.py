"""Values of a validated component: text that knows where it was written, and frozen records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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


class Record(Mapping[str, Any]):
    """Named values that cannot be changed; knows where each was written.

    Templates and expressions reach the values as attributes: `c.name`.
    """

    __slots__ = ("_spans", "_values", "span")

    def __init__(
        self, values: Mapping[str, Any], span: Span, spans: Mapping[str, Span] | None = None
    ) -> None:
        self._values = dict(values)
        self._spans = dict(spans or {})
        self.span = span

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Record({self._values!r})"

    def span_of(self, name: str) -> Span:
        """Where the value was written, or the record itself when it was not (a default)."""
        return self._spans.get(name, self.span)

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """The same record with values added or replaced."""
        return Record({**self._values, **more}, self.span, self._spans)
