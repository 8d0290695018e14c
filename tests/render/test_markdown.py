"""The blocks of a text: their kinds and first lines."""

import pytest

from generator.render.book_blocks import Block, BlockKind, read_blocks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("# A **b**\n\nc {d}\ne\n", [("heading", 1, "A **b**"), ("paragraph", 3, "c {d}\ne")]),
        ("> x\n\n---\n\n***\n", [("note", 1, "x"), ("page", 3, ""), ("column", 5, "")]),
        ("[contents]\n\n    code\n", [("contents", 1, ""), ("unknown", 3, "code\n")]),
        ("x\n---\ny\n", [("paragraph", 1, "x"), ("page", 1, ""), ("paragraph", 3, "y")]),
        ("> x\n> ---\n", [("note", 1, "x"), ("page", 1, "")]),
        ("> x\n>\n> y\n\nz\n", [("note", 1, "x\n\ny"), ("paragraph", 5, "z")]),
        (
            "> x:\n> - a\n>   1. b\n> - c\n\n> d\n",
            [("note", 1, "x:\n\n\u2022 a\\\n\u20031. b\\\n\u2022 c"), ("note", 6, "d")],
        ),
        ("- a\n\n  > n\n\n- b\n", [("item", 1, "a"), ("note", 3, "n"), ("item", 5, "b")]),
        ("> a\n> ## H\n> b\n", [("note", 1, "a"), ("heading", 2, "H"), ("note", 3, "b")]),
        ("<b>x</b>\n", [("paragraph", 1, "<b>x</b>")]),
    ],
)
def test_sorts_lines_and_texts(text: str, blocks: list[tuple[str, int, str]]) -> None:
    assert [(str(b.kind), b.line, b.text) for b in read_blocks(text)] == blocks


def test_lists_know_how_deep_they_are_and_how_they_are_counted() -> None:
    found = read_blocks("3. a\n   - b\n     - c\n4. d\n\n- e\n")
    assert [(b.text, b.level, b.mark) for b in found] == [
        ("a", 0, "3."),
        ("b", 1, ""),
        ("c", 2, ""),
        ("d", 0, "4."),
        ("e", 0, ""),
    ]


def test_tables_are_rows_of_cells() -> None:
    table, after = read_blocks("| a | b |\n|---|---|\n| c | {d} |\n| e | |\n\nf\n")
    rows = (("a", "b"), ("c", "{d}"), ("e", ""))
    assert table == Block(BlockKind.TABLE, 1, rows=rows, aligns=(None, None))
    assert (after.kind, after.text, after.line) == (BlockKind.PARAGRAPH, "f", 6)


def test_columns_stand_as_their_line_of_dashes_says() -> None:
    (table,) = read_blocks("| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | 3 | 4 |\n")
    assert table.aligns == (None, "left", "center", "right")


def test_pictures_have_captions_and_a_share_of_the_column() -> None:
    (picture,) = read_blocks('![All of it](art/x.png "60%")\n')
    assert picture == Block(BlockKind.PICTURE, 1, "All of it", path="art/x.png", wide=0.6)
