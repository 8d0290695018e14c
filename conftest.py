"""Fixtures and options that all tests share."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from remembering import compiler, remember_texts, remember_what_is_shipped

from generator import workers
from generator.build import receipts
from generator.cache import VARIABLE, Cache, Sort, flush
from generator.load import documents
from generator.project import shipped_root
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

settings.register_profile("gridpress", deadline=None, derandomize=True, max_examples=30)
settings.load_profile("gridpress")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # set by a shell for background jobs
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this project."""
    parser.addoption("--spawn", action="store_true", help="start workers as Windows and macOS do")
    parser.addoption("--update", action="store_true", help="rewrite the files compared with")


_FIRST = (
    "test_fuzz.py",
    "test_simulation.py",
    "test_guard.py",
    "test_workers.py",
    "test_writing.py",
    "test_chariot_dash.py",
    "test_faults.py",
    "test_joust_racers.py",
    "test_dragon_draft.py",
    "test_make_a_deck.py",
    "test_race_crews.py",
    "test_filling.py",
)
"""Run first: forking is slower once a process has grown, others need what these compile, and a few
long tests at the end would leave one process without work."""


def pytest_configure() -> None:
    """Collect garbage as seldom as a command does."""
    workers.collect_seldom()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest files first, so that no process is left waiting for another."""
    counts = Counter(item.path for item in items)
    items.sort(
        key=lambda item: (
            _FIRST.index(item.path.name) if item.path.name in _FIRST else len(_FIRST),
            -counts[item.path],
            item.path,
        )
    )


@pytest.fixture(autouse=True, scope="session")
def _workers_of_other_systems(request: pytest.FixtureRequest) -> Iterator[None]:
    """With `--spawn`, start workers anew instead of forking, as systems other than Linux do."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--spawn"):
            patch.setattr(workers, "_has_only_our_threads", lambda: False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a cache of this run, shared by its processes, instead of the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(_of_all_processes(tmp_path_factory) / "cache"))
        yield


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(autouse=True, scope="session")
def _texts_are_read_once(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Parse and compile each text once: most packs in tests are copies of the same files. Compiled
    templates stay for later runs while what compiles them is the same."""
    kept = getattr(request.config, "cache", None)
    compiled = kept.mkdir("compiled") if kept else _of_all_processes(tmp_path_factory) / "compiled"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "parse_yaml", documents.parse_yaml)
        patch.setattr(environment, "_translated", environment._translated)
        patch.setattr(BoundedEnvironment, "compile", BoundedEnvironment.compile)
        shared = Cache(Path(compiled), compiler())
        shared.put(Sort.TEMPLATES, b"", "begun")
        flush()  # makes its folder now: no build of a test may make one outside of its own
        remember_texts(shared)
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_is_shipped_stays() -> Iterator[None]:
    """Read what all packs share once, and skip the check for changes of shipped files: no test
    writes to them."""
    files, shipped = receipts._files, shipped_root()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(receipts, "_files", lambda root: iter(()) if root == shipped else files(root))
        remember_what_is_shipped(patch)
        yield


@pytest.fixture
def copied_workers() -> None:
    """Skip a test that patches what workers do, if workers are not forked."""
    if workers.context().get_start_method() != "fork":
        pytest.skip("workers are no copies of this process")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line that the studio was not tried, where there is no browser."""
    skipped = (report.longrepr for report in terminalreporter.stats.get("skipped", []))
    reasons = {one[2] for one in skipped if isinstance(one, tuple)}
    for reason in sorted(one for one in reasons if "no browser" in one):
        terminalreporter.write_line(reason.removeprefix("Skipped: "))


def pytest_collection_finish() -> None:
    """Keep collected tests out of garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Skip the garbage collection at exit, which is slow."""
    gc.collect()
    gc.freeze()
