"""Scalars that stay text: ids, texts and their patterns, choices, colours, names of components
and files."""

from __future__ import annotations

import functools
import re
import unicodedata
import warnings
from collections.abc import Mapping
from typing import Any, Final

import re2
from PIL.ImageColor import colormap

from generator.diagnostics import Diagnostic, GridpressError
from generator.model.pack import Field, SourceText
from generator.model.source import Node, Scalar
from generator.validate.number_types import parse_bool, parse_number
from generator.validate.reading import FieldType, Reading, Schema

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
ID_PATTERN: Final = "[a-z0-9][a-z0-9-]{0,79}"
NAME_PATTERN: Final = "[a-z][a-z0-9_]{0,39}"
STYLE_PATTERN: Final = "[a-z][a-z0-9_-]{0,39}"
IN_WORDS: Final = {
    ID_PATTERN: "lower-case letters a–z, digits and hyphens",
    NAME_PATTERN: "lower-case letters a–z, digits and underscores, a letter first",
    STYLE_PATTERN: "lower-case letters a–z, digits, - and _, a letter first",
}
_ONE: Final = {"characters": "character", "entries": "entry", "rows": "row"}
_ID: Final = re.compile(ID_PATTERN)
# Whatever an editor's YAML makes of a plain scalar (12, true), to us it is text.
ANY_SCALAR: Final = ["string", "number", "boolean"]


