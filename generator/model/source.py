"""What load hands on: YAML nodes that know their place, before anything is interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text as written; `plain` when without quotes, so that `null` and `~` mean nothing."""

    text: str
    span: Span
    plain: bool = True

    @property
    def is_null(self) -> bool:
        """True for an empty value, `~` or `null` without quotes."""
        return self.plain and self.text in ("", "~", "null")

    def place(self, offset: int) -> Span:
        """Where a character of the text stands."""
        return self.span


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file; keys are unique."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def keys(self) -> Iterator[str]:
        """The keys as text."""
        return (name.text for name, _ in self.entries)

    def without(self, *names: str) -> Mapping:
        """The same mapping less some keys."""
        return Mapping(tuple(e for e in self.entries if e[0].text not in names), self.span)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class Document:
    """One file: its name as the user would type it, and its root node."""

    file: str
    root: Node


@dataclass(frozen=True, slots=True)
class ComponentSource:
    """One component as written: the kind it names, its node, where it stands."""

    kind: Scalar
    node: Mapping


@dataclass(frozen=True, slots=True)
class PackSource:
    """All the files of one pack, read and not yet understood.

    It is not `complete` when something could not be read: what seems to be missing may be there.
    `required` are the packs that it requires, in its order.
    """

    name: str
    pack: Document
    kinds: tuple[Document, ...]
    components: tuple[ComponentSource, ...]
    styles: Document | None = None
    locale: Document | None = None
    complete: bool = True
    required: tuple[PackSource, ...] = ()

    @property
    def requires(self) -> tuple[str, ...]:
        """The names of all packs that it needs, also for those that it requires; nearest first."""
        further = (name for source in self.required for name in source.requires)
        return tuple(dict.fromkeys((*(source.name for source in self.required), *further)))
