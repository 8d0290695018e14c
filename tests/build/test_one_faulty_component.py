"""One wrong value makes one component stale, in every shipped pack; all others are drawn."""

from collections.abc import Iterator

import pytest

from generator.build import Order, Session
from generator.model.pack import Pack, uncopied
from generator.model.source import ComponentSource, Scalar
from generator.project import Project, Target, shipped_root

SHIPPED = Project(shipped_root(), shipped_root())
CLOSED = ("int", "number", "choice", "bool")
KINDS = 4
WRONG = "not-one-of-them"


def values(
    pack: Pack, components: tuple[ComponentSource, ...]
) -> Iterator[tuple[str, str, Scalar]]:
    """Yield a value of the first component of kinds whose fields take no words."""
    seen: set[str] = set()
    for one in components:
        kind = pack.kinds[one.kind.text]
        for name, node in one.node.entries:
            field = kind.fields.get(name.text)
            is_closed = field is not None and field.type in CLOSED and isinstance(node, Scalar)
            if is_closed and kind.name not in seen and kind.stock is not None:
                assert isinstance(node, Scalar)
                seen.add(kind.name)
                yield kind.name, one.id, node


@pytest.mark.parametrize("pack", SHIPPED.packs())
def test_a_wrong_value_makes_only_its_component_stale(pack: str) -> None:
    with Session(Target(SHIPPED, pack), Order()) as session:
        before = session.check()
        assert before.ok
        assert before.source
        assert before.opened
        tried = [*values(before.opened.pack, before.source.components)][:KINDS]
        assert tried
        for kind, id_, value in tried:
            path = SHIPPED.root / value.span.file
            text = path.read_text("utf-8")
            lines = text.splitlines(keepends=True)
            line, at = lines[value.span.line - 1], value.span.column - 1
            if not line.startswith(value.text, at):
                at = line.index(value.text)  # a table names columns, not characters
            lines[value.span.line - 1] = line[:at] + WRONG + line[at + len(value.text) :]
            session.edit(path, "".join(lines))
            after = session.check()
            assert not after.ok
            stale = {(name.kind, uncopied(name.component)) for name in after.stale}
            assert stale <= {(kind, id_)}
            assert set(after.faces) == set(before.faces)
            session.edit(path, None)
