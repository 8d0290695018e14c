"""The races as a guest of Gridpress."""

from pathlib import Path

import gridpress_chariot_races
from gridpress_chariot_dash.pace import lap_times
from gridpress_chariot_races import GUEST
from lap_times import of_engine
from test_guest import imports

from generator.guests import installed

ROOT = Path(__file__).parents[3]
PACKAGE = Path(gridpress_chariot_races.__file__).parent


def test_the_races_are_installed() -> None:
    assert GUEST in installed().value


def test_raced_laps_that_ship_with_the_game_are_of_this_engine() -> None:
    assert lap_times().engine == of_engine(), "run python games/chariot_races/studies/lap_times.py"


def test_what_is_compiled_takes_nothing_that_its_digest_leaves_out() -> None:
    """Otherwise the compiled engine would miss a change."""
    taken = {
        name
        for path in (PACKAGE / "race").glob("*.py")
        if "gridpress_chariot_races.race.kernel" in imports(path)
        for name in imports(path)
        if name.startswith("gridpress_chariot_") and ".race" not in name
    }
    modules = {".".join(name.split(".")[:2]) for name in taken if "." in name}
    assert modules == {"gridpress_chariot_dash.dice"}
