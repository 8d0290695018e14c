"""Samples of docs/outlets.md and docs/printing.md work; docs/studio.md quotes the studio."""

import json
import re
from pathlib import Path

import pytest

from generator.cli import run

ROOT = Path(__file__).parent.parent


def page(name: str) -> str:
    return (ROOT / f"docs/{name}.md").read_text("utf-8")


def samples(name: str, key: str) -> list[str]:
    """Return the YAML samples of a page that begin with this key."""
    return re.findall(rf"^```yaml\n({key}:.*?)^```$", page(name), re.M | re.S)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    assert run(["new", "pack", "sample", "--in", str(tmp_path)]) == 0
    return tmp_path


@pytest.mark.parametrize("number", [0, 1])
def test_the_outlets_of_a_pack_are_right(project: Path, number: int) -> None:
    pack = project / "cards/sample/pack.yaml"
    choice = samples("outlets", "outlets")[number].replace(", ring-map: tile", "")
    kinds, count = re.subn(r"\{(dragon|die-face): ", "{card: ", choice)
    assert count == 1
    pack.write_text(pack.read_text("utf-8") + kinds, "utf-8")
    assert run(["check", str(project), "--strict"]) == 0


@pytest.mark.parametrize(
    ("name", "key", "file", "command"),
    [
        ("outlets", "shops", "cards/shared/shops.yaml", "export --for corner-shop"),
        ("outlets", "cutters", "cards/shared/cutters.yaml", "export --for cutter"),
        ("printing", "papers", "cards/shared/papers.yaml", "check"),
        ("printing", "name", "printer.yaml", "check"),
    ],
)
def test_the_files_of_a_project_are_read(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    key: str,
    file: str,
    command: str,
) -> None:
    monkeypatch.chdir(project)
    path = project / file
    path.parent.mkdir(exist_ok=True)
    (sample,) = samples(name, key)
    path.write_text(sample, "utf-8")
    assert run([*command.split(), "."]) == 0
    path.write_text(sample.replace("mm", "miles"), "utf-8")
    assert run([*command.split(), "."]) == 1


def test_the_page_on_the_studio_quotes_its_words() -> None:
    words = json.loads((ROOT / "generator/studio/static/words/en.json").read_text("utf-8"))
    text = page("studio").replace("\n", " ")
    quoted = set(re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", text))
    assert len(quoted) > 10
    assert quoted - set(words.values()) == set()
