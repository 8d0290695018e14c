"""PDF operators of a face, packed, with a digest to check the finished file."""

from __future__ import annotations

import hashlib
import zlib
from typing import Final

from msgspec import Struct

_DIGEST_BYTES: Final = 16
_LEVEL: Final = 6


class Operators(Struct, frozen=True):
    """Operators packed with zlib; `digest` is that of what is packed."""

    packed: bytes
    digest: str

    @property
    def plain(self) -> bytes:
        """Unpack them."""
        return zlib.decompress(self.packed)


def pack(content: bytes) -> Operators:
    """Return operators packed, with their digest."""
    return Operators(zlib.compress(content, _LEVEL), digest_of(content))


def digest_of(*content: bytes) -> str:
    """Return the digest of some bytes, as `WrittenFile` has it."""
    found = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in content:
        found.update(part)
    return found.hexdigest()
