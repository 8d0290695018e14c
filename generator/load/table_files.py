"""Read tables by their content, whatever the files are called: CSV, XLSX, JSON, Markdown. Other
files are named in a message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from generator.cells import csv_delimiter
from generator.codings import table_coding
from generator.diagnostics import Diagnostic, Span, shortened, warning
from generator.load.documents import text_in
from generator.load.tables import (
    RowValues,
    bad_table,
    csv_rows,
    xlsx_table,
)
from generator.model.source import Scalar

TABLES: Final = (".csv", ".xlsx", ".xlsm", ".tsv", ".json", ".md", ".txt")
"""Suffixes of files that may hold tables."""
OTHER_TABLES: Final = (".ods", ".fods", ".xls", ".xlsb", ".numbers", ".gsheet")
"""Suffixes of files that `read_table` names in a message, or reads if they hold a table after all.
"""


class TableFile(Struct, frozen=True):
    """A table: its rows, heads first; its decimal `point` if known; the workbook's other sheets;
    and warnings."""

    rows: Iterable[RowValues]
    point: str = ""
    others: tuple[str, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()


def read_table(content: bytes, sheet: str, span: Span, shown: str) -> TableFile:
    """Return the table in a file. `span` is where the file is named, `sheet` a sheet of a workbook.
    Raises GridpressError (GP105, GP108)."""
    named = next((words for signs, words in _OTHERS if _has(content, signs)), None)
    if named is not None:
        message, hint = named
        raise bad_table(Span(shown), message, hint)
    if content.startswith(b"PK") or shown.lower().endswith((".xlsx", ".xlsm")):
        rows, others, remarks = xlsx_table(content, sheet, span, shown)
        return TableFile(rows, ".", others, remarks)
    text, remarks = _decoded(content, shown)
    text = text.replace("\ufeff", "")  # where files were put one after another
    _refuse_layouts(text, shown)
    if re.match(r"\s*(?:<!doctype html|<html|<head|<\?xml)", text, re.IGNORECASE):
        message = "this is a web page, not a table"
        raise bad_table(Span(shown), message, _NOT_PUBLISHED)
    if text.lstrip().startswith(("[", "{")) and (items := _json_items(text)) is not None:
        return TableFile(tuple(_json_rows(text, items, shown)), ".", remarks=remarks)
    lines = text.splitlines()
    begin = next((n for n, line in enumerate(lines[1:]) if _is_markdown(lines[n], line)), None)
    if begin is not None:
        rows = list(_markdown_rows(lines, begin, shown))
        return TableFile(
            rows, remarks=(*remarks, *_more_tables(lines, begin + len(rows) + 1, shown))
        )
    point = "," if csv_delimiter(text)[0] == ";" else ""
    return TableFile(csv_rows(text, shown), point, remarks=remarks)


_AS_XLSX: Final = "open it in the program that made it, and save it as .xlsx or CSV"
_FROM_ODS: Final = "in LibreOffice, File > Save As, and choose Excel 2007-365 (.xlsx) or CSV"
_NOT_PUBLISHED: Final = (
    "in Google Sheets, File > Share > Publish to web, choose the sheet and "
    '"Comma-separated values"; elsewhere, save the table as CSV or .xlsx'
)
_OTHERS: Final = (
    ((b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")),
     ("the workbook has a password", "save a copy without one")),
    ((b"\xd0\xcf\x11\xe0",), ("this is an old Excel workbook (.xls)", _AS_XLSX)),
    ((b"PK", b"opendocument.spreadsheet"), ("this is an OpenDocument sheet (.ods)",
     _FROM_ODS)),
    ((b"PK", b"xl/workbook.bin"), ("this is a binary Excel workbook (.xlsb)", _AS_XLSX)),
    ((b"PK", b"Index/Document.iwa"), ("this is a document of Apple Numbers",
     "in Numbers, File > Export To > CSV or Excel")),
    ((b"<?xml", b"office:spreadsheet"), ("this is an OpenDocument sheet (.fods)", _FROM_ODS)),
    ((b"<?xml", b"Excel.Sheet"), ("this is an old Excel workbook (.xml)", _AS_XLSX)),
    ((b"PK", b"word/document.xml"), ("this is a Word document", "copy its table into a sheet")),
    ((b"%PDF",), ("this is a PDF, not a table", "copy its table into a sheet")),
    ((b'{', b'"doc_id"'), ("this is only a link to a Google Sheet",
     "in Google Sheets, File > Download > CSV or Excel")),
)  # fmt: skip
"""Bytes that begin and mark a file, and what it is."""


_LAYOUTS: Final = (
    ("nanDECK script", 2, r"^\s*(?:LINK|CARDSIZE|FONT|TEXT|IMAGE|RECTANGLE) *=",
     r'^\s*LINK *= *"?([^"\n]+)'),
    ("Squib script", 1, r"^\s*require ['\"]squib['\"]|Squib::Deck\.new",
     r"Squib\.(?:csv|xlsx)\W+file: *['\"]([^'\"\n]+)"),
    ("CardMaker project", 1, r"\A\s*<\?xml[^>]*>\s*<Project\b", r'RelativePath="([^"\n]+)'),
)  # fmt: skip
"""Files of other programs that lay cards out: the least number of their signs, and where they name
a table."""
_SEEN: Final = 20_000
"""Characters of a file that are searched for these signs."""


def _refuse_layouts(text: str, shown: str) -> None:
    """Refuse the layout of another program, and name the table that it reads."""
    head, flags = text[:_SEEN], re.IGNORECASE | re.MULTILINE
    for program, least, sign, link in _LAYOUTS:
        if len(re.findall(sign, head, flags)) >= least:
            found = re.search(link, head, flags)
            table = "import its table" + (f", {shortened(found[1].strip(), 80)}" if found else "")
            hint = f"{table}; docs/coming-from.md says what becomes of the layout"
            raise bad_table(Span(shown), f"this is a {program}, not a table", hint)


def _has(content: bytes, signs: tuple[bytes, ...]) -> bool:
    return content.startswith(signs[0]) and all(sign in content for sign in signs[1:])


def _decoded(content: bytes, shown: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """Decode a file: UTF-8, UTF-16, or Windows-1252 and Mac Roman with a warning."""
    coding = table_coding(content)
    if coding in ("utf-16-le", "utf-16-be"):
        return text_in(content.decode(coding, "replace").encode(), shown), ()
    if coding in (None, "utf-8"):
        return text_in(content, shown), ()
    text = content.decode(coding)
    word = next(word for word in re.findall(r"[^\s,;|\"]+", text) if not word.isascii())
    name = "Mac Roman" if coding == "mac_roman" else "Windows-1252"
    message = f"the file is not UTF-8 but seems to be {name}: is {word!r} right?"
    hint = 'save it from the spreadsheet as "CSV UTF-8", or as .xlsx'
    return text_in(text.encode(), shown), (warning(Span(shown), "GP113", message, hint),)


def _json_items(text: str) -> list[Any] | None:
    """Return the objects of a JSON file's only list, or None."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        found = lists[0] if len(lists) == 1 else None
    is_table = isinstance(found, list) and all(isinstance(item, dict) for item in found)
    return found if is_table else None


