"""Looks at a face of a finished PDF, in each way that pages show it, and keeps what was found. It
is long, since what a face is alone and on its page must be told by one place, to be the same.

A face is drawn alone and once; or on its page, where that may change how it looks. All places are
in mm from the top-left corner of the trim of the upright face, wherever and however turned pages
draw it: what is found on a face alone is a function of the form in the file and of the `Look`, and
of nothing else. `FaceFinding.told` brings it to a page."""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any, Final, NamedTuple

import pypdfium2
from msgspec import Struct, structs
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw

from generator.diagnostics import Severity
from generator.geometry import Matrix, Point, Rect, mm_to_pt, pt_to_mm
from generator.model.catalogue import Edge, Shape
from generator.model.manifest import TextEntry
from generator.pdf_forms import SMALLER, NoProofError, drawn, is_as, on_paper, proof_picture
from generator.preflight.checking import Finding
from generator.preflight.image_checks import ink
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.page_objects import Colour
from generator.preflight.page_reader import SetText
from generator.preflight.painted import Painted, PaintedReader, PaintedShape, PaintedText
from generator.preflight.qr_codes import CLOSE, SeenCode, codes_on
from generator.preflight.raster import Raster, close_up, read_layers, rendered, seen_and_ground
from generator.preflight.rim_lines import SideNote, beside_cut

_WORTH: Final = 1.0  # mm of a text that must be on a page to be looked at there


def texts_in_sight(
    texts: Iterable[PaintedText], art: Rect, seen: Raster, ground: Raster
) -> Iterator[PaintedText]:
    """The texts of a page of a poster. Of a line that goes on beyond a seam only the ink on this
    side counts; one that a seam splits along its length is told of on no page."""
    for run in texts:
        part = run.box.cut_to(art)
        if part == run.box:
            yield run
            continue
        level = min(run.turn % 180, -run.turn % 180) < 1
        split = part.height < run.box.height if level else part.width < run.box.width
        if split or min(part.width, part.height) <= 0 or max(part.width, part.height) < _WORTH:
            continue
        inked = _inked(part, seen, ground)
        if inked is not None:
            yield replace(run, box=inked)


def _inked(box: Rect, seen: Raster, ground: Raster) -> Rect | None:
    """The part of a box in which words leave a trace."""
    difference = ImageChops.difference(seen.part(box), ground.part(box))
    found = difference.getbbox()
    if found is None:
        return None
    across, down = box.width / difference.width, box.height / difference.height
    left, top, right, bottom = found
    return Rect(
        box.x + left * across, box.y + top * down, (right - left) * across, (bottom - top) * down
    )


THUMBNAIL: Final = 48  # pixels, of the longer side of the small picture of a trim that is kept
_DIGITS: Final = 2  # of mm, to which windows are rounded, so that one in two places is one
_UPRIGHT: Final = (
    *(None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270),
)
"""What undoes a clockwise turn of so many quarters; Pillow's own go the other way about."""


class Look(Struct, frozen=True):
    """What there is to see of a face and what that must keep to: its trim; the part of its art that
    neighbours leave it (`clip`, or all of it) and the convex outline that it is cut to, if any;
    its texts, from nowhere; of a poster what a page shows. `drift` is the printer's. Of one that is
    `coded` a value may be told by its colour: its pictures and shapes are read as well. `proof` is
    what it was when it was rendered; `folds` as of the manifest; `contour` is the free outline
    that it is cut along, clockwise. In a `bound` book a side without bleed is its spine."""

    box: Rect
    shape: Shape
    bleed: float
    safe: float
    edge: Edge
    clip: Rect | None = None
    outline: tuple[Point, ...] = ()
    texts: tuple[TextEntry, ...] = ()
    poster: bool = False
    drift: float = 0.0
    coded: bool = False
    proof: str = ""
    folds: tuple[Rect, ...] = ()
    contour: tuple[Point, ...] = ()
    bound: bool = False

    @property
    def art(self) -> Rect:
        """What of it is looked at, bleed and all."""
        return self.clip or self.box.grown(self.bleed)

    @property
    def cut(self) -> tuple[Rect, Shape, tuple[Point, ...]]:
        """What it is cut along."""
        return self.box, self.shape, self.contour

    @property
    def whole(self) -> Look:
        """The same of a face without neighbours."""
        return replace(self, clip=None, outline=())


