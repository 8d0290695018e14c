"""Sheets as imposition lays them out, and what is said of them: no file is written for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, starmap
from pathlib import Path
from typing import Any

from export.hand_made import A4, face, manifest_of
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.export import ManifestFile, rules_entry
from generator.geometry import Point, Rect, Size, bounds
from generator.impose import Slug, impose
from generator.model.catalogue import Fold, LabelSheet, PrinterProfile, Stock
from generator.model.face import LineMark, Mark, PathMark, PrintedPiece, Sheet, TextMark
from generator.model.manifest import ComponentEntry, KindEntry, manifest_parts
from generator.model.pack import Layout, Print
from generator.preflight.checking import PageMatch, Subject
from generator.preflight.layout_checks import booklets, folds, on_labels
from generator.preflight.manifest_reader import ExpectedFile, ManifestReader
from generator.preflight.page_reader import (
    ClosedStroke,
    DrawnPath,
    DrawnWords,
    LineStroke,
    PageRead,
    PathStep,
    Pen,
)
from generator.preflight.sheet_checks import copies, posters

LEAF = Stock("leaf", Size(90, 120), bleed=3)
TENT = Stock("tent", Size(80, 100), bleed=3, folds=(Fold(Point(0, 50), Point(80, 50)),))
DIE = Stock("die", Size(16, 16), bleed=1)
WALL = Stock("wall", Size(380, 340), bleed=3)
STICKERS = LabelSheet("l12", "12 labels", "a4", Size(60, 40), 3, 4, Point(12, 20), Size(63, 60))
SHIFTED = PrinterProfile(front=Point(0.7, -0.4), back=Point(-0.2, 0.3))
CHECKS = (folds, on_labels, booklets, posters, copies)


class Laid:
    """Sheets of a print, and what the checks say of them."""

    def __init__(self, folder: Path, layout: Layout, stock: Stock, count: int, **more: Any) -> None:
        self._path = folder / "cards-a4.pdf"
        self._path.write_bytes(b"")
        self._names = [f"p{number}" for number in range(count)]
        self._profile = more.pop("profile", PrinterProfile())
        copies, self._paper = more.pop("copies", 1), more.pop("paper", A4)
        self._labels = more.pop("labels", STICKERS) if layout is Layout.LABELS else None
        labels = {"a4": self._labels.name} if self._labels else {}
        self._draft, cutter = more.pop("draft", False), more.pop("cutter", None)
        title, back = more.pop("title", "Hand made"), more.pop("back", False)
        span = Span("pack.yaml")
        self._print = Print(
            "cards", "Cards", span, ("card",), ("a4",), layout, labels=labels, **more
        )
        behind = partial(face, name="back", ground="#223344", stock=stock)
        pieces = [
            PrintedPiece(face(name, stock=stock), behind(name) if back else None, copies)
            for name in self._names
        ]
        laid = impose(
            self._print, pieces, self._paper, self._print.backs, label_sheet=self._labels,
            profile=self._profile, slug=Slug(title, "1.0.0", "cards-a4.pdf", self._draft),
            cutter=cutter,
        )  # fmt: skip
        assert laid.ok, laid.diagnostics
        self.sheets = laid.value

    def told(self, sheets: Sequence[Sheet] | None = None) -> list[str]:
        """What is said of these sheets, or of those that imposition made."""
        expected, matched = self.matched(self.sheets if sheets is None else sheets)
        nothing: Any = None
        subject = Subject("", nothing, nothing, "", (), expected, matched)
        found = [finding for check in CHECKS for finding in check(subject)]
        assert {finding.code for finding in found} <= {"GP815"}
        return [finding.message for finding in found]

    def matched(self, sheets: Sequence[Sheet]) -> tuple[ExpectedFile, tuple[PageMatch, ...]]:
        """Sheets beside a manifest that has of them whatever they have."""
        rules = rules_entry(
            self._print, self._paper, {self._labels.name: self._labels} if self._labels else {}
        )
        file = ManifestFile(
            self._path, "cards", "a4", self._print.backs, tuple(sheets), self._profile, rules=rules,
            is_draft=self._draft,
        )  # fmt: skip
        parts = {name: ComponentEntry(source="", content=name, choices={}) for name in self._names}
        kind = KindEntry(title="", why="", quantities=dict.fromkeys(parts, 1), components=parts)
        manifest = self._path.with_name("manifest.json")
        manifest.write_bytes(b"".join(manifest_parts(manifest_of(file, kinds={"card": kind}))))
        expected = ManifestReader(manifest).file("cards-a4.pdf").value
        assert expected is not None
        pages = zip(expected.pages, sheets, strict=True)
        return expected, tuple(PageMatch(page, read(sheet), (), ()) for page, sheet in pages)


def read(sheet: Sheet) -> PageRead:
    """A sheet as it is read back."""
    parts = [part for mark in sheet.marks for part in drawn(mark)]
    words = [mark for mark in sheet.marks if isinstance(mark, TextMark)]
    size, paper = sheet.size, Rect(0, 0, sheet.size.width, sheet.size.height)
    return PageRead(
        sheet.number, size.width, size.height, 0, paper, None, None, (),
        tuple(line for part in parts for line in straight_lines(part)),
        tuple(
            ClosedStroke(part.layer, bounds([points[-1] for _, points in part.steps if points]))
            for part in parts
            if part.steps[-1][0] == "h"
        ),
        paths=tuple(parts),
        words=tuple(
            DrawnWords(mark.layer, mark.text, mark.at, mark.size_pt, mark.rotation, True)
            for mark in words
        ),
    )  # fmt: skip


def drawn(mark: Mark) -> Iterator[DrawnPath]:
    """The parts of the path of a mark."""
    if isinstance(mark, LineMark):
        ends: tuple[PathStep, ...] = ("m", (mark.start,)), ("l", (mark.end,))
        yield DrawnPath(mark.layer, ends, Pen(mark.width, (mark.grey,), mark.dash))
    elif isinstance(mark, PathMark):
        for part in re.findall("M[^M]*", mark.path):
            steps = [
                (step.lower(), tuple(starmap(Point, in_pairs(numbers))))
                for step, numbers in re.findall("([MLCZ])([^MLCZ]*)", part)
            ]
            closed = [("h" if step == "z" else step, points) for step, points in steps]
            yield DrawnPath(mark.layer, tuple(closed), Pen(mark.width, (mark.grey,)), mark.clip)


def in_pairs(numbers: str) -> Iterator[tuple[float, float]]:
    values = iter(map(float, numbers.split()))
    return zip(values, values, strict=True)


def straight_lines(path: DrawnPath) -> Iterator[LineStroke]:
    """Those of a path."""
    first = path.steps[0][1][0]
    for (_, before), (step, points) in pairwise(path.steps):
        if step in ("l", "h"):
            yield LineStroke(path.layer, before[-1], *(points or (first,)))


def marked(sheets: Sequence[Sheet], change: Callable[[Any], Any]) -> list[Sheet]:
    """All marks of the first page changed; one that becomes None is gone."""
    marks = tuple(mark for each in sheets[0].marks if (mark := change(each)) is not None)
    return [replace(sheets[0], marks=marks), *sheets[1:]]
