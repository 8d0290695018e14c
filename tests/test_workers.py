import errno
import os
import signal
import time

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


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_copies_answer_every_task_under_its_own_number(jobs: int) -> None:
    copies = workers.Copies(double, [5, 6, 7], jobs)
    assert sorted(copies.answers()) == [(0, 10), (1, 12), (2, 14)]


def test_copies_without_tasks_have_no_answers() -> None:
    assert list(workers.Copies(double, [], 2).answers()) == []


def test_one_copy_works_off_many_tasks() -> None:
    pids = {pid for _, pid in workers.Copies(own_process, [1, 2, 3], 1).answers()}
    assert len(pids) == 1
    assert os.getpid() not in pids


def test_what_a_copy_raises_comes_through() -> None:
    copies = workers.Copies(fill_the_disk, [1, 2], 2)
    with pytest.raises(OSError, match="No space"):
        list(copies.answers())
    copies.dismiss()


def test_a_copy_that_dies_is_told_of() -> None:
    copies = workers.Copies(crash, [1, 2], 2)
    with pytest.raises(workers.WorkerCrash, match="status -9"):
        list(copies.answers())
    copies.dismiss()


def test_copies_end_when_they_are_dismissed() -> None:
    copies = workers.Copies(time.sleep, [60, 60], 2)
    copies.dismiss()
    with pytest.raises(workers.WorkerCrash, match="status -9"):
        list(copies.answers())
