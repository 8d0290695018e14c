"""Checks that a file has all that its manifest lists and nothing besides: pages, faces, pieces,
words, marks. It is long, since that is all of a page.

The pieces are counted where the manifest has them: that they are drawn there is GP806. A page is
its faces, each where its placement says, with marks over them. So its look is known when every face
is what was rendered and every mark is in its place, as wide, as dark and as long as it should be,
with its figures; and when there is nothing else."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeVar

from generator.geometry import MM_PER_INCH, Point, Rect, bounds
from generator.model.face import PdfLayer
from generator.model.manifest import LinesEntry, MarkEntry, PathEntry, PosterEntry, WordsEntry
from generator.model.pack import Backs
from generator.pdf_forms import FormReader
from generator.preflight.checking import (
    PLACE_TOLERANCE,
    Finding,
    Match,
    PageMatch,
    Subject,
    distance,
    finding_of,
)
from generator.preflight.cut_checks import cut_marks
from generator.preflight.faces import FaceTrace
from generator.preflight.file_checks import fonts
from generator.preflight.glyph_checks import glyphs
from generator.preflight.layout_checks import FRONT_FACE, folds
from generator.preflight.manifest_reader import Expected, ExpectedFile
from generator.preflight.mark_checks import OddMark, lies_on, lost_ticks, rulers, scales_of, unruly
from generator.preflight.page_reader import DrawnPath, DrawnWords, LineStroke, PathStep, Pen
from generator.preflight.sheet_checks import odd_poster

NOT_BUILT: Final = "the file is not the one that was built (its sha256)"
_AGAIN: Final = "build the pack again: file and manifest are written together"
_TURN_TOLERANCE: Final = 0.01
"""Degrees: 0.01 mm at the corner of a poker card, 0.05 mm at that of a page of A4."""
_SCALE_TOLERANCE: Final = 0.0001
"""0.02 mm in the width of a page of A4."""


def agreement(subject: Subject) -> Iterator[Finding]:
    """GP806: the file is the one that the manifest describes, page by page, face by face."""
    if subject.expected is None:
        return
    for message in _at_large(subject, subject.expected):
        yield subject.fault("GP806", message, _AGAIN)
    for page in subject.matched:
        number = page.read.number
        drawn, listed = len(page.read.draws), len(page.matches)
        if drawn != listed:
            message = f"{drawn} faces are drawn, the manifest lists {listed}"
            yield subject.fault("GP806", message, _AGAIN, number)
        for match in page.matches:
            for message in drawn_otherwise(match):
                yield subject.fault("GP806", message, _AGAIN, number, match.expected)
        for what in page.read.others:
            message = f"{what} is put on the page that is neither a face nor a mark"
            yield subject.fault("GP806", message, _AGAIN, number)
        for draw in page.surplus:
            x, y = draw.centre.x, draw.centre.y
            message = f"something is drawn about ({x:.2f}, {y:.2f}) mm that is not in the manifest"
            yield subject.fault("GP806", message, _AGAIN, number)


def _at_large(subject: Subject, expected: ExpectedFile) -> Iterator[str]:
    """What file and manifest differ in as a whole, and what the manifest leaves out."""
    if subject.sha256 != expected.sha256:
        yield NOT_BUILT
    if expected.untold:
        untold = "; ".join(expected.untold)
        yield f"the manifest lacks what every build tells, which nobody could look for: {untold}"
    pages, wanted = len(subject.pages), len(expected.pages)
    if pages != wanted:
        yield f"the file has {pages} pages, the manifest {wanted}"


def drawn_otherwise(match: Match) -> Iterator[str]:
    """How a face is drawn in another way than it should be, in words."""
    want, draw = match.expected, match.draw
    if draw is None:
        yield f"the {want} is not drawn"
        return
    off = distance(draw.centre, want.box.centre)
    if off > PLACE_TOLERANCE:
        yield f"the {want} is {off:.2f} mm away from its place"
    turn = (draw.rotation - want.rotation + 180) % 360 - 180
    if abs(turn) > _TURN_TOLERANCE:
        turned_by = (draw.rotation + 1) % 360 - 1  # 359.97° is a little the other way
        yield f"the {want} is turned by {turned_by:.4g}°, not by {want.rotation}°"
    if draw.scale[1] < 0:
        yield f"the {want} is mirrored"
        return
    for scale in draw.scale:
        if abs(scale - 1) > _SCALE_TOLERANCE:
            yield f"the {want} is drawn at {100 * scale:.2f} % of its size"
            return
    size = want.box.size if want.rotation % 180 == 0 else want.box.size.turned
    if off <= PLACE_TOLERANCE and _is_cut_otherwise(match):
        yield f"the {want} is cut to another part of it than it should be"
    bleeds = ((draw.width - size.width) / 2, (draw.height - size.height) / 2)
    if abs(bleeds[0] - bleeds[1]) > PLACE_TOLERANCE:
        yield f"the {want} is not {size.width:g} × {size.height:g} mm and an even bleed"
    elif abs(min(bleeds) - want.bleed) > PLACE_TOLERANCE:
        yield f"the {want} has {min(bleeds):.2f} mm of bleed, not {want.bleed:g} mm"


def _is_cut_otherwise(match: Match) -> bool:
    """True when a clip path shows more of a face, or less, than the manifest has."""
    want, draw = match.expected, match.draw
    if draw is None:
        return False
    turned = want.rotation % 180 != 0
    width, height = (draw.height, draw.width) if turned else (draw.width, draw.height)
    whole = Rect(draw.centre.x - width / 2, draw.centre.y - height / 2, width, height)
    shown = whole if draw.window is None else whole.cut_to(draw.window)
    if not (
        shown.contains(want.art, PLACE_TOLERANCE) and want.art.contains(shown, PLACE_TOLERANCE)
    ):
        return True
    return any(not _is_near(corner, draw.clip) for corner in want.outline)


def _is_near(corner: Point, corners: Sequence[Point]) -> bool:
    return any(distance(corner, other) <= PLACE_TOLERANCE for other in corners)


_REBUILT: Final = "build the pack again: nothing may be left out of the file or put into it"


def counts(subject: Subject) -> Iterator[Finding]:
    """GP851: of each component there are as many pieces as its quantity."""
    if subject.expected is None:
        return
    pieces: dict[tuple[str, str], set[int]] = defaultdict(set)
    first: dict[tuple[str, str], tuple[int, Expected | None]] = {}
    nowhere = (0, None)
    for number, placed in _placed(subject):
        pieces[placed.kind, placed.component].add(placed.copy)
        first.setdefault((placed.kind, placed.component), (number, placed))
    for key, component in subject.expected.components.items():
        there = len(pieces[key])
        if there != component.quantity:
            yield _finding(
                "GP851",
                f"{there} of {component.id!r} are in the file, its quantity is"
                f" {component.quantity}",
                *first.get(key, nowhere),
                component=f"{component.kind}/{component.id}",
                source=component.source,
            )


def faces_present(subject: Subject) -> Iterator[Finding]:
    """GP854: every piece has a front if its kind has one, and all the faces that other copies of
    the component have. A component without a back at all is meant to be blank behind."""
    needed: dict[tuple[str, str], set[str]] = defaultdict(set)
    of_piece: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    first: dict[tuple[str, str, int], tuple[int, Expected]] = {}
    for number, placed in _placed(subject):
        needed[placed.piece[:2]].add(placed.face)
        of_piece[placed.piece].add(placed.face)
        first.setdefault(placed.piece, (number, placed))
    with_front = {kind for (kind, _), faces in needed.items() if FRONT_FACE in faces}
    for piece, faces in of_piece.items():
        number, placed = first[piece]
        front = {FRONT_FACE} if placed.kind in with_front else set()
        for missing in sorted((needed[piece[:2]] | front) - faces):
            message = f"{placed.component!r}, copy {placed.copy}, has no {missing}"
            yield _finding("GP854", message, number, placed)
    yield from _missing_backs(subject)
    yield from _missing_pages(subject)


def _missing_backs(subject: Subject) -> Iterator[Finding]:
    """Sheets of which a side is gone, with its page in the manifest."""
    expected = subject.expected
    if expected is None or expected.backs not in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT):
        return
    labels = {page.number: page.label.split(" ")[:2] for page in expected.pages}
    there = set(map(tuple, labels.values()))  # without the name of a poster's page
    for page in expected.pages:
        sheet, side = (*labels[page.number], "")[:2]
        other = {"front": "back", "back": "front"}.get(side)
        if other and (sheet, other) not in there:
            message = f"sheet {sheet} has a {side} and no {other}"
            yield Finding("GP854", message, _REBUILT, page=page.number)


def _missing_pages(subject: Subject) -> Iterator[Finding]:
    """Posters that lack pages."""
    there: dict[tuple[str, str, int], set[tuple[int, int]]] = defaultdict(set)
    first: dict[tuple[str, str, int], tuple[int, Expected, PosterEntry]] = {}
    for number, placed in _placed(subject):
        if placed.poster is not None:
            there[placed.piece].add((placed.poster.row, placed.poster.column))
            first.setdefault(placed.piece, (number, placed, placed.poster))
    for piece, (number, placed, page) in first.items():
        missing = page.rows * page.columns - len(there[piece])
        if missing > 0:
            pages = "a page" if missing == 1 else f"{missing} pages"
            message = f"the {placed} lacks {pages} of {page.rows * page.columns}"
            yield _finding("GP854", message, number, placed)


def faces_unique(subject: Subject) -> Iterator[Finding]:
    """GP855: each face of each piece, and of a poster each page, is in the file once."""
    times = Counter(_part(placed) for _, placed in _placed(subject))
    told = set()
    for number, placed in _placed(subject):
        key = _part(placed)
        if times[key] > 1 and key not in told:
            told.add(key)
            message = f"the {placed} stands {times[key]} times in the file"
            yield _finding("GP855", message, number, placed)


def _part(placed: Expected) -> tuple[object, ...]:
    page = placed.poster
    return placed.piece, placed.face, page and (page.row, page.column)


def _placed(subject: Subject) -> Iterator[tuple[int, Expected]]:
    """Every placement with the number of its page."""
    for page in subject.expected.pages if subject.expected else ():
        for placed in page.placements:
            yield page.number, placed


def _finding(code: str, message: str, number: int, placed: Expected | None, **more: Any) -> Finding:
    if placed is None:
        return Finding(code, message, _REBUILT, page=number, **more)
    return finding_of(placed, code, message, _REBUILT, page=number, **more)


_REBUILD: Final = "build the pack again: the words in the file are not those that were drawn"
_LONGEST: Final = 40
"""Letters of a face that a message shows."""


def own_words(subject: Subject, traces: Sequence[FaceTrace]) -> Iterator[Finding]:
    """GP856: each face shows the letters and digits of its own words, each as often as it should.

    Their order, and signs such as hyphens, which PDF readers take out, are not compared; nor are
    posters, of which no page has all the words. A text that is drawn twice, as with a shadow, may
    count once: readers take what lies nearly on itself for one. And they may count a letter with
    accents that a font sets of parts more than once.
    """
    for trace in traces:
        face = trace.expected
        if face.words is None or face.poster is not None:
            continue
        texts, there = face.words.split("\n"), _letters(trace.words)
        most, least = _letters(*texts), _letters(*set(texts))
        missing, surplus = (least - there).total(), (there - most).total()
        if missing or there.keys() - most.keys():
            yield finding_of(
                face,
                "GP856",
                f"the {face.face} of {face.component!r} does not show its own words,"
                f" {_quoted(face.words)}: of its letters {missing} are missing, {surplus} too many",
                _REBUILD,
                page=trace.page,
                copies=trace.copies,
            )


def _letters(*texts: str) -> Counter[str]:
    """How often each letter and digit comes; ligatures and accents taken apart."""
    found: Counter[str] = Counter()
    for sign, count in Counter("".join(texts)).items():
        for part in _parts(sign):
            found[part] += count
    return found


@lru_cache(maxsize=4096)
def _parts(sign: str) -> tuple[str, ...]:
    """The letters and digits in a sign."""
    plain = unicodedata.normalize("NFKD", sign)
    return tuple(part for part in plain if unicodedata.category(part)[0] in "LN")


def _quoted(words: str) -> str:
    words = words.replace("\n", " ")
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return f"‘{words}’" if words else "none"


_UNCHANGED: Final = "build the pack again, and do not let another program change the file"
_WIDTH_TOLERANCE: Final = 0.005
"""mm of a line's width, and of its dashes."""
_GREY_TOLERANCE: Final = 0.01
_TEXT_TOLERANCE: Final = 0.05
"""mm, and pt of its size, by which words may be off."""
_WORDS_TURN: Final = 0.1
_CODES: Final = {PdfLayer.CUT: "GP814", PdfLayer.FOLD: "GP814", PdfLayer.GUIDES: "GP805"}
"""Of lines on these layers; of others, and of words, it is GP806."""
_DASHED: Final[dict[str, bool]] = {PdfLayer.CUT: False, PdfLayer.FOLD: True}
_PALEST: Final = 0.7
"""Grey, of 1, of a line that is still seen."""
_THINNEST, _WIDEST, _SHORTEST = 0.1, 0.3, 0.95
"""mm."""
_SEEN_DASH: Final = (0.3, 4.0)
"""mm of the dashes of a fold, and between them."""
_FIGURES: Final = re.compile(r"^([0-9]{1,3}) (mm|in)$")
_BESIDE: Final = 6.0
"""mm from the end of a scale to its figures."""
_RULER_TOLERANCE: Final = 0.1
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
            title = str(subject.pdf.docinfo.get("/Title", ""))
            drawn = list(_misdrawn(match, match.expected.marks))
            if not drawn:
                drawn += by_themselves(match, subject.expected, title)
            elif subject.expected and any(lost_ticks(match, subject.expected)):
                # in the list they are lines as those of the ruler are, which may be lost, too
                known = unruly(match, subject.expected, title)
                drawn = [each for each in drawn if each.code != _CODES[PdfLayer.GUIDES]]
                drawn += (each for each in known if each.code in ("GP805", "GP815"))
            odd += drawn
    told = _told_of(subject) if odd else {}
    for page, layer, code, message in odd:
        if page not in told.get(layer, ()):
            yield subject.fault(code, message, _UNCHANGED, page)
    yield from _lettered(subject)


