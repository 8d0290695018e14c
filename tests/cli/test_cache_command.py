"""`gridpress cache` shows and empties the cache; builds are the same with and without it."""

import shutil
from pathlib import Path

import pytest

from generator.cache import VARIABLE, user_cache
from generator.cli import run

BASE = Path(__file__).parents[1] / "fixtures/faults/base"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache/v2"


@pytest.fixture
def mini(tmp_path: Path) -> str:
    return str(shutil.copytree(BASE, tmp_path / "project"))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(list(words)) == 0
    return capsys.readouterr().out


def test_it_says_where_and_how_much(
    folder: Path, mini: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "cache") == f"{folder}\n0.0 MB of 1,000 MB at most\n"
    run(["check", mini])
    size = f"{user_cache().size / 1e6:.1f} MB"
    assert f"{size} of 1,000 MB" in said(capsys, "cache")
    assert f"cleared: {size} given back" in said(capsys, "cache", "--clear")
    assert "0.0 MB" in said(capsys, "cache")


@pytest.mark.parametrize("command", ["build", "check", "preview"])
def test_without_it_nothing_is_kept_nor_used(
    folder: Path, mini: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [] if command == "check" else ["-o", f"{mini}/out"]
    said(capsys, command, mini, "--no-cache", *where)
    assert not folder.exists()
    said(capsys, command, mini, *where)
    assert user_cache().size > 0


def test_cold_warm_and_without_the_same_bytes(folder: Path, mini: str, tmp_path: Path) -> None:
    for name, more in (("cold", []), ("warm", []), ("without", ["--no-cache"])):
        assert run(["build", mini, "-o", str(tmp_path / name), *more]) == 0
    cold, warm, without = (
        {path.name: path.read_bytes() for path in (tmp_path / name / "mini").iterdir()}
        for name in ("cold", "warm", "without")
    )
    assert cold == warm == without
    assert folder.exists()


def test_where_nothing_can_be_kept_it_says_why_and_all_goes_on(
    folder: Path, mini: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.parent.write_text("a file")
    assert run(["check", mini]) == 0
    assert "nothing is kept" in said(capsys, "cache")
    assert VARIABLE in said(capsys, "cache", "--clear")
