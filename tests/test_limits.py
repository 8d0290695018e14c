import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import limits, workers
from generator.diagnostics import GridpressError, Span


@pytest.fixture
def board(tmp_path: Path) -> Iterator[limits.Board]:
    board = limits.Board.make(tmp_path / "board")
    limits.take(limits.Seat(board.file, limits.COMMAND))
    yield board
    limits.take(None)


def step(board: limits.Board) -> limits.ProcessStep:
    found = board.read(limits.COMMAND)
    assert found is not None
    return found


def spend(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_without_a_board_a_step_is_only_known_here() -> None:
    assert limits.place() == ""
    with limits.at(Span("a.yaml", 3, 7), 1):
        assert limits.place() == "a.yaml:3:7"
        with limits.at("b.yaml", 1):
            assert limits.place() == "b.yaml"
        assert limits.place() == "a.yaml:3:7"
    assert limits.place() == ""
    assert limits.seat() is None


def test_a_board_tells_what_a_process_is_at(board: limits.Board) -> None:
    with limits.at(Span("ä.yaml", 3, 7), 2.5):
        told = step(board)
        assert (told.process, told.place, told.allowance) == (os.getpid(), "ä.yaml:3:7", 2.5)
    assert step(board).has_ended
    assert [one.process for one in board.steps()] == [os.getpid()]


def test_what_is_in_no_step_is_told_at_the_last_one(board: limits.Board) -> None:
    assert limits.told_at(step(board).place, "GP008", "slow", "").span == Span("gridpress")
    with limits.at(Span("a.yaml", 3, 7), 1), limits.at("", 1):
        pass
    told = limits.told_at(step(board).place, "GP008", "slow", "")
    assert (told.span, told.message) == (
        Span("a.yaml", 3, 7),
        "slow, in the work that comes after this",
    )


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="there is no such signal")
def test_a_file_of_our_own_that_will_be_gone_is_told_as_what_it_is_made_of(
    board: limits.Board,
) -> None:
    ours = board.file.parent / "finished/manifest.json"
    with limits.at("pack.yaml", 1), limits.at(Span(str(ours), 2), 1):
        assert step(board).place == "pack.yaml"


def test_a_command_that_waits_for_its_user_is_at_nothing(board: limits.Board) -> None:
    with limits.anew(), limits.at("a.yaml", 1):
        assert step(board).place == "a.yaml"
    told = limits.broken_down(step(board).place, "signal 9")
    assert (told.span, told.message) == (
        Span("gridpress"),
        "a process of Gridpress ended (signal 9)",
    )


def test_where_there_is_no_room_for_more_than_a_board_steps_are_told(tmp_path: Path) -> None:
    board = limits.Board.make(tmp_path / "board")
    board.stack(os.getpid()).mkdir()
    before = signal.getsignal(signal.SIGUSR1)
    limits.take(limits.Seat(board.file, limits.COMMAND))
    try:
        with limits.at("a.yaml", 1):
            os.kill(os.getpid(), signal.SIGUSR1)  # asked where it is, it goes on
            assert step(board).place == "a.yaml"
    finally:
        limits.take(None)
        signal.signal(signal.SIGUSR1, before)


def test_what_a_step_takes_beyond_its_allowance_is_added_up(board: limits.Board) -> None:
    for _ in range(2):
        with limits.at("slow.yaml", 0.01):
            spend(0.05)
            assert step(board).taken_beyond(time.process_time()) > 0.03
    assert step(board).over == pytest.approx(0.08, abs=0.02)


def test_what_a_step_takes_less_pays_for_those_before_it(board: limits.Board) -> None:
    with limits.at("slow.yaml", 0.01):
        spend(0.05)
    with limits.at("quick.yaml", 0.03):
        pass
    assert step(board).over == pytest.approx(0.01, abs=0.01)
    with limits.at("quicker.yaml", 1):
        pass
    assert step(board).over == 0  # nothing is saved up for what may hang later


def test_a_step_within_another_does_not_count_for_it(board: limits.Board) -> None:
    with limits.at("outer.yaml", 0.02):
        with limits.at("inner.yaml", 1):
            spend(0.05)
        assert step(board).taken_beyond(time.process_time()) == 0
    assert step(board).over == 0


def test_a_step_can_be_allowed_more(board: limits.Board) -> None:
    with limits.at("file.pdf", 0.01):
        limits.allow(1)
        spend(0.05)
    assert step(board).over == 0


def test_a_step_that_needs_too_much_memory_is_told_of_where_it_is() -> None:
    with pytest.raises(GridpressError) as caught, limits.at(Span("big.yaml", 2, 5), 1):
        raise MemoryError
    (told,) = caught.value.diagnostics
    assert (told.code, str(told.span)) == ("GP009", "big.yaml:2:5")


def place_told(_: int) -> tuple[int, str]:
    with limits.at("there.yaml", 1):
        return os.getpid(), limits.place()


def test_workers_have_lines_of_their_own(board: limits.Board) -> None:
    [(_, (process, place))] = workers.answers(place_told, [1], 1)
    assert place == "there.yaml"
    assert {one.process for one in board.steps()} == {os.getpid(), process}


def test_a_very_long_place_is_cut(board: limits.Board) -> None:
    with limits.at("ä" * 1000, 1):
        assert step(board).place == "ä" * 240
