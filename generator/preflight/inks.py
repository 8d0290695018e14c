"""Says of a colour, a colour space or a shading of a PDF of which kind it is, and how much ink.

A shading's function is followed over its whole domain, of whichever of four sorts it is (PDF 1.7,
7.10): samples, a power, several in a row, a program; of a mesh the corners are read (8.7.4.5)."""

from __future__ import annotations

import math
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Object, PikepdfError, Stream

from generator.geometry import summed

GREY, RGB, CMYK, LAB = "grey", "RGB", "CMYK", "Lab"
"""Kinds of colour; an ink of its own is known by its name, in quotation marks."""
_DEVICES: Final = {
    **dict.fromkeys(("/DeviceGray", "/CalGray", "/G"), GREY),
    **dict.fromkeys(("/DeviceRGB", "/CalRGB", "/RGB"), RGB),
    **dict.fromkeys(("/DeviceCMYK", "/CMYK"), CMYK),
    "/Lab": LAB,
}
_BY_CHANNELS: Final = {1: GREY, 3: RGB, 4: CMYK}
ALL_INKS: Final = "all inks"
"""A kind of its own: what registration marks are drawn in."""
_INKS: Final = 4
_PROCESS: Final = frozenset(("/Cyan", "/Magenta", "/Yellow", "/Black"))
_SLIGHT: Final = 0.005
"""Of full ink: less is none."""


class Paint(Struct, frozen=True):
    """A colour: its kind, empty for a pattern, whose own colours count, and its name; how much ink
    it is, 1 for one full layer; whether it is no more than white paper, and whether no ink but
    black."""

    kind: str = GREY
    ink: float = 1.0
    white: bool = False
    black: bool = True
    pattern: str = ""

    @property
    def placed(self) -> bool:
        """True where it matters what is painted with it."""
        return bool(self.pattern) or self.kind == ALL_INKS

    @property
    def named(self) -> bool:
        """True for an ink of its own."""
        return self.kind.startswith("‘")


def kind_of(space: Any, resources: Object) -> str:
    """Of which kind the colours of a space are; empty for patterns and what nobody knows."""
    first = space[0] if isinstance(space, Array) and len(space) else space
    name = "" if first is None else str(first)
    if name in _DEVICES:
        return _DEVICES[name]
    if isinstance(space, Array) and len(space) > 1:
        if name == "/ICCBased":
            return _BY_CHANNELS.get(int(space[1].get("/N", 0)), "")
        if name in ("/Indexed", "/I", "/Pattern"):
            return kind_of(space[1], resources)
        if name in ("/Separation", "/DeviceN"):
            return _of_inks([space[1]] if name == "/Separation" else list(space[1]))
    if name and not isinstance(space, Array):
        given = resources.get("/ColorSpace", Dictionary()).get(name)
        return "" if given is None or given == space else kind_of(given, resources)
    return ""


def _of_inks(names: Sequence[Any]) -> str:
    if len(names) == 1 and str(names[0]) in ("/All", "/None"):
        return ALL_INKS if str(names[0]) == "/All" else ""
    own = [str(n)[1:] for n in names if str(n) not in _PROCESS and str(n) not in ("/All", "/None")]
    return f"‘{own[0]}’" if own else CMYK


def shaded(shading: Any, resources: Object) -> Paint:
    """The colours of a shading, with the most ink that it has anywhere."""
    kind = kind_of(shading.get("/ColorSpace"), resources)
    inked = kind == CMYK or Paint(kind).named
    return Paint(kind, _most_ink(shading) if inked else 0.0)


def _coloured(kind: str, numbers: Sequence[float], *, tints: bool) -> Paint:
    """A colour of so much of each channel; of inks they are `tints`, and white is none of them."""
    if kind == ALL_INKS:
        ink = _INKS * summed(numbers)
        return Paint(kind, ink, ink < _SLIGHT)
    if kind == CMYK or tints:
        ink = summed(numbers)
        only_black = kind == CMYK and (len(numbers) != 4 or summed(numbers[:3]) < _SLIGHT)
        return Paint(kind, ink, ink < _SLIGHT, only_black)
    white = bool(numbers) and min(numbers) > 1 - _SLIGHT
    if kind == GREY:
        return Paint(kind, 1 - numbers[0] if numbers else 1.0, white)
    # what overprints in RGB is left out by every printer, but for white, which may be meant so
    return Paint(kind, 0.0, white and kind == RGB, black=True)


ReadsPaint = Callable[[Paint, list[Any], Object], Paint]
"""The colour after an operator: from that before, what is given, and the resources."""


