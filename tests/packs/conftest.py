"""The pack that a test module names as its `NAME`, and its faces."""

from __future__ import annotations

import pytest
from packs.shipped import shipped_faces, shipped_pack

from generator.model.face import Face
from generator.model.pack import Pack


@pytest.fixture
def pack(request: pytest.FixtureRequest) -> Pack:
    """The shipped pack for the largest number of players."""
    return shipped_pack(request.module.NAME)


@pytest.fixture
def faces(request: pytest.FixtureRequest) -> tuple[Face, ...]:
    return shipped_faces(request.module.NAME)
