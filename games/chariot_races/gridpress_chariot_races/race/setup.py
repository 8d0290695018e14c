"""The records of a race from the data of a pack: race type, vehicles, rules and arena.

The arena maps each space to its position along the lap, its heading, its distance from the inside
and what lies there. Everything else is wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from gridpress_chariot_dash import declared
from gridpress_chariot_dash.declared import speed_table_of
from gridpress_chariot_dash.dice import Die
from msgspec import Struct, field
from msgspec.structs import replace

from generator.geometry import summed
from generator.tracks import HEXAGONS, Course, LaidTile, course_of, surface
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.layout import Array

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
"""Race types by id. A tag team is any type in teams, by default fastest."""

PLACE_POINTS: Final = (5, 3, 1)
"""Points of places for teams in a race without scores (CD-8)."""
USUAL_LAPS: Final = 2
"""For a race; a time trial has one lap."""
_ROUNDS: Final = {layout.FURTHEST: 12, layout.SCORING: 10}
"""Usual rounds of the types that end after a number of rounds."""
_MOST_ROUNDS: Final = 120
"""The limit of rounds, for each lap if there are laps."""
_OPEN: Final = (layout.FASTEST, layout.FURTHEST)
"""Types that a single car can race."""
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
    """A race type with laps (0: none) and the rounds after which it ends.

    runners: the number (CD-6). teams: car n is in team n % teams + 1; 0 for no teams.
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
        """Return a type by id, with usual values for whatever is not given.

        Raises ValueError for laps or rounds that the type does not use.
        """
        kind = TYPES[name]
        if laps is not None and kind not in _IN_LAPS:
            raise ValueError(f"a {name} race does not end after laps")
        if rounds is not None and kind == layout.FASTEST:
            raise ValueError(f"a {name} race ends after its laps, not after rounds")
        if kind == layout.FASTEST:
            laps = laps or USUAL_LAPS
        usual = _MOST_ROUNDS * max(1, laps) if laps else _ROUNDS.get(kind, _MOST_ROUNDS)
        runners = layout.RUNNERS if kind == layout.SCORING else 0
        return cls(kind, laps or 0, rounds or usual, runners, teams or 2 * (name == TAG_TEAM))

    @property
    def name(self) -> str:
        """The type's id."""
        return next(name for name, kind in TYPES.items() if kind == self.kind)

    @property
    def is_for_laps(self) -> bool:
        """True if rounds a lap make sense."""
        return self.kind == layout.FASTEST

    def must_suit(self, cars: int) -> None:
        """Raise ValueError if so many cars cannot race this type."""
        if cars > layout.CARS:
            raise ValueError(f"{cars} vehicles; a race has room for {layout.CARS}")
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
    """Return each team's place (CD-8).

    Teams rank by points in Scoring, else by 5, 3, 1 for the first three places, then by their best
    place. Car n is in team n % teams + 1.
    """
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
    return (0, 1) if value == declared.DIE else (int(value or 0), 0)


