"""The Jinja sandbox for templates and expressions, and functions that run them."""

from __future__ import annotations

import functools
import marshal
from collections import deque
from collections.abc import (
    Callable,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
)
from types import CodeType
from typing import Any, Final, NamedTuple, cast

from jinja2 import BaseLoader, StrictUndefined, Template, nodes
from jinja2.exceptions import (
    SecurityError,
    TemplateRuntimeError,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.runtime import Context, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing, pass_context
from msgspec import Struct

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import GridpressError
from generator.sandbox.bounds import (
    MAX_OUTPUT,
    OPERATORS,
    BoundsError,
    Budget,
    as_text,
    described,
    joined,
    operate,
    placed,
)
from generator.sandbox.compiling import (
    COUNTED,
    BoundedGenerator,
    BoundedTemplate,
    CountingParser,
)
from generator.sandbox.faults import SandboxError, UnknownNameError, explained
from generator.sandbox.vocabulary import (
    FILTERS,
    FUNCTIONS,
    LIST_METHODS,
    MAP_METHODS,
    TESTS,
    TEXT_METHODS,
    call_text_method,
)

_MACRO_STEPS: Final = 3


class _UnknownName(StrictUndefined):
    """A name that does not exist: using it fails, and the error knows the name."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[TemplateRuntimeError] = UndefinedError,
    ) -> None:
        if exc is UndefinedError:
            # Jinja only calls this with its message.
            maker = functools.partial(_unknown_name, hint, obj, name)
            exc = cast("type[TemplateRuntimeError]", maker)
        super().__init__(hint, obj, name, exc)


def _unknown_name(hint: str | None, owner: Any, name: Any, _: str) -> UnknownNameError:
    return UnknownNameError(hint, owner, name)


# Jinja asks about each value, which takes longer: its rules follow from the type.
_PYTHON: Final = ("builtins", "functools", "pathlib")
_CHANGEABLE: Final = (type, deque, MutableMapping, MutableSequence, MutableSet)


class _Access(NamedTuple):
    """The parts of a value that templates may read: keys of a map, methods, other attributes."""

    is_map: bool
    methods: frozenset[str]
    attributes: bool


@functools.cache
def _access(kind: type) -> _Access:
    is_map = issubclass(kind, Mapping)
    if issubclass(kind, str):
        return _Access(is_map, TEXT_METHODS, False)
    if issubclass(kind, (list, tuple)):
        return _Access(is_map, LIST_METHODS.union(getattr(kind, "_fields", ())), False)
    if is_map:
        return _Access(is_map, MAP_METHODS if issubclass(kind, dict) else frozenset(), False)
    closed = kind.__module__ in _PYTHON or issubclass(kind, _CHANGEABLE)
    return _Access(is_map, frozenset(), not closed)


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with our names and limits."""

    template_class = BoundedTemplate
    code_generator_class = BoundedGenerator
    intercepted_binops = OPERATORS
    pieces: Callable[[], list[str]] = list
    """Make the list of what a macro or `set` block writes; replaced to trace output."""
    join: Callable[[Iterable[str]], str] = "".join

    def __init__(self, loader: BaseLoader | None = None, autoescape: bool = True) -> None:
        super().__init__(
            loader=loader,
            autoescape=autoescape,
            undefined=_UnknownName,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=self._written,
            optimized=False,  # compiling computes nothing
        )
        self.budget = Budget()
        self.filters = {**FILTERS, COUNTED: self.budget.counted}
        self.tests = dict(TESTS)
        self.globals = dict(FUNCTIONS)

    @pass_context  # else Jinja prints constants while it compiles
    def _written(self, _: Context, value: Any) -> str:
        text = as_text(value)
        self.budget.write(len(text))
        return text

    def concat(self, parts: Iterable[str]) -> str:
        """Join what a macro or a `set` block has written."""
        if isinstance(parts, list):
            self.budget.write(sum(map(len, parts)))
        return self.join(parts)

    joined = staticmethod(joined)

    def part(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """Return `value[start:stop:step]`."""
        part = value[start:stop:step]
        return placed(part, value) if isinstance(part, str) else part

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return what an operator gives."""
        return operate(operator, left, right)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`; the values of a map come before its methods."""
        access = _access(type(obj))  # type: ignore[arg-type]
        if access.is_map:
            try:
                return obj[attribute]
            except KeyError:
                pass
        if attribute.startswith("_"):
            return self.unsafe_undefined(obj, attribute)
        if attribute in access.methods:
            if isinstance(obj, str):
                return functools.partial(call_text_method, obj, attribute)
            return getattr(obj, attribute)
        return self._attribute(obj, attribute, access)

    def _attribute(self, obj: Any, attribute: str, access: _Access) -> Any:
        if access.is_map and not isinstance(obj, dict):  # a record's methods are ours
            return self.undefined(obj=obj, name=attribute)
        try:
            found = getattr(obj, attribute)
        except AttributeError:
            return self._item(obj, attribute)
        return found if access.attributes else self.unsafe_undefined(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`."""
        item = self._item(obj, argument)
        if isinstance(item, Undefined) and isinstance(argument, str):
            return self.getattr(obj, argument)
        return item

    def _item(self, obj: Any, argument: Any) -> Any:
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        """Return the placeholder of an attribute that exists but may not be used."""
        hint = f"{attribute!r} of {described(obj)} cannot be used here"
        return self.undefined(hint, obj=obj, name=attribute, exc=SecurityError)

    def is_safe_callable(self, obj: Any) -> bool:
        """Return True for functions, methods and macros, not for classes."""
        return not isinstance(obj, type) and super().is_safe_callable(obj)

    def call(self, context: Context, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """Call a function or macro; only a macro may be given a name that does not exist."""
        self.budget.step()
        if isinstance(function, Macro):
            return self.call_macro(context, function, arguments, named)
        if not (isinstance(function, Undefined) or callable(function)):
            raise TypeError(_not_called(function, arguments))
        for argument in (*arguments, *named.values()):
            if isinstance(argument, Undefined):
                str(argument)  # raises, naming what is missing
        return super().call(context, function, *arguments, **named)

    def call_macro(
        self, context: Context, macro: Macro, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> str:
        """Call a macro, which takes as long as some rounds of a loop."""
        self.budget.step(_MACRO_STEPS)
        written: str = super().call(context, macro, *given, **named)
        return written

    def select_template(self, names: Any, *how: Any, **more: Any) -> Template:
        """Return the first of several templates that exists, as `include` asks."""
        if isinstance(names, list | tuple | Undefined):
            return super().select_template(names, *how, **more)
        raise _no_name(names)

    def _load_template(self, name: Any, globals: Any) -> Template:  # noqa: A002, Jinja's name
        if isinstance(name, str | Undefined):
            return super()._load_template(name, globals)  # type: ignore[arg-type]
        raise _no_name(name)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return CountingParser(self, source, name, filename).parse()

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except SyntaxError as error:  # loops twenty deep
            message = "it is nested too deeply; split it into smaller parts"
            raise TemplateSyntaxError(message, 1, None, filename) from error


def _no_name(value: Any) -> TypeError:
    return TypeError(f"the name of a template is needed here, not {described(value)}")


def _not_called(value: Any, arguments: tuple[Any, ...]) -> str:
    message = f"{described(value)} cannot be called like a function"
    match arguments:
        case (str() as name,) if isinstance(value, Mapping):
            wanted = f".{name}" if name.isidentifier() else f"[{str(name)[:30]!r}]"
            return f"{message}: write its name and {wanted}, without brackets ()"
        case _:
            return message


def load_template(environment: BoundedEnvironment, name: str) -> Template:
    """Return the template of that name.

    Raises SandboxError (GP301, GP302), and any GridpressError of the loader.
    """
    try:
        return environment.get_template(name)
    except GridpressError:
        raise
    except Exception as error:
        raise explained(error, ()) from error


def render(template: Template, context: Mapping[str, Any]) -> str:
    """Return what the template writes, at most `MAX_OUTPUT` characters.

    Raises SandboxError, and any GridpressError of a helper.
    """
    environment = cast("BoundedEnvironment", template.environment)
    pieces: list[str] = []
    left = MAX_OUTPUT
    try:
        with environment.budget.fresh():
            stream = cast("Any", template.root_render_func(template.new_context(dict(context))))
            for piece in stream:
                left -= len(piece)
                if left < 0:
                    message = f"more than {MAX_OUTPUT // 1_000_000} million characters written"
                    stream.throw(BoundsError(message))  # at the line that writes
                pieces.append(piece)
    except (SandboxError, GridpressError):
        raise
    except Exception as error:
        raise explained(error, (*context, *environment.globals)) from error
    return "".join(pieces)


def call_macro(
    environment: BoundedEnvironment,
    template: str,
    macro: str,
    given: tuple[Any, ...],
    context: Mapping[str, Any],
) -> str:
    """Return what a macro of a template writes.

    Raises SandboxError (GP301 to GP306), and any GridpressError of the loader or a helper.
    """
    loaded = load_template(environment, template)
    try:
        with environment.budget.fresh():
            found = loaded.module.__dict__.get(macro)
            if not isinstance(found, Macro):
                raise SandboxError(f"{template} has no macro {macro!r}", "GP303", missing=macro)
            return environment.call_macro(loaded.new_context(dict(context)), found, given, {})
    except (SandboxError, GridpressError):
        raise
    except Exception as error:
        raise explained(error, (*context, *environment.globals)) from error


_RESULT: Final = "result"


class Expression(Struct, frozen=True):
    """A compiled expression; `names` are the values that it reads, without called functions."""

    text: str
    names: frozenset[str]
    template: Template

    def __call__(
        self, names: Mapping[str, Any], finish: Callable[[Any], Any] = lambda value: value
    ) -> Any:
        """Return what `finish` makes of the expression's value. Raises SandboxError (GP211)."""
        environment = cast("BoundedEnvironment", self.template.environment)
        try:
            with environment.budget.fresh():
                context = self.template.new_context(dict(names))
                for _ in self.template.root_render_func(context):
                    pass
                result = context.vars[_RESULT]
                if isinstance(result, Undefined):
                    str(result)  # raises, naming what is missing
                return finish(result)
        except (SandboxError, GridpressError):
            raise
        except Exception as error:
            raise _fault(self.text, error, (*names, *environment.globals)) from error


def _fault(text: str, error: Exception, names: tuple[str, ...]) -> SandboxError:
    why = explained(error, names)
    shown = text if len(text) <= 80 else text[:79] + "…"
    message = why.message.replace("'end of template'", "end")
    return SandboxError(f"in {shown!r}: {message}", "GP211", hint=why.hint)


@functools.lru_cache(maxsize=1)
def _environment() -> BoundedEnvironment:
    return BoundedEnvironment(autoescape=False)


@functools.lru_cache(maxsize=4096)
def compile_expression(text: str, cache: Cache = NOTHING_KEPT) -> Expression:
    """Compile an expression, or take its code from a cache. Raises SandboxError (GP211)."""
    environment = _environment()
    kept = cache.get(Sort.EXPRESSIONS, text)
    if kept is None:
        names, code = _translated(text)
        cache.put(Sort.EXPRESSIONS, marshal.dumps((names, code)), text)
    else:
        names, code = marshal.loads(kept)  # noqa: S302, the cache folder is the user's alone
    # Jinja's own chain of maps for globals is slow to copy for each evaluation.
    template = BoundedTemplate.from_code(environment, code, dict(environment.globals))
    return Expression(text, names, template)


def _translated(text: str) -> tuple[frozenset[str], CodeType]:
    environment = _environment()
    try:
        parser = CountingParser(environment, text, state="variable")
        value = parser.parse_expression()
        if not parser.stream.eos:
            raise TemplateSyntaxError("there is something after the end of the expression", 1)
        store = nodes.Assign(nodes.Name(_RESULT, "store", lineno=1), value, lineno=1)
        tree = nodes.Template([store], lineno=1)
        tree.set_environment(environment)
        names = _names(list(tree.find_all((nodes.Name, nodes.Call))))
        return names, environment.compile(tree, filename="<expression>")
    except Exception as error:
        raise _fault(text, error, ()) from error


def _names(parts: list[nodes.Node]) -> frozenset[str]:
    """Return the names of values. A field may be called `count`, so a function's name is one where
    it is read without a call."""
    called = [
        part.node.name
        for part in parts
        if isinstance(part, nodes.Call) and isinstance(part.node, nodes.Name)
    ]
    read = [part.name for part in parts if isinstance(part, nodes.Name) and part.ctx == "load"]
    return frozenset(
        name
        for name in read
        if name not in FUNCTIONS or read.count(name) > called.count(name)
        if name != "self"  # which Jinja gives a meaning
    )
