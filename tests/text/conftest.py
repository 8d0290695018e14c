from pathlib import Path

import pytest
from text.printed import FONTS, make_font

from generator.fonts import FontLibrary, own_fonts
from generator.text import TextStyle

HEBREW = "אבגדהוזחטי"


@pytest.fixture(scope="session")
def fonts() -> FontLibrary:
    return own_fonts()


@pytest.fixture(scope="session")
def wide_fonts(tmp_path_factory: pytest.TempPathFactory) -> FontLibrary:
    """The shipped fonts and one more, for Hebrew letters, drawn as Latin ones."""
    folder: Path = tmp_path_factory.mktemp("fonts")
    make_font(
        folder / "aleph.ttf", "Aleph", chars=dict(zip(HEBREW + " ", "HEBRWABCDF ", strict=True))
    )
    return FontLibrary([FONTS, folder])


@pytest.fixture(scope="session")
def body() -> TextStyle:
    return TextStyle("body", "Alegreya Sans", size_pt=9, min_pt=7)


@pytest.fixture(scope="session")
def title() -> TextStyle:
    return TextStyle("title", "Cinzel", weight=700, size_pt=15, min_pt=9, leading=1.1)