def look_at(expected: Expected, drift: float = 0.0, coded: bool = False, proof: str = "") -> Look:
    """What there is to see of a face that a page shows. Of a poster's page only what stays in
    sight: the rest lies under marks, and is looked at on the neighbour's page."""
    poster = expected.poster is not None
    clip = expected.poster.shown if expected.poster else expected.clip
    box = expected.upright(expected.box)
    return Look(
        box,
        expected.shape,
        expected.bleed,
        expected.safe,
        expected.edge,
        None if clip is None else _rounded(expected.upright(clip)),
        _rounded_corners(expected.outline, expected),
        tuple(structs.replace(text, source="") for text in expected.texts),
        poster,
        drift,
        coded,
        proof,
        expected.folds,
        _rounded_corners(expected.contour, expected),
        expected.bound,
    )


def _rounded_corners(corners: Iterable[Point], expected: Expected) -> tuple[Point, ...]:
    """Corners on a page in the trim of the upright face."""
    places = (expected.upright(Rect(corner.x, corner.y, 0, 0)) for corner in corners)
    return tuple(Point(round(place.x, _DIGITS), round(place.y, _DIGITS)) for place in places)


def _rounded(box: Rect) -> Rect:
    x, y, right, bottom = (round(v, _DIGITS) for v in (box.x, box.y, box.right, box.bottom))
    return Rect(x, y, round(right - x, _DIGITS), round(bottom - y, _DIGITS))


class FaceFinding(Struct, frozen=True):
    """A fault of a face: `place` is in its trim, None for all of it; `text` counts the texts of
    the look, -1 for none of them; `trace` as of a `Finding`."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    place: Rect | None = None
    text: int = -1
    trace: str = ""

    def told(self, expected: Expected, page: int, copies: int) -> Finding:
        """The same of a component's face on a page."""
        message = f"the {expected.face} of {expected.component!r}: {self.message}"
        return Finding(
            *(self.code, message, self.hint, self.severity, page),
            expected.finished if self.place is None else expected.on_page(self.place),
            f"{expected.kind}/{expected.component}",
            expected.source if self.text < 0 else expected.texts[self.text].source,
            copies,
            trace=self.trace,
        )


class Specimen(Struct, frozen=True, eq=False):
    """A face as it is looked at in place of all that are alike. `seen` is what the eye sees of its
    art, `ground` the same without the words; `codes` are its QR codes; `changed` is all of the
    face, small and packed, where that is not as its proof; `rim` is what runs along its cut, of
    all that the face has, though neighbours may leave less of it in sight."""

    look: Look
    painted: Painted
    seen: Raster
    ground: Raster
    codes: tuple[SeenCode, ...] = ()
    changed: bytes = b""
    rim: tuple[SideNote, ...] = ()

    def finding(self, code: str, message: str, hint: str = "", **more: Any) -> FaceFinding:
        """A finding about this face."""
        return FaceFinding(code, message, hint, **more)


class SeenFace(Struct, frozen=True):
    """What was found on a face, and the little that is kept of it: a small picture of its trim
    (RGB, row by row) and its size, its words, their boxes, and, if it is coded, its marks, packed;
    how much of its art solid ink would cover; `changed` as of the specimen; how it sets texts."""

    findings: tuple[FaceFinding, ...]
    size: tuple[int, int]
    thumbnail: bytes
    words: str
    runs: tuple[Rect, ...]
    marks: bytes
    ink: float
    changed: bytes = b""
    texts: tuple[SetText, ...] = ()


def frame(box: Sequence[float], look: Look) -> Matrix:
    """From the space of a form with that BBox, pt upwards, to mm in the trim in its middle."""
    x1, y1, x2, y2 = box
    one = pt_to_mm(1)
    left = (x1 + x2) / 2 - mm_to_pt(look.box.width) / 2
    top = (y1 + y2) / 2 + mm_to_pt(look.box.height) / 2
    return Matrix(one, 0, 0, -one, -left * one, top * one)


