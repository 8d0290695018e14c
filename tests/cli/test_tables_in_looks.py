"""Tables of very different games become decks that print without a finding."""

import io
import shutil
from functools import cache
from pathlib import Path

import pytest
import yaml
from PIL import Image

from generator.cli import run

TABLES = Path(__file__).parent.parent / "fixtures/tables"
NAMES = sorted(path.stem for path in TABLES.glob("*.csv"))
LOOKS = {
    "events": "full-art",
    "karten": "hand-drawn",
    "monsters": "parchment",
    "tarot": "sci-fi",
}
"""Tables printed in another look, and in another size, than the usual one."""


@cache
def picture() -> bytes:
    """Return a picture for all cards."""
    written = io.BytesIO()
    Image.radial_gradient("L").resize((900, 1000)).save(written, "PNG", compress_level=1)
    return written.getvalue()


def imported(name: str, folder: Path, *options: str) -> None:
    """Import a table, with its pictures beside it."""
    shutil.copy(TABLES / f"{name}.csv", folder)
    for letter in "abcdef":
        (folder / f"{letter}.png").write_bytes(picture())
    root = folder / "game"
    assert run(["import", str(folder / f"{name}.csv"), "--in", str(root), *options]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_table_prints_without_a_finding(name: str, tmp_path: Path) -> None:
    imported(name, tmp_path, *(("--look", LOOKS[name], "--size", "tarot") if name in LOOKS else ()))
    assert run(["check", str(tmp_path / "game"), "--strict", "--no-cache"]) == 0


@pytest.mark.parametrize("table", ["a,b\n1,2\n3,4\n", "ok\nyes\nno\n"])
def test_a_table_without_names_and_texts_prints(table: str, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text(table, "utf-8")
    root = str(tmp_path / "game")
    assert run(["import", str(tmp_path / "odd.csv"), "--in", root]) == 0
    assert run(["check", root, "--strict"]) == 0


def test_another_look_keeps_the_data_and_what_was_changed_by_hand(tmp_path: Path) -> None:
    imported("karten", tmp_path, "--look", "classic")
    root = tmp_path / "game"
    data = (root / "cards/my-karten/karten.csv").read_text("utf-8")
    templates = root / "templates/my-karten"
    own = templates / "karten.face.yaml"
    own.write_text(own.read_text("utf-8") + "# mine\n", "utf-8")
    styles = templates / "styles.yaml"
    styles.write_text(styles.read_text("utf-8") + "  mine: {font: body, size: 9pt}\n", "utf-8")
    assert run(["look", "modern", "--in", str(root), "--palette", "ocean"]) == 0
    assert run(["check", str(root), "--strict"]) == 0
    assert (root / "cards/my-karten/karten.csv").read_text("utf-8") == data
    assert (templates / "karten-before.face.yaml").read_text("utf-8").endswith("# mine\n")
    assert "like: modern-look-plain.face.yaml" in own.read_text("utf-8")
    known = yaml.safe_load(styles.read_text("utf-8"))["styles"]
    assert "mine" in known
    kind = yaml.safe_load((root / "cards/my-karten/kinds/karten.yaml").read_text("utf-8"))
    assert kind["faces"]["back"] == "modern-look-back.face.yaml"


def test_files_that_nobody_changed_leave_nothing_behind(tmp_path: Path) -> None:
    imported("karten", tmp_path, "--look", "classic")
    assert run(["look", "photo", "--in", str(tmp_path / "game")]) == 0
    assert list(tmp_path.rglob("*-before*")) == []


def test_a_second_table_has_the_look_of_the_pack(tmp_path: Path) -> None:
    imported("karten", tmp_path, "--look", "parchment")
    imported("spells", tmp_path)
    root = tmp_path / "game"
    assert run(["check", str(root), "--strict"]) == 0
    front = (root / "templates/my-karten/spell.face.yaml").read_text("utf-8")
    assert "like: parchment-look-plain.face.yaml" in front


def test_a_pack_with_styles_of_its_own_keeps_them(tmp_path: Path) -> None:
    root = tmp_path / "game"
    assert run(["new", "pack", "duel", "--in", str(root)]) == 0
    styles = root / "templates/duel/styles.yaml"
    before = yaml.safe_load(styles.read_text("utf-8"))
    imported("monsters", tmp_path, "--look", "sci-fi")
    assert (
        run(["new", "kind", "hero", "--look", "classic", "--size", "mini", "--in", str(root)]) == 0
    )
    after = yaml.safe_load(styles.read_text("utf-8"))
    assert after["colours"] == before["colours"]
    assert after["styles"] | before["styles"] == after["styles"]
    assert run(["check", str(root)]) == 0
