"""Checks ink: how much of it, registration colour, rich black in text, overprint and fine lines."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from pikepdf import Name, PdfImage, PikepdfError, Stream
from PIL import Image, ImageChops

from generator.diagnostics import Severity
from generator.geometry import Rect, pt_to_mm, summed
from generator.model.catalogue import PdfProfile
from generator.preflight.finding import Finding
from generator.preflight.pdf.gathered import warned
from generator.preflight.pdf.graphics_state import PRESS_FEATURES
from generator.preflight.pdf.pdf_colours import CMYK, REGISTRATION
from generator.preflight.pdf.pdf_subject import SubjectPage
from generator.preflight.pdf.pdf_texts import printed_size
from generator.preflight.pdf.shown_marks import FileImage

MOST_INK: Final = 3.0
"""Full layers: coated paper takes 300 to 330 % (ISO 12647-2)."""
_MORE: Final = 0.005
"""Full layers of ink that a colour may exceed a limit by."""
_SPECK: Final = 0.01
"""Part of a picture that may carry more: a few dots dry all the same."""
_LARGE: Final = 800
"""Pixels of the longer side of a picture that are enough to judge it."""
_MOST_PIXELS: Final = 60_000_000
_RICH_SIZE: Final = 12.0
"""pt: in larger text, shifted inks are invisible."""
_RICH: Final = 0.1
"""The least ink beside black that counts, in full layers."""
_FLAT: Final = 5.0
"""mm of an area that is no mark for the press."""
FINEST_LINE: Final = 0.25
"""pt."""
_LONG: Final = 5.0
"""mm; shorter lines are shading."""
_ROUNDING: Final = 0.01
_NOT_READ: Final = (
    *(PikepdfError, Image.DecompressionBombError, LookupError, NotImplementedError),
    *(OSError, TypeError, ValueError),
)
"""Raised for pictures that Pillow cannot read; most printers can."""


def ink_amounts(subject: SubjectPage) -> Iterator[Finding]:
    """GP842: find colours of more ink than dries, and art in the colour of registration marks."""
    most, why, severity = _limit(subject.profile)
    number = subject.number
    for colour, places in subject.marks.areas.items():
        paint = colour.paint
        if paint.kind == REGISTRATION and not paint.white:
            place = next((p for p in places if _is_art(subject, p)), None)
            if place is not None:
                message = "something is drawn in registration colour, which prints in every ink"
                hint = "use black (K 100); registration colour is only for marks outside the trim"
                yield warned("GP842", message, hint, page=number, place=subject.placed(place))
        elif paint.ink > most + _MORE:
            message = f"a colour takes {100 * paint.ink:.0f} % of ink; {why} {100 * most:.0f} %"
            hint = "use less of its inks, such as C60 M40 Y40 K100"
            place = subject.placed(places[0])
            yield Finding("GP842", message, hint, severity, number, place)


def _limit(profile: PdfProfile | None) -> tuple[float, str, Severity]:
    """The most ink in one place, who says so, and how bad more of it is."""
    if profile is not None and profile.ink:
        return profile.ink / 100, f"{profile.title} takes", Severity.ERROR
    return MOST_INK, "paper takes about", Severity.WARNING


def _is_art(subject: SubjectPage, place: Rect) -> bool:
    """True for art, not a mark beside it: inside the trim, or large if there is no trim."""
    if subject.is_cut:
        inner = subject.trim.grown(-1)
        box = subject.placed(place)
        return inner.overlaps(Rect(box.x, box.y, max(box.width, 0.1), max(box.height, 0.1)))
    box = subject.placed(place)
    return min(box.width, box.height) > _FLAT


def rich_text(subject: SubjectPage) -> Iterator[Finding]:
    """GP842: find small text in a black of several inks, which blurs when they shift."""
    for text in subject.marks.texts:
        values = text.paint.values
        if text.paint.kind != CMYK or len(values) != 4 or values[3] < 0.7:
            continue
        is_small = printed_size(text, subject) < _RICH_SIZE
        if is_small and min(values[:3]) >= _RICH and subject.is_printed(text.place):
            message = "small text is printed in rich black (all four inks)"
            hint = "use black alone (K 100): if the inks shift a little, the letters blur"
            place = subject.placed(text.place)
            yield warned("GP842", message, hint, page=subject.number, place=place)
            return


def white_overprints(subject: SubjectPage) -> Iterator[Finding]:
    """GP843: find white that overprints, and so disappears in print."""
    for colour, places in subject.marks.areas.items():
        if colour.overprints and colour.paint.white:
            message = "something white overprints, so it disappears in print"
            hint = "turn off overprinting for it in the program that drew it"
            place = subject.placed(places[0])
            yield warned("GP843", message, hint, page=subject.number, place=place)
            return


def press_features(subject: SubjectPage) -> Iterator[Finding]:
    """GP844: find features that only some presses use and no screen shows."""
    for note in PRESS_FEATURES:
        if note in subject.marks.notes:
            hint = "it prints differently from what a screen shows: export the file without it"
            yield warned("GP844", note, hint, page=subject.number)


def fine_lines(subject: SubjectPage) -> Iterator[Finding]:
    """GP829: find lines that are too thin to print; die lines in an ink of their own may be."""
    unit = subject.frame.to_page.across / pt_to_mm(1)
    found = []
    for line, places in subject.marks.lines.items():
        width = line.width * unit
        is_ink = not line.paint.white and not line.paint.kind.startswith("‘")
        if is_ink and width < FINEST_LINE - _ROUNDING:
            found += [(width, place) for place in places if _is_line(subject, place)][:1]
    if found:
        width, place = min(found, key=lambda each: each[0])
        message = f"a line is {width:.2f} pt wide"
        if width < _ROUNDING:
            message = "a line has no width: each printer draws it as thin as it can"
        hint = f"make lines at least {FINEST_LINE:g} pt wide, or they may not print"
        yield warned("GP829", message, hint, page=subject.number, place=subject.placed(place))


def _is_line(subject: SubjectPage, place: Rect) -> bool:
    """True for a line of the piece that is long enough to be missed."""
    box = subject.placed(place)
    return subject.is_printed(place) and max(box.width, box.height) >= _LONG


class PictureInk:
    """Checks the ink of pictures in four inks; each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, float]] = {}
        self._images: list[FileImage] = []

    def check(self, subject: SubjectPage) -> Iterator[Finding]:
        """GP842: find pictures that put more ink on the paper than dries."""
        most, why, severity = _limit(subject.profile)
        for picture in subject.marks.pictures:
            share, found = self._soaked(picture.image, most)
            if share > _SPECK:
                message = (
                    f"a picture takes up to {100 * found:.0f} % of ink; {why} {100 * most:.0f} %"
                )
                hint = "convert it to CMYK again, with the profile of the printer's paper"
                place = subject.placed(picture.place)
                yield Finding("GP842", message, hint, severity, subject.number, place)

    def _soaked(self, image: FileImage, limit: float) -> tuple[float, float]:
        """Return the share of a picture with too much ink, and the most ink in it."""
        if image.kind != CMYK or image.source is None:
            return 0.0, 0.0
        if id(image) not in self._known:
            self._images.append(image)
            inks = _inks(image.source)
            self._known[id(image)] = _over(inks, limit) if inks else (0.0, 0.0)
        return self._known[id(image)]


