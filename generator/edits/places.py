"""Lines and columns of values in a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from msgspec import Struct

from generator.edits.changes import Path

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Place(Struct, frozen=True):
    """The place of a value. Lines and columns count from 1, in characters."""

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int


class LineStarts:
    """Turns indices of a text into lines and columns, and back."""

    def __init__(self, text: str) -> None:
        if text.count("\r") == text.count("\r\n"):
            lengths = (len(line) + 1 for line in text.split("\n")[:-1])
            self._starts = [0, *accumulate(lengths)]
        else:
            self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self._end = len(text)

    def place(self, path: Path, start: int, end: int) -> Place:
        """Return the place of a part of the text."""
        return Place(path, *self.line_and_column(start), *self.line_and_column(end))

    def line_and_column(self, index: int) -> tuple[int, int]:
        """Return the line and column of an index, from 1."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def index(self, line: int, column: int) -> int:
        """Return the index of a line and column, at most the end of the line."""
        if line > len(self._starts):
            return self._end
        end = self._starts[line] - 1 if line < len(self._starts) else self._end
        return min(self._starts[line - 1] + column - 1, max(end, self._starts[line - 1]))
