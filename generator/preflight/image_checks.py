"""Checks the pictures of a file, by resolution, colours, proportions and weight, and that no page
takes too much ink.

How many pixels an inch print needs depends on how near one looks: 300 are what print shops ask
for, twice that is more than a screen of dots can show, and under 100 single pixels are seen at
arm's length. A picture that is printed in several sizes is judged by the largest. A soft mask is
fine for a printer at home, which mixes the colours itself; only its pixels are counted.
"""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import mul
from typing import Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Array, Name, Object, PdfImage, Stream
from PIL import Image, ImageChops

from generator.diagnostics import Severity
from generator.geometry import Rect, summed
from generator.pdf_forms import DrawnPicture, PictureReader
from generator.preflight.checking import Finding, Subject
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.page_reader import box_on_page
from generator.preflight.paints import NOT_READ, onto_page, paints_of

LEAST_DPI: Final = 100.0
COARSE_DPI: Final = 200.0
GOOD_DPI: Final = 300.0
MOST_DPI: Final = 600.0
MOST_DPI_LINE_ART: Final = 1200.0
"""Of pictures in pure black and white, whose edges show more."""
STRETCH: Final = 0.01
SLANT: Final = 0.6
"""Degrees: a hundredth of the height that the top is moved by."""
LIGHT: Final = 100_000
"""Bytes of a picture that nobody minds, however many pixels it has."""
_ROUNDING: Final = 0.5
"""dpi."""
_UNIT: Final = Rect(0, 0, 1, 1)
_THIN: Final = 0.01
"""pt; a picture without any width is as wide as this."""
_PLAIN: Final = frozenset(
    ("/DeviceRGB", "/DeviceGray", "/DeviceCMYK", "/CalRGB", "/CalGray", "/ICCBased")
)
_SAVE_AS_RGB: Final = "save the picture as RGB or grey, without a palette"


class Use(Struct, frozen=True):
    """A picture on a face, None on a page itself: printed width and height (in), where on the page
    (mm), how often; by how many degrees its sides are off a right angle."""

    width: float
    height: float
    place: Rect
    page: int
    face: Expected | None
    copies: int
    slant: float = 0.0


class UsedPicture(Struct, frozen=True):
    """A picture of the file and all its uses, at least one."""

    image: Object
    uses: tuple[Use, ...]

    @property
    def pixels(self) -> tuple[int, int]:
        """Across and down."""
        return int(self.image.Width), int(self.image.Height)

    @property
    def largest(self) -> Use:
        """The use in which it has the fewest pixels an inch."""
        return min(self.uses, key=lambda use: dpi(self.pixels, use))

    def finding(
        self,
        code: str,
        message: str,
        hint: str,
        use: Use,
        severity: Severity,
        amiss: Callable[[Use], bool] = lambda use: True,
    ) -> Finding:
        """A finding about the picture as it is used; of a stranger's file also about its uses on
        other pages that are amiss."""
        w, h = self.pixels
        what = f"the picture of {w} × {h} pixels {message}"
        copies = summed(other.copies for other in self.uses)
        told = use.face
        if told is None:
            uses = [use, *(each for each in self.uses if each is not use and amiss(each))]
            several = Counter(each.page for each in uses)
            places: dict[int, Rect] = {}
            for each in uses:
                places.setdefault(each.page, each.place)
            first, *others = (
                Finding(code, what, hint, severity, page, place, copies=several[page])
                for page, place in places.items()
            )
            return replace(first, others=tuple(others))
        return Finding(
            code,
            f"the {told.face} of {told.component!r}: {what}",
            hint,
            severity,
            use.page,
            use.place.cut_to(told.art),
            f"{told.kind}/{told.component}",
            told.source,
            copies,
        )


