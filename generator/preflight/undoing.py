"""Finds how a face or a picture was changed by undoing it: moved, scaled, stretched, turned or
slanted back, it is what it was. It is long, since each way is tried by drawing it anew.

What is wrong with a face is best known by undoing it: if then it shows what was rendered, that was
it. So one of its things is left out, laid otherwise or in another state.

Where to look for a way in which it was moved is found on little pictures. Then what is seen now is
drawn anew, laid back in each way, until it is what was seen before: a painter sets letters and
edges to whole pixels, and only drawing tells where these fall. Where a picture slopes, what still
differs tells how far to go."""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Dictionary, Name, Pdf, Stream
from PIL import Image

from generator.geometry import IDENTITY, Matrix, Rect
from generator.pdf_forms import Form, drawn, lighten_all, on_paper
from generator.preflight.page_objects import PageObject, box_of, matrix_of
from generator.preflight.page_parts import add_face
from generator.preflight.painted import STROKED
from generator.preflight.raster import read_layers

_MOST_STATES: Final = 12
"""That are undone, one after the other."""
_SLANTED: Final = 0.001
TEXT: Final = pdfium.FPDF_PAGEOBJ_TEXT
PICTURE: Final = pdfium.FPDF_PAGEOBJ_IMAGE


class Thing(NamedTuple):
    """What a face paints at one go: where it is, in pixels of the proof, and what brings its own
    space to the points of the page."""

    drawn: PageObject
    box: Rect
    placed: Matrix

    @property
    def kind(self) -> int:
        """Words, a picture, a shape or something else, as PDFium numbers them."""
        return self.drawn.kind

    @property
    def narrowed(self) -> float:
        """How wide words are set, of how wide their letters are; 1 where they are slanted."""
        a, b, c, d, _, _ = self.placed
        slant = abs(a * c + b * d)
        area = abs(a * d - b * c)
        return 1.0 if slant >= _SLANTED * area else self.placed.across / self.placed.down

    @property
    def size_pt(self) -> float:
        """Of words, as they are printed."""
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(self.drawn.item, size)
        return float(size.value) * abs(self.placed.area) / self.placed.across


class Redrawn:
    """Draws the face that a page shows alone as its proof was drawn, but not as it is."""

    def __init__(self, document: pypdfium2.PdfDocument, source: Pdf) -> None:
        self._source = source
        self._page = document[0]
        left, bottom, right, top = self._page.get_mediabox()
        width, height = on_paper(drawn(self._page)).size
        across, down = width / (right - left), height / (top - bottom)
        self._middle = width / 2, height / 2
        pixels = Matrix(across, 0, 0, -down, -left * across, top * down)
        points = pixels.inverse
        self.things = [
            Thing(
                each,
                box_of(each.item, each.matrix),
                points.then(each.matrix).then(matrix_of(each.item)),
            )
            for layer in read_layers(self._page, pixels)
            for each in layer.objects
        ]

    def laid(self, through: Matrix, things: Sequence[Thing] | None = None) -> Image.Image:
        """Through a matrix of the proof's pixels about its middle; all of it, or some things."""
        if things is None:
            return on_paper(drawn(self._page, through))
        x, y = self._middle
        about = Matrix(e=x, f=y).then(through).then(Matrix(e=-x, f=-y))
        moves = [
            (each.drawn.item, _within(about, each.drawn.matrix))
            for each in things
            if each.drawn.matrix.area
        ]
        for item, matrix in moves:
            pdfium.FPDFPageObj_TransformF(item, pdfium.FS_MATRIX(*matrix))
        picture = self.laid(IDENTITY)
        for item, matrix in moves:
            pdfium.FPDFPageObj_TransformF(item, pdfium.FS_MATRIX(*matrix.inverse))
        return picture

    def without(self, things: Sequence[Thing]) -> Image.Image:
        """Some things left out."""
        for each in things:
            pdfium.FPDFPageObj_SetIsActive(each.drawn.item, False)
        picture = self.laid(IDENTITY)
        for each in things:
            pdfium.FPDFPageObj_SetIsActive(each.drawn.item, True)
        return picture

    def filled(self) -> Image.Image | None:
        """With no line round its letters; None where there is none."""
        words = (each.drawn.item for each in self.things if each.kind == TEXT)
        modes = ((item, pdfium.FPDFTextObj_GetTextRenderMode(item)) for item in words)
        found = [(item, mode) for item, mode in modes if mode in STROKED]
        for item, _ in found:
            pdfium.FPDFTextObj_SetTextRenderMode(item, pdfium.FPDF_TEXTRENDERMODE_FILL)
        picture = self.laid(IDENTITY) if found else None
        for item, mode in found:
            pdfium.FPDFTextObj_SetTextRenderMode(item, mode)
        return picture

    def restated(self) -> Iterator[tuple[str, Image.Image]]:
        """With what changes its colours undone, one after the other: what that is, in words."""
        left = _MOST_STATES
        for state in _states(self._source):
            for keys, told in _UNDONE.items():
                was = {key: state[key] for key in keys if key in state}
                words = told(was)
                if not words or not left:
                    continue
                left -= 1
                for key in was:
                    del state[key]
                yield words, self._anew()
                for key, value in was.items():
                    state[key] = value

    def unmasked(self) -> Image.Image | None:
        """With no soft mask on its pictures; None where none has one."""
        masked = [
            item
            for item in self._source.objects
            if isinstance(item, Stream) and item.get("/Subtype") == Name.Image and "/SMask" in item
        ]
        masks = [item.SMask for item in masked]
        for item in masked:
            del item.SMask
        picture = self._anew() if masked else None
        for item, mask in zip(masked, masks, strict=True):
            item.SMask = mask
        return picture

    def _anew(self) -> Image.Image:
        with _opened(self._source) as document:
            return on_paper(drawn(document[0]))


