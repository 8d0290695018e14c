"""Drawings in, the same drawings out with their rims worked out; run `make rims` after a change.

    python docs/rims.py [--check] [DRAWING.svg...]

A rim is where light or shade falls on a shape: the shape less itself, moved. In a drawing of a pack
it is a path with `data-rim="1.4 1.4"`, how far it is moved (down right for light, up left for
shade), after the path of the shape, and has a fill and an opacity of its own. It is kept as a path
because clipping hundreds of shapes slows a preview down. Without drawings, all of the packs' are
done; `--check` writes nothing and fails where a rim is another than its shape makes.
"""

import math
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from fontTools.misc.bezierTools import calcBounds, splitCubicAtT
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

XY = tuple[float, float]
Curve = tuple[XY, XY, XY, XY]
"""A cubic by its four points; of a straight line at thirds of its length."""

ROOT = Path(__file__).parent.parent
STEPS = 12
"""Chords by which a curve is held against others: on a card a hundredth of a mm off."""
LEAST = 0.04
"""Of a rim's pieces, the smallest area that is drawn, square units."""

_PATH = re.compile(r"<path\b[^>]*>")
_DATA = re.compile(r'(?<=\sd=")[^"]*')
_RIM = re.compile(r'\sdata-rim="([-\d.]+) ([-\d.]+)"')


def main(args: list[str]) -> int:
    check = "--check" in args
    named = [Path(arg) for arg in args if arg != "--check"]
    stale = 0
    for path in named or sorted((ROOT / "templates").glob("*/art/**/*.svg")):
        text = path.read_text("utf-8")
        made = rimmed(text)
        if made != text:
            stale += 1
            said = "a rim is not what its shape makes: run make rims" if check else "rims made"
            sys.stdout.write(f"{path}: {said}\n")
            if not check:
                path.write_text(made, "utf-8")
    return int(check and stale > 0)


def rimmed(drawing: str) -> str:
    """A drawing, with the path of each rim made of the shape before it."""
    shape = ""

    def made(found: re.Match[str]) -> str:
        nonlocal shape
        rim = _RIM.search(found[0])
        if rim is None:
            data = _DATA.search(found[0])
            shape = data[0] if data else ""
            return found[0]
        return _DATA.sub(lambda _: less_moved(shape, float(rim[1]), float(rim[2])), found[0])

    return _PATH.sub(made, drawing)


def less_moved(shape: str, dx: float, dy: float) -> str:
    """Path data of a shape less itself moved by (dx, dy), in units of the path, to a tenth."""
    whole = _contours(shape)
    # a little off, so that an edge along the way does not lie on itself
    by = dx + 0.0011, dy - 0.0007
    moved = [[_moved(curve, by) for curve in contour] for contour in whole]
    of_whole, of_moved = _cuts(whole, moved)
    within_moved, within_whole = _Region(moved), _Region(whole)
    kept = [p for p in _pieces(whole, of_whole) if not within_moved.has(_middle(p))]
    kept += [p[::-1] for p in _pieces(moved, of_moved) if within_whole.has(_middle(p))]
    return "".join(map(_data, filter(_seen, _joined(kept))))


def _contours(data: str) -> list[list[Curve]]:
    pen = RecordingPen()
    parse_path(data, pen)
    contours: list[list[Curve]] = []
    start = at = (0.0, 0.0)
    for what, points in pen.value:
        match what, points:
            case "moveTo", (start,):
                contours.append([])
                at = start
            case "lineTo", (to,):
                contours[-1].append(_line(at, to))
                at = to
            case "curveTo", (one, two, to):
                contours[-1].append((at, one, two, to))
                at = to
            case "qCurveTo", (one, to):
                a, b = _between(at, one, 2 / 3), _between(to, one, 2 / 3)
                contours[-1].append((at, a, b, to))
                at = to
            case _ if at != start:  # closed
                contours[-1].append(_line(at, start))
                at = start
    return [[curve for curve in contour if len(set(curve)) > 1] for contour in contours]


def _between(a: XY, b: XY, share: float) -> XY:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _line(a: XY, b: XY) -> Curve:
    return a, _between(a, b, 1 / 3), _between(a, b, 2 / 3), b


