"""Draws the faces of a pack one after another; what is the same for all of them is done once."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Template
from msgspec import Struct
from msgspec.structs import replace

from generator import guests, limits
from generator.assets import AssetFinder
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import GridpressError, Span
from generator.fonts import FontLibrary
from generator.geometry import format_mm
from generator.model.catalogue import Stock
from generator.model.face import Art, Face, Layer, TextRun
from generator.model.pack import Component, Corrected, Items, Kind, Pack, Record, SourceText
from generator.project import Project
from generator.render.artwork import (
    ArtHelpers,
    GreyPictures,
    IconHelper,
    PictureHelper,
    measure_pictures,
)
from generator.render.book import BookHelper
from generator.render.face_builder import CurrentFace, FaceBuilder, FaceDiagnostic, PlacedText
from generator.render.face_cache import Keeper, Kept, common
from generator.render.face_environment import CompiledTemplates, FaceEnvironment
from generator.render.layers import MAX_BYTES, Layering, TooMuchArtError
from generator.render.own_texts import with_own_texts_set
from generator.render.reads import Watch
from generator.render.shapes import Draw, jitter, polar, scatter
from generator.render.styles import Ink, Palette, Styles, styles_of
from generator.render.svg_lint import LintedFace, Linter
from generator.render.template_diagnostics import (
    blame_flats,
    blame_output,
    blame_run,
    strangers,
    untold,
)
from generator.render.template_trace import TemplateFolders
from generator.render.texts import TextHelpers, measure_texts
from generator.sandbox import Budget, SandboxError, as_text, load_template, render

if TYPE_CHECKING:
    from generator.render.rooms import RoomHelpers


def pack_names(pack: Pack, watch: Watch) -> dict[str, Any]:
    """What is the same on every face, inside of macros too: `pack`, `components`, `players`,
    `word`, which translates a text, and `stocks`: of each printed kind, where one is worked out
    for each component the one that theirs are like."""
    about = {
        "name": pack.name,
        "title": pack.title,
        "version": pack.version,
        "description": pack.description,
        "language": pack.language,
        "options": pack.options,
        "credits": Items(pack.credits),
    }
    components = {
        kind.replace("-", "_"): Items(_values(component, watch) for component in of_kind)
        for kind, of_kind in pack.components.items()
    }
    for kind in pack.kinds.values():
        if kind.collated:  # what a copy reads has to be known before it is drawn
            for component in pack.printed(kind.name):
                _values(component, watch)
    stocks = {
        kind.name.replace("-", "_"): Record(_measures(kind.stock), kind.span)
        for kind in pack.kinds.values()
        if kind.stock is not None
    }
    words = watch.root("word", Record(pack.words, pack.span))

    def word(text: Any) -> str:
        written = as_text(text)
        translated: str | None = words.get(written)
        if translated is None:
            return written
        if isinstance(written, SourceText) and not isinstance(translated, SourceText):
            return SourceText(translated, written.span, written.rich)
        return translated

    return {
        "pack": watch.root("pack", Record(about, pack.span)),
        "components": watch.root("components", Record(components, pack.span)),
        "stocks": watch.root("stocks", Record(stocks, pack.span)),
        "players": pack.players,
        "word": word,
    }


def face_names(component: Component, side: str, stock: Stock, watch: Watch) -> Mapping[str, Any]:
    """What differs from face to face: the component `c`, the `side`, and the `stock` in mm. Only of
    the component is it watched what is read: the others are few."""
    return {
        "c": watch.seen(_values(component, watch), ()),
        "side": side,
        "stock": Record(_measures(stock), component.span),
    }


def _measures(stock: Stock) -> dict[str, Any]:
    return {
        "name": stock.name,
        "w": stock.trim.width,
        "h": stock.trim.height,
        "bleed": stock.bleed,
        "safe": stock.safe,
        "radius": stock.corner_radius,
        "shape": str(stock.shape),
        "path": stock.path,
        "folds": Items(
            Items((Items((fold.start.x, fold.start.y)), Items((fold.end.x, fold.end.y))))
            for fold in stock.folds
        ),
    }


def _values(component: Component, watch: Watch) -> Record:
    values = component.values
    if "id" not in values:
        values = values.with_values({"id": component.id})
    return watch.own(component.kind, component.id, values)


FaceTask = tuple[Component, str]
"""A component and the name of its side."""


class Setting(Struct, frozen=True):
    """What a pack is drawn with: its files, fonts and pictures, the ink, a folder for grey
    copies of pictures (None: pictures stay in colour), and what is kept of earlier renderers."""

    pack: Pack
    project: Project
    fonts: FontLibrary
    assets: AssetFinder
    ink: str = "full"
    scratch: Path | None = None
    cache: Cache = NOTHING_KEPT


class DrawnFace(Struct, frozen=True):
    """A face, or None where it could not be drawn, and what was found on the way."""

    face: Face | None
    findings: tuple[FaceDiagnostic, ...]


class StandingFaces:
    """What the faces of a pack were seen to read, for who looks at it again and again.

    `drawn_with` is to be another as soon as a template, a picture or the like may be: None is like
    no other.
    """

    def __init__(self) -> None:
        self.drawn_with: object = None
        self._pack: Pack | None = None
        self._watch: Watch | None = None
        self._seen_with: object = None

    def take_up(self, pack: Pack, corrected: Corrected | None, watch: Watch) -> None:
        """A pack is looked at now: what was seen of it before it was corrected is known."""
        if self._watch is not None and corrected is not None and corrected.before is self._pack:
            same = self.drawn_with is not None and self.drawn_with == self._seen_with
            watch.go_on_from(self._watch, corrected.components, same_elsewhere=same)
        self._pack, self._watch, self._seen_with = pack, watch, self.drawn_with


class Renderer:
    """Draws the faces of one pack. `compiled` are templates that another renderer of the same
    pack has compiled."""

    def __init__(self, setting: Setting, compiled: Mapping[str, bytes] | None = None) -> None:
        self._setting = setting
        self._pack = setting.pack
        self._folders = TemplateFolders(setting.project, setting.pack.name, setting.pack.requires)
        self._current = CurrentFace()
        self._compiled = CompiledTemplates(compiled or {}, setting.cache)
        self._environment = FaceEnvironment(self._folders, self._current, self._compiled)
        # What was too much on one face is tried on no other one.
        self._too_much: dict[str, FaceDiagnostic] = {}
        self._linter = Linter(setting.fonts)
        styles = styles_of(setting.pack.styles, setting.pack.language)
        self._colours = styles.colours
        self._styles = setting.pack.styles.span.file or setting.pack.span.file
        ink = Ink(setting.ink, styles.colours, styles.ink.get(setting.ink, {}))
        self._layering = Layering(setting.fonts, ink)
        self._watch = self._environment.watch
        scratch = setting.scratch if setting.ink == "mono" else None
        greys = None if scratch is None else GreyPictures(scratch)
        pictures = PictureHelper(setting.assets, self._current, greys, self._watch)
        helpers = _helpers(setting, styles, self._environment, self._current)
        of_guests = guests.helpers(setting.pack.guests)
        book = BookHelper(
            setting.assets,
            helpers.pop("texts"),
            pictures,
            helpers["components"],
            helpers["word"],
            Palette(helpers["colour"], self._current),
            self._current,
            self._watch,
        )
        helpers |= {"image": pictures.image, "book": book.book}
        known = {**of_guests, **self._environment.globals, **helpers}
        self._environment.globals |= known
        instead = {} if setting.ink == "full" else {**styles.colours, **styles.ink}
        self._keeper = Keeper(
            setting.cache,
            self._watch,
            self._environment.purse,
            common(setting.pack, setting.ink, instead, setting.fonts),
            setting.pack.players,
            pictures.asset,
        )

    def __reduce__(self) -> tuple[type[Renderer], tuple[Setting, Mapping[str, bytes]]]:
        """In another process: the same setting, with the templates that were needed so far."""
        return Renderer, (self._setting, self._compiled.known)

    def go_on(self, standing: StandingFaces, corrected: Corrected | None) -> None:
        """Begin with what was seen at the last look, if that was at the same pack."""
        standing.take_up(self._pack, corrected, self._watch)

    def draw_some(self, tasks: Iterable[FaceTask]) -> list[DrawnFace]:
        """Some faces, one after another."""
        drawn = []
        for component, side in tasks:
            with limits.at(component.span, limits.FACE):
                drawn.append(self.draw(component, side))
        return drawn

    def kept(self, component: Component, side: str) -> DrawnFace | None:
        """A face of a component as it was drawn before, where it is the one that `draw` would
        draw; None where it is not known."""
        name = str(self._pack.kinds[component.kind].faces[side])
        if name in self._too_much:
            return None
        found = self._keeper.find(component, side, name)
        return None if found is None else DrawnFace(found.face, found.findings)

    def draw(self, component: Component, side: str) -> DrawnFace:
        """One face of a component."""
        purse = self._environment.purse
        before = purse.steps, purse.characters
        with self._watch.reading() as log:
            drawn = self._draw(component, side)
        if drawn.face is not None:
            spent = before[0] - purse.steps, before[1] - purse.characters
            shown = set(drawn.face.assets)
            placed = self._current.builder.pictures.values()
            names = tuple(picture.name for picture in placed if picture.asset in shown)
            kept = Kept(drawn.face, drawn.findings, component.span, names, spent)
            name = str(self._pack.kinds[component.kind].faces[side])
            self._keeper.keep(component, side, name, kept, log)
        return drawn

    def _draw(self, component: Component, side: str) -> DrawnFace:
        kind = self._pack.kinds[component.kind]
        assert component.stock is not None, "a component with faces has a stock"
        builder = self._current.begin(FaceBuilder(component, side, component.stock, self._folders))
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
        context = face_names(builder.component, builder.side, builder.stock, self._watch)
        try:
            template = load_template(self._environment, str(name))
            body = render(template, context)
        except SandboxError as error:
            blame_run(error, builder, str(name), asked, self._colours)
            return None
        except GridpressError as error:
            builder.blame_error(error)
            return None
        return self._checked(builder, template, context, body)

    def _checked(
        self, builder: FaceBuilder, template: Template, context: Mapping[str, Any], body: str
    ) -> Face | None:
        head = _head(builder.stock)
        svg = f"{head}{body}</svg>"
        content = svg.encode()
        limits.allow(limits.DRAWN * len(content) / 1_000_000)
        linted = self._linter.read(content)
        measure_texts(builder, linted.texts)
        builder.make_fit()
        assets = measure_pictures(builder, linted.pictures)
        limits.allow(limits.PICTURE * len(assets))
        faults = [*strangers(builder, linted.pictures), *untold(builder, linted.faults)]
        blame_output(faults, builder, self._current, template, context, svg, len(head))
        try:
            if len(content) > MAX_BYTES:
                raise TooMuchArtError
            if faults:
                return None
            marked, read = content, linted
            if linted.own_texts:
                fonts = self._setting.fonts
                marked = with_own_texts_set(builder, content, linted, fonts)
                read = self._linter.read(marked)
                if read.faults:
                    raise TooMuchArtError
            layering = self._layering.for_face(builder, marked)
            layers = layering.layers(builder, marked, len(head), read, assets)
            blame_flats(layering.ink, builder, content, self._colours, self._styles)
        except TooMuchArtError:
            hint = "draw less, or make a picture of it; texts after all that is drawn cost less"
            builder.blame_template(Span(template.filename or ""), "GP306", "more than 5 MB", hint)
            return None
        return Face(
            builder.component.id,
            builder.component.kind,
            builder.side,
            builder.stock,
            layers,
            _digest(builder.stock, layers),
            builder.component.span,
            tuple(builder.boxes),
            _words(builder, linted),
            whole=not builder.has_errors,
        )


def _words(builder: FaceBuilder, linted: LintedFace) -> str | None:
    """All that can be read on a face, a text a line, in the order of painting."""
    if linted.words is None:
        return None
    told = [
        said if isinstance(said, str) else _said(builder.texts[said])
        for said in linted.words
        if isinstance(said, str) or said < len(builder.texts)
    ]
    return "\n".join(" ".join(text.split()) for text in told)


def _said(text: PlacedText) -> str:
    runs = (run for line in text.what.fitted.lines for run in line.runs)
    return " ".join(run.text for run in runs if isinstance(run, TextRun))


def _digest(stock: Stock, layers: Iterable[Layer]) -> str:
    """A name for all that the layers of a face show."""
    told: list[object] = [stock.trim, stock.bleed]
    for layer in layers:
        if isinstance(layer, Art):
            told.append((layer.sha256, layer.box, layer.matrix, layer.clips))
        else:
            look = (layer.fill, layer.opacity, layer.stroke, layer.shown)
            told.append((layer.sha256, layer.x, layer.y, *look, layer.matrix, layer.clips))
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _helpers(
    setting: Setting, styles: Styles, environment: FaceEnvironment, current: CurrentFace
) -> dict[str, Any]:
    """All that templates know but pictures, inside of macros too."""
    watch, span = environment.watch, setting.pack.styles.span
    colours = watch.root("colour", Record(styles.colours, span))
    watched = replace(styles, text=watch.root("style", Record(styles.text, span)))
    palette = Palette(colours, current)
    assets, budget = setting.assets, environment.budget
    noted = watch.source("icon", assets.icon_digest)
    icons = IconHelper(assets, palette, current, budget, noted)
    noted = watch.source("art", assets.drawing_digest)
    artwork = ArtHelpers(assets, palette, current, budget, noted)
    texts = TextHelpers(watched, setting.fonts, palette, icons, current, environment.budget, watch)
    return {
        **pack_names(setting.pack, watch),
        "ink": setting.ink,
        "colour": colours,
        "texts": texts,
        "text_box": texts.text_box,
        "text_line": texts.text_line,
        "text_width": texts.text_width,
        "text_height": texts.text_height,
        "icon": icons.icon,
        "art": artwork.art,
        "marks": artwork.marks,
        "draw": Draw(palette),
        "jitter": jitter,
        "scatter": scatter,
        **_room_helpers(environment.budget),
        "polar": polar,
    }


def _room_helpers(budget: Budget) -> dict[str, Callable[..., Any]]:
    """Those that look at a raster, loaded by the first call: numpy takes as long as ten faces, and
    most packs call none of them."""

    @functools.cache
    def loaded() -> RoomHelpers:
        from generator.render.rooms import RoomHelpers  # noqa: PLC0415

        return RoomHelpers(budget)

    def rooms(*given: Any, **named: Any) -> Any:
        return loaded().rooms(*given, **named)

    def clearing(*given: Any, **named: Any) -> Any:
        return loaded().clearing(*given, **named)

    return {"rooms": rooms, "clearing": clearing}


def _head(stock: Stock) -> str:
    """The beginning of a face: the origin is the trim's top-left corner, the unit 1 mm."""
    width, height = stock.trim.width + 2 * stock.bleed, stock.trim.height + 2 * stock.bleed
    box = " ".join(map(format_mm, (-stock.bleed, -stock.bleed, width, height)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{format_mm(width)}mm" '
        f'height="{format_mm(height)}mm" viewBox="{box}">'
    )