def by_themselves(
    match: PageMatch, expected: ExpectedFile | None, title: str = ""
) -> Iterator[OddMark]:
    """GP805, GP806, GP814, GP815: what is wrong with marks whatever the manifest says of them;
    `title` is that of the file."""
    yield from _unlike_marks(match)
    if expected is not None:
        yield from unruly(match, expected, title)
        yield from odd_poster(match, expected)


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
        elif (
            path.pen.dash
            and not _SEEN_DASH[0] <= min(path.pen.dash) <= max(path.pen.dash) <= _SEEN_DASH[1]
        ):
            wrong = "dashed so that it is no fold to the eye"
        elif len(ends) == 2 and distance(*ends) < _SHORTEST:
            wrong = f"{distance(*ends):.1f} mm short, {_SHORTEST:g} mm and more are seen"
        if wrong:
            what = "fold" if _DASHED[path.layer] else "cut mark"
            message = f"the {what} at ({at[0].x:.1f}, {at[0].y:.1f}) mm is {wrong}"
            yield OddMark(match.read.number, path.layer, "GP814", message)
    yield from _wrong_scales(match)


class _Scale(NamedTuple):
    """A scale of a ruler with its figures: what these say, mm from tick to tick, and the line."""

    figures: DrawnWords
    step: float
    line: LineStroke


