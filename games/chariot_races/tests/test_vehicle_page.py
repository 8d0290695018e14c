"""The outputs shown in docs/vehicles.md; `…` marks omitted lines.

Few races are run, so their numbers are ignored.
"""

import re
import shlex
from pathlib import Path

import pytest

from generator.cli import run

pytestmark = pytest.mark.usefixtures("ready")
PAGE = (Path(__file__).parents[3] / "docs/vehicles.md").read_text("utf-8")
SHOWN = {
    command.split()[2]: (command, shown)
    for command, shown in re.findall(
        r"^```\n(gridpress vehicle [^\n]+)\n```\n\n```text\n(.*?)^```$", PAGE, re.M | re.S
    )
}
CHANGES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
WARNING = re.search(r"^```\ncards/\S+?:\d+:\d+: (warning.*?)\n(.*?)\n```$", PAGE, re.M | re.S)
FEW = ["--races", "2", "--jobs", "1", "--track", "anvil"]


def changed(file: Path, change: str) -> None:
    """Replace the lines with the keys of the change."""
    text = file.read_text("utf-8")
    for line in change.splitlines():
        key = line.partition(":")[0]
        text, count = re.subn(rf"^{key}:.*$", line, text, flags=re.M)
        assert count == 1, key
    file.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def comet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Start the page's vehicle and make the first change."""
    root = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        assert run(["new", "vehicle", "comet"]) == 0
    file = root / "cards/my-vehicles/vehicles/comet.yaml"
    changed(file, CHANGES[0])
    return file


@pytest.fixture(autouse=True)
def here(comet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(comet.parents[3])


def parts(shown: str) -> list[str]:
    return [part for part in re.split(r"^…\n", shown, flags=re.M) if part]


@pytest.mark.parametrize("name", ["check", "show"])
def test_a_command_prints_what_the_page_shows(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, shown = SHOWN[name]
    assert run(shlex.split(command)[1:]) == 0
    said = capsys.readouterr().out
    for part in parts(shown):
        assert part in said


def test_races_are_told_as_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    command, shown = SHOWN["simulate"]
    words = [word for word in shlex.split(command)[1:] if word not in ("--races", "600")]
    assert run([*words, *FEW]) == 0
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    first, *rest = (part for part in shown.replace("…\n", "").splitlines() if part)
    assert re.sub(r"\d+", "#", " ".join(said[0])) == re.sub(r"\d+", "#", first)
    assert [line for line in rest if line.split() not in said] == []


def test_a_warning_is_told_as_the_page_shows(
    comet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = comet.read_text("utf-8")
    changed(comet, "    whip: 6")
    try:
        assert run(["vehicle", "check", "comet"]) == 0
    finally:
        comet.write_text(before, "utf-8")
    said = capsys.readouterr().err
    assert WARNING is not None
    assert all(part in said for part in WARNING.groups())
