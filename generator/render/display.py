"""Turns an SVG into a display list: everything it paints, in order, with looks, places and clip
paths.

An element that PDF operators cannot paint (masks, `<use>`, odd gradients) becomes an `EngineMark`
for the SVG engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.geometry import IDENTITY, Matrix, Rect, parse_transform, summed
from generator.render.gradients import Gradient, Stop, gradient_of
from generator.svg_shapes import SHAPES, UNREADABLE, Outline, shape_outline

_MOST_IN_A_CLIP: Final = 500


class Look(Struct, frozen=True, eq=False):
    """The SVG properties that an element inherits."""

    fill: str = "#000000"
    fill_opacity: float = 1.0
    fill_rule: str = "nonzero"
    stroke: str = "none"
    stroke_opacity: float = 1.0
    stroke_width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    limit: float = 4.0
    dashes: str = "none"
    dash_offset: float = 0.0
    colour: str = "#000000"
    visibility: str = "visible"
    clip_rule: str = "nonzero"

    @property
    def fills(self) -> bool:
        """Return True if shapes are filled."""
        return self.fill not in _NO_PAINT and self.fill_opacity > 0

    @property
    def strokes(self) -> bool:
        """Return True if shapes are outlined."""
        return self.stroke not in _NO_PAINT and self.stroke_width > 0 and self.stroke_opacity > 0

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return the look as SVG attributes."""
        return {name: str(getattr(self, key)) for name, (key, _) in _PROPERTIES.items()}


_NO_PAINT: Final = ("none", "transparent")


def share(value: str) -> float:
    """Return an opacity, 0 to 1, from a number or a percentage."""
    number = float(value[:-1]) / 100 if value.endswith("%") else float(value)
    return min(1.0, max(0.0, number))


_PROPERTIES: Final[Mapping[str, tuple[str, Any]]] = {
    "fill": ("fill", str),
    "fill-opacity": ("fill_opacity", share),
    "fill-rule": ("fill_rule", str),
    "stroke": ("stroke", str),
    "stroke-opacity": ("stroke_opacity", share),
    "stroke-width": ("stroke_width", float),
    "stroke-linecap": ("cap", str),
    "stroke-linejoin": ("join", str),
    "stroke-miterlimit": ("limit", lambda value: max(1.0, float(value))),
    "stroke-dasharray": ("dashes", str),
    "stroke-dashoffset": ("dash_offset", float),
    "color": ("colour", str),
    "visibility": ("visibility", str),
    "clip-rule": ("clip_rule", str),
}
_LOOK_FIELDS: Final = Look.__struct_fields__
PLAIN: Final = Look()


class ClipShape(Struct, frozen=True, eq=False):
    """An outline of a clip path; `matrix` takes it into the clip path's units."""

    outline: Outline
    matrix: Matrix
    even_odd: bool


class PlacedClip(NamedTuple):
    """A clip path in use; `matrix` takes its outlines onto the face."""

    shapes: tuple[ClipShape, ...]
    matrix: Matrix


Clips = tuple[PlacedClip, ...]


class ShapeMark(Struct, frozen=True):
    """A shape; `fill` and `line` are its gradients."""

    outline: Outline
    look: Look
    matrix: Matrix
    clips: Clips
    fill: Gradient | None = None
    line: Gradient | None = None
    opacity: float = 1.0

    @property
    def fills(self) -> bool:
        """Return True if it is filled."""
        return self.look.fills and bool(self.outline.filled)


class PictureMark(Struct, frozen=True):
    """A picture, by its name in the SVG; `box` is in its own units, `fit` is
    preserveAspectRatio."""

    href: str
    box: Rect
    fit: str
    matrix: Matrix
    clips: Clips
    opacity: float = 1.0


class LetterMark(Struct, frozen=True):
    """A text set by a helper, by its number on the face, and its byte in the SVG."""

    number: int
    look: Look
    matrix: Matrix
    clips: Clips
    at: int


class EngineMark(Struct, frozen=True):
    """The bytes of an element that the SVG engine draws."""

    begin: int
    end: int
    look: Look
    matrix: Matrix
    clips: Clips
    opacity: float = 1.0


class GroupMark(Struct, frozen=True):
    """Marks that are painted together first, then put down with an opacity."""

    marks: tuple[Mark, ...]
    opacity: float


Mark = ShapeMark | PictureMark | LetterMark | EngineMark | GroupMark


