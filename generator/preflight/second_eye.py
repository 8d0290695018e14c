"""A finished PDF in; where another program draws its pages otherwise than PDFium does, out.

What a printer's own software draws is neither. But where two programs differ there is something in
the page that is not safe to print."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageFilter

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.checking import Finding
from generator.preflight.raster import opened, rendered
from generator.preflight.scan_workers import answer, bound_time
from generator.units import MM_PER_INCH, pt_to_mm, summed

_DPI: Final = 200
_FINER: Final = 2
"""Pixels across that become one, so that thin lines tell how wide they are: some programs draw them
on whole pixels."""
_NEAR: Final = 3
"""Pixels across of what two programs may draw a pixel beside: edges, and thin lines."""
_APART: Final = 96
"""Levels of 255: the greys of edges and what is seen through differ by less."""
_SPECK: Final = 30
"""Pixels, 2 mm², that nobody minds."""
_MOST_PAGES: Final = 500
_SECONDS: Final = 20
_SECONDS_A_PAGE: Final = 5
_PATIENCE: Final = 4
"""Times as long by the clock: others may be at work here."""


class Program(NamedTuple):
    """A program that draws PDFs: its name, where it is, and what it is told before and
    after the file."""

    name: str
    path: str
    options: Sequence[str]
    page: str


_PROGRAMS: Final = (
    ("pdftoppm", ("-r", str(_DPI), "-png", "-cropbox", "-l", str(_MOST_PAGES)), "page"),
    ("mutool", ("draw", "-q", "-r", str(_DPI), "-o", "page-%d.png"), ""),
)
"""Of poppler and of MuPDF."""


def second_program() -> Program | None:
    """The first of the programs that is installed here; none that lies in the current folder, which
    may be a stranger's and which Windows looks into first."""
    named = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folders = os.pathsep.join(filter(os.path.isabs, named))
    for name, options, page in _PROGRAMS:
        path = shutil.which(name, path=folders)
        if path is not None and os.path.isabs(path):
            return Program(name, path, options, page)
    return None


def seen_otherwise(pdf: Path, program: Program) -> tuple[Finding, ...]:
    """GP874: the pages that the program draws otherwise than PDFium, and where; or that it does not
    draw. It runs in a process that may take only so long, as the file may be a stranger's."""
    found = answer(_compared, (pdf.absolute(), program))
    if found is None:
        return (_fault(f"{program.name} breaks down on the file, or takes too long", 0, None),)
    return found


def _compared(task: tuple[Path, Program]) -> tuple[Finding, ...] | None:
    """The pages that look otherwise; None where the program cannot be run to its end."""
    pdf, program = task
    with opened(pdf) as document, tempfile.TemporaryDirectory(prefix="gridpress-") as folder:
        pages = min(len(document), _MOST_PAGES)
        seconds = _SECONDS + _SECONDS_A_PAGE * pages
        bound_time(seconds)
        command = [program.path, *program.options, str(pdf)]
        try:
            subprocess.run(  # noqa: S603, a program of the user's own
                [*command, program.page] if program.page else command,
                cwd=folder,
                env={"PATH": os.environ.get("PATH", "")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds * _PATIENCE,
                check=False,
            )
        except (subprocess.TimeoutExpired, OSError):
            return None
        drawn = {_number(path): path for path in Path(folder).glob("page-*.png")}
        found = []
        for number in range(1, pages + 1):
            if number not in drawn:
                found.append(_fault(f"{program.name} does not draw the page", number, None))
                continue
            sheet = document[number - 1]
            width, height = (pt_to_mm(side) for side in sheet.get_size())
            ours = rendered(sheet, width, height, _DPI).image.reduce(_FINER)
            with Image.open(drawn[number]) as picture:
                place = _difference(ours, picture.convert("RGB").reduce(_FINER))
            if place is not None:
                message = f"{program.name} draws a part of the page otherwise than PDFium"
                found.append(_fault(message, number, place))
        return tuple(found)


def _number(path: Path) -> int:
    digits = path.stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0


def _difference(one: Image.Image, other: Image.Image) -> Rect | None:
    """The box around what differs by more than edges, mm; None where nothing does."""
    width, height = min(one.width, other.width), min(one.height, other.height)
    one, other = (each.crop((0, 0, width, height)) for each in (one, other))
    odd = ImageChops.lighter(_beyond(one, other), _beyond(other, one))
    if summed(odd.histogram()[255:]) < _SPECK:
        return None
    left, top, right, bottom = odd.getbbox() or (0, 0, 0, 0)
    mm = MM_PER_INCH * _FINER / _DPI
    return Rect(left * mm, top * mm, (right - left) * mm, (bottom - top) * mm)


def _beyond(one: Image.Image, other: Image.Image) -> Image.Image:
    """255 where a pixel is darker or lighter than all that the other has beside it."""
    lightest, darkest = (
        other.filter(each(_NEAR)) for each in (ImageFilter.MaxFilter, ImageFilter.MinFilter)
    )
    off = ImageChops.lighter(ImageChops.subtract(one, lightest), ImageChops.subtract(darkest, one))
    return reduce(ImageChops.lighter, off.split()).point(_IS_ODD)


_IS_ODD: Final = [255 * (level > _APART) for level in range(256)]


def _fault(message: str, page: int, place: Rect | None) -> Finding:
    hint = "look at it in both: what is drawn there may come out of a printer either way"
    return Finding("GP874", message, hint, Severity.WARNING, page=page, place=place)
