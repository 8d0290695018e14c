import os
import signal
import time
from pathlib import Path

import pytest

from generator import limits, workers
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.workers import Helper, TooLongError


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a run for the processes started here."""
    monkeypatch.setenv(limits.RUN, str(tmp_path))
    return tmp_path


def test_a_step_is_known_by_its_place() -> None:
    with limits.at(Span("a.yaml", 3, 7)):
        assert limits.place() == "a.yaml:3:7"
        with limits.at("b.yaml"):
            assert limits.place() == "b.yaml"
        assert limits.place() == "a.yaml:3:7"


def test_a_step_that_needs_too_much_memory_is_named() -> None:
    with pytest.raises(GridpressError) as caught, limits.at(Span("big.yaml", 2, 5)):
        raise MemoryError
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.span)) == ("GP009", "big.yaml:2:5")


def end_in(how: str) -> None:
    if how == "a long place":
        with limits.at("\u00e4" * 1000):
            os.kill(os.getpid(), signal.SIGKILL)
    if how == "a temporary file":
        with limits.at("pack.yaml"), limits.at(Path(os.environ[limits.RUN], "made.pdf")):
            os.kill(os.getpid(), signal.SIGKILL)
    with limits.at(Span("\u00e4.yaml", 3, 7), 0, "drawing the front of 'ember'"):
        if how == "a step":
            os.kill(os.getpid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def fault_of(how: str) -> Diagnostic:
    with pytest.raises(workers.WorkerCrash) as caught:
        dict(workers.answers(end_in, [how], 1))
    return caught.value.diagnostics[0]


@pytest.mark.usefixtures("run_folder")
@pytest.mark.skipif(os.name != "posix", reason="processes end by signals")
@pytest.mark.parametrize(
    ("how", "place", "what"),
    [
        ("a step", Span("\u00e4.yaml", 3, 7), "drawing the front of 'ember' crashed"),
        ("after a step", Span("\u00e4.yaml", 3, 7), "the work after this crashed"),
        ("a temporary file", Span("pack.yaml"), "the work on this crashed"),
    ],
)
def test_the_place_of_a_process_that_breaks_down_is_named(how: str, place: Span, what: str) -> None:
    found = fault_of(how)
    assert (found.code, found.span) == ("GP010", place)
    assert found.message == f"{what} (signal {int(signal.SIGKILL)})"


@pytest.mark.usefixtures("run_folder")
def test_a_place_that_is_too_long_to_note_stays_unknown() -> None:
    assert fault_of("a long place").span == Span("gridpress")


def spin(seconds: float) -> int:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return os.getpid()


def spin_in_a_step(place: str) -> None:
    with limits.at(place, 0, "drawing"):
        spin(60)


@pytest.mark.usefixtures("run_folder")
@pytest.mark.skipif(os.name != "posix", reason="the system ends no process there")
def test_a_worker_that_takes_too_long_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_SECONDS", 0.5)
    with pytest.raises(workers.WorkerCrash) as caught:
        list(workers.answers(spin_in_a_step, ["cards.yaml:3:5"] * 2, 2, helps=True))
    (found,) = caught.value.diagnostics
    assert (found.code, found.span) == ("GP008", Span("cards.yaml", 3, 5))
    assert found.message.startswith("drawing took more than")


def spin_in_steps(_: int) -> int:
    for number in range(4):
        with limits.at(f"{number}.yaml"):
            spin(0.25)
    with limits.at("large.yaml"):
        limits.allow(5)
        spin(1)
    return os.getpid()


@pytest.mark.skipif(os.name != "posix", reason="the system ends no process there")
def test_each_step_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_SECONDS", 0.5)
    assert len(dict(workers.answers(spin_in_steps, [0], 1))) == 1


def test_a_helper_answers_until_it_takes_too_long() -> None:
    helper = Helper(spin)
    try:
        first, second = helper.ask(0.0, 20), helper.ask(0.01, 20)
        assert first == second != os.getpid()
        with pytest.raises(TooLongError):
            helper.ask(60, 0.5)
    finally:
        helper.close()
