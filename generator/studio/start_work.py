"""Work of errands that start packs and dress them: code of their processes."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct
from PIL import Image

from generator.build import Order, StepProgress, open_pack
from generator.cache import user_cache
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.importing import ImportOrder, given_table, import_table
from generator.looks import Dress, card_looks
from generator.model.source import as_id
from generator.outlets import preview_pack
from generator.project import Project, Target, shipped_root
from generator.relook import kinds_in_looks, relook
from generator.roles import Roles, has_usual_head
from generator.starters import start_pack
from generator.studio.messages import PackToOpen
from generator.table_columns import Column

_SHOWN: Final = ("card.ember-wolf.front", "card.quiet-harbour.front", "card.fog.back")
"""The pictures of a look, of the pack that it is started with."""
_DPI: Final = 150
_HIGH, _GAP = 240, 12
"""Pixels of a picture of a look: the height of its cards, and the gap between them."""
_MOST_JOBS: Final = 2
_UNSAID: Final = ("--", "not on the card", "copied as CSV", "ids from", "is the first row a card")
"""Parts of notes on commands and files, and on what Start shows itself."""
_SAMPLE: Final = 80
"""Characters of a cell that are shown."""


class ColumnTold(Struct, frozen=True):
    """A column of a table: its head, the field that it becomes and the field's type, its part on
    the card ("" if it has none), and its first cell."""

    head: str
    field: str
    type: str
    part: str
    sample: str


class TableTold(Struct, frozen=True):
    """The pack that was made of a table, what became of its columns, the other sheets of its
    workbook, notes for its author, and whether its heads may be a card."""

    pack: str
    columns: tuple[ColumnTold, ...]
    sheets: tuple[str, ...]
    notes: str
    is_unsure: bool


def table_imported(
    root: Path,
    content: bytes,
    file: str,
    sheet: str,
    look: str,
    size: str,
    palette: str | None,
    headed: bool,
    progress: StepProgress,
) -> TableTold:
    """Make a deck of a table, and return what became of it. Raises GridpressError."""
    called = PurePath(file).stem
    table = given_table(content, file, file, sheet, None, headed=headed)
    done = import_table(
        ImportOrder(root, called, as_id(called), "", "", look, size, palette), table
    )
    told = tuple(_column_told(c, done.roles) for c in done.columns if c.name != "id")
    said = [one.message for one in table.remarks]
    said += (note.partition("\n")[0] for note in done.notes)  # then hints on commands and files
    notes = "\n".join(f"• {one}" for one in said if not any(part in one for part in _UNSAID))
    is_unsure = headed and not has_usual_head(done.columns)
    return TableTold(done.there.pack, told, table.others, notes, is_unsure)


def _column_told(column: Column, roles: Roles | None) -> ColumnTold:
    sample = next(filter(None, column.cells), "")[:_SAMPLE]
    part = _part(column, roles) if roles else ""
    return ColumnTold(column.head or column.name, column.name, column.type, part, sample)


def _part(column: Column, roles: Roles) -> str:
    if column.name == "copies":
        return "copies"
    for role, one in roles.parts.items():
        if one is column:
            return role
    sorts = {
        "number": (*roles.badges, *roles.values),
        "fact": roles.facts,
        "more": roles.more,
        "answer": (roles.answer,),
        "back": (roles.back,),
    }
    return next((sort for sort, found in sorts.items() if column in found), "")


def pack_started(root: Path, name: str, title: str, dress: Dress, progress: StepProgress) -> str:
    """Write a new pack into a project's folder, and return its name. Raises GridpressError."""
    start_pack(root, name, "" if title == name else title, dress)
    return name


def pack_dressed(
    pack: PackToOpen, kind: str, look: str, palette: str | None, progress: StepProgress
) -> tuple[str, ...]:
    """Give a kind, or with "" all that are in a look, another one; return what is left to do.

    Raises GridpressError.
    """
    target = Target(Project(pack.root, pack.shipped, around=pack.root), pack.pack)
    opened = open_pack(target, Order(cache=user_cache()))
    if opened.value is None:
        raise GridpressError(*opened.diagnostics)
    kinds = opened.value.pack.kinds
    names = [kind] if kind else list(kinds_in_looks(opened.value.pack))
    unknown = next((name for name in names if name not in kinds), None)
    if unknown is not None:
        message, hint = f"there is no kind {unknown!r}", did_you_mean(unknown, kinds)
        raise GridpressError(Diagnostic(Span(pack.pack), "GP212", message, hint))
    wanted = [kinds[name] for name in names]
    return relook(pack.root, opened.value.pack, wanted, card_looks()[look], palette)[1]


def look_drawn(dress: Dress, progress: StepProgress) -> bytes:
    """Return a WebP of two fronts and the back of a look, on no ground. Raises GridpressError."""
    order = Order(jobs=min(os.cpu_count() or 1, _MOST_JOBS), cache=user_cache())
    with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
        root, name = Path(scratch), dress.look.name
        start_pack(root, name, dress.look.title, dress)
        preview_pack(Target(Project(root, shipped_root()), name), order, root, _DPI, progress)
        drawn = [root / name / f"preview/{picture}.png" for picture in _SHOWN]
        return _side_by_side(drawn)


def _side_by_side(files: Sequence[Path]) -> bytes:
    """Return a WebP of pictures in a row."""
    cards = [Image.open(file).convert("RGBA") for file in files]
    cards = [card.resize((round(card.width * _HIGH / card.height), _HIGH)) for card in cards]
    width = sum(card.width + _GAP for card in cards) - _GAP
    row = Image.new("RGBA", (width, _HIGH))
    left = 0
    for card in cards:
        row.paste(card, (left, 0))
        left += card.width + _GAP
    made = io.BytesIO()
    row.save(made, "WEBP", quality=75)
    return made.getvalue()
