"""Changes of every shipped file and of random documents, compared with what load reads of them."""

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.edits import (
    Change,
    CopyItem,
    CsvLookup,
    InsertItem,
    MoveItem,
    RemoveItem,
    SetValue,
    UnfitEditError,
    edited,
    places,
)
from generator.edits.changes import changed
from generator.load import document_in
from generator.model.source import Node, Scalar, Sequence

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("cards", "templates", "generator")
FILES = sorted(path for name in FOLDERS for path in (ROOT / name).rglob("*.yaml"))
TEXTS = [
    "ash", "Oat Fellowes", "It's", "12", "5.5", "true", "ünï \U0001f600", "a: b", "#12", "- dash",
    "two\nlines", "", "null", "ends\n", 'say "hi"', "[x", "y, z]", " pad ",
    "long text " * 14 + "end",
    "para " * 30 + "\n\nmore", "  led\nby", "a?b", "C:\\x", "%", "@", "key:", "~", "...", "&x",
]  # fmt: skip
VALUES: list[Any] = [*TEXTS, None, 3, 5.5, True, [], {}, ["x", "y: z"], {"a": 1, "b": ["m\nn"]}]


def plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return None if node.is_null else node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def loaded(text: str) -> Any:
    found = document_in(text, "cards.yaml")
    assert found.value is not None, found.diagnostics
    return plain(found.value.root)


