"""The pack that a module of tests names as its `NAME`, as it is shipped."""

from __future__ import annotations

import pytest
from packs.shipped import shipped_faces, shipped_pack

from generator.model.face import Face
from generator.model.pack import Pack


@pytest.fixture
def pack(request: pytest.FixtureRequest) -> Pack:
    """The pack, for the most that can play."""
    return shipped_pack(request.module.NAME)


@pytest.fixture
def faces(request: pytest.FixtureRequest) -> tuple[Face, ...]:
    """All faces of the pack."""
    return shipped_faces(request.module.NAME)
