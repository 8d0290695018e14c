"""Reports of a vehicle: its licence, and exact odds of speed checks, turns and attacks.

A turn of 60° is two turns of 30° in successive phases: CLP, haste and slow of the first roll count
in the second. Damage counts by its mean CLP alone. No rival is near. `worth` has what this is worth
in races.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from generator.geometry import summed
from gridpress_chariot_dash.declared import (
    SAFE,
    SPEEDS,
    STAMINA_TOP,
    Marker,
    Values,
    Vehicle,
    numbered,
)
from gridpress_chariot_dash.dice import (
    ANY_TWO,
    AS_EFFECT,
    MOST_DICE,
    AttackSide,
    Control,
    ControlOutcome,
    ControlReading,
    Die,
    SpeedCheck,
    chance,
    expected,
    limit_of,
    merged_odds,
    outcomes,
    wins,
)
from gridpress_chariot_dash.findings import (
    Chart,
    Figure,
    Table,
    against,
    mean_text,
    page,
    signed,
    stacks,
    tables,
)
from gridpress_chariot_dash.race.simulation import Estimate
from gridpress_chariot_dash.worth import Account, Difference, account, worth_by_change

CHECKS: Final = ((True, 1), (True, 2), (True, 3), (False, 0), (False, 1), (False, 2))
"""Speed checks: True to accelerate, and the number of cards."""
MANOEUVRES: Final = (30, 60)
CARDS: Final = (0, 1, 2)
LOST: Final = ("CLP of a turn of 30°, without cards", "CLP of a turn of 30°, with a card")
"""Groups of figures with charts, by number of cards."""
LOST_PARTS: Final = ("0 CLP", "1 CLP", "2 CLP", "3 or more")


class Loss(Struct, frozen=True):
    """The cost of a manoeuvre: the chance that all goes as intended, then means.

    clp: with those of damage. slides: hexes. spin: degrees too far. damage: points.
    """

    hold: float = 1.0
    clp: float = 0.0
    slides: float = 0.0
    spin: float = 0.0
    damage: float = 0.0

    def then(self, part: float, other: Loss) -> Loss:
        """Add another loss with a probability, except `hold`."""
        return Loss(
            self.hold,
            self.clp + part * other.clp,
            self.slides + part * other.slides,
            self.spin + part * other.spin,
            self.damage + part * other.damage,
        )


class CarState(NamedTuple):
    """The state of a vehicle that matters to a control roll."""

    vehicle: Vehicle
    marker: Marker
    clp: int

    @classmethod
    def at(cls, vehicle: Vehicle, speed: int) -> CarState:
        """Return the state at the left-most box of a speed."""
        return cls(vehicle, vehicle.table.first[speed], vehicle.control_minimum)

    @property
    def dice(self) -> int:
        """The control dice at its speed."""
        return self.vehicle.control[self.vehicle.table.speed(self.marker)]

    def asked(self, cards: int, reading: ControlReading) -> Control | None:
        """Return the control roll of a turn, or None without one."""
        if self.dice == SAFE:
            return None
        mods = self.vehicle.mods
        more = cards + mods["control.discards"]
        dice = self.dice + self.clp + more + mods["control.dice"]
        return Control(max(0, dice), more, mods["control.rerolls"], reading)

    def after(self, outcome: ControlOutcome) -> CarState:
        """Return the state before the next turn, without damage."""
        table = self.vehicle.table
        marker = table.moved(table.moved(self.marker, outcome.haste), -outcome.slow)
        stand = self._replace(marker=marker, clp=self.clp + outcome.clp)
        if stand.dice == SAFE:
            return stand._replace(clp=self.vehicle.control_minimum)
        return stand


def losses(
    vehicle: Vehicle, die: Die, reading: ControlReading
) -> dict[tuple[int, int, int], Loss | None]:
    """Return losses by speed, degrees and cards; None for too many dice."""
    turns = Turns(die, reading)
    return {
        (speed, degrees, cards): turns.loss(CarState.at(vehicle, speed), degrees, cards)
        for speed in range(SPEEDS)
        for degrees in MANOEUVRES
        for cards in CARDS
    }


class Turns:
    """Calculates manoeuvres, each roll once."""

    def __init__(self, die: Die, reading: ControlReading) -> None:
        self._die = die
        self._reading = reading
        self._known: dict[Control, Loss] = {}

    def loss(self, stand: CarState, degrees: int, cards: int) -> Loss | None:
        """Return the loss of a manoeuvre."""
        asked = stand.asked(cards, self._reading)
        if asked is None:
            return Loss()
        if asked.dice > MOST_DICE:
            return None
        odds = outcomes(asked)
        if asked not in self._known:
            self._known[asked] = _lost(stand.vehicle, odds, self._die, self._reading)
        own = self._known[asked]
        if degrees <= 30:
            return own
        onward = merged_odds(
            ((stand.after(outcome), outcome.failed), part) for outcome, part in odds.items()
        )
        hold, total = 0.0, own
        for (after, failed), part in onward.items():
            second = self.loss(after, degrees - 30, cards)
            if second is None:
                return None
            total = total.then(part, second)
            hold += 0.0 if failed else part * second.hold
        return Loss(hold, total.clp, total.slides, total.spin, total.damage)


def clp_spread(
    vehicle: Vehicle, speed: int, cards: int, reading: ControlReading
) -> tuple[float, ...] | None:
    """Return the chances that a turn of 30° costs 0, 1, 2 … CLP, without damage."""
    asked = CarState.at(vehicle, speed).asked(cards, reading)
    if asked is None:
        return (1.0,)
    if asked.dice > MOST_DICE:
        return None
    odds = outcomes(asked)
    most = max(outcome.clp for outcome in odds)
    return tuple(
        summed(part for outcome, part in odds.items() if outcome.clp == clp)
        for clp in range(most + 1)
    )


def _lost(
    vehicle: Vehicle, odds: dict[ControlOutcome, float], die: Die, reading: ControlReading
) -> Loss:
    mods, hurts = vehicle.mods, [value > vehicle.resilience for value in die.values]

    def damage(outcome: ControlOutcome) -> float:
        """Return the mean points."""
        if not outcome.damage or reading.damage != AS_EFFECT:
            return 0.0
        dice = outcome.damage + mods["damage.dice"] + mods["damage.control.dice"]
        return max(0, dice) * summed(hurts) / len(hurts)

    def further(icons: int, trait: str) -> int:
        return icons + min(icons, mods[trait])

    def turned(outcome: ControlOutcome) -> float:
        left, right = (further(n, "spins-further") for n in (outcome.left, outcome.right))
        return 30 * abs(left - right)

    points = expected(odds, damage)
    return Loss(
        hold=chance(odds, lambda outcome: not outcome.failed),
        clp=expected(odds, lambda outcome: outcome.clp) + points,
        slides=expected(odds, lambda outcome: further(outcome.slides, "slides-further")),
        spin=expected(odds, turned),
        damage=points,
    )


def spaces(vehicle: Vehicle) -> tuple[int, ...]:
    """Return the spaces of a round at each speed."""
    return tuple(summed(phases) for phases in vehicle.moves)


def checks(
    vehicle: Vehicle, die: Die, *, simple: bool = False
) -> dict[tuple[bool, int], float | None]:
    """Return the mean boxes of each of `CHECKS`, or the choice where nothing is rolled.

    None marks a direction that may not be chosen, or too many dice. simple: under X-1.
    """
    eager = vehicle.mods["eager"] > 0
    means: dict[tuple[bool, int], float | None] = {}
    for accelerate, cards in CHECKS:
        chosen = vehicle.mods[f"{'accelerating' if accelerate else 'decelerating'}.free"]
        asked = check_with_cards(vehicle, cards, accelerate=accelerate, simple=simple)
        mean: float | None = chosen
        if not chosen:
            is_worked_out = asked.dice <= MOST_DICE
            mean = abs(expected(asked.odds(die), float)) if is_worked_out else None
        allowed = cards or accelerate == eager
        means[accelerate, cards] = mean if allowed else None
    return means


def check_with_cards(
    vehicle: Vehicle, cards: int, *, accelerate: bool, simple: bool = False
) -> SpeedCheck:
    """Return a speed check with cards of the helping type."""
    step, mods = "accelerating" if accelerate else "decelerating", vehicle.mods
    added, taken = mods[f"{step}.add"], mods[f"{step}.subtract"]
    if simple:
        return SpeedCheck(accelerate, 1, added=added + cards, taken=taken)
    dice = 2 + cards + mods[f"{step}.discards"] + mods[f"{step}.dice"]
    kept = ANY_TWO if mods["keep-any"] else limit_of(cards, 0)
    return SpeedCheck(accelerate, max(1, dice), mods[f"{step}.rerolls"], kept, added, taken)


def attacks(own: Vehicle, other: Vehicle, die: Die) -> Iterator[Figure]:
    """Yield the chances of attacks with a card, against none or one."""
    for kind in ("vehicle", "personal"):
        for cards in (0, 1):
            against = "against a card" if cards else "against no card"
            for row, attacker, defender in (
                (f"its {kind} attack wins", own, other),
                (f"a {kind} attack on it wins", other, own),
            ):
                sides = (
                    side(attacker, f"attack.{kind}", 1),
                    side(defender, f"defence.{kind}", cards),
                )
                are_few = max(one.dice for one in sides) <= MOST_DICE
                won = wins(*sides, die) if are_few else None
                yield Figure("Attack and defence", row, against, won, is_share=True)


def side(vehicle: Vehicle, role: str, cards: int) -> AttackSide:
    """Return a side of an attack. role: such as `attack.vehicle`."""
    mods, kind = vehicle.mods, role.rpartition(".")[2]
    return AttackSide(
        max(1, 1 + cards + mods[f"{role}.dice"]),
        mods[f"{role}.rerolls"],
        mods[f"{role}.value"],
        mods[f"attack.{kind}.ties"],
    )


def figures(own: Vehicle, other: Vehicle, die: Die, in_force: Collection[str]) -> Iterator[Figure]:
    """Yield all odds by group; attacks are on `other`. in_force: ids of options."""
    reading, simple = ControlReading.of(in_force), "simple-speed-check" in in_force
    for speed, count in enumerate(spaces(own)):
        yield Figure("Speeds", f"speed {speed}", "spaces a round", count)
    for (accelerate, cards), boxes in checks(own, die, simple=simple).items():
        kind = "Whip" if accelerate else "Reins"
        played = f"{cards} {kind}{'s' if accelerate and cards > 1 else ''}" if cards else "no card"
        row = f"{'accelerate' if accelerate else 'decelerate'}, {played}"
        yield Figure("Speed checks", row, "mean boxes", boxes)
    lost = losses(own, die, reading)
    for degrees in MANOEUVRES:
        yield from _turns(lost, degrees)
    for cards, group in enumerate(LOST):
        for speed in range(1, SPEEDS):
            yield from _spread(group, speed, clp_spread(own, speed, cards, reading))
    yield from attacks(own, other, die)


def _turns(lost: Mapping[tuple[int, int, int], Loss | None], degrees: int) -> Iterator[Figure]:
    """Yield three groups, each narrow enough for a terminal."""
    what = f"Turning {degrees}°" + (" in two phases" if degrees > MANOEUVRES[0] else "")
    for told, part in (("as meant", "hold"), ("CLP", "clp")):
        for speed in range(1, SPEEDS):
            for cards in CARDS:
                value = _part_of(lost[speed, degrees, cards], part)
                row, is_share = f"speed {speed}", part == "hold"
                yield Figure(f"{what}: {told}", row, _with_cards(cards), value, is_share=is_share)
    for speed in range(1, SPEEDS):
        for told, part in (("hexes slid", "slides"), ("spin °", "spin"), ("damage", "damage")):
            value = _part_of(lost[speed, degrees, 0], part)
            yield Figure(f"{what}: without cards", f"speed {speed}", told, value)


def _part_of(loss: Loss | None, name: str) -> float | None:
    return None if loss is None else getattr(loss, name)


def _spread(group: str, speed: int, spread: tuple[float, ...] | None) -> Iterator[Figure]:
    """Yield the chance of each number of CLP; the last includes more."""
    last = len(LOST_PARTS) - 1
    parts: Sequence[float | None] = (None,) * len(LOST_PARTS)
    if spread is not None:
        spread = (*spread, *(0.0,) * len(LOST_PARTS))
        parts = (*spread[:last], summed(spread[last:]))
    for part, likely in zip(LOST_PARTS, parts, strict=True):
        yield Figure(group, f"speed {speed}", part, likely, is_share=True)


def _with_cards(cards: int) -> str:
    return f"{cards or 'no'} card{'s' if cards > 1 else ''}"


SHADES: Final = ("#f0e0bd", "#dba45c", "#b25a2b", "#6d2315")
_BOX: Final = "▢"
_ICON: Final = re.compile(r"\{[\w-]+\}\s?")
_RANDOM: Final = ("0–1", "2", "3")
"""The die for each random effect."""


class Lap(NamedTuple):
    """Time trials over a lap: rounds and hexes of runs that came home."""

    name: str
    trials: int
    rounds: Estimate | None
    hexes: Estimate | None


class Appraisal(Struct, frozen=True):
    """A vehicle's licence, the worth of its differences from the baseline, and exact odds."""

    id: str
    name: str
    baseline: str
    licence: tuple[Table, ...]
    account: Account | None
    figures: tuple[Figure, ...]
    laps: tuple[Lap, ...] = ()
    """The laps of the vehicle and of another baseline."""


