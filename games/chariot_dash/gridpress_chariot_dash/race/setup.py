"""From what is agreed and what a pack says to the records of a race: its type, how many take part,
which team has won; vehicles, the rules in force, and the arena; long, since each record is filled
from one part of what a pack says.

The arena is every space and what lies there. Everything a race asks of its track is a lookup by
space: how far along the lap it lies, which way its lane leads, how far it is from the inside, and
what lies in it. What is no space is wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from generator.geometry import summed
from generator.tracks import HEXAGONS, Course, LaidTile, course_of, surface
from gridpress_chariot_dash import declared
from gridpress_chariot_dash.declared import speed_table_of
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.race import layout
from gridpress_chariot_dash.race.layout import Array, Race

TAG_TEAM: Final = "tag-team"
TYPES: Final[Mapping[str, int]] = {
    "fastest": layout.FASTEST,
    "furthest": layout.FURTHEST,
    "toughest": layout.TOUGHEST,
    "pursuit": layout.PURSUIT,
    "fox-and-hounds": layout.FOX,
    "scoring": layout.SCORING,
    TAG_TEAM: layout.FASTEST,
}
"""By the ids of the pack. Tag team is any other one in teams, fastest if none is named."""

PLACE_POINTS: Final = (5, 3, 1)
"""By which teams are placed where nothing scores (CD-8)."""
MOST_RUNNERS: Final = 3
USUAL_LAPS: Final = 2
"""Of a fastest race; who drives alone, against the clock, drives one."""
_ROUNDS: Final = {layout.FURTHEST: 12, layout.SCORING: 10}
"""Rounds of the types that end after some."""
_MOST_ROUNDS: Final = 120
"""Rounds, of each lap if there are laps, after which nobody waits any longer."""
_OPEN: Final = (layout.FASTEST, layout.FURTHEST)
"""Types that can be driven alone."""
_IN_LAPS: Final = (layout.FASTEST, layout.SCORING)
_MODIFIER: Final = {name: n for n, name in enumerate(layout.MODIFIERS)}
_MOMENT: Final = {
    "accelerating": layout.AT_ACCELERATING,
    "decelerating": layout.AT_DECELERATING,
    "movement": layout.AT_MOVEMENT,
    "control": layout.AT_CONTROL,
    "control.after": layout.AT_CONTROL_AFTER,
    "attack.vehicle": layout.AT_VEHICLE_ATTACK,
    "attack.personal": layout.AT_PERSONAL_ATTACK,
    "defence.vehicle": layout.AT_VEHICLE_DEFENCE,
    "defence.personal": layout.AT_PERSONAL_DEFENCE,
    "damage.after": layout.AT_DAMAGE_AFTER,
    "any.after": layout.AT_ANY_AFTER,
    "end-of-round": layout.AT_END,
}
_GIFT: Final = {
    "value": layout.GIVES_VALUE,
    "add": layout.GIVES_VALUE,
    "dice": layout.GIVES_DICE,
    "discards": layout.GIVES_DISCARDS,
    "rerolls": layout.GIVES_REROLLS,
    "slow-as-haste": layout.GIVES_SLOW_AS_HASTE,
    "haste-as-slow": layout.GIVES_HASTE_AS_SLOW,
    "rams": layout.GIVES_RAMS,
    "stops": layout.GIVES_STOPS,
    "rolls-again": layout.GIVES_ROLLS_AGAIN,
    "discards-icon": layout.GIVES_DISCARDS_ICON,
    "recovers-all": layout.GIVES_RECOVERS_ALL,
}
_OPERATION: Final = {
    "resilience": layout.OP_RESILIENCE,
    "damage.now": layout.OP_DAMAGE,
    "accelerating.most": layout.OP_UP_MOST,
    "decelerating.most": layout.OP_DOWN_MOST,
    "speed.most": layout.OP_SPEED_MOST,
    "unsafe": layout.OP_UNSAFE,
    "random": layout.OP_RANDOM,
    "wipe-out": layout.OP_WIPE_OUT,
}
_EACH_ROUND: Final = {
    "clp.each-round": layout.CLP_EACH_ROUND,
    "damage.each-round": layout.DAMAGE_EACH_ROUND,
}
_READERS: Final = {
    "trait": declared.trait,
    "special": declared.special,
    "damage-effect": declared.effect,
    "stamina-effect": declared.stamina,
}
_KINDS: Final = {"whip": layout.WHIP, "reins": layout.REINS}


class RaceType(Struct, frozen=True):
    """What is raced: the kind, laps (0: none agreed), and the rounds after which it is over.

    runners: how many (CD-6). teams: car n is of team n % teams + 1; 0: everybody for himself.
    """

    kind: int = layout.FASTEST
    laps: int = 1
    rounds: int = _MOST_ROUNDS
    runners: int = 0
    teams: int = 0

    @classmethod
    def of(
        cls,
        name: str = "fastest",
        laps: int | None = None,
        rounds: int | None = None,
        teams: int = 0,
    ) -> RaceType:
        """A type by its id, as it is usually raced but for what is given. ValueError in plain words
        for laps or rounds that it does not end by."""
        kind = TYPES[name]
        if laps is not None and kind not in _IN_LAPS:
            raise ValueError(f"a {name} race does not end after laps")
        if rounds is not None and kind == layout.FASTEST:
            raise ValueError(f"a {name} race ends after its laps, not after rounds")
        if kind == layout.FASTEST:
            laps = laps or USUAL_LAPS
        usual = _MOST_ROUNDS * max(1, laps) if laps else _ROUNDS.get(kind, _MOST_ROUNDS)
        runners = MOST_RUNNERS if kind == layout.SCORING else 0
        return cls(kind, laps or 0, rounds or usual, runners, teams or 2 * (name == TAG_TEAM))

    @property
    def name(self) -> str:
        """Its id."""
        return next(name for name, kind in TYPES.items() if kind == self.kind)

    @property
    def is_for_laps(self) -> bool:
        """Whether who is quicker round the laps wins: then rounds a lap can be told."""
        return self.kind == layout.FASTEST

    def must_suit(self, cars: int) -> None:
        """ValueError in plain words where so many cannot race so."""
        if self.kind == layout.PURSUIT and cars != 2:
            raise ValueError(f"pursuit is for exactly 2 vehicles, not {cars}")
        if cars < 2 and self.kind not in _OPEN:
            raise ValueError(f"{self.name} takes 2 vehicles at least")
        if self.teams and cars < 2 * self.teams:
            raise ValueError(f"{cars} vehicles do not make {self.teams} teams of two or more")

    def __str__(self) -> str:
        laps = f"{self.laps} lap{'' if self.laps == 1 else 's'}"
        if self.kind == layout.FASTEST:
            said = laps
        else:
            ends = laps if self.laps else f"{self.rounds} rounds"
            at_most = "" if self.kind in _ROUNDS else "at most "
            said = f"{self.name}, {at_most}{ends}"
        return f"{said}, in {self.teams} teams" if self.teams else said


def team_places(runs: Array, teams: int, *, scoring: bool = False) -> list[int]:
    """The place of each team in one race, from 1 (CD-8): by points in Scoring, else 5, 3, 1 for
    the first three places; equal ones by the better best place. Car n is of team n % teams + 1."""
    points, best = [0] * teams, [len(runs) + 1] * teams
    for v, run in enumerate(runs):
        team, place = v % teams, int(run["place"])
        won = PLACE_POINTS[place - 1] if place <= len(PLACE_POINTS) else 0
        points[team] += int(run["score"]) if scoring else won
        best[team] = min(best[team], place)
    order = sorted(range(teams), key=lambda team: (-points[team], best[team]))
    return [order.index(team) + 1 for team in range(teams)]


def _id(reference: Any) -> str:
    return str(reference["id"] if isinstance(reference, Mapping) else reference)


def _number(value: Any) -> tuple[int, int]:
    """A number as (amount, dice): "a die" is one die."""
    return (0, 1) if value == declared.DIE else (int(value or 0), 0)


class _Does:
    """What names do: from the components themselves where a reference is whole, else by id."""

    def __init__(self, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._known = {
            (kind, str(one["id"])): one for kind in components for one in components[kind]
        }

    def of(self, kind: str, reference: Any) -> Mapping[str, Any]:
        """The component that is referred to; an empty one of what nobody knows."""
        if isinstance(reference, Mapping) and "does" in reference:
            return reference
        return self._known.get((kind, _id(reference)), {})

    def changes(self, kind: str, reference: Any) -> tuple[declared.ModifierChange, ...]:
        """What it changes; text of a pack that no check has read yet is read here."""
        does = self.of(kind, reference).get("does")
        return declared.changes(_READERS[kind](does) if isinstance(does, str) else does)


def vehicle_record(values: Mapping[str, Any], components: Mapping[str, Any] | None = None) -> Array:
    """The record of a vehicle, from the values of a checked component.

    components: by kind, to look up what traits, specials and effects do. ValueError for a table
    that does not fit together, or a vehicle with more than a record holds.
    """
    vehicle = np.zeros(1, layout.VEHICLE_DTYPE)[0]
    does = _Does(components or {})
    _speed_table(vehicle, values)
    vehicle["moves"] = values["moves"]
    vehicle["control"] = [0 if dice == "safe" else int(dice) for dice in values["control"]]
    vehicle["stamina"] = values["stamina"]
    vehicle["stamina_least"] = int(values.get("stamina_minimum", 0))
    vehicle["clp_least"] = int(values.get("control_minimum", 0))
    blank = values["resilience"] == "blank"
    vehicle["resilience"] = layout.BLANK if blank else int(values["resilience"])
    vehicle["levels"] = int(values["damage_levels"])
    traits = [_id(entry["trait"]) for entry in values.get("traits") or ()]
    _traits(vehicle, values, does)
    _damage_track(vehicle, values, does, traits)
    _stamina_track(vehicle, values, does)
    _cards(vehicle, values, does)
    return vehicle


def _speed_table(vehicle: Any, values: Mapping[str, Any]) -> None:
    table = speed_table_of(values)
    up, down = len(table.below), len(table.above)
    if max(up, down) > layout.BOXES:
        raise ValueError(f"a race knows {layout.BOXES} boxes in a row at most")
    vehicle["boxes_up"], vehicle["boxes_down"] = up, down
    vehicle["rating_up"][:up] = table.speeds
    vehicle["below"][:up] = table.below
    vehicle["above"][:down] = table.above
    for name, markers in (("first", table.first), ("last", table.last)):
        vehicle[f"{name}_up"] = [marker.acceleration for marker in markers]
        vehicle[f"{name}_down"] = [marker.deceleration for marker in markers]


def _traits(vehicle: Any, values: Mapping[str, Any], does: _Does) -> None:
    entries = values.get("traits") or ()
    if len(entries) > layout.TRAITS:
        raise ValueError(f"a race knows {layout.TRAITS} traits of a vehicle at most")
    vehicle["traits"] = len(entries)
    for t, entry in enumerate(entries):
        number, dice = _number(entry.get("number"))
        for change in does.changes("trait", entry["trait"]):
            which = _EACH_ROUND.get(change.modifier, _MODIFIER.get(change.modifier))
            if which is not None:
                vehicle["trait_mods"][t, which] += change.amount(max(0, number))
                vehicle["trait_dice"][t, which] += change.by * dice if change.number else 0


def _damage_track(vehicle: Any, values: Mapping[str, Any], does: _Does, traits: list[str]) -> None:
    levels = int(values["damage_levels"])
    at = 0
    for level in range(layout.LEVELS + 1):
        vehicle["effect_from"][level] = at
        for entry in values["damage"]:
            if int(entry["at"]) == level and level <= levels:
                at = _effect(vehicle, at, entry, does, traits)
    vehicle["effect_from"][layout.LEVELS + 1] = at
    randoms = (values.get("random_effects") or ())[: layout.RANDOMS]
    vehicle["randoms"] = len(randoms)
    for n, entry in enumerate(randoms):
        vehicle["random_from"][n] = at
        at = _effect(vehicle, at, entry, does, traits)
        vehicle["random_from"][n + 1] = at


def _effect(vehicle: Any, at: int, entry: Mapping[str, Any], does: _Does, traits: list[str]) -> int:
    """Put what an entry does at a place; the next free place."""
    number, dice = _number(entry.get("number"))
    for change in does.changes("damage-effect", entry["effect"]):
        op, which = layout.OP_ADD, 0
        amount = change.amount(number)
        name = change.modifier
        if name in _OPERATION:
            op = _OPERATION[name]
        elif name == "lose-trait":
            lost = _id(entry.get("trait") or "")
            if lost not in traits:
                continue
            op, which = layout.OP_LOSE_TRAIT, traits.index(lost)
        elif name == "lose-card":
            card = str(entry.get("card") or "").lower()
            op, which = layout.OP_LOSE_CARD, _KINDS.get(card, layout.DUAL)
        elif name in ("slow-as-haste", "haste-as-slow"):
            op, amount = layout.OP_TURNING, 1 if name == "slow-as-haste" else -1
        else:
            found = _EACH_ROUND.get(name, _MODIFIER.get(name))
            if found is None:
                continue
            which = found
        if at >= layout.EFFECTS:
            raise ValueError(f"a race knows {layout.EFFECTS} effects at most")
        vehicle["op"][at], vehicle["which"][at], vehicle["amount"][at] = op, which, amount
        vehicle["die"][at] = change.by * dice if change.number else 0
        at += 1
    return at


def _stamina_track(vehicle: Any, values: Mapping[str, Any], does: _Does) -> None:
    fields = {
        "speed": ("tired_speed", -1),
        "virtual.reins": ("tired_reins", 1),
        "virtual.whips": ("tired_whips", 1),
        "clp": ("tired_clp", 1),
    }
    for entry in values.get("stamina_effects") or ():
        place = int(entry["at"]) + layout.STAMINA_ZERO
        number, _ = _number(entry.get("number", 1))
        for change in does.changes("stamina-effect", entry["effect"]):
            if change.modifier in fields and 0 <= place < layout.STAMINA_VALUES:
                name, sign = fields[change.modifier]
                vehicle[name][place] += sign * change.amount(number)


def _cards(vehicle: Any, values: Mapping[str, Any], does: _Does) -> None:
    fronts = [layout.WHIP] * int(values["whip"]) + [layout.REINS] * int(values["reins"])
    fronts += [layout.DUAL] * int(values.get("dual") or 0)
    specials = [
        entry
        for entry in values.get("specials") or ()
        for _ in range(int(entry.get("copies") or 1))
    ]
    if len(fronts) + len(specials) > layout.CARDS:
        raise ValueError(f"a race knows {layout.CARDS} cards of a vehicle at most")
    vehicle["cards"] = len(fronts) + len(specials)
    vehicle["front"][: len(fronts)] = fronts
    for c, entry in enumerate(specials, len(fronts)):
        component = does.of("special", entry["special"])
        changes = does.changes("special", entry["special"])
        number, dice = _number(entry.get("number"))
        vehicle["front"][c] = _KINDS[str(entry["side"])]
        vehicle["moment"][c] = _MOMENT.get(str(component.get("moment")), 0) if changes else 0
        vehicle["once"][c] = bool(entry.get("once"))
        for change in changes:
            gift = _GIFT[change.modifier]
            vehicle["gives"][c, gift] += change.amount(number)
            vehicle["gives_dice"][c, gift] += change.by * dice if change.number else 0


_POINTS: Final[Mapping[str, int]] = {
    "score-debris": 2, "score-runner": 3, "score-damage": 2,
    "score-first": 5, "score-second": 3, "score-third": 1,
}  # fmt: skip
"""What scores (CD-5), by the ids of options, in a pack that says nothing of it. What is hard to
reach no track says."""


class Rules(Struct, frozen=True):
    """Options and alternatives by the ids of the pack's options, with their figures.

    A rule that is named is in force; its figure is the number that goes with it, 0 for the usual;
    of what scores it is the points.
    """

    in_force: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Iterable[Mapping[str, Any]]) -> Rules:
        """From components of kind option; what is off does not score."""
        return cls(
            {
                str(o["id"]): int(o.get("figure") or 0) if o["in_force"] else 0
                for o in options
                if o["in_force"] or o["id"] in _POINTS
            }
        )

    @property
    def points(self) -> Mapping[str, int]:
        """What scores, by the ids of options."""
        return {name: self.in_force.get(name, usual) for name, usual in _POINTS.items()}

    def record(self, race: RaceType, cars: int, arena: Arena, die: Die) -> Array:
        """The record of the rules."""
        rules = np.zeros(1, layout.RULES_DTYPE)
        named = {
            "truce": "truce", "friendly": "friendly", "grandstanding": "grandstanding",
            "whips-of-shame": "shame", "stamina": "stamina", "jumps": "jumps",
            "simple-speed-check": "simple_check", "pairs-first": "pairs_first",
            "control-damage-ignored": "damage_ignored", "control-damage-as-clp": "damage_as_clp",
            "deliberate-collisions": "deliberate", "instant-wipe-out": "instant",
            "corner-drift": "corner_drift", "further-drifts": "more_drifts",
            "free-drifts": "free_drifts", "debris-per-damage": "debris_each",
        }  # fmt: skip
        for option, name in named.items():
            rules[name] = option in self.in_force
        rules["grandstanding_by"] = self.in_force.get("grandstanding") or 4
        rules["shame_by"] = self.in_force.get("whips-of-shame") or 4
        if "rolling-start" in self.in_force:
            rules["rolling_start"] = self.in_force["rolling-start"] or 3
        if "rolling-start-by-hexes" in self.in_force:
            rules["rolling_start_hexes"] = self.in_force["rolling-start-by-hexes"] or 6
        rules["instant_icons"] = self.in_force.get("instant-wipe-out") or 2
        rules["kind"], rules["laps"], rules["rounds"] = race.kind, race.laps, race.rounds
        rules["runners"], rules["teams"] = min(MOST_RUNNERS, race.runners), race.teams
        rules["ranked"] = race.kind in (layout.FASTEST, layout.FURTHEST, layout.SCORING)
        rules["cars"], rules["cells"], rules["lap"] = cars, len(arena.along), arena.lap
        points = self.points
        rules["points_per_runner"] = points["score-runner"]
        rules["points_per_damage"] = points["score-damage"]
        rules["place_points"] = [points[f"score-{place}"] for place in ("first", "second", "third")]
        rules["faces_value"], rules["faces_icon"] = die.values, range(6)
        return rules


def ground(arena: Arena, points: int = 0) -> tuple[Array, Mapping[tuple[int, int], int]]:
    """The cells of an arena as records, and the number of each hex. points: for the first to enter
    one with a fragile obstacle."""
    number = {cell: n for n, cell in enumerate(arena.along)}
    cells = np.zeros(len(number), layout.CELL_DTYPE)
    cells["car"] = -1
    for (q, r), n in number.items():
        cell = cells[n]
        cell["neighbour"] = [number.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS]
        cell["along"], cell["heading"] = arena.along[q, r], arena.headings[q, r]
        cell["inside"], cell["q"], cell["r"] = arena.inside[q, r], q, r
        item = arena.items.get((q, r))
        if item is not None:
            count, rating = len(item.ratings), sum(item.ratings)
            if item.kind == HAZARD:
                cell["hazard"], cell["hazard_rating"] = count, rating
            elif item.kind == FRAGILE:
                cell["fragile"], cell["fragile_rating"], cell["points"] = count, rating, points
            elif item.kind == SOLID:
                cell["solid"], cell["solid_rating"] = count, rating
            cell["low"] = item.kind != SOLID
    return cells, number


def race_of(rules: Array, vehicles: Array, cells: Array, cars: int, outlook: Any = None) -> Race:
    """A race with room for so many cars, none of which stands anywhere yet."""
    table = np.zeros(cars, layout.CAR_DTYPE)
    table["rival"] = -1
    return Race(
        rules=rules,
        cars=table,
        vehicles=vehicles,
        cells=cells.copy(),
        runners=np.array(
            [(-1, 0, int(rules["points_per_runner"][0]))] * MOST_RUNNERS, layout.RUNNER_DTYPE
        ),
        orders=np.zeros(cars, layout.ORDER_DTYPE),
        tasks=np.zeros(layout.MOST_TASKS, layout.TASK_DTYPE),
        dice=np.zeros((cars, layout.MOST_DICE), np.int64),
        counts=np.zeros(cars, np.int64),
        ahead=np.zeros(cars, np.int64),
        outlook=np.zeros(1) if outlook is None else outlook,
    )


def _nearest(arena: Arena, along: float) -> tuple[int, int]:
    """The space in the middle of the track nearest to so far along the lap."""
    middle = (max(arena.inside.values()) + 1) // 2
    return min(
        arena.along,
        key=lambda c: (abs(arena.wrapped(arena.along[c] - along)), abs(arena.inside[c] - middle)),
    )


FOX_AHEAD: Final = 6
"""Hexes by which the fox starts ahead of the foremost hound."""


def spread_of(arena: Arena, number: Mapping[tuple[int, int], int], race: int, cars: int) -> Array:
    """Starting places of the types that have their own: Toughest spread evenly round the lap,
    Pursuit half a lap apart, and the fox, who is first, ahead of the grid. ValueError for a grid
    with too few places for the hounds."""
    grid = np.zeros(cars, layout.GRID_DTYPE)
    first = arena.along[arena.starts[0].hex]
    places = [first + n * arena.lap / cars for n in range(cars)]
    if race == layout.FOX:
        if len(arena.starts) < cars - 1:
            raise ValueError(f"{len(arena.starts)} starting places for {cars - 1} hounds")
        grid[1:] = grid_of(arena, number)[: cars - 1]
        ahead = max(grid["progress"][1:]) + FOX_AHEAD if cars > 1 else 0.0
        places = [arena.line + ahead]
    for place, along in zip(grid, places, strict=False):
        cell = _nearest(arena, along)
        place["cell"], place["facing"] = number[cell], arena.headings[cell]
        place["progress"] = along - arena.line
    return grid


def grid_of(arena: Arena, number: Mapping[tuple[int, int], int]) -> Array:
    """The starting places, the best first."""
    grid = np.zeros(len(arena.starts), layout.GRID_DTYPE)
    for place, pose in zip(grid, arena.starts, strict=True):
        place["cell"], place["facing"] = number[pose.hex], pose.facing
        place["progress"] = arena.wrapped(arena.along[pose.hex] - arena.line)
    return grid


Hex = tuple[int, int]
"""Axial coordinates (q, r) with a pointy top, as in `generator.tracks`: x = q + r/2, y = r · √3/2,
y upward."""
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""From a hex to its neighbours, turning left from east."""