def _within(about: Matrix, container: Matrix) -> Matrix:
    """A matrix of pixels as one of the space that a thing is in."""
    return container.inverse.then(about).then(container)


def _mixed(state: dict[str, Any]) -> str:
    mode = str(state.get("/BM", Name.Normal)).removeprefix("/")
    return "" if mode in ("Normal", "Compatible") else f"mixed with what lies below it ({mode})"


def _opaque(state: dict[str, Any]) -> str:
    least = min(map(float, state.values()), default=1.0)
    return "" if least >= 1 else f"faint: paler than it was, at {100 * least:.0f} % of its opacity"


def _masked(state: dict[str, Any]) -> str:
    masked = isinstance(state.get("/SMask"), Dictionary)
    return "faint: paler than it was, through a soft mask" if masked else ""


_UNDONE: Final = {("/BM",): _mixed, ("/ca", "/CA"): _opaque, ("/SMask",): _masked}
"""What a graphics state may say that changes colours, and the words for it; none where it does
not."""


def _states(pdf: Pdf) -> Iterator[Any]:
    """The graphics states that the forms of a file name, each once."""
    seen: set[tuple[int, int]] = set()
    for form in pdf.objects:
        if isinstance(form, Stream) and form.get("/Subtype") == Name.Form:
            resources = form.get("/Resources", Dictionary())
            for state in dict(resources.get("/ExtGState", {})).values():
                if not state.is_indirect or state.objgen not in seen:
                    seen.add(state.objgen)
                    yield state


@contextmanager
def redrawn(pdf: Pdf, form: Form) -> Iterator[Redrawn]:
    """What draws a face of a file anew."""
    source = Pdf.new()
    add_face(source, pdf, form)
    lighten_all(source)
    with _opened(source) as document:
        yield Redrawn(document, source)


@contextmanager
def _opened(source: Pdf) -> Iterator[pypdfium2.PdfDocument]:
    out = io.BytesIO()
    source.save(out, static_id=True)
    document = pypdfium2.PdfDocument(out.getvalue())
    try:
        yield document
    finally:
        document.close()


_SMALL: Final = 64
"""Pixels of the longer side of the little pictures."""
_STEPS: Final = 5
"""Of making a way exact."""
_LEAST: Final = 8
"""Pixels a side of what can be said to have moved."""
_NOISE: Final = 8
"""Levels that come of how proofs are kept."""
_FARTHEST: Final = 12
"""Pixels of a little picture by which it is moved at most, and part of its sides."""
_PART: Final = 0.4
_CERTAIN: Final = 0.999
"""Of what differs, by a way beside which no other is tried."""
_SIMPLER: Final = 2.0
"""How much more a simpler way may leave unexplained than another, and still be taken for it."""
_NEARLY: Final = 0.001
"""The same where hardly anything is left unexplained."""
_EVEN: Final = 0.05
"""The same of what is turned or mirrored: what is even both ways was turned."""
_UNSEEN: Final = 0.25
"""Pixels at the corners: what was scaled or turned by less was moved, if that explains it."""
_AS_GOOD: Final = 3.0
"""How much more that may leave unexplained."""
_LEAST_INK: Final = 500
"""Levels, of all pixels of some words."""
_LITTLE: Final = 0.02
"""Of what differs, left by a move beside which another way does but little."""
_UNEVEN: Final = 0.05
"""The same beside one that turns or distorts: a line that was moved has others about it."""
_NEAR: Final = (0.5, 0.25, 0.12)
"""Pixels by which ways beside one are tried, at the corners."""
_BETTER: Final = 0.002
"""By how much more another way must explain, to be gone on with."""
_PROMISING: Final = 2
"""Ways that are looked at closely."""
_WORTH: Final = 0.3
"""Of what differs, by a way that others beside it are tried of."""

