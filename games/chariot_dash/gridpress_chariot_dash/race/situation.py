"""The situation of a car as its driver sees it: what he has learnt, his view, and his cards."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from generator.cache import NOTHING_KEPT, Cache, Sort
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race.crafts import STEADY, DriverManner, Make, craft_of, misjudge
from gridpress_chariot_dash.race.driving import ANSWER, CHECK_TERMS
from gridpress_chariot_dash.race.horizon import CRAFT, LAYERS, MOST_KNOTS, lap_of, learnt
from gridpress_chariot_dash.race.kernel import kernel
from gridpress_chariot_dash.race.layout import (
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
    RECOVERY,
    REINS,
    REINS_AS_WHIP,
    SCORING,
    STAMINA_ZERO,
    UP_ADD,
    UP_DICE,
    UP_DISCARDS,
    UP_FREE,
    UP_SUBTRACT,
    WHIP,
    Race,
)
from gridpress_chariot_dash.race.rolls import RollRules, fights_of, sums_of
from gridpress_chariot_dash.race.view import VIEW, seen
from gridpress_chariot_dash.race.ways import FRAGILE, FREE, HAZARD, SOLID, Ways, ways_of
from gridpress_chariot_dash.race.weigh import ROOM, STAKES

ONCE = 1.5
"""A special that leaves the race with its use costs as many cards more."""
LESSONS = 12
"""Crafts and tracks that a process remembers: each takes some megabytes."""


class Outlook(NamedTuple):
    """What the drivers of a race have learnt, and room to think. Arrays by outlook, or by car.

    worth, ended: see `horizon.learnt`. sums: `rolls.Sums`; fights: `rolls.fights_of`.
    """

    crafts: Any
    worth: Any
    ended: Any
    ways: Any
    sums: Any
    fights: Any
    views: Any
    terms: Any
    stakes: Any
    answers: Any
    rooms: Any


def make_of(vehicle: Any) -> Make:
    """What the outlook needs of a compiled vehicle; dice in a number count as their mean."""
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
    """Learn a track for so many compiled vehicles; car.outlook is a place among them. manners: of
    their drivers, steady ones where none is told. kept: where what is learnt for each is kept by
    its content, nowhere where none is told.

    cells: as in `layout`; line: where the finish line is, as `along` is told; rules: the record of
    the rules in force. ValueError for a vehicle with more boxes than are looked at."""
    ground = cells.tobytes(), line, float(rules["lap"])
    die = Die(tuple(int(value) for value in _by_icon(rules)))
    reading = RollRules(
        int(rules["pairs_first"]),
        1 if rules["damage_ignored"] else (2 if rules["damage_as_clp"] else 0),
        int(rules["stamina"]),
    )
    crafts = np.zeros(len(vehicles), CRAFT)
    makes = [make_of(vehicle) for vehicle in vehicles]
    boxes = max(len(make.ratings) for make in makes)
    ways = _ways(*ground)
    shape = (len(vehicles), LAYERS, len(ways.cells), MOST_KNOTS, 2)
    worth = np.zeros((*shape, 5, boxes), np.float32)
    ended = np.zeros((*shape, 4, boxes), np.float32)
    for place, make in enumerate(makes):
        manner = manners[place] if manners else STEADY
        craft = craft_of(make, die, reading, manner)
        cache = kept[place] if kept else NOTHING_KEPT
        learnt_worth, learnt_ended = _lesson(craft.tobytes(), *ground, cache)
        crafts[place] = craft
        crafts[place]["lap"] = lap_of(learnt_worth, ways)
        knots, columns = learnt_worth.shape[2], learnt_worth.shape[5]
        worth[place, :, :, :knots, :, :, :columns] = learnt_worth
        ended[place, :, :, :knots, :, :, :columns] = learnt_ended
        misjudge(manner, worth[place], ended[place])
    return Outlook(
        crafts, worth, ended, ways, sums_of(die), fights_of(die),
        np.zeros(CARS, VIEW), np.zeros(CARS, CHECK_TERMS), np.zeros(CARS, STAKES),
        np.zeros(CARS, ANSWER), np.zeros(CARS, ROOM),
    )  # fmt: skip


@lru_cache(maxsize=LESSONS)
def _lesson(craft: bytes, cells: bytes, line: float, lap: float, kept: Cache) -> tuple[Any, Any]:
    """A craft learns a track: kept, for the next race may well have it again."""
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
    """The ways of a track."""
    cells = np.frombuffer(track, CELL_DTYPE)
    kind = np.where(cells["hazard"] > 0, HAZARD, FREE)
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


def _by_icon(rules: Any) -> list[int]:
    """Values of the faces in the order of the icons."""
    icons = rules["faces_icon"].tolist()
    return [int(rules["faces_value"][icons.index(icon)]) for icon in range(6)]


@kernel
def look_around(race: Race, v: int) -> None:
    """Fill in the view of a car."""
    car, outlook, rules = race.cars[v], race.outlook, race.rules[0]
    vehicle = race.vehicles[car.vehicle]
    view, craft = outlook.views[v], outlook.crafts[car.outlook]
    view.craft, view.wreck = car.outlook, craft.wreck
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
    """What it costs to play a card for its special side."""
    car = race.cars[v]
    craft, vehicle = race.outlook.crafts[car.outlook], race.vehicles[car.vehicle]
    price = craft.whip if vehicle.front[c] == WHIP else craft.rein
    return price * (1.0 + (ONCE if vehicle.once[c] else 0.0))


@kernel
def find_special(race: Race, v: int, moment: int, gift: int) -> int:
    """A card in hand that gives this at this moment, −1 none."""
    car = race.cars[v]
    vehicle = race.vehicles[car.vehicle]
    for c in range(vehicle.cards):
        gives = vehicle.gives[c, gift] + vehicle.gives_dice[c, gift]
        if car.pile[c] == HAND and vehicle.moment[c] == moment and gives:
            return c
    return -1


@kernel
def gift(race: Race, v: int, c: int, what: int) -> int:
    """How much a special gives; a die counts as 2."""
    vehicle = race.vehicles[race.cars[v].vehicle]
    return int(vehicle.gives[c, what] + 2 * vehicle.gives_dice[c, what])


@kernel
def write_cards(race: Race, v: int, whips: int, reins: int, special: int) -> None:
    """So many cards as Whips and Reins into the order; plain ones first, the special as special."""
    car, order = race.cars[v], race.orders[v]
    vehicle = race.vehicles[car.vehicle]
    if special >= 0:
        order.uses[special] = AS_SPECIAL
        if vehicle.front[special] == REINS or (vehicle.front[special] > REINS and whips == 0):
            reins -= 1
        else:
            whips -= 1
    for grade in range(3):  # plain cards, duals, specials
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
    """So many cards of any type, the cheaper type first."""
    view, car = race.outlook.views[v], race.cars[v]
    craft = race.outlook.crafts[car.outlook]
    if craft.rein <= craft.whip:
        reins = min(cards, view.reins + view.duals)
        write_cards(race, v, cards - reins, reins, -1)
    else:
        whips = min(cards, view.whips + view.duals)
        write_cards(race, v, whips, cards - whips, -1)
