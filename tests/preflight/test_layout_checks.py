"""Sheets as imposition lays them out are in order; those that it might lay out wrong are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, starmap
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import A4, face, manifest_of
from msgspec.structs import replace

from generator.diagnostics import Span
from generator.export import ManifestFile, rules_entry
from generator.geometry import Point, Rect, Size, bounds
from generator.impose import Slug, impose
from generator.model.catalogue import Fold, LabelSheet, PrinterProfile, Shape, Stock
from generator.model.face import LineMark, Mark, PathMark, PdfLayer, PrintedPiece, Sheet, TextMark
from generator.model.manifest import ComponentEntry, KindEntry, manifest_parts
from generator.model.pack import Backs, Layout, Print
from generator.outlines import flattened
from generator.preflight.checking import PageMatch, Subject
from generator.preflight.layout_checks import (
    as_defined,
    booklets,
    bought_labels,
    copies,
    folds,
    odd_poster,
    on_labels,
    posters,
)
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
from generator.preflight.sheet_checks import page_sizes

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
            self._print, "a4", {self._labels.name: self._labels} if self._labels else {}
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


def faces_exchanged(sheets: Sequence[Sheet], one: int, other: int) -> list[Sheet]:
    """The first pieces of two pages, each in the place of the other."""
    first, second = sheets[one].placements, sheets[other].placements
    here = replace(first[0], face=second[0].face), *first[1:]
    there = replace(second[0], face=first[0].face), *second[1:]
    changed = list(sheets)
    changed[one] = replace(sheets[one], placements=here)
    changed[other] = replace(sheets[other], placements=there)
    return changed


def moved(sheets: Sequence[Sheet], number: int, x: float) -> list[Sheet]:
    """A piece of the last page, by so many mm."""
    placements = list(sheets[-1].placements)
    placements[number] = replace(placements[number], x=placements[number].x + x)
    return [*sheets[:-1], replace(sheets[-1], placements=tuple(placements))]


def marked(sheets: Sequence[Sheet], change: Callable[[Any], Any]) -> list[Sheet]:
    """All marks of the first page changed; one that becomes None is gone."""
    marks = tuple(mark for each in sheets[0].marks if (mark := change(each)) is not None)
    return [replace(sheets[0], marks=marks), *sheets[1:]]


def without_folds(mark: Any) -> Any:
    return None if mark.layer is PdfLayer.FOLD else mark


def with_folds_moved(mark: Any) -> Any:
    if mark.layer is not PdfLayer.FOLD:
        return mark
    return replace(mark, start=mark.start.moved(0.3, 0.3), end=mark.end.moved(0.3, 0.3))


@pytest.mark.parametrize("profile", [PrinterProfile(), SHIFTED], ids=["plain", "shifted"])
@pytest.mark.parametrize("backs", [Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT])
@pytest.mark.parametrize("pages", [1, 2, 7, 8])
def test_booklets_are_in_order(
    tmp_path: Path, pages: int, backs: Backs, profile: PrinterProfile
) -> None:
    laid = Laid(tmp_path, Layout.BOOKLET, LEAF, pages, backs=backs, profile=profile, copies=2)
    assert laid.told() == []


def test_a_booklet_in_another_order_is_told_of(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.BOOKLET, LEAF, 8, backs=Backs.DUPLEX_SHORT)
    assert "when the booklet is folded" in laid.told(faces_exchanged(laid.sheets, 0, 2))[0]
    assert "when the booklet is folded" in laid.told([*laid.sheets[2:], *laid.sheets[:2]])[0]
    bare = replace(laid.sheets[1], placements=laid.sheets[1].placements[:1])
    assert "is blank, and others" in laid.told([laid.sheets[0], bare, *laid.sheets[2:]])[0]


def test_a_booklet_is_in_the_order_of_its_file_whatever_that_of_the_manifest(
    tmp_path: Path,
) -> None:
    laid = Laid(tmp_path, Layout.BOOKLET, LEAF, 8, backs=Backs.DUPLEX_SHORT)

    def told(sheets: Sequence[Sheet], at: Callable[[int], str], names: Sequence[int]) -> list[str]:
        expected, matched = laid.matched(sheets)
        parts = {
            ("card", f"p{n}"): replace(expected.components["card", f"p{n}"], source=at(n))
            for n in names
        }
        nothing: Any = None
        subject = Subject(
            "", nothing, nothing, "", (), replace(expected, components=parts), matched
        )
        return [finding.message for finding in booklets(subject)]

    lines, way = (lambda n: f"leaves.yaml:{n + 4}:5"), [*range(8)]
    assert told(laid.sheets, lines, way) == []
    assert told(laid.sheets, lines, way[::-1]) == []
    assert told(laid.sheets, lambda n: f"{n}.yaml:4:5", way) == []
    [exchanged, *_] = told(faces_exchanged(laid.sheets, 0, 2), lines, [4, 1, 2, 3, 0, 5, 6, 7])
    assert "when the booklet is folded" in exchanged


def test_a_fold_of_a_booklet_or_a_piece_is_where_paper_is_folded(tmp_path: Path) -> None:
    for laid in (
        Laid(tmp_path, Layout.BOOKLET, LEAF, 4, backs=Backs.DUPLEX_SHORT, profile=SHIFTED),
        Laid(tmp_path, Layout.NUP, TENT, 3, backs=Backs.NONE, profile=SHIFTED),
    ):
        assert laid.told() == []
        assert any("is not shown" in each for each in laid.told(marked(laid.sheets, without_folds)))
        odd = laid.told(marked(laid.sheets, with_folds_moved))
        assert any("where nothing is folded" in each for each in odd)


def test_pieces_lie_on_their_labels(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.LABELS, DIE, 5, copies=12, backs=Backs.NONE, profile=SHIFTED)
    assert laid.told() == []
    assert "0.30 mm beside its place" in laid.told(moved(laid.sheets, 0, 0.3))[0]
    assert "within a label" in laid.told(moved(laid.sheets, 1, 30))[0]
    drifted = [replace(s, placements=tuple(replace(p, y=p.y + 0.1) for p in s.placements))
               for s in laid.sheets]  # fmt: skip
    assert "0.10 mm beside its place" in laid.told(drifted)[0]


def known(laid: Laid, **changes: object) -> list[str]:
    """What is said of sheets beside papers and labels that are otherwise in their project."""
    expected, matched = laid.matched(laid.sheets)
    paper = {name: value for name, value in changes.items() if hasattr(A4, name)}
    labels = {name: value for name, value in changes.items() if name not in paper}
    known = replace(expected, paper=replace(A4, **paper), bought=replace(STICKERS, **labels))
    nothing: Any = None
    subject = Subject("", nothing, nothing, "", (), known, matched)
    return [each.message for check in (page_sizes, bought_labels) for each in check(subject)]


def test_papers_and_labels_are_those_of_the_project(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.LABELS, DIE, 2)
    assert known(laid) == []
    [told] = known(laid, first=Point(12, 20.1))
    assert told.startswith("the manifest has other places for the labels of l12 than")
    assert known(laid, pitch=Size(63, 60.05)) == known(laid, rows=5) == [told]
    assert known(laid, margin=A4.margin + 1)[0].startswith(
        "the manifest has 5 mm for the margin of A4, papers.yaml 6 mm"
    )
    assert "papers.yaml 210.00 × 297.20 mm" in known(laid, size=Size(210, 297.2))[0]


NOTCHED = Stock("flag", Size(50, 40), bleed=2, shape=Shape.PATH, path="M0 0 H50 L40 20 L50 40 H0 Z")


@pytest.mark.parametrize(
    ("stock", "changes", "words"),
    [
        (LEAF, {}, ""),
        (LEAF, {"trim": Size(120, 90)}, "another size than its stock, leaf"),
        (LEAF, {"trim": Size(90, 120.1)}, "another size"),
        (LEAF, {"shape": Shape.ROUNDED}, "another shape"),
        (NOTCHED, {}, ""),
        (NOTCHED, {"path": "M0 0 H50 L42 20 L50 40 H0 Z"}, "another outline"),
    ],
)
def test_pieces_are_as_their_stocks_are(
    tmp_path: Path, stock: Stock, changes: dict[str, Any], words: str
) -> None:
    laid, nothing = Laid(tmp_path, Layout.NUP, stock, 2), None
    expected, matched = laid.matched(laid.sheets)
    expected = replace(expected, stocks={"card": replace(stock, **changes)})
    [match] = matched
    cut = tuple(
        replace(piece, contour=tuple(p.moved(piece.x, piece.y) for p in flattened(stock.path)))
        for piece in match.expected.placements
    )
    matched = (replace(match, expected=replace(match.expected, placements=cut)),)
    subject = Subject("", nothing, nothing, "", (), expected, matched)  # type: ignore[arg-type]
    told = [finding.message for finding in as_defined(subject)]
    assert [words in each for each in told] == [True] * bool(words)


def test_pages_of_posters_repeat_what_the_pack_has(tmp_path: Path) -> None:
    laid, nothing = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE), None
    expected, matched = laid.matched(laid.sheets)
    for overlap, words in (
        (10.0, []),
        (12.0, ["pages repeat 10 mm of each other, pack.yaml has 12"]),
    ):
        known = replace(expected, overlap=overlap)
        subject = Subject("", nothing, nothing, "", (), known, matched)  # type: ignore[arg-type]
        assert [finding.message for finding in as_defined(subject)] == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": 90.1}, "another size or shape than copy 1 of it"),
        ({"shape": Shape.ROUNDED}, "another size or shape"),
        ({"bleed": 2.5}, "another bleed"),
        ({"folds": (Fold(Point(0, 51), Point(80, 51)),)}, "other folds"),
    ],
)
def test_a_copy_that_is_cut_otherwise(tmp_path: Path, change: Any, words: str) -> None:
    laid = Laid(tmp_path, Layout.NUP, TENT, 1, copies=2)
    assert laid.told() == []
    first, second = laid.sheets[0].placements
    of_placement = {name: value for name, value in change.items() if hasattr(second, name)}
    stock = {name: value for name, value in change.items() if name not in of_placement}
    other = replace(second.face, stock=replace(second.face.stock, **stock))
    changed = replace(second, face=other, **of_placement)
    [told, *_] = [
        said
        for said in laid.told([replace(laid.sheets[0], placements=(first, changed))])
        if "copy 1 of it" in said
    ]
    assert words in told


def test_pages_of_a_poster_meet_and_are_named(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE)
    assert len(laid.sheets) > 3
    assert laid.told() == []
    assert any("is not named A1" in each for each in laid.told(marked(laid.sheets, renamed)))
    wrong = laid.told(marked(laid.sheets, named_on_top))
    assert wrong == ["C9 is to be glued on top of A1, where A2 comes"]
    [first, *others] = laid.sheets
    [placed] = first.placements
    assert placed.poster is not None
    shorter = replace(placed.poster, shown=replace(placed.poster.shown, width=80))
    gap = laid.told([replace(first, placements=(replace(placed, poster=shorter),)), *others])
    assert "mm between them" in gap[0]
    assert placed.clip is not None
    less = replace(placed, clip=replace(placed.clip, width=placed.clip.width - 4))
    told = laid.told([replace(first, placements=(less,)), *others])
    assert told == ["the front of 'p0', copy 1: two pages repeat 6.00 mm of each other, not 10 mm"]


def changed_where(layer: PdfLayer, start: Point, end: Point | None) -> Callable[[Any], Any]:
    """A line that begins there ends elsewhere, or is gone."""

    def change(mark: Any) -> Any:
        if not isinstance(mark, LineMark) or (mark.layer, mark.start) != (layer, start):
            return mark
        return None if end is None else replace(mark, end=end)

    return change


def test_marks_of_a_poster_are_worked_out_anew(tmp_path: Path) -> None:
    laid = Laid(tmp_path, Layout.POSTER, WALL, 1, backs=Backs.NONE)

    def odd(change: Callable[[Any], Any] = lambda mark: mark) -> list[str]:
        expected, matched = laid.matched(marked(laid.sheets, change))
        return [f"{o.code} {o.message}" for match in matched for o in odd_poster(match, expected)]

    assert odd() == []
    lines = [mark for mark in laid.sheets[0].marks if isinstance(mark, LineMark)]
    cut = next(mark for mark in lines if mark.layer is PdfLayer.CUT)
    assert "GP814" in odd(changed_where(cut.layer, cut.start, None))[0]
    turned = odd(changed_where(cut.layer, cut.start, cut.start.moved(3, 3)))
    assert "cut mark at its corner" in turned[0]
    guides = next(mark for mark in lines if mark.layer is PdfLayer.GUIDES)
    [lost] = odd(changed_where(guides.layer, guides.start, None))[:1]
    assert "no diamond is drawn at its corner" in lost
    words = [mark for mark in laid.sheets[0].marks if isinstance(mark, TextMark)]
    on_top = next(mark for mark in words if "on top here" in mark.text)
    assert (
        "is not on the strip"
        in odd(lambda m: replace(m, at=m.at.moved(-40, -40)) if m is on_top else m)[0]
    )
    assert (
        "pt small"
        in odd(lambda m: replace(m, size_pt=3) if getattr(m, "text", "") == "A1" else m)[0]
    )


def renamed(mark: Any) -> Any:
    return replace(mark, text="A9") if isinstance(mark, TextMark) and mark.text == "A1" else mark


def named_on_top(mark: Any) -> Any:
    if isinstance(mark, TextMark) and mark.text == "A2 goes on top here":
        return replace(mark, text="C9 goes on top here")
    return mark
