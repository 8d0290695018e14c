"""Hypothesis strategies that break a text or a row of bytes in a few places.

Each format has its own parts: the nodes of a YAML file, the tags of a template, the cells of a
table. Words from `words/` replace them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import yaml
from hypothesis import strategies as st

Span = tuple[int, int]
Spans = Callable[[str], Sequence[Span]]
Words = st.SearchStrategy[str]

_MOST: Final = 400_000
"""Characters in a broken text, at most."""
_TIMES: Final = (2, 30, 1500)
_ODD: Final = (
    *("\xad", "\u200b", "\u200d", "\u202e", "\u2066", "\u2028", "\x85", "\ufeff", "\ufffd"),
    *("\u0301", "\u05d0\u05d1", "\ufb01", "\u0130", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    *("\U000e0041", "\U0010fffd", "\u4e2d", "\x00", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x9b"),
    *("\r", "\t", "\x0b", "\ue000", "١٢", *"[]{}():,-?&*!|>'\"%@`#=<>/\\.;~^$+_ \n"),
)
_UNCLOSED: Final = (
    *(("[[", " "), ("{{", "{{"), ("{", "a"), ("url(#", "url(#"), ("1", "0"), ("(", "\\(")),
    *(("<a", " b"), ("<", "<"), ("[", "["), ("*", "**"), (">=1", " ,"), ("#", "#")),
)
_EDGES: Final = (
    *(0, 1, 2, 8, 16, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536, 1 << 20),
    *((1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1),
)


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the lines of a file in `words/`."""
    path = Path(__file__).with_name("words") / f"{name}.txt"
    return tuple(path.read_text(encoding="utf-8").splitlines())


