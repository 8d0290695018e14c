"""By what a finished file is held against what was rendered; long, since each object of a file is
known by what it is made of and by what it shows.

A Form XObject in, what it is made of out: a digest of its drawing, and of each picture and each
font in it. They hang on what is drawn, not on how a file packs or numbers its objects. And a
fingerprint of the object as it is packed, by which one file's is known again in another. Then the
proof of a face: what it shows, drawn small when it was rendered; and the small steps of drawing,
packing and comparing that both sides share.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from pikepdf import Dictionary, Name, Object, Page, Pdf, Stream
from PIL import Image, ImageChops, WebPImagePlugin  # noqa: F401, else Pillow loads all there are

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.geometry import IDENTITY, Matrix, Point, Rect, Size, mm_to_pt, pt_to_mm, summed
from generator.model.catalogue import TRUE, PrinterStretch
from generator.model.manifest import FormEntry, PictureEntry, near_box

T = TypeVar("T")
Form = tuple[int, int]
"""The number of a face's object in the file."""

REFERENCES: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?|/Parent \d+ \d+ R\b|\b(\d+) (\d+) R\b", re.S
)
"""Texts, in which nothing is a reference; what leads back to the page; references."""
_LAYERED: Final = re.compile(rb"/OC\b")
_UNSEEN: Final = re.compile(
    rb"/(?:OP|op|TR2?|HT|BG2?|UCR2?|FL|RI|Intent|OC|Alternates|K|Separation|DeviceN"
    rb"|Default(?:Gray|RGB|CMYK))\b"
)
"""What an object names that may print otherwise than it is seen."""
_UNPACKED_BY: Final = ("/Filter", "/DecodeParms")
_STORED: Final = frozenset(("/Length", *_UNPACKED_BY))
"""Of a stream: how it is packed, not what it says."""
_BYTES: Final = 8
SHOWN: Final = 4
"""Bytes behind the digest of a picture's pixels: of how these are shown, in which colours."""
_SHORT: Final = 4_000
"""Bytes of an object that may as well be written where it is referred to."""
_DEEPEST: Final = 40
"""Forms within forms that are followed."""
_NOWHERE: Final = Rect(0, 0, 0, 0)
_LARGE: Final = 2_000_000
"""Pixels of a picture that takes longer to unpack than what came of it takes to find again."""


def stretched(content: bytes, stretch: PrinterStretch, page: Size) -> bytes:
    """The content of a page, mm, such that a printer that stretches it draws it as it is meant."""
    return content if stretch == TRUE else b"q %s cm\n%s\nQ" % (_against(stretch, page), content)


def unstretched(content: bytes, stretch: PrinterStretch, page: Size) -> bytes:
    """What was stretched; what was not, or otherwise, as it is."""
    if stretch == TRUE:
        return content
    before, after = b"q %s cm\n" % _against(stretch, page), b"\nQ"
    if not (content.startswith(before) and content.endswith(after)):
        return content
    return content[len(before) : -len(after)]


def _against(stretch: PrinterStretch, page: Size) -> bytes:
    """The operands of the matrix, of points from the bottom left of the page."""
    inches = mm_to_pt(1)
    upright = Matrix(inches, 0, 0, -inches, 0, inches * page.height)
    matrix = upright.then(stretch.lands(page).inverse).then(upright.inverse)
    return " ".join(f"{value:.8f}" for value in matrix).encode()


class _ObjectDigest(NamedTuple):
    """What an object comes to: a digest of it without its pictures and fonts, and theirs, in the
    order in which they are met. What is short and no stream stands for itself: it is the same
    whether it is referred to or written in its place."""

    drawing: bytes
    pictures: tuple[bytes, ...] = ()
    fonts: tuple[bytes, ...] = ()


_ROUND: Final = _ObjectDigest(b"round")
"""What leads back to itself."""


class FileParts(Struct, frozen=True):
    """What a file is made of: its forms by the sha256 of the face that each is, digests of the
    fonts that its pages name themselves."""

    forms: dict[str, FormEntry] = msgspec.field(default_factory=dict)
    lettering: tuple[str, ...] = ()


