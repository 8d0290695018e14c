"""Answers the page's questions about a pack, from its last check."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from generator import guests
from generator.assets import assets_of
from generator.build import FaceName, FaceUpdate, PackCheck
from generator.diagnostics import Diagnostic
from generator.project import Project
from generator.studio.face_parts import FacePart, FaceParts, face_parts
from generator.studio.file_places import FilePlaces
from generator.studio.layout_view import LayoutView, layout_view
from generator.studio.messages import FaceKey
from generator.studio.model_view import pack_model
from generator.studio.page_model import PackModel
from generator.studio.typed_rows import TypedRow, typed_rows
from generator.studio.view import (
    FacesShown,
    FaceView,
    FindingView,
    blank_view,
    face_key,
    face_view,
    finding_view,
)
from generator.studio.written_components import WrittenComponents

_MOST_FACES: Final = 12
"""Faces searched for a value that is no text."""


class Answers:
    """The last check of a pack, as the page sees it."""

    def __init__(self) -> None:
        self._files = FilePlaces()
        self._check = PackCheck(())
        self._written: WrittenComponents | None = None
        self._faces = FacesShown()

    def look_at(self, check: PackCheck, project: Project) -> None:
        """Take a check from now on; `project` has the unsaved texts."""
        self._files.look_at(project)
        self._check = check
        self._faces.keep(check.faces)
        self._written = WrittenComponents(check.source, self._files) if check.source else None

    def model(self) -> PackModel | None:
        """Return the model of the pack, None if there never was a sound one."""
        return pack_model(self._check, self._written, self._files) if self._written else None

    def shown(self, update: FaceUpdate) -> FaceView | None:
        """Take a face as it is now, for findings; return its view. One that cannot be drawn stands
        as it was, and is blank if it never was drawn."""
        before = self._faces.face(update.name)
        self._faces.show(update)
        if update.face is not None:
            is_stale = update.name in self._check.stale
            state = "stale" if is_stale else "fresh" if update.face.whole else "faulty"
            return face_view(update.face, state)
        return self._blank(update.name) if before is None else face_view(before, "faulty")

    def standing(self) -> dict[FaceKey, FaceView]:
        """Return the faces of components with errors, as they last were or blank."""
        if self._written is None or self._check.opened is None:
            return {}
        last = ((name, self._faces.face(name)) for name in self._check.stale)
        stale = {face_key(name): face_view(face, "stale") for name, face in last if face}
        pack = self._check.opened.pack
        unsound = (
            FaceName(one.kind, one.id, side)
            for one in self._written.unsound(pack)
            for side in pack.kinds[one.kind].faces
        )
        return stale | {face_key(n): view for n in unsound if (view := self._blank(n))}

    def _blank(self, name: FaceName) -> FaceView | None:
        """Return a face without a picture; None if its kind has no size."""
        opened = self._check.opened
        kind = None if opened is None else opened.pack.kinds.get(name.kind)
        return None if kind is None or kind.stock is None else blank_view(name, kind.stock)

    def finding(self, found: Diagnostic) -> FindingView:
        """Return a finding."""
        told = finding_view(found, self._written, self._files, self._faces)
        if told.rects or told.path is None:
            return told
        # Values that are no texts, such as numbers, do not know where they show.
        field = told.kind, told.id, told.path
        rects = (
            (key, part.rect)
            for key in told.faces[:_MOST_FACES]
            for part in self._parts(key)
            if part.field == field
        )
        return replace(told, rects=tuple(rects))

    def _parts(self, key: FaceKey) -> tuple[FacePart, ...]:
        parts = self.parts(key)
        return () if parts is None else (*parts.texts, *parts.pictures)

    def parts(self, key: FaceKey) -> FaceParts | None:
        """Return what one can click on a face; None for a face that was never drawn."""
        name = keyed(self._check.faces).get(key)
        face = None if name is None else self._faces.face(name)
        if face is None or self._written is None or self._check.opened is None:
            return None
        return face_parts(face, self._check.opened.pack, self._written, self._files)

    def layout(self, file: str, key: FaceKey, number: int) -> LayoutView | None:
        """Return the boxes of a face file as they are on a face, as of an edit's number; None for a
        file that is no face file of the pack."""
        if self._check.source is None:
            return None
        name = keyed(self._check.faces).get(key)
        face = None if name is None else self._faces.face(name)
        return layout_view(file, face, self._check.source, self._files, number)

    def rows(self, kind: str) -> list[TypedRow]:
        """Return the components of a kind as they are typed."""
        return typed_rows(self._written, kind, self._files) if self._written else []

    def judgements(self, kind: str, id_: str) -> tuple[guests.Judgement, ...]:
        """Return the judgements of guests on a component of a sound pack."""
        opened = self._check.opened
        if opened is None or not self._check.ok:
            return ()
        pack = opened.pack
        found = (one for one in pack.components.get(kind, ()) if one.id == id_)
        component = next(found, None)
        return guests.judgements(pack.guests, component, pack) if component else ()

    def icon(self, name: str) -> Path | None:
        """Return the file of an icon, or None."""
        opened = self._check.opened
        if opened is None:
            return None
        pack = opened.pack
        return assets_of(self._files.project, pack.name, pack.requires).icons().get(name)


def keyed(names: tuple[FaceName, ...]) -> Mapping[FaceKey, FaceName]:
    """Return names of faces by those on the wire."""
    return {face_key(name): name for name in names}
