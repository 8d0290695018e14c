"""A field's pattern and a text in, whether they match: never so slowly that it matters.

Patterns come from strangers, and an engine that backtracks can take for ever over one. RE2 does
not: its time grows with the text alone, and its memory has an end. Only what editors read alike
from a kind's JSON Schema may be used, so that both say the same of a text.
"""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any, Final

import re2

MAX_PATTERN: Final = 200
MAX_TESTED: Final = 200
MAX_MEMORY: Final = 1 << 16
"""Bytes: what does not fit is a pattern such as `(a{900}){900}`."""

_ITEM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:?|.", re.DOTALL)
_PYTHONS_OWN: Final = {
    "(?": "of the groups only ( ) and (?: ) are known",
    "\\A": "^ and $ are not needed: the whole text is meant",
    "\\a": "\\a is not known",
}


@functools.lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Any:
    """A regular expression. Raises ValueError, saying what is wrong with it."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"longer than {MAX_PATTERN} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)  # it says best what is not closed, and knows not what RE2 adds
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(str(error)) from error
    unknown = next(filter(None, map(_PYTHONS_OWN.get, _ITEM.findall(pattern))), None)
    if unknown is not None:
        raise ValueError(unknown)
    try:
        return re2.compile(pattern, _options())
    except re2.error as error:
        raise ValueError(_in_plain_words(error)) from error
    except UnicodeEncodeError as error:
        raise ValueError("half of a character") from error


def matches(pattern: str, text: str) -> bool:
    """True when the pattern describes the whole text, which must not be over `MAX_TESTED` long."""
    try:
        return len(text) <= MAX_TESTED and compile_pattern(pattern).fullmatch(text) is not None
    except UnicodeEncodeError:  # half of a character, of which no pattern speaks
        return False


def _options() -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    return options


def _in_plain_words(error: Exception) -> str:
    why = error.args[0]
    text = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
    if text.startswith("pattern too large"):
        return "it repeats too much"
    return text
