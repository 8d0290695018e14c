"""Expressions: compiled once, and worked out from named values."""

from __future__ import annotations

import functools
import marshal
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any, Final

from jinja2 import Template, nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.parser import Parser
from jinja2.runtime import Undefined
from msgspec import Struct

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import GridpressError
from generator.model.pack import Items
from generator.sandbox.budget import Budget, BudgetError, Purse, ThreadBudget
from generator.sandbox.compiling import BoundedTemplate
from generator.sandbox.environment import BoundedEnvironment
from generator.sandbox.faults import SandboxError, explained

KIND: Final = "GP211"
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
    return SandboxError(f"in {shown!r}: {message}", KIND, hint=why.hint)


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
