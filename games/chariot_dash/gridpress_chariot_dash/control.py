"""The control roll: what it asks, how dice are read, what is left, and the exact odds.

Icons in a count stand in the order of `dice.ICONS`. What to discard and what to roll again are
functions, so that a driver can bring his own; `calmest` and `wildest` are the best of the kind that
looks at this roll only.

The dice of the speed, one for each CLP and one for each card are rolled; up to one for each card
is discarded. Then a left and a right spin take each other away for 1 CLP, and a slow and a haste
for 1 stamina (1 CLP without the stamina rules). Of the dice that are left the most frequent icon
takes effect, all icons that tie for it; each different effect costs 1 CLP.

Decisions where the facts leave open:
- a roll at a safe speed that an attack or collision forces may use cards like any other;
- Spinner and Slippery are not a choice: up to their number of icons, all do more;
- effects come in this order: CLP and stamina, the marker's boxes, the damage roll;
- a haste on the last box of the table moves back, as over-whipping does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from generator.units import summed
from gridpress_chariot_dash import damage
from gridpress_chariot_dash.cards import NO_BOOST, Boost
from gridpress_chariot_dash.damage import Hit, LoseCard, Source
from gridpress_chariot_dash.dice import Counts, Dice, chance, expected, gathered, icon_rolls
from gridpress_chariot_dash.state import NOTHING, Options, Played, State, expendable

AS_ROLLED: Final = 0
SLOW_AS_HASTE: Final = 1
HASTE_AS_SLOW: Final = 2


class Reading(NamedTuple):
    """How dice are read: which options matter, and what slow and haste count as (Yah!, Brake)."""

    stamina: bool = True
    soft_damage: bool = False
    as_read: int = AS_ROLLED


class Outcome(NamedTuple):
    """What a control roll leaves: how many of each icon take effect, CLP and stamina lost.

    CLP for damage itself come with the damage roll.
    """

    slides: int = 0
    haste: int = 0
    slow: int = 0
    left: int = 0
    right: int = 0
    damage: int = 0
    clp: int = 0
    stamina: int = 0

    @property
    def failed(self) -> bool:
        """Whether any effect is left: an attacker then loses the rest of his phase."""
        return any(self[:6])


HELD: Final = Outcome()


Discard = Callable[[Counts, int, Reading], Counts]
"""The count of each icon rolled, how many may go, how dice are read → counts of those that stay."""
Reroll = Callable[[Counts, int, Reading], Counts]
"""The count of each icon rolled, how many may be rolled again → counts of those that are."""


@lru_cache(maxsize=65536)
def read(counts: Counts, reading: Reading) -> Outcome:
    """What dice come to after the discards."""
    slides, haste, slow, left, right, damage = counts
    if reading.as_read == SLOW_AS_HASTE:
        haste, slow = haste + slow, 0
    elif reading.as_read == HASTE_AS_SLOW:
        haste, slow = 0, haste + slow
    spins, pulls = min(left, right), min(haste, slow)
    remaining = (slides, haste - pulls, slow - pulls, left - spins, right - spins, damage)
    most = max(remaining)
    slides, haste, slow, left, right, damage = (
        count if count == most else 0 for count in remaining
    )
    different = remaining.count(most) if most else 0
    clp = spins + different + (0 if reading.stamina else pulls)
    if reading.soft_damage:
        clp += damage
    stamina = pulls if reading.stamina else 0
    return Outcome(slides, haste, slow, left, right, damage, clp, stamina)


def harm(outcome: Outcome) -> float:
    """How bad an outcome is to a driver who thinks of nothing else, in CLP or thereabouts."""
    return (
        2 * (outcome.slides + abs(outcome.left - outcome.right))
        + abs(outcome.haste - outcome.slow)
        + 3 * outcome.damage
        + outcome.clp
        + 0.5 * outcome.stamina
    )


@lru_cache(maxsize=65536)
def calmest(counts: Counts, most: int, reading: Reading) -> Counts:
    """The best-choice discard: of all ways to take up to `most` dice away, the least harm.

    Of equal ones the one with the fewest dice.
    """
    _, _, away = _least_harm(counts, min(most, summed(counts)), reading)
    return tuple([count - away.count(icon) for icon, count in enumerate(counts)])


@lru_cache(maxsize=1 << 17)
def _least_harm(counts: Counts, most: int, reading: Reading) -> tuple[float, int, tuple[int, ...]]:
    """The harm, the number of dice taken away and their icons: die by die, since what is best
    after the first die is best of what is then left."""
    best: tuple[float, int, tuple[int, ...]] = harm(read(counts, reading)), 0, ()
    if not most:
        return best
    for icon, count in enumerate(counts):
        if count:
            rest = (*counts[:icon], count - 1, *counts[icon + 1 :])
            harmed, number, away = _least_harm(rest, most - 1, reading)
            best = min(best, (harmed, number + 1, tuple(sorted((icon, *away)))))
    return best


def wildest(counts: Counts, most: int, reading: Reading) -> Counts:
    """The best-choice re-roll: the dice that one would rather do without, if any takes effect."""
    stay = calmest(counts, most, reading)
    return tuple(count - kept for count, kept in zip(counts, stay, strict=True))


def counted(icons: tuple[int, ...]) -> Counts:
    """How often each icon was rolled."""
    return tuple([icons.count(icon) for icon in range(6)])


class Demand(NamedTuple):
    """What a control roll comes to before the dice fall."""

    dice: int
    discards: int
    rerolls: int
    reading: Reading


def demand(
    state: State, options: Options, played: Played = NOTHING, *, forced: bool = False
) -> Demand | None:
    """The roll that a turn takes here, or None where it takes none: at a safe speed.

    forced: an attack or collision makes it; at a safe speed it then has the CLP dice only.
    """
    base = state.condition.control[state.speed]
    if base:
        base += state.condition.control_dice
    elif not forced:
        return None
    mods, extra = state.modifiers, played.boost
    state = cleared(state, played)
    more = mods.control_discards + extra.discards
    per_card = 2 if options.free_discards else 1
    return Demand(
        dice=base + state.clp + played.cards + more,
        discards=played.cards * per_card + more,
        rerolls=mods.control_rerolls + extra.rerolls,
        reading=Reading(options.stamina, options.soft_damage, _as_read(extra)),
    )


def _as_read(extra: Boost) -> int:
    """Yah! and Brake at once take each other away."""
    if bool(extra.slow_as_haste) == bool(extra.haste_as_slow):
        return AS_ROLLED
    return SLOW_AS_HASTE if extra.slow_as_haste else HASTE_AS_SLOW


def roll(
    asked: Demand, dice: Dice, discard: Discard = calmest, reroll: Reroll = wildest
) -> Outcome:
    """Roll, roll again, discard, and read what is left. ValueError for a choice not allowed."""
    counts = counted(dice.roll(asked.dice))
    if asked.rerolls:
        again = reroll(counts, asked.rerolls, asked.reading)
        _within(again, counts, asked.rerolls)
        new = counted(dice.roll(summed(again)))
        counts = tuple([c - a + n for c, a, n in zip(counts, again, new, strict=True)])
    if asked.discards:
        stay = discard(counts, asked.discards, asked.reading)
        _within(stay, counts, len(counts) + summed(counts))
        if summed(counts) - summed(stay) > asked.discards:
            raise ValueError(f"at most {asked.discards} dice may be discarded")
        counts = stay
    return read(counts, asked.reading)


def _within(part: Counts, counts: Counts, most: int) -> None:
    """ValueError unless the part is some of the dice, at most so many."""
    if summed(part) > most or any(p < 0 or p > c for p, c in zip(part, counts, strict=True)):
        raise ValueError(f"{part} is no choice of up to {most} of the dice {counts}")


class Swing(NamedTuple):
    """Where control was lost to: hexes in the old direction, then 30° turns, left positive."""

    slides: int = 0
    spin: int = 0


def swing(state: State, outcome: Outcome) -> Swing:
    """The slide and spin of an outcome; up to the traits' numbers icons do more."""
    slippery, spinner = state.modifiers.slides, state.modifiers.spins
    left = outcome.left + min(outcome.left, spinner)
    right = outcome.right + min(outcome.right, spinner)
    return Swing(outcome.slides + min(outcome.slides, slippery), left - right)


