"""Finds words in a table that are likely misspelt: used once, and one letter off a usual one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from generator.diagnostics import plain
from generator.model.source import Mapping
from generator.table_columns import Column

_USUAL: Final = 3
"""Rows that have a usual word."""
_SHORT: Final = 4
"""The fewest letters of a word where one letter more or less is likely a slip."""
_MOST: Final = 12
"""Different words of a column whose words are chosen from a few."""


def misspelt(rows: Sequence[Mapping], columns: Sequence[Column]) -> Iterator[str]:
    """Yield a note on each word that is likely misspelt, with its row and the likely word."""
    for column in columns:
        counts = Counter(filter(None, column.cells))
        if column.type not in ("choice", "text") or len(counts) > _MOST:
            continue
        usual = [word for word, count in counts.most_common() if count >= _USUAL]
        for word in (word for word, count in counts.items() if count == 1):
            meant = next((one for one in usual if _is_slip(word, one)), None)
            if meant is not None:
                line = rows[column.cells.index(word)].span.line
                yield (
                    f"{column.label}: {plain(word)!r} in row {line} occurs once, {plain(meant)!r} "
                    f"{counts[meant]} times\n    correct it if it is misspelt"
                )


def _is_slip(word: str, other: str) -> bool:
    """Tell whether one letter is wrong, missing, too many or exchanged with the next."""
    one, two = sorted((word.casefold(), other.casefold()), key=len)
    if one == two:
        return True
    if len(one) < _SHORT or not (one + two).replace(" ", "").isalpha():
        return False
    if len(one) == len(two):
        wrong = [at for at in range(len(one)) if one[at] != two[at]]
        first, last = wrong[0], wrong[-1]
        is_turned = last == first + 1 and one[first : last + 1] == two[first : last + 1][::-1]
        return len(wrong) == 1 or is_turned
    return any(two[:at] + two[at + 1 :] == one for at in range(len(two)))