def draw_face(
    page: pypdfium2.PdfPage,
    to_trim: Matrix,
    looks: Sequence[Look],
    again: Callable[[], pypdfium2.PdfPage],
) -> Iterator[Specimen]:
    """A specimen for each look at the face that a page shows alone, to the edges of its form.
    `again` opens the page once more, to draw it as its proof was drawn, and parts of it larger."""
    text_page = page.get_textpage()
    reader = PaintedReader(page.raw, text_page.raw, to_trim)
    left, bottom, right, top = page.get_mediabox()
    place = to_trim.box(Rect(left, bottom, right - left, top - bottom))
    layers = read_layers(page, to_trim)
    painted = reader.read(
        [drawn for layer in layers for drawn in layer.objects],
        words_only=not any(look.coded for look in looks),
        cut=looks[0].cut,
        safe=max(look.safe for look in looks),
        art=place,
        folded=bool(looks[0].folds),
    )
    seen, ground = seen_and_ground(page, place, layers, [painted])
    proofs = {look.proof for look in looks}
    changed = {proof: _changed(seen.image, proof, again) for proof in proofs}

    def closer(part: Rect, dpi: int = CLOSE) -> Raster:
        return close_up(again(), place, part, dpi)

    codes = codes_on(seen, ground, closer)
    rims = {k: beside_cut(seen, *k, painted.near, closer) for k in {look.cut for look in looks}}
    for look in looks:
        shows = specimen(look, painted, seen, ground, codes)
        yield replace(shows, changed=changed[look.proof], rim=rims[look.cut])


def _changed(seen: Image.Image, proof: str, again: Callable[[], pypdfium2.PdfPage]) -> bytes:
    """What is seen of a face, at the size of its proof, if it is not what that shows. Words that
    are painted last may come out a shade otherwise, so then it is drawn in one go."""
    if not proof:
        return b""
    small = seen.reduce(SMALLER)
    with suppress(NoProofError):
        should = proof_picture(proof)
        if is_as(small, should):
            return b""
        small = on_paper(drawn(again()))
        if is_as(small, should):
            return b""
    packed = io.BytesIO()
    small.save(packed, "WEBP", lossless=True, method=0)
    return packed.getvalue()


def specimen(
    look: Look, painted: Painted, seen: Raster, ground: Raster, codes: Iterable[SeenCode] = ()
) -> Specimen:
    """What a look takes in of a face, whose pixels may be more."""
    around, below = (_shown(raster.cut(look.art), look.outline) for raster in (seen, ground))
    texts = painted.texts
    if look.poster:
        texts = tuple(texts_in_sight(texts, look.art, around, below))
    there = tuple(code for code in codes if _is_of(look, code))
    return Specimen(look, replace(painted, texts=texts), around, below, there)


def _is_of(look: Look, code: SeenCode) -> bool:
    """False for a neighbour's; and for one that the next page of a poster or book goes on with."""
    whole, middle = look.art.contains(code.box), code.box.centre
    goes_on = look.poster or look.bound
    return whole or (not goes_on and look.box.contains(Rect(middle.x, middle.y, 0, 0)))


def _shown(raster: Raster, outline: Sequence[Point]) -> Raster:
    """White paper beyond the outline of a face."""
    if not outline:
        return raster
    box, (width, height) = raster.box, raster.image.size
    across, down = width / box.width, height / box.height
    mask = Image.new("L", raster.image.size)
    corners = [((p.x - box.x) * across, (p.y - box.y) * down) for p in outline]
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    image = Image.new("RGB", raster.image.size, "white")
    image.paste(raster.image, mask=mask)
    return Raster(image, box)