def resolution(subject: Subject) -> Iterator[Finding]:
    """GP831: a picture, and its soft mask, has pixels enough: a warning under 200 dpi, an error
    under 100."""
    least = (subject.profile.dpi if subject.profile else 0) or LEAST_DPI
    for picture in pictures(subject):
        use = picture.largest
        parts = {"": picture.pixels}
        if "/SMask" in picture.image:
            mask = picture.image.SMask
            parts["in its transparency "] = int(mask.Width), int(mask.Height)
        what, pixels = min(parts.items(), key=lambda part: dpi(part[1], use))
        found = dpi(pixels, use)
        if found < max(COARSE_DPI, least) - _ROUNDING:
            severity = Severity.ERROR if found < least - _ROUNDING else Severity.WARNING
            message = f"is printed {what}at {found:.0f} dpi"
            hint = f"{_enough(use)} would do ({GOOD_DPI:.0f} dpi); or print it smaller"
            coarse: Callable[[Use], bool] = lambda use: dpi(pixels, use) < least - _ROUNDING  # noqa: B023, E731
            yield picture.finding("GP831", message, hint, use, severity, coarse)


def colour_space(subject: Subject) -> Iterator[Finding]:
    """GP832: a picture is RGB, grey or CMYK, which every printer understands."""
    for picture in pictures(subject):
        space = _space(picture.image)
        if space is not None and space not in _PLAIN:
            message = f"has its colours as {space.removeprefix('/')}"
            use = picture.largest
            yield picture.finding("GP832", message, _SAVE_AS_RGB, use, Severity.WARNING)


def proportions(subject: Subject) -> Iterator[Finding]:
    """GP833: no picture is stretched by more than 1 %, or slanted."""
    for picture in pictures(subject):
        w, h = picture.pixels
        for use in picture.uses:
            if use.slant > SLANT:
                message = f"is slanted: its corners are {use.slant:.1f}° off a right angle"
                hint = "turn it before it is stretched, not after; or do not skew it"
                yield picture.finding("GP833", message, hint, use, Severity.WARNING)
                break
            stretch = (use.width / w) / (use.height / h) - 1
            # a crop to whole pixels may change the proportions by half a pixel on each side
            if abs(stretch) > STRETCH + 1 / w + 1 / h:
                way = "wider" if stretch > 0 else "narrower"
                message = f"is stretched: {abs(stretch) * 100:.0f} % {way} than it should be"
                hint = "give it a box of its own proportions, or let it be cropped (fit='cover')"
                yield picture.finding("GP833", message, hint, use, Severity.WARNING)
                break


def weight(subject: Subject) -> Iterator[Finding]:
    """GP834: no picture that weighs anything has more pixels than print can show."""
    for picture in pictures(subject):
        use, size = picture.largest, _stored(picture.image)
        found = dpi(picture.pixels, use)
        if found <= MOST_DPI + _ROUNDING or size <= LIGHT:
            continue
        if found > MOST_DPI_LINE_ART + _ROUNDING or not _is_line_art(picture.image):
            message = f"is printed at {found:.0f} dpi and takes {size / 1e6:.1f} MB of the file"
            hint = f"{_enough(use)} would do ({GOOD_DPI:.0f} dpi): make it smaller"
            yield picture.finding("GP834", message, hint, use, Severity.WARNING)


def _is_line_art(image: Object) -> bool:
    """Whether a picture is of black and white alone, in bits or, as a build has them, in bytes."""
    if int(image.get("/BitsPerComponent", 1)) == 1:
        return True
    try:
        shades = PdfImage(cast(Stream, image)).as_pil_image().convert("L").histogram()
    except NOT_READ:
        return False
    return not any(shades[1:255])


@lru_cache(maxsize=1)  # each check of pictures asks for them
def pictures(subject: Subject) -> Sequence[UsedPicture]:
    """Every picture that faces show, or without a manifest pages, once, with where it is used."""
    if subject.expected is None:
        return _on_pages(subject)
    matches = [(page.read.number, match) for page in subject.matched for match in page.matches]
    copies = Counter(match.draw.form for _, match in matches if match.draw)
    reader = PictureReader()
    images: dict[tuple[int, int], Object] = {}
    uses: dict[tuple[int, int], list[Use]] = {}
    seen: set[tuple[int, int]] = set()
    for page, match in matches:
        if match.draw is None or match.draw.form in seen:
            continue
        seen.add(match.draw.form)
        form = subject.pdf.get_object(match.draw.form)
        for drawn in reader.read(form):
            images[drawn.image.objgen] = drawn.image
            place = box_on_page(drawn.corners, match.draw, form)
            scale = match.draw.scale
            use = _use(drawn, scale, place, page, match.expected, copies[match.draw.form])
            uses.setdefault(drawn.image.objgen, []).append(use)
    return [UsedPicture(image, tuple(uses[number])) for number, image in images.items()]


def dpi(pixels: tuple[int, int], use: Use) -> float:
    """Pixels an inch of a picture in a use, in the direction that has fewer."""
    return min(pixels[0] / use.width, pixels[1] / use.height)


def _on_pages(subject: Subject) -> Sequence[UsedPicture]:
    """Every picture of a file without a manifest. A picture of a single row is a gradient."""
    images: dict[tuple[int, int], Object] = {}
    uses: dict[tuple[int, int], list[Use]] = {}
    for page, source, paints in zip(
        subject.pages, subject.pdf.pages, paints_of(subject), strict=True
    ):
        unit, to_page = float(source.obj.get("/UserUnit", 1)), onto_page(source)
        paper = Rect(0, 0, page.width, page.height)
        for drawn in paints.pictures:
            if min(int(drawn.image.Width), int(drawn.image.Height)) > 1:
                place = to_page.then(drawn.matrix).box(_UNIT).cut_to(paper)
                images[drawn.image.objgen] = drawn.image
                use = _use(drawn, (unit, unit), place, page.number, None, 1)
                uses.setdefault(drawn.image.objgen, []).append(use)
    return [UsedPicture(image, tuple(uses[number])) for number, image in images.items()]


def _use(
    drawn: DrawnPicture,
    scale: tuple[float, float],
    place: Rect,
    page: int,
    face: Expected | None,
    copies: int,
) -> Use:
    a, b, c, d, _, _ = drawn.matrix
    width, height = math.hypot(a, b) * abs(scale[0]), math.hypot(c, d) * abs(scale[1])
    size = max(width, _THIN) / 72, max(height, _THIN) / 72
    across = (a * c + b * d) / max(math.hypot(a, b) * math.hypot(c, d), _THIN**2)
    slant = math.degrees(math.asin(min(abs(across), 1.0)))
    return Use(*size, place, page, face, copies, slant)


def _enough(use: Use) -> str:
    w, h = (math.ceil(length * GOOD_DPI) for length in (use.width, use.height))
    return f"{w} × {h} pixels"


def _space(image: Object) -> str | None:
    """The name of its colour space, None for a stencil and where the picture itself has it."""
    space: Any = image.get("/ColorSpace")
    if isinstance(space, Array):
        space = space[0]
    return None if space is None else str(space)


def _stored(image: Object) -> int:
    """Bytes that it takes, with its soft mask."""
    mask = image.get("/SMask")
    return int(image.Length) + (int(mask.Length) if mask is not None else 0)


MOST_OF_A_PAGE: Final = 0.6
"""Of a page printed at home. Cartridges are rated for pages with 5 % of black (ISO/IEC 19752) or
of each of four inks (ISO/IEC 24711): such a page takes as much as a dozen of those, dries slowly
and cockles thin paper."""
MOST_INK: Final = 3.0
"""Four inks, each 0 to 1, in one place: the limit of ISO 12647-2 for sheets of coated paper lies at
300 to 330 % (FOGRA39), for uncoated at 300 % (FOGRA47)."""
_SPECK: Final = 0.005
"""Part of a picture that may carry more: a few dots dry all the same."""
_MORE: Final = 0.005
"""Ink by which a colour may be over a limit: that comes of rounding."""
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


class SeenPage(Struct, frozen=True):
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
            "print it on a press, or with --ink low: `ink:` in styles.yaml says which light colours"
            " then take the place of large flats",
            Severity.WARNING,
            page=page.expected.number,
        )


def total_ink(subject: Subject) -> Iterator[Finding]:
    """GP842: pictures in cyan, magenta, yellow and black never put more on the paper than dries."""
    limit = (subject.profile.ink if subject.profile else 0) / 100 or MOST_INK
    for picture in pictures(subject):
        if _has_four_inks(picture.image.get("/ColorSpace")):
            share, most = _soaked(picture.image, limit)
            if share > _SPECK:
                message = (
                    f"has up to {100 * most:.0f} % of ink, and more than {100 * limit:.0f} % on"
                    f" {100 * share:.0f} % of it"
                )
                hint = "convert it with the profile of the printer's paper"
                yield picture.finding("GP842", message, hint, picture.largest, Severity.WARNING)


