"""The pack that a test module names as its `NAME`, and its faces."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from packs.shipped import shipped_faces, shipped_pack

from generator.model.face import Face
from generator.model.pack import Pack


@pytest.fixture(autouse=True, scope="module")
def _faces_are_dropped() -> Iterator[None]:
    """Free the faces of a pack after its tests: later tests fork this process."""
    yield
    shipped_faces.cache_clear()


@pytest.fixture
def pack(request: pytest.FixtureRequest) -> Pack:
    """The shipped pack for the largest number of players."""
    return shipped_pack(request.module.NAME)


@pytest.fixture
def faces(request: pytest.FixtureRequest) -> tuple[Face, ...]:
    return shipped_faces(request.module.NAME)
