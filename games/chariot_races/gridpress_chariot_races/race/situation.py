"""The knowledge of a driver: the tables learnt for his vehicle, his view and his cards."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from gridpress_chariot_dash.dice import Die, limit_of

from generator.cache import NOTHING_KEPT, Cache, Sort
from gridpress_chariot_races.race.horizon import ENDED, LAYERS, SLOTS, lap_of, learnt
from gridpress_chariot_races.race.kernel import floats_at, kernel
from gridpress_chariot_races.race.layout import (
    AS_SPECIAL,
    AT_MOVEMENT,
    CALMS,
    CARS,
    CELL_DTYPE,
    COLLISION_DICE,
    CONTROL_DAMAGE_DICE,
    CONTROL_DICE,
    CONTROL_DISCARDS,
    CONTROL_REROLLS,
    CRAFT,
    DAMAGE_DICE,
    DOWN_ADD,
    DOWN_DICE,
    DOWN_DISCARDS,
    DOWN_FREE,
    DOWN_SUBTRACT,
    EAGER,
    FASTEST,
    FLIES,
    GIVES_STOPS,
    HAND,
    KEEP_ANY,
    MOST_BOXES,
    MOST_KNOTS,
    ODDS,
    PLANS,
    POSE_DTYPE,
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SCORING,
    SHIFT,
    STAMINA_ZERO,
    SUMS,
    TURN_CARDS,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_SUBTRACT,
    WHIP,
    Array,
    Race,
)
from gridpress_chariot_races.race.rolls import RollRules, control_table, fights_of, sums_of
from gridpress_chariot_races.race.ways import BARE, FRAGILE, HAZARD, SOLID, Ways, ways_of
from gridpress_chariot_races.race.weigh import seen

STAMINA: Final = 10
WHIP_WORTH: Final = 0.55
REINS_WORTH: Final = 0.24
"""Rounds that a type of card is worth, shared by its cards and one more; from time trials."""
SECOND: Final = 2.0
"""The price of two cards in a control roll, as a multiple of one: a hand is soon empty."""
STEPS: Final = ("accelerating", "decelerating")
PLANNED: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    0: ((1, 0), (0, 1), (2, 0), (1, 1)),
    1: ((0, 0), (0, 1), (1, 0), (0, 2)),
}
"""Whips and Reins in the speed checks that are learnt, by direction."""


class Make(NamedTuple):
    """A vehicle as the outlook needs it.

    below: the right-most deceleration box for each acceleration box; above: the left-most
    acceleration box for each deceleration box. falls, virtual_*: by stamina 0 to 10.
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
    """A driver's level, in rounds.

    wreck: cost of a wipe-out. wear: discount on a point of damage for each level left. spite: value
    of a round that a rival loses, shared among rivals. margin: least gain of an attack. errs: error
    in judging a place at a speed.
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
"""The drivers' levels, by the names of `--driver`."""


def misjudge(manner: DriverManner, *worth: Any) -> None:
    """Add a driver's errors to what he learnt, the same for every vehicle on a track."""
    if manner.errs:
        for table in worth:
            errors = np.random.default_rng(1).normal(0.0, manner.errs, table.shape)
            np.add(table, errors, out=table, casting="same_kind")


