"""The contract of the command line: exit status, where words go, never a traceback."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import generator.cli
from generator.cli import COMMANDS, run, terminal

MINI = str(Path(__file__).parents[1] / "fixtures/faults/base")


def test_help_names_every_command_and_imports_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in COMMANDS)


def test_help_does_not_load_the_engine() -> None:
    program = (
        "import sys; from generator.cli import run; run(['--help']); "
        "sys.exit(any(m in sys.modules for m in ('typst', 'pikepdf', 'rich', 'reportlab', 'PIL')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert len(capsys.readouterr().out) > 150


@pytest.mark.parametrize(
    "words", [["prnt"], ["build", "--bakcs", "none"], ["build", "--backs", "left"], ["preflight"]]
)
def test_wrong_usage_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    assert "Error" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["biuld"], "No such command 'biuld'. Did you mean 'gridpress build'?"),
        (["prevew", "."], "Did you mean 'gridpress preview'?"),
        (["Build"], "Did you mean 'gridpress build'?"),
        (["track", "sovle"], "Did you mean 'gridpress track solve'?"),
        (["qqq"], "No such command 'qqq'.\n"),
    ],
)
def test_a_mistyped_command_names_the_nearest(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    assert said in capsys.readouterr().err


EARLY_ENDS = [
    (["build", "nope"], 1, "GP001"),
    (["check", "nope"], 1, "GP001"),
    (["check", "nope.zip"], 1, "GP001"),
    (["track", "solve", "--tiles", "nope/x"], 1, "GP001"),
    (["build", MINI, "--ink", "x"], 2, "GP014"),
    (["build", "--bakcs", "none"], 2, "GP014"),
    (["check", MINI, "--players", "0"], 2, "GP014"),
    (["preflight"], 2, "GP014"),
    (["preflight", "x.pdf", "--profile", "nobody"], 2, "GP014"),
    (["list", MINI], 2, "GP014"),
    (["prnt"], 2, "GP014"),
]


@pytest.mark.parametrize(("words", "status", "code"), EARLY_ENDS)
@pytest.mark.parametrize("asked", [["--format", "json"], ["--format=json"]])
def test_what_ends_a_command_early_is_json_where_that_is_asked_for(
    words: list[str], status: int, code: str, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, *asked]) == status
    said = capsys.readouterr()
    told = json.loads(said.out)
    if words[0] == "build":
        assert told["packs"] == []
        told = told["findings"]
    (finding,) = told
    assert (finding["code"], finding["severity"]) == (code, "error")
    assert said.err == ""


def test_an_unknown_pack_is_1_and_says_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "chariot-dahs"]) == 1
    said = capsys.readouterr().err
    assert "chariot-dahs:1:1: error[GP001]" in said
    assert "did you mean 'chariot-dash'?" in said


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--locale", "xx"], "GP005"), (["--only", "nobody"], "GP606"), (["--paper", "a9"], "GP603")],
)
def test_check_says_what_a_build_with_the_same_options_would(
    words: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", MINI, "-o", str(tmp_path), *words]) == 1
    said = capsys.readouterr().err
    assert run(["check", MINI, *words]) == 1
    assert capsys.readouterr().err == said
    assert f"error[{code}]" in said


def test_of_several_packs_those_with_a_word_of_only_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(MINI, tmp_path, dirs_exist_ok=True)
    other = tmp_path / "cards/other"
    shutil.copytree(tmp_path / "cards/mini", other)
    shutil.copytree(tmp_path / "templates/mini", tmp_path / "templates/other")
    cards = other / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("id: first", "id: elsewhere"), "utf-8")
    asked = ["build", str(tmp_path), "-o", str(tmp_path / "out"), "--only"]
    assert run([*asked, "elsewhere"]) == 0
    assert "mini: " not in capsys.readouterr().out
    assert run([*asked, "first,elsewhere"]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"mini", "other"}
    assert run([*asked, "first,nobody"]) == 1
    assert "no component is called 'nobody'" in capsys.readouterr().err
    assert run(["check", str(tmp_path), "--only", "nobody"]) == 1


def test_a_build_says_that_it_is_a_draft(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(MINI, tmp_path, dirs_exist_ok=True)
    pack = tmp_path / "cards/mini/pack.yaml"
    pack.write_text(
        pack.read_text("utf-8") + "waivers:\n- {code: GP505, reason: sketches}\n", "utf-8"
    )
    assert run(["build", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "a draft, as each sheet says:" in said
    assert "pack.yaml:7:3 accepts coarse pictures" in said
    assert run(["export", str(tmp_path), "--for", "images", "-o", str(tmp_path / "out")]) == 0
    assert "a draft: " in capsys.readouterr().out


def test_a_folder_without_packs_is_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path)]) == 1
    assert "error[GP003]" in capsys.readouterr().err


@pytest.fixture
def command_that(monkeypatch: pytest.MonkeyPatch):
    def install(raises: BaseException) -> None:
        @click.command("broken")
        def broken() -> None:
            raise raises

        monkeypatch.setattr(generator.cli.LazyGroup, "get_command", lambda *_: broken)

    return install


def test_a_bug_of_ours_is_3_with_a_log_and_no_traceback(
    command_that,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys,
) -> None:
    monkeypatch.setattr(click, "get_app_dir", lambda _: str(tmp_path / "logs"))
    command_that(RuntimeError("the reason"))
    assert run(["build"]) == 3
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "bug in Gridpress" in said.err
    log = (tmp_path / "logs/crash.log").read_text(encoding="utf-8")
    assert "the reason" in log
    assert "Traceback" in log


def test_an_interruption_is_130(command_that, capsys) -> None:
    command_that(KeyboardInterrupt())
    assert run(["build"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_reader_who_has_seen_enough_is_no_mistake() -> None:
    asked = [sys.executable, "-m", "generator", "track", "solve", "--tiles", "10S 14C"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith(b"S S S")
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


def test_where_there_is_no_pack_it_is_said_whose_are_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path, Path(__file__).parents[2]):
        monkeypatch.chdir(folder)
        terminal.note_shipped(())
        said = capsys.readouterr().err
        assert ("the packs that come with Gridpress" in said) == (folder == tmp_path)
