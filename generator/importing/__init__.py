"""Decks made from tables and from folders of finished pictures."""

from generator.importing.decks import (
    ImportDone,
    ImportOrder,
    UnfitChoiceError,
    UnsoundPackError,
    destination,
    import_table,
)
from generator.importing.given_tables import GivenTable, given_pictures, given_table

__all__ = [
    "GivenTable",
    "ImportDone",
    "ImportOrder",
    "UnfitChoiceError",
    "UnsoundPackError",
    "destination",
    "given_pictures",
    "given_table",
    "import_table",
]
