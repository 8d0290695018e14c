"""The template helper `book`: lays out a Markdown-like text over pages and draws one of them. See
docs/rulebooks.md.

Paragraphs and items break between lines. Notes, tables and pictures keep together if a page holds
them. A heading, or a paragraph that ends in a colon, stays with what follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean
from generator.geometry import summed
from generator.model.source import with_words
from generator.model.values import Record, SourceText
from generator.render.book_blocks import Block, BlockKind, read_blocks
from generator.render.dependencies import Tracker
from generator.render.face_builder import CurrentFace
from generator.render.placed_pictures import PictureHelper
from generator.render.shapes import mm, number, parts, size
from generator.render.styles import Palette
from generator.render.texts import TextHelpers
from generator.sandbox import as_text

_SIZES: Final = (17.0, 12.5, 10.5)
"""Sizes of headings by level, pt; deeper levels have the last."""
_INDENT: Final = 4.5
_GAP: Final = 2.4
"""Space between blocks, mm."""
_CELL: Final = 1.2
_NUMBER: Final = 9.0  # mm at the right of contents, for pages
_TALLEST: Final = 0.55
"""The part of a page's height that a picture may take."""
_AIR: Final = 0.01
_REFERENCE: Final = re.compile(r"(?<!!)\[([^\]\[]*)\]\(([a-z0-9-]+)/([a-z0-9-]+)\)")
_RULE: Final = '<path d="M{} {}h{}" fill="none" stroke="{}" stroke-width="{}"/>'


class _BookLook(Struct, frozen=True):
    """The styles and colours of a book."""

    body: str
    head: str
    colour: Any
    tint: Any


_LEAST: Final = 2
"""Lines of a paragraph that stay together at the foot or the head of a column."""


class _Measured(Struct, frozen=True):
    """A block with the heights of its lines or rows, `steps`, and the height `beside` them in every
    part, mm. It `spills` if it is higher than a page."""

    block: Block
    steps: tuple[float, ...]
    beside: float = 0.0
    spills: bool = False

    def height(self, first: int = 0, end: int | None = None) -> float:
        """Return the height of the steps from `first` to before `end`."""
        return self.beside + summed(self.steps[first:end])

    @property
    def keeps(self) -> bool:
        """Return True if it breaks only when it is higher than a page."""
        return not self.spills and self.block.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM)

    @property
    def leads(self) -> bool:
        """Return True if it stays with the next block: a heading, or words such as "You need:"."""
        return self.block.kind is BlockKind.HEADING or (
            self.block.kind is BlockKind.PARAGRAPH and self.block.text.rstrip("* ").endswith(":")
        )

    @property
    def least(self) -> float:
        """Return the height that stays with a heading above it."""
        return self.height(0, None if self.keeps or len(self.steps) < 2 * _LEAST else _LEAST)

    def end(self, first: int, room: float) -> int:
        """Return the step before which a part ends that begins with `first`; `first` itself if the
        part does not fit. No line is left alone."""
        count = len(self.steps)
        end = next((n for n in range(count, first, -1) if self.height(first, n) <= room), first)
        if end == count or self.block.kind is BlockKind.TABLE:
            return end
        end = min(end, count - _LEAST)
        return end if end >= first + _LEAST else first


class _PlacedBlock(Struct, frozen=True):
    """A block, or some steps of it, placed on a page (from 1), mm."""

    block: Block
    page: int
    x: float
    y: float
    w: float
    h: float
    first: int
    end: int


