"""A template's tree in, code whose lines are the template's own out.

Whoever looks at such code while it runs, or after it failed, sees the template's file and line.
A template that is too large or too deep to be compiled is refused at its line.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from bisect import bisect_right
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Final

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import Token

from generator.sandbox.bounds import MAX_BITS

MAX_TOKENS: Final = 20_000
MAX_CODE: Final = 1_000_000
MAX_DEPTH: Final = 60
MAX_BRANCHES: Final = 200
MAX_KEYS: Final = 1_000
"""Values of a map that is written out: its names may be numbers chosen so that all of them share a
place in it."""
TOO_DEEP: Final = "it is nested too deeply; split it into smaller parts"
_DIGITS: Final = "a number of more than 300 digits"
TOO_LARGE: Final = "the template is too large; split it into smaller parts"


class BoundedTemplate(Template):
    """A template whose code has the template's own lines."""

    def get_corresponding_lineno(self, lineno: int) -> int:
        """The line of the template for a line of its code: the same."""
        return lineno


class BoundedGenerator(CodeGenerator):
    """Writes the code of a template, but only so much."""

    _written = 0

    def write(self, x: str) -> None:
        """Add to the code. Raises TemplateSyntaxError at the line that it was written for."""
        self._written += len(x)
        if self._written > MAX_CODE:
            self.fail(TOO_LARGE, max(1, self._last_line))
        super().write(x)

    def buffer(self, frame: Frame) -> None:
        """Where a macro keeps what it writes; made by the environment, which may look into it."""
        frame.buffer = self.temporary_identifier()
        self.writeline(f"{frame.buffer} = environment.pieces()")

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        """Asks whether the name may be assigned to at the line that does it."""
        self.newline(node)
        super().visit_Assign(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """What is escaped is written by one call."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.written(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_post(node, frame, finalize)
        else:
            self.write(")")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802, Jinja2's name
        """What a macro keeps to write it later is kept piece by piece, each with its line."""
        if frame.buffer is None or len(node.nodes) == 1:
            super().visit_Output(node, frame)
            return
        for child in node.nodes:
            self.newline(child)
            super().visit_Output(nodes.Output([child], lineno=child.lineno), frame)


def counted(words: Iterator[Token], name: str | None, filename: str | None) -> Iterator[Token]:
    """The same words of a template, `MAX_TOKENS` at most. Raises TemplateSyntaxError."""
    line = 1
    for _ in range(MAX_TOKENS):
        try:
            token = next(words)
        except StopIteration:
            return
        except ValueError as error:  # of more than 4,300 digits
            raise TemplateSyntaxError(_DIGITS, line, name, filename) from error
        line = token.lineno
        yield token
    raise TemplateSyntaxError(TOO_LARGE, line, name, filename)


def check_tree(tree: nodes.Template, name: str | None, filename: str | None) -> None:
    """Raises TemplateSyntaxError at the line of what is nested too deeply, written too large or
    not to be reached."""
    waiting: list[tuple[nodes.Node, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        message = TOO_DEEP if depth > MAX_DEPTH else _unfit(node)
        if message:
            raise TemplateSyntaxError(message, node.lineno, name, filename)
        waiting.extend((child, depth + 1) for child in node.iter_child_nodes())


def _unfit(node: nodes.Node) -> str:
    if isinstance(node, nodes.Const) and isinstance(node.value, int):
        return _DIGITS if node.value.bit_length() > MAX_BITS else ""
    if isinstance(node, nodes.Const) and isinstance(node.value, float):
        return "" if math.isfinite(node.value) else _DIGITS
    if isinstance(node, nodes.NSRef) and node.attr.startswith("_"):
        return f"{node.attr!r} of a namespace cannot be set"
    if isinstance(node, nodes.Dict) and len(node.items) > MAX_KEYS:
        return f"a map of more than {MAX_KEYS:,} values"
    if isinstance(node, nodes.If) and len(node.elif_) > MAX_BRANCHES:
        return f"an if of more than {MAX_BRANCHES} branches"
    return ""


def compiled(source: str, filename: str) -> CodeType:
    """The code of what Jinja2 wrote. Raises TemplateSyntaxError where Python gives up on it."""
    line_of = _lines(source)
    try:
        return _relined(compile(source, filename, "exec"), line_of)
    except SyntaxError as error:  # loops twenty deep
        line = line_of(error.lineno or 0)
        raise TemplateSyntaxError(TOO_DEEP, line, None, filename) from error


def _lines(source: str) -> Callable[[int], int]:
    """From lines of the code to those of the template, by what Jinja2 writes under it."""
    written = source.rstrip().rpartition("\n")[2].partition(" = ")[2].strip("'\"")
    pairs = [tuple(map(int, pair.split("="))) for pair in written.split("&") if pair]
    begins = [code for _, code in pairs]

    @functools.cache
    def line_of(code_line: int) -> int:
        place = bisect_right(begins, code_line)
        return pairs[place - 1][0] if place else 1

    return line_of


def _relined(code: CodeType, line_of: Callable[[int], int]) -> CodeType:
    """The same code with other lines. The table of its lines is as the Python documentation's
    PEP 626 and Objects/locations.md describe it: here without columns."""
    first = last = line_of(code.co_firstlineno)
    table = bytearray()
    lines = ((part, None if part[2] is None else line_of(part[2])) for part in code.co_lines())
    for line, same in itertools.groupby(lines, key=operator.itemgetter(1)):
        ranges = [part for part, _ in same]
        for units in _at_most_8((ranges[-1][1] - ranges[0][0]) // 2):
            if line is None:
                table.append(0x80 | 15 << 3 | units - 1)
                continue
            table.append(0x80 | 13 << 3 | units - 1)
            table += _signed(line - last)
            last = line
    inner = tuple(
        _relined(const, line_of) if isinstance(const, CodeType) else const
        for const in code.co_consts
    )
    return code.replace(co_linetable=bytes(table), co_firstlineno=first, co_consts=inner)


def _at_most_8(units: int) -> Iterator[int]:
    while units > 0:
        yield min(units, 8)
        units -= 8


def _signed(number: int) -> bytes:
    rest = abs(number) << 1 | (number < 0)
    content = bytearray()
    while rest >= 64:
        content.append(0x40 | rest & 63)
        rest >>= 6
    content.append(rest)
    return bytes(content)
