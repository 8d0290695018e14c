"""`gridpress vehicle check` and `show`."""

import json
import re
from pathlib import Path

import pytest

from generator.cli import run
from generator.starters import start_component

SHIPPED = Path(__file__).parents[3] / "cards/chariot-dash"
COLOURS = {"comet": '"#4a4f86"', "stone": '"#56615e"'}
PACK = "title: Stable\nversion: 1.0.0\nrequires: {chariot-dash: '>= 1.0'}\n"


@pytest.fixture
def stable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter a project with a pack that requires the game's."""
    cards = tmp_path / "cards/stable"
    cards.mkdir(parents=True)
    (cards / "pack.yaml").write_text(PACK, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of a vehicle as it is started."""
    folder = tmp_path_factory.mktemp("started")
    start_component(folder, "vehicle", "comet", SHIPPED)
    return (folder / "vehicles/comet.yaml").read_text("utf-8")


def vehicle(stable: Path, name: str, started: str) -> Path:
    """Start a vehicle of another colour and return its file."""
    file = stable / f"cards/stable/vehicles/{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    text = started.replace("comet", name).replace("Comet", name.capitalize())
    file.write_text(re.sub('"#[0-9a-f]{6}"', COLOURS[name], text), "utf-8")
    return file


@pytest.fixture
def comet(stable: Path, started: str) -> Path:
    """Start a vehicle and return its file."""
    return vehicle(stable, "comet", started)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_findings_are_those_of_the_vehicle_named(
    comet: Path, stable: Path, started: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stone = vehicle(stable, "stone", started)
    change(comet, "whip: 3", "whip: 10")
    change(stone, "control: [safe, safe, safe, 1", "control: [safe, 1, safe, 1")
    assert run(["vehicle", "check", "stone"]) == 0
    said = capsys.readouterr()
    assert said.out == "stable/stone: 1 warning\n"
    assert re.search(
        r"stone\.yaml:\d+:\d+: warning\[GP209\].*speed 1 of Stone is not safe", said.err
    )
    assert "the guide advises" in said.err
    assert "comet" not in said.err


def test_a_kit_that_cannot_be_printed_is_reported(
    comet: Path, stable: Path, started: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(comet, "name: Comet", "name: 戦車")
    with (comet.parents[1] / "pack.yaml").open("a", encoding="utf-8") as pack:
        pack.write("prints: {kits: {title: Kits, kinds: [vehicle, counter], papers: [a4]}}\n")
    vehicle(stable, "stone", started)
    assert run(["vehicle", "check", "stable", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {one["code"] for one in found} == {"GP402"}
    assert [comet.read_text("utf-8").splitlines()[one["line"] - 1] for one in found] == [
        "    name: 戦車"
    ]


def test_a_name_that_is_not_there_is_told_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for what in ("check", "show"):
        assert run(["vehicle", what, "gatecrusher"]) == 1
        said = capsys.readouterr().err
        assert "GP921" in said
        assert "did you mean 'chariot-dash/gatecrasher'?" in said


def test_a_pack_without_a_game_has_no_vehicles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vehicle", "check", "dragon-draft"]) == 1
    assert "GP921" in capsys.readouterr().err


def test_show_prints_licence_and_profile(comet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(comet, 'resilience: "1"', 'resilience: "2"')
    change(comet, "{at: 1, effect: control-die}", "{at: 2, effect: resilience, number: 1}")
    headlong = "{side: reins, special: headlong, number: 2, once: true}"
    traits = "[{trait: bsh, number: 1}]"
    change(comet, "reins: 3", f"reins: 3\n    specials: [{headlong}]\n    traits: {traits}")
    assert run(["vehicle", "show", "comet", "--track", "oval"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"acceleration +▢ +▢ +▢▢ +▢▢ +▢▢▢ +▢▢▢ +▢▢\n", said)
    assert re.search(
        r"B\.S\.H\. 1 +In any collision, obstacles included, roll 1 fewer damage die", said
    )
    assert re.search(
        r"Headlong 2 behind Reins, once a race +In your own vehicle attack: add 2", said
    )
    assert re.search(r"2 +−1 resilience +Your resilience falls by 1", said)
    assert "its vehicle attack wins" in said
    assert "Strengths" not in said
    assert re.search(r"The Old Oval +about [6-9]\.\d +– +7\.\d+ ±0\.\d+ +4\d\.\d+ ±0\.\d+\n", said)


def test_mistakes_of_all_sorts_are_told_at_once_each_at_its_place(
    comet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traits = "{trait: tnak}, {trait: tank}, {trait: flyer, number: 2}, {trait: flyer}"
    change(comet, "reins: 3", f"reins: many\n    traits: [{traits}]")
    change(comet, "name: Comet", "name: Comet 戦")
    with (comet.parents[1] / "pack.yaml").open("a", encoding="utf-8") as pack:
        pack.write("prints: {kits: {title: Kits, kinds: [vehicle, counter], papers: [a4]}}\n")
    change(comet, "[safe, safe, safe, 1, 2, 3, 4]", "[safe, safe, safe, safe, safe, safe, safe]")
    assert run(["vehicle", "check", "comet"]) == 1
    said = capsys.readouterr().err
    assert "reins: 'many' is not" in said
    assert "there is no trait 'tnak'" in said
    change(comet, "{trait: tnak}, ", "")
    change(comet, "reins: many", "reins: 3")
    assert run(["vehicle", "check", "comet"]) == 1
    said = capsys.readouterr().err
    for part in (
        "Tank of Comet 戦 needs a number",
        "Flyer of Comet 戦 takes no number",
        "has the trait Flyer twice",
        "safe at every speed",
        "cannot print Han",
    ):
        assert part in said


def test_a_trait_that_does_nothing_in_races_is_a_warning(
    comet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "kind: trait\ncomponents:\n  - {id: knife, name: Knife, group: damage, text: 'Cut #.', "
    own += "does: damage.dice+#}\n"
    own += "  - {id: song, name: Song, group: speed, number: none, text: Sing.}\n"
    (comet.parents[1] / "own.yaml").write_text(own, "utf-8")
    change(comet, "reins: 3", "reins: 3\n    traits: [{trait: knife, number: die}, {trait: song}]")
    change(
        comet,
        "- {at: 1, effect: control-die}",
        "- {at: 1, effect: slow}\n      - {at: 1, effect: haste}",
    )
    assert run(["vehicle", "check", "comet"]) == 0
    said = capsys.readouterr().err
    assert "Song is not simulated" in said
    assert "Knife" not in said


def test_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    against = ["--against", "gatecrasher", "--format", "json"]
    assert run(["vehicle", "show", "marrow", *against]) == 0
    [shown] = json.loads(capsys.readouterr().out)
    assert (shown["vehicle"], shown["baseline"]) == ("marrow", "Gatecrasher")
    assert {f["group"] for f in shown["profile"]} >= {"Speeds", "Attack and defence"}
    laps = shown["laps"]
    assert len(laps) == 2 * 7
    assert all(lap["raced"] for lap in laps)
    assert [lap["name"] for lap in laps[:2]] == ["Marrow", "Gatecrasher"]
    low, hexes, high = laps[0]["hexes"]
    assert 40 < low < hexes < high < 60


def test_show_writes_a_page_that_needs_nothing_else(
    comet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(comet, "name: Comet", 'name: "Comet <b>"')
    page = tmp_path / "out/comet.html"
    asked = ["vehicle", "show", "comet", "gatecrasher", "--track", "oval", "--html", str(page)]
    assert run(asked) == 0
    text = page.read_text("utf-8")
    assert "Comet &lt;b&gt;" in text
    assert "<b>" not in text
    assert not re.search(r"<script|<link|@import|src=.(?!data:)|https?://(?!www\.w3\.org/)", text)
    assert text.count("<svg") == text.count("<img") == 2 * 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("like", ["mainspring"])
def test_a_new_vehicle_may_start_as_a_shipped_one(
    like: str, stable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "vehicle", "echo", "--from", like]) == 0
    assert "gridpress vehicle show stable/echo" in capsys.readouterr().out
    text = (stable / "cards/stable/vehicles/echo.yaml").read_text("utf-8")
    assert "# One entry for each speed, 0 to 6." in text
    shown = []
    for name in ("echo", like):
        capsys.readouterr()
        assert run(["vehicle", "show", name, "--format", "json"]) == 0
        shown.append(json.loads(capsys.readouterr().out)[0])
    assert shown[0]["profile"] == shown[1]["profile"]
    assert shown[0]["licence"][1:] == shown[1]["licence"][1:]
    assert [one["rounds"] for one in shown[0]["laps"]] == [
        one["rounds"] for one in shown[1]["laps"]
    ]
