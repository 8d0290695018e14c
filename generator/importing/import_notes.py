"""Notes for the author of a table: what the import changed, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from generator.assets import AssetFinder, assets_of
from generator.diagnostics import GridpressError, enumerated, plain
from generator.importing.misspelt import misspelt
from generator.importing.named_pictures import NamedPictures
from generator.model.source import Mapping
from generator.project import Project
from generator.table_columns import (
    Column,
    changed_ids,
    icons_in,
    is_copy_count,
    no_numbers,
    no_values,
    odd_cells,
    other_numbers,
)
from generator.table_update import Known

_SHOWN, _LONG = 6, 40
"""Most names that are listed; most characters of one."""
_COPIES: Final = "if it says how many to print, name the column Copies and import again"
_UNITS: Final = "write numbers as 12 or 1.5; put units (€, %) into the face file"


def misfits(rows: Sequence[Mapping], columns: Sequence[Column], known: Known) -> Iterator[str]:
    """Yield notes on cells that do not fit their field's type."""
    for name, cell, line in islice(no_values(rows, columns), _SHOWN):
        yield (
            f"{name}: {plain(cell[:_LONG])!r} in row {line} does not fit the field's type, "
            f"{known.types.get(name)}\n    change the cell, or the type in the kind"
        )


def unexpected(rows: Sequence[Mapping], columns: Sequence[Column]) -> Iterator[str]:
    """Yield notes on what the import changed in a table."""
    if changed := changed_ids(rows, columns):
        listed = [f"{plain(given[:_LONG])} → {made}" for given, made in changed]
        yield (
            f"{enumerated(listed, _SHOWN)}: an id occurs once\n"
            "    ids have lower-case letters, digits and hyphens; use these from now on"
        )
    for name, cell, line in islice(no_numbers(rows, columns), _SHOWN):
        yield (
            f"{name}: text, because {plain(cell[:_LONG])!r} in row {line} is not a number\n"
            f"    {_COPIES if is_copy_count(cell) else _UNITS}"
        )
    yield from odd_cells(rows, columns)
    yield from islice(misspelt(rows, columns), _SHOWN)
    for name, given, number in other_numbers(columns, rows):
        others = "numbers" if any(map(str.isdigit, given)) else "words for numbers"
        yield f"{name}: {plain(given[:_LONG])} is written {number}, like all {others} in it"


def missing_assets(
    columns: Sequence[Column], pictures: NamedPictures, project: Project, pack: str
) -> Iterator[str]:
    """Yield notes on pictures and icons that the table names but that do not exist."""
    assets = assets_of(project, pack)
    named = (cell for column in columns if column.type == "image" for cell in column.cells)
    if missing := [n for n in dict.fromkeys(filter(None, named)) if n not in pictures.found]:
        yield (
            f"{listed_names(missing)}: not found beside the table; placeholders are printed "
            f"instead\n    put them into cards/{pack}"
        )
    icons = [name for name in icons_in(columns) if not _has_icon(assets, name)]
    if icons:
        yield (
            f"{listed_names(f'{{{name}}}' for name in icons)}: printed as words, because there are "
            f"no such icons\n    put {icons[0]}.svg into templates/{pack}/icons; "
            "gridpress list --icons shows all icons"
        )


def listed_names(names: Iterable[str]) -> str:
    """Return the first names of many, shortened, and how many others there are."""
    return enumerated([plain(name[:_LONG]) for name in names], _SHOWN)


def _has_icon(assets: AssetFinder, name: str) -> bool:
    try:
        assets.icon(name)
    except GridpressError:
        return False
    return True