class Step(Struct, frozen=True, eq=False):
    """An element: its own properties, transform, opacity and clip path, and the outline of a shape.
    `needs_engine` is True if operators cannot paint it."""

    kind: str
    own: tuple[tuple[str, str], ...] = ()
    matrix: Matrix = IDENTITY
    opacity: float = 1.0
    clip: str = ""
    outline: Outline | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    needs_engine: bool = False


_GRADIENTS: Final = ("linearGradient", "radialGradient")
_GROUP, _SHAPE, _PICTURE, _DEFS, _CLIP, _GRADIENT, _STOP, _NOTHING = (
    "group", "shape", "picture", "defs", "clip", "gradient", "stop", "nothing",
)  # fmt: skip
_KINDS: Final = {
    **dict.fromkeys(SHAPES, _SHAPE),
    **dict.fromkeys(_GRADIENTS, _GRADIENT),
    **dict.fromkeys(("g", "svg"), _GROUP),
    "image": _PICTURE,
    "defs": _DEFS,
    "clipPath": _CLIP,
    "stop": _STOP,
    "use": _SHAPE,
}
_PLAIN_ORDER: Final = ("normal", "fill", "fill stroke", "fill stroke markers")


def step_of(name: str, given: Mapping[str, str]) -> Step:
    """Return the step of an element with these attributes."""
    kind = _KINDS.get(name, _NOTHING)
    if given.get("display") == "none":
        return Step(_NOTHING)
    own = tuple((key, given[key]) for key in given if key in _PROPERTIES)
    try:
        matrix = parse_transform(given["transform"]) if "transform" in given else IDENTITY
        opacity = share(given["opacity"]) if "opacity" in given else 1.0
        if opacity <= 0:
            return Step(_NOTHING)
        outline = shape_outline(name, given) if name in SHAPES else None
    except UNREADABLE:
        return Step(kind, needs_engine=True)
    clip = given.get("clip-path", "none")
    return Step(
        kind,
        own,
        matrix,
        opacity,
        "" if clip == "none" else clip[5:-1],
        outline,
        given if kind not in (_GROUP, _SHAPE) else {"id": given.get("id", "")},
        name == "use"
        or given.get("mask", "none") != "none"
        or given.get("paint-order", "normal") not in _PLAIN_ORDER
        or ("pathLength" in given and name == "path"),
    )


class _Frame(NamedTuple):
    """The state inside an open element; `opacity` is that of a group being collected, None if its
    marks join the group around."""

    look: Look
    matrix: Matrix
    clips: Clips
    opacity: float | None = None
    drawn: bool = True


class _ClipBeingRead(Struct):
    """A `<clipPath>` being read; `plain` while it holds shapes alone."""

    name: str
    depth: int
    shapes: list[ClipShape] = field(default_factory=list)
    plain: bool = True


class Definitions(Struct):
    """Clip paths, None for those that only the engine applies, and gradients with their attributes
    and stops."""

    clips: dict[str, tuple[ClipShape, ...] | None] = field(default_factory=dict)
    gradients: dict[str, tuple[str, Mapping[str, str], list[Stop]]] = field(default_factory=dict)


class LookTable:
    """The looks of a pack's faces; equal looks are one object."""

    def __init__(self) -> None:
        self._looks: dict[tuple[object, ...], Look] = {_values(PLAIN): PLAIN}
        self._inside: dict[tuple[Look, tuple[tuple[str, str], ...]], Look] = {}

    def inside(self, look: Look, own: tuple[tuple[str, str], ...]) -> Look:
        """Return the look inside an element with these properties."""
        found = self._inside.get((look, own))
        if found is None:
            values = {key: getattr(look, key) for key in _LOOK_FIELDS}
            for name, value in own:
                if value != "inherit":
                    key, read = _PROPERTIES[name]
                    values[key] = read(value)
            found = self._looks.setdefault(tuple(values.values()), Look(**values))
            self._inside[look, own] = found
        return found

    def shown(self, look: Look) -> Look:
        """Return a look with `currentColor`, which is inherited as a word, as a colour."""
        if "currentColor" not in (look.fill, look.stroke):
            return look
        paints = (("fill", look.fill), ("stroke", look.stroke))
        own = tuple((key, look.colour) for key, paint in paints if paint == "currentColor")
        return self.inside(look, own)


def _values(look: Look) -> tuple[object, ...]:
    return tuple(getattr(look, key) for key in _LOOK_FIELDS)


