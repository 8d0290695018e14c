"""CSV and XLSX: rows as the author sees them, each cell with its place."""

import functools
import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.diagnostics import GridpressError, Severity, Span
from generator.load.tables import (
    MAX_UNPACKED,
    RowValues,
    csv_rows,
    mappings,
    with_ids,
    xlsx_table,
)
from generator.model.source import Mapping, Scalar

HERE = Span("crashes.yaml", 2, 7)


def xlsx_rows(content: bytes, sheet: str, span: Span, shown: str) -> list[RowValues]:
    return xlsx_table(content, sheet, span, shown).rows


def texts(row: Mapping) -> dict[str, str]:
    return {key.text: value.text for key, value in row.entries if isinstance(value, Scalar)}


def csv_mappings(text: str) -> list[dict[str, str]]:
    rows, faults = mappings(csv_rows(text, "t.csv"), "t.csv")
    assert faults == []
    return [texts(row) for row in rows]


def stopped(function: Callable[[], object]) -> tuple[str, int, int, str]:
    with pytest.raises(GridpressError) as caught:
        function()
    (fault,) = caught.value.diagnostics
    assert fault.code == "GP108"
    return fault.span.file, fault.span.line, fault.span.column, fault.message


@pytest.mark.parametrize(
    "text",
    [
        "id,name\na,x y\nb,\n",
        "id;name\na;x y\nb;\n",
        "id,name\r\na,x y\r\nb,\r\n",
        "sep=;\r\nid;name\r\na;x y\r\nb;\r\n",
        "SEP=|\nid|name\na|x y\nb",
        '"id" , name\n\n a ,"x y"\n,\nb\n'.replace('"id" ,', '"id",'),
        "\nid,name,,\na, x y ,,\nb,,,",
    ],
)
def test_a_csv_table_in_its_many_forms(text: str) -> None:
    assert csv_mappings(text) == [{"id": "a", "name": "x y"}, {"id": "b"}]


def test_the_delimiter_is_the_one_the_header_has() -> None:
    assert csv_mappings('id;text\na;"x;y, z"\n') == [{"id": "a", "text": "x;y, z"}]
    assert csv_mappings("id,list\na,x; y\n") == [{"id": "a", "list": "x; y"}]


def test_cells_know_row_and_column() -> None:
    text = 'id,name,effect\na,"two\nlines",x\n\nb,,y\n'
    rows, _ = mappings(csv_rows(text, "t.csv"), "t.csv")
    assert [row.span for row in rows] == [Span("t.csv", 2), Span("t.csv", 5)]
    effects = [row.get("effect") for row in rows]
    assert [value.span for value in effects if value] == [Span("t.csv", 2, 3), Span("t.csv", 5, 3)]
    assert rows[1].entries[0][0].span == Span("t.csv", 1, 1)  # a field's name is in the head


def test_a_header_that_stands_twice_and_cells_without_one() -> None:
    _, faults = mappings(csv_rows("id,id,,n\na,b,c,d,e\n", "t.csv"), "t.csv")
    assert [(f.code, f.span.line, f.span.column, f.message) for f in faults] == [
        ("GP108", 1, 2, "the head 'id' is used twice"),
        ("GP108", 2, 3, "'c' is in a column without a head"),
    ]


def test_a_row_far_too_long_is_told_once_and_not_for_each_cell() -> None:
    table = "id\n" + ("a" + ",x" * 1000 + "\n") * 3
    _, faults = mappings(csv_rows(table, "t.csv"), "t.csv")
    assert len(faults) == 1000  # columns that all rows fill
    _, faults = mappings(csv_rows(table + "b\n" * 6, "t.csv"), "t.csv")
    assert [(f.span.line, f.span.column) for f in faults] == [(2, 2), (3, 2), (4, 2)]


def test_a_column_without_a_header_is_told_once() -> None:
    """A header merged from several cells leaves such columns."""
    _, faults = mappings(csv_rows("id,stats,,cost\na,1,2,3\nb,4,5,6\nc,7,8,9\n", "t.csv"), "t.csv")
    assert [(f.span.line, f.span.column, f.message) for f in faults] == [
        (2, 3, "'2' is in a column without a head, and 2 more below it")
    ]


