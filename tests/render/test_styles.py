import re

import pytest

from generator.render.ink import Ink, grey
from generator.svg_subset import as_hex

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


@pytest.mark.parametrize(
    ("colour", "level"),
    # Y of the sRGB primaries is 0.2126, 0.7152, 0.0722 (IEC 61966-2-1), and encoded again:
    [("#ff0000", 127), ("#00ff00", 220), ("#0000ff", 76), ("#808080", 128), ("#ffffff", 255)],
)
def test_a_grey_is_as_light_as_its_colour(colour: str, level: int) -> None:
    assert grey(colour) == f"#{level:02x}" + f"{level:02x}" * 2


def test_low_ink_replaces_colours_of_the_palette_wherever_they_stand() -> None:
    ink = Ink("low", COLOURS, {"bronze": "#eeddcc"})
    svg = """<g fill="#A8743A" stroke='#a8743a'><stop stop-color="#a8743a80"/></g>"""
    assert ink.printed(svg) == (
        """<g fill="#eeddcc" stroke='#eeddcc'><stop stop-color="#eeddcc80"/></g>"""
    )


def test_a_colour_with_two_names_is_replaced_only_when_both_are() -> None:
    assert Ink("low", COLOURS, {"ink": "#999999"}).colour("#1d1a17") == "#1d1a17"
    both = {"ink": "#999999", "line": "#999999"}
    assert Ink("low", COLOURS, both).colour("#1d1a17") == "#999999"


def test_mono_leaves_greys_alone() -> None:
    ink = Ink("mono", COLOURS, {"bronze": "#777777"})
    svg = '<g fill="#a8743a" stroke="red" color="none"><use fill="url(#red)"/></g>'
    assert ink.printed(svg) == (
        '<g fill="#777777" stroke="#7f7f7f" color="none"><use fill="url(#red)"/></g>'
    )


DARK = '<rect x="-3" y="-3" width="69" height="94" fill="#8c3b2a"/>'
STAR = '<path fill="#f6efe2" d="M0 0h9v9z"/>'
AREA = 63.0 * 88.0


def by_rule(svg: str, *paints: str) -> tuple[str, list[str]]:
    ink = Ink("low", COLOURS, {}).for_face(svg, paints, AREA)
    return ink.printed(svg), [ink.colour(paint) for paint in paints]


def contrast(one: str, other: str) -> float:
    lights = []
    for colour in (one, other):
        grey_ = int(grey(colour)[1:3], 16) / 255
        lights.append(0.05 + (grey_ / 12.92 if grey_ <= 0.04 else ((grey_ + 0.055) / 1.055) ** 2.4))
    return max(lights) / min(lights)


@pytest.mark.parametrize("figure", ["#f6efe2", "#ffd27a", "#fad228", "#ffffff", "#d8e0ff"])
@pytest.mark.parametrize("ground", ["#8c3b2a", "#1d1a17", "#20553a", "#203080"])
def test_low_ink_by_rule_makes_dark_grounds_light_and_what_is_on_them_dark(
    ground: str, figure: str
) -> None:
    svg = DARK.replace("#8c3b2a", ground)
    printed, [text] = by_rule(svg, figure)
    made = re.findall('fill="(#[0-9a-f]{6})"', printed)[0]
    assert int(grey(made)[1:3], 16) > 160
    assert contrast(made, text) > min(4.5, 0.8 * contrast(ground, figure))


def test_low_ink_by_rule_makes_a_tint_of_a_light_ground_and_leaves_bands() -> None:
    svg = DARK.replace("#8c3b2a", "#f6efe2") + '<rect width="63" height="18" fill="#8c3b2a"/>'
    printed, texts = by_rule(svg, "#ffffff", "#1d1a17")
    assert (printed, texts) == (svg, ["#ffffff", "#1d1a17"]), "white text is lighter than it"
    printed, _ = by_rule(svg, "#1d1a17")
    assert 'fill="#fdfcf9"' in printed
    assert 'fill="#8c3b2a"' in printed


@pytest.mark.parametrize("ground", ["#7aa05a", "#5a9bd4", "#d98a3d", "#9a9a9a"])
def test_low_ink_by_rule_makes_a_tint_of_a_ground_with_lighter_and_darker_words(
    ground: str,
) -> None:
    svg = DARK.replace("#8c3b2a", ground) + '<path fill="none" stroke="#1d1a17" d="M0 0h9"/>'
    printed, texts = by_rule(svg, "#ffffff", "#1d1a17", "#fff2c0")
    made = re.findall('fill="(#[0-9a-f]{6})"', printed)[0]
    assert int(grey(made)[1:3], 16) > 210
    assert min(contrast(made, text) for text in texts) > 10
    band = svg + '<rect width="63" height="18" fill="#203080"/>'
    assert by_rule(band, "#ffffff", "#1d1a17") == (band, ["#ffffff", "#1d1a17"]), "white on a band"
    assert by_rule(svg, "#ffffff", ground) == (svg, ["#ffffff", ground])


@pytest.mark.parametrize("ground", ["#7aa05a", "#5a9bd4", "#d98a3d", "#9a9a9a", "#56734f"])
def test_low_ink_by_rule_saves_on_a_ground_with_a_light_panel(ground: str) -> None:
    panel = '<rect x="6" y="10" width="51" height="72" fill="#f6efe2"/>'
    svg = DARK.replace("#8c3b2a", ground) + panel
    printed, texts = by_rule(svg, "#ffffff", "#1d1a17", "#5a2a1a")
    made, kept = re.findall('fill="(#[0-9a-f]{6})"', printed)
    assert int(grey(made)[1:3], 16) > 200
    assert kept == "#f6efe2"
    assert min(contrast(flat, text) for flat in (made, kept) for text in texts) > 7
    for more in (STAR.replace("#f6efe2", "#fff2c0"), DARK.replace("94", "12")):
        assert f'"{ground}"' in by_rule(svg + more, "#ffffff", "#1d1a17")[0]
    for unsure in ("#f6efe2", "#9c8a70"):
        assert f'"{ground}"' in by_rule(svg, unsure, "#1d1a17")[0]


@pytest.mark.parametrize(
    "svg",
    [
        STAR,
        DARK.replace("94", "44") + STAR,
        DARK + '<image href="assets/x.png"/>' + STAR,
        DARK.replace("69", "6.9.1") + STAR,
    ],
)
def test_low_ink_by_rule_leaves_alone_what_might_not_be_read(svg: str) -> None:
    assert by_rule(svg, "#1d1a17") == (svg, ["#1d1a17"])
