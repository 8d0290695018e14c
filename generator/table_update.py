"""Merges a changed table into an earlier import, keeping the author's own changes.

`imported/<data>.csv` in a pack's folder holds the data as imported, with the table's heads. It
shows what changed in the table and what in the data.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct, field

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.files import Roots
from generator.model.source import field_name
from generator.starters import text_in_file
from generator.written_yaml import as_written, block_of

_LISTED: Final = 6
_LONG: Final = 30


class Imported(Struct, frozen=True):
    """The files of an import: its kind and data."""

    folder: Path
    pack: str
    kind: str
    data: str

    @property
    def cards(self) -> Path:
        """Return the pack's folder of definitions."""
        return self.folder / "cards" / self.pack

    @property
    def rows_file(self) -> Path:
        """Return the file that lists the components."""
        return self.cards / f"{self.data}.yaml"

    @property
    def kind_file(self) -> Path:
        """Return the file of the kind."""
        return self.cards / "kinds" / f"{self.kind}.yaml"

    @property
    def base_file(self) -> Path:
        """Return the file with the data as imported."""
        return self.cards / "imported" / f"{self.data}.csv"

    @property
    def is_there(self) -> bool:
        """Return whether the kind and its data exist."""
        return self.rows_file.is_file() and self.kind_file.is_file()


class DataRows(Struct, frozen=True):
    """Cells of a table by id and field, and the names of its fields."""

    fields: tuple[str, ...]
    cells: dict[str, dict[str, str]]

    def cell(self, id_: str, name: str) -> str:
        """Return a cell, or an empty text."""
        return self.cells.get(id_, {}).get(name, "")


class Known(Struct, frozen=True):
    """An earlier import: its files' texts, the data as imported (`base`, None if unknown) and as
    they are now, names by head, types of fields, and the workbook that the pack reads directly, if
    any."""

    kind_text: str
    rows_text: str
    base: DataRows | None
    base_text: str
    own: DataRows
    names: dict[str, str]
    types: dict[str, str]
    ignored: frozenset[str]
    data_file: str
    is_linked: bool

    @property
    def needed(self) -> tuple[str, ...]:
        """Return the fields that may not be left out."""
        fields = as_written(self.kind_text)["fields"].items()
        return tuple(str(n) for n, one in fields if not {"optional", "default"} & {*one})

    def choices(self, name: str) -> tuple[str, ...]:
        """Return the choices of a field."""
        given = as_written(self.kind_text)["fields"][name].get("choices") or ()
        return tuple(map(str, given))

    def has(self, name: str) -> bool:
        """Return whether a column is still used: not ignored, and its field not removed."""
        is_removed = self.base is not None and name in self.base.fields and name not in self.types
        return name == "id" or not (is_removed or name in self.ignored)


def known_import(there: Imported, roots: Roots) -> Known:
    """Return the earlier import. Raises GridpressError when its files have another form (GP704)."""
    kind_text, rows_text = (text_in_file(p, roots) for p in (there.kind_file, there.rows_file))
    try:
        fields = as_written(kind_text)["fields"]
        types = {str(name): str(one["type"]) for name, one in fields.items()}
        rows = as_written(rows_text)
        named, columns = rows["rows"], rows.get("columns") or {}
        own_heads = rows.get("ignore") or []
        ignored = frozenset(
            map(field_name, [own_heads] if isinstance(own_heads, str) else own_heads)
        )
    except (yaml.YAMLError, LookupError, TypeError, AttributeError) as error:
        message = "this is not from an import: it has no rows:, or its kind has no fields:"
        hint = "choose another name with --kind"
        raise GridpressError(
            Diagnostic(Span(str(there.rows_file)), "GP704", message, hint)
        ) from error
    data_file = str(named["file"] if isinstance(named, dict) else named).partition("#")[0]
    is_linked = data_file != f"{there.data}.csv"
    base, base_text, names = None, "", dict[str, str]()
    if there.base_file.is_file():
        base_text = text_in_file(there.base_file, roots)
        heads, *cells = _table(there.base_file, roots) or [[]]
        if cells:
            base = _rows([heads, *cells[1:]], there.base_file)
            names = {field_name(head): name for head, name in zip(cells[0], heads, strict=False)}
    names |= {field_name(str(head)): str(name) for head, name in columns.items()}
    own = base or DataRows((), {})
    if not is_linked:
        data = there.cards / f"{there.data}.csv"
        if not data.is_file():
            message = "the table of the earlier import is missing"
            raise GridpressError(
                Diagnostic(Span(str(data)), "GP704", message, "choose another name with --kind")
            )
        own = _rows(_table(data, roots), data)
    return Known(
        kind_text, rows_text, base, base_text, own, names, types, ignored, data_file, is_linked
    )


