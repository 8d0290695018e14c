"""docs/text.md is true."""

import re

from text.printed import FONTS
from text.test_markup import shown

from generator.text import Align
from generator.validate.definition_files import STYLE

PAGE = FONTS.parent / "docs" / "text.md"


def test_the_table_of_markup() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("| it prints |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", section, re.MULTILINE)
    assert len(rows) > 5
    for written, printed in rows:
        assert shown(written) == [printed]


def test_every_alignment_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [align for align in Align if f"`{align}`" not in text] == []


def test_every_key_of_a_style_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [key for key in STYLE if f"\n| `{key}` |" not in text] == []