class _KnownObject:
    """What is known of an object: its digest, whether it is the same thing in any file, and whether
    it, or what it leads to, names what may print otherwise than it is seen."""

    __slots__ = ("alone", "digest", "noted")

    def __init__(self, digest: bytes, alone: bool, noted: bool = False) -> None:
        self.digest = digest
        self.alone = alone
        self.noted = noted


class Fingerprints:
    """Takes those of one file; what many objects share is read once."""

    def __init__(self, pdf: Pdf, cache: Cache = NOTHING_KEPT) -> None:
        """In the `cache` is found what was made of the same objects in another file."""
        self._pdf = pdf
        self._cache = cache
        self._known: dict[Form, _KnownObject | None] = {}

    def of(self, number: Form) -> str:
        """Equal for objects that are the same with all that they lead to, in whatever file."""
        return self._look(number).digest.hex()

    def stands_alone(self, number: Form) -> bool:
        """True for what looks the same wherever it is drawn: no layer of the file switches a part
        of it off, nothing in it leads back to itself, and its resources are its own."""
        return self._look(number).alone

    def is_noted(self, number: Form) -> bool:
        """True for what names, or leads to, something that may print otherwise than it is seen."""
        return self._look(number).noted

    def once(self, make: Callable[[], T], what: str, number: Form) -> T:
        """`what` is made of an object with all that it leads to: not again, in a process that goes
        on, where that was made of the same before."""
        if not (self._cache.goes_on and self.stands_alone(number)):
            return make()
        return self._cache.once(make, what, self._look(number).digest)

    def of_picture(self, make: Callable[[], T], kind: type[T], what: str, picture: Object) -> T:
        """`what` is made of the pixels of a picture; msgspec knows its kind. Of a large one it is
        kept: for the other files that show it, and for other commands."""
        number = picture.objgen
        pixels = int(picture.get("/Width", 0)) * int(picture.get("/Height", 0))
        if pixels < _LARGE or not self.stands_alone(number):
            return make()
        key = (f"{what} of a picture", self.of(number))
        kept = self._cache.get(Sort.PARTS, *key)
        if kept is not None:
            return msgspec.msgpack.decode(kept, type=kind)
        made = make()
        self._cache.put(Sort.PARTS, msgspec.msgpack.encode(made), *key)
        return made

    def _look(self, number: Form) -> _KnownObject:
        if number not in self._known:
            self._known[number] = None
            self._known[number] = self._read(number)
        known = self._known[number]
        # What leads back to itself has no digest of its own: its number in this file must do.
        return known or _KnownObject(b"around %d %d" % number, alone=False)

    def _read(self, number: Form) -> _KnownObject:
        thing = self._pdf.get_object(number)
        written = _packed(thing)
        found, alone, end = hashlib.blake2b(digest_size=32), not _leans(written), 0
        noted = _UNSEEN.search(written) is not None
        for token in REFERENCES.finditer(written):
            if token[1]:
                inner = self._look((int(token[1]), int(token[2])))
                found.update(written[end : token.start()] + inner.digest)
                alone, noted = alone and inner.alone, noted or inner.noted
            elif token[0].startswith(b"/Parent"):
                found.update(written[end : token.start()])
            else:
                continue
            end = token.end()
        found.update(written[end:])
        if isinstance(thing, Stream):
            found.update(b"stream")
            found.update(thing.read_raw_bytes())
        return _KnownObject(found.digest(), alone, noted)


def _leans(written: bytes) -> bool:
    """True for what is on a layer, or takes its resources from what draws it."""
    if _LAYERED.search(written):
        return True
    draws = b"/Subtype /Form" in written or b"/Subtype /Type3" in written
    return draws and b"/Resources" not in written


def _packed(thing: Object) -> bytes:
    """An object as the file has it, what it refers to by numbers."""
    return (thing.stream_dict if isinstance(thing, Stream) else thing).unparse(resolved=True)


