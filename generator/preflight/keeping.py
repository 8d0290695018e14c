"""What was found before in a file, on a page or on a face: found again where the bytes that were
read back, and what they are compared with, are the same.

No name and no date counts, nor what wrote the file: so what is kept is still what a check of this
very file says.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.preflight.faces import Look, SeenFace

T = TypeVar("T")


def _plain(value: Any) -> str:
    """A path as text."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_plain)


class Shelf(Generic[T]):
    """Values of one type in a cache. What each was made from, which is any frozen values, is its
    name."""

    def __init__(self, cache: Cache, sort: Sort, kind: Any) -> None:
        self._cache = cache
        self._sort = sort
        self._name = kind.__name__
        self._decoder = msgspec.msgpack.Decoder(kind, dec_hook=lambda to, value: to(value))

    def get(self, *made_from: object) -> T | None:
        """What was put there; None where nothing was."""
        key = _ENCODER.encode(made_from)
        found: T | None = self._cache.read(self._decoder.decode, self._sort, self._name, key)
        return found

    def put(self, value: T, *made_from: object) -> None:
        """Keep a value; not one with half a letter in it, of some odd font, which is no text."""
        with suppress(UnicodeEncodeError):
            content, key = _ENCODER.encode(value), _ENCODER.encode(made_from)
            self._cache.put(self._sort, content, self._name, key)


class Key(NamedTuple):
    """All that hangs on what is seen of a face: a digest of all that is in its form, and the look
    at it."""

    digest: str
    look: Look

    def __hash__(self) -> int:
        # a face has few looks, and each has many texts
        return hash(self.digest)


KnownFaces = MutableMapping[Key, SeenFace]
"""Faces that were looked at before, in other files of a build or in other builds."""


class KeptFaces(KnownFaces):
    """Faces that are known, and those that are kept in a cache."""

    def __init__(self, known: KnownFaces, cache: Cache = NOTHING_KEPT) -> None:
        self._known = known
        self._absent = set[Key]()
        self._shelf: Shelf[SeenFace] = Shelf(cache, Sort.SEEN, SeenFace)

    def __getitem__(self, key: Key) -> SeenFace:
        known = self._known.get(key)
        if known is not None:
            return known
        kept = None if key in self._absent else self._shelf.get(*key)
        if kept is None:
            self._absent.add(key)
            raise KeyError(key)
        self._known[key] = kept
        return kept

    def __setitem__(self, key: Key, seen: SeenFace) -> None:
        self._known[key] = seen
        self._shelf.put(seen, *key)

    def __delitem__(self, key: Key) -> None:
        del self._known[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
