"""Installed packages add to Gridpress: they are found, and loaded when needed; without them the
core is whole.

The guest of docs/games.md, `gridpress_lantern`, is installed as any: a package beside a dist-info.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator import guests
from generator.build import Order, Session
from generator.cli import COMMANDS, run
from generator.guests import Command, Guest, NextStep, OutletKind
from generator.project import Project, Target, shipped_root
from generator.studio.answers import Answers

ROOT = Path(__file__).parent.parent

LANTERN = Guest(
    "lantern",
    commands={
        "wick": Command("Say how long it burns.", "no_such_module:command"),
        "build": Command("Print something else.", "no_such_module:command"),
    },
    next_steps=(NextStep("night", "lantern", "wick {}"),),
)
ODD = Guest(
    "lantern",
    commands={
        "wick": Command("None at all.", f"{__name__}:ROOT"),
        "burst": Command("Fails.", f"{__name__}:burst"),
    },
)
MISNAMED = Guest("candle")
GREEDY = Guest("greedy", codes={"GP201": "mine"})
TAKER = Guest("greedy", outlets={"tts": OutletKind("mine", "Mine", "no_such_module:fill")})
LOUD = Guest("greedy", outlets={"../LOUD": OutletKind("mine", "Mine", "no_such_module:fill")})


@click.command("burst")
def burst() -> None:
    raise KeyError


FIXTURES = ROOT / "tests/fixtures/guests"
ENTRY_POINTS = (
    "[console_scripts]\nwick = x:y\n\n[gridpress.games]\nlantern = gridpress_lantern:GUEST\n"
)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch):
    """Replace the installed guests by others: names and their entry points."""

    def install(**offered: str) -> None:
        monkeypatch.setattr(guests, "offered", lambda: offered)
        guests.guest.cache_clear()

    yield install
    guests.guest.cache_clear()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder where the guest of docs/games.md is installed."""
    folder = tmp_path / "site"
    shutil.copytree(FIXTURES / "gridpress_lantern", folder / "gridpress_lantern")
    (folder / "gridpress_lantern-1.0.dist-info").mkdir()
    entry_points = folder / "gridpress_lantern-1.0.dist-info/entry_points.txt"
    entry_points.write_text(ENTRY_POINTS, "utf-8")
    return folder