def test_a_title_above_the_table() -> None:
    rows = csv_rows("The Fish Game,,\nid,cost,text\na,1,x\n", "t.csv")
    place = stopped(lambda: mappings(rows, "t.csv"))
    assert place == (
        "t.csv",
        1,
        1,
        "'The Fish Game' is alone in the first row, and the next has 3 cells",
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "the table is empty"),
        (",,\n\n", 1, 1, "the table is empty"),
        ('id\n\n"a\nb\n', 3, 1, "the quotes in this row are wrong"),
        ('id\n"a"b\n', 2, 1, "the quotes in this row are wrong"),
        ("id\n" + "a\n" * 1001, 1002, 1, "more than 1,000 cells"),
        ("id\n" + "a" * 131_073, 2, 1, "more than 131,072 characters"),
    ],
    ids=["empty", "blank", "open quote", "after quote", "cells", "long cell"],
)
def test_a_csv_table_that_cannot_be_used(
    text: str, line: int, column: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.load.tables.MAX_CELLS", 1000)
    place = stopped(lambda: mappings(csv_rows(text, "t.csv"), "t.csv"))
    assert place[:3] == ("t.csv", line, column)
    assert message in place[3]


@given(st.text())
def test_any_csv_text_is_rows_or_a_fault(text: str) -> None:
    try:
        mappings(csv_rows(text, "t.csv"), "t.csv")
    except GridpressError as error:
        assert error.diagnostics[0].code == "GP108"  # noqa: PT017, either way is right


# Workbooks.


def workbook(*rows: list[Any], **formats: str) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Crashes"
    for row in rows:
        sheet.append(row)
    for place, form in formats.items():
        sheet[place].number_format = form
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def xlsx_mappings(content: bytes, sheet: str = "") -> list[dict[str, str]]:
    rows, faults = mappings(xlsx_rows(content, sheet, HERE, "t.xlsx"), "t.xlsx")
    assert faults == []
    return [texts(row) for row in rows]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (3.0, "General", "3"),
        (3, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (-2.5, "General", "-2.5"),
        (1e20, "General", "100000000000000000000"),
        (7, "000", "007"),
        (0.5, "0%", "50%"),
        (0.125, "0.0%", "12.5%"),
        (2.5, "0.00", "2.50"),
        (True, "General", "true"),
        (False, "General", "false"),
        ("0123", "@", "0123"),
        (" text ", "General", "text"),
        (date(2020, 1, 2), "yyyy-mm-dd", "2020-01-02"),
        (datetime(2020, 1, 2, 3, 4), "yyyy-mm-dd hh:mm", "2020-01-02 03:04:00"),
        (date(2020, 1, 2), "mm-dd-yy", "2020-01-02"),
        (date(2020, 1, 2), "d. mmmm yyyy", "2020-01-02"),
        (date(2020, 11, 2), "dd\\.mm\\.yyyy;@", "02.11.2020"),
        (date(2020, 11, 2), "D/M/YY", "2/11/20"),
        (4.5, '#,##0.00\\ "€"', "4.50 €"),
        (-1234.5, '"$"#,##0.00_);[Red]("$"#,##0.00)', "($1234.50)"),
        (5, '_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-;_-* "-"?? [$€-407]_-;_-@_-', "5.00 €"),
        (3, '0" gold"', "3 gold"),
        (2, "+0;-0;0", "+2"),
        (-2, "+0;-0;0", "-2"),
        (2.5, "0", "3"),
        (0.125, "0.00", "0.13"),
        (656.685, "0.00", "656.69"),
        (1.5, "0.##", "1.5"),
        (1200, "#,##0", "1200"),
        (0.5, "# ?/?", "1/2"),
        (-1.25, "# ??/??", "-1 1/4"),
        (3, "# ?/?", "3"),
        (0, "# ?/?", "0"),
        (0, "#", "0"),
        (time(1, 30), "h:mm", "1:30"),
        (time(1, 30, 5), "h:mm:ss", "1:30:05"),
        (timedelta(hours=25), "[h]:mm", "25:00"),
    ],
)
def test_a_cell_shows_what_the_author_sees(value: Any, form: str, shown: str) -> None:
    content = workbook(["id"], [value], A2=form)
    assert xlsx_mappings(content) == [{"id": shown}]


def test_cells_merged_with_those_below_are_of_all_their_rows() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook(["id", "of"], ["a", "Salt"], ["b"], ["c"])))
    sheet = book["Crashes"]
    sheet["C4"], sheet["C5"], sheet["A6"] = "own", "alone", "d"
    sheet["C1"] = "more"
    for merged in ("B2:B3", "C4:C9", "A6:B6"):
        sheet.merge_cells(merged)
    saved = io.BytesIO()
    book.save(saved)
    assert xlsx_mappings(saved.getvalue()) == [
        {"id": "a", "of": "Salt"},
        {"id": "b", "of": "Salt"},
        {"id": "c", "more": "own"},
        {"id": "d", "more": "own"},
    ]


