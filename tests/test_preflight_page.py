"""docs/preflight.md is true: its example is reported, waived, decorated and changed as it says."""

import re
from pathlib import Path

import pikepdf
import pytest

from generator.cli import run
from generator.diagnostics import CODES
from generator.model.pack import WAIVABLE
from generator.outlets import pdf_profiles_of
from generator.preflight import preflight
from generator.project import find_targets

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/preflight.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S)


def blocks(language: str) -> list[str]:
    return [body for kind, body in BLOCKS if kind == language]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pack of the page, in a current folder of its own."""
    monkeypatch.chdir(tmp_path)
    assert run(["new", "pack", "my-game", "--in", "my-games"]) == 0
    return Path("my-games")


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert len(re.findall(old, text, re.M)) == 1
    path.write_text(re.sub(old, lambda _: new, text, flags=re.M), "utf-8")


def test_the_example_is_found_and_waived(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pale,) = re.findall(r'`(mark: "#\w+")`', PAGE)
    rewrite(game / "templates/my-game/styles.yaml", '^  mark: "#[0-9a-f]+"', f"  {pale}")
    capsys.readouterr()
    assert run(["check", "my-games"]) == 0
    said = capsys.readouterr()
    shown = blocks("text")[0].splitlines()
    assert [line for line in shown if line not in (said.err + said.out).splitlines()] == []
    pack = game / "cards/my-game/pack.yaml"
    pack.write_text(pack.read_text("utf-8") + blocks("yaml")[0], "utf-8")
    assert run(["check", "my-games", "--strict"]) == 0


def test_decoration_is_not_judged(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    styles = game / "templates/my-game/styles.yaml"
    face = game / "templates/my-game/card.face.yaml"
    styles.write_text(styles.read_text("utf-8") + blocks("yaml")[1], "utf-8")
    rewrite(face, "^boxes:\n", "boxes:\n" + blocks("yaml")[2])
    assert run(["check", "my-games", "--strict"]) == 0
    rewrite(styles, ", decoration: true", "")
    capsys.readouterr()
    assert run(["check", "my-games", "--strict"]) == 1
    assert "`decoration: true`" in capsys.readouterr().err


def test_a_changed_file_is_reported(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "my-games", "--paper", "a4"]) == 0
    path = Path("output/my-game/cards-a4.pdf")
    assert preflight(path) == ()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for face in pdf.pages[0].Resources.XObject.values():
            content = face.read_bytes() if face.Subtype == "/Form" else b""
            face.write(content + b" ") if content else None
        pdf.save(path)
    capsys.readouterr()
    assert run(["preflight", str(path)]) == 1
    said = capsys.readouterr().err
    for line in blocks("text")[2].splitlines():
        words = line.replace("the-wanderer", "").split()
        assert [word for word in words if word not in said] == []


def test_the_codes_and_profiles_of_the_page_are_there(game: Path) -> None:
    assert set(re.findall(r"GP\d{3}", PAGE)) <= CODES.keys()
    (row,) = re.findall(r"^\| `code` \|.*$", PAGE, re.M)
    assert all(re.fullmatch(WAIVABLE, code) for code in re.findall(r"GP\d{3}", row))
    shipped = pdf_profiles_of(find_targets(["my-games"])[0].project).value
    _, _, table = PAGE.partition("### Profiles of shops")
    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.M)) == set(shipped)
