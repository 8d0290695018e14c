"""The compiled engine in worker processes."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arenas import empty_oval
from chariots import components
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_races.race import layout, simulation
from gridpress_chariot_races.race.setup import RaceType, Rules
from gridpress_chariot_races.race.situation import teach
from scenes import engine, known, opened
from test_race_types import IN_FORCE

from generator import workers
from generator.cache import NOTHING_KEPT

CARS, RACES = 3, 2


def meet() -> simulation.Meet:
    return simulation.Meet.of(
        components("vehicles.yaml"),
        known(),
        empty_oval(),
        RaceType(),
        CARS,
        Rules(dict.fromkeys(IN_FORCE, 0)),
        Die(),
    )


def lots(count: int) -> simulation.Heats:
    return simulation.Heats(
        np.array([[(n + v) % CARS for v in range(CARS)] for n in range(count)]),
        np.array([np.arange(CARS)] * count),
        np.arange(count),
    )


def learnt(meet: simulation.Meet, folder: Path | None, present: Any) -> Any:
    """Learn in a worker process."""
    simulation.at_home(folder)
    return simulation.records(meet, present, NOTHING_KEPT)


def plain(meet: simulation.Meet, heats: simulation.Heats) -> Any:
    """Run the races without numba."""
    work = partial(learnt, meet, simulation.engine_folder())
    [(_, (race, outlook))] = workers.answers(work, [np.unique(heats.lineups)], 1)
    teach(race, outlook)
    runs = opened(np.zeros(heats.lineups.shape, layout.RUN_DTYPE))
    keys = (meet.seed * 1_000_003 + heats.numbers) & 0x7FFFFFFF
    engine(learnt=True).rounds.heats(
        opened(race)[0],
        opened(meet.cells),
        opened(meet.grid),
        heats.lineups,
        heats.places,
        keys,
        runs,
    )
    return runs


@pytest.mark.usefixtures("ready")
def test_compiled_races_are_those_of_plain_python_on_any_number_of_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The user's settings of numba are ignored, too."""
    monkeypatch.chdir(tmp_path)
    strangers = tmp_path / "strangers"
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {strangers}\n")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(strangers))
    monkeypatch.setattr(simulation, "BATCH", 1)
    event, heats = meet(), lots(RACES)
    one = np.concatenate(list(simulation.run_meet(event, heats, jobs=1)))
    two = np.concatenate(list(simulation.run_meet(event, heats, jobs=2)))
    assert (one == two).all()
    assert (one[:1] == plain(event, lots(1))).all()
    told = simulation.told(event, one)
    assert [run.place for run in told[0]] == one["place"][0].tolist()
    assert len(told[0][0].lost) == one["lost"][0, 0]
    assert not strangers.exists()
    assert simulation.is_ready()
