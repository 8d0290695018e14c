from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from pikepdf import Dictionary, Name, Pdf
from PIL import Image, ImageChops, ImageDraw

from generator.preflight.second_renderer import (
    Program,
    differences,
    second_programs,
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
BELOW = (50, 61, 350, 61)
SPLIT = ImageChops.darker(drawn(LINE, width=1, grey=128), drawn(BELOW, width=1, grey=128))
WIDER = ImageChops.darker(drawn(LINE), drawn(BELOW, width=1, grey=160))


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (drawn(LINE), WIDER),
        (drawn(LINE), drawn(BELOW)),
        (drawn(LINE), drawn(LINE, grey=40)),
        (drawn(LINE), drawn(LINE, (9, 9, 14, 9))),
        (drawn(LINE, width=1), SPLIT),
        (drawn(LINE), drawn(LINE, (399, 0, 399, 300))),
        (drawn(LINE), drawn(LINE, *((x, 200, x + 3, 200) for x in range(20, 380, 30)))),
    ],
    ids=["wider", "a pixel beside it", "paler", "a speck", "on two pixels", "the rim", "specks"],
)
def test_what_programs_draw_a_little_otherwise_is_no_difference(
    one: Image.Image, other: Image.Image
) -> None:
    assert differences(one, other) == differences(other, one) == []


def test_a_line_that_another_program_loses_is_told_with_its_place() -> None:
    lost = (50, 200, 350, 200)
    [place] = differences(drawn(LINE, lost, width=1), drawn(LINE, width=1))
    assert (place.x, place.y) == pytest.approx((50 * 0.254, 199 * 0.254), abs=0.3)
    two = differences(drawn(LINE, lost, (20, 250, 90, 250)), drawn(LINE))
    assert [round(found.width / 0.254) for found in two] == pytest.approx([301, 71], abs=3)


def test_a_colour_that_another_program_makes_otherwise_is_told() -> None:
    one, other = drawn(LINE), drawn(LINE)
    for page, colour in ((one, "#c0a070"), (other, "#c0a0a8")):
        ImageDraw.Draw(page).rectangle((200, 100, 260, 160), fill=colour)
    assert len(differences(one, other)) == 1
    assert differences(one, other, 128) == []


BOTH_AT_ONCE = """.9 .8 .2 rg 0 0 300 300 re f /g gs 0 0 .6 rg 1 0 0 RG 20 w 60 60 180 180 re B"""
ALIKE = """.9 .8 .2 rg 0 0 300 300 re f .2 w 20 20 m 280 91 l S [1 2] 0 d 20 91 m 280 91 l S"""
INKS = """1 0 0 0 k 0 0 150 300 re f 0 1 0 0 k 150 0 150 300 re f 1 0 1 0 k 80 80 99 99 re f"""
UNKNOWN_FONT = """BT /F 60 Tf 30 150 Td (Hamburg) Tj ET"""


@pytest.mark.skipif(not second_programs(), reason="no second program is installed")
@pytest.mark.parametrize(
    ("content", "is_told"), [(ALIKE, False), (INKS, False), (UNKNOWN_FONT, True)]
)
def test_what_is_installed_here_tells_what_it_draws_otherwise(
    content: str, is_told: bool, tmp_path: Path
) -> None:
    """Letters of a font that is not in the file: each program takes one of its own."""
    pdf = page_of(content, tmp_path)
    found = [_finding for each in second_programs() for _finding in seen_otherwise(pdf, each)]
    assert bool(found) == is_told, found
    assert all(f.code == "GP874" and f.page == 1 and f.place is not None for f in found)


@pytest.mark.parametrize("name", ["gs", "pdftoppm"])
def test_what_is_filled_and_stroked_at_once_is_told_of(name: str, tmp_path: Path) -> None:
    for program in second_programs():
        if program.name == name:
            [found] = seen_otherwise(page_of(BOTH_AT_ONCE, tmp_path), program)
            assert f"{name} draws a part of the page otherwise" in found.message
            return
    pytest.skip(f"{name} is not installed")


def page_of(content: str, folder: Path) -> Path:
    path = folder / "page.pdf"
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(300, 300))
        page.obj.Contents = pdf.make_stream(content.encode())
        state = Dictionary(ca=0.5, CA=0.5)
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Nowhere-Bold"))
        page.obj.Resources = Dictionary(ExtGState=Dictionary(g=state), Font=Dictionary(F=font))
        pdf.save(path)
    return path


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
    monkeypatch.setattr("generator.preflight.second_renderer._PATIENCE", 0.02)
    [found] = seen_otherwise(pdf, Program("pdftoppm", (str(program),)))
    assert found.code == "GP874"
    assert found.message.startswith("pdftoppm ")


def test_no_program_of_the_current_folder_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "pdftoppm"
    trap.write_text("#!/bin/sh\n", "utf-8")
    trap.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("generator.preflight.second_renderer.find_spec", lambda name: None)
    for path in (".", f"{os.pathsep}.", f"..{os.sep}{tmp_path.name}"):
        monkeypatch.setenv("PATH", path)
        assert second_programs() == ()
    monkeypatch.setenv("PATH", f".{os.pathsep}{tmp_path}")
    [found] = second_programs()
    assert found.command[0] == str(trap)
    # as Windows does, whatever it is told
    monkeypatch.setattr("shutil.which", lambda name, path: os.path.join(".", name))
    assert second_programs() == ()
    monkeypatch.setattr("generator.preflight.second_renderer.find_spec", lambda name: object())
    [found] = second_programs()
    assert (found.name, found.command[0]) == ("pymupdf", sys.executable)
