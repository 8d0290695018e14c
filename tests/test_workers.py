import errno
import os
import signal

import pytest

from generator import workers


def double(number: int) -> int:
    return 2 * number


def own_process(_: int) -> int:
    return os.getpid()


def fill_the_disk(_: int) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def crash(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_every_task_is_answered_under_its_own_number(jobs: int) -> None:
    assert sorted(workers.run(double, [5, 6, 7], jobs)) == [(0, 10), (1, 12), (2, 14)]


def test_no_task_no_answer() -> None:
    assert list(workers.run(double, [], 2)) == []


def test_every_task_has_a_process_of_its_own() -> None:
    pids = {pid for _, pid in workers.run(own_process, [1, 2, 3], 1)}
    assert len(pids) == 3
    assert os.getpid() not in pids


def test_what_a_task_raises_comes_through() -> None:
    with pytest.raises(OSError, match="No space") as caught:
        list(workers.run(fill_the_disk, [1], 1))
    assert caught.value.errno == errno.ENOSPC


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(workers.WorkerCrash, match="status -9"):
        list(workers.run(crash, [1, 2], 2))
