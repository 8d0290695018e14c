"""An entry is read back unchanged or is missing; disk failures cost only time."""

import multiprocessing
import os
import pickle
import random
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from generator import cache as module
from generator.cache import NOTHING_KEPT, VARIABLE, Cache, InMemory, Same, Sort, flush, user_cache

WORK = b"what took long to work out"
KEY = ("a template", b"its text")
posix = pytest.mark.skipif(os.name != "posix", reason="modes and links as POSIX has them")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "cache"
    module._STORES.clear()


def database(folder: Path) -> Path:
    return folder / "v2/kept.sqlite"


def later(folder: Path, made_by: bytes = b"") -> Cache:
    """Return the cache as the next command finds it."""
    for store in module._STORES.values():
        store.close()
    module._STORES.clear()
    return Cache(folder, made_by)


def filled(folder: Path) -> None:
    Cache(folder).put(Sort.TEMPLATES, WORK, *KEY)
    flush()


def count(folder: Path) -> int:
    with closing(sqlite3.connect(database(folder))) as line:
        found: int = line.execute("SELECT count(*) FROM kept").fetchone()[0]
    return found


def kept(folder: Path) -> bytes | None:
    return later(folder).get(Sort.TEMPLATES, *KEY)


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(database(folder))) as line, line:
        line.execute(statement)


@pytest.mark.parametrize("value", [WORK, b"", bytes(3_000_000)])
def test_the_next_command_gets_what_was_put(folder: Path, value: bytes) -> None:
    cache = pickle.loads(pickle.dumps(Cache(folder)))
    assert cache.get(Sort.ART, *KEY) is None
    cache.put(Sort.ART, value, *KEY)
    assert Cache(folder).get(Sort.ART, *KEY) == value
    assert later(folder).get(Sort.ART, *KEY) == value


def test_much_is_written_before_anybody_asks_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 10)
    Cache(folder).put(Sort.TEMPLATES, WORK, *KEY)
    module._STORES.clear()  # as if killed
    assert kept(folder) == WORK


@pytest.mark.parametrize(
    "key",
    [("a template", b"its texT"), ("a templatei", b"ts text"), ("a template",), (*KEY, b""), ()],
)
def test_other_inputs_have_no_entry(folder: Path, key: tuple[str | bytes, ...]) -> None:
    filled(folder)
    assert Cache(folder).get(Sort.TEMPLATES, *key) is None
    assert Cache(folder).get(Sort.FACES, *KEY) is None
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
    (package / "inner").mkdir(parents=True)
    monkeypatch.setattr(module, "__file__", str(package / "cache.py"))
    for text in ("one", "three"):
        (package / "inner/module.py").write_text(text)
        seen.add(module._versions())
    os.utime(package / "inner/module.py", (1e9, 1e9))
    assert len({*seen, module._versions()}) == 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE kept SET value = x'00' || substr(value, 2)",
        "UPDATE kept SET value = CAST(value AS TEXT)",
        "UPDATE kept SET digest = value",
        "DROP TABLE kept",
        "ALTER TABLE kept RENAME value TO other",
    ],
)
def test_a_damaged_entry_is_missing_and_is_made_again(folder: Path, statement: str) -> None:
    filled(folder)
    change(folder, statement)
    assert kept(folder) is None
    filled(folder)
    assert kept(folder) == WORK


def test_a_damaged_file_costs_time_alone(folder: Path) -> None:
    dice = random.Random(1)
    cache = Cache(folder)
    right = {str(n): bytes([n]) * 5000 for n in range(20)}
    for number, value in right.items():
        cache.put(Sort.FACES, value, number)
    later(folder)
    sound = database(folder).read_bytes()
    for turn in range(12):
        content = bytearray(sound)
        for _ in range(turn):
            content[dice.randrange(len(content))] = dice.randrange(256)
        del content[dice.choice((0, 10, 5000, len(content))) :]
        database(folder).write_bytes(content)
        cache = later(folder)
        for number, value in right.items():
            assert cache.get(Sort.FACES, number) in (None, value)
        assert cache.size > 0
        for again in range(3):
            cache.put(Sort.FACES, WORK, str(again))
            flush()
    database(folder).write_bytes(b"no database" * 100)
    assert kept(folder) is None
    filled(folder)
    assert kept(folder) == WORK


@posix
def test_it_is_for_its_user_alone(folder: Path) -> None:
    filled(folder)
    assert stat.S_IMODE((folder / "v2").stat().st_mode) == 0o700


def as_link(folder: Path) -> None:
    (folder / "v2").rename(folder / "elsewhere")
    (folder / "v2").symlink_to(folder / "elsewhere")


def as_file(folder: Path) -> None:
    shutil.rmtree(folder / "v2")
    (folder / "v2").write_text("")


def as_open_to_all(folder: Path) -> None:
    (folder / "v2").chmod(0o777)


@posix
@pytest.mark.parametrize(
    ("change", "why"),
    [(as_link, "link"), (as_file, "not a folder"), (as_open_to_all, "others may")],
)
def test_a_folder_that_is_not_ours_is_not_used(
    folder: Path, change: Callable[[Path], None], why: str
) -> None:
    filled(folder)
    change(folder)
    cache = later(folder)
    cache.put(Sort.TEMPLATES, b"other", *KEY)
    assert cache.get(Sort.TEMPLATES, *KEY) is None
    assert not cache.keeps
    assert why in cache.trouble


