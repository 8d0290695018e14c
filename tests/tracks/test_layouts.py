import pytest

from generator.tracks.layouts import laid
from generator.tracks.tiles import HEXAGONS, OCTAGONS, SQUARES


def test_tiles_are_laid_from_the_start() -> None:
    layout = laid(HEXAGONS, "SLR")
    assert [(t.number, t.letter, t.place, t.heading) for t in layout.tiles] == [
        (1, "S", (0, 0), 0),
        (2, "L", (1, 0), 0),
        (3, "R", (1, 1), 1),
    ]
    assert (layout.end, layout.heading) == ((2, 1), 0)


@pytest.mark.parametrize(
    ("family", "word"),
    [
        (HEXAGONS, "L" * 6),
        (HEXAGONS, "R" * 6),
        (SQUARES, "SLSLSLSL"),
        (SQUARES, "SSLLSSLL"),
        (OCTAGONS, "L" * 8),
        (OCTAGONS, "SSSLLLLSSSLLLL"),
    ],
)
def test_circuits_close_without_overlap(family, word) -> None:
    layout = laid(family, word)
    assert layout.gap is None
    assert layout.overlaps == ()
    assert layout.is_circuit


def test_a_gap_names_both_tiles_and_its_length() -> None:
    gap = laid(HEXAGONS, "SSLLLSLLL").gap
    assert gap is not None
    assert gap.widths == pytest.approx(1)
    assert gap.mm(25.4) == pytest.approx(25.4)
    assert str(gap) == "tile 9 (L) misses tile 1 (S) by 1.00 tile widths"


def test_a_gap_may_be_only_a_turn() -> None:
    gap = laid(HEXAGONS, "LLLLLS").gap
    assert gap is not None
    assert (gap.last.number, gap.degrees) == (6, -60)
    assert "by a turn of -60°" in str(gap)


def test_an_overlap_names_both_tiles() -> None:
    layout = laid(SQUARES, "SLLLL")
    assert [str(overlap) for overlap in layout.overlaps] == ["tile 5 (L) lies on tile 1 (S)"]
    assert not layout.is_circuit


def test_octagons_that_lie_partly_on_each_other_overlap() -> None:
    overlaps = laid(OCTAGONS, "SSLLLLLLS").overlaps
    assert [str(o) for o in overlaps] == ["tile 9 (S) lies on tile 1 (S)"]
    assert overlaps[0].first.place != overlaps[0].second.place


def test_no_tiles_are_no_circuit() -> None:
    layout = laid(HEXAGONS, "")
    assert layout.gap is None
    assert not layout.is_circuit
