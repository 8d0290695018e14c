"""Table files are recognised by their content, and may hold more than rows."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Color, Font

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.load import mappings, read_table
from generator.model.source import Cell, Scalar

FIELD = Path(__file__).parent.parent / "fixtures/field/tables"
Row = dict[str, tuple[str, Cell]]


def table(content: bytes, name: str = "t.csv") -> tuple[list[Row], list[Diagnostic]]:
    read = read_table(content, "", Span("x.yaml"), name)
    found, told = mappings(read.rows, name, (), read.point)
    return [
        {key.text: (node.text, node.cell) for key, node in row.entries if _is_cell(node)}
        for row in found
    ], [*read.remarks, *told]


def _is_cell(node: object) -> bool:
    return isinstance(node, Scalar) and node.cell is not None


def texts(content: bytes, name: str = "t.csv") -> list[list[str]]:
    rows, told = table(content, name)
    assert told == []
    return [[text for text, _ in row.values()] for row in rows]


def test_a_blank_before_a_quote() -> None:
    rows, told = table((FIELD / "blank-before-quote.csv").read_bytes())
    assert told == []
    assert {name: text for name, (text, _) in rows[1].items()} == {
        "quantity": "2", "front": "Old, grey bridge", "front_id": "x7", "back": "Bridge",
    }  # fmt: skip
    assert texts(b'a,b\n "x, y" , "z" \n6" wide,"he said ""hi"" , ok"\n') == [
        ["x, y", "z"], ['6" wide', 'he said "hi" , ok'],
    ]  # fmt: skip


def test_a_comma_within_a_text_is_named_and_its_row_is_not_read() -> None:
    text = b"name,cost,text\nA,1,Slow is a kind, and why nobody knows\nB,2,ok\nC,3,x\n"
    rows, (told,) = table(text)
    assert [row["name"][0] for row in rows] == ["B", "C"]
    assert (told.code, told.span) == ("GP108", Span("t.csv", 2, 4))
    assert told.hint.endswith('"Slow is a kind, and why nobody knows"')


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b'[{"name": "A", "cost": 1.5, "tags": ["x", "y"]}, {"name": "B", "ok": true}]',
         [["A", "1.5", "x; y"], ["B", "true"]]),
        (b'{"cards": [{"name": "A"}]}', [["A"]]),
        (b"| Name | Cost |\n|:--|---|\n| A \\| B | 1 |\n", [["A | B", "1"]]),
        (b"# Cards\n\nname | cost\n--- | ---\nA | 1\n\nEnd.\n", [["A", "1"]]),
        (b"name|cost\nA|1\n", [["A", "1"]]),
        (b'"name, long";cost\nA;1\n', [["A", "1"]]),
        ("name\tcost\nTür\t1\n".encode("utf-16"), [["Tür", "1"]]),
    ],
)  # fmt: skip
def test_tables_of_many_forms(content: bytes, rows: list[list[str]]) -> None:
    assert texts(content) == rows


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xd0\xcf\x11\xe0" + b"x" * 99, "this is an old Excel workbook (.xls)"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "has a password"),
        (b"PK\3\4mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "OpenDocument sheet"),
        (b"PK\3\4Index/Document.iwa", "Apple Numbers"),
        (b"\n<!DOCTYPE html><html>", "this is a web page, not a table"),
        (b"%PDF-1.7", "this is a PDF"),
        (b'[{"a": {"b": 1}}]', "no such lists in lists"),
        (b'<?xml version="1.0"?>\n<x mimetype="application/office:spreadsheet">', ".fods"),
        (b'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>', ".xml"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_named(content: bytes, said: str) -> None:
    with pytest.raises(GridpressError) as caught:
        table(content)
    (told,) = caught.value.diagnostics
    assert (told.code, said in told.message, bool(told.hint)) == ("GP108", True, True)


@pytest.mark.parametrize(
    ("content", "program", "asked"),
    [
        (b'CARDSIZE=6,9\nLINK = "my cards.csv"\nTEXT=1,"[a]",0', "nanDECK script", "my cards.csv"),
        (b"font = Arial, 12\nText=1-3,Hi,0,0,1,1\n", "nanDECK script", ""),
        (b"require 'squib'\nd = Squib.csv file: 'deck.csv'\n", "Squib script", "deck.csv"),
        (b'<?xml version="1.0"?>\n<Project a="b">\n<Reference RelativePath="a.csv"/>',
         "CardMaker project", "a.csv"),
    ],
)  # fmt: skip
def test_the_layout_of_another_program_is_named_with_its_table(
    content: bytes, program: str, asked: str
) -> None:
    with pytest.raises(GridpressError) as caught:
        table(content)
    (told,) = caught.value.diagnostics
    assert program in told.message
    assert f"import its table{', ' if asked else ';'}{asked}" in told.hint


def test_a_table_may_speak_of_a_layout() -> None:
    assert texts(b"name,note\nA,LINK = cards.csv\nTEXT=1,x\n") == [
        ["A", "LINK = cards.csv"],
        ["TEXT=1", "x"],
    ]


def test_a_file_in_windows_1252_is_read_and_questioned() -> None:
    rows, (told,) = table("Name;Text\nTür;für €5\n".encode("cp1252"))
    assert [text for text, _ in rows[0].values()] == ["Tür", "für €5"]
    assert (told.code, "'Tür'" in told.message) == ("GP113", True)
    with pytest.raises(GridpressError):
        table("Name\nTür".encode() + b"\xff")  # UTF-8 but for one byte


def test_an_old_file_of_a_mac_is_read_and_questioned() -> None:
    rows, (told,) = table("Produto;Unidade\rSítio;maço\r".encode("mac_roman"))
    assert [text for text, _ in rows[0].values()] == ["Sítio", "maço"]
    assert (told.code, "Mac Roman: is 'Sítio' right?" in told.message) == ("GP113", True)


def test_a_mark_of_encoding_within_a_file() -> None:
    assert texts("\ufeff\ufeffName,Cost\nOrc,3\n\ufeffElf,2\n".encode()) == [
        ["Orc", "3"],
        ["Elf", "2"],
    ]


def test_a_separator_in_quotes() -> None:
    assert texts(b'"sep=;"\r\nName;Text\r\nOrc;"a, b"\r\n') == [["Orc", "a, b"]]


def parts_with(content: bytes, old: bytes, new: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(made, "w") as changed:
        for name in given.namelist():
            changed.writestr(name, given.read(name).replace(old, new))
    return made.getvalue()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'r:id="rId1"', b""),
        (
            b"http://schemas.openxmlformats.org/officeDocument/2006",
            b"http://purl.oclc.org/ooxml/officeDocument",
        ),
        (b'Target="/xl/worksheets/sheet1.xml"', b'Target="xl/worksheets/sheet1.xml"'),
    ],
)
def test_the_sheets_of_a_workbook_made_by_hand_are_found(old: bytes, new: bytes) -> None:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["name", "cost"], ["Ash", 1]):
        book.active.append(row)
    book.save(file)
    content = parts_with(file.getvalue(), old, new)
    assert content != file.getvalue()
    assert texts(content, "t.xlsx") == [["Ash", "1"]]


def test_rows_that_a_sheet_hides_are_reported() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "Cost"], ["Orc", 1], ["Elf", 2], ["Imp", 3]):
        sheet.append(row)
    sheet.auto_filter.ref = "A1:B4"
    for line in (3, 4, 9):  # of which row 9 is empty
        sheet.row_dimensions[line].hidden = True
    saved = io.BytesIO()
    book.save(saved)
    rows, (told,) = table(saved.getvalue(), "t.xlsx")
    assert [row["name"][0] for row in rows] == ["Orc", "Elf", "Imp"]
    assert (told.code, told.span) == ("GP113", Span("t.xlsx", 3))
    assert told.message == "rows that the sheet hides are read like others: 3, 4"


def test_thousands_and_decimals() -> None:
    rows, told = table((FIELD / "thousands-dot.csv").read_bytes())
    assert told == []
    numbers = [[cell.number for _, cell in row.values()][1:3] for row in rows]
    assert numbers == [["1.5", "1000"], ["0.25", "2500"], ["0.75", "12000"]]
    rows, _ = table(b"name;price\nA;1.000\n")
    assert rows[0]["price"][1].number == "1000"


def test_bold_words_and_pictures_of_a_workbook() -> None:
    rows, (told,) = table((FIELD / "bold-words.xlsx").read_bytes(), "bold-words.xlsx")
    text, cell = rows[0]["text"]
    assert text == "Draw two cards, then discard"
    assert cell.rich == "Draw **two** cards, *then* discard"
    assert (told.code, told.span) == ("GP113", Span("bold-words.xlsx", 2, 7))
    assert "G2" in told.message


def test_looks_of_cells_and_of_their_words() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Name", "Text", "Cost"])
    sheet["A1"].font = Font(bold=True)
    bold, red = InlineFont(b=True), InlineFont(color=Color("FFFF0000"))
    sheet.append(["Fox", CellRichText("Pay ", TextBlock(bold, "2 "), TextBlock(red, "now")), 1.125])
    sheet["A2"].font = sheet["C2"].font = Font(italic=True)
    saved = io.BytesIO()
    book.save(saved)
    rows, (told,) = table(saved.getvalue(), "t.xlsx")
    assert rows == [
        {
            "name": ("Fox", Cell("*Fox*")),
            "text": ("Pay 2 now", Cell("Pay **2** now")),
            "cost": ("1.125", Cell("1.125", "1.125")),
        }
    ]
    assert told.message == "<font> cannot be printed, in 'Pay 2 now'"


def test_marks_of_other_programs_are_reported_with_their_cells() -> None:
    rows, told = table((FIELD / "markup.csv").read_bytes())
    assert rows[0]["text"][0] == 'Swords & Shields <3> "hi" ★ \u00a0x — é'
    assert [(d.span.line, d.message.partition(" cannot")[0]) for d in told] == [
        (3, "<span>"),
        (4, "<sub>, <sup>, <u>, <s>, <big>"),
        (5, "<font>, <center>"),
        (7, "~~no~~, `code`"),
    ]
    _, told = table(b"name,text\n" + b"A,<u>x</u>\n" * 30)
    assert len(told) == 10
    assert told[-1].message.endswith("; and so in 20 more cells")
