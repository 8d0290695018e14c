"""How the driver of Chariot Dash does alone on a track, and what each edge is worth to him.

    python benchmarks/driver_bench.py [--tracks oval fox-earth three-corners] [--laps 2000]

Each row is a vehicle, or the Basic Chariot with one edge more; all meet the same dice in lap after
lap. `rounds` is the mean of laps from the grid that were finished, `cost` counts 8 rounds more for
a wipe-out. An edge that may be left unused must not cost more than noise: the last column tells
the difference of costs to the plain vehicle and its 95 % interval, over the same laps.

The laps are driven by rules for one vehicle alone, written out here; specials are not played.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race.arena import DIRECTIONS, arena_of
from gridpress_chariot_dash.race.crafts import STEADY, Make, Row, craft_of
from gridpress_chariot_dash.race.driving import (
    ANSWER,
    CHECK_TERMS,
    choose_cards,
    choose_speed,
    choose_turn,
    choose_way,
    limit_of,
    stake,
)
from gridpress_chariot_dash.race.horizon import learnt
from gridpress_chariot_dash.race.kernel import entry, kernel
from gridpress_chariot_dash.race.layout import CELL_DTYPE
from gridpress_chariot_dash.race.rolls import Rules, read, sums_of
from gridpress_chariot_dash.race.view import VIEW, ahead, point_price, seen
from gridpress_chariot_dash.race.ways import Ways, passable, ways_of
from gridpress_chariot_dash.race.weigh import (
    STAKES,
    best_discards,
    best_pair,
    reroll_icons,
    reroll_values,
)
from gridpress_chariot_dash.vehicle import Vehicle

from generator.order import Order
from generator.prepress import open_pack
from generator.project import find_targets

EDGES: Mapping[str, Mapping[str, int]] = {
    "Driver 1": {"control.discards": 1},
    "Driver 2": {"control.discards": 2},
    "Handling 1": {"control.rerolls": 1},
    "Handling 2": {"control.rerolls": 2},
    "Beastmaster": {"beastmaster": 1},
    "Encouragement": {"encouraged": 1},
    "Lash 1": {"accelerating.rerolls": 1},
    "Lash 3": {"accelerating.rerolls": 3},
    "Tight Leash 1": {"decelerating.rerolls": 1},
    "Tight Leash 3": {"decelerating.rerolls": 3},
    "Long Legs 1": {"accelerating.dice": 1},
    "Rubber Shoes 1": {"decelerating.dice": 1},
    "Reactions 1": {"calms": 1},
    "Reactions 3": {"calms": 3},
    "Flyer": {"flies": 1},
}
CARDS = {
    "a Whip more": (1, 0, 0),
    "a Reins more": (0, 1, 0),
    "a dual card more": (0, 0, 1),
    "two Whips more": (2, 0, 0),
    "two Reins more": (0, 2, 0),
}
ROUNDS = 80
WRECKED, LOST = 1000.0, 2000.0


class Place(NamedTuple):
    """A track as arrays."""

    neighbour: Any
    kind: Any
    heading: Any
    cells: Any
    starts: Any
    ways: Ways


def place_of(track: Mapping[str, Any]) -> Place:
    """The arrays of a checked track component."""
    arena = arena_of(track)
    cells = sorted(arena.along)
    number = {cell: i for i, cell in enumerate(cells)}
    neighbour = np.asarray(
        [[number.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in cells], np.int32
    )
    kinds = {"hazard": 1, "fragile": 2, "solid": 3}
    kind, count, rating = (np.zeros(len(cells), np.int32) for _ in range(3))
    for cell, item in arena.items.items():
        at = number[cell]
        kind[at], count[at], rating[at] = kinds[item.kind], len(item.ratings), sum(item.ratings)
    heading = np.asarray([arena.headings[cell] for cell in cells], np.int32)
    along = np.asarray([arena.along[cell] for cell in cells], np.float32)
    ways = ways_of(neighbour, kind, count, rating, heading, along, arena.line, arena.lap)
    starts = np.asarray([number[pose.hex] * 12 + pose.facing for pose in arena.starts])
    hexes = np.zeros(len(cells), CELL_DTYPE)
    hexes["neighbour"], hexes["car"], hexes["solid"] = neighbour, -1, kind == 3
    for name, number_of in (("hazard", 1), ("fragile", 2)):
        hexes[name] = np.where(kind == number_of, count, 0)
        hexes[f"{name}_rating"] = np.where(kind == number_of, rating, 0)
    return Place(neighbour, kind, heading, hexes, starts, ways)


def make_of(vehicle: Vehicle, mods: Mapping[str, int] | None = None) -> Make:
    """What the outlook needs of a vehicle, with other traits than its own."""
    table = vehicle.table
    falls, whips, reins = [0] * 11, [0] * 11, [0] * 11
    kinds = {"speed": falls, "whip": whips, "reins": reins}
    for tired in vehicle.stamina_effects:
        if tired.effect in kinds:
            for at in range(min(tired.at, 9) + 1):
                kinds[tired.effect][at] += tired.number
    fronts = [int(card.front) for card in vehicle.cards]
    return Make(
        table.speeds, table.below, table.above, vehicle.moves, vehicle.control,
        vehicle.control_minimum, vehicle.stamina, vehicle.stamina_minimum, falls, whips, reins,
        vehicle.resilience, vehicle.damage_levels, fronts.count(0), fronts.count(1),
        fronts.count(2), mods or {},
    )  # fmt: skip


@kernel
def next_face(state: Any) -> int:
    """A face of the die, by splitmix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((z ^ (z >> np.uint64(31))) % np.uint64(6))


