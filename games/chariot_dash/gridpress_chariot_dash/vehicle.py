"""A vehicle: values of a checked component in, its speed table and the rest of its licence out.

Two rows of boxes run from left to right, one for acceleration and one for deceleration. A speed
is as wide in one row as in the other, so its a boxes above and d boxes below correspond where
they overlap: box i above covers i/a … (i+1)/a of the width, box j below j/d … (j+1)/d. The
marker stands on a box in each row, and both always belong to one speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gridpress_chariot_dash.cards import SPECIALS, Card, Front
from gridpress_chariot_dash.declared import DIE, changes
from gridpress_chariot_dash.traits import TRAITS, Traits

EFFECTS: Final = frozenset(
    "control-loss control-die safe-speed resilience damage damage-each-round lose-trait lose-card "
    "maximum-acceleration maximum-deceleration acceleration deceleration maximum-speed haste slow "
    "random wipe-out".split()
)
STAMINA_EFFECTS: Final = frozenset("speed reins whip control".split())
"""The effects that races know; others are left out, and `check` says so."""
ROLLED: Final = 2
"""What races count where a number is a die: its mean is 1.5."""
SPEEDS: Final = 7
TOP: Final = SPEEDS - 1

Pairs = Mapping[int, Sequence[tuple[int, int]]]
"""By speed: which acceleration box (from 0 within the speed) corresponds to which below it."""


class Marker(NamedTuple):
    """Where the clip is: a box in each row, counted from 0 at the left end of the row."""

    acceleration: int
    deceleration: int


@dataclass(frozen=True, slots=True, eq=False)
class SpeedTable:
    """Both rows, looked up: everything is indexed by box, or by speed for `first` and `last`.

    speeds: the speed of each acceleration box. below: the right-most deceleration box that
    corresponds to an acceleration box. above: the left-most acceleration box that corresponds to
    a deceleration box. first, last: the markers at the left and right end of each speed.
    """

    speeds: tuple[int, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    first: tuple[Marker, ...]
    last: tuple[Marker, ...]

    @classmethod
    def of(
        cls, acceleration: Sequence[int], deceleration: Sequence[int], pairs: Pairs | None = None
    ) -> SpeedTable:
        """A table from the numbers of boxes by speed, and pairs for speeds with a map of their own.

        ValueError for anything but seven numbers from 1, or a map that leaves out a box.
        """
        rows = (tuple(acceleration), tuple(deceleration))
        if any(len(row) != SPEEDS or min(row) < 1 for row in rows):
            raise ValueError(f"{SPEEDS} numbers of boxes from 1 are needed, not {rows}")
        speeds: list[int] = []
        below: list[int] = []
        above: list[int] = []
        first: list[Marker] = []
        last: list[Marker] = []
        for speed, (a, d) in enumerate(zip(*rows, strict=True)):
            start = Marker(len(below), len(above))
            down, up = _mapped(pairs[speed], a, d) if pairs and speed in pairs else _equal(a, d)
            below += [start.deceleration + box for box in down]
            above += [start.acceleration + box for box in up]
            speeds += [speed] * a
            first.append(start)
            last.append(Marker(len(below) - 1, len(above) - 1))
        return cls(tuple(speeds), tuple(below), tuple(above), tuple(first), tuple(last))

    def speed(self, marker: Marker) -> int:
        """The speed, 0 to 6, that the marker shows."""
        return self.speeds[marker.acceleration]

    def accelerate(self, marker: Marker, boxes: int) -> Marker:
        """Right by so many boxes of the upper row; what goes past its end goes back below.

        Going back (over-whipping) decelerates by the excess, and stops at the left end if it is
        larger than the whole row. No boxes: the marker stays as it is.
        """
        if boxes <= 0:
            return marker
        end = len(self.below) - 1
        box = marker.acceleration + boxes
        if box <= end:
            return Marker(box, self.below[box])
        return self.decelerate(Marker(end, self.below[end]), box - end)

    def decelerate(self, marker: Marker, boxes: int) -> Marker:
        """Left by so many boxes of the lower row, at most to its left end."""
        if boxes <= 0:
            return marker
        box = max(0, marker.deceleration - boxes)
        return Marker(self.above[box], box)

    def moved(self, marker: Marker, boxes: int) -> Marker:
        """Right for a positive number of boxes, left for a negative one."""
        return self.accelerate(marker, boxes) if boxes > 0 else self.decelerate(marker, -boxes)

    def rated(self, marker: Marker, speed: int) -> Marker:
        """The rating itself becomes `speed` (kept within 0 to 6).

        Down lands in the right-most boxes of the new rating, up in the left-most; the same rating
        leaves the marker where it is.
        """
        speed = max(0, min(TOP, speed))
        now = self.speed(marker)
        if speed == now:
            return marker
        return self.last[speed] if speed < now else self.first[speed]


def _equal(a: int, d: int) -> tuple[list[int], list[int]]:
    """Equal subdivision: for each box above the right-most below it, and for each below …"""
    down = [-(-(i + 1) * d // a) - 1 for i in range(a)]
    up = [j * a // d for j in range(d)]
    return down, up


def _mapped(pairs: Sequence[tuple[int, int]], a: int, d: int) -> tuple[list[int], list[int]]:
    """The same from an explicit map, whose ends must pair so that rating changes fit it."""
    if {i for i, _ in pairs} != set(range(a)) or {j for _, j in pairs} != set(range(d)):
        raise ValueError(f"a map of {a} boxes over {d} must name each of them, and no other")
    if (0, 0) not in pairs or (a - 1, d - 1) not in pairs:
        raise ValueError("in a map the first boxes correspond, and so do the last")
    down = [max(j for i, j in pairs if i == box) for box in range(a)]
    up = [min(i for i, j in pairs if j == box) for box in range(d)]
    return down, up


BLANK: Final = -1
"""Blank resilience: every die is above it, even one that shows 0."""
SAFE: Final = 0
"""Control dice of a safe speed."""
STAMINA_TOP: Final = 10
CLP_TOP: Final = 19
"""The last box of the control track, 9, and a second clip for 10 more."""


class DamageEntry(NamedTuple):
    """What a level of the damage track does; number, trait and card as far as the effect asks."""

    effect: str
    number: int = 0
    trait: str = ""
    card: str = ""


class StaminaEntry(NamedTuple):
    """What a value of the stamina track does."""

    at: int
    effect: str
    number: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Vehicle:
    """A driving licence as the rules read it.

    moves: hexes by speed and phase. control: dice by speed, 0 where it is safe. stamina: change by
    speed. resilience: −1 when blank. damage: entries by level, the levels count from 1.
    """

    id: str
    name: str
    table: SpeedTable
    moves: tuple[tuple[int, ...], ...]
    control: tuple[int, ...]
    stamina: tuple[int, ...]
    resilience: int
    damage_levels: int
    damage: Mapping[int, tuple[DamageEntry, ...]]
    random_effects: tuple[DamageEntry, ...]
    stamina_minimum: int
    stamina_effects: tuple[StaminaEntry, ...]
    control_minimum: int
    cards: tuple[Card, ...]
    traits: Traits

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Vehicle:
        """The vehicle of a component that has passed its kind's checks, or of its plain values."""
        levels: dict[int, tuple[DamageEntry, ...]] = {}
        for entry in _known(values["damage"], EFFECTS):
            at = int(entry["at"])
            levels[at] = (*levels.get(at, ()), _damage(entry))
        return cls(
            id=str(values["id"]),
            name=str(values["name"]),
            table=SpeedTable.of(values["acceleration"], values["deceleration"], _pairs(values)),
            moves=tuple(tuple(row) for row in values["moves"]),
            control=tuple(SAFE if dice == "safe" else int(dice) for dice in values["control"]),
            stamina=tuple(values["stamina"]),
            resilience=_resilience(values["resilience"]),
            damage_levels=int(values["damage_levels"]),
            damage=levels,
            random_effects=tuple(
                _damage(e) for e in _known(values.get("random_effects") or (), EFFECTS)
            ),
            stamina_minimum=int(values.get("stamina_minimum", 0)),
            stamina_effects=tuple(
                _stamina(e) for e in _known(values.get("stamina_effects", ()), STAMINA_EFFECTS)
            ),
            control_minimum=int(values.get("control_minimum", 0)),
            cards=_cards(values),
            traits=tuple(_traits(values.get("traits", ()))),
        )


