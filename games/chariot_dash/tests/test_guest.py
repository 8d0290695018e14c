"""The game as a guest of Gridpress."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from gridpress_chariot_dash import GUEST, commands
from test_guard import ONE_AFTER_THE_OTHER, springs_no_trap, trapped  # noqa: F401, a fixture

from generator.cli import run
from generator.guests import installed

ROOT = Path(__file__).parents[3]
PACKAGE = Path(__file__).parents[1] / "gridpress_chariot_dash"


@cache
def imports(path: Path) -> set[str]:
    """Return imported modules and names."""
    froms = (
        n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.ImportFrom)
    )
    return {
        name
        for node in froms
        for name in (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
    }


def test_the_game_is_installed() -> None:
    assert GUEST in installed().value


@pytest.mark.parametrize("name", GUEST.commands)
def test_help_names_every_command_and_each_explains_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--help"]) == 0
    assert f"\n  {name} " in capsys.readouterr().out
    assert run([name, "--help"]) == 0
    assert len(capsys.readouterr().out) > 150
    assert f"\n## gridpress {name}\n" in (ROOT / "docs/commands.md").read_text("utf-8")


def test_its_modules_import_each_other_in_one_direction() -> None:
    modules = {
        ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)): imports(path)
        for path in PACKAGE.rglob("*.py")
        if path.name != "__init__.py"
    }
    order = TopologicalSorter({name: used & modules.keys() for name, used in modules.items()})
    assert len(list(order.static_order())) == len(modules) > 10  # raises CycleError


def test_it_imports_no_more_of_gridpress_than_the_page_on_games_says() -> None:
    page = (ROOT / "docs/games.md").read_text("utf-8")
    told = set(re.findall(r"`(generator\.\w+)`", page))
    used = {
        ".".join(name.split(".")[:2])
        for path in PACKAGE.rglob("*.py")
        for name in imports(path)
        if name.startswith("generator.")
    }
    assert used <= told


def test_a_command_that_races_says_how_to_get_the_races(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    assert run(["vehicle", "simulate", "basic"]) == 1
    said = capsys.readouterr().err
    assert said.splitlines() == [
        "Error: gridpress vehicle simulate races vehicles: "
        "pip install 'gridpress[races]', or ./games/chariot_races of a checkout"
    ]
    assert run(["vehicle", "--help"]) == 0
    assert "simulate" in capsys.readouterr().out
