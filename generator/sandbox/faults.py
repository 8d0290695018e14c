"""Explains an error of a template or expression in an author's words, as a `SandboxError`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from traceback import walk_tb
from typing import Any, Final

from jinja2.exceptions import (
    SecurityError,
    TemplateNotFound,
    TemplatesNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.utils import internal_code, missing

from generator.diagnostics import did_you_mean
from generator.sandbox.bounds import BoundsError, described
from generator.sandbox.vocabulary import FILTERS, TESTS

_UNKNOWN_WORD: Final = re.compile(
    r"No (filter|test) named '([^']*)'|Encountered unknown (tag) '([^']*)'\.?$"
)
_TAGS: Final = tuple(
    "block call extends filter for from if import include macro raw set with".split()
)
# In this order: what is more special first.
_SIMPLE: Final[tuple[tuple[type[Exception], str, str], ...]] = (
    (TemplatesNotFound, "GP301", "{}"),
    (TemplateNotFound, "GP301", "there is no template '{}'"),
    (UndefinedError, "GP303", "{}"),
    (SecurityError, "GP305", "{}"),
    (RecursionError, "GP306", "it calls itself without end, or is nested too deeply"),
    (MemoryError, "GP009", "it takes too much memory"),
    (UnicodeDecodeError, "GP302", "the template is not UTF-8 text"),
    (ZeroDivisionError, "GP304", "a division by zero"),
    (OverflowError, "GP304", "a number becomes too large"),
)
_SYNTAX_HINT: Final = "look here and just before for a bracket, quote, {{ or {% that is not closed"
_MACRO: Final = "macro"
"""Jinja's name for the functions that it makes of macros."""
_LONGEST_MESSAGE: Final = 300


class SandboxError(Exception):
    """Why a template or expression failed.

    `kind` is the code of a diagnostic. `line` and `template` are the place, None in an expression
    and for a template as a whole; `callers` are the lines and files that called the macros around
    it, innermost first. `missing` is the unknown name, if that is the fault.
    """

    def __init__(
        self,
        message: str,
        kind: str,
        *,
        hint: str = "",
        line: int | None = None,
        template: str | None = None,
        callers: tuple[tuple[int, str], ...] = (),
        missing: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.hint = hint
        self.line = line
        self.template = template
        self.callers = callers
        self.missing = missing


class UnknownNameError(UndefinedError):
    """A name, item or attribute that does not exist; `owner` was asked for it."""

    def __init__(self, hint: str | None, owner: Any, name: Any) -> None:
        super().__init__(in_plain_words(hint) if hint else _not_there(owner, name))
        self.owner = owner
        self.name = name

    def hint(self, names: Iterable[str]) -> str:
        """Suggest the nearest name that exists."""
        known = names if self.owner is missing else self.owner
        if not isinstance(self.name, str) or not isinstance(known, (Mapping, list, tuple)):
            return ""
        return did_you_mean(self.name, (n for n in known if isinstance(n, str) and n != self.name))


def _not_there(owner: Any, name: Any) -> str:
    if owner is missing:
        return f"{name!r} is not known here"
    if isinstance(owner, Mapping):
        return f"there is no {name!r} among these values"
    if isinstance(name, int) and isinstance(owner, (list, tuple, str)):
        count = f"it has {len(owner)}, the first one is 0" if owner else "it is empty"
        return f"{described(owner)} has no item {name}: {count}"
    return f"{described(owner)} has no {name!r}"


def explained(error: Exception, names: Iterable[str]) -> SandboxError:
    """Return the fault with its code, place and hint; `names` are those that exist."""
    line, template, callers = _place(error)
    message, kind, hint = _reason(error, list(names))
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}…"
    name = error.name if isinstance(error, (UnknownNameError, AttributeError)) else ""
    return SandboxError(
        message,
        kind,
        hint=hint,
        line=line,
        template=template,
        callers=callers,
        missing=name if isinstance(name, str) else "",
    )


