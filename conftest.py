"""What all tests share: properties are never judged by the clock, and are tried with the same
examples each time, or with `--thorough` with more and others; a process reads each text once
and looks for garbage as seldom as a command does; `--thorough` runs those that take minutes;
`--update` renews what is kept to compare with.
"""

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from remembering import remember_texts

from generator import workers
from generator.build import receipts
from generator.cache import VARIABLE, Cache
from generator.load import documents
from generator.project import shipped_root
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

settings.register_profile("gridpress", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.load_profile("gridpress")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it in what it runs behind
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update` writes the files that tests compare with, to be looked at in the diff."""
    parser.addoption("--thorough", action="store_true", help="every case of every test")
    parser.addoption("--spawn", action="store_true", help="workers as on Windows and macOS")
    parser.addoption("--update", action="store_true", help="renew the files compared with")


_FIRST = (
    "test_fuzz.py",
    "test_simulation.py",
    "test_guard.py",
    "test_workers.py",
    "test_writing.py",
    "test_chariot_dash_faces.py",
    "test_dragon_draft_faces.py",
    "test_scrap_circuit_faces.py",
    "test_joust_racers_parts.py",
    "test_road_joust.py",
)
"""What copies its process, which grows with what tests keep; what has the racing engine compiled,
before others would wait for it; what draws most, which others take from the cache."""


def pytest_configure(config: pytest.Config) -> None:
    """Marks are known by name, so that one that is misspelt is a mistake. What tests keep for each
    other is much to look over for garbage: as seldom as a command does."""
    workers.collect_seldom()
    if config.getoption("--thorough"):
        settings.load_profile("thorough")
    config.addinivalue_line(
        "markers", "thorough(but=0): of its cases all but so many only with --thorough"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest files first, so that no process waits for another at the end; before them those
    that must come early."""
    if not config.getoption("--thorough") and not any("::" in word for word in config.args):
        left_out = _for_thorough_runs(items)
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    counts = Counter(item.path for item in items)
    items.sort(
        key=lambda item: (
            _FIRST.index(item.path.name) if item.path.name in _FIRST else len(_FIRST),
            -counts[item.path],
            item.path,
        )
    )


def _for_thorough_runs(items: list[pytest.Item]) -> set[pytest.Item]:
    """The cases that only `--thorough` runs: of each test with that mark all but as many as it
    says, which are spread evenly over them."""
    marked: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("thorough"):
            marked.setdefault((item.path, item.name.partition("[")[0]), []).append(item)
    left_out: set[pytest.Item] = set()
    for cases in marked.values():
        mark = cases[0].get_closest_marker("thorough")
        but = mark.kwargs.get("but", 0) if mark else 0
        left_out.update(cases)
        left_out.difference_update(cases[(2 * i + 1) * len(cases) // (2 * but)] for i in range(but))
    return left_out


@pytest.fixture(autouse=True, scope="session")
def _workers_of_other_systems(request: pytest.FixtureRequest) -> Iterator[None]:
    """With `--spawn` no worker is a copy of its parent, as on systems other than Linux."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--spawn"):
            patch.setattr(workers, "_has_only_our_threads", lambda: False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what its user's builds have kept, nor leaves anything there. All processes that
    run these tests share one, which is empty at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(_of_all_processes(tmp_path_factory) / "cache"))
        yield


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(autouse=True, scope="session")
def _texts_are_read_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What follows from a text alone: most of a build is to read and compile what is the same in
    all tests, in whatever folder a copy of a pack lies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "parse_yaml", documents.parse_yaml)
        patch.setattr(environment, "_translated", environment._translated)
        patch.setattr(BoundedEnvironment, "compile", BoundedEnvironment.compile)
        remember_texts(Cache(_of_all_processes(tmp_path_factory) / "compiled"))
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_is_shipped_stays() -> Iterator[None]:
    """No test writes to it: what a build keeps is not compared with it."""
    files, shipped = receipts._files, shipped_root()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(receipts, "_files", lambda root: iter(()) if root == shipped else files(root))
        yield


@pytest.fixture
def copied_workers() -> None:
    """For tests that change what workers do: these have to be copies of this process."""
    if workers.context().get_start_method() != "fork":
        pytest.skip("workers are no copies of this process")


def pytest_collection_finish() -> None:
    """What there is until the end is not looked over for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Nor is what tests have kept for each other, as their process ends."""
    gc.collect()
    gc.freeze()
