"""Each page of some builds against the same page of others: where, and how much, they differ.

    python benchmarks/compare_pages.py BEFORE AFTER [--pictures FOLDER]

BEFORE and AFTER are folders as `gridpress build -o` makes them. Pages are drawn by PDFium at
150 dpi; a place differs where pixels do by more than a fifth of full contrast on an area that one
pixel of antialiasing cannot make. Told are the pages with the largest connected such areas, largest
first; pictures of both stand side by side.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageFilter

DPI = 150
LEAST = 51
CELL = 4
"""Pixels of the side of a cell; cells that touch are one place."""


class Place(NamedTuple):
    """A connected area that differs, mm² and mm."""

    area: float
    x: float
    y: float
    width: float
    height: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--pictures", type=Path, help="where to put the worst pages side by side")
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--rim", type=float, default=0, help="mm along the edges to leave out")
    options = parser.parse_args()
    told: list[tuple[Place, int, str, int]] = []
    for before in sorted(options.before.rglob("*.pdf")):
        name = before.relative_to(options.before)
        after = options.after / name
        if not after.exists():
            print(f"{name}: not there")
            continue
        for number, one, other in pages(before, after):
            if one is None or other is None:
                print(f"{name}: not as many pages")
                continue
            found = differing(without_rim(one, options.rim), without_rim(other, options.rim))
            if found:
                told.append((found[0], len(found), str(name), number))
                told.sort(reverse=True)
                if (
                    options.pictures
                    and (found[0], len(found), str(name), number) in told[: options.worst]
                ):
                    side_by_side(
                        one,
                        other,
                        found,
                        options.pictures / f"{str(name).replace('/', '-')}-{number}.png",
                    )
    for place, count, name, number in told[: options.worst]:
        print(
            f"{name} page {number}: {place.area:.1f} mm² at {place.x:.0f}, {place.y:.0f} mm "
            f"({place.width:.0f} × {place.height:.0f}), {count} places"
        )
    print(f"{len(told)} pages differ")


def pages(
    before: Path, after: Path
) -> Iterator[tuple[int, Image.Image | None, Image.Image | None]]:
    one, other = pypdfium2.PdfDocument(before), pypdfium2.PdfDocument(after)
    for number in range(max(len(one), len(other))):
        yield number + 1, drawn(one, number), drawn(other, number)


def drawn(pdf: pypdfium2.PdfDocument, number: int) -> Image.Image | None:
    if number >= len(pdf):
        return None
    return pdf[number].render(scale=DPI / 72).to_pil().convert("RGB")


def without_rim(page: Image.Image, rim: float) -> Image.Image:
    """The page, white where the slug and the ruler are."""
    px = round(rim * DPI / 25.4)
    inner = (px, px, page.width - px, page.height - px)
    blank = Image.new("RGB", page.size, "white")
    blank.paste(page.crop(inner), inner)
    return blank


def differing(one: Image.Image, other: Image.Image) -> list[Place]:
    """The places where two pictures differ, the largest first."""
    if one.size != other.size:
        return [Place(1e6, 0, 0, *one.size)]
    channels = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    mask = most.point(lambda value: 255 if value > LEAST else 0).filter(ImageFilter.MinFilter(3))
    if mask.getbbox() is None:
        return []
    small = mask.resize((-(-mask.width // CELL), -(-mask.height // CELL)), Image.Resampling.BOX)
    cells = {
        (index % small.width, index // small.width): value
        for index, value in enumerate(small.tobytes())
        if value
    }
    places = []
    mm = 25.4 / DPI
    while cells:
        (cell, value) = cells.popitem()
        area, waiting, xs, ys = 0.0, [(cell, value)], [], []
        while waiting:
            (x, y), value = waiting.pop()
            area += value / 255 * CELL * CELL * mm * mm
            xs.append(x)
            ys.append(y)
            around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            waiting += [(near, cells.pop(near)) for near in around if near in cells]
        left, top = min(xs) * CELL * mm, min(ys) * CELL * mm
        places.append(
            Place(
                area, left, top, (max(xs) + 1) * CELL * mm - left, (max(ys) + 1) * CELL * mm - top
            )
        )
    return sorted(places, reverse=True)


def side_by_side(one: Image.Image, other: Image.Image, found: list[Place], target: Path) -> None:
    """Both pictures around the largest place, enlarged."""
    place, px = found[0], DPI / 25.4
    right, bottom = place.x + place.width, place.y + place.height
    box = (
        *(round((place.x - 8) * px), round((place.y - 8) * px)),
        *(round((right + 8) * px), round((bottom + 8) * px)),
    )
    parts = [picture.crop(box) for picture in (one, other)]
    sheet = Image.new("RGB", (parts[0].width * 2 + 20, parts[0].height), "magenta")
    sheet.paste(parts[0], (0, 0))
    sheet.paste(parts[1], (parts[0].width + 20, 0))
    target.parent.mkdir(parents=True, exist_ok=True)
    sheet.resize((sheet.width * 2, sheet.height * 2)).save(target)


if __name__ == "__main__":
    main()