def _straight(curve: Curve) -> bool:
    a, b, c, d = curve
    w, h = d[0] - a[0], d[1] - a[1]
    off = max(abs((x - a[0]) * h - (y - a[1]) * w) for x, y in (b, c))
    return off < 1e-6 * max(1.0, math.hypot(w, h))


def _moved(curve: Curve, by: XY) -> Curve:
    a, b, c, d = ((x + by[0], y + by[1]) for x, y in curve)
    return a, b, c, d


def _point(curve: Curve, t: float) -> XY:
    a, b, c, d = curve
    s = 1 - t
    k, m, n, o = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return k * a[0] + m * b[0] + n * c[0] + o * d[0], k * a[1] + m * b[1] + n * c[1] + o * d[1]


def _chords(curve: Curve) -> list[XY]:
    steps = 1 if _straight(curve) else STEPS
    return [_point(curve, i / steps) for i in range(steps + 1)]


def _middle(curve: Curve) -> XY:
    return _point(curve, 0.5)


def _cuts(
    whole: Sequence[Sequence[Curve]], moved: Sequence[Sequence[Curve]]
) -> tuple[dict[Curve, list[float]], dict[Curve, list[float]]]:
    """Where the curves of two shapes cross, as places from 0 to 1 along the curves of each."""
    ours: dict[Curve, list[float]] = {}
    theirs: dict[Curve, list[float]] = {}
    others = [(c, _chords(c), calcBounds(c)) for contour in moved for c in contour]
    for one in (c for contour in whole for c in contour):
        chords, box = _chords(one), calcBounds(one)
        for other, far, around in others:
            if box[0] > around[2] or around[0] > box[2] or box[1] > around[3] or around[1] > box[3]:
                continue
            for t, u in _crossings(chords, far):
                ours.setdefault(one, []).append(t)
                theirs.setdefault(other, []).append(u)
    return ours, theirs


def _crossings(one: Sequence[XY], other: Sequence[XY]) -> Iterator[tuple[float, float]]:
    for i, (a, b) in enumerate(pairwise(one)):
        for k, (c, d) in enumerate(pairwise(other)):
            rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
            area = rx * sy - ry * sx
            if area:
                t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / area
                u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / area
                if 0 <= t < 1 and 0 <= u < 1:
                    yield (i + t) / (len(one) - 1), (k + u) / (len(other) - 1)


def _pieces(contours: Sequence[Sequence[Curve]], cuts: dict[Curve, list[float]]) -> Iterator[Curve]:
    for curve in (c for contour in contours for c in contour):
        yield from splitCubicAtT(*curve, *sorted(cuts.get(curve, ())))


class _Region:
    """What lies within a shape, by how often its outline goes around a point."""

    def __init__(self, contours: Sequence[Sequence[Curve]]) -> None:
        self._edges = [
            edge
            for contour in contours
            for chords in map(_chords, contour)
            for edge in pairwise(chords)
        ]

    def has(self, point: XY) -> bool:
        x, y = point
        turns = 0
        for (ax, ay), (bx, by) in self._edges:
            if (ay <= y) != (by <= y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                turns += 1 if by > ay else -1
        return turns != 0


def _joined(pieces: list[Curve]) -> Iterator[list[Curve]]:
    """Contours of pieces that follow each other, each the one that begins where the last ends."""
    left = list(pieces)
    while left:
        contour = [left.pop(0)]
        while left:
            end = contour[-1][-1]
            near = min(left, key=lambda piece: math.dist(piece[0], end))
            if math.dist(near[0], end) >= math.dist(contour[0][0], end):
                break
            left.remove(near)
            contour.append(near)
        yield contour


def _seen(contour: Sequence[Curve]) -> bool:
    corners = [point for curve in contour for point in _chords(curve)]
    ends = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in ends)) / 2 > LEAST


def _data(contour: Sequence[Curve]) -> str:
    words = [f"M{_words(contour[0][0])}"]
    for curve in contour:
        if _words(curve[0]) == _words(curve[3]) and math.dist(curve[1], curve[2]) < 0.04:
            continue
        if _straight(curve):
            words.append(f"L{_words(curve[3])}")
        else:
            words.append("C" + " ".join(map(_words, curve[1:])))
    return "".join(words) + "Z"


def _words(point: XY) -> str:
    x, y = (f"{round(value, 1) + 0.0:g}" for value in point)
    return f"{x}{y}" if y.startswith("-") else f"{x} {y}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
