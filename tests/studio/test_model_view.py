"""The model of a pack and its rows as typed, as sent to the studio's page."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from studio.looked import Looked

from generator.project import Project, shipped_root
from generator.studio.model_view import pack_model
from generator.studio.typed_rows import TypedRow, rows_since, typed_rows

CARDS = "cards/mini/cards.yaml"


def model_of(looked: Looked) -> Any:
    return json.loads(msgspec.json.encode(pack_model(looked.check, looked.written, looked.files)))


def rows_of(looked: Looked, kind: str) -> Any:
    return json.loads(msgspec.json.encode(typed_rows(looked.written, kind, looked.files)))


def test_a_model_has_kinds_components_and_the_files_of_faces(mini: Looked) -> None:
    model = model_of(mini)
    card, suit = model["kinds"]
    assert (card["name"], card["own"], card["file"]) == ("card", True, "cards/mini/kinds/card.yaml")
    assert card["faces"] == {
        "front": {"file": "templates/mini/card.svg.j2", "sort": "template", "readonly": ""}
    }
    assert card["stock"]["width"] == 63.5
    assert suit["stock"] is None
    speed = next(field for field in card["fields"] if field["name"] == "speed")
    assert (speed["type"], speed["min"], speed["max"]) == ("int", 1, 9)
    assert model["components"]["card"] == [
        {
            "id": "first", "name": "First", "quantity": 1, "file": CARDS,
            "path": ["components", 0], "line": 3, "readonly": "", "made_from": None,
        }
    ]  # fmt: skip
    assert model["palette"] == [{"name": "ink", "colour": "#1d1a17"}]
    assert model["styles"] == [{"name": "body", "size": 9.0}]
    assert "dot" in model["icons"]
    assert model["prints"][0]["papers"] == ["a4"]
    assert {"name": "a4", "title": "A4"} in model["papers"]


@pytest.mark.parametrize(
    ("written", "told"),
    [("", ""), ("quantity: 3\n", "3"), ("quantity: {2: 8, 3: 12}\n", "2: 8, 3: 12")],
)
def test_a_kind_tells_how_its_file_gives_the_copies(mini: Looked, written: str, told: str) -> None:
    mini.replace("cards/mini/kinds/card.yaml", "fields:", f"{written}fields:")
    assert model_of(mini)["kinds"][0]["quantity"] == told


def test_kinds_come_in_the_order_in_which_they_are_printed(mini: Looked) -> None:
    kind = (mini.root / "cards/mini/kinds/card.yaml").read_text("utf-8")
    mini.write("cards/mini/kinds/ace.yaml", kind.replace("kind: card", "kind: ace"))
    assert [one["name"] for one in model_of(mini)["kinds"]] == ["card", "ace", "suit"]


def test_a_pack_with_a_wrong_value_keeps_its_component(mini: Looked) -> None:
    mini.replace(CARDS, "speed: 3", "speed: 33")
    assert not mini.check.ok
    assert model_of(mini)["components"]["card"][0]["path"] == ["components", 0]
    [row] = rows_of(mini, "card")
    assert row["nodes"]["speed"] == {"text": "33", "plain": True}


def test_a_component_that_was_never_sound_has_its_place(mini: Looked) -> None:
    text = (mini.root / CARDS).read_text("utf-8")
    second = text.partition("components:\n")[2].replace("id: first", "id: zeroth")
    wrong = second.replace("speed: 3", "speed: 33").replace("name: First", "name: Zeroth")
    mini.write(CARDS, text.replace("components:\n", "components:\n" + wrong))
    assert not mini.check.ok
    zeroth, first = model_of(mini)["components"]["card"]
    assert (zeroth["id"], zeroth["name"]) == ("zeroth", "Zeroth")
    assert (zeroth["file"], zeroth["path"]) == (CARDS, ["components", 0])
    assert first["id"] == "first"


def test_rows_of_a_file_with_a_slip_stand_as_they_were_and_are_locked(mini: Looked) -> None:
    mini.replace(CARDS, "name: First", 'name: "First')
    [row] = rows_of(mini, "card")
    assert row["nodes"]["name"]["text"] == "First"
    assert "cannot be read" in row["readonly"]
    mini.replace(CARDS, 'name: "First', "name: Second")
    [row] = rows_of(mini, "card")
    assert (row["nodes"]["name"]["text"], row["readonly"]) == ("Second", "")


def test_rows_have_what_is_typed_and_no_defaults(mini: Looked) -> None:
    mini.replace(CARDS, "components:", "defaults: {speed: 2}\ncomponents:")
    mini.replace(CARDS, "    speed: 3\n", "")
    [row] = rows_of(mini, "card")
    assert list(row["nodes"]) == ["id", "name", "text", "suit", "art", "mark"]
    assert row["heads"] == {}


TABLE = (
    "Card Name,Text,speed,suit,art,mark,Notes\n"
    "Anna,Move.,1,sun,art/field.png,dot,\n"
    "\n"
    "Bert,,12,sun,art/field.png,dot,long\n"
    "Carl,Go,2,sun,art/field.png,dot,,one,too,many\n"
)


def test_rows_of_a_table_have_heads_and_the_rows_with_faults(mini: Looked) -> None:
    mini.write("cards/mini/cards.csv", TABLE)
    mini.write(CARDS, "kind: card\nrows: cards.csv\nignore: Notes\ncolumns: {Card Name: name}\n")
    rows = rows_of(mini, "card")
    assert [(row["id"], row["path"], row["readonly"]) for row in rows] == [
        ("anna", [0], ""),
        ("bert", [1], ""),
        ("", [2], ""),
    ]
    anna, bert, carl = rows
    assert anna["file"] == "cards/mini/cards.csv"
    assert anna["heads"]["name"] == "Card Name"
    assert bert["heads"]["text"] == "Text"
    assert bert["nodes"]["speed"]["text"] == "12"
    assert "text" not in bert["nodes"]
    assert carl["nodes"]["name"]["text"] == "Carl"


@pytest.mark.parametrize("coding", ["cp1252", "utf-16", "utf-8-sig"])
def test_rows_of_a_table_in_another_coding_have_their_letters(mini: Looked, coding: str) -> None:
    text = TABLE.replace("Anna", "Zoë")
    (mini.root / "cards/mini/cards.csv").write_bytes(text.encode(coding))
    mini.write(CARDS, "kind: card\nrows: cards.csv\nignore: Notes\ncolumns: {Card Name: name}\n")
    zoe = rows_of(mini, "card")[0]
    assert (zoe["path"], zoe["readonly"], zoe["nodes"]["name"]["text"]) == ([0], "", "Zoë")


def test_rows_for_people_are_no_rows_of_the_table(mini: Looked) -> None:
    lines = TABLE.splitlines()
    more = ["# the second age", ",,,,,,only a note", *lines[:2], "Total,,9,,,,"]
    mini.write("cards/mini/cards.csv", "\n".join([*lines[:4], *more]))
    mini.write(CARDS, "kind: card\nrows: cards.csv\nignore: Notes\ncolumns: {Card Name: name}\n")
    assert [row["path"] for row in rows_of(mini, "card")] == [[0], [1], [5]]
    assert any("a total, not a card" in found.message for found in mini.check.diagnostics)


def named(rows: Iterable[TypedRow]) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(row.id, row.path) for row in rows]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna,Move.,1", "Anna,Halt.,2"),
        ("Bert,,12,sun,art/field.png,dot,long\n", ""),
        ("Bert,", "Dora,Stop.,3,sun,art/field.png,dot,\n# the third\nBert,"),
        ("Text,speed", "Text,Speed"),
        ("Anna,", '"Anna,'),
    ],
)
def test_rows_follow_the_text_of_a_table_before_the_session_does(
    mini: Looked, old: str, new: str
) -> None:
    file = "cards/mini/cards.csv"
    mini.write(file, TABLE)
    mini.write(CARDS, "kind: card\nrows: cards.csv\nignore: Notes\ncolumns: {Card Name: name}\n")
    before = typed_rows(mini.written, "card", mini.files)
    text = TABLE.replace(old, new, 1)
    at_once = rows_since(before, {file: TABLE}, {file: text})
    mini.write(file, text)
    assert at_once == typed_rows(mini.written, "card", mini.files)


def test_rows_follow_the_text_of_a_list_before_the_session_does(mini: Looked) -> None:
    before = typed_rows(mini.written, "card", mini.files)
    text = (mini.root / CARDS).read_text("utf-8")
    new = text.replace("First", "Last") + text.partition("components:\n")[2].replace("first", "two")
    at_once = rows_since(before, {CARDS: text}, {CARDS: new})
    mini.write(CARDS, new)
    assert at_once == typed_rows(mini.written, "card", mini.files)
    assert at_once is not None
    assert named(at_once) == [("first", ("components", 0)), ("two", ("components", 1))]


def test_a_required_pack_of_gridpress_cannot_be_changed(tmp_path: Path) -> None:
    for file, text in {
        "cards/own/pack.yaml": "title: Own\nversion: 1.0.0\nrequires: {joust-racers: '>= 1'}\n"
        "prints:\n  cards: {title: Cards, kinds: [knight], papers: [a4]}\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    looked = Looked(tmp_path, "own")
    model = model_of(looked)
    knight = next(kind for kind in model["kinds"] if kind["name"] == "knight")
    assert (knight["own"], knight["file"]) == (False, "cards/joust-racers/kinds/knight.yaml")
    assert "not in your project" in knight["readonly"]
    assert knight["faces"]["front"]["readonly"]
    one = model["components"]["knight"][0]
    assert one["readonly"]
    assert one["path"] == ["components", 0]
    assert all(row["readonly"] for row in rows_of(looked, "knight"))
    looked.session.close()


@pytest.mark.parametrize("pack", ["dragon-draft", "scrap-circuit"])
def test_of_a_shipped_pack_every_component_has_a_place(pack: str) -> None:
    looked = Looked(shipped_root(), pack)
    model = model_of(looked)
    assert model["players"]["min"] == 2
    written = [one for found in model["components"].values() for one in found]
    assert [one for one in written if not one["path"] or one["file"].startswith("/")] == []
    for kind in model["kinds"]:
        ids = [one["id"] for one in model["components"][kind["name"]] if not one["readonly"]]
        assert [row["id"] for row in rows_of(looked, kind["name"])] == ids
        for face in kind["faces"].values():
            assert (shipped_root() / face["file"]).is_file()
    looked.session.close()


def test_what_a_project_shows_leads_back_to_the_file(tmp_path: Path) -> None:
    own, far = tmp_path / "own", tmp_path / "far"
    for folder in (own, far):
        (folder / "cards/deck").mkdir(parents=True)
        (folder / "cards/deck/pack.yaml").write_text("title: Deck\n", encoding="utf-8")
    shipped = shipped_root() / "cards/shared/stocks.yaml"
    for around in (own, tmp_path, far, None):
        project = Project(own, shipped_root(), around=around)
        for path in (own / "cards/deck/pack.yaml", shipped):
            assert project.located(project.display(path)) == path
        assert project.located("cards/deck/none.yaml") is None