class BookHelper:
    """Lays out books for templates."""

    def __init__(
        self,
        assets: AssetFinder,
        texts: TextHelpers,
        pictures: PictureHelper,
        components: Record,
        word: Callable[[str], str],
        palette: Palette,
        current: CurrentFace,
        tracker: Tracker,
    ) -> None:
        self._assets = assets
        self.texts = texts
        self.pictures = pictures
        self._components = components
        self._word = word
        self._palette = palette
        self._current = current
        self._reading = tracker.source("document", self._content)

    def book(
        self,
        path: Any,
        page: int,
        x: float,
        y: float,
        w: float,
        h: float,
        pages: int | None = None,
        columns: int = 1,
        gap: float = 6,
        body: str = "body",
        head: str = "title",
        colour: Any = None,
        tint: Any = "#eeeeee",
    ) -> Markup:
        """Draw one page, from 1, of a text in the pack's folder, in a box of w x h mm with its
        corner at (x, y). Columns are `gap` mm apart. More than `pages` pages are an error."""
        name = as_text(path)
        self._reading(str(name))
        blocks, file = self._blocks(name)
        wide = size(w, "w"), size(h, "h")
        count = parts(columns, "columns", 1)
        column = (wide[0] - number(gap, "gap") * (count - 1)) / count
        if column < 10:
            raise ValueError("columns of less than 10 mm")
        look = _BookLook(body, head, colour, tint)
        page = parts(page, "page", 1)
        sheet = _BookPages(self, file, look, column, wide[1], count, number(gap, "gap"))
        placed = tuple(sheet.placed(blocks))
        last = max((one.page for one in placed), default=0)
        if pages is not None and page == pages < last:
            first = next(one for one in placed if one.page > pages)
            message = f"the text takes {last} pages, but there are only {pages}"
            hint = f"make it shorter, or give it {last} pages"
            self.blame(Span(file, first.block.line), "GP401", message, hint)
            for one in placed:  # of what has no page yet the faults are fault all the same
                if one.page > pages:
                    sheet.drawn(one, [])
        here = [replace(one, x=one.x + x, y=one.y + y) for one in placed if one.page == page]
        listed = _listed(blocks)
        headings = [one for one in placed if one.block in listed]
        return Markup("").join(sheet.drawn(one, headings) for one in here)

    def _blocks(self, name: str) -> tuple[tuple[Block, ...], str]:
        """Return the blocks of a document, and its name in messages."""
        builder = self._current.builder
        source = name.span if isinstance(name, SourceText) else None
        place = source or builder.component.span
        try:
            path, text = self._assets.document(str(name), place)
        except GridpressError as error:
            builder.blame_error(error, source)
            return (), str(name)
        folder = builder.component.span.file.rpartition("/")[0]
        return read_blocks(text), f"{folder}/{path.name}" if folder else path.name

    def _content(self, name: str) -> str | None:
        try:
            path, text = self._assets.document(name, Span(name))
            return f"{path.name}\n{text}"
        except GridpressError:
            return None

    def words(self, text: str, file: str, line: int) -> SourceText:
        """Return a text with the words of the locale, and with names for references to components
        (GP205)."""

        def named(found: re.Match[str]) -> str:
            said, kind, id_ = found.groups()
            known = self._components.get(kind.replace("-", "_"))
            one = next((c for c in known or () if c.get("id") == id_), None)
            if one is None:
                message = f"there is no {kind} {id_!r}"
                near = did_you_mean(id_, [str(c.get("id")) for c in known or ()])
                if known is None:
                    message = f"there is no kind {kind!r}"
                    near = did_you_mean(kind, [k.replace("_", "-") for k in self._components])
                self.blame(Span(file, line), "GP205", message, near)
                return said or id_
            return said or str(one.get("name") or id_)

        said = with_words(text, self._word)
        return SourceText(_REFERENCE.sub(named, said), Span(file, line), rich=True)

    def blame(self, span: Span, code: str, message: str, hint: str) -> None:
        """Report a fault once, though blocks are measured and drawn."""
        fault, builder = Diagnostic(span, code, message, hint), self._current.builder
        if fault not in [finding.diagnostic for finding in builder.findings]:
            builder.blame_value(fault)

    def paint(self, colour: Any) -> str:
        """Return a colour of the palette, or black."""
        return "#000000" if colour is None else self._palette.paint(colour)


