"""Read CSV and XLSX tables into one mapping per row, with cells as the author sees them."""

from __future__ import annotations

import csv
import io
import posixpath
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Mapping as Named
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import structs
from msgspec.structs import replace

from generator.cells import (
    csv_delimiter,
    marks_left_out,
    number_in,
    plain_cell,
    points,
    rich_cell,
)
from generator.diagnostics import (
    Diagnostic,
    GridpressError,
    Span,
    did_you_mean,
    shortened,
    warning,
)
from generator.geometry import summed
from generator.load.mended_workbooks import mended_workbook
from generator.model.source import (
    Cell,
    FreeIds,
    Mapping,
    Scalar,
    as_id,
    bare,
    field_name,
    in_digits,
)

MAX_CELLS: Final = 250_000
MAX_SHEET: Final = 4_000_000
"""Cells of a sheet, with empty ones between others."""

# The filled cells of one row. Each cell knows its column.
RowValues = tuple[Scalar, ...]


def bad_table(span: Span, message: str, hint: str = "") -> GridpressError:
    """Return GP108, ready to be raised."""
    return GridpressError(Diagnostic(span, "GP108", message, hint))


def csv_rows(text: str, shown: str) -> Iterator[RowValues]:
    """Yield the rows of a CSV text. A first line `sep=;` (Excel's) names the separator; else it is
    the comma, semicolon, tab or bar that the head has most of.

    A cell's column is its number in the row, its line is where the row begins. Rows with more cells
    than the first keep leading blanks: their cells may be parts of one text. Raises GridpressError
    (GP108).
    """
    delimiter, said = csv_delimiter(text)
    quoted = io.StringIO(_with_close_quotes(text, delimiter), newline="")
    reader = csv.reader(quoted, delimiter=delimiter, strict=True)
    line, width = 1, 0
    try:
        if said:
            next(reader)
            line = 2
        for row in reader:
            last = max((n for n, cell in enumerate(row, start=1) if cell.strip()), default=0)
            width = width or last
            yield tuple(
                Scalar(cell if last > width else cell.strip(), Span(shown, line, column))
                for column, cell in enumerate(row, start=1)
                if cell.strip()
            )
            line = reader.line_num + 1
    except csv.Error as error:
        if "field larger" in str(error):
            message = f"a cell in this row has more than {csv.field_size_limit():,} characters"
            hint = "is a closing quote missing? If not, shorten it"
            raise bad_table(Span(shown, line), message, hint) from error
        hint = 'a quote that opens a cell must close it; inside, a quote is written twice: ""'
        raise bad_table(Span(shown, line), "the quotes in this row are wrong", hint) from error


def _with_close_quotes(text: str, delimiter: str) -> str:
    """Remove blanks between separators and quotes."""
    if '"' not in text:
        return text
    between = re.escape(delimiter)
    cell = rf'(^|[{between}\n])( *)("(?:[^"]++|"")*+")( *)(?=[{between}\r\n]|\Z)'
    return re.sub(cell, r"\1\3", text)


