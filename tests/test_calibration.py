"""Printed targets as they are scanned, and the shift of the printer measured from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from generator.calibration import (
    RADIUS,
    TELLTALE,
    TELLTALES,
    PrinterReading,
    calibrated_profile,
    mark_centres,
    read_picture,
    reading_by_hand,
)
from generator.diagnostics import GridpressError
from generator.geometry import ORIGIN, Matrix, Point, Size
from generator.model.catalogue import TRUE, PrinterProfile, PrinterStretch
from generator.model.face import Side

A4 = Size(210, 297)
PER_MM = 6


@cache
def printed(
    by: Point = ORIGIN,
    stretch: PrinterStretch = TRUE,
    *,
    side: Side = Side.FRONT,
    known: bool = False,
    paper: Size = A4,
    left_out: int = 0,
) -> Image.Image:
    """The sheet as it comes from a printer, for all who only look at it."""
    sheet = Image.new("L", (round(paper.width * PER_MM * 2), round(paper.height * PER_MM * 2)), 255)
    pen, lands = ImageDraw.Draw(sheet), Matrix(e=by.x, f=by.y).then(stretch.lands(paper))
    first, *others = mark_centres(paper)
    small = [TELLTALES[0], *TELLTALES[1:2] * (side is Side.BACK), *TELLTALES[2:] * known]
    dots = [(mark, RADIUS) for mark in (first, *others[left_out:])]
    dots += [(first.moved(right, 0), TELLTALE) for right in small]
    for mark, radius in dots:
        at = lands.point(mark)
        box = (at.x - radius, at.y - radius, at.x + radius, at.y + radius)
        pen.ellipse([edge * PER_MM * 2 for edge in box], fill=20)
    pen.line([(400, 1000), (1600, 1000)], fill=60, width=9)  # other things are printed, too
    return sheet.reduce(2)


def seen(
    sheet: Image.Image,
    *,
    turned: float = 0.0,
    tilt: float = 0.0,
    ground: int = 50,
    size: tuple[int, int] = (1700, 2200),
) -> Image.Image:
    """A photograph of it, on something dark, in the light of a lamp to the right."""
    (width, height), (wide, high) = sheet.size, size
    scale = 0.78 * min(wide / width, high / height)
    cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    rows, values = [], []
    for x, y in ((0, 0), (width, 0), (width, height), (0, height)):
        nearer = scale * (1 - tilt * (y / height - 0.5))
        u, v = (x - width / 2) * nearer, (y - height / 2) * nearer
        u, v = wide / 2 + u * cos - v * sin, high / 2 + u * sin + v * cos
        rows += [(u, v, 1, 0, 0, 0, -x * u, -x * v), (0, 0, 0, u, v, 1, -y * u, -y * v)]
        values += [x, y]
    plane = list(np.linalg.solve(np.array(rows), np.array(values)))
    ways = Image.Transform.PERSPECTIVE, plane, Image.Resampling.BICUBIC
    paper = Image.new("L", sheet.size, 255).transform(size, *ways)
    table = Image.new("L", size, ground)
    picture = Image.composite(sheet.transform(size, *ways), table, paper)
    pixels = np.asarray(picture, dtype=np.float32)
    pixels = pixels * np.linspace(0.75, 0.95, wide, dtype=np.float32)
    pixels += 4 * np.random.default_rng(3).standard_normal(pixels.shape, dtype=np.float32)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).filter(
        ImageFilter.GaussianBlur(0.7)
    )


def read(
    picture: Image.Image, folder: Path, paper: Size = A4, name: str = "seen.png"
) -> PrinterReading:
    picture.save(folder / name, compress_level=0)  # to pack it well takes as long as to read it
    return read_picture(folder / name, paper, name)


def shown(reading: PrinterReading) -> tuple[float, ...]:
    """Return the reading in mm, and its scales as mm over half a sheet, so that 0.1 is
    negligible."""
    return off(reading.shift, reading.stretch)


def off(by: Point, stretch: PrinterStretch) -> tuple[float, ...]:
    return (by.x, by.y, 150 * stretch.short, 150 * stretch.long, 150 * math.radians(stretch.skew))


@pytest.mark.parametrize(
    ("turned", "tilt", "size"),
    [
        (184, 0.04, (1700, 2200)),
        (-88, 0.03, (2200, 1700)),
        (3, 0, (1300, 1700)),
    ],
)
def test_a_photograph_tells_shift_scale_and_skew_however_it_is_taken(
    tmp_path: Path, turned: float, tilt: float, size: tuple[int, int]
) -> None:
    by, stretch = Point(0.8, -1.3), PrinterStretch(1.004, 0.995, 0.4)
    sheet = printed(by, stretch, side=Side.BACK)
    reading = read(seen(sheet, turned=turned, tilt=tilt, size=size), tmp_path)
    assert reading.side is Side.BACK
    assert not reading.frame
    assert not reading.known
    assert shown(reading) == pytest.approx(off(by, stretch), abs=0.08)


@pytest.mark.parametrize(
    ("paper", "side"),
    [
        (A4, Side.BACK),
        (Size(215.9, 279.4), Side.BACK),
        (Size(297, 420), Side.FRONT),
        (Size(101.6, 152.4), Side.FRONT),
    ],
)
def test_a_scan_that_ends_where_the_paper_does(tmp_path: Path, paper: Size, side: Side) -> None:
    by, stretch = Point(-2, 1.25), PrinterStretch(0.99, 1.01, -0.8)
    reading = read(printed(by, stretch, side=side, paper=paper, known=True), tmp_path, paper)
    assert (reading.side, reading.frame, reading.known) == (side, True, True)
    assert shown(reading) == pytest.approx(off(by, stretch), abs=0.2)


def test_a_picture_in_colour_that_lies_on_its_side_and_has_clear_parts(tmp_path: Path) -> None:
    sheet = printed(Point(1, 0)).convert("RGBA")
    sheet.putalpha(sheet.getchannel("R").point(lambda value: 255 - value))
    clear = read(sheet, tmp_path)
    exif = Image.Exif()
    exif[0x0112] = 6
    printed(Point(1, 0)).rotate(90, expand=True).save(tmp_path / "side.jpg", exif=exif)
    lying = read_picture(tmp_path / "side.jpg", A4, "side.jpg")
    deep = np.asarray(printed(Point(1, 0)), dtype=np.uint16) * 257
    for reading in (clear, lying, read(Image.fromarray(deep), tmp_path)):
        assert shown(reading) == pytest.approx((1, 0, 150, 150, 0), abs=0.08)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (lambda: Image.new("L", (1260, 1782), 255), "its marks are not visible"),
        (lambda: Image.new("L", (1260, 1782), 0), "the edges of the paper are not visible"),
        (lambda: Image.effect_noise((1260, 1782), 90), "the edges of the paper are not visible"),
        (lambda: Image.new("L", (1500, 1500), 255), "the edges of the paper are not visible"),
        (lambda: printed().resize((420, 594)), "it has too few pixels"),
        (lambda: Image.new("L", (30, 1), 255), "it has too few pixels"),
        (
            lambda: Image.new("L", (1200, 1200), 0).rotate(45, fillcolor=255, expand=True),
            "the edges of the paper are not visible",
        ),
        (
            lambda: Image.new("L", (1200, 1200), 255).rotate(45, fillcolor=0, expand=True),
            "the edges of the paper are not visible",
        ),
        (lambda: printed(left_out=4), "4 of its 8 marks are not visible"),
        (lambda: printed(Point(12, 0)), "its marks are not visible"),
    ],
)
def test_what_is_no_target_is_told(
    tmp_path: Path, picture: Callable[[], Image.Image], why: str
) -> None:
    with pytest.raises(GridpressError) as raised:
        read(picture(), tmp_path)
    [told] = raised.value.diagnostics
    assert told.code == "GP611"
    assert why in told.message
    assert told.hint


def test_a_bent_sheet_is_told(tmp_path: Path) -> None:
    flat = np.asarray(printed())
    rows = (np.arange(flat.shape[0])[:, None] + 12 * np.cos(np.arange(flat.shape[1]) / 200)) % len(
        flat
    )
    bent = Image.fromarray(np.take_along_axis(flat, rows.astype(int), axis=0))
    with pytest.raises(GridpressError, match="bent"):
        read(bent, tmp_path)


def test_what_is_left_is_added_to_what_is_known() -> None:
    known = PrinterProfile(
        "p", Point(1, -1), Point(0, 2), 0.4, PrinterStretch(1.01, 1.0, 0.5), PrinterStretch(1, 1, 0)
    )
    rest = [
        PrinterReading(Side.FRONT, Point(0.25, 0.5), PrinterStretch(0.999, 1.002, -0.1)),
        reading_by_hand(Side.BACK, A4, Point(-1, 0), Size(166 * 1.003, 253 * 0.998)),
    ]
    assert calibrated_profile(known, rest, "p") == PrinterProfile(
        *("p", Point(1.25, -0.5), Point(-1, 2), 0.4),
        *(PrinterStretch(1.009, 1.002, 0.4), PrinterStretch(1.003, 0.998)),
    )


def test_several_sheets_tell_the_mean_and_how_far_one_is_from_it() -> None:
    rest = [reading_by_hand(Side.BACK, A4, Point(x, 0.5)) for x in (0.2, 0.6, 0.7)]
    found = calibrated_profile(PrinterProfile(tolerance=3), rest, "")
    assert found == PrinterProfile(back=Point(0.5, 0.5), tolerance=0.3)