class DisplayPass:
    """Makes the display list of one SVG, element by element. `known` are definitions of an earlier
    reading; `is_complete` is False if a reference came before its definition."""

    def __init__(self, looks: LookTable, known: Definitions | None = None) -> None:
        self._looks = looks
        self.definitions = known or Definitions()
        self.is_complete = True
        self._frames: list[_Frame] = [_Frame(PLAIN, IDENTITY, ())]
        self._lists: list[list[Mark]] = [[]]
        self._skipped = 0
        self._engine: tuple[int, _Frame] | None = None
        self._clip: _ClipBeingRead | None = None
        self._gradient: list[Stop] | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Return the display list."""
        return tuple(self._lists[0])

    def start(self, name: str, step: Step, at: int) -> None:
        """Begin an element at a byte of the SVG."""
        if self._skipped:
            self._skipped += 1
            return
        frame = self._frames[-1]
        if step.kind == _NOTHING:
            self._skipped = 1
        elif self._clip is not None:
            self._in_clip(step, frame)
        elif step.kind == _STOP:
            self._add_stop(step)
        elif step.kind == _CLIP:
            self._begin_clip(step)
        elif step.kind == _GRADIENT:
            self._gradient = []
            gradients, called = self.definitions.gradients, step.attributes.get("id", "")
            gradients[called] = name, step.attributes, self._gradient
            self._frames.append(frame._replace(opacity=None))
        elif step.kind == _DEFS:
            self._frames.append(frame._replace(opacity=None, drawn=False))
        elif not frame.drawn:
            self._skipped = 1
        else:
            self._draw(step, frame, at)

    def end(self, end_of: Callable[[int], int]) -> None:
        """End the innermost element. `end_of` gives its end in the SVG from its first byte."""
        if self._skipped:
            self._skipped -= 1
            if not self._skipped and self._engine is not None:
                begin, frame = self._engine
                self._engine = None
                self._add(EngineMark(begin, end_of(begin), *frame[:3]))
            return
        frame = self._frames.pop()
        if self._clip is not None and len(self._frames) == self._clip.depth:
            self._end_clip(self._clip)
        if frame.opacity is not None:
            marks = self._lists.pop()
            for mark in _grouped(marks, frame.opacity):
                self._add(mark)

    def text(self, number: int, at: int, end: int) -> None:
        """Note the mark of a set text, from one byte of the SVG to another."""
        if self._clip is not None:
            self._clip.plain = False
        frame = self._frames[-1]
        if self._skipped or not frame.drawn or self._clip is not None:
            return
        look = frame.look
        if look.visibility == "hidden":
            return
        if any(paint.startswith("url(") for paint in (look.fill, look.stroke)):
            self._add(EngineMark(at, end, *frame[:3]))
        else:
            shown = self._looks.shown(look)
            self._add(LetterMark(number, shown, frame.matrix, frame.clips, at))

    def _add(self, mark: Mark) -> None:
        self._lists[-1].append(mark)

    def _draw(self, step: Step, frame: _Frame, at: int) -> None:
        clips: Clips | None = frame.clips
        needs_engine = step.needs_engine
        matrix = frame.matrix if step.matrix is IDENTITY else frame.matrix.then(step.matrix)
        look = self._looks.inside(frame.look, step.own) if step.own else frame.look
        if step.clip and not needs_engine:
            clips = self._clipped(step.clip, frame.clips, matrix)
        if needs_engine or clips is None:
            self._hand_over(frame, at)
        elif step.kind == _GROUP:
            opacity = step.opacity if step.opacity < 1 else None
            if opacity is not None:
                self._lists.append([])
            self._frames.append(_Frame(look, matrix, clips, opacity))
        elif step.kind == _PICTURE:
            self._skipped = 1
            if look.visibility == "visible":
                self._add(_picture(step, matrix, clips))
        else:
            self._skipped = 1
            if step.outline is not None and look.visibility == "visible":
                self._shape(step, frame, at, look, matrix, clips)

    def _hand_over(self, frame: _Frame, at: int) -> None:
        self._skipped = 1
        self._engine = at, frame

    def _shape(
        self, step: Step, frame: _Frame, at: int, look: Look, matrix: Matrix, clips: Clips
    ) -> None:
        outline, look = step.outline, self._looks.shown(look)
        assert outline is not None
        fills = look.fills and bool(outline.filled)
        fill, fill_is_sound = self._paint(look.fill) if fills else (None, True)
        line, line_is_sound = self._paint(look.stroke) if look.strokes else (None, True)
        if not (fill_is_sound and line_is_sound):
            self._hand_over(frame, at)
            return
        mark = ShapeMark(outline, look, matrix, clips, fill, line)
        if step.opacity < 1:
            for each in _grouped([mark], step.opacity):
                self._add(each)
        elif fills or look.strokes:
            self._add(mark)

    def _paint(self, paint: str) -> tuple[Gradient | None, bool]:
        """Return the gradient of a paint, None for a colour, and True if operators can paint it."""
        if not paint.startswith("url("):
            return None, True
        name = paint[5:-1]
        if name not in self.definitions.gradients:
            self.is_complete = False
            return None, False
        gradient = gradient_of(name, self.definitions.gradients)
        return gradient, gradient is not None

    def _clipped(self, name: str, clips: Clips, matrix: Matrix) -> Clips | None:
        """Return clips with one more, None if the engine must apply it."""
        if name not in self.definitions.clips:
            self.is_complete = False
            return None
        shapes = self.definitions.clips[name]
        return None if shapes is None else (*clips, PlacedClip(shapes, matrix))

    def _begin_clip(self, step: Step) -> None:
        units = step.attributes.get("clipPathUnits", "userSpaceOnUse")
        name = step.attributes.get("id", "")
        self._clip = _ClipBeingRead(name, len(self._frames))
        self._clip.plain = units == "userSpaceOnUse" and not step.clip and not step.needs_engine
        look = self._looks.inside(PLAIN, step.own)
        self._frames.append(_Frame(look, step.matrix, ()))

    def _in_clip(self, step: Step, frame: _Frame) -> None:
        clip = self._clip
        assert clip is not None
        self._skipped = 1
        is_shape = step.kind == _SHAPE and not step.clip and not step.needs_engine
        if not is_shape or len(clip.shapes) > _MOST_IN_A_CLIP:
            clip.plain = False
        elif step.outline is not None:
            look = self._looks.inside(frame.look, step.own)
            if look.visibility == "visible":
                matrix = frame.matrix.then(step.matrix)
                clip.shapes.append(ClipShape(step.outline, matrix, look.clip_rule == "evenodd"))

    def _end_clip(self, clip: _ClipBeingRead) -> None:
        """Keep a clip path. Several shapes must not touch, since they add up."""
        boxes = [shape.matrix.box(shape.outline.box) for shape in clip.shapes]
        lone = len(boxes) == 1 or not any(
            one.overlaps(other) for number, one in enumerate(boxes) for other in boxes[:number]
        )
        rules = {shape.even_odd for shape in clip.shapes}
        plain = clip.plain and lone and len(rules) == 1
        self.definitions.clips[clip.name] = tuple(clip.shapes) if plain else None
        self._clip = None

    def _add_stop(self, step: Step) -> None:
        self._skipped = 1
        if self._gradient is not None:
            given = step.attributes
            self._gradient.append(
                Stop(
                    share(given.get("offset", "0")),
                    given.get("stop-color", "#000000"),
                    share(given.get("stop-opacity", "1")),
                )
            )


def _picture(step: Step, matrix: Matrix, clips: Clips) -> PictureMark:
    given = step.attributes
    x, y, width, height = (float(given.get(key, 0)) for key in ("x", "y", "width", "height"))
    fit = given.get("preserveAspectRatio", "xMidYMid meet")
    href = given.get("href", "")
    return PictureMark(href, Rect(x, y, width, height), fit, matrix, clips, step.opacity)


def _grouped(marks: Sequence[Mark], opacity: float) -> Iterable[Mark]:
    """Return marks as a group with an opacity; a mark that paints only once takes the opacity
    itself."""
    if not marks:
        return ()
    if len(marks) == 1:
        (mark,) = marks
        if isinstance(mark, PictureMark | EngineMark) or (
            isinstance(mark, ShapeMark) and mark.fills != mark.look.strokes
        ):
            return (replace(mark, opacity=mark.opacity * opacity),)
    return (GroupMark(tuple(marks), opacity),)


def dashes(look: Look) -> tuple[tuple[float, ...], float]:
    """Return the lengths of dashes and gaps and the offset. A negative offset becomes a positive
    one."""
    if look.dashes == "none":
        return (), 0.0
    lengths = tuple(float(part) for part in look.dashes.replace(",", " ").split())
    total = 2 * summed(lengths)  # of an odd number, dash and gap change places the second time
    if total <= 0 or min(lengths) < 0:
        return (), 0.0
    offset = look.dash_offset
    return lengths, offset if offset >= 0 else offset % total
