"""Define the types of fields: how each is read, and its schema for editors.

Values are read strictly: `0123`, `1_000`, `1:30` and quoted "12" are text. A list becomes `Items`,
a map a record, a table or course `Items` of records.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from typing import Any, Final

import re2
from PIL.ImageColor import colormap

from generator.cells import is_unsure, with_lines
from generator.diagnostics import Span, shortened
from generator.geometry import format_mm, parse_length
from generator.model.pack import Field
from generator.model.source import Mapping, Node, Scalar, Sequence, as_id, in_digits
from generator.model.values import Items, Record, SourceText
from generator.tracks import LETTERS, MOST_TILES, CourseError, course_words
from generator.validate.reading import INVALID, FieldType, Reading, Schema, is_sound

MAX_DIGITS: Final = 15
MAX_MM: Final = 100_000.0

_INT: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_TRUE: Final = frozenset(("true", "True", "TRUE", "yes", "on"))
_FALSE: Final = frozenset(("false", "False", "FALSE", "no", "off"))
_LENGTH_PATTERN: Final = r"^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)\s*(mm|cm|in|pt)?\s*$"


def parse_int(text: str) -> int:
    """Return a whole number such as `12`, `-3` or `+1`. Raises ValueError."""
    if _INT.fullmatch(text) is None or _is_long(text):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)


def _is_long(text: str) -> bool:
    return len(text.lstrip("+-")) > MAX_DIGITS


def parse_number(text: str) -> float:
    """Return a number such as `12` (an int) or `-0.5`. Raises ValueError."""
    if _NUMBER.fullmatch(text) is None or _is_long(text):
        raise ValueError(f"{text[:40]!r} is not a number")
    return float(text) if "." in text else int(text)


def parse_mm(text: str) -> float:
    """Return a length in mm, at most 100 m. Raises ValueError."""
    length = parse_length(text)
    if not abs(length) <= MAX_MM:
        raise ValueError(f"{text[:40]!r} is longer than 100 m")
    return length


def _read_number(
    node: Scalar, rule: Field, reading: Reading, path: str, parse: Callable[[str], float]
) -> Any:
    text = node.text
    if node.cell is not None:
        text = node.cell.number or text
        if not node.cell.number and is_unsure(text):
            _ask_for_thousands(node, reading, path)
    try:
        value = parse(text)
    except ValueError:
        return reading.wrong_type(node, rule, path, _number_hint(node.text))
    if not node.plain:
        return reading.wrong_type(node, rule, path, "remove the quotes")
    return _bounded(node, value, rule, reading, path)


def _ask_for_thousands(node: Scalar, reading: Reading, path: str) -> None:
    """Warn (GP113) once a column if 1.000 may be one or a thousand."""
    message = f"{path}: {node.text} may mean thousands, but is read with a decimal point"
    place = node.span.file, node.span.column
    reading.noted += 1
    if all((remark.span.file, remark.span.column) != place for remark in reading.remarks):
        hint = f"if it is a thousand, write {node.text.replace('.', '')} or 1.000,0"
        reading.remark(node.span, "GP113", message, hint)


def _number_hint(text: str) -> str:
    if _is_long(text) and _NUMBER.fullmatch(text):
        return f"a number has at most {MAX_DIGITS} digits"
    bare = text.replace("_", "").replace(",", "").strip().lstrip("+-").lstrip("0")
    if bare != text and _NUMBER.fullmatch(bare):
        return f"write {bare}; or is the field meant to be text?"
    (digits,) = in_digits([text.strip()])
    return f"write {digits}" if digits != text.strip() else ""


def _read_length(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    """Read a length; without a unit it is in mm."""
    try:
        value = parse_mm(node.text)
    except ValueError:
        return reading.wrong_type(node, rule, path, "the units are mm, cm, in and pt")
    return _bounded(node, value, rule, reading, path)


def _bounded(node: Scalar, value: float, rule: Field, reading: Reading, path: str) -> Any:
    unit = "mm" if rule.type == "length" else ""
    if rule.min is not None and value < rule.min:
        limit = f"less than {format_mm(rule.min)}{unit}"
    elif rule.max is not None and value > rule.max:
        limit = f"more than {format_mm(rule.max)}{unit}"
    else:
        return value
    hint = rule.description or "change it, or the limit in the kind"
    return reading.fault(node.span, "GP204", f"{path}: {node.text} is {limit}", hint)


def parse_bool(text: str) -> bool:
    """Return the truth of a word that YAML 1.1 has for yes or no. Raises ValueError."""
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ValueError(f"{text[:40]!r} is neither true nor false")


def _read_bool(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    try:
        value = parse_bool(node.text)
    except ValueError:
        return reading.wrong_type(node, rule, path)
    return value if node.plain else reading.wrong_type(node, rule, path, "remove the quotes")


MAX_MEMORY: Final = 1 << 16
"""Bytes; `(a{900}){900}` needs more."""

ID_PATTERN: Final = "[a-z0-9][a-z0-9-]{0,79}"
NAME_PATTERN: Final = "[a-z][a-z0-9_]{0,39}"
STYLE_PATTERN: Final = "[a-z][a-z0-9_-]{0,39}"
_IN_WORDS: Final = {
    ID_PATTERN: "lower-case letters a–z, digits and hyphens",
    NAME_PATTERN: "lower-case letters a–z, digits and underscores, a letter first",
    STYLE_PATTERN: "lower-case letters a–z, digits, - and _, a letter first",
}
_ONE: Final = {"characters": "character", "entries": "entry", "rows": "row"}
_ID: Final = re.compile(ID_PATTERN)
# An editor's YAML may read 12 or true where a component has text.
SCALAR: Final[Schema] = {"type": ["string", "number", "boolean"]}


def _read_id(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    if _ID.fullmatch(node.text) is None:
        hint = f"an id has {_IN_WORDS[ID_PATTERN]}, at most 80"
        return reading.wrong_type(node, rule, path, hint)
    return node.text


def _read_text(
    node: Scalar, rule: Field, reading: Reading, path: str, rich: bool = False
) -> SourceText | Any:
    """Read text within the field's limits, with its place."""
    reading.check_cut(node, path)
    text = node.text
    if node.cell is not None:
        text = node.cell.rich if rich else with_lines(text)
    if rich and rule.draft:
        text = _ICON.sub(lambda found: _icon_or_text(found, node.span, reading), text)
    wrong = _wrong_count(len(text), "characters", rule)
    if wrong:
        return reading.fault(node.span, "GP204", f"{path}: {wrong}", _count_hint(rule))
    if not text.isascii() and _is_invisible(text):
        message = f"{path}: it would be invisible: it is U+{ord(text.strip()[0]):04X}"
        return reading.fault(node.span, "GP204", message, "write words, or leave it empty")
    if rule.pattern is not None and not matches(rule.pattern, text):
        return reading.fault(
            node.span,
            "GP204",
            f"{path}: {shortened(text, 200)!r} does not match the pattern {rule.pattern}",
            rule.description or "the kind says how it is written",
        )
    return SourceText(text, node.span, rich)


