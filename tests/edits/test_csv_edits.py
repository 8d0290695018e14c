"""Changes in CSV: one dialect before and after, and all other characters as they were."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.codings import table_coding
from generator.diagnostics import Span
from generator.edits import (
    Change,
    CopyItem,
    CsvLookup,
    InsertItem,
    MoveItem,
    OrderItems,
    RemoveItem,
    SetValue,
    UnfitEditError,
    edited,
    in_coding,
    places,
)
from generator.edits.changes import changed as data_after
from generator.load import TABLES, mappings, read_table
from generator.model.source import Scalar

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    path for name in ("cards", "tests/fixtures/tables") for path in (ROOT / name).rglob("*.csv")
)
TABLE = 'id,Card Name,cost\r\nash,Ash,1\r\n\r\noat,"Oat, the fat",2\r\nelm,Elm\r\n'


def changed(text: str, *changes: Change) -> str:
    return edited(text, "cards.csv", changes)


def test_cells_are_set_by_their_head_or_its_field() -> None:
    made = changed(TABLE, SetValue((0, "Card Name"), 'Ash, "the" tree'), SetValue((1, "cost"), 5))
    assert made == TABLE.replace(",Ash,", ',"Ash, ""the"" tree",').replace(",2\r", ",5\r")
    assert changed(TABLE, SetValue((1, "card_name"), "Oat")) == TABLE.replace("Oat, the fat", "Oat")
    assert changed(TABLE, SetValue((2, "cost"), 3)) == TABLE.replace("elm,Elm", "elm,Elm,3")
    assert changed(TABLE, RemoveItem((0, "cost"))) == TABLE.replace("Ash,1", "Ash,")
    assert changed(TABLE, SetValue((0, "cost"), "1")) == TABLE
    assert changed(TABLE, SetValue((0,), {"id": "a", "cost": None})) == TABLE.replace(
        "ash,Ash,1", "a,Ash,"
    )


def test_a_missing_field_becomes_a_column() -> None:
    made = changed(TABLE, SetValue((1, "tags"), ["red", "green"]))
    assert made == (
        'id,Card Name,cost,tags\r\nash,Ash,1,\r\n\r\noat,"Oat, the fat",2,red; green\r\nelm,Elm\r\n'
    )
    assert changed(TABLE, SetValue((1, "tags"), "")) == TABLE


def test_a_column_is_added_before_a_row_fills_it() -> None:
    made = changed(TABLE, InsertItem((), 0, "art"), SetValue((0, "art"), "ash.png"))
    assert made.splitlines()[:2] == ["id,Card Name,cost,art", "ash,Ash,1,ash.png"]
    assert changed(TABLE, InsertItem((), 0, "card_name")) == TABLE


def test_rows_are_inserted_copied_moved_and_removed() -> None:
    more = changed(TABLE, InsertItem((), 1, {"id": "yew", "Card Name": "Yew"}))
    assert more == TABLE.replace("oat,", "yew,Yew,\r\noat,")
    assert changed(more, RemoveItem((1,))) == TABLE
    again = changed(TABLE, CopyItem((1,), 3, {"id": "oat-2"}))
    assert again == TABLE + 'oat-2,"Oat, the fat",2\r\n'
    moved = changed(TABLE, MoveItem((2,), 0))
    assert moved == 'id,Card Name,cost\r\nelm,Elm\r\n\r\nash,Ash,1\r\noat,"Oat, the fat",2\r\n'
    assert changed(moved, OrderItems((), (1, 2, 0))) == TABLE
    assert changed("name\nA", InsertItem((), 5, {"name": "B"})) == "name\nA\nB"
    assert changed("name\n", InsertItem((), 0, {"name": "B"})) == "name\nB\n"


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ("\ufeffname;cost\nA;1,5\n", SetValue((0, "cost"), 2.5), "\ufeffname;cost\nA;2,5\n"),
        ("name;cost\nA;1\n", SetValue((0, "cost"), 2.5), "name;cost\nA;2,5\n"),
        ("name;cost\nA;1.5\n", SetValue((0, "cost"), 2.5), "name;cost\nA;2.5\n"),
        ("sep=;\r\na;b\r\nA;c,d\r\n", SetValue((0, "b"), "d;e"), 'sep=;\r\na;b\r\nA;"d;e"\r\n'),
        ("name\ttext\nA\tb\n", SetValue((0, "text"), "c, d"), "name\ttext\nA\tc, d\n"),
        ('"name","text"\n"A","b"\n', SetValue((0, "text"), "c"), '"name","text"\n"A","c"\n'),
        ('"name","text"\n"A",\n', SetValue((0, "text"), "c"), '"name","text"\n"A","c"\n'),
        ('name, "text"\nA, "b" \n', SetValue((0, "text"), "c"), 'name, "text"\nA, "c" \n'),
        ("name,text\nA,b", SetValue((0, "text"), "two\nlines"), 'name,text\nA,"two\nlines"'),
        ("name|text\nA|b\n", SetValue((0, "text"), True), "name|text\nA|true\n"),
    ],
)  # fmt: skip
def test_the_dialect_stays(before: str, change: Change, after: str) -> None:
    assert changed(before, change) == after


@pytest.mark.parametrize(
    ("text", "change", "why"),
    [
        (TABLE, SetValue((3, "id"), "x"), "no row 3"),
        (TABLE, SetValue((0, "cost"), {"a": 1}), "YAML file"),
        (TABLE, SetValue(("components", 0), 1), "rows and cells"),
        ("name\nA\n", SetValue((0, "name"), ""), "remove the row"),
        ("name\nA\n", InsertItem((), 0, {}), "remove the row"),
        ('name\n"A\n', SetValue((0, "name"), "B"), "quotes in line 2"),
        ("", SetValue((0, "name"), "B"), "empty"),
    ],
)
def test_what_cannot_be_written_says_why(text: str, change: Change, why: str) -> None:
    with pytest.raises(UnfitEditError, match=why):
        changed(text, change)


@pytest.mark.parametrize("suffix", [s for s in TABLES if s not in (".csv", ".tsv")] + [".ods"])
def test_other_tables_are_read_only(suffix: str) -> None:
    with pytest.raises(UnfitEditError, match="CSV"):
        edited("", f"cards{suffix}", [SetValue((0, "name"), "B")])


def cells(text: str) -> list[dict[str, Scalar]]:
    table = read_table(text.encode(), "", Span("cards.csv"), "cards.csv")
    found, _ = mappings(table.rows, "cards.csv", (), table.point)
    return [{k.text: n for k, n in row.entries if isinstance(n, Scalar)} for row in found]


def rows(text: str) -> list[dict[str, str]]:
    return [{name: cell.text for name, cell in row.items()} for row in cells(text)]


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(st.sampled_from(FILES), st.integers(0, 10**9))
def test_a_cell_of_any_shipped_table_is_set_and_read_again(path: Path, seed: int) -> None:
    random = Random(seed)
    text = path.read_bytes().decode("utf-8")
    before = rows(text)
    at = random.randrange(len(before))
    head = random.choice(list(before[at]))
    value: Any = random.choice(
        ["Ash", "a, b; c", 'say "hi"', "two\nlines", 7, "=1+1", "x|y", "\tz"]
    )
    made = changed(text, SetValue((at, head), value))
    after = rows(made)
    assert after[at].pop(head) == str(value).strip(), (path, head)
    assert after == [
        {k: v for k, v in row.items() if (n, k) != (at, head)} for n, row in enumerate(before)
    ]
    span, found = cells(text)[at][head].span, places(text, "cards.csv")
    assert isinstance(found, CsvLookup)
    place = found.cell(span.line, span.column)
    assert place is not None
    lines = text.splitlines(keepends=True)
    assert made.startswith("".join(lines[: place.line - 1]))
    assert made.endswith("".join(lines[place.end_line :]))


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_any_changes_of_rows_are_read_as_they_were_meant(seed: int) -> None:
    random = Random(seed)
    names = ["Ash", '"Oat, fat"', "Elm ", '"two\nlines"', "Yew"]
    lines = [f"{n},{random.choice(names)}" for n in range(random.randint(1, 5))]
    text = "id,name" + "".join(random.choice(["\n", "\n\n", "\n,\n"]) + line for line in lines)
    text += random.choice(["", "\n", "\n\n"])
    meant: Any = rows(text)
    changes: list[Change] = []
    for _ in range(4):
        at, to = random.randrange(len(meant)), random.randrange(len(meant) + 2)
        order = tuple(random.sample(range(len(meant)), len(meant)))
        known: list[Change] = [
            SetValue((at, "name"), "new, red"),
            InsertItem((), to, {"id": "x", "name": "y"}),
            MoveItem((at,), to),
            CopyItem((at,), to, {"id": "z"}),
            OrderItems((), order),
            RemoveItem((at,)),
        ]
        change = random.choice(known[: 6 if len(meant) > 1 else 5])
        changes.append(change)
        meant = data_after(meant, change)
    made = changed(text, *changes)
    assert rows(made) == meant, (text, changes)


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_a_table_is_written_in_its_own_coding(coding: str) -> None:
    mark = "\ufeff" if coding == "utf-16-be" else ""
    content = f"{mark}name;text\r\nZoë;1\r\n".encode(coding)
    found = table_coding(content)
    assert found is not None
    text = content.decode(found)
    assert in_coding(text, found) == content
    made = in_coding(changed(text, SetValue((0, "text"), "größer")), found)
    assert made == f"{mark}name;text\r\nZoë;größer\r\n".encode(coding)


def test_a_character_that_a_coding_does_not_have_is_named() -> None:
    with pytest.raises(UnfitEditError, match="'ł' cannot be written in Windows-1252"):
        in_coding("ł", "cp1252")
    assert table_coding(b"\xc3\x28\x00") is None
