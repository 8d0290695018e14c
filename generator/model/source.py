"""YAML nodes and rows of tables that know their place, before anything is interpreted.

msgspec reads these structs back ten times as fast as YAML.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Mapping_
from collections.abc import Sequence as Sequence_
from itertools import islice
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Span, plain, shortened, warning

RESERVED: Final = frozenset("id and or not in is if else true false none".split())
"""Names that no field can have: `id`, and words of expressions."""
_WORD: Final = re.compile(r"\S+")


class Comment(Struct, frozen=True, array_like=True, gc=False):
    """The rest of a line after #."""

    span: Span
    text: str


class Cell(Struct, frozen=True, array_like=True, gc=False):
    """A table's cell as rich text, and as a number if it is one."""

    rich: str
    number: str = ""


class Scalar(Struct, frozen=True, array_like=True, tag=0, gc=False):
    """Text; `plain` without quotes, so that `null` and `~` mean nothing. `raw` is the text as
    written in its file, if known. `cut` is a comment that may have been meant as text. `cell` is
    set for a cell of a table."""

    text: str
    span: Span
    plain: bool = True
    raw: str = ""
    cut: Comment | None = None
    cell: Cell | None = None

    @property
    def is_null(self) -> bool:
        """Return True for `~`, `null` without quotes, and an empty value or cell."""
        return self.plain and self.text in (("",) if self.cell else ("", "~", "null"))

    def place(self, offset: int) -> Span:
        """Return the place of a character. Lines may be folded, so words are counted. If the word
        is written with escapes, return the place of the whole text."""
        begun = [found.start() for found in _WORD.finditer(self.text, 0, offset + 1)]
        header = self.raw.find("\n") + 1 if self.raw.startswith(("|", ">")) else 0
        quote = 1 if self.raw.startswith(('"', "'")) else 0
        words = _WORD.finditer(self.raw, header + quote)
        written = next(islice(words, max(len(begun) - 1, 0), None), None)
        if not begun or written is None:
            return self.span
        if not self.raw.startswith(self.text[begun[-1] : offset + 1], written.start()):
            return self.span
        at = written.start() + offset - begun[-1]
        line = self.raw.count("\n", 0, at)
        column = at - self.raw.rfind("\n", 0, at) if line else self.span.column + at
        return Span(self.span.file, self.span.line + line, column)


class Sequence(Struct, frozen=True, array_like=True, tag=1):
    """A list of nodes."""

    items: tuple[Node, ...]
    span: Span


class Mapping(Struct, frozen=True, array_like=True, tag=2):
    """Keys and values in the order of the file; keys are unique."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """Return the value of a key, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def keys(self) -> Iterator[str]:
        """Yield the keys as text."""
        return (name.text for name, _ in self.entries)

    def without(self, *names: str) -> Mapping:
        """Return the mapping without some keys."""
        return Mapping(tuple(e for e in self.entries if e[0].text not in names), self.span)


Node = Scalar | Sequence | Mapping
_APART: Final = "a comment has two spaces before the # and one after it"


def cut_off(node: Node, path: str) -> Iterator[Diagnostic]:
    """Warn (GP111) about a comment that may belong to a text; `path` names the text."""
    if isinstance(node, Scalar) and node.cut is not None:
        said, whole = node.cut.text, f"{node.text} {node.cut.text}".strip()
        message = f"{path}: YAML takes {shortened(said, 40)!r} for a comment, not for text"
        quoted = json.dumps(shortened(whole, 80), ensure_ascii=False)
        hint = f"if it is text, put the whole in quotes: {quoted}"
        yield warning(node.cut.span, "GP111", message, f"{hint}\n{_APART}")


class Document(Struct, frozen=True):
    """A file: its name as the user would type it, and its root node."""

    file: str
    root: Node


_LONGEST_ID: Final = 80
_NOT_IN_IDS: Final = re.compile(r"[^a-z0-9]+")
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | {"ä": "ae", "ö": "oe", "ü": "ue"}
)


def as_id(name: str) -> str:
    """Return a name as an id: `Über-Goat!` is `ueber-goat`, `Дракон` is `drakon`; "" if nothing is
    left."""
    whole = unicodedata.normalize("NFC", name).casefold()
    parts = unicodedata.normalize("NFKD", whole.translate(_LETTERS))
    plain = "".join(letter for letter in parts if not unicodedata.combining(letter))
    if not plain.isascii():
        plain = "".join(map(_in_latin, plain)).lower()
    words = _NOT_IN_IDS.sub("-", plain.replace("'", "").replace("’", ""))
    return words.strip("-")[:_LONGEST_ID].strip("-")


def _in_latin(letter: str) -> str:
    if letter.isascii() or not letter.isalnum():
        return letter
    # Slow to import, and few names need it.
    from anyascii import anyascii  # noqa: PLC0415

    return anyascii(letter)


