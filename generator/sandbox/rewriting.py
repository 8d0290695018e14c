"""A template's syntax tree in, the same tree out with every loop, copy and literal bounded.

What Jinja2 gives the sandbox no say in (loops, `~`, slices, comparisons, list literals) becomes
a filter. The names of these filters have a space, so that no template can call them itself.
"""

from __future__ import annotations

from typing import Any, Final, cast

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

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
