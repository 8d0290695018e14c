"""A template loader in, a Jinja2 environment out in which nothing can do harm."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
    NoneType,
    TracebackType,
)
from typing import Any, Final, cast

from jinja2 import BaseLoader, StrictUndefined, Template, nodes
from jinja2.exceptions import SecurityError, TemplateRuntimeError, UndefinedError
from jinja2.runtime import Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, missing, pass_context

from generator.sandbox import rewriting, vocabulary
from generator.sandbox.bounds import (
    NUMBERS,
    Budget,
    as_text,
    described,
    joined,
    operate,
    weight,
    written_as,
)
from generator.sandbox.faults import UnknownNameError

_TEXT_METHODS: Final = frozenset(
    "capitalize casefold count endswith find index isalnum isalpha isdecimal isdigit islower "
    "isnumeric isspace istitle isupper lower lstrip partition removeprefix removesuffix rfind "
    "rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title "
    "upper".split()
)
_MAP_METHODS: Final = frozenset(("get", "items", "keys", "values"))
_LIST_METHODS: Final = frozenset(("count", "index"))
# Of these nothing can be reached: their attributes lead into Python, not to an author's values.
_CLOSED: Final = (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
    NoneType,
    PurePath,
    TracebackType,
    bytes,
    complex,
    float,
    functools.partial,
    int,
    range,
    type,
)


class _Unknown(StrictUndefined):
    """A name that does not exist: any use of it fails, and the error still knows the name."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[TemplateRuntimeError] = UndefinedError,
    ) -> None:
        if exc is UndefinedError:
            # Jinja2 only calls this with the message, so any maker of exceptions will do.
            maker = functools.partial(_unknown_name, hint, obj, name)
            exc = cast("type[TemplateRuntimeError]", maker)
        super().__init__(hint, obj, name, exc)


def _unknown_name(hint: str | None, owner: Any, name: Any, _: str) -> UnknownNameError:
    return UnknownNameError(hint, owner, name)


def _demand(value: Any) -> None:
    """Fails for a name that is not known: here, where it stands, rather than where it is used."""
    if isinstance(value, Undefined):
        str(value)


@pass_context
def _written(context: Context, value: Any) -> Any:
    """What `{{ … }}` prints: text and numbers, paid for."""
    if isinstance(value, Undefined):
        return value
    text = as_text(value)
    environment: Any = context.environment
    environment.budget.write(len(text))
    return text


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja2 with everything counted that could run long, grow large or reach too far."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def __init__(self, loader: BaseLoader | None = None, autoescape: bool = True) -> None:
        super().__init__(
            loader=loader,
            autoescape=autoescape,
            undefined=_Unknown,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_written,
            # Nothing is worked out while a template is compiled: no budget would count it.
            optimized=False,
        )
        self.budget = Budget()
        self.tests = {**vocabulary.tests(self.budget)}
        self.filters = {
            **vocabulary.filters(self.budget),
            rewriting.COUNTED: self.budget.walked,
            rewriting.JOINED: self._joined,
            rewriting.LOOKED_AT: self.budget.looked_at,
            rewriting.PART: self._part,
            rewriting.WEIGHED: self._weighed,
        }
        self.globals = {**vocabulary.functions(self.budget), "namespace": Namespace}

    def concat(self, parts: Iterable[str]) -> str:
        """What a macro or a `set` block has written, piece by piece, as one text."""
        pieces = list(parts)
        self.budget.write(sum(map(len, pieces)))
        return "".join(pieces)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """A binary operator, within bounds and paid for."""
        result = operate(operator, left, right)
        return result if type(result) in NUMBERS else self.budget.looked_at(result)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """True for what a template may reach with a dot."""
        if isinstance(obj, str):
            return attr in _TEXT_METHODS
        if isinstance(obj, dict):
            return attr in _MAP_METHODS
        if isinstance(obj, (list, tuple)):
            return attr in _LIST_METHODS or attr in getattr(obj, "_fields", ())
        if isinstance(obj, (Mapping, *_CLOSED)):
            return False
        return super().is_safe_attribute(obj, attr, value)

    def is_safe_callable(self, obj: Any) -> bool:
        """True for functions, methods and macros; of the classes only for `namespace`."""
        if isinstance(obj, type):
            return obj is Namespace
        return super().is_safe_callable(obj)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        """What stands for an attribute that exists but must not be reached."""
        hint = f"{attribute!r} of {described(obj)} cannot be used here"
        return self.undefined(hint, obj=obj, name=attribute, exc=SecurityError)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute`. The values of a map come before everything else."""
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        _demand(obj)
        if attribute.startswith("_"):
            return self.unsafe_undefined(obj, attribute)
        hidden = isinstance(obj, Mapping) and not isinstance(obj, dict)
        if hidden or not hasattr(obj, attribute):
            return self._item(obj, attribute)
        safe = self.is_safe_attribute(obj, attribute, None)
        return getattr(obj, attribute) if safe else self.unsafe_undefined(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """`obj[argument]`."""
        item = self._item(obj, argument)
        if isinstance(item, Undefined) and isinstance(argument, str):
            return self.getattr(obj, argument)
        return item

    def _item(self, obj: Any, argument: Any) -> Any:
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)

    def call(self, context: Context, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """A call, paid for: one step, and the text that goes in and comes out."""
        self.budget.step()
        if not (isinstance(function, Undefined) or callable(function)):
            raise TypeError(f"{described(function)} cannot be called like a function")
        if not isinstance(function, Macro):  # which may ask whether it `is defined`
            for argument in (*arguments, *named.values()):
                if isinstance(argument, Undefined):
                    _demand(argument)
        owner = getattr(function, "__self__", None)
        self.budget.looked_at(owner)
        if isinstance(function, LoopContext):  # a loop that is recursive
            arguments = tuple(map(self.budget.walked, arguments))
        result = super().call(context, function, *arguments, **named)
        self.budget.looked_at(result)
        return written_as(result, owner) if type(result) is str else result

    def _load_template(self, name: Any, globals: Any) -> Template:  # noqa: A002, Jinja2's name
        self.budget.step()
        return super()._load_template(name, globals)

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        tree = rewriting.bounded(source).set_environment(self)
        return super()._generate(cast("nodes.Template", tree), name, filename, defer_init)

    def _joined(self, parts: Iterable[Any]) -> str:
        text = joined(parts)
        self.budget.write(len(text))
        return text

    def _part(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        part = self.budget.looked_at(value[start:stop:step])
        return written_as(part, value) if type(part) is str else part

    def _weighed(self, value: Any) -> Any:
        self.budget.step(weight(value) // 16)
        for item in value:
            _demand(item)
        return value
