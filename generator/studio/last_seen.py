"""Keeps what the session last said, for tabs that are opened later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from generator.diagnostics import Diagnostic
from generator.studio.messages import FaceKey, FacesDrawn, Findings, FromWorker, PackSeen


class LastSeen:
    """The last model, findings and faces of the session."""

    def __init__(self) -> None:
        self._number = 0
        self._model: bytes | None = None
        self._found: tuple[bytes, ...] = ()
        self._fault: bytes | None = None
        self._faces: dict[str, bytes] = {}
        self._is_done = False

    def take(self, message: FromWorker) -> list[dict[str, Any]]:
        """Keep a message; return its events."""
        if isinstance(message, PackSeen):
            self._number, self._model = message.number, message.model
            return [self._pack_event()]
        if isinstance(message, Findings):
            self._number, self._found = message.number, message.findings
            return [self._found_event()]
        if isinstance(message, FacesDrawn):
            self._number, self._is_done = message.number, message.done
            self._faces |= message.faces
            for key in message.gone:
                self._faces.pop(key, None)
            return [self._faces_event(message.faces, message.gone, done=message.done)]
        return []

    def add_fault(self, fault: Diagnostic) -> dict[str, Any]:
        """Show a fault of the process itself until the next edit; return the event."""
        span = fault.span
        end = {"end_line": span.line, "end_column": span.column}
        where: dict[str, Any] = {"kind": None, "id": None, "path": None, "faces": [], "rects": []}
        self._fault = msgspec.json.encode({**fault.as_dict(), **end, **where})
        return self._found_event()

    def drop_fault(self) -> list[dict[str, Any]]:
        """Show such a fault no longer; return the event if there was one."""
        was, self._fault = self._fault, None
        return [self._found_event()] if was else []

    def events(self) -> list[dict[str, Any]]:
        """Return all as events."""
        faces = self._faces_event(self._faces, (), done=self._is_done)
        return [*([self._pack_event()] if self._model else []), self._found_event(), faces]

    def _pack_event(self) -> dict[str, Any]:
        return {"type": "pack", "number": self._number, "model": Raw(self._model or b"null")}

    def _found_event(self) -> dict[str, Any]:
        found = (*((self._fault,) if self._fault else ()), *self._found)
        return {"type": "found", "number": self._number, "findings": [*map(Raw, found)]}

    def _faces_event(
        self, faces: Mapping[FaceKey, bytes], gone: Sequence[FaceKey], *, done: bool
    ) -> dict[str, Any]:
        views = [Raw(face) for face in faces.values()]
        return {
            "type": "faces", "number": self._number, "faces": views, "gone": gone, "done": done
        }  # fmt: skip
