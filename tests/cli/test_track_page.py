"""Commands print the output that docs/tracks.md shows; `…` means left-out lines."""

import re
import shlex
from pathlib import Path

import pytest

from generator.cli import run

PAGE = (Path(__file__).parents[2] / "docs/tracks.md").read_text("utf-8")
SHOWN = re.findall(r"^```\n(gridpress [^\n]+)\n```\n\n```text\n(.*?)^```$", PAGE, re.M | re.S)


def test_there_are_samples() -> None:
    commands = {command.split()[2] for command, _ in SHOWN}
    assert commands == {"show", "solve", "shorten"}


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_a_command_prints_what_the_page_shows(
    command: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(command)[1:]) == 0
    said = capsys.readouterr().out
    for part in shown.split("…\n"):
        assert part in said