def device(kind: str) -> ReadsPaint:
    """Reads a colour of an operator that names its space, such as `k`."""

    def read(before: Paint, given: list[Any], resources: Object) -> Paint:
        numbers = list(map(float, given))
        if kind == CMYK and len(numbers) == _INKS and min(numbers) > 1 - _SLIGHT:
            return Paint(ALL_INKS, summed(numbers))  # as programs draw marks that know no /All
        return _coloured(kind, numbers, tints=False)

    return read


def first_of(before: Paint, given: list[Any], resources: Object) -> Paint:
    """The first colour of a space: black, and full ink of one of its own."""
    kind = kind_of(given[0], resources)
    return Paint(kind, 0.0 if kind in ("", RGB, LAB) else _INKS if kind == ALL_INKS else 1.0)


def in_space(before: Paint, given: list[Any], resources: Object) -> Paint:
    """Another colour of the same space, or a pattern."""
    numbers = [float(value) for value in given if not isinstance(value, Name)]
    if given and isinstance(given[-1], Name):
        return replace(before, ink=0.0, white=False, pattern=str(given[-1]))
    kind = CMYK if before.kind == ALL_INKS and len(numbers) == _INKS else before.kind
    return _coloured(kind, numbers, tints=before.named)


_ALONG, _ACROSS = 256, 24
"""Places that are looked at on a line, and each way on an area."""
_DEEPEST: Final = 8
"""Functions within functions."""
_MOST_TOKENS, _MOST_NUMBERS = 500, 100
"""Of a program, and of those that it has to do with at once."""
_MOST_CHANNELS: Final = 32
_WIDEST: Final = 32
"""Bits of a number."""
_MOST_CORNERS: Final = 20_000
"""Of a mesh."""
_ON_AREA, _BY_CORNERS = 1, (4, 5)
_LATTICE, _COONS = 5, 6
"""Types of shadings: of two inputs, of triangles, of these in rows and without flags, of patches
whose inner points are not told."""
_NOT_READ: Final = (
    *(ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError),
    PikepdfError,
)

Numbers = Sequence[float]
_TintProgram = list[Any]
"""Numbers, names of operators, and programs in braces."""


def _most_ink(shading: Object) -> float:
    """The most ink at any place of a shading in inks; 0 of one that nobody can read."""
    try:
        return max(map(summed, _colours(shading)), default=0.0)
    except _NOT_READ:
        return 0.0


def _colours(shading: Any) -> Iterator[Numbers]:
    functions = shading.get("/Function")
    if functions is None:
        yield from _corners(shading, None)
        return
    several = functions if isinstance(functions, Array) else [functions]
    by = [_followed(one) for one in islice(several, _MOST_CHANNELS)]
    if int(shading.ShadingType) == _ON_AREA:
        x1, x2, y1, y2 = map(float, shading.get("/Domain", (0, 1, 0, 1)))
        steps = range(_ACROSS + 1)
        places: Iterator[Numbers] = (
            (x1 + (x2 - x1) * x / _ACROSS, y1 + (y2 - y1) * y / _ACROSS)
            for x, y in product(steps, steps)
        )
    elif int(shading.ShadingType) > _ON_AREA + 2:
        places = _corners(shading, 1)
    else:
        start, end = map(float, shading.get("/Domain", (0, 1)))
        places = ((start + (end - start) * at / _ALONG,) for at in range(_ALONG + 1))
    for place in places:
        yield [value for one in by for value in one(place)]


_Function = Callable[[Numbers], Numbers]


def _followed(function: Any, depth: int = 0) -> _Function:
    """A function that numbers can be put in."""
    if depth > _DEEPEST:
        raise ValueError("functions within functions")
    make = {0: _sampled, 2: _power, 4: _calculated}.get(int(function.FunctionType))
    inner = _in_a_row(function, depth) if make is None else make(function)
    domain, reach = (_pairs(function.get(key, ())) for key in ("/Domain", "/Range"))

    def follow(given: Numbers) -> Numbers:
        found = inner([_within(v, *ends) for v, ends in zip(given, domain, strict=True)])
        return [_within(v, *ends) for v, ends in zip(found, reach, strict=True)] if reach else found

    return follow


def _pairs(numbers: Any) -> list[tuple[float, float]]:
    told = [float(number) for number in numbers]
    return list(zip(told[::2], told[1::2], strict=True))


def _within(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)


def _between(value: float, one: tuple[float, float], other: tuple[float, float]) -> float:
    """A value between the ends of one, as far between those of another."""
    wide = one[1] - one[0]
    return other[0] + (value - one[0]) * (other[1] - other[0]) / wide if wide else other[0]


