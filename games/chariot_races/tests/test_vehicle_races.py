"""`gridpress vehicle simulate` and `compare`."""

import json
import re
from pathlib import Path

import pytest
from gridpress_chariot_races.race_commands.racing import race_progress

from generator.cli import run
from generator.diagnostics import GridpressError, Span
from generator.model.values import Record
from generator.starters import start_component

pytestmark = pytest.mark.usefixtures("ready")
SHIPPED = Path(__file__).parents[3] / "cards/chariot-dash"
PACK = "title: Stable\nversion: 1.0.0\nrequires: {chariot-dash: '>= 1.0'}\n"
QUICK = ["--track", "anvil", "--races", "2", "--jobs", "1"]


def test_one_vehicle_drives_against_the_clock(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vehicle", "simulate", "basic", *QUICK]) == 0
    said = capsys.readouterr()
    assert said.err == "", "nothing is drawn where nobody watches"
    assert said.out.startswith("2 time trials, 1 lap; seed 1.")
    assert re.search(r"Pace of a race\n +finished +rounds a lap", said.out)
    assert "Finishing order" not in said.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--type", "scoring", "--rounds", "3"], "2 races of scoring, 3 rounds, 4 at a time"),
        (["--type", "tag-team"], "2 races of 2 laps, in 2 teams, 4"),
    ],
)
def test_types_and_teams_are_raced(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["vehicle", "simulate", *["basic"] * 4, *words, *QUICK]) == 0
    told = capsys.readouterr().out
    assert told.startswith(said)
    assert ("points" in told) == ("scoring" in said)


def test_scoring_is_raced_where_debris_is_laid(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--type", "scoring", "--rounds", "1", "--races", "2", "--jobs", "1"]
    assert run(["vehicle", "simulate", "basic", "basic", *words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["track"] == "The Hourglass"


def test_several_race_and_their_page_has_a_map(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "new/races.html"
    words = ["vehicle", "simulate", "marrow", "basic", "--html", str(page), "--format", "json"]
    assert run([*words, *QUICK]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert [one["vehicle"] for one in found["vehicles"]] == ["Marrow", "Basic Chariot"]
    assert sum(one["wins"]["value"] for one in found["vehicles"]) <= 1
    assert said.err == f"wrote {page}\n"
    text = page.read_text("utf-8")
    assert "<strong>Where control was lost</strong>" in text
    assert not re.search(r"<script|<link|@import|src=|https?://(?!www\.w3\.org/2000/svg)", text)


def test_vehicles_and_tracks_of_ones_own_race_those_that_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = tmp_path / "cards/stable"
    cards.mkdir(parents=True)
    (cards / "pack.yaml").write_text(PACK, "utf-8")
    for kind, name in (("vehicle", "comet"), ("track", "yard")):
        start_component(cards, kind, name, SHIPPED)
    monkeypatch.chdir(tmp_path)
    words = [
        "vehicle",
        "compare",
        "comet",
        "basic",
        "--track",
        "yard",
        "--races",
        "2",
        "--laps",
        "1",
        "--field",
        "2",
    ]
    assert run([*words, "--jobs", "1"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(
        (
            "The difference between Comet and Basic Chariot is within noise, in places",
            "Comet is better than",
            "Basic Chariot is better than",
        )
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["simulate", "basik"], 1, "did you mean 'chariot-dash/basic'?"),
        (["simulate", "basic", "--track", "anvl"], 1, "did you mean 'chariot-dash/anvil'?"),
        (["compare", "basic", "marow"], 1, "did you mean 'chariot-dash/marrow'?"),
        (["compare", "basic"], 2, "Missing argument 'B'"),
        (["simulate", "chariot-dash", "--field", "7"], 2, "a race is for 6 at most"),
        (["compare", "chariot-dash", "basic"], 2, "compare takes two vehicles"),
        (["simulate", "basic", "--option", "jumps=3"], 1, "jumps has no figure"),
        (["simulate", "basic", "--races", "0"], 2, "0 is not in the range"),
        (["simulate", "basic", "--type", "fox"], 2, "'fox-and-hounds'"),
        (["simulate", "chariot-dash", "--type", "pursuit"], 2, "exactly 2 vehicles, not 4"),
    ],
)
def test_what_cannot_be_run_is_told(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["vehicle", *words]) == status
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_a_track_that_will_not_do_is_told_at_its_place() -> None:
    span = Span("tracks.yaml", 4, 2)
    with (
        pytest.raises(GridpressError) as caught,
        race_progress("races", {"id": "ring", "layout": Record({}, span)}, 9),
    ):
        raise ValueError("nobody can start")
    [found] = caught.value.diagnostics
    assert (found.code, found.span) == ("GP922", span)
    assert found.message == "no race is possible on ring: nobody can start"
