"""A form in a PDF in, a digest of all that decides how it looks out.

Files of one build hold the same faces: what was seen of one in the first holds in the others.
"""

from __future__ import annotations

import hashlib
from typing import Any

from pikepdf import Array, Dictionary, Object, Stream

_ASIDE = frozenset(("/Parent", "/Length", "/StructParent", "/StructParents", "/OC"))
"""Entries that lead out of the form, or say nothing of its look."""


class Fingerprints:
    """Takes those of one file; what many forms share is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bytes] = {}

    def of(self, form: Object) -> str:
        """Equal for forms that draw the same with the same fonts and pictures."""
        return self._digest(form).hex()

    def _digest(self, thing: Any) -> bytes:
        if not isinstance(thing, Object | Stream | Dictionary | Array) or not thing.is_indirect:
            return self._written(thing)
        known = self._known.get(thing.objgen)
        if known is None:
            self._known[thing.objgen] = b"around"  # what leads back to itself
            known = self._known[thing.objgen] = self._written(thing)
        return known

    def _written(self, thing: Any) -> bytes:
        found = hashlib.blake2b(digest_size=16)
        if isinstance(thing, Stream):
            found.update(thing.read_raw_bytes())
        if isinstance(thing, Stream | Dictionary):
            for key, value in sorted(thing.items()):
                if key not in _ASIDE:
                    found.update(key.encode() + self._digest(value))
        elif isinstance(thing, Array):
            for value in thing:
                found.update(self._digest(value))
        else:
            found.update(repr(thing).encode())
        return found.digest()