def _power(function: Any) -> _Function:
    first = [float(value) for value in function.get("/C0", (0,))]
    last = [float(value) for value in function.get("/C1", (1,))]
    power = float(function.N)
    return lambda given: [
        one + given[0] ** power * (other - one) for one, other in zip(first, last, strict=True)
    ]


def _in_a_row(function: Any, depth: int) -> _Function:
    parts, known = function.Functions, dict[int, _Function]()
    [(start, end)] = _pairs(function.Domain)
    ends = [start, *map(float, function.Bounds), end]
    onto = _pairs(function.Encode)

    def follow(given: Numbers) -> Numbers:
        value = given[0]
        at = bisect_right(ends, value, 1, len(ends) - 1) - 1
        if at not in known:  # of thousands few may be asked for
            known[at] = _followed(parts[at], depth + 1)
        return known[at]([_between(value, (ends[at], ends[at + 1]), onto[at])])

    return follow


def _sampled(function: Any) -> _Function:
    sizes = [int(size) for size in function.Size]
    domain, reach = _pairs(function.Domain), _pairs(function.Range)
    onto = _pairs(function.get("/Encode", [v for size in sizes for v in (0, size - 1)]))
    values = _pairs(function.get("/Decode", [v for ends in reach for v in ends]))
    bits, data = int(function.BitsPerSample), function.read_bytes()

    def sample(at: int) -> Iterator[float]:
        for channel, ends in enumerate(values, start=at * len(values)):
            yield _between(_bits(data, channel * bits, bits), (0, 2**bits - 1), ends)

    def follow(given: Numbers) -> Numbers:
        near, step = [(0, 1.0)], 1  # the samples around a place, each with its weight
        for value, ends, encoded, size in zip(given, domain, onto, sizes, strict=True):
            place = _within(_between(value, ends, encoded), 0, size - 1)
            low = math.floor(place)
            parts = [(low, 1 - place + low)] + [(low + 1, place - low)] * (place > low)
            near = [(at + step * n, weight * part) for at, weight in near for n, part in parts]
            step *= size
        return [
            summed(c) for c in zip(*([w * v for v in sample(at)] for at, w in near), strict=True)
        ]

    return follow


