"""Change values in files of authors, and leave every other character as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from generator.edits.changes import Change, UnfitEditError
from generator.edits.csv_edits import csv_edited
from generator.edits.csv_lookup import CsvLookup
from generator.edits.yaml_edits import yaml_edited
from generator.edits.yaml_lookup import YamlLookup

_YAML: Final = (".yaml", ".yml")
_CSV: Final = (".csv", ".tsv")
_WORKBOOKS: Final = (".xlsx", ".xlsm", ".ods", ".fods", ".xls", ".xlsb", ".numbers")

Places = CsvLookup | YamlLookup
"""The places of the values of a text. After a fault, nothing is read."""
_CODINGS: Final = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}


def edited(text: str, file: str, changes: Sequence[Change]) -> str:
    """Return the text of a file after changes. Its name says what it is.

    Raises UnfitEditError where a change cannot be written.
    """
    suffix = PurePosixPath(file).suffix.lower()
    if suffix in _YAML:
        return yaml_edited(text, changes)
    if suffix in _CSV:
        return csv_edited(text, changes)
    if why := why_readonly(file):
        raise UnfitEditError(why)
    raise UnfitEditError(f"{file} has no values that can be set: change its text")


def why_readonly(file: str) -> str:
    """Return why values of a data file cannot be set and what to do, "" if they can."""
    suffix = PurePosixPath(file).suffix.lower()
    if suffix in _WORKBOOKS:
        return (
            f"{file} is a workbook, which is read but not written: change it in your spreadsheet"
            " program, or save it as CSV"
        )
    if suffix in (".json", ".md", ".txt"):
        return f"{file} is read but not written: save the table as CSV"
    return ""


def places(text: str, file: str) -> Places:
    """Return the places of the values in the text of a YAML or CSV file."""
    is_table = PurePosixPath(file).suffix.lower() in _CSV
    return CsvLookup(text) if is_table else YamlLookup(text)


def in_coding(text: str, coding: str) -> bytes:
    """Return a text as bytes. Raises UnfitEditError for a character that is not in the coding."""
    try:
        return text.encode(coding)
    except UnicodeEncodeError as error:
        sign = text[error.start : error.start + 1]
        name = _CODINGS.get(coding, coding)
        raise UnfitEditError(
            f"{sign!r} cannot be written in {name}: save the table as CSV UTF-8 first"
        ) from error