class FormReader:
    """Reads forms of one file; what many of them share is read once."""

    def __init__(self, pdf: Pdf, prints: Fingerprints | None = None) -> None:
        self._pdf = pdf
        self._prints = prints or Fingerprints(pdf)
        self._made: dict[Form, _ObjectDigest] = {}
        self._pictures = PictureReader()

    def read(self, number: Form) -> FormEntry:
        """What the form of that number is made of. Raises whatever pikepdf does where it is
        damaged."""
        return self._prints.once(lambda: self._entry(number), "entry", number)

    def _entry(self, number: Form) -> FormEntry:
        made = self._at(number)
        places: dict[str, Rect] = {}
        if made.pictures:
            form = self._pdf.get_object(number)
            x1, _, _, y2 = (float(value) for value in form.BBox)
            one = pt_to_mm(1)
            onto = Matrix(one, 0, 0, -one, -x1 * one, y2 * one).then(_matrix_of(form))
            for image, matrix in self._pictures.read(form):
                place = onto.then(matrix).box(Rect(0, 0, 1, 1))
                places.setdefault(self._at(image.objgen).pictures[0].hex(), place)
        return FormEntry(
            drawing=made.drawing.hex(),
            pictures=tuple(
                PictureEntry(digest=digest, box_mm=near_box(places.get(digest, _NOWHERE), 2))
                for digest in dict.fromkeys(each.hex() for each in made.pictures)
            ),
            fonts=tuple(dict.fromkeys(each.hex() for each in made.fonts)),
        )

    def lettering(self, page: Page) -> tuple[str, ...]:
        """Digests of the fonts that a page itself names."""
        named = dict(page.resources.get("/Font", Dictionary())).values()
        made = (self._at(f.objgen) if f.is_indirect else self._read(f) for f in named)
        fonts = (font for each in made for font in each.fonts)
        return tuple(font.hex() for font in fonts)

    def _at(self, number: Form) -> _ObjectDigest:
        made = self._made.get(number)
        if made is None:
            self._made[number] = _ROUND
            thing = self._pdf.get_object(number)
            if isinstance(thing, Stream) and thing.get("/Subtype") == Name.Image:
                made = self._prints.of_picture(
                    lambda: self._read(thing), _ObjectDigest, "digests", thing
                )
            else:
                made = self._prints.once(lambda: self._read(thing), "made of", number)
            self._made[number] = made
        return made

    def _read(self, thing: Object) -> _ObjectDigest:
        digest, end = hashlib.blake2b(digest_size=_BYTES), 0
        pictures: list[bytes] = []
        fonts: list[bytes] = []
        parts: list[bytes] = []
        written = _written(thing)
        for token in REFERENCES.finditer(written):
            if token[1]:
                parts.append(written[end : token.start()])
                inner = self._at((int(token[1]), int(token[2])))
                parts.append(inner.drawing)
                pictures += inner.pictures
                fonts += inner.fonts
            elif token[0].startswith(b"/Parent"):
                parts.append(written[end : token.start()])
            else:
                continue
            end = token.end()
        parts.append(written[end:])
        if isinstance(thing, Stream) and thing.get("/Subtype") == Name.Image:
            for pixels in (_content(thing), *pictures):  # its mask is part of it
                digest.update(pixels)
            way = hashlib.blake2b(b"".join(parts), digest_size=SHOWN)
            return _ObjectDigest(b"picture", (digest.digest() + way.digest(),))
        for part in parts:
            digest.update(part)
        if isinstance(thing, Stream):
            digest.update(b"stream" + _content(thing))
        if isinstance(thing, Dictionary) and thing.get("/Type") == Name.Font:
            for font in fonts:  # the outlines of one with many glyphs are in a font within it
                digest.update(font)
            return _ObjectDigest(b"font", (), (digest.digest(),))
        is_short = not isinstance(thing, Stream) and summed(map(len, parts)) <= _SHORT
        drawing = b"".join(parts) if is_short else digest.digest()
        return _ObjectDigest(drawing, tuple(pictures), tuple(fonts))


def _written(thing: Object) -> bytes:
    """An object as PDF has it, what it refers to by numbers, what it is packed by left out."""
    if not isinstance(thing, Stream):
        return thing.unparse(resolved=True)
    told = {key: value for key, value in thing.stream_dict.items() if key not in _STORED}
    if not _unpacks(thing):  # how it is unpacked is what it shows
        told.update({key: thing[key] for key in _UNPACKED_BY if key in thing})
    return b"".join(key.encode() + b" " + _value(value) for key, value in sorted(told.items()))


