"""Write values as YAML, in the style of the value that they replace or of one beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import yaml
from msgspec import Struct
from msgspec.structs import replace

from generator.edits.changes import UnfitEditError, as_loaded
from generator.edits.yaml_tree import LIST, MAPPING, SCALAR, YamlNode

WIDTH: Final = 96
"""Columns of a line of text."""
_TEXTS: Final[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_STEP: Final = 2
_NARROW: Final = 20
_PLAIN: Final = re.compile(r"(?!---|\.\.\.)(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`].*|[-?:][^\s,\[\]{}].*)")
_NOT_PLAIN: Final = re.compile(r":(?:\s|\Z)|\s#|\t|\s\Z")
_NOT_IN_FLOW: Final = re.compile(r"[,\[\]{}:?]")
_NO_TEXT: Final = ("", "~", "null", "Null", "NULL", "<<", "=")
_ESCAPED: Final = re.compile(
    "[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_HEADER: Final = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)?")


class TextSpot(Struct, frozen=True):
    """A place for a value: the column of the items around it, the column where it begins, whether
    brackets are around it, the end of lines, and the value whose style it takes."""

    outer: int
    column: int
    flow: bool
    newline: str
    like: YamlNode | None = None
    written: str = ""
    """The text of `like`."""


class Written(Struct, frozen=True):
    """A value as text. One that is not `inline` begins on a line of its own. `is_block` ends with
    its line, so that no comment can follow it there."""

    text: str
    inline: bool = True
    is_block: bool = False


def is_plain(text: str, flow: bool) -> bool:
    """Return whether a text on one line needs no quotes."""
    return (
        text not in _NO_TEXT
        and _PLAIN.fullmatch(text) is not None
        and not _NOT_PLAIN.search(text)
        and not _ESCAPED.search(text)
        and not (flow and _NOT_IN_FLOW.search(text))
    )


def key_text(key: str) -> str:
    """Return a key as written."""
    return key if is_plain(key, True) else quoted(key)


def quoted(text: str, sign: str = '"') -> str:
    """Return a text in quotes, in `'` if it can be and is asked for."""
    if sign == "'" and not _ESCAPED.search(text):
        return "'" + text.replace("'", "''") + "'"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnfitEditError("the text has half a character in it") from error
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_ESCAPED.sub(_escape, escaped)}"'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in "\n\t":
        return "\\n" if sign == "\n" else "\\t"
    return f"\\u{ord(sign):04x}"


def written_value(value: Any, spot: TextSpot, *, as_block: bool | None = None) -> Written:
    """Return a value as written. `as_block` asks for a list or mapping with or without brackets."""
    if isinstance(value, dict | list | tuple):
        return _collection(value, spot, as_block)
    if isinstance(value, str):
        return _text(as_loaded(value), spot)
    return Written("null" if value is None else as_loaded(value))


def _collection(value: Any, spot: TextSpot, as_block: bool | None) -> Written:
    in_line = in_brackets(value)
    if as_block is None:
        is_long = len(in_line) + spot.column > WIDTH
        as_block = is_long or _texts_with_lines(value) or _is_table(value)
    if spot.flow or not value or not as_block:
        return Written(in_line)
    column = spot.outer + _STEP
    lines = block_lines(value, replace(spot, outer=column))
    return Written((spot.newline + " " * column).join(lines), inline=False, is_block=True)


def _is_table(value: Any) -> bool:
    """Return True for rows and for named mappings, such as boxes or styles."""
    if isinstance(value, dict):
        return all(isinstance(each, dict) and each for each in value.values())
    return any(isinstance(each, dict) for each in value)


def _texts_with_lines(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_texts_with_lines, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_texts_with_lines, value))
    return isinstance(value, str) and "\n" in value


def in_brackets(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        entries = (f"{key_text(str(key))}: {in_brackets(each)}" for key, each in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(in_brackets, value)) + "]"
    if not isinstance(value, str):
        return "null" if value is None else str(as_loaded(value))
    text = as_loaded(value)
    return text if is_plain(text, True) else _best_quoted(text)


def _best_quoted(text: str) -> str:
    return quoted(text, "'" if '"' in text or "\\" in text else '"')


def block_lines(value: Any, spot: TextSpot) -> Iterator[str]:
    """Yield the entries or items of a value without brackets. They begin at `spot.outer`; each may
    have several lines."""
    like = spot.like
    if isinstance(value, dict):
        known: dict[str, YamlNode] = {}
        if like is not None and like.sort == MAPPING:
            known = {k.text: n for k, n in zip(like.keys, like.items, strict=True)}
        for key, each in value.items():
            yield entry_text(str(key), each, replace(spot, like=known.get(str(key))))
        return
    first = like.items[0] if like is not None and like.sort == LIST and like.items else None
    for each in value:
        yield item_text(each, replace(spot, like=first))


def entry_text(key: str, value: Any, spot: TextSpot) -> str:
    """Return `key: value` as an entry of a mapping at the column `spot.outer`."""
    name = key_text(key)
    as_block = _like_block(value, spot.like)
    made = written_value(value, replace(spot, column=spot.outer + len(name) + 2), as_block=as_block)
    if made.inline:
        return f"{name}: {made.text}"
    return f"{name}:{spot.newline}{' ' * (spot.outer + _STEP)}{made.text}"


def item_text(value: Any, spot: TextSpot) -> str:
    """Return `- value` as an item of a list at the column `spot.outer`."""
    as_block = _like_block(value, spot.like)
    return f"- {written_value(value, replace(spot, column=spot.outer + 2), as_block=as_block).text}"


def _like_block(value: Any, like: YamlNode | None) -> bool | None:
    """Return whether a value like this one has no brackets, or None."""
    sort = MAPPING if isinstance(value, dict) else LIST
    if like is None or like.sort != sort or not isinstance(value, dict | list | tuple):
        return None
    return not like.flow if like.items else None


def _text(text: str, spot: TextSpot) -> Written:
    """Return a text in the style of the text that it replaces, if possible."""
    like = spot.like if spot.like is not None and spot.like.sort == SCALAR else None
    style = _kept_style(text, like, spot.flow) if like else ""
    if like and style != like.style:
        like, spot = None, replace(spot, like=None)
    raw = spot.written if like else ""
    for candidate in chain(_styled(text, style, raw, spot), _usual(text, spot)):
        if _reads_as(text, candidate.text, spot):
            return candidate
    raise UnfitEditError("this text cannot be written into the file")


def _kept_style(text: str, like: YamlNode, flow: bool) -> str:
    """Return the style of the old text, "" if only its own signs or lines asked for it."""
    is_line = "\n" not in text
    if like.style == "|" and is_line and "\n" in like.text:
        return ""
    is_needed = like.style in ("'", '"') and not is_plain(like.text, flow)
    return "" if is_needed and is_plain(text, flow) else like.style


def _styled(text: str, style: str, raw: str, spot: TextSpot) -> Iterator[Written]:
    if style in ("|", ">") and not spot.flow and text.strip("\n"):
        yield from _blocks(text, style, raw, spot)
    elif style in ("'", '"') and not ("\n" in text and style == "'"):
        if "\n" in raw and "\n" not in text:
            yield from _wrapped(quoted(text, style), raw, spot)
        yield Written(quoted(text, style))
    elif not style and "\n" in raw and is_plain(text, spot.flow):
        yield from _wrapped(text, raw, spot)


def _usual(text: str, spot: TextSpot) -> Iterator[Written]:
    if is_plain(text, spot.flow):
        if spot.like is None and not spot.flow and spot.column + len(text) > WIDTH:
            yield from _blocks(text, ">", "", spot)
        yield Written(text)
    elif "\n" in text and not spot.flow and text.strip("\n"):
        yield from _blocks(text, "|", "", spot)
    yield Written(_best_quoted(text))
    yield Written(quoted(text))


def _blocks(text: str, style: str, raw: str, spot: TextSpot) -> Iterator[Written]:
    """Yield a text as a block, folded again if it was; as lines if it cannot be folded."""
    if _ESCAPED.search(text.replace("\n", "")):
        return
    lines = raw.splitlines()[1:]
    filled = [line for line in lines if line.strip()]
    inner = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    said = re.match(r"[|>][-+]?([1-9])", raw)
    inner = max(spot.outer, 0) + int(said[1]) if said else inner
    inner = inner if inner > max(spot.outer, 0) else max(spot.outer, 0) + _STEP
    body = text.rstrip("\n")
    ending = len(text) - len(body)
    chomp = "-" if not ending else "" if ending == 1 else "+"
    digit = str(inner - max(spot.outer, 0)) if body.startswith((" ", "\t", "\n")) else ""
    comment = found[1] or "" if (found := _HEADER.match(raw)) else ""
    for sign in (style, "|") if style == ">" else ("|",):
        if sign == ">":
            if re.search(r"(?:^|\n)[ \t]", body):
                continue
            width = _width(filled)
            parts = re.split(r"(\n+)", body)
            folded = [
                "\n" + part if n % 2 else "\n".join(_folded(part, max(width - inner, _NARROW)))
                for n, part in enumerate(parts)
            ]
            content = "".join(folded)
        else:
            content = body
        written = [" " * inner + line if line else "" for line in content.split("\n")]
        written += [""] * (ending - 1)
        header = f"{sign}{digit}{chomp}{comment}"
        yield Written(spot.newline.join((header, *written)), is_block=True)


def _width(lines: list[str]) -> int:
    """Return the width that lines were folded at: the first line that is full shows it."""
    return max(map(len, lines)) if len(lines) > 1 else WIDTH


def _folded(text: str, width: int, first: int | None = None) -> list[str]:
    """Return a text in lines, broken only at single blanks. The first may be narrower."""
    lines: list[str] = []
    room = width if first is None else first
    for word in re.split(r"(?<=[^ ]) (?=[^ ])", text):
        if lines and len(lines[-1]) + 1 + len(word) <= (room if len(lines) == 1 else width):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _wrapped(text: str, raw: str, spot: TextSpot) -> Iterator[Written]:
    """Yield a text over several lines, as the text that it replaces."""
    further = raw.splitlines()[1:]
    inner = len(further[0]) - len(further[0].lstrip(" "))
    width = max(spot.column + len(raw.splitlines()[0]), *map(len, further))
    inner = inner if inner > max(spot.outer, 0) else max(spot.outer, 0) + _STEP
    lines = _folded(text, max(width - inner, _NARROW), max(width - spot.column, _NARROW))
    yield Written((spot.newline + " " * inner).join(lines))


def _reads_as(text: str, written: str, spot: TextSpot) -> bool:
    """Return whether YAML gives the text back."""
    whole, found = "[{k: " + written + "}]", [{"k": text}]
    if not spot.flow:
        outer = " " * max(spot.outer, 0)
        whole = f"{outer}k: {written}{spot.newline}{outer}z: z"
        found = {"k": text, "z": "z"}  # type: ignore[assignment]
    try:
        return bool(yaml.load(whole, Loader=_TEXTS) == found)  # noqa: S506, only texts
    except yaml.YAMLError:
        return False
