"""Compiles templates: each loop, copy and literal is bounded, and lines are the template's own.

What Jinja2 gives the sandbox no say in (loops, `~`, slices, comparisons, list literals) becomes
a filter whose name has a space, so that no template can call it itself. Whoever looks at the code
while it runs, or after it failed, sees the template's file and line. A template that is too large
or too deep to be compiled is refused at its line.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType
from typing import Any, Final, cast

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import Token
from jinja2.visitor import NodeTransformer

from generator.sandbox.budget import MAX_BITS

COMPARED: Final = "compared with"
COUNTED: Final = "counted loop"
JOINED: Final = "joined text"
PART: Final = "part of"
WEIGHED: Final = "weighed literal"
OWN: Final = (COMPARED, COUNTED, JOINED, PART, WEIGHED)


def bounded(tree: nodes.Template) -> nodes.Template:
    """The tree, changed in place."""
    bounding = _Bounding()
    bounding.visit(tree)
    # Jinja2 walks through the whole tree for each sort of node that it asks for: blocks, what is
    # extended, and names of Python, of which there are none.
    tree.find = bounding.find  # type: ignore[method-assign, assignment]
    tree.find_all = bounding.find_all  # type: ignore[method-assign, assignment]
    return tree


def _filtered(node: nodes.Expr, name: str, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(
        node,
        name,
        list(arguments),
        [],
        None,
        None,
        lineno=node.lineno,
        environment=node.environment,
    )


class _Bounding(NodeTransformer):
    def __init__(self) -> None:
        self._found: dict[type[nodes.Node], list[nodes.Node]] = {}

    def find_all(self, kind: type[nodes.Node]) -> list[nodes.Node]:
        """The blocks of the tree, or what it extends."""
        return self._found.get(kind, [])

    def find(self, kind: type[nodes.Node]) -> nodes.Node | None:
        """The first of them."""
        return next(iter(self.find_all(kind)), None)

    def _noted(self, node: nodes.Node) -> nodes.Node:
        self._found.setdefault(type(node), []).append(node)
        self.generic_visit(node)
        return node

    visit_Extends = visit_Block = visit_ImportedName = _noted  # noqa: N815

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802, the visitor's naming
        self.generic_visit(node)
        node.iter = _filtered(cast("nodes.Expr", node.iter), COUNTED)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        parts = nodes.Tuple(node.nodes, "load", lineno=node.lineno, environment=node.environment)
        return _filtered(parts, JOINED)

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.arg, nodes.Slice):
            return node
        ends = (node.arg.start, node.arg.stop, node.arg.step)
        none = nodes.Const(None, lineno=node.lineno, environment=node.environment)
        return _filtered(node.node, PART, *(none if end is None else end for end in ends))

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        more: list[nodes.Expr] = []
        for each in node.ops:
            sign = nodes.Const(each.op, lineno=node.lineno, environment=node.environment)
            more += [sign, each.expr]
        return _filtered(node.expr, COMPARED, *more)

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802
        # A macro's extra arguments come as a list that nobody wrote as one.
        unnamed = node.name in ("varargs", "kwargs") and node.ctx == "load"
        return _filtered(node, WEIGHED) if unnamed else node

    def _literal(self, node: Any) -> nodes.Node:
        self.generic_visit(node)
        if getattr(node, "ctx", "load") != "load":
            return node  # type: ignore[no-any-return]
        return _filtered(node, WEIGHED)

    visit_List = visit_Tuple = visit_Dict = _literal  # noqa: N815


_OPERATORS: Final = {
    sign: f"o_{place}" for place, sign in enumerate(("+", "-", "*", "/", "//", "%", "**"))
}
MAX_TOKENS: Final = 20_000
MAX_CODE: Final = 1_000_000
MAX_DEPTH: Final = 60
MAX_BRANCHES: Final = 200
MAX_KEYS: Final = 1_000
"""Values of a map that is written out: its names may be numbers chosen so that all of them share a
place in it."""
TOO_DEEP: Final = "it is nested too deeply; split it into smaller parts"
_DIGITS: Final = "a number of more than 300 digits; write a smaller one"
TOO_LARGE: Final = "the template is too large; split it into smaller parts"
_HALVES: Final = re.compile("[\ud800-\udfff]")
_HALF: Final = "\\ud800 to \\udfff are halves of a character, not text; write the character itself"


class UnfitTemplateError(TemplateSyntaxError):
    """What Jinja2 would take and Gridpress does not: what is wrong; and what to do."""


class BoundedTemplate(Template):
    """A template whose code has the template's own lines."""

    def get_corresponding_lineno(self, lineno: int) -> int:
        """The line of the template for a line of its code: the same."""
        return lineno