def _wrong_scales(match: PageMatch) -> Iterator[OddMark]:
    """Scales whose figures say another length, whose ticks are not at even distances, or that are
    hard to see; those without figures, or with another's."""
    for message in _odd_scales(match):
        yield OddMark(match.read.number, PdfLayer.GUIDES, "GP805", message)


def _odd_scales(match: PageMatch) -> Iterator[str]:
    lines = [line for line in match.read.strokes if line.layer == PdfLayer.GUIDES]
    scales: list[_Scale] = []
    for words in match.read.words:
        said = _FIGURES.match(words.words) if words.layer == PdfLayer.GUIDES else None
        if said is None:
            continue
        step = 10.0 if said[2] == "mm" else MM_PER_INCH / 2
        length = int(said[1]) * (1.0 if said[2] == "mm" else MM_PER_INCH)
        near = [line for line in lines if distance(line.end, words.at) < _BESIDE]
        scale = min(near, key=lambda line: abs(line.length - length), default=None)
        if scale is None or abs(scale.length - length) > _RULER_TOLERANCE:
            yield f"no scale is as long as the ruler says: {words.words}"
            continue
        scales.append(_Scale(words, step, scale))
        ticks = sorted(
            distance(scale.start, line.start)
            for line in lines
            if line is not scale
            and _is_in_line_with(line.start, scale)
            and lies_on(line.start, scale)
        )
        wanted = [step * number for number in range(round(length / step) + 1)]
        if len(ticks) != len(wanted) or any(
            abs(tick - want) > _RULER_TOLERANCE for tick, want in zip(ticks, wanted, strict=True)
        ):
            yield f"the ticks of the scale that says {words.words} are not {step:g} mm apart"
    for one, other in combinations(scales, 2):
        if _are_crossed(one, other):
            both = f"{one.figures.words} and {other.figures.words}"
            yield f"the figures {both} stand beside the other's scale"
    known = [scale.line for scale in scales]
    for line in scales_of(match):
        if not any(_is_in_line_with(line.start, other) for other in known):
            yield f"the scale from {_at(line.start)} to {_at(line.end)} has no figures"
    yield from _faint_scales(match)


