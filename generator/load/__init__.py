"""Read files into nodes that know their file, line and column. Nothing is interpreted here."""

from generator.load.component_files import table_named
from generator.load.documents import (
    MAX_BYTES,
    Documents,
    document_in,
    read_bytes,
    read_document,
    read_text,
    text_in,
)
from generator.load.packs import (
    locale_named,
    locales,
    read_pack,
    read_shared,
    required_packs,
    translated_names,
)
from generator.load.table_files import TABLES, read_table
from generator.load.tables import RowValues, mappings, with_ids

__all__ = [
    "MAX_BYTES",
    "TABLES",
    "Documents",
    "RowValues",
    "document_in",
    "locale_named",
    "locales",
    "mappings",
    "read_bytes",
    "read_document",
    "read_pack",
    "read_shared",
    "read_table",
    "read_text",
    "required_packs",
    "table_named",
    "text_in",
    "translated_names",
    "with_ids",
]
