"""What all tests share: properties are never judged by the clock; `--update` renews what is
kept to compare with.
"""

import pytest
from hypothesis import settings

settings.register_profile("gridpress", deadline=None)
settings.load_profile("gridpress")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update` writes the files that tests compare with, to be looked at in the diff."""
    parser.addoption("--update", action="store_true", help="renew the files compared with")