_Four = tuple[float, float, float, float]
Redraw = Callable[[Matrix], tuple[Any, Any]]
"""Draws what is seen now through a matrix of pixels, about the middle: its pixels, and which of
them can be known."""


class _WayBack(NamedTuple):
    """A way to lay a picture back: its words, the matrix by a value (1 0 0 1 is taken off), and the
    values that are tried, from the least that there is to the largest; none where it has none."""

    words: str
    matrix: Callable[[float], _Four]
    tried: tuple[float, ...] = ()

    def has(self, value: float) -> bool:
        """Whether it goes as far as that."""
        return min(self.tried, default=0.0) <= value <= max(self.tried, default=0.0)


_SCALES: Final = (
    -0.36,
    -0.26,
    -0.18,
    -0.12,
    -0.08,
    -0.04,
    0.04,
    0.08,
    0.12,
    0.18,
    0.26,
    0.36,
    0.5,
    0.7,
)
_TURNS: Final = tuple(way * by for by in (0.04, 0.08, 0.12, 0.18, 0.26) for way in (-1, 1))
_MOVED: Final = _WayBack("moved by about {mm} mm", lambda _: (0.0, 0.0, 0.0, 0.0))
_SCALED: Final = _WayBack(
    "scaled to about {part} % of its size", lambda v: (v, 0.0, 0.0, v), _SCALES
)
WHOLE_TURNS: Final = (
    _WayBack("turned by 180°", lambda _: (-2.0, 0.0, 0.0, -2.0)),
    _WayBack("mirrored left to right", lambda _: (-2.0, 0.0, 0.0, 0.0)),
    _WayBack("mirrored top to bottom", lambda _: (0.0, 0.0, 0.0, -2.0)),
    _WayBack("turned by 90°", lambda _: (-1.0, -1.0, 1.0, -1.0)),
    _WayBack("turned by 270°", lambda _: (-1.0, 1.0, -1.0, -1.0)),
)
"""What is alike on its left and right is turned rather than mirrored."""
_KINDS: Final = (
    _MOVED,
    *WHOLE_TURNS,
    _SCALED,
    _WayBack("stretched to about {part} % of its width", lambda v: (v, 0.0, 0.0, 0.0), _SCALES),
    _WayBack("stretched to about {part} % of its height", lambda v: (0.0, 0.0, 0.0, v), _SCALES),
    _WayBack(
        "turned by about {degrees:.1f}°",
        lambda v: (math.cos(v) - 1, -math.sin(v), math.sin(v), math.cos(v) - 1),
        _TURNS,
    ),
    _WayBack("skewed, a slant distorts it", lambda v: (0.0, v, 0.0, 0.0), _TURNS),
    _WayBack("skewed, a slant distorts it", lambda v: (0.0, 0.0, v, 0.0), _TURNS),
)
"""The simpler first."""
LAID: Final = tuple(kind for kind in _KINDS if kind not in WHOLE_TURNS)
"""Those that a thing may have gone some way in."""


class Movement(Struct, frozen=True):
    """A way in which a picture of so many pixels (wide, high) was mapped: by `value`, and by x and
    y pixels. `explained` is how much of what differs it explains, up to 1."""

    kind: _WayBack
    size: tuple[int, int]
    x: float = 0.0
    y: float = 0.0
    value: float = 0.0
    explained: float = 0.0

    @property
    def shift(self) -> float:
        """Pixels by which the middle was moved."""
        return math.hypot(self.x, self.y)

    @property
    def reach(self) -> float:
        """Pixels by which corners were moved beside that."""
        largest = max(map(abs, self.kind.matrix(self.value))) if self.kind.tried else 0.0
        return largest * math.hypot(*self.size) / 2

    @property
    def way(self) -> float:
        """The greater of the two."""
        return max(self.shift, self.reach)

    @property
    def back(self) -> Matrix:
        """What lays what is seen now as it was."""
        a, b, c, d = self.kind.matrix(self.value)
        return Matrix(1 + a, c, b, 1 + d, self.x, self.y)

    @property
    def part(self) -> float:
        """How large it is now, of 1."""
        return 1 / (1 + self.value)

    def told(self, mm: float) -> str:
        """In words, `mm` being the width of a pixel."""
        percent, shift = 100 * self.part, max(self.shift * mm, 0.01)
        return self.kind.words.format(
            mm=f"{shift:.1f}" if shift >= 0.25 else f"{shift:.2f}",
            part=f"{percent:.0f}" if abs(percent - 100) >= 2 else f"{percent:.1f}",
            degrees=max(abs(math.degrees(self.value)), 0.05),
        )


