"""The answers of a session: what a check, a drawn face and a look at a pack say."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from generator.build.opening import OpenPack
from generator.build.print_runs import PrintRun
from generator.diagnostics import Diagnostic, Outcome
from generator.model.face import Face
from generator.model.pack import Component
from generator.model.source import PackSource


class FaceName(NamedTuple):
    """Which face it is: the kind and id of its component, and the name of the side."""

    kind: str
    component: str
    name: str

    @classmethod
    def of(cls, face: Face) -> FaceName:
        """Return the name of a face."""
        return cls(face.kind, face.component, face.name)

    @classmethod
    def of_side(cls, component: Component, side: str) -> FaceName:
        """Return the name of a side of a component."""
        return cls(component.kind, component.id, side)


class PackCheck(Struct, frozen=True):
    """A pack as its files are now, before anything is drawn.

    With errors, `opened` has the sound parts, and the last sound state of the rest. It is None
    while there never was a pack. `source` are its files. `faces` are all faces in order, also those
    that are `stale`: their component has an error, so that they look as they last were. Those of
    components without copies come last, if the session shows them.
    """

    diagnostics: tuple[Diagnostic, ...]
    opened: OpenPack | None = None
    source: PackSource | None = None
    faces: tuple[FaceName, ...] = ()
    stale: frozenset[FaceName] = frozenset()
    unprinted: frozenset[FaceName] = frozenset()

    @property
    def ok(self) -> bool:
        """Return whether there is no error."""
        return Outcome(None, self.diagnostics).ok


class FaceUpdate(Struct, frozen=True):
    """A face of the last check, None if it cannot be drawn, and its findings. It is `changed` if it
    looks otherwise than the last time."""

    name: FaceName
    face: Face | None
    diagnostics: tuple[Diagnostic, ...]
    changed: bool


class PackUpdate(Struct, frozen=True):
    """One look at a pack: its findings; its faces and pages; the faces that are new or look
    otherwise than at the last look, and those that are gone. A pack with errors has the faces that
    can be drawn, each with its `flaws`."""

    diagnostics: tuple[Diagnostic, ...]
    faces: tuple[Face, ...] = ()
    changed: tuple[Face, ...] = ()
    gone: tuple[FaceName, ...] = ()
    pages: tuple[PrintRun, ...] = ()
