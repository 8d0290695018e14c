"""What all tests of the game share."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arenas import empty_oval
from chariots import components
from gridpress_chariot_dash.race import simulation
from gridpress_chariot_dash.race.simulation import Event, time_trials
from scenes import known

from generator.cache import VARIABLE, user_cache
from generator.writing import locked


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One process at a time."""
    file.mkdir(exist_ok=True)
    with locked(file, lambda: None):
        yield


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all processes that run these tests: one of them compiles the engine for all, and
    for later runs, as long as the engine's modules are the same. Nothing else is kept."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    kept = getattr(request.config, "cache", None)
    racing = Path(kept.mkdir("racing")) if kept else base / "racing"
    racing.mkdir(exist_ok=True)
    with _alone(base / "racing-lock"), pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(racing))
        if not (base / "racing-begun").exists():
            (user_cache().folder / "kept.sqlite").unlink(missing_ok=True)
            (base / "racing-begun").touch()
    return racing


@pytest.fixture(autouse=True, scope="module")
def _cache_of_its_own(shared: Path) -> Iterator[None]:
    """No test reads what its user's builds have kept, nor leaves anything there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(shared))
        yield


@pytest.fixture(scope="module")
def ready(_cache_of_its_own: None, shared: Path) -> None:
    """The racing engine, compiled: whoever comes first does it, and the others wait."""
    with _alone(shared / "compiling"):
        if not simulation.is_ready():
            one = next(v for v in components("vehicles.yaml") if v["id"] == "basic")
            time_trials([one], Event(empty_oval(), known()), trials=1)
