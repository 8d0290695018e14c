"""Makes one Form XObject of each distinct face, of its drawn art and its text, in a PDF file.

The faces of a file come from several PDFs, and each brings its own copy of pictures, fonts and
colour profiles. What has the same bytes is replaced by the first of its kind."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from decimal import Decimal
from functools import partial
from importlib.resources import files
from typing import Final, NamedTuple

from pikepdf import AccessMode, Array, Dictionary, Name, Object, Page, Pdf, Stream

from generator.cache import NOTHING_KEPT, Cache
from generator.export.pdf_text import Composing, Used, clipped, numbers
from generator.export.svg_to_pdf import ArtPdfs
from generator.geometry import IDENTITY, PT_PER_MM, Matrix, Rect, mm_to_pt
from generator.model.face import Art, Face, Text

_LEAST_PAGE: Final = 3.0
"""pt (PDF 1.7, annex C.2)."""
_LEAST_TURN: Final = 1e-6
_PROFILES: Final = {"RGB": ("profiles/sRGB-v4.icc", 3), "Grey": ("profiles/sGrey-v4.icc", 1)}
"""What colours are meant by: the ICC profiles that the art has as well, and how many numbers a
colour has."""


class _Content(NamedTuple):
    """What the form of a face has in it: its stream; the drawings, the opacities and the words that
    this names."""

    stream: bytes
    drawings: Mapping[str, Art]
    states: Mapping[str, float]
    used: Used


def face_forms(
    pdf: Pdf,
    faces: Iterable[Face],
    art: ArtPdfs,
    composing: Composing,
    opened: ExitStack,
    cache: Cache = NOTHING_KEPT,
    turns: Mapping[str, Set[int]] | None = None,
) -> tuple[dict[str, Object], dict[str, Object]]:
    """A Form XObject in `pdf` for each distinct face, by its sha256, in the order of the faces; and
    all the fonts that were composed with, by their names. `turns` are those in which each face, by
    its sha256, lies on the pages, clockwise, degrees; upright where nothing is said.

    Its space is pt, from the lower left corner of the bleed. The drawings stay in their files,
    which `opened` keeps open, until they are copied unchanged into the finished file.
    """
    making = _Making(pdf, art, composing, opened, cache, turns or {})
    forms: dict[str, Object] = {}
    for face in faces:
        if face.sha256 not in forms:
            forms[face.sha256] = making.form(face)
    return forms, making.finish()


class _Making:
    """The forms of one file in the making."""

    def __init__(
        self,
        pdf: Pdf,
        art: ArtPdfs,
        composing: Composing,
        opened: ExitStack,
        cache: Cache,
        turns: Mapping[str, Set[int]],
    ) -> None:
        self._pdf = pdf
        self._turns = turns
        self._cache = cache
        self._art = art
        self._opened = opened
        self._sources: dict[int, Pdf] = {}
        self._drawn: dict[str, Object] = {}
        self._pool = _Pool()
        self._composing = composing
        self._lettered: list[tuple[Object, list[str]]] = []
        self._states: dict[str, Object] = {}
        self._spaces: Object | None = None

    def form(self, face: Face) -> Object:
        """The form of a face: its drawing itself where it is nothing else."""
        if len(face.layers) == 1:
            (layer,) = face.layers
            if isinstance(layer, Art) and layer.matrix == IDENTITY and not layer.clips:
                return self._drawing(layer)
        turns = tuple(sorted(self._turns.get(face.sha256, ())))
        content = self._cache.once(
            partial(self._content, face, turns),
            "form",
            face.sha256,
            self._composing.made_with,
            turns,
        )
        form = self._pdf.make_stream(content.stream)
        form.Type, form.Subtype = Name.XObject, Name.Form
        whole = _whole(face)
        form.BBox = Array([0, 0, _length(whole.width), _length(whole.height)])
        form.Resources = Dictionary()
        if content.drawings:
            form.Resources.XObject = Dictionary(
                {f"/{name}": self._drawing(art) for name, art in content.drawings.items()}
            )
        if content.states:
            form.Resources.ExtGState = Dictionary(
                {f"/{name}": self._state(name, opacity) for name, opacity in content.states.items()}
            )
        if content.used:
            form.Resources.ColorSpace = self._colour_spaces()
            self._composing.use(content.used)
            self._lettered.append((form, list(content.used)))
        return form

    def _content(self, face: Face, turns: Sequence[int]) -> _Content:
        bleed, bottom = face.stock.bleed, _whole(face).bottom
        onto = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, PT_PER_MM * bleed, PT_PER_MM * bottom)
        drawings: dict[str, Art] = {}
        states: dict[str, float] = {}
        used: Used = {}
        parts: list[str] = []
        for layer in face.layers:
            if isinstance(layer, Text):
                turned = _is_turned(layer, turns)
                written = self._composing.operators(layer, onto, states, used, turned=turned)
                parts.append(written)
            else:
                name = f"A{layer.sha256[:16]}"
                drawings[name] = layer
                parts.append(_placed(layer, onto, name))
        return _Content("".join(parts).encode(), drawings, states, used)

    def finish(self) -> dict[str, Object]:
        """Give each form its fonts, now that all glyphs are known that are used of them."""
        fonts = self._composing.fonts(self._pdf, self._cache)
        for form, names in self._lettered:
            form.Resources.Font = Dictionary({f"/{name}": fonts[name] for name in names})
        return fonts

    def _drawing(self, art: Art) -> Object:
        form = self._drawn.get(art.sha256)
        if form is None:
            number, page = self._art.pages[art.sha256]
            if number not in self._sources:
                source = self._opened.enter_context(
                    Pdf.open(self._art.files[number], access_mode=AccessMode.mmap)
                )
                self._sources[number] = source
            drawn = _as_form(self._sources[number].pages[page], art.box)
            form = self._drawn[art.sha256] = self._pdf.copy_foreign(drawn)
            self._pool.share(form.Resources)
        return form

    def _state(self, name: str, opacity: float) -> Object:
        if name not in self._states:
            state = Dictionary(Type=Name.ExtGState, ca=Decimal(f"{opacity:.4f}"))
            self._states[name] = self._pdf.make_indirect(state)
        return self._states[name]

    def _colour_spaces(self) -> Object:
        """The colour spaces that text is painted in, the same objects as those of the art."""
        if self._spaces is None:
            spaces = Dictionary()
            for name, (file, count) in _PROFILES.items():
                profile = self._pdf.make_stream(files(__package__).joinpath(file).read_bytes())
                profile.N = count
                profile.Range = Array([0, 1] * count)
                spaces[f"/{name}"] = self._pdf.make_indirect(Array([Name.ICCBased, profile]))
            holder = Dictionary(ColorSpace=spaces)
            self._pool.share(holder)
            self._spaces = self._pdf.make_indirect(holder.ColorSpace)
        return self._spaces


def _is_turned(text: Text, turns: Sequence[int]) -> bool:
    """Whether a text does not stand upright on a page in all these turns."""
    a, b, _, _, _, _ = text.matrix
    return any(turns) or a < 0 or abs(b) > _LEAST_TURN * a


def _whole(face: Face) -> Rect:
    """A face with its bleed, mm from its trim."""
    trim = face.stock.trim
    return Rect(0, 0, trim.width, trim.height).grown(face.stock.bleed)


def _as_form(page: Page, box: Rect) -> Object:
    """The page's content stream, made a Form XObject where it is: its bytes are not touched."""
    form = page.obj.Contents
    form.Type = Name.XObject
    form.Subtype = Name.Form
    form.BBox = page.obj.MediaBox
    # The engine makes no page smaller than 3 pt, and draws in the lower left corner of that.
    for corner, length in ((2, box.width), (3, box.height)):
        if mm_to_pt(length) < _LEAST_PAGE:
            form.BBox[corner] = _length(length)
    form.Resources = page.obj.Resources
    if "/Group" in page.obj:
        form.Group = page.obj.Group
    return form


