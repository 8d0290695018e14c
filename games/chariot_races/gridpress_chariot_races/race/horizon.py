"""The worth of each pose and box on a track to a vehicle: rounds to go.

Dynamic programming goes backward from the line: each phase takes the best way, turn and cards, each
control roll its mean, each speed check the best plan. There are two layers: the last lap, and a lap
that another follows.

To keep the table small, CLP and stamina are learnt at a few values and interpolated, and cards and
damage have prices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridpress_chariot_races.race.kernel import entry, kernel
from gridpress_chariot_races.race.layout import MOST, ROW, SHIFT, SUMS, TURN_CARDS, RaceRecord
from gridpress_chariot_races.race.rolls import BOXES, HURT, POINTS, POSE, TIRED
from gridpress_chariot_races.race.ways import ENDS, REACH, Ways

WorthTable = NDArray[np.float32]

LAYERS = 2
CLP_KNOT = 3
"""The CLP above the minimum at the second value learnt; the first is 0."""
PHASE = 0.25
CHECK = 4
"""The index before the speed check; 0 to 3 are before each phase."""
ENDED = 5
"""The index after the hexes of the first phase, where both tables are one."""
SLOTS = 9
LOST = 400.0
"""More rounds than anything costs."""
NEAR_LINE = 3
"""A lap begins within so many hexes behind the line."""
PACE = 2.0
"""Hexes a round in the first guess, rather too few: an optimistic guess is believed."""
MASKS = 128


@kernel
def rested(craft: RaceRecord, worth: WorthTable, node: int, knot: int, clp: int, box: int) -> float:
    """Return the worth at the end of a round, with stamina and tiredness."""
    to, at, part = craft.rest_box[knot, box], craft.rest_knot[knot, box], craft.rest_part[knot, box]
    more = craft.rest_clp[clp, knot, box]
    low = worth[node, at, 0, CHECK, to]
    value = low + (worth[node, at, 1, CHECK, to] - low) * more
    if part > 0.0:
        low = worth[node, at + 1, 0, CHECK, to]
        low += (worth[node, at + 1, 1, CHECK, to] - low) * more
        value += (low - value) * part
    return value


@kernel
def before(
    craft: RaceRecord, worth: WorthTable, node: int, knot: int, clp: int, phase: int, box: int
) -> float:
    """Return the worth before a phase; 4 is the end of the round."""
    if phase < 4:
        return worth[node, knot, clp, phase, box]
    return rested(craft, worth, node, knot, clp, box)


@kernel
def _check(
    craft: RaceRecord, worth: WorthTable, node: int, knot: int, clp: int, box: int, best: Any
) -> float:
    """Return the worth of the best speed check. best: scratch room."""
    least = LOST
    for way in range(2):
        if craft.choices[way]:
            for boxes in range(craft.choices[way]):
                to = craft.free[way, box, boxes]
                value = worth[node, knot, clp if craft.safe[to] == 0 else 0, 0, to]
                value += craft.whip if way == 0 else 0.0
                least = min(least, value)
        values = best[way]
        values[0] = LOST
        for kept in range(SUMS):
            to = craft.land[way, box, kept]
            value = worth[node, knot, clp if craft.safe[to] == 0 else 0, 0, to]
            bit = 1 << kept
            for mask in range(bit):
                values[bit + mask] = min(value, values[mask])
    for plan in range(craft.plans):
        way = craft.direction[knot, plan]
        if craft.choices[way]:
            continue
        value = craft.price[plan]
        values = best[way]
        for place in range(craft.sizes[knot, plan]):
            value += craft.odds[knot, plan, place] * values[craft.sets[knot, plan, place]]
        least = min(least, value)
    return least


@kernel
def _turn(
    craft: RaceRecord,
    worth: WorthTable,
    node_of: Any,
    astray: Any,
    cell: int,
    slid: int,
    facing: int,
    turn: int,
    knot: int,
    clp: int,
    phase: int,
    box: int,
    values: Any,
) -> float:
    """Return the mean worth of a turn that needs a control roll."""
    for spin in range(3):
        by = turn if spin == 0 else (turn + 1 if spin == 1 else turn - 1)
        pose = (facing + by) % 12
        here = cell * 12 + pose
        values[spin] = (
            before(craft, worth, node_of[here], knot, clp, phase, box) + PHASE * astray[here]
        )
        if slid >= 0:
            there = slid * 12 + pose
            values[3 + spin] = (
                before(craft, worth, node_of[there], knot, clp, phase, box) + PHASE * astray[there]
            )
        else:
            half = craft.half[box]
            values[3 + spin] = (
                craft.crash[box]
                + before(
                    craft, worth, node_of[here], knot, 0 if craft.safe[half] else clp, phase, half
                )
                + PHASE * astray[here]
            )
    turned = cell * 12 + (facing + turn) % 12
    node, aside = node_of[turned], PHASE * astray[turned]
    for shift in range(2 * SHIFT + 1):
        to = craft.shift[box, shift]
        values[6 + shift] = (
            before(craft, worth, node, knot, 0 if craft.safe[to] else clp, phase, to) + aside
        )
    slope = before(craft, worth, node, knot, 1, phase, box) - before(
        craft, worth, node, knot, 0, phase, box
    )
    slope = max(slope / CLP_KNOT, 0.01)
    dice = min(MOST, craft.control[box] + clp * CLP_KNOT)
    least = LOST
    for cards in range(TURN_CARDS):
        row = craft.turns[cards, dice]
        value = craft.turn_prices[cards]
        for place in range(POSE, BOXES + 2 * SHIFT + 1):
            value += row[place] * values[place]
        value += row[HURT] * craft.per_die + row[POINTS] * slope + row[TIRED] * 0.02
        least = min(least, value)
    return least


@kernel
def _go(
    craft: RaceRecord,
    ways: Ways,
    worth: WorthTable,
    ended: WorthTable,
    onward: WorthTable,
    last: bool,
    node: int,
    knot: int,
    clp: int,
    phase: int,
    box: int,
) -> float:
    """Return the worth of the best move: the row's hexes, one more or one fewer."""
    row = craft.moves[box, phase]
    least = LOST
    for more in range(-1, 2):
        hexes = row + more
        if hexes < 0 or hexes >= REACH:
            continue
        price = 0.0 if more == 0 else (craft.rein if more < 0 else craft.whip)
        if hexes == 0:
            least = min(least, before(craft, worth, node, knot, clp, phase + 1, box) + price)
            continue
        shut = True
        for way in range(ENDS):
            end = ways.ends[node, hexes, way]
            if end < 0:
                continue
            shut = False
            value = price
            mud, lying = ways.hazards[node, hexes, way], ways.debris[node, hexes, way]
            if mud + lying and not craft.flies:
                if mud:
                    value += mud * craft.mud[box] + ways.hazard_ratings[node, hexes, way] * 0.05
                if lying:
                    more_dice = lying - 1 + ways.debris_ratings[node, hexes, way]
                    value += craft.waste[box] + more_dice * craft.marker
            over = ways.crossed[node, hexes, way]
            if over > 0:
                if not last:
                    value += onward[end, knot, clp, phase, box]
            elif over < 0:
                value += LOST
            else:
                value += ended[end, knot, clp, phase, box]
            least = min(least, value)
        if shut and more <= 0:
            end, half = ways.crash[node, hexes], craft.half[box]
            layer = 0 if craft.safe[half] else clp
            value = price + craft.crash[box]
            least = min(least, value + before(craft, worth, end, knot, layer, phase + 1, half))
    return least + PHASE


