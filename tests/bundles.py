"""Fixtures of many small files that are kept in one: a line `-- path --` begins each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_BEGINS = re.compile(r"^-- (\S+) --\n", re.M)


def unbundled(bundle: Path) -> dict[str, str]:
    """The texts of a bundle by their paths. Raises ValueError for two of one path, or none."""
    before, *parts = _BEGINS.split(bundle.read_bytes().decode())
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    if before or not files or 2 * len(files) < len(parts):
        raise ValueError(f"{bundle.name}: each text needs a path of its own")
    return files


def laid(files: Mapping[str, str], folder: Path) -> Path:
    """The folder, with these files in it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder
