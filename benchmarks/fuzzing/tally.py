"""How many inputs of each sort there were, and how many since the last finding; over many runs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

_SAVE_EVERY: Final = 500


class Tally:
    """Counts on from what the file says, if there is one; `str` of it is a table."""

    def __init__(self, file: Path | None) -> None:
        known = json.loads(file.read_text(encoding="utf-8")) if file and file.exists() else {}
        self.file = file
        self.done = Counter[str](known.get("inputs", {}))
        self.clean = Counter[str](known.get("since its last finding", {}))
        self.in_a_row: int = known.get("since the last finding", 0)

    def count(self, sort: str, *, is_clean: bool) -> None:
        """One more input of a sort."""
        self.done[sort] += 1
        self.clean[sort] = self.clean[sort] + 1 if is_clean else 0
        self.in_a_row = self.in_a_row + 1 if is_clean else 0
        if not is_clean or self.done.total() % _SAVE_EVERY == 0:
            self.save()

    def save(self) -> None:
        """Write the file."""
        if self.file is None:
            return
        counts = {
            "since the last finding": self.in_a_row,
            "inputs": dict(sorted(self.done.items())),
            "since its last finding": dict(sorted(self.clean.items())),
        }
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
        new.replace(self.file)

    def __str__(self) -> str:
        counts = (
            f"{sort} {count}" + (f" ({self.clean[sort]} clean)" if self.clean[sort] < count else "")
            for sort, count in sorted(self.done.items())
        )
        return f"{', '.join(counts)}; {self.in_a_row} since the last finding"