def licence(values: Values) -> tuple[Table, ...]:
    """Return everything on the licence except story and art."""
    made = [_who(values), _speed_table(values), _damage(values), _stamina(values), _cards(values)]
    if values["random_effects"]:
        made.insert(3, _random(values))
    return (*made, _traits(values))


def _who(values: Values) -> Table:
    rows = (("Driver", str(values["driver"])), ("Crew", str(values["crew"])))
    return Table(str(values["name"]), ("", ""), rows)


def _speed_table(values: Values) -> Table:
    def boxes(row: str) -> Iterator[str]:
        return (_BOX * count for count in values[row])

    phases = [
        (f"phase {n + 1}", *(str(values["moves"][s][n]) for s in range(SPEEDS))) for n in range(4)
    ]
    rows = (
        ("acceleration", *boxes("acceleration")),
        ("deceleration", *boxes("deceleration")),
        *phases,
        ("round", *(str(summed(values["moves"][s])) for s in range(SPEEDS))),
        ("control dice", *map(str, values["control"])),
        ("stamina", *map(_signed, values["stamina"])),
    )
    return Table("Speed table", ("speed", *map(str, range(SPEEDS))), rows)


def _damage(values: Values) -> Table:
    rows: list[tuple[str, ...]] = []
    for level in range(1, values["damage_levels"] + 1):
        said = [
            (_label(entry), _plain(entry["effect"]["text"], entry))
            for entry in values["damage"]
            if entry["at"] == level
        ]
        rows += [
            (str(level) if first else "", *words)
            for first, words in zip((True, *[False] * len(said)), said or [("", "")], strict=False)
        ]
    title = f"Damage, resilience {values['resilience']}"
    return Table(title, ("level", "effect", ""), tuple(rows))


