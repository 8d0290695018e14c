"""Expressions and messages of a kind file: text in, compiled formulas out, and their results.

A result is settled into values that cannot change and can be sent to another process.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from typing import Any, Final

from generator.diagnostics import Span
from generator.model.source import Scalar
from generator.model.values import Items, Record, SourceText
from generator.sandbox import Expression, Purse, compile_expression
from generator.units import format_mm

MAX_SPOKEN: Final = 500
"""Letters of a value that is named in a message."""
MAX_WORDS: Final = 500
MAX_DEPTH: Final = 20

_PART: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Formula:
    """A compiled expression and where it stands."""

    text: str
    span: Span
    run: Expression

    @property
    def names(self) -> frozenset[str]:
        """The values that it asks for."""
        return self.run.names

    def value(self, names: Mapping[str, Any], where: Span, purse: Purse | None = None) -> Any:
        """What it comes to, settled; `where` is the place of maps made in it, `purse` what all
        expressions may spend together. SandboxError."""
        return self.run(names, lambda value: settled(value, where), purse)


@dataclass(frozen=True, slots=True)
class Message:
    """Text for the author with `{{ expression }}` parts."""

    span: Span
    parts: tuple[str | Formula, ...]

    @property
    def formulas(self) -> Iterator[Formula]:
        """The expressions in it."""
        return (part for part in self.parts if isinstance(part, Formula))

    def written(self, names: Mapping[str, Any], purse: Purse | None = None) -> str:
        """The text with its parts worked out. Raises SandboxError."""
        texts = (
            part if isinstance(part, str) else spoken(part.value(names, self.span, purse))
            for part in self.parts
        )
        return "".join(texts)


def read_formula(node: Scalar) -> Formula:
    """A compiled expression. Raises SandboxError."""
    return Formula(node.text, node.span, _compiled(node.text, node))


def read_message(node: Scalar) -> Message:
    """A text with its expressions compiled. Raises SandboxError."""
    end = node.text.rfind("}}") + 2
    pieces = _PART.split(node.text[:end])
    pieces[-1] += node.text[end:]  # what begins there has no end, which each search would look for
    pieces[1::2] = map(str.strip, pieces[1::2])
    parts = (
        Formula(piece, node.span, _compiled(piece, node)) if i % 2 else piece
        for i, piece in enumerate(pieces)
    )
    return Message(node.span, tuple(part for part in parts if part != ""))


def _compiled(text: str, node: Scalar) -> Expression:
    return compile_expression(text, node.span.file, node.span.line)


def settled(value: Any, where: Span) -> Any:
    """The result of an expression as values that cannot change. Raises TypeError for others."""
    if value is None or isinstance(value, (str, int, float, Record)):
        return _plain_text(value)
    if isinstance(value, Mapping):
        return Record({str(key): settled(item, where) for key, item in value.items()}, where)
    if isinstance(value, (SequenceOf, Iterator)) or hasattr(value, "__len__"):
        return Items(settled(item, where) for item in value)
    raise TypeError("the result is neither text, a number, a list nor a map")


def _plain_text(value: Any) -> Any:
    # A Markup would print its entities as they are, and would not be what the author wrote.
    if isinstance(value, str) and not isinstance(value, SourceText):
        return str(value)
    return value


def quoted(value: Any) -> str:
    """A value as it is named in a message: text in quotes."""
    return repr(_shortened(str(value))) if isinstance(value, str) else spoken(value)


def spoken(value: Any) -> str:
    """A value as it reads in a message; of one that is too long for it the beginning."""
    return _shortened("".join(itertools.islice(_words(value), MAX_WORDS)))


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SPOKEN else f"{text[:MAX_SPOKEN]}…"


def _words(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, float):
        yield format_mm(value)
    elif value is None:
        yield "nothing"
    elif isinstance(value, Record) and "id" in value:
        yield _shortened(str(value["id"]))
    elif isinstance(value, (tuple, Record)) and depth > MAX_DEPTH:
        yield "…"
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield ", " if place else ""
            yield from _words(item, depth + 1)
    elif isinstance(value, Record):
        for place, (name, item) in enumerate(value.items()):
            yield f", {name} " if place else f"{name} "
            yield from _words(item, depth + 1)
    else:
        yield _shortened(str(value))