def _json_rows(text: str, items: list[dict[str, Any]], shown: str) -> Iterator[RowValues]:
    """Yield a row of names, then one for each object. Rows know their line if each begins one."""
    heads = {head: n for n, head in enumerate(dict.fromkeys(k for i in items for k in i), start=1)}
    yield tuple(Scalar(head, Span(shown, 1, column)) for head, column in heads.items())
    lines = [n for n, line in enumerate(text.splitlines(), start=1) if re.match(r"\s*\{", line)]
    lines = lines[-len(items) :] if len(lines) in (len(items), len(items) + 1) else [1] * len(items)
    for line, item in zip(lines, items, strict=True):
        cells = ((Span(shown, line, heads[head]), head, value) for head, value in item.items())
        yield tuple(
            Scalar(said, at) for at, head, value in cells if (said := _json_cell(value, head, at))
        )


def _json_cell(value: Any, head: str, at: Span) -> str:
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return "; ".join(_json_cell(item, head, at) for item in value)
    if isinstance(value, dict | list):
        raise bad_table(at, f"{head}: a table has no such lists in lists", "write a text or number")
    return "" if value is None else json.dumps(value) if isinstance(value, bool) else str(value)


_RULE: Final = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?")
_BAR: Final = re.compile(r"(?<!\\)\|")


def _is_markdown(head: str, rule: str) -> bool:
    return "|" in head and _RULE.fullmatch(rule) is not None


def _markdown_rows(lines: list[str], begin: int, shown: str) -> Iterator[RowValues]:
    for number in range(begin, len(lines)):
        if "|" not in lines[number]:
            return
        line = lines[number].strip()
        cells = _BAR.split(line.removeprefix("|"))
        cells = cells[:-1] if not cells[-1].strip() else cells
        if number != begin + 1:
            yield tuple(
                Scalar(cell.strip().replace("\\|", "|"), Span(shown, number + 1, column))
                for column, cell in enumerate(cells, start=1)
                if cell.strip()
            )


def _more_tables(lines: list[str], begin: int, shown: str) -> Iterator[Diagnostic]:
    """Yield GP113 for a second table, since only the first is read."""
    for number in range(begin, len(lines) - 1):
        if _is_markdown(lines[number], lines[number + 1]):
            hint = "keep each table in a file of its own"
            yield warning(Span(shown, number + 1), "GP113", "only the first table is read", hint)
            return
