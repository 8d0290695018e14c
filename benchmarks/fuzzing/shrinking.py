"""An input with a fault in, the smallest that is found with the same fault out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from fuzzing.corpus import Entry, project
from fuzzing.inputs import SORTS, Input

Holds = Callable[[Input], bool]
T = TypeVar("T", bound=Sequence[object])

_BINARY: Final = (".png", ".jpg", ".webp", ".ttf", ".xlsx", ".pdf")


def smallest(broken: Input, holds: Holds, seconds: float = 60, tries: int = 250) -> Input:
    """Take away files, put back what was right, cut lines and letters, as long as `holds` is true
    of what is left and there is time."""
    patience = _Patience(holds, seconds, tries)
    broken = _put_back(broken, patience)
    for path in broken.changed:
        broken = _cut(broken, path, patience)
    broken = _without_files(broken, patience)
    for path in sorted(broken.project):
        broken = _cut(broken, path, patience)
    return broken


class _Patience:
    def __init__(self, holds: Holds, seconds: float, tries: int) -> None:
        self.holds, self.end, self.tries = holds, time.monotonic() + seconds, tries

    @property
    def is_over(self) -> bool:
        return self.tries <= 0 or time.monotonic() > self.end

    def __call__(self, broken: Input) -> bool:
        if self.is_over:
            return False
        self.tries -= 1
        return self.holds(broken)


def _put_back(broken: Input, holds: Holds) -> Input:
    """Files that need not be wrong as they were."""
    right = project(SORTS[broken.sort].base)
    for path in broken.changed:
        if path in right and len(broken.changed) > 1:
            changed = tuple(one for one in broken.changed if one != path)
            better = replace(broken, project={**broken.project, path: right[path]}, changed=changed)
            broken = better if holds(better) else broken
    return broken


def _without_files(broken: Input, holds: Holds) -> Input:
    kept = _fewest(
        sorted(broken.project),
        lambda names: holds(replace(broken, project={n: broken.project[n] for n in names})),
    )
    return replace(broken, project={name: broken.project[name] for name in kept})


def _cut(broken: Input, path: str, holds: Holds) -> Input:
    entry = broken.project.get(path)
    if not isinstance(entry, bytes):
        return broken

    def with_content(content: Entry) -> Input:
        return replace(broken, project={**broken.project, path: content})

    if path.endswith(_BINARY):
        size = max(1, len(entry) // 24)
        pieces = [entry[at : at + size] for at in range(0, len(entry), size)]
        fewest = _fewest(pieces, lambda kept: holds(with_content(b"".join(kept))))
        return with_content(b"".join(fewest))
    lines = entry.splitlines(keepends=True)
    fewest = _fewest(lines, lambda kept: holds(with_content(b"".join(kept))))
    if path in broken.changed and len(fewest) < 12:
        letters = b"".join(fewest).decode("utf-8", "surrogateescape")
        size = max(1, len(letters) // 64)
        words = [letters[at : at + size] for at in range(0, len(letters), size)]

        def joined(kept: Sequence[str]) -> bytes:
            return "".join(kept).encode("utf-8", "surrogateescape")

        return with_content(joined(_fewest(words, lambda kept: holds(with_content(joined(kept))))))
    return with_content(b"".join(fewest))


def _fewest(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Delta debugging: leave out parts, larger ones first."""
    kept = list(items)
    size = max(1, len(kept) // 2)
    while kept:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if holds(fewer):
                kept = fewer
            else:
                at += size
        if size == 1:
            return kept
        size = max(1, size // 2)
    return kept
