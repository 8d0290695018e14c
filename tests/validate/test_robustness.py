"""Validation of any file returns findings: sorted, the same each time, without a traceback."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace
from validate.projects import FIXTURES, SHIPPED, Absolute

from generator.diagnostics import Span, in_order
from generator.load import read_document, read_pack
from generator.model.source import Document, Mapping, Node, PackSource, Scalar, Sequence
from generator.validate import check_pack, read_catalogue, read_profile
from generator.validate.definition_files import (
    CHECK,
    KIND,
    LAYOUT,
    PACK,
    SET_CHECK,
    STOCK,
    STYLES,
    TILE,
)
from generator.validate.field_types import FIELD_TYPES

HERE = Span("any.yaml", 1, 1)
WORDS = (
    *KIND,
    *PACK,
    *CHECK,
    *SET_CHECK,
    *STOCK,
    *STYLES,
    *TILE,
    *LAYOUT,
    *FIELD_TYPES,
    *"dragon rider claw tag name hand ember ada a4 letter poker l7651 id type of min max".split(),
    *"12 -3 +1 0123 1.5 1e9 3mm 1in #fff bronze true no null ~ 2: (a+)+ [a-z]+ 99999999999".split(),
    *("", "speed > 2", "rider.mount", "components.dragon", "{{ name", "{{ x }}", "range(9**9)"),
    *("hand[0]", "1 / 0", "[1, {}]", "players * 2", "dragon", "{'a': components}", "name | list"),
    *("S 3x L", "4L 9R", "4x", "bend#2", "hexagon", "octagon", "up", "segment", "tile.owned"),
    *("layout.tiles", "components.track", "components.segment[0].tile", "1 / 3", "-1", "0"),
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(WORDS) | st.text(max_size=12))


scalars = st.builds(Scalar, texts(), st.just(HERE), st.booleans())


def mappings(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pairs = st.lists(st.tuples(scalars, children), max_size=6, unique_by=lambda pair: pair[0].text)
    return pairs.map(lambda entries: Mapping(tuple(entries), HERE))


nodes: st.SearchStrategy[Node] = st.recursive(
    scalars,
    lambda children: (
        st.lists(children, max_size=4).map(lambda items: Sequence(tuple(items), HERE))
        | mappings(children)
    ),
    max_leaves=12,
)


@functools.cache
def fine(name: str = "fine") -> PackSource:
    source = read_pack(Absolute(FIXTURES / name, SHIPPED), "demo").value
    assert source is not None
    return source


@functools.cache
def shared_files() -> tuple[Document, ...]:
    found = (read_document(p, str(p)).value for p in sorted(SHIPPED.rglob("*.yaml")))
    return tuple(document for document in found if document is not None)


def size(node: Node) -> int:
    return 1 + sum(map(size, children(node)))


def children(node: Node) -> Iterator[Node]:
    if isinstance(node, Mapping):
        yield from (value for _, value in node.entries)
    elif isinstance(node, Sequence):
        yield from node.items


def changed(node: Node, place: int, change: Callable[[Node], Node]) -> Node:
    """Return the tree with node number `place`, counted from the root, changed."""
    if place == 0:
        return change(node)
    place -= 1
    parts = list(children(node))
    for i, part in enumerate(parts):
        if place < size(part):
            parts[i] = changed(part, place, change)
            break
        place -= size(part)
    if isinstance(node, Mapping):
        keys = (key for key, _ in node.entries)
        return structs.replace(node, entries=tuple(zip(keys, parts, strict=True)))
    assert isinstance(node, Sequence)
    return structs.replace(node, items=tuple(parts))


@st.composite
def almost_fine(draw: st.DrawFn, name: str = "fine") -> PackSource:
    """Return a sound pack with up to three nodes of its files replaced by others."""
    source = fine(name)
    for _ in range(draw(st.integers(1, 3))):
        roots: list[tuple[str, int]] = [("pack", 0)] + [("styles", 0)] * (source.styles is not None)
        roots += [("kinds", i) for i in range(len(source.kinds))]
        roots += [("components", i) for i in range(len(source.components))]
        part, i = draw(st.sampled_from(roots))
        new = draw(nodes)
        if part in ("pack", "styles"):
            document = getattr(source, part)
            place = draw(st.integers(0, size(document.root) - 1))
            root = changed(document.root, place, lambda _, new=new: new)
            source = replace(source, **{part: replace(document, root=root)})
            continue
        listed = list(getattr(source, part))
        node = listed[i].root if part == "kinds" else listed[i].node
        place = draw(st.integers(0 if part == "kinds" else 1, size(node) - 1))
        node = changed(node, place, lambda _, new=new: new)
        listed[i] = replace(
            listed[i], **dict[str, Any]({"root" if part == "kinds" else "node": node})
        )
        parts: dict[str, Any] = {part: tuple(listed)}
        source = replace(source, **parts)
    return source


def assert_well_behaved(source: PackSource) -> None:
    catalogue = read_catalogue(shared_files()).value
    first, again = (check_pack(source, catalogue) for _ in range(2))
    assert first.diagnostics == again.diagnostics == in_order(first.diagnostics)


ROUGH = settings(suppress_health_check=[HealthCheck.too_slow])


@ROUGH
@given(almost_fine())
def test_a_pack_with_some_nodes_replaced(source: PackSource) -> None:
    assert_well_behaved(source)


@ROUGH
@given(almost_fine("tracks"))
def test_a_pack_of_tracks_with_some_nodes_replaced(source: PackSource) -> None:
    assert_well_behaved(source)


@ROUGH
@given(nodes, nodes, nodes)
def test_any_trees_at_all(pack: Node, kind: Node, styles: Node) -> None:
    assert_well_behaved(
        replace(
            fine(),
            pack=Document("pack.yaml", pack),
            kinds=(Document("kinds/dragon.yaml", kind), *fine().kinds[:1]),
            styles=Document("styles.yaml", styles),
        )
    )


@ROUGH
@given(st.data())
def test_any_catalogue(data: st.DataObject) -> None:
    documents = [Document("x.yaml", data.draw(nodes))]
    for document in shared_files():
        place = data.draw(st.integers(0, size(document.root) - 1))
        new = data.draw(nodes)
        root = changed(document.root, place, lambda _, new=new: new)
        documents.append(replace(document, root=root))
    found = read_catalogue(documents).diagnostics
    assert found == in_order(found)
    read_profile(documents[0])
