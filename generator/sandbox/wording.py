"""What Python says of a wrong value or call in, the same in words for who makes games out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

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

Words = Callable[[re.Match[str]], str]


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
_TOLD: Final[tuple[tuple[re.Pattern[str], Words], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
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