class _AskedNames(dict[str, str]):
    """How the code asks for a filter or test, by its name."""

    def __init__(self, where: str, own: Mapping[str, str]) -> None:
        super().__init__(own)
        self._where = where

    def __missing__(self, name: str) -> str:
        return f"{self._where}[{name!r}]"


class BoundedGenerator(CodeGenerator):
    """Writes the code of a template, but only so much. What it calls most has a name of its own
    there, and what has certainly been set is not asked for whether it is."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._written = 0
        self._certain: frozenset[str] = frozenset()
        own = {name: f"b_{place}" for place, name in enumerate(OWN)}
        self.filters, self.tests = _AskedNames("filters", own), _AskedNames("tests", {})

    def write(self, x: str) -> None:
        """Add to the code. Raises UnfitError at the line that it was written for."""
        self._written += len(x)
        if self._written > MAX_CODE:
            raise UnfitTemplateError(TOO_LARGE, max(1, self._last_line), self.name, self.filename)
        super().write(x)

    def write_commons(self) -> None:
        """Names for what is called."""
        super().write_commons()
        for name in ("filters", "tests", "written", "operators"):
            self.writeline(f"{name} = environment.{name}")
        self.writeline("attribute, item = environment.getattr, environment.getitem")
        for name, ours in self.filters.items():
            self.writeline(f"{ours} = filters[{name!r}]")
        for sign, ours in _OPERATORS.items():
            self.writeline(f"{ours} = operators[{sign!r}]")

    def pull_dependencies(self, nodes: Iterable[nodes.Node]) -> None:
        """Filters and tests are looked up where they are called."""

    def buffer(self, frame: Frame) -> None:
        """Where a macro keeps what it writes; made by the environment, which may look into it."""
        frame.buffer = self.temporary_identifier()
        self.writeline(f"{frame.buffer} = environment.pieces()")

    def blockvisit(self, nodes: Iterable[nodes.Node], frame: Frame) -> None:
        """What is set in a block may not be set after it."""
        before = self._certain
        super().blockvisit(nodes, frame)
        self._certain = before

    def macro_body(self, *given: Any) -> Any:
        """What a macro knows from around it may have gone when it is called."""
        before, self._certain = self._certain, frozenset()
        made = super().macro_body(*given)
        self._certain = before
        return made

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802, Jinja2's names
        """A loop that calls itself is a function."""
        before = self._certain
        if node.recursive:
            self._certain = frozenset()
        super().visit_For(node, frame)
        self._certain = before

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        """Asks whether the name may be assigned to at the line that does it."""
        self.newline(node)
        super().visit_Assign(node, frame)
        names = [node.target, *node.target.find_all(nodes.Name)]
        self._certain |= {
            frame.symbols.ref(one.name)
            for one in names
            if isinstance(one, nodes.Name) and one.ctx == "store"
        }

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802
        """What is known to be there is not asked for."""
        if node.ctx == "load" and (ref := frame.symbols.ref(node.name)) in self._certain:
            self.write(ref)
        else:
            super().visit_Name(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """`obj.attribute`."""
        self.write("attribute(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        """`obj[argument]`; slices have become filters."""
        self.write("item(")
        self.visit(node.node, frame)
        self.write(", ")
        self.visit(node.arg, frame)
        self.write(")")

    def _operation(self, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"{_OPERATORS[node.operator]}(")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    visit_Add = visit_Sub = visit_Mul = visit_Div = _operation  # noqa: N815
    visit_FloorDiv = visit_Mod = visit_Pow = _operation  # noqa: N815

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """What is escaped is written by one call."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("written(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_post(node, frame, finalize)
        else:
            self.write(")")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802
        """What a macro keeps to write it later is kept line by line."""
        if frame.buffer is None or len(node.nodes) == 1:
            super().visit_Output(node, frame)
            return
        for line, children in itertools.groupby(node.nodes, key=operator.attrgetter("lineno")):
            part = nodes.Output(list(children), lineno=line)
            self.newline(part)
            super().visit_Output(part, frame)


def counted(words: Iterator[Token], name: str | None, filename: str | None) -> Iterator[Token]:
    """The same words of a template, `MAX_TOKENS` at most. Raises UnfitError."""
    line = 1
    for _ in range(MAX_TOKENS):
        try:
            token = next(words)
        except StopIteration:
            return
        except ValueError as error:  # of more than 4,300 digits
            raise UnfitTemplateError(_DIGITS, line, name, filename) from error
        line = token.lineno
        yield token
    raise UnfitTemplateError(TOO_LARGE, line, name, filename)


def check_tree(tree: nodes.Template, name: str | None, filename: str | None) -> None:
    """Raises UnfitError at the line of what is nested too deeply, written too large or
    not to be reached."""
    waiting: list[tuple[nodes.Node, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        message = TOO_DEEP if depth > MAX_DEPTH else _unfit(node)
        if message:
            raise UnfitTemplateError(message, node.lineno, name, filename)
        waiting.extend((child, depth + 1) for child in node.iter_child_nodes())


def _unfit(node: nodes.Node) -> str:
    if isinstance(node, nodes.Const):
        return _unfit_value(node.value)
    if isinstance(node, nodes.NSRef) and node.attr.startswith("_"):
        return f"{node.attr!r} of a namespace cannot be set; begin its name with a letter"
    if isinstance(node, nodes.Dict) and len(node.items) > MAX_KEYS:
        return f"a map of more than {MAX_KEYS:,} values; make several of it"
    if isinstance(node, nodes.If) and len(node.elif_) > MAX_BRANCHES:
        return f"an if of more than {MAX_BRANCHES} branches; look values up in a map"
    return ""


def _unfit_value(value: object) -> str:
    if isinstance(value, str):
        return _HALF if _HALVES.search(value) else ""
    if isinstance(value, int):
        return _DIGITS if value.bit_length() > MAX_BITS else ""
    return _DIGITS if isinstance(value, float) and not math.isfinite(value) else ""


def compiled(source: str, filename: str) -> CodeType:
    """The code of what Jinja2 wrote. Raises UnfitError where Python gives up on it."""
    line_of = _lines(source)
    try:
        return _relined(compile(source, filename, "exec"), line_of)
    except SyntaxError as error:  # loops twenty deep
        line = line_of(error.lineno or 0)
        raise UnfitTemplateError(TOO_DEEP, line, None, filename) from error


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
    ends: list[tuple[int | None, int]] = []
    for _, end, told in code.co_lines():
        line = None if told is None else line_of(told)
        if ends and ends[-1][0] == line:
            ends.pop()
        ends.append((line, end))
    table, begin = bytearray(), 0
    for line, end in ends:
        change = b"" if line is None else _signed(line - last)
        for done in range(begin, end, _LONGEST):
            head = _NO_LINE if line is None else _NO_COLUMNS
            table.append(head | min(end - done, _LONGEST) // 2 - 1)
            table += change
            change = change and _SAME
        last, begin = last if line is None else line, end
    inner = tuple(
        _relined(const, line_of) if isinstance(const, CodeType) else const
        for const in code.co_consts
    )
    return code.replace(co_linetable=bytes(table), co_firstlineno=first, co_consts=inner)


@functools.cache
def _signed(number: int) -> bytes:
    rest = abs(number) << 1 | (number < 0)
    content = bytearray()
    while rest >= 64:
        content.append(0x40 | rest & 63)
        rest >>= 6
    content.append(rest)
    return bytes(content)


_NO_COLUMNS: Final = 0x80 | 13 << 3
_NO_LINE: Final = 0x80 | 15 << 3
_LONGEST: Final = 16
"""Bytes of code that one entry of the table is for, at most."""
_SAME: Final = _signed(0)
