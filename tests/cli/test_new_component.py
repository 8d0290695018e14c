"""`gridpress new KIND NAME`: a pack's starter becomes a component that passes the check."""

import shutil
from pathlib import Path

import pytest
import yaml

from generator.cli import run

BASE = Path(__file__).parents[1] / "fixtures/faults/base"
STARTER = """kind: card
components:
  - {id: NAME, name: TITLE, text: Go., speed: 1, suit: sun, art: art/field.png, mark: dot}
"""

TRACKS = {
    "kinds/tile.yaml": """kind: tile
fields: {turn: {type: int, default: 0}, copies: {type: int, default: 1}}
tile: {grid: square, pitch: 40, turn: turn, owned: copies}
""",
    "kinds/track.yaml": """kind: track
fields: {name: {type: text}, course: {type: course}}
layout: {tiles: [tile], course: course, one_finish: "false"}
""",
    "tiles.yaml": "kind: tile\ncomponents: [{id: c, turn: 1, copies: 4}]\n",
    "starters/track.yaml": "kind: track\ncomponents: [{id: NAME, name: TITLE, course: 4x cL}]\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with one pack that has a starter for its cards."""
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "cards/mini/starters").mkdir()
    (tmp_path / "cards/mini/starters/card.yaml").write_text(STARTER, "utf-8")
    return tmp_path


def test_the_starter_is_no_component_and_what_it_starts_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(folder)]) == 0
    assert run(["new", "card", "old-oak", "--in", str(folder)]) == 0
    made = folder / "cards/mini/cards/old-oak.yaml"
    assert str(made) in capsys.readouterr().out
    assert "{id: old-oak, name: Old Oak," in made.read_text("utf-8")
    assert run(["check", str(folder)]) == 0
    assert run(["preview", str(folder), "--only", "old-oak", "-o", str(folder / "out")]) == 0
    assert list((folder / "out").rglob("card.old-oak.front.png"))


@pytest.mark.parametrize("name", ["first", "twice"])
def test_a_name_that_is_taken_is_refused(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "card", "twice", "--in", str(folder)]) == 0
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    assert run(["new", "card", name, "--in", str(folder)]) == 1
    assert "error[GP704]" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before


def test_a_kind_without_a_starter_is_told_with_those_that_have_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "crad", "old-oak", "--in", str(folder)]) == 1
    said = capsys.readouterr().err
    assert "GP001" in said
    assert "no starter for a crad" in said
    assert "did you mean 'card'?" in said


def test_a_pack_without_a_starter_is_told_which_have_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "track", "dragon-draft/mine", "--in", str(tmp_path)]) == 1
    assert "packs that have one: chariot-dash, scrap-circuit" in capsys.readouterr().err


def test_of_several_packs_that_can_start_one_must_be_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder / "cards/mini", folder / "cards/other")
    shutil.copytree(folder / "templates/mini", folder / "templates/other")
    assert run(["new", "card", "old-oak", "--in", str(folder)]) == 1
    assert "add --pack mini" in capsys.readouterr().err
    assert run(["new", "card", "old-oak", "--in", str(folder), "--pack", "other"]) == 0
    assert (folder / "cards/other/cards/old-oak.yaml").is_file()


def test_a_track_can_be_shown_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in TRACKS.items():
        path = folder / "cards/mini" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    capsys.readouterr()
    assert run(["new", "track", "my-loop", "--in", str(folder)]) == 0
    shown = capsys.readouterr().out.splitlines()[-1].split()
    assert shown[:3] == ["gridpress", "track", "show"]
    assert run(shown[1:]) == 0
    assert capsys.readouterr().out.startswith("My Loop  (mini/my-loop)")


COLOURED = """kind: flag
fields:
  name: {type: text, unique: true}
  colour: {type: colour, unique: true}
  sizes: {type: list, of: {type: int}}
"""
FLAG = """kind: flag
components:
  - id: NAME
    name: TITLE
    colour: "#402060"   # dark
    # How large.
    sizes: [1, 2]   # as here: both are small
"""
FLAGS = """kind: flag
components:
  - {id: old, name: Old, colour: "#402060", sizes: [7, 8]}
"""