def test_rows_of_a_workbook_know_their_place() -> None:
    content = workbook([], ["id", None, "name"], [], ["a", None, "x"], [None, None, None], ["b"])
    rows, faults = mappings(xlsx_rows(content, "Crashes", HERE, "t.xlsx"), "t.xlsx")
    assert faults == []
    assert [texts(row) for row in rows] == [{"id": "a", "name": "x"}, {"id": "b"}]
    assert [row.span for row in rows] == [Span("t.xlsx", 4), Span("t.xlsx", 6)]
    assert rows[0].entries[1][1].span == Span("t.xlsx", 4, 3)


def test_a_cell_far_to_the_right_is_not_lost() -> None:
    content = workbook(["id"], ["a"] + [None] * 699 + ["far"])
    _, (fault,) = mappings(xlsx_rows(content, "", HERE, "t.xlsx"), "t.xlsx")
    assert (fault.code, fault.span) == ("GP108", Span("t.xlsx", 2, 701))


def test_a_sheet_is_named() -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Second").append(["id"])
    book["Second"].append(["a"])
    saved = io.BytesIO()
    book.save(saved)
    assert xlsx_mappings(saved.getvalue(), "Second") == [{"id": "a"}]
    with pytest.raises(GridpressError) as caught:
        xlsx_rows(saved.getvalue(), "Secnd", HERE, "t.xlsx")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.span, fault.hint) == ("GP108", HERE, "did you mean 'Second'?")


def test_a_formula_needs_its_saved_result() -> None:
    content = workbook(["id"], ["=1+1"])
    place = stopped(lambda: xlsx_rows(content, "", HERE, "t.xlsx"))
    assert place == ("t.xlsx", 2, 1, "the result of this formula is not saved in the file")


def test_cells_with_errors() -> None:
    content = workbook(["id", "cost"], ["#REF!", "1"], ["b", "#N/A"], ["c", "#N/A"])
    for rows in (
        xlsx_rows(content, "", HERE, "t"),
        csv_rows("id,cost\n#REF!,1\nb,#N/A\nc,#N/A", "t"),
    ):
        _, faults = mappings(rows, "t")
        assert [(f.span.line, f.span.column, f.message) for f in faults] == [
            (2, 1, "'#REF!' is an error that the spreadsheet shows"),
            (3, 2, "'#N/A' is an error that the spreadsheet shows, and 1 more below it"),
        ]


def test_too_many_cells_of_a_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.load.tables.MAX_SHEET", 10)
    content = workbook(["id"], *(["a"] for _ in range(11)))
    place = stopped(lambda: xlsx_rows(content, "", HERE, "t.xlsx"))
    assert place == ("t.xlsx", 11, 1, "the sheet has more than 10 cells up to here")


