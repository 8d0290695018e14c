"""How far apart colours are, against what was published."""

from itertools import combinations

import pytest

from generator.preflight.colour_checks import Lab, Sight, apart, delta_e, seen_colour

# Lightness, a, b; lightness, a, b; difference: Sharma, Wu and Dalal (2005), table 1.
PUBLISHED = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
PAIRS = [[float(number) for number in line.split()] for line in PUBLISHED.split("\n")[1:-1]]
RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)


def test_all_published_pairs_are_here() -> None:
    assert len(PAIRS) == 34


@pytest.mark.parametrize("pair", PAIRS)
def test_differences_are_as_published_both_ways(pair: list[float]) -> None:
    one, other, told = Lab(*pair[:3]), Lab(*pair[3:6]), pair[6]
    # At hues that lie opposite each other the formula jumps; that pair may fall on either side.
    near = 0.06 if pair[1:3] == [-0.0010, 2.4900] and pair[4] == 0.0010 else 0.00005
    assert delta_e(one, other) == pytest.approx(told, abs=near)
    assert delta_e(other, one) == pytest.approx(told, abs=near)


# The corners of sRGB in Lab, D65, as every converter has them.
@pytest.mark.parametrize(
    ("colour", "lab"),
    [
        ((255, 255, 255), (100, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        (RED, (53.24, 80.09, 67.20)),
        (GREEN, (87.73, -86.18, 83.18)),
        (BLUE, (32.30, 79.19, -107.86)),
        (YELLOW, (97.14, -21.55, 94.48)),
        ((119, 119, 119), (50.03, 0, 0)),
    ],
)
def test_srgb_becomes_lab(colour: tuple[int, int, int], lab: tuple[float, ...]) -> None:
    assert seen_colour(colour) == pytest.approx(lab, abs=0.02)


@pytest.mark.parametrize("sight", Sight)
@pytest.mark.parametrize("level", [0, 1, 90, 200, 255])
def test_grey_stays_the_same_grey_to_every_eye(sight: Sight, level: int) -> None:
    assert seen_colour((level,) * 3, sight) == pytest.approx(seen_colour((level,) * 3), abs=0.02)


@pytest.mark.parametrize(
    ("sight", "one", "other"),
    [
        (Sight.PROTANOPIA, (200, 60, 30), (103, 103, 24)),
        (Sight.DEUTERANOPIA, (200, 90, 60), (130, 125, 60)),
        (Sight.TRITANOPIA, (40, 120, 200), (35, 130, 130)),
        (Sight.GREYSCALE, (220, 40, 40), (0, 122, 60)),
    ],
)
def test_what_only_some_eyes_tell_apart(
    sight: Sight, one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    assert apart(one, other) > 20
    assert apart(one, other, sight) < 10


@pytest.mark.parametrize("sight", [Sight.PROTANOPIA, Sight.DEUTERANOPIA])
def test_blue_and_yellow_stay_apart_without_red_or_green(sight: Sight) -> None:
    assert apart(BLUE, YELLOW, sight) > 60


def test_a_colour_is_not_apart_from_itself() -> None:
    for sight in Sight:
        assert apart(RED, RED, sight) == 0
    for one, other in combinations((RED, GREEN, BLUE, YELLOW), 2):
        assert apart(one, other) == pytest.approx(apart(other, one))
