"""What is kept is got back as it was, or is not there; whatever the disk does costs time alone."""

import errno
import multiprocessing
import os
import pickle
import random
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import cache as module
from generator.cache import NOTHING_KEPT, VARIABLE, Cache, InMemory, Same, Sort, user_cache

WORK = b"what took long to work out"
KEY = ("a template", b"its text")
posix = pytest.mark.skipif(os.name != "posix", reason="modes and links as POSIX has them")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def filled(folder: Path) -> Path:
    """A cache with one entry, and the file of that."""
    cache = Cache(folder)
    cache.put(Sort.TEMPLATES, WORK, *KEY)
    (entry,) = (folder / "v1/templates").iterdir()
    return entry


def kept(folder: Path) -> bytes | None:
    return Cache(folder).get(Sort.TEMPLATES, *KEY)


def test_what_is_put_is_got_by_who_comes_later(folder: Path) -> None:
    assert kept(folder) is None
    filled(folder)
    assert kept(folder) == WORK


def test_an_entry_may_be_empty(folder: Path) -> None:
    Cache(folder).put(Sort.TEMPLATES, b"", *KEY)
    assert kept(folder) == b""


@pytest.mark.parametrize(
    "key",
    [
        ("a template", b"its texT"),
        ("a templatei", b"ts text"),
        ("a template",),
        ("a template", b"its text", b""),
        (),
    ],
)
def test_other_inputs_have_nothing(folder: Path, key: tuple[str | bytes, ...]) -> None:
    filled(folder)
    assert Cache(folder).get(Sort.TEMPLATES, *key) is None


def test_another_version_has_nothing(folder: Path) -> None:
    filled(folder)
    assert Cache(folder, b"other versions").get(Sort.TEMPLATES, *KEY) is None


def test_the_versions_are_those_of_the_modules_and_of_what_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = {module._versions(), module._versions()}
    assert len(seen) == 1
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "typst-99.0.dist-info").mkdir()
    seen.add(module._versions())
    package = tmp_path / "generator"
    package.mkdir()
    (package / "cache.py").write_text("one")
    monkeypatch.setattr(module, "__file__", str(package / "cache.py"))
    seen.add(module._versions())
    (package / "cache.py").write_text("two")
    seen.add(module._versions())
    assert len(seen) == 4


@pytest.mark.parametrize("at", [0, 31, 32, len(WORK) + 31])
def test_a_damaged_entry_is_not_there_and_is_made_again(folder: Path, at: int) -> None:
    entry = filled(folder)
    content = bytearray(entry.read_bytes())
    content[at] ^= 1
    entry.write_bytes(content)
    assert kept(folder) is None
    filled(folder)
    assert kept(folder) == WORK


@pytest.mark.parametrize("left", [0, 1, 32, len(WORK) + 31])
def test_an_entry_cut_short_is_not_there(folder: Path, left: int) -> None:
    entry = filled(folder)
    entry.write_bytes(entry.read_bytes()[:left])
    assert kept(folder) is None


def test_an_entry_put_in_the_place_of_another_is_not_there(folder: Path) -> None:
    entry = filled(folder)
    Cache(folder).put(Sort.TEMPLATES, b"of a stranger", "another template")
    (other,) = set(entry.parent.iterdir()) - {entry}
    shutil.copyfile(other, entry)
    assert kept(folder) is None


def test_a_cache_that_came_from_elsewhere_has_nothing(folder: Path, tmp_path: Path) -> None:
    filled(folder)
    brought = tmp_path / "brought"
    shutil.copytree(folder, brought)  # its secret too, as an archive would bring it
    assert kept(brought) is None
    filled(brought)
    assert kept(brought) == WORK


@pytest.mark.parametrize("secret", [b"", b"short", b"x" * 33])
def test_a_spoilt_secret_is_made_anew(folder: Path, secret: bytes) -> None:
    filled(folder)
    (folder / "v1/secret").write_bytes(secret)
    assert kept(folder) is None
    filled(folder)
    assert kept(folder) == WORK


@posix
def test_an_entry_that_is_no_file_is_not_waited_for(folder: Path, tmp_path: Path) -> None:
    entry = filled(folder)
    content = entry.read_bytes()
    entry.unlink()
    os.mkfifo(entry)
    assert kept(folder) is None
    entry.unlink()
    (tmp_path / "elsewhere").write_bytes(content)
    entry.symlink_to(tmp_path / "elsewhere")
    assert kept(folder) is None


