"""Findings about an author's files: where, how bad, what is wrong, what to do.

Every stage returns them with its result; only the command line prints them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from heapq import nsmallest
from itertools import islice
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

T = TypeVar("T")

MAX_WORDING: Final = 1000
"""Characters of a message or hint; longer ones lose their middle."""
MAX_COMPARED: Final = 100_000
"""Words that one reading compares for suggestions."""
_CODE: Final = re.compile(r"[A-Z]{2,8}\d{3}")
_MAX_SUGGESTED: Final = 80
_NEAR: Final = 0.62
_LISTED: Final = 12
# Controls (a terminal obeys them), what turns the direction of text, line ends, half characters.
_HARMFUL: Final = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)


class Severity(StrEnum):
    """The severity of a finding. An error stops a build; a warning does so only with `--strict`."""

    ERROR = "error"
    WARNING = "warning"


class Span(Struct, frozen=True, order=True):
    """A place in a file. `file` is as the user would type it; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{plain(self.file)}:{self.line}:{self.column}"


class Diagnostic(Struct, frozen=True):
    """One finding. `code` is in `CODES` or among the codes of a guest.

    Quoted words are shortened and made harmless for a terminal. `trace` is the traceback of a bug
    of ours. `component` is `kind/id`, or a pattern, which waivers refer to.
    """

    span: Span
    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    trace: str = ""
    component: str = ""

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise ValueError(f"{self.code} is no code of a diagnostic")
        force_setattr(self, "message", plain(shortened(self.message)))
        lines = shortened(self.hint).split("\n")
        force_setattr(self, "hint", "\n".join(map(plain, lines)))

    def __str__(self) -> str:
        head = f"{self.span}: {self.severity}[{self.code}]: {self.message}"
        return head + "".join(f"\n    {line}" for line in self.hint.split("\n") if line)

    def as_dict(self) -> dict[str, str | int]:
        """Return the finding for JSON."""
        return {
            "file": plain(self.span.file),
            "line": self.span.line,
            "column": self.span.column,
            "severity": str(self.severity),
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
        }


def warning(span: Span, code: str, message: str, hint: str = "", component: str = "") -> Diagnostic:
    """Return a warning."""
    return Diagnostic(span, code, message, hint, Severity.WARNING, component=component)


class Outcome(Struct, Generic[T], frozen=True):
    """The result of a stage: its value, usable only if `ok`, and its diagnostics."""

    value: T
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether no finding is an error."""
        return not any(d.severity is Severity.ERROR for d in self.diagnostics)


class GridpressError(Exception):
    """Raised when a fault ends the work at once; carries its diagnostics."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