def movement_between(
    before: Any,
    after: Any,
    where: Any,
    redraw: Redraw,
    kinds: Sequence[_WayBack] = _KINDS,
) -> Movement | None:
    """The way in which all that was seen before became what is seen after, as far as one did,
    judged by the pixels `where` they may differ; None where there is too little to tell."""
    if before.shape != after.shape or min(before.shape[:2]) < _LEAST:
        return None
    fit = _LaidBack(before, after, where, redraw)
    by = 1
    while max(before.shape[:2]) / by > _SMALL and min(before.shape[:2]) / by >= 2 * _LEAST:
        by *= 2
    one, other = _smaller(before, by), _smaller(after, by)
    there = _smaller(np.where(where, 255, 0), by) > 0
    little = _LaidBack(one, other, there, lambda back: resampled(other, back))
    none = Movement(_MOVED, (before.shape[1], before.shape[0]))
    slight = fit.slight([replace(none, kind=kind) for kind in kinds if kind not in WHOLE_TURNS])
    guesses = [min(map(little.solved, little.starts(kind)), key=_rest) for kind in kinds]
    guesses = [_larger(guess, by, before) for guess in sorted(guesses, key=_rest)]
    starts = [way for way in (*slight, *guesses) if way.kind is _MOVED]
    turns = [
        way for way in guesses[_PROMISING:] if way.kind in WHOLE_TURNS and way.explained > _WORTH
    ]
    guesses = [guess for guess in guesses[:_PROMISING] if guess.explained > 0] + turns
    starts += [*slight[:_PROMISING], *guesses]
    starts += [replace(none, kind=way.kind) for way in starts if way.kind in WHOLE_TURNS]
    if not starts:
        return None
    found: list[Movement] = []
    for start in dict.fromkeys(starts):
        found.append(fit.solved(start))
        if found[-1].kind is _MOVED and found[-1].explained > _CERTAIN:
            break
    for way in sorted(found, key=_rest)[:_PROMISING]:
        if _WORTH < way.explained < _CERTAIN:
            found[found.index(way)] = fit.tried_near(way)
    return _simplest(found)


def _simplest(found: list[Movement]) -> Movement:
    """Of the ways, the one to tell: a simpler one, where another explains hardly more."""
    found.sort(key=lambda way: _KINDS.index(way.kind))
    best = min(found, key=_rest)
    enough = _SIMPLER * _rest(best) + (_EVEN if best.kind in WHOLE_TURNS else _NEARLY)
    way = next(way for way in found if _rest(way) <= enough)
    moves = [each for each in found if each.kind is _MOVED]
    if way.kind is not _MOVED and moves:
        move = min(moves, key=_rest)
        if way.kind in WHOLE_TURNS:  # what is nearly even may fit so, too
            return move if _rest(move) < _LITTLE else way
        uneven = way.kind not in (_MOVED, _SCALED) and _rest(move) < _UNEVEN
        far = way.reach < way.shift / 2 and _rest(move) < _LITTLE
        as_good = _rest(move) < _AS_GOOD * _rest(way) + _LITTLE
        unseen = way.reach < _UNSEEN and (as_good or way.reach < way.shift / 2)
        if uneven or far or unseen:
            return replace(move, explained=way.explained)
    return way


