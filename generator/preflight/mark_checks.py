"""Pages in; findings about marks that are not as the manifest has them, and about whatever else a
page does itself, out.

A page is its faces, each where its placement says, with marks over them. So its look is known when
every face is what was rendered and every mark is in its place, as wide, as dark and as long as it
should be, with its figures; and when there is nothing else."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from generator.geometry import MM_PER_INCH, Point, Rect, bounds
from generator.model.face import PdfLayer
from generator.model.manifest import LinesEntry, MarkEntry, PathEntry, WordsEntry
from generator.pdf_forms import FormReader
from generator.preflight.checking import (
    PLACE_TOLERANCE,
    Finding,
    PageMatch,
    Subject,
    distance,
)
from generator.preflight.cut_checks import cut_marks
from generator.preflight.file_checks import fonts
from generator.preflight.glyph_checks import glyphs
from generator.preflight.page_reader import DrawnPath, DrawnWords, LineStroke, PathStep, Pen
from generator.preflight.sheet_checks import rulers
from generator.preflight.sheet_rules import OddMark, unruly

_AGAIN: Final = "build the pack again, and do not let another program change the file"
_WIDTH_TOLERANCE: Final = 0.005
"""mm of a line's width, and of its dashes."""
_GREY_TOLERANCE: Final = 0.01
_TEXT_TOLERANCE: Final = 0.05
"""mm, and pt of its size, by which words may be off."""
_TURN_TOLERANCE: Final = 0.1
_CODES: Final = {PdfLayer.CUT: "GP814", PdfLayer.FOLD: "GP814", PdfLayer.GUIDES: "GP805"}
"""Of lines on these layers; of others, and of words, it is GP806."""
_DASHED: Final[dict[str, bool]] = {PdfLayer.CUT: False, PdfLayer.FOLD: True}
_PALEST: Final = 0.7
"""Grey, of 1, of a line that is still seen."""
_THINNEST, _WIDEST, _SHORTEST = 0.1, 0.3, 0.95
"""mm."""
_FIGURES: Final = re.compile(r"^([0-9]{1,3}) (mm|in)$")
_BESIDE: Final = 6.0
"""mm from the end of a scale to its figures."""
_SCALE_TOLERANCE: Final = 0.1
_MOST: Final = 3
"""Marks of a layer that are told of one by one."""
_MOST_COMPARED: Final = 2_000_000


class _MarkLine(NamedTuple):
    """A part of a path as it should be."""

    layer: str
    steps: tuple[PathStep, ...]
    pen: Pen
    window: Rect | None = None


def marks(subject: Subject) -> Iterator[Finding]:
    """GP805, GP806, GP814: each mark is as the manifest has it, and there is nothing else. What
    another check tells of a page, such as that its ruler is too long, is not told twice."""
    odd: list[OddMark] = []
    for match in subject.matched:
        if match.expected.marks is not None:
            odd += list(_misdrawn(match, match.expected.marks)) or _by_themselves(subject, match)
    told = _told_of(subject) if odd else {}
    for page, layer, code, message in odd:
        if page not in told.get(layer, ()):
            yield subject.fault(code, message, _AGAIN, page)
    yield from _lettered(subject)


def _by_themselves(subject: Subject, match: PageMatch) -> Iterator[OddMark]:
    """What is wrong with marks whatever the manifest says of them."""
    yield from _unlike_marks(match)
    if subject.expected is not None:
        title = str(subject.pdf.docinfo.get("/Title", ""))
        yield from unruly(match, subject.expected, title)


def _unlike_marks(match: PageMatch) -> Iterator[OddMark]:
    """What no mark to cut or fold along looks like, whatever the manifest says of it. White ones
    are below dark ones, on art."""
    dark = {path.steps for path in match.read.paths if min(path.pen.colour) <= _PALEST}
    for path in match.read.paths:
        if path.layer not in _DASHED or (path.steps in dark and min(path.pen.colour) > _PALEST):
            continue
        (_, at), *_ = path.steps
        ends = [point for _, points in path.steps for point in points]
        wrong = ""
        if min(path.pen.colour) > _PALEST:
            wrong = "so pale that nobody sees it"
        elif not _THINNEST <= path.pen.width <= _WIDEST:
            wrong = (
                f"{path.pen.width:.2f} mm wide, {_THINNEST:g} to {_WIDEST:g} mm can be cut along"
            )
        elif bool(path.pen.dash) != _DASHED[path.layer]:
            wrong = "dashed as a fold" if path.pen.dash else "drawn through as a cut"
        elif len(ends) == 2 and distance(*ends) < _SHORTEST:
            wrong = f"{distance(*ends):.1f} mm short, {_SHORTEST:g} mm and more are seen"
        if wrong:
            what = "fold" if _DASHED[path.layer] else "cut mark"
            message = f"the {what} at ({at[0].x:.1f}, {at[0].y:.1f}) mm is {wrong}"
            yield OddMark(match.read.number, path.layer, "GP814", message)
    yield from _wrong_scales(match)


def _wrong_scales(match: PageMatch) -> Iterator[OddMark]:
    """Scales whose figures say another length, or whose ticks are not at even distances."""
    lines = [line for line in match.read.strokes if line.layer == PdfLayer.GUIDES]
    for words in match.read.words:
        said = _FIGURES.match(words.words) if words.layer == PdfLayer.GUIDES else None
        if said is None:
            continue
        step = 10.0 if said[2] == "mm" else MM_PER_INCH / 2
        length = int(said[1]) * (1.0 if said[2] == "mm" else MM_PER_INCH)
        near = [line for line in lines if distance(line.end, words.at) < _BESIDE]
        scale = min(near, key=lambda line: abs(line.length - length), default=None)
        if scale is None or abs(scale.length - length) > _SCALE_TOLERANCE:
            message = f"no scale is as long as the ruler says: {words.words}"
            yield OddMark(match.read.number, PdfLayer.GUIDES, "GP805", message)
            continue
        ticks = sorted(
            distance(scale.start, line.start)
            for line in lines
            if line is not scale and _is_on(line.start, scale)
        )
        wanted = [step * number for number in range(round(length / step) + 1)]
        if not ticks:
            continue
        if len(ticks) != len(wanted) or any(
            abs(tick - want) > _SCALE_TOLERANCE for tick, want in zip(ticks, wanted, strict=True)
        ):
            message = f"the ticks of the scale that says {words.words} are not {step:g} mm apart"
            yield OddMark(match.read.number, PdfLayer.GUIDES, "GP805", message)


def _is_on(point: Point, line: LineStroke) -> bool:
    """Whether a point is on a line."""
    x, y = point.x - line.start.x, point.y - line.start.y
    across, down = line.end.x - line.start.x, line.end.y - line.start.y
    return abs(x * down - y * across) < PLACE_TOLERANCE * line.length


def _lettered(subject: Subject) -> Iterator[Finding]:
    """That the fonts of marks are others than were written."""
    expected = subject.expected
    if expected is None or not expected.lettering:
        return
    reader = FormReader(subject.pdf, subject.prints)
    there = {font for page in subject.pdf.pages for font in reader.lettering(page)}
    if not there <= set(expected.lettering):
        message = "the font of rulers and slugs is another than was written: its glyphs may differ"
        yield subject.fault("GP806", message, _AGAIN)


def _told_of(subject: Subject) -> dict[str, set[int]]:
    """The pages on which other checks tell of what is on a layer."""
    checks = {
        PdfLayer.CUT: (cut_marks,),
        PdfLayer.GUIDES: (rulers, glyphs, fonts),
    }
    return {
        layer: {finding.page for check in several for finding in check(subject)}
        for layer, several in checks.items()
    }


def _misdrawn(match: PageMatch, told: Sequence[MarkEntry]) -> Iterator[OddMark]:
    """What is to be said of marks that are lost, changed or too many."""
    page, there = match.read.number, list(match.read.paths)
    want = [line for mark in told for line in _lines(mark)]
    if len(want) != len(there) or not all(map(_is_as, there, want)):
        for layer, message in _odd_lines(want, there):
            code = next((code for each, code in _CODES.items() if each == layer), "GP806")
            yield OddMark(page, layer, code, message)
    words = [mark for mark in told if isinstance(mark, WordsEntry)]
    for message in _odd_words(words, list(match.read.words)):
        yield OddMark(page, PdfLayer.GUIDES, "GP806", message)
    if any(line.window and not line.window.contains(_box(line)) for line in there) and not any(
        line.window for line in want
    ):
        yield OddMark(page, "", "GP806", "some of the marks are cut off by a clip path")
    if match.read.over:
        message = "a face is painted over marks, which come last: they are below it"
        yield OddMark(page, "", "GP806", message)


