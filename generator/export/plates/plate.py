"""A face in; what to draw it with in a PDF, operators and all that they name, out.

A plate is what a press prints a face with. Here it is made straight from the SVG that templates
may write, in a fraction of the time that the engine takes. What is rare or hard (gradients, masks,
text from right to left) is left to the engine, face by face; both must look the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from generator.export.plates.lettering import Fount, Typecase
from generator.export.plates.look import Dressed, Look, dressed
from generator.export.plates.operators import number, numbers, transform
from generator.export.plates.outlines import outline
from generator.export.plates.pictures import Picture, Pictures, placed
from generator.export.plates.reading import LeftToEngineError, Node, read_drawing
from generator.fonts import FontLibrary
from generator.geometry import Rect
from generator.matrices import IDENTITY, Matrix
from generator.model.face import Face
from generator.units import PT_PER_MM

_KEPT: Final = 20_000
_OPAQUE: Final = (1.0, 1.0)
_AT_FIRST: Final = Look()
_SHAPES: Final = frozenset("rect circle ellipse line polyline polygon path".split())
_SILENT: Final = frozenset(("title", "desc", "clipPath"))


@dataclass(frozen=True, slots=True)
class Group:
    """What is drawn as a whole before it is made transparent: its operators, the box that it
    fills in its own units, and the pictures and groups that it names."""

    content: str
    box: Rect
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """A face as operators in its box, in points from its bottom left corner, bleed included. They
    name founts f0, f1 … (of which these glyphs are used), opacities of fill and stroke g0 …,
    pictures p0 … and groups x0 …, a group after those in it."""

    box: Rect
    content: str
    founts: tuple[tuple[Fount, frozenset[int]], ...]
    opacities: tuple[tuple[float, float], ...]
    pictures: tuple[Picture, ...]
    groups: tuple[Group, ...]
    names: tuple[str, ...]


class Platemaker:
    """Makes plates with the fonts of a library. What it works out it keeps for the next face."""

    def __init__(self, fonts: FontLibrary) -> None:
        self.typecase = Typecase(fonts)
        self.pictures = Pictures()
        self.dressed = functools.lru_cache(_KEPT)(dressed)
        self.painted = functools.lru_cache(_KEPT)(self._painted)

    def plate(self, face: Face) -> Plate | None:
        """The plate of a face; None when the engine must draw it."""
        try:
            return _Making(self, face).plate()
        except LeftToEngineError:
            return None

    def _painted(self, name: str, attributes: tuple[str, ...], around: Look) -> _Painted:
        """A shape. The opacity of one with a fill or a stroke alone is that of its paint."""
        dress = self.dressed(attributes, around)
        path, area = outline(name, dress.geometry)
        look = dress.look
        filled, stroked = look.filled and area, look.stroked
        if dress.opacity < 1 and not (filled and stroked):
            look = replace(
                look,
                fill_opacity=look.fill_opacity * dress.opacity,
                stroke_opacity=look.stroke_opacity * dress.opacity,
            )
            dress = dress._replace(opacity=1.0)
        written = ""
        if path and filled:
            rule = "*" if look.fill_rule == "evenodd" else ""
            written = f"{look.filling}{path}f{rule}\n"
        if path and stroked:  # not both at once: half of a transparent stroke lies on the fill
            written += f"{look.stroking}{path}S\n"
        return _Painted(dress, written, look.opacities)


class _Painted(NamedTuple):
    """A shape: what it does as a whole, its operators, the opacities of its fill and stroke."""

    dress: Dressed
    written: str
    opacities: tuple[float, float]


@dataclass(slots=True)
class _Layer:
    """Operators in the making, and the names of what they draw."""

    written: list[str] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)


class _Making:
    """One plate in the making."""

    def __init__(self, maker: Platemaker, face: Face) -> None:
        bleed = face.stock.bleed
        self.maker = maker
        self.face = face
        self.box = Rect(
            0,
            0,
            (face.stock.trim.width + 2 * bleed) * PT_PER_MM,
            (face.stock.trim.height + 2 * bleed) * PT_PER_MM,
        )
        edge = bleed * PT_PER_MM
        self.page = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, edge, self.box.height - edge)
        self.drawing = read_drawing(face.svg)
        self.layer = _Layer()
        self.founts: dict[Fount, tuple[str, set[int]]] = {}
        self.opacities: dict[tuple[float, float], str] = {}
        self.pictures: dict[Picture, str] = {}
        self.groups: list[Group] = []

    def plate(self) -> Plate:
        self.layer.written.append(transform(self.page))
        self.draw(self.drawing.root.inside, _AT_FIRST, self.page)
        return Plate(
            self.box,
            "".join(self.layer.written),
            tuple((fount, frozenset(glyphs)) for fount, (_, glyphs) in self.founts.items()),
            tuple(self.opacities),
            tuple(self.pictures),
            tuple(self.groups),
            tuple(self.layer.names),
        )

    def draw(self, nodes: Iterable[Node | str], around: Look, matrix: Matrix) -> None:
        for node in nodes:
            if isinstance(node, str) or node.name in _SILENT:
                continue
            if node.name in _SHAPES:
                shape = self.maker.painted(node.name, node.attributes, around)
                dress = shape.dress
                draw: Callable[[Matrix], None] = functools.partial(self.shape, shape)
                if dress.whole:
                    self.shape(shape)
                    continue
            elif node.name in _OTHERS:
                dress = self.maker.dressed(node.attributes, around)
                draw = functools.partial(_OTHERS[node.name], self, node, dress)
            elif node.name == "defs" and all(
                isinstance(one, str) or one.name == "clipPath" for one in node.inside
            ):
                continue
            else:
                raise LeftToEngineError(node.name)
            self.wrapped(dress, matrix, draw)

    def wrapped(self, dress: Dressed, matrix: Matrix, draw: Callable[[Matrix], None]) -> None:
        """Draw what an element does something to as a whole."""
        if dress.whole:
            draw(matrix)
            return
        if dress.opacity == 0:
            return
        write = self.layer.written.append
        write("q\n")
        if dress.matrix is not None:
            write(transform(dress.matrix))
            matrix = matrix.then(dress.matrix)
        if dress.clip:
            write(self.clipping(dress.clip))
        if dress.opacity == 1:
            draw(matrix)
        else:
            outer, self.layer = self.layer, _Layer()
            draw(matrix)
            inner, self.layer = self.layer, outer
            name = f"x{len(self.groups)}"
            box = _inverse(matrix).box(self.box)
            self.groups.append(Group("".join(inner.written), box, tuple(inner.names)))
            self.layer.names[name] = None
            write(f"/{self.opacity((dress.opacity, dress.opacity))} gs /{name} Do\n")
        write("Q\n")

    def clipping(self, name: str) -> str:
        """The operators that cut off what is outside of a clip path of one plain shape."""
        clip = self.drawing.clips.get(name)
        shapes = [] if clip is None else [one for one in clip.inside if isinstance(one, Node)]
        if clip is None or len(shapes) != 1 or clip.attributes != ("id", name):
            raise LeftToEngineError("a clip path of several shapes")
        dress = self.maker.dressed(shapes[0].attributes, _AT_FIRST)
        if shapes[0].name not in _SHAPES or not dress.whole or "clip-rule" in shapes[0].attributes:
            raise LeftToEngineError("a clip path that is turned")
        path = outline(shapes[0].name, dress.geometry).path
        return f"{path or '0 0 m h '}W n\n"

    def opacity(self, of_both: tuple[float, float]) -> str:
        return self.opacities.setdefault(of_both, f"g{len(self.opacities)}")

    def shape(self, shape: _Painted, _matrix: Matrix = IDENTITY) -> None:
        self.write(shape.written, shape.opacities)

    def write(self, written: str, opacities: tuple[float, float]) -> None:
        if opacities != _OPAQUE and written:
            written = f"q /{self.opacity(opacities)} gs\n{written}Q\n"
        self.layer.written.append(written)

    def group(self, node: Node, dress: Dressed, matrix: Matrix) -> None:
        self.draw(node.inside, dress.look, matrix)

    def image(self, _node: Node, dress: Dressed, _matrix: Matrix) -> None:
        values = dict(dress.geometry)
        picture = self.maker.pictures.of(self.face, values.get("href", ""))
        name = self.pictures.setdefault(picture, f"p{len(self.pictures)}")
        self.layer.names[name] = None
        self.layer.written.append(placed(picture, values, name))

    def text(self, node: Node, dress: Dressed, _matrix: Matrix) -> None:
        spans = [one for one in node.inside if isinstance(one, Node)]
        if not spans:
            self.line(node, dress)
            return
        if dress.geometry or any(isinstance(one, str) and one.strip() for one in node.inside):
            raise LeftToEngineError("text that flows from one span to the next")
        for span in spans:
            own = self.maker.dressed(span.attributes, dress.look)
            if span.name != "tspan" or not own.whole:
                raise LeftToEngineError("a span that is more than a span")
            self.line(span, own)

    def line(self, node: Node, dress: Dressed) -> None:
        look = dress.look
        try:
            (x_name, x), (y_name, y) = dress.geometry
            at = float(x), float(y)
            (text,) = node.inside
        except ValueError:
            raise LeftToEngineError("text whose letters have each a place, or none") from None
        if (x_name, y_name) != ("x", "y") or not isinstance(text, str):
            raise LeftToEngineError("spans in spans")
        if look.stroked or not look.filled:
            raise LeftToEngineError("text with an outline, or without a fill")
        fount = self.maker.typecase.fount(look)
        setting = fount.set(text)
        name, glyphs = self.founts.setdefault(fount, (f"f{len(self.founts)}", set()))
        glyphs |= setting.glyphs
        place = f"/{name} {number(look.size)} Tf 1 0 0 -1 {numbers(*at)} Tm"
        self.write(f"{look.filling}BT {place} [{setting.shown}]TJ ET\n", look.opacities)


_OTHERS: Final = {"g": _Making.group, "image": _Making.image, "text": _Making.text}


def _inverse(matrix: Matrix) -> Matrix:
    """Raises LeftToEngineError for a transform that leaves no area."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    if abs(area) < 1e-9:
        raise LeftToEngineError("a transform to nothing")
    turned = Matrix(d / area, -b / area, -c / area, a / area)
    return turned.then(Matrix(e=-e, f=-f)) if (e or f) else turned if matrix else IDENTITY
