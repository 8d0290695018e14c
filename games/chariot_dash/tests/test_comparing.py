import pytest
from arenas import BY_ID, empty_oval, remembering
from chariots import vehicle
from gridpress_chariot_dash.race import Event, compare

BASIC = BY_ID["basic"]


def test_a_vehicle_is_not_better_than_itself() -> None:
    answer = compare(BASIC, BASIC, Event(empty_oval(), seed=3, driver=remembering), races=16)
    assert answer.better is None
    assert answer.chance > 0.05
    assert answer.places.low <= 0 <= answer.places.high
    assert answer.races == 16


def test_a_faster_one_is_better_whichever_is_named_first() -> None:
    moves = [[0, 0, 0, 0], *[[1, 0, 0, 1]] * 6]
    slug = vehicle(id="slug", moves=moves)
    answer = compare(BASIC, slug, Event(empty_oval(), seed=1, driver=remembering), races=12)
    swapped = compare(slug, BASIC, Event(empty_oval(), seed=1, driver=remembering), races=12)
    assert (answer.better, swapped.better) == ("basic", "basic")
    assert answer.chance < 0.05
    assert answer.places.low > 0 > swapped.places.high
    assert answer.wins.value > 0.5 > swapped.wins.value


def test_races_come_in_pairs_with_the_grid_swapped() -> None:
    answer = compare(BASIC, BY_ID["last-orders"], Event(empty_oval(), driver=remembering), races=3)
    grids = [[run.vehicle for run in race] for race in answer.result.runs]
    assert grids == [[0, 1, 0, 1], [1, 0, 1, 0]] * 2
    assert answer.races == 4


def test_a_comparison_takes_a_race() -> None:
    with pytest.raises(ValueError, match="one race at least"):
        compare(BASIC, BASIC, Event(empty_oval(), driver=remembering), races=0)
