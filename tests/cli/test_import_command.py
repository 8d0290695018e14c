"""From a spreadsheet to a printed deck in two commands, whatever program it was made for."""

import csv
import io
import os
import re
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
import yaml
from PIL import Image

from generator.build import Order, press_pack
from generator.cli import run
from generator.project import find_targets

PLAIN = """Card Name,Qty,Cost,Type,Rules Text,Flavour,# Notes
Tailwind,3,2,Action,"Move <b>2</b> more. If you end beside another, gain 1 star.",,strong
Loose Nail,3,1,Action,Choose another player. They move <i>1</i> less.,Iron remembers,
Über-Goat's End,1,0,Event,First to cross it wins.,Baa,
"""
NANDECK = """Stückzahl;Title;Picture;Rule;Colour
2;Ember;ember.png;Burn a card.\\13\\Draw {two} [cards] and keep 1.;#ff0000
1;Ember;;;#00f
"""
SQUIB = 'qty,Energy,Damage,Snark,Is Boss\n2,3,1.5,"It\'s ""fine"", really",yes\n1,,2,,no\n'
DEXTROUS = "id,name,players,Ünïcode,{{ 7 * 7 }},if\nA 1,One,2,x,y,k\nA 1,,3,,,k\n"
HARD = 'name,text\n"{{ c.name {% raw","' + "long words " * 30 + '"\n": - # &x","*"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(folder: Path, codes: str = "") -> dict[str, int]:
    """Count the pieces that each pack of a folder prints, and allow only warnings of these
    codes."""
    pieces = {}
    for target in find_targets([str(folder)]):
        outcome = press_pack(target, Order(papers=("a4",), strict=not codes), folder / "out")
        assert " ".join(sorted({told.code for told in outcome.diagnostics})) == codes
        assert outcome.ok
        pieces[target.pack] = sum(file.pieces for file in outcome.value)
    return pieces


def fields(folder: Path, kind: str) -> dict[str, str]:
    (path,) = folder.glob(f"cards/*/kinds/{kind}.yaml")
    told = yaml.safe_load(path.read_text("utf-8"))["fields"]
    return {
        name: field["type"] + "?" * field.get("optional", False) for name, field in told.items()
    }


CYRILLIC = """Количество,Стоимость,Название карты,Тип
3,2,Попутный ветер,Действие
1,1,Дракон Ёж,Герой
"""
GREEK = "Όνομα;Κόστος\nΔράκος;3\nΦάρος;2\n"
TITLED = (
    "My Card Game,,,,,,\n"
    '"Card\nName",Cost,Cost,,loop,self,# of dice\nAnt,1,2,a,b,me,1\nBee,3,4,b,c,you,two\n,,,,,,\n'
)
WORDS = "Name,How many,# Mine\nAnt,one,x\nBee,Two,\nCat,3,y\n"


@pytest.mark.parametrize(
    ("text", "pieces", "guessed"),
    [
        (PLAIN, 7, "name:text copies:int cost:int type:text rules_text:rich flavour:text?"),
        (NANDECK, 3, "copies:int name:text picture:image? rule:rich? colour:colour"),
        (SQUIB, 3, "copies:int energy:int? damage:number snark:text? is_boss:bool"),
        (DEXTROUS, 2, "name:text? field_players:int uenicode:text? field_7_7:text? field_if:text"),
        (HARD, 2, "name:text text:rich"),
        (CYRILLIC, 4, "copies:int stoimost:int name:text tip:text"),
        (GREEK, 2, "name:text kostos:int"),
        (
            TITLED,
            2,
            "name:text cost:int cost_2:int column_4:text loop:text self:text number_of_dice:int",
        ),
        (WORDS, 6, "name:text copies:int"),
    ],
)
def test_a_table_is_a_printed_deck_in_two_commands(
    text: str, pieces: int, guessed: str, folder: Path
) -> None:
    Path("My Heroes.csv").write_text(text, "utf-8")
    assert run(["import", "My Heroes.csv"]) == 0
    assert fields(folder, "hero") == dict(field.split(":") for field in guessed.split())
    assert built(folder, "GP501 GP502" if text is NANDECK else "") == {"my-heroes": pieces}


