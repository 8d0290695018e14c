"""The figures of docs/packs/chariot-dash-balance.md."""

import re
from pathlib import Path

from chariots import components

PAGE = Path(__file__).parents[3] / "docs/packs/chariot-dash-balance.md"
RATIO = re.compile(r"(\*\*)?(\d+\.\d\d)")
TRACKS = LAPS = FIELDS = 3


def rows() -> list[tuple[str, list[tuple[bool, float]]]]:
    """Return the win ratios of each field by vehicle, and which ones are bold."""
    told = [line for line in PAGE.read_text("utf-8").splitlines() if re.match(r"\|.*·", line)]
    lines = [line.split("|")[1:-1] for line in told]
    return [
        (name.strip(), [(bool(bold), float(ratio)) for bold, ratio in RATIO.findall(" ".join(of))])
        for name, *of in lines
    ]


def test_each_field_has_every_vehicle_on_three_tracks_over_three_numbers_of_laps() -> None:
    names = [one["name"] for one in components("vehicles.yaml")]
    assert [name for name, _ in rows()] == names * FIELDS
    assert {len(ratios) for _, ratios in rows()} == {TRACKS * LAPS}


def test_what_is_far_from_its_fair_share_is_bold() -> None:
    for name, ratios in rows():
        for bold, ratio in ratios:
            assert bold == (not 0.5 <= ratio <= 1.6), name