def _random(values: Values) -> Table:
    rows = tuple(
        (shown, _label(entry), _plain(entry["effect"]["text"], entry))
        for shown, entry in zip(_RANDOM, values["random_effects"], strict=False)
    )
    return Table("Random damage", ("die", "effect", ""), rows)


def _stamina(values: Values) -> Table:
    entries = sorted(values["stamina_effects"], key=lambda entry: -entry["at"])
    rows = tuple(
        (str(entry["at"]), _label(entry), _plain(entry["effect"]["text"], entry))
        for entry in entries
    )
    title = f"Stamina, {STAMINA_TOP} down to {values['stamina_minimum']}"
    return Table(title, ("at or below", "effect", ""), rows)


def _cards(values: Values) -> Table:
    rows = [
        (str(values[kind]), title, "")
        for kind, title in (("whip", "Whip"), ("reins", "Reins"), ("dual", "Whip or Reins"))
        if values[kind]
    ]
    for entry in values["specials"]:
        special = entry["special"]
        name = _numbered(special["name"], entry["number"])
        behind = f"{name} behind {'a Whip' if entry['side'] == 'whip' else 'Reins'}"
        once = ", once a race" if entry["once"] else ""
        rows.append((str(entry["copies"]), behind + once, _plain(special["text"], entry)))
    return Table(f"Cards, {values['cards']} in all", ("", "card", ""), tuple(rows))


