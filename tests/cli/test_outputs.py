"""Commands write into real folders of the project, and through a link only if the user named it."""

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator import limits, writing
from generator.build import PrintedFile
from generator.cli import print_commands, run
from generator.diagnostics import GridpressError, Outcome

ROOT = Path(__file__).parents[2]
BASE = ROOT / "tests/fixtures/faults/base"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(BASE, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name in ("manifest.json", "cards-a4.pdf", "card.png", "preflight.html"):
        (folder / name).write_text("precious")
    return folder


def is_whole(folder: Path) -> bool:
    return all(path.read_text() == "precious" for path in folder.iterdir())


@pytest.mark.parametrize("content", [None, b"{"])
def test_a_build_that_somebody_moves_away_at_its_end(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    printed = PrintedFile(tmp_path / "cards-a4.pdf", 1, 1, "card", 0.5, "")

    def built(*_: object) -> Outcome[tuple[PrintedFile, ...]]:
        if content is not None:
            (tmp_path / "manifest.json").write_bytes(content)
        return Outcome((printed,))

    monkeypatch.setattr(print_commands, "_built", built)
    assert run(["build", str(BASE)]) == 1
    assert "error[GP002]: the build is done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("output", ["build"]),
        ("output/mini", ["build"]),
        ("output", ["preview"]),
        ("output/mini", ["preview"]),
        ("output/mini/preview", ["preview"]),
        ("output/mini", ["build", "-o", "output"]),
        ("report/preflight.html", ["preflight", "x.pdf", "--report", "report"]),
        ("templates/mine", ["new", "kind", "mine"]),
    ],
)
def test_links_of_a_project_are_not_written_through(
    link: str,
    words: list[str],
    project: Path,
    elsewhere: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if words[0] == "new":
        link = "templates/mini/mine.face.yaml"
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    target = elsewhere / "preflight.html" if "." in link else elsewhere
    Path(link).symlink_to(target)
    Path("x.pdf").write_bytes(b"%PDF-1.7 none")
    assert run(words) == 1
    said = capsys.readouterr().err
    assert f"{link}:1:1: error[GP70" in said
    assert Path(link).is_symlink()
    assert is_whole(elsewhere)


def test_a_link_that_is_named_is_written_through(project: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    Path("output").symlink_to(tmp_path / "disk", target_is_directory=True)
    assert run(["preview", "-o", "output", "--dpi", "36"]) == 0
    assert (tmp_path / "disk/mini/preview/card.png").is_file()


def test_schemas_replace_other_names_of_a_file(project: Path, tmp_path: Path) -> None:
    assert run(["schema"]) == 0
    precious = tmp_path / "precious"
    schema = Path("cards/mini/kinds/card.schema.json")
    precious.write_text(schema.read_text("utf-8").replace('"maximum": 9', '"maximum": 8'))
    old = precious.read_text()
    schema.unlink()
    os.link(precious, schema)
    assert run(["schema"]) == 0
    assert precious.read_text() == old != schema.read_text("utf-8")


def test_builds_into_one_folder_wait_for_each_other(project: Path) -> None:
    pack = Path("cards/mini/pack.yaml")
    pack.write_text(pack.read_text().replace("[a4]", "[a4, letter, a3]"))
    command = [sys.executable, "-m", "generator", "build", "--jobs", "1", "--paper"]
    elsewhere = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen([*command, paper], env=elsewhere) for paper in ("a4", "letter", "a3")
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    folder = Path("output/mini")
    told = json.loads((folder / "manifest.json").read_text())
    listed = {file["file"]: file["sha256"] for file in told["files"]}
    pdfs = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.glob("*.pdf")}
    assert {**listed, **told["others"]} == pdfs
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_full_temporary_folder_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "gridpress-0123abcd"
    mine.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(mine))
    monkeypatch.setenv(limits.RUN, str(mine))
    with pytest.raises(GridpressError) as caught, writing.at_work():
        raise OSError(errno.ENOSPC, "full")
    (told,) = caught.value.diagnostics
    assert told.span.file == str(tmp_path)
    assert "TMPDIR" in told.hint


@pytest.mark.parametrize("command", ["build", "export"])
def test_a_file_of_somebody_else_is_not_written_over(
    command: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = {"build": "mini/cards-a4.pdf", "export": "mini/images/images.csv"}[command]
    theirs = project / "out" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("precious")
    words = [command, "-o", "out", *(["--for", "images"] if command == "export" else [])]
    assert run(words) == 1
    assert f"out/{name}:1:1: error[GP706]" in capsys.readouterr().err
    assert [path.name for path in theirs.parent.iterdir()] == [theirs.name]
    assert theirs.read_text() == "precious"
    theirs.unlink()
    assert run(words) == 0
    assert run(words) == 0, "and again over its own"


def test_schemas_of_two_packs_do_not_overwrite_each_other(project: Path) -> None:
    for part in ("cards", "templates"):
        shutil.copytree(project / part / "mini", project / part / "more")
    kind = project / "cards/more/kinds/card.yaml"
    kind.write_text(kind.read_text("utf-8").replace("max: 9", "max: 12"), "utf-8")
    assert run(["schema", "-o", "s"]) == 0
    both = [json.loads((project / f"s/{p}/card.schema.json").read_text()) for p in ("mini", "more")]
    speeds = [schema["$defs"]["fields"]["properties"]["speed"]["maximum"] for schema in both]
    assert speeds == [9, 12]
    assert (project / "s/pack.schema.json").is_file()
    assert run(["schema", "-o", "s"]) == 0, "over its own"
    kind.write_text(kind.read_text("utf-8").replace("max: 12", "max: 14"), "utf-8")
    assert run(["schema", "more", "-o", "s"]) == 0, "over one of the kind as it was"