def _are_crossed(one: _Scale, other: _Scale) -> bool:
    """Whether the figures of two scales that are side by side stand the other way round."""
    x, y = one.line.start.x - other.line.start.x, one.line.start.y - other.line.start.y
    right, down = one.figures.at.x - other.figures.at.x, one.figures.at.y - other.figures.at.y
    return x * right + y * down < 0 and math.hypot(x, y) < _BESIDE


def _faint_scales(match: PageMatch) -> Iterator[str]:
    """Scales and ticks that nobody sees, or can measure at."""
    scales = scales_of(match)
    told: set[str] = set()
    for path in match.read.paths:
        ends = [point for _, points in path.steps for point in points]
        if path.layer != PdfLayer.GUIDES or len(ends) != 2:
            continue
        if not any(_is_in_line_with(ends[0], scale) for scale in scales):
            continue
        pen, wrong = path.pen, ""
        if min(pen.colour) > _PALEST:
            wrong = "so pale that nobody sees it"
        elif not _THINNEST <= pen.width <= _WIDEST:
            wrong = (
                f"drawn {pen.width:.2f} mm wide, {_THINNEST:g} to {_WIDEST:g} mm can be measured at"
            )
        elif pen.dash:
            wrong = "dashed"
        if wrong and wrong not in told:
            told.add(wrong)
            yield f"the ruler is {wrong}"