def plain(text: str) -> str:
    """Return a text on one line, with control characters written as `\\u001b`."""
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shortened(text: str, most: int = MAX_WORDING) -> str:
    """Return a text, without its middle if it has more than `most` characters."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def enumerated(names: Sequence[str], most: int = 6) -> str:
    """Return names with commas between, and how many more there are beyond `most`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _order(found: Diagnostic) -> tuple[Span, str, str, str, str]:
    return found.span, found.severity, found.code, found.message, found.hint


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return them by place, then code, each once."""
    return tuple(sorted(set(diagnostics), key=_order))


def foremost(diagnostics: Sequence[Diagnostic], most: int) -> tuple[tuple[Diagnostic, ...], str]:
    """Return at most `most` findings, errors first, and a summary of the rest."""
    if len(diagnostics) <= most:
        return tuple(diagnostics), ""
    first = sorted(diagnostics, key=lambda found: found.severity is not Severity.ERROR)
    counts = Counter(found.code for found in first[most:])
    others = ", ".join(f"{count:,} × {code}" for code, count in sorted(counts.items()))
    left = len(diagnostics) - most
    return in_order(first[:most]), f"{left:,} more finding{'s' * (left != 1)}: {others}"


class Suggestions:
    """Finds the known words that were probably meant.

    It stops after `MAX_COMPARED` words, so that a file with thousands of mistakes is still read at
    once. The places that a file can be wrong in share one instance.
    """

    def __init__(self) -> None:
        self._left = MAX_COMPARED

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """Return the known word that was probably meant, or None."""
        if not 0 < len(word) <= _MAX_SUGGESTED:
            return None
        folded: dict[str, str] = {}
        for each in islice(known, max(self._left, 0)):
            self._left -= 1
            if _NEAR / 2 <= len(each) / len(word) <= 2 / _NEAR:
                folded[each.casefold()] = max(each, folded.get(each.casefold(), each))
        found = get_close_matches(word.casefold(), folded, 1, _NEAR)
        return folded[found[0]] if found else None

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        """Return a hint that names the nearest known word, or lists some of them."""
        words = set(islice(known, max(self._left, 0)))
        near = self.nearest(word, words)
        if near is None and not word.isascii():
            near = next((known for known in words if _seen(known) == _seen(word)), None)
        if near is not None:
            return f"did you mean {near!r}?" + (_ALIKE if _seen(near) == _seen(word) else "")
        if not words:
            return ""
        listed = nsmallest(_LISTED, words)
        if len(words) > _LISTED and len(word) <= _MAX_SUGGESTED:
            listed = get_close_matches(word, words, _LISTED, 0.0)
        return f"known: {', '.join(listed)}" + ", …" * (len(words) > _LISTED)


_ALIKE: Final = (
    "\nthey look alike, but one has an accent as a character of its own, or an invisible"
    " character: copy the name from there"
)


def _seen(word: str) -> str:
    """Return a word as a reader sees it."""
    composed = unicodedata.normalize("NFKC", word)
    return "".join(sign for sign in composed if unicodedata.category(sign) != "Cf")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant, or None."""
    return Suggestions().nearest(word, known)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or lists some of them."""
    return Suggestions().did_you_mean(word, known)


CODES: Final[dict[str, str]] = {
    "GP001": "no such pack or folder",
    "GP002": "a folder or file cannot be read",
    "GP003": "a folder is not a Gridpress project",
    "GP004": "a path leaves the project",
    "GP005": "no such locale",
    "GP006": "a required pack has another version",
    "GP007": "packs require each other",
    "GP008": "work on a file takes too long",
    "GP009": "work on a file takes too much memory",
    "GP010": "work on a file crashed",
    "GP011": "a folder holds too much",
    "GP012": "an installed game cannot be used",
    "GP013": "a game that a pack needs is not installed",
    "GP014": "a command line is not understood",
    "GP101": "not valid YAML",
    "GP102": "a key is given twice",
    "GP103": "a file is larger than 5 MB",
    "GP104": "nested deeper than 100 levels",
    "GP105": "not UTF-8 text",
    "GP106": "anchors expand to too much",
    "GP107": "YAML tags are not allowed",
    "GP108": "a table (CSV, XLSX) cannot be used",
    "GP109": "an empty file, or more than one document in it",
    "GP110": "more values than can be worked with",
    "GP111": "a text is cut by a comment",
    "GP112": "ids of rows are made from their names",
    "GP113": "part of a table is left out, or guessed",
    "GP114": "a table cannot be fetched",
    "GP201": "a field is missing",
    "GP202": "an unknown field",
    "GP203": "a value of the wrong type",
    "GP204": "a value out of range",
    "GP205": "a reference to something that does not exist",
    "GP206": "an id is used twice",
    "GP207": "not one of the choices",
    "GP208": "a value that must be unique is used twice",
    "GP209": "a check of the kind fails",
    "GP210": "a check of the whole set fails",
    "GP211": "an expression is wrong",
    "GP212": "an unknown kind",
    "GP213": "a definition (kind, pack, style, stock) is wrong",
    "GP214": "a quantity is not a whole number from 0 to 9999",
    "GP215": "two components differ only in their ids",
    "GP216": "a stock is almost of a standard size",
    "GP217": "a translated word is not used",
    "GP218": "a text is not translated",
    "GP219": "one component alone leaves a field empty",
    "GP301": "a template is missing",
    "GP302": "a template has a syntax error",
    "GP303": "a template uses an undefined name",
    "GP304": "a template fails while it runs",
    "GP305": "a template does what the sandbox forbids",
    "GP306": "a template runs too long or writes too much",
    "GP307": "a template's SVG is not well formed",
    "GP308": "a template's SVG uses what does not print",
    "GP309": "an unknown style or colour",
    "GP310": "there are no colours for low ink",
    "GP311": "a minus sign in a template is lost",
    "GP401": "text does not fit its box",
    "GP402": "no listed font has a character",
    "GP403": "a font is missing or cannot be read",
    "GP404": "text reaches outside the safe zone",
    "GP405": "text is too small to read in print",
    "GP406": "a font does not have what a style asks for",
    "GP407": "a placeholder or a mark is printed as a word",
    "GP408": "a font may not be embedded",
    "GP501": "a picture is missing",
    "GP502": "an icon or a drawing is missing",
    "GP503": "a picture is corrupt or of an unknown format",
    "GP504": "a picture is too large to open",
    "GP505": "a picture is too coarse for its printed size",
    "GP601": "a component is larger than its paper",
    "GP602": "an unknown stock",
    "GP603": "an unknown paper",
    "GP604": "an unknown label sheet, or a component larger than its label",
    "GP605": "a printer profile is wrong",
    "GP606": "nothing to print",
    "GP607": "a piece is too large to fold",
    "GP608": "a poster takes too many pages",
    "GP609": "a print is not made for this paper",
    "GP610": "no room for the marks of a cutter",
    "GP611": "a calibration target cannot be read",
    "GP701": "the disk is full",
    "GP702": "the output folder cannot be written",
    "GP703": "Typst cannot draw a face",
    "GP704": "a file of that name exists",
    "GP705": "a link is in the way",
    "GP706": "another file is in the way",
    "GP711": "no such outlet or product",
    "GP712": "an outlet cannot take a kind as it is",
    "GP713": "names of files do not suit an outlet",
    "GP714": "art or text does not suit the shop's cut",
    "GP715": "an outlet takes fewer or smaller files",
    "GP801": "the pages of a PDF are not those of the build",
    "GP802": "page boxes are missing or outside the page",
    "GP803": "a piece is partly off the paper",
    "GP804": "a font is not embedded",
    "GP806": "a PDF changed after it was built",
    "GP808": "a PDF is damaged, or has parts that shops refuse",
    "GP811": "art stops before the end of the bleed",
    "GP812": "a piece is where most printers cannot print",
    "GP813": "a border is too thin for the printer's drift",
    "GP816": "a word lies on a fold",
    "GP821": "text is printed too small",
    "GP822": "a glyph is missing",
    "GP823": "text lies outside the safe zone",
    "GP824": "text cannot be seen: it is cut off, covered or invisible",
    "GP825": "text has too little contrast with what is behind it",
    "GP826": "text is printed over text",
    "GP827": "text is mirrored",
    "GP828": "small pale letters on a dark colour",
    "GP829": "a line is too thin to print",
    "GP831": "a picture has too few pixels for its size",
    "GP832": "a picture is in the wrong colour space",
    "GP833": "a picture is stretched",
    "GP834": "a picture has more pixels than print can show",
    "GP835": "a picture is empty",
    "GP841": "only a colour shows a value",
    "GP842": "too much ink",
    "GP852": "different components look alike",
    "GP858": "a deck has two backs",
    "GP843": "something overprints",
    "GP844": "something prints differently from how it looks on a screen",
    "GP881": "the shop makes no product of this size",
    "GP882": "a page has too little bleed",
    "GP883": "the shop does not accept a kind of colour",
    "GP884": "the shop wants another standard or paper",
    "GP885": "something is transparent",
    "GP886": "a file has too many pages or bytes",
    "GP887": "the shop accepts no PDFs",
    "GP860": "two cards have the same picture",
    "GP871": "a waiver matches no finding",
    "GP875": "a page is blank",
    "GP901": "a course cannot be read",
    "GP902": "no such tile, or no such way through it",
    "GP903": "a tile does not lead into the next",
    "GP904": "two tiles are not equally wide where they meet",
    "GP905": "two tiles overlap",
    "GP906": "a track does not close",
    "GP907": "a track uses more tiles than there are",
    "GP908": "not exactly one finish line",
    "GP909": "the start grid is too small",
    "GP910": "a track is too narrow",
    "GP911": "a track has more marks than there are markers",
    "GP912": "a track is not a circuit without its removable tiles",
    "GP913": "the two starts are not opposite",
    "GP914": "a set of tiles cannot be read",
    "GP915": "no such track",
}
"""The meaning of each code; `explanations.md` says what to do. A code is never reused. Ranges: 0
project, 1 load, 2 validate, 3 templates, 4 text and fonts, 5 pictures, 6 imposition, 7 output, 8
preflight, 9 tracks."""
