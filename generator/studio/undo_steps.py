"""Steps of undo: texts before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

Texts = Mapping[str, tuple[str | None, str | None]]
"""Texts before and after, by their files."""
_JOINS: Final = 2.0
"""Seconds after an edit until the same `join` begins another step."""
_MOST_STEPS: Final = 1_000


class _Step(Struct):
    label: str
    join: str
    at: float
    texts: dict[str, tuple[str | None, str | None]]


class UndoSteps:
    """The steps that were done, and those that were taken back."""

    def __init__(self) -> None:
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

    @property
    def undo_label(self) -> str | None:
        """Return what undo would take back."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """Return what redo would do again."""
        return self._undone[-1].label if self._undone else None

    def add(self, texts: Texts, label: str, join: str = "", now: float = 0.0) -> None:
        """Add a step, or join it with the last one."""
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if last is not None and join and last.join == join and now - last.at <= _JOINS:
            last.texts |= {f: (last.texts.get(f, (b, a))[0], a) for f, (b, a) in texts.items()}
            last.at = now
            return
        self._done.append(_Step(label, join, now, dict(texts)))
        del self._done[:-_MOST_STEPS]

    def undo(self) -> dict[str, str | None]:
        """Take the last step back; return the texts that were before it."""
        return _moved(self._done, self._undone, 0)

    def redo(self) -> dict[str, str | None]:
        """Do the last step again that was taken back; return the texts after it."""
        return _moved(self._undone, self._done, 1)


def _moved(source: list[_Step], target: list[_Step], side: int) -> dict[str, str | None]:
    if not source:
        return {}
    step = source.pop()
    step.join = ""
    target.append(step)
    return {file: both[side] for file, both in step.texts.items()}