def _place(error: Exception) -> tuple[int | None, str | None, tuple[tuple[int, str], ...]]:
    """Return the innermost template line, its file, and the calls of the macros that it is in."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno, error.filename or error.name, ()
    callers: list[tuple[int, str]] = []
    lines: list[tuple[int, str]] = []
    for frame, code_line in walk_tb(error.__traceback__):
        template = frame.f_globals.get("__jinja_template__")
        if template is not None and frame.f_code not in internal_code:
            if frame.f_code.co_name == _MACRO and lines:
                callers.insert(0, lines[-1])
            lines.append((template.get_corresponding_lineno(code_line), frame.f_code.co_filename))
    if not lines:
        return None, None, ()
    if isinstance(error, RecursionError):  # the line that goes round, not the one where it ended
        return *Counter(reversed(lines)).most_common(1)[0][0], ()
    return *lines[-1], tuple(callers)


def _reason(error: Exception, names: list[str]) -> tuple[str, str, str]:
    message = str(error) or type(error).__name__
    if unknown := _UNKNOWN_WORD.match(message):
        sort, word = (part for part in unknown.groups() if part)
        known = {"filter": FILTERS, "test": TESTS, "tag": _TAGS}[sort]
        return f"there is no {sort} {word!r}", "GP302", did_you_mean(word, known)
    if isinstance(error, TemplateSyntaxError):
        message = (error.message or "not understood").rstrip(".")
        return message[:1].lower() + message[1:], "GP302", _SYNTAX_HINT
    if isinstance(error, UnknownNameError):
        return message, "GP303", error.hint(names)
    if isinstance(error, BoundsError):
        return f"{message}: that is too much for one face", "GP306", "is a loop too long?"
    for sort_of_error, kind, words in _SIMPLE:
        if isinstance(error, sort_of_error):
            return words.format(error), kind, ""
    said = in_plain_words(message)
    return said, "GP304", _IF_EMPTY if _NOUNS["NoneType"] in said else ""


_IF_EMPTY: Final = "an empty field is none; ask for it first, as in `cost and cost > 3`"


_NOUNS: Final = {
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "SourceText": "text",
    "Markup": "text",
    "list": "a list",
    "tuple": "a list",
    "range": "a list",
    "dict": "a map",
    "Record": "a map",
    "NoneType": "nothing (none)",
    "function": "a function",
    "method": "a function",
    "partial": "a function",
    "builtin_function_or_method": "a function",
    "Macro": "a macro",
}

_FUNCTION: Final = r"(?P<function>[\w.<>]+)\(\) "
_PLAINER: Final = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (
            r"macro '(\w+)' was invoked with two values for the special caller",
            "the macro '{0}' does not print the content of {{% call %}}: "
            "it has no {{{{ caller() }}}}",
        ),
        ("cannot assign attribute", "only the values of a namespace can be set"),
        (
            r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'",
            "{1} and {2} cannot be compared with {0}",
        ),
        (r"'(\w+)' object is not callable", "{0} cannot be called like a function"),
        (
            r"(?:.*'|.*non-iterable |object of type ')(\w+)'? (?:object.*|has no len\(\))",
            "a list is needed here, not {0}",
        ),
        (
            r"(?:must be|%\w format: a) real number(?: is required)?, not (\w+)"
            r"|bad operand type for [\w() -]+: '(\w+)'",
            "a number is needed here, not {0}",
        ),
        (r"must be str(?: or None)?, not (\w+)", "text is needed here, not {0}"),
        (
            r"(?:cannot use '\w+' as a \w+ key \()?unhashable type: '(\w+)'",
            "{0} cannot be a name in a map",
        ),
        (
            r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
            "{0} values are needed here, not {1}",
        ),
        (
            r"too many values to unpack \(expected (\d+)",
            "{0} values are needed here, not more",
        ),
        (
            r"not (?:all|enough) arguments .*format",
            "there must be as many values as the text has % forms",
        ),
        (r"(?:max|min)\(\) .*empty", "there is nothing to choose from: the list is empty"),
        (r"No \w+ item, sequence was empty", "the list is empty"),
        (r"Exceeds the limit", "a number of more than 4,300 digits"),
        (
            _FUNCTION + r"got an unexpected keyword argument '(\w+)'",
            "{function} has no option '{1}'",
        ),
        (
            _FUNCTION + r"missing \d+ required .*arguments?: (.+)",
            "{function} needs {1} too",
        ),
        (
            _FUNCTION + r"got multiple values for argument '(\w+)'",
            "{function} is given '{1}' twice",
        ),
        (
            _FUNCTION + r"takes .*given\)?"
            r"|(?:\w+) expected (?:at (?:most|least) )?\d+ arguments?, got \d+",
            "{function} is given too many or too few values",
        ),
    )
)


def in_plain_words(message: str) -> str:
    """Return a message of Python in an author's words, as far as they are known."""
    for pattern, words in _PLAINER:
        if found := pattern.match(message):
            groups = [_NOUNS.get(group, group) for group in found.groups() if group is not None]
            return words.format(*groups, function=_called(found.groupdict().get("function") or ""))
    return message


def _called(function: str) -> str:
    """Return the name of a function; only helpers have the name that authors know."""
    owner, _, name = function.rpartition(".")
    return f"{name}()" if owner and "<" not in function else "this"
