"""The page of limits names constants that are there, with the numbers that they have."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs/limits.md"
ROWS = re.findall(r"^\|.*\| ([\d,]+) \| `([\w.]+)\.(\w+)` \|$", PAGE.read_text("utf-8"), re.M)


@pytest.mark.parametrize(("most", "module", "name"), ROWS, ids=lambda part: part)
def test_a_limit_is_its_constant(most: str, module: str, name: str) -> None:
    assert getattr(import_module(module), name) == int(most.replace(",", ""))


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.endswith("` |")]
    assert len(rows) == len(ROWS) > 30
