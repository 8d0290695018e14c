"""Compares what another program draws of a finished PDF with what PDFium does.

What a printer's own software draws is neither. But where two programs differ there is something in
the page that is not safe to print. Programs draw thin lines each in its own way, as whole pixels
that are wider than the line: so a page that comes out otherwise is drawn again by both, finer."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import pikepdf
import pypdfium2
from PIL import Image, ImageChops, ImageFilter

from generator.diagnostics import Severity
from generator.geometry import MM_PER_INCH, Rect, pt_to_mm, summed
from generator.preflight.checking import Finding
from generator.preflight.inks import CMYK
from generator.preflight.paints import paints_in
from generator.preflight.raster import (
    MOST_PIXELS,
    darkest_near,
    lightest_near,
    opened_pdf,
    patches,
    rendered,
)
from generator.preflight.scan_workers import answer, bound_time

_DPI: Final = 100
"""Of the pixels that are compared."""
_FINER, _FINEST = 2, 6
"""Drawn pixels across that become one, at first and where a page comes out otherwise."""
_NEAR: Final = 3
"""Pixels across of what two programs may draw a pixel beside: edges, and thin lines."""
_APART: Final = 40
"""Levels of 255 of pixels with those beside them. Edges and thin lines of the shipped packs differ
by up to 41, finely drawn."""
_INKS_APART: Final = 128
"""The same in a file of inks: not all programs make the same colours of them."""
_SPECK: Final = 30
"""Pixels, 2 mm², that nobody minds in one place."""
_PLACE: Final = 4
"""Pixels across that become one, to tell one place from another."""
_RIM: Final = 3
"""Pixels at the edge of a page, which programs round each in its own way."""
_SIZE: Final = 1.0
"""mm by which a page may be larger."""
_MOST_PAGES: Final = 500
_SECONDS: Final = 20
_SECONDS_A_PAGE: Final = 5
_PATIENCE: Final = 4
"""Times as long by the clock: others may be at work here."""


class Program(NamedTuple):
    """A program that draws PDFs: its name, and what is run to have it draw the pages from `{first}`
    to `{last}` of `{pdf}` at `{dpi}`, as page-….png in the current folder."""

    name: str
    command: Sequence[str]


_SMOOTH: Final = "-dTextAlphaBits=4 -dGraphicsAlphaBits=4"
_PROGRAMS: Final = (
    "pdftoppm -r {dpi} -png -cropbox -f {first} -l {last} {pdf} page",
    "mutool draw -q -r {dpi} -o page-%d.png {pdf} {first}-{last}",
    *(
        f"{name} -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=png16m -dUseCropBox {_SMOOTH} -r{{dpi}}"
        " -dFirstPage={first} -dLastPage={last} -sOutputFile=page-%d.png {pdf}"
        for name in ("gs", "gswin64c")
    ),
)
"""Of poppler, of MuPDF and of Ghostscript."""
_BY_MODULE: Final = """
import sys, pymupdf
path, dpi, first, last = sys.argv[1], *map(int, sys.argv[2:])
with pymupdf.open(path) as pdf:
    for number in range(first, min(last, len(pdf)) + 1):
        pdf[number - 1].get_pixmap(dpi=dpi).save(f"page-{number}.png")
"""
"""The same by MuPDF's module for Python, which the user may have."""


def second_programs() -> tuple[Program, ...]:
    """Those of the programs that are installed here; none that lies in the current folder, which
    may be a stranger's and which Windows looks into first."""
    named = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folders = os.pathsep.join(filter(os.path.isabs, named))
    found = []
    for line in _PROGRAMS:
        name, *options = line.split()
        path = shutil.which(name, path=folders)
        if path is not None and os.path.isabs(path):
            found.append(Program(name, (path, *options)))
    if not found and find_spec("pymupdf") is not None:
        told = ("{pdf}", "{dpi}", "{first}", "{last}")
        found.append(Program("pymupdf", (sys.executable, "-I", "-c", _BY_MODULE, *told)))
    return tuple(found)


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
    with opened_pdf(pdf) as document:
        pages = min(len(document), _MOST_PAGES)
        bound_time(_SECONDS + _SECONDS_A_PAGE * pages)
        apart = _apart(pdf)
        try:
            return tuple(_told(program, document, pdf, pages, apart))
        except (subprocess.TimeoutExpired, OSError):
            return None


def _apart(pdf: Path) -> int:
    """Levels by which the same colour may come out otherwise."""
    with pikepdf.open(pdf) as file:
        kinds = {kind for page in paints_in(file) for kind in page.kinds}
    return _INKS_APART if any(kind == CMYK or kind.startswith("‘") for kind in kinds) else _APART


