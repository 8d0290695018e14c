"""Notices files that other programs write while the studio is open."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Final

from watchfiles import awatch

from generator.project import PARTS, PROFILE_FILE, workbooks_in

_TOGETHER: Final = 50
"""Milliseconds between changes of one save."""
_LOOK_EVERY: Final = 2.0
"""Seconds between two looks for folders that come and go."""


async def changes_in(root: Path) -> AsyncGenerator[frozenset[str], None]:
    """Yield the files of a project that were written or removed together, by their paths in it."""
    known = _beside(root)
    while True:
        parts = [root / part for part in PARTS if (root / part).is_dir()]
        stop = asyncio.Event()
        watching = awatch(
            *parts,
            step=_TOGETHER,
            rust_timeout=int(_LOOK_EVERY * 1000),
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        )
        if not parts:
            await asyncio.sleep(_LOOK_EVERY)
            continue
        with suppress(FileNotFoundError):
            async with aclosing(watching) as found:
                async for changes in found:
                    saved = {_inside(root, path) for _, path in changes}
                    now = _beside(root)
                    saved |= {name for name, _ in now ^ known}
                    known = now
                    if saved:
                        yield frozenset(saved)
                    if [root / part for part in PARTS if (root / part).is_dir()] != parts:
                        break


def _inside(root: Path, path: str) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


def _beside(root: Path) -> set[tuple[str, int]]:
    """Return the files in the project's own folder that are read, each with a stamp."""
    found: set[tuple[str, int]] = set()
    for name in (PROFILE_FILE, *workbooks_in(root)):
        with suppress(OSError):
            found.add((name, os.stat(root / name).st_mtime_ns))
    return found