def _odd_lines(want: list[_MarkLine], there: list[DrawnPath]) -> Iterator[tuple[str, str]]:
    """Layers, and what is wrong there."""
    if len(want) * len(there) > _MOST_COMPARED:
        yield "", f"{len(there)} marks are drawn, the manifest has {len(want)}"
        return
    lost, surplus = _unmatched(want, there, _is_as)
    odd = []
    for line in lost:
        near = next((other for other in surplus if _is_at(other, line)), None)
        if near is None:
            odd.append((line.layer, f"{_named(line)} is not drawn"))
        else:
            surplus.remove(near)
            odd.append((line.layer, f"{_named(line)} is {_how(near, line)}"))
    odd += [(line.layer, f"{_named(line)} is drawn that is not to be") for line in surplus]
    for layer in dict.fromkeys(layer for layer, _ in odd):
        of_layer = [what for where, what in odd if where == layer]
        others = f", and {len(of_layer) - _MOST} more" if len(of_layer) > _MOST else ""
        yield layer, f"{'; '.join(of_layer[:_MOST])}{others}"


W = TypeVar("W")
T = TypeVar("T")


def _unmatched(
    want: Sequence[W], there: Sequence[T], fits: Callable[[T, W], bool]
) -> tuple[list[W], list[T]]:
    """Those that should be there and are not, and those that are and should not."""
    left = list(there)
    lost = []
    for each in want:
        found = next((other for other in left if fits(other, each)), None)
        if found is None:
            lost.append(each)
        else:
            left.remove(found)
    return lost, left


def _odd_words(want: list[WordsEntry], there: list[DrawnWords]) -> Iterator[str]:
    lost, surplus = _unmatched(want, there, _says)
    for words in lost:
        near = next((other for other in surplus if _stands(other, words)), None)
        if near is None:
            at = _place(Point(*words.at_mm))
            yield f"a line of slug or ruler, ‘{words.text}’, is not printed at {at}"
            continue
        surplus.remove(near)
        if _plain(near.words) != _plain(words.text):
            yield f"the slug or ruler says ‘{near.words}’ in the place of ‘{words.text}’"
        else:
            yield f"‘{words.text}’, of slug or ruler, has another size, colour or place"
    for other in surplus:
        yield f"‘{other.words}’ is printed at {_place(other.at)}, which is not to be"


def _says(there: DrawnWords, want: WordsEntry) -> bool:
    return (
        there.plain
        and there.layer == want.layer
        and _plain(there.words) == _plain(want.text)
        and abs(there.size_pt - want.size_pt) < _TEXT_TOLERANCE
        and abs((there.turn - want.rotation + 180) % 360 - 180) < _TURN_TOLERANCE
        and _stands(there, want)
    )


def _stands(there: DrawnWords, want: WordsEntry) -> bool:
    """True for words whose baseline is where it should be."""
    x, y = there.at.x - want.at_mm[0], there.at.y - want.at_mm[1]
    if want.anchor == "start":
        return math.hypot(x, y) < _TEXT_TOLERANCE
    turn = math.radians(want.rotation)
    return abs(y * math.cos(turn) - x * math.sin(turn)) < _TEXT_TOLERANCE


def _plain(words: str) -> str:
    return "".join(unicodedata.normalize("NFKC", words).split())


def _lines(mark: MarkEntry) -> Iterator[_MarkLine]:
    """A mark as the parts of a path."""
    if isinstance(mark, LinesEntry):
        pen = Pen(mark.width, (mark.grey,), mark.dash)
        for x1, y1, x2, y2 in mark.lines:
            steps: tuple[PathStep, ...] = ("m", (Point(x1, y1),)), ("l", (Point(x2, y2),))
            yield _MarkLine(mark.layer, steps, pen)
    elif isinstance(mark, PathEntry):
        pen = Pen(mark.width, (mark.grey,))
        window = Rect(*mark.clip_mm) if mark.clip_mm else None
        for part in _parts(mark.path):
            yield _MarkLine(mark.layer, part, pen, window)


