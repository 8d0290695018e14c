"""What every check is given: the finished PDF as read back, face by face beside what its manifest
promises; and what it has to say: what is wrong, how bad, where, and whence it came; which of that
the author accepts, and what is said where a check breaks down.

A file may have anything in the place of anything, and a check that meets it breaks down: then the
file is damaged. Where none of it was at hand the check itself is wrong, and nobody should look for
the fault in the file."""

from __future__ import annotations

import math
import re
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import pikepdf
import pypdfium2
from msgspec import Struct
from msgspec.structs import force_setattr, replace
from pikepdf import Pdf

from generator.diagnostics import Diagnostic, GridpressError, Severity, Span, plain
from generator.geometry import Point, Rect, summed
from generator.model.catalogue import PdfProfile
from generator.model.manifest import WaiverEntry
from generator.model.pack import COARSE, is_waived_for
from generator.pdf_forms import Fingerprints
from generator.preflight.manifest_reader import Expected, ExpectedFile, ExpectedPage
from generator.preflight.page_reader import FormDraw, PageRead
from generator.preflight.pdf_limits import TooMuchError


class Finding(Struct, frozen=True):
    """One fault in a finished PDF. `page` counts from 1, 0 for the whole file; `place` is in mm
    from the page's top-left corner; `component` is `kind/id`; `source` is where the author wrote
    what the fault is about; `copies` is on how many places of the file the same face has it, and
    `others` are findings of the same cause. `trace` is where Gridpress itself broke down."""

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    page: int = 0
    place: Rect | None = None
    component: str = ""
    source: str = ""
    copies: int = 1
    others: tuple[Finding, ...] = ()
    trace: str = ""

    def __post_init__(self) -> None:
        for name in ("message", "hint", "component", "source"):  # they quote what a stranger wrote
            text = getattr(self, name)
            if not text.isprintable():
                lines = map(plain, text.split("\n"))
                force_setattr(self, name, ("\n" if name == "hint" else " ").join(lines))

    @property
    def cause(self) -> tuple[str, ...]:
        """What faults have in common that are mended in one place: what is said of them, but for
        figures, words that are quoted and whose they are; and the kind of component."""
        kind = self.component.partition("/")[0]
        return self.code, str(self.severity), kind, _PARTICULAR.sub("…", self.message)

    @property
    def times(self) -> int:
        """On how many places of the file there is a fault of this cause."""
        return self.copies + summed(other.copies for other in self.others)

    def diagnostic(self, shown: str) -> Diagnostic:
        """The finding as a line on the terminal: its line is the page of the PDF."""
        where = f"page {self.page}: " if self.page else ""
        more = f" (and {self.times - 1} more of it)" if self.times > 1 else ""
        hint = "\n".join(filter(None, (self._origin(), self._elsewhere(), self.hint)))
        return Diagnostic(
            Span(shown, max(self.page, 1)),
            self.code,
            where + self.message + more,
            hint,
            self.severity,
            trace=self.trace,
        )

    def as_dict(self) -> dict[str, Any]:
        """What JSON has of it beside the fields of a diagnostic: where it is first, and all of its
        places."""
        places = ({**each._place(), "message": each.message} for each in (self, *self.others))
        return {**self._place(), "copies": self.times, "places": list(places)}

    def _place(self) -> dict[str, Any]:
        box = self.place
        return {
            "page": self.page,
            "place_mm": box and [round(v, 2) for v in (box.x, box.y, box.width, box.height)],
            "component": self.component,
            "source": self.source or None,
            "copies": self.copies,
        }

    def _elsewhere(self) -> str:
        """Where the others are, the first of them by name."""
        pages = (each for each in self.others if each.component or each.page)
        names = list(dict.fromkeys(each.component or f"page {each.page}" for each in pages))
        names = [name for name in names if name != self.component]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"as well as {', '.join(names[:_NAMED])}{more}" if names else ""

    def _origin(self) -> str:
        parts = []
        if self.place is not None:
            parts.append(f"at ({self.place.x:.1f}, {self.place.y:.1f}) mm")
        if self.component:
            parts.append(self.component)
        if self.source:
            parts.append(f"from {self.source}")
        return ", ".join(parts)


