"""docs/components.py lists the printed files on the pages of the packs, and reports an old list."""

import json
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import told, told_file, told_kind
from msgspec.structs import replace

from generator.build import Order, press_pack
from generator.project import find_targets

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "docs/components.py"))


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small pack's output; its page goes into `tmp_path`."""
    shutil.copytree(ROOT / "tests/fixtures/faults/base", tmp_path / "project")
    (target,) = find_targets([str(tmp_path / "project")])
    assert press_pack(target, Order(), tmp_path / "out").value
    monkeypatch.setitem(SCRIPT["main"].__globals__, "PAGES", tmp_path)
    monkeypatch.setitem(SCRIPT["main"].__globals__, "PACKS", tmp_path / "project/cards")
    return tmp_path / "out/mini"


def test_a_new_page_is_made_and_is_up_to_date(built: Path, tmp_path: Path) -> None:
    main = SCRIPT["main"]
    assert main(["--check", str(built)]) == 1
    assert not (tmp_path / "mini.md").exists()
    assert main([str(built)]) == 0
    text = (tmp_path / "mini.md").read_text("utf-8")
    assert text.startswith("# Mini\n\n## The sheets\n\n<!-- components:")
    assert "| `cards` | 1 | Card |" in text
    assert main(["--check", str(built)]) == 0


def test_the_words_around_the_list_stay(built: Path, tmp_path: Path) -> None:
    page = tmp_path / "mini.md"
    made = f"{SCRIPT['START']}old\n{SCRIPT['END']}"
    page.write_text(f"# Our game\n\nBefore.\n\n{made}\nAfter.\n", "utf-8")
    assert SCRIPT["main"](["--check", str(built)]) == 1
    assert SCRIPT["main"]([str(built)]) == 0
    text = page.read_text("utf-8")
    assert text.startswith("# Our game\n\nBefore.\n\n<!-- components:")
    assert text.endswith("\nAfter.\n")
    assert "old" not in text
    assert SCRIPT["main"](["--check", str(built)]) == 0


def test_another_build_makes_the_page_stale(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SCRIPT["main"]([str(built)])
    path = built / "manifest.json"
    manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
    manifest["kinds"]["card"]["quantities"]["first"] = 2
    path.write_text(json.dumps(manifest), "utf-8")
    assert SCRIPT["main"](["--check", str(built)]) == 1
    assert "mini.md: not as the pack is printed now; run make components" in capsys.readouterr().err


def test_a_print_lists_its_sheets_its_pieces_and_its_paper() -> None:
    manifest = told(
        players=2,
        kinds={
            "card": told_kind("Ha|f", "", {"a": 2, "b": 0}),
            "extra": told_kind("Extra", "by order", {"c": 0}),
            "page": told_kind("Rules", "", {"one": 1, "two": 1}),
        },
        files=(
            told_file("all-a4.pdf", [("card", "a")], [("card", "a")]),
            replace(told_file("all-letter.pdf", [("card", "a")]), paper="letter"),
            replace(told_file("booklet-a4.pdf", [("page", "two")]), print_="booklet"),
        ),
    )
    prints = {
        "all": {"layout": "nup", "media": "card, 200 to 300 g; score it"},
        "booklet": {"layout": "booklet"},
    }
    text = SCRIPT["components"](manifest, prints)
    assert "4 pieces, for 2 players:" in text
    assert "| `all` | 2 (letter 1) | Ha\\|f ×2 | card, 200–300 g |\n" in text
    assert "| `booklet` | 1 | Rules, 2 pages | – |\n" in text
    assert "Extra" not in text