class _BookPages(Struct, frozen=True):
    """The columns of a book's pages."""

    book: BookHelper
    file: str
    look: _BookLook
    column: float
    height: float
    columns: int
    gap: float

    def placed(self, blocks: Sequence[Block]) -> Iterator[_PlacedBlock]:
        """Yield every block on its page, in as many parts as it takes."""
        listed = _listed(blocks)
        measured = [self._measured(block, listed) for block in blocks]
        measured = [replace(one, spills=one.height() > self.height + _AIR) for one in measured]
        place, y = 0, 0.0
        for at, (block, one) in enumerate(zip(blocks, measured, strict=True)):
            if block.kind in (BlockKind.PAGE, BlockKind.COLUMN):
                if y > 0 or block.kind is BlockKind.COLUMN:
                    place, y = self._next(place, block.kind), 0.0
                continue
            first = 0
            while first < len(one.steps):
                before = 0.0 if y == 0 else self._gap(blocks[at - 1], block)
                room = self.height + _AIR - y - before
                end = one.end(first, room)
                if y > 0 and (end == first or (first == 0 and self._waits(measured, at, room))):
                    place, y = place + 1, 0.0
                    continue
                if end == first:
                    line, hint = Span(self.file, block.line), "split it into several paragraphs"
                    self.book.blame(line, "GP401", "this is taller than a page", hint)
                    break
                x, page = (place % self.columns) * (self.column + self.gap), place // self.columns
                high = one.height(first, end)
                yield _PlacedBlock(block, page + 1, x, y + before, self.column, high, first, end)
                first, y = end, y + before + high

    def _next(self, place: int, kind: BlockKind) -> int:
        return place + 1 if kind is BlockKind.COLUMN else (place // self.columns + 1) * self.columns

    def _waits(self, measured: Sequence[_Measured], at: int, room: float) -> bool:
        """Return True if a block moves to the next column: one that keeps together, or one that
        leads and has no room for what follows."""
        one, high = measured[at], measured[at].height()
        if (one.keeps and high > room) or (one.spills and one.least > room):
            return True
        while measured[at].leads and at + 1 < len(measured):
            at += 1
            high += self._gap(measured[at - 1].block, measured[at].block) + measured[at].least
            if high > self.height:
                return False
        return one.leads and high > room

    def _gap(self, before: Block, block: Block) -> float:
        if block.kind is BlockKind.HEADING:
            return _GAP * (2.4 if block.level == 1 else 1.8)
        if block.kind is before.kind is BlockKind.ITEM:
            return _GAP * 0.4
        return _GAP * (0.75 if before.kind is BlockKind.HEADING else 1)

    def _measured(self, block: Block, listed: Sequence[Block]) -> _Measured:
        texts, look = self.book.texts, self.look
        words = self._words(block.text, block.line)
        match block.kind:
            case BlockKind.UNKNOWN:
                hint = "write it as a paragraph; lines that begin with four blanks are code"
                place = Span(self.file, block.line)
                self.book.blame(place, "GP401", "code cannot be printed in a book", hint)
                steps: tuple[float, ...] = ()
            case BlockKind.TABLE:
                head, *rows = self._rows(block)
                return _Measured(block, tuple(rows), head) if rows else _Measured(block, (head,))
            case BlockKind.CONTENTS:
                steps = tuple(self._entry(one, listed)[2] for one in listed)
            case BlockKind.PICTURE:
                caption = texts.text_height(words, self.column, look.body, 8) + 1.2 if words else 0
                steps = (self._picture(block)[1] + caption,)
            case BlockKind.HEADING:
                high = texts.text_height(words, self.column, look.head, _size(block.level))
                steps = (high,) if words else ()
            case _:
                first, *others = texts.line_heights(words, self._wide(block), look.body) or (0.0,)
                line = others[0] if others else first
                more = 4 if block.kind is BlockKind.NOTE else 0
                steps = (line, *others) if words else ()
                return _Measured(block, steps, first - line + more)
        return _Measured(block, steps)

    def _wide(self, block: Block) -> float:
        if block.kind is BlockKind.ITEM:
            return self.column - _INDENT * (block.level + 1)
        return self.column - (6 if block.kind is BlockKind.NOTE else 0)

    def _entry(self, heading: Block, listed: Sequence[Block]) -> tuple[SourceText, float, float]:
        """Return the words of a heading in the contents, their indent and their height."""
        words = self._words(heading.text, heading.line)
        left = _INDENT * (heading.level - min(one.level for one in listed))
        wide = self.column - left - _NUMBER
        return words, left, self.book.texts.text_height(words, wide, self.look.body) + _GAP / 2

    def _words(self, text: str, line: int) -> SourceText:
        return self.book.words(text, self.file, line)

    def _picture(self, block: Block) -> tuple[float, float]:
        place = Span(self.file, block.line)
        ratio = self.book.pictures.ratio(SourceText(block.path, place))
        wide = self.column * block.wide
        high = min(wide * ratio, self.height * _TALLEST)
        return high / ratio, high

    def _widths(self, block: Block) -> list[float]:
        """Return the widths of a table's columns: as wide as their words, if there is room."""
        count = max(map(len, block.rows))
        wanted = [1.0] * count
        for row in block.rows:
            for at, cell in enumerate(row):
                words = str(self._words(cell, block.line))
                wide = self.book.texts.text_width(words, self.look.body, rich=True) + 2 * _CELL
                wanted[at] = max(wanted[at], min(wide + 0.5, self.column * 0.6))
        share = self.column / summed(wanted)
        return [wide * share for wide in wanted]

    def _rows(self, block: Block) -> list[float]:
        widths = self._widths(block)
        return [
            max(
                self.book.texts.text_height(
                    str(self._words(cell, block.line)), wide - 2 * _CELL, self.look.body, rich=True
                )
                for cell, wide in zip(row, widths, strict=False)
            )
            + 2 * _CELL * 0.7
            for row in block.rows
            if row
        ]

    def drawn(self, one: _PlacedBlock, headings: Sequence[_PlacedBlock]) -> Markup:
        """Draw a placed block."""
        words = self._words(one.block.text, one.block.line)
        match one.block.kind:
            case BlockKind.ITEM:
                made = self._item(one, words)
            case BlockKind.NOTE:
                made = self._note(one, words)
            case BlockKind.TABLE:
                made = self._table(one)
            case BlockKind.PICTURE:
                made = self._shown(one, words)
            case BlockKind.CONTENTS:
                made = self._contents(one, headings)
            case BlockKind.HEADING:
                box = words, one.x, one.y, one.w, one.h + _AIR, self.look.head
                points = _size(one.block.level)
                made = self.book.texts.text_box(*box, size=points, colour=self.look.colour)
            case _:
                made = self._lines(one, words, one.x, one.y)
        return made

    def _note(self, one: _PlacedBlock, words: SourceText) -> Markup:
        box = (
            f'<rect x="{mm(one.x)}" y="{mm(one.y)}" width="{mm(one.w)}" '
            f'height="{mm(one.h)}" rx="1.5" fill="{self.book.paint(self.look.tint)}"/>'
        )
        return Markup(box) + self._lines(one, words, one.x + 3, one.y + 2)  # noqa: S704

    def _lines(self, one: _PlacedBlock, words: SourceText, x: float, y: float) -> Markup:
        wide, lines = self._wide(one.block), (one.first, one.end)
        return self.book.texts.text_part(words, x, y, wide, self.look.body, lines)

    def _item(self, one: _PlacedBlock, words: SourceText) -> Markup:
        texts, look = self.book.texts, self.look
        left = one.x + _INDENT * (one.block.level + 1)
        text = self._lines(one, words, left, one.y)
        if one.first:
            return text
        if one.block.mark:
            high = texts.text_height(one.block.mark, _INDENT * 2, look.body)
            return text + texts.text_box(
                one.block.mark, left - _INDENT * 2, one.y, _INDENT * 2 - 1, high + _AIR, look.body,
                align="right", colour=look.colour,
            )  # fmt: skip
        line = texts.text_height("x", 50, look.body)
        dot = (
            f'<circle cx="{mm(left - 2)}" cy="{mm(one.y + line * 0.52)}" r="0.55" '
            f'fill="{self.book.paint(look.colour)}"/>'
        )
        return text + Markup(dot)  # noqa: S704

    def _table(self, one: _PlacedBlock) -> Markup:
        texts, look = self.book.texts, self.look
        made, y = Markup(""), one.y
        widths = self._widths(one.block)
        every = list(zip(one.block.rows, self._rows(one.block), strict=True))
        for at, (row, high) in enumerate([every[0], *every[1 + one.first : 1 + one.end]]):
            x = one.x
            for cell, wide, align in zip(row, widths, one.block.aligns, strict=False):
                x += wide
                if not cell:
                    continue
                words = self._words(f"**{cell}**" if at == 0 else cell, one.block.line)
                made += texts.text_box(
                    words, x - wide + _CELL, y + _CELL * 0.7, wide - 2 * _CELL,
                    high - 2 * _CELL * 0.7 + _AIR, look.body, align=align,
                )  # fmt: skip
            y += high
            paint = self.book.paint(look.colour)
            rule = _RULE.format(mm(one.x), mm(y), mm(one.w), paint, 0.4 if at == 0 else 0.15)
            made += Markup(rule)  # noqa: S704
        return made

    def _shown(self, one: _PlacedBlock, words: SourceText) -> Markup:
        wide, high = self._picture(one.block)
        path = SourceText(one.block.path, Span(self.file, one.block.line))
        left = one.x + (one.w - wide) / 2
        made = self.book.pictures.image(path, left, one.y, wide, high, "contain")
        if words:
            below = one.x, one.y + high + 1.2, one.w, one.h - high - 1.2 + _AIR
            made += self.book.texts.text_box(
                words, *below, self.look.body, size=8, align="center", colour=self.look.colour
            )
        return made

    def _contents(self, one: _PlacedBlock, headings: Sequence[_PlacedBlock]) -> Markup:
        texts, look = self.book.texts, self.look
        made, y, right = Markup(""), one.y, one.x + one.w
        for to in headings[one.first : one.end]:
            words, left, high = self._entry(to.block, [heading.block for heading in headings])
            made += texts.text_box(words, one.x + left, y, one.w - left - _NUMBER, high, look.body)
            number = str(to.page), right - _NUMBER + 1, y, _NUMBER - 1, high, look.body
            made += texts.text_box(*number, align="right")
            y += high
        return made


def _listed(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the headings for the contents: those after it; all if it is at the end."""
    line = next((block.line for block in blocks if block.kind is BlockKind.CONTENTS), 0)
    every = [one for one in blocks if one.kind is BlockKind.HEADING and one.level < 3 and one.text]
    return [one for one in every if one.line > line] or every


def _size(level: int) -> float:
    return _SIZES[min(level, len(_SIZES)) - 1]