_ICON: Final = re.compile(r"\\.|\{([\w-]+)\}", re.DOTALL)


def _icon_or_text(found: re.Match[str], place: Span, reading: Reading) -> str:
    """Return an icon in braces, or words for a missing one."""
    name = found[1]
    if name is None or reading.asset_fault("icon", name) is None:
        return found[0]
    reading.drafts.setdefault(("icon", name), place)
    return f"\\{{{name}\\}}"


def _is_invisible(text: str) -> bool:
    sorts = set(map(unicodedata.category, text.strip()))
    return bool(sorts) and sorts <= {"Cf", "Zs"}


def _wrong_count(count: int, things: str, rule: Field) -> str:
    """Return what is wrong with a number of characters or entries, or ""."""
    if rule.length is not None and count != rule.length:
        wanted = f"{rule.length} are needed"
    elif rule.min_length is not None and count < rule.min_length:
        wanted = f"at least {rule.min_length} are needed"
    elif rule.max_length is not None and count > rule.max_length:
        wanted = f"at most {rule.max_length} are allowed"
    else:
        return ""
    return f"{count} {_ONE[things] if count == 1 else things}, {wanted}"


def _count_hint(rule: Field) -> str:
    return rule.description or "make it fit, or change the limit in the kind"


def _read_choice(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    if node.text not in rule.choices:
        hint = reading.did_you_mean(node.text, rule.choices)
        if "/locales/" in node.span.file:
            hint = (
                "a choice keeps its word: translate it under words:, and print word(…) of the field"
            )
        return reading.fault(
            node.span, "GP207", f"{path}: {node.text!r} is not one of the choices", hint
        )
    return SourceText(node.text, node.span)


def _choice_schema(rule: Field, _describe: object) -> Schema:
    """Return the choices, also as numbers and booleans where an editor's YAML reads them so."""
    words: list[Any] = list(rule.choices)
    for choice in rule.choices:
        for parse in (parse_number, parse_bool):
            try:
                words.append(parse(choice))
            except ValueError:
                continue
    return {"enum": words}


_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_CSS: Final[MappingOf[str, str]] = {
    name: value if isinstance(value, str) else "#{:02x}{:02x}{:02x}".format(*value[:3])
    for name, value in colormap.items()
}


def parse_colour(text: str, palette: MappingOf[str, str]) -> str:
    """Return a colour as `#rrggbb`; palette names come first. Raises ValueError."""
    if text in palette:
        return palette[text]
    if _HEX.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) == 6 else "".join(d * 2 for d in digits))
    if text in _CSS:
        return _CSS[text].lower()
    raise ValueError(f"{text[:40]!r} is not a colour")


