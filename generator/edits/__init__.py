"""Change values in YAML files and tables of authors by splicing their text, and find values by
their place."""

from generator.edits.changes import (
    Change,
    CopyItem,
    InsertItem,
    MoveItem,
    OrderItems,
    RemoveItem,
    SetValue,
    UnfitEditError,
)
from generator.edits.csv_lookup import CsvLookup
from generator.edits.places import Place
from generator.edits.writing_back import Places, edited, in_coding, places, why_readonly

__all__ = [
    "Change",
    "CopyItem",
    "CsvLookup",
    "InsertItem",
    "MoveItem",
    "OrderItems",
    "Place",
    "Places",
    "RemoveItem",
    "SetValue",
    "UnfitEditError",
    "edited",
    "in_coding",
    "places",
    "why_readonly",
]
