"""Compare the pages of two builds and show where they differ most.

    python benchmarks/compare_pages.py BEFORE AFTER [--pictures FOLDER] [--worst 10]

BEFORE and AFTER are folders made by `gridpress build -o`. PDFium draws each page at 100 dpi. A
pixel differs when a colour channel is off by more than 16 levels, unless a pixel next to it on the
other page explains it: such one-pixel edges come from antialiasing. Pages are listed by the share
of pixels that differ, largest first. The worst are drawn again at 300 dpi, and FOLDER gets a
picture of each: before, after, and what differs in red.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageFilter

COARSE_DPI = 100
FINE_DPI = 300
LEVELS = 16
"""The most that a channel may be off, of 255."""
GAP = 20
"""Pixels between the pictures of a page."""


class Difference(NamedTuple):
    """The share of a page's pixels that differ, the file and the page number from 1."""

    share: float
    name: str
    page: int


def main() -> None:
    """Compare two folders, print the pages that differ and write pictures of the worst."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--pictures", type=Path, help="where to put the worst pages side by side")
    parser.add_argument("--worst", type=int, default=10, help="how many pages to draw at 300 dpi")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = names_in(options.before)
    for lone in sorted(names ^ names_in(options.after)):
        print(f"{lone}: only in {options.before if lone in names else options.after}")
    shared = sorted(names & names_in(options.after))
    with ProcessPoolExecutor(options.jobs) as pool:
        compared = pool.map(partial(compare_files, options.before, options.after), shared)
        found = [difference for of_file in compared for difference in of_file]
        differing = sorted((one for one in found if one.share), key=order)
        worst = differing[: options.worst]
        draw = partial(compare_finely, options.before, options.after, options.pictures)
        fine = dict(zip(worst, pool.map(draw, worst), strict=True))
    for one in differing:
        again = f", {fine[one]:.4%} at {FINE_DPI} dpi" if one in fine else ""
        print(f"{one.share:8.4%}  {one.name} page {one.page}{again}")
    print(f"{len(found)} pages compared at {COARSE_DPI} dpi, {len(differing)} differ")


def names_in(folder: Path) -> set[str]:
    """Return the paths of all PDFs in a folder, relative to it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.pdf")}


def order(difference: Difference) -> tuple[float, str, int]:
    """Return a key that sorts large differences first."""
    return -difference.share, difference.name, difference.page


def compare_files(before: Path, after: Path, name: str) -> list[Difference]:
    """Compare a file of two folders page by page; a page in only one of them differs entirely."""
    one, other = pypdfium2.PdfDocument(before / name), pypdfium2.PdfDocument(after / name)
    found = []
    for number in range(max(len(one), len(other))):
        share = 1.0
        if number < min(len(one), len(other)):
            page, changed = (drawn(pdf, number, COARSE_DPI) for pdf in (one, other))
            share = share_of(differing_pixels(page, changed))
        found.append(Difference(share, name, number + 1))
    return found


def compare_finely(before: Path, after: Path, pictures: Path | None, one: Difference) -> float:
    """Return the share of pixels of a page that differ at 300 dpi; write a picture of the page if
    `pictures` is a folder."""
    files = [pypdfium2.PdfDocument(folder / one.name) for folder in (before, after)]
    if any(one.page > len(pdf) for pdf in files):
        return 1.0
    sides = [drawn(pdf, one.page - 1, FINE_DPI) for pdf in files]
    mask = differing_pixels(sides[0], sides[1])
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        target = f"{one.name.removesuffix('.pdf').replace('/', '-')}-{one.page}.png"
        side_by_side(sides, mask).save(pictures / target)
    return share_of(mask)


def drawn(pdf: pypdfium2.PdfDocument, number: int, dpi: int) -> Image.Image:
    """Draw a page, counted from 0."""
    return pdf[number].render(scale=dpi / 72).to_pil().convert("RGB")


def differing_pixels(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return a mask, white where pages differ; all white for pages of different sizes.

    A pixel counts only if no blend of the pixels around it on the other page could be it, looked
    at from both sides.
    """
    if one.size != other.size:
        return Image.new("L", one.size, 255)
    mask = Image.new("L", one.size)
    if one.tobytes() == other.tobytes():
        return mask
    for pixels, around in ((one, other), (other, one)):
        highest, lowest = around.filter(MOST), around.filter(LEAST)
        above, below = (ImageChops.subtract(*two) for two in ((pixels, highest), (lowest, pixels)))
        for channel in ImageChops.lighter(above, below).split():
            mask = ImageChops.lighter(mask, channel)
    return mask.point(lambda level: 255 * (level > LEVELS))


MOST = ImageFilter.MaxFilter(3)
LEAST = ImageFilter.MinFilter(3)


def share_of(mask: Image.Image) -> float:
    """Return the share of a mask that is white."""
    return mask.histogram()[255] / (mask.width * mask.height)


def side_by_side(sides: Sequence[Image.Image], mask: Image.Image) -> Image.Image:
    """Return both pages and, in red on a pale page, what differs, around all differences."""
    width, height = mask.size
    left, top, right, bottom = mask.getbbox() or (0, 0, width, height)
    box = (
        *(max(left - GAP, 0), max(top - GAP, 0)),
        *(min(right + GAP, width), min(bottom + GAP, height)),
    )
    pale = Image.blend(sides[0], Image.new("RGB", mask.size, "white"), 0.7)
    pale.paste("red", mask=mask.filter(MOST))
    parts = [picture.crop(box) for picture in (*sides, pale)]
    width, height = parts[0].size
    sheet = Image.new("RGB", (3 * width + 2 * GAP, height), "magenta")
    for number, part in enumerate(parts):
        sheet.paste(part, (number * (width + GAP), 0))
    return sheet


if __name__ == "__main__":
    main()
