import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from studio.looked import Looked

BASE = Path(__file__).parent.parent / "fixtures/faults/base"


@pytest.fixture
def mini(tmp_path: Path) -> Iterator[Looked]:
    """A project with one small pack."""
    shutil.copytree(BASE, tmp_path / "project")
    looked = Looked(tmp_path / "project", "mini")
    yield looked
    looked.session.close()
