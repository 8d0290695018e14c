import random
from collections.abc import Iterator

import pytest
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from generator.fonts import FontLibrary
from generator.text.direction import bidi_levels, visual_order
from generator.text.line_breaking import (
    EPSILON,
    HYPHEN_COST,
    SECOND_HYPHEN_COST,
    WHOLE,
    WIDOW_COST,
    BreakingRules,
    Breaks,
    best_lines,
    hyphenator,
    line_breaks,
)

SPACE = 0.25


def breaks_of(widths: list[float], hyphens: frozenset[int] = frozenset()) -> Breaks:
    """Words of some widths; those in `hyphens` are joined to the next and parted by a hyphen."""
    ends, begins, to_end, to_begin, places = [0.0], [0.0], [0], [0], [(-1, WHOLE)]
    at, spaces = 0.0, 0
    for i, width in enumerate(widths):
        at += width
        joined = i in hyphens and i < len(widths) - 1
        last = i == len(widths) - 1
        ends.append(at)
        to_end.append(spaces)
        at += 0.0 if joined or last else SPACE
        spaces += not (joined or last)
        begins.append(at)
        to_begin.append(spaces)
        places.append((i, 1 if joined else WHOLE))
    return Breaks(ends, begins, to_end, to_begin, places)


def every_way(breaks: Breaks, width: float, start: int = 0) -> Iterator[list[int]]:
    total = len(breaks.ends) - 1
    if start == total:
        yield []
    for end in range(start + 1, total + 1):
        fits = breaks.ends[end] - breaks.begins[start] <= width + EPSILON
        if fits or end == start + 1:
            for rest in every_way(breaks, width, end):
                yield [end, *rest]


def cost(breaks: Breaks, width: float, rules: BreakingRules, places: list[int]) -> float:
    found = 0.0
    for start, end in zip([0, *places], places, strict=False):
        last = end == places[-1]
        if rules.balanced or not last:
            found += breaks.white(start, end, width, rules.justified) ** 2
        if breaks.places[end][1] != WHOLE:
            parted_before = breaks.places[start][1] != WHOLE
            found += SECOND_HYPHEN_COST if parted_before else HYPHEN_COST
        elif last and start and not breaks.spaces(start, end):
            found += WIDOW_COST
    return found


widths = st.lists(st.floats(0.3, 6.0), min_size=1, max_size=9)
rule_sets = st.builds(BreakingRules, st.booleans(), st.booleans())


@given(widths, st.frozensets(st.integers(0, 8)), st.floats(1.0, 12.0), rule_sets)
def test_the_lines_are_the_fewest_and_of_those_the_best(
    words: list[float], hyphens: frozenset[int], width: float, rules: BreakingRules
) -> None:
    breaks = breaks_of(words, hyphens)
    chosen = best_lines(breaks, width, rules)
    ways = list(every_way(breaks, width))
    fewest = min(map(len, ways))
    assert chosen in ways
    assert len(chosen) == breaks.count(width) == fewest
    best = min(cost(breaks, width, rules, way) for way in ways if len(way) == fewest)
    assert cost(breaks, width, rules, chosen) == pytest.approx(best)


def parted(word: str, lang: str, fonts: FontLibrary) -> str:
    ends = [*hyphenator(lang, fonts)(word), len(word)]
    return "·".join(word[start:end] for start, end in zip([0, *ends], ends, strict=False))


@pytest.mark.parametrize(
    ("word", "lang", "expected"),
    [
        ("movement", "en", "move·ment"),
        ("“movement”,", "en", "“move·ment”,"),
        ("Movement", "en", "Movement"),
        ("MOVEMENT", "en", "MOVEMENT"),
        ("well-", "en", "well-"),
        ("hosszúság", "hu", "hosszú·ság"),
        ("over", "en", "over"),
        ("move2ment", "en", "move2ment"),
        ("geschwindigkeit", "de-AT", "ge·schwin·dig·keit"),
        ("„Geschwindigkeit“.", "de", "„Ge·schwin·dig·keit“."),
        ("GESCHWINDIGKEIT", "de", "GESCHWINDIGKEIT"),
        ("GmbHverträge", "de", "GmbHverträge"),
        ("A", "de", "A"),
        ("movement", "xx", "movement"),
        ("", "en", ""),
    ],
)
def test_where_words_are_parted(word: str, lang: str, expected: str, fonts: FontLibrary) -> None:
    assert parted(word, lang, fonts) == expected


def segments(text: str) -> list[str]:
    ends = line_breaks(text, "en")
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two words", ["two ", "words"]),
        ("well-known", ["well-", "known"]),
        ("get –1 or (−2)", ["get ", "–1 ", "or ", "(−2)"]),
        ("3–5 – 6", ["3–", "5 ", "– ", "6"]),
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
    assert segments(text) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("אב USB (Hit Points) גד", "דג USB (Hit Points) בא"),
        ("אב (גד) ab", "ab (דג) בא"),
        ("ab (אב) [cd]", "ab (בא) [cd]"),
        ("אב (ab", "ab) בא"),
        ("אב \u2066(X+1)\u2069 גד", "דג (X+1) בא"),
        ("אב \u206820 GP\u2069 גד", "דג 20 GP בא"),
        ("ab \u2068אב 2\u2069 3 cd", "ab 2 בא 3 cd"),
        ("ab \u2067cd!\u2069.", "ab !cd."),
        ("אב \u206620 GP", "20 GP בא"),
    ],
)
def test_brackets_and_isolates_go_as_browsers_show_them(text: str, shown: str) -> None:
    _, levels = bidi_levels(text)
    mirrored = dict(zip("()[]", ")(][", strict=True))
    signs = [mirrored.get(c, c) if n % 2 else c for c, n in zip(text, levels, strict=True)]
    seen = "".join(signs[i] for i in visual_order(levels))
    assert seen.translate(dict.fromkeys(range(0x2066, 0x206A))) == shown


def test_brackets_go_as_the_reference_says() -> None:
    draw = random.Random(1)
    for _ in range(2000):
        text = "".join(draw.choices("אבab1()[]{} .,-%", k=draw.randint(1, 14))) + "a"
        base = draw.choice((0, 1))
        _, levels = bidi_levels(text, base)
        seen = "".join(text[i] for i in visual_order(levels))
        assert seen == get_display(text, base_dir="LR"[base]), ascii(text)