def _told(
    program: Program, document: pypdfium2.PdfDocument, pdf: Path, pages: int, apart: int
) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory(prefix="gridpress-") as folder:
        drawn = _drawn(program, pdf, Path(folder), _FINER, 1, pages)
        for number in range(1, pages + 1):
            if number not in drawn:
                yield _fault(f"{program.name} does not draw the page", number, None)
                continue
            sheet = document[number - 1]
            theirs = _small(drawn[number], _FINER)
            wide, high = (pt_to_mm(side) for side in sheet.get_size())
            mm = MM_PER_INCH / _DPI
            if max(abs(theirs.width * mm - wide), abs(theirs.height * mm - high)) > _SIZE:
                size = f"{theirs.width * mm:.0f} × {theirs.height * mm:.0f} mm large"
                yield _fault(f"{program.name} draws the page {size}", number, None)
                continue
            if not differences(_ours(sheet, _FINER), theirs, apart):
                continue
            finest = min(_FINEST, math.isqrt(int(MOST_PIXELS / (theirs.width * theirs.height))))
            if finest > _FINER:
                with tempfile.TemporaryDirectory(dir=folder) as within:
                    again = _drawn(program, pdf, Path(within), finest, number, number)
                    theirs = _small(next(iter(again.values()), drawn[number]), finest)
            places = differences(_ours(sheet, max(finest, _FINER)), theirs, apart)
            if places:
                several = f", in {len(places)} places" if len(places) > 1 else ""
                message = f"{program.name} draws a part of the page otherwise than PDFium{several}"
                yield _fault(message, number, places[0])


def _drawn(
    program: Program, pdf: Path, folder: Path, finer: int, first: int, last: int
) -> dict[int, Path]:
    """The pictures that a program makes of some pages, by their numbers in its own counting."""
    told = {"{dpi}": finer * _DPI, "{first}": first, "{last}": last, "{pdf}": pdf}
    subprocess.run(  # noqa: S603, a program of the user's own
        [_filled(word, told) for word in program.command],
        cwd=folder,
        env={"PATH": os.environ.get("PATH", "")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_PATIENCE * (_SECONDS + _SECONDS_A_PAGE * (last - first + 1)),
        check=False,
    )
    return {_number(path): path for path in folder.glob("page-*.png")}


def _filled(word: str, told: Mapping[str, object]) -> str:
    return reduce(lambda text, name: text.replace(name, str(told[name])), told, word)


def _number(path: Path) -> int:
    digits = path.stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0


def _ours(sheet: pypdfium2.PdfPage, finer: int) -> Image.Image:
    width, height = (pt_to_mm(side) for side in sheet.get_size())
    return rendered(sheet, width, height, finer * _DPI).image.reduce(finer)


def _small(path: Path, finer: int) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGB").reduce(finer)


def differences(one: Image.Image, other: Image.Image, apart: int = _APART) -> list[Rect]:
    """The boxes around what differs by more than edges, mm, the largest first."""
    width, height = min(one.width, other.width), min(one.height, other.height)
    inner = (_RIM, _RIM, max(width - _RIM, _RIM + 1), max(height - _RIM, _RIM + 1))
    # a line on one pixel and the same on the halves of two is as dark with what is beside it
    one, other = (each.crop(inner).filter(ImageFilter.BoxBlur(1)) for each in (one, other))
    odd = ImageChops.lighter(_beyond(one, other), _beyond(other, one))
    odd = odd.point([255 * (level > apart) for level in range(256)])
    found = []
    for part in patches(lightest_near(odd.reduce(_PLACE).point(_IS_ANY), _NEAR)):
        size = (part.width * _PLACE, part.height * _PLACE)
        whole = part.resize(size, Image.Resampling.NEAREST).crop((0, 0, *odd.size))
        here = ImageChops.darker(odd, whole)
        pixels = summed(here.histogram()[255:])
        if pixels >= _SPECK:
            left, top, right, bottom = (_RIM + edge for edge in here.getbbox() or (0, 0, 0, 0))
            mm = MM_PER_INCH / _DPI
            box = Rect(left * mm, top * mm, (right - left) * mm, (bottom - top) * mm)
            found.append((pixels, box))
    return [box for _, box in sorted(found, key=lambda each: -each[0])]


_IS_ANY: Final = [255 * (level > 0) for level in range(256)]


def _beyond(one: Image.Image, other: Image.Image) -> Image.Image:
    """By how much a pixel is darker or lighter than all that the other has beside it, in the
    channel in which that is most."""
    lightest, darkest = lightest_near(other, _NEAR), darkest_near(other, _NEAR)
    off = ImageChops.lighter(ImageChops.subtract(one, lightest), ImageChops.subtract(darkest, one))
    return reduce(ImageChops.lighter, off.split())


def _fault(message: str, page: int, place: Rect | None) -> Finding:
    hint = "look at it in both: what is drawn there may come out of a printer either way"
    return Finding("GP874", message, hint, Severity.WARNING, page=page, place=place)
