"""The pages for makers, step by step as they are written; each step has its picture."""

import itertools
import re
import shlex
from pathlib import Path

import deck_pictures
import pytest
import yaml

from generator.build import Order, open_pack
from generator.cli import run
from generator.looks import card_looks
from generator.project import find_targets
from generator.validate.definition_files import PACK, PRINT

DOCS = Path(__file__).parent.parent / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def test_every_step_works(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    two = dict(itertools.islice(card_looks().items(), 2))
    monkeypatch.setattr(
        "generator.cli.look_sheet.card_looks", lambda: two
    )  # tests of looks draw all
    assert len(deck_pictures.chapters()) == 8
    for chapter in deck_pictures.chapters():
        deck_pictures.follow(chapter)
    printed = Path("output/my-creatures/creatures-a4.pdf").read_bytes()
    assert run(["build", "creatures.zip", "-o", "friend", "--paper", "a4"]) == 0
    assert Path("friend/my-creatures/creatures-a4.pdf").read_bytes() == printed
    again(capsys)


def again(capsys: pytest.CaptureFixture[str]) -> None:
    """Import a changed table, with the output on the page."""
    table = Path("creatures.csv")
    head, *rows = table.read_text("utf-8").replace("Event,2", "Event,3").splitlines()
    rows.append("Owl,Beast,2,It sees you.,,1,1,1")
    table.write_text("\n".join([f"{head},Power", *(f"{row},3" for row in rows)]), "utf-8")
    [shown] = re.findall(r"^```\n\$ (gridpress import .*\n.*)\n```$", page("make-a-deck.md"), re.M)
    command, said = shown.split("\n")
    capsys.readouterr()
    assert run(shlex.split(command)[1:]) == 0
    out = capsys.readouterr()
    assert said in (out.out + out.err).splitlines()


def test_a_game_prints_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [command, shown] = [body for _, body in deck_pictures.blocks(page("print-a-game.md"))]
    assert run(shlex.split(command)[1:]) == 0
    said = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in shown.splitlines() if line not in said] == []


def test_every_step_has_its_picture() -> None:
    drawn = [part for part in deck_pictures.chapters() if "](pictures/" in part]
    assert [part.split(".")[0] for part in drawn] == [*"234567"]
    for name in ("index.md", "print-a-game.md", "make-a-deck.md", "coming-from.md"):
        assert "](pictures/" in page(name)


def test_the_readme_shows_a_card_as_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert deck_pictures.readme_card().count("\n") == 12
    assert run(["new", "pack", "My Game", "--look", "classic"]) == 0
    Path("cards/my-game/cards.yaml").write_text(deck_pictures.readme_card(), "utf-8")
    assert run(["check", "--strict"]) == 0


def test_a_table_of_each_tool_becomes_a_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = deck_pictures.examples()
    assert [tool for tool, _, _ in found] == re.findall(r"^## (.*)", page("coming-from.md"), re.M)
    assert len(found) == 6
    for tool, table, command in found:
        folder = tmp_path / tool
        folder.mkdir()
        monkeypatch.chdir(folder)
        words = shlex.split(command)[1:]
        Path(words[1]).write_text(table, "utf-8")
        assert run(words) == 0
        opened = open_pack(find_targets(["."])[0], Order())
        assert opened.value is not None
        assert opened.diagnostics == ()
        [cards] = [one for one in opened.value.pack.components.values() if one]
        assert [(card.id, card.values["copies"]) for card in cards] == [
            ("watchtower", 2),
            ("ember-fox", 3),
        ]
        [said] = [str(v) for k, v in cards[0].values.items() if k in RULES]
        assert re.sub(r"[*,.]|\s", "", said).lower() == "guardlookatthenexttwocardsthendrawone"
        assert cards[0].values["cost"] == 3


RULES = ("text", "rules", "description", "ability")


def test_every_key_of_a_pack_is_in_the_tables() -> None:
    text = page("make-a-deck.md")
    for head, keys in (("| key |", PACK), ("| key of a print |", PRINT)):
        table = text.partition(f"\n{head} meaning |\n")[2].partition("\n\n")[0]
        heads = " ".join(row.split(" | ")[0] for row in table.splitlines())
        assert set(re.findall(r"`(\w+)`", heads)) == set(keys)


NUMBERS = """Name;Weight;Score;Held;Qty
Tower;1,5;1.000;007;two
River;0,25;2.500;25%;3x
Hill;0,75;12.000;+2;×2
"""


def test_numbers_in_cells_are_read_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hills.csv").write_text(NUMBERS, "utf-8")
    assert run(["import", "hills.csv"]) == 0
    opened = open_pack(find_targets(["."])[0], Order())
    assert opened.value is not None
    [hills] = [one for one in opened.value.pack.components.values() if one]
    assert [hill.values["weight"] for hill in hills] == [1.5, 0.25, 0.75]
    assert [hill.values["score"] for hill in hills] == [1000, 2500, 12000]
    assert [hill.values["copies"] for hill in hills] == [2, 3, 2]
    assert [hill.values["held"] for hill in hills] == ["007", "25%", "+2"]


def test_all_pages_are_on_the_site() -> None:
    site = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text("utf-8"))
    listed = set(re.findall(r"[\w/-]+\.md", str(site["nav"])))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert pages == listed
