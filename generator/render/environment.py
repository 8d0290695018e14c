"""A pack's template folders and helpers in; the environment that its templates run in out."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Mapping
from typing import Any, Final

from jinja2 import BytecodeCache, Template
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import Namespace, missing

from generator.cache import Cache, Sort
from generator.render.draft import Desk
from generator.render.folders import TemplateFolders
from generator.render.reads import Watch
from generator.render.remembering import Made, Memory
from generator.sandbox import BoundedEnvironment, BoundedTemplate, Budget, Purse

STEPS_EACH: Final = 20_000
CHARACTERS_EACH: Final = 8_000_000
"""What each face may take, however long others were: twice what the longest of ours does."""


class _Imported(BoundedTemplate):
    """A template that, while it is imported, cannot draw: its names are kept for all faces, which
    have all read what it read."""

    _read: frozenset[int] = frozenset()

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002, Jinja2's name
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002, Jinja2's name
    ) -> TemplateModule:
        """The template as a module of macros."""
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        keeps = vars is None  # else it was asked for with context
        with environment.desk.importing(keeps), environment.watch.reading() as read:
            module = super().make_module(vars, shared, locals)
        if keeps:
            self._read = frozenset(read)
            environment.memory.share(module.__dict__.values())
        return module

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        module = super()._get_default_module(ctx)
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        environment.watch.log |= self._read
        return module


class _Kept(Namespace):
    """A namespace that an imported template makes. All faces share it, so that none may change it:
    what the next one shows would hang on which were drawn before, by which process."""

    def __init__(self, desk: Desk, **named: Any) -> None:
        super().__init__(**named)
        self._desk = desk

    def __setitem__(self, name: str, value: Any) -> None:
        if not object.__getattribute__(self, "_desk").keeps:
            raise ValueError(
                f"{name!r} belongs to a template that is imported, for all faces: "
                "make the namespace inside of the macro"
            )
        super().__setitem__(name, value)


class Compiled(BytecodeCache):
    """Templates as compiled here, or by whom `known` comes from, or earlier: the same text, under
    the same name and file, need not be compiled again."""

    def __init__(self, known: Mapping[str, bytes], cache: Cache) -> None:
        self.known = dict(known)
        self._cache = cache

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """A template by its name and by the file that its code names."""
        return f"{name}\0{filename}"

    def get_source_checksum(self, source: str) -> str:
        """A template by its text."""
        return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in a template's code, if it is known."""
        which = f"{bucket.checksum}\0{bucket.key}"
        code = self.known.get(which) or self._cache.get(Sort.TEMPLATES, which)
        if code is not None:
            bucket.code = marshal.loads(code)  # noqa: S302, only what Gridpress signed
            self.known[which] = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        which = f"{bucket.checksum}\0{bucket.key}"
        self.known[which] = marshal.dumps(bucket.code)
        self._cache.put(Sort.TEMPLATES, self.known[which], which)


class _Context(Context):
    """The names that a template knows, watched."""

    def resolve_or_missing(self, key: str) -> Any:
        """A name's value; one that the template itself gave is not read from anywhere."""
        if key in self.vars:
            return self.vars[key]
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        environment.watch.named(key)
        return self.parent.get(key, missing)


class FaceEnvironment(BoundedEnvironment):
    """The sandbox, with a desk on which the helpers draw, and a watch on what is read."""

    template_class = _Imported
    context_class = _Context

    def __init__(self, loader: TemplateFolders, desk: Desk, compiled: Compiled) -> None:
        self.purse = Purse(STEPS_EACH, CHARACTERS_EACH)
        super().__init__(loader, budget=Budget(self.purse))
        self.auto_reload = False  # all faces of a pack are drawn by the same templates
        self.bytecode_cache = compiled
        self.desk = desk
        self.watch = Watch(self.globals)
        self.memory = Memory()
        self._loading = self.watch.source("template", loader.identity)
        self.globals["namespace"] = self._namespace

    def _load_template(self, name: Any, globals: Any) -> Template:  # noqa: A002, Jinja2's name
        self._loading(str(name))
        return super()._load_template(name, globals)

    def call_macro(
        self, context: Context, macro: Macro, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> str:
        """A call of a macro, paid for; made once, where it is the same for all faces."""
        escaping = context.eval_ctx.autoescape
        key = None if self.is_traced else self.memory.key(macro, escaping, given, named)
        if key is None:
            return super().call_macro(context, macro, given, named)
        budget, asked = self.budget, self.desk.asked
        made = self.memory.made(key, budget)
        if made is None:
            steps, characters = budget.steps, budget.characters
            with self.watch.reading() as read:
                text = super().call_macro(context, macro, given, named)
            if self.desk.asked == asked:
                spent = steps - budget.steps, characters - budget.characters
                held = (*given, *named.values())
                self.memory.keep(key, Made(text, *spent, frozenset(read), held))
            return text
        budget.step(made.steps)
        budget.write(made.characters)
        self.watch.log |= made.reads
        return made.text

    def _namespace(self, **named: Any) -> Namespace:
        return _Kept(self.desk, **named) if self.desk.keeps else Namespace(**named)
