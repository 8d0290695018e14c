"""Nets of boxes: panels that meet have equal lengths, and the contents fit."""

import itertools
import math

import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Size
from generator.nets import Net, divider, sleeve, tray, tuck_box
from generator.validate.catalogue_files import path_fault


def test_a_deck_has_room_in_its_box() -> None:
    net = tuck_box(65, 90, 18, board=0.4)
    panels = net["panels"]
    assert {(panels[name]["w"], panels[name]["h"]) for name in ("front", "back")} == {(65.8, 90.8)}
    assert {(panels[n]["w"], panels[n]["h"]) for n in ("side", "other_side")} == {(18.8, 90.8)}
    assert {(panels[name]["w"], panels[name]["h"]) for name in ("lid", "foot")} == {(65.8, 18.8)}
    assert net["w"] == 12 + 2 * (65.8 + 18.8)
    assert net["h"] == pytest.approx(90.8 + 2 * (18.8 + 15))


def test_panels_of_a_tuck_box_lie_side_by_side_between_folds() -> None:
    net = tuck_box(65, 90, 18)
    panels, folds = net["panels"], net["folds"]
    row = [panels[name] for name in ("side", "back", "other_side", "front")]
    for left, right in itertools.pairwise(row):
        assert left["x"] + left["w"] == pytest.approx(right["x"])
        assert right["y"] == left["y"]
    upright = sorted(a[0] for a, b in folds if a[0] == b[0])
    assert upright == [panel["x"] for panel in row]
    assert panels["lid"]["x"] == panels["foot"]["x"] == panels["back"]["x"]
    assert panels["lid"]["y"] + panels["lid"]["h"] == pytest.approx(panels["back"]["y"])
    assert panels["foot"]["y"] == pytest.approx(panels["back"]["y"] + panels["back"]["h"])
    assert net["body"]["w"] == pytest.approx(math.fsum(panel["w"] for panel in row))
    (glue,) = net["glue"]
    assert max(x for x, _ in glue) == row[0]["x"]
    assert row[0]["x"] < row[1]["w"], "the tab lies behind the front"


@pytest.mark.parametrize("board", [0.3, 0.4, 1.5])
def test_what_is_as_large_as_asked_fits_a_tray_and_that_its_lid(board: float) -> None:
    """Creases are in the middle of the board, and each corner has a tab glued within its wall."""

    def clear(net: Net) -> tuple[float, float]:
        floor = net["panels"]["floor"]
        return floor["w"] - 3 * board, floor["h"] - board

    base = tray(96, 70, 28, board)
    assert min(clear(base)[0] - 96, clear(base)[1] - 70) >= board - 1e-9
    outside = base["panels"]["floor"]["w"] + board, base["panels"]["floor"]["h"] + board
    for play in (0.5, 0.8):
        lid = clear(tray(96, 70, 20, board, play))
        assert lid == pytest.approx((outside[0] + play, outside[1] + play))


def test_walls_of_a_tray_meet_where_they_are_glued() -> None:
    net = tray(96, 70, 28)
    panels = net["panels"]
    assert panels["near"]["h"] == 28 + 0.4
    assert panels["far"]["w"] == panels["near"]["w"] == panels["floor"]["w"]
    assert panels["left"]["h"] == panels["right"]["h"] == panels["floor"]["h"]
    assert panels["far"]["h"] == panels["left"]["w"]
    for corners in net["glue"]:
        wide = max(x for x, _ in corners) - min(x for x, _ in corners)
        assert 0 < wide <= panels["left"]["w"]


@pytest.mark.parametrize(
    "net",
    [
        tuck_box(63.5, 88.9, 5),
        tuck_box(200, 250, 120, board=2),
        tuck_box(12, 20, 4, board=0),
        tuck_box(63.5, 88.9, 1.32),
        sleeve(63.5, 30, 1.32),
        tray(40, 30, 1.5),
        tray(40, 30, 6),
        tray(300, 200, 60, play=1.5),
        sleeve(64, 30, 8),
        divider(66, 91, 1, 1),
        divider(66, 91, 5, 5),
        divider(66, 91, 3, 2),
    ],
)
def test_outlines_can_be_cut_and_lie_within_their_size(net: dict[str, object]) -> None:
    size = Size(float(str(net["w"])), float(str(net["h"])))
    assert path_fault(str(net["path"]), size) is None
    pen = AreaPen()
    parse_path(str(net["path"]), pen)
    assert 0 < abs(pen.value) < size.width * size.height
    for fold in net["folds"]:  # type: ignore[attr-defined]
        for x, y in fold:
            assert 0 <= x <= size.width + 1e-9
            assert 0 <= y <= size.height + 1e-9


def test_all_that_is_cut_out_counts() -> None:
    net = divider(60, 90, 1, 1, rise=10)
    pen = AreaPen()
    parse_path(net["path"], pen)
    corners = 4 * 9 * (1 - math.pi / 4)
    assert abs(pen.value) == pytest.approx(60 * 100 - corners, abs=0.2)


def test_sizes_that_make_no_box_are_refused() -> None:
    for wrong in ((0, 90, 18), (65, 90, 1.1), (65, float("nan"), 18), (65, 90, 5000)):
        with pytest.raises(ValueError, match=r"mm"):
            tuck_box(*wrong)
    with pytest.raises(TypeError, match="width"):
        tray("wide", 10, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="place"):
        divider(66, 91, 3, 4)
    with pytest.raises(ValueError, match="board"):
        sleeve(66, 91, 20, board=-1)


def test_the_ground_of_a_thin_box_ends_before_the_cut_at_any_bleed() -> None:
    panels = tuck_box(63.5, 88.9, 1.32)["panels"]
    assert panels["lid"]["y"] - 6 >= 3
