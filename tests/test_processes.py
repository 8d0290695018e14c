"""How a process that is asked to end does so."""

import multiprocessing
import signal
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event

import pytest

from generator.processes import end_in_order


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    end_in_order()
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_request_to_end_is_taken_as_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="no copies of a process here"
)
def test_a_copy_just_ends(capfd: pytest.CaptureFixture[str]) -> None:
    copying = multiprocessing.get_context("fork")
    begun = copying.Event()
    copy = copying.Process(target=wait_after, args=(begun,), daemon=True)
    copy.start()
    assert begun.wait(30)
    copy.terminate()
    copy.join()
    assert copy.exitcode == -signal.SIGTERM
    assert capfd.readouterr().err == ""


def wait_after(begun: Event) -> None:
    begun.set()
    time.sleep(60)
