"""What all tests share: properties are never judged by the clock; `--update` renews what is
kept to compare with.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from generator.cache import VARIABLE

settings.register_profile("gridpress", deadline=None)
settings.load_profile("gridpress")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update` writes the files that tests compare with, to be looked at in the diff."""
    parser.addoption("--update", action="store_true", help="renew the files compared with")


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what its user's builds have kept, nor leaves anything there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield
