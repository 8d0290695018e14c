"""The engine compiled, in worker processes: the same races as plain Python, and nobody's settings.

Compiling takes a minute of one core; it is kept for the tests that follow.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arenas import empty_oval
from chariots import components
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import crews, layout
from msgspec.structs import replace
from scenes import engine, known
from test_race_types import DRAW, HOOKS, IN_FORCE, _open

CARS, RACES = 4, 3


def meet() -> crews.Meet:
    setup = engine().setup
    made = crews.Meet.of(
        components("vehicles.yaml"),
        known(),
        empty_oval(),
        setup.RaceType(),
        CARS,
        setup.Rules(dict.fromkeys(IN_FORCE, 0)),
        Die(),
    )
    return replace(made, plain=True)


def lots(count: int) -> crews.Heats:
    return crews.Heats(
        np.array([[(n + v) % 9 for v in range(CARS)] for n in range(count)]),
        np.array([np.arange(CARS)] * count),
        np.arange(count),
    )


def plain(meet: crews.Meet, heats: crews.Heats) -> Any:
    """The races without numba."""
    rules = engine()
    rules.chance.draw = DRAW
    for name, hook in HOOKS.items():
        setattr(rules.choices, name, hook)
    race = rules.setup.race_of(meet.rules.copy(), meet.vehicles, meet.cells, CARS)
    race = type(race)(*map(_open, race))
    runs = _open(np.zeros(heats.lineups.shape, layout.RUN_DTYPE))
    keys = (meet.seed * 1_000_003 + heats.numbers) & 0x7FFFFFFF
    lineups = heats.lineups
    rules.heats.heats(race, _open(meet.cells), _open(meet.grid), lineups, heats.places, keys, runs)
    return runs


@pytest.mark.usefixtures("ready")
def test_compiled_races_are_those_of_plain_python_on_any_number_of_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Numba's settings of the current folder and of the environment, a stranger's, are not read."""
    monkeypatch.chdir(tmp_path)
    strangers = tmp_path / "strangers"
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {strangers}\n")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(strangers))
    monkeypatch.setattr(crews, "BATCH", 2)
    event, heats = meet(), lots(RACES)
    one = np.concatenate(list(crews.run(event, heats, jobs=1)))
    two = np.concatenate(list(crews.run(event, heats, jobs=2)))
    assert (one == two).all()
    assert (one == plain(event, heats)).all()
    told = crews.told(event, one)
    assert [run.place for run in told[0]] == one["place"][0].tolist()
    assert len(told[0][0].lost) == one["lost"][0, 0]
    assert not strangers.exists()
    assert crews.is_ready()


def test_commands_that_race_do_not_import_numba_themselves() -> None:
    script = (
        "import sys; import gridpress_chariot_dash.race.crews as crews; crews.engine_folder(); "
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