def test_a_workbook_and_what_comes_from_another_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Cards").append(["Name", "Power"])
    book["Cards"].append(["Ember", 3])
    book.save("book.xlsx")
    assert run(["import", "book.xlsx", "--sheet", "Cards", "--kind", "spell"]) == 0
    assert fields(folder, "spell") == {"name": "text", "power": "int"}
    piped = io.TextIOWrapper(io.BytesIO(b"name,team\n" + b"a,red\nb,blue\n" * 8))
    monkeypatch.setattr(sys, "stdin", piped)
    assert run(["import", "-", "--kind", "token"]) == 0
    assert fields(folder, "token") == {"name": "text", "team": "choice"}
    assert run(["check"]) == 0
    assert [path.name for path in Path("cards").iterdir()] == ["my-book"]


def test_signs_and_lines_print_as_they_stood_in_the_table(folder: Path) -> None:
    """A single star stays a star, and a broken line stays broken."""
    Path("spells.csv").write_text(
        'name,text,note\nEmber,"<b>Burn</b> {a}.<br>C:\\x","one\ntwo"\nFrost,2 * 3,<i>so</i>\n'
        "[[Ash]],[[a]] \\\\[[b]],[[[c]]]\n"
    )
    assert run(["import", "spells.csv"]) == 0
    with Path("cards/my-spells/spells.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert [row[2:] for row in rows] == [
        ["**Burn** {a}.  \nC:\\\\x", "one  \ntwo"],
        ["2 \\* 3", "*so*"],
        ["\\[[a]] \\\\\\\\\\[[b]]", "[\\[[c]]]"],
    ]
    assert rows[2][1] == "\\[[Ash]]"
    assert run(["check"]) == 0  # where a table has such brackets, something was left in it (GP407)


def test_what_an_author_may_not_expect_of_a_table_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Gull", 3, *"abcdefghij"])
    book.active.append(["Auk", 4, *"klmnopqrst"])
    book.create_sheet("Tokens")
    book.save("birds.xlsx")
    assert run(["import", "birds.xlsx"]) == 0
    told = capsys.readouterr().err
    assert "--sheet takes another: Tokens" in told
    assert "3: is the first row a card?" in told
    assert "g, h, i, j: not on the card" in told


def test_braces_that_name_no_icon_are_words_until_there_is_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "goods.csv").write_text(
        "name,rules,note\nA,Pay {coin} to draw a card of the deck and keep it.,{x}\nB,Wait.,{ }\n",
        "utf-8",
    )
    assert run(["import", str(folder / "goods.csv")]) == 0
    told = capsys.readouterr().err
    assert (
        "{coin}, {x}: printed as words, because there are no such icons\n"
        "    put coin.svg into templates/my-goods/icons"
    ) in told
    assert built(folder, "GP502") == {"my-goods": 2}
    icons = folder / "templates/my-goods/icons"
    icons.mkdir(exist_ok=True)
    for name in ("coin", "x"):
        (icons / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
        )
    assert built(folder) == {"my-goods": 2}


def test_ids_that_were_changed_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "ID;Rang;Titel;Anz.\na;w;Ork;2\na;x;Elf;\nA 1;y;Troll;1\n;z;Imp;1\n"
    Path("foes.csv").write_text(text, "utf-8")
    assert run(["import", "foes.csv"]) == 0
    assert "\na → a-2, A 1 → a-1: an id occurs once\n" in capsys.readouterr().err
    assert list(fields(folder, "foe")) == ["rang", "name", "copies"]
    Path("imps.csv").write_text("id,name\n" + "b,c\n" * 9, "utf-8")
    assert run(["import", "imps.csv", "--pack", "imps"]) == 0
    assert "b → b-7 and 2 more: an id occurs once" in capsys.readouterr().err