def craft_of(make: Make, die: Die, rules: RollRules, manner: DriverManner = STEADY) -> Any:
    """Return the record for `horizon.learnt`. Raises ValueError for too many boxes."""
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
    """The speed table of a vehicle, addressed by acceleration box."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.end = len(make.ratings) - 1
        self.last = [max(b for b, r in enumerate(make.ratings) if r == n) for n in range(7)]

    def slower(self, box: int, count: int) -> int:
        """Return the box so many to the left in the deceleration row."""
        return box if count <= 0 else self.make.above[max(0, self.make.below[box] - count)]

    def faster(self, box: int, count: int) -> int:
        """Return the box so many to the right, with over-whipping."""
        over = box + count - self.end
        return box + count if over <= 0 else self.slower(self.end, over)

    def checked(self, box: int, kept: int, way: int) -> int:
        """Return the box for a kept sum. way: 0 accelerates, 1 decelerates."""
        mods = self.make.mods.get
        value = max(0, kept + mods(f"{STEPS[way]}.add", 0)) - mods(f"{STEPS[way]}.take", 0)
        if value < 0:
            way, value = 1 - way, -value
        value = min(value, mods(f"cap.{('acceleration', 'deceleration')[way]}", 99))
        return self.slower(box, value) if way else self.faster(box, value)


def _turns(craft: Any, make: Make, rules: RollRules) -> None:
    mods = make.mods.get
    driver, rerolls = mods("control.discards", 0), mods("control.rerolls", 0)
    for cards in range(TURN_CARDS):
        more = cards + driver
        table = control_table(more, rerolls, rules, mods("reads", 0))
        for dice in range(1, len(table)):
            craft["turns"][cards, dice] = table[min(len(table) - 1, dice + more)]
        craft["turns"][cards, 0] = table[0]
    cheap = min(float(craft["whip"]), float(craft["rein"]))
    craft["turn_prices"] = [0.0, cheap, SECOND * cheap]


def _damage(craft: Any, make: Make, die: Die, manner: DriverManner) -> None:
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
    """Return the price of a Whip and a Reins card in rounds; few cards are dearer."""
    whips, reins = make.whips + make.duals / 2, make.reins + make.duals / 2
    if make.mods.get("encouraged", 0):
        whips += reins / 2
    return WHIP_WORTH / (whips + 1), REINS_WORTH / (reins + 1)


def _rest(craft: Any, make: Make, rules: RollRules) -> None:
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


ONCE = 1.5
"""Extra cards that a one-use special costs."""
LESSONS = 12
"""Tracks learnt that a process keeps in memory; each takes some megabytes."""


class Outlook(NamedTuple):
    """What the drivers of a race have learnt.

    worth: by vehicle, the tables of `horizon.learnt`, those after the hexes from slot `ENDED` on.
    """

    crafts: Any
    poses: Any
    worth: Any
    chances: Any


def make_of(vehicle: Any) -> Make:
    """Return what the outlook needs of a compiled vehicle; dice count at their mean."""
    up, down = int(vehicle["boxes_up"]), int(vehicle["boxes_down"])
    count = int(vehicle["traits"])
    sums = vehicle["trait_mods"][:count].sum(axis=0)
    sums = sums + np.rint(1.5 * vehicle["trait_dice"][:count].sum(axis=0)).astype(int)
    fronts = [int(front) for front in vehicle["front"][: int(vehicle["cards"])]]

    def tired(name: str) -> list[int]:
        row = vehicle[name]
        return [
            int(row[STAMINA_ZERO + at : STAMINA_ZERO + 11].sum()) if at < 10 else 0
            for at in range(11)
        ]

    mods = {
        "accelerating.dice": sums[UP_DISCARDS] + sums[UP_DICE],
        "accelerating.add": sums[UP_ADD],
        "accelerating.take": sums[UP_SUBTRACT],
        "accelerating.free": sums[UP_FREE],
        "decelerating.dice": sums[DOWN_DISCARDS] + sums[DOWN_DICE],
        "decelerating.add": sums[DOWN_ADD],
        "decelerating.take": sums[DOWN_SUBTRACT],
        "decelerating.free": sums[DOWN_FREE],
        "beastmaster": sums[KEEP_ANY],
        "encouraged": sums[REINS_AS_WHIP],
        "champing": sums[EAGER],
        "control.discards": sums[CONTROL_DISCARDS],
        "control.rerolls": sums[CONTROL_REROLLS],
        "control.dice": sums[CONTROL_DICE],
        "calms": sums[CALMS],
        "flies": sums[FLIES],
        "damage.dice": sums[DAMAGE_DICE],
        "damage.collision.dice": sums[COLLISION_DICE],
        "damage.icon.dice": sums[CONTROL_DAMAGE_DICE],
    }
    return Make(
        ratings=[int(n) for n in vehicle["rating_up"][:up]],
        below=[int(n) for n in vehicle["below"][:up]],
        above=[int(n) for n in vehicle["above"][:down]],
        moves=vehicle["moves"].tolist(),
        control=vehicle["control"].tolist(),
        minimum=int(vehicle["clp_least"]),
        stamina=vehicle["stamina"].tolist(),
        stamina_minimum=max(0, int(vehicle["stamina_least"])),
        falls=tired("tired_speed"),
        virtual_whips=tired("tired_whips"),
        virtual_reins=tired("tired_reins"),
        resilience=int(vehicle["resilience"]),
        levels=int(vehicle["levels"]),
        whips=fronts.count(WHIP),
        reins=fronts.count(REINS),
        duals=len(fronts) - fronts.count(WHIP) - fronts.count(REINS),
        mods={name: int(number) for name, number in mods.items()},
    )


def outlook_of(
    cells: Any,
    line: float,
    rules: Any,
    vehicles: Sequence[Any],
    manners: Sequence[DriverManner] = (),
    kept: Sequence[Cache] = (),
) -> Outlook:
    """Learn a track for compiled vehicles; `car.vehicle` is an index in the result.

    cells: as in `layout`; line: the finish line on the scale of `along`; manners: by driver, steady
    by default; kept: caches by driver, none by default. Raises ValueError for a vehicle with too
    many boxes, or a die with too high a value.
    """
    ground = cells.tobytes(), line, float(rules["lap"])
    icons = rules["faces_icon"].tolist()
    die = Die(tuple(int(rules["faces_value"][icons.index(icon)]) for icon in range(6)))
    reading = RollRules(
        int(rules["pairs_first"]),
        1 if rules["damage_ignored"] else (2 if rules["damage_as_clp"] else 0),
        int(rules["stamina"]),
    )
    if 2 * max(die.values) >= SUMS:
        raise ValueError(f"a die with a {max(die.values)}: drivers know dice up to 3")
    crafts = np.zeros(len(vehicles), CRAFT)
    makes = [make_of(vehicle) for vehicle in vehicles]
    boxes = max(len(make.ratings) for make in makes)
    ways = _ways(*ground)
    shape = len(vehicles), LAYERS, len(ways.cells), MOST_KNOTS, 2, SLOTS, boxes
    worth = np.zeros(shape, np.float32)
    for place, make in enumerate(makes):
        manner = manners[place] if manners else STEADY
        craft = craft_of(make, die, reading, manner)
        cache = kept[place] if kept else NOTHING_KEPT
        learnt_worth, learnt_ended = _lesson(craft.tobytes(), *ground, cache)
        crafts[place] = craft
        crafts[place]["lap"] = lap_of(learnt_worth, ways)
        knots, columns = learnt_worth.shape[2], learnt_worth.shape[5]
        before, ended = worth[place, ..., :ENDED, :], worth[place, ..., ENDED:, :]
        before[:, :, :knots, :, :, :columns] = learnt_worth
        ended[:, :, :knots, :, :, :columns] = learnt_ended
        misjudge(manner, before, ended)
    poses = np.zeros(len(ways.node), POSE_DTYPE)
    poses["node"], poses["astray"], poses["past"] = ways.node, ways.astray, ways.past.repeat(12)
    chances = np.zeros(1, ODDS)
    chances["sets"], chances["odds"], chances["sizes"] = sums_of(die)
    fights = fights_of(die)
    chances["fights"][0, :, : fights.shape[1]] = fights
    return Outlook(crafts, poses, worth, chances)


def teach(race: Array, outlook: Outlook) -> None:
    """Give the drivers of a race what they learnt; the race refers to its `worth`."""
    race["vehicles"]["craft"][0, : len(outlook.crafts)] = outlook.crafts
    race["rules"]["chances"] = outlook.chances
    race["poses"][0, : len(outlook.poses)] = outlook.poses
    race["worth_at"] = outlook.worth.ctypes.data
    race["nodes"], race["boxes"] = outlook.worth.shape[2], outlook.worth.shape[-1]


@kernel
def tables_of(race: Race, v: int) -> Array:
    """Return what the driver of a car learnt, by the indices of `horizon.learnt`."""
    shape = CARS, LAYERS, race.nodes, MOST_KNOTS, 2, SLOTS, race.boxes
    return floats_at(race.worth_at, shape)[race.cars[v].vehicle]


@lru_cache(maxsize=LESSONS)
def _lesson(craft: bytes, cells: bytes, line: float, lap: float, kept: Cache) -> tuple[Any, Any]:
    """Learn a track, or take it from memory or the cache."""
    known, ways = np.frombuffer(craft, CRAFT)[0], _ways(cells, line, lap)
    shape = (LAYERS, len(ways.cells), int(known["knots"]), 2)
    sizes = tuple((*shape, slots, int(known["boxes"])) for slots in (5, 4))
    made_from = (b"lesson", craft, cells, repr((line, lap)).encode())
    content = kept.get(Sort.RACES, *made_from)
    if content is None:
        found = learnt(known.copy(), ways)
        if kept.keeps:
            packed = zlib.compress(b"".join(table.tobytes() for table in found), 1)
            kept.put(Sort.RACES, packed, *made_from)
        return found
    numbers = np.frombuffer(zlib.decompress(content), np.float32)
    split = math.prod(sizes[0])
    return numbers[:split].reshape(sizes[0]), numbers[split:].reshape(sizes[1])


@lru_cache(maxsize=4)
def _ways(track: bytes, line: float, lap: float) -> Ways:
    cells = np.frombuffer(track, CELL_DTYPE)
    kind = np.where(cells["hazard"] > 0, HAZARD, BARE)
    kind = np.where(cells["fragile"] > 0, FRAGILE, kind)
    kind = np.where(cells["solid"] > 0, SOLID, kind).astype(np.int32)
    rating = np.where(kind == HAZARD, cells["hazard_rating"], cells["fragile_rating"])
    return ways_of(
        cells["neighbour"].astype(np.int32),
        kind,
        cells["fragile"].astype(np.int32),
        rating.astype(np.int32),
        cells["heading"].astype(np.int32),
        cells["along"].astype(np.float32),
        line,
        lap,
    )


@kernel
def look_around(race: Race, v: int) -> None:
    """Fill in the view of a car."""
    car, rules = race.cars[v], race.rules
    vehicle = race.vehicles[car.vehicle]
    view, craft = race.cars[v].mind.sight, race.vehicles[car.vehicle].craft
    view.wreck = craft.wreck
    view.layer = 1
    if rules.kind in (FASTEST, SCORING) and rules.laps > 0:
        to_go = rules.laps * rules.lap - car.progress
        view.layer = min(9, max(0, int((to_go - 1e-6) // rules.lap)))
    view.cell, view.facing = car.cell, car.facing
    view.lean = -1 if car.lean == 0 else (1 if car.lean < 0 else 0)
    view.box = min(car.up, craft.boxes - 1)
    more = car.mods[CONTROL_DICE] - craft.control_dice
    view.clp = max(0, car.clp - vehicle.clp_least + more)
    view.stamina = car.stamina
    view.left = max(1, vehicle.levels - car.level)
    view.whips, view.reins, view.duals, view.resting = 0, 0, 0, 0
    view.stops, view.encouraged = 0, 1 if car.mods[REINS_AS_WHIP] > 0 else 0
    for c in range(vehicle.cards):
        if car.pile[c] == RECOVERY:
            view.resting += 1
        elif car.pile[c] == HAND:
            front = vehicle.front[c]
            if front == WHIP:
                view.whips += 1
            elif front == REINS:
                view.reins += 1
            else:
                view.duals += 1
            if vehicle.moment[c] == AT_MOVEMENT and vehicle.gives[c, GIVES_STOPS]:
                view.stops = 1
                view.stop_price = special_price(race, v, c)
    seen(view, craft)


@kernel
def special_price(race: Race, v: int, c: int) -> float:
    """Return the cost of playing a card for its special."""
    car = race.cars[v]
    craft, vehicle = race.vehicles[car.vehicle].craft, race.vehicles[car.vehicle]
    price = craft.whip if vehicle.front[c] == WHIP else craft.rein
    return price * (1.0 + (ONCE if vehicle.once[c] else 0.0))


@kernel
def find_special(race: Race, v: int, moment: int, gift: int) -> int:
    """Return a card in hand that gives this now, or −1."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    for c in range(vehicle.cards):
        gives = vehicle.gives[c, gift] + vehicle.gives_dice[c, gift]
        if car.pile[c] == HAND and vehicle.moment[c] == moment and gives:
            return c
    return -1