def _value(value: Any) -> bytes:
    if isinstance(value, Object):
        if value.is_indirect:
            return b"%d %d R " % value.objgen
        return value.unparse() + b" "
    return f"{value} ".encode()


def _unpacks(stream: Stream) -> bool:
    """True for what is packed without a loss."""
    filters = stream.get("/Filter")
    names = [str(filters)] if isinstance(filters, Name) else [str(name) for name in filters or ()]
    return not {"/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode"}.intersection(names)


def _content(stream: Stream) -> bytes:
    return stream.read_bytes() if _unpacks(stream) else stream.read_raw_bytes()


_SETTINGS: Final = {
    b"Tc": "its letters are set {apart}",
    b"Tw": "its words are set {apart}",
    b"Tz": "its letters are {squeezed}: set at {number:g} % of their width",
}
_SET: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?"
    rb"|(?<![^\s\])>])([-+]?(?:\d++\.?+\d*+|\.\d++))\s++(Tc|Tw|Tz)(?=\s|$)",
    re.S,
)
_NEUTRAL: Final = {b"Tc": 0.0, b"Tw": 0.0, b"Tz": 100.0}


def oddities(form: Object) -> Iterator[str]:
    """How a form sets its letters, in words, as none does that a build writes: nobody needs to
    compare what is seen."""
    found: dict[str, None] = {}
    for thing in forms_in(form):
        for match in _SET.finditer(thing.read_bytes()):
            number = float(match[1] or 0)
            if match[2] and number != _NEUTRAL[match[2]]:
                found[_setting(match[2], number)] = None
    yield from found


def forms_in(form: Object) -> Iterator[Object]:
    """A form, and all that it draws which are forms, each once."""
    seen: set[Form] = set()
    waiting = [form]
    while waiting:
        thing = waiting.pop()
        if thing.objgen in seen:
            continue
        seen.add(thing.objgen)
        yield thing
        drawn = dict(thing.get("/Resources", Dictionary()).get("/XObject", {})).values()
        waiting += [each for each in drawn if each.get("/Subtype") == Name.Form]


def _setting(name: bytes, number: float) -> str:
    return _SETTINGS[name].format(
        number=number,
        apart="wider apart" if number > 0 else "closer",
        squeezed="squeezed" if number < 100 else "stretched",
    )


