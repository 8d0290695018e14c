"""Answer with the rows of a table at once, also while the session is busy with a check."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from msgspec import Struct

from generator.studio.desk import Desk
from generator.studio.line import Line
from generator.studio.typed_rows import TypedRow, rows_since

AT_ONCE: Final = 0.1
"""Seconds that the session has to answer."""


class RowsTold(Struct, frozen=True):
    """Rows as of an edit's number; `early` if the session has not seen them yet."""

    rows: list[TypedRow]
    number: int
    early: bool = False


class _Known(Struct, frozen=True):
    """An answer of the session, and the texts that it is about."""

    desk: Desk
    answer: bytes
    texts: dict[str, str]


class RowsAtOnce:
    """Remembers the last rows of each kind from the session, and follows the newer texts of its
    files."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    async def answer(self, desk: Desk, line: Line, kind: str, patience: float | None) -> bytes:
        """Return the rows of a kind as JSON: those of the session, or after so many seconds those
        of the texts. Raises NoAnswerError."""
        asked = asyncio.ensure_future(line.ask("rows", kind))
        await asyncio.wait({asked}, timeout=patience)
        if not asked.done() and (rows := self._rows_now(desk, kind)) is not None:
            asked.cancel()
            return msgspec.json.encode(RowsTold(rows, desk.number, early=True))
        answer: bytes = await asked
        self._keep(desk, kind, answer)
        return answer

    def _keep(self, desk: Desk, kind: str, answer: bytes) -> None:
        told = msgspec.json.decode(answer, type=RowsTold)
        if told.number == desk.number:
            self._known[kind] = _Known(desk, answer, _texts(desk, told.rows))

    def _rows_now(self, desk: Desk, kind: str) -> list[TypedRow] | None:
        known = self._known.get(kind)
        if known is None or known.desk is not desk:
            return None
        rows = msgspec.json.decode(known.answer, type=RowsTold).rows
        return rows_since(rows, known.texts, _texts(desk, rows))


def _texts(desk: Desk, rows: list[TypedRow]) -> dict[str, str]:
    """Return the texts of the files of rows that are in the project."""
    files = {row.file for row in rows}
    texts = {file: desk.text(file) for file in files if desk.is_text(file)}
    return {file: text for file, text in texts.items() if text is not None}
