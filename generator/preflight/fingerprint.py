"""Objects of a PDF in, a digest of each with all that it leads to out.

Files of one build hold the same faces, whatever their numbers: what was seen of one in the first
holds in the others. A digest is made of the bytes that are in the file; what the file says of
itself, such as names that are digests, is not taken at its word.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from pikepdf import Dictionary, Object, Pdf, Stream

_TOKENS: Final = re.compile(rb"\((?:[^()\\]|\\.)*+\)?|/Parent \d+ \d+ R\b|\b(\d+) (\d+) R\b", re.S)
"""Texts, in which nothing is a reference; what leads back to the page; references."""
_LAYERED: Final = re.compile(rb"/OC\b")


class _Known:
    """What is known of an object: its digest, and whether it is the same thing in any file."""

    __slots__ = ("alone", "digest")

    def __init__(self, digest: bytes, alone: bool) -> None:
        self.digest = digest
        self.alone = alone


class Fingerprints:
    """Takes those of one file; what many objects share is read once."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._known: dict[tuple[int, int], _Known | None] = {}

    def of(self, number: tuple[int, int]) -> str:
        """Equal for objects that are the same with all that they lead to, in whatever file."""
        return self._look(number).digest.hex()

    def stands_alone(self, number: tuple[int, int]) -> bool:
        """True for what looks the same wherever it is drawn: no layer of the file switches a part
        of it off, nothing in it leads back to itself, and its resources are its own."""
        return self._look(number).alone

    def _look(self, number: tuple[int, int]) -> _Known:
        if number not in self._known:
            self._known[number] = None
            self._known[number] = self._read(number)
        known = self._known[number]
        # What leads back to itself has no digest of its own: its number in this file must do.
        return known or _Known(b"around %d %d" % number, alone=False)

    def _read(self, number: tuple[int, int]) -> _Known:
        thing = self._pdf.get_object(number)
        written = _written(thing)
        found, alone, end = hashlib.blake2b(digest_size=32), not _leans(written), 0
        for token in _TOKENS.finditer(written):
            if token[1]:
                inner = self._look((int(token[1]), int(token[2])))
                found.update(written[end : token.start()] + inner.digest)
                alone = alone and inner.alone
            elif token[0].startswith(b"/Parent"):
                found.update(written[end : token.start()])
            else:
                continue
            end = token.end()
        found.update(written[end:])
        if isinstance(thing, Stream):
            found.update(b"stream")
            found.update(thing.read_raw_bytes())
        return _Known(found.digest(), alone)


def _leans(written: bytes) -> bool:
    """True for what is on a layer, or takes its resources from what draws it."""
    if _LAYERED.search(written):
        return True
    draws = b"/Subtype /Form" in written or b"/Subtype /Type3" in written
    return draws and b"/Resources" not in written


def _written(thing: Object) -> bytes:
    """An object as PDF has it, what it refers to by numbers."""
    if isinstance(thing, Stream):
        entries = thing.stream_dict
        assert isinstance(entries, Dictionary)
        return entries.unparse(resolved=True)
    return thing.unparse(resolved=True)