@kernel
def gift(race: Race, v: int, c: int, what: int) -> int:
    """Return how much a special gives; a die counts as 2."""
    vehicle = race.vehicles[race.cars[v].vehicle]
    return int(vehicle.gives[c, what] + 2 * vehicle.gives_dice[c, what])


@kernel
def write_cards(race: Race, v: int, whips: int, reins: int, special: int) -> None:
    """Order cards as Whips and Reins, plain ones first, the special as itself."""
    car, order = race.cars[v], race.cars[v].order
    vehicle = race.vehicles[car.vehicle]
    if special >= 0:
        order.uses[special] = AS_SPECIAL
        if vehicle.front[special] == REINS or (vehicle.front[special] > REINS and whips == 0):
            reins -= 1
        else:
            whips -= 1
    for grade in range(3):  # plain, dual, special
        for c in range(vehicle.cards):
            if car.pile[c] != HAND or order.uses[c]:
                continue
            front = vehicle.front[c]
            of = 2 if vehicle.moment[c] else (1 if front > REINS else 0)
            if of != grade:
                continue
            if whips > 0 and front & WHIP:
                order.uses[c] = WHIP
                whips -= 1
            elif reins > 0 and front & REINS:
                order.uses[c] = REINS
                reins -= 1


@kernel
def write_any(race: Race, v: int, cards: int) -> None:
    """Order cards of any type, the cheaper first."""
    view, car = race.cars[v].mind.sight, race.cars[v]
    craft = race.vehicles[car.vehicle].craft
    if craft.rein <= craft.whip:
        reins = min(cards, view.reins + view.duals)
        write_cards(race, v, cards - reins, reins, -1)
    else:
        whips = min(cards, view.whips + view.duals)
        write_cards(race, v, whips, cards - whips, -1)
