"""The table of a build and its progress lines."""

import signal
import sys

import pytest

from generator.build import PackedComponent, PackedKind
from generator.cli import terminal
from generator.cli.terminal import show_packing_list

KINDS = (
    PackedKind(
        "dragon",
        "Dragon [card]",
        "one copy for 4 players",
        (
            PackedComponent("a", 1, {"cards-a4.pdf": (1, 2, 3), "cards-letter.pdf": (1, 3)}),
            PackedComponent("b", 2, {"cards-a4.pdf": (3,)}),
            PackedComponent("c", 0, {}),
        ),
    ),
    PackedKind("token", "Token", "one each", (PackedComponent("t", 1, {"tokens-a4.pdf": (1,)}),)),
    PackedKind("mat", "Mat", "", (PackedComponent("m", 0, {}),)),
)


def test_each_kind_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    show_packing_list(KINDS)
    assert capsys.readouterr().out.splitlines() == [
        "  Dragon [card]  2 of 3 different  3 pieces  cards-a4 1–3; cards-letter 1, 3"
        "  one copy for 4 players",
        "  Token          1 different       1 piece   tokens-a4 1                      one each",
        "  Mat            0 of 1 different  0 pieces  –",
        "  4 pieces in all",
    ]


def test_progress_in_a_pipe_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter((0.0, 4.0, 11.0, 12.0))
    monkeypatch.setattr(terminal, "monotonic", lambda: next(seconds))
    with terminal.progress_bar("my-pack") as report:
        for done in (1, 20, 30):
            report("drawing", done, 40)
    assert capsys.readouterr().err.splitlines() == [
        "my-pack: drawing ━━━━━━━━━━━━──────────── 20/40"
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such timer")
def test_a_long_step_without_news_is_shown_with_its_seconds(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter((0.0, 10.0, 12.0, 13.0, 31.0))
    monkeypatch.setattr(terminal, "monotonic", lambda: next(seconds))
    before = signal.getsignal(signal.SIGALRM)
    with terminal.progress_bar("my-pack") as report:
        signal.raise_signal(signal.SIGALRM)
        report("drawing", 1, 2)
        signal.raise_signal(signal.SIGALRM)  # too early
        signal.raise_signal(signal.SIGALRM)
    assert signal.getsignal(signal.SIGALRM) is before
    assert capfd.readouterr().err.splitlines() == [
        "my-pack: opening (10 s)",
        "my-pack: drawing ━━━━━━━━━━━━──────────── 1/2 (31 s)",
    ]
