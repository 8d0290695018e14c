import pytest
from icu4py.breakers import CharacterBreaker

from generator.text.unicode import (
    boundaries,
    levels,
    line_breaks,
    runs_right_to_left,
    visual_order,
)


def parted(text: str) -> list[str]:
    ends = line_breaks(text, "en")
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two words", ["two ", "words"]),
        ("well-known", ["well-", "known"]),
        ("12\u00a0km (6 in)", ["12\u00a0km ", "(6 ", "in)"]),
        ("3.5% ’tis", ["3.5% ", "’tis"]),
        ("日本語。", ["日", "本", "語。"]),
        ("2\ufffc.", ["2\ufffc."]),
        ("a \ufffc\ufffc b", ["a ", "\ufffc\ufffc ", "b"]),
        ("😀 face 😀", ["😀 ", "face ", "😀"]),
        ("", []),
    ],
)
def test_lines_part_where_uax_14_says(text: str, expected: list[str]) -> None:
    assert parted(text) == expected


def test_characters_outside_the_bmp_count_as_one() -> None:
    text = "a😀e\u0301𝒳b"
    assert boundaries(CharacterBreaker(text, "en"), text) == [1, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("naïve ★ 日本", False), ("אב", True), ("مرحبا", True), ("a\u200f", True)],
)
def test_it_knows_right_to_left_text(text: str, expected: bool) -> None:
    assert runs_right_to_left(text) is expected


def test_numbers_and_latin_stand_upright_in_hebrew() -> None:
    assert levels("אב 12, ab.") == (1, [1, 1, 1, 2, 2, 1, 1, 2, 2, 1])
    assert levels("ab אב.") == (0, [0, 0, 0, 1, 1, 0])
    assert levels("\u0590א\u2060") == (1, [2, 1, 1])


@pytest.mark.parametrize(
    ("of_items", "expected"),
    [
        ([0, 0], [0, 1]),
        ([1, 1, 1], [2, 1, 0]),
        ([1, 2, 2, 1], [3, 1, 2, 0]),
        ([0, 1, 1, 0], [0, 2, 1, 3]),
        ([2, 2, 0], [0, 1, 2]),
        ([], []),
    ],
)
def test_visual_order(of_items: list[int], expected: list[int]) -> None:
    assert visual_order(of_items) == expected
