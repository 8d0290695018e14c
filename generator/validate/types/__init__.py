"""The table of field types that a kind may use, by the name an author writes."""

from typing import Final

from generator.validate.types.base import INVALID, FieldType, Reading, Schema
from generator.validate.types.choices import BOOL, CHOICE
from generator.validate.types.colours import COLOUR
from generator.validate.types.containers import LIST, MAP, TABLE
from generator.validate.types.courses import COURSE
from generator.validate.types.files import ICON, IMAGE
from generator.validate.types.numbers import INT, LENGTH, NUMBER
from generator.validate.types.refs import REF
from generator.validate.types.text import ID, RICH, TEXT

FIELD_TYPES: Final[dict[str, FieldType]] = {
    "id": ID,
    "text": TEXT,
    "rich": RICH,
    "int": INT,
    "number": NUMBER,
    "choice": CHOICE,
    "bool": BOOL,
    "length": LENGTH,
    "colour": COLOUR,
    "image": IMAGE,
    "icon": ICON,
    "ref": REF,
    "list": LIST,
    "map": MAP,
    "table": TABLE,
    "course": COURSE,
}

__all__ = ["FIELD_TYPES", "INVALID", "FieldType", "Reading", "Schema"]