class _LaidBack:
    """Lays what is seen now back, by drawing it anew, until it is what was seen before."""

    def __init__(self, before: Any, after: Any, where: Any, redraw: Redraw) -> None:
        self._before, self._after = before.astype(np.float32), after.astype(np.float32)
        self._where, self._redraw = where, redraw
        self._off = self._before - self._after
        self._power = max(_beyond(self._off[where]), 1.0)

    def _judged(self, way: Movement) -> tuple[Movement, Any, Any]:
        """The way with what it explains, what still differs, and what is seen laid back."""
        drawn, known = self._redraw(way.back)
        off = np.where(known[..., None], self._before - drawn, 0.0)
        rest = _beyond(off[self._where])
        unknown = _beyond(self._off[self._where & ~known])
        if way.kind in WHOLE_TURNS:  # all of it is seen, but where it is longer than wide
            explained = 1 - rest / max(self._power - unknown, 1.0)
        else:
            explained = 1 - rest / self._power - (unknown / self._power) ** 3
        return replace(way, explained=explained), off, drawn

    def slight(self, starts: Sequence[Movement]) -> list[Movement]:
        """Where to begin with a little, the most promising first: as slopes tell, undrawn."""
        off = self._off[self._where].ravel()
        gains = []
        for start in starts:
            columns = self._columns(self._before, start)
            step = _solved(columns, off)
            gains.append(float(np.dot(step @ columns, off)) if step is not None else 0.0)
        return [starts[at] for at in np.argsort(gains)[::-1]]

    def _columns(self, pixels: Any, way: Movement) -> Any:
        """What each number comes to be by, where a way goes a little further."""
        slopes = _slopes(pixels, way, turned=bool(way.kind.tried))
        return np.stack([-slope[self._where].ravel() for slope in slopes])

    def starts(self, kind: _WayBack) -> Iterator[Movement]:
        """Where to begin: at the picture as it is, and at the best of what is tried."""
        height, width = self._where.shape
        none = Movement(kind, (width, height))
        yield none
        if kind is _MOVED:
            across, along = (min(round(_PART * side), _FARTHEST) for side in (width, height))
            steps = ((x, y) for y in range(-along, along + 1) for x in range(-across, across + 1))
            x, y = max(steps, key=lambda step: self._moved(*step))
            yield replace(none, x=float(x), y=float(y))
        elif kind.tried:
            yield from self._by_mass(none)
            tried = (self._judged(replace(none, value=value))[0] for value in kind.tried)
            yield min(tried, key=_rest)

    def _by_mass(self, none: Movement) -> Iterator[Movement]:
        """The way that how much ink there is, where its middle is and how far it spreads tell."""
        was, now = (mass(np.where(self._where, inked(p), 0)) for p in (self._before, self._after))
        if was is None or now is None:
            return
        a, b, c, d = (bool(part) for part in none.kind.matrix(1.0))
        if b or c:  # turned or slanted
            return
        wide, high = was.wide / now.wide - 1, was.high / now.high - 1
        way = replace(none, value=wide if a else high)
        right, down = ((size - 1) / 2 for size in none.size)
        x = was.x - right - (1 + a * way.value) * (now.x - right)
        y = was.y - down - (1 + d * way.value) * (now.y - down)
        if none.kind.has(way.value):
            yield replace(way, x=x, y=y)

    def _moved(self, x: int, y: int) -> float:
        """What of the squares of what differs is explained where all was moved so far."""
        before, after = self._before, self._after
        height, width = self._where.shape
        here = slice(max(-y, 0), height - max(y, 0)), slice(max(-x, 0), width - max(x, 0))
        there = slice(max(y, 0), height + min(y, 0)), slice(max(x, 0), width + min(x, 0))
        off = np.where(self._where[there][..., None], before[there] - after[here], 0)
        return _beyond(np.where(self._where[..., None], self._off, 0)[there]) - _beyond(off)

    def solved(self, start: Movement) -> Movement:
        """The one of the ways near to one that explains most, as slopes tell."""
        best, off, drawn = self._judged(start)
        for _ in range(_STEPS):
            columns = self._columns((self._before + drawn) / 2, best)
            step = _solved(columns, off[self._where].ravel())
            if step is None or best.explained > _CERTAIN:
                break
            for part in (step, step / 2):
                found = _stepped(best, *map(float, part))
                if not start.kind.has(found.value) or found.shift > min(best.size):
                    continue
                judged = self._judged(found)
                if judged[0].explained > best.explained + _BETTER:
                    best, off, drawn = judged
                    break
            else:
                break
        return best

    def tried_near(self, way: Movement) -> Movement:
        """The same by trying: what is set to whole pixels has no slope."""
        little = 2 / math.hypot(*way.size) if way.kind.tried else 0.0
        for step in _NEAR:
            ways = [(step, 0, 0), (0, step, 0), *([(0, 0, step * little)] if little else ())]
            for by in (tuple(sign * v for v in one) for one in ways for sign in (1, -1)):
                near = self._judged(_stepped(way, *by))[0]
                while near.explained > way.explained + _BETTER:
                    way, near = near, self._judged(_stepped(near, *by))[0]
        return way