def mappings(
    rows: Iterable[RowValues],
    shown: str,
    ignored: Collection[str] = (),
    point: str = "",
    names: Named[str, Scalar] = MappingProxyType({}),
) -> tuple[list[Mapping], list[Diagnostic]]:
    """Return one mapping for each filled row below the head, with the head's cells as keys, and
    faults. Columns are skipped if they begin with # or are `ignored`. `point` is the decimal point
    if no number of the table shows it; `names` are fields for columns whose heads do not name them.
    Raises GridpressError (GP108) if the table cannot be used."""
    filled = (row for row in rows if row)
    header = next(filled, None)
    if header is None:
        raise bad_table(Span(shown), "the table is empty", "its first row names the fields")
    heads = {
        cell.span.column: structs.replace(cell, text=name, raw=cell.text)
        for cell in header
        for name in (_named(cell.text, names),)
    }
    faults = list(_no_columns(names, [field_name(cell.text) for cell in header]))
    title = header[0] if len(header) == 1 and " " in header[0].text else None
    unseen = {field_name(head) for head in ignored}
    own = {at for at, head in heads.items() if head.text.startswith("#") or head.text in unseen}
    keys = {at: head for at, head in heads.items() if at not in own}
    faults += _header_faults(tuple(keys.values()))
    found: list[RowValues] = []
    headless: list[Scalar] = []
    wrong: list[Scalar] = []
    cells = 0
    for whole in filled:
        if title is not None and not found and len(whole) > 1:
            raise _title(title, len(whole))
        row = tuple(cell for cell in whole if cell.span.column not in own)
        if not row or (len(keys) > 1 and _is_remark(row)):
            continue
        if len(row) > 1 and all(_is_head(cell, heads) for cell in row):
            message, hint = "this row repeats the heads, so it is left out", "delete it"
            faults.append(warning(row[0].span, "GP113", message, hint))
            continue
        cells += len(row)
        if cells > MAX_CELLS:
            hint = "split it into several tables, or leave cells empty that have a default"
            raise bad_table(row[0].span, f"more than {MAX_CELLS:,} cells up to here", hint)
        headless += [cell for cell in row if cell.span.column not in keys]
        wrong += [cell for cell in row if cell.text in _ERRORS]
        found.append(row)
    more, broken = _headless(headless, found, max(keys, default=0))
    faults += more
    faults += _once_a_column(wrong, "{} is an error that the spreadsheet shows", "fix its formula")
    found = [row for row in found if row[0].span.line not in broken]
    by_column: dict[int, list[Scalar]] = {at: [] for at in keys}
    for cell in chain.from_iterable(found):
        if cell.span.column in keys:
            by_column[cell.span.column].append(cell)
    faults += _marks(chain.from_iterable(by_column.values()))
    typed = (
        [c.text.strip() for c in column if not (c.cell and c.cell.number)]
        for column in by_column.values()
    )
    signs = dict(zip(keys, points(typed, point), strict=True))
    return [
        Mapping(
            tuple(
                (keys[c.span.column], _read(c, signs[c.span.column]))
                for c in row
                if c.span.column in keys
            ),
            Span(shown, row[0].span.line),
        )
        for row in found
    ], faults


def _is_remark(row: RowValues) -> bool:
    """Return True for a line of words for people: `# cards of the first age`."""
    return len(row) == 1 and row[0].span.column == 1 and row[0].text.startswith("# ")


def _is_head(cell: Scalar, heads: Named[int, Scalar]) -> bool:
    head = heads.get(cell.span.column)
    return head is not None and head.raw == cell.text


def _named(head: str, names: Named[str, Scalar]) -> str:
    name = field_name(head)
    return names[name].text if name in names else name


def _no_columns(names: Named[str, Scalar], heads: Sequence[str]) -> Iterator[Diagnostic]:
    for head, name in names.items():
        if head not in heads:
            message = f"columns: there is no column {head!r} for {name.text}"
            yield warning(name.span, "GP113", message, did_you_mean(head, heads))


def _read(cell: Scalar, point: str) -> Scalar:
    """Return a cell with its text, rich text and number."""
    text, found = _cell(cell.text, cell.cell, point)
    return structs.replace(cell, text=text, cell=found)


@lru_cache(maxsize=20_000)
def _cell(written: str, stored: Cell | None, point: str) -> tuple[str, Cell]:
    """Return the text of a cell, with its rich text and number."""
    text = bare(written)
    number = stored.number if stored else ""
    rich = rich_cell(stored.rich if stored and stored.rich else text)
    (digits,) = in_digits([text])
    said = digits if digits != text else ""
    return plain_cell(text), Cell(rich, number or number_in(text, point) or said)


_NAMED: Final = 10


def _marks(cells: Iterable[Scalar]) -> Iterator[Diagnostic]:
    """Yield GP113 for marks of HTML, Pango and other programs that do not print."""
    both = ((cell, cell.cell.rich if cell.cell and cell.cell.rich else cell.text) for cell in cells)
    found = [(cell, marks) for cell, text in both if (marks := marks_left_out(text))]
    found.sort(key=lambda pair: pair[0].span)
    for number, (cell, marks) in enumerate(found[:_NAMED], start=1):
        more = len(found) - number if number == _NAMED else 0
        text = shortened(" ".join(cell.text.split()), 40)
        message = f"{', '.join(marks)} cannot be printed, in {text!r}"
        message += f"; and so in {more} more cells" if more else ""
        yield warning(cell.span, "GP113", message, _MARKS_HERE)


