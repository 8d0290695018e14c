"""A vehicle as its outlook is learnt: its numbers, traits and options worked into plain tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from gridpress_chariot_dash.dice import Die, limit_of
from gridpress_chariot_dash.race.horizon import (
    CARDS,
    CRAFT,
    MOST_BOXES,
    MOST_KNOTS,
    PLANS,
    SUMS,
)
from gridpress_chariot_dash.race.rolls import SHIFT, RollRules, control_table, sums_of

STAMINA: Final = 10
WHIPS: Final = 0.55
REINS: Final = 0.24
"""Rounds that cards of a type are worth together, one more than there are; found by time trials."""
SECOND: Final = 2.0
"""What two cards in one control roll cost, in the price of one: a hand is soon empty."""
STEPS: Final = ("accelerating", "decelerating")
PLANNED: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    0: ((1, 0), (0, 1), (2, 0), (1, 1)),
    1: ((0, 0), (0, 1), (1, 0), (0, 2)),
}
"""Whips and Reins that a driver thinks of in time to come, accelerating and decelerating."""


class Make(NamedTuple):
    """What the outlook needs to know of a vehicle.

    below: of each acceleration box the right-most deceleration box; above: of each deceleration box
    the left-most acceleration box. falls, virtual_*: by stamina 0 to 10. mods: modifiers by name.
    """

    ratings: Sequence[int]
    below: Sequence[int]
    above: Sequence[int]
    moves: Sequence[Sequence[int]]
    control: Sequence[int]
    minimum: int
    stamina: Sequence[int]
    stamina_minimum: int
    falls: Sequence[int]
    virtual_whips: Sequence[int]
    virtual_reins: Sequence[int]
    resilience: int
    levels: int
    whips: int
    reins: int
    duals: int
    mods: Mapping[str, int]


class DriverManner(NamedTuple):
    """What a driver counts with, in rounds.

    wreck: being wiped out. wear: by how much less a point of damage costs for each level that is
    left. spite: a round that a rival loses, shared out among the rivals. margin: what an attack
    must gain, as its worth is an estimate. errs: by how much he misjudges a place at a speed.
    """

    wreck: float = 8.0
    wear: float = 0.62
    spite: float = 0.3
    margin: float = 0.03
    errs: float = 0.0


STEADY: Final = DriverManner()
MANNERS: Final[Mapping[str, DriverManner]] = {
    "novice": DriverManner(spite=0.15, margin=0.1, errs=0.1),
    "steady": STEADY,
    "bold": DriverManner(wreck=4.0, spite=0.9, margin=0.0),
}
"""The levels of strategy, by the names under which they are asked for."""


def misjudge(manner: DriverManner, *worth: Any) -> None:
    """Put a driver's errors into what he has learnt, the same for each vehicle on a track."""
    if manner.errs:
        for table in worth:
            errors = np.random.default_rng(1).normal(0.0, manner.errs, table.shape)
            np.add(table, errors, out=table, casting="same_kind")


def craft_of(make: Make, die: Die, rules: RollRules, manner: DriverManner = STEADY) -> Any:
    """The record that `horizon.learnt` learns from. ValueError for more boxes than it has room."""
    if len(make.ratings) > MOST_BOXES:
        raise ValueError(f"{len(make.ratings)} boxes, at most {MOST_BOXES} are looked at")
    craft = np.zeros(1, CRAFT)[0]
    whip, rein = card_prices(make)
    craft["whip"], craft["rein"] = whip, rein
    _boxes(craft, make)
    _rest(craft, make, rules)
    _plans(craft, make, die)
    _turns(craft, make, rules)
    _damage(craft, make, die, manner)
    return craft