def flat_ink(subject: Subject) -> Iterator[Finding]:
    """GP842: no colour outside of pictures is more ink than the profile takes (an error); in a file
    without a manifest, than dries."""
    profile = subject.profile
    most = profile.ink / 100 if profile else MOST_INK
    if not most or (profile is None and subject.expected is not None):
        return
    hint = "take a darker single ink and less of the others, such as C60 M40 Y40 K100"
    why = f"{profile.title} takes" if profile else "paper takes about"
    severity = Severity.ERROR if profile else Severity.WARNING
    pages = enumerate(paints_of(subject), start=1)
    for number, page in sorted(pages, key=lambda each: -each[1].ink):  # the worst first
        if page.ink > most + _MORE:
            message = f"a colour is {100 * page.ink:.0f} % of ink, {why} {100 * most:.0f} %"
            yield Finding("GP842", message, hint, severity, number, page.inked)


def _has_four_inks(space: Any) -> bool:
    if _is_indexed(space):
        space = space[1]
    if isinstance(space, Array) and len(space) == 2 and space[0] == Name.ICCBased:
        return bool(space[1].get("/N") == 4)
    return bool(space == Name.DeviceCMYK)


def _is_indexed(space: Any) -> bool:
    return isinstance(space, Array) and len(space) == 4 and space[0] == Name.Indexed


def _soaked(picture: Any, limit: float) -> tuple[float, float]:
    """Which part of a picture has too much ink, and the most ink it has anywhere."""
    inks = _inks(picture)
    if inks is None:
        return 0.0, 0.0
    c, m, y, k = inks.split()
    # Each sum is halved so that it stays within a byte: 255 is 400 %.
    total = ImageChops.add(ImageChops.add(c, m, 2), ImageChops.add(y, k, 2), 2)
    counts = total.histogram()
    first = int(limit / 4 * 255) + 1
    most = max(level for level, count in enumerate(counts) if count)
    return summed(counts[first:]) / summed(counts), most / 255 * 4


def _inks(picture: Stream) -> Image.Image | None:
    """The picture with 255 for a full layer of an ink; None where Pillow cannot read it."""
    is_jpeg = picture.get("/Filter") == Name.DCTDecode
    try:
        if _is_indexed(picture.ColorSpace):
            image = _looked_up(picture)
        else:
            image = _small_jpeg(picture) if is_jpeg else PdfImage(picture).as_pil_image()
        image.load()
    except NOT_READ:
        return None
    if image.mode != "CMYK":
        return None
    if max(image.size) > _LARGE:
        image = image.reduce(max(image.size) // _LARGE)
    if is_jpeg and [float(value) for value in picture.get("/Decode", [])][:1] != [1.0]:
        # Pillow turns the inks of every JPEG around, as Photoshop stores them and /Decode tells.
        return ImageChops.invert(image)
    return image


def _looked_up(picture: Stream) -> Image.Image:
    """A picture of numbers that stand for inks, in these: pikepdf makes RGB of them."""
    size, bits = (int(picture.Width), int(picture.Height)), int(picture.BitsPerComponent)
    kept = "P" if bits == 8 else f"P;{bits}"
    numbers = Image.frombytes("P", size, picture.read_bytes(), "raw", kept)
    table = picture.ColorSpace[3]
    inks = table.read_bytes() if isinstance(table, Stream) else bytes(table)
    steps = Image.frombytes("L", size, numbers.tobytes())
    channels = (inks[at::4][:256].ljust(256, b"\0") for at in range(4))
    return Image.merge("CMYK", [steps.point(list(channel)) for channel in channels])


def _small_jpeg(picture: Stream) -> Image.Image:
    image = Image.open(io.BytesIO(picture.read_raw_bytes()))
    image.draft(image.mode, (_LARGE, _LARGE))
    return image