@kernel
def reseed(state: Any, seed: int, rounds: int, purpose: int) -> None:
    """Dice of their own for each roll, so that two vehicles meet the same."""
    state[0] = np.uint64((seed * 1000003 + rounds) * 1000003 + purpose)
    next_face(state)


@kernel
def hurt(state: Any, faces: Any, dice: int, resilience: int) -> int:
    """Points of a damage roll."""
    points = 0
    for _ in range(dice):
        points += faces[next_face(state)] > resilience
    return points


@kernel
def spend(hand: Any, spent: Any, front: int) -> None:
    """Play a card of a type (0 Whip, 1 Reins), a dual one where there is no other."""
    at = front if hand[front] > 0 else 2
    hand[at] -= 1
    spent[at] += 1


@entry
def lap(
    seed: int, craft: Any, below: Any, above: Any, last: Any, falls: Any, virtual_whips: Any,
    virtual_reins: Any, stamina_row: Any, floor: int, resilience: int, levels: int, cards: Any,
    worth: Any, ended: Any, ways: Any, neighbour: Any, kind: Any, heading: Any, cells: Any,
    sums: Any, terms: Any, view: Any, stakes: Any, answer: Any, start: int, laps: int, faces: Any,
    mods: Any,
) -> float:  # fmt: skip
    """Rounds until the finish, `WRECKED` or `LOST`. mods: Driver, Handling, re-rolls, Reactions."""
    state = np.zeros(1, np.uint64)
    best, values = np.zeros((2, 128)), np.zeros(7)
    chosen = np.zeros(2, np.int64)
    dice, again = np.zeros(16, np.int64), np.zeros(6, np.int64)
    counts, left, out = np.zeros(6, np.int64), np.zeros(6, np.int64), np.zeros(6, np.int64)
    hand, spent, resting = cards.copy(), np.zeros(3, np.int64), np.zeros(3, np.int64)
    box, brake, clp, stamina, damage, layer = 0, 0, 0, 10, 0, laps
    cell, facing, end = start // 12, start % 12, len(below) - 1
    for rounds in range(ROUNDS):
        view.left, view.resting = levels - damage, resting.sum()
        terms.virtual_whips, terms.virtual_reins = virtual_whips[stamina], virtual_reins[stamina]
        for phase in range(-1, 4):
            view.layer, view.cell, view.facing, view.lean = layer, cell, facing, -1
            view.box, view.clp, view.stamina = box, clp, stamina
            view.whips, view.reins, view.duals = hand[0], hand[1], hand[2]
            table = worth[min(layer, 1)]
            node = ways.node[cell * 12 + facing]
            reseed(state, seed, rounds, phase + 1)
            if phase < 0:
                for kept in range(7):
                    terms.to[0, kept] = craft.land[0, box, kept]
                    terms.to[1, kept] = above[max(0, brake - kept)] if kept else box
                choose_speed(view, craft, table, node, terms, sums, best, answer)
                way = 1 - answer.accelerate
                helping = answer.whips + terms.virtual_whips
                hindering = answer.reins + terms.virtual_reins
                if terms.encouraged and way == 0:
                    helping, hindering = helping + answer.reins, terms.virtual_reins
                if way == 1:
                    helping, hindering = hindering, helping
                for _ in range(answer.whips):
                    spend(hand, spent, 0)
                for _ in range(answer.reins):
                    spend(hand, spent, 1)
                count = 2 + helping + hindering + terms.dice[way]
                for i in range(count):
                    dice[i] = faces[next_face(state)]
                seen(view, craft)
                for kept in range(7):
                    to = terms.to[way, kept]
                    values[kept] = ahead(craft, table, node, view.knot, view.part, view.more, 0, to)
                limit = 0 if terms.any_two else limit_of(helping, hindering)
                if mods[2 + way]:
                    _, bits = reroll_values(dice, count, mods[2 + way], limit, values, faces)
                    for i in range(count):
                        if (bits >> i) & 1:
                            dice[i] = faces[next_face(state)]
                best_pair(dice, count, limit, values, chosen)
                kept = dice[chosen[0]] + dice[chosen[1]]
                if way == 0 and kept:
                    over = box + kept - end
                    brake = below[box + kept] if over <= 0 else max(0, below[end] - over)
                    box = box + kept if over <= 0 else above[brake]
                elif kept:
                    brake = max(0, brake - kept)
                    box = above[brake]
                clp = 0 if craft.safe[box] else clp
                continue
            hexes, rating = craft.moves[box, phase], craft.rating[box]
            if hexes + hand.sum() == 0:
                continue
            choose_way(
                view, craft, ways, worth, ended, cells, 0, phase, hexes, True, False, answer,
            )  # fmt: skip
            if answer.card:
                as_rein = answer.card == 2 or (view.encouraged and hand[1] > 0)
                spend(hand, spent, 1 if as_rein else 0)
            crashed, variant = False, answer.variant
            for i in range(answer.hexes):
                side = facing // 2
                if facing % 2:
                    side += (variant + i) % 2
                elif variant > 0 and (variant - 1) // 2 == i:
                    side += 5 if (variant - 1) % 2 == 0 else 1
                to = neighbour[cell, side % 6]
                if to < 0 or kind[to] == 3:
                    crashed = True
                    points = hurt(state, faces, rating, resilience)
                    damage, clp = damage + points, clp + points
                    box = craft.half[box]
                    brake = below[box]
                    facing = aside(neighbour, kind, heading, cell, facing)
                    break
                apart = ways.past[to] - ways.past[cell]
                layer -= 1 if apart < -20 else (-1 if apart > 20 else 0)
                cell = to
                if layer < 0:
                    return rounds + 0.25 * (phase + 1)
                if kind[to] == 1 and not craft.flies:
                    clp += (rating + 1) // 2
                elif kind[to] == 2 and not craft.flies:
                    points = hurt(state, faces, (rating + 1) // 2, resilience)
                    damage, clp = damage + points, clp + points
            if damage >= levels:
                return WRECKED
            clp = 0 if craft.safe[box] else clp
            if crashed or answer.hexes == 0:
                continue
            view.layer, view.cell, view.facing, view.box, view.clp = layer, cell, facing, box, clp
            view.whips, view.reins, view.duals = hand[0], hand[1], hand[2]
            table, node = worth[min(layer, 1)], ways.node[cell * 12 + facing]
            straight = variant == 0 or facing % 2 == 1
            slid = neighbour[cell, facing // 2]
            if slid >= 0 and kind[slid] == 3:
                slid = -1
            choose_turn(view, craft, ways, worth, slid, phase, straight, stakes, answer)
            turn = answer.turn
            if turn == 0:
                clp = max(0, clp - 1) if straight else clp
            if turn == 0 or craft.safe[box]:
                facing = (facing + turn) % 12
                continue
            point = point_price(view, craft, view.left)
            stake(
                view, craft, ways, table, ways.node, ways.astray, slid, turn, phase + 1, point,
                stakes,
            )  # fmt: skip
            count = craft.control[box] + clp
            played = choose_cards(view, craft, stakes, count, 2)
            for _ in range(played):
                spend(hand, spent, 1 if hand[1] > 0 else 0)
            counts[:] = 0
            reseed(state, seed, rounds, 10 + phase)
            for _ in range(count + played + mods[0]):
                counts[next_face(state)] += 1
            if mods[1]:
                reroll_icons(counts, mods[1], played + mods[0], stakes, 0, again)
                for icon in range(6):
                    counts[icon] -= again[icon]
                for _ in range(again.sum()):
                    counts[next_face(state)] += 1
            best_discards(counts, played + mods[0], stakes, 0, left, out)
            read(left, 0, True, 0, True, out)
            stamina = max(floor, stamina - out[5])
            points = hurt(state, faces, out[3], resilience)
            damage, clp = damage + points, clp + out[4] + points
            if out[0] and slid >= 0:
                layer -= 1 if ways.past[slid] - ways.past[cell] < -20 else 0
                cell = slid
                if layer < 0 and damage < levels:
                    return rounds + 0.25 * (phase + 1)
            elif out[0]:
                points = hurt(state, faces, rating, resilience)
                damage, clp = damage + points, clp + points
                box = craft.half[box]
                brake = below[box]
            if damage >= levels:
                return WRECKED
            facing = (facing + turn + out[1]) % 12
            if out[2] > 0:
                box = min(end, box + out[2])
                brake = below[box]
            elif out[2] < 0:
                brake = max(0, brake + out[2])
                box = above[brake]
            clp = 0 if craft.safe[box] else clp
        rating = craft.rating[box]
        stamina = min(10, max(floor, stamina + stamina_row[rating]))
        slower = max(0, rating - falls[stamina])
        if slower < rating:
            box = last[slower]
            brake = below[box]
            clp = 0 if craft.safe[box] else clp
        clp = max(0, clp - mods[4])
        for front in range(3):
            hand[front] += resting[front]
            resting[front], spent[front] = spent[front], 0
    return LOST


@kernel
def aside(neighbour: Any, kind: Any, heading: Any, cell: int, facing: int) -> int:
    """The facing after a collision with what stays there."""
    for reach in range(7):
        for turn in (reach, -reach):
            to = (facing + turn) % 12
            if abs((to - heading[cell] + 6) % 12 - 6) <= 3 and passable(neighbour, kind, cell, to):
                return to
    return facing


def drive(
    vehicle: Vehicle,
    place: Place,
    laps: int,
    mods: Mapping[str, int] | None = None,
    cards: tuple[int, int, int] = (0, 0, 0),
) -> tuple[Any, float]:
    """Rounds of each lap, and the seconds that learning took."""
    make = make_of(vehicle, mods)
    make = make._replace(
        whips=make.whips + cards[0], reins=make.reins + cards[1], duals=make.duals + cards[2]
    )
    die = Die()
    craft = craft_of(make, die, Rules())
    begun = time.process_time()
    worth, ended = learnt(craft, place.ways)
    spent = time.process_time() - begun
    view, terms = np.zeros(1, VIEW)[0], np.zeros(1, CHECK_TERMS)[0]
    stakes, answer = np.zeros(1, STAKES)[0], np.zeros(1, ANSWER)[0]
    have = make.mods.get
    view["wreck"], stakes["tires"] = STEADY.wreck, 1
    terms["may_accelerate"], terms["any_two"] = 1, have("beastmaster", 0)
    terms["encouraged"] = view["encouraged"] = have("encouraged", 0)
    terms["dice"] = have("accelerating.dice", 0), have("decelerating.dice", 0)
    names = ("control.discards", "control.rerolls", "accelerating.rerolls",
             "decelerating.rerolls", "calms")  # fmt: skip
    arrays = [np.asarray(row) for row in (
        make.below, make.above, Row(make).last, make.falls, make.virtual_whips,
        make.virtual_reins, make.stamina,
    )]  # fmt: skip
    hand = np.asarray([make.whips, make.reins, make.duals])
    return np.asarray([
        lap(
            seed + 1, craft, *arrays, make.stamina_minimum, make.resilience, make.levels, hand,
            worth, ended, place.ways, place.neighbour, place.kind, place.heading, place.cells,
            sums_of(die), terms, view, stakes, answer, place.starts[seed % 4], 1,
            np.asarray(die.values), np.asarray([have(name, 0) for name in names]),
        )
        for seed in range(laps)
    ]), spent  # fmt: skip


def costs(rounds: Any) -> Any:
    """What each lap cost: a wipe-out as long as the mean lap and `STEADY.wreck` more."""
    return np.where(rounds < WRECKED, rounds, rounds[rounds < WRECKED].mean() + STEADY.wreck)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tracks", nargs="+", default=["oval", "fox-earth", "three-corners"])
    parser.add_argument("--laps", type=int, default=2000)
    options = parser.parse_args()
    opened = open_pack(find_targets(["chariot-dash"])[0], Order()).value
    assert opened is not None, "the shipped pack is right"
    components = opened.pack.components
    vehicles = [Vehicle.of(component.values) for component in components["vehicle"]]
    worse = 0
    for track in options.tracks:
        place = place_of(next(c.values for c in components["track"] if c.id == track))
        print(f"\n| {track} | rounds | wiped out | not home | cost | learning, s | edge |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        basic = None
        rows: list[tuple[str, Vehicle, Mapping[str, int], tuple[int, int, int]]] = [
            (vehicle.name, vehicle, {}, (0, 0, 0)) for vehicle in vehicles
        ]
        rows += [(name, vehicles[0], mods, (0, 0, 0)) for name, mods in EDGES.items()]
        rows += [(name, vehicles[0], {}, cards) for name, cards in CARDS.items()]
        for number, (name, vehicle, mods, cards) in enumerate(rows):
            rounds, spent = drive(vehicle, place, options.laps, mods, cards)
            cost = costs(rounds)
            basic = cost if basic is None else basic
            edge = ""
            if number >= len(vehicles):
                apart = cost - basic
                noise = 1.96 * apart.std() / len(apart) ** 0.5
                edge = f"{apart.mean():+.2f} ± {noise:.2f}"
                worse += apart.mean() > noise
            home = rounds < WRECKED
            print(
                f"| {name} | {rounds[home].mean():.2f} | {(rounds == WRECKED).mean():.1%} "
                f"| {(rounds == LOST).mean():.1%} | {cost.mean():.2f} | {spent:.2f} | {edge} |",
                flush=True,
            )
    print(f"\n{worse} edges cost more than noise")
    sys.exit(worse > 0)


if __name__ == "__main__":
    main()
