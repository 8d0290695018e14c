"""Draws one face of a pack after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from jinja2 import Template
from msgspec import Struct
from msgspec.structs import replace

from generator import limits
from generator.assets import MAX_FILE
from generator.cache import Same
from generator.diagnostics import (
    GridpressError,
    Severity,
    Span,
)
from generator.files import UnreadableError
from generator.fonts import FontLibrary
from generator.geometry import format_mm
from generator.model.catalogue import Stock
from generator.model.face import Drawing, Face, TextRun
from generator.model.face_file import SUFFIX
from generator.model.pack import Component, Kind
from generator.model.painted import (
    FaceGeometry,
    FaceTraits,
    Painted,
    PaintedPicture,
    PaintedText,
    PictureLook,
)
from generator.model.values import SourceText
from generator.picture_looks import Looks
from generator.render.engine_art import MAX_BYTES, Source, TooMuchArtError
from generator.render.face_builder import (
    CurrentFace,
    FaceBuilder,
    FaceDiagnostic,
    FaceOutput,
    blame_output,
    blame_run,
    unplaced_pictures,
    unreported,
)
from generator.render.face_environment import (
    CompiledTemplates,
    FaceEnvironment,
    Setting,
    face_names,
    share_names,
)
from generator.render.greys import GreyPictures
from generator.render.ink import Ink
from generator.render.kept_faces import FaceStore, KeptFace, common
from generator.render.low_ink import blame_flats
from generator.render.measured import Measurer, texts_on_top
from generator.render.own_texts import with_own_texts_set
from generator.render.painting import Painter, box_of
from generator.render.placed_pictures import PictureHelper, measure_pictures, note_art
from generator.render.styles import (
    styles_of,
)
from generator.render.svg_lint import Linter, Located
from generator.render.template_folders import TemplateFolders
from generator.render.template_lines import Site, sites_of_output
from generator.render.text_checks import measure_texts
from generator.sandbox import SandboxError, load_template, render

FaceTask = tuple[Component, str]
"""A component and a side."""


class DrawnFace(Struct, frozen=True):
    """A face, or None if it could not be drawn, and its findings."""

    face: Face | None
    findings: tuple[FaceDiagnostic, ...]


class _TemplateOutput(NamedTuple):
    """The output of a template."""

    template: Template
    context: Mapping[str, Any]
    body: str
    source_of: Callable[[str], str]

    @property
    def place(self) -> Span:
        """Return the place of the template."""
        return Span(self.template.filename or "")

    def sites(self, offsets: Sequence[int]) -> Sequence[Site | Span]:
        """Return the lines that wrote the characters at some offsets."""
        return sites_of_output(self.template, self.context, offsets, self.source_of)


class Renderer:
    """Draws the faces of one pack. `compiled` are templates that another renderer has compiled."""

    def __init__(self, setting: Setting, compiled: Mapping[str, bytes] | None = None) -> None:
        self._setting = setting
        self._pack = setting.pack
        self._folders = TemplateFolders(setting.project, setting.pack.name, setting.pack.requires)
        self._current = CurrentFace()
        self._compiled = CompiledTemplates(compiled or {}, setting.cache)
        self._environment = FaceEnvironment(
            self._folders, self._current, self._compiled, setting.cache
        )
        # A template that was too much on one face is tried on no other.
        self._too_much: dict[str, FaceDiagnostic] = {}
        styles = styles_of(setting.pack.styles, setting.pack.language)
        self._colours = styles.colours
        self._styles = setting.pack.styles.span.file or setting.pack.span.file
        inked = setting.ink, styles.colours, styles.ink.get(setting.ink, {})
        self._measurer = setting.cache.latest(
            partial(_measurer, setting.fonts, Ink(*inked)), _measurer, Same(setting.fonts), *inked
        )
        self._painter = self._measurer.painter
        self._linter = self._painter.linter
        self._looks = Looks()
        self._roots = setting.assets.roots.also(*[setting.scratch] if setting.scratch else ())
        self._tracker = self._environment.tracker
        scratch = setting.scratch if setting.ink == "mono" else None
        greys = None if scratch is None else GreyPictures(scratch)
        families = setting.fonts.families
        pictures = PictureHelper(setting.assets, families, self._current, greys, self._tracker)
        self._boxes = share_names(self._environment, setting, styles, pictures)
        instead = {} if setting.ink == "full" else {**styles.colours, **styles.ink}
        self._store = FaceStore(
            setting.cache,
            self._tracker,
            common(setting.pack, (setting.ink, setting.for_export), instead, setting.fonts),
            setting.pack.players,
            pictures.asset,
        )

    def __reduce__(self) -> tuple[type[Renderer], tuple[Setting, Mapping[str, bytes]]]:
        """Send the setting and the compiled templates to another process."""
        return Renderer, (self._setting, self._compiled.known)

    def compile_ahead(self, tasks: Iterable[FaceTask]) -> None:
        """Compile the templates of faces."""
        kinds = self._pack.kinds
        names = {str(kinds[component.kind].faces[side]) for component, side in tasks}
        names = {name for name in names if not name.endswith(SUFFIX)}
        self._environment.compile_ahead(sorted(names))

    def draw_some(self, tasks: Iterable[FaceTask]) -> list[DrawnFace]:
        """Draw some faces."""
        drawn = []
        for component, side in tasks:
            template = self._pack.kinds[component.kind].faces[side]
            what = f"drawing the {side} of {component.id!r} by {template}"
            with limits.at(component.span, limits.FACE, what):
                drawn.append(self.draw(component, side))
        return drawn

    def kept(self, component: Component, side: str) -> DrawnFace | None:
        """Return a face from the cache, as `draw` would draw it; None if it must be drawn."""
        name = str(self._pack.kinds[component.kind].faces[side])
        if name in self._too_much:
            return None
        found = self._store.find(component, side, name)
        return None if found is None else DrawnFace(found.face, found.findings)

    def draw(self, component: Component, side: str) -> DrawnFace:
        """Draw one face of a component."""
        with self._tracker.reading() as log:
            drawn = self._draw(component, side)
        if drawn.face is not None:
            shown = set(drawn.face.assets)
            placed = self._current.builder.pictures.values()
            names = tuple(picture.name for picture in placed if picture.asset in shown)
            kept = KeptFace(drawn.face, drawn.findings, names)
            name = str(self._pack.kinds[component.kind].faces[side])
            self._store.keep(component, side, name, kept, log)
        return drawn

    def _draw(self, component: Component, side: str) -> DrawnFace:
        kind = self._pack.kinds[component.kind]
        assert component.stock is not None, "a component with faces has a stock"
        builder = self._current.begin(
            FaceBuilder(
                component,
                side,
                component.stock,
                self._folders,
                draft=kind.draft,
                mirrors=kind.mirrors,
                drawings=self._current.drawings,
            )
        )
        name = str(kind.faces[side])
        if name in self._too_much:
            return DrawnFace(None, (replace(self._too_much[name], face=builder.face),))
        face = self._drawn(builder, kind)
        if face is None:
            for finding in builder.findings:
                if finding.diagnostic.code == "GP306":
                    self._too_much[name] = finding
        return DrawnFace(face, tuple(builder.findings))

    def _drawn(self, builder: FaceBuilder, kind: Kind) -> Face | None:
        name = kind.faces[builder.side]
        asked = name.span if isinstance(name, SourceText) else kind.span
        self._folders.asked_at = asked
        context = face_names(builder.component, builder.side, builder.stock, self._tracker)
        self._current.names = context
        if name.endswith(SUFFIX):
            drawn = self._boxes.drawn(str(name), context)
            if drawn is None:  # its faults are reported by validate
                return None
            builder.placed += drawn.placed
            builder.variants = drawn.variants
            return self._checked(builder, drawn)
        try:
            template = load_template(self._environment, str(name))
            body = render(template, context)
        except SandboxError as error:
            blame_run(error, builder, str(name), asked, self._colours)
            return None
        except GridpressError as error:
            builder.blame_error(error)
            return None
        return self._checked(
            builder, _TemplateOutput(template, context, body, self._folders.source)
        )

    def _checked(self, builder: FaceBuilder, output: FaceOutput) -> Face | None:
        head, for_export = _head(builder.stock), self._setting.for_export
        svg = f"{head}{output.body}</svg>"
        content = svg.encode()
        limits.allow(limits.DRAWN * len(content) / 1_000_000)
        linted = self._linter.read(content)
        measure_texts(builder, linted.texts)
        note_art(builder, self._current.art, linted.art)
        builder.make_fit()
        faults = [*unplaced_pictures(builder, linted.pictures), *unreported(builder, linted.faults)]
        blame_output(faults, builder, self._current, output, svg, len(head))
        if faults:
            return None
        limits.allow(limits.PICTURE * measure_pictures(builder, linted.pictures))
        try:
            if len(content) > MAX_BYTES:
                raise TooMuchArtError
            marked, read = content, linted
            if linted.own_texts:
                fonts = self._setting.fonts
                marked = with_own_texts_set(builder, content, linted, fonts)
                read = self._linter.read(marked)
                if read.faults:
                    raise TooMuchArtError
            marks = read.marks
            painter = self._in_ink(builder, marked)
            painted = self._measurer.measured(builder, marks)
            source = Source(marked, len(head), read, builder.texts, builder.drawings)
            apart = texts_on_top(painted, box_of(builder.stock)) if for_export else ()
            drawing = painter.drawing(builder, source, apart)
            if painter.ink.mode == "low":
                blame_flats(painter.ink, builder, marks, self._colours, self._styles)
            traits = self._looked_over(builder, painted, output.place)
        except TooMuchArtError:
            hint = "draw less, or save it as a picture; texts placed after all drawings take less"
            builder.blame_template(output.place, "GP306", "more than 5 MB", hint)
            return None
        if builder.draft:
            builder.soften()
        return Face(
            builder.component.id,
            builder.component.kind,
            builder.side,
            builder.stock,
            drawing,
            _digest(builder, drawing),
            builder.component.span,
            tuple(builder.boxes),
            _words(builder, read.texts),
            whole=not builder.has_errors,
            svg=painter.excerpts.whole(source, _size(builder.stock)) if for_export else "",
            flaws=tuple(builder.flaws) if builder.has_errors else (),
            traits=traits,
            placed=tuple(builder.placed),
            variants=builder.variants,
            pictures=tuple(builder.shown),
        )

    def _looked_over(
        self, builder: FaceBuilder, painted: tuple[Painted, ...], template: Span
    ) -> FaceTraits:
        """Check a face; return what is compared with other faces."""
        check = self._setting.check
        if check is None:
            return FaceTraits()
        component = builder.component
        geometry = FaceGeometry(
            component.id, component.kind, builder.side, builder.stock, component.span, painted
        )
        checked = check(geometry, self._look_of)
        for found in checked.findings:
            thing = None if found.about is None else painted[found.about]
            at: Site | Span | None = template
            if isinstance(thing, PaintedText):
                text = builder.texts[thing.number]
                at = text.call or text.source or template
            elif isinstance(thing, PaintedPicture):
                at = builder.pictures[thing.href].call or template
            topic = found.topic or found.code
            builder.blame_template(
                at, found.code, found.message, found.hint, found.severity, topic=topic
            )
            if thing is not None and found.severity is Severity.ERROR:
                builder.flaws.append(thing.box)
        return checked.traits

    def _look_of(self, picture: PaintedPicture) -> PictureLook | None:
        """Return what a picture shows; None if its file has changed meanwhile."""
        asset = self._current.builder.pictures[picture.href].asset
        try:
            return self._looks.of(
                picture, lambda: self._roots.read_again(asset.path, asset.sha256, MAX_FILE)
            )
        except UnreadableError:
            return None

    def _in_ink(self, builder: FaceBuilder, content: bytes) -> Painter:
        ink = self._painter.ink
        if not ink.by_rule:
            return self._painter
        paints = [text.what.paint for text in builder.texts]
        area = builder.stock.trim.width * builder.stock.trim.height
        return self._painter.in_ink(ink.for_face(content.decode(), paints, area))


def _measurer(fonts: FontLibrary, ink: Ink) -> Measurer:
    """Return a measurer with a painter and a linter, which know what equal elements paint."""
    return Measurer(Painter(fonts, ink, Linter(fonts)))


def _words(builder: FaceBuilder, texts: Iterable[Located]) -> str:
    """Return all text that is seen on a face, a text a line, in painting order."""
    found = []
    for shown in texts:
        if isinstance(shown.what, int) and shown.matrix is not None:
            lines = builder.texts[shown.what].what.fitted.lines
            runs = (run for line in lines for run in line.runs if isinstance(run, TextRun))
            found.append(" ".join(" ".join(run.text for run in runs).split()))
    return "\n".join(found)


def _digest(builder: FaceBuilder, drawing: Drawing) -> str:
    """Return a digest of everything a face shows, and of how it is cut out."""
    stock = builder.stock
    shown = (drawing.content.digest, [group.name for group in drawing.groups])
    named = (drawing.opacities, drawing.shadings, [art.sha256 for art in drawing.engine])
    pictures = [asset.sha256 for asset in drawing.assets]
    cut = (stock.shape, stock.corner_radius, stock.path, builder.side if stock.path else "")
    whole = (stock.trim, stock.bleed, *cut, *shown, *named, pictures)
    return hashlib.sha256(repr(whole).encode()).hexdigest()


def _head(stock: Stock) -> str:
    """Return the opening tag of a face: the origin is the trim's top-left corner, the unit 1 mm."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {_size(stock)}>'


def _size(stock: Stock) -> str:
    width, height = stock.trim.width + 2 * stock.bleed, stock.trim.height + 2 * stock.bleed
    box = " ".join(map(format_mm, (-stock.bleed, -stock.bleed, width, height)))
    return f'width="{format_mm(width)}mm" height="{format_mm(height)}mm" viewBox="{box}"'