class FreeIds:
    """Ids that are not used yet."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)
        self._numbers: defaultdict[str, int] = defaultdict(lambda: 1)

    def take(self, base: str) -> str:
        """Return the id itself, or `base-2`, `base-3` and so on."""
        id_ = base
        while id_ in self._used:
            self._numbers[base] += 1
            id_ = f"{base[: _LONGEST_ID - 6]}-{self._numbers[base]}"
        self._used.add(id_)
        return id_


WORD: Final = "[["
"""The beginning of a word that a locale may replace."""
_PLACE: Final = re.compile(
    r"(?<!\\)(?P<before>(?:\\\\)*+)(?P<kept>\\?+)(?P<place>\[\[\s*+(?P<word>[^\[\]]++)\]\])"
)
"""A word that a locale may replace, with the backslashes before it: [[Whip]]."""


def with_words(text: str, word: Callable[[str], str]) -> str:
    r"""Replace each [[Whip]] by the `word` for Whip. `\[[Whip]]` loses its backslash and keeps the
    brackets."""

    def said(found: re.Match[str]) -> str:
        return found["before"] + (found["place"] if found["kept"] else word(found["word"].rstrip()))

    return _PLACE.sub(said, text) if WORD in text else text


def without_words(text: str) -> str:
    """Escape brackets so that `with_words` keeps them."""
    return _PLACE.sub(lambda found: f"{found['before']}\\{found['place']}", text)


def words_of(locale: Document | None) -> dict[str, str]:
    """Return a locale file's words for templates. Load reports faulty ones."""
    words = locale.root.get("words") if locale and isinstance(locale.root, Mapping) else None
    if not isinstance(words, Mapping):
        return {}
    return {key.text: node.text for key, node in words.entries if isinstance(node, Scalar)}


class ComponentSource(Struct, frozen=True):
    """A component as written: its kind and its node."""

    kind: Scalar
    node: Mapping

    @property
    def id(self) -> str:
        """Return its id, "" if it has none."""
        node = self.node.get("id")
        return node.text if isinstance(node, Scalar) else ""


class PackSource(Struct, frozen=True):
    """All files of a pack, read but not interpreted.

    It is not `complete` if something could not be read: missing names may be there. `written` are
    the components before a `locale` replaced words in their texts.
    """

    name: str
    pack: Document
    kinds: tuple[Document, ...]
    components: tuple[ComponentSource, ...]
    styles: Document | None = None
    locale: Document | None = None
    written: tuple[ComponentSource, ...] = ()
    complete: bool = True
    required: tuple[PackSource, ...] = ()
    face_files: Mapping_[str, Document] = field(default_factory=dict)

    @property
    def lenders(self) -> tuple[PackSource, ...]:
        """Return all packs that it needs, nearest first."""
        found = {source.name: source for source in self.required}
        asked = list(found.values())
        for source in asked:
            for further in source.required:
                if further.name not in found:
                    found[further.name] = further
                    asked.append(further)
        return tuple(asked)

    @property
    def requires(self) -> tuple[str, ...]:
        """Return the names of all packs that it needs, nearest first."""
        return tuple(source.name for source in self.lenders)


_Row = tuple[Scalar, ...]
"""The filled cells of a row; each knows its column."""
_BETWEEN: Final = re.compile(r"[\s\-]+")
_UNSEEN: Final = "\u200b\u200e\u200f\u2060\ufeff"
_LONG: Final = 40
_SUMS: Final = ("total", "totals", "sum", "summe", "gesamt", "somme", "suma", "σ", "∑")
AMOUNT: Final = re.compile(r"\D{0,3}[0-9]+([., '’][0-9]+)*\D{0,3}")
"""A number as people write it: `1,50 €`, `007`."""
_COUNTED: Final = {
    word: str(number)
    for number, words in enumerate((
        "zero none null keine zéro cero", "one eins ein eine einmal once un une uno una один",
        "two zwei twice deux dos два", "three drei trois tres три", "four vier quatre cuatro",
        "five fünf cinq cinco пять", "six sechs seis шесть", "seven sieben sept siete семь",
        "eight acht huit ocho восемь", "nine neun neuf nueve девять", "ten zehn dix diez десять",
        "eleven elf onze once", "twelve zwölf douze doce",
    ))
    for word in words.split()
}  # fmt: skip
"""Numbers written as words."""
_HOW_MANY: Final = re.compile(r"#\s*(of|no\.?|number|qty|copies|count|cards)\b.*", re.IGNORECASE)