def spans_of(pattern: str) -> Spans:
    """Return a function that finds all matches of a pattern in a text."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda text: [found.span() for found in compiled.finditer(text)]


@lru_cache(maxsize=64)
def _yaml_nodes(text: str) -> Sequence[Span]:
    found: dict[int, Span] = {}

    def walk(node: yaml.Node, depth: int = 0) -> None:
        if id(node) in found or depth > 40:  # an alias leads to a node that is known
            return
        end = node.end_mark.index
        end -= len(text[:end]) - len(text[:end].rstrip("\n"))
        found[id(node)] = (node.start_mark.index, max(node.start_mark.index, end))
        if not isinstance(node, yaml.ScalarNode):
            for child in node.value:
                for one in child if isinstance(child, tuple) else (child,):
                    walk(one, depth + 1)

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader) if len(text) < 60_000 else None
    except (yaml.YAMLError, ValueError, RecursionError):
        return ()
    if root is not None:
        walk(root)
    return tuple(found.values())


_LINES: Final = spans_of(r"[^\n]*\n")
_TOKENS: Final = spans_of(r"-?\d+(?:\.\d+)?(?:mm|cm|in|pt)?|[A-Za-z_]\w*|\"[^\"\n]*\"|'[^'\n]*'")
_TAGS: Final = spans_of(r"\{\{.*?\}\}|\{%.*?%\}|<[^<>]*>|\"[^\"\n]*\"|'[^'\n]*'")
_CELLS: Final = spans_of(r"[^,\n]+|,")

_NUMBERS: Final = st.sampled_from(
    ("0", "-1", "65536", "1e309", "nan", "½", "9" * 5000, "1" + "0" * 400, "0." + "0" * 400 + "1")
)
_LONG: Final = st.builds(
    lambda pair, times: pair[0] + pair[1] * times,
    st.sampled_from(_UNCLOSED),
    st.sampled_from((300, 3000, 60_000)),
)
_ANY: Final = _NUMBERS | st.sampled_from(_ODD) | st.text(max_size=9) | _LONG


def _chosen(*names: str) -> Words:
    return st.sampled_from([word for name in names for word in words(name)])


def _quoted(found: Words) -> Words:
    return found.map(lambda text: "'" + text.replace("'", "''") + "'")


def _tags(found: Words) -> Words:
    return found.map(lambda text: "{{ " + text + " }}")


def _nested(found: Words) -> Words:
    return st.builds(
        lambda inner, deep: "<g opacity='0.9'>" * deep + inner + "</g>" * deep,
        found,
        st.sampled_from((3, 60, 1200)),
    )


_SVG: Final = _chosen("svg")
_EXPRESSIONS: Final = _chosen("expressions")
FORMATS: Final[dict[str, tuple[Spans, Words]]] = {
    "yaml": (_yaml_nodes, _chosen("yaml") | _chosen("yaml") | _quoted(_EXPRESSIONS) | _ANY),
    "formula": (_yaml_nodes, _chosen("yaml") | _quoted(_EXPRESSIONS) | _EXPRESSIONS | _ANY),
    "template": (
        _TAGS,
        _chosen("templates") | _tags(_EXPRESSIONS) | _EXPRESSIONS | _SVG | _nested(_SVG) | _ANY,
    ),
    "svg": (_TAGS, _SVG | _SVG | _nested(_SVG) | _ANY),
    "table": (_CELLS, _chosen("yaml") | st.sampled_from((";", "\t", '"', '""', "\r")) | _ANY),
    "sheet": (_TAGS, _chosen("cells") | _ANY),
    "pdf": (spans_of(r"/\w+|-?\d+|\b[a-zA-Z]+\b|<<|>>|[\[\]()]"), _chosen("pdf")),
    "json": (spans_of(r"\"[^\"]*\"|-?\d[\d.]*|[{}\[\]]|true|false|null"), _chosen("yaml") | _ANY),
}
"""By format: a function that finds parts, and words to replace them."""


@st.composite
def broken_text(draw: st.DrawFn, text: str, form: str) -> str:
    """Break a text of a format in one to four places."""
    own, by = FORMATS[form]
    for _ in range(draw(st.integers(1, 4))):
        spans: Sequence[Span] = ()
        for find in (draw(st.sampled_from((own, own, own, _TOKENS, _LINES))), _TOKENS):
            spans = spans or find(text)
        start, end = draw(st.sampled_from(spans)) if spans else (0, 0)
        match draw(st.integers(0, 9)):
            case 0 | 1 | 2 | 3:
                new = draw(by)
            case 4:
                new = ""
            case 5:
                first, last = draw(st.sampled_from(spans)) if spans else (0, 0)
                new = text[first:last]
            case 6:
                new = draw(by) + text[start:end]
            case 7:
                times = min(draw(st.sampled_from(_TIMES)), 120_000 // max(1, end - start))
                new = text[start:end] * times
            case 8:
                at = draw(st.integers(start, end))
                new = text[start:at] + draw(_ANY) + text[at:end]
            case _:
                new, end = text[start:end], draw(st.sampled_from((end + 1, end + 60, len(text))))
        text = (text[:start] + new + text[end:])[:_MOST]
    return text


@st.composite
def broken_file(draw: st.DrawFn, content: bytes, form: str) -> bytes:
    """Break a text file; seldom with bytes that are no text."""
    made = draw(broken_text(content.decode("utf-8"), form)).encode("utf-8", "surrogatepass")
    return draw(broken_bytes(made)) if draw(st.integers(0, 30)) == 30 else made


@st.composite
def broken_bytes(
    draw: st.DrawFn, data: bytes, start: int = 0, end: int | None = None, *, resized: bool = True
) -> bytes:
    """Overwrite numbers between two places by numbers at an edge; or also remove, insert and repeat
    bytes."""
    for _ in range(draw(st.integers(1, 4))):
        last = min(len(data), len(data) if end is None else end)
        at = draw(st.integers(min(start, last), last))
        size = draw(st.sampled_from((1, 2, 4, 16, 256)))
        match draw(st.integers(0, 5 if resized else 1)):
            case 0:
                form = draw(st.sampled_from((">B", ">H", ">I", "<H", "<I")))
                size = struct.calcsize(form)
                new = struct.pack(form, draw(st.sampled_from(_EDGES)) % (1 << 8 * size))
            case 1:
                new = draw(st.binary(min_size=size, max_size=size))
            case 2:
                new = b""
            case 3:
                new, size = draw(st.binary(max_size=16)), 0
            case 4:
                new = data[at : at + size] * draw(st.sampled_from((2, 90)))
            case _:
                new, size = b"", len(data)
        changed = data[:at] + new + data[at + size :]
        data = changed if resized else changed[: len(data)]
    return data
