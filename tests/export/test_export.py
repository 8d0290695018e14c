"""The package offers its names, and a worker reaches the engine without the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from generator import export


@pytest.mark.parametrize("name", export.__all__)
def test_all_that_is_offered_is_there(name: str) -> None:
    assert getattr(export, name) is not None


def test_what_is_not_offered_is_not() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = export.nonsense


def test_a_worker_reaches_the_engine_without_the_rest() -> None:
    code = (
        "import sys, generator.export.svg_to_pdf\n"
        "print([name for name in ('reportlab', 'icu4py') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "[]"
