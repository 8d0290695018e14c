"""The Jinja2 environment in which nothing can do harm, and all that it runs, templates and
expressions; long, since whatever these read, call, join or compare is looked at here."""

from __future__ import annotations

import functools
import marshal
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from types import CodeType, FrameType, GeneratorType
from typing import Any, Final, NamedTuple, cast

from jinja2 import BaseLoader, StrictUndefined, Template, nodes
from jinja2.exceptions import (
    SecurityError,
    TemplateRuntimeError,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.lexer import TokenStream
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing, pass_context
from markupsafe import Markup, escape
from msgspec import Struct

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import GridpressError
from generator.model.pack import Items
from generator.sandbox import vocabulary
from generator.sandbox.budget import (
    FEW,
    MAX_OUTPUT,
    NUMBER_OPERATORS,
    NUMBERS,
    Budget,
    BudgetError,
    Purse,
    ThreadBudget,
    as_text,
    described,
    item_count,
    joined,
    operate,
    written_as,
)
from generator.sandbox.compiling import (
    COMPARED,
    COUNTED,
    JOINED,
    MAX_TOKENS,
    PART,
    TOO_DEEP,
    TOO_LARGE,
    WEIGHED,
    BoundedGenerator,
    BoundedTemplate,
    UnfitTemplateError,
    bounded,
    check_tree,
    compiled,
    counted,
)
from generator.sandbox.faults import SandboxError, UnknownNameError, explained
from generator.sandbox.vocabulary import Comparing, Function, Priced

# Of these, and of what Python itself brings, nothing can be reached: their attributes lead into
# Python, not to an author's values.
_CLOSED: Final = (PurePath, functools.partial)


_PLAIN: Final = frozenset((int, float, Markup))
"""What is written as it is: no letter of it means anything to XML but what is meant to."""
_FLAT: Final = frozenset((int, float, str, Markup, bool, type(None)))
_LIGHT: Final = 15
"""Fewer values that hold no others cost nothing."""
_WAYS_KEPT: Final = 10_000

MACRO_STEPS: Final = 4
"""What a macro takes more time for than a round of a loop does."""


class _UnknownName(StrictUndefined):
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
    """What `{{ … }}` prints where nothing is escaped: text and numbers, paid for."""
    if isinstance(value, Undefined):
        return value
    text = as_text(value)
    environment: Any = context.environment
    environment.budget.write(len(text))
    return text


class _NamedFunctions(dict[str, Function]):
    """Filters or tests by name, as the code of templates asks for them."""

    def __init__(self, sort: str, words: Mapping[str, Function]) -> None:
        super().__init__(words)
        self._sort = sort

    def __missing__(self, name: str) -> Function:
        raise TemplateRuntimeError(f"No {self._sort} named {name!r} found.")


class _AttributeRoute(NamedTuple):
    """What a dot and a name lead to from a value of some type: looked up in a map first, a method
    of ours, or an attribute that may be reached."""

    mapped: bool
    unknown: bool
    method: Function | None
    hidden: bool
    safe: bool


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja2 with everything counted that could run long, grow large or reach too far."""

    template_class = BoundedTemplate
    code_generator_class = BoundedGenerator

    def __init__(
        self,
        loader: BaseLoader | None = None,
        autoescape: bool = True,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(
            loader=loader,
            autoescape=autoescape,
            undefined=_UnknownName,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_written,
            # Nothing is worked out while a template is compiled: no budget would count it.
            optimized=False,
        )
        # Whoever wants to know which line has written what puts something else here.
        self.pieces: Callable[[], list[str]] = list
        self.gathered: Callable[[Iterable[str]], list[str]] = list
        self.note: Callable[[str, list[str]], None] = lambda text, pieces: None
        self.budget = budget or Budget()
        self.operators = {sign: self._operator(sign) for sign in NUMBER_OPERATORS}
        self._ways: dict[tuple[type, str], _AttributeRoute] = {}
        comparing = Comparing(self.budget)
        self._methods = tuple(
            (kind, self._paid(words))
            for kind, words in (
                (str, vocabulary.TEXT_METHODS),
                (dict, vocabulary.MAP_METHODS),
                ((list, tuple), vocabulary.list_methods(comparing)),
                (LoopContext, vocabulary.loop_methods(comparing)),
            )
        )
        self.tests: dict[str, Any] = _NamedFunctions(
            "test", self._paid(vocabulary.tests(comparing))
        )
        own: dict[str, Function] = {
            COMPARED: comparing.chain,
            COUNTED: self.budget.walked,
            JOINED: self._joined,
            PART: self._part,
            WEIGHED: self._weighed,
        }
        words = self._paid(vocabulary.filters(comparing))
        self.filters: dict[str, Any] = _NamedFunctions("filter", {**words, **own})
        self.globals = {**self._paid(vocabulary.functions(comparing))}

    @property
    def is_traced(self) -> bool:
        """True while it is to be known which line writes what."""
        return self.pieces is not list

    def _paid(self, words: Mapping[str, Priced]) -> dict[str, Function]:
        return {name: word.paid(self.budget) for name, word in words.items()}

    def concat(self, parts: Iterable[str]) -> str:
        """What a macro or a `set` block has written, piece by piece, as one text."""
        pieces = self.gathered(parts)
        self.budget.write(sum(map(len, pieces)))
        text = "".join(pieces)
        self.note(text, pieces)
        return text

    def written(self, value: Any) -> str:
        """What `{{ … }}` prints where letters that XML has a use for are escaped, paid for."""
        text = as_text(value)
        self.budget.write(len(text))
        return text if type(value) in _PLAIN else escape(text)

    def _operator(self, sign: str) -> Callable[[Any, Any], Any]:
        """A binary operator, within bounds and paid for."""
        looked_at, plain = self.budget.looked_at, NUMBER_OPERATORS[sign]

        def run(left: Any, right: Any) -> Any:
            if type(left) in NUMBERS and type(right) in NUMBERS:
                if -FEW < left < FEW and -FEW < right < FEW:
                    return plain(left, right)
                return operate(sign, left, right)
            return looked_at(operate(sign, looked_at(left), looked_at(right)))

        def power(base: Any, exponent: Any) -> Any:
            return looked_at(operate(sign, looked_at(base), looked_at(exponent)))

        return power if sign == "**" else run

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """True for what a template may reach with a dot, methods of values left out."""
        if isinstance(obj, tuple):
            return attr in getattr(obj, "_fields", ())
        if isinstance(obj, (str, list, Mapping, *_CLOSED)) or type(obj).__module__ == "builtins":
            return False
        return super().is_safe_attribute(obj, attr, value)

    def is_safe_callable(self, obj: Any) -> bool:
        """True for functions, methods and macros, never for classes."""
        return not isinstance(obj, type) and super().is_safe_callable(obj)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        """What stands for an attribute that exists but must not be reached."""
        hint = f"{attribute!r} of {described(obj)} cannot be used here"
        return self.undefined(hint, obj=obj, name=attribute, exc=SecurityError)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute`. The values of a map come before everything else."""
        way = self._ways.get((type(obj), attribute)) or self._way(obj, attribute)
        if way.mapped:
            try:
                return obj[attribute]
            except KeyError:
                pass
        elif way.unknown:
            _demand(obj)
        if way.method is not None:
            return functools.partial(way.method, obj)
        if attribute.startswith("_"):
            return self.unsafe_undefined(obj, attribute)
        if way.hidden:
            return self._item(obj, attribute)
        try:
            found = getattr(obj, attribute)
        except AttributeError:
            return self._item(obj, attribute)
        return found if way.safe else self.unsafe_undefined(obj, attribute)

    def _way(self, obj: Any, attribute: str) -> _AttributeRoute:
        """The same for all values of a type, so worked out once."""
        mapped = isinstance(obj, Mapping)
        words = next((words for kind, words in self._methods if isinstance(obj, kind)), {})
        way = _AttributeRoute(
            mapped,
            isinstance(obj, Undefined),
            None if attribute.startswith("_") else words.get(attribute),
            mapped and not isinstance(obj, dict),
            self.is_safe_attribute(obj, attribute, None),
        )
        if len(self._ways) >= _WAYS_KEPT:
            self._ways.clear()
        self._ways[type(obj), attribute] = way
        return way

    def getitem(self, obj: Any, argument: Any) -> Any:
        """`obj[argument]`."""
        if type(argument) is int:
            with_it = tuple.__getitem__ if type(obj) is Items else operator.getitem
            try:
                return with_it(obj, argument)
            except (TypeError, LookupError):
                pass
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
        if isinstance(function, Macro):  # which may ask whether what it is given `is defined`
            return self.call_macro(context, function, arguments, named)
        self.budget.step()
        if not (isinstance(function, Undefined) or callable(function)):
            raise TypeError(_not_called(function, arguments))
        for argument in (*arguments, *named.values()):
            if isinstance(argument, Undefined):
                _demand(argument)
            elif isinstance(argument, str):
                self.budget.write(len(argument))
        if isinstance(function, LoopContext):  # a loop that is recursive
            arguments = tuple(map(self.budget.walked, arguments))
        return self.budget.looked_at(super().call(context, function, *arguments, **named))

    def call_macro(
        self, context: Context, macro: Macro, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> str:
        """A call of a macro, paid for."""
        self.budget.step(MACRO_STEPS)
        written: str = super().call(context, macro, *given, **named)
        self.budget.write(len(written))
        return written

    def select_template(self, names: Any, *how: Any, **more: Any) -> Template:
        """The first of these templates that is there: those that an `include` tries."""
        if not names or not isinstance(names, list | tuple | Undefined):
            raise _no_name(names)
        return super().select_template(names, *how, **more)

    def _load_template(self, name: Any, globals: Any) -> Template:  # noqa: A002, Jinja2's name
        self.budget.step(10)
        if isinstance(name, str | Undefined):
            return super()._load_template(name, globals)  # type: ignore[arg-type]
        raise _no_name(name)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parser = Parser(self, source, name, filename)
        try:
            return parser.parse()
        except RecursionError as error:
            line = parser.stream.current.lineno
            raise UnfitTemplateError(TOO_DEEP, line, name, filename) from error

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        if source.count(self.comment_start_string) > MAX_TOKENS:
            raise UnfitTemplateError(TOO_LARGE, 1, name, filename)
        raw = self.lexer.tokeniter(str(source), name, filename, state)
        words = self.lexer.wrap(raw, name, filename)
        return TokenStream(counted(words, name, filename), name, filename)

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        check_tree(source, name, filename)
        return super()._generate(bounded(source), name, filename, defer_init)

    def _compile(self, source: str, filename: str) -> CodeType:
        return compiled(source, filename)

    def _joined(self, parts: Iterable[Any]) -> str:
        text = joined(parts)
        self.budget.write(len(text))
        return text

    def _part(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        part = self.budget.looked_at(value[start:stop:step])
        return written_as(part, value) if type(part) is str else part

    def _weighed(self, value: Any) -> Any:
        if len(value) < _LIGHT and type(value) is not dict and _FLAT.issuperset(map(type, value)):
            return value
        self.budget.step(item_count(value) // 16)
        if isinstance(value, dict):  # its names may be chosen so that all share a place in it
            self.budget.step(len(value) ** 2 // 1024)
        for item in value:
            _demand(item)
        return value


def _no_name(value: Any) -> TypeError:
    what = "an empty list" if value in ([], ()) else described(value)
    return TypeError(f"the name of a template is needed here, not {what}")


def load_template(environment: BoundedEnvironment, name: str) -> Template:
    """The template of that name.

    Raises SandboxError (GP301, GP302); a GridpressError raised by a loader comes through as it is.
    """
    try:
        return environment.get_template(name)
    except GridpressError:
        raise
    except (Exception, RecursionError) as error:
        raise explained(error, ()) from error


def _not_called(value: Any, arguments: tuple[Any, ...]) -> str:
    told = f"{described(value)} cannot be called like a function"
    match arguments:
        case (str() as name,) if isinstance(value, Mapping):
            wanted = f".{name}" if name.isidentifier() else f"[{str(name)[:30]!r}]"
            return f"{told}: write its name and {wanted}, without brackets ()"
        case _:
            return told


def render(template: Template, context: Mapping[str, Any]) -> str:
    """What the template writes, at most `MAX_OUTPUT` characters.

    Raises SandboxError; a GridpressError raised by a helper comes through as it is.
    """
    environment = cast("BoundedEnvironment", template.environment)
    pieces: list[str] = []
    length = 0
    try:
        with environment.budget.fresh():
            stream = template.root_render_func(template.new_context(dict(context)))
            for piece in stream:
                length += len(piece)
                if length > MAX_OUTPUT:
                    raise _too_long(stream)
                pieces.append(piece)
    except (SandboxError, GridpressError):
        raise
    except Exception as error:
        raise explained(error, (*context, *environment.globals)) from error
    return "".join(pieces)


def writing(stream: Iterable[str]) -> FrameType | None:
    """Where a template stands that has just written something."""
    frame: FrameType | None = None
    inner: Any = stream
    while isinstance(inner, GeneratorType) and inner.gi_frame is not None:
        frame = inner.gi_frame
        # A block, or the template around it; or what is included, which Jinja2 calls so.
        inner = inner.gi_yieldfrom or frame.f_locals.get("gen")
    return frame


def _too_long(stream: Iterable[str]) -> SandboxError:
    frame = writing(stream)
    message = f"more than {MAX_OUTPUT // 1_000_000} million characters written"
    return SandboxError(
        f"{message}: that is too much for one face",
        "GP306",
        hint="is a loop too long?",
        line=frame and frame.f_lineno,
        template=frame and frame.f_code.co_filename,
    )


_RESULT: Final = "result"
MAX_KEPT_TEXT: Final = 100_000


class Expression(Struct, frozen=True):
    """A compiled expression. `names` are the values that it asks for, functions left out: a name
    that is only called is one."""

    text: str
    names: frozenset[str]
    template: Template

    def __call__(
        self,
        names: Mapping[str, Any],
        finish: Callable[[Any], Any] = lambda value: value,
        purse: Purse | None = None,
    ) -> Any:
        """What `finish` makes of the value of the expression, which is paid for too.
        Raises SandboxError (GP211)."""
        environment = self.template.environment
        assert isinstance(environment, BoundedEnvironment)
        budget = environment.budget
        try:
            with budget.fresh(purse):
                context = self.template.new_context(dict(names))
                for _ in self.template.root_render_func(context):
                    pass
                return finish(_settled(context.vars[_RESULT], budget))
        except (SandboxError, GridpressError):
            raise
        except Exception as error:
            raise _fault(self.text, error, (*names, *environment.globals)) from error


def _names(parts: list[nodes.Node]) -> frozenset[str]:
    """Names of values. That of a function is one where it is read, not only called: a field may be
    called `count` or `min`."""
    called = [
        part.node.name
        for part in parts
        if isinstance(part, nodes.Call) and isinstance(part.node, nodes.Name)
    ]
    read = [part.name for part in parts if isinstance(part, nodes.Name) and part.ctx == "load"]
    functions = _environment().globals
    return frozenset(
        name
        for name in read
        if name not in functions or read.count(name) > called.count(name)
        if name != "self"  # which Jinja2 gives a meaning
    )


def _settled(result: Any, budget: Budget) -> Any:
    """The result as a value, of a size that may be kept: what is still to be gone through is gone
    through now."""
    if isinstance(result, Undefined):
        str(result)  # raises, naming what is not there
    if isinstance(result, str) and len(result) > MAX_KEPT_TEXT:
        raise BudgetError(f"a text of more than {MAX_KEPT_TEXT:,} characters")
    if isinstance(result, Items):  # an author's list, which is there anyway
        return result
    if isinstance(result, Iterator):
        return tuple(_settled(item, budget) for item in result)
    if isinstance(result, (list, tuple)):
        budget.step(len(result))
        kind = list if isinstance(result, list) else tuple
        return kind(_settled(item, budget) for item in result)
    if isinstance(result, dict):
        budget.step(len(result))
        return {_settled(name, budget): _settled(item, budget) for name, item in result.items()}
    return result


def _fault(text: str, error: Exception, names: tuple[str, ...]) -> SandboxError:
    why = explained(error, names)
    shown = text if len(text) <= 80 else text[:79] + "…"
    message = why.message.replace("'end of template'", "end")
    return SandboxError(f"in {shown!r}: {message}", "GP211", hint=why.hint)


@functools.lru_cache(maxsize=1)
def _environment() -> BoundedEnvironment:
    return BoundedEnvironment(autoescape=False, budget=ThreadBudget())


@functools.lru_cache(maxsize=4096)
def compile_expression(
    text: str, file: str = "expression", line: int = 1, cache: Cache = NOTHING_KEPT
) -> Expression:
    """An expression ready to be worked out many times; its code is that of a line of a file, for
    whoever looks at it while it runs, and is kept in a cache. Raises SandboxError (GP211)."""
    environment = _environment()
    made_from = text, file, str(line)
    kept = cache.get(Sort.EXPRESSIONS, *made_from)
    if kept is None:
        names, code = _translated(text, file, line)
        cache.put(Sort.EXPRESSIONS, marshal.dumps((names, code)), *made_from)
    else:
        names, code = marshal.loads(kept)  # noqa: S302, only what Gridpress signed
    # Jinja2 keeps globals in a chain of maps, which is slow to copy for each evaluation.
    template = BoundedTemplate.from_code(environment, code, dict(environment.globals))
    return Expression(text, names, template)


def _translated(text: str, file: str, line: int) -> tuple[frozenset[str], CodeType]:
    """The names that an expression asks for, and its code."""
    environment = _environment()
    try:
        parser = Parser(environment, text, state="variable")
        value = parser.parse_expression()
        if not parser.stream.eos:
            raise TemplateSyntaxError("something is left over after the expression", 1)
        store = nodes.Assign(nodes.Name(_RESULT, "store", lineno=1), value, lineno=1)
        tree = nodes.Template([store], lineno=1)
        tree.set_environment(environment)
        parts = list(tree.find_all(nodes.Node))
        for part in parts:
            part.lineno = line
        names = _names(parts)
        return names, environment.compile(tree, filename=file)
    except Exception as error:
        raise _fault(text, error, ()) from error