@posix
def test_a_folder_of_another_user_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(folder)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert kept(folder) is None
    assert "belongs to another user" in Cache(folder).trouble


def test_a_folder_that_cannot_be_made_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache in (Cache(tmp_path / "file/cache"), NOTHING_KEPT):
        cache.put(Sort.TEMPLATES, WORK, *KEY)
        assert cache.get(Sort.TEMPLATES, *KEY) is None
        assert cache.size == 0
        assert cache.workshop("engine") is None
        cache.clear()
    assert Cache(tmp_path / "file/cache").trouble


@pytest.mark.parametrize("refusal", ["max_page_count = 4", "query_only = on"])
def test_a_full_or_read_only_disk_costs_time_alone(folder: Path, refusal: str) -> None:
    filled(folder)
    cache = later(folder)
    assert cache.get(Sort.TEMPLATES, *KEY) == WORK
    line = module._store_in(folder / "v2")._line
    assert line is not None
    line.execute(f"PRAGMA {refusal}")  # the mode of a file does not bind a superuser
    for number in range(5):
        cache.put(Sort.TEMPLATES, bytes(100_000), str(number))
        flush()
    assert not cache.keeps
    assert cache.get(Sort.TEMPLATES, *KEY) == WORK
    assert count(folder) == 1


def test_a_locked_database_is_not_waited_for_again_and_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    filled(folder)
    with closing(sqlite3.connect(database(folder), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache, begun = later(folder), time.monotonic()
        for number in range(100):
            assert cache.get(Sort.TEMPLATES, *KEY) is None
            cache.put(Sort.TEMPLATES, b"other", str(number))
            flush()
        assert time.monotonic() - begun < 2
        assert not cache.keeps
    assert kept(folder) == WORK


def at_work(folder: Path, seed: int, wrong: "multiprocessing.Queue[object]") -> None:
    cache, dice = Cache(folder), random.Random(seed)
    for turn in range(300):
        number = dice.randrange(20)
        right = f"{number}".encode() * 5000
        if cache.get(Sort.TEMPLATES, str(number)) not in (None, right):
            wrong.put(number)
        cache.put(Sort.TEMPLATES, right, str(number))
        if turn % 7 == 0:
            flush()
    flush()
    wrong.put(cache.keeps)


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_share_it(folder: Path, way: str) -> None:
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    filled(folder)  # a copy of this process must not write by the same connection
    context: Any = multiprocessing.get_context(way)
    wrong = context.Queue()
    processes = [context.Process(target=at_work, args=(folder, n, wrong)) for n in range(3)]
    for process in processes:
        process.start()
    assert [wrong.get(timeout=60) for _ in processes] == [True] * 3
    for process in processes:
        process.join()
    assert count(folder) == 21


def test_the_oldest_are_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1_000_000)
    for number in range(300):
        cache = later(folder)
        cache.put(Sort.TEMPLATES, bytes(10_000), str(number))
    assert count(folder) <= 100
    assert cache.get(Sort.TEMPLATES, "299") is not None
    assert cache.get(Sort.TEMPLATES, "0") is None
    assert database(folder).stat().st_size < 1_500_000


def test_clearing_removes_all_of_ours_and_nothing_else(folder: Path) -> None:
    filled(folder)
    (folder / "mine.txt").write_text("mine")
    cache = Cache(folder)
    cache.put(Sort.FACES, WORK, "waits")
    assert cache.size == database(folder).stat().st_size
    assert count(folder) == 2
    cache.clear()
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    cache.put(Sort.TEMPLATES, WORK, *KEY)
    assert kept(folder) == WORK


def test_the_cache_of_an_older_gridpress_is_removed(folder: Path) -> None:
    (folder / "v1/faces").mkdir(parents=True)
    filled(folder)
    assert [path.name for path in folder.iterdir()] == ["v2"]


def test_a_workshop_is_found_again_and_goes_when_nobody_uses_it(folder: Path) -> None:
    cache = Cache(folder)
    old, new = cache.workshop("engine", "old"), cache.workshop("engine", "new")
    assert old is not None
    assert new is not None
    os.utime(old, (1e9, 1e9))
    assert cache.workshop("engine", "new") == new != old
    assert not old.exists()


def test_too_large_an_entry_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRY", len(WORK) - 1)
    filled(folder)
    assert kept(folder) is None


def test_the_environment_names_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    assert user_cache().folder == folder / "v2"
    monkeypatch.setenv(VARIABLE, "cache")
    assert "absolute" in user_cache().trouble
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = user_cache().folder
    assert found is not None
    assert "gridpress" in found.parts


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
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.cache.MOST_AT_HAND", 20)
    at_hand, alone = InMemory(Cache(folder)), InMemory(NOTHING_KEPT)
    for cache in (at_hand, alone):
        for number in range(3):
            cache.put(Sort.ART, b"12345678", str(number))
    assert [at_hand.get(Sort.ART, str(n)) for n in range(3)] == [b"12345678"] * 3
    assert [alone.get(Sort.ART, str(n)) for n in range(3)] == [None, b"12345678", b"12345678"]
    assert pickle.loads(pickle.dumps(at_hand)).get(Sort.ART, "0") == b"12345678"
