from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pikepdf import Pdf
from PIL import Image, ImageDraw

from generator.preflight.second_eye import (
    Program,
    _difference,
    second_program,
    seen_otherwise,
)

PAGE = (400, 300)


def drawn(*lines: tuple[float, float, float, float], width: int = 2, grey: int = 0) -> Image.Image:
    """A page with some lines."""
    page = Image.new("RGB", PAGE, "white")
    for line in lines:
        ImageDraw.Draw(page).line(line, fill=(grey, grey, grey), width=width)
    return page


LINE = (50, 60, 350, 60)


@pytest.mark.parametrize(
    "other",
    [
        drawn(LINE, width=3),
        drawn((50, 61, 350, 61)),
        drawn(LINE, grey=60),
        drawn(LINE, (9, 9, 14, 9)),
    ],
    ids=["a wider line", "a pixel beside it", "a paler one", "a speck"],
)
def test_what_programs_draw_a_little_otherwise_is_no_difference(other: Image.Image) -> None:
    assert _difference(drawn(LINE), other) is None


def test_a_line_that_another_program_loses_is_told_with_its_place() -> None:
    place = _difference(drawn(LINE, (50, 200, 350, 200)), drawn(LINE))
    assert place is not None
    assert (place.x, place.y) == pytest.approx((50 * 0.254, 199 * 0.254), abs=0.3)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize(
    "script", ["#!/bin/sh\nexec sleep 9\n", "#!/nowhere/sh\n", "#!/bin/sh\nkill -9 $$\n"]
)
def test_a_program_that_hangs_or_cannot_be_run_is_told(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, pdf = tmp_path / "pdftoppm", tmp_path / "blank.pdf"
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    with Pdf.new() as made:
        made.add_blank_page()
        made.save(pdf)
    monkeypatch.setattr("generator.preflight.second_eye._PATIENCE", 0.02)
    [found] = seen_otherwise(pdf, Program("pdftoppm", str(program), (), "page"))
    assert found.code == "GP874"
    assert found.message.startswith("pdftoppm ")


def test_no_program_of_the_current_folder_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "pdftoppm"
    trap.write_text("#!/bin/sh\n", "utf-8")
    trap.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for path in (".", f"{os.pathsep}.", f"..{os.sep}{tmp_path.name}"):
        monkeypatch.setenv("PATH", path)
        assert second_program() is None
    monkeypatch.setenv("PATH", f".{os.pathsep}{tmp_path}")
    found = second_program()
    assert found is not None
    assert found.path == str(trap)
    # as Windows does, whatever it is told
    monkeypatch.setattr("shutil.which", lambda name, path: os.path.join(".", name))
    assert second_program() is None
