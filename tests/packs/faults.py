"""Tables of faults in: what is changed in a pack's files. Out: what is said of it, and which check
of which kind said it.

A table is tests/fixtures/packs/<pack>.yaml, a list of faults:
    file, old, new  the first place where a file says `old` says `new`
    pattern         instead of old: a regular expression, replaced wherever it is found, as long as
                    that changes something
    edits           instead of one file's: several such changes, one after the other
    players         how many play; otherwise as many as can
    said, code      a part of the message, and `error[GP209]`
    at              where it is said, `file:part of the line`: the first line that holds the part,
                    with `#2` behind it the second; or a list of such places
    also            how bad what else is said may be, if not as bad as this: error or warning
"""

from __future__ import annotations

import atexit
import itertools
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import yaml
from packs.shipped import ROOT, copied, opened

from generator import load
from generator.diagnostics import Diagnostic
from generator.model import source
from generator.project import Project
from generator.validate import kind_rules

PACKS = Project(ROOT, ROOT).packs()
TABLES = ROOT / "tests/fixtures/packs"

Place = tuple[str, int]
"""A file, as it is named in messages, and a line."""


@dataclass(frozen=True)
class Edit:
    """A change to one file of a pack."""

    file: str
    new: str
    old: str = ""
    pattern: str = ""

    def make(self, cards: Path) -> None:
        """Write it into the pack's folder."""
        path = cards / self.file
        before = path.read_text(encoding="utf-8")
        path.write_text(self._made(before), encoding="utf-8")

    def lines(self, cards: Path) -> frozenset[int]:
        """Those of the file that it looks for."""
        before = (cards / self.file).read_text(encoding="utf-8")
        found = re.finditer(re.escape(self.old) or self.pattern, before, re.MULTILINE)
        places = [m.span() for m in itertools.islice(found, 1 if self.old else None)]
        ends = ((before.count("\n", 0, at), before.count("\n", 0, end)) for at, end in places)
        return frozenset(line for first, last in ends for line in range(first, last + 1))

    def _made(self, before: str) -> str:
        after = before.replace(self.old, self.new, 1) if self.old else self._everywhere(before)
        assert after != before, f"{self.file} does not say {self.old or self.pattern}"
        return after

    def _everywhere(self, text: str) -> str:
        replaced = re.sub(self.pattern, self.new, text, flags=re.MULTILINE)
        return text if replaced == text else self._everywhere(replaced)


@dataclass(frozen=True)
class Fault:
    """A row of a table."""

    pack: str
    edits: tuple[Edit, ...]
    players: int | None
    said: str
    code: str
    at: tuple[str, ...]
    also: str = ""

    def __str__(self) -> str:
        """The name of its test."""
        return f"{self.pack}-{self.said}"

    @property
    def severities(self) -> set[str]:
        """How bad what is said may be."""
        return {self.code.partition("[")[0], self.also} - {""}

    def heard(self) -> Heard:
        """All that is said of the pack with this fault, and maybe others that hinder it not."""
        tried = _tried(_together(self.pack)[self])
        while self not in tried.told:
            tried = _tried(next(group for group in tried.left if self in group))
        assert tried.heard is not None
        return tried.heard

    def is_told(self, heard: Heard) -> bool:
        """Whether it is told where the row says."""
        return self.told(heard) == self.places(heard)

    def told(self, heard: Heard) -> set[Place]:
        """Where it is said."""
        told = (d.span for d in heard.diagnostics if self.said in d.message)
        return {(span.file, span.line) for span in told}

    def keeps_clear_of(self, other: Fault) -> bool:
        """Whether both may be made at once."""
        return (
            self.players == other.players
            and self.severities == other.severities
            and self.said not in other.said
            and other.said not in self.said
            and self._touched.isdisjoint(other._touched)
        )

    @cached_property
    def _touched(self) -> frozenset[object]:
        """The lines that it changes, as the pack is shipped, and the places that are told."""
        cards = ROOT / "cards" / self.pack
        changed = ((edit.file, line) for edit in self.edits for line in edit.lines(cards))
        return frozenset((*changed, *self.at))

    def places(self, heard: Heard) -> set[Place]:
        """Where the row says that it is said."""
        return {self._place(where, heard) for where in self.at}

    def _place(self, where: str, heard: Heard) -> Place:
        file, _, part = where.partition(":")
        part, _, nth = part.partition("#")
        file = posixpath.normpath(f"cards/{self.pack}/{file}")
        text = heard.changed.get(file) or (ROOT / file).read_text(encoding="utf-8")
        lines = [n for n, line in enumerate(text.splitlines(), 1) if part in line]
        return file, lines[int(nth or 1) - 1] if len(lines) >= int(nth or 1) else 0

    def provoked(self) -> set[Place]:
        """The checks that say what the row tells."""
        return {check for check, d in self.heard().of_checks if self.said in d.message}


