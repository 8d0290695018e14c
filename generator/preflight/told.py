"""A manifest as somebody sent it in; values of the type and size that are asked for out.

Whatever else stands in their place is told with its path in the JSON. This is the one place where a
manifest is taken at its word, so nothing after it meets a number that is none, a size of 0 or a
text that does something to a terminal.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
from collections.abc import Iterator
from enum import StrEnum
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, TypeVar

from generator.handles import is_link

_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def opened_plain(path: Path, *, named: bool = True) -> BufferedReader:
    """An ordinary file: a pipe or a device, which may keep a reader waiting for ever or never come
    to an end, is refused, and a link too unless the user has `named` it. Raises OSError."""
    try:
        if not named and is_link(os.lstat(path)):
            raise OSError(errno.ELOOP, "it is a link; name the file that you mean with --manifest")
        handle = os.open(path, _READ if named else _READ | _NO_LINK)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, "no file can have such a name") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        reason = os.strerror(code) if stat.S_ISDIR(mode) else "it is no ordinary file"
        raise OSError(code, reason)
    return os.fdopen(handle, "rb")


MOST_BYTES: Final = 20_000_000
"""Of a manifest: of 15,000 pieces; read, it takes up to 25 times as much memory."""
_NAMES: Final = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
    type(None): "null",
}
_DISTURBING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""What moves a terminal's cursor, turns the direction of what comes after, or is half a letter."""
_PLAIN: Final = frozenset((int, float))
_LONGEST: Final = 60
"""Letters of a key or a value that a message shows."""

E = TypeVar("E", bound=StrEnum)


class OddError(Exception):
    """Something else than was asked for: where in the JSON, and what."""


def legible(text: str) -> str:
    """The text with a replacement character for all that disturbs a terminal or cannot be written
    to a file."""
    return text if text.isprintable() else _DISTURBING.sub("\ufffd", text)


def parsed(content: bytes) -> Told:
    """The whole manifest. Raises OddError for what is no JSON in UTF-8, is nested too deep, has a
    key twice in one object or a number that is none."""
    try:
        value = json.loads(
            content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused
        )
    except UnicodeDecodeError as error:
        raise OddError(f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise OddError(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise OddError("it is nested too deep") from error
    except ValueError as error:
        raise OddError("it has a number of thousands of digits") from error
    return Told(value)


class Told:
    """A value in the JSON and the way to it."""

    __slots__ = ("_outer", "_step", "value")

    def __init__(self, value: Any, outer: Told | None = None, step: str | int = "") -> None:
        self.value = value
        self._outer = outer
        self._step = step

    def __getitem__(self, key: str) -> Told:
        """What an object has under a key that must be there."""
        found = self._object()
        if key not in found:
            raise self.odd(f"has no {key!r}")
        return Told(found[key], self, key)

    def get(self, key: str) -> Told | None:
        """What an object has under a key; None when it has none, or null."""
        value = self._object().get(key)
        return None if value is None else Told(value, self, key)

    def entries(self, most: int) -> Iterator[tuple[str, Told]]:
        """The keys of an object, of which there may be so many, and what is there."""
        found = self._object()
        self._count(len(found), most)
        return ((legible(key), Told(value, self, key)) for key, value in found.items())

    def each(self, most: int, least: int = 0) -> list[Told]:
        """The items of a list that may have so many, and must have so many."""
        if not isinstance(self.value, list):
            raise self._is_not("a list")
        self._count(len(self.value), most)
        if len(self.value) < least:
            raise self.odd(f"has {len(self.value)} items, not {least}")
        return [Told(value, self, index) for index, value in enumerate(self.value)]

    def number(self, least: float, most: float) -> float:
        """A number from the one to the other; a whole one is a number too."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._is_not("a number")
        if not least <= value <= most or not math.isfinite(value):
            raise self.odd(f"is {self._seen()}, not from {least:g} to {most:g}")
        return float(value)

    def numbers(self, count: int, least: float, most: float) -> list[float]:
        """A list of so many numbers from the one to the other."""
        found = self.value
        plain = type(found) is list and _PLAIN.issuperset(map(type, found)) and len(found) == count
        if plain and all(least <= number <= most for number in found):  # most often: no more to see
            return list(map(float, found))
        return [number.number(least, most) for number in self.each(count, count)]

    def whole(self, least: int, most: int) -> int:
        """A whole number from the one to the other."""
        value = self.number(least, most)
        if value != int(value):
            raise self.odd(f"is {value:g}, which is not whole")
        return int(value)

    def text(self) -> str:
        """A text, legible."""
        if not isinstance(self.value, str):
            raise self._is_not("a text")
        return legible(self.value)

    def lines(self) -> str:
        """A text that may have several lines, each legible."""
        if not isinstance(self.value, str):
            raise self._is_not("a text")
        return "\n".join(map(legible, self.value.split("\n")))

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self._is_not("true or false")
        return self.value

    def choice(self, kind: type[E]) -> E:
        """One of the words that an enumeration has."""
        words = [str(word) for word in kind]
        if self.text() not in words:
            raise self.odd(f"is {self._seen()}, not one of {', '.join(words)}")
        return kind(self.value)

    def odd(self, what: str) -> OddError:
        """The error that says so of this value, with the path to it."""
        return OddError(f"{self._path() or 'the manifest'} {what}")

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self._is_not("an object")
        return self.value

    def _count(self, count: int, most: int) -> None:
        if count > most:
            raise self.odd(f"has {count:,} entries; the most that is read is {most:,}")

    def _is_not(self, what: str) -> OddError:
        return self.odd(f"is {_NAMES[type(self.value)]}, not {what}")

    def _seen(self) -> str:
        if isinstance(self.value, str):
            return repr(_shortened(self.value))
        try:
            return f"{self.value:g}"
        except OverflowError:
            return "a number of hundreds of digits"

    def _path(self) -> str:
        steps: list[str] = []
        at: Told | None = self
        while at is not None and at._outer is not None:
            step = at._step
            steps.append(f"[{step}]" if isinstance(step, int) else f".{_shortened(step)}")
            at = at._outer
        return "".join(reversed(steps)).removeprefix(".")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise OddError(f"the key {_shortened(key)!r} stands twice in one object")
            seen.add(key)
    return found


def _refused(constant: str) -> Any:
    raise OddError(f"{constant} is no number")


def _shortened(text: str) -> str:
    return legible(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
