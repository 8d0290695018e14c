"""Sheets as imposition lays them out are in order; those that it might lay out wrong are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import A4
from msgspec.structs import replace
from preflight.laid import DIE, LEAF, SHIFTED, STICKERS, TENT, Laid, marked

from generator.geometry import Point, Size
from generator.model.catalogue import PrinterProfile
from generator.model.face import PdfLayer, Sheet
from generator.model.pack import Backs, Layout
from generator.preflight.checking import Subject
from generator.preflight.layout_checks import booklets, bought_labels
from generator.preflight.sheet_checks import page_sizes


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