def paths(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    inner = (
        list(enumerate(data))
        if isinstance(data, list)
        else list(data.items())
        if isinstance(data, dict)
        else []
    )
    return [(path, data), *(found for key, each in inner for found in paths(each, (*path, key)))]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_value_of_any_shipped_file_is_set_and_read_again(folder: str) -> None:
    random = Random(folder)
    files = [path for path in FILES if path.is_relative_to(ROOT / folder)]
    assert files
    for path in random.sample(files, min(len(files), 50)):
        text = path.read_text("utf-8")
        if "&" in text and "*" in text:
            continue  # an anchor stands for more than one value
        data = loaded(text)
        scalars = [where for where, each in paths(data) if not isinstance(each, dict | list)]
        for where in random.sample(scalars, min(len(scalars), 4)):
            change = SetValue(where, random.choice(VALUES))
            made = edited(text, path.name, [change])
            assert loaded(made) == changed(deepcopy(data), change), (path, change)
            found = places(text, path.name)
            assert not isinstance(found, CsvLookup)
            place = found.of(where)
            assert place is not None
            lines = text.splitlines(keepends=True)
            assert made.startswith("".join(lines[: place.line - 1])), (path, change)
            assert made.endswith("".join(lines[place.end_line :])), (path, change)


class Author:
    """Writes random documents in the ways that people write them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.choice = random.choice
        self.shared: list[str] = []

    def document(self, *, shares: bool = False) -> str:
        keys = self.random.sample(
            ["kind", "components", "boxes", "more"], self.random.randint(1, 4)
        )
        body = ""
        if shares:
            body = "".join(self.anchored(name) for name in ("n0", "n1", "n2"))
            self.shared += ["n0", "n1", "n2"]
        body += self.block({key: self.value(4) for key in keys}, 0)
        end = self.choice(["", "# end\n", "\n\n"])
        text = self.choice(["", "# head\n", "---\n", "# a\n\n# b\n"]) + body + end
        return text.replace("\n", self.choice(["\n", "\r\n"]))

    def anchored(self, name: str) -> str:
        """Return an entry with an anchor, which values after it refer to."""
        value = self.choice(["ash", ["ash", "12"], {"id": "x", "at": ["1", "2"]}])
        return f"{name}: &{name} {self.brackets(value)}\n"

    def value(self, depth: int) -> Any:
        sort = self.random.random()
        if not depth or sort < 0.5:
            return self.choice(TEXTS)
        if sort < 0.75:
            return [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        keys = self.random.sample(["id", "name", "art", "at", "x y"], self.random.randint(1, 4))
        return {key: self.value(depth - 1) for key in keys}

    def block(self, value: Any, column: int) -> str:
        is_mapping = isinstance(value, dict)
        made = ""
        for key, each in value.items() if is_mapping else enumerate(value):
            made += self.comments(column, is_first=not made)
            made += " " * column + (f"{key}:" if is_mapping else "-")
            made += self.behind(each, column, is_mapping)
        return made

    def comments(self, column: int, is_first: bool) -> str:
        deeper = "" if is_first else " " * column + "  # deeper\n"
        apart = "\n" + " " * column + "# apart\n\n"
        above = " " * column + "# above\n"
        return self.choice(["", "", "", "", "", "", above, "\n", apart, deeper])

    def note(self) -> str:
        return self.choice(["\n", "\n", "\n", " # note\n"])

    def behind(self, value: Any, column: int, in_mapping: bool) -> str:
        if self.shared and self.random.random() < 0.15:
            return f" *{self.choice(self.shared)}{self.note()}"
        if isinstance(value, str):
            return " " + self.text(value, column)
        if not value or self.random.random() < 0.4:
            return f" {self.brackets(value)}{self.note()}"
        if in_mapping:
            step = self.choice([0, 2, 4] if isinstance(value, list) else [2, 4])
            return self.note() + self.block(value, column + step)
        block = self.block(value, column + 2)
        return f" {block[column + 2 :]}" if not block[: column + 2].strip(" ") else f"\n{block}"

    def text(self, text: str, column: int) -> str:
        inner = " " * (column + 2)
        is_led = text.startswith((" ", "\n")) or not text.strip()
        if text.startswith("long") and self.random.random() < 0.7:
            return text[:49] + "\n" + inner + text[50:] + self.note()
        if "\n" in text and not is_led and self.random.random() < 0.7:
            sign = self.choice("|>")
            body = text.rstrip("\n").replace("\n\n", "\n\n\n" if sign == ">" else "\n\n")
            if sign == ">" and "\n\n" not in body:
                body = body.replace("\n", "\n\n")
            lines = "".join(f"{inner}{line}".rstrip(" ") + "\n" if not line else f"{inner}{line}\n"
                            for line in body.split("\n"))  # fmt: skip
            return sign + ("" if text.endswith("\n") else "-") + self.note() + lines
        if text in ("ash", "Oat Fellowes", "It's", "12") and self.random.random() < 0.7:
            return text + self.note()
        return self.quotes(text) + self.note()

    def quotes(self, text: str) -> str:
        if "\n" not in text and self.random.random() < 0.5:
            return "'" + text.replace("'", "''") + "'"
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def brackets(self, value: Any) -> str:
        if self.shared and self.random.random() < 0.1:
            return f"*{self.choice(self.shared)}"
        if isinstance(value, str):
            return value if value in ("ash", "Oat Fellowes", "12") else self.quotes(value)
        sign, blank = self.choice([", ", ",", ",  "]), self.choice(["", " "])
        if isinstance(value, list):
            return "[" + blank + sign.join(map(self.brackets, value)) + blank + "]"
        entries = [f"{key}: {self.brackets(each)}" for key, each in value.items()]
        return "{" + blank + sign.join(entries) + blank + "}"

    def change(self, data: Any) -> Change:
        path, old = self.choice(paths(data)[1:])
        value = self.choice([self.value(2), *VALUES])
        at = self.random.randrange(4)
        values = {"id": "c"} if isinstance(old, dict) else {}
        changes: list[Change] = [SetValue(path, value)] * 3
        changes += [RemoveItem(path), MoveItem(path, at), CopyItem(path, at, values, "copy")]
        if isinstance(old, list):
            changes += [InsertItem(path, at, value)] * 3
        if isinstance(old, dict):
            changes += [SetValue((*path, "added"), value), InsertItem(path, at, {"e": value})] * 2
        return self.choice(changes)


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_any_changes_of_any_document_are_read_as_they_were_meant(seed: int) -> None:
    author = Author(Random(seed))
    text = author.document(shares=seed % 2 == 0)
    data = loaded(text)
    for _ in range(5):
        if len(paths(data)) < 2:
            return
        change = author.change(data)
        if change.path[0] in author.shared:
            continue  # what others stand for
        try:
            made = edited(text, "cards.yaml", [change])
        except UnfitEditError as error:
            if "taken already" in str(error) or "refers to this" in str(error):
                continue
            raise
        data = changed(deepcopy(data), change)
        assert loaded(made) == data, (change, text)
        if isinstance(change, MoveItem | InsertItem):
            assert made.count("# ") >= text.count("# "), (change, text)
        text = made


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_items_added_or_removed_together_are_read_as_one_by_one(seed: int) -> None:
    author = Author(Random(seed))
    text = author.document()
    data = loaded(text)
    lists = [(path, each) for path, each in paths(data) if isinstance(each, list)]
    if not lists:
        return
    path, items = author.choice(lists)
    at = author.random.randrange(len(items) + 2)
    added = [InsertItem(path, at + n, author.value(2)) for n in range(3)]
    gone = [n for n in reversed(range(len(items))) if author.random.random() < 0.6]
    for changes in (added, [RemoveItem((*path, n)) for n in gone]):
        meant = deepcopy(data)
        for change in changes:
            meant = changed(meant, change)
        made = edited(text, "cards.yaml", changes)
        assert loaded(made) == meant, (changes, text)


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_changes_and_their_reverse_give_the_text_back(seed: int) -> None:
    author = Author(Random(seed))
    text = author.document()
    lists = [(path, each) for path, each in paths(loaded(text)) if isinstance(each, list) and each]
    if not lists:
        return
    path, items = author.choice(lists)
    at, to = author.random.randrange(len(items)), author.random.randrange(len(items))
    moved = edited(text, "a.yaml", [MoveItem((*path, at), to)])
    if "- #" not in moved:  # a comment that came behind a dash stays there
        assert edited(moved, "a.yaml", [MoveItem((*path, to), at)]) == text
    more = edited(text, "a.yaml", [InsertItem(path, to, "new"), InsertItem(path, at, {"id": "x"})])
    assert edited(more, "a.yaml", [RemoveItem((*path, n)) for n in (at, to)]) == text
