import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from studio import studio_life
from studio.looked import Looked

BASE = Path(__file__).parent.parent / "fixtures/faults/base"


@pytest.fixture(scope="session", autouse=True)
def _one_nursery() -> Iterator[None]:
    """Stop the process that the first studio of a test started for all of them."""
    with closing(studio_life.nursery):
        yield


@pytest.fixture
def mini(tmp_path: Path) -> Iterator[Looked]:
    """A project with one small pack."""
    shutil.copytree(BASE, tmp_path / "project")
    looked = Looked(tmp_path / "project", "mini")
    yield looked
    looked.session.close()