def _boxes(craft: Any, make: Make) -> None:
    """Where checks, haste and slow lead from each box, and what holds there."""
    row = BoxRow(make)
    mods = make.mods.get
    craft["boxes"], craft["last"] = len(make.ratings), row.last
    more = make.minimum + mods("control.dice", 0)
    craft["control_dice"] = mods("control.dice", 0)
    for box, rating in enumerate(make.ratings):
        craft["rating"][box] = rating
        craft["safe"][box] = make.control[rating] == 0
        craft["control"][box] = make.control[rating] + more
        craft["moves"][box] = make.moves[rating]
        craft["half"][box] = row.last[rating // 2] if rating else box
        for kept in range(SUMS):
            craft["land"][:, box, kept] = row.checked(box, kept, 0), row.checked(box, kept, 1)
            craft["free"][:, box, kept] = row.faster(box, kept), row.slower(box, kept)
        for shift in range(-SHIFT, SHIFT + 1):
            hasted = min(box + shift, len(make.ratings) - 1)
            craft["shift"][box, shift + SHIFT] = row.slower(box, -shift) if shift < 0 else hasted
    for way, step in enumerate(STEPS):
        free = mods(f"{step}.free", 0)
        craft["choices"][way] = min(SUMS, free + 1) if free else 0


class BoxRow:
    """The boxes of a vehicle, all told by those of the acceleration row."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.end = len(make.ratings) - 1
        self.last = [max(b for b, r in enumerate(make.ratings) if r == n) for n in range(7)]

    def slower(self, box: int, count: int) -> int:
        """So many boxes to the left in the deceleration row."""
        return box if count <= 0 else self.make.above[max(0, self.make.below[box] - count)]

    def faster(self, box: int, count: int) -> int:
        """So many to the right; what the row does not have goes back below (over-whipping)."""
        over = box + count - self.end
        return box + count if over <= 0 else self.slower(self.end, over)

    def checked(self, box: int, kept: int, way: int) -> int:
        """Where a kept sum leads, with what is added to it; way: 0 accelerates, 1 decelerates."""
        mods = self.make.mods.get
        value = max(0, kept + mods(f"{STEPS[way]}.add", 0)) - mods(f"{STEPS[way]}.take", 0)
        if value < 0:
            way, value = 1 - way, -value
        value = min(value, mods(f"cap.{('acceleration', 'deceleration')[way]}", 99))
        return self.slower(box, value) if way else self.faster(box, value)


def _turns(craft: Any, make: Make, rules: RollRules) -> None:
    """Control rolls by cards, and by dice without them: each card is a die and a discard more."""
    mods = make.mods.get
    driver, rerolls = mods("control.discards", 0), mods("control.rerolls", 0)
    for cards in range(CARDS):
        more = cards + driver
        table = control_table(more, rerolls, rules, mods("reads", 0))
        for dice in range(1, len(table)):
            craft["turns"][cards, dice] = table[min(len(table) - 1, dice + more)]
        craft["turns"][cards, 0] = table[0]
    cheap = min(float(craft["whip"]), float(craft["rein"]))
    craft["turn_prices"] = [0.0, cheap, SECOND * cheap]


def _damage(craft: Any, make: Make, die: Die, manner: DriverManner) -> None:
    """What damage, things on the track and walls cost, at the mean price of a point."""
    mods = make.mods.get
    hurts = sum(value > make.resilience for value in die.values) / len(die.values)
    point = manner.wreck * (1 - manner.wear**make.levels) / make.levels
    die_price = hurts * (point + 0.06)
    more = mods("damage.dice", 0)
    bump = more + mods("damage.collision.dice", 0)
    craft["flies"] = mods("flies", 0)
    craft["hurts"], craft["wear"], craft["wreck"] = hurts, manner.wear, manner.wreck
    craft["spite"], craft["margin"] = manner.spite, manner.margin
    icons = more + mods("damage.icon.dice", 0)
    craft["per_die"] = die_price * max(0.3, 1 + 0.6 * icons)
    craft["marker"] = die_price
    for box, rating in enumerate(make.ratings):
        half = (rating + 1) // 2
        dice = max(0, half + bump) if half else 0
        craft["mud"][box] = 0.15 + 0.06 * half
        craft["waste"][box] = die_price * dice + 0.1 * (dice > 0)
        craft["crash"][box] = die_price * (max(0, rating + bump) if rating else 0) + 0.3


def card_prices(make: Make) -> tuple[float, float]:
    """What a Whip and a Reins card are worth in rounds: the fewer there are, the more."""
    whips, reins = make.whips + make.duals / 2, make.reins + make.duals / 2
    if make.mods.get("encouraged", 0):
        whips += reins / 2
    return WHIPS / (whips + 1), REINS / (reins + 1)


def _rest(craft: Any, make: Make, rules: RollRules) -> None:
    """What the end of a round makes of stamina, box and CLP."""
    last, calms = BoxRow(make).last, make.mods.get("calms", 0)
    knots = [STAMINA]
    if rules.stamina:
        effects = list(zip(make.falls, make.virtual_whips, make.virtual_reins, strict=True))
        steps = [at for at in range(STAMINA - 1, -1, -1) if effects[at] != effects[at + 1]]
        knots += [at for at in steps if at >= make.stamina_minimum][: MOST_KNOTS - 1]
        if len(knots) < MOST_KNOTS and knots[-1] > make.stamina_minimum:
            knots.append(make.stamina_minimum)
    craft["knots"] = len(knots)
    craft["stamina"][: len(knots)] = knots
    for place, stamina in enumerate(knots):
        for box, rating in enumerate(make.ratings):
            after, to = stamina, box
            if rules.stamina:
                after = min(STAMINA, max(make.stamina_minimum, stamina + make.stamina[rating]))
                slower = max(0, rating - make.falls[after])
                to = last[slower] if slower < rating else box
            knot = max(i for i, at in enumerate(knots) if at >= after)
            part = 0.0
            if knot + 1 < len(knots):
                part = (knots[knot] - after) / (knots[knot] - knots[knot + 1])
            craft["rest_knot"][place, box] = knot
            craft["rest_part"][place, box] = part
            craft["rest_box"][place, box] = to
            safe = to != box and make.control[make.ratings[to]] == 0
            craft["rest_clp"][1, place, box] = 0.0 if safe else max(0.0, 1.0 - calms / 3)


def _plans(craft: Any, make: Make, die: Die) -> None:
    """The speed checks that are thought of, by knot of stamina."""
    sums = sums_of(die)
    mods = make.mods.get
    for knot in range(int(craft["knots"])):
        stamina = int(craft["stamina"][knot])
        place = 0
        for way, step in enumerate(STEPS):
            plans = PLANNED[way]
            if mods("champing", 0):
                plans = (*plans, (0, 0)) if way == 0 else plans[1:]
            for whips, reins in plans:
                if whips + reins > make.whips + make.reins + make.duals:
                    continue
                helping = whips + make.virtual_whips[stamina]
                hindering = reins + make.virtual_reins[stamina]
                if mods("encouraged", 0) and way == 0:
                    helping, hindering = helping + reins, hindering - reins
                if way == 1:
                    helping, hindering = hindering, helping
                limit = 0 if mods("beastmaster", 0) else limit_of(helping, hindering)
                dice = 2 + helping + hindering + mods(f"{step}.dice", 0)
                dice = min(max(1, dice), len(sums.sizes) - 1)
                craft["direction"][knot, place] = way
                craft["price"][place] = whips * craft["whip"] + reins * craft["rein"]
                craft["sizes"][knot, place] = sums.sizes[dice, limit]
                craft["sets"][knot, place] = sums.sets[dice, limit]
                craft["odds"][knot, place] = sums.odds[dice, limit]
                place += 1
        if place > PLANS:
            raise ValueError("more plans than there is room for")
        craft["plans"] = place