def _placed(art: Art, onto: Matrix, name: str) -> str:
    """The operators that paint a drawing: its page, pt, taken to where its box lies on the face."""
    to_box = Matrix(1 / PT_PER_MM, 0, 0, -1 / PT_PER_MM, art.box.x, art.box.bottom)
    matrix = onto.then(art.matrix).then(to_box)
    clips = "".join(f"{clipped(clip, onto)} " for clip in art.clips)
    operands = numbers(*matrix)
    moved = "" if operands == "1 0 0 1 0 0" else f"{operands} cm "
    return f"q {clips}{moved}/{name} Do Q\n"


def _length(mm: float) -> Decimal:
    return Decimal(f"{mm_to_pt(mm):.4f}".rstrip("0").rstrip("."))


_SHARED: Final = ("/Font", "/ColorSpace")
_UNTOLD: Final = frozenset(("/Length", "/Parent"))
_UNTOLD_OF_PROFILES: Final = _UNTOLD | {"/Filter", "/Range", "/Alternate"}


class _Pool:
    """All that one file holds so far, by content."""

    def __init__(self) -> None:
        self._first: dict[bytes, Object] = {}
        self._prints: dict[tuple[int, int], bytes] = {}
        self._done: set[tuple[int, int]] = set()

    def share(self, resources: Object) -> None:
        """Replace, in a resource dictionary and those of the forms in it, what is already here."""
        for category in _SHARED:
            if category in resources:
                self._share_entries(resources[category])
        for name, drawn in dict(resources.get("/XObject", {})).items():
            if drawn.get("/Subtype") == Name.Image:
                self._share_entry(resources.XObject, name, drawn)
            elif drawn.objgen not in self._done:
                self._done.add(drawn.objgen)
                if "/Resources" in drawn:
                    self.share(drawn.Resources)

    def _share_entries(self, entries: Object) -> None:
        for name, value in dict(entries).items():
            self._share_entry(entries, name, value)

    def _share_entry(self, entries: Object, name: str, value: Object) -> None:
        if not isinstance(value, Object) or not value.is_indirect:
            return
        first = self._first.setdefault(self._fingerprint(value), value)
        if first.objgen != value.objgen:
            entries[name] = first

    def _fingerprint(self, value: Object) -> bytes:
        """A digest of all that an object holds, whatever the numbers of the objects in it."""
        if not isinstance(value, Object) or not value.is_indirect:
            return self._digest(value)
        if value.objgen not in self._prints:
            self._prints[value.objgen] = self._digest(value)
        return self._prints[value.objgen]

    def _digest(self, value: Object) -> bytes:
        digest = hashlib.sha256()
        left_out = _UNTOLD
        if isinstance(value, Stream) and "/N" in value:  # a colour profile, packed or not
            digest.update(b"profile" + value.read_bytes())
            left_out = _UNTOLD_OF_PROFILES
        elif isinstance(value, Stream):
            digest.update(b"stream" + value.read_raw_bytes())
        if isinstance(value, Stream | Dictionary):
            for key in sorted(value.keys()):
                if key not in left_out:
                    digest.update(key.encode() + self._fingerprint(value[key]))
        elif isinstance(value, Array):
            for item in value.as_list():
                digest.update(self._fingerprint(item))
        else:
            digest.update(repr(value).encode())
        return digest.digest()