def _known(entries: Sequence[Any], known: frozenset[str]) -> list[Any]:
    """The entries whose effects races know."""
    return [entry for entry in entries if _id(entry["effect"]) in known]


def _pairs(values: Mapping[str, Any]) -> Pairs:
    """Which boxes correspond, counted from 0, for speeds that say so."""
    return {
        int(entry["speed"]): [(int(a) - 1, int(d) - 1) for a, d in entry["pairs"]]
        for entry in values.get("correspondence", ())
    }


def _traits(entries: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """Names and numbers. A trait of somebody's own is raced as the shipped ones that change the
    same; what no shipped trait changes is left out."""
    for entry in entries:
        name, number = _id(entry["trait"]), _number(entry.get("number"))
        if name in TRAITS:
            yield name, number
        elif isinstance(entry["trait"], Mapping):
            for change in changes(entry["trait"].get("does")):
                same = _SAME.get((change.modifier, change.by > 0))
                if same is not None:
                    yield same, abs(change.amount(number))


_SAME: Final[Mapping[tuple[str, bool], str]] = {
    ("recover", True): "stamina",
    ("swap", True): "adaptive",
    ("reins-as-whip", True): "encouragement",
    ("keep-any", True): "beastmaster",
    ("eager", True): "champing-at-the-bit",
    ("accelerating.rival", True): "rival",
    ("accelerating.free", True): "tireless",
    ("accelerating.discards", True): "long-legs",
    ("accelerating.rerolls", True): "lash",
    ("accelerating.subtract", True): "cautious",
    ("accelerating.add", True): "hyperactive",
    ("accelerating.add", False): "cautious",
    ("decelerating.free", True): "anchor",
    ("decelerating.discards", True): "rubber-shoes",
    ("decelerating.rerolls", True): "tight-leash",
    ("decelerating.subtract", True): "reckless",
    ("decelerating.add", True): "lazy",
    ("decelerating.add", False): "reckless",
    ("flies", True): "flyer",
    ("leaps", True): "leap",
    ("grounded", True): "whitey",
    ("control.discards", True): "driver",
    ("control.rerolls", True): "handling",
    ("clp.calms", True): "reactions",
    ("spins-further", True): "spinner",
    ("slides-further", True): "slippery",
    ("whip-as-reins", True): "snapper",
    ("attacks-ahead", True): "savage",
    ("attack.vehicle.ties", True): "fortune-smiles",
    ("attack.vehicle.ties", False): "unlucky-charm",
    ("attack.vehicle.dice", True): "tank",
    ("attack.vehicle.rerolls", True): "persistent",
    ("attack.vehicle.value", True): "blades",
    ("defence.vehicle.dice", True): "armoured",
    ("defence.vehicle.rerolls", True): "evasive",
    ("defence.vehicle.value", False): "flimsy",
    ("ambushes", True): "sneaky",
    ("attack.personal.ties", True): "lady-luck",
    ("attack.personal.ties", False): "ill-fate",
    ("attack.personal.dice", True): "cat-o-nine",
    ("attack.personal.rerolls", True): "frenzied",
    ("attack.personal.value", True): "whiplash",
    ("defence.personal.dice", True): "shield",
    ("defence.personal.rerolls", True): "guarded",
    ("defence.personal.value", False): "thin-skin",
    ("damage.collision.dice", False): "bsh",
    ("damage.control.dice", False): "failsafes",
    ("damage.other.dice", True): "spiked",
    ("damage.dice", True): "jerry-rigged",
}
"""The shipped trait that changes a modifier up (True) or down."""


def _number(value: Any) -> int:
    """The number of a trait, card or effect; 0 for none."""
    return ROLLED if value == DIE else int(value or 0)


def _id(reference: Any) -> str:
    """The id of a component that is referred to: its record, or just its id."""
    return str(reference["id"] if isinstance(reference, Mapping) else reference)


def _resilience(value: Any) -> int:
    return BLANK if value == "blank" else int(value)


def _damage(entry: Mapping[str, Any]) -> DamageEntry:
    trait = entry.get("trait")
    return DamageEntry(
        _id(entry["effect"]),
        _number(entry.get("number")),
        "" if trait is None else _id(trait),
        str(entry.get("card") or ""),
    )


def _stamina(entry: Mapping[str, Any]) -> StaminaEntry:
    return StaminaEntry(int(entry["at"]), _id(entry["effect"]), int(entry.get("number", 1)))


def _cards(values: Mapping[str, Any]) -> tuple[Card, ...]:
    """Whips, Reins, dual cards, then specials, one entry for each card."""
    cards = [Card(Front.WHIP)] * int(values["whip"])
    cards += [Card(Front.REINS)] * int(values["reins"])
    cards += [Card(Front.DUAL)] * int(values.get("dual", 0))
    for entry in values.get("specials", ()):
        front = Front.WHIP if entry["side"] == "whip" else Front.REINS
        special = _id(entry["special"])
        special = special if special in SPECIALS else ""
        number = _number(entry.get("number"))
        card = Card(front, special, number, bool(entry.get("once")))
        cards += [card] * int(entry.get("copies", 1))
    return tuple(cards)