def _read_colour(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    try:
        return parse_colour(node.text, reading.palette)
    except ValueError:
        names = reading.palette or _CSS
        hint = "" if node.text.startswith("#") else reading.did_you_mean(node.text, names)
        return reading.wrong_type(node, rule, path, hint)


def _read_asset(node: Scalar, rule: Field, reading: Reading, path: str, what: str) -> Any:
    fault = reading.asset_fault(what, node.text)
    if fault is not None and rule.draft:
        reading.drafts.setdefault((what, node.text), node.span)
        return SourceText(node.text, node.span, rich=True)
    if fault is not None:
        return reading.report(node.span, fault.code, f"{path}: {fault.message}", fault.hint)
    return SourceText(node.text, node.span)


def _read_ref(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    """Return the record of the named component. It may still be empty."""
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


def _ref_schema(rule: Field, _describe: object) -> Schema:
    return {
        "type": ["string", "integer"],
        "pattern": f"^{ID_PATTERN}$",
        "title": f"id of a {rule.kind}",
    }


@functools.lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Any:
    """Return a regular expression that matches in linear time. Raises ValueError.

    RE2 needs no backtracking, so a stranger's pattern cannot hang.
    """
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0]
        text = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        is_large = text.startswith("pattern too large")
        raise ValueError("it repeats too much" if is_large else text) from error
    except UnicodeEncodeError as error:
        raise ValueError("half of a character") from error


def matches(pattern: str, text: str) -> bool:
    """Return True if the pattern fits the whole text."""
    try:
        return compile_pattern(pattern).fullmatch(text) is not None
    except UnicodeEncodeError:  # half of a character, of which no pattern speaks
        return False


_NESTED: Final = frozenset(("list", "map", "table"))


def _read_list(node: Scalar | Sequence, rule: Field, reading: Reading, path: str) -> Any:
    """Read a list of values of one type."""
    assert rule.of is not None
    if isinstance(node, Scalar) and node.cell and rule.of.type not in _NESTED:
        text = node.cell.rich if rule.of.type == "rich" else node.text
        parts = (part.strip() for part in text.split(";"))
        items = tuple(Scalar(part, node.span) for part in parts if part)
        node = Sequence(items, node.span)
    if not isinstance(node, Sequence):
        return reading.wrong_type(node, rule, path)
    wrong = _wrong_count(len(node.items), "entries", rule)
    if wrong:
        reading.fault(node.span, "GP204", f"{path}: {wrong}", _count_hint(rule))
    values = Items(
        reading.read(item, rule.of, f"{path}[{i}]", node.span) for i, item in enumerate(node.items)
    )
    return values if not wrong and is_sound(values) else INVALID


def read_map(node: Mapping, rule: Field, reading: Reading, path: str) -> Any:
    """Read a record with named fields, or with free keys and values of one type."""
    if rule.of is None:
        values, spans = reading.read_fields(node, rule.fields, path)
    else:
        values, spans = _read_free(node, rule, reading, path)
    return Record(values, node.span, spans) if is_sound(values.values()) else INVALID


def _read_free(
    node: Mapping, rule: Field, reading: Reading, path: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    assert rule.of is not None
    values: dict[str, Any] = {}
    for key, value in node.entries:
        inner = f"{path}.{key.text}"
        values[key.text] = reading.read(value, rule.of, inner, key.span)
        if rule.pattern is not None and not matches(rule.pattern, key.text):
            # The value is used, so that a wrong key hides nothing that is wrong in it; and who
            # names it as it should be called names nothing that is missing.
            slug = as_id(key.text)
            reading.broken |= {key.text, slug, slug.replace("-", "_")}
            hint = f"a key has {_IN_WORDS.get(rule.pattern, f'the pattern {rule.pattern}')}"
            name, brace, _ = key.text.partition(" {")
            if brace and matches(rule.pattern, name):
                hint = f"a colon is missing: write {name}: {{…}}"
            message = f"{inner}: {key.text!r} cannot be a key here"
            reading.fault(key.span, "GP203", message, hint)
    spans = {key.text: value.span for key, value in node.entries}
    if reading.code is not None:
        broken = {name for name, value in values.items() if value is INVALID}
        reading.broken |= broken
        values = {name: value for name, value in values.items() if name not in broken}
    return values, spans


def _read_table(node: Sequence, rule: Field, reading: Reading, path: str) -> Any:
    """Read a list of records, one a row."""
    wrong = _wrong_count(len(node.items), "rows", rule)
    if wrong:
        reading.fault(node.span, "GP204", f"{path}: {wrong}", _count_hint(rule))
    rows = Items(
        _read_row(item, rule, reading, f"{path}[{i}]") for i, item in enumerate(node.items)
    )
    return rows if not wrong and is_sound(rows) else INVALID


def _read_row(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    columns = ", ".join(rule.fields)
    if isinstance(node, Sequence):
        if len(node.items) > len(rule.fields):
            message = f"{path}: {len(node.items)} values for {len(rule.fields)} columns"
            return reading.fault(node.span, "GP204", message, f"the columns are {columns}")
        node = as_row(node, rule)
    if not isinstance(node, Mapping):
        hint = f"write a row as {{column: value}} or as [value, value]; the columns are {columns}"
        return reading.fault(node.span, "GP203", f"{path}: this is not a row of the table", hint)
    values, spans = reading.read_fields(node, rule.fields, path)
    return Record(values, node.span, spans) if is_sound(values.values()) else INVALID


def as_row(node: Sequence, rule: Field) -> Mapping:
    """Return a short row, `[value, value]` in the order of the columns, as a map."""
    pairs = zip(rule.fields, node.items, strict=False)
    return Mapping(tuple((Scalar(name, item.span), item) for name, item in pairs), node.span)


def _list_schema(rule: Field, describe: Any) -> Schema:
    return {"type": "array", "items": describe(rule.of)}


def _map_schema(rule: Field, describe: Any) -> Schema:
    if rule.of is None:
        return fields_schema(rule.fields, describe)
    schema: Schema = {"type": "object", "additionalProperties": describe(rule.of)}
    if rule.pattern is not None:
        schema["propertyNames"] = {"pattern": f"^(?:{rule.pattern})$"}
    return schema


def _table_schema(rule: Field, describe: Any) -> Schema:
    """Return the schema of rows, each an object or an array in the order of the columns."""
    columns = list(rule.fields.values())
    needed = [i for i, column in enumerate(columns, 1) if is_needed(column)]
    short = {
        "type": "array",
        "prefixItems": [describe(column) for column in columns],
        "items": False,
        "minItems": max(needed, default=0),
    }
    row = {"anyOf": [fields_schema(rule.fields, describe), short]}
    return {"type": "array", "items": row}


def fields_schema(fields: Any, describe: Any) -> Schema:
    """Return the schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": {name: describe(rule) for name, rule in fields.items()},
        "required": [name for name, rule in fields.items() if is_needed(rule)],
        "additionalProperties": False,
    }


def is_needed(rule: Field) -> bool:
    """Return True if a field must be written."""
    return rule.default is None and not rule.optional


_NOWHERE: Final = Span("")
_TILES: Final = Field("", "int", _NOWHERE, min=-MOST_TILES, max=MOST_TILES)
STEP: Final = {
    "tile": Field("tile", "text", _NOWHERE, min_length=1, description="its call"),
    "way": Field("way", "choice", _NOWHERE, optional=True, choices=tuple(LETTERS.values())),
    "at": Field(
        "at", "list", _NOWHERE, optional=True, of=_TILES, description="where it lies, in cells"
    ),
    "turn": Field(
        "turn",
        "int",
        _NOWHERE,
        optional=True,
        min=-MOST_TILES,
        max=MOST_TILES,
        description="curves to the left by which it is turned there",
    ),
}
"""A step of a course that is written as a map."""


def _read_course(node: Scalar | Sequence, rule: Field, reading: Reading, path: str) -> Any:
    """Read steps in the order of travel as records of tile, way, at and turn."""
    parts = node.items if isinstance(node, Sequence) else (node,)
    steps: list[Any] = []
    for number, part in enumerate(parts):
        inner = f"{path}[{number}]" if isinstance(node, Sequence) else path
        if isinstance(part, Sequence):
            return reading.wrong_type(part, rule, inner)
        if isinstance(part, Mapping):
            steps.append(_read_step(part, reading, inner))
        else:
            steps += _read_words(part, reading, inner)
    if not is_sound(steps):
        return INVALID
    if not steps:
        hint = "write calls with their ways, such as 1 9L 10R, or letters S, L and R"
        return reading.report(node.span, "GP901", f"{path}: the course has no tiles", hint)
    if len(steps) > MOST_TILES:
        message = f"{path}: a course of more than {MOST_TILES} tiles"
        return reading.report(node.span, "GP901", message, "split it into two tracks")
    return Items(steps)


def _read_words(node: Scalar, reading: Reading, path: str) -> list[Any]:
    try:
        found = [(word, node.place(offset)) for word, offset in course_words(node.text)]
    except CourseError as error:
        where = node.place(error.offset)
        return [reading.report(where, "GP901", f"{path}: {error}", error.hint)]
    return [
        Record({"tile": word, "way": "", "at": None, "turn": None}, span) for word, span in found
    ]


def _read_step(node: Mapping, reading: Reading, path: str) -> Any:
    values, spans = reading.read_fields(node, STEP, path)
    if not is_sound(values.values()):
        return INVALID
    if not values["at"] and values["turn"] is not None:
        hint = "give its place as well, or leave turn out: it is laid onto the tile before"
        return reading.report(spans["turn"], "GP901", f"{path}.turn: turn without at", hint)
    given = {"tile": str(values["tile"]), "way": values["way"] or "", "at": values["at"] or None}
    return Record({**given, "turn": values["turn"]}, node.span, spans)


def _course_schema(_rule: Field, describe: Any) -> Schema:
    step = {
        "type": "object",
        "properties": {name: describe(field) for name, field in STEP.items()},
        "required": ["tile"],
        "additionalProperties": False,
    }
    listed = {"type": "array", "items": {"anyOf": [SCALAR, step]}}
    return {"anyOf": [SCALAR, listed]}


_UNIQUE: Final = frozenset(("unique",))
_BOUNDS: Final = frozenset(("min", "max", "unique"))
_LENGTHS: Final = frozenset(("length", "min_length", "max_length"))
_COUNTS: Final = _LENGTHS | {"pattern", "unique"}
_IN_QUOTES: Final = "put quotes around text that begins with [ or {"

FIELD_TYPES: Final[dict[str, FieldType]] = {
    "id": FieldType(
        "an id",
        "war-wagon",
        _read_id,
        {"type": ["string", "integer"], "pattern": f"^{ID_PATTERN}$"},
        _UNIQUE,
    ),
    "text": FieldType(
        "text", "War Wagon", _read_text, SCALAR, _COUNTS, empty="", otherwise=_IN_QUOTES
    ),
    "rich": FieldType(
        "text",
        '"Roll **1** {die}."',
        functools.partial(_read_text, rich=True),
        SCALAR,
        _COUNTS,
        empty="",
        otherwise=_IN_QUOTES,
    ),
    "int": FieldType(
        "a whole number",
        "12",
        functools.partial(_read_number, parse=parse_int),
        {"type": "integer"},
        _BOUNDS,
        bound=parse_int,
    ),
    "number": FieldType(
        "a number",
        "12 or 0.5",
        functools.partial(_read_number, parse=parse_number),
        {"type": "number"},
        _BOUNDS,
        bound=parse_number,
    ),
    "choice": FieldType(
        "one of the choices",
        "the first of them",
        _read_choice,
        _choice_schema,
        frozenset(("choices", "unique")),
    ),
    "bool": FieldType(
        "true or false", "true", _read_bool, {"enum": [True, False, "yes", "no", "on", "off"]}
    ),
    "length": FieldType(
        "a length",
        "12mm or 0.5in",
        _read_length,
        {"type": ["number", "string"], "pattern": _LENGTH_PATTERN},
        _BOUNDS,
        bound=parse_mm,
    ),
    "colour": FieldType(
        "a colour",
        '"#a3571c" in quotes (# alone begins a comment), or a name of the palette',
        _read_colour,
        {"type": "string", "pattern": "^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[^#].*)$"},
        _UNIQUE,
    ),
    "image": FieldType(
        "a picture's path in the pack's folder",
        "art/goat.jpg",
        functools.partial(_read_asset, what="image"),
        {"type": "string"},
        _UNIQUE,
    ),
    "icon": FieldType(
        "an icon's name",
        "shield",
        functools.partial(_read_asset, what="icon"),
        {"type": "string"},
        _UNIQUE,
    ),
    "ref": FieldType(
        "the id of another component",
        "war-wagon",
        _read_ref,
        _ref_schema,
        frozenset(("kind", "unique")),
    ),
    "list": FieldType(
        "a list",
        "[one, two]",
        _read_list,
        _list_schema,
        _LENGTHS | {"of"},
        empty=Items(),
        takes=(Scalar, Sequence),
    ),
    "map": FieldType(
        "a map",
        "{name: value}",
        read_map,
        _map_schema,
        frozenset(("fields", "of", "pattern")),
        takes=(Mapping,),
    ),
    "table": FieldType(
        "a list of rows",
        "[[one, 1], [two, 2]]",
        _read_table,
        _table_schema,
        _LENGTHS | {"columns"},
        empty=Items(),
        takes=(Sequence,),
    ),
    "course": FieldType(
        "a course",
        '"1 9L 10R 2"',
        _read_course,
        _course_schema,
        empty=Items(),
        takes=(Scalar, Sequence),
    ),
}
