"""Folders and locks that die with their process, and nothing of anybody else's."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import pytest

from generator import scratch
from generator.scratch import LOCK_FILE, Lock, PrivateFolder, clear_abandoned

PREFIX = "gridpress-"
HOLDER = """
import sys, time
from pathlib import Path
from generator.scratch import PrivateFolder
folder = PrivateFolder(Path(sys.argv[1]), "gridpress-").path
(folder / "deep").mkdir()
(folder / "deep" / "file").write_text("half")
print(folder, flush=True)
time.sleep(600)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_private_folder_is_gone_in_the_end(tmp_path: Path) -> None:
    with PrivateFolder(tmp_path, PREFIX) as folder:
        assert folder.name.startswith(PREFIX)
        assert os.name == "nt" or folder.stat().st_mode & 0o777 == 0o700
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("x")
    assert names(tmp_path) == []


def test_what_a_living_process_has_stays_until_it_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    root = Path(__file__).parents[1]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as holder:
        assert holder.stdout is not None
        folder = Path(holder.stdout.readline().strip())
        clear_abandoned(tmp_path, PREFIX)
        assert names(folder) == [LOCK_FILE, "deep"]
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    clear_abandoned(tmp_path, PREFIX)
    assert names(tmp_path) == []


def test_what_is_left_of_a_removal_that_was_killed_is_still_known_as_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = PrivateFolder(tmp_path, PREFIX)
    (mine.path / "file").write_text("x")
    removed: list[str] = []
    unlink = os.unlink

    def note(path: str | Path, *, dir_fd: int | None = None) -> None:
        removed.append(Path(path).name)
        unlink(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", note)
    mine.remove()
    assert removed.index("file") < removed.index(LOCK_FILE)


def test_a_name_alone_says_not_whose_folder_it_is(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / LOCK_FILE).touch()
    (precious / "thesis.txt").write_text("years")
    parent = tmp_path / "temp"
    parent.mkdir()
    (parent / "gridpress-0123abcd").symlink_to(precious, target_is_directory=True)
    (parent / "gridpress-examples").mkdir()
    (parent / "gridpress-00000000").mkdir()
    (parent / "gridpress-00000000" / "mine.txt").write_text("without a lock file")
    (parent / "gridpress-11111111").write_text("a file")
    before = names(parent)
    clear_abandoned(parent, PREFIX)
    assert names(parent) == before
    assert names(precious) == [LOCK_FILE, "thesis.txt"]


def test_links_in_an_abandoned_folder_are_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years")
    left = tmp_path / "gridpress-0123abcd"
    left.mkdir()
    (left / LOCK_FILE).touch()
    (left / "away").symlink_to(precious, target_is_directory=True)
    clear_abandoned(tmp_path, PREFIX)
    assert names(tmp_path) == ["precious"]
    assert names(precious) == ["thesis.txt"]


def test_folders_too_deep_to_be_removed_end_nothing(tmp_path: Path) -> None:
    left = tmp_path / "gridpress-0123abcd"
    (left / "/".join(["x"] * 100)).mkdir(parents=True)
    (left / LOCK_FILE).touch()
    most = sys.getrecursionlimit()
    depth = len(traceback.extract_stack())
    sys.setrecursionlimit(depth + 60)
    try:
        clear_abandoned(tmp_path, PREFIX)
    finally:
        sys.setrecursionlimit(most)


def test_a_lock_is_one_process_s_at_a_time(tmp_path: Path) -> None:
    first = Lock.take(tmp_path / LOCK_FILE)
    assert first is not None
    assert Lock.take(tmp_path / LOCK_FILE) is None
    first.release()
    assert names(tmp_path) == []
    again = Lock.take(tmp_path / LOCK_FILE)
    assert again is not None
    again.release()


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_what_is_no_file_is_no_lock(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    path = tmp_path / LOCK_FILE
    if kind == "link":
        path.symlink_to(target)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(OSError):  # noqa: PT011 - which one differs from system to system
        Lock.take(path)
    assert not target.exists()


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> bool:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(scratch, "_locked", refuse)


@pytest.mark.usefixtures("no_locks")
def test_on_a_disk_without_locks_only_what_is_old_is_nobody_s(tmp_path: Path) -> None:
    mine = PrivateFolder(tmp_path, PREFIX)
    clear_abandoned(tmp_path, PREFIX)
    assert mine.path.is_dir()
    long_ago = time.time() - 100_000
    os.utime(mine.path, (long_ago, long_ago))
    clear_abandoned(tmp_path, PREFIX)
    assert names(tmp_path) == []


def test_who_clears_up_before_there_is_a_lock_costs_another_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = Path.mkdir
    made: list[Path] = []

    def gone(path: Path, *args: Any, **keywords: Any) -> None:
        mkdir(path, *args, **keywords)
        made.append(path)
        if len(made) == 1:
            shutil.rmtree(path)

    monkeypatch.setattr(Path, "mkdir", gone)
    mine = PrivateFolder(tmp_path, PREFIX)
    assert mine.path == made[1]
    mine.remove()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        PrivateFolder(tmp_path / "nowhere", PREFIX)
