"""Pages as pixels and pictures in four inks in, findings about too much ink on the paper out."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul
from typing import Any, Final

from pikepdf import Array, Name, Object, PdfImage, Stream
from PIL import Image, ImageChops

from generator.diagnostics import Severity
from generator.geometry import Rect
from generator.preflight.finding import Finding
from generator.preflight.manifest_reader import ExpectedPage
from generator.preflight.subject import Subject
from generator.sums import summed

MOST_OF_A_PAGE: Final = 0.6
"""Of a page printed at home. Cartridges are rated for pages with 5 % of black (ISO/IEC 19752) or
of each of four inks (ISO/IEC 24711): such a page takes as much as a dozen of those, dries slowly
and cockles thin paper."""
MOST_INK: Final = 3.0
"""Four inks, each 0 to 1, in one place: the limit of ISO 12647-2 for sheets of coated paper lies at
300 to 330 % (FOGRA39), for uncoated at 300 % (FOGRA47)."""
_SPECK: Final = 0.005
"""Part of a picture that may carry more: a few dots dry all the same."""
_GLANCE: Final = 4
"""Pixels of a face or page, across and down, that are taken as one: their mean is the same."""
_LEVELS: Final = (*range(256),) * 3
_SMALL: Final = 100
"""Pixels, of the shorter side, of a picture that is taken as it is."""
_LARGE: Final = 800
"""Pixels, of the longer side, that tell as much as all of them."""


def ink(picture: Image.Image) -> float:
    """How much of its area would be covered if all its ink were solid, 0 to 1.

    A pixel takes 1 - R of cyan, 1 - G of magenta and 1 - B of yellow, and a full layer of all
    three counts as one of black.
    """
    small = picture.reduce(_GLANCE) if min(picture.size) > _SMALL else picture
    counts = (small if small.mode == "RGB" else small.convert("RGB")).histogram()
    inked: int = summed(map(mul, counts, _LEVELS))
    return 1 - inked / (255 * 3 * small.width * small.height)


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What should be on a page, and how much of it solid ink would cover, 0 to 1."""

    expected: ExpectedPage
    ink: float


def page_ink(page: SeenPage) -> Iterator[Finding]:
    """GP842: a page that is printed at home is not soaked in ink. Pages that one face covers are
    for a press."""
    paper = Rect(0, 0, page.expected.width, page.expected.height)
    if any(placed.art.contains(paper, 1.0) for placed in page.expected.placements):
        return
    share = page.ink
    if share > MOST_OF_A_PAGE:
        yield Finding(
            "GP842",
            f"ink would cover {100 * share:.0f} % of the page, as on"
            f" {share / 0.05:.0f} pages of text",
            "print it with --ink low, or on a press",
            Severity.WARNING,
            page=page.expected.number,
        )


def total_ink(subject: Subject) -> Iterator[Finding]:
    """GP842: pictures in cyan, magenta, yellow and black never put more on the paper than dries."""
    seen: set[tuple[int, int]] = set()
    for number, page in enumerate(subject.pdf.pages, start=1):
        for picture in _pictures(page.resources, seen):
            share, most = _soaked(picture)
            if share > _SPECK:
                yield Finding(
                    "GP842",
                    f"a picture has up to {100 * most:.0f} % of ink, and more than"
                    f" {100 * MOST_INK:.0f} % on {100 * share:.0f} % of it",
                    "convert it with the profile of the printer's paper",
                    Severity.WARNING,
                    page=number,
                )


def _pictures(resources: Object, seen: set[tuple[int, int]]) -> Iterator[Stream]:
    """Pictures in four inks in a resource dictionary and the forms in it, each once."""
    for drawn in dict(resources.get("/XObject", {})).values():
        if not isinstance(drawn, Stream) or drawn.objgen in seen:
            continue
        seen.add(drawn.objgen)
        if drawn.get("/Subtype") == Name.Image:
            if _has_four_inks(drawn.get("/ColorSpace")):
                yield drawn
        elif "/Resources" in drawn:
            yield from _pictures(drawn.Resources, seen)


def _has_four_inks(space: Any) -> bool:
    if isinstance(space, Array) and len(space) == 2 and space[0] == Name.ICCBased:
        return bool(space[1].get("/N") == 4)
    return bool(space == Name.DeviceCMYK)


def _soaked(picture: Stream) -> tuple[float, float]:
    """Which part of a picture has too much ink, and the most ink it has anywhere."""
    inks = _inks(picture)
    if inks is None:
        return 0.0, 0.0
    c, m, y, k = inks.split()
    # Each sum is halved so that it stays within a byte: 255 is 400 %.
    total = ImageChops.add(ImageChops.add(c, m, 2), ImageChops.add(y, k, 2), 2)
    counts = total.histogram()
    first = int(MOST_INK / 4 * 255) + 1
    most = max(level for level, count in enumerate(counts) if count)
    return summed(counts[first:]) / summed(counts), most / 255 * 4


def _inks(picture: Stream) -> Image.Image | None:
    """The picture with 255 for a full layer of an ink; None where Pillow cannot read it."""
    is_jpeg = picture.get("/Filter") == Name.DCTDecode
    try:
        image = _small_jpeg(picture) if is_jpeg else PdfImage(picture).as_pil_image()
        image.load()
    except (OSError, ValueError, NotImplementedError, Image.DecompressionBombError):
        return None
    if image.mode != "CMYK":
        return None
    if max(image.size) > _LARGE:
        image = image.reduce(max(image.size) // _LARGE)
    if is_jpeg and [float(value) for value in picture.get("/Decode", [])][:1] != [1.0]:
        # Pillow turns the inks of every JPEG around, as Photoshop stores them and /Decode tells.
        return ImageChops.invert(image)
    return image


def _small_jpeg(picture: Stream) -> Image.Image:
    image = Image.open(io.BytesIO(picture.read_raw_bytes()))
    image.draft(image.mode, (_LARGE, _LARGE))
    return image
