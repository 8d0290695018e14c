import pytest
from PIL import ImageColor

from generator.render.styles import Ink, grey
from generator.svg_subset import NAMES, as_hex

COLOURS = {"ink": "#1d1a17", "bronze": "#a8743a", "line": "#1d1a17", "paper": "#ffffff"}


@pytest.mark.parametrize(
    ("written", "colour"),
    [
        ("#a8743a", "#a8743a"),
        ("#A8743A", "#a8743a"),
        ("#fA0", "#ffaa00"),
        ("#a8743a80", "#a8743a80"),
        ("red", "#ff0000"),
        ("rgb(1, 2,300)", "#0102ff"),
        ("none", None),
        ("url(#a)", None),
        ("rebeccapurple", None),
        ("rgba(1,2,3,0.5)", None),
        ("#12345", None),
        ("nonsense", None),
    ],
)
def test_forms_of_a_colour(written: str, colour: str | None) -> None:
    assert as_hex(written) == colour


def test_all_names_are_colours_to_both_libraries() -> None:
    assert len(NAMES) == 147
    assert all(ImageColor.getrgb(name) for name in NAMES)


@pytest.mark.parametrize(
    ("colour", "level"),
    # Y of the sRGB primaries is 0.2126, 0.7152, 0.0722 (IEC 61966-2-1), and encoded again:
    [("#ff0000", 127), ("#00ff00", 220), ("#0000ff", 76), ("#808080", 128), ("#ffffff", 255)],
)
def test_a_grey_is_as_light_as_its_colour(colour: str, level: int) -> None:
    assert grey(colour) == f"#{level:02x}" + f"{level:02x}" * 2


def test_full_ink_changes_nothing() -> None:
    svg = '<g fill="#a8743a"/>'
    assert Ink("full", COLOURS, {"bronze": "#eeeeee"}).printed(svg) == svg


def test_low_ink_replaces_colours_of_the_palette_wherever_they_stand() -> None:
    ink = Ink("low", COLOURS, {"bronze": "#eeddcc"})
    svg = """<g fill="#A8743A" stroke='#a8743a'><stop stop-color="#a8743a80"/></g>"""
    assert ink.printed(svg) == (
        """<g fill="#eeddcc" stroke='#eeddcc'><stop stop-color="#eeddcc80"/></g>"""
    )


def test_low_ink_leaves_other_colours_and_words() -> None:
    ink = Ink("low", COLOURS, {"bronze": "#eeddcc"})
    svg = '<text fill="#a8743b">fill="#a8743a" costs 5 &lt; 6</text><path d="M0 0"/>'
    assert ink.printed(svg) == svg


def test_a_colour_with_two_names_is_replaced_only_when_both_are() -> None:
    assert Ink("low", COLOURS, {"ink": "#999999"}).colour("#1d1a17") == "#1d1a17"
    both = {"ink": "#999999", "line": "#999999"}
    assert Ink("low", COLOURS, both).colour("#1d1a17") == "#999999"


def test_colours_are_replaced_once() -> None:
    ink = Ink("low", {"a": "#111111", "b": "#222222"}, {"a": "#222222", "b": "#333333"})
    assert ink.printed('<g fill="#111111" stroke="#222222"/>') == (
        '<g fill="#222222" stroke="#333333"/>'
    )


def test_mono_leaves_greys_alone() -> None:
    ink = Ink("mono", COLOURS, {"bronze": "#777777"})
    svg = '<g fill="#a8743a" stroke="red" color="none"><use fill="url(#red)"/></g>'
    assert ink.printed(svg) == (
        '<g fill="#777777" stroke="#7f7f7f" color="none"><use fill="url(#red)"/></g>'
    )


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="full, low, mono"):
        Ink("blue", {}, {})
