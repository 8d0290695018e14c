"""Cells of tables as other programs write them: marks, signs, numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cells import marks_left_out, number_in, plain_cell, points, rich_cell, written_cell


@pytest.mark.parametrize(
    ("cell", "rich", "plain"),
    [
        ("Draw <b>two </b>cards", "Draw **two** cards", "Draw two cards"),
        ("<b>Dr</b><strong>aw</strong>", "**Draw**", "Draw"),
        ("<b>a<i>b</i></b><i>c</i>", "**a*b****c*", "abc"),
        ("<b>one\n\ntwo</b> x", "**one**\n\n**two** x", "one\n\ntwo x"),
        ("<b>left open", "**left open**", "left open"),
        ('<span weight="bold">Red</span>', "**Red**", "Red"),
        ("one<br>two<BR />three", "one  \ntwo  \nthree", "one\ntwo\nthree"),
        ("a<br><br>b<p>c</p>", "a\n\nb\n\nc", "a\n\nb\n\nc"),
        ("<ul><li>one</li><li>two</li></ul>", "• one  \n• two", "• one\n• two"),
        ("__bold__ _it_ a_b_c", "**bold** *it* a_b_c", "__bold__ _it_ a_b_c"),
        ("Swords &amp; &lt;b&gt; &#9733; R&D;", "Swords & <b> ★ R&D;", "Swords & <b> ★ R&D;"),
        ("&#42;x&#42; 2*3*4", "\\*x\\* 2\\*3\\*4", "*x* 2*3*4"),
        ("Deal 2*X and 3*Y", "Deal 2\\*X and 3\\*Y", "Deal 2*X and 3*Y"),
        ("2*{coin} or {coin}*2", "2\\*{coin} or {coin}\\*2", "2*{coin} or {coin}*2"),
        ("*/*, 1+*/1+*, 3/*", "\\*/\\*, 1+\\*/1+\\*, 3/\\*", "*/*, 1+*/1+*, 3/*"),
        ("*Pay 2*{coin} *a*/*b*", "*Pay 2*{coin} *a*/*b*", "*Pay 2*{coin} *a*/*b*"),
        ("___ Goblin, \\_x\\_", "___ Goblin, \\_x\\_", "___ Goblin, \\_x\\_"),
        ("one\\ntwo\\13\\three \\q a\\c b", 'one  \ntwo  \nthree " a, b', 'one\ntwo\nthree " a, b'),
        ("1_x000D_\n2\r\n3", "1  \n2  \n3", "1\n2\n3"),
        ('Gain <img src="art/coin.png">', "Gain {coin}", "Gain {coin}"),
        ("5 < 6 > 3, <Name> pays", "5 < 6 > 3, <Name> pays", "5 < 6 > 3, <Name> pays"),
        ("art\\new.png", "art/new.png", "art/new.png"),
        ("Gain **1** {coin}, \\{2\\}", "Gain **1** {coin}, \\{2\\}", "Gain **1** {coin}, \\{2\\}"),
    ],
)  # fmt: skip
def test_marks_and_signs_of_other_programs(cell: str, rich: str, plain: str) -> None:
    assert (rich_cell(cell), plain_cell(cell)) == (rich, plain)


@given(st.text("ab <>/&;*_\\nbi{}\n.1", max_size=30))
def test_what_was_read_is_read_as_that_again(text: str) -> None:
    rich = rich_cell(text)
    assert rich_cell(written_cell(rich)) in (rich, rich.strip())


@pytest.mark.parametrize(
    ("cell", "marks"),
    [
        ("<b>a</b> <i>b</i><br> <ul><li>x</li></ul> <3> <Name>", ""),
        ("H<sub>2</sub>O <u>x</u>", "<sub> <u>"),
        ('<span foreground="red" weight="bold">a</span>', "<span>"),
        ("<fc=0xff0000>a <strange>b</strange>", "<fc> <strange>"),
        ("~~no~~ `code`", "~~no~~ `code`"),
    ],
)
def test_marks_that_mean_nothing_here(cell: str, marks: str) -> None:
    assert " ".join(marks_left_out(cell)) == marks


@pytest.mark.parametrize(
    ("columns", "read"),
    [
        (["1.000 2.500 12.000", "1,5 0,25"], ["1000 2500 12000", "1.5 0.25"]),
        (["1,000 2,500", "1.5"], ["1000 2500", "1.5"]),
        (["1.000 1,5"], ["1000 1.5"]),
        (["1.000.000 2.000"], ["1000000 2000"]),
        (["0.125 1.250"], ["0.125 1.250"]),
        (["1'000 12", "1\u202f000,5"], ["1000 12", "1000.5"]),
        (["-1,5 +2 007 1.2.3 x"], ["-1.5 2   "]),
    ],
)
def test_points_and_commas_by_the_whole_table(columns: list[str], read: list[str]) -> None:
    cells = [column.split(" ") for column in columns]
    signs = points(cells, "")
    found = [" ".join(number_in(c, s) for c in col) for col, s in zip(cells, signs, strict=True)]
    assert found == read


def test_a_thousand_or_one_is_left_open() -> None:
    assert [number_in("1.000", point) for point in ("", ",", ".")] == ["", "1000", "1.000"]
    assert number_in("1,000", "") == "1000"
