import pytest

from generator.export.lettering import words


@pytest.mark.parametrize(
    ("svg", "shown"),
    [
        (
            '<svg><text x="1"><tspan>Salt &amp;</tspan> <tspan>pot</tspan></text></svg>',
            "Salt & pot",
        ),
        ("<svg><text>one</text><rect/><text>two</text></svg>", "one\ntwo"),
        ("<svg><!-- <text>no</text> --><textPath/><title>no</title></svg>", ""),
        ('<svg><defs><path id="a"/></defs><text>seen</text></svg>', "seen"),
    ],
)
def test_the_words_are_those_of_the_texts(svg: str, shown: str) -> None:
    assert words(svg) == shown


@pytest.mark.parametrize(
    "svg",
    [
        '<svg><defs><text id="t">often</text></defs><use href="#t"/><use href="#t"/></svg>',
        '<svg><g display="none"><text>hidden</text></g></svg>',
    ],
)
def test_words_that_may_be_seen_otherwise_are_not_told(svg: str) -> None:
    assert words(svg) is None