def _traits(values: Values) -> Table:
    rows = tuple(
        (_numbered(entry["trait"]["name"], entry["number"]), _plain(entry["trait"]["text"], entry))
        for entry in values["traits"]
    )
    return Table("Traits", ("", ""), rows, "" if rows else "none")


def _label(entry: Values) -> str:
    return _plain(entry["effect"]["label"], entry)


def _plain(text: str, entry: Values) -> str:
    """Fill in # and @, and remove icons."""
    number = entry.get("number")
    is_signed = entry.get("effect", {}).get("number") == "signed"
    shown = "" if number is None else str(number)
    if is_signed and isinstance(number, int):
        shown = _signed(number)
    named = entry.get("trait") if "effect" in entry else None
    name = str(entry.get("card") or "") if named is None else str(named["name"])
    return _ICON.sub("", numbered(text, shown)).replace("@", name)


def _numbered(name: str, number: int | str | None) -> str:
    return name if number is None else f"{name} {number}"


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _control_loss(appraisal: Appraisal, cards: int) -> str:
    """Draw the CLP of a turn, with a bar for each speed and one of the baseline."""
    figures = [f for f in appraisal.figures if f.group == LOST[cards]]
    rows: dict[str, list[float]] = {}
    for row in dict.fromkeys(f.row for f in figures):
        of_row = [f for f in figures if f.row == row]
        rows[row] = [f.value or 0.0 for f in of_row]
        if appraisal.name != appraisal.baseline:
            rows[f"{row}, baseline"] = [f.baseline or 0.0 for f in of_row]
    return stacks(rows, LOST_PARTS, SHADES)


