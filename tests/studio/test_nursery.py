"""Processes of the studio: started as copies of one that is kept ready, and heard to their end."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection

import psutil
import pytest

from generator.studio.nursery import Nursery


def answer(line: Connection, given: str) -> None:
    line.send((given, os.getppid()))
    line.recv()


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    with closing(Nursery()) as made:
        yield made


def test_work_is_a_copy_of_the_process_that_is_kept_ready(nursery: Nursery) -> None:
    children = [nursery.start(__name__, "answer", word) for word in ("one", "two")]
    (one, parent), (two, other) = (child.line.recv() for child in children)
    assert (one, two, parent == other != os.getpid()) == ("one", "two", True)
    children[0].line.send("end")
    assert children[0].join() == 0
    children[1].send_signal(signal.SIGKILL)
    assert children[1].join() == -signal.SIGKILL
    children[1].send_signal(signal.SIGKILL)  # its number may be that of another process now


def test_work_goes_on_in_new_processes_if_something_ends_the_one_that_is_kept_ready(
    nursery: Nursery,
) -> None:
    child = nursery.start(__name__, "answer", "one")
    _, ready = child.line.recv()
    psutil.Process(ready).kill()
    assert child.join() == -signal.SIGKILL
    child.line.close()
    again = nursery.start(__name__, "answer", "two")
    word, parent = again.line.recv()
    assert (word, parent != ready) == ("two", True)


def test_all_end_with_the_server(nursery: Nursery) -> None:
    child = nursery.start(__name__, "answer", "one")
    _, ready = child.line.recv()
    nursery.close()
    child.line.close()
    psutil.wait_procs([psutil.Process(child.number)] if psutil.pid_exists(child.number) else [])
    assert not psutil.pid_exists(ready)
