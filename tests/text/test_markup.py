import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.text.markup import mark_alone, parse_markup, printable_text


def shown(text: str, rich: bool = True) -> list[str]:
    """Paragraphs as text, <b> and <i> around what is bold and italic, [name] for an icon, a
    pilcrow before a paragraph with a gap."""
    lines = []
    for paragraph in parse_markup(text, rich):
        line = ""
        for piece in paragraph.pieces:
            inner = f"[{piece.icon}]" if piece.icon else piece.text
            inner = f"<i>{inner}</i>" if piece.italic else inner
            line += f"<b>{inner}</b>" if piece.bold else inner
        lines.append("¶" * paragraph.gap + line)
    return lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("**bold** word", "<b>bold</b> word"),
        ("an *italic* word", "an <i>italic</i> word"),
        ("***both***", "<b><i>both</i></b>"),
        ("**bold *and italic* too**", "<b>bold </b><b><i>and italic</i></b><b> too</b>"),
        ("*italic **and bold***", "<i>italic </i><b><i>and bold</i></b>"),
        ("**fire**works", "<b>fire</b>works"),
        ("**{coin}** {die-6}", "<b>[coin]</b> [die-6]"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**open", "**open"),
        ("close**", "close**"),
        ("*a** b", "<i>a</i>* b"),
        ("**a* b", "*<i>a</i> b"),
        ("***a** b", "*<b>a</b> b"),
        ("** a **", "** a **"),
        ("{two words} {", "{two words} {"),
        (r"\*no\* \{no\} \\", r"*no* {no} \\".replace(r"\\", "\\")),
        (r"C:\path", r"C:\path"),
        ("{}", "{}"),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert "".join(shown(text)) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pay {star", "{star"),
        ("pay star} now", "star}"),
        ("{two words}", "{two"),
        (r"\{star\} {star} 2{a-b}", ""),
        ("**{star}**", ""),
        ("Pay 1. **Then move 3.", "**Then"),
        ("Pay 1. Then** move 3.", "Then**"),
        ("**Gain**, or **lose\n\n1 coin**.", "**lose"),
        (r"**a** (**so**) 2**3 = 8, 2 ** 3, \*\*no, ***", ""),
    ],
)
def test_a_mark_that_marks_nothing_is_found(text: str, told: str) -> None:
    assert mark_alone(text) == told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo", ["one two"]),
        ("one\n\ntwo", ["one", "¶two"]),
        ("one\r\n\r\ntwo", ["one", "¶two"]),
        ("one\n \t\n\n\ntwo\n", ["one", "¶two "]),
        ("one  \ntwo", ["one", "two"]),
        ("one\\\ntwo", ["one", "two"]),
        ("one \ntwo", ["one  two"]),
        ("**one  \ntwo**", ["<b>one</b>", "<b>two</b>"]),
        ("one\\\n\\\ntwo", ["one", "", "two"]),
        ("one\\\\\ntwo", ["one\\ two"]),
        ("one  \n\ntwo  ", ["one  ", "¶two  "]),
        ("*one\n\ntwo*", ["*one", "¶two*"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_line_ends(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


def test_what_cannot_be_printed_is_replaced_one_for_one() -> None:
    assert printable_text("a\x00b\tc\ud800d\ufffce\u202af") == "a b c\ufffdd\ufffde\u2060f"


@given(st.text(alphabet="ab *{}\\\n", max_size=40))
def test_every_piece_knows_its_place(text: str) -> None:
    source = printable_text(text)
    for paragraph in parse_markup(text, rich=True):
        for piece in paragraph.pieces:
            there = source[piece.start : piece.start + len(piece.text)]
            assert there.replace("\n", " ") == piece.text or set(piece.text) == {"*"}


@given(st.text(alphabet="ab *{}\n", max_size=40))
def test_nothing_but_markup_is_lost(text: str) -> None:
    letters = [char for char in text if char in "ab{}"]
    found = [
        char
        for paragraph in parse_markup(text, rich=True)
        for piece in paragraph.pieces
        for char in piece.text
        if char in "ab{}"
    ]
    assert found == letters