HAZARD: Final = "hazard"
FRAGILE: Final = "fragile"
SOLID: Final = "solid"

_FIGURES: Final[Mapping[str, str]] = {
    "oil": HAZARD,
    "water": HAZARD,
    "sand": HAZARD,
    "rut": HAZARD,
    "wheel": FRAGILE,
    "planks": FRAGILE,
    "crates": FRAGILE,
    "wreck": SOLID,
    "rock": SOLID,
    "wall": SOLID,
}


class Pose(NamedTuple):
    """A hex, and a facing: by 30° · facing to the left of east."""

    hex: Hex
    facing: int


class SpaceItem(NamedTuple):
    """What lies in a space: its kind, and the ratings of its markers (debris stacks)."""

    kind: str
    ratings: tuple[int, ...] = (0,)


class Arena(Struct, frozen=True, eq=False):
    """A racing surface. Distances are in cells along the middle of the track.

    along: how far from the start of the course a space lies. headings: the facing of its lane.
    inside: lanes between it and the side to which the course turns. items: what lies there from
    the start. starts: where vehicles start, the best place first. line: where the finish line is.
    """

    name: str
    lap: float
    line: float
    along: Mapping[Hex, float]
    headings: Mapping[Hex, int]
    inside: Mapping[Hex, int]
    items: Mapping[Hex, SpaceItem]
    starts: tuple[Pose, ...]

    def wrapped(self, distance: float) -> float:
        """A distance by the shorter way round, negative backwards."""
        distance %= self.lap
        return distance if distance <= self.lap / 2 else distance - self.lap


