"""A content stream in; the strings that it shows, with their fonts, and where, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pikepdf import Array, Object, Page, String, parse_content_stream

from generator.matrices import IDENTITY, Matrix

_TOKENS: Final = re.compile(
    rb"/([^\s/()<>\[\]{}%]+)\s+[-+.\d]+\s+Tf\b|\(((?:[^()\\]|\\.)*)\)|<([0-9A-Fa-f\s]+)>", re.S
)
_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{1,3})|\r\n|(.))", re.S)
_UNLIKE_PYTHON: Final = re.compile(rb"\\[^0-3nrtbf()\\]")
"""What may be an escape that Python reads in another way than PDF, if it is one."""
_LETTERS: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b""}


class Shown(NamedTuple):
    """A string: the font's name in the resources, its bytes, and where it starts in the space of
    the stream."""

    font: str
    codes: bytes
    x: float
    y: float


def skimmed(stream: bytes) -> Mapping[str, Sequence[bytes]]:
    """The strings of each font of a stream, quickly: some that are not shown are among them, and a
    font that is put back by `Q` is not seen. What is odd here deserves a second look."""
    found: dict[str, list[bytes]] = {}
    font = ""
    for name, literal, digits in _TOKENS.findall(stream):
        if name:
            font = name.decode("latin-1")
        else:
            found.setdefault(font, []).append(_from_hex(digits) if digits else _unescaped(literal))
    return found


def shown(drawn: Page | Object) -> Iterator[Shown]:
    """Every string that a page or form shows itself, in order. Raises whatever pikepdf does."""
    state = _TextState()
    for instruction in parse_content_stream(drawn):
        operator, operands = str(instruction.operator), list(instruction.operands)
        if operator in _STEPS:
            _STEPS[operator](state, operands)
        if operator in _SHOWING:
            yield state.shown(_joined(operands[-1]))


_SHOWING: Final = frozenset(("Tj", "TJ", "'", '"'))


@dataclass(slots=True)
class _TextState:
    """Follows a content stream as far as text is concerned (PDF 1.7, 8.4.4, 9.3 and 9.4)."""

    ctm: Matrix = IDENTITY
    font: str = ""
    leading: float = 0.0
    line: Matrix = IDENTITY
    saved: list[tuple[Matrix, str, float]] = field(default_factory=list)

    def shown(self, codes: bytes) -> Shown:
        place = self.ctm.then(self.line)
        return Shown(self.font, codes, place.e, place.f)

    def save(self, _: Sequence[Any]) -> None:
        self.saved.append((self.ctm, self.font, self.leading))

    def restore(self, _: Sequence[Any]) -> None:
        if self.saved:
            self.ctm, self.font, self.leading = self.saved.pop()

    def concatenate(self, operands: Sequence[Any]) -> None:
        self.ctm = self.ctm.then(_matrix(operands))

    def begin(self, _: Sequence[Any]) -> None:
        self.line = IDENTITY

    def choose(self, operands: Sequence[Any]) -> None:
        self.font = str(operands[0]).removeprefix("/")

    def lead(self, operands: Sequence[Any]) -> None:
        self.leading = float(operands[0])

    def put(self, operands: Sequence[Any]) -> None:
        self.line = _matrix(operands)

    def move(self, operands: Sequence[Any]) -> None:
        x, y = map(float, operands)
        self.line = self.line.then(Matrix(e=x, f=y))

    def move_and_lead(self, operands: Sequence[Any]) -> None:
        self.leading = -float(operands[1])
        self.move(operands)

    def next_line(self, _: Sequence[Any]) -> None:
        self.line = self.line.then(Matrix(f=-self.leading))


_STEPS: Final = {
    "q": _TextState.save,
    "Q": _TextState.restore,
    "cm": _TextState.concatenate,
    "BT": _TextState.begin,
    "Tf": _TextState.choose,
    "TL": _TextState.lead,
    "Tm": _TextState.put,
    "Td": _TextState.move,
    "TD": _TextState.move_and_lead,
    "T*": _TextState.next_line,
    "'": _TextState.next_line,
    '"': _TextState.next_line,
}


def _joined(operand: Any) -> bytes:
    parts = operand if isinstance(operand, Array) else [operand]
    return b"".join(bytes(part) for part in parts if isinstance(part, String))


def _matrix(operands: Sequence[Any]) -> Matrix:
    return Matrix(*(float(value) for value in operands))


def _from_hex(digits: bytes) -> bytes:
    together = b"".join(digits.split()).decode()
    return bytes.fromhex(together + "0" * (len(together) % 2))


def _unescaped(literal: bytes) -> bytes:
    """The bytes of a string as it is written in brackets (PDF 1.7, 7.3.4.2)."""
    if b"\\" not in literal:
        return literal
    if _UNLIKE_PYTHON.search(literal):
        return _ESCAPE.sub(_letter, literal)
    # Many times as fast: all escapes but those of brackets are Python's too.
    plain = literal.replace(b"\\(", b"\\050").replace(b"\\)", b"\\051")
    return plain.decode("unicode_escape").encode("latin-1")


def _letter(escape: re.Match[bytes]) -> bytes:
    octal, other = escape.groups()
    if octal:
        return bytes((int(octal, 8) & 0xFF,))
    return _LETTERS.get(other, other or b"")