def _over(inks: Image.Image, limit: float) -> tuple[float, float]:
    c, m, y, k = inks.split()
    # Each sum is halved so that it stays within a byte: 255 is 400 %.
    counts = ImageChops.add(ImageChops.add(c, m, 2), ImageChops.add(y, k, 2), 2).histogram()
    first = int(limit / 4 * 255) + 2
    most = max(level for level, count in enumerate(counts) if count)
    return summed(counts[first:]) / summed(counts), most / 255 * 4


def _inks(picture: Any) -> Image.Image | None:
    """Return a picture with 255 for a full layer of ink; None if Pillow cannot read it."""
    is_jpeg = picture.get("/Filter") == Name.DCTDecode
    if int(picture.Width) * int(picture.Height) > _MOST_PIXELS and not is_jpeg:
        return None
    try:
        image = _jpeg(picture) if is_jpeg else PdfImage(picture).as_pil_image()
        image.load()
    except _NOT_READ:
        return None
    if image.mode != "CMYK":
        return None
    if max(image.size) > _LARGE:
        image = image.reduce(max(image.size) // _LARGE)
    if is_jpeg and [float(value) for value in picture.get("/Decode", [])][:1] != [1.0]:
        # Pillow turns the inks of every JPEG around, as Photoshop stores them and /Decode tells.
        return ImageChops.invert(image)
    return image


def _jpeg(picture: Stream) -> Image.Image:
    image = Image.open(io.BytesIO(picture.read_raw_bytes()))
    image.draft(image.mode, (_LARGE, _LARGE))
    return image
