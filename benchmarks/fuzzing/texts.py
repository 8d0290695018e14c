"""Texts in, the same with a few things wrong out.

YAML is broken by its nodes, templates by their tags, tables by their cells, all of them by their
lines and letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

import yaml

from fuzzing import words
from fuzzing.corpus import donors

Change = Callable[[str, Random], str]

MOST: Final = 400_000
"""Characters that a broken text has at most, so that growing it again and again ends."""

_JINJA: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_TAG: Final = re.compile(r"<[^<>]*>")
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:mm|cm|in|pt)?")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_GAP: Final = re.compile(r"\b|(?<=\W)(?=\W)")


def broken(content: bytes, rng: Random, changes: Sequence[Change]) -> bytes:
    """A file with one to four changes, seldom with bytes that are no text."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:  # another change has been there already
        return bytes_broken(content, rng)
    for _ in range(_few(rng)):
        text = rng.choice(changes)(text, rng)[:MOST]
    made = text.encode("utf-8", "surrogatepass")
    return bytes_broken(made, rng) if rng.random() < 0.03 else made


def bytes_broken(content: bytes, rng: Random) -> bytes:
    """Bytes with some flipped, cut away, doubled or put in."""
    data = bytearray(content)
    for _ in range(_few(rng)):
        at, size = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 4, 16, 256))
        match rng.randrange(6):
            case 0:
                data[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = data[at : at + size] * rng.choice((1, 1, 9))
            case 3:
                data[at : at + size] = rng.choice((b"\x00", b"\xff")) * size
            case 4:
                data[at:at] = rng.randbytes(size)
            case 5:
                del data[at if rng.random() < 0.3 else len(data) :]
    return bytes(data)


def _few(rng: Random) -> int:
    return rng.choice((1, 1, 1, 2, 2, 3, 4))


# Changes for all texts.


def _lines(text: str, rng: Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[at : at + rng.choice((1, 1, 2, 9))]
        case 1:
            lines[to:to] = lines[at : at + rng.choice((1, 2, 9))]
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = " " * rng.choice((1, 2, 4, 99)) + lines[at]
        case 4:
            lines[at] = lines[at].lstrip()
        case 5:
            lines[at] = lines[at].rstrip("\n")
    return "".join(lines)


def _letter(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    new = rng.choice((*words.LETTERS, *words.CHARACTERS))
    if rng.random() < 0.2:
        new *= rng.choice((9, 200, 3000))
    return text[:at] + new + text[at + rng.randrange(2) :]


def _grown(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    piece = text[at : at + rng.choice((1, 5, 40, 300))]
    times = rng.choice((2, 9, 90, 1500))
    return text[:at] + piece * min(times, 120_000 // max(1, len(piece))) + text[at:]


_OPENINGS: Final = (
    *(("[[", " "), ("[[a", " "), ("{{", "{{"), ("{", "a"), ("url(#", "url(#"), ("url(", " ")),
    *((" ", " "), ("1", " "), ("1", "0"), ("(", "\\("), ("<a", " b"), ("<", "<"), ("[", "[")),
    *((".", "."), ("-", "-"), ("*", "**"), ("\\", "\\"), (":1", ":1"), (">=1", " ,"), ("#", "#")),
)
"""What opens something, and what it may go on with for ever: nobody closes it."""


def _endless(text: str, rng: Random) -> str:
    opening, more = rng.choice(_OPENINGS)
    at = rng.randrange(len(text) + 1)
    long = opening + more * rng.choice((300, 3000, 60_000))
    if rng.random() < 0.5:
        return _one(_QUOTED, text, rng, f"'{long}!'")
    return text[:at] + long + text[at:]


def _cut(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] if rng.random() < 0.3 else text[:at] + text[at + rng.choice((1, 1, 5, 60)) :]


def _number(text: str, rng: Random) -> str:
    return _one(_NUMBER, text, rng, rng.choice((*words.NUMBERS, *words.LENGTHS)))


def _word(text: str, rng: Random) -> str:
    found = _WORD.findall(text)
    others = (*found, *words.YAML_KEYS, *words.YAML_VALUES) if found else words.YAML_KEYS
    return _one(_WORD, text, rng, rng.choice(others))


def _one(pattern: re.Pattern[str], text: str, rng: Random, new: str) -> str:
    """The text with one of what the pattern finds replaced."""
    places = [found.span() for found in pattern.finditer(text)]
    if not places:
        return text + new
    start, end = rng.choice(places)
    return text[:start] + new + text[end:]


ANY: Final[tuple[Change, ...]] = (_lines, _letter, _grown, _endless, _cut, _number, _word)


# YAML.


@lru_cache(maxsize=64)
def _nodes(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Where the nodes of a YAML text begin and end, and whether each is a scalar."""
    found: list[tuple[int, int, bool]] = []
    seen: set[int] = set()

    def walk(node: yaml.Node, depth: int = 0) -> None:
        if id(node) in seen:  # an alias stands for it: aliases of aliases may be millions
            return
        seen.add(id(node))
        is_scalar = isinstance(node, yaml.ScalarNode)
        found.append((node.start_mark.index, node.end_mark.index, is_scalar))
        if depth < 40 and not is_scalar:
            for child in node.value:
                for one in child if isinstance(child, tuple) else (child,):
                    walk(one, depth + 1)

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader) if len(text) < 60_000 else None
    except (yaml.YAMLError, ValueError, RecursionError):
        root = None
    if root is not None:
        walk(root)
    return tuple(found)


def _node(text: str, rng: Random) -> str:
    """One node replaced by a trap, a known word, an expression, or another node."""
    nodes = _nodes(text)
    if not nodes:
        return _letter(text, rng)
    scalars = [node for node in nodes if node[2]]
    start, end, _ = rng.choice(scalars if scalars and rng.random() < 0.8 else nodes)
    old = text[start:end].rstrip("\n")
    other = rng.choice(nodes)
    new = rng.choice(_NODES)(old, text[other[0] : other[1]].rstrip("\n"), rng)
    return text[:start] + new + text[start + len(old) :]


def _in_quotes(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_NODES: Final[tuple[Callable[[str, str, Random], str], ...]] = (
    lambda old, other, rng: rng.choice(words.TRAPS),
    lambda old, other, rng: rng.choice(words.NUMBERS),
    lambda old, other, rng: rng.choice((*words.YAML_VALUES, *words.LENGTHS)),
    lambda old, other, rng: rng.choice(words.YAML_KEYS),
    lambda old, other, rng: _in_quotes(rng.choice(words.EXPRESSIONS)),
    lambda old, other, rng: other,
    lambda old, other, rng: f"[{old}]" if rng.random() < 0.7 else "[" * 200 + "]" * 200,
    lambda old, other, rng: f"{{{rng.choice(words.YAML_KEYS)}: {old}}}",
    lambda old, other, rng: _in_quotes(_letter(old, rng)),
    lambda old, other, rng: _in_quotes((old or "x") * rng.choice((2, 30, 2000))),
    lambda old, other, rng: "",
)
"""What can stand in the place of a node, given its text and that of another."""


def _anchored(text: str, rng: Random) -> str:
    nodes = _nodes(text)
    if len(nodes) < 2:
        return text
    first, second = sorted(rng.sample(nodes, 2))
    if second[0] < first[1]:
        return text[: first[0]] + "&z " + text[first[0] : second[0]] + "*z" + text[second[1] :]
    return text[: first[0]] + "&z " + text[first[0] : second[0]] + "*z " + text[second[1] :]


def _formula(text: str, rng: Random) -> str:
    """Part of an expression replaced, or one put in its place."""
    scalars = [(start, end) for start, end, is_scalar in _nodes(text) if is_scalar]
    formulas = [span for span in scalars if re.search(r"[|()\[\]+*/<>=]", text[slice(*span)])]
    if not formulas:
        return _node(text, rng)
    start, end = rng.choice(formulas)
    old = text[start:end].rstrip("\n")
    trick = rng.choice(words.EXPRESSIONS)
    match rng.randrange(3):
        case 0:
            new = _in_quotes(trick)
        case 1:
            new = _one(_WORD, old, rng, trick)
        case _:
            new = _in_quotes(
                f"({trick}) {rng.choice('+-*/<>|,')} ({rng.choice(words.EXPRESSIONS)})"
            )
    return text[:start] + new + text[start + len(old) :]


def _given(text: str, rng: Random) -> str:
    """Lines of another file that is shipped."""
    other = rng.choice(donors(".yaml")).splitlines(keepends=True)
    at, size = rng.randrange(len(other) or 1), rng.choice((1, 3, 12))
    lines = text.splitlines(keepends=True)
    to = rng.randrange(len(lines) + 1)
    lines[to : to + rng.choice((0, size))] = other[at : at + size]
    return "".join(lines)


YAML: Final[tuple[Change, ...]] = (*ANY, *(_node,) * 10, _anchored, _given)
FORMULAS: Final[tuple[Change, ...]] = (*YAML, *(_formula,) * 8)


# Templates and drawings.


def _inside(text: str, rng: Random) -> str:
    """What stands in one {{ }} or {% %}, replaced or changed."""
    places = [found.span() for found in _JINJA.finditer(text)]
    if not places:
        return _statement(text, rng)
    start, end = rng.choice(places)
    old = text[start:end]
    match rng.randrange(5):
        case 0:
            new = "{{ " + rng.choice(words.CALLS) + " }}"
        case 1:
            new = "{{ " + rng.choice(words.EXPRESSIONS) + " }}"
        case 2:
            new = _one(_NUMBER, old, rng, rng.choice(words.NUMBERS))
        case 3:
            new = _one(_WORD, old, rng, rng.choice((*words.EXPRESSIONS, *words.CALLS)))
        case _:
            new = _one(_GAP, old, rng, rng.choice((*words.CHARACTERS, *words.EXPRESSIONS)))
    return text[:start] + new + text[end:]


def _statement(text: str, rng: Random) -> str:
    at = rng.choice([found.start() for found in re.finditer(r"^|(?<=[>}])", text, re.MULTILINE)])
    made = f"{{{{ {rng.choice((*words.EXPRESSIONS, *words.CALLS))} }}}}"
    return text[:at] + rng.choice((rng.choice(words.STATEMENTS), made)) + text[at:]


def _element(text: str, rng: Random) -> str:
    at = rng.choice([found.start() for found in re.finditer(r"^|(?<=>)", text, re.MULTILINE)])
    new = "".join(rng.choice(words.SVG) for _ in range(rng.choice((1, 1, 2, 4))))
    return text[:at] + new + text[at:]


def _nested(text: str, rng: Random) -> str:
    """One tag opened many times over."""
    tags = [found[0] for found in _TAG.finditer(text) if found[0][1] not in "/!?"] or ["<g>"]
    tag = rng.choice((*tags, "<g opacity='0.9'>", "<g>")).removesuffix("/>").removesuffix(">")
    name, deep = _WORD.search(tag), rng.choice((3, 60, 400, 1200))
    closing = f"</{name[0]}>" if name else ""
    places = [found.start() for found in _TAG.finditer(text)] or [0]
    at = rng.choice(places)
    inner = rng.choice(words.SVG)
    return text[:at] + (tag + ">") * deep + inner + closing * deep + text[at:]


def _attribute(text: str, rng: Random) -> str:
    others = (
        *words.NUMBERS,
        *words.LENGTHS,
        *words.YAML_VALUES,
        *words.LETTERS,
        "url(#sky)",
        "none",
    )
    quote = rng.choice("\"'")
    return _one(_QUOTED, text, rng, quote + rng.choice(others).replace(quote, "") + quote)


def _drawn(text: str, rng: Random) -> str:
    other = rng.choice((*donors(".svg.j2"), *donors(".svg"))).splitlines(keepends=True)
    at, size = rng.randrange(len(other) or 1), rng.choice((1, 3, 12))
    lines = text.splitlines(keepends=True)
    to = rng.randrange(len(lines) + 1)
    lines[to : to + rng.choice((0, size))] = other[at : at + size]
    return "".join(lines)


TEMPLATE: Final[tuple[Change, ...]] = (
    *ANY,
    *(_inside,) * 8,
    *(_statement,) * 4,
    *(_element,) * 3,
    *(_attribute,) * 3,
    *(_drawn, _nested),
)
DRAWING: Final[tuple[Change, ...]] = (*ANY, *(_element,) * 6, *(_attribute,) * 5, _nested, _drawn)


# Tables.


def _cell(text: str, rng: Random) -> str:
    rows = [line.split(",") for line in text.split("\n")]
    row = rng.choice(rows)
    at = rng.randrange(len(row))
    others = (
        *words.NUMBERS,
        *words.TRAPS,
        *words.YAML_KEYS,
        *words.LETTERS,
        '"',
        '""',
        "",
        "a" * 9,
    )
    match rng.randrange(4):
        case 0:
            row[at] = rng.choice(others)
        case 1:
            row.insert(at, rng.choice(others))
        case 2:
            del row[at]
        case _:
            row[at] = '"' + rng.choice(others) * rng.choice((1, 1, 500)) + '"'
    return "\n".join(",".join(row) for row in rows)


def _separated(text: str, rng: Random) -> str:
    return text.replace(
        *rng.choice(((",", ";"), (",", "\t"), ("\n", "\r\n"), ("\n", "\r"), (",", ", ")))
    )


TABLE: Final[tuple[Change, ...]] = (*ANY, *(_cell,) * 8, _separated)
