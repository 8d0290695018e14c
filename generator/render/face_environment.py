"""The environment of the templates of faces: their names and helpers, and a record of what they
read."""

from __future__ import annotations

import functools
import hashlib
import marshal
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from jinja2 import BytecodeCache, Template
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import Namespace, missing
from msgspec import Struct
from msgspec.structs import replace

from generator import guests
from generator.assets import AssetFinder
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import GridpressError
from generator.fonts import FontLibrary
from generator.model.catalogue import Stock
from generator.model.pack import Component, Pack
from generator.model.painted import FaceCheck
from generator.model.values import Items, Record, SourceText
from generator.project import Project
from generator.render.artwork import ArtHelpers, IconHelper
from generator.render.book import BookHelper
from generator.render.dependencies import Place, Tracker
from generator.render.face_boxes import FaceBoxes
from generator.render.face_builder import CurrentFace
from generator.render.macro_memory import MacroMemory, MacroResult
from generator.render.placed_pictures import PictureHelper
from generator.render.shapes import Draw, jitter, polar, scatter
from generator.render.styles import Palette, Styles
from generator.render.template_folders import TemplateFolders
from generator.render.texts import TextHelpers
from generator.sandbox import (
    BoundedEnvironment,
    BoundedTemplate,
    SandboxError,
    as_text,
    call_macro,
    load_template,
)

_NAMES: Final = re.compile(r"""\{%[-+]?\s*(?:import|from|include|extends)\s+(["'])(.+?)\1""")
"""Finds the templates that a template names."""


class _Imported(BoundedTemplate):
    """A template whose import is shared by all faces. It cannot draw while it is imported, and all
    faces depend on what it read."""

    _read: frozenset[Place] = frozenset()

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002, Jinja2's name
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002, Jinja2's name
    ) -> TemplateModule:
        """Return the template as a module of macros."""
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        keeps = vars is None  # else it was asked for with context
        with environment.current.importing(keeps), environment.tracker.reading() as read:
            module = super().make_module(vars, shared, locals)
        if keeps:
            self._read = frozenset(read)
            environment.memory.share(module.__dict__.values())
        return module

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        module = super()._get_default_module(ctx)
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        environment.tracker.log |= self._read
        return module


class _SharedNamespace(Namespace):
    """A namespace that an imported template makes. No face may change it, or later faces would
    depend on earlier ones."""

    def __init__(self, current: CurrentFace, **named: Any) -> None:
        super().__init__(**named)
        self._current = current

    def __setitem__(self, name: str, value: Any) -> None:
        if not object.__getattribute__(self, "_current").keeps:
            raise ValueError(
                f"{name!r} is shared by all faces, because its template is imported: "
                "make the namespace inside the macro"
            )
        super().__setitem__(name, value)


