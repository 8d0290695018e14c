"""Writes PDF files object by object (ISO 32000-1, 7.5)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import BinaryIO, Final

from generator.pdf_syntax import Entries, dictionary

_HEADER: Final = b"%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n"
_PACKED: Final = "/FlateDecode"


class PdfFile:
    """A PDF in the making. Objects have numbers from 1, which can be reserved before the object is
    made."""

    def __init__(self) -> None:
        self._objects: list[bytes | None] = []

    def reserve(self) -> int:
        """Return the number of an object that is added later."""
        self._objects.append(None)
        return len(self._objects)

    def put(self, number: int, content: bytes) -> int:
        """Add an object under its reserved number."""
        self._objects[number - 1] = content
        return number

    def add(self, content: bytes) -> int:
        """Add an object; return its number."""
        return self.put(self.reserve(), content)

    def stream(
        self,
        entries: Mapping[str, bytes | str | float],
        data: bytes,
        *,
        packed: bool = True,
        number: int | None = None,
    ) -> int:
        """Add a stream with these dictionary entries; `packed` means that zlib packed the data."""
        given: Entries = dict(entries)
        if packed:
            given["Filter"] = _PACKED
        given["Length"] = len(data)
        content = b"%s\nstream\n%s\nendstream" % (dictionary(given), data)
        return self.add(content) if number is None else self.put(number, content)

    def write(
        self, file: BinaryIO, root: int, info: int | None = None, version: str = "1.7"
    ) -> None:
        """Write the file. Raises OSError."""
        digest = hashlib.sha256()
        places: list[int] = []
        at = file.write(_HEADER % version.encode())
        for number, content in enumerate(self._objects, 1):
            assert content is not None, f"object {number} was reserved and not made"
            places.append(at)
            digest.update(content)
            at += file.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
        file.writelines(b"%010d 00000 n \n" % place for place in places)
        name = digest.hexdigest()[:32].encode()
        trailer: Entries = {
            "Size": len(places) + 1,
            "Root": reference(root),
            "ID": b"[<%s> <%s>]" % (name, name),
        }
        if info is not None:
            trailer["Info"] = reference(info)
        file.write(b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (dictionary(trailer), at))


def reference(number: int) -> bytes:
    """Return a reference to an object."""
    return b"%d 0 R" % number


def named_references(numbers: Mapping[str, int]) -> bytes:
    """Return a dictionary of objects by their names."""
    return dictionary({name: reference(number) for name, number in numbers.items()})
