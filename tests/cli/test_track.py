"""`gridpress track`: tracks shown, solved and shortened, in a small project of its own."""

import json
from pathlib import Path

import pytest

from generator.cli import run
from generator.cli.terminal import ProgressLine

FILES = {
    "pack.yaml": "title: Loop\nversion: 1.0.0\n",
    "kinds/tile.yaml": """kind: tile
fields: {turn: {type: int, default: 0}, copies: {type: int, default: 1}}
tile: {grid: square, pitch: 40, turn: turn, owned: copies}
""",
    "kinds/track.yaml": """kind: track
fields:
  name: {type: text}
  course: {type: course}
  finish: {type: text}
  removable: {type: list, of: {type: text}, default: []}
layout: {tiles: [tile], course: course, finish: finish, removable: removable}
""",
    "tiles.yaml": """kind: tile
components: [{id: s, copies: 4}, {id: c, turn: 1, copies: 6}]
""",
    "tracks.yaml": """kind: track
components:
  - id: ring
    name: The Ring
    course: s cL s cL s cL s cL
    finish: s#1
    removable: [s#2, s#4]
  - id: dot
    name: The Dot
    course: cL cL cL cL
    finish: c#1
""",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one pack, and the current folder."""
    for name, text in FILES.items():
        path = tmp_path / "cards/loop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / "cards/loop" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("name", ["ring", "loop/ring", "./ring", "cards/loop/ring"])
def test_a_track_is_called_by_its_pack_and_id(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", "show", name]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The Ring  (loop/ring)\n")
    assert "3    s     straight on  1, 1   90°      ok\n" in said
    assert "can leave, all together: [s#2, s#4]\n" in said


def test_a_plan_is_written_as_svg_and_png(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", "show", "ring", "-o", "ring.svg"]) == 0
    assert run(["track", "show", "ring", "--format", "png", "-o", "ring", "--dpi", "36"]) == 0
    assert capsys.readouterr().out == "ring.svg\nring\n"
    assert "The Ring" in Path("ring.svg").read_text("utf-8")
    assert Path("ring").read_bytes().startswith(b"\x89PNG")
    assert run(["track", "show", "ring", "--format", "svg"]) == 0
    assert capsys.readouterr().out == Path("ring.svg").read_text("utf-8")


def test_a_name_that_no_track_has(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", "show", "rign"]) == 1
    said = capsys.readouterr().err
    assert "rign:1:1: error[GP915]: there is no track 'rign'" in said
    assert "did you mean 'loop/ring'?" in said


def test_a_pack_of_ones_own_hides_the_shipped_one_of_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in FILES.items():
        path = folder / "cards/scrap-circuit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("id: ring", "id: crowbar"), "utf-8")
    assert run(["track", "show", "crowbar"]) == 0
    assert "(scrap-circuit/crowbar)" in capsys.readouterr().out


def test_mistakes_are_told_at_the_word_of_the_course(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "s cL s cL s cL s s")
    for command in (["track", "show", "ring"], ["check", "loop"]):
        assert run(command) == 1
        said = capsys.readouterr()
        assert "cards/loop/tracks.yaml:5:" in said.err
        assert "error[GP906]: the track does not close: s (tile 8) misses s (tile 1)" in said.err


def test_a_track_is_shown_whatever_is_wrong_beside_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", "show", "dot"]) == 0
    shown = capsys.readouterr().out
    assert shown
    change(folder, "pack.yaml", "title:", "titel:")
    change(folder, "tracks.yaml", "finish: s#1", "finish: s#9")
    assert run(["track", "show", "dot"]) == 0
    said = capsys.readouterr()
    assert said.out == shown
    assert "titel" in said.err
    assert "s#9" in said.err
    assert run(["track", "show", "ring"]) == 1, "it is shown, and wrong"
    assert "finish line on no tile\n" in capsys.readouterr().out


def test_an_open_track_is_shown_with_what_would_close_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "s cL s cL s")
    assert run(["track", "show", "ring"]) == 1
    said = capsys.readouterr()
    assert "GP906" in said.err
    assert "gap of 80.0 mm towards 270°, turned 180° to the left, from s (tile 5) to s" in said.out
    assert "  2 × curve and 1 × straight would close it: cL s cL\n" in said.out
    assert run(["track", "show", "ring", "-o", "ring.svg"]) == 1
    assert "80.0 mm" in Path("ring.svg").read_text("utf-8")


def test_a_gap_that_few_tiles_do_not_close(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "12x s")
    assert run(["track", "show", "ring"]) == 1
    assert "  no 8 pieces or fewer were found that would" in capsys.readouterr().out


def test_a_tile_that_there_is_not_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "s cL s dL s cX s cL")
    assert run(["track", "show", "ring"]) == 1
    said = capsys.readouterr()
    assert said.err.count("[GP902]") == 2
    assert said.out == ""


def test_an_open_track_may_stay_open(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, "kinds/track.yaml", "course: course,", "course: course, closed: false,")
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "s cL s s")
    change(folder, "tracks.yaml", "removable: [s#2, s#4]", "removable: []")
    assert run(["track", "show", "ring"]) == 0
    said = capsys.readouterr()
    assert "4    s     straight on  1, 2   90°      the end\n" in said.out
    assert "gap" not in said.out


def test_which_tiles_can_leave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", "shorten", "ring"]) == 0
    said = capsys.readouterr()
    assert said.out == "2 tiles\n  [s#2, s#4]\n"
    assert said.err == "1 choice in all\n"
    assert run(["track", "shorten", "dot"]) == 0
    assert capsys.readouterr().err == "no tiles can leave\n"


def test_of_tiles_alike_any_can_leave(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, "tiles.yaml", "copies: 4", "copies: 6")
    change(folder, "tracks.yaml", "s cL s cL s cL s cL", "3x s cL cL 3x s cL cL")
    change(folder, "tracks.yaml", "[s#2, s#4]", "[]")
    assert run(["track", "shorten", "ring"]) == 0
    assert capsys.readouterr().out == (
        "2 tiles\n  [s#2, s#4]  (or s#3 for s#2; or s#5 or s#6 for s#4)\n"
    )
    assert run(["track", "shorten", "ring", "--limit", "1"]) == 0
    assert capsys.readouterr().err == "1 choice; there may be more than --limit 1\n"


def test_counts_are_solved_as_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", "solve", "--tiles", "6S 8C", "--shape", "octagon", "--mirror"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "S S S L L L L S S S L L L L",
        "S S L S L L L S S L S L L L",
        "S S L L S L L S S L L S L L",
        "S L S L S L L S L S L S L L",
    ]
    assert said.err == "4 circuits in all\n"


def test_a_pack_is_solved_as_courses_that_can_be_laid(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", "solve", "--tiles", "loop", "--length", "8"]) == 0
    words = capsys.readouterr().out.splitlines()
    assert "s cL s cL s cL s cL" in words
    for word in words:
        change(folder, "tracks.yaml", "cL cL cL cL\n    finish: c#1", f"{word}\n    finish: c#1")
        assert run(["track", "show", "dot"]) == 0, word
        change(folder, "tracks.yaml", f"{word}\n    finish: c#1", "cL cL cL cL\n    finish: c#1")


def test_circuits_as_yaml_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["track", "solve", "--tiles", "6C", "--format", "yaml"]) == 0
    assert capsys.readouterr().out == '- id: circuit-1\n  course: "L L L L L L"\n'
    assert run(["track", "solve", "--tiles", "2S 6C", "--format", "json", "--limit", "1"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {
        "number": 1,
        "course": "S L L L S L L L",
        "tiles": 8,
        "bends": 6,
        "cells": 8.0,
        "table_mm": [320, 231],
        "symmetry": 4,
        "longest": True,
    }
    assert said.err == "1 circuit; there may be more than --limit 1\n"


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("2S 4C", "no circuit: it takes 6 curves of 60° to come round, and there are 4\n"),
        ("1S 6C", "1 circuit in all; no circuit has more than 6 tiles\n"),
        ("9S 9C --fits 300x300", "1 circuit in all; no circuit has more than 6 tiles\n"),
        ("1S 1C", "no circuit: it takes 6 curves of 60° to come round, and there is 1\n"),
        (
            "1S 6C --length 7",
            "no circuit is possible; leave out --length to get the longest ones\n",
        ),
        (
            "1S 7C --all-tiles",
            "no circuit: 8 of them cannot turn by 360° in all, however they are laid; "
            "leave out --all-tiles to get the longest ones\n",
        ),
    ],
)
def test_why_there_is_none(tiles: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    counted, *asked = tiles.split(" --")
    options = [part for option in asked for part in f"--{option}".split()]
    assert run(["track", "solve", "--tiles", counted, *options]) == 0
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("tiles", "place"),
    [
        ("6S 8Q", "6S 8Q:1:5: error[GP914]: 'Q' is no kind of tile"),
        ("6S ten", "6S ten:1:4: error[GP914]: 'ten' is no count of tiles"),
        ("lop", "lop:1:1: error[GP914]: 'lop' is neither a count of tiles nor a pack or folder"),
        ("loop/track", "loop/track:1:1: error[GP914]: there are no tiles in loop/track"),
    ],
)
def test_what_is_no_set_of_tiles(
    tiles: str, place: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["track", "solve", "--tiles", tiles]) == 1
    assert place in capsys.readouterr().err


def test_tiles_are_solved_whatever_is_wrong_with_the_tracks(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder, "tracks.yaml", "cL cL cL cL", "cL cL cL")
    assert run(["track", "solve", "--tiles", "loop", "--length", "4"]) == 0
    assert capsys.readouterr().out == "cL cL cL cL\n"
    change(folder, "tiles.yaml", "turn: 1", "turn: 2")
    assert run(["track", "solve", "--tiles", "loop", "--length", "4"]) == 1
    assert "GP213" in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        ["--tiles", "2S 6C", "--length", "9"],
        ["--tiles", "999S 999C", "--length", "101"],
        ["--tiles", "999S 999C"],
        ["--tiles", "2S 6C", "--length", "8-6"],
        ["--tiles", "2S 6C", "--length", "8", "--all-tiles"],
        ["--tiles", "loop", "--without", "c", "--length", "5-"],
        ["--tiles", "loop", "--shape", "square"],
        ["--tiles", "2S 6C", "--shape", "round"],
        [],
    ],
)
def test_wrong_usage_is_2(asked: list[str], folder: Path) -> None:
    assert run(["track", "solve", *asked]) == 2


def test_ctrl_c_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = ProgressLine.say

    def say(line: ProgressLine, text: str) -> None:
        real(line, text)
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "say", say)
    assert run(["track", "solve", "--tiles", "6S 8C"]) == 130
    said = capsys.readouterr()
    assert said.out == "S S S L S L L S S L R L L L\n"
    assert said.err == "stopped: 1 circuit so far, there may be more\n"


def listed(capsys: pytest.CaptureFixture[str], *asked: str) -> list[str]:
    assert run(["track", "solve", *asked]) == 0
    return capsys.readouterr().out.splitlines()


def test_circuits_are_as_they_are_wished_for(capsys: pytest.CaptureFixture[str]) -> None:
    every = listed(capsys, "--tiles", "6S 8C")
    straight = listed(capsys, "--tiles", "6S 8C", "--start-straight", "2")
    assert straight
    assert {line[-4:] for line in straight} == {" S S"}
    assert 0 < len(listed(capsys, "--tiles", "6S 8C", "--fits", "340x420")) < len(every)
    assert listed(capsys, "--tiles", "6S 8C", "--fits", "100x100") == []
    begun = listed(capsys, "--tiles", "6S 8C", "--complete", "L S L")
    assert begun
    assert all(line.startswith("L S L ") for line in begun)
    few = listed(capsys, "--tiles", "6S 8C", "--length", "7-8")
    assert {len(line.split()) for line in few} == {8}
    bends = listed(capsys, "--tiles", "6S 8C", "--length", "1-10", "--bends", "6")
    assert {len(line.split()) - line.count("S") for line in bends} == {6}
    [many] = listed(capsys, "--tiles", "20S 30C", "--bends", "20", "--limit", "1")
    assert (many.count("S"), len(many.split())) == (20, 40)


def test_the_best_come_first_and_a_spread_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--tiles", "6S 8C", "--format", "json"]
    areas = [
        wide * high
        for line in listed(capsys, *asked, "--by", "area")
        for wide, high in [json.loads(line)["table_mm"]]
    ]
    assert len(areas) == 19
    assert areas[0] < areas[-1]
    assert len(listed(capsys, *asked, "--spread", "5")) == 5
    one, again, other = (listed(capsys, *asked, "--seed", seed) for seed in "778")
    assert one == again != other


def test_wishes_of_circuits_hold_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--tiles", "6S 8C"]
    assert len(listed(capsys, *few, "--limit", "2", "--spread", "4")) == 2
    assert len(listed(capsys, *few, "--limit", "4", "--spread", "2")) == 2
    once = listed(capsys, *few, "--complete", "L S L", "--mirror")
    every = listed(capsys, *few, "--complete", "L S L")
    assert len(every) > len(once) > 0
    assert set(once) < set(every)
    straight = listed(capsys, *few, "--complete", "L S", "--start-straight", "2")
    assert straight
    assert all(line.startswith("L S ") for line in straight)


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_a_contact_sheet_is_drawn(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"sheet.{ending}"
    assert len(listed(capsys, "--tiles", "4S 8C", "-o", str(file))) == 5
    made = file.read_bytes()
    assert made.startswith({"pdf": b"%PDF", "png": b"\x89PNG"}[ending])
    listed(capsys, "--tiles", "4S 8C", "-o", str(file))
    assert file.read_bytes() == made


def test_what_a_race_needs_holds_for_what_is_given(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = ", grid: {type: int, default: 0}, line: {type: bool, default: false}}"
    change(folder, "kinds/tile.yaml", "default: 1}}", f"default: 1}}{marks}")
    change(
        folder, "kinds/tile.yaml", "owned: copies}", "owned: copies, starts: grid, finish: line}"
    )
    more = ", {id: g, grid: 4, copies: 2}, {id: f, line: true}]"
    change(folder, "tiles.yaml", "copies: 6}]", f"copies: 6}}{more}")
    free = listed(capsys, "--tiles", "loop", "--length", "8")
    demands = "circuit: {grids: 1, finish_lines: 1, finish_after_grid: false}\n"
    change(folder, "kinds/tile.yaml", "kind: tile\n", f"kind: tile\n{demands}")
    given = listed(capsys, "--tiles", "loop", "--length", "8")
    assert given
    for line in given:
        words = line.split()
        assert words[0] == "g"
        assert (words.count("g"), words.count("f")) == (1, 1)
        assert words[1] != "f"
    assert listed(capsys, "--tiles", "loop", "--length", "8", "--any-start") == free


@pytest.mark.parametrize("chosen", [[], ["--by", "area"], ["--seed", "3"]])
def test_of_two_grids_one_is_laid(
    chosen: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = ", grid: {type: int, default: 0}, line: {type: bool, default: false}}"
    change(folder, "kinds/tile.yaml", "default: 1}}", f"default: 1}}{marks}")
    change(
        folder, "kinds/tile.yaml", "owned: copies}", "owned: copies, starts: grid, finish: line}"
    )
    demands = "circuit: {grids: 1, finish_lines: 1, finish_after_grid: false}\n"
    change(folder, "kinds/tile.yaml", "kind: tile\n", f"kind: tile\n{demands}")
    change(folder, "tiles.yaml", "copies: 6}]", "copies: 6}, {id: g, grid: 4, copies: 3}]")
    assert run(["track", "solve", "--tiles", "loop", *chosen]) == 0
    said = capsys.readouterr()
    none = "1 start grid (3 are there) and 1 finish line (none are there)"
    assert f"no circuit: a race here needs {none}; --any-start" in said.err
    change(folder, "tiles.yaml", "copies: 3}]", "copies: 3}, {id: f, line: true}]")
    assert run(["track", "solve", "--tiles", "loop", *chosen, "--format", "json"]) == 0
    said = capsys.readouterr()
    found = [json.loads(line) for line in said.out.splitlines()]
    assert found
    assert all(one["longest"] for one in found)
    assert all(one["course"].split().count("g") == 1 for one in found)
    why = "a race here needs 1 start grid (3 are there)"
    assert f"no circuit has more than {found[0]['tiles']} tiles: {why}" in said.err
    assert run(["track", "solve", "--tiles", "loop", *chosen, "--all-tiles"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert f"no circuit: {why}; leave out --all-tiles" in said.err


def test_no_circuit_of_printed_pieces_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    """The number 334 was counted by laying all rows of nine pieces by their printed outlines."""
    asked = ["--tiles", "chariot-dash/track-piece", "--length", "9", "--any-start"]
    assert len(listed(capsys, *asked)) == 334
    close = "3-r1 3-r3 3-s7 3-r1 3-r3 3-4 4-r1 4-r3 4-3"
    assert listed(capsys, *asked, "--complete", close) == [close]
