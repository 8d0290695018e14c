"""Each check in a shipped pack reports the fault that it looks for, at its line.

tests/fixtures/packs/<pack>.yaml lists faults:
    file, old, new  in this file the first `old` becomes `new`
    pattern         instead of old: a regular expression, replaced until nothing changes
    edits           instead of one file's change: several, made in order
    players         how many play; by default as many as can
    said, code      a part of the message, and `error[GP209]`
    at              where it is reported, `file:part of the line`, or a list of such places; `#2`
                    at the end means the second line with that part
    also            the severity of other messages, if not the same: error or warning
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterable
from contextlib import chdir
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
import yaml
from packs.shipped import ROOT, copied, opened

from generator.diagnostics import Diagnostic
from generator.project import Project

PACKS = Project(ROOT, ROOT).packs()


@dataclass(frozen=True)
class Edit:
    """A change to one file of a pack."""

    file: str
    new: str
    old: str = ""
    pattern: str = ""

    def make(self, cards: Path) -> None:
        path = cards / self.file
        before = path.read_text(encoding="utf-8")
        after = before.replace(self.old, self.new, 1) if self.old else self._everywhere(before)
        assert after != before, f"{self.file} does not say {self.old or self.pattern}"
        path.write_text(after, encoding="utf-8")

    def lines(self, cards: Path) -> set[int]:
        """Return the lines that it changes."""
        before = (cards / self.file).read_text(encoding="utf-8")
        found = re.finditer(re.escape(self.old) or self.pattern, before, re.MULTILINE)
        places = [m.span() for m in itertools.islice(found, 1 if self.old else None)]
        ends = ((before.count("\n", 0, at), before.count("\n", 0, end)) for at, end in places)
        return {line for first, last in ends for line in range(first, last + 1)}

    def _everywhere(self, text: str) -> str:
        replaced = re.sub(self.pattern, self.new, text, flags=re.MULTILINE)
        return text if replaced == text else self._everywhere(replaced)


@dataclass(frozen=True)
class Fault:
    """A row of a table."""

    pack: str
    edits: tuple[Edit, ...]
    at: tuple[str, ...]
    said: str
    code: str
    players: int | None = None
    also: str = ""

    def assert_reported(self, root: Path, found: Iterable[Diagnostic]) -> None:
        reported = [d for d in found if self.said in d.message]
        assert reported, (self.said, found)
        assert {f"{d.severity}[{d.code}]" for d in reported} == {self.code}, self.said
        places = {self._place(root, where) for where in self.at}
        assert {(d.span.file, d.span.line) for d in reported} == places, reported
        assert all(d.hint for d in reported), self.said

    def is_reported(self, root: Path, found: Iterable[Diagnostic]) -> bool:
        try:
            self.assert_reported(root, found)
        except AssertionError:
            return False
        return True

    def fits_with(self, other: Fault) -> bool:
        """Return True if one pack can have both faults."""
        return (
            self.players == other.players
            and self.said not in other.said
            and other.said not in self.said
            and self._touched.isdisjoint(other._touched)
        )

    @property
    def severities(self) -> set[str]:
        return {self.code.partition("[")[0], self.also} - {""}

    @cached_property
    def _touched(self) -> set[object]:
        """Return the places where it is reported, and the lines that it changes."""
        cards = ROOT / "cards" / self.pack
        return {*self.at, *((edit.file, line) for edit in self.edits for line in edit.lines(cards))}

    def _place(self, root: Path, where: str) -> tuple[str, int]:
        file, _, part = where.partition(":")
        part, _, nth = part.partition("#")
        file = posixpath.normpath(f"cards/{self.pack}/{file}")
        path = root / file if (root / file).exists() else ROOT / file
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [n for n, line in enumerate(lines, 1) if part in line]
        return file, found[int(nth or 1) - 1] if len(found) >= int(nth or 1) else 0


def table(pack: str) -> list[Fault]:
    """Return the faults of a pack."""
    path = ROOT / f"tests/fixtures/packs/{pack}.yaml"
    faults = []
    for row in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader):
        edits = row.pop("edits", None) or [
            {key: row.pop(key) for key in ("file", "old", "pattern", "new") if key in row}
        ]
        at = row.pop("at")
        made = tuple(Edit(**edit) for edit in edits if edit)
        faults.append(Fault(pack, made, (at,) if isinstance(at, str) else tuple(at), **row))
    return faults


def together(faults: Iterable[Fault]) -> list[list[Fault]]:
    """Group faults that do not touch each other: reading a pack is most of the time. Those that
    touch most others come first, which makes for few groups."""
    groups: list[list[Fault]] = []
    every = list(faults)
    fits = {id(fault): sum(map(fault.fits_with, every)) for fault in every}
    for fault in sorted(every, key=lambda fault: fits[id(fault)]):
        group = next((g for g in groups if all(map(fault.fits_with, g))), None)
        groups.append([fault]) if group is None else group.append(fault)
    return groups


def try_faults(pack: str, faults: list[Fault], root: Path) -> None:
    """Make some faults in a copy of the pack; try those again that others hide."""
    cards = root / "cards" / pack
    edits = [edit for fault in faults for edit in fault.edits]
    before = {cards / edit.file: (cards / edit.file).read_bytes() for edit in edits}
    for edit in edits:
        edit.make(cards)
    with chdir(root):
        found = opened(root, pack, faults[0].players).diagnostics
    severities = {str(d.severity) for d in found}
    hidden = [fault for fault in faults if not fault.is_reported(root, found)]
    if len(faults) == 1:
        faults[0].assert_reported(root, found)
    for path, content in before.items():
        path.write_bytes(content)
    wanted = set().union(*(fault.severities for fault in faults))
    if not hidden:
        assert severities == wanted, found
    elif len(hidden) < len(faults):
        assert severities <= wanted, found
        try_faults(pack, hidden, root)
    else:
        for half in (faults[: len(faults) // 2], faults[len(faults) // 2 :]):
            try_faults(pack, half, root)


@pytest.mark.parametrize("pack", PACKS)
def test_faults_are_reported_at_their_lines(pack: str, tmp_path: Path) -> None:
    root = copied(tmp_path, pack)
    for faults in together(table(pack)):
        try_faults(pack, faults, root)