@pytest.fixture
def flags(folder: Path) -> Path:
    """Add a kind to the project, with one component and a starter."""
    cards = folder / "cards/mini"
    (cards / "kinds/flag.yaml").write_text(COLOURED, "utf-8")
    (cards / "starters/flag.yaml").write_text(FLAG, "utf-8")
    (cards / "flags.yaml").write_text(FLAGS, "utf-8")
    return folder


def test_what_must_be_unique_is_free_in_each_new_one(flags: Path) -> None:
    for name in ("one", "two", "three"):
        assert run(["new", "flag", name, "--in", str(flags)]) == 0
    assert run(["check", str(flags), "--strict"]) == 0
    text = (flags / "cards/mini/flags/two.yaml").read_text("utf-8")
    assert '"   # dark' in text
    assert "#402060" not in text


def test_a_new_one_may_take_over_the_values_of_another(flags: Path) -> None:
    assert run(["new", "flag", "young", "--from", "old", "--in", str(flags)]) == 0
    text = (flags / "cards/mini/flags/young.yaml").read_text("utf-8")
    assert "name: Young\n" in text
    assert "# How large.\n    sizes: [7, 8]\n" in text
    assert run(["check", str(flags), "--strict"]) == 0


def test_who_to_take_over_from_must_be_there(
    flags: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "flag", "young", "--from", "odl", "--in", str(flags)]) == 1
    said = capsys.readouterr().err
    assert "error[GP205]" in said
    assert "did you mean 'old'?" in said
    assert not (flags / "cards/mini/flags/young.yaml").exists()


def test_in_an_empty_folder_the_game_is_named_where_several_have_a_starter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "track", "my-ring", "--in", str(tmp_path)]) == 1
    assert "for which game: chariot-dash, scrap-circuit?" in capsys.readouterr().err
    assert run(["new", "vehicle", "joust-racers/red", "--in", str(tmp_path)]) == 1
    assert "no starter for a vehicle in the pack joust-racers" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_beside_packs_of_ones_own_a_shipped_game_lends_its_starter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(*words: str) -> str:
        assert run(["new", *words, "--in", str(tmp_path)]) == 0
        return capsys.readouterr().out

    start("pack", "my-game")
    assert "cards/my-racers/racers/zip.yaml" in start("racer", "zip")
    prints = yaml.safe_load((tmp_path / "cards/my-racers/pack.yaml").read_text("utf-8"))["prints"]
    printed = {kind for print_ in prints.values() for kind in print_["kinds"]}
    assert {"racer", "part-card", "knight", "racer-token"} <= printed, "all that --only brings"
    assert "cards/my-racers/racers/zap.yaml" in start("racer", "joust-racers/zap")


def test_what_else_is_started_is_printed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = ["--in", str(tmp_path)]
    assert run(["new", "vehicle", "comet", *into]) == 0
    assert run(["new", "track", "chariot-dash/loop", *into]) == 0
    assert "cards/my-vehicles/pack.yaml\n\nnow try" in capsys.readouterr().out
    pack = tmp_path / "cards/my-vehicles/pack.yaml"
    prints = yaml.safe_load(pack.read_text("utf-8"))["prints"]
    assert list(prints) == ["cards", "licences", "tokens", "track", "maps", "posters"]
    assert prints["track"]["split"] is True
    before = pack.read_bytes()
    assert run(["new", "track", "ring", *into]) == 0
    assert pack.read_bytes() == before


def test_prints_that_pack_yaml_cannot_take_are_left_to_the_author(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = tmp_path / "cards/mine"
    cards.mkdir(parents=True)
    text = "title: M\nversion: 1.0.0\nrequires: {chariot-dash: '>= 1.0'}\nprints: {}\n"
    (cards / "pack.yaml").write_text(text, "utf-8")
    assert run(["new", "track", "loop", "--in", str(tmp_path)]) == 0
    assert "add the prints track, maps, posters of chariot-dash" in capsys.readouterr().out
    assert (cards / "pack.yaml").read_text("utf-8") == text


def test_a_starter_that_lies_outside_of_the_project_is_not_copied(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    starter = folder / "cards/mini/starters/card.yaml"
    other = tmp_path_factory.mktemp("other") / "card.yaml"
    starter.rename(other)
    starter.symlink_to(other)
    assert run(["new", "card", "old-oak", "--in", str(folder)]) == 1
    assert "error[GP004]" in capsys.readouterr().err
