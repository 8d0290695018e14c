"""The pack that a module of tests names as its `NAME`, as it is shipped."""

from __future__ import annotations

import pytest
from packs.shipped import most_faces, shipped_faces, shipped_pack

from generator.model.face import Face
from generator.model.pack import Pack


@pytest.fixture
def pack(request: pytest.FixtureRequest) -> Pack:
    """The pack, for the most that can play."""
    return shipped_pack(request.module.NAME)


@pytest.fixture
def faces(request: pytest.FixtureRequest) -> tuple[Face, ...]:
    """The faces of the pack: with `--thorough` all, else most."""
    whole = request.config.getoption("--thorough")
    return (shipped_faces if whole else most_faces)(request.module.NAME)
