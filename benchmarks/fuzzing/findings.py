"""Findings in, folders to look at and to run again out; and back."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fuzzing.corpus import Entry, Link, Special
from fuzzing.inputs import Input
from fuzzing.judging import Fault

CASE: Final = "case.json"
_PLAIN: Final = re.compile(r"[\w./ -]+")


def write_case(folder: Path, broken: Input, faults: Sequence[Fault], seed: str = "") -> None:
    """An input as files below `folder/project`, what cannot be a file everywhere in `case.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    others: dict[str, Any] = {}
    for path, entry in broken.project.items():
        target = folder / "project" / path
        if not isinstance(entry, bytes) or not _PLAIN.fullmatch(path) or len(path) > 150:
            others[path] = _as_json(entry)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(entry)
    case = {
        "command": broken.command,
        "made": f"--seed {seed} --only {broken.name}" if seed else broken.name,
        "changed": broken.changed,
        "real": broken.real,
        "faults": [fault.key for fault in faults],
        "others": others,
    }
    (folder / CASE).write_text(json.dumps(case, indent=2) + "\n", encoding="utf-8")
    told = "\n\n".join(f"{fault.key}\n{fault.details}" for fault in faults)
    (folder / "faults.txt").write_text(told[:20_000] + "\n", encoding="utf-8", errors="replace")


def read_case(folder: Path) -> Input:
    """The input that was written."""
    case = json.loads((folder / CASE).read_text(encoding="utf-8"))
    root = folder / "project"
    files: dict[str, Entry] = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    files |= {path: _from_json(entry) for path, entry in case["others"].items()}
    sort, _, index = case["made"].rpartition(" ")[2].partition(":")
    return Input(
        sort, int(index or 0), files, tuple(case["command"]), tuple(case["changed"]), case["real"]
    )


def slug(key: str) -> str:
    """A key as a folder's name."""
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[:90]


def _as_json(entry: Entry) -> dict[str, str]:
    match entry:
        case Link():
            return {"link": entry.target}
        case Special():
            return {"special": entry.sort}
    return {"bytes": base64.b64encode(entry).decode()}


def _from_json(entry: dict[str, str]) -> Entry:
    if "link" in entry:
        return Link(entry["link"])
    if "special" in entry:
        return Special(entry["special"])
    return base64.b64decode(entry["bytes"])
