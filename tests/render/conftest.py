from pathlib import Path

import pytest
from render.studio import FONTS, Studio

from generator.fonts import FontLibrary


@pytest.fixture(scope="session")
def fonts() -> FontLibrary:
    return FontLibrary([FONTS])


@pytest.fixture
def studio(tmp_path: Path, fonts: FontLibrary, monkeypatch: pytest.MonkeyPatch) -> Studio:
    """A project in the current folder, so that places are shown from there."""
    monkeypatch.chdir(tmp_path)
    return Studio(tmp_path, fonts)
