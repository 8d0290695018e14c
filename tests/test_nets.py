"""Nets of boxes: panels that meet are equally long, and what is to fit in fits."""

import itertools
import math

import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.svgLib.path import parse_path

from generator.geometry import Size
from generator.nets import divider, sleeve, tray, tuck_box
from generator.validate.stocks import path_fault


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
    assert row[0]["x"] < row[0]["w"], "the tab lies behind the side"


def test_a_lid_goes_over_its_base() -> None:
    base, lid = tray(96, 70, 28), tray(96, 70, 20, play=0.8)
    outside = base["panels"]["floor"]
    inside = lid["panels"]["floor"]["w"] - 0.8, lid["panels"]["floor"]["h"] - 0.8
    assert inside == pytest.approx((outside["w"] + 0.8, outside["h"] + 0.8))
    assert (base["w"], base["h"]) == (96.8 + 2 * 28.8, 70.8 + 2 * 28.8)


def test_walls_of_a_tray_meet_where_they_are_glued() -> None:
    net = tray(96, 70, 28)
    panels = net["panels"]
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
    for wrong in ((0, 90, 18), (65, 90, 1), (65, float("nan"), 18), (65, 90, 5000)):
        with pytest.raises(ValueError, match=r"mm"):
            tuck_box(*wrong)
    with pytest.raises(TypeError, match="width"):
        tray("wide", 10, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="place"):
        divider(66, 91, 3, 4)
    with pytest.raises(ValueError, match="board"):
        sleeve(66, 91, 20, board=-1)