def arena_on(course: Course, pieces: Mapping[str, Mapping[str, Any]], name: str = "") -> Arena:
    """The arena of a course of hexagons whose last tile leads into the first.

    pieces: by call, what stands on a piece: `grid` (starting places, the best first) and `spots`
    (figure and rating), both by lane and step from 1, and `line`, the step after which the finish
    line runs. Without a grid the piece's number of starts is filled from the front; without a line
    it runs behind the starting places. ValueError for an open course, for one of other shapes, or
    one on which nobody can start.
    """
    if course.grid is not HEXAGONS:
        raise ValueError("chariots race on hexagons")
    if not course.is_closed:
        raise ValueError("the last piece does not lead into the first: nobody can drive laps")
    laid_out = surface(course)
    spaces = laid_out.spaces.values()
    left = summed(laid.piece.turn for laid in course.tiles) >= 0
    widths = {laid.number: len(laid.piece.lanes) for laid in course.tiles}
    starts = tuple(pose for laid in course.tiles for pose in _starts(laid, pieces))
    if not starts:
        raise ValueError("no piece of the course has starting places")
    return Arena(
        name=name,
        lap=laid_out.lap,
        line=_line(course, pieces, laid_out.begins),
        along={_hex(s.cell): s.along for s in spaces},
        headings={_hex(s.cell): 2 * s.heading for s in spaces},
        inside={_hex(s.cell): s.lane if left else widths[s.tile] - 1 - s.lane for s in spaces},
        items=dict(item for laid in course.tiles for item in _items(laid, pieces)),
        starts=starts,
    )