def _is_in_line_with(point: Point, line: LineStroke) -> bool:
    """Whether a point is on a line, or where that would go on."""
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
        yield subject.fault("GP806", message, _UNCHANGED)


def _told_of(subject: Subject) -> dict[str, set[int]]:
    """The pages on which other checks tell of what is on a layer."""
    checks = {
        PdfLayer.CUT: (cut_marks,),
        PdfLayer.FOLD: (folds,),
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
            at = _at(Point(*words.at_mm))
            yield f"a line of slug or ruler, ‘{words.text}’, is not printed at {at}"
            continue
        surplus.remove(near)
        if _plain(near.words) != _plain(words.text):
            yield f"the slug or ruler says ‘{near.words}’ in the place of ‘{words.text}’"
        else:
            yield f"‘{words.text}’, of slug or ruler, has another size, colour or place"
    for other in surplus:
        yield f"‘{other.words}’ is printed at {_at(other.at)}, which is not to be"


def _says(there: DrawnWords, want: WordsEntry) -> bool:
    return (
        there.plain
        and there.layer == want.layer
        and _plain(there.words) == _plain(want.text)
        and abs(there.size_pt - want.size_pt) < _TEXT_TOLERANCE
        and abs((there.turn - want.rotation + 180) % 360 - 180) < _WORDS_TURN
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
        for part in _parts_of_path(mark.path):
            yield _MarkLine(mark.layer, part, pen, window)


def _parts_of_path(path: str) -> Iterator[tuple[PathStep, ...]]:
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
    back = before[0] == "l" and last[0] == "h" and _is_at_point(before[1][0], steps[0][1][0])
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
        one == other and all(map(_is_at_point, points, others))
        for (one, points), (other, others) in zip(drawn, wanted, strict=True)
    )


def _is_at_point(one: Point, other: Point) -> bool:
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
        return f"the {names[0]} from {_at(points[0])} to {_at(points[1])}"
    return f"the {names[1]} about {_at(bounds(points).centre)}"


def _at(point: Point) -> str:
    return f"({point.x:.1f}, {point.y:.1f}) mm"