@posix
def test_no_link_in_it_leads_to_what_is_not_its_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 0)
    monkeypatch.setattr(module, "_PORTION", 1)
    monkeypatch.setattr(module, "_PORTIONS", 1)
    filled(folder)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / ".profile").write_text("old")
    os.utime(mine / ".profile", (1e9, 1e9))
    (mine / "story").write_text("Once")
    shutil.rmtree(folder / "v1/templates")
    (folder / "v1/templates").symlink_to(mine)
    Cache(folder).put(Sort.TEMPLATES, WORK, *KEY)
    assert kept(folder) is None
    (folder / "v1/written").unlink()
    os.link(mine / "story", folder / "v1/written")
    Cache(folder).put(Sort.SHEETS, WORK, *KEY)
    assert {path.name: path.read_text() for path in mine.iterdir()} == {
        ".profile": "old",
        "story": "Once",
    }
    Cache(folder).put(Sort.SHEETS, WORK, *KEY)
    assert Cache(folder).get(Sort.SHEETS, *KEY) == WORK


@posix
def test_it_is_for_its_user_alone(folder: Path) -> None:
    entry = filled(folder)
    assert stat.S_IMODE((folder / "v1").stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "v1/secret").stat().st_mode) == 0o600


def as_link(folder: Path) -> None:
    (folder / "v1").rename(folder / "elsewhere")
    (folder / "v1").symlink_to(folder / "elsewhere")


def as_file(folder: Path) -> None:
    shutil.rmtree(folder / "v1")
    (folder / "v1").write_text("")


def as_open_to_all(folder: Path) -> None:
    (folder / "v1").chmod(0o777)


@posix
@pytest.mark.parametrize(
    ("change", "why"), [(as_link, "link"), (as_file, "no folder"), (as_open_to_all, "others may")]
)
def test_a_folder_that_is_not_ours_is_not_used(
    folder: Path, change: Callable[[Path], None], why: str
) -> None:
    filled(folder)
    change(folder)
    cache = Cache(folder)
    cache.put(Sort.TEMPLATES, b"other", *KEY)
    assert cache.get(Sort.TEMPLATES, *KEY) is None
    assert why in cache.trouble


@posix
def test_a_folder_of_another_user_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(folder)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert kept(folder) is None
    assert "belongs to another user" in Cache(folder).trouble


@posix
def test_nothing_is_made_in_the_home_of_another_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 4711, 4711)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert "belongs to another user" in Cache(folder).trouble
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file/cache")
    cache.put(Sort.TEMPLATES, WORK, *KEY)
    assert cache.get(Sort.TEMPLATES, *KEY) is None
    assert cache.trouble
    assert cache.sizes() == {}
    cache.clear()


@pytest.mark.parametrize("refusal", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_full_or_read_only_disk_costs_time_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    filled(folder)
    cache, tried, real = Cache(folder), list[str](), os.open

    def refused(path: str | Path, flags: int, *more: int) -> int:
        if flags & os.O_CREAT:
            tried.append(str(path))
            raise OSError(refusal, os.strerror(refusal), str(path))
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", refused)
    monkeypatch.setattr(os, "utime", lambda path: refused(path, os.O_CREAT))
    for number in range(50):
        cache.put(Sort.TEMPLATES, WORK, str(number))
    assert len(tried) < 10
    assert cache.get(Sort.TEMPLATES, *KEY) == WORK


def test_a_disk_that_fills_up_half_way_leaves_no_half_entry(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = filled(folder)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    Cache(folder).put(Sort.TEMPLATES, b"other", *KEY)
    assert list(entry.parent.iterdir()) == [entry]
    assert kept(folder) == WORK


def at_work(folder: Path, seed: int, wrong: "multiprocessing.Queue[object]") -> None:
    cache, dice = Cache(folder), random.Random(seed)
    for _ in range(300):
        number = dice.randrange(20)
        right = f"{number}".encode() * 5000
        found = cache.get(Sort.TEMPLATES, str(number))
        if found not in (None, right):
            wrong.put(number)
        cache.put(Sort.TEMPLATES, right, str(number))
    wrong.put(None)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_share_it(folder: Path, way: str) -> None:
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    context: Any = multiprocessing.get_context(way)
    wrong = context.Queue()
    processes = [context.Process(target=at_work, args=(folder, n, wrong)) for n in range(3)]
    for process in processes:
        process.start()
    assert [wrong.get(timeout=60) for _ in processes] == [None] * 3
    for process in processes:
        process.join()
    assert Cache(folder).sizes()["templates"].entries == 20


def test_it_goes_to_another_process(folder: Path) -> None:
    cache = Cache(folder, b"versions")
    cache.put(Sort.TEMPLATES, WORK, *KEY)
    sent = pickle.loads(pickle.dumps(cache))
    assert sent.get(Sort.TEMPLATES, *KEY) == WORK
    assert (folder / "v1/secret").read_bytes() not in pickle.dumps(cache)


def test_what_was_not_used_for_longest_is_dropped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 40_000)
    monkeypatch.setattr(module, "_PORTION", 10_000)
    monkeypatch.setattr(module, "_PORTIONS", 4)
    cache, now = Cache(folder), time.time()
    first = filled(folder)
    os.utime(first, (now - 900_000,) * 2)
    for number in range(40):
        assert cache.get(Sort.TEMPLATES, *KEY) == WORK  # used again and again
        cache.put(Sort.TEMPLATES, b"x" * 4000, str(number))
        newest = max((folder / "v1/templates").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest if newest != first else first, (now - 9000 + 10 * number,) * 2)
        os.utime(first, (now - 8000 + 10 * number,) * 2)
    assert cache.sizes()["templates"].bytes <= 40_000 + 4 * 10_000
    assert cache.get(Sort.TEMPLATES, *KEY) == WORK
    assert cache.get(Sort.TEMPLATES, "39") is not None
    assert cache.get(Sort.TEMPLATES, "0") is None


def test_one_that_is_used_again_is_as_if_new(folder: Path) -> None:
    entry = filled(folder)
    os.utime(entry, (1e9, 1e9))
    assert kept(folder) == WORK
    assert entry.stat().st_mtime > 1.5e9


def test_many_short_runs_are_counted_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 0)
    for number in range(module._PORTIONS):
        Cache(folder).put(Sort.TEMPLATES, WORK, str(number))
    assert Cache(folder).sizes()["templates"].entries == 1


def test_what_a_killed_process_left_is_not_read_and_dropped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = filled(folder)
    left = entry.with_name(".0123456789abcdef")
    left.write_bytes(entry.read_bytes())
    os.utime(left, (1e9, 1e9))
    assert Cache(folder).sizes()["templates"].entries == 1
    monkeypatch.setattr(module, "_PORTIONS", 1)
    Cache(folder).put(Sort.TEMPLATES, WORK, "another")
    assert not left.exists()


def test_clearing_removes_all_of_ours_and_nothing_else(folder: Path) -> None:
    filled(folder)
    (folder / "mine.txt").write_text("mine")
    cache = Cache(folder)
    cache.clear()
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    cache.put(Sort.TEMPLATES, WORK, *KEY)
    assert kept(folder) == WORK


def test_too_large_an_entry_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRY", 1000)
    Cache(folder).put(Sort.TEMPLATES, b"x" * 1000, *KEY)
    assert kept(folder) is None


def test_without_a_folder_nothing_is_kept() -> None:
    NOTHING_KEPT.put(Sort.TEMPLATES, WORK, *KEY)
    assert NOTHING_KEPT.get(Sort.TEMPLATES, *KEY) is None
    assert NOTHING_KEPT.sizes() == {}
    NOTHING_KEPT.clear()


def test_the_environment_names_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    assert user_cache().folder == folder / "v1"
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = user_cache().folder
    assert found is not None
    assert "gridpress" in found.parts


def test_a_folder_by_a_relative_path_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # of a stranger, say
    monkeypatch.setenv(VARIABLE, "cache")
    assert "absolute" in user_cache().trouble
    assert list(tmp_path.iterdir()) == []


def test_what_is_made_once_is_made_of_just_this(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.cache._MOST_MADE", 2)
    made: list[int] = []
    make = lambda: made.append(1) or len(made)  # noqa: E731
    goes_on, one, other = InMemory(NOTHING_KEPT), [1], [1]
    assert [goes_on.once(make, "sort", Same(each)) for each in (one, other, one)] == [1, 2, 1]
    assert goes_on.once(make, "another", Same(one)) == 3
    assert goes_on.once(make, "sort", Same(other)) == 4, "it was not asked for last"
    assert [NOTHING_KEPT.once(make, "sort") for _ in range(2)] == [5, 6]


def test_what_is_at_hand_is_bounded_and_the_rest_is_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.cache.MOST_AT_HAND", 20)
    below = Cache(tmp_path / "below")
    at_hand, alone = InMemory(below), InMemory(NOTHING_KEPT)
    for cache in (at_hand, alone):
        for number in range(3):
            cache.put(Sort.ART, b"12345678", str(number))
    assert [at_hand.get(Sort.ART, str(n)) for n in range(3)] == [b"12345678"] * 3
    assert [alone.get(Sort.ART, str(n)) for n in range(3)] == [None, b"12345678", b"12345678"]
    assert isinstance(pickle.loads(pickle.dumps(at_hand)), Cache)
    assert pickle.loads(pickle.dumps(at_hand)).get(Sort.ART, "0") == b"12345678"
