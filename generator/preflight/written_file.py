"""Checks that a file that was just written is on the disk, byte for byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

from generator.diagnostics import Severity
from generator.preflight.finding import Finding


def check_written(path: Path, sha256: str) -> tuple[Finding, ...]:
    """Return what is wrong with a file whose bytes had this digest in memory (GP808)."""
    try:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == sha256:
                return ()
    except OSError:
        pass
    hint = "check that the disk has room and works, then build again"
    return (Finding("GP808", "the file on the disk is not what was written", hint, Severity.ERROR),)
