"""What went wrong in a template or expression, as one `SandboxError` in plain words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Final

from jinja2.exceptions import (
    SecurityError,
    TemplateNotFound,
    TemplatesNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.utils import missing

from generator.diagnostics import did_you_mean
from generator.limits import MOST_MEMORY
from generator.sandbox import vocabulary
from generator.sandbox.budget import BudgetError, described
from generator.sandbox.compiling import UnfitTemplateError

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
    (MemoryError, "GP009", f"it takes more than {MOST_MEMORY // 1_000_000} MB of memory"),
    (UnicodeDecodeError, "GP302", "the template is not UTF-8 text"),
    (ZeroDivisionError, "GP304", "a division by zero"),
    (OverflowError, "GP304", "a number becomes too large"),
)
_SYNTAX_HINT: Final = "look here and just before for a bracket, quote, {{ or {% that is not closed"
_MACRO: Final = "macro"
"""What Jinja2 calls the functions that it makes of macros."""
_MOST: Final = 300
"""Letters of a message: a name may have many more."""


class SandboxError(Exception):
    """Why a template or expression failed.

    `kind` is a code of a diagnostic; `line` counts from 1 in the file `template`, both are
    None where there is no such place (an expression, a fault of the template as a whole). `callers`
    are the lines and files of the calls of macros in which it happened, the innermost first.
    `missing` is the name that was asked for and is not there, if that is what is wrong.
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
    """A name, item or attribute that does not exist; `owner` is what was asked for it."""

    def __init__(self, hint: str | None, owner: Any, name: Any) -> None:
        super().__init__(hint or _not_there(owner, name))
        self.owner = owner
        self.name = name

    def hint(self, names: Iterable[str]) -> str:
        """The nearest of the names that do exist."""
        known = names if self.owner is missing else self.owner
        if (
            not isinstance(self.name, str)
            or len(self.name) > _MOST
            or not isinstance(known, (Mapping, list, tuple))
        ):
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
    """The fault with its code, place and a hint; `names` are those an author may have meant."""
    (line, template), callers = _place(error)
    message, kind, hint = _reason(error, list(names))
    if len(message) > _MOST:
        message = f"{message[:_MOST]}…"
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


def _place(
    error: Exception,
) -> tuple[tuple[int | None, str | None], tuple[tuple[int, str], ...]]:
    """The innermost template line, and those that called the macros it is in, innermost first: the
    code of templates has their own files and lines."""
    if isinstance(error, TemplateSyntaxError):
        return (error.lineno, error.filename or error.name), ()
    place: tuple[int | None, str | None] = (None, None)
    callers: list[tuple[int, str]] = []
    lines: list[tuple[int, str]] = []
    of_macros: set[tuple[int, str]] = set()
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "__jinja_template__" in trace.tb_frame.f_globals:
            place = trace.tb_lineno, code.co_filename
            if code.co_name == _MACRO and lines:
                callers.insert(0, lines[-1])
            lines.append(place)
            of_macros |= {place} if code.co_name == _MACRO else set()
        trace = trace.tb_next
    if isinstance(error, RecursionError) and lines:  # the line that goes round, not where it ended
        times = Counter(lines)
        most = max(times.values())
        going = [line for line in reversed(lines) if times[line] >= most - 1]
        return next((line for line in going if line in of_macros), going[0]), ()
    return place, tuple(callers)


def _reason(error: Exception, names: list[str]) -> tuple[str, str, str]:
    if isinstance(error, TemplateSyntaxError):
        return _syntax(
            (error.message or "not understood").rstrip("."), isinstance(error, UnfitTemplateError)
        )
    if isinstance(error, UnknownNameError):
        return str(error), "GP303", error.hint(names)
    if isinstance(error, BudgetError):
        return f"{error}: that is too much for one face", "GP306", "is a loop too long?"
    for sort, kind, message in _SIMPLE:
        if isinstance(error, sort):
            return message.format(error), kind, ""
    message = str(error) or type(error).__name__
    if _UNKNOWN_WORD.match(message):  # a filter that a text names
        return _syntax(message)
    return in_plain_words(message), "GP304", ""