def resolve(
    state: State,
    outcome: Outcome,
    dice: Dice,
    options: Options,
    extra: Boost = NO_BOOST,
    lose: LoseCard = expendable,
) -> tuple[State, Hit]:
    """What an outcome does to the vehicle itself: CLP and stamina, boxes, the damage roll.

    `swing` says where it goes. Damage of a control roll asks for no other roll. extra: specials
    played for the damage roll.
    """
    state = state.unsteadied(outcome.clp)
    if outcome.stamina:
        state = state.tired(outcome.stamina)
    if outcome.haste:
        state = state.moved(outcome.haste)
    if outcome.slow:
        state = state.moved(-outcome.slow)
    hit = Hit()
    if outcome.damage and not options.soft_damage:
        state, hit = damage.roll(state, outcome.damage, Source.CONTROL, dice, extra, lose)
    return state.settled(), hit


def cleared(state: State, played: Played) -> State:
    """Cool: all CLP go, even just before the roll that `demand` then asks for."""
    return state._replace(clp=state.vehicle.control_minimum) if played.boost.clears else state


def odds(
    asked: Demand, discard: Discard = calmest, reroll: Reroll = wildest
) -> dict[Outcome, float]:
    """Every outcome of `control.roll` with the same choices, by enumeration of all rolls.

    The work grows as the rolls' number, C(dice + 5, 5): 3,003 for ten dice.
    """

    def outcomes() -> Iterator[tuple[Outcome, float]]:
        for counts, part in _rolls(asked, reroll):
            stay = discard(counts, asked.discards, asked.reading) if asked.discards else counts
            yield read(stay, asked.reading), part

    return gathered(outcomes())


def _rolls(asked: Demand, reroll: Reroll) -> Iterator[tuple[Counts, float]]:
    """Every roll after the re-rolls."""
    if not asked.rerolls:
        yield from icon_rolls(asked.dice)
        return
    rolls: dict[Counts, float] = {}
    for counts, part in icon_rolls(asked.dice):
        again = reroll(counts, asked.rerolls, asked.reading)
        for new, more in icon_rolls(summed(again)):
            after = tuple([c - a + n for c, a, n in zip(counts, again, new, strict=True)])
            rolls[after] = rolls.get(after, 0.0) + part * more
    yield from rolls.items()


def hold(asked: Demand | None) -> float:
    """The probability that a turn goes as meant; certain where no roll is asked for."""
    if asked is None:
        return 1.0
    return chance(odds(asked), lambda outcome: not outcome.failed)


def expected_loss(outcomes: Mapping[Outcome, float]) -> dict[str, float]:
    """The mean of each part of an outcome, by its name in `Outcome`."""
    return {
        name: expected(outcomes, itemgetter(place)) for place, name in enumerate(Outcome._fields)
    }
