"""Forms in, the pictures that they draw and where out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from pikepdf import Dictionary, Name, Object, PikepdfError
from PIL import Image

from generator.geometry import IDENTITY, Matrix, Point

_TOKENS: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?|/([^\s/()<>\[\]{}%]+)\s+Do\b|\b(cm)\b|(?<![\w/*.'\"])([qQ])(?![\w*.'\"])",
    re.S,
)
_NUMBER: Final = re.compile(rb"[-+.\d]+")
_LONGEST: Final = 160
"""Bytes that six numbers take at most."""
_DEEPEST: Final = 40


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


NOT_READ: Final = (
    PikepdfError,
    Image.DecompressionBombError,
    LookupError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
)
"""What is raised of a picture that neither pikepdf nor Pillow can read, such as one of 16 bits:
most printers can, so that it is no fault of the file."""
