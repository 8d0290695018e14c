"""Changes to what Jinja compiles: loops are counted, and `~` and slices use our functions."""

from __future__ import annotations

import functools
import itertools
import operator
import re
from bisect import bisect_right
from typing import Final

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser

COUNTED: Final = "counted loop"
"""A filter; no template can name it, because of the space."""
_HALF: Final = re.compile("[\ud800-\udfff]")


class BoundedTemplate(Template):
    """A template that finds its lines fast: helpers ask for them in every call."""

    @functools.cached_property
    def _lines(self) -> tuple[list[int], list[int]]:
        pairs = self.debug_info
        return [code for _, code in pairs], [line for line, _ in pairs]

    def get_corresponding_lineno(self, lineno: int) -> int:
        """Return the template's line for a line of its code."""
        code_lines, lines = self._lines
        place = bisect_right(code_lines, lineno)
        return lines[place - 1] if place else 1


class CountingParser(Parser):
    """Jinja's parser; it has every loop counted."""

    def parse_for(self) -> nodes.For:
        """Parse a loop."""
        loop = super().parse_for()
        loop.iter = nodes.Filter(loop.iter, COUNTED, [], [], None, None, lineno=loop.lineno)
        return loop


class BoundedGenerator(CodeGenerator):
    """Jinja's code generator; `~` and slices keep the place of a text and are bounded."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802, Jinja's names
        """Write `a ~ b`."""
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        """Write `a[b]` or `a[b:c]`."""
        if not isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.part(")
        self.visit(node.node, frame)
        for end in (node.arg.start, node.arg.stop, node.arg.step):
            self.write(", ")
            self.visit(end or nodes.Const(None), frame)
        self.write(")")

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802
        """Write a constant; half a surrogate pair could not be saved later."""
        if isinstance(node.value, str) and _HALF.search(node.value):
            self.fail("\\ud800 to \\udfff are halves of a character, not text", node.lineno)
        super().visit_Const(node, frame)

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        """Write `set`, whose check of namespaces has no line in Jinja."""
        self.newline(node)
        super().visit_Assign(node, frame)

    def buffer(self, frame: Frame) -> None:
        """Have the environment make the list of a macro's output, so that it can be traced."""
        frame.buffer = self.temporary_identifier()
        self.writeline(f"{frame.buffer} = environment.pieces()")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802
        """Write output line by line, so that it can be traced."""
        if frame.buffer is None or len(node.nodes) == 1:
            super().visit_Output(node, frame)
            return
        for line, children in itertools.groupby(node.nodes, key=operator.attrgetter("lineno")):
            part = nodes.Output(list(children), lineno=line)
            self.newline(part)
            super().visit_Output(part, frame)