def repacked(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return the workbook with one part of it changed."""
    saved = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(saved, "w", 8) as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == name else data)
    return saved.getvalue()


def test_a_workbook_that_lies_about_its_size() -> None:
    content = repacked(
        workbook(["id"], ["a"]),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b'ref="A1:A2"', b'ref="A1:XFD1048576"'),
    )
    assert xlsx_mappings(content) == [{"id": "a"}]


def test_a_zip_bomb_is_not_unpacked() -> None:
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * (MAX_UNPACKED + 1))
    place = stopped(lambda: xlsx_rows(saved.getvalue(), "", HERE, "t.xlsx"))
    assert place == ("t.xlsx", 1, 1, "the workbook unpacks to 20 MB")


def test_entities_do_not_explode() -> None:
    laughs = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 20) for n in range(1, 9))
    content = repacked(
        workbook(["id"], ["a"]),
        "xl/worksheets/sheet1.xml",
        lambda xml: (
            b'<!DOCTYPE x [<!ENTITY e0 "a">' + laughs + b"]>" + xml.replace(b"a<", b"&e8;<")
        ),
    )
    assert "damaged" in stopped(lambda: xlsx_rows(content, "", HERE, "t.xlsx"))[3]


@pytest.mark.parametrize("content", [b"", b"id,name\n", b"PK\3\4" + b"x" * 99])
def test_what_is_no_workbook(content: bytes) -> None:
    place = stopped(lambda: xlsx_rows(content, "", HERE, "t.xlsx"))
    assert place == ("t.xlsx", 1, 1, "this is not an XLSX workbook")


@functools.cache
def always_the_same() -> bytes:
    """Return a workbook without its creation time."""
    saved, made = io.BytesIO(), io.BytesIO(workbook(["id", "name"], ["a", "b"]))
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(saved, "w") as new:
        for part in old.namelist():
            dated = part == "docProps/core.xml"
            new.writestr(zipfile.ZipInfo(part), b"<x/>" if dated else old.read(part))
    return saved.getvalue()


@given(st.data())
def test_a_damaged_workbook_is_rows_or_a_fault(data: st.DataObject) -> None:
    content = bytearray(always_the_same())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        xlsx_rows(bytes(content), "", HERE, "t.xlsx")
    except GridpressError as error:
        assert error.diagnostics[0].code == "GP108"  # noqa: PT017, either way is right


def test_null_in_a_cell_is_a_word() -> None:
    rows, faults = mappings(csv_rows("name,text\nnull,~\n", "t.csv"), "t.csv")
    assert faults == []
    cells = [node for _, node in rows[0].entries if isinstance(node, Scalar)]
    assert [(cell.text, cell.is_null) for cell in cells] == [("null", False), ("~", False)]


def test_heads_that_stand_again_are_left_out() -> None:
    text = "Name,Cost\nA,1\nName,Cost\nB,2\n"
    rows, (told,) = mappings(csv_rows(text, "t.csv"), "t.csv")
    assert [texts(row) for row in rows] == [{"name": "A", "cost": "1"}, {"name": "B", "cost": "2"}]
    assert (told.code, told.span, told.severity) == ("GP113", Span("t.csv", 3, 1), Severity.WARNING)


def test_invisible_signs_around_heads_and_cells() -> None:
    assert csv_mappings("\u200bName,Cost\u200b\n\u200bOrc,\u200e3\nElf,\u20604\n") == [
        {"name": "Orc", "cost": "3"},
        {"name": "Elf", "cost": "4"},
    ]


def test_a_hidden_sheet_is_not_the_first() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["list"])
    book.active.sheet_state = "hidden"
    cards = book.create_sheet("Cards")
    cards.append(["name"])
    cards.append(["Orc"])
    book.active = 1
    saved = io.BytesIO()
    book.save(saved)
    assert xlsx_mappings(saved.getvalue()) == [{"name": "Orc"}]
    assert xlsx_table(saved.getvalue(), "", HERE, "t.xlsx").others == ("Sheet",)


def test_heads_are_names_of_fields_however_they_are_written() -> None:
    assert csv_mappings("ID,Card Name,Hit-Points\na,x,3\n") == [
        {"id": "a", "card_name": "x", "hit_points": "3"}
    ]
    _, faults = mappings(csv_rows("Card Name,card-name\n", "t.csv"), "t.csv")
    assert [fault.message for fault in faults] == ["the head 'card_name' is used twice"]


def test_columns_of_the_authors_own() -> None:
    text = "id,# Notes,Art Brief,#,name\na,x,y,z,n\n,only,notes,,\n"
    rows, faults = mappings(csv_rows(text, "t.csv"), "t.csv", ["art-brief"])
    assert faults == []
    assert [texts(row) for row in rows] == [{"id": "a", "name": "n"}]


def test_ids_are_made_from_names_and_told_once() -> None:
    text = "id\tName\n\tÜber-Goat's Straße!\nx\tGoat\n\tGoat\n\tGoat\ngoat-2\tY\n\t木\n\t★\n"
    rows, faults = mappings(csv_rows(text, "t.csv"), "t.csv")
    named, remarks = with_ids(rows)
    ids = ["ueber-goats-strasse", "x", "goat", "goat-3", "goat-2", "mu"]
    assert [texts(row).get("id") for row in named] == [*ids, None]
    assert faults == []
    assert [(remark.code, remark.severity) for remark in remarks] == [("GP112", Severity.WARNING)]
    assert with_ids(named[:5])[1] == []


def test_more_rows_of_one_name_than_fit_take_no_time() -> None:
    rows, _ = mappings(csv_rows("name\n" + "a\n" * 5_000, "t.csv"), "t.csv")
    named, _ = with_ids(rows)
    assert len({texts(row)["id"] for row in named}) == 5_000
