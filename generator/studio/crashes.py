"""Keeps output that nobody reads away from the studio's processes, and notes bugs of Gridpress."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from generator.cache import user_folder


def be_silent() -> None:
    """Send what native code and Python print to nowhere. Code of a process of the studio."""
    nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, as long as this process
    for stream in (1, 2):
        os.dup2(nowhere.fileno(), stream)
    sys.stdout = sys.stderr = nowhere


def note_crash(error: Exception) -> Path:
    """Write the traceback of a bug to a file; return its path."""
    path = user_folder() / "studio" / "crash.log"
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    return path
