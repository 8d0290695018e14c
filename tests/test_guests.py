"""What installed packages bring: found, loaded when needed, and without any the core is whole."""

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from generator import guests
from generator.cli import COMMANDS, run
from generator.guests import Command, Guest, NextStep

ROOT = Path(__file__).parent.parent

LANTERN = Guest(
    "lantern",
    commands={
        "wick": Command("Say how long it burns.", "no_such_module:command"),
        "build": Command("Print something else.", "no_such_module:command"),
    },
    next_steps=(NextStep("night", "lantern", "wick {}"),),
)
MISNAMED = Guest("candle")
GREEDY = Guest("greedy", codes={"GP201": "mine"})


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch):
    """Guests by name, with what their entry points say, in the place of those that are there."""

    def install(**offered: str) -> None:
        entries = {n: EntryPoint(n, where, guests.GROUP) for n, where in offered.items()}
        monkeypatch.setattr(guests, "_offered", lambda: entries)
        guests.guest.cache_clear()

    yield install
    guests.guest.cache_clear()


def own(name: str) -> str:
    return f"{__name__}:{name}"


def test_without_any_game_the_core_is_whole(
    install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install()
    monkeypatch.chdir(tmp_path)
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in COMMANDS)
    assert "games" not in said
    assert run(["new", "pack", "mini"]) == 0
    assert run(["new", "vehicle", "comet"]) == 0
    assert "vehicle show" not in capsys.readouterr().out
    assert run(["build", ".", "--paper", "a4", "-o", "out"]) == 0
    assert (tmp_path / "out/mini/cards-a4.pdf").is_file()
    assert run(["vehicle", "show", "comet"]) == 2
    assert "No such command 'vehicle'" in capsys.readouterr().err


def test_the_core_names_no_game() -> None:
    packs = (path.parent.name for path in (ROOT / "cards").glob("*/pack.yaml"))
    names = re.compile("|".join((*packs, "chariot", "gridpress_", "gridpress vehicle")))
    texts = [(path, path.read_text("utf-8")) for path in (ROOT / "generator").rglob("*.py")]
    assert [(path.name, found[0]) for path, text in texts if (found := names.search(text))] == []


def test_a_list_of_commands_imports_none(install, capsys: pytest.CaptureFixture[str]) -> None:
    install(lantern=own("LANTERN"))
    assert run(["--help"]) == 0
    assert re.search(
        r"Commands of games:\n  wick +Say how long it burns\.", capsys.readouterr().out
    )


def test_a_command_that_cannot_be_imported_is_told(
    install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(lantern=own("LANTERN"))
    assert run(["wick"]) == 1
    said = capsys.readouterr().err
    assert "lantern:1:1: error[GP012]: the game 'lantern' is installed, and cannot be" in said
    assert "no_such_module" in said


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("no_such_module:GUEST", "ModuleNotFoundError"),
        (own("NOTHING"), "AttributeError"),
        (own("ROOT"), "is no Guest"),
        (own("MISNAMED"), "calls itself 'candle'"),
        (own("GREEDY"), "GP201: codes of Gridpress's own"),
    ],
)
def test_a_guest_that_cannot_be_loaded_is_told_and_harms_nothing_else(
    where: str, why: str, install, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "greedy" if "GREEDY" in where else "lamp"
    install(**{name: where, "lantern": own("LANTERN")})
    assert run(["--help"]) == 0
    told = capsys.readouterr()
    assert f"{name}:1:1: warning[GP012]" in told.err
    assert why in told.err
    assert "wick" in told.out


def test_no_guest_takes_the_place_of_our_commands(
    install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(lantern=own("LANTERN"))
    assert run(["build", "--help"]) == 0
    assert "PACK" in capsys.readouterr().out


def test_what_to_try_next_goes_by_pack_and_kind(install) -> None:
    install(lantern=own("LANTERN"))
    assert guests.next_steps(("my-night", "night"), "lantern") == ("wick {}",)
    assert guests.next_steps(("my-night", "night"), "moth") == ()
    assert guests.next_steps(("day",), "lantern") == ()