class CompiledTemplates(BytecodeCache):
    """Compiled templates, of this run and of earlier ones, by text, name and file."""

    def __init__(self, known: Mapping[str, bytes], cache: Cache) -> None:
        self.known = dict(known)
        self._cache = cache

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return a template's name and file."""
        return f"{name}\0{filename}"

    def get_source_checksum(self, source: str) -> str:
        """Return a digest of the template's text."""
        return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in the code of a known template."""
        which = f"{bucket.checksum}\0{bucket.key}"
        code = self.known.get(which) or self._cache.get(Sort.TEMPLATES, which)
        if code is not None:
            bucket.code = marshal.loads(code)  # noqa: S302, of a folder that is the user's alone
            self.known[which] = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        which = f"{bucket.checksum}\0{bucket.key}"
        self.known[which] = marshal.dumps(bucket.code)
        self._cache.put(Sort.TEMPLATES, self.known[which], which)


class _Context(Context):
    """The names that a template knows, with their reads noted."""

    def resolve_or_missing(self, key: str) -> Any:
        """Return the value of a name, and note the read unless the template itself set it."""
        if key in self.vars:
            return self.vars[key]
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        environment.tracker.named(key)
        return self.parent.get(key, missing)


class FaceEnvironment(BoundedEnvironment):
    """The sandbox, with the current face and a tracker of reads."""

    template_class = _Imported
    context_class = _Context

    def __init__(
        self,
        loader: TemplateFolders,
        current: CurrentFace,
        compiled: CompiledTemplates,
        cache: Cache = NOTHING_KEPT,
    ) -> None:
        super().__init__(loader)
        self.auto_reload = False  # all faces of a pack are drawn by the same templates
        self.bytecode_cache = compiled
        self.current = current
        self.folders = loader
        self.tracker = Tracker(self.globals, cache)
        self.memory = MacroMemory()
        self._loading = self.tracker.source("template", loader.identity)
        self.globals["namespace"] = self._namespace

    def compile_ahead(self, names: Iterable[str]) -> None:
        """Compile templates and those that they name before other processes are forked. Faults are
        left to the faces that need the template."""
        waiting, seen = list(names), set[str]()
        while waiting:
            name = waiting.pop()
            found = None if name in seen else self.folders.identity(name)
            seen.add(name)
            if found is not None:
                with suppress(SandboxError, GridpressError):
                    load_template(self, name)
                waiting += [named for _, named in _NAMES.findall(found[0])]

    def _load_template(self, name: Any, globals: Any) -> Template:  # noqa: A002, Jinja2's name
        self._loading(str(name))
        return super()._load_template(name, globals)

    def call_macro(
        self, context: Context, macro: Macro, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> str:
        """Call a macro, or return the kept output of an equal call."""
        escaping = context.eval_ctx.autoescape
        key = None if self.pieces is not list else self.memory.key(macro, escaping, given, named)
        if key is None:
            return super().call_macro(context, macro, given, named)
        asked = self.current.asked
        made = self.memory.made(key)
        if made is None:
            with self.tracker.reading() as read:
                text = super().call_macro(context, macro, given, named)
            if self.current.asked == asked:
                held = (*given, *named.values())
                self.memory.keep(key, MacroResult(text, frozenset(read), held))
            return text
        self.tracker.log |= made.reads
        return made.text

    def _namespace(self, **named: Any) -> Namespace:
        return _SharedNamespace(self.current, **named) if self.current.keeps else Namespace(**named)


class Setting(Struct, frozen=True):
    """A pack and the way to draw it. `scratch` is the folder for grey copies of pictures (None:
    pictures stay in colour), `for_export` asks for faces as SVG, and `check` checks faces. `before`
    is an earlier pack that some components are from: what they refer to counts as that of now."""

    pack: Pack
    project: Project
    fonts: FontLibrary
    assets: AssetFinder
    ink: str = "full"
    scratch: Path | None = None
    cache: Cache = NOTHING_KEPT
    for_export: bool = False
    check: FaceCheck | None = None
    before: Pack | None = None


def share_names(
    environment: FaceEnvironment, setting: Setting, styles: Styles, pictures: PictureHelper
) -> FaceBoxes:
    """Give templates, and macros in them, the names that are the same for all faces. Names of
    guests replace nothing. Return what draws face files."""
    helpers, boxes = _helpers(setting, styles, environment, pictures)
    of_guests = guests.helpers(setting.pack.guests)
    environment.globals |= {**of_guests, **environment.globals, **helpers}
    return boxes


def _pack_names(pack: Pack, tracker: Tracker) -> dict[str, Any]:
    """Return the names of the pack. `stocks` has one stock for each printed kind."""
    about = {
        "name": pack.name,
        "title": pack.title,
        "version": pack.version,
        "description": pack.description,
        "language": pack.language,
        "options": pack.options,
        "credits": Items(pack.credits),
        "backs": Record({each.name: str(each.backs) for each in pack.prints}, pack.span),
    }
    components = {
        kind.replace("-", "_"): Items(_values(component, tracker) for component in of_kind)
        for kind, of_kind in pack.components.items()
    }
    for kind in pack.kinds.values():
        if kind.collated:  # what a copy reads has to be known before it is drawn
            for component in pack.printed(kind.name):
                _values(component, tracker)
    stocks = {
        kind.name.replace("-", "_"): Record(_measures(kind.stock), kind.span)
        for kind in pack.kinds.values()
        if kind.stock is not None
    }
    words = tracker.shared("word", Record(pack.words, pack.span))

    def word(text: Any) -> str:
        written = as_text(text)
        translated: str | None = words.get(written)
        if translated is None:
            return written
        if isinstance(written, SourceText) and not isinstance(translated, SourceText):
            return SourceText(translated, written.span, written.rich)
        return translated

    return {
        "pack": tracker.shared("pack", Record(about, pack.span)),
        "components": tracker.shared("components", Record(components, pack.span)),
        "stocks": tracker.shared("stocks", Record(stocks, pack.span)),
        "players": pack.players,
        "word": word,
    }


def face_names(
    component: Component, side: str, stock: Stock, tracker: Tracker
) -> Mapping[str, Any]:
    """Return the names that differ from face to face: the component `c`, its `side`, and the
    `stock` in mm."""
    return {
        "c": tracker.seen(_values(component, tracker), ()),
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


def _values(component: Component, tracker: Tracker) -> Record:
    values = component.values
    if "id" not in values:
        values = values.with_values({"id": component.id})
    return tracker.component(component.kind, component.id, values)


def _helpers(
    setting: Setting, styles: Styles, environment: FaceEnvironment, pictures: PictureHelper
) -> tuple[dict[str, Any], FaceBoxes]:
    tracker, current = environment.tracker, environment.current
    assets, span = setting.assets, setting.pack.styles.span
    names = _pack_names(setting.pack, tracker)
    for earlier in () if setting.before is None else setting.before.components.values():
        for component in earlier:
            tracker.earlier(component.kind, component.id, component.values)
    colours = tracker.shared("colour", Record(styles.colours, span))
    watched = replace(styles, text=tracker.shared("style", Record(styles.text, span)))
    palette = Palette(colours, current)
    noted = tracker.source("icon", assets.icon_digest)
    families = setting.fonts.families
    icons = IconHelper(assets, palette, current, noted, families=families)
    noted = tracker.source("art", assets.drawing_digest)
    artwork = ArtHelpers(assets, palette, current, noted)
    texts = TextHelpers(watched, setting.fonts, palette, icons, current, tracker)
    pictures.label = texts.label
    book = BookHelper(
        assets, texts, pictures, names["components"], names["word"], palette, current, tracker
    )
    named = {**names, "ink": setting.ink}
    boxes = FaceBoxes(
        setting.pack.face_files,
        texts,
        pictures,
        icons,
        palette,
        named,
        functools.partial(call_macro, environment),
        current,
        tracker,
    )
    helpers = {
        **named,
        "boxes": boxes.boxes,
        "colour": colours,
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
        "rooms": _rooms,
        "clearing": _clearing,
        "polar": polar,
        "image": pictures.image,
        "book": book.book,
    }
    return helpers, boxes


# Importing numpy takes as long as drawing ten faces, and few packs need it.
def _rooms(*given: Any, **named: Any) -> Any:
    from generator.render import free_space  # noqa: PLC0415

    return free_space.rooms(*given, **named)


def _clearing(*given: Any, **named: Any) -> Any:
    from generator.render import free_space  # noqa: PLC0415

    return free_space.clearing(*given, **named)