@kernel
def _guess(ways: Ways, worth: WorthTable, onward: WorthTable, last: bool, node: int) -> None:
    knots, boxes = worth.shape[1], worth.shape[4]
    for way in range(ENDS):
        end = ways.ends[node, 1, way]
        if end < 0 or ways.crossed[node, 1, way] < 0:
            continue
        for knot in range(knots):
            for clp in range(2):
                for box in range(boxes):
                    if ways.crossed[node, 1, way] <= 0:
                        value = worth[end, knot, clp, CHECK, box] + 1.0 / PACE
                    else:
                        value = PHASE if last else onward[end, knot, clp, 0, box]
                    worth[node, knot, clp, CHECK, box] = value
        break


@entry
def learn(
    craft: RaceRecord,
    ways: Ways,
    worth: WorthTable,
    ended: WorthTable,
    onward: WorthTable,
    last: bool,
) -> None:
    """Learn a layer in place.

    ended: worth before the turn of a phase; onward: the same in the next lap.
    """
    best = np.zeros((2, MASKS))
    values = np.zeros(ROW)
    nodes = len(ways.order)
    start = 0
    while start < nodes:
        cell = ways.cells[ways.order[start]]
        stop = start
        while stop < nodes and ways.cells[ways.order[stop]] == cell:
            stop += 1
        for place in range(start, stop):
            node = ways.order[place]
            _guess(ways, worth, onward, last, node)
            for knot in range(craft.knots):
                for clp in range(2):
                    for phase in range(3, -1, -1):
                        for box in range(craft.boxes):
                            worth[node, knot, clp, phase, box] = _go(
                                craft, ways, worth, ended, onward, last,
                                node, knot, clp, phase, box,
                            )  # fmt: skip
                    for box in range(craft.boxes):
                        worth[node, knot, clp, CHECK, box] = _check(
                            craft, worth, node, knot, clp, box, best
                        )
        for place in range(start, stop):
            node = ways.order[place]
            facing, slid = ways.facings[node], ways.slides[node]
            for knot in range(craft.knots):
                for clp in range(2):
                    for phase in range(1, 5):
                        for box in range(craft.boxes):
                            least = before(craft, worth, node, knot, clp, phase, box)
                            if clp == 1:
                                calm = before(craft, worth, node, knot, 0, phase, box)
                                least += (calm - least) / CLP_KNOT
                            for turn in range(-1, 2, 2):
                                if craft.safe[box]:
                                    to = cell * 12 + (facing + turn) % 12
                                    value = PHASE * ways.astray[to] + before(
                                        craft, worth, ways.node[to], knot, clp, phase, box
                                    )
                                else:
                                    value = _turn(
                                        craft, worth, ways.node, ways.astray, cell, slid,
                                        facing, turn, knot, clp, phase, box, values,
                                    )  # fmt: skip
                                least = min(least, value)
                            ended[node, knot, clp, phase - 1, box] = least
        start = stop


def learnt(craft: RaceRecord, ways: Ways) -> tuple[WorthTable, WorthTable]:
    """Return the worth before phases, and after their hexes but before the turn.

    Indices: layer, node, knot of stamina, CLP (0 or `CLP_KNOT`), phase, box.
    """
    nodes, knots, boxes = len(ways.cells), int(craft["knots"]), int(craft["boxes"])
    worth = np.empty((LAYERS, nodes, knots, 2, 5, boxes), np.float32)
    ended = np.empty((LAYERS, nodes, knots, 2, 4, boxes), np.float32)
    past = ways.past[ways.cells]
    lap = float(past.max()) + 1
    togo = (lap - past) / PACE
    for layer in range(LAYERS):
        worth[layer] = ended[layer] = (togo + layer * lap / PACE)[:, None, None, None, None]
        learn(craft, ways, worth[layer], ended[layer], ended[0], layer == 0)
    return worth, ended


def lap_of(worth: WorthTable, ways: Ways) -> float:
    """Return the rounds of a lap that another lap follows."""
    at_line = ways.past[ways.cells] < NEAR_LINE
    return float((worth[1, at_line, 0, 0, CHECK] - worth[0, at_line, 0, 0, CHECK]).mean())
