"""What the process of the session tells of a pack as it was last checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.assets import assets_of
from generator.build import FaceName, PackCheck
from generator.diagnostics import Diagnostic
from generator.model.face import Face
from generator.project import Project
from generator.studio import first_views as view
from generator.studio.file_places import FilePlaces
from generator.studio.messages import FaceKey
from generator.studio.model_view import pack_model
from generator.studio.page_model import PackModel
from generator.studio.typed_rows import TypedRow, typed_rows
from generator.studio.written_components import WrittenComponents


class Answers:
    """The last check of a pack, as the page is told of it."""

    def __init__(self) -> None:
        self._files = FilePlaces()
        self._check = PackCheck(())
        self._written: WrittenComponents | None = None

    def look_at(self, check: PackCheck, project: Project) -> None:
        """Take a check from now on; `project` has the unsaved texts."""
        self._files.look_at(project)
        self._check = check
        self._written = WrittenComponents(check.source, self._files) if check.source else None

    def model(self) -> PackModel | None:
        """Return the model of the pack, None if there never was a sound one."""
        return pack_model(self._check, self._written, self._files) if self._written else None

    def finding(self, found: Diagnostic) -> Any:
        """Return a finding."""
        return view.finding(found)

    def face(self, face: Face, state: str) -> Any:
        """Return a face."""
        return view.face_view(face, state)

    def rows(self, kind: str) -> list[TypedRow]:
        """Return the components of a kind as they are typed."""
        return typed_rows(self._written, kind, self._files) if self._written else []

    def icon(self, name: str) -> Path | None:
        """Return the file of an icon; None if there is none of this name."""
        opened = self._check.opened
        if opened is None:
            return None
        pack = opened.pack
        return assets_of(self._files.project, pack.name, pack.requires).icons().get(name)


def key_of(name: FaceName) -> FaceKey:
    """Return the name of a face on the wire."""
    return "/".join(name)


def keyed(names: tuple[FaceName, ...]) -> Mapping[FaceKey, FaceName]:
    """Return names of faces by those on the wire."""
    return {key_of(name): name for name in names}