@pytest.fixture
def lantern(site: Path, monkeypatch: pytest.MonkeyPatch):
    """Load the guest in this process."""
    monkeypatch.syspath_prepend(str(site))
    guests.offered.cache_clear()
    guests.guest.cache_clear()
    yield site / "gridpress_lantern"
    guests.offered.cache_clear()
    guests.guest.cache_clear()
    for name in [name for name in sys.modules if name.startswith("gridpress_lantern")]:
        del sys.modules[name]


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project whose pack asks for the guest the current folder; return the pack's folder."""
    shutil.copytree(FIXTURES / "project", tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project/cards/night"


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


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
    assert run(["build", "mini", "--paper", "a4", "-o", "out"]) == 0
    assert (tmp_path / "out/mini/cards-a4.pdf").is_file()
    for folder in ("cards", "templates"):
        shutil.copytree(FIXTURES / "project" / folder / "night", tmp_path / folder / "night")
    assert run(["check", "night"]) == 1
    assert "error[GP013]" in capsys.readouterr().err
    assert run(["new", "lantern", "torch"]) == 1
    assert "wick" not in capsys.readouterr().out
    assert run(["vehicle", "show", "comet"]) == 2
    assert "No such command 'vehicle'" in capsys.readouterr().err


def test_the_core_names_no_game() -> None:
    packs = (path.parent.name for path in (ROOT / "cards").glob("*/pack.yaml"))
    names = re.compile("|".join((*packs, "chariot", "gridpress_", "gridpress vehicle")))
    texts = [(path, path.read_text("utf-8")) for path in (ROOT / "generator").rglob("*.py")]
    assert [(path.name, found[0]) for path, text in texts if (found := names.search(text))] == []


def test_a_command_that_cannot_be_imported_is_told(
    install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(lantern=own("LANTERN"))
    assert run(["wick"]) == 1
    said = capsys.readouterr().err
    assert "lantern:1:1: error[GP012]: the game 'lantern' is installed but cannot be used" in said
    assert "no_such_module" in said


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("no_such_module:GUEST", "ModuleNotFoundError"),
        (own("NOTHING"), "AttributeError"),
        (own("ROOT"), "is no Guest"),
        (own("MISNAMED"), "calls itself 'candle'"),
        (own("GREEDY"), "GP201: these codes belong to Gridpress"),
        (own("TAKER"), "tts: these outlets belong to Gridpress"),
        (own("LOUD"), "../LOUD: not a name for an outlet"),
    ],
)
def test_a_guest_that_cannot_be_loaded_is_told_and_harms_nothing_else(
    where: str, why: str, install, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "greedy" if where.endswith(("GREEDY", "TAKER", "LOUD")) else "lamp"
    install(**{name: where, "lantern": own("LANTERN")})
    assert run(["--help"]) == 0
    told = capsys.readouterr()
    assert f"{name}:1:1: warning[GP012]" in told.err
    assert why in told.err
    assert "wick" in told.out


def test_a_bug_of_a_guest_is_told_as_its_own(
    install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click, "get_app_dir", lambda _: str(tmp_path / "logs"))
    install(lantern=own("ODD"))
    assert run(["burst"]) == 3
    assert "this is a bug in the game 'lantern', not in your files" in capsys.readouterr().err


def test_what_to_try_next_goes_by_pack_and_kind(install) -> None:
    install(lantern=own("LANTERN"))
    assert guests.next_steps(("my-night", "night"), "lantern") == ("wick {}",)
    assert guests.next_steps(("my-night", "night"), "moth") == ()
    assert guests.next_steps(("day",), "lantern") == ()


def test_the_page_shows_this_guest(site: Path) -> None:
    page = (ROOT / "docs/games.md").read_text("utf-8")
    shown = re.findall(r"^```(?:python|yaml)\n(.*?)^```$", page, re.M | re.S)
    files = [path for path in FIXTURES.rglob("*") if path.suffix in (".py", ".yaml", ".j2")]
    texts = [path.read_text("utf-8") for path in files]
    assert len(shown) >= 4
    assert [part for part in shown if not any(part in text for text in texts)] == []


def test_what_a_command_of_a_guest_refuses_is_told(
    lantern: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["wick", "soon"]) == 2
    assert "write hours and minutes, such as 2h 30m" in capsys.readouterr().err


def test_guests_come_from_no_folder_that_a_command_is_typed_in(site: Path) -> None:
    command = Path(sys.executable).with_name("gridpress")
    done = subprocess.run([command, "wick", "1h"], cwd=site, capture_output=True, check=False)
    assert done.returncode == 2


def test_a_value_that_a_field_of_a_guest_refuses_is_told(
    lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(night / "lanterns.yaml", "45m", "soon")
    assert run(["check"]) == 1
    said = capsys.readouterr().err
    assert "lanterns.yaml:4:25: error[GP203]: burns: 'soon' is not a burning time" in said
    assert "write hours and minutes, such as 2h 30m" in said


def test_a_check_of_a_guest_has_its_own_code(
    lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(night / "lanterns.yaml", "2h 30m", "13h")
    assert run(["check"]) == 0
    assert "lanterns.yaml:3:24: warning[LAN001]: burns: storm" in capsys.readouterr().err
    assert run(["explain", "lan001"]) == 0
    said = "LAN001: a lantern burns longer than the night\n\nIts oil is wasted by day."
    assert capsys.readouterr().out.startswith(said)


def test_editors_know_the_fields_of_guests(lantern: Path, night: Path) -> None:
    assert run(["schema"]) == 0
    schema = json.loads((night / "kinds/lantern.schema.json").read_text("utf-8"))
    assert schema["$defs"]["fields"]["properties"]["burns"]["pattern"] == r"^(?:(\d+h ?)?(\d+m)?)$"


def test_a_helper_says_what_is_wrong_where_it_is_called(
    lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(night.parent.parent / "templates/night/lantern.svg.j2", "c.burns", "-1")
    assert run(["build", "-o", "out"]) == 1
    said = capsys.readouterr().err
    assert "lantern.svg.j2:1:" in said
    assert "error[GP304]" in said
    assert "a flame burns for 0 minutes or more" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return 60 * hours", "return {}['x'] * hours", "burning:minutes fails with KeyError"),
        ("return Markup(", "return object() or Markup(", "not object"),
        ("return Markup(", "return {}['x'] or Markup(", "burning:flame fails with KeyError"),
        ('"LAN001"', '"LAN002"', "LAN002 is none of its codes"),
        ("yield warning(", "yield {}['x'] or warning(", "till_morning fails with KeyError"),
        ("yield warning(", "yield message or warning(", "is no diagnostic"),
        (
            "found = sorted(pack",
            "found = sorted({}['x'], pack",
            "burning:table fails with KeyError",
        ),
    ],
)
def test_a_guest_that_breaks_down_is_told_and_nothing_is_printed(
    old: str, new: str, said: str, lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(lantern / "burning.py", old, new)
    if "LAN" in said or "warning" in old:
        changed(night / "lanterns.yaml", "2h 30m", "13h")
    assert run(["build", "-o", "out"]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told
    assert not Path("out/night").exists()


def test_a_pack_goes_to_an_outlet_of_a_guest(
    lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "--list"]) == 0
    assert re.search("  lamp-shop +a shop for lanterns", capsys.readouterr().out)
    assert run(["export", "--for", "lamp-shop", "-o", "out", "--jobs", "1"]) == 0
    folder = Path("out/night/lamp-shop")
    names = {"candle.png", "storm.png", "shelf.txt", "manifest.json"}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "shelf.txt").read_text("utf-8") == "1 of storm.png\n1 of candle.png\n"
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (listed["outlet"], len(listed["files"])) == ("lamp-shop", 3)


def lanterns(night: Path) -> Session:
    root = night.parent.parent
    return Session(Target(Project(root, shipped_root(), around=root), "night"), Order())


def judged(session: Session, name: str) -> tuple[guests.Judgement, ...]:
    """Return the judgements that the studio shows for a lantern."""
    answers = Answers()
    answers.look_at(session.check(), session.target.project)
    return answers.judgements("lantern", name)


def test_a_judge_says_figures_on_a_component_of_a_sound_pack(lantern: Path, night: Path) -> None:
    with lanterns(night) as session:
        assert judged(session, "storm") == (guests.Judgement("Burns", "21% of a night"),)
        assert judged(session, "nobody") == ()
        changed(night / "lanterns.yaml", "2h 30m", "13h")
        (long,) = judged(session, "storm")
        assert long.is_warning
        changed(night / "lanterns.yaml", "13h", "soon")
        assert judged(session, "candle") == ()


def test_a_judge_that_breaks_down_is_a_warning(lantern: Path, night: Path) -> None:
    changed(lantern / "burning.py", "share = lantern", "share = pack['x'] or lantern")
    with lanterns(night) as session:
        (fault,) = judged(session, "storm")
    assert fault.is_warning
    assert "not subscriptable" in fault.value


@pytest.mark.parametrize("name", ["latern", "lamp"])
def test_a_guest_that_a_pack_needs_and_that_is_not_there(
    name: str, lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(night / "pack.yaml", "[lantern]", f"[{name}]")
    assert run(["check"]) == 1
    said = capsys.readouterr().err
    assert f"pack.yaml:3:10: error[GP013]: guests: '{name}' is not installed" in said


def test_a_pack_that_requires_another_has_its_guests(
    lantern: Path, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = night.parent / "my-night"
    mine.mkdir()
    (mine / "pack.yaml").write_text("title: Mine\nversion: 1.0.0\nrequires: {night: '>= 1'}\n")
    (mine / "more.yaml").write_text("kind: lantern\ncomponents: [{id: torch, burns: 14h}]\n")
    run(["check", "my-night"])
    assert "my-night/more.yaml:2:33: warning[LAN001]: burns: torch" in capsys.readouterr().err
