"""A face while it is being drawn: what helpers put on it, and what is wrong with it, told at the
value or at the line of a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from jinja2 import Template
from msgspec import Struct, field
from msgspec.structs import replace

from generator.assets import PictureInfo
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span, did_you_mean
from generator.geometry import Rect
from generator.model.catalogue import Stock
from generator.model.face import Art, Asset, TextBox
from generator.model.pack import COARSE, Component
from generator.render.svg_lint import MOST_TOLD, Located, SvgFault
from generator.render.template_trace import Site, TemplateFolders, calling, sites_of_output
from generator.sandbox import SandboxError
from generator.text import FittedText, TextStyle


class FaceDiagnostic(Struct, frozen=True):
    """A diagnostic and the face it was found on, such as `the front of 'basic'`.

    `template` is the place in a template that is at fault; None when it is an author's value.
    Findings there with one `topic` are one fault, even where their measures differ.
    """

    diagnostic: Diagnostic
    face: str
    template: Span | None = None
    topic: str = ""


class SetText(Struct, frozen=True):
    """A text set at its place, in the coordinates of the group it stands in, mm: the same for
    all faces that have it. `svg` is what stands for it in what the template writes, with a mark
    to be numbered; (x, y) is where its lines are from, `icons` are drawn after them, and `sha256`
    names what the lines show."""

    svg: str
    box: Rect
    used: Rect
    style: TextStyle
    fitted: FittedText
    x: float
    y: float
    paint: str
    icons: tuple[Art, ...]
    sha256: str


class PlacedText(NamedTuple):
    """A set text on one face, its words, and where they were written and set."""

    what: SetText
    words: str
    source: Span | None
    call: Site | None


class PlacedPicture(Struct, frozen=True):
    """A picture that a helper placed: what the file is, who names it where."""

    asset: Asset
    info: PictureInfo
    name: str
    source: Span | None
    call: Site | None


class FaceBuilder(Struct):
    """One face in the making. `smaller` are texts, by their numbers, that stand for those that do
    not fit, so that no other text seems to be wrong by them."""

    component: Component
    side: str
    stock: Stock
    templates: TemplateFolders
    texts: list[PlacedText] = field(default_factory=list)
    pictures: dict[str, PlacedPicture] = field(default_factory=dict)
    findings: list[FaceDiagnostic] = field(default_factory=list)
    boxes: list[TextBox] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    smaller: dict[int, SetText] = field(default_factory=dict)

    @property
    def face(self) -> str:
        """The face in words."""
        return f"the {self.side} of {self.component.id!r}"

    @property
    def has_errors(self) -> bool:
        """Whether anything but a coarse picture is wrong with what was drawn so far."""
        errors = (f for f in self.findings if f.diagnostic.severity is Severity.ERROR)
        return any(f.diagnostic.code not in COARSE for f in errors)

    def make_fit(self) -> None:
        """Take what is smaller for texts that were found not to fit; nothing, if that does not."""
        for number, what in self.smaller.items():
            nothing = replace(what, fitted=replace(what.fitted, lines=()), icons=())
            fits = what.fitted.overflow is None
            self.texts[number] = self.texts[number]._replace(what=what if fits else nothing)

    def again(self) -> FaceBuilder:
        """The same face, not yet begun."""
        return FaceBuilder(self.component, self.side, self.stock, self.templates)

    def blame_value(self, told: Diagnostic) -> None:
        """A fault of an author's value, whose place the diagnostic has."""
        self.findings.append(FaceDiagnostic(told, self.face))

    def blame_error(self, error: GridpressError, source: Span | None = None) -> None:
        """What was raised while the template ran: a fault of the author's value that is written at
        `source`, or of the template."""
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
        """A fault of a template; without a place in one, it is told at the component. A name that
        is `missing` is looked for in the line."""
        span = self.span(at, missing) or self.component.span
        told = Diagnostic(span, code, message, hint, severity, missing)
        self.findings.append(FaceDiagnostic(told, self.face, span, topic))

    def blame_text(self, source: Span | None, code: str, message: str, hint: str) -> None:
        """A fault of a text: told where the text was written, else at the component, naming the
        line of the template that sets it."""
        if source is not None:
            self.blame_value(Diagnostic(source, code, message, hint))
            return
        at = self.span(calling())
        where = f", set at {at.file}:{at.line}" if at else ""
        told = Diagnostic(self.component.span, code, message + where, hint)
        self.findings.append(FaceDiagnostic(told, self.face, at))

    def span(self, at: Site | Span | None, word: str = "") -> Span | None:
        """A place in a template as a span."""
        return self.templates.span(*at, word) if isinstance(at, Site) else at


class CurrentFace:
    """Where the helpers of templates find the face that is being drawn."""

    def __init__(self) -> None:
        self._builder: FaceBuilder | None = None
        self.asked = 0
        self._importing: list[bool] = []

    @property
    def builder(self) -> FaceBuilder:
        """The face. Raises ValueError while a template is only being imported: what it does then
        is done once and kept for all faces. How often it was `asked` for tells whether something
        was left on it."""
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
        """True while a template is being imported whose names are kept for all faces."""
        return any(self._importing)

    @contextmanager
    def importing(self, keeps: bool) -> Iterator[None]:
        """While a template is being imported; are its names kept?"""
        self._importing.append(keeps)
        try:
            yield
        finally:
            self._importing.pop()


_QUOTED: Final = re.compile(r"'([^']+)'")
_OWNER: Final = re.compile(r"^[A-Z]\w*\.(?=\w+\(\))")
"""What Python says before the name of a helper: of no use to who writes templates."""
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
    """What stopped a template. `asked` is where the kind names it."""
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
    file = error.template or template
    span = builder.templates.span(file, error.line, word)
    if error.caller is not None:
        line, caller = error.caller
        hint = f"{hint}\nit is called at {caller}:{line}"
    if error.kind == "GP303" and builder.templates.has(file, error.line, f"colour.{word}"):
        message = f"there is no colour {word!r} in styles.yaml"
        hint = did_you_mean(word, colours) or "give the pack a styles.yaml with its colours"
        builder.blame_template(span, "GP309", message, hint, missing=word)
        return
    builder.blame_template(span, error.kind, message, hint, missing=error.missing)


def blame_output(
    faults: Sequence[SvgFault],
    builder: FaceBuilder,
    current: CurrentFace,
    template: Template,
    context: Mapping[str, Any],
    svg: str,
    head: int,
) -> None:
    """What is wrong with an SVG whose first `head` characters are not the template's."""
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


def untold(builder: FaceBuilder, faults: Sequence[SvgFault]) -> list[SvgFault]:
    """Faults less those that a helper has told already."""
    return [f for f in faults if not (f.code == "GP402" and f.word in builder.missing)]


def strangers(builder: FaceBuilder, pictures: Sequence[Located]) -> list[SvgFault]:
    """Pictures that no helper placed: their files are not known, and would not be printed."""
    return [
        SvgFault(
            shown.at,
            "GP308",
            f"the picture {shown.what.get('href', '')!r} is not placed by a helper",
            "use image(path, x, y, w, h), which also finds the file in the pack",
            "image",
        )
        for shown in pictures
        if not isinstance(shown.what, int) and shown.what.get("href") not in builder.pictures
    ]