_MARKS_HERE: Final = (
    "bold and italic words are printed, <b> or **bold**, <i> or *italic*; colours, sizes and the"
    " rest are chosen in styles.yaml and the template: docs/text.md"
)


def with_ids(rows: Sequence[Mapping]) -> tuple[list[Mapping], list[Diagnostic]]:
    """Give rows without an id one made from their name or title, with one warning. The second row
    of a name gets `name-2`."""
    ids = FreeIds(_text(row, "id") for row in rows)
    made: list[Mapping] = []
    first: Scalar | None = None
    for row in rows:
        name = next((n for key in _NAMES if isinstance(n := row.get(key), Scalar)), None)
        base = "" if name is None or _text(row, "id") else as_id(name.text)
        if name is None or not base:
            made.append(row)
            continue
        own = Scalar(ids.take(base), name.span)
        first = first or own
        entries = (entry for entry in row.entries if entry[0].text != "id")
        made.append(Mapping(((Scalar("id", name.span), own), *entries), row.span))
    return made, [_made_ids(first)] if first else []


def _made_ids(first: Scalar) -> Diagnostic:
    message = f"rows without an id get their ids from their names: {first.text!r} is the first"
    hint = "add a column id if names may change: translations and references use ids"
    return warning(first.span, "GP112", message, hint)


_NAMES: Final = ("name", "title")


def _text(row: Mapping, key: str) -> str:
    node = row.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _header_faults(header: RowValues) -> Iterator[Diagnostic]:
    seen: dict[str, Scalar] = {}
    for cell in header:
        first = seen.setdefault(cell.text, cell)
        if first is not cell:
            hint = f"it heads column {first.span.column} already; rename one of the two"
            yield Diagnostic(cell.span, "GP108", f"the head {cell.text!r} is used twice", hint)


def _title(head: Scalar, cells: int) -> GridpressError:
    message = f"{head.text!r} is alone in the first row, and the next has {cells} cells"
    hint = "the first row names the fields: is this a title? delete that row"
    return bad_table(head.span, message, hint)


def _headless(
    cells: Sequence[Scalar], rows: Sequence[RowValues], width: int
) -> tuple[list[Diagnostic], set[int]]:
    """Return faults for cells in columns without a head, and the lines of rows with too many cells.

    A column that most rows fill needs a head; it may be a merged one. Otherwise a row has a comma
    too many: report the comma, or the first extra cell.
    """
    hint = "name the field in the first row; a text with a comma needs quotes in a CSV file"
    message = "{} is in a column without a head"
    filled = Counter(cell.span.column for cell in cells)
    whole = {column for column, count in filled.items() if count > 1 and 2 * count > len(rows)}
    merged = "name the field of each column in the first row: a merged head names only the first"
    faults = list(_once_a_column([c for c in cells if c.span.column in whole], message, merged))
    broken = {c.span.line for c in cells if c.span.column > width and c.span.column not in whole}
    parted = {row[0].span.line: comma for row in rows if (comma := _comma(row, broken))}
    faults += parted.values()
    lines = {*parted}
    for cell in cells:
        if cell.span.line not in lines and cell.span.column not in whole:
            lines.add(cell.span.line)
            said = message.format(repr(cell.text.strip()))
            faults.append(Diagnostic(cell.span, "GP108", said, hint))
    return faults, broken


def _comma(row: RowValues, broken: Collection[int]) -> Diagnostic | None:
    """Find an unquoted comma inside a text: a blank or words in small letters follow it."""
    if row[0].span.line not in broken:
        return None
    for before, cell in pairwise(row):
        text = cell.text.strip()
        if cell.text.startswith(" ") or (text[0].islower() and " " in text):
            message = (
                f"a comma before {shortened(text, 40)!r} begins a new cell: too many in this row"
            )
            whole = shortened(f"{before.text.strip()}, {text}", 80)
            return Diagnostic(
                cell.span, "GP108", message, f'if it is one text, quote it: "{whole}"'
            )
    return None


def _once_a_column(cells: Sequence[Scalar], message: str, hint: str) -> Iterator[Diagnostic]:
    """Yield a fault for the first of the cells in each column, with the number of the rest."""
    filled = Counter(cell.span.column for cell in cells)
    firsts: dict[int, Scalar] = {}
    for cell in cells:
        firsts.setdefault(cell.span.column, cell)
    for column, cell in firsts.items():
        more = f", and {filled[column] - 1} more below it" if filled[column] > 1 else ""
        yield Diagnostic(cell.span, "GP108", message.format(repr(cell.text)) + more, hint)


_ERRORS: Final = frozenset(
    "#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #SPILL! #CALC! #ERROR! #WERT! #BEZUG! #ZAHL!"
    " #NV #VALEUR! #NOMBRE! #NOM?".split()
)
"""Errors that spreadsheets write in place of a result, also into CSV files."""


MAX_UNPACKED: Final = 20_000_000
_ZEROS: Final = re.compile(r"0+")
_FORM: Final = re.compile(
    r"\"(?P<words>[^\"]*)\"|\\(?P<sign>.)|[_*].|\[\$(?P<money>[^\]-]*)[^\]]*\]"
    r"|\[(?:[A-Za-z]{3,}|Color ?\d+)\]|(?P<digits>[0#?]+(?:,[0#?]{3})*(?:\.[0#?]+)?)"
    r"|(?P<plain>[-+ %$€£¥():])|;|(?P<other>.)",
    re.DOTALL,
)
"""The parts of a number format. Other letters mean dates, fractions or exponents."""
_FRACTION: Final = re.compile(r"(?:# *)?\?+/(\?{1,3})")
_MOST: Final = 1e15  # from there on a spreadsheet rounds whole numbers
_DAY: Final = re.compile(r"(?:(?:dd?|mm?|yyyy|yy)(?![dmy])|\\?[./ -])+(?:;@)?")
_DAY_PART: Final = re.compile(r"\\|;@|[dmy]+")
_BY_COUNTRY: Final = frozenset(("mm-dd-yy", "m/d/yy"))
"""Stored for the short date of the country where a workbook is opened."""
_MERGED: Final = re.compile(rb"<(?:\w+:)?mergeCell\s+ref=\"([A-Z]{1,3})(\d{1,7}):\1(\d{1,7})\"")


class SheetTable(NamedTuple):
    """The rows of a sheet, the names of the workbook's other sheets, and warnings."""

    rows: list[RowValues]
    others: tuple[str, ...]
    remarks: tuple[Diagnostic, ...]


def xlsx_table(content: bytes, sheet: str, span: Span, shown: str) -> SheetTable:
    """Return the table in a sheet, by default the first that is not hidden. Lines and columns are
    the sheet's. `span` is where the workbook is named. Raises GridpressError (GP108)."""
    _refuse_bomb(content, shown)
    try:
        # openpyxl warns about validation lists and drawings, which are not text.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _sheet_table(content, sheet, span, shown)
    except GridpressError:
        raise
    except Exception as error:  # openpyxl lets whatever a damaged part causes come through
        hint = "open it in your spreadsheet program and save it again as .xlsx, or as .csv"
        raise bad_table(Span(shown), "the workbook is damaged", hint) from error


def _sheet_table(content: bytes, sheet: str, span: Span, shown: str) -> SheetTable:
    results, formulas = _books(content)
    if not results.worksheets:
        results, formulas = _books(mended_workbook(content))
    pages = sorted(results.worksheets, key=lambda page: page.sheet_state != "visible")
    names = [page.title for page in pages]
    if not names or (sheet and sheet not in names):
        hint = did_you_mean(sheet, names)
        message = f"the workbook has no sheet {sheet!r}" if sheet else "the workbook has no sheets"
        raise bad_table(span, message, hint)
    name = sheet or names[0]
    packed: zipfile.ZipFile = results._archive
    part = results[name]._worksheet_path.lstrip("/")
    rows = list(_rows(results[name], formulas[name], _merged(packed.read(part)), shown))
    remarks = tuple(_unseen_in(packed, PurePosixPath(part), rows, shown))
    return SheetTable(rows, tuple(other for other in names if other != name), remarks)


def _books(content: bytes) -> tuple[Any, Any]:
    """Read a workbook twice: a formula whose result was never saved has a formula but no value."""
    # Imported only when there is a workbook: it takes a tenth of a second.
    import openpyxl  # noqa: PLC0415

    results = openpyxl.load_workbook(
        io.BytesIO(content), read_only=True, data_only=True, rich_text=True
    )
    return results, openpyxl.load_workbook(io.BytesIO(content), read_only=True)


_ANCHOR: Final = re.compile(
    rb"<(?:\w+:)?from>\s*<(?:\w+:)?col>(\d{1,5})<.*?<(?:\w+:)?row>(\d{1,7})<.*?</(?:\w+:)?\w+Anchor>",
    re.DOTALL,
)
_TARGET: Final = re.compile(r'Target="([^"]*drawing[^"]*\.xml)"')


_IN_CELLS: Final = "xl/richData/rdrichvalue"


_ROW: Final = re.compile(rb"<(?:\w+:)?row\s[^>]*>")
_LINE: Final = re.compile(rb"\sr=\"(\d{1,7})\"")
_HIDDEN: Final = re.compile(rb"\shidden=\"(?:1|true)\"")


def _unseen_in(
    packed: zipfile.ZipFile, part: PurePosixPath, rows: Iterable[RowValues], shown: str
) -> Iterator[Diagnostic]:
    """Yield GP113 for what a sheet shows differently: pictures over or in cells, which do not
    print, and hidden `rows`, which do."""
    names = set(packed.namelist())
    relations = str(part.parent / "_rels" / f"{part.name}.rels")
    links = packed.read(relations).decode("utf-8", "replace") if relations in names else ""
    drawings = (
        posixpath.normpath(posixpath.join(part.parent, at)) for at in _TARGET.findall(links)
    )
    read = [packed.read(at.lstrip("/")) for at in drawings if at.lstrip("/") in names]
    anchors = (found for drawing in read for found in _ANCHOR.finditer(drawing))
    places = [(int(a[2]) + 1, int(a[1]) + 1) for a in anchors if b"pic>" in a[0]]
    hint = "save the picture as a file beside the table, and write its name into the cell"
    if places:
        from openpyxl.utils import get_column_letter  # noqa: PLC0415

        cells = ", ".join(f"{get_column_letter(column)}{line}" for line, column in places[:6])
        more = f" and {len(places) - 6} more" if len(places) > 6 else ""
        message = f"pictures over cells are not read: {cells}{more}"
        yield warning(Span(shown, *places[0]), "GP113", message, hint)
    if any(name.startswith(_IN_CELLS) for name in names):
        yield warning(Span(shown), "GP113", "pictures placed in cells are not read", hint)
    tags = _ROW.findall(packed.read(str(part)))
    hidden = {int(at[1]) for tag in tags if _HIDDEN.search(tag) and (at := _LINE.search(tag))}
    if lines := [row[0].span.line for row in rows if row and row[0].span.line in hidden]:
        listed = ", ".join(map(str, lines[:6]))
        more = f" and {len(lines) - 6} more" if len(lines) > 6 else ""
        message = f"rows that the sheet hides are read like others: {listed}{more}"
        hint = "delete those that are not to be printed, or give them 0 copies"
        yield warning(Span(shown, lines[0]), "GP113", message, hint)