@dataclass(frozen=True)
class Heard:
    """What is said of a pack; of that what its kinds' checks say, each with where it is written;
    and what stands in the files that were changed."""

    diagnostics: tuple[Diagnostic, ...]
    of_checks: tuple[tuple[Place, Diagnostic], ...]
    changed: Mapping[str, str]


@cache
def table(pack: str) -> tuple[Fault, ...]:
    """The faults of a pack."""
    text = (TABLES / f"{pack}.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, yaml.CSafeLoader)
    return tuple(_fault(pack, row) for row in rows)


def _fault(pack: str, row: dict[str, Any]) -> Fault:
    edits = row.pop("edits", None)
    at = row.pop("at")
    if edits is None:
        edits = [{key: row.pop(key) for key in ("file", "old", "pattern", "new") if key in row}]
    return Fault(
        pack,
        tuple(Edit(**edit) for edit in edits),
        row.pop("players", None),
        at=(at,) if isinstance(at, str) else tuple(at),
        **row,
    )


@cache
def _together(pack: str) -> Mapping[Fault, tuple[Fault, ...]]:
    """With which others each fault of a pack is made. To read a pack takes longer than to find what
    is wrong with it: so faults are made together that keep clear of each other."""
    groups: list[list[Fault]] = []
    for fault in table(pack):
        clear = (group for group in groups if all(map(fault.keeps_clear_of, group)))
        group = next(clear, None)
        if group is None:
            groups.append([fault])
        else:
            group.append(fault)
    return {fault: tuple(group) for group in groups for fault in group}


@dataclass(frozen=True)
class _Tried:
    """What is said of the pack with some faults, which of these are told so, and the others, to be
    made again with each other; where none is told, in two halves."""

    heard: Heard | None
    told: frozenset[Fault]
    left: tuple[tuple[Fault, ...], ...]


@cache
def _tried(group: tuple[Fault, ...]) -> _Tried:
    edits = tuple(edit for fault in group for edit in fault.edits)
    try:
        heard = _heard(group[0].pack, edits, group[0].players)
    except AssertionError:  # one of them can no longer be made
        if len(group) == 1:
            raise
        heard = None
    told = frozenset(f for f in group if len(group) == 1 or (heard and f.is_told(heard)))
    left = tuple(fault for fault in group if fault not in told)
    half = 0 if told else len(left) // 2
    return _Tried(heard, told, (left[:half], left[half:]))


def _heard(pack: str, edits: tuple[Edit, ...], players: int | None) -> Heard:
    with _broken(pack, edits) as root, chdir(root), _listening() as of_checks:
        diagnostics = opened(root, pack, players).diagnostics
        files = {f"cards/{pack}/{edit.file}" for edit in edits}
        changed = {file: (root / file).read_text(encoding="utf-8") for file in files}
    return Heard(diagnostics, tuple(of_checks), changed)


@contextmanager
def _broken(pack: str, edits: tuple[Edit, ...]) -> Iterator[Path]:
    """A root with the pack, in which the edits are made as long as it is used."""
    root = _copy_of(pack)
    cards = root / "cards" / pack
    whole = {edit.file: (cards / edit.file).read_text(encoding="utf-8") for edit in edits}
    try:
        for edit in edits:
            edit.make(cards)
        yield root
    finally:
        for file, text in whole.items():
            (cards / file).write_text(text, encoding="utf-8")


@cache
def _copy_of(pack: str) -> Path:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    return copied(Path(folder.name).resolve(), pack)


@contextmanager
def _listening() -> Iterator[list[tuple[Place, Diagnostic]]]:
    """What checks say from now on, each with the check's place in its kind's file."""
    heard: list[tuple[Place, Diagnostic]] = []

    def listening(report: Callable[..., None]) -> Callable[..., None]:
        def said(check: Any, *more: Any) -> None:
            faults = more[-1].faults
            before = len(faults)
            report(check, *more)
            heard.extend(((check.span.file, check.span.line), d) for d in faults[before:])

        return said

    with (
        patch.object(kind_rules, "_report_component", listening(kind_rules._report_component)),
        patch.object(kind_rules, "_report_set", listening(kind_rules._report_set)),
    ):
        yield heard


def checks_of(pack: str) -> dict[Place, str]:
    """Where each check of a pack's kinds is written, and which it is: `kind.checks[0]`."""
    found: dict[Place, str] = {}
    for path in sorted((ROOT / "cards" / pack / "kinds").glob("*.yaml")):
        document = load.read_document(path, path.relative_to(ROOT).as_posix()).value
        assert document is not None
        assert isinstance(document.root, source.Mapping)
        for key in ("checks", "set_checks"):
            entries = document.root.get(key) or source.Sequence((), document.root.span)
            assert isinstance(entries, source.Sequence)
            for n, entry in enumerate(entries.items):
                found[entry.span.file, entry.span.line] = f"{path.stem}.{key}[{n}]"
    return found
