"""Reads the Markdown-like text of a book into blocks. The text of a block, with **bold** and
{icons}, stays as it is."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it.token import Token

_PICTURE: Final = re.compile(r'!\[([^\]]*)\]\(([^()\s"]+)(?:\s+"(\d{1,3})%")?\)')
_CONTENTS: Final = "[contents]"
_WIDE: Final = "\u2003"
"""A space of 1 em: the indent of items in a note."""
_ENDS_A_NOTE: Final = frozenset(
    ("blockquote_close", "heading_open", "hr", "table_open", "fence", "code_block", "html_block")
)


class BlockKind(StrEnum):
    """The kind of a block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    NOTE = "note"
    TABLE = "table"
    PICTURE = "picture"
    CONTENTS = "contents"
    PAGE = "page"
    COLUMN = "column"
    UNKNOWN = "unknown"


class Block(Struct, frozen=True):
    """One block and its first line, from 1.

    `level` is that of a heading, from 1, or of an item, from 0. `mark` is before an item, empty for
    a dot. The first of the `rows` of a table is its head; `aligns` are the alignments of its
    columns. A picture has a `path`, a caption as `text`, and `wide`, its part of the column.
    """

    kind: BlockKind
    line: int
    text: str = ""
    level: int = 0
    mark: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    aligns: tuple[str | None, ...] = ()
    path: str = ""
    wide: float = 1.0


@functools.lru_cache(8)  # for each page of a book anew
def read_blocks(text: str) -> tuple[Block, ...]:
    """Return all blocks of a text. A block that cannot be printed, such as code, is UNKNOWN."""
    from markdown_it import MarkdownIt  # noqa: PLC0415, few packs have a book

    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable("table")
    return tuple(_blocks(reader.parse(text)))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    around = _Around()
    for at, token in enumerate(tokens):
        line = (token.map or [0])[0] + 1
        around.see(token)
        if around.in_table and token.type != "table_open":
            continue
        if token.type in _ENDS_A_NOTE:
            yield from around.note()
        match token.type:
            case "heading_open" if token.markup == "-":  # words right above a line of dashes
                yield _paragraph(tokens[at + 1].content, line, around)
                yield Block(BlockKind.PAGE, line)
            case "heading_open":
                yield Block(BlockKind.HEADING, line, tokens[at + 1].content, int(token.tag[1:]))
            case "paragraph_open":
                yield from around.met(_paragraph(tokens[at + 1].content, line, around))
            case "hr":
                yield Block(
                    BlockKind.COLUMN if token.markup.startswith("*") else BlockKind.PAGE, line
                )
            case "table_open":
                yield Block(
                    BlockKind.TABLE, line, rows=tuple(_rows(tokens, at)), aligns=_aligns(tokens, at)
                )
            case "fence" | "code_block" | "html_block":
                yield Block(BlockKind.UNKNOWN, line, token.content)


class _Around:
    """The lists and notes around a block."""

    def __init__(self) -> None:
        self.numbers: list[int | None] = []
        self.notes = 0
        self.outside = 0  # lists that the note stands in, not they in it
        self.in_table = False
        self.mark = ""
        self.noted: list[Block] = []

    def met(self, block: Block) -> Iterator[Block]:
        """Return a paragraph and the note before it; nothing yet if it belongs to a note."""
        if self.notes and block.kind in (BlockKind.NOTE, BlockKind.ITEM):
            self.noted.append(block)
        else:
            yield from self.note()
            yield block

    def note(self) -> Iterator[Block]:
        """Return the paragraphs and items of a note as one block."""
        text, before = "", None
        for block in self.noted:
            is_item = block.kind is BlockKind.ITEM
            parted = "\\\n" if is_item and before is BlockKind.ITEM else "\n\n"
            mark = _WIDE * block.level + (block.mark or "\u2022") + " " if is_item else ""
            text += (parted if text else "") + mark + block.text
            before = block.kind
        if self.noted:
            yield Block(BlockKind.NOTE, self.noted[0].line, text)
        self.noted = []

    def see(self, token: Token) -> None:
        way = 1 if token.type.endswith("_open") else -1
        match token.type.removesuffix("_open").removesuffix("_close"):
            case "bullet_list" | "ordered_list" if way < 0:
                self.numbers.pop()
            case "bullet_list":
                self.numbers.append(None)
            case "ordered_list":
                self.numbers.append(int(token.attrs.get("start", 1)))
            case "list_item" if way > 0:
                number = self.numbers[-1]
                self.mark = "" if number is None else f"{number}."
                self.numbers[-1] = None if number is None else number + 1
            case "blockquote":
                self.outside = self.outside if self.notes else len(self.numbers)
                self.notes += way
            case "table":
                self.in_table = way > 0


def _paragraph(text: str, line: int, around: _Around) -> Block:
    picture = _PICTURE.fullmatch(text.strip())
    if text.strip().lower() == _CONTENTS:
        return Block(BlockKind.CONTENTS, line)
    if picture is not None:
        share = min(100, max(5, int(picture[3] or 100))) / 100
        return Block(BlockKind.PICTURE, line, picture[1], path=picture[2], wide=share)
    deep = len(around.numbers) - (around.outside if around.notes else 0)
    if deep:
        return Block(BlockKind.ITEM, line, text, deep - 1, around.mark)
    return Block(BlockKind.NOTE if around.notes else BlockKind.PARAGRAPH, line, text)


def _aligns(tokens: list[Token], at: int) -> tuple[str | None, ...]:
    end = next(n for n in range(at, len(tokens)) if tokens[n].type == "tr_close")
    heads = [token for token in tokens[at:end] if token.type == "th_open"]
    return tuple(str(head.attrs.get("style") or "").partition(":")[2] or None for head in heads)


def _rows(tokens: list[Token], at: int) -> Iterator[tuple[str, ...]]:
    row: list[str] = []
    for place in range(at, len(tokens)):
        before = tokens[place]
        if before.type in ("th_open", "td_open"):
            row.append(tokens[place + 1].content)
        elif before.type == "tr_close":
            yield tuple(row)
            row = []
        elif before.type == "table_close":
            return
