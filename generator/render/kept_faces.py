"""Keeps drawn faces in the cache, and finds them again while what they depend on is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Cache, Sort
from generator.diagnostics import Severity, Span
from generator.fonts import FontLibrary
from generator.model.face import Asset, Face
from generator.model.pack import Component, Pack
from generator.render.dependencies import Dependency, Moves, Place, Tracker
from generator.render.face_builder import FaceDiagnostic

_NOWHERE: Final = Path()


class KeptFace(Struct, frozen=True):
    """A face, its findings and the names of its pictures."""

    face: Face
    findings: tuple[FaceDiagnostic, ...]
    pictures: tuple[str, ...]


def _plain(value: Any) -> str:
    return str(value)


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_plain)
_DECODER: Final = msgspec.msgpack.Decoder(KeptFace, dec_hook=lambda kind, value: kind(value))
_PARTED: Final = msgspec.msgpack.Decoder(tuple[tuple[Dependency, ...], bytes])


class _Entry:
    """An entry of the cache. The face is decoded only if its dependencies still hold."""

    def __init__(self, content: bytes) -> None:
        self.dependencies, self._rest = _PARTED.decode(content)

    @cached_property
    def kept(self) -> KeptFace:
        found: KeptFace = _DECODER.decode(self._rest)
        return found


class FaceStore:
    """Faces in a cache. `common` is what all faces of a pack depend on; `asset` finds the file of a
    picture by its name.

    Most faces are the same for any number of `players`. Those that are not get an entry for each
    number as well, so that one does not push out the other.
    """

    def __init__(
        self,
        cache: Cache,
        tracker: Tracker,
        common: Iterable[bytes | str],
        players: int | None,
        asset: Callable[[str, Span], Asset],
    ) -> None:
        self._cache = cache
        self._tracker = tracker
        self._common = tuple(common)
        self._for = ("", str(players))
        self._asset = asset

    def find(self, component: Component, side: str, template: str) -> KeptFace | None:
        """Return a face as it would be drawn; None if it must be drawn."""
        for players in self._for:
            key = self._key(component, side, template, players)
            entry = self._cache.read(_Entry, Sort.FACES, *key)
            if entry is None:
                return None
            moves = self._tracker.still_hold(entry.dependencies)
            if moves is not None:
                return self._whole(entry.kept, component, moves)
        return None

    def _whole(self, kept: KeptFace, component: Component, moves: Moves) -> KeptFace | None:
        """Return a face with the files of its pictures, its texts where they are written now."""
        assets = {}
        for name in kept.pictures:
            asset = self._asset(name, component.span)
            assets[asset.href] = asset
        if any(asset.href not in assets for asset in kept.face.assets):
            return None
        drawn_at = kept.face.span
        if drawn_at.file != component.span.file:
            return None
        moves = moves.also(drawn_at, component.span)
        if not moves.is_none:
            kept = moved_face(kept, moves)
        return replace(kept, face=_with_assets(kept.face, assets)) if assets else kept

    def keep(
        self, component: Component, side: str, template: str, kept: KeptFace, log: set[Place]
    ) -> None:
        """Keep a face without errors; `log` is what it looked into."""
        if not self._cache.keeps or any(
            found.diagnostic.severity is Severity.ERROR for found in kept.findings
        ):
            return
        dependencies = self._tracker.dependencies(log)
        if dependencies is None:
            return
        bare = {asset.href: replace(asset, path=_NOWHERE) for asset in kept.face.assets}
        kept = replace(kept, face=_with_assets(kept.face, bare))
        with suppress(UnicodeEncodeError):  # it names a file whose name is no text
            content = _ENCODER.encode((dependencies, _ENCODER.encode(kept)))
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
    pack: Pack, how: object, instead: Mapping[str, Any], fonts: FontLibrary
) -> tuple[bytes | str, ...]:
    """Return what all faces of a pack depend on: `how` they are drawn, the colours that are printed
    `instead`, the fonts. The pack's name keeps its faces apart from those of others."""
    ways = tuple((name, kind.draft, kind.mirrors) for name, kind in pack.kinds.items())
    printed = repr((how, instead, pack.guests, ways)).encode("utf-8", "surrogatepass")
    return pack.name, pack.language, printed, fonts.fingerprint()


def _with_assets(face: Face, assets: Mapping[str, Asset]) -> Face:
    drawing = face.drawing
    own = tuple(assets[asset.href] for asset in drawing.assets)
    engine = tuple(
        replace(art, assets=tuple(assets[asset.href] for asset in art.assets))
        for art in drawing.engine
    )
    return replace(face, drawing=replace(drawing, assets=own, engine=engine))


def moved_face(kept: KeptFace, moves: Moves) -> KeptFace:
    """Return a face with its texts where they are written now."""
    boxes = (
        replace(box, span=moves.moved(box.span), call=box.call and moves.moved(box.call))
        for box in kept.face.text_boxes
    )
    pictures = (
        replace(
            one, span=one.span and moves.moved(one.span), call=one.call and moves.moved(one.call)
        )
        for one in kept.face.pictures
    )
    placed = (replace(box, span=moves.moved(box.span)) for box in kept.face.placed)
    span = moves.moved(kept.face.span)
    findings = (
        replace(
            found,
            diagnostic=replace(found.diagnostic, span=moves.moved(found.diagnostic.span)),
            template=found.template and moves.moved(found.template),
        )
        for found in kept.findings
    )
    face = replace(
        kept.face,
        span=span,
        text_boxes=tuple(boxes),
        placed=tuple(placed),
        pictures=tuple(pictures),
    )
    return replace(kept, face=face, findings=tuple(findings))
