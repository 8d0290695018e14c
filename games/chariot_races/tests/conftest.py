"""Fixtures for all tests of races."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from arenas import empty_oval
from chariots import components
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.simulation import Event
from scenes import known

from generator.cache import VARIABLE, user_cache
from generator.writing import locked


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    file.mkdir(exist_ok=True)
    with locked(file, lambda: None):
        yield


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all processes; only the compiled engine stays for later runs."""
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
    """Keep tests away from the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(shared))
        yield


@pytest.fixture(scope="module")
def ready(_cache_of_its_own: None, shared: Path) -> None:
    """Compile the engine once, and load it into each process so that its workers need not."""
    with _alone(shared / "compiling"):
        _load()


@cache
def _load() -> None:
    meet = Event(empty_oval(), known()).meet([components("vehicles.yaml")[0]], 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parent)
        patch.setenv("NUMBA_CACHE_DIR", "")
        simulation.Racer([meet], simulation.engine_folder())((0, simulation.Heats.of([[0]], [0])))