_NAMED: Final = 6
"""Places of others that are named on a terminal."""
_PARTICULAR: Final = re.compile(r"‘[^’]*’|(?<!style )'[^']*'|#[0-9a-f]{6}|[+-]?[0-9][0-9.,]*")
"""In a message: what it says of one of several that are alike."""


def one_a_cause(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Faults of one cause as one finding, which is where the first of them is."""
    told: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        alone = replace(finding, others=())
        told.setdefault(finding.cause, []).extend((alone, *finding.others))
    return tuple(replace(first, others=tuple(others)) for first, *others in told.values())


PLACE_TOLERANCE = 0.02
"""mm by which a face may be off."""
_SQUARE: Final = 1.0
"""mm: much more than the tolerance, and less than pieces are apart."""
_COMPARED: Final = 500
"""Drawings of one face that are not in any place, of which the nearest is looked for."""
NAME_DIGITS = 16
"""A face is drawn under the name F and the first digits of its sha256."""


def finding_of(placed: Expected, code: str, message: str, hint: str, **more: Any) -> Finding:
    """A finding about all that a page shows of a face, where `more` does not tell another place."""
    told: dict[str, Any] = {
        "place": placed.finished,
        "component": f"{placed.kind}/{placed.component}",
        "source": placed.source,
    }
    return Finding(code, message, hint, **(told | more))


class Match(Struct, frozen=True):
    """A face that must be there and the drawing that is it, None when it is not drawn."""

    expected: Expected
    draw: FormDraw | None

    @property
    def centre(self) -> Point:
        """Where the middle of the face is in the file, or should be when it is not there."""
        return self.draw.centre if self.draw else self.expected.box.centre

    @property
    def rotation(self) -> float:
        """How it is turned in the file, or should be."""
        return self.draw.rotation if self.draw else self.expected.rotation


class PageMatch(Struct, frozen=True):
    """A page as the manifest and as the file have it; `surplus` is drawn without being listed."""

    expected: ExpectedPage
    read: PageRead
    matches: tuple[Match, ...]
    surplus: tuple[FormDraw, ...]


def match_page(expected: ExpectedPage, read: PageRead) -> PageMatch:
    """Pair each placement with the drawing of its face in its place, else with the nearest one."""
    left = _Left(read.draws)
    found: dict[int, FormDraw] = {}
    for take in (left.take_in_place, left.take_nearest):
        for index, placement in enumerate(expected.placements):
            draw = None if index in found else take(placement)
            if draw is not None:
                found[index] = draw
    matches = tuple(Match(p, found.get(index)) for index, p in enumerate(expected.placements))
    return PageMatch(expected, read, matches, left.draws)


class _Left:
    """The drawings of a page that are not paired yet, by their names and squares of a page."""

    def __init__(self, draws: Sequence[FormDraw]) -> None:
        self._draws = dict(enumerate(draws))
        self._squares: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        self._names: dict[str, dict[int, FormDraw]] = defaultdict(dict)
        for number, draw in self._draws.items():
            self._squares[draw.name, *_square(draw.centre)].append(number)
            self._names[draw.name][number] = draw

    @property
    def draws(self) -> tuple[FormDraw, ...]:
        """In order of painting."""
        return tuple(self._draws.values())

    def take_in_place(self, placement: Expected) -> FormDraw | None:
        """The one of the placement's face that is where it should be."""
        name, (x, y) = face_name(placement.sha256), _square(placement.box.centre)
        near = (
            self._squares.get((name, x + right, y + down), ())
            for right in (-1, 0, 1)
            for down in (-1, 0, 1)
        )
        numbers = [number for square in near for number in square if number in self._draws]
        return self._take(placement, sorted(numbers), PLACE_TOLERANCE)

    def take_nearest(self, placement: Expected) -> FormDraw | None:
        """The one of the placement's face that is nearest to where it should be."""
        numbers = list(self._names.get(face_name(placement.sha256), ()))
        return self._take(placement, numbers[:_COMPARED], math.inf)

    def _take(self, placement: Expected, numbers: Sequence[int], reach: float) -> FormDraw | None:
        centre = placement.box.centre
        key: Callable[[int], float] = lambda n: distance(self._draws[n].centre, centre)  # noqa: E731
        best = min(numbers, key=key, default=None)
        if best is None or not key(best) <= reach:
            return None
        draw = self._draws.pop(best)
        del self._names[draw.name][best]
        return draw


def _square(centre: Point) -> tuple[int, int]:
    return math.floor(centre.x / _SQUARE), math.floor(centre.y / _SQUARE)


def distance(one: Point, other: Point) -> float:
    """mm between two points."""
    return math.dist((one.x, one.y), (other.x, other.y))


def face_name(sha256: str) -> str:
    """The name under which a page draws a face."""
    return f"F{sha256[:NAME_DIGITS]}"


class Subject(Struct, frozen=True, eq=False):
    """A finished PDF, with the fingerprints of its objects. `expected` is None without a manifest;
    `matched` holds the pages that both the file and the manifest have; `sha256` is that of the
    file's bytes, of which there are so many `bytes`. `place` is where a pack asks for the file,
    while that is being built; `profile` what they want who are to print it."""

    shown: str
    pdf: Pdf
    prints: Fingerprints
    sha256: str
    pages: tuple[PageRead, ...]
    expected: ExpectedFile | None = None
    matched: tuple[PageMatch, ...] = ()
    place: Span | None = None
    bytes: int = 0
    profile: PdfProfile | None = None

    @property
    def anew(self) -> str:
        """How to have the file made rightly, by whoever made it."""
        return "build the file again" if self.expected else "export it again from where it was made"

    def fault(
        self,
        code: str,
        message: str,
        hint: str = "",
        page: int = 0,
        placed: Expected | None = None,
    ) -> Finding:
        """A finding about a page, with 0 about the whole file; or about a face placed there."""
        if placed is None:
            return Finding(code, message, hint, page=page)
        return finding_of(placed, code, message, hint, page=page)


class Waived(Struct, frozen=True):
    """A finding that the author accepts, and by which waiver."""

    finding: Finding
    waiver: WaiverEntry


def waive(
    findings: Iterable[Finding], waivers: Sequence[WaiverEntry]
) -> tuple[tuple[Finding, ...], tuple[Waived, ...]]:
    """The findings that no waiver is for, and those that the first fitting one is for."""
    left, waived = [], []
    for finding in findings:
        waiver = next((waiver for waiver in waivers if _is_for(waiver, finding)), None)
        if waiver is None:
            left.append(finding)
        else:
            waived.append(Waived(finding, waiver))
    return tuple(left), tuple(waived)


def idle(waivers: Sequence[WaiverEntry], used: Iterable[WaiverEntry]) -> tuple[Finding, ...]:
    """GP871: a warning for each waiver that was for nothing."""
    busy = set(used)
    return tuple(
        Finding(
            "GP871",
            f"the waiver of {waiver.code} for {waiver.component!r} matches no finding",
            "take it out of pack.yaml: it would hide the next such fault",
            Severity.WARNING,
            source=waiver.source,
        )
        for waiver in waivers
        if waiver not in busy
    )


def _is_for(waiver: WaiverEntry, finding: Finding) -> bool:
    codes = COARSE if waiver.code in COARSE else (waiver.code,)
    return finding.code in codes and is_waived_for(waiver.component, finding.component)


_READERS: Final = frozenset(
    ("pikepdf", "pypdfium2", "pypdfium2_raw", "PIL", "fontTools", "zlib", "struct", "decimal")
)
"""Libraries that read what is in a file."""
_OF_FILE: Final = (
    pikepdf.Object,
    pikepdf.Page,
    pikepdf.Pdf,
    pypdfium2.PdfDocument,
    pypdfium2.PdfPage,
    pypdfium2.PdfTextPage,
    pypdfium2.PdfObject,
)
_ENDS_ALL: Final = (GridpressError, MemoryError, TooMuchError)
_OF_PROGRAM: Final = (NameError, ImportError)
"""What no file can bring about, whatever is in it."""
_OF_PYTHON: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What Python says of these is about values of ours."""
_WHERE: Final = re.compile(r"^(?:WARNING: )?\S.*?\.pdf[^:]*: ")
"""What qpdf sets before its words: a path, which may be that of a file not yet in its place."""
_LONGEST: Final = 300
"""Letters of what a library says."""
AGAIN: Final = "build the pack again; if it says the same, tell who makes Gridpress"
AT_FULL_SIZE: Final = "build it again, and do not let another program scale or crop it"
FRESH: Final = "build the pack again, or take a fresh copy of the file"
FRESH_COPY: Final = "take a fresh copy of the file, or export it again"
"""The same of a file that no build of ours made."""
UNLOCKED: Final = "save it without a password, or build the pack again"
_OF_PACKS: Final = {
    FRESH: FRESH_COPY,
    UNLOCKED: "save it without a password",
    " (a style's size or min in styles.yaml)": "",
    "let it be cropped (fit='cover')": "crop it",
    ", or give the stock edge: white if it is meant so": "",
    "; if one is there to be looked at only, give its style `decoration: true`": "",
    "; if it is there to be looked at only, give its style `decoration: true`": "",
}
"""Parts of hints that ask for what a pack has, and what they are for files that no build of ours
made."""
BUG: Final = "GP010"
NO_FAULT: Final = "this is no fault of your files; what else was looked at is told"

T = TypeVar("T")


def is_bug(error: Exception, *, own: bool) -> bool:
    """Whether an exception tells of a bug of ours, not of something in the file.

    It does in a file that is our `own`, just written. In another's it does not if a library that
    reads files raised it, if an object of the file was in the hands of who did, or if a number of
    it is one that nobody can reckon with: 0 where there is a width, or more than any number.
    """
    if isinstance(error, (*_ENDS_ALL, OSError)):
        return False
    if own or isinstance(error, _OF_PROGRAM):
        return True
    if _root(type(error).__module__) in _READERS or isinstance(error, ArithmeticError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][1:]
    return not any(
        _root(frame.f_globals.get("__name__", "")) in _READERS
        or any(isinstance(value, _OF_FILE) for value in frame.f_locals.values())
        for frame in frames
    )


def _root(module: str) -> str:
    return module.partition(".")[0]


def found_by(
    run: Callable[..., Iterable[T]],
    shown: tuple[object, ...],
    most: int,
    told: Callable[[Exception], T],
) -> Iterator[T]:
    """At most so much of what a check finds of what it is shown; if it breaks down, what is `told`
    of that, too. Raises what ends all checks: no memory, a disk that fails."""
    try:
        yield from islice(run(*shown), most)
    except Exception as error:  # whatever a check raises that meets something odd
        if isinstance(error, _ENDS_ALL) or getattr(error, "errno", None) is not None:
            raise
        yield told(error)


def broken(error: Exception, title: str, *, own: bool) -> Finding:
    """GP010 or GP808: nobody can tell whether what a check looks for is so."""
    if is_bug(error, own=own):
        message = f"a check of Gridpress broke down, so nobody can tell whether {title}"
        return Finding(BUG, f"{message} ({type(error).__name__})", NO_FAULT, trace=trace_of(error))
    message = f"the file is damaged ({said_by(error)}): nobody can tell whether ‘{title}’"
    return Finding("GP808", message, FRESH)


def trace_of(error: Exception) -> str:
    """Where an exception came from, for the log."""
    return "".join(traceback.format_exception(error))


def said_by(error: Exception) -> str:
    """Why something cannot be read: in the words of who says so, if they are about the file."""
    if isinstance(error, _OF_PYTHON):
        return "something in it is not what belongs there"
    return said((str(error).splitlines() or [type(error).__name__])[0])


def said(text: str) -> str:
    """The words of a library, without a path, harmless and not long."""
    text = plain(_WHERE.sub("", text))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def elsewhere(hint: str) -> str:
    """A hint to who made a file with another program."""
    for ours, other in _OF_PACKS.items():
        hint = hint.replace(ours, other)
    return hint