def _bits(data: bytes, start: int, count: int) -> int:
    """A number of so many bits, the highest first. Raises LookupError where there is none."""
    end = start + count
    if end > 8 * len(data) or not 0 < count <= _WIDEST:
        raise LookupError(start)
    taken = int.from_bytes(data[start // 8 : -(-end // 8)], "big")
    return taken >> (-end % 8) & (1 << count) - 1


def _corners(shading: Any, channels: int | None) -> Iterator[Numbers]:
    """The colours at the corners of a mesh, of so many numbers each, or as it decodes."""
    kind, data = int(shading.ShadingType), shading.read_bytes()
    place, part = int(shading.BitsPerCoordinate), int(shading.BitsPerComponent)
    flag = 0 if kind == _LATTICE else int(shading.BitsPerFlag)
    decoded = _pairs(shading.Decode)[2:]
    ends = decoded if channels is None else decoded[:channels]
    at = 0
    for _ in range(_MOST_CORNERS):
        if at + flag + 2 * place + part * len(ends) > 8 * len(data):
            return
        new = not (flag and _bits(data, at, flag) & 3)
        points, colours = (1, 1) if kind in _BY_CORNERS else _patch(kind, new=new)
        at += flag + 2 * points * place
        for _ in range(colours):
            yield [
                _between(_bits(data, at + n * part, part), (0, 2**part - 1), pair)
                for n, pair in enumerate(ends)
            ]
            at += part * len(ends)
        at += -at % 8


def _patch(kind: int, *, new: bool) -> tuple[int, int]:
    """How many points and colours a patch tells: one that goes on from another tells fewer."""
    points = 12 if kind == _COONS else 16
    return (points, 4) if new else (points - 4, 2)


_TOKEN: Final = re.compile(rb"[{}]|[^\s{}]+")
_COMMENT: Final = re.compile(rb"%[^\r\n]*")


def _calculated(function: Stream) -> _Function:
    text = _COMMENT.sub(b"", function.read_bytes())
    tokens = [each[0].decode("latin-1") for each in islice(_TOKEN.finditer(text), _MOST_TOKENS)]
    [program], _ = _parsed([*tokens, "}"], 0, 0)
    count = len(_pairs(function.Range))

    def follow(given: Numbers) -> Numbers:
        stack: list[Any] = list(given)
        _run(program, stack)
        return [float(value) for value in stack[-count:]]

    return follow


def _parsed(tokens: Sequence[str], at: int, depth: int) -> tuple[_TintProgram, int]:
    """What stands before the brace that closes it, and where that is."""
    if depth > _DEEPEST:
        raise ValueError("programs within programs")
    found: _TintProgram = []
    while tokens[at] != "}":
        if tokens[at] == "{":
            inner, at = _parsed(tokens, at + 1, depth + 1)
            found.append(inner)
        elif tokens[at] in _OPERATORS or tokens[at] in _STACK:
            found.append(tokens[at])
        else:
            found.append(float(tokens[at]))
        at += 1
    return found, at


def _run(program: _TintProgram, stack: list[Any]) -> None:
    """A program has no loops: it ends."""
    for step in program:
        if len(stack) > _MOST_NUMBERS:
            raise LookupError(len(stack))
        if not isinstance(step, str):
            stack.append(step)
        elif step in _STACK:
            _STACK[step](stack)
        else:
            count, work = _OPERATORS[step]
            given = [stack.pop() for _ in range(count)][::-1]
            found = work(*given)
            stack.append(found if isinstance(found, bool) else float(found))


def _if(stack: list[Any]) -> None:
    then, test = stack.pop(), stack.pop()
    if test:
        _run(then, stack)


def _if_else(stack: list[Any]) -> None:
    other, then, test = stack.pop(), stack.pop(), stack.pop()
    _run(then if test else other, stack)


def _copy(stack: list[Any]) -> None:
    count = int(stack.pop())
    if not 0 <= count <= len(stack):
        raise LookupError(count)
    stack += stack[len(stack) - count :]


def _roll(stack: list[Any]) -> None:
    by, count = int(stack.pop()), int(stack.pop())
    if not 0 < count <= len(stack):
        raise LookupError(count)
    moved, by = stack[-count:], by % count
    stack[-count:] = moved[count - by :] + moved[: count - by]


def _exchange(stack: list[Any]) -> None:
    stack[-2], stack[-1] = stack[-1], stack[-2]


_STACK: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "if": _if,
    "ifelse": _if_else,
    "pop": list.pop,
    "dup": lambda stack: stack.append(stack[-1]),
    "exch": _exchange,
    "copy": _copy,
    "index": lambda stack: stack.append(stack[-1 - int(stack.pop())]),
    "roll": _roll,
}
"""What moves things on the stack."""


def _bitwise(whole: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    def work(one: Any, other: Any) -> Any:
        truths = isinstance(one, bool) and isinstance(other, bool)
        return whole(one, other) if truths else whole(int(one), int(other))

    return work


def _shifted(value: float, by: float) -> int:
    places = int(_within(by, -32, 32))
    return int(value) << places if places >= 0 else int(value) >> -places


_OPERATORS: Final[dict[str, tuple[int, Callable[..., Any]]]] = {
    "abs": (1, abs), "neg": (1, operator.neg), "ceiling": (1, math.ceil), "floor": (1, math.floor),
    "round": (1, lambda v: math.floor(v + 0.5)), "truncate": (1, math.trunc),
    "cvi": (1, math.trunc),
    "cvr": (1, float), "sqrt": (1, math.sqrt), "ln": (1, math.log), "log": (1, math.log10),
    "sin": (1, lambda v: math.sin(math.radians(v))),
    "cos": (1, lambda v: math.cos(math.radians(v))),
    "atan": (2, lambda y, x: math.degrees(math.atan2(y, x)) % 360), "exp": (2, math.pow),
    "add": (2, operator.add), "sub": (2, operator.sub), "mul": (2, operator.mul),
    "div": (2, operator.truediv), "idiv": (2, lambda a, b: math.trunc(int(a) / int(b))),
    "mod": (2, lambda a, b: int(math.fmod(int(a), int(b)))),
    "eq": (2, operator.eq), "ne": (2, operator.ne), "lt": (2, operator.lt), "le": (2, operator.le),
    "gt": (2, operator.gt), "ge": (2, operator.ge), "bitshift": (2, _shifted),
    "and": (2, _bitwise(operator.and_)), "or": (2, _bitwise(operator.or_)),
    "xor": (2, _bitwise(operator.xor)), "true": (0, lambda: True), "false": (0, lambda: False),
    "not": (1, lambda v: not v if isinstance(v, bool) else ~int(v)),
}  # fmt: skip
"""What takes so many numbers and leaves one."""
