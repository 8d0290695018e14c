"""PDF resources in, the same resources out with each equal object there only once.

The faces of a file come from several PDFs, and each brings its own copy of pictures, fonts and
colour profiles. What has the same bytes is replaced by the first of its kind."""

from __future__ import annotations

import hashlib
from typing import Final

from pikepdf import Array, Dictionary, Name, Object, Stream

_SHARED: Final = ("/Font", "/ColorSpace")
_UNTOLD: Final = frozenset(("/Length", "/Parent"))
_UNTOLD_OF_PROFILES: Final = _UNTOLD | {"/Filter", "/Range", "/Alternate"}


class Pool:
    """All that one file holds so far, by content."""

    def __init__(self) -> None:
        self._first: dict[bytes, Object] = {}
        self._prints: dict[tuple[int, int], bytes] = {}
        self._done: set[tuple[int, int]] = set()

    def share(self, resources: Object) -> None:
        """Replace, in a resource dictionary and those of the forms in it, what is already here."""
        for category in _SHARED:
            if category in resources:
                self._share_entries(resources[category])
        for name, drawn in dict(resources.get("/XObject", {})).items():
            if drawn.get("/Subtype") == Name.Image:
                self._share_entry(resources.XObject, name, drawn)
            elif drawn.objgen not in self._done:
                self._done.add(drawn.objgen)
                if "/Resources" in drawn:
                    self.share(drawn.Resources)

    def _share_entries(self, entries: Object) -> None:
        for name, value in dict(entries).items():
            self._share_entry(entries, name, value)

    def _share_entry(self, entries: Object, name: str, value: Object) -> None:
        if not isinstance(value, Object) or not value.is_indirect:
            return
        first = self._first.setdefault(self._fingerprint(value), value)
        if first.objgen != value.objgen:
            entries[name] = first

    def _fingerprint(self, value: Object) -> bytes:
        """A digest of all that an object holds, whatever the numbers of the objects in it."""
        if not isinstance(value, Object) or not value.is_indirect:
            return self._digest(value)
        if value.objgen not in self._prints:
            self._prints[value.objgen] = self._digest(value)
        return self._prints[value.objgen]

    def _digest(self, value: Object) -> bytes:
        digest = hashlib.sha256()
        left_out = _UNTOLD
        if isinstance(value, Stream) and "/N" in value:  # a colour profile, packed or not
            digest.update(b"profile" + value.read_bytes())
            left_out = _UNTOLD_OF_PROFILES
        elif isinstance(value, Stream):
            digest.update(b"stream" + value.read_raw_bytes())
        if isinstance(value, Stream | Dictionary):
            for key in sorted(value.keys()):
                if key not in left_out:
                    digest.update(key.encode() + self._fingerprint(value[key]))
        elif isinstance(value, Array):
            for item in value.as_list():
                digest.update(self._fingerprint(item))
        else:
            digest.update(repr(value).encode())
        return digest.digest()
