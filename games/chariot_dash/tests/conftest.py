"""What all tests of the game share."""

from collections.abc import Iterator

import pytest

from generator.cache import VARIABLE


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what its user's builds have kept, nor leaves anything there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield
