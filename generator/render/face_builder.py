"""A face while it is being drawn: its texts, pictures and findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from generator.assets import PictureInfo
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span, did_you_mean
from generator.geometry import Matrix, Rect, Size
from generator.model.catalogue import Stock
from generator.model.face import Asset, FacePicture, PlacedBox, TextBox
from generator.model.pack import COARSE, Component
from generator.render.svg_lint import MOST_REPORTED, Located, SvgFault
from generator.render.template_folders import TemplateFolders
from generator.render.template_lines import Site, calling
from generator.sandbox import SandboxError
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
    call: Site | Span | None


class PlacedPicture(Struct, frozen=True):
    """A picture that a helper placed."""

    asset: Asset
    info: PictureInfo
    name: str
    source: Span | None
    call: Site | Span | None


class PlacedArt(NamedTuple):
    """A picture or an icon that a helper placed: its box, mm, in the coordinates of its group, and
    the places where its name is written and where it is placed."""

    box: Rect
    source: Span | None
    call: Site | Span | None
    is_icon: bool


_OF_DRAFTS: Final = ("GP401", "GP402", "GP404", "GP501")


class PlacedDrawing(NamedTuple):
    """A drawing for the SVG engine, and its size for that, mm."""

    svg: str
    size: Size


class FaceBuilder(Struct):
    """A face being drawn. `placed` are the boxes of face files, `variants` the values that chose
    them. `smaller` are reduced texts, by number, in place of those that do not fit, so that these
    cause no other findings. `flaws` are places of errors. `mirrors` extends pictures that end at
    the cut. `drawings` are those of all faces by their names in `<image>`."""

    component: Component
    side: str
    stock: Stock
    templates: TemplateFolders
    texts: list[PlacedText] = field(default_factory=list)
    pictures: dict[str, PlacedPicture] = field(default_factory=dict)
    findings: list[FaceDiagnostic] = field(default_factory=list)
    boxes: list[TextBox] = field(default_factory=list)
    shown: list[FacePicture] = field(default_factory=list)
    placed: list[PlacedBox] = field(default_factory=list)
    variants: tuple[str | None, ...] = ()
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

    def blame_value(self, diagnostic: Diagnostic) -> None:
        """Report a fault of an author's value, at the diagnostic's place."""
        self.findings.append(FaceDiagnostic(diagnostic, self.face))

    def blame_error(self, error: GridpressError, source: Span | None = None) -> None:
        """Report an error raised while the template ran: at the value written at `source`, or at
        the template."""
        for diagnostic in error.diagnostics:
            if source is None:
                self.blame_template(
                    diagnostic.span, diagnostic.code, diagnostic.message, diagnostic.hint
                )
            else:
                self.blame_value(diagnostic)

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
        diagnostic = Diagnostic(span, code, message, hint, severity)
        self.findings.append(FaceDiagnostic(diagnostic, self.face, span, topic))

    def blame_text(
        self, source: Span | None, code: str, message: str, hint: str, topic: str = ""
    ) -> None:
        """Report a fault of a text where it was written, or at the component with the template
        line. Texts with one `topic` are diagnostic once for a pack."""
        if source is not None or topic:
            diagnostic = Diagnostic(source or self.component.span, code, message, hint)
            self.findings.append(FaceDiagnostic(diagnostic, self.face, topic=topic))
            return
        at = self.span(calling())
        where = f", set at {at.file}:{at.line}" if at else ""
        diagnostic = Diagnostic(self.component.span, code, message + where, hint)
        self.findings.append(FaceDiagnostic(diagnostic, self.face, at))

    def span(self, at: Site | Span | None, word: str = "") -> Span | None:
        """Return a place in a template as a span."""
        return self.templates.span(*at, word) if isinstance(at, Site) else at


class CurrentFace:
    """Gives helpers the face that is being drawn, and the `names` of its template; `drawings` and
    `art` are those of all faces."""

    def __init__(self) -> None:
        self.drawings: dict[str, PlacedDrawing] = {}
        self.art: list[PlacedArt] = []
        self._numbers: dict[PlacedArt, int] = {}
        self._builder: FaceBuilder | None = None
        self.names: Mapping[str, Any] = {}
        self.asked = 0
        self._importing: list[bool] = []

    @property
    def builder(self) -> FaceBuilder:
        """Return the face. Raises ValueError while a template is being imported, since imports are
        shared by all faces. `asked` counts calls, so that callers notice drawing."""
        self.asked += 1
        if self._importing or self._builder is None:
            raise ValueError(
                "in a template that is imported, texts, icons and pictures must be inside a macro"
            )
        return self._builder

    def mark(self, art: PlacedArt) -> str:
        """Return a mark that stands before a picture or icon in the SVG, to find it on the face.
        It is the same on all faces, so that the output of a macro can be kept."""
        number = self._numbers.setdefault(art, len(self.art))
        if number == len(self.art):
            self.art.append(art)
        return f"<?art {number}?>"

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


class FaceOutput(Protocol):
    """What drew a face: the SVG in its `body`, and the lines or boxes that wrote it."""

    @property
    def body(self) -> str:
        """Return the SVG elements of the face."""

    @property
    def place(self) -> Span:
        """Return the place of the template or the face file."""

    def sites(self, offsets: Sequence[int]) -> Sequence[Site | Span]:
        """Return what wrote the characters of the body at some offsets."""


def blame_output(
    faults: Sequence[SvgFault],
    builder: FaceBuilder,
    current: CurrentFace,
    output: FaceOutput,
    svg: str,
    head: int,
) -> None:
    """Report the faults of an SVG whose first `head` characters are not the face's own."""
    if not faults:
        return
    content = svg.encode()
    last = len(svg) - head - len("</svg>") - 1
    distinct = {(fault.code, fault.message): fault for fault in reversed(faults)}
    listed = list(distinct.values())[-MOST_REPORTED:]
    places = (len(content[: fault.at].decode(errors="ignore")) - head for fault in listed)
    offsets = [max(0, min(place, last)) for place in places]
    current.begin(builder.again())
    for fault, site in zip(listed, output.sites(offsets), strict=True):
        span = builder.span(site, fault.word)
        builder.blame_template(span, fault.code, fault.message, fault.hint)
    current.begin(builder)


def unreported(builder: FaceBuilder, faults: Sequence[SvgFault]) -> list[SvgFault]:
    """Return faults that no helper has reported yet."""
    return [f for f in faults if not (f.code == "GP402" and f.word in builder.missing)]


def unplaced_pictures(builder: FaceBuilder, pictures: Sequence[Located]) -> list[SvgFault]:
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
