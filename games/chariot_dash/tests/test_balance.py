"""What docs/packs/chariot-dash-balance.md says of the shipped vehicles."""

import re
from pathlib import Path

from chariots import components

PAGE = Path(__file__).parents[3] / "docs/packs/chariot-dash-balance.md"
RATIO = re.compile(r"\*\*(\d+\.\d\d)\*\* \((\d+\.\d\d)–(\d+\.\d\d)\)")


def rows() -> dict[str, list[tuple[float, ...]]]:
    """By vehicle: its win ratio on each track, with the ends of its interval."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if RATIO.search(line)]
    return {
        line.split("|")[1].strip(): [tuple(map(float, m)) for m in RATIO.findall(line)]
        for line in lines
    }


def test_the_table_names_every_vehicle_once_for_each_of_three_tracks() -> None:
    table = rows()
    assert list(table) == [one["name"] for one in components("vehicles.yaml")]
    assert {len(ratios) for ratios in table.values()} == {3}


def test_no_vehicle_wins_far_more_or_less_than_its_fair_share() -> None:
    for name, ratios in rows().items():
        for ratio, low, high in ratios:
            assert 0.5 <= ratio <= 1.6, name
            assert low < ratio < high, name


def test_wins_are_shared_out_among_all() -> None:
    """The mean ratio is 1 but for who stood on the grid how often, and races nobody finished."""
    table = rows()
    for track in range(3):
        mean = sum(ratios[track][0] for ratios in table.values()) / len(table)
        assert 0.9 < mean < 1.1
