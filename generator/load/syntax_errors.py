"""Explain PyYAML's syntax errors in plain words: what is wrong, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from generator.diagnostics import Diagnostic, Span

_NO_SPACE: Final = re.compile(r"(\s*(?:- )?)[\w-]+:(?=[^\s/])")
_BRACKETED: Final = re.compile(r"\s*(?:- +)?(?:[\w-]+: +)?(?=[\[{])")
_COMMENTED: Final = re.compile(r"\s*(?:- +)?(?:[\w-]+: +)?[^\s\"'#:](?:.*?[^\s:])?[ \t]+(?=#)")
_COMMENTED_WITHIN: Final = re.compile(r"[^\"'#]*[^\s\"'#,:\[\]{}] (?=#)")
_QUOTE_IT: Final = 'put the whole text in quotes: name: "…"'
_KEY: Final = re.compile(r"(?:.*[\s{,])?([\w-]+):[ \t]")


class _YamlFault(Struct, frozen=True):
    """The place where PyYAML stopped and where it had begun; lines and columns from 0."""

    lines: list[str]
    line: int
    column: int
    begin: tuple[int, int]

    @property
    def character(self) -> str:
        """Return the character where PyYAML stopped, "" at the end of a line."""
        return self.text(self.line)[self.column : self.column + 1]

    @property
    def opens(self) -> bool:
        """Return True if PyYAML had begun at a bracket."""
        return self.text(self.begin[0])[self.begin[1] : self.begin[1] + 1] in ("[", "{")

    def text(self, line: int) -> str:
        """Return a line, "" past the end."""
        return self.lines[line] if 0 <= line < len(self.lines) else ""

    def existing(self, line: int, column: int) -> tuple[int, int]:
        """Return the place, or the end of the last filled line if that comes first."""
        last = len(self.lines) - 1
        if line > last:
            while last > 0 and not self.lines[last].strip():
                last -= 1
            line, column = max(last, 0), len(self.text(last).rstrip())
        return line, column


class _Remark(Struct, frozen=True):
    """A message; `at` is a line and column from 0, by default where PyYAML stopped."""

    message: str
    hint: str = ""
    at: tuple[int, int] | None = None
    code: str = "GP101"


def explain(error: Exception, text: str, shown: str, opened: Span | None = None) -> Diagnostic:
    """Return GP101 (GP107 for tags) at the place to fix. `opened` is the innermost list or mapping
    that is still open."""
    said = f"{getattr(error, 'context', None) or ''}: {getattr(error, 'problem', None) or error}"
    stop = getattr(error, "problem_mark", None)
    begin = getattr(error, "context_mark", None) or stop
    fault = _YamlFault(
        text.splitlines(),
        stop.line if stop else 0,
        stop.column if stop else 0,
        (begin.line, begin.column) if begin else (0, 0),
    )
    rule = next((rule for words, rule in _RULES if all(word in said for word in words)), None)
    line, column = fault.existing(fault.line, fault.column)
    if (line, column) != (fault.line, fault.column):  # the file ends too early
        fault = replace(fault, line=line, column=column)
        bracket = replace(fault, begin=(opened.line - 1, opened.column - 1)) if opened else fault
        if bracket.opens:
            rule, fault = _open_bracket, bracket
    remark = rule(fault) if rule else _Remark(f"not understood: {said.removeprefix(': ')}")
    line, column = fault.existing(*(remark.at or (fault.line, fault.column)))
    hint = remark.hint
    if hint == _QUOTE_IT and (key := _KEY.match(fault.text(line)[:column])):
        hint = hint.replace("name", key[1])
    elif hint == _QUOTE_IT and fault.text(line).lstrip().startswith("- "):
        hint = hint.replace("name:", "-")
    return Diagnostic(Span(shown, line + 1, column + 1), remark.code, remark.message, hint)


def _bad_start(fault: _YamlFault) -> _Remark:
    if "\t" in fault.text(fault.line)[: fault.column + 1]:
        return _Remark(
            "there is a tab where YAML needs spaces", "indent with spaces, two for each level"
        )
    return _Remark(f"a text cannot begin with {fault.character!r}", _QUOTE_IT)


def _second_colon(fault: _YamlFault) -> _Remark:
    before = fault.text(fault.line)[: fault.column]
    if ": " in before:
        hint = 'if the colon belongs to the text, put the text in quotes: name: "a: b"'
        return _Remark("a second colon in one line", hint)
    above = fault.line - 1
    while above > 0 and not fault.text(above).strip():
        above -= 1
    joined = _NO_SPACE.match(fault.text(above))
    if joined:
        colon = (above, joined.end() - 1)
        return _Remark("a space is missing after this colon", "write key: value", colon)
    indent = len(before) - len(before.lstrip())
    hint = "give it the indentation of the line above, or put the text above in quotes"
    return _Remark("this line is indented too far for a key", hint, (fault.line, indent))


def _open_quote(fault: _YamlFault) -> _Remark:
    hint = "add the closing quote; inside '…' an apostrophe is written twice: 'it''s'"
    return _Remark("this quote is never closed", hint, fault.begin)


def _open_bracket(fault: _YamlFault) -> _Remark:
    opening = fault.text(fault.begin[0])[fault.begin[1] : fault.begin[1] + 1]
    message = f"this {opening} is not closed, or a comma is missing inside it"
    hint = (
        f"YAML stopped at line {fault.line + 1}; add what is missing before that\n"
        "a text with a comma or { } needs quotes inside [ ] and { }"
    )
    for line in range(fault.begin[0], fault.line + 1):
        if cut := _COMMENTED_WITHIN.match(fault.text(line)):
            comment = "in YAML a comment begins here and takes the rest of the line"
            closing = "]" if opening == "[" else "}"
            hint = f"put the text in quotes; otherwise {closing} or a comma is missing before the #"
            return _Remark(comment, hint, (line, cut.end()))
    return _Remark(message, hint, fault.begin)


def _mark_as_text(fault: _YamlFault) -> _Remark:
    mark = fault.text(fault.begin[0])[fault.begin[1] : fault.begin[1] + 1]
    return _Remark(f"a text cannot begin with {mark!r}", _QUOTE_IT, fault.begin)


def _misplaced(fault: _YamlFault) -> _Remark:
    line = fault.text(fault.line)
    before = line[: fault.column].rstrip()
    if (bracket := _BRACKETED.match(line)) and before.endswith(("}", "]")):
        place = fault.line, bracket.end()
        return _Remark(f"a text cannot begin with {line[bracket.end()]!r}", _QUOTE_IT, place)
    if comment := _COMMENTED.match(fault.text(fault.line - 1)):
        message = "in YAML this text ends at the comment here, but it goes on in the next line"
        return _Remark(message, _QUOTE_IT, (fault.line - 1, comment.end()))
    if before.endswith(('"', "'")):
        twice = "inside '…' write ' twice" if before[-1] == "'" else 'inside "…" write \\"'
        hint = f"put the whole text in quotes, or none of it; {twice}"
        return _Remark("there is something after the closing quote", hint)
    hint = "give all keys of a mapping the same indentation, and none of them a leading -"
    return _Remark("this line does not fit the mapping around it", hint)


def _no_item(fault: _YamlFault) -> _Remark:
    line = fault.text(fault.line)
    is_first = fault.column <= len(line) - len(line.lstrip())
    if not is_first or _COMMENTED.match(fault.text(fault.line - 1)):
        return _misplaced(fault)
    hint = "give all items of a list the same indentation"
    return _Remark("every item of this list must begin with -", hint)


# The first rule whose words all occur in PyYAML's context or problem explains the fault.
_RULES: Final[tuple[tuple[tuple[str, ...], Callable[[_YamlFault], _Remark]], ...]] = (
    (("tag",), lambda _: _Remark("YAML tags (!…) are not allowed", "remove it", code="GP107")),
    (("cannot start any token",), _bad_start),
    (("tab character",), _bad_start),
    (("mapping values are not allowed",), _second_colon),
    (("scalar", "unexpected end"), _open_quote),
    (("scalar", "unexpected document"), _open_quote),
    (
        ("quoted scalar",),
        lambda _: _Remark(
            'inside "…", only certain letters may follow a \\',
            "use '…' instead, in which \\ means nothing special",
        ),
    ),
    (
        ("node content",),
        lambda fault: _Remark(f"a value cannot begin with {fault.character!r}", _QUOTE_IT),
    ),
    (("flow",), _open_bracket),
    (("alias",), _mark_as_text),
    (("anchor",), _mark_as_text),
    (
        ("expected ':'",),
        lambda fault: _Remark("a colon is missing after this key", "write key: value", fault.begin),
    ),
    (("parsing a block mapping",), _misplaced),
    (("parsing a block collection",), _no_item),
    (("mapping keys are not allowed",), _bad_start),
    (
        ("sequence entries are not allowed",),
        lambda _: _Remark(
            "a list cannot begin on the line of its key",
            "put each - on a line of its own below the key, or write [a, b]",
        ),
    ),
    (
        ("document start",),
        lambda _: _Remark(
            "there is something after the end of the content",
            "a file holds one list or one mapping; look at the indentation",
        ),
    ),
    (
        ("block scalar",),
        lambda _: _Remark(
            "after | or > the text begins on the next line",
            "put the text below, indented by two spaces more than its key",
        ),
    ),
    (("directive",), lambda _: _Remark("a line cannot begin with %", _QUOTE_IT)),
    (
        ("YAML document",),
        lambda _: _Remark("this version of YAML is not known", "remove the line that names it"),
    ),
)
