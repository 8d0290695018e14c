"""Fixtures of many small files, kept in one file: a line `-- path --` begins each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_BEGINS = re.compile(r"^-- (\S+) --\n", re.M)


def unbundled(bundle: Path) -> dict[str, str]:
    """Return the texts of a bundle by path. Raise ValueError for a repeated path, or for an empty
    bundle."""
    before, *parts = _BEGINS.split(bundle.read_bytes().decode())
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    if before or not files or 2 * len(files) < len(parts):
        raise ValueError(f"{bundle.name}: each text needs a path of its own")
    return files


def laid(files: Mapping[str, str], folder: Path) -> Path:
    """Write these files to the folder, and return it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder
