"""The messages between the server and the process that holds the session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

FaceKey = str
"""Names a face on the wire: `kind/id/front`."""


class PackToOpen(Struct, frozen=True):
    """The pack that a process opens: the folder of its project, and texts in place of files."""

    root: Path
    shipped: Path
    pack: str


class TextsChanged(Struct, frozen=True):
    """Texts by file, None for what is saved, as of an edit's number. With `looks` the pack is
    checked and drawn again."""

    number: int
    texts: Mapping[str, str | None]
    looks: bool = True


class InView(Struct, frozen=True):
    """The faces that someone looks at, most important first."""

    faces: tuple[FaceKey, ...]


class Question(Struct, frozen=True):
    """Something that the server asks for; the answer has the same id."""

    id: int
    what: str
    given: tuple[Any, ...] = ()


class Reply(Struct, frozen=True):
    """The answer to a question, or in words why it failed."""

    id: int
    value: Any = None
    error: str = ""


class PackSeen(Struct, frozen=True):
    """The model of a checked pack, as JSON; None if it has not changed."""

    number: int
    model: bytes | None


class Findings(Struct, frozen=True):
    """The findings of a pack, each as JSON."""

    number: int
    findings: tuple[bytes, ...]


class FacesDrawn(Struct, frozen=True):
    """Faces that changed, as JSON by key, and keys of those that are gone. `done` ends a look."""

    number: int
    faces: Mapping[FaceKey, bytes]
    gone: tuple[FaceKey, ...] = ()
    done: bool = False


class SignOfLife(Struct, frozen=True):
    """Word that the process works on, or that it `rests`."""

    rests: bool = False


class BrokeDown(Struct, frozen=True):
    """Word that Gridpress failed on the pack; the process ends after it."""

    message: str


ToWorker = TextsChanged | InView | Question
FromWorker = Reply | PackSeen | Findings | FacesDrawn | SignOfLife | BrokeDown