def arena_of(track: Mapping[str, Any]) -> Arena:
    """The arena of a checked component of a kind with a layout. ValueError as for `arena_on`."""
    layout = track["layout"]
    pieces = {str(tile["call"]): tile["component"] for tile in layout["tiles"]}
    return arena_on(course_of(layout), pieces, str(track["name"]))


def _hex(cell: Sequence[int]) -> Hex:
    return cell[0], cell[1]


def _entries(piece: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    return piece.get(name) or ()


def _starts(laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]) -> Iterator[Pose]:
    lanes = laid.piece.lanes
    grid = _entries(pieces.get(laid.tile.call, {}), "grid")
    cells = [lanes[int(place["lane"]) - 1][int(place["step"]) - 1] for place in grid]
    if not cells:
        rows = range(min(map(len, lanes)) - 2, -1, -1)
        cells = [lane[row] for row in rows for lane in lanes][: laid.tile.starts]
    for cell in cells:
        yield Pose(_hex(laid.on_table(cell)), 2 * laid.heading)


def _items(
    laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Hex, SpaceItem]]:
    for spot in _entries(pieces.get(laid.tile.call, {}), "spots"):
        cell = laid.piece.lanes[int(spot["lane"]) - 1][int(spot["step"]) - 1]
        item = SpaceItem(_FIGURES[str(spot["figure"])], (int(spot.get("rating") or 0),))
        yield _hex(laid.on_table(cell)), item


def _line(
    course: Course, pieces: Mapping[str, Mapping[str, Any]], begins: Sequence[float]
) -> float:
    """Where the printed finish line runs; else in the middle of a piece that has one; else where
    the first piece with starting places ends."""
    for laid, start in zip(course.tiles, begins, strict=True):
        line = pieces.get(laid.tile.call, {}).get("line")
        if line is not None:
            return start + float(line)
        if laid.tile.finish:
            return start + laid.piece.middle / 2
    first = next(
        i for i, laid in enumerate(course.tiles) if laid.tile.starts or _grid(laid, pieces)
    )
    return begins[first] + course.tiles[first].piece.middle


def _grid(laid: LaidTile, pieces: Mapping[str, Mapping[str, Any]]) -> bool:
    return bool(_entries(pieces.get(laid.tile.call, {}), "grid"))
