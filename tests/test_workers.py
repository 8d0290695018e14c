import errno
import gc
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest

from generator import workers
from generator.diagnostics import GridpressError

_COUNTS_THREADS = workers._has_only_our_threads
"""The function as it is without `--spawn`."""


def double(number: int) -> int:
    return 2 * number


def own_process(_: int) -> int:
    return os.getpid()


def fill_the_disk(_: int) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def crash(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def grow(_: int) -> int:
    raise MemoryError


def chatter(number: int) -> int:
    os.write(1, b"native words")
    os.write(2, b"native words")
    return number


both_kinds = pytest.mark.parametrize("kind", ["fork", "spawn"], indirect=True)
"""Used by tests of data passed from one process to the other."""


@pytest.fixture(params=["fork"], autouse=True)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Use copies of this process, or new processes, which receive their data."""
    if request.param not in multiprocessing.get_all_start_methods():
        pytest.skip("no copies of a process here")
    context = multiprocessing.get_context(request.param)
    monkeypatch.setattr(workers, "context", lambda: context)
    yield request.param
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("kind", "jobs"), [("fork", 0), ("fork", 2), ("fork", 9), ("spawn", 2)], indirect=["kind"]
)
@pytest.mark.parametrize("fresh", [True, False])
def test_every_task_is_answered_under_its_own_number(jobs: int, fresh: bool) -> None:
    answers = workers.answers(double, [5, 6, 7], jobs, fresh=fresh)
    assert sorted(answers) == [(0, 10), (1, 12), (2, 14)]


def test_many_tasks_for_few_workers() -> None:
    answers = dict(workers.answers(double, range(200), 2))
    assert answers == {number: 2 * number for number in range(200)}


def test_no_task_no_answer() -> None:
    assert list(workers.answers(double, [], 2)) == []


def test_a_fresh_process_for_each_task() -> None:
    pids = {pid for _, pid in workers.answers(own_process, [1, 2, 3], 1, fresh=True)}
    assert len(pids) == 3
    assert os.getpid() not in pids


@both_kinds
def test_what_takes_memory_may_be_done_apart(kind: str) -> None:
    assert list(workers.shared(own_process, [0], 2)) == [(0, os.getpid())]
    [(_, other)] = workers.shared(own_process, [0], 1, apart=True)
    assert (other != os.getpid()) == (kind == "fork"), "a new one would know nothing"


def own_process_after_a_moment(_: int) -> int:
    time.sleep(0.01)
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_this_process_may_be_one_of_the_crew(jobs: int) -> None:
    found = dict(workers.answers(own_process_after_a_moment, range(40), jobs, helps=True))
    assert sorted(found) == list(range(40))
    assert os.getpid() in found.values()
    assert len({*found.values()}) <= jobs


def test_what_this_process_raises_ends_the_crew() -> None:
    with pytest.raises(OSError, match="No space"):
        list(workers.answers(fill_the_disk, range(9), 2, helps=True))


def test_one_process_works_off_many_tasks() -> None:
    pids = {pid for _, pid in workers.answers(own_process, [1, 2, 3], 1)}
    assert len(pids) == 1
    assert os.getpid() not in pids


@both_kinds
@pytest.mark.parametrize("fresh", [True, False])
def test_what_a_task_raises_comes_through(fresh: bool) -> None:
    with pytest.raises(OSError, match="No space") as caught:
        list(workers.answers(fill_the_disk, [1, 2], 2, fresh=fresh))
    assert caught.value.errno == errno.ENOSPC


def test_memory_that_runs_out_is_told_as_such() -> None:
    with pytest.raises(GridpressError, match="GP009"):
        list(workers.answers(grow, [1], 1))


@pytest.mark.parametrize("fresh", [True, False])
def test_a_process_that_dies_is_reported(fresh: bool) -> None:
    with pytest.raises(workers.WorkerCrash, match="signal 9"):
        list(workers.answers(crash, [1, 2, 3], 2, fresh=fresh))


def test_workers_end_when_nobody_wants_their_answers() -> None:
    answers = workers.answers(time.sleep, [0, 60, 60], 2)
    assert next(answers) == (0, None)
    assert len(multiprocessing.active_children()) == 2
    answers.close()


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")
def test_a_process_with_threads_of_a_library_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(workers, "_has_only_our_threads", _COUNTS_THREADS)
    known = len(sys._current_frames())
    monkeypatch.setattr(os, "listdir", lambda _: ["1"] * known)
    assert workers.context().get_start_method() == "fork"
    monkeypatch.setattr(os, "listdir", lambda _: ["1"] * (known + 1))
    assert workers.context().get_start_method() == "spawn"


@both_kinds
def test_what_native_code_says_in_a_worker_is_not_shown(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert list(workers.answers(chatter, [1], 1)) == [(0, 1)]
    assert capfd.readouterr() == ("", "")


def test_what_a_build_sets_is_gone_after_it() -> None:
    before = gc.get_threshold()
    with workers.collecting_hardly():
        assert gc.get_threshold()[0] > before[0]
        held = [[] for _ in range(1000)]
    assert gc.get_threshold() == before
    assert not any(item is held for item in gc.get_objects()), "it would be looked over again"
    gc.unfreeze()