def _table(path: Path, roots: Roots) -> list[list[str]]:
    """Return the cells of a CSV file with any usual delimiter."""
    text = text_in_file(path, roots).removeprefix("\ufeff")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def _rows(table: Sequence[Sequence[str]], path: Path) -> DataRows:
    """Return rows by id; those without an id of their own get a unique key."""
    heads = [h if h.startswith("#") else field_name(h) for h in (table[0] if table else ())]
    cells: dict[str, dict[str, str]] = {}
    for line, row in enumerate(table[1:], start=2):
        if any(row[len(heads) :]):
            message = "this row has more cells than heads"
            raise GridpressError(
                Diagnostic(Span(str(path), line), "GP108", message, "fix that before you import")
            )
        if any(row):
            one = dict(zip(heads, row, strict=False))
            id_ = one.get("id", "")
            cells[id_ if id_ and id_ not in cells else f"{id_}\0{line}"] = one
    return DataRows(tuple(heads), cells)


def written_rows(rows: DataRows) -> str:
    """Return rows as CSV."""
    return _csv(
        [rows.fields, *([row.get(f, "") for f in rows.fields] for row in rows.cells.values())]
    )


def written_base(rows: DataRows, heads: Sequence[str]) -> str:
    """Return the CSV of `imported/`: fields, the table's heads, rows."""
    cells = ([row.get(name, "") for name in rows.fields] for row in rows.cells.values())
    return _csv([rows.fields, heads, *cells])


