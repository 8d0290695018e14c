"""Measure how often each ready-made racer of Joust Racers wins, and how often abilities work.

    python games/studies/joust_balance.py [--races 1200] [--seed 1]

Half of the races are between ready-made racers, for the first table; the others between racers
drawn by lot from one set. The second table counts both. In three of four races greedy players
drive, who take what promises most for its Speed Points; in the rest players do anything legal. Only
greedy ones count for the first table. Racers and blockers are rectangles.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from generator.build import Order, open_pack
from generator.project import find_targets

HALF, WIDE = 31.0, 21.0
"""Half the length and half the width of a racer, mm."""
BLOCK = 15.9
"""Half a blocker's side, and a waypoint's radius, mm."""
ROUNDS = 30
"""The most rounds of a race."""
SUMS = ("speed", "reflexes", "handling", "armor", "ram", "valor")
SIDES = ("front", "rear", "left", "right")

Point = tuple[float, float]
Plan = tuple[float, str, Any]
"""An action: its worth, its name, and how it is done."""


@dataclass
class Box:
    """A rectangle on the table: its middle, heading in degrees from +x, half its sides."""

    x: float
    y: float
    turn: float = 0.0
    long: float = HALF
    wide: float = WIDE

    def at(self, ahead: float, aside: float) -> Point:
        """Return the point so far ahead of the middle and to the left of it."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return self.x + ahead * c - aside * s, self.y + ahead * s + aside * c

    def corners(self) -> list[Point]:
        return [
            self.at(a * self.long, b * self.wide) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]

    def outline(self) -> list[Point]:
        """Return the corners, the middles of the sides and the middle."""
        ends = self.corners()
        mids = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise([*ends, ends[0]])]
        return [*ends, *mids, (self.x, self.y)]

    def local(self, p: Point) -> Point:
        """Return how far a point is ahead of the middle and to the left of it."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        dx, dy = p[0] - self.x, p[1] - self.y
        return dx * c + dy * s, dy * c - dx * s

    def near(self, p: Point) -> float:
        """Return how far a point is from the rectangle."""
        ahead, aside = self.local(p)
        return math.hypot(max(0.0, abs(ahead) - self.long), max(0.0, abs(aside) - self.wide))

    def hits(self, other: Box) -> bool:
        if math.hypot(self.x - other.x, self.y - other.y) > math.hypot(
            self.long, self.wide
        ) + math.hypot(other.long, other.wide):
            return False
        for one, two in ((self, other), (other, self)):
            seen = [one.local(p) for p in two.corners()]
            if min(abs(a) for a, _ in seen) >= one.long and len({a > 0 for a, _ in seen}) == 1:
                return False
            if min(abs(b) for _, b in seen) >= one.wide and len({b > 0 for _, b in seen}) == 1:
                return False
        return True


@dataclass
class Blocker:
    box: Box
    armor: int
    durability: int
    number: int


@dataclass(eq=False)
class Racer:
    """A racer in a race."""

    name: str
    totals: dict[str, int]
    weapon: dict[str, Any]
    most: int
    abilities: dict[str, dict[str, Any]]
    shields: dict[str, dict[str, dict[str, Any]]]
    perfect: bool
    greedy: bool = True
    box: Box = field(default_factory=lambda: Box(0, 0))
    durability: int = 0
    valor: int = 0
    glory: int = 0
    crossed: int = 0
    slow: int = 0
    weak: int = 0
    die: int = 0
    stalled: bool = False
    fired_before: bool = False
    boost: int = 0
    reflexes: int = 0

    @property
    def running(self) -> bool:
        return self.durability > 0

    def has(self, ability: str) -> bool:
        return ability in self.abilities

    def limit(self, options: dict[str, int]) -> int:
        return options["valor_veteran" if self.has("veteran") else "valor_limit"]


def spelled(owner: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["ability"]["id"]: dict(one) for one in owner["abilities"]}


def racer_of(values: dict[str, Any], name: str) -> Racer:
    """Build a racer from its chassis, engine, tires, weapon, knight and shields by side."""
    parts = [values[slot] for slot in ("chassis", "engine", "tires", "weapon", "knight")]
    shields = {side: s for side, s in values["shields"].items() if s}
    species = {p["species"]["id"] for p in (*parts, *shields.values())}
    weapon = dict(values["weapon"]["weapon"])
    return Racer(
        name,
        {c: sum(p[c] for p in (*parts, *shields.values())) for c in SUMS},
        {**weapon, "arc": weapon["arc"]["label"], "angle": weapon["arc"]["angle"]},
        values["engine"]["durability"],
        {k: v for p in parts for k, v in spelled(p).items()},
        {side: spelled(s) for side, s in shields.items()},
        len(species) == 1,
    )


def above(need: int) -> float:
    """Return how likely two dice are to show more than a number."""
    return sum(6 - abs(s - 7) for s in range(2, 13) if s > need) / 36


class Race:
    """One race, from laying out the table to the winners."""

    def __init__(
        self, racers: list[Racer], blockers: Sequence[Mapping[str, Any]], options: dict[str, int],
        card: Point, dice: random.Random, seen: Counter[str], chances: Counter[str],
    ) -> None:  # fmt: skip
        self.racers, self.options, self.dice = racers, options, dice
        self.seen, self.chances = seen, chances
        self.m, self.r = min(card), max(card)
        self.side = options["arena"] * self.r
        self.waypoints: list[Point] = [(self.side / 2, self.side / 2)]
        self.blockers: dict[int, Blocker] = {}
        self._lay_out(blockers)

    # --- set-up

    def _lay_out(self, kinds: Sequence[Mapping[str, Any]]) -> None:
        n = len(self.racers)
        while len(self.waypoints) < n + 1:
            p = (
                self.dice.uniform(0.12, 0.88) * self.side,
                self.dice.uniform(0.12, 0.88) * self.side,
            )
            apart = self.options["waypoint_apart"] * self.m + 2 * BLOCK
            if all(math.dist(p, q) >= apart for q in self.waypoints):
                self.waypoints.append(p)
        by_armor = sorted(kinds, key=lambda k: k["armor"])
        stock = [k for k in by_armor for _ in range(math.ceil(n / k["per_players"]))]
        first, last = by_armor[0], by_armor[-1]
        stock.remove(first)
        stock.remove(last)
        between = self.dice.sample(stock, n - 1)
        for number, (p, kind) in enumerate(
            zip(self.waypoints, [first, *between, last], strict=True)
        ):
            self.blockers[number] = Blocker(
                Box(*p, 0, BLOCK, BLOCK), kind["armor"], kind["durability"], number
            )
        away = self.options["start"] * self.r + BLOCK + HALF
        start = self.dice.uniform(0, 360)
        for index, racer in enumerate(self.racers):
            for shift in range(0, 360, 7):
                turn = math.radians(start + 360 * index / n + shift)
                x = self.waypoints[0][0] + away * math.cos(turn)
                y = self.waypoints[0][1] + away * math.sin(turn)
                racer.box = Box(x, y, math.degrees(turn) + 180)
                if self.inside(racer.box) and not self.touching(racer.box, racer):
                    break
            racer.durability, racer.valor = racer.most, racer.totals["valor"]

    # --- geometry

    def inside(self, box: Box) -> bool:
        return all(0 <= x <= self.side and 0 <= y <= self.side for x, y in box.corners())

    def touching(self, box: Box, but: Racer) -> Racer | Blocker | None:
        for other in self.racers:
            if other is not but and other.running and box.hits(other.box):
                return other
        return next((b for b in self.blockers.values() if box.hits(b.box)), None)

    def drive(self, racer: Racer, far: float, aside: bool = False) -> tuple[Box, float, Any]:
        """Return where a racer gets that drives so far ahead, back (below 0) or aside, how far that
        is, and what stopped it: a racer, a blocker, "wall" or None."""
        steps = max(1, math.ceil(abs(far) / 8))
        last, gone = racer.box, 0.0
        for step in range(1, steps + 1):
            on = far * step / steps
            x, y = racer.box.at(0, on) if aside else racer.box.at(on, 0)
            box = Box(x, y, racer.box.turn)
            if not self.inside(box):
                return last, gone, "wall"
            met = self.touching(box, racer)
            if met:
                return last, gone, met
            last, gone = box, abs(on)
        return last, gone, None

    def swing(self, racer: Racer, by: float) -> tuple[Box, Any]:
        """Return where a turn about the flank's mark ends, and what stopped it."""
        mark = racer.box.at(0, WIDE if by > 0 else -WIDE)
        last, steps = racer.box, max(1, math.ceil(abs(by) / 15))
        for step in range(1, steps + 1):
            turn = racer.box.turn + by * step / steps
            c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            off = -WIDE if by > 0 else WIDE
            box = Box(mark[0] - off * s, mark[1] + off * c, turn)
            if not self.inside(box):
                return last, "wall"
            met = self.touching(box, racer)
            if met:
                return last, met
            last = box
        return last, None

    def put(self, racer: Racer, box: Box) -> None:
        """Move a racer, which may cross its next waypoint if that is open."""
        racer.box = box
        while racer.crossed < len(self.waypoints) and racer.crossed not in self.blockers:
            if box.near(self.waypoints[racer.crossed]) > BLOCK:
                return
            racer.crossed += 1
            racer.glory += self.options["waypoint_glory"]
            if racer.crossed == len(self.waypoints) and not self.over:
                racer.glory += self.options["last_waypoint_glory"]
                self.over = True

    # --- attacks

    def reach(self, racer: Racer, target: Box, box: Box | None = None) -> float | None:
        """Return the distance in mm of a target's nearest part in the arc, if that is in range."""
        box, weapon = box or racer.box, racer.weapon
        tip = box.at(HALF, 0)
        found = []
        for p in target.outline():
            if weapon["arc"] == "C":
                found.append(box.near(p))
                continue
            off = math.degrees(math.atan2(p[1] - tip[1], p[0] - tip[0])) - box.turn
            if abs((off + 180) % 360 - 180) <= weapon["angle"] / 2:
                found.append(math.dist(p, tip))
        return min((d for d in found if d <= weapon["range"] * self.r), default=None)

    def side_hit(self, target: Racer, point: Point, against: str) -> str:
        """Return the side that is hit: the best possible one for its owner."""
        ahead, aside = target.box.local(point)
        beyond = (ahead > HALF, ahead < -HALF, aside > WIDE, aside < -WIDE)
        sides = [side for side, out in zip(SIDES, beyond, strict=True) if out]
        sides = sides or ["front" if ahead > 0 else "rear"]
        return max(
            sides,
            key=lambda s: (
                self.armor(target, s, against),
                "damage-prevention" in target.shields.get(s, {}),
            ),
        )

    def armor(self, target: Racer, side: str, against: str) -> int:
        armor = max(min(5, target.totals["armor"]), target.totals["armor"] - target.weak)
        for owned in (target.abilities, target.shields.get(side, {})):
            if "bulwark" in owned:
                armor += owned["bulwark"]["number"]
            if owned.get("protection", {}).get("against") == against:
                armor += owned["protection"]["number"]
        return armor

    def strength(self, racer: Racer, away: float) -> int:
        """Return the Strength of a shot over a distance."""
        strength = int(racer.weapon["strength"])
        if racer.has("close-range") and away <= 2 * self.r:
            strength += 2 if away <= self.r else 1
        if racer.abilities.get("attuned", {}).get("against") == racer.weapon["type"]:
            strength += racer.abilities["attuned"]["number"]
        return strength

    def bid(self, racer: Racer, need: int, worth: float, way: int = -1) -> int:
        """Return how much Valor a player spends on moving `need` down, or up when attacked."""
        most = min(racer.valor, racer.limit(self.options))
        if not racer.greedy:
            return self.dice.randint(0, min(1, most))
        spent = 0
        while spent < most:
            more = above(need + way * (spent + 1)) - above(need + way * spent)
            if -way * more * worth <= 0.11:
                break
            spent += 1
        return spent

    def attack(
        self, racer: Racer, target: Racer | Blocker, strength: int, damage: int, ram: bool
    ) -> int:
        """Roll an attack. Return what a racer loses, or 1 if a blocker was hit."""
        if isinstance(target, Blocker):
            return self.at_blocker(racer, target, strength, damage, ram)
        against = "ram" if ram else racer.weapon["type"]
        tip = racer.box.at(HALF, 0)
        point = tip if ram or racer.weapon["arc"] != "C" else (racer.box.x, racer.box.y)
        side = self.side_hit(target, point, against)
        shield = target.shields.get(side, {})
        armor = self.armor(target, side, against)
        for owned in (target.abilities, shield):
            if owned.get("protection", {}).get("against") == against:
                self.saw(target, "protection")
        if "bulwark" in shield:
            self.saw(target, "bulwark")
        fatal = damage >= target.durability
        worth = min(damage, target.durability)
        need = armor - strength
        need -= self.spend(racer, self.bid(racer, need, worth * 0.7 + fatal))
        need += self.spend(target, self.bid(target, need, worth * 0.5 + 2 * fatal, way=1))
        if self.two() <= need:
            return 0
        if target.has("evasive") and self.die() >= 5:
            self.saw(target, "evasive")
            return 0
        if "damage-prevention" in shield and damage > 0:
            self.saw(target, "damage-prevention")
            damage -= shield["damage-prevention"]["number"]
            del target.shields[side]
        if damage <= 0:
            return 0
        self.lose(target, damage, racer)
        if target.running and not ram:
            self.effects(racer, target)
        return damage

    def at_blocker(
        self, racer: Racer, target: Blocker, strength: int, damage: int, ram: bool
    ) -> int:
        """Roll an attack on a blocker. Return whether it was hit."""
        mine = target.number == racer.crossed
        need = target.armor - strength
        need -= self.spend(racer, self.bid(racer, need, 1.2 if mine else 0.4))
        if self.two() <= need:
            return 0
        target.durability -= target.durability if ram else damage
        if target.durability <= 0:
            del self.blockers[target.number]
        return 1

    def effects(self, racer: Racer, target: Racer) -> None:
        if racer.has("bounce"):
            if target.has("steady"):
                self.saw(target, "steady")
            else:
                self.saw(racer, "bounce")
                self.bounce(racer, target)
        if racer.has("spin") and target.running:
            if target.has("true"):
                self.saw(target, "true")
            else:
                self.saw(racer, "spin")
                box, met = self.swing(target, self.dice.choice((-90, 90)))
                self.put(target, box)
                self.collide(racer, target, met)
        if racer.has("slow"):
            self.saw(*(target, "grip") if target.has("grip") else (racer, "slow"))
            target.slow += not target.has("grip")
        if racer.has("weakness"):
            self.saw(racer, "weakness")
            target.weak += 1

    def bounce(self, racer: Racer, target: Racer) -> None:
        turn = math.atan2(target.box.y - racer.box.y, target.box.x - racer.box.x)
        for _ in range(16):
            x, y = (
                target.box.x + math.cos(turn) * 2 * self.m / 16,
                target.box.y + math.sin(turn) * 2 * self.m / 16,
            )
            box = Box(x, y, target.box.turn)
            met = "wall" if not self.inside(box) else self.touching(box, target)
            if met:
                self.collide(racer, target, met)
                return
            self.put(target, box)

    def collide(self, by: Racer, racer: Racer, met: Any) -> None:
        if met is None:
            return
        if isinstance(met, Racer):
            self.lose(met, 1, by if met is not by else None)
        elif isinstance(met, Blocker):
            del self.blockers[met.number]
        self.lose(racer, 1, by)

    def lose(self, racer: Racer, damage: int, by: Racer | None) -> None:
        """Take Durability; a wreck brings Glory to whoever caused it."""
        if not racer.running:
            return
        racer.durability -= damage
        if racer.durability <= 0 and racer.has("durable") and self.die() >= 4:
            self.saw(racer, "durable")
            racer.durability = 1
        if racer.durability <= 0:
            racer.durability = 0
            racer.glory += self.options["wrecked_glory"]
            racer.valor = 0
            if by is not None and by is not racer:
                by.glory += self.options["wreck_glory"]

    def spend(self, racer: Racer, valor: int) -> int:
        racer.valor -= valor
        if valor > self.options["valor_limit"]:
            self.saw(racer, "veteran")
        return valor

    def die(self) -> int:
        return self.dice.randint(1, 6)

    def two(self) -> int:
        return self.die() + self.die()

    def saw(self, racer: Racer, ability: str) -> None:
        """Count, once a round, that an ability did something for a racer."""
        self.happened.add((racer.name, ability))

    # --- rounds

    def play(self) -> list[Racer]:
        """Play the race and return the winners."""
        self.over = False
        self.happened: set[tuple[str, str]] = set()
        self.rounds = 0
        while self.rounds < ROUNDS and not self.over and sum(r.running for r in self.racers) > 1:
            self.rounds += 1
            self.happened.clear()
            self.round()
            self.seen.update(ability for _, ability in self.happened)
        best = max(self.rank(r) for r in self.racers)
        return [r for r in self.racers if self.rank(r) == best]

    def rank(self, racer: Racer) -> tuple[int, int, bool, int]:
        return racer.glory, racer.crossed, racer.running, racer.valor

    def round(self) -> None:
        running = [r for r in self.racers if r.running]
        for r in running:
            self.prepare(r)
        fewest = min(r.valor for r in running)
        for r in running:
            self.roll(r, fewest)
        for r in sorted(
            running,
            key=lambda r: (r.die + r.totals["reflexes"], r.die, self.dice.random()),
            reverse=True,
        ):
            if r.running and sum(o.running for o in self.racers) > 1:
                self.go(r)

    def prepare(self, r: Racer) -> None:
        """Give the bonus of a perfect racer, and spend Valor on Speed."""
        for ability in {*r.abilities, *(a for s in r.shields.values() for a in s)}:
            self.chances[ability] += 1
        if r.perfect:
            showy = r.has("showy")
            r.valor += self.options["showy_valor" if showy else "perfect_valor"]
            if showy:
                self.saw(r, "showy")
        wanted = max(0, r.valor - 4) if r.greedy else self.dice.randint(0, 1)
        r.boost = self.spend(r, min(r.valor, wanted, r.limit(self.options)))

    def roll(self, r: Racer, fewest: int) -> None:
        """Roll for the drive."""
        r.die = self.die()
        if r.has("reroll") and r.die <= 3:
            self.saw(r, "reroll")
            r.die = self.die()
        r.stalled = r.has("stall") and r.die == 1 and not r.stalled
        if r.stalled:
            self.saw(r, "stall")
        if r.has("underdog") and r.valor == fewest:
            self.saw(r, "underdog")
            r.die += 1

    def go(self, racer: Racer) -> None:
        speed = racer.totals["speed"] + racer.boost
        sp = max(0, racer.die + (max(min(1, speed), speed - racer.slow)))
        state = Go(sp, turbo=2 if racer.has("turbo") else 0)
        if racer.has("repair") and racer.durability == 1 and racer.most > 2:
            self.saw(racer, "repair")
            number = min(3, racer.most - 1)
            racer.durability += number if self.die() > number else 0
            state.sp, state.turbo = 0, 0
        while racer.running:
            plan = self.choose(racer, state)
            if plan is None or self.act(racer, state, *plan):
                break
        if state.used_turbo:
            self.saw(racer, "turbo")
        if racer.has("nimble") and state.nimble:
            self.saw(racer, "nimble")
        racer.fired_before = state.fired
        if racer.running and self.parked(racer.box):
            self.lose(racer, 1, None)

    def choose(self, racer: Racer, state: Go) -> tuple[str, Any] | None:
        """Return what a player does next, or None."""
        plans = self.plans(racer, state)
        if not plans:
            return None
        if not racer.greedy:
            _, what, how = self.dice.choice(plans)
            return what, how
        worth, what, how = max(plans, key=lambda p: p[0])
        return (what, how) if worth > 0.04 else None

    def plans(self, racer: Racer, state: Go) -> list[Plan]:
        """Return all that can be paid, with what it is worth for each Speed Point."""
        moves = [] if racer.stalled else [*self.moves(racer, state), *self.turns(racer, state)]
        return [*moves, *self.shots(racer, state)]

    def gain(self, racer: Racer, box: Box, cost: float) -> float:
        """Return what a place is worth for each Speed Point that it costs."""
        return (self.toll(racer, racer.box) - self.toll(racer, box)) / cost

    def moves(self, racer: Racer, state: Go) -> Iterator[Plan]:
        o, on = self.options, self.parked(racer.box)
        if state.left >= o["move"]:
            box, gone, met = self.drive(racer, self.m)
            worth = self.gain(racer, box, o["move"])
            if met and met != "wall":
                worth = max(worth, self.ram_worth(racer, met, state.run + gone))
            if gone > 0:
                yield worth + 0.4 * (on and not self.parked(box)), "ahead", None
        if state.left >= o["reverse"]:
            box, gone, _ = self.drive(racer, -self.m)
            if gone > 0:
                yield self.gain(racer, box, o["reverse"]), "back", None
        if racer.has("sidestep") and state.left >= 2:
            for by in (-self.m, self.m):
                box, gone, _ = self.drive(racer, by, aside=True)
                if gone > 0:
                    yield self.gain(racer, box, 2), "aside", by

    def turns(self, racer: Racer, state: Go) -> Iterator[Plan]:
        o, handling = self.options, racer.totals["handling"]
        if state.left < o["turn"] or state.used_turbo or not self.may_turn(racer, state):
            return
        most = 180 if handling >= o["right_round"] else max(0, handling) * o["turn_step"]
        aimed = max(-most, min(most, self.off(racer)))
        for by in {-most, most, -most / 2, most / 2, aimed} - {0}:
            yield self.gain(racer, self.swing(racer, by)[0], o["turn"]), "turn", by

    def shots(self, racer: Racer, state: Go) -> Iterator[Plan]:
        fire = self.options["fire"]
        if state.fired or state.used_turbo or state.sp < 1:
            return
        reach = [(t, self.reach(racer, t.box)) for t in self.targets(racer)]
        if racer.has("reload") and racer.fired_before:
            if state.sp >= fire and any(away is not None for _, away in reach):
                self.saw(racer, "reload")
            return
        for target, away in reach:
            for heavy, cost in ((False, fire), (True, 4)):
                if away is None or state.sp < cost or (heavy and not racer.has("heavy")):
                    continue
                worth = self.shot_worth(racer, target, away, racer.weapon["damage"] + heavy)
                yield worth / cost, "fire", (target, away, heavy)
        if racer.has("discharge") and not racer.stalled:
            box, gone, _ = self.drive(racer, -min(3, state.sp) * self.m)
            if gone > 0:
                yield self.gain(racer, box, math.ceil(gone / self.m)), "discharge", None

    def targets(self, racer: Racer) -> list[Any]:
        return [r for r in self.racers if r is not racer and r.running] + list(
            self.blockers.values()
        )

    def may_turn(self, racer: Racer, state: Go) -> bool:
        twice = racer.has("nimble") and state.turns == 1
        return state.since >= self.m - 1 or (state.since > 0 and state.blocked) or twice

    def parked(self, box: Box) -> bool:
        return any(
            box.near(p) < BLOCK for n, p in enumerate(self.waypoints) if n not in self.blockers
        )

    def goal(self, racer: Racer) -> Point | None:
        return self.waypoints[racer.crossed] if racer.crossed < len(self.waypoints) else None

    def off(self, racer: Racer, box: Box | None = None) -> float:
        """Return how many degrees to the left of a racer's heading its goal is."""
        goal, box = self.goal(racer), box or racer.box
        if goal is None:
            return 0.0
        angle = math.degrees(math.atan2(goal[1] - box.y, goal[0] - box.x))
        return (angle - box.turn + 180) % 360 - 180

    def toll(self, racer: Racer, box: Box) -> float:
        """Return how far a place is from the next waypoint, in moves and turns."""
        goal = self.goal(racer)
        if goal is None:
            return 0.0
        if racer.crossed not in self.blockers and box.near(goal) <= BLOCK:
            return -1.5
        far = box.near(goal) / self.m
        off = abs(self.off(racer, box))
        miss = max(0.0, off - 18 - 25 / max(0.4, far))
        return far + 1.6 * miss / (self.options["turn_step"] * max(1, racer.totals["handling"]))

    def ram_worth(self, racer: Racer, met: Any, run: float) -> float:
        strength = self.ram_strength(racer, run)
        cost = 0 if racer.has("padded") else 0.5 + 2 * (racer.durability == 1)
        if isinstance(met, Blocker):
            chance = above(met.armor - strength)
            return chance * ((1.6 if met.number == racer.crossed else 0.1) - cost)
        side = self.side_hit(met, racer.box.at(HALF, 0), "ram")
        chance = above(self.armor(met, side, "ram") - strength)
        gain = min(racer.totals["ram"], met.durability) * 0.5 + 1.5 * (
            racer.totals["ram"] >= met.durability
        )
        return chance * (gain - cost)

    def shot_worth(self, racer: Racer, target: Any, away: float, damage: int) -> float:
        strength = self.strength(racer, away)
        if isinstance(target, Blocker):
            chance = above(target.armor - strength)
            return (
                chance
                * min(1.0, damage / target.durability)
                * (2.2 if target.number == racer.crossed else 0.15)
            )
        point = racer.box.at(HALF, 0)
        armor = self.armor(
            target, self.side_hit(target, point, racer.weapon["type"]), racer.weapon["type"]
        )
        gain = 0.8 * min(damage, target.durability) + 1.2 * (damage >= target.durability)
        gain += 0.4 * any(racer.has(a) for a in ("bounce", "spin", "slow", "weakness"))
        return above(armor - strength) * gain

    def ram_strength(self, racer: Racer, run: float) -> int:
        whole = max(1, math.ceil(run / self.m - 0.02))
        return math.ceil(whole / self.options["ram_run"]) + racer.has("ram-plate")

    def act(self, racer: Racer, state: Go, what: str, how: Any) -> bool:
        """Carry out an action and pay for it. Return whether that ends the go."""
        if what == "ahead":
            return self.ahead(racer, state) or state.left <= 0
        if what == "fire":
            self.fire(racer, state, *how)
        elif what == "turn":
            state.nimble += state.turns == 1
            state.pay(self.options["turn"])
            self.put(racer, self.swing(racer, how)[0])
            state.since, state.run, state.turned, state.turns = 0.0, 0.0, True, state.turns + 1
        elif what == "aside":
            self.saw(racer, "sidestep")
            state.pay(2)
            self.put(racer, self.drive(racer, how, aside=True)[0])
            state.run = 0.0
        else:
            self.back(racer, state, what == "discharge")
        return state.left <= 0

    def ahead(self, racer: Racer, state: Go) -> bool:
        """Drive ahead. Return whether that was a ram."""
        box, gone, met = self.drive(racer, self.m)
        state.pay(self.options["move"])
        self.put(racer, box)
        state.run += gone
        state.since += gone
        state.blocked = met is not None
        state.turns = 0 if state.since >= self.m - 1 else state.turns
        if met is None or met == "wall":
            return False
        if racer.has("ram-plate"):
            self.saw(racer, "ram-plate")
        strength = self.ram_strength(racer, state.run)
        if self.attack(racer, met, strength, racer.totals["ram"], ram=True):
            if racer.has("padded"):
                self.saw(racer, "padded")
            else:
                self.lose(racer, 1, None)
        return True

    def back(self, racer: Racer, state: Go, discharge: bool) -> None:
        far = min(3, state.sp) * self.m if discharge else self.m
        box, gone, _ = self.drive(racer, -far)
        state.pay(math.ceil(gone / self.m - 0.02) if discharge else self.options["reverse"])
        self.put(racer, box)
        state.since, state.run = state.since + gone, 0.0
        if discharge:
            self.saw(racer, "discharge")
            state.fired = True

    def fire(self, racer: Racer, state: Go, target: Any, away: float, heavy: bool) -> None:
        state.pay(4 if heavy else self.options["fire"])
        state.fired = True
        for ability, works in {
            "heavy": heavy,
            "close-range": racer.has("close-range") and away <= 2 * self.r,
            "attuned": racer.abilities.get("attuned", {}).get("against") == racer.weapon["type"],
        }.items():
            if works:
                self.saw(racer, ability)
        damage = racer.weapon["damage"] + heavy
        self.attack(racer, target, self.strength(racer, away), damage, ram=False)