def _stepped(way: Movement, x: float, y: float, value: float = 0.0) -> Movement:
    return replace(way, x=way.x + x, y=way.y + y, value=way.value + value)


def _solved(columns: Any, off: Any) -> Any:
    """By how much of each column it is off; None where they do not tell."""
    try:
        return np.linalg.solve(columns @ columns.T, columns @ off)
    except np.linalg.LinAlgError:
        return None


def _rest(way: Movement) -> float:
    return 1 - way.explained


def _larger(way: Movement, by: int, pixels: Any) -> Movement:
    """The same of a picture that is so many times as large."""
    high, wide = pixels.shape[:2]
    return replace(way, x=by * way.x, y=by * way.y, size=(wide, high))


def _smaller(pixels: Any, by: int) -> Any:
    if by == 1:
        return pixels.astype(np.float32)
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    return np.asarray(picture.reduce(by)).astype(np.float32)


def _beyond(off: Any) -> float:
    """The squares of what differs by more than comes of packing."""
    return _squares(np.maximum(np.abs(off) - _NOISE, 0))


def _squares(values: Any) -> float:
    return float((values * values).sum())


def _grid(width: int, height: int) -> tuple[Any, Any]:
    """How far each pixel is to the right of the middle, and below it."""
    right = np.arange(width, dtype=np.float32) - (width - 1) / 2
    down = np.arange(height, dtype=np.float32) - (height - 1) / 2
    return right[None, :], down[:, None]


def resampled(pixels: Any, back: Matrix) -> tuple[Any, Any]:
    """Pixels laid back through a matrix, as well as that goes without drawing them anew."""
    x, y = laid_back(pixels.shape, back)
    height, width = pixels.shape[:2]
    x, y = x + (width - 1) / 2, y + (height - 1) / 2
    known = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    left = np.clip(np.floor(x), 0, width - 2).astype(np.intp)
    top = np.clip(np.floor(y), 0, height - 2).astype(np.intp)
    across, along = np.clip(x - left, 0, 1)[..., None], np.clip(y - top, 0, 1)[..., None]
    upper = pixels[top, left] * (1 - across) + pixels[top, left + 1] * across
    lower = pixels[top + 1, left] * (1 - across) + pixels[top + 1, left + 1] * across
    return upper * (1 - along) + lower * along, known


def laid_back(shape: tuple[int, ...], back: Matrix) -> tuple[Any, Any]:
    """Whence each pixel comes that a matrix lays back: to the right of the middle, and below it."""
    right, down = _grid(shape[1], shape[0])
    a, b, c, d, e, f = back.inverse
    return a * right + c * down + e, b * right + d * down + f


def _slopes(pixels: Any, way: Movement, *, turned: bool) -> list[Any]:
    """By how much each number of a picture changes where a way goes a little further: to the right,
    down, and, if it is more than a move, in its value."""
    down, right = np.gradient(pixels, axis=(0, 1))
    if not turned:
        return [right, down]
    x, y = _grid(*way.size)
    a, b, c, d = _by_a_little(way)
    return [right, down, right * (x * a + y * b)[..., None] + down * (x * c + y * d)[..., None]]


def _by_a_little(way: Movement) -> _Four:
    """How the matrix of a way changes with its value."""
    little = 1e-4
    pairs = zip(way.kind.matrix(way.value), way.kind.matrix(way.value + little), strict=True)
    a, b, c, d = ((after - before) / little for before, after in pairs)
    return a, b, c, d


class Mass(NamedTuple):
    """How much ink there is, where its middle is and how far it spreads."""

    much: float
    x: float
    y: float
    wide: float
    high: float


def mass(ink: Any) -> Mass | None:
    """Of ink that is there; None where there is next to none."""
    much = float(ink.sum())
    if much < _LEAST_INK:
        return None
    (x, wide), (y, high) = (_along(ink.sum(axis=axis) / much) for axis in (0, 1))
    return Mass(much, x, y, wide, high)


def _along(profile: Any) -> tuple[float, float]:
    """The middle of a profile, and how far it spreads."""
    places = np.arange(len(profile))
    middle = float((profile * places).sum())
    return middle, max(math.sqrt(float((profile * (places - middle) ** 2).sum())), 0.1)


def inked(pixels: Any) -> Any:
    """How far each pixel is from the colour of the ground."""
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    return np.abs(pixels - ground).max(axis=2)
