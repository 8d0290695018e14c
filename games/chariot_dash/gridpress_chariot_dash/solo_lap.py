"""Rounds of a lap driven alone, by dynamic programming: a fast model of the racing engine.

It goes backward from the line, like `race/horizon.py`. A state is a pose on the track, a box, a
stamina (10 or lower), 0 or 3 control loss points, and a phase. The driver always takes the best
way, turn, cards and plan of a speed check: those with the fewest rounds to go. Odds are those of
`dice`. Damage has the price of its risk, and nothing but walls and rocks is in the way.

Cards have a price instead of a place in the state, and a round earns the price of the cards that
come back in it (a Lagrange multiplier on cards per round), so a driver spends what he recovers.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import Final, NamedTuple

import numpy as np

from generator.tracks import HEXAGONS, course_of, surface
from gridpress_chariot_dash.declared import SAFE, STAMINA_TOP, Values, Vehicle, changes
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    Array,
    Control,
    ControlReading,
    Die,
    limit_of,
    outcomes,
    possible_sums,
    value_rolls,
)

_DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_PASSABLE: Final = ("oil", "water", "sand", "rut", "wheel", "planks", "crates")
"""Figures of spots that are not solid."""
_ASIDE: Final = 2
"""Poses further off the lane, in steps of 30°, count as this, and cost a phase for each step."""
_POSES: Final = 2 * _ASIDE + 1
_REACH: Final = 8
_CLP: Final = 3
"""The second number of control loss points; more are extrapolated."""
_LOST: Final = 60.0
_SLOW: Final = 2.0
"""Hexes a round of the first guess, which is rather too slow."""
WHIP, REINS = 0.55, 0.24
"""Rounds that a type of card is worth, shared by its cards and one more, as in races."""
WRECK, WEAR = 8.0, 0.62
"""Rounds that a wipe-out costs, and the discount for each level left, as in races."""
FINISH: Final = 0.375
"""The mean part of the last round after the finish in its phase 1, 2, 3 or 4."""
_PLANS: Final = (((0, 0), (1, 0), (0, 1), (2, 0), (1, 1)), ((0, 0), (0, 1), (1, 0), (0, 2)))
"""Whips and Reins of the speed checks, accelerating and decelerating."""
_STEPS: Final = ("accelerating", "decelerating")


class LapCourse(NamedTuple):
    """A closed course by cell: hexes since the line, heading, and neighbours, −1 if solid."""

    past: Array
    heading: Array
    neighbour: Array
    lap: float
    start: int

    @classmethod
    def of(cls, track: Values) -> LapCourse:
        """Read a checked track. Raises ValueError for one that nobody can lap."""
        layout = track["layout"]
        course = course_of(layout)
        if course.grid is not HEXAGONS or not course.is_closed:
            raise ValueError("laps need a closed course of hexagons")
        pieces = {str(tile["call"]): tile["component"] for tile in layout["tiles"]}
        laid_out = surface(course)
        number = {(s.cell[0], s.cell[1]): n for n, s in enumerate(laid_out.spaces.values())}
        solid: set[tuple[int, int]] = set()
        lines: list[float] = []
        starts: list[tuple[int, float]] = []
        for laid, begin in zip(course.tiles, laid_out.begins, strict=True):
            piece, lanes = pieces.get(laid.tile.call, {}), laid.piece.lanes
            grid = [(p["lane"], p["step"]) for p in piece.get("grid") or ()]
            if not grid and laid.tile.starts:
                grid = [(1, max(1, min(map(len, lanes)) - 1))]
            for spot in piece.get("spots") or ():
                q, r, *_ = laid.on_table(lanes[int(spot["lane"]) - 1][int(spot["step"]) - 1])
                solid |= {(q, r)} if spot["figure"] not in _PASSABLE else set()
            for lane, step in grid[:1]:
                q, r, *_ = laid.on_table(lanes[int(lane) - 1][int(step) - 1])
                starts.append((number[q, r], begin + laid.piece.middle))
            if piece.get("line") is not None:
                lines.append(begin + float(piece["line"]))
            elif laid.tile.finish:
                lines.append(begin + laid.piece.middle / 2)
        if not starts:
            raise ValueError("no piece of the course has starting places")
        free = {cell: n for cell, n in number.items() if cell not in solid}
        along = np.array([space.along for space in laid_out.spaces.values()])
        return cls(
            (along - (lines or [starts[0][1]])[0]) % laid_out.lap,
            np.array([2 * space.heading for space in laid_out.spaces.values()]),
            np.array([[free.get((q + a, r + b), -1) for a, b in _DIRECTIONS] for q, r in number]),
            laid_out.lap,
            starts[0][0],
        )

    def node(self, cell: Array, facing: Array) -> tuple[Array, Array]:
        """Return the number of the nearest pose, and how many steps it is astray."""
        apart = (facing - self.heading[cell] + 5) % 12 - 5
        near = np.clip(apart, -_ASIDE, _ASIDE)
        return cell * _POSES + near + _ASIDE, np.abs(apart - near)

    def to(self, cell: Array, direction: Array) -> Array:
        """Return the next cell, or −1."""
        return np.where(cell < 0, -1, self.neighbour[cell, direction % 6])

    def apart(self, cell: Array, other: Array) -> Array:
        """Return 1 where the line is between a cell and the one after it, −1 if backward."""
        gone = self.past[other] - self.past[cell]
        return (gone < -self.lap / 2) * 1 - (gone > self.lap / 2) * 1


class PhaseEnds(NamedTuple):
    """Where phases end, by pose, hexes and way (CD-24, CD-25).

    ends: −1 for no such way. over: 1 over the line, −1 back. crash: the pose after running into
    something solid. slides: the cell of a slide, −1 for a wall.
    """

    cell: Array
    facing: Array
    ends: Array
    over: Array
    crash: Array
    slides: Array


def phase_ends(course: LapCourse) -> PhaseEnds:
    """Return the ends of phases: straight, drifting right or left, or from a corner."""
    count = len(course.past)
    cell = np.repeat(np.arange(count), _POSES)
    facing = (course.heading[cell] + np.tile(np.arange(_POSES) - _ASIDE, count)) % 12
    corner, ahead, size = facing % 2, facing // 2, len(facing)
    ends, over = np.full((size, _REACH, 3), -1), np.zeros((size, _REACH, 3), int)
    ends[:, 0, 0] = np.arange(size)
    crash = np.zeros((size, _REACH), int)
    stop, at = cell, [cell, np.where(corner, cell, -1), np.full(size, -1)]
    for hexes in range(1, _REACH):
        sides = (ahead + corner * ((hexes + 1 + way) % 2) for way in range(3))
        went = [course.to(*way) for way in zip(at, sides, strict=True)]
        for way, side in ((1, -1), (2, 1)):  # or it drifts only now
            drift = np.where(corner, -1, course.to(at[0], ahead + side))
            went[way] = np.where(went[way] < 0, drift, went[way])
        at = went
        for way, found in enumerate(at):
            ends[:, hexes, way] = np.where(found < 0, -1, course.node(found, facing)[0])
            over[:, hexes, way] = np.where(found < 0, 0, course.apart(cell, found))
        stop = np.where((at[0] < 0) | (over[:, hexes, 0] != 0), stop, at[0])
        off = (facing - course.heading[stop] + 5) % 12 - 5
        crash[:, hexes] = course.node(stop, facing - np.sign(off))[0]
    slides = course.to(cell, ahead)
    slides = np.where((slides >= 0) & (course.apart(cell, slides) != 0), cell, slides)
    return PhaseEnds(cell, facing, ends, over, crash, slides)


class Craft:
    """A vehicle as the model needs it, with arrays by box."""

    def __init__(self, values: Values, die: Die, in_force: set[str]) -> None:
        self.vehicle = Vehicle.of(values)
        self.table, self.mods = self.vehicle.table, self.vehicle.mods
        self.rating = np.array(self.table.speeds)
        self.moves = np.array(self.vehicle.moves)[self.rating]
        self.dice = np.array(self.vehicle.control)[self.rating]
        self.safe = self.dice == SAFE
        self.last = [self.table.last[speed].acceleration for speed in range(7)]
        self.half = np.array(self.last)[self.rating // 2]
        self.half[self.rating == 0] = np.flatnonzero(self.rating == 0)
        self._cards(values)
        self._stamina(values, "stamina" in in_force)
        self._checks(die)
        self._turns(values, die, ControlReading.of(in_force))

    def moved(self, box: int, count: int) -> int:
        """Return the box so many to the right, or to the left if negative."""
        if count < 0:
            return self.table.above[max(0, self.table.below[box] + count)]
        end = len(self.rating) - 1
        return box + count if box + count <= end else self.moved(end, end - box - count)

    def _cards(self, values: Values) -> None:
        sides = [e["side"] for e in values["specials"] for _ in range(int(e["copies"] or 1))]
        whips, reins = (values[side] + sides.count(side) for side in ("whip", "reins"))
        self.hand = hand = whips + reins + values["dual"]
        whips, reins = whips + values["dual"] / 2, reins + values["dual"] / 2
        whips += reins / 2 if self.mods["reins-as-whip"] else 0
        self.whip, self.reins = WHIP / (whips + 1), REINS / (reins + 1)
        back = (1 + self.mods["recover"] / max(1, hand)) / 2
        self.earned = back * (self.whip * whips + self.reins * reins)

    def _stamina(self, values: Values, is_played: bool) -> None:
        """Prepare what the end of a round does to a state."""
        least = max(0, int(values["stamina_minimum"])) if is_played else STAMINA_TOP
        tired: dict[str, list[int]] = {}
        for entry in values["stamina_effects"]:
            for change in changes(entry["effect"].get("does")):
                row = tired.setdefault(change.modifier, [0] * (STAMINA_TOP + 1))
                for stamina in range(int(entry["at"]) + 1):
                    row[stamina] += abs(change.amount(int(entry["number"] or 1)))
        none = [0] * (STAMINA_TOP + 1)
        self.virtual = [tired.get(f"virtual.{kind}", none) for kind in ("whips", "reins")]
        falls, clp = tired.get("speed", none), tired.get("clp", none)
        effects = [*zip(falls, clp, *self.virtual, strict=True)]
        steps = [s for s in range(STAMINA_TOP - 1, least - 1, -1) if effects[s] != effects[s + 1]]
        self.knots = [STAMINA_TOP, *steps[:1]]
        if len(self.knots) == 1 and least < STAMINA_TOP:
            self.knots.append(least)
        size = 2 * len(self.knots)
        rest = np.zeros((len(self.rating), size, len(self.rating), size), np.float32)
        for box, rating in enumerate(self.rating):
            for knot, stamina in enumerate(self.knots):
                after = stamina + (values["stamina"][rating] if is_played else 0)
                after = min(STAMINA_TOP, max(least, after))
                to = self.last[max(0, rating - falls[after])] if falls[after] and rating else box
                low = self.knots[-1]
                part = min(1.0, (STAMINA_TOP - after) / max(1, STAMINA_TOP - low))
                for lost in range(2):
                    points = 0 if self.safe[box] else _CLP * lost
                    points = max(0, points + clp[after] - self.mods["clp.calms"])
                    share = 0.0 if to != box and self.safe[to] else points / _CLP
                    for at, weight in ((0, 1 - part), (len(self.knots) - 1, part)):
                        rest[box, 2 * knot + lost, to, 2 * at] += weight * (1 - share)
                        rest[box, 2 * knot + lost, to, 2 * at + 1] += weight * share
        self.rest = rest

    def _checks(self, die: Die) -> None:
        """Prepare speed checks: sets of sums to choose from, and their odds by plan and knot."""
        found: list[tuple[int, float, list[dict[tuple[int, ...], float]]]] = []
        for way, (step, plans) in enumerate(zip(_STEPS, _PLANS, strict=True)):
            for whips, reins in plans:
                is_forced = whips + reins == 0 and (way == 0) != bool(self.mods["eager"])
                if is_forced or whips + reins > self.hand or self.mods[f"{step}.free"]:
                    continue
                rows = [
                    self._sums(die, way, whips + self.virtual[0][s], reins + self.virtual[1][s])
                    for s in self.knots
                ]
                found.append((way, whips * self.whip + reins * self.reins, rows))
        self.sums = sorted({sums for _, _, rows in found for row in rows for sums in row}, key=len)
        self.plans = [
            (
                way,
                price,
                np.array([[row.get(sums, 0.0) for sums in self.sums] for row in rows], np.float32),
            )
            for way, price, rows in found
        ]
        boxes, most = range(len(self.rating)), 2 * max(die.values) + 1
        self.land = np.array(
            [[[self._kept(b, k, w) for k in range(most)] for b in boxes] for w in (0, 1)]
        )
        self.free = [
            (way, np.array([self.moved(b, (-1) ** way * count) for b in boxes]))
            for way, step in enumerate(_STEPS)
            for count in range(self.mods[f"{step}.free"] + 1)
            if self.mods[f"{step}.free"]
        ]

    def _kept(self, box: int, kept: int, way: int) -> int:
        step = _STEPS[way]
        count = max(0, kept + self.mods[f"{step}.add"]) - self.mods[f"{step}.subtract"]
        return self.moved(box, -count if way else count)

    def _sums(self, die: Die, way: int, whips: int, reins: int) -> dict[tuple[int, ...], float]:
        if self.mods["reins-as-whip"] and way == 0:
            whips, reins = whips + reins, 0
        helping, hindering = (reins, whips) if way else (whips, reins)
        limit = ANY_TWO if self.mods["keep-any"] else limit_of(helping, hindering)
        step = _STEPS[way]
        more = self.mods[f"{step}.dice"] + self.mods[f"{step}.discards"]
        odds: dict[tuple[int, ...], float] = {}
        for values, part in value_rolls(die, min(10, max(1, 2 + whips + reins + more))):
            sums = possible_sums(values, limit)
            odds[sums] = odds.get(sums, 0.0) + part
        return odds

    def _turns(self, values: Values, die: Die, reading: ControlReading) -> None:
        """Prepare control rolls, by cards, box and CLP: chances of poses and boxes, and costs."""
        mods, resilience = self.mods, self.vehicle.resilience
        hurts = sum(value > resilience for value in die.values) / len(die.values)
        levels = int(values["damage_levels"])
        self.per_die = hurts * WRECK * (1 - WEAR**levels) / levels
        icon_dice = mods["damage.dice"] + mods["damage.control.dice"]

        @cache
        def rolled(dice: int, more: int) -> Array:
            row = np.zeros(16)
            asked = Control(max(0, min(10, dice) + more), more, mods["control.rerolls"], reading)
            for out, part in outcomes(asked).items():
                spin = 0 if bool(out.left) == bool(out.right) else 1 if out.left else 2
                boxes = max(-3, min(3, out.haste - out.slow))
                unmoved = out.slides or spin or not boxes
                row[3 * bool(out.slides) + spin if unmoved else 9 + boxes] += part
                hit = max(0, out.damage + icon_dice) if out.damage else 0
                row[13:] += part * np.array([hit, out.clp + hit * hurts, out.stamina])
            return row

        base = self.vehicle.control_minimum + mods["control.dice"]
        self.unsafe = np.flatnonzero(~self.safe)
        self.rolls = [
            np.array(
                [
                    [rolled(int(self.dice[box]) + base + lost, cards + mods["control.discards"])
                     for _ in self.knots for lost in (0, _CLP)]
                    for box in self.unsafe
                ],
                np.float32,
            ).reshape(len(self.unsafe), -1, 16)
            for cards in range(3)
        ]  # fmt: skip
        end = len(self.rating) - 1
        self.shift = np.array(
            [[self.moved(b, min(n, end - b)) for n in range(-3, 4)] for b in range(end + 1)]
        )
        bump = mods["damage.dice"] + mods["damage.collision.dice"]
        self.crash = 0.3 + self.per_die * np.maximum(0, self.rating + bump) * (self.rating > 0)


class _Lap:
    """Learns a lap: the cost to go before each phase (0 to 3), at the end of a round (4) and
    before a speed check (5), and after the hexes of each phase (`ended`).
    """

    def __init__(self, course: LapCourse, ways: PhaseEnds, craft: Craft) -> None:
        self.course, self.ways, self.craft = course, ways, craft
        self.size = len(ways.cell)
        self.round = 1 - craft.earned
        self.boxes = len(craft.rating)
        shape = (self.size + 2, self.boxes, 2 * len(craft.knots))
        guess = (course.lap - course.past[ways.cell]) / _SLOW * self.round
        self.before = np.zeros((6, *shape), np.float32)
        self.ended = np.zeros((4, *shape), np.float32)
        for table in (self.before, self.ended):
            table[:, : self.size] = guess[:, None, None]
            table[:, self.size + 1] = _LOST
        self.phase = self.round / 4
        most = np.stack([craft.moves.T, craft.moves.T + 1, craft.moves.T - 1], -1)
        self.may = (most >= 0) & (most < _REACH)
        self.hexes = np.clip(most, 0, _REACH - 1)
        self.price = np.array([0.0, craft.whip, craft.reins])

    def rounds(self) -> float:
        """Return the mean rounds of a lap from a standing start."""
        course, ways = self.course, self.ways
        start = course.start * _POSES + _ASIDE
        cells = np.arange(len(course.past))
        backward = np.where(ways.over < 0, -1, ways.ends)
        self.learn(cells, np.where(ways.over > 0, self.size, backward))
        if course.past[course.start] > course.lap / 2:  # the grid is behind the line
            behind = cells[course.past >= course.past[course.start] - 1]
            nodes = np.flatnonzero(np.isin(ways.cell, behind))
            self.before[:, nodes] = self.ended[:, nodes] = course.lap
            self.learn(behind, backward)
        first = self.before[5, start, 0, 0] - self.craft.earned  # a hand to begin with
        return float(first) + FINISH

    def learn(self, cells: Array, ends: Array) -> None:
        """Learn cells backward from the line, a hex of the middle lane at a time."""
        place = np.floor(self.course.past[cells]).astype(int)
        for at in np.unique(place)[::-1]:
            nodes = (cells[place == at][:, None] * _POSES + np.arange(_POSES)).ravel()
            onward = np.where(ends[nodes, 1, 0] < 0, ends[nodes, 1, 1], ends[nodes, 1, 0])
            self.rest(nodes, self.before[5, onward] + self.round / _SLOW)
            for phase in range(3, -1, -1):
                self.before[phase, nodes] = self.gone(nodes, ends[nodes], phase) + self.phase
            self.rest(nodes, self.checked(self.before[0, nodes]))
            around = self.around(nodes)
            for phase in range(4):
                self.ended[phase, nodes] = self.turned(self.before[phase + 1], *around)

    def rest(self, nodes: Array, values: Array) -> None:
        """Set the values before a speed check, and with them those of the end of a round."""
        self.before[5, nodes] = values
        self.before[4, nodes] = np.einsum("ncj,bkcj->nbk", values, self.craft.rest)

    def gone(self, nodes: Array, ends: Array, phase: int) -> Array:
        """Return the best way of a phase: the row's hexes, one more or one fewer."""
        craft, hexes, after = self.craft, self.hexes[phase], self.before[phase + 1]
        to, box = ends[:, hexes], np.arange(self.boxes)[:, None, None]
        to[to < 0] = self.size + 1
        values, stays = self.ended[phase][to, box], hexes == 0
        values[:, stays] = after[to[:, stays], box.repeat(3, 1)[stays]]
        values += self.price[:, None, None]
        values[:, ~self.may[phase]] = 2 * _LOST
        best: Array = values.min((2, 3))
        at, boxes = np.nonzero((to[:, :, 0] > self.size).all(2))
        hit = self.calm(after[self.ways.crash[nodes[at], hexes[boxes, 0]]], craft.half)
        hit = hit[np.arange(len(at)), boxes] + craft.crash[boxes][:, None]
        best[at, boxes] = np.minimum(best[at, boxes], hit)
        return best

    def checked(self, values: Array) -> Array:
        """Return the best speed check, from values before phase 1."""
        craft = self.craft
        values = self.calm(values, np.arange(self.boxes))
        found = [values[:, to] + (craft.reins if way == 0 else 0) for way, to in craft.free]
        for way in {way for way, _, _ in craft.plans}:
            kept = values[:, craft.land[way].T]
            chosen: dict[tuple[int, ...], Array] = {}
            for sums in craft.sums:
                for end in range(1, len(sums) + 1):
                    if sums[:end] not in chosen:
                        last = kept[:, sums[end - 1]]
                        before = chosen.get(sums[: end - 1])
                        chosen[sums[:end]] = last if before is None else np.minimum(before, last)
            sets = np.stack([chosen[sums] for sums in craft.sums], -1)
            sets = sets.reshape(*values.shape[:2], -1, 2, len(craft.sums))
            for own, price, odds in craft.plans:
                if own == way:
                    mean = np.einsum("nbkcs,ks->nbkc", sets, odds)
                    found.append(mean.reshape(values.shape) + price)
        return reduce(np.minimum, found)

    def around(self, nodes: Array) -> tuple[list[Array], list[Array], list[Array], Array]:
        """Return poses 60° right to 60° left, here and a slide on, and how far astray they are."""
        cell, facing, slid = (
            a[nodes] for a in (self.ways.cell, self.ways.facing, self.ways.slides)
        )
        wall = slid < 0
        here, there = (
            [self.course.node(at, facing + by) for by in range(-2, 3)]
            for at in (cell, np.where(wall, cell, slid))
        )
        astray = [(a[:, None, None] * self.phase) for _, a in (*here, *there)]
        return [n for n, _ in here], [n for n, _ in there], astray, wall

    def turned(
        self, after: Array, here: list[Array], there: list[Array], astray: list[Array], wall: Array
    ) -> Array:
        """Return the best of going straight on and turning 30° either way."""
        craft = self.craft
        poses = [after[node] + off for node, off in zip(here, astray[:5], strict=True)]
        slid = [after[node] + off for node, off in zip(there, astray[5:], strict=True)]
        if wall.any():
            for pose, slide in zip(poses, slid, strict=True):
                slide[wall] = (
                    self.calm(pose[wall][:, craft.half], craft.half) + craft.crash[:, None]
                )
        best = poses[2].copy()
        best[..., 1::2] += (best[..., ::2] - best[..., 1::2]) / _CLP
        safe, unsafe = np.flatnonzero(craft.safe), craft.unsafe
        for turn in (1, 3):
            meant = poses[turn]
            best[:, safe] = np.minimum(best[:, safe], meant[:, safe])
            calm = self.calm(meant, np.arange(self.boxes))
            poses_of = [own[turn + by][:, unsafe] for own in (poses, slid) for by in (0, 1, -1)]
            boxes_of = [calm[:, craft.shift[unsafe, n]] for n in range(7)]
            point = np.repeat((meant[..., 1::2] - meant[..., ::2])[:, unsafe] / _CLP, 2, 2)
            costs = [np.full_like(point, craft.per_die), np.maximum(point, 0.01), 0 * point + 0.02]
            every = np.stack([*poses_of, *boxes_of, *costs], -1)
            for cards, odds in enumerate(craft.rolls):
                price = cards * min(craft.whip, craft.reins)
                mean = np.einsum("nbko,bko->nbk", every, odds) + price
                best[:, unsafe] = np.minimum(best[:, unsafe], mean)
        return best

    def calm(self, values: Array, boxes: Array) -> Array:
        """Return values in boxes where a safe speed has removed all CLP."""
        found = values.copy()
        safe = self.craft.safe[boxes]
        found[..., safe, 1::2] = found[..., safe, ::2]
        return found


def lap_rounds(vehicle: Values, course: LapCourse, die: Die, in_force: set[str]) -> float:
    """Return the mean rounds of a lap in the model; races take longer, see `pace`."""
    return _Lap(course, phase_ends(course), Craft(vehicle, die, in_force)).rounds()