_TOKENS: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?|/([^\s/()<>\[\]{}%]+)\s+Do\b|\b(cm)\b|(?<![\w/*.'\"])([qQ])(?![\w*.'\"])",
    re.S,
)
_NUMBER: Final = re.compile(rb"[-+.\d]+")
_LONGEST: Final = 160
"""Bytes that six numbers take at most."""


class DrawnPicture(NamedTuple):
    """A picture and what brings its unit square to the space of the form, pt."""

    image: Object
    matrix: Matrix

    @property
    def corners(self) -> tuple[Point, ...]:
        """Of its unit square, in the space of the form."""
        a, b, c, d, e, f = self.matrix
        return tuple(Point(a * x + c * y + e, b * x + d * y + f) for x in (0, 1) for y in (0, 1))


class PictureReader:
    """Reads forms one after the other; what many of them draw is looked at once."""

    def __init__(self) -> None:
        self._forms: dict[tuple[int, int], tuple[DrawnPicture, ...]] = {}

    def read(self, form: Object, depth: int = 0) -> tuple[DrawnPicture, ...]:
        """The pictures of a form, in its space and in order of painting."""
        known = self._forms.get(form.objgen)
        if known is None:
            known = self._forms[form.objgen] = tuple(self._look(form, depth))
        return known

    def _look(self, form: Object, depth: int) -> Iterator[DrawnPicture]:
        resources = form.get("/Resources", Dictionary())
        drawn: dict[str, tuple[DrawnPicture, ...]] = {}
        for name, item in dict(resources.get("/XObject", {})).items():
            if item.get("/Subtype") == Name.Image:
                drawn[name.removeprefix("/")] = (DrawnPicture(item, IDENTITY),)
            elif item.get("/Subtype") == Name.Form and depth < _DEEPEST:
                drawn[name.removeprefix("/")] = tuple(
                    DrawnPicture(inner.image, _matrix_of(item).then(inner.matrix))
                    for inner in self.read(item, depth + 1)
                )
        if any(drawn.values()):
            yield from _placed(form.read_bytes(), drawn)


def _placed(stream: bytes, drawn: Mapping[str, tuple[DrawnPicture, ...]]) -> Iterator[DrawnPicture]:
    """What a stream draws, where its `q`, `Q` and `cm` put it."""
    ctm, saved = IDENTITY, list[Matrix]()
    last = stream.rfind(b"Do")
    for token in _TOKENS.finditer(stream):
        if token.start() > last:  # most of a card, whose words come after its pictures
            break
        name, moves, stack = token.groups()
        if moves:
            ctm = ctm.then(_numbers_before(stream, token.start()))
        elif stack == b"q":
            saved.append(ctm)
        elif stack and saved:
            ctm = saved.pop()
        elif name:
            for picture in drawn.get(name.decode("latin-1"), ()):
                yield DrawnPicture(picture.image, ctm.then(picture.matrix))


def _numbers_before(stream: bytes, at: int) -> Matrix:
    numbers = _NUMBER.findall(stream[max(0, at - _LONGEST) : at])[-6:]
    return Matrix(*map(float, numbers)) if len(numbers) == 6 else IDENTITY


def _matrix_of(form: Object) -> Matrix:
    return Matrix(*(float(v) for v in form.Matrix)) if "/Matrix" in form else IDENTITY


DPI: Final = 100
"""Of the pixels that are looked at: 3 mm of bleed are 12 of them, a 7 pt line is 10 high. Four of
them become one of a proof, which is 0.5 mm wide."""
SMALLER: Final = 2
PAINTER: Final = f"PDFium {pypdfium2.PDFIUM_INFO.build}"
"""Who draws the proofs: another version of it draws edges another way."""
_LEVELS: Final = 16
"""Of each channel that are kept; more would only take more room."""
_COARSE: Final = bytes(
    round(level * (_LEVELS - 1) / 255) * 255 // (_LEVELS - 1) for level in range(256)
)
_SAME: Final = 16
"""By which a pixel may differ from its proof: half a level, and what comes of rounding."""
_BEYOND: Final = [max(difference - _SAME, 0) for difference in range(256)]
MOST_PIXELS: Final = 5_000_000
"""Of a proof: of a face of A0."""
_REDUCE_FROM: Final = 512
"""Pixels, of the longer side, from which a picture is drawn with half of them each way."""
_QUARTER_FROM: Final = 1000
"""Pixels from which it is drawn with a quarter: 75 dpi are left of 300."""
_QUARTER: Final = 4
_MOST_SMALL: Final = 24
_MODEST: Final = 2_000_000
"""So many pictures of so many pixels a process remembers made smaller."""


def proof(page: pypdfium2.PdfPage) -> str:
    """The proof of the face that a page shows alone, to the edges of its form: WebP without loss,
    as base64."""
    stream = io.BytesIO()
    coarse = drawn(page).point(_COARSE * 4)
    coarse.save(stream, "WEBP", lossless=True, method=0, quality=0)
    return base64.b64encode(stream.getvalue()).decode()


def drawn(page: pypdfium2.PdfPage, laid: Matrix | None = None) -> Image.Image:
    """What a page shows, at the size of a proof, on nothing; `laid` otherwise, through a matrix of
    the proof's pixels about its middle."""
    width, height = (max(-(-side * DPI // 72), 1) for side in page.get_size())
    size = int(width), int(height)
    bitmap = pypdfium2.PdfBitmap.new_native(*size, pdfium.FPDFBitmap_BGRA, rev_byteorder=True)
    bitmap.fill_rect((0, 0, 0, 0), 0, 0, *size)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    if laid is None:
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, 0, flags)
    else:
        through = pdfium.FS_MATRIX(*_on_bitmap(laid, size, page.get_size()))
        everywhere = pdfium.FS_RECTF(0, 0, *size)
        pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, through, everywhere, flags)
    picture: Image.Image = bitmap.to_pil().reduce(SMALLER)
    bitmap.close()
    return picture


def _on_bitmap(laid: Matrix, size: tuple[int, int], page: tuple[float, float]) -> Matrix:
    """From points of a page to pixels of its bitmap, through a matrix about its middle."""
    x, y = size[0] / 2, size[1] / 2
    larger = Matrix(*laid[:4], laid.e * SMALLER, laid.f * SMALLER)
    scaled = Matrix(size[0] / page[0], 0, 0, size[1] / page[1], -x, -y)
    return Matrix(e=x, f=y).then(larger).then(scaled)


def proof_pixels(width: float, height: float) -> float:
    """How many the proof of a face of that size, pt, has."""
    return width * height * (DPI / SMALLER / 72) ** 2


class NoProofError(ValueError):
    """What is written in the place of a proof is none."""


def proof_picture(proof: str) -> Image.Image:
    """A proof as it is seen on white paper. Raises NoProofError."""
    try:
        with Image.open(io.BytesIO(base64.b64decode(proof)), formats=("WEBP",)) as picture:
            if math.prod(picture.size) > MOST_PIXELS:
                raise NoProofError
            small = picture.copy()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NoProofError from error
    return on_paper(small)


def on_paper(picture: Image.Image) -> Image.Image:
    """A picture as it is seen on white paper."""
    if picture.mode == "RGB":  # as WebP tells of one that is opaque all over
        return picture
    paper = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def proof_difference(seen: Image.Image, proof: Image.Image) -> Image.Image:
    """Where a picture at the size of a proof is another than that: how far, by its worst channel,
    less what comes of how the proof is kept."""
    red, green, blue = ImageChops.difference(seen, proof).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(_BEYOND)


def is_as(seen: Image.Image, proof: Image.Image) -> bool:
    """True for a picture that shows what its proof does."""
    return seen.size == proof.size and proof_difference(seen, proof).getbbox() is None


def lighten(picture: Any) -> None:
    """Make a large JPEG smaller, so that it is drawn fast; others stay as they are."""
    if picture.get("/Filter") != pikepdf.Name.DCTDecode:
        return
    size = int(picture.Width), int(picture.Height)
    if max(size) < _REDUCE_FROM:
        return
    if "/SMask" in picture or "/Decode" in picture or "/DecodeParms" in picture:
        return
    if isinstance(picture.get("/ColorSpace"), pikepdf.Array) and not _is_profiled(picture):
        return
    small = (_remembered if math.prod(size) <= _MODEST else _smaller)(
        picture.read_raw_bytes(), size
    )
    if small is None:
        return
    # As plain pixels: a JPEG would be decoded again wherever the picture is drawn.
    picture.write(small.pixels)
    picture.ColorSpace = pikepdf.Name.DeviceGray if small.grey else pikepdf.Name.DeviceRGB
    picture.BitsPerComponent, picture.Width, picture.Height = 8, small.width, small.height


def _is_profiled(picture: Any) -> bool:
    """True for colours by a profile, of which sRGB is taken for granted."""
    return bool(picture.ColorSpace[0] == pikepdf.Name.ICCBased)


class _SmallPicture(NamedTuple):
    """A picture made smaller, 8 bits a channel."""

    pixels: bytes
    width: int
    height: int
    grey: bool


def _smaller(content: bytes, size: tuple[int, int]) -> _SmallPicture | None:
    """A JPEG made smaller; None where it is of other colours or another size, or no use."""
    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.mode not in ("RGB", "L") or image.size != size:
                return None
            smaller = _QUARTER if max(image.size) >= _QUARTER_FROM else 2
            image.draft(image.mode, (image.width // smaller, image.height // smaller))
            small = image.copy()
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    return _SmallPicture(small.tobytes(), small.width, small.height, small.mode == "L")


_remembered: Final = functools.lru_cache(_MOST_SMALL)(_smaller)
"""For what many faces share: each batch of them has a copy of it."""


def lighten_all(pdf: pikepdf.Pdf) -> None:
    """Make the large JPEGs of a file smaller."""
    for item in pdf.objects:
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == pikepdf.Name.Image:
            lighten(item)
