"""Reads the colours of a PDF: their kinds, and how much ink they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pikepdf import Array, Dictionary, Name, Stream

from generator.geometry import summed

GREY, RGB, CMYK, LAB = "grey", "RGB", "CMYK", "Lab"
"""Kinds of colour. An ink of its own is a kind by its name, in quotation marks."""
REGISTRATION: Final = "registration colour"
_KINDS: Final = {
    **dict.fromkeys(("/DeviceGray", "/CalGray", "/G"), GREY),
    **dict.fromkeys(("/DeviceRGB", "/CalRGB", "/RGB"), RGB),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), CMYK),
    "/Lab": LAB,
}
_BY_CHANNELS: Final = {1: GREY, 3: RGB, 4: CMYK}
_PROCESS: Final = frozenset(("/Cyan", "/Magenta", "/Yellow", "/Black"))
_INKS: Final = 4
_SLIGHT: Final = 0.005
"""Ink of a colour that counts as none, where 1 is a full layer."""
_DEEPEST: Final = 8
_MOST_SAMPLES: Final = 100_000


class ColourSpace(NamedTuple):
    """A colour space: its kind, empty if unknown, and whether its values are tints of inks.
    `plain` spaces give values that can be read; those of palettes cannot."""

    kind: str
    tints: bool = False
    plain: bool = True


class PdfPaint(NamedTuple):
    """A colour: its kind, how much ink it takes (1 is one full layer), whether it is white, its
    values from 0 to 1, and the name of its pattern if it has one."""

    kind: str = GREY
    ink: float = 1.0
    white: bool = False
    values: tuple[float, ...] = (0.0,)
    pattern: str = ""


BLACK: Final = PdfPaint()


def space_of(space: Any, resources: Any, depth: int = 0) -> ColourSpace:
    """Return what a colour space is; `resources` resolve a name."""
    if isinstance(space, Array) and len(space):
        return _array(str(space[0]), list(space), resources, depth)
    name = "" if space is None else str(space)
    if name in _KINDS:
        return ColourSpace(_KINDS[name], name in ("/DeviceCMYK", "/CMYK"))
    given = resources.get("/ColorSpace", Dictionary()).get(name) if name[:1] == "/" else None
    if given is None or given == space or depth > _DEEPEST:
        return ColourSpace("")
    return space_of(given, resources, depth + 1)


def _array(name: str, space: Sequence[Any], resources: Any, depth: int) -> ColourSpace:
    if name in _KINDS or len(space) == 1:
        kind = _KINDS.get(name, "")
        return ColourSpace(kind, kind == CMYK)
    if name == "/ICCBased":
        kind = _BY_CHANNELS.get(int(space[1].get("/N", 0)), "")
        return ColourSpace(kind, kind == CMYK)
    if name in ("/Indexed", "/I") and depth <= _DEEPEST:
        return space_of(space[1], resources, depth + 1)._replace(plain=False)
    if name == "/Separation":
        return ColourSpace(_kind_of_inks([str(space[1])]), tints=True)
    if name == "/DeviceN":
        return ColourSpace(_kind_of_inks([str(ink) for ink in space[1]]), tints=True)
    return ColourSpace("")


def _kind_of_inks(names: Sequence[str]) -> str:
    if names == ["/All"]:
        return REGISTRATION
    own = [name[1:] for name in names if name not in _PROCESS and name not in ("/None", "/All")]
    if own:
        return f"‘{own[0]}’"
    return "" if set(names) <= {"/None"} else CMYK


def painted(space: ColourSpace, numbers: Sequence[float]) -> PdfPaint:
    """Return the colour of these values in a space."""
    values = tuple(round(number, 3) for number in numbers)
    if not space.plain or not values:
        return PdfPaint(space.kind, 0.0, False, ())
    total = summed(values)
    if space.kind == REGISTRATION:
        return PdfPaint(REGISTRATION, _INKS * total, total < _SLIGHT, values)
    if space.kind == CMYK and len(values) == _INKS and min(values) > 1 - _SLIGHT:
        return PdfPaint(REGISTRATION, total, False, values)  # programs without /All draw marks so
    if space.tints:
        return PdfPaint(space.kind, total, total < _SLIGHT, values)
    if space.kind == GREY:
        return PdfPaint(GREY, 1 - values[0], values[0] > 1 - _SLIGHT, values)
    return PdfPaint(space.kind, 0.0, space.kind == RGB and min(values) > 1 - _SLIGHT, values)


def first_in(space: ColourSpace) -> PdfPaint:
    """Return the colour that is set when a space is chosen: black, or full ink."""
    if space.kind == CMYK and not space.plain:
        return PdfPaint(CMYK, 0.0, False, ())
    if space.tints:
        return PdfPaint(space.kind, 1.0, False, (1.0,))
    return PdfPaint(space.kind, 1.0 if space.kind == GREY else 0.0, False, ())


def shaded(shading: Any, resources: Any) -> PdfPaint:
    """Return the kind of colour of a shading, with the most ink that it takes anywhere."""
    space = space_of(shading.get("/ColorSpace"), resources)
    ink = _most_ink(shading.get("/Function")) if space.tints and space.plain else 0.0
    return PdfPaint(space.kind, ink, False, ())


def _most_ink(function: Any, depth: int = 0) -> float:
    """The most that a function's values add up to; 0 for a function that is a program."""
    if isinstance(function, Array):
        return summed(_most_ink(each, depth + 1) for each in function)
    if not isinstance(function, Dictionary | Stream) or depth > _DEEPEST:
        return 0.0
    kind = int(function.get("/FunctionType", -1))
    if kind == 2:  # from one colour to another
        ends = (function.get("/C0", Array([0])), function.get("/C1", Array([1])))
        return max(summed(float(value) for value in end) for end in ends)
    if kind == 3:  # several in a row
        return max((_most_ink(each, depth + 1) for each in function.Functions), default=0.0)
    if kind == 0 and int(function.get("/BitsPerSample", 0)) == 8 and isinstance(function, Stream):
        return _most_sampled(function)
    return 0.0


def _most_sampled(function: Stream) -> float:
    count = len(function.Range) // 2
    decode = [float(value) for value in function.get("/Decode", function.Range)]
    data = function.read_bytes()[: _MOST_SAMPLES * count]
    rows = zip(*(data[channel::count] for channel in range(count)), strict=False)
    return max(
        (
            summed(
                low + byte / 255 * (high - low)
                for byte, low, high in zip(row, decode[::2], decode[1::2], strict=False)
            )
            for row in set(rows)
        ),
        default=0.0,
    )


def is_pattern(operands: Sequence[Any]) -> bool:
    """True for the operands of `scn` that name a pattern."""
    return bool(operands) and isinstance(operands[-1], Name)