class _Does:
    """Looks up what traits, specials and effects do."""

    def __init__(self, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._known = {
            (kind, str(one["id"])): one for kind in components for one in components[kind]
        }

    def of(self, kind: str, reference: Any) -> Mapping[str, Any]:
        """Return the component, an empty one if unknown."""
        if isinstance(reference, Mapping) and "does" in reference:
            return reference
        return self._known.get((kind, _id(reference)), {})

    def changes(self, kind: str, reference: Any) -> tuple[declared.ModifierChange, ...]:
        """Return its changes, reading the text if no check has done so yet."""
        does = self.of(kind, reference).get("does")
        return declared.changes(_READERS[kind](does) if isinstance(does, str) else does)


def vehicle_record(values: Mapping[str, Any], components: Mapping[str, Any] | None = None) -> Array:
    """Return the record of a vehicle from its checked values.

    components: by kind, to look up traits, specials and effects. Raises ValueError for more than a
    record holds.
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
    "score-debris": 2, "score-hard": 3, "score-runner": 3, "score-damage": 2,
    "score-first": 5, "score-second": 3, "score-third": 1,
}  # fmt: skip
"""Points by option (CD-5), for packs without these options."""


class Rules(Struct, frozen=True):
    """Options in force by id, with their figure; 0 is the usual one."""

    in_force: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Iterable[Mapping[str, Any]]) -> Rules:
        """Read components of kind option; a scoring option that is off gives 0 points."""
        return cls(
            {
                str(o["id"]): int(o.get("figure") or 0) if o["in_force"] else 0
                for o in options
                if o["in_force"] or o["id"] in _POINTS
            }
        )

    @property
    def points(self) -> Mapping[str, int]:
        """Points by option."""
        return {name: self.in_force.get(name, usual) for name, usual in _POINTS.items()}

    def record(self, race: RaceType, cars: int, arena: Arena, die: Die) -> Array:
        """Return the record of the rules."""
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
        rules["runners"], rules["teams"] = min(layout.RUNNERS, race.runners), race.teams
        rules["ranked"] = race.kind in (layout.FASTEST, layout.FURTHEST, layout.SCORING)
        rules["cars"], rules["cells"], rules["lap"] = cars, len(arena.along), arena.lap
        points = self.points
        rules["points_per_runner"] = points["score-runner"]
        rules["points_per_damage"] = points["score-damage"]
        rules["place_points"] = [points[f"score-{place}"] for place in ("first", "second", "third")]
        rules["faces_value"], rules["faces_icon"] = die.values, range(6)
        return rules


def ground(arena: Arena, points: int = 0) -> tuple[Array, Mapping[tuple[int, int], int]]:
    """Return the cells of an arena as records, and the index of each hex.

    points: for the first to enter a hex with a fragile obstacle.
    """
    number = {cell: n for n, cell in enumerate(arena.along)}
    if len(number) > layout.MOST_CELLS:
        raise ValueError(f"{len(number)} spaces; a race has room for {layout.MOST_CELLS}")
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


def lay_debris(cells: Array, number: Mapping[Hex, int], arena: Arena, rules: Rules) -> None:
    """Lay out the debris of a scoring race (CD-78)."""
    easy, hard = rules.points["score-debris"], rules.points["score-hard"]
    for place, how_hard in arena.debris.items():
        cell = cells[number[place]]
        cell["fragile"] += 1
        cell["low"], cell["points"] = 1, (easy, hard, hard + 1)[how_hard]


def open_gates(rules: Array, number: Mapping[Hex, int], arena: Arena) -> None:
    """Note in a record of rules where runners enter (CD-78); −1 if the map does not say."""
    rules["gates"]["cell"] = -1
    for n, (cell, direction) in enumerate(arena.gates):
        rules["gates"]["cell"][0, n] = number[cell]
        rules["gates"]["direction"][0, n] = direction


def race_of(rules: Array, vehicles: Array, cells: Array) -> Array:
    """Return one race with none of the vehicles placed yet, and drivers who know nothing."""
    race = np.zeros(1, layout.RACE_DTYPE)
    race["rules"], race["vehicles"][0, : len(vehicles)] = rules, vehicles
    race["cells"][0, : len(cells)] = cells
    race["cars"]["rival"] = -1
    runner = race["rules"]["runner"]
    runner["cell"], runner["points"] = -1, rules["points_per_runner"]
    return race


def _nearest(arena: Arena, along: float) -> tuple[int, int]:
    middle = (max(arena.inside.values()) + 1) // 2
    return min(
        arena.along,
        key=lambda c: (abs(arena.wrapped(arena.along[c] - along)), abs(arena.inside[c] - middle)),
    )


FOX_AHEAD: Final = 6
"""Hexes from the fox to the foremost hound at the start."""


def spread_of(arena: Arena, number: Mapping[tuple[int, int], int], race: int, cars: int) -> Array:
    """Return the starting places of Toughest, Pursuit and Fox and hounds.

    Toughest spreads cars round the lap, Pursuit puts them half a lap apart, and the fox is first,
    ahead of the grid. Raises ValueError for too few places.
    """
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
    """Return the starting places, the best first."""
    grid = np.zeros(len(arena.starts), layout.GRID_DTYPE)
    for place, pose in zip(grid, arena.starts, strict=True):
        place["cell"], place["facing"] = number[pose.hex], pose.facing
        place["progress"] = arena.wrapped(arena.along[pose.hex] - arena.line)
    return grid


Hex = tuple[int, int]
"""Axial coordinates (q, r), pointy top: x = q + r/2, y = r · √3/2, y upward."""
DIRECTIONS: Final[tuple[Hex, ...]] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Directions, turning left from east."""

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
    """A hex and a facing, in steps of 30° left of east."""

    hex: Hex
    facing: int


class SpaceItem(NamedTuple):
    """An item in a space, with the ratings of its markers."""

    kind: str
    ratings: tuple[int, ...] = (0,)


class Arena(Struct, frozen=True, eq=False):
    """A racing surface; distances are in cells along the middle of the track.

    along: distance from the start of the course. headings: facing of the lane. inside: lanes to the
    inside. items: at the start. starts: the best place first. line: position of the finish line.
    debris: laid out for a scoring race, with how hard it is to reach, 0 to 2. gates: where runners
    enter, and their direction across; six or none.
    """

    name: str
    lap: float
    line: float
    along: Mapping[Hex, float]
    headings: Mapping[Hex, int]
    inside: Mapping[Hex, int]
    items: Mapping[Hex, SpaceItem]
    starts: tuple[Pose, ...]
    debris: Mapping[Hex, int] = {}
    gates: tuple[tuple[Hex, int], ...] = ()

    def wrapped(self, distance: float) -> float:
        """Return a distance by the shorter way round, negative backwards."""
        distance %= self.lap
        return distance if distance <= self.lap / 2 else distance - self.lap


def arena_on(course: Course, pieces: Mapping[str, Mapping[str, Any]], name: str = "") -> Arena:
    """Return the arena of a closed course of hexagons.

    pieces: by call, what is on a piece: `grid` (starting places, the best first), `spots` (figure
    and rating), and `line`, the step before the finish line. Lanes and steps count from 1. By
    default, starting places fill the piece from the front and the line runs behind them. Raises
    ValueError for an open course, other shapes, or no starting places.
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
    """Return the arena of a checked track. Raises ValueError like `arena_on`."""
    layout = track["layout"]
    pieces = {str(tile["call"]): tile["component"] for tile in layout["tiles"]}
    course = course_of(layout)
    arena = arena_on(course, pieces, str(track["name"]))
    return replace(
        arena,
        debris=dict(_debris(course, _entries(track, "debris"))),
        gates=tuple(_gate(course, place) for place in _entries(track, "runners")),
    )


def _debris(course: Course, places: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Hex, int]]:
    for place in places:
        laid, lane = _lane(course, place)
        cell = laid.piece.lanes[lane][int(place["step"]) - 1]
        yield _hex(laid.on_table(cell)), int(place["hard"])


def _gate(course: Course, place: Mapping[str, Any]) -> tuple[Hex, int]:
    """Return a place for runners, with the direction of the arrow on the map: to the next lane,
    and of two hexes there to the one further on."""
    laid, lane = _lane(course, place)
    lanes = laid.piece.lanes
    here = _hex(laid.on_table(lanes[lane][int(place["step"]) - 1]))
    steps = [_hex(laid.on_table(cell)) for cell in lanes[1 if lane == 0 else lane - 1]]
    ways = [(q - here[0], r - here[1]) for q, r in steps]
    return here, next(DIRECTIONS.index(way) for way in reversed(ways) if way in DIRECTIONS)


def _lane(course: Course, place: Mapping[str, Any]) -> tuple[LaidTile, int]:
    return course.tiles[int(place["piece"]) - 1], int(place["lane"]) - 1


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
    """Return the position of the printed line, or a place for one."""
    for laid, start in zip(course.tiles, begins, strict=True):
        line = pieces.get(laid.tile.call, {}).get("line")
        if line is not None:
            return start + float(line)
        if laid.tile.finish:
            return start + laid.piece.middle / 2
    first = next(
        i
        for i, laid in enumerate(course.tiles)
        if laid.tile.starts or _entries(pieces.get(laid.tile.call, {}), "grid")
    )
    return begins[first] + course.tiles[first].piece.middle
