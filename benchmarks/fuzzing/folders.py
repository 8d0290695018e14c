"""Projects in, folders of files and links out; what has changed in them, and who opened what.

A folder with bait, the canary, is none of a project's business: the kernel tells who opens it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fuzzing.corpus import Entry, Link, Project, Special, mini

MARKER: Final = b"c4n4ry-in-the-coal-mine"

_CLONE_NEWNS, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 0x20000, 0x4000, 0x40000, 2
_IN_OPEN, _IN_MODIFY, _IN_CREATE, _IN_DELETE, _IN_MOVE = 0x20, 0x2, 0x100, 0x200, 0xC0


def bait() -> Project:
    """Files of every sort, each with the marker in it."""
    files = mini()
    named = {
        "secret.yaml": b"kind: token\ncomponents:\n  - {id: " + MARKER + b"}\n",
        "secret.txt": MARKER,
        "secret.csv": b"id,name\n" + MARKER + b",x\n",
        "secret": MARKER,
        "secret.svg": files["templates/mini/icons/star.svg"].replace(
            b"<g", b"<!--" + MARKER + b"--><g"
        ),
        "secret.png": files["cards/mini/art/field.png"] + MARKER,
        "secret.ttf": files["fonts/own/own.ttf"] + MARKER,
    }
    return {
        **named,
        "mini/manifest.json": b"{}",
        "cards/mini/pack.yaml": b"title: " + MARKER + b"\n",
    }


def write(root: Path, files: Project) -> None:
    """Make a project's files, links and special files in a folder."""
    made: set[str] = set()
    top = os.fspath(root)
    for path, entry in files.items():
        full = f"{top}/{path}"
        folder = full.rpartition("/")[0]
        if folder not in made:
            _make_folder(folder)
            made.add(folder)
        with contextlib.suppress(OSError):  # a name too long for the disk is not there
            _write_one(full, entry)


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:  # too long a path in one go
        return


def _write_one(full: str, entry: Entry) -> None:
    match entry:
        case bytes():
            with open(full, "wb") as file:
                file.write(entry)
        case Link():
            os.symlink(entry.target, full)
        case Special("fifo"):
            os.mkfifo(full)
        case Special("socket"):
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(full)
        case Special():
            os.makedirs(full, exist_ok=True)


def clear(folder: Path) -> None:
    """Remove a folder with all in it, or what stands in its place."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    else:
        folder.unlink(missing_ok=True)


def listing(root: Path) -> dict[str, tuple[int, ...]]:
    """Everything below a folder but the logs: sort, size and time of each."""
    return dict(_listed(os.fspath(root), ""))


def _listed(folder: str, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{prefix}{entry.name}"
            if name == "logs":
                continue
            status = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                yield name, (status.st_mode,)
                with contextlib.suppress(OSError):
                    yield from _listed(entry.path, f"{name}/")
            else:
                yield name, (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)


def changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """`+new`, `-gone` and `~changed`."""
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield ("+" if name not in before else "-" if name not in after else "~") + name


def screen_off(folder: Path) -> bool:
    """Lay a disk in memory over an empty folder that this process and its children alone see, until
    `bare`: else whoever looks through the computer's files trips over the bait. False where the
    system does not let us, as it lets root alone."""
    libc = ctypes.CDLL(None, use_errno=True)
    path = os.fsencode(folder)
    return (
        libc.unshare(_CLONE_NEWNS) == 0
        and libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) == 0
        and libc.mount(b"gridpress-fuzz", path, b"tmpfs", 0, b"mode=0700") == 0
    )


def bare(folder: Path) -> None:
    """Take that disk away."""
    ctypes.CDLL(None).umount2(os.fsencode(folder), _MNT_DETACH)


class Watch:
    """Tells what was opened or changed in a folder, by whatever process: inotify."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        mask = _IN_OPEN | _IN_MODIFY | _IN_CREATE | _IN_DELETE | _IN_MOVE
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for one in folders:
            libc.inotify_add_watch(self.fd, os.fsencode(one), mask)

    def events(self) -> tuple[str, ...]:
        """What happened since it was last asked."""
        found: list[str] = []
        while True:
            try:
                data = os.read(self.fd, 65536)
            except BlockingIOError:
                return tuple(dict.fromkeys(found))
            at = 0
            while at < len(data):
                _, mask, _, size = struct.unpack_from("iIII", data, at)
                name = data[at + 16 : at + 16 + size].rstrip(b"\0").decode("utf-8", "replace")
                found.append(f"{'opened' if mask & _IN_OPEN else 'changed'} {name or 'the folder'}")
                at += 16 + size

    def close(self) -> None:
        """Look no more."""
        os.close(self.fd)
