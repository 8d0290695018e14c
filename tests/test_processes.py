"""How a process that is asked to end does so."""

import multiprocessing
import signal
import time
from collections.abc import Iterator

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
    copy = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,), daemon=True)
    copy.start()
    copy.terminate()
    copy.join()
    assert copy.exitcode == -signal.SIGTERM
    assert capfd.readouterr().err == ""
