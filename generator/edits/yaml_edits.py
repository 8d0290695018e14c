"""Carry out changes in a YAML text: each in small steps, and with a second look at the result."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from generator.edits.changes import (
    Change,
    CopyItem,
    InsertItem,
    MoveItem,
    OrderItems,
    Path,
    RemoveItem,
    SetValue,
    UnfitEditError,
    as_loaded,
    changed,
    index_of,
    no_item,
    parent_of,
    whole_order,
)
from generator.edits.yaml_places import Splice, spliced
from generator.edits.yaml_splices import InsertItems, Primitive, RemoveItems, Replace, YamlSplices
from generator.edits.yaml_text import TextSpot, block_lines
from generator.edits.yaml_tree import (
    ALIAS,
    LIST,
    MAPPING,
    MERGE,
    SCALAR,
    YamlNode,
    YamlTree,
    entries_of,
    full_data,
    is_same,
    raw_data,
    target_of,
    yaml_tree,
)

_MARK: Final = "\ufeff"
_UNSURE: Final = (
    "this place is written in a way that cannot be changed from here: change it in the file itself"
)


_Step = Change | Replace | InsertItems | RemoveItems


def yaml_edited(text: str, changes: Sequence[Change]) -> str:
    """Return a YAML text after changes; all other characters stay. Raises UnfitEditError."""
    mark = _MARK if text.startswith(_MARK) else ""
    work = _Work(text.removeprefix(_MARK))
    for change in _gathered(changes):
        work.add(change)
    return mark + work.done()


def _gathered(changes: Sequence[Change]) -> Iterator[_Step]:
    """Yield changes; items that are added or removed one after the other come together."""
    group: list[Change] = []
    for change in changes:
        if group and not _follows(group[-1], change):
            yield _together(group)
            group = []
        group.append(change)
    if group:
        yield _together(group)


def _follows(last: Change, change: Change) -> bool:
    match last, change:
        case InsertItem(path, at), InsertItem(same, following):
            return path == same and following == at + 1 > 0
        case RemoveItem((*path, int(step))), RemoveItem((*same, int(following))):
            return path == same and following < step
    return False


def _together(group: Sequence[Change]) -> _Step:
    first, path = group[0], group[0].path
    if len(group) == 1:
        return first
    if isinstance(first, InsertItem):
        values = (one.value for one in group if isinstance(one, InsertItem))
        return InsertItems(path, first.at, tuple(values))
    return RemoveItems(path[:-1], tuple(int(one.path[-1]) for one in group))


class _Work:
    """Collects splices that do not touch each other, and writes them at once."""

    def __init__(self, text: str) -> None:
        self._tree = _whole(text)
        self._data = raw_data(self._tree.root)
        self._clear()

    def _clear(self) -> None:
        self._splices: list[Splice] = []
        self._paths: set[Path] = set()
        self._above: set[Path] = set()
        self._added: dict[int, Path] = {}
        self._writer = YamlSplices(self._tree)

    def add(self, change: _Step) -> None:
        """Carry out a change, or several of the same list."""
        waiting: deque[_Step] = deque([change])
        while waiting:
            first = waiting.popleft()
            if self._touches(first.path):
                self._write()
            steps = [first] if isinstance(first, Replace) else list(_steps(self._tree, first))
            if steps == [first] and not isinstance(first, MoveItem):
                self._take(first)
            else:
                waiting.extendleft(reversed(steps))

    def done(self) -> str:
        """Write what is collected, and return the text."""
        self._write()
        return self._tree.text

    def _touches(self, path: Path) -> bool:
        if not self._splices:
            return False
        return path in self._above or any(path[:n] in self._paths for n in range(len(path) + 1))

    def _take(self, step: Primitive) -> None:
        if self._tree.root is None:
            self._fill(step)
            return
        splices = self._writer.of(step)
        is_set = isinstance(step, SetValue)
        if self._splices and (not is_set or self._collides(splices, step.path)):
            self._write()
            splices = self._writer.of(step)
        self._added |= {each.start: step.path[:-1] for each in splices if each.start == each.end}
        self._splices += splices
        self._paths.add(step.path)
        self._above |= {step.path[:n] for n in range(len(step.path))}
        for same in _singles(step):
            self._data = changed(self._data, same)
        if not is_set:
            self._write()

    def _collides(self, splices: list[Splice], path: Path) -> bool:
        """Return whether something else is added at the same place."""
        places = (splice.start for splice in splices if splice.start == splice.end)
        return any(self._added.get(place, path[:-1]) != path[:-1] for place in places)

    def _fill(self, step: Primitive) -> None:
        """Write the first value of an empty file."""
        if not isinstance(step, Replace) or not isinstance(step.value, dict | list):
            raise UnfitEditError("the file is empty")
        text = self._tree.text
        start = text if not text or text.endswith("\n") else text + "\n"
        spot = TextSpot(0, 0, False, "\r\n" if "\r\n" in text else "\n")
        self._tree = _whole(start + "".join(f"{line}\n" for line in block_lines(step.value, spot)))
        self._data = as_loaded(step.value)
        if not is_same(raw_data(self._tree.root), self._data):
            raise UnfitEditError(_UNSURE)
        self._clear()

    def _write(self) -> None:
        if not self._splices:
            return
        tree = yaml_tree(spliced(self._tree.text, self._splices))
        found = raw_data(tree.root) if tree.is_whole else None
        if not tree.is_whole or not is_same(found, self._data):
            raise UnfitEditError(_UNSURE)
        if tree.unknown and not self._tree.unknown:
            raise UnfitEditError(f"*{tree.unknown} further down refers to this: change that first")
        self._tree, self._data = tree, found
        self._clear()


def _whole(text: str) -> YamlTree:
    tree = yaml_tree(text)
    if not tree.is_whole:
        raise UnfitEditError(tree.fault)
    return tree


def _singles(step: Primitive) -> Iterator[Change]:
    """Yield the changes of a step."""
    match step:
        case Replace(path, value):
            yield SetValue(path, value)
        case InsertItems(path, at, values):
            yield from (InsertItem(path, at + n, value) for n, value in enumerate(values))
        case RemoveItems(path, steps):
            yield from (RemoveItem((*path, n)) for n in steps)
        case _:
            yield step


def _group_steps(tree: YamlTree, change: InsertItems | RemoveItems) -> Iterator[_Step]:
    """Yield a group if its list takes it as one; else the first of it alone."""
    path, node = change.path, tree.root
    for step in path:
        node = node.own(step) if node is not None else None
    count = len(node.items) if node is not None and node.sort == LIST else 0
    if isinstance(change, InsertItems):
        if count:
            yield change
        else:
            yield InsertItem(path, change.at, change.values[0])
            yield from _gathered([*_singles(change)][1:])
    elif set(change.steps) == {*range(count)}:
        yield Replace(path, [])
    elif {*change.steps} < {*range(count)}:
        yield change
    else:
        yield from _singles(change)


def _steps(tree: YamlTree, change: _Step) -> Iterator[_Step]:
    """Yield the steps of a change. A change that is a step itself is the only one."""
    if isinstance(change, InsertItems | RemoveItems):
        yield from _group_steps(tree, change)
        return
    assert not isinstance(change, Replace)
    if isinstance(change, SetValue) and not change.path:
        yield from _set_steps(tree.root, change) if tree.root else [Replace((), change.value)]
        return
    path, node = parent_of(change), tree.root
    depth, is_own = 0, True
    while is_own and depth < len(path) and node is not None and node.sort in (LIST, MAPPING):
        step, around = path[depth], node
        depth, node = depth + 1, around.own(step)
        if node is None:
            if around.sort == LIST:
                raise no_item(step)
            node, is_own = entries_of(around).get(str(step)), False
    if is_own and node is not None and node.sort in (LIST, MAPPING):
        yield from _steps_within(node, change)
    else:
        yield _rewritten(change, path[:depth], node)


def _rewritten(change: Change, path: Path, node: YamlNode | None) -> SetValue | Replace:
    """Replace an alias by its value, or add a missing value, with the change in it."""
    if node is not None and target_of(node).sort == SCALAR and not target_of(node).is_null:
        raise UnfitEditError("this is a single value, which has no parts")
    below = replace(change, path=change.path[len(path) :])
    value = changed(full_data(node) if node is not None else None, below)
    return SetValue(path, value) if path else Replace(path, value)


def _steps_within(node: YamlNode, change: Change) -> Iterator[Change | Replace]:
    """Yield the steps of a change of the items of a list or mapping."""
    match change:
        case SetValue(path, _):
            yield from _set_within(node, path, change)
        case RemoveItem(path):
            _index(node, path[-1])
            empty: Any = {} if node.sort == MAPPING else []
            yield Replace(path[:-1], empty) if len(node.items) == 1 else change
        case InsertItem():
            yield from _insert_steps(node, change)
        case MoveItem(path, at):
            index = _index(node, path[-1])
            order = [n for n in range(len(node.items)) if n != index]
            order.insert(max(at, 0), index)
            yield from _ordered(OrderItems(path[:-1], tuple(order)))
        case OrderItems(path, order):
            yield from _ordered(OrderItems(path, whole_order(len(node.items), order)))
        case CopyItem():
            yield from _copy_steps(node, change)


def _insert_steps(node: YamlNode, change: InsertItem) -> Iterator[Change | Replace]:
    is_mapping = node.sort == MAPPING
    if is_mapping and not isinstance(change.value, dict):
        raise UnfitEditError("a mapping takes entries, each with a key")
    if not node.items:
        yield Replace(change.path, change.value if is_mapping else [change.value])
    elif change.value or not is_mapping:
        yield change


def _copy_steps(node: YamlNode, change: CopyItem) -> Iterator[Change | Replace]:
    path, at, values, name = change.path, change.at, change.values, change.name
    item = node.items[_index(node, path[-1])]
    is_mapping = node.sort == MAPPING
    if is_mapping and (not name or node.own(name) is not None):
        raise UnfitEditError(f"the name {name!r} is taken already" if name else "a name is missing")
    if _has_anchors(item):
        data = full_data(item)
        data = {**data, **values} if values else data
        yield InsertItem(path[:-1], at, {name: data} if is_mapping else data)
    elif not values:
        yield change
    else:
        yield CopyItem(path, at, {}, name)
        new = (*path[:-1], name if is_mapping else min(max(at, 0), len(node.items)))
        yield from (SetValue((*new, key), value) for key, value in values.items())


def _ordered(change: OrderItems) -> Iterator[OrderItems]:
    if list(change.order) != sorted(change.order):
        yield change


def _index(node: YamlNode, step: str | int) -> int:
    steps = node.steps
    if step not in steps and node.sort == MAPPING and step in entries_of(node):
        raise UnfitEditError(f"{step} comes from << in this mapping: remove it there")
    return index_of(steps, step)


def _has_anchors(node: YamlNode) -> bool:
    return node.anchor is not None or (node.sort != ALIAS and any(map(_has_anchors, node.items)))


def _set_within(node: YamlNode, path: Path, change: SetValue) -> Iterator[Change | Replace]:
    own = node.own(path[-1])
    if own is not None:
        yield from _set_steps(own, change)
    elif node.sort == LIST:
        if path[-1] != len(node.items):
            raise no_item(path[-1])
        yield InsertItem(path[:-1], len(node.items), change.value)
    else:
        merged = entries_of(node).get(str(path[-1]))
        if merged is not None and full_data(merged) == as_loaded(change.value):
            return
        if node.items:
            yield change
        else:
            yield Replace(path[:-1], {str(path[-1]): change.value})


def _set_steps(node: YamlNode, change: SetValue) -> Iterator[Change | Replace]:
    """Yield what makes a value of another: nothing, its changed parts, or all of it."""
    path, value = change.path, change.value
    if isinstance(value, tuple):
        value = list(value)
    if not isinstance(value, list | dict):
        if node.sort != SCALAR:
            if node.sort != ALIAS or full_data(node) != as_loaded(value):
                yield Replace(path, value)
        elif not _is_now(node, value):
            yield change if path else Replace(path, value)
        return
    if full_data(node) == as_loaded(value):
        return
    if node.sort == LIST and isinstance(value, list) and node.items and value:
        yield from _list_steps(node, path, value)
    elif node.sort == MAPPING and isinstance(value, dict) and _shares(node, value):
        gone = [key.text for key in node.keys if key.text not in value]
        yield from (RemoveItem((*path, key)) for key in gone)
        yield from (SetValue((*path, str(key)), each) for key, each in value.items())
    else:
        yield Replace(path, value)


def _shares(node: YamlNode, value: dict[str, Any]) -> bool:
    keys = {key.text for key in node.keys}
    return bool(keys & value.keys()) and MERGE not in keys


def _is_now(node: YamlNode, value: Any) -> bool:
    """Return whether a scalar is written as this value already."""
    said = as_loaded(value)
    if said is None or node.is_null:
        return said is None and node.is_null
    if isinstance(value, str):
        return bool(said == node.text)
    if node.style:
        return False
    if isinstance(value, bool):
        return bool(said == node.text)
    try:
        return float(node.text) == float(said)
    except ValueError:
        return False


def _list_steps(node: YamlNode, path: Path, value: list[Any]) -> Iterator[Change]:
    """Yield the changes of the items between those that are equal at both ends."""
    old, new = full_data(node), as_loaded(value)
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = next((n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first)
    many, few = len(old) - first - last, len(new) - first - last
    shared = min(many, few)
    yield from (SetValue((*path, n), value[n]) for n in range(first, first + shared))
    yield from (RemoveItem((*path, n)) for n in range(first + many - 1, first + shared - 1, -1))
    yield from (InsertItem(path, n, value[n]) for n in range(first + shared, first + few))
