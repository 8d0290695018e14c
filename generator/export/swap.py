"""New files in, old ones out of the way, and the way back to what was there before."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path


class Swap:
    """Puts files in the place of others and keeps those in a folder until all has gone well.

    Every method raises OSError when the disk refuses; `undo` never does.
    """

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._done: list[tuple[Path, Path | None]] = []

    def put(self, new: Path, target: Path) -> None:
        """Move a file to its place, in which there is a whole file at every moment."""
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        self._done.append((target, self._keep(target) if target.exists() else None))
        os.replace(new, target)

    def take_away(self, target: Path) -> None:
        """Remove a file, if it is one."""
        if target.is_file():
            self._done.append((target, self._keep(target)))
            target.unlink()

    def undo(self) -> None:
        """Bring back what was there before."""
        for target, kept in reversed(self._done):
            with suppress(OSError):
                if kept is None:
                    target.unlink(missing_ok=True)
                else:
                    os.replace(kept, target)
        self._done.clear()

    def _keep(self, target: Path) -> Path:
        self._kept.mkdir(exist_ok=True)
        kept = self._kept / target.name
        try:
            os.link(target, kept)
        except OSError:  # some file systems have no hard links
            shutil.copy2(target, kept)
        return kept