def _parts(path: str) -> Iterator[tuple[PathStep, ...]]:
    """Path data of absolute M, L, C and Z, part by part."""
    steps: list[PathStep] = []
    words = path.split()
    at = 0
    while at < len(words):
        name = words[at].lower()
        count = {"m": 2, "l": 2, "c": 6}.get(name, 0)
        values = [float(word) for word in words[at + 1 : at + 1 + count]]
        at += 1 + count
        if name == "m" and steps:
            yield tuple(steps)
            steps = []
        points = tuple(Point(*values[n : n + 2]) for n in range(0, len(values), 2))
        steps.append(("h" if name == "z" else name, points))
    if steps:
        yield tuple(steps)


def _closed(steps: Sequence[PathStep]) -> tuple[PathStep, ...]:
    """Without a line back to where a closed part began, which is drawn either way."""
    *rest, before, last = (("", ()), *steps)
    back = before[0] == "l" and last[0] == "h" and _is_near(before[1][0], steps[0][1][0])
    return (*rest[1:], last) if back else tuple(steps)


def _is_as(there: DrawnPath, want: _MarkLine) -> bool:
    return _is_at(there, want) and _is_drawn(there.pen, want.pen)


def _is_at(there: DrawnPath, want: _MarkLine) -> bool:
    """True for what goes the same way on the same layer."""
    drawn, wanted = _closed(there.steps), _closed(want.steps)
    if there.layer != want.layer or len(drawn) != len(wanted):
        return False
    if want.window and not (there.window and there.window.contains(want.window, _TEXT_TOLERANCE)):
        return False
    return all(
        one == other and all(map(_is_near, points, others))
        for (one, points), (other, others) in zip(drawn, wanted, strict=True)
    )


def _is_near(one: Point, other: Point) -> bool:
    return distance(one, other) <= PLACE_TOLERANCE


def _is_drawn(there: Pen, want: Pen) -> bool:
    return (
        there.cap == want.cap
        and abs(there.width - want.width) <= _WIDTH_TOLERANCE
        and _alike(there.colour, want.colour, _GREY_TOLERANCE)
        and _alike(there.dash, want.dash, _WIDTH_TOLERANCE)
    )


def _alike(one: Sequence[float], other: Sequence[float], most: float) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= most for a, b in zip(one, other, strict=True)
    )


def _how(there: DrawnPath, want: _MarkLine) -> str:
    """How a line is drawn that should be drawn otherwise."""
    pen, other = there.pen, want.pen
    if abs(pen.width - other.width) > _WIDTH_TOLERANCE:
        return f"{pen.width:.2f} mm wide, not {other.width:.2f} mm"
    if not _alike(pen.colour, other.colour, _GREY_TOLERANCE):
        return "of another colour than it should be"
    if not _alike(pen.dash, other.dash, _WIDTH_TOLERANCE):
        return "dashed otherwise, or not at all"
    return "drawn with other ends"


def _box(line: DrawnPath) -> Rect:
    return bounds([point for _, points in line.steps for point in points])


_NAMES: Final = {
    PdfLayer.CUT: ("cut mark", "die line"),
    PdfLayer.FOLD: ("fold", "fold"),
    PdfLayer.GUIDES: ("line of a ruler, tick or diamond", "mark beside a ruler"),
}
"""What lines and outlines of a layer are called."""


def _named(line: _MarkLine | DrawnPath) -> str:
    """A line in words."""
    points = [point for _, points in line.steps for point in points]
    names = next((n for layer, n in _NAMES.items() if layer == line.layer), ("mark", "mark"))
    if len(points) == 2:
        return f"the {names[0]} from {_place(points[0])} to {_place(points[1])}"
    return f"the {names[1]} about {_place(bounds(points).centre)}"


def _place(point: Point) -> str:
    return f"({point.x:.1f}, {point.y:.1f}) mm"