def _refuse_bomb(content: bytes, shown: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        hint = "save it as .xlsx (not the old .xls), or as .csv"
        raise bad_table(Span(shown), "this is not an XLSX workbook", hint) from error
    unpacked = summed(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED:
        message = f"the workbook unpacks to {unpacked / 1_000_000:.0f} MB"
        hint = f"the most is {MAX_UNPACKED // 1_000_000} MB; keep only the rows that are needed"
        raise bad_table(Span(shown), message, hint)


def _rows(
    results: Any, formulas: Any, merged: dict[tuple[int, int], int], shown: str
) -> Iterator[RowValues]:
    both = zip(*map(_sheet_rows, (results, formulas)), strict=True)
    archive = results.parent._archive
    has_pictures = any(name.startswith(_IN_CELLS) for name in archive.namelist())
    held: dict[int, tuple[int, Scalar]] = {}
    has_heads, size = False, 0
    for (line, row), (_, originals) in both:
        cells = tuple(_cells(row, originals, shown, line))
        if has_pictures:  # in cells, which programs that know none of them take for errors
            cells = tuple(cell for cell in cells if cell.text != "#VALUE!")
        if merged and cells and has_heads:
            cells = _held(cells, held, merged)
        has_heads |= bool(cells)
        size += len(row)
        if size > MAX_SHEET:
            message = f"the sheet has more than {MAX_SHEET:,} cells up to here"
            raise bad_table(Span(shown, line), message, "delete what is not needed")
        yield cells


def _sheet_rows(page: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows of a sheet. openpyxl's own reader drops bold and italic words and trusts the
    size that a file claims."""
    from openpyxl.worksheet._reader import WorkSheetParser  # noqa: PLC0415

    book = page.parent
    with page._get_source() as source:
        parser = WorkSheetParser(
            source,
            page._shared_strings,
            data_only=book.data_only,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
            rich_text=book.data_only,
        )
        for line, row in parser.parse():
            yield line, page._get_row(row)


def _merged(sheet: bytes) -> dict[tuple[int, int], int]:
    """Map the line and column of cells that are merged downwards to their last line."""
    from openpyxl.utils import column_index_from_string  # noqa: PLC0415

    found = _MERGED.finditer(sheet)
    return {(int(at[2]), column_index_from_string(at[1].decode())): int(at[3]) for at in found}


def _held(
    cells: RowValues, held: dict[int, tuple[int, Scalar]], merged: dict[tuple[int, int], int]
) -> RowValues:
    """Return a row with the values of merged cells above, and update `held`."""
    line = cells[0].span.line
    for cell in cells:
        if last := merged.get((line, cell.span.column)):
            held[cell.span.column] = (last, cell)
    there = {cell.span.column: cell for cell in cells}
    for column, (last, above) in held.items():
        if line <= last:
            place = replace(cells[0].span, column=column)
            there.setdefault(column, replace(above, span=place))
    return tuple(there[column] for column in sorted(there))


def _cells(row: Any, originals: Any, shown: str, line: int) -> Iterator[Scalar]:
    for column, (cell, original) in enumerate(zip(row, originals, strict=True), start=1):
        place = Span(shown, line, column)
        text = _shown(cell, original, place)
        if text:
            yield Scalar(text, place, cell=_stored(cell))


def _stored(cell: Any) -> Cell | None:
    """Return a cell's number or its bold and italic words; None for plain text."""
    value = cell.value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        form = str(cell.number_format)
        is_bare = not form.endswith("%") and not _ZEROS.fullmatch(form)
        return Cell("", _number(value, "")) if is_bare else None
    if not isinstance(value, str | list):
        return None
    own = cell.font
    parts = [(value, own)] if isinstance(value, str) else [_part(part, own) for part in value]
    looks = [_looks(font, parts[0][1]) for _, font in parts]
    if not any(looks):
        return None
    ends = [
        ("".join(f"<{n}>" for n in look), "".join(f"</{n}>" for n in look[::-1])) for look in looks
    ]
    return Cell(
        "".join(f"{on}{text}{off}" for (text, _), (on, off) in zip(parts, ends, strict=True))
    )


def _part(part: Any, own: Any) -> tuple[str, Any]:
    return (part, own) if isinstance(part, str) else (part.text, part.font)


def _looks(font: Any, usual: Any) -> tuple[str, ...]:
    asked = {
        "b": font.b,
        "i": font.i,
        "u": font.u,
        "s": font.strike,
        "sub": font.vertAlign == "subscript",
        "sup": font.vertAlign == "superscript",
        "font": _colour(font) != _colour(usual),
    }
    return tuple(name for name, is_so in asked.items() if is_so)


def _colour(font: Any) -> object:
    """Return a font's colour; None for black, however it is written."""
    colour = font.color
    if colour is None or (colour.type == "theme" and colour.theme == 1):
        return None
    return None if colour.value in _BLACK else (colour.type, colour.value)


_BLACK: Final = ("FF000000", "00000000", 8, 64)


def _shown(cell: Any, original: Any, span: Span) -> str:
    """Return a cell's value as its number format shows it."""
    value = cell.value
    if value == "#VALUE!" and _is_picture(getattr(original, "value", "")):
        return ""
    if value is None:
        formula = getattr(original, "value", None)
        if formula is None or cell.data_type == "str" or _is_picture(formula):
            return ""  # a formula's empty text has no other value
        hint = "open the workbook in your spreadsheet program and save it"
        raise bad_table(span, "the result of this formula is not saved in the file", hint)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number(value, str(cell.number_format))
    if isinstance(value, (date, time, timedelta)):
        return _moment(value, str(cell.number_format).lower())
    return str(value).strip()


def _is_picture(formula: object) -> bool:
    return "IMAGE(" in str(getattr(formula, "text", formula)).upper()


def _number(value: float, form: str) -> str:
    """Return a number as a format shows it, without thousands separators; as it is for other
    formats."""
    # Fifteen digits, as a spreadsheet shows them: 0.1 + 0.2 is 0.3 there.
    bare = str(int(value)) if value == int(value) else f"{value:.15g}"
    if fraction := _FRACTION.fullmatch(form):
        return _fraction(value, 10 ** len(fraction[1]) - 1)
    sections = _sections(form)
    section = sections[(value < 0) + 2 * (value == 0)] if len(sections) > 2 else sections[0]
    if len(sections) == 2 and value < 0:
        section = sections[1]
    is_signed = value < 0 and section is sections[0]
    kinds = [found.lastgroup for found in section]
    if kinds.count("digits") != 1 or "other" in kinds or abs(value) >= _MOST:
        return bare
    hundreds = 100 if any(found[0] == "%" for found in section) else 1
    shown = "".join(
        _rounded(abs(value) * hundreds, found[0])
        if found.lastgroup == "digits"
        else found[found.lastgroup]
        for found in section
        if found.lastgroup
    )
    return f"{'-' * is_signed}{shown.strip()}" if shown.strip() else bare


def _fraction(value: float, most: int) -> str:
    """Return a number with a fraction of a denominator up to `most`: `1 1/2`."""
    found = Fraction(abs(value)).limit_denominator(most)
    whole, parts = divmod(found.numerator, found.denominator)
    shown = [str(whole)] if whole or not parts else []
    shown += [f"{parts}/{found.denominator}"] if parts else []
    return f"{'-' * (value < 0)}{' '.join(shown)}"


def _sections(form: str) -> list[list[re.Match[str]]]:
    """Split a format into its sections for positive, negative and zero numbers."""
    sections: list[list[re.Match[str]]] = [[]]
    for found in _FORM.finditer(form):
        if found[0] == ";":
            sections.append([])
        else:
            sections[-1].append(found)
    return sections


def _rounded(value: float, digits: str) -> str:
    whole, _, parts = digits.partition(".")
    step = Decimal(1).scaleb(-len(parts))
    said = f"{Decimal(f'{value:.15g}').quantize(step, ROUND_HALF_UP):f}"
    number, point, decimals = said.partition(".")
    number = "" if number == "0" and "0" not in whole else number
    spare = len(parts) - len(parts.rstrip("#?"))
    kept = decimals[: len(decimals) - spare] + decimals[len(decimals) - spare :].rstrip("0")
    return number.zfill(whole.count("0")) + (point + kept if kept else "")


def _moment(value: date | time | timedelta, form: str) -> str:
    if isinstance(value, date) and _DAY.fullmatch(form) and form not in _BY_COUNTRY:
        return _DAY_PART.sub(lambda part: _part_of_day(value, part[0]), form)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        seconds = value.hour * 3600 + value.minute * 60 + value.second
    else:
        seconds = round(value.total_seconds())
    minutes, rest = divmod(seconds, 60)
    clock = f"{minutes // 60}:{minutes % 60:02}"
    return f"{clock}:{rest:02}" if rest else clock


def _part_of_day(day: date, part: str) -> str:
    """Return the part of a day for `d`, `dd`, `m`, `mm`, `yy`, `yyyy`; "" for others."""
    values = {"d": day.day, "m": day.month, "y": day.year % 10 ** len(part)}
    return f"{values[part[0]]:0{len(part)}}" if part[0] in values else ""
