"""A face while it is being drawn: its texts, pictures and findings, and the template lines that
they come from."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, GeneratorType
from typing import Any, Final, NamedTuple, cast

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound
from msgspec import Struct, field
from msgspec.structs import replace

from generator.assets import PictureInfo
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span, did_you_mean
from generator.files import FileTooLargeError, UnreadableError, refusal
from generator.geometry import Matrix, Rect, Size
from generator.model.catalogue import Stock
from generator.model.face import Asset, TextBox
from generator.model.pack import COARSE, Component
from generator.project import Project
from generator.render.svg_lint import MOST_TOLD, Located, SvgFault
from generator.sandbox import BoundedEnvironment, SandboxError
from generator.text import FittedText, TextStyle


class FaceDiagnostic(Struct, frozen=True):
    """A diagnostic and its face, such as `the front of 'basic'`.

    `template` is the place in a template that is at fault, None for an author's value. Findings
    with one `topic` are one fault, even if their measures differ. `component` is `kind/id`.
    """

    diagnostic: Diagnostic
    face: str
    template: Span | None = None
    topic: str = ""
    component: str = ""


class PlacedIcon(NamedTuple):
    """An icon in a line of text: an SVG in its own units, and the matrix onto the text's place."""

    svg: bytes
    matrix: Matrix


class TypesetText(Struct, frozen=True):
    """A text set at its place, mm, in the coordinates of its group. `svg` replaces it in the
    template's output. Lines count from (x, y); `icons` are drawn after them."""

    svg: str
    box: Rect
    used: Rect
    style: TextStyle
    fitted: FittedText
    x: float
    y: float
    paint: str
    icons: tuple[PlacedIcon, ...]


class PlacedText(NamedTuple):
    """A set text on one face, with its words and the places where they were written and set."""

    what: TypesetText
    words: str
    source: Span | None
    call: Site | None


class PlacedPicture(Struct, frozen=True):
    """A picture that a helper placed."""

    asset: Asset
    info: PictureInfo
    name: str
    source: Span | None
    call: Site | None


_OF_DRAFTS: Final = ("GP401", "GP402", "GP404")


class PlacedDrawing(NamedTuple):
    """A drawing for the SVG engine, and its size for that, mm."""

    svg: str
    size: Size


class FaceBuilder(Struct):
    """A face being drawn. `smaller` are reduced texts, by number, in place of those that do not
    fit, so that these cause no other findings. `flaws` are places of errors. `mirrors` extends
    pictures that end at the cut. `drawings` are those of all faces by their names in `<image>`."""

    component: Component
    side: str
    stock: Stock
    templates: TemplateFolders
    texts: list[PlacedText] = field(default_factory=list)
    pictures: dict[str, PlacedPicture] = field(default_factory=dict)
    findings: list[FaceDiagnostic] = field(default_factory=list)
    boxes: list[TextBox] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    smaller: dict[int, TypesetText] = field(default_factory=dict)
    flaws: list[Rect] = field(default_factory=list)
    draft: bool = False
    mirrors: bool = False
    drawings: Mapping[str, PlacedDrawing] = field(default_factory=dict)

    @property
    def face(self) -> str:
        """Return the face in words."""
        return f"the {self.side} of {self.component.id!r}"

    @property
    def has_errors(self) -> bool:
        """Return True if there is an error other than a coarse picture."""
        errors = (f for f in self.findings if f.diagnostic.severity is Severity.ERROR)
        return any(f.diagnostic.code not in COARSE for f in errors)

    def make_fit(self) -> None:
        """Use the reduced texts for those that do not fit, or nothing if these do not fit
        either."""
        for number, what in self.smaller.items():
            nothing = replace(what, fitted=replace(what.fitted, lines=()), icons=())
            fits = what.fitted.overflow is None or self.draft
            self.texts[number] = self.texts[number]._replace(what=what if fits else nothing)

    def soften(self) -> None:
        """Turn errors that a draft may have into warnings."""
        self.findings = [
            replace(found, diagnostic=replace(found.diagnostic, severity=Severity.WARNING))
            if found.diagnostic.code in _OF_DRAFTS
            else found
            for found in self.findings
        ]

    def again(self) -> FaceBuilder:
        """Return the same face, not yet begun."""
        return FaceBuilder(
            self.component,
            self.side,
            self.stock,
            self.templates,
            draft=self.draft,
            mirrors=self.mirrors,
            drawings=self.drawings,
        )

    def blame_value(self, told: Diagnostic) -> None:
        """Report a fault of an author's value, at the diagnostic's place."""
        self.findings.append(FaceDiagnostic(told, self.face))

    def blame_error(self, error: GridpressError, source: Span | None = None) -> None:
        """Report an error raised while the template ran: at the value written at `source`, or at
        the template."""
        for told in error.diagnostics:
            if source is None:
                self.blame_template(told.span, told.code, told.message, told.hint)
            else:
                self.blame_value(told)

    def blame_template(
        self,
        at: Site | Span | None,
        code: str,
        message: str,
        hint: str = "",
        severity: Severity = Severity.ERROR,
        missing: str = "",
        topic: str = "",
    ) -> None:
        """Report a fault of a template; without a place, at the component. A `missing` name is
        looked for in the line."""
        span = self.span(at, missing) or self.component.span
        told = Diagnostic(span, code, message, hint, severity)
        self.findings.append(FaceDiagnostic(told, self.face, span, topic))

    def blame_text(
        self, source: Span | None, code: str, message: str, hint: str, topic: str = ""
    ) -> None:
        """Report a fault of a text where it was written, or at the component with the template
        line. Texts with one `topic` are reported once for a pack."""
        if source is not None or topic:
            told = Diagnostic(source or self.component.span, code, message, hint)
            self.findings.append(FaceDiagnostic(told, self.face, topic=topic))
            return
        at = self.span(calling())
        where = f", set at {at.file}:{at.line}" if at else ""
        told = Diagnostic(self.component.span, code, message + where, hint)
        self.findings.append(FaceDiagnostic(told, self.face, at))

    def span(self, at: Site | Span | None, word: str = "") -> Span | None:
        """Return a place in a template as a span."""
        return self.templates.span(*at, word) if isinstance(at, Site) else at


class CurrentFace:
    """Gives helpers the face that is being drawn; `drawings` are those of all faces."""

    def __init__(self) -> None:
        self.drawings: dict[str, PlacedDrawing] = {}
        self._builder: FaceBuilder | None = None
        self.asked = 0
        self._importing: list[bool] = []

    @property
    def builder(self) -> FaceBuilder:
        """Return the face. Raises ValueError while a template is being imported, since imports are
        shared by all faces. `asked` counts calls, so that callers notice drawing."""
        self.asked += 1
        if self._importing or self._builder is None:
            raise ValueError(
                "in a template that is imported, texts, icons and pictures stand inside of a macro"
            )
        return self._builder

    def begin(self, builder: FaceBuilder) -> FaceBuilder:
        """Begin a face."""
        self._builder = builder
        return builder

    @property
    def keeps(self) -> bool:
        """Return True while a template is being imported for all faces."""
        return any(self._importing)

    @contextmanager
    def importing(self, keeps: bool) -> Iterator[None]:
        """Mark the import of a template."""
        self._importing.append(keeps)
        try:
            yield
        finally:
            self._importing.pop()


_QUOTED: Final = re.compile(r"'([^']+)'")
_OWNER: Final = re.compile(r"^[A-Z]\w*\.(?=\w+\(\))")
"""Python's class name before a helper's name."""
_HINTS: Final = {
    "GP303": "is it misspelt, or a field that the kind does not have?",
    "GP304": "look at the values that this line works with",
    "GP305": "docs/templates.md lists what templates can use",
    "GP306": "is a loop too long?",
}


def blame_run(
    error: SandboxError,
    builder: FaceBuilder,
    template: str,
    asked: Span,
    colours: Mapping[str, str],
) -> None:
    """Report the error that stopped a template. `asked` is the place where the kind names it."""
    message = _OWNER.sub("", error.message)
    quoted = _QUOTED.search(message)
    word = quoted[1] if quoted else ""
    hint = error.hint
    if error.kind == "GP301":
        hint = hint or builder.templates.missing(word)
    hint = hint or _HINTS.get(error.kind, "")
    if error.line is None:
        at = asked if error.kind == "GP301" else Span(template)
        builder.blame_template(at, error.kind, message, hint, missing=error.missing)
        return
    inside = error.line, error.template or template
    line, file = _line_of_author(inside, error.callers, word, builder.templates)
    span = builder.templates.span(file, line, word)
    if (line, file) != inside:
        hint = f"{hint}\nit is used at {inside[1]}:{inside[0]}"
    elif error.callers:
        hint = f"{hint}\nit is called at {error.callers[0][1]}:{error.callers[0][0]}"
    if error.kind == "GP303" and builder.templates.has(file, line, f"colour.{word}"):
        message = f"there is no colour {word!r} in styles.yaml"
        hint = did_you_mean(word, colours) or "give the pack a styles.yaml with its colours"
        builder.blame_template(span, "GP309", message, hint, missing=word)
        return
    builder.blame_template(span, error.kind, message, hint, missing=error.missing)


def _line_of_author(
    inside: tuple[int, str],
    callers: Sequence[tuple[int, str]],
    word: str,
    templates: TemplateFolders,
) -> tuple[int, str]:
    """Return the line to fix: the innermost with the word, or the innermost of the pack's own."""
    lines = inside, *callers
    having = (place for place in lines if word and templates.has(place[1], place[0], word))
    own = (place for place in lines if templates.is_own(place[1]))
    return next(having, None) or next(own, inside)


def blame_output(
    faults: Sequence[SvgFault],
    builder: FaceBuilder,
    current: CurrentFace,
    template: Template,
    context: Mapping[str, Any],
    svg: str,
    head: int,
) -> None:
    """Report the faults of an SVG whose first `head` characters are not the template's."""
    if not faults:
        return
    content = svg.encode()
    last = len(svg) - head - len("</svg>") - 1
    told = {(fault.code, fault.message): fault for fault in reversed(faults)}
    told_faults = list(told.values())[-MOST_TOLD:]
    places = (len(content[: fault.at].decode(errors="ignore")) - head for fault in told_faults)
    offsets = [max(0, min(place, last)) for place in places]
    current.begin(builder.again())
    sites = sites_of_output(template, context, offsets, builder.templates.source)
    for fault, site in zip(told_faults, sites, strict=True):
        span = builder.templates.span(*site, fault.word)
        builder.blame_template(span, fault.code, fault.message, fault.hint)
    current.begin(builder)


def faults_not_told(builder: FaceBuilder, faults: Sequence[SvgFault]) -> list[SvgFault]:
    """Return faults that no helper has reported yet."""
    return [f for f in faults if not (f.code == "GP402" and f.word in builder.missing)]


def strangers(builder: FaceBuilder, pictures: Sequence[Located]) -> list[SvgFault]:
    """Return a fault for each picture that no helper placed, since its file is not known."""
    return [
        SvgFault(
            shown.at,
            "GP308",
            f"the picture {shown.what.get('href', '')!r} is not placed by a helper",
            "use image(path, x, y, w, h), which also finds the file in the pack",
            "image",
        )
        for shown in pictures
        if not isinstance(shown.what, int)
        and shown.what.get("href") not in builder.pictures
        and shown.what.get("href") not in builder.drawings
    ]


class Site(NamedTuple):
    """A line of a template."""

    file: str
    line: int