def _csv(table: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(table)
    return out.getvalue()


class Merge(Struct):
    """Rows after an update, and what happened to them, by id."""

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    changed: dict[str, list[str]] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    kept: dict[str, list[str]] = field(default_factory=dict)


def merged(base: DataRows | None, own: DataRows, new: DataRows) -> Merge:
    """Return the `own` rows with the changes between `base` and `new`. If both changed, the own
    cell stays; rows that only `own` has stay, too. Without a base every cell of `new` counts."""
    done = Merge()
    for id_ in new.cells:
        if id_ in own.cells:
            done.rows[id_] = _merged_row(id_, base, own, new, done)
        elif base is None or id_ not in base.cells:
            done.rows[id_] = dict(new.cells[id_])
            done.added.append(id_)
        else:
            done.kept.setdefault(id_, []).append("deleted here")
    for id_, row in own.cells.items():
        if id_ in new.cells:
            continue
        was = base.cells.get(id_) if base else None
        if was is not None and all(row.get(name, "") == cell for name, cell in was.items()):
            done.gone.append(id_)
            continue
        done.rows[id_] = row
        if was is not None:
            done.kept.setdefault(id_, []).append("no longer in the table")
    return done


def _merged_row(
    id_: str, base: DataRows | None, own: DataRows, new: DataRows, done: Merge
) -> dict[str, str]:
    row = dict(own.cells[id_])
    for name in new.fields:
        mine, theirs = own.cell(id_, name), new.cell(id_, name)
        was = mine if base is None or name not in own.fields else base.cell(id_, name)
        if theirs in (mine, was):
            continue
        if mine == was:
            row[name] = theirs
            if name in own.fields:
                done.changed.setdefault(id_, []).append(_change(name, mine, theirs))
        else:
            done.kept.setdefault(id_, []).append(f"{name}, now {_short(theirs)} in the table")
    return row


def _change(name: str, before: str, after: str) -> str:
    if len(before) > _LONG or len(after) > _LONG or "\n" in before + after:
        return name
    return f"{name} {_short(before)} → {_short(after)}"


def _short(cell: str) -> str:
    words = " ".join(cell.split())
    return (words if len(words) <= _LONG else f"{words[:_LONG]}…") or "nothing"


def report(done: Merge, data: str) -> tuple[str, list[str]]:
    """Return a summary of the changes, and a note on what stayed."""
    parts = [
        _counted("changed", [f"{id_}: {', '.join(told)}" for id_, told in done.changed.items()]),
        _counted("new", done.added),
        _counted("gone", done.gone),
    ]
    said = "; ".join(filter(None, parts))
    summary = f"{data}: {said}" if said else f"{data}: no row has changed"
    kept = [f"{id_} ({', '.join(told)})" for id_, told in done.kept.items()]
    return summary, [_counted("left as you changed them", kept)] if kept else []


def _counted(what: str, told: Sequence[str]) -> str:
    if not told:
        return ""
    more = f"; and {len(told) - _LISTED} more" if len(told) > _LISTED else ""
    rows = f"{len(told)} row{'s' * (len(told) > 1)}"
    return f"{rows} {what} ({'; '.join(told[:_LISTED])}{more})"


def with_field(kind_text: str, name: str, definition: str) -> str | None:
    """Return the text of a kind with one more field; None if its fields have an unusual form."""
    lines = kind_text.splitlines()
    at = next((n for n, line in enumerate(lines) if re.match(r"fields:\s*(#.*)?$", line)), None)
    block = [] if at is None else list(block_of(lines, at + 1))
    if not block:
        return None
    first = lines[block[0]]
    indent = first[: len(first) - len(first.lstrip())]
    made = [*lines[: block[-1] + 1], f"{indent}{name}: {definition}", *lines[block[-1] + 1 :]]
    return _if_as_meant(kind_text, "\n".join(made) + "\n", name, definition)


def with_quantity(kind_text: str) -> str | None:
    """Return the text of a kind that prints as many as its field `copies` says; the same text if
    it has a quantity, None if its fields have an unusual form."""
    made = re.sub(r"^fields:", "quantity: copies\nfields:", kind_text, count=1, flags=re.MULTILINE)
    try:
        before, after = as_written(kind_text), as_written(made)
        if "quantity" in before:
            return kind_text
        before["quantity"] = "copies"
    except (yaml.YAMLError, LookupError, TypeError):
        return None
    return made if before == after else None


def with_choices(kind_text: str, name: str, more: Sequence[str]) -> str | None:
    """Return the text of a kind with more choices of a field; None if they are not a list in one
    line."""
    words = ", ".join(json.dumps(one, ensure_ascii=False) for one in more)
    place = re.compile(rf"^(\s+{name}:.*\bchoices: \[[^\]\n]*)\]", re.MULTILINE)
    made = place.sub(lambda found: f"{found[1]}, {words}]", kind_text, count=1)
    try:
        before, after = as_written(kind_text)["fields"], as_written(made)["fields"]
        before[name]["choices"] += more
    except (yaml.YAMLError, LookupError, TypeError):
        return None
    return made if before == after else None


def with_optional(kind_text: str, name: str) -> str | None:
    """Return the text of a kind with an optional field; None if the field is not in one line."""
    place = re.compile(rf"^([ \t]+{name}: \{{.*)\}}[ \t]*$", re.MULTILINE)
    made = place.sub(lambda found: f"{found[1]}, optional: true}}", kind_text, count=1)
    try:
        before, after = as_written(kind_text), as_written(made)
        before["fields"][name]["optional"] = "true"
    except (yaml.YAMLError, LookupError, TypeError):
        return None
    return made if before == after else None


def _if_as_meant(before: str, after: str, name: str, definition: str) -> str | None:
    try:
        old, new = as_written(before), as_written(after)
        old["fields"][name] = as_written(definition)
    except (yaml.YAMLError, LookupError, TypeError):
        return None
    return after if old == new else None


def with_columns(rows_text: str, names: Mapping[str, str]) -> str | None:
    """Return the text of a component file with more `columns:`; None if they are not in one
    line."""
    if not names:
        return rows_text
    try:
        known: Any = as_written(rows_text).get("columns") or {}
        all_names = {**known, **names}
        line = f"columns: {columns_line(all_names)}"
        made, count = re.subn(r"^columns: \{.*\}$", lambda _: line, rows_text, flags=re.MULTILINE)
        if not count:
            made = re.sub(
                r"^rows: .*$", lambda at: f"{at[0]}\n{line}", rows_text, flags=re.MULTILINE
            )
        return made if as_written(made).get("columns") == all_names else None
    except (yaml.YAMLError, AttributeError, TypeError):
        return None


def columns_line(names: Mapping[str, str]) -> str:
    """Return heads and fields as YAML in one line."""
    pairs = (f"{json.dumps(h, ensure_ascii=False)}: {name}" for h, name in names.items())
    return f"{{{', '.join(pairs)}}}"
