from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tracks.words import laid

from generator.diagnostics import Severity
from generator.tracks.course_faults import RULES, CourseRequirements, broken_rules
from generator.tracks.courses import Course, CourseEntry, Tile, lay
from generator.tracks.pieces import (
    HEXAGONS,
    LEFT,
    RIGHT,
    SQUARES,
    BorderCut,
    Way,
    bend,
    straight,
    taper,
)

ASKED = CourseRequirements(25.4)
OVAL = "grid bend bend bend straight bend bend bend"
KERB = BorderCut(0.25)
TILES = {
    "grid": Tile("grid", {"": Way(straight(HEXAGONS, 4, 3))}, cut=KERB, starts=6, finish=True),
    "straight": Tile("straight", {"": Way(straight(HEXAGONS, 4, 3))}, owned=9, cut=KERB, marks=2),
    "bend": Tile("bend", {"": Way(bend(HEXAGONS, LEFT, 2, 3))}, owned=9, cut=KERB),
    "narrow": Tile("narrow", {"": Way(taper(HEXAGONS, 4, 3, 2, RIGHT))}, cut=KERB),
}


def course(calls: str | Sequence[CourseEntry]) -> Course:
    layings = [CourseEntry(call) for call in calls.split()] if isinstance(calls, str) else calls
    return lay(HEXAGONS, [(TILES[laying.call], laying) for laying in layings])


GOOD = CourseRequirements(25.4, finish=True, vehicles=6, abreast=3, markers=2, removable=(5, 1))


def test_a_sound_course_breaks_no_rule() -> None:
    good = course(OVAL)
    # the finish line and the vehicles stand on tiles that stay
    assert broken_rules(good, replace(GOOD, finish=False, vehicles=None)) == ()
    assert broken_rules(good, replace(GOOD, removable=())) == ()


BROKEN = {
    "ports meet": (
        course([CourseEntry("grid"), CourseEntry("straight", place=(5, 0), heading=1)]),
        replace(ASKED, closed=False),
        [
            (
                "GP903",
                2,
                "grid (tile 1) does not lead into straight (tile 2): they are 50.8 mm (2",
            )
        ],
    ),
    "widths match": (
        course("grid narrow straight"),
        replace(ASKED, closed=False),
        [("GP904", 3, "narrow (tile 2) is 2 lanes wide where straight (tile 3) is 3")],
    ),
    "none overlap": (
        course("straight bend bend bend bend bend straight"),
        replace(ASKED, closed=False),
        [
            ("GP905", 6, "bend (tile 6) crowds straight (tile 1)"),
            ("GP905", 7, "straight (tile 7) lies on straight (tile 1)"),
            ("GP905", 7, "straight (tile 7) crowds bend (tile 2)"),
        ],
    ),
    "closes": (
        course("straight straight bend bend bend straight bend bend bend"),
        ASKED,
        [("GP906", 9, "the track does not close: bend (tile 9) misses straight (tile 1), they")],
    ),
    "all owned": (
        course(f"{OVAL} ".replace("straight", "grid")),
        ASKED,
        [("GP907", 5, "grid is laid 2 times, but there is only 1 of it")],
    ),
    "one finish": (
        course(OVAL),
        replace(ASKED, finish=True, finishes=(5,)),
        [("GP908", 5, "there is a finish line on grid (tile 1) and another on straight (tile 5)")],
    ),
    "grid holds all": (
        course(OVAL),
        replace(ASKED, vehicles=7),
        [("GP909", 0, "the start grid has 6 spaces for 7 vehicles")],
    ),
    "wide enough": (
        course("grid narrow"),
        replace(ASKED, closed=False, abreast=3),
        [("GP910", 2, "narrow (tile 2) is 2 lanes wide, and 3 vehicles race abreast")],
    ),
    "marks have markers": (
        course(OVAL),
        replace(ASKED, markers=1),
        [("GP911", 0, "the track has 2 marks, but there are only 1 marker")],
    ),
    "can shorten": (
        course(OVAL),
        replace(ASKED, removable=(5,)),
        [("GP912", 5, "without straight the track is not a circuit: bend misses grid, they are")],
    ),
    "starts opposite": (
        course("grid grid straight bend bend bend straight straight straight bend bend bend"),
        replace(ASKED, opposite=True),
        [("GP913", 2, "grid (tile 2) is 4 cells after grid (tile 1), but half a lap is")],
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_finds_its_fault(rule: str) -> None:
    broken, required, expected = BROKEN[rule]
    found = list(RULES[rule](broken, required))
    assert [(f.code, f.number) for f in found] == [(code, number) for code, number, _ in expected]
    for fault, (_, _, message) in zip(found, expected, strict=True):
        assert fault.message.startswith(message)
        assert fault.hint


def test_advice_is_a_warning() -> None:
    advice = {"wide enough", "marks have markers"}
    for rule, (broken, required, _) in BROKEN.items():
        severities = {fault.severity for fault in RULES[rule](broken, required)}
        assert severities == {Severity.WARNING if rule in advice else Severity.ERROR}


def test_a_track_without_a_finish_line() -> None:
    [fault] = broken_rules(laid(SQUARES, "LLLL"), replace(ASKED, finish=True))
    assert (fault.code, fault.number) == ("GP908", 0)


def test_the_finish_line_may_not_leave() -> None:
    found = broken_rules(course(OVAL), replace(GOOD, vehicles=None))
    assert [(f.code, f.number) for f in found] == [("GP912", 1)]
    assert found[0].message == "grid (tile 1) can leave the track, but the finish line is on it"


def test_the_grid_that_the_vehicles_need_may_not_leave() -> None:
    [fault] = broken_rules(course(OVAL), replace(GOOD, finish=False))
    assert (fault.code, fault.number) == ("GP912", 5)
    assert fault.message == ("without straight, grid the start grid has 0 spaces for 6 vehicles")


def test_a_pursuit_has_two_starts() -> None:
    [fault] = broken_rules(course(OVAL), replace(ASKED, opposite=True))
    assert fault.message == "a pursuit needs two starts, but this track has 1"