def sound_heads(rows: Iterable[_Row]) -> tuple[list[_Row], list[str]]:
    """Return the rows with a complete head of unique names, without a title above it, and notes on
    the changes. `# of dice` is a number of dice, not a private column."""
    table = [row for row in rows if row]
    notes = []
    while len(table) > 1 and len(table[0]) == 1 < len(table[1]):
        title = table.pop(0)[0]
        notes.append(f"row {title.span.line}, {_short(title.text)}, is left out: it is a title")
    if not table:
        return table, notes
    heads = {cell.span.column: cell for cell in table[0]}
    if len(table) > 2 and _is_under_heads(table[1], heads):
        notes.append(f"row {table[1][0].span.line} is the second row of the heads")
        heads |= {cell.span.column: cell for cell in table.pop(1)}
    for column in _nameless(table[1:], heads):
        heads[column] = replace(table[0][0], text=f"Column {column}", span=_beside(table, column))
        notes.append(f"column {column} has no head: it is called Column {column}")
    seen: set[str] = set()
    for column, cell in sorted(heads.items()):
        text = cell.text
        if _HOW_MANY.fullmatch(text) and _are_counts(_cells_of(table[1:], column)):
            text = f"number {text[1:].strip()}"
        elif text.startswith("#"):
            notes.append(f"{_short(text)} is left out: a head that begins with # is for you alone")
        once = _once(text, seen)
        if once != text:
            notes.append(f"{_short(text)} heads two columns: the second is {_short(once)}")
        heads[column] = replace(cell, text=once)
    return [tuple(heads[column] for column in sorted(heads)), *table[1:]], notes


def _is_under_heads(row: _Row, heads: Mapping_[int, Scalar]) -> bool:
    """Return whether a row has the heads of columns that share one above it, and of those only. A
    cell over both rows has its head in both."""
    own = [cell for cell in row if cell.text != getattr(heads.get(cell.span.column), "text", "")]
    columns = {cell.span.column for cell in own}
    return (
        bool(columns - {*heads})
        and min(heads) not in columns
        and not any(AMOUNT.fullmatch(cell.text) for cell in own)
        and all(column - 1 in columns for column in columns - {*heads})
    )


def _nameless(rows: Sequence_[_Row], heads: Mapping_[int, Scalar]) -> list[int]:
    """Return columns without a head that most rows fill; others come from a surplus comma."""
    filled = Counter(cell.span.column for row in rows for cell in row)
    return sorted(c for c, n in filled.items() if c not in heads and n > 1 and 2 * n > len(rows))


def _beside(table: Sequence_[_Row], column: int) -> Span:
    where = table[0][0].span
    return Span(where.file, where.line, column)


def _once(head: str, seen: set[str]) -> str:
    """Return the head, or `head 2` if it names a field that is taken."""
    text, count = head, 1
    while field_name(text) in seen:
        count += 1
        text = f"{head} {count}"
    seen.add(field_name(text))
    return text


def _cells_of(rows: Iterable[_Row], column: int) -> list[str]:
    return [cell.text for row in rows for cell in row if cell.span.column == column]


def field_name(head: str) -> str:
    """Return the field that a head names: `Card Name` is `card_name`."""
    return _BETWEEN.sub("_", bare(head).lower())


def bare(text: str) -> str:
    """Return a text without blanks and invisible signs around it."""
    return text.strip().strip(_UNSEEN).strip()


def _short(text: str) -> str:
    return plain(" ".join(text.split())[:_LONG])


def in_digits(cells: Iterable[str]) -> Iterator[str]:
    """Yield the cells with digits in place of number words."""
    return (_COUNTED.get(cell.casefold(), cell) for cell in cells)


def _are_counts(cells: Iterable[str]) -> bool:
    return all(cell.isdigit() for cell in in_digits(cells))


def is_sum(row: Mapping, above: Sequence_[Mapping]) -> bool:
    """Return True for a row of sums: `Total | | 54`, or one without words, or `Total cards`, whose
    numbers are the sums of those `above`."""
    numbers, words = _amounts(row)
    if not numbers or len(words) > 1 or (words and words[0].split()[0] not in _SUMS):
        return False
    return is_total(row) or any(
        number.isdigit() and int(number) == _summed(above, key) for key, number in numbers.items()
    )


def is_total(row: Mapping) -> bool:
    """Return True for a row that says so itself: `Total | | 54`."""
    numbers, words = _amounts(row)
    named = row.entries[0][0].text if row.entries else ""
    return bool(numbers) and named not in numbers and len(words) == 1 and words[0] in _SUMS


def _amounts(row: Mapping) -> tuple[dict[str, str], list[str]]:
    """Return the numbers of a row by column, and its other cells."""
    cells = {
        key.text: node.text.strip()
        for key, node in row.entries
        if isinstance(node, Scalar) and node.text.strip()
    }
    numbers = {key: text for key, text in cells.items() if AMOUNT.fullmatch(text)}
    return numbers, [text.rstrip(":").casefold() for k, text in cells.items() if k not in numbers]


def _summed(rows: Sequence_[Mapping], key: str) -> int | None:
    """Return the sum of a column of at least two whole numbers."""
    cells = [node.text for row in rows if isinstance(node := row.get(key), Scalar) and node.text]
    return sum(map(int, cells)) if len(cells) > 1 and all(map(str.isdigit, cells)) else None