def calling() -> Site | None:
    """Return the template line that called the current function, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_template(frame):
            return _site(frame)
        frame = frame.f_back
    return None


def _is_template(frame: FrameType) -> bool:
    # Jinja leaves the template in the globals of its code.
    return "__jinja_template__" in frame.f_globals


def _site(frame: FrameType) -> Site:
    template = frame.f_globals["__jinja_template__"]
    return Site(frame.f_code.co_filename, template.get_corresponding_lineno(frame.f_lineno))


def sites_of_output(
    template: Template,
    context: Mapping[str, Any],
    offsets: Sequence[int],
    source_of: Callable[[str], str],
) -> list[Site]:
    """Return the template lines that write the characters at `offsets`, by running the template
    once more. `source_of` gives the text of a file."""
    environment = cast("BoundedEnvironment", template.environment)
    stream = template.root_render_func(template.new_context(dict(context)))
    with environment.budget.fresh(), _trailing(environment) as trail:
        written = trail.gathered(stream)
    found = []
    for offset in offsets:
        site, piece, inside = trail.innermost(written, offset)
        if site is None:
            found.append(Site(template.filename or "template", 1))
        else:
            line = _line_inside(source_of(site.file), site.line, piece, inside)
            found.append(Site(site.file, line))
    return found


class _Pieces(list[str]):
    """The output of a template so far, with the line that wrote each piece."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Site | None] = []

    def append(self, piece: str) -> None:
        self.add(piece, _site(sys._getframe(1)))

    def extend(self, pieces: Iterable[str]) -> None:
        site = _site(sys._getframe(1))
        for piece in pieces:
            self.add(piece, site)

    def add(self, piece: str, site: Site | None) -> None:
        super().append(piece)
        self.sites.append(site)

    def at(self, offset: int) -> tuple[Site | None, str, int]:
        """Return the line that wrote a character, the whole piece, and the character's place in
        it."""
        for piece, site in zip(self, self.sites, strict=True):
            if offset < len(piece):
                return site, piece, offset
            offset -= len(piece)
        return None, "", 0


class _Trail:
    """The texts of macros and blocks, and the pieces that they were joined from."""

    def __init__(self) -> None:
        self._joined: list[tuple[str, _Pieces]] = []

    def gathered(self, parts: Iterable[str]) -> _Pieces:
        """Write everything, with the lines that do it."""
        if isinstance(parts, _Pieces):
            return parts
        pieces = _Pieces()
        for piece in parts:
            pieces.add(piece, _site_of(parts))
        return pieces

    def join(self, parts: Iterable[str]) -> str:
        """Join pieces to a text that others will write as one piece."""
        pieces = self.gathered(parts)
        text = "".join(pieces)
        if text:
            self._joined.append((text, pieces))
        return text

    def innermost(self, written: _Pieces, offset: int) -> tuple[Site | None, str, int]:
        """Return the line that wrote a character first."""
        found = written.at(offset)
        for text, pieces in reversed(self._joined):  # what is inside was joined before
            if text == found[1]:
                inner = pieces.at(found[2])
                found = inner if inner[0] is not None else found
        return found


@contextmanager
def _trailing(environment: BoundedEnvironment) -> Iterator[_Trail]:
    trail = _Trail()
    before = environment.pieces, environment.join
    environment.pieces, environment.join = _Pieces, trail.join
    try:
        yield trail
    finally:
        environment.pieces, environment.join = before


def _site_of(stream: Iterable[str]) -> Site | None:
    """Return the template line that has just written something."""
    frame: FrameType | None = None
    inner: Any = stream
    while isinstance(inner, GeneratorType) and inner.gi_frame is not None:
        frame = inner.gi_frame
        # A block, or the template around it; or what is included, which Jinja calls so.
        inner = inner.gi_yieldfrom or frame.f_locals.get("gen")
    return _site(frame) if frame is not None and _is_template(frame) else None


def _line_inside(source: str, line: int, piece: str, offset: int) -> int:
    """Return the line of a character in literal text, which may span many lines and skip
    comments."""
    begins = [0, *itertools.accumulate(len(text) + 1 for text in source.split("\n"))]
    at = source.find(piece, begins[line - 1])
    if at >= 0:
        return source.count("\n", 0, at + offset) + 1
    begin = piece.rfind("\n", 0, offset) + 1
    before, after = piece[begin:offset], piece[offset:].split("\n", 1)[0]
    start = begins[min(line - 1 + piece.count("\n", 0, offset), len(begins) - 1)]
    looked_for = (before + after, after, before, after.partition("<")[0])
    for text in filter(None, map(str.strip, looked_for)):
        at = source.find(text, start)
        if at >= 0:
            return source.count("\n", 0, at) + 1
    return line


MAX_BYTES: Final = 1_000_000
MAX_NAMES: Final = 2_000
SUFFIX: Final = ".j2"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
"""Line ends of Jinja and editors."""


def _found_word(word: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)


class TemplateFolders(BaseLoader):
    """Looks up templates in a pack's folders, nearest first, and knows their lines.

    A template that cannot be read raises GridpressError (GP002, GP004, GP302, GP306) at the
    template that asks for it, or at `asked_at`.
    """

    def __init__(self, project: Project, pack: str, required: Iterable[str] = ()) -> None:
        self.folders = project.template_folders(pack, required)
        self.roots = project.roots
        self.asked_at = Span(pack)
        self._display = project.display
        self._lines: dict[str, list[str]] = {}
        self._found: dict[str, tuple[str, str] | None] = {}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template's text and its displayed file name (Jinja's protocol)."""
        found = self._look_up(template)
        if found is None:
            raise TemplateNotFound(template)
        return *found, lambda: True

    def identity(self, template: str) -> tuple[str, str] | None:
        """Return a template's text and file name, read once; None if it is missing or
        unreadable."""
        try:
            return self._look_up(template)
        except GridpressError:
            return None

    def _look_up(self, template: str) -> tuple[str, str] | None:
        if template not in self._found:
            site = calling()
            place = self.asked_at if site is None else self.span(*site)
            path = self._find(template, place)
            if path is None:
                self._found[template] = None
            else:
                shown = self._display(path)
                source = self._read(path, shown, place)
                self._lines[shown] = _LINE_END.split(source)
                self._found[template] = source, shown
        return self._found[template]

    def span(self, file: str, line: int, word: str = "") -> Span:
        """Return the place of a word in a line, or of the line's first text."""
        lines = self._lines.get(file, [])
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        found = _found_word(word, text) if word else None
        column = found.start() if found else len(text) - len(text.lstrip())
        return Span(file, line, column + 1)

    def has(self, file: str, line: int, text: str) -> bool:
        """Return True if a line has this text as whole words."""
        lines = self._lines.get(file, [])
        return 0 < line <= len(lines) and _found_word(text, lines[line - 1]) is not None

    def is_own(self, file: str) -> bool:
        """Return True for a template in the pack's own folder."""
        return file.startswith(f"{self._display(self.folders[0])}/")

    def source(self, file: str) -> str:
        """Return the text of a template that was read."""
        return "\n".join(self._lines.get(file, []))

    def missing(self, name: str) -> str:
        """Return a hint for a missing template."""
        known = itertools.islice(self._names(), MAX_NAMES)
        return did_you_mean(name, known) or f"put it into {self._display(self.folders[0])}/"

    def _find(self, name: str, place: Span) -> Path | None:
        refused = refusal(name, place)
        if refused is not None:
            raise GridpressError(refused)
        try:
            return next(filter(self.roots.has_file, (f / name for f in self.folders)), None)
        except UnreadableError as error:
            raise GridpressError(error.told(place, f"the template {name!r}")) from error

    def _names(self) -> Iterator[str]:
        for folder in self.folders:
            for entry in self.roots.walk(folder):
                if entry.path.name.endswith(SUFFIX) and not entry.fault:
                    yield entry.path.relative_to(folder).as_posix()

    def _read(self, path: Path, shown: str, place: Span) -> str:
        try:
            content = self.roots.read(path, MAX_BYTES)
        except UnreadableError as error:
            raise GridpressError(error.told(place, f"the template {shown}")) from error
        except FileTooLargeError as error:
            message = "a template of more than 1 MB"
            hint = "keep drawings that large as pictures or icons"
            raise GridpressError(Diagnostic(Span(shown), "GP306", message, hint)) from error
        return _text(content, shown)


def _text(content: bytes, shown: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = "the template is not UTF-8 text"
        hint = "save it again in the encoding UTF-8"
        raise GridpressError(Diagnostic(Span(shown, line), "GP302", message, hint)) from error