def _syntax(message: str, is_unfit: bool = False) -> tuple[str, str, str]:
    if is_unfit:
        what, _, hint = message.partition("; ")
        return what, "GP302", hint
    unknown = _UNKNOWN_WORD.match(message)
    if unknown is None:
        return message[:1].lower() + message[1:], "GP302", _SYNTAX_HINT
    sort, word = (part for part in unknown.groups() if part)
    known = {
        "filter": vocabulary.FILTER_NAMES,
        "test": vocabulary.TEST_NAMES,
        "tag": _TAGS,
    }[sort]
    return f"there is no {sort} {word!r}", "GP302", did_you_mean(word, known)


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

Wording = Callable[[re.Match[str]], str]


def in_plain_words(message: str) -> str:
    """The message as it is when there are no better words for it."""
    for pattern, words in _TOLD:
        if found := pattern.match(message):
            return words(found)
    return message


def _noun(type_name: str) -> str:
    return _NOUNS.get(type_name, type_name)


def _who(function: str) -> str:
    """What was called, if its name in Python is the one that authors know: a helper's is."""
    owner, _, name = function.rpartition(".")
    return f"{name}()" if owner and "<" not in function else "this"


def _compared(found: re.Match[str]) -> str:
    sign, left, right = found.groups()
    return f"{_noun(left)} and {_noun(right)} cannot be compared with {sign}"


def _number_needed(found: re.Match[str]) -> str:
    return f"a number is needed here, not {_noun(found[1])}"


def _miscounted(found: re.Match[str]) -> str:
    return f"{_who(found[1])} is given too many or too few values"


_FUNCTION: Final = r"([\w.<>]+)\(\) "
_TOLD: Final[tuple[tuple[re.Pattern[str], Wording], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (
            r"macro '(\w+)' was invoked with two values for the special caller",
            lambda found: (
                f"the macro {found[1]!r} puts what stands in {{% call %}} nowhere:"
                " it has no {{ caller() }}"
            ),
        ),
        ("cannot assign attribute", lambda _: "only the values of a namespace can be set"),
        (r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'", _compared),
        (
            r"'(\w+)' object is not callable",
            lambda found: f"{_noun(found[1])} cannot be called like a function",
        ),
        (
            r"(?:'(\w+)' object is not iterable|.*non-iterable (\w+) object)",
            lambda found: f"a list is needed here, not {_noun(found[1] or found[2])}",
        ),
        (r"(?:must be|%\w format: a) real number(?: is required)?, not (\w+)", _number_needed),
        (r"bad operand type for [\w() -]+: '(\w+)'", _number_needed),
        (
            r"must be str or None, not (\w+)",
            lambda found: f"text is needed here, not {_noun(found[1])}",
        ),
        (
            r"(?:cannot use '\w+' as a \w+ key \()?unhashable type: '(\w+)'",
            lambda found: f"{_noun(found[1])} cannot be a name in a map",
        ),
        (
            r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)",
            lambda found: f"{found[1]} values are needed here, not {found[2]}",
        ),
        (
            r"too many values to unpack \(expected (\d+)",
            lambda found: f"{found[1]} values are needed here, not more",
        ),
        (
            r"not (?:all|enough) arguments .*format",
            lambda _: "there must be as many values as the text has % forms",
        ),
        (
            _FUNCTION + r"got an unexpected keyword argument '(\w+)'",
            lambda found: f"{_who(found[1])} has no option {found[2]!r}",
        ),
        (
            _FUNCTION + r"missing \d+ required .*arguments?: (.+)",
            lambda found: f"{_who(found[1])} needs {found[2]} too",
        ),
        (
            _FUNCTION + r"got multiple values for argument '(\w+)'",
            lambda found: f"{_who(found[1])} is given {found[2]!r} twice",
        ),
        (_FUNCTION + r"takes .*given\)?", _miscounted),
        (r"(\w+) expected (?:at (?:most|least) )?\d+ arguments?, got \d+", _miscounted),
    )
)
