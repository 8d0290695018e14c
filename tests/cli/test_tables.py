"""What a build prints and why: one table, on a terminal and in a pipe."""

import re
import sys

import pytest

from generator.build import PackedComponent, PackedKind
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


def test_a_pipe_gets_a_line_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    show_packing_list(KINDS)
    assert capsys.readouterr().out.splitlines() == [
        "  Dragon [card]  2 of 3 different  3 pieces  cards-a4 1–3; cards-letter 1, 3"
        "  one copy for 4 players",
        "  Token          1 different       1 piece   tokens-a4 1                      one each",
        "  Mat            0 of 1 different  0 pieces  –",
    ]


def test_a_terminal_gets_a_table_with_a_total(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    show_packing_list(KINDS)
    told = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert "Dragon [card] 2 of 3 3 cards-a4 1–3 one copy for 4 players" in lines
    assert "Mat 0 of 1 0" in lines
    assert "4" in lines, "the total"