@dataclass
class Go:
    """The state of a go: points left, and actions done."""

    sp: int
    turbo: int = 0
    run: float = 0.0
    """mm straight ahead."""
    since: float = 0.0
    """mm since the last turn."""
    blocked: bool = False
    turned: bool = False
    turns: int = 0
    nimble: int = 0
    fired: bool = False
    used_turbo: bool = False

    @property
    def left(self) -> int:
        """Speed Points, with those of Turbo as long as it may be used."""
        return self.sp + (0 if self.turned or self.fired else self.turbo)

    def pay(self, sp: int) -> None:
        self.sp -= sp
        if self.sp < 0:
            self.turbo, self.sp, self.used_turbo = self.turbo + self.sp, 0, True


def drafted(
    parts: Sequence[Mapping[str, Any]],
    knights: Sequence[Mapping[str, Any]],
    n: int,
    dice: random.Random,
) -> list[Racer]:
    """Build racers by lot from one set of parts, or two for six, with one shield each."""
    sets = 2 if n > 5 else 1
    piles: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for part in parts:
        if part["half"] != "b":
            piles[part["slot"]] += [part] * sets
    piles["knight"] = [*knights] * sets
    for pile in piles.values():
        dice.shuffle(pile)
    built = []
    for index in range(n):
        values: dict[str, Any] = {
            slot: piles[slot][index] for slot in ("chassis", "engine", "tires", "weapon", "knight")
        }
        values["shields"] = {dice.choice(SIDES): piles["shield"][index]}
        built.append(racer_of(values, f"drafted-{index}"))
    return built


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--races", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = open_pack(find_targets(["joust-racers"])[0], Order()).value
    assert found is not None
    pack, dice = found.pack, random.Random(args.seed)
    values = {kind: [c.values for c in of] for kind, of in pack.components.items()}
    options: dict[str, int] = dict(pack.options)  # type: ignore[arg-type]
    stock = pack.kinds["knight"].stock
    assert stock is not None
    card = (stock.trim.width, stock.trim.height)
    ready = [
        {**{s: r[s] for s in ("engine", "tires", "weapon", "knight")}, "chassis": r["chassis"]["a"],
         "name": r["name"], "shields": {s: r[s] for s in SIDES}} for r in values["racer"]
    ]  # fmt: skip
    wins, fair = defaultdict[str, float](float), defaultdict[str, float](float)
    races, lost = Counter[str](), Counter[str]()
    seen, chances = Counter[str](), Counter[str]()
    rounds = []
    for number in range(args.races):
        n = 2 + number // 2 % 5
        by_lot = number % 2
        racers = drafted(values["part"], values["knight"], n, dice) if by_lot else [
            racer_of(r, str(r["name"])) for r in dice.sample(ready, n)]  # fmt: skip
        for racer in racers:
            racer.greedy = number % 8 < 6
        race = Race(racers, values["blocker"], options, card, dice, seen, chances)
        winners = race.play()
        rounds.append(race.rounds)
        if by_lot or not racers[0].greedy:
            continue
        for racer in racers:
            races[racer.name] += 1
            fair[racer.name] += 1 / n
            lost[racer.name] += not racer.running
            wins[racer.name] += (racer in winners) / len(winners)
    print("| racer | races | wins over fair share | wrecked |\n|---|---|---|---|")
    for name in (str(r["name"]) for r in ready if races[str(r["name"])]):
        ratio, wrecked = wins[name] / fair[name], lost[name] / races[name]
        print(f"| {name} | {races[name]} | **{ratio:.2f}** | {wrecked:.0%} |")
    print(f"\nA race takes {sum(rounds) / len(rounds):.1f} rounds on average.\n")
    print("| ability | of 100 rounds of a racer that has it |\n|---|---|")
    for ability in sorted(values["ability"], key=lambda a: str(a["name"])):
        key = str(ability["id"])
        print(f"| {ability['name']} | {100 * seen[key] / max(1, chances[key]):.0f} |")


if __name__ == "__main__":
    main()