def test_a_kind_joins_a_pack_that_is_there(folder: Path) -> None:
    assert run(["new", "pack", "my-game"]) == 0
    Path("foes.csv").write_text("name,strength\nOgre,3\n", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    assert "  foes: {title: Foes, kinds: [foe]" in Path("cards/my-game/pack.yaml").read_text(
        "utf-8"
    )
    assert built(folder) == {"my-game": 7}


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("https://example.org/pub?output=csv", "", "GP108"),
        ("none.csv", "", "GP002"),
        ("empty.csv", "name\n", "empty.csv:1:1: error[GP108]: the table has no rows"),
        ("heads.csv", "a,b\n1,2,3\n", "without a head"),
    ],
)
def test_what_cannot_be_imported_is_told_and_nothing_is_written(
    file: str, text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text:
        Path(file).write_text(text, "utf-8")
    assert run(["import", file]) == 1
    assert said in capsys.readouterr().err
    assert not Path("cards").exists()


def test_a_file_of_another_kind_is_not_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "pack", "my-game"]) == 0
    Path("cards/my-game/kinds/foe.yaml").write_text("kind: foe\nfields: {name: {type: text}}\n")
    Path("foes.csv").write_text("name\nOgre\n", "utf-8")
    assert run(["import", "foes.csv"]) == 1
    assert "GP704" in capsys.readouterr().err
    assert not Path("cards/my-game/foes.csv").exists()


AGAIN = (
    "Name,Cost,Text,Type\n"
    "Tower,3,Draw,Place\nBridge,2,Go,Place\nGate,4,Shut,Relic\nMill,1,x,Relic\n"
)
CHANGED = (
    "Name,Cost,Text,Type,Power\nTower,5,Draw one,Place,1\nGate,4,Shut,,2\n"
    "New One,1,Hi,Spell,3\nMill,1,x,Relic,\n"
)


def imported_again(
    folder: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str] = ("", "")
) -> tuple[dict[str, list[str]], str]:
    """Import a table, change the data, then import a changed table; return the rows and the
    output."""
    Path("deck.csv").write_text(AGAIN, "utf-8")
    assert run(["import", "deck.csv"]) == 0
    data = folder / "cards/my-deck/deck.csv"
    data.write_text(data.read_text("utf-8").replace(*change) if change[0] else AGAIN_DATA, "utf-8")
    for path in ("templates/my-deck/deck.svg.j2", "cards/my-deck/kinds/deck.yaml"):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("{# mine #}\n" if path.endswith("j2") else "# mine\n")
    Path("deck (1).csv").write_text(CHANGED, "utf-8")  # as a browser calls a second download
    capsys.readouterr()
    assert run(["import", "deck (1).csv"]) == 0
    told = capsys.readouterr()
    rows = list(csv.reader(io.StringIO(data.read_text("utf-8"))))
    return {row[0]: row[1:] for row in rows}, told.out + told.err


AGAIN_DATA = (
    "id,name,cost,text,type\ntower,Tower,3,Draw,Place\nbridge,Bridge,2,Go,Place\n"
    "gate,Gate,4,Shut,Relic\nmill,Mill,1,x,Relic\n"
)


