"""The faces that a session shows, and those that they superseded, by their look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Final

from generator.build.updates import FaceName
from generator.model.face import Face

_SUPERSEDED: Final = 40


class ShownFaces:
    """The last picture of each face. Superseded ones are found for a while: their pictures may be
    asked for after a newer edit."""

    def __init__(self) -> None:
        self._now: dict[FaceName, Face] = {}
        self._users: Counter[str] = Counter()
        self._looks: dict[str, Face] = {}
        self._superseded: dict[str, Face] = {}

    def show(self, name: FaceName, face: Face) -> bool:
        """Show a face from now on; return whether it looks otherwise than before."""
        before = self._now.get(name)
        self._now[name] = self._looks[face.sha256] = face
        self._users[face.sha256] += 1
        if before is not None:
            self._leave(before)
        return before is None or before.sha256 != face.sha256

    def shows(self, name: FaceName) -> bool:
        """Return whether a face has a picture."""
        return name in self._now

    def keep(self, names: Container[FaceName]) -> None:
        """Show no other faces than these any more."""
        for name in [name for name in self._now if name not in names]:
            self._leave(self._now.pop(name))

    def of_look(self, sha256: str) -> Face | None:
        """Return a face that looks so."""
        return self._looks.get(sha256) or self._superseded.get(sha256)

    def _leave(self, face: Face) -> None:
        self._users[face.sha256] -= 1
        if self._users[face.sha256]:
            return
        del self._users[face.sha256]
        self._superseded[face.sha256] = self._looks.pop(face.sha256)
        if len(self._superseded) > _SUPERSEDED:
            del self._superseded[next(iter(self._superseded))]