def appraise(
    values: Values, baseline: Values, components: Mapping[str, Sequence[Values]]
) -> Appraisal:
    """Report on a vehicle beside the baseline."""
    in_force = {str(one["id"]) for one in components.get("option", ()) if one["in_force"]}
    die = next((Die.of(die) for die in components.get("die", ())), Die())
    own, base = Vehicle.of(values), Vehicle.of(baseline)
    known = worth_by_change(components.get("worth", ()))
    return Appraisal(
        own.id,
        own.name,
        base.name,
        licence(values),
        account(values, baseline, known) if known and own.id != base.id else None,
        against(figures(own, base, die, in_force), figures(base, own, die, in_force)),
    )


def worth_table(of: Appraisal) -> Table:
    """Return the worth of each difference from the baseline, and the sum."""
    title = f"Worth of the differences from {of.baseline}"
    if of.account is None:
        note = (
            "it is the vehicle that others are measured against"
            if of.name == of.baseline
            else "no races have been run for it: gridpress vehicle worth makes the table"
        )
        return Table(title, ("", "", ""), (), note)
    total = of.account
    rows = [*map(_part, total.parts)]
    rows.append(
        (
            "all together, if they add up",
            mean_text(_estimate(total.places, total.places_error)),
            mean_text(_estimate(total.rounds, total.rounds_error)),
        )
    )
    note = (
        "places in a field of four and rounds a lap, gained (+) or lost (−), each change by itself"
    )
    if any(part.times > 1 for part in total.parts):
        note += "; several of a kind seldom add up, the first is worth most"
    if any(part.worth and part.worth.apart for part in total.parts):
        note += "; in brackets the tracks where it is least and most, if they differ"
    note += "; effects as at damage level 2 and stamina 7; a dash: not measured"
    return Table(title, ("", "places", "rounds a lap"), tuple(rows), note)


def lap_table(of: Appraisal) -> Table:
    """Return rounds and hexes of laps driven alone."""
    rows = tuple((lap.name, mean_text(lap.rounds), mean_text(lap.hexes)) for lap in of.laps)
    note = f"{of.laps[0].trials} laps of the oval each, alone; of those that came home"
    return Table("A lap", ("", "rounds a lap", "hexes a lap"), rows, note)


def _part(part: Difference) -> tuple[str, str, str]:
    name = part.name if part.times == 1 else f"{part.times} × {part.name}"
    worth = part.worth
    if worth is None:
        return name, "–", "–"
    places = mean_text(_estimate(worth.places, worth.places_error))
    if worth.apart:
        low, high = (f"{signed(on.places, 2)} on {on.track}" for on in worth.apart)
        places += f" ({low}, {high})"
    elif not worth.is_sure:
        places += " (noise)"
    rounds = mean_text(_estimate(worth.rounds, worth.rounds_error)) if worth.rounds_known else "–"
    return name, places, rounds


def _estimate(value: float, error: float) -> Estimate:
    return Estimate(value, value - error, value + error, 1)


def vehicle_page(appraisals: Sequence[Appraisal], title: str) -> str:
    """Return a page of HTML that needs no other file."""
    vehicles = [
        {
            "name": a.name,
            "licence": a.licence,
            "worth": worth_table(a),
            "laps": lap_table(a) if a.laps else None,
            "profile": tables(a.figures, with_ratios=False),
            "losses": [
                Chart(LOST[n], _control_loss(a, n), "Control loss points by speed.")
                for n in range(len(LOST))
            ],
        }
        for a in appraisals
    ]
    return page(
        "report.html.j2",
        title=title,
        kicker="Chariot Dash: what a vehicle is worth",
        baseline=appraisals[0].baseline,
        vehicles=vehicles,
    )