def test_a_table_that_is_imported_again_brings_its_rows_up_to_date(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, told = imported_again(folder, capsys)
    assert rows == {
        "id": ["name", "cost", "text", "type", "power"],
        "tower": ["Tower", "5", "Draw one", "Place", "1"],
        "gate": ["Gate", "4", "Shut", "", "2"],
        "new-one": ["New One", "1", "Hi", "Spell", "3"],
        "mill": ["Mill", "1", "x", "Relic", ""],
    }
    assert (
        "deck: 2 rows changed (tower: cost 3 → 5, text Draw → Draw one; gate: type Relic → nothing)"
        "; 1 row new (new-one); 1 row gone (bridge); new columns: power"
    ) in told
    kind = Path("cards/my-deck/kinds/deck.yaml").read_text("utf-8")
    assert kind.endswith(
        "  type: {type: text, optional: true}\n  power: {type: int, optional: true}\n# mine\n"
    )
    assert Path("templates/my-deck/deck.svg.j2").read_text("utf-8").endswith("{# mine #}\n")
    assert built(folder) == {"my-deck": 4}
    assert run(["import", "deck (1).csv"]) == 0
    assert "deck: no row has changed\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "row", "said"),
    [
        (("Draw,Place", "My own,Place"), ["Tower", "5", "My own", "Place", "1"],
         "1 row left as you changed them (tower (text, now Draw one in the table))"),
        (("tower,Tower,3", "tower,Tower,9"), ["Tower", "9", "Draw one", "Place", "1"],
         "tower (cost, now 5 in the table)"),
        (("4,Shut", "4,Bolted"), ["Gate", "4", "Bolted", "", "2"], "gate: type Relic → nothing"),
        (("2,Go", "2,Walk"), ["Bridge", "2", "Walk", "Place", ""],
         "bridge (no longer in the table)"),
        (("mill,Mill,1,x,Relic\n", "own,Own,1,x,Relic\n"), ["Own", "1", "x", "Relic", ""],
         "mill (deleted here)"),
        (("mill,Mill", ",Twin,8,x,Relic\nmill,Mill"), ["Twin", "8", "x", "Relic", ""], "deck:"),
    ],
)  # fmt: skip
def test_what_the_author_changed_stays(
    change: tuple[str, str],
    row: list[str],
    said: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows, told = imported_again(folder, capsys, change)
    assert row in rows.values()
    assert said in told


def test_new_words_of_a_choice_and_fields_that_were_removed(folder: Path) -> None:
    teams = "".join(f"C{n},{'red' if n % 2 else 'blue'},x\n" for n in range(20))
    Path("foes.csv").write_text(f"name,team,note\n{teams}", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    kind = Path("cards/my-foes/kinds/foe.yaml")
    kind.write_text(kind.read_text("utf-8").replace("  note: {type: text}\n", ""), "utf-8")
    data = Path("cards/my-foes/foes.csv")
    data.write_text(data.read_text("utf-8").replace(",note", "").replace(",x\n", "\n"), "utf-8")
    Path("foes.csv").write_text(f"name,team,note\n{teams}D,green,x\n", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    assert 'choices: ["blue", "red", "green"]' in kind.read_text("utf-8")
    assert data.read_text("utf-8").splitlines()[0] == "id,name,team"


def test_copies_that_come_later_are_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("foes.csv").write_text("Name,Cost,Number\nOrc,1,2x\nElf,2,1\nImp,3,1\n", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    assert "name the column Copies and import again" in capsys.readouterr().err
    Path("foes.csv").write_text("Name,Cost,Copies\nOrc,1,2x\nElf,2,1\nImp,3,1\n", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    told = capsys.readouterr()
    assert "number: no longer in the table; the cards keep the values they have" in told.err
    assert "not on the card yet" not in told.err
    kind = Path("cards/my-foes/kinds/foe.yaml")
    assert kind.read_text("utf-8").count("quantity: copies\n") == 1
    assert built(folder) == {"my-foes": 4}
    kind.write_text(re.sub("  number: .*\n", "", kind.read_text("utf-8")), "utf-8")
    assert run(["check"]) == 1
    said = "to leave this column out, write ignore: [number] below rows:"
    assert said in capsys.readouterr().err
    rows = Path("cards/my-foes/foes.yaml")
    rows.write_text(rows.read_text("utf-8") + "ignore: [number]\n", "utf-8")
    assert run(["import", "foes.csv"]) == 0
    assert "no longer" not in capsys.readouterr().err


def test_a_date_is_no_odd_number(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("feasts.csv").write_text("Name,Day\nA,02.11.2026\nB,24.12.2026\n", "utf-8")
    assert run(["import", "feasts.csv"]) == 0
    assert "not a number" not in capsys.readouterr().err


def game(path: Path, *rows: Sequence[object]) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(list(row))
    book.save(path)


HEADS = ["Card Name", "Qty", "Kosten (€)", "Rules Text"]


def test_a_workbook_is_read_by_the_pack_itself(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "Game.xlsx"
    game(file, HEADS, ["Tower", 2, 3.5, "Draw <b>two</b> cards"], ["River", 1, None, "Wait"])
    assert run(["import", "Game.xlsx"]) == 0
    assert "the pack reads Game.xlsx directly" in capsys.readouterr().out
    assert not list(folder.glob("cards/my-game/*.csv"))
    rows = yaml.safe_load(Path("cards/my-game/game.yaml").read_text("utf-8"))
    names = {"Card Name": "name", "Qty": "copies", "Kosten (€)": "kosten"}
    assert rows == {"kind": "game", "rows": "Game.xlsx", "columns": names}
    assert built(folder) == {"my-game": 3}
    game(file, HEADS, ["Tower", 5, 3.5, "Draw"], ["River", 1, None, "Wait"])
    assert built(folder) == {"my-game": 6}
    game(file, [*HEADS, "Power!"], ["Tower", 5, 3.5, "Draw", 1], ["Gate", 1, 2, "Shut", 2])
    assert run(["import", "Game.xlsx"]) == 0
    told = capsys.readouterr().out
    assert "game: 1 row changed (tower: copies 2 → 5, rules_text" in told
    assert "1 row new (gate); 1 row gone (river); new columns: power" in told
    rows = yaml.safe_load(Path("cards/my-game/game.yaml").read_text("utf-8"))
    assert rows["columns"] == {**names, "Power!": "power"}
    assert run(["build", "--paper", "a4"]) == 0
    assert " 6 pieces" in capsys.readouterr().out
    game(file, [*HEADS, "Power!"], ["Tower", 1, 3.5, "Draw", 1])
    assert run(["build", "--paper", "a4"]) == 0  # what was built before is not said again
    assert " 1 piece " in capsys.readouterr().out.replace("\n", " ")
    assert run(["pack-up", ".", "-o", "game.zip"]) == 0
    packed = zipfile.ZipFile("game.zip").namelist()
    assert [name for name in packed if name.endswith(".xlsx")] == ["cards/my-game/Game.xlsx"]
    assert run(["check", "game.zip"]) == 0


def test_a_workbook_from_elsewhere_is_copied_whole(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "project").mkdir()
    file = folder / "game.xlsx"
    game(file, ["id", "Name"], ["a", "Tower"])
    assert run(["import", "game.xlsx", "--in", "project"]) == 0
    copy = folder / "project/cards/my-game/game.xlsx"
    before = copy.read_bytes()
    assert before == file.read_bytes()
    game(file, ["id", "Name"], ["a", "Gate"])
    assert run(["import", "game.xlsx", "--in", "project"]) == 0
    assert copy.read_bytes() == file.read_bytes()
    assert (copy.parent / "imported/game-before.xlsx").read_bytes() == before
    assert "game: 1 row changed (a: name Tower → Gate)" in capsys.readouterr().out


def test_pictures_beside_the_table_come_along(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:

    Path("art").mkdir()
    Image.linear_gradient("L").resize((900, 700)).convert("RGB").save("art/ogre.png")
    Path("foes.csv").write_text("name,art\nOgre,art/ogre.png\nTroll,\n", "utf-8")
    Path("imps.csv").write_text("name,art\nImp,art/imp.png\nBat,../bat.png\n", "utf-8")
    Path("orcs.csv").write_text(f"name,art\nOrc,{'o' * 400}.png\n", "utf-8")
    assert run(["import", "foes.csv", "--pack", "foes"]) == 0
    assert fields(folder, "foe")["art"] == "image?"
    assert Path("cards/foes/art/ogre.png").is_file()
    assert run(["check", "--strict"]) == 0
    assert run(["import", "imps.csv", "--pack", "imps"]) == 0
    told = capsys.readouterr().err
    assert "art/imp.png, bat.png: not found beside the table; placeholders are printed" in told
    assert run(["import", "orcs.csv", "--pack", "orcs"]) == 0
    assert "ooo: not found beside the table" in capsys.readouterr().err
    assert run(["check", "imps"]) == 0
    told = capsys.readouterr().err
    assert told.count("[GP501]") == 1
    assert "placeholders are printed for missing pictures: art/imp.png, bat.png" in told
    assert run(["check", "orcs"]) == 0


def test_a_row_of_sums_is_no_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("foes.csv").write_text("name,cost,qty\nOgre,3,2\nTotal,2,1\n,,\nTotal:,,3\n", "utf-8")
    assert run(["import", "foes.csv", "--kind", "Böser Held", "--pack", "Mein Spiel"]) == 0
    data = (folder / "cards/mein-spiel/foes.csv").read_text("utf-8")
    assert data == "id,name,cost,copies\nogre,Ogre,3,2\ntotal,Total,2,1\n"
    assert fields(folder, "boeser-held")["cost"] == "int"
    assert "row 5 is left out" in capsys.readouterr().err


def test_a_german_table_keeps_its_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "Karten-Name;Kosten (€);Stärke;Über-Effekt;Wirkung\n"
        "Äpfel;1,05;3;Süß;Zieh 2*3*4 und *lach*.\nFuß;0,00;-;Nichts;Geh 2 * 3 * 4.\n"
    )
    Path("Meine Würfel.csv").write_text(text, "utf-8")
    assert run(["import", "Meine Würfel.csv"]) == 0
    pack, kind = folder / "cards/my-meine-wuerfel", "meine-wuerfel"
    data = (pack / f"{kind}.csv").read_text("utf-8").splitlines()
    assert data[0] == "id,name,kosten,staerke,ueber_effekt,wirkung"
    assert data[1] == r"aepfel,Äpfel,1.05,3,Süß,Zieh 2\*3\*4 und *lach*."
    assert data[2] == r"fuss,Fuß,0.00,-,Nichts,Geh 2 \* 3 \* 4."
    template = folder / f"templates/my-meine-wuerfel/{kind}.face.yaml"
    assert "Über-Effekt: ueber_effekt" in template.read_text("utf-8")
    assert 'title: "Meine Würfel"' in (pack / f"kinds/{kind}.yaml").read_text("utf-8")
    said = capsys.readouterr().err
    assert "kosten: 1,05 is written 1.05, like all numbers in it\n" in said
    assert "staerke" not in said, "half of its cells are numbers: it may be words"


def test_what_became_of_heads_and_words_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("heads", TITLED), ("words", WORDS), ("cards", CYRILLIC)):
        (folder / f"{name}.csv").write_text(text, "utf-8")
        assert run(["import", f"{name}.csv", "--pack", name]) == 0
    told = capsys.readouterr().err
    for note in (
        "row 1, My Card Game, is left out: it is a title",
        "Cost heads two columns: the second is Cost 2",
        "column 4 has no head: it is called Column 4",
        "number_of_dice: two is written 2, like all words for numbers in it",
        "# Mine is left out: a head that begins with # is for you alone",
        "copies: one is written 1",
    ):
        assert note in told
    rows = (folder / "cards/cards/cards.csv").read_text("utf-8").splitlines()
    assert rows[1].startswith("poputnyi-veter,3,2,") or rows[1].startswith("poputnyy-veter,3,2,")
    face = (folder / "templates/cards/card.face.yaml").read_text("utf-8")
    assert "fields: {cost: stoimost, type: tip, " in face


@pytest.mark.parametrize(
    ("table", "copies", "said"),
    [
        ("Name,Qty\nA,2x\nB,x3\nC,× 1\n", ["2", "3", "1"], "copies: 2x is written 2"),
        ("Name,Qty\nA,2.0\nB,1.0\n", ["2", "1"], ""),
        ("Name,Qty\nA,2\nB,\nC,0\n", ["2", "", "0"], "copies: empty in row 3; printed once\n"),
        ("Name,Qty\nA,2\nB,3?\n", [], "qty: 3? is not a number of copies, so each card is"),
        ("Name,Kind,Qty\nA,x,2\nB,y,3\n,,5\n", ["2", "3"], "row 4 is left out: it is a total"),
        ("Name,Kind,Qty\nA,x,2\nB,y,3\nTotal cards,,5\n", ["2", "3"], "row 4 is left out"),
        ("Name,Kind,Qty\nA,x,2\nB,y,3\nC,,5\n", ["2", "3", "5"], ""),
        (
            "Name,Cost,Text\nHeroes\nA,1,a\nB,2,b\nVillains\nC,3,c\nD,4,d\n",
            [],
            "Heroes (row 2), Villains (row 5): these cards have no other values\n",
        ),
        ("Name,Price\nA,1.000\n", [], "price: 1.000 is read with a decimal point\n"),
    ],
)  # fmt: skip
def test_copies_sums_and_headings(
    table: str, copies: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("foes.csv").write_text(table, "utf-8")
    assert run(["import", "foes.csv"]) == 0
    told = capsys.readouterr().err
    assert said in told if said else not told
    with Path("cards/my-foes/foes.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert [row["copies"] for row in rows if "copies" in row] == copies


def test_a_currency_is_printed_as_the_sheet_shows_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game(folder / "goods.xlsx", ["Name", "Price"], ["Silk", 1234.5], ["Rope", 2])
    book = openpyxl.load_workbook("goods.xlsx")
    assert book.active is not None
    for place in ("B2", "B3"):
        book.active[place].number_format = '#,##0.00 "€"'
    book.save("goods.xlsx")
    assert run(["import", "goods.xlsx"]) == 0
    assert "price: text, because '1234.50 €' in row 2 is not a number" in capsys.readouterr().err
    assert fields(folder, "good") == {"name": "text", "price": "text"}


def test_a_workbook_without_ids_is_told_so_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game(folder / "Game.xlsx", ["Name", "Cost"], ["Tower", 2])
    assert run(["import", "Game.xlsx"]) == 0
    assert "rows get their ids from their names: tower is the first\n" in capsys.readouterr().err
    assert built(folder) == {"my-game": 1}


FIELD = Path(__file__).parent.parent / "fixtures/field/tables"


def test_a_table_of_thirteen_columns_builds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "cards.csv").write_bytes((FIELD / "thirteen-columns.csv").read_bytes())
    assert run(["import", "cards.csv"]) == 0
    capsys.readouterr()
    assert built(folder, "GP501 GP502") == {"my-cards": 8}
    assert run(["build"]) == 0
    told = capsys.readouterr().err
    names = "watchtower.png, ember-fox.png, orrery.png"
    assert told.count("[GP501]") == 1
    assert f"placeholders are printed for missing pictures: {names}\n" in told


LONG = ",".join(["W" * 60, "123456", *["x" * 36] * 8, "word " * 400, "y" * 300])
HARD_TABLES = {
    "long": f"Name,Cost,A,B,C,D,E,F,G,H,Rules,Flavour\n{LONG}\nB,1,,,,,,,,,r,f\n",
    "letters": "Name,Text\nA ⚡,Pay 2 ⚡ for 1 🔥. 後、コイン ★\nB,اسحب ok\n",
    "paths": "Name,Art\nA,C:\\art\\o.png\nB,../x.png\nC,https://a.org/x.png\nD,sub/y.jpg\n",
    "braces": "Name,Text\n{A},{coin} {a b} { } {{x}} }{ \\{k\\} in a text of a box of its own\n",
    "twice": "Name,Name,,Name 2\nA,b,c,d\nA,b,c,d\n",
    "columns": ",".join(f"Col {n}" for n in range(60)) + "\n" + ",".join(["text" * 9] * 60),
    "numbers": "Name,A,B,C,D,E\nX,123456789,-1,0.123456,1e5,1/2\nY,1,2,3,4,5\n",
    "null": "Name,Text,Note\nnull,~,null\n~,null,~\n",
    "lines": 'Name,Text\n"A\nB","one\n\n\ntwo\n"\nC,"* a\n* b\n** c"\n',
    "tags": "Name,Text\nA,<table><tr><td>x</table><script>1</script>&zwj;\nB,<b><i>x</b></i>\n",
    "code": "Name,Text\n{{ 7*7 }},{% for x in y %}\nB,{# c #} ]] [[ <![CDATA[ & < > '\n",
}  # fmt: skip


@pytest.mark.parametrize("name", HARD_TABLES)
def test_whatever_the_table_the_build_that_is_suggested_succeeds(name: str, folder: Path) -> None:
    Path("cards.csv").write_text(HARD_TABLES[name], "utf-8")
    assert run(["import", "cards.csv"]) == 0
    assert run(["build", "--paper", "a4"]) == 0


def finished(path: Path, size: tuple[int, int] = (750, 1050), colour: str = "#357") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.new("RGB", size, colour)
    picture.paste("#a64", (0, 0, size[0] // 2, size[1] // 3))
    picture.save(path)


def test_a_folder_of_finished_pictures_is_a_deck(folder: Path) -> None:
    finished(folder / "scans/Ogre King.png")
    finished(folder / "scans/elf x2.png", (1050, 750), "#593")
    finished(folder / "scans/back.bmp", colour="#222")
    assert run(["import", "scans"]) == 0
    (rows,) = folder.glob("cards/*/scans.csv")
    assert rows.read_text("utf-8") == (
        "id,name,front,back,copies\n"
        "elf,elf,scans/elf x2.png,scans/back.bmp,2\n"
        "ogre-king,Ogre King,scans/Ogre King.png,scans/back.bmp,1\n"
    )
    (kind,) = folder.glob("cards/*/kinds/scan.yaml")
    told = yaml.safe_load(kind.read_text("utf-8"))
    assert (told["stock"], told["bleed"], "draft" in told) == ("poker", "mirror", False)
    assert built(folder) == {"my-scans": 3}


def test_pictures_with_bleed_are_placed_with_it(folder: Path) -> None:
    finished(folder / "scans/a.png", (825, 1125))
    assert run(["import", "scans", "--kind", "card"]) == 0
    (template,) = folder.glob("templates/*/card.svg.j2")
    assert "{% set over = 3.175 %}" in template.read_text("utf-8")
    (kind,) = folder.glob("cards/*/kinds/card.yaml")
    assert "mirror" not in kind.read_text("utf-8")
    assert built(folder) == {"my-scans": 1}


def test_a_folder_is_imported_again(folder: Path) -> None:
    for name in ("a", "b"):
        finished(folder / f"scans/{name}.png")
    assert run(["import", "scans"]) == 0
    (copied,) = folder.glob("cards/*/scans/a.png")
    before = copied.stat()
    finished(folder / "scans/a.png", colour="#fff")
    os.utime(folder / "scans/a.png", (before.st_atime + 9, before.st_mtime + 9))
    finished(folder / "scans/c.png")
    assert run(["import", "scans"]) == 0
    assert copied.read_bytes() == (folder / "scans/a.png").read_bytes()
    (rows,) = folder.glob("cards/*/scans.csv")
    assert [line.partition(",")[0] for line in rows.read_text("utf-8").splitlines()[1:]] == [*"abc"]


def test_a_table_of_fronts_and_backs_shows_them_whole(folder: Path) -> None:
    for name in "ab":
        finished(folder / f"{name}.png")
    (folder / "deck.csv").write_text("Name,Front,Back,Qty\nA,a.png,b.png,2\nC,no.png,b.png,1\n")
    assert run(["import", "deck.csv", "--stock", "tarot"]) == 0
    (kind,) = folder.glob("cards/*/kinds/deck.yaml")
    told = yaml.safe_load(kind.read_text("utf-8"))
    assert (told["stock"], told["draft"], [*told["faces"]]) == ("tarot", True, ["front", "back"])