def stood_up(raster: Raster, expected: Expected) -> Raster:
    """A part of a page, as it is seen with the face that is there upright."""
    turned = _UPRIGHT[expected.rotation // 90 % 4]
    image = raster.image if turned is None else raster.image.transpose(turned)
    return Raster(image, expected.upright(raster.box))


def laid_upright(painted: Painted, expected: Expected) -> Painted:
    """What a face paints on a page, in its own trim."""

    def text(run: PaintedText) -> PaintedText:
        clip, turn = run.clip and expected.upright(run.clip), (run.turn - expected.rotation) % 360
        return replace(run, box=expected.upright(run.box), clip=clip, turn=turn)

    return replace(
        painted,
        texts=tuple(map(text, painted.texts)),
        images=tuple(replace(i, box=expected.upright(i.box)) for i in painted.images),
        shapes=tuple(replace(s, box=expected.upright(s.box)) for s in painted.shapes),
    )


def seen_face(shown: Specimen, findings: Iterable[FaceFinding], *set_: SetText) -> SeenFace:
    """What is kept of a face."""
    half = Raster(shown.seen.image.reduce(2), shown.seen.box)
    picture = half.part(shown.look.box)
    picture.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    texts = shown.painted.texts
    return SeenFace(
        tuple(findings),
        picture.size,
        picture.tobytes(),
        " ".join(text.words for text in texts),
        tuple(text.box for text in texts if text.box.width and text.box.height),
        packed(shown.painted, shown.look.box) if shown.look.coded else b"",
        ink(shown.seen.image),
        shown.changed,
        set_,
    )


class FaceTrace(Struct, frozen=True):
    """What stays of a face to compare it with all others: whose it is, on which page it was seen,
    how often it is printed, the number of its form; the rest as of the `SeenFace`."""

    expected: Expected
    page: int
    copies: int
    size: tuple[int, int]
    thumbnail: bytes
    words: str
    marks: bytes
    form: tuple[int, int] = (0, 0)
    changed: bytes = b""
    texts: tuple[SetText, ...] = ()


class Sample(Struct, frozen=True):
    """Which drawing of a page to look at: its index among them, whose face it is, and the look."""

    index: int
    expected: Expected
    look: Look


def examine(
    sheets: Sequence[pypdfium2.PdfPage], page: ExpectedPage, samples: tuple[Sample, ...]
) -> tuple[Raster, Iterator[Specimen]]:
    """The page as it is seen, and a specimen of each sample."""
    sheet = sheets[page.number - 1]
    if not samples:
        return rendered(sheet, page.width, page.height), iter(())
    text_page = sheet.get_textpage()
    one = pt_to_mm(1)
    to_paper = Matrix(one, 0, 0, -one, 0, sheet.get_height() * one)
    reader = PaintedReader(sheet.raw, text_page.raw, to_paper)
    layers = read_layers(sheet, to_paper)
    faces = [layer for layer in layers if layer.is_face]
    painted = {
        sample.index: reader.read(
            faces[sample.index].objects,
            words_only=not sample.look.coded,
            turn=sample.expected.rotation,
        )
        for sample in samples
    }
    words = [painted.get(number) for number in range(len(faces))]
    paper = Rect(0, 0, page.width, page.height)
    seen, ground = seen_and_ground(sheet, paper, layers, words)
    closer: Callable[[Rect], Raster] = lambda part: close_up(  # noqa: E731
        sheets[page.number - 1], paper, part, CLOSE
    )
    return seen, (_specimen(s, painted[s.index], seen, ground, closer) for s in samples)


def _specimen(
    sample: Sample,
    painted: Painted,
    seen: Raster,
    ground: Raster,
    closer: Callable[[Rect], Raster],
) -> Specimen:
    told = sample.expected
    art = told.poster.shown if told.poster else told.art
    around, below = (stood_up(raster.cut(art), told) for raster in (seen, ground))
    codes = codes_on(around, below, lambda part: stood_up(closer(told.on_page(part)), told))
    return specimen(sample.look, laid_upright(painted, told), around, below, codes)


_GRID: Final = 0.1  # mm to which places are rounded: one mark in two faces is the same
_OFF_GRID: Final = 0.0237  # mm: lengths that people choose (5.25) are not between two of its lines
_LAYOUT: Final = struct.Struct("<Q3B4hHI")
_ORDER: Final = itemgetter(0)
_WHITE, _OPAQUE, _FARTHEST = (255, 255, 255), 255, 32767  # of 16 bits


class FaceElement(NamedTuple):
    """A line of text, a shape or a picture: its colour as it is seen, and x, y, width and height
    of its place in trim coordinates of the upright face, in tenths of a millimetre; and what it is
    wherever it stands and however large, a short digest, even of a shape. `form` is one of how it
    looks: of a shape its outline, of words their typeface and size."""

    colour: Colour
    corners: tuple[int, int, int, int]
    what: int = 0
    form: int = 0

    @property
    def is_shape(self) -> bool:
        """True for what is neither words nor a picture."""
        return not self.what & 1

    @property
    def place(self) -> Rect:
        """mm."""
        x, y, w, h = (steps * _GRID for steps in self.corners)
        return Rect(x, y, w, h)


def packed(painted: Painted, trim: Rect) -> bytes:
    """All marks of an upright face with that trim, in the order of painting, 25 bytes each."""
    grounds = [shape for shape in reversed(painted.shapes) if shape.fill and shape.alpha == _OPAQUE]
    marks = []
    for order, what, form, colour, alpha, box in sorted(_things(painted), key=_ORDER):
        seen = colour if alpha == _OPAQUE else _over(colour, alpha, _ground(grounds, order, box))
        lengths = (box.x - trim.x, box.y - trim.y, box.width, box.height)
        x, y, w, h = steps = [round((length + _OFF_GRID) / _GRID) for length in lengths]
        if min(steps) < -_FARTHEST or max(steps) > _FARTHEST:
            x, y, w, h = (min(max(step, -_FARTHEST), _FARTHEST) for step in steps)
        digest = _digest(f"{what}|{form}|{x}|{y}|{w}|{h}", 8)
        short = _digest(what, 2) & ~1 | what.startswith(("text ", "picture "))
        marks.append(_LAYOUT.pack(digest, *seen, x, y, w, h, short, _digest(form, 4)))
    return b"".join(marks)


def _digest(what: str, size: int) -> int:
    return int.from_bytes(hashlib.blake2b(what.encode(), digest_size=size).digest(), "little")


def unpacked(marks: bytes) -> dict[int, FaceElement]:
    """Marks by a digest of what they are and where in the face; of two in one place the one
    painted last, which is the one seen."""
    return {
        identity: FaceElement((r, g, b), (x, y, w, h), what, form)
        for identity, r, g, b, x, y, w, h, what, form in _LAYOUT.iter_unpack(marks)
    }


def _things(painted: Painted) -> Iterator[tuple[int, str, str, Colour, int, Rect]]:
    """Order, what it is, how it looks, its colour and how opaque that is, box."""
    for text in painted.texts:
        form = f"text {text.font} {text.size_pt:.1f}"
        yield text.order, f"text {text.words}", form, text.colour, text.alpha, text.box
    for image in painted.images:
        # Its pixels are not looked at: another picture is another mark.
        what = f"picture {image.pixels} {image.stored}"
        yield image.order, what, what, _WHITE, _OPAQUE, image.box
    for shape in painted.shapes:
        for paint, colour in (("fill", shape.fill), ("stroke", shape.stroke)):
            if colour is not None:
                what, form = f"{paint} {shape.segments}", f"{paint} {shape.outline}"
                yield shape.order, what, form, colour, shape.alpha, shape.box


def _ground(grounds: Iterable[PaintedShape], order: int, box: Rect) -> Colour:
    """The colour of the last opaque shape, of those given last first, under all of the box."""
    for ground in grounds:
        if ground.order < order and ground.fill and ground.box.contains(box, _GRID):
            return ground.fill
    return _WHITE


def _over(colour: Colour, alpha: int, ground: Colour) -> Colour:
    both = zip(colour, ground, strict=True)
    r, g, b = (round((c * alpha + under * (_OPAQUE - alpha)) / _OPAQUE) for c, under in both)
    return r, g, b
