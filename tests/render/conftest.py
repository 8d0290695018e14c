from pathlib import Path

import pytest
from render.studio import Studio

from generator.fonts import FontLibrary, own_fonts


@pytest.fixture(scope="session")
def fonts() -> FontLibrary:
    return own_fonts()


@pytest.fixture
def studio(tmp_path: Path, fonts: FontLibrary, monkeypatch: pytest.MonkeyPatch) -> Studio:
    """A project in the current folder, so that places are shown from there."""
    monkeypatch.chdir(tmp_path)
    return Studio(tmp_path, fonts)
