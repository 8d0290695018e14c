"""Faces that were drawn before: found again where they are the ones that would be drawn now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Cache, Sort
from generator.diagnostics import Severity, Span
from generator.fonts import FontLibrary
from generator.model.face import Art, Asset, Face, Layer
from generator.model.pack import Component, Pack, SourceText
from generator.render.face_builder import FaceDiagnostic
from generator.render.reads import Reads, Watch
from generator.sandbox import Purse

T = TypeVar("T")

_NOWHERE: Final = Path()


class Kept(Struct, frozen=True):
    """A face without the files of its pictures, which may lie elsewhere by now; where its component
    was written, its pictures by name, and what its template spent (steps and characters) of what
    all of a pack may."""

    face: Face
    findings: tuple[FaceDiagnostic, ...]
    base: Span
    pictures: tuple[str, ...]
    spent: tuple[int, int]


def _plain(value: Any) -> str:
    """A path as text."""
    return str(value)


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_plain)
_DECODER: Final = msgspec.msgpack.Decoder(Kept, dec_hook=lambda kind, value: kind(value))
_PARTED: Final = msgspec.msgpack.Decoder(tuple[bytes, bytes])


class _KeptFace:
    """What is kept of a face; the face itself is decoded when it turns out to be the one."""

    def __init__(self, content: bytes) -> None:
        reads, self._rest = _PARTED.decode(content)
        self.reads = Reads.unpacked(reads)

    @cached_property
    def kept(self) -> Kept:
        found: Kept = _DECODER.decode(self._rest)
        return found


class Keeper:
    """Looks faces up in a cache and puts them there. `common` is what all faces of a pack follow
    from, whatever they read; `asset` finds the file of a picture by its name.

    Most faces are the same for any number of `players`. Those that are not come to have an entry
    for each number as well, so that one does not push out the other."""

    def __init__(
        self,
        cache: Cache,
        watch: Watch,
        purse: Purse,
        common: Iterable[bytes | str],
        players: int | None,
        asset: Callable[[str, Span], Asset],
    ) -> None:
        self._cache = cache
        self._watch = watch
        self._purse = purse
        self._common = tuple(common)
        self._for = ("", str(players))
        self._asset = asset

    def find(self, component: Component, side: str, template: str) -> Kept | None:
        """The face of a component as it would be drawn; None where it has to be."""
        for players in self._for:
            key = self._key(component, side, template, players)
            entry = self._cache.read(_KeptFace, Sort.FACES, *key)
            if entry is None:
                return None
            if self._watch.still_hold(entry.reads, component.span):
                return self._whole(entry.kept, component)
        return None

    def _whole(self, kept: Kept, component: Component) -> Kept | None:
        """What was kept for a component, with the files of its pictures, as drawn where that is
        written now."""
        assets = {}
        for name in kept.pictures:
            asset = self._asset(name, component.span)
            assets[asset.href] = asset
        if any(asset.href not in assets for asset in kept.face.assets):
            return None
        self._purse.steps -= kept.spent[0]
        self._purse.characters -= kept.spent[1]
        kept = at_new_place(kept, kept.base, component.span)
        return replace(kept, face=_with_assets(kept.face, assets)) if assets else kept

    def keep(
        self, component: Component, side: str, template: str, kept: Kept, log: set[int]
    ) -> None:
        """Keep a face that has no error, with what it read."""
        if not self._cache.keeps or any(
            found.diagnostic.severity is Severity.ERROR for found in kept.findings
        ):
            return
        reads = self._watch.reads(log, component.span)
        if reads is None:
            return
        bare = {asset.href: replace(asset, path=_NOWHERE) for asset in kept.face.assets}
        kept = replace(kept, face=_with_assets(kept.face, bare))
        with suppress(UnicodeEncodeError):  # it names a file whose name is no text
            content = _ENCODER.encode((reads.packed(), _ENCODER.encode(kept)))
            shared, own = (self._key(component, side, template, players) for players in self._for)
            if self._cache.get(Sort.FACES, *shared) is not None:
                self._cache.put(Sort.FACES, content, *own)
            self._cache.put(Sort.FACES, content, *shared)

    def _key(
        self, component: Component, side: str, template: str, players: str
    ) -> tuple[bytes | str, ...]:
        stock = _ENCODER.encode(component.stock)
        return (*self._common, players, component.kind, component.id, side, template, stock)


def common(
    pack: Pack, ink: str, instead: Mapping[str, Any], fonts: FontLibrary
) -> tuple[bytes | str, ...]:
    """What all faces of a pack follow from. Its name is there so that what is drawn for one does
    not push out what is drawn for another."""
    printed = repr((ink, instead, pack.guests)).encode("utf-8", "surrogatepass")
    return pack.name, pack.language, printed, fonts.fingerprint()


def _with_assets(face: Face, assets: Mapping[str, Asset]) -> Face:
    """The face, its pictures in other files."""
    layers: list[Layer] = []
    for layer in face.layers:
        if isinstance(layer, Art) and layer.assets:
            found = tuple(assets[asset.href] for asset in layer.assets)
            layers.append(replace(layer, assets=found))
        else:
            layers.append(layer)
    return replace(face, layers=tuple(layers))


def at_new_place(value: T, old: Span, new: Span) -> T:
    """What was made for a component that was written at `old`, as it is for one at `new`: places in
    its file go along. That is right where reads hold, which tell such places by their distance."""
    return value if old == new else _moved(value, old, new)


def _moved(value: Any, old: Span, new: Span) -> Any:
    def each(parts: Iterable[Any]) -> Iterator[Any]:
        return (_moved(part, old, new) for part in parts)

    if isinstance(value, Span) and value.file == old.file:
        value = replace(value, file=new.file, line=value.line + new.line - old.line)
    elif isinstance(value, SourceText):
        value = SourceText(str(value), _moved(value.span, old, new), value.rich)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        value = type(value)(*each(value))
    elif isinstance(value, (tuple, list)):
        value = type(value)(each(value))
    elif isinstance(value, dict):
        value = dict(zip(value, each(value.values()), strict=True))
    elif isinstance(value, Struct) and not isinstance(value, Span):
        names = value.__struct_fields__
        values = each(getattr(value, name) for name in names)
        value = replace(value, **dict(zip(names, values, strict=True)))
    return value