def read_id(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """An id, as text."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    if _ID.fullmatch(node.text) is None:
        hint = f"an id has {IN_WORDS[ID_PATTERN]}, at most 80"
        return reading.wrong_type(node, rule, path, hint)
    return node.text


def read_text(
    node: Node, rule: Field, reading: Reading, path: str, rich: bool = False
) -> SourceText | Any:
    """Text of any kind within the field's limits, with its place."""
    if not isinstance(node, Scalar):
        hint = "put quotes around text that begins with [ or {"
        return reading.wrong_type(node, rule, path, hint)
    reading.check_cut(node, path)
    wrong = wrong_count(len(node.text), "characters", rule)
    if wrong:
        return reading.fault(node.span, "GP204", f"{path}: {wrong}", count_hint(rule))
    if not node.text.isascii() and _is_unseen(node.text):
        message = f"{path}: nothing of it is seen: it is U+{ord(node.text.strip()[0]):04X}"
        return reading.fault(node.span, "GP204", message, "write words, or nothing at all")
    if rule.pattern is not None and not matches(rule.pattern, node.text):
        return reading.fault(
            node.span,
            "GP204",
            f"{path}: {node.text[:MAX_TESTED]!r} does not follow the pattern {rule.pattern}",
            rule.description or "the kind says how it is written",
        )
    return SourceText(node.text, node.span, rich)


def _is_unseen(text: str) -> bool:
    """True for signs that only join, part or turn others, without any to do so to."""
    sorts = set(map(unicodedata.category, text.strip()))
    return bool(sorts) and sorts <= {"Cf", "Zs"}


read_rich: Final = functools.partial(read_text, rich=True)


def wrong_count(count: int, things: str, rule: Field) -> str:
    """What is wrong with a number of characters or entries; empty when nothing is."""
    if rule.length is not None and count != rule.length:
        wanted = f"{rule.length} are needed"
    elif rule.min_length is not None and count < rule.min_length:
        wanted = f"at least {rule.min_length} are needed"
    elif rule.max_length is not None and count > rule.max_length:
        wanted = f"at most {rule.max_length} are allowed"
    else:
        return ""
    return f"{count} {_ONE[things] if count == 1 else things}, {wanted}"


def count_hint(rule: Field) -> str:
    """What to do about a wrong number of characters or entries."""
    return rule.description or "make it fit, or change the limit in the kind"


def with_counts(schema: Schema, things: str, rule: Field) -> Schema:
    """The schema with how many things (Length of a text, Items of a list) there may be."""
    least, most = rule.min_length, rule.max_length
    if rule.length is not None:
        least = most = rule.length
    limits = {f"min{things}": least, f"max{things}": most}
    return schema | {name: limit for name, limit in limits.items() if limit is not None}


def id_schema(_rule: Field, _describe: object) -> Schema:
    """An id, which an editor may take for a number."""
    return {"type": ["string", "integer"], "pattern": f"^{ID_PATTERN}$"}


def text_schema(rule: Field, _describe: object) -> Schema:
    """Any scalar; the limits bind what is text to the editor too."""
    schema = with_counts({"type": ANY_SCALAR}, "Length", rule)
    if rule.pattern is not None:
        schema["pattern"] = f"^(?:{rule.pattern})$"
    return schema


_LIMITS: Final = frozenset(("length", "min_length", "max_length", "pattern", "unique"))
_UNIQUE: Final = frozenset(("unique",))
ID: Final = FieldType("an id", "war-wagon", read_id, id_schema, _UNIQUE)
TEXT: Final = FieldType("text", "War Wagon", read_text, text_schema, _LIMITS, empty="")
RICH: Final = FieldType("text", '"Roll **1** {die}."', read_rich, text_schema, _LIMITS, empty="")


def read_choice(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """One of the field's choices, as text with its place."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    if node.text not in rule.choices:
        hint = reading.did_you_mean(node.text, rule.choices)
        return reading.fault(
            node.span, "GP207", f"{path}: {node.text!r} is not one of the choices", hint
        )
    return SourceText(node.text, node.span)


def choice_schema(rule: Field, _describe: object) -> Schema:
    """The choices, also as editors (of YAML 1.1 or 1.2) read those that look like numbers or
    true and false.
    """
    words: list[Any] = list(rule.choices)
    for choice in rule.choices:
        for parse in (parse_number, parse_bool):
            try:
                words.append(parse(choice))
            except ValueError:
                continue
    return {"enum": words}


CHOICE: Final = FieldType(
    "one of the choices",
    "the first of them",
    read_choice,
    choice_schema,
    frozenset(("choices", "unique")),
)
_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_CSS: Final[Mapping[str, str]] = {
    name: value if isinstance(value, str) else "#{:02x}{:02x}{:02x}".format(*value[:3])
    for name, value in colormap.items()
}


def parse_colour(text: str, palette: Mapping[str, str]) -> str:
    """A colour as `#rrggbb` in lower case; palette names come first. Raises ValueError."""
    if text in palette:
        return palette[text]
    if _HEX.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) == 6 else "".join(d * 2 for d in digits))
    if text in _CSS:
        return _CSS[text].lower()
    raise ValueError(f"{text[:40]!r} is not a colour")


def read_colour(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """A colour as `#rrggbb`."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    try:
        return parse_colour(node.text, reading.palette)
    except ValueError:
        names = reading.palette or _CSS
        hint = "" if node.text.startswith("#") else reading.did_you_mean(node.text, names)
        return reading.wrong_type(node, rule, path, hint)


def colour_schema(_rule: Field, _describe: object) -> Schema:
    """A hexadecimal colour or a name: which names a palette has, the editor need not know."""
    return {"type": "string", "pattern": "^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[^#].*)$"}


COLOUR: Final = FieldType(
    "a colour",
    '"#a3571c" in quotes (# alone begins a comment), or a name of the palette',
    read_colour,
    colour_schema,
    _UNIQUE,
)


def _read(node: Node, rule: Field, reading: Reading, path: str, what: str) -> Any:
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    fault = _fault(node.text, what, reading)
    if fault is not None:
        return reading.report(node.span, fault.code, f"{path}: {fault.message}", fault.hint)
    return SourceText(node.text, node.span)


def _fault(name: str, what: str, reading: Reading) -> Diagnostic | None:
    """Why a file cannot be had. Each is looked for once: many cards share a picture."""
    if reading.assets is None:
        return None
    key = what, name
    if key not in reading.seen_assets:
        find = reading.assets.image if what == "image" else reading.assets.icon
        try:
            find(name)
            reading.seen_assets[key] = None
        except GridpressError as error:
            reading.seen_assets[key] = error.diagnostics[0]
    return reading.seen_assets[key]


def file_schema(_rule: Field, _describe: object) -> Schema:
    """A name."""
    return {"type": "string"}


IMAGE: Final = FieldType(
    "a picture's path in the pack's folder",
    "art/goat.jpg",
    functools.partial(_read, what="image"),
    file_schema,
    _UNIQUE,
)
ICON: Final = FieldType(
    "an icon's name", "shield", functools.partial(_read, what="icon"), file_schema, _UNIQUE
)


def read_ref(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """The record of the component named. It may still be empty: it is filled in later."""
    if not isinstance(node, Scalar):
        return reading.wrong_type(node, rule, path)
    kind = rule.kind or ""
    if reading.components is None:
        return reading.fault(
            node.span, "GP213", f"{path}: a reference cannot be a default", "leave the default out"
        )
    found = reading.components.find(kind, node.text)
    if found is None:
        near = reading.suggestions.nearest(node.text, reading.components.ids(kind))
        hint = f"did you mean {near!r}?" if near else reading.did_you_mean("", reading.likely(rule))
        return reading.fault(node.span, "GP205", f"{path}: there is no {kind} {node.text!r}", hint)
    return found


def ref_schema(rule: Field, _describe: object) -> Schema:
    """An id, which an editor may take for a number."""
    return {
        "type": ["string", "integer"],
        "pattern": f"^{ID_PATTERN}$",
        "title": f"id of a {rule.kind}",
    }


REF: Final = FieldType(
    "the id of another component", "war-wagon", read_ref, ref_schema, frozenset(("kind", "unique"))
)


@functools.lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Any:
    """A regular expression that never takes so long that it matters. Raises ValueError, saying what
    is wrong with it.

    Patterns come from strangers, and an engine that backtracks can take for ever over one. RE2 does
    not: its time grows with the text alone, and its memory has an end. Only what editors read alike
    from a kind's JSON Schema may be used, so that both say the same of a text.
    """
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
