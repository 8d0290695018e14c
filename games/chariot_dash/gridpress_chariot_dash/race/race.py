"""A race round by round: vehicles with drivers, an arena and dice in, how it ends out.

The order of things: all speed checks, then four phases in which each vehicle moves in turn (the
faster first, then who is ahead, then who is further inside), then wrecks roll on, then the end of
the round. A vehicle that has crossed the finish line often enough leaves the track; the race ends
when nobody races any more, or after a number of rounds.

Decisions where the facts leave open:
- who crosses the line first wins, also within a round; those who never do come after them, by how
  far they came; wiped-out ones come last, the later wiped out the better;
- speed checks come in the order of the grid (they do not touch each other);
- the rival of the trait Rival is the one with the best other place on the grid.

What a round does by itself: the order where the facts leave it open. Start: swaps are new. Before
the phases: Whoah!, Emergency Stop and Cool. End: stamina and its effects, damage and CLP of each
round, CLP that Reactions remove, then Recovery to the hand and Spent to Recovery.

The facts let the trait Stamina take cards from Spent as a round starts, when nothing is left there:
all of it has just moved to Recovery. So it takes them as the round turns, before the rest moves on;
those that were played first.
"""

from __future__ import annotations

from gridpress_chariot_dash.cards import Moment
from gridpress_chariot_dash.control import cleared, demand
from gridpress_chariot_dash.damage import LoseCard, stamina_at_end, take
from gridpress_chariot_dash.dice import Dice
from gridpress_chariot_dash.movement import PHASES, order
from gridpress_chariot_dash.race import phases
from gridpress_chariot_dash.race.driver import Race, Racer
from gridpress_chariot_dash.speed_check import Standing, check
from gridpress_chariot_dash.state import Options, Played, State, expendable, recover


def run(race: Race) -> None:
    """Race until it is over."""
    while race.round < race.limit and any(racer.racing for racer in race.racers):
        play_round(race)


def play_round(race: Race) -> None:
    """One round."""
    race.round += 1
    racing = [racer for racer in race.racers if racer.racing]
    _take_standings(race, racing)
    for racer in racing:
        if racer.racing:  # an Emergency Stop may have slid into it
            _speed_check(race, racer)
    for phase in range(PHASES):
        for racer in _in_order(race, racing):
            if racer.racing:
                phases.drive(race, racer, phase)
    for racer in race.racers:
        if racer.wrecked and not racer.parked:
            phases.roll_on(race, racer)
    for racer in racing:
        if racer.racing:
            _end_round(race, racer)


def _take_standings(race: Race, racing: list[Racer]) -> None:
    """Who leads and who trails by how much, for the speed checks."""
    if len(racing) < 2:
        for racer in racing:
            racer.standing = Standing()
        return
    places = sorted(racing, key=lambda racer: -racer.progress)
    for racer in racing:
        rival = race.racers[1 if racer.number == 0 else 0]
        racer.standing = Standing(0, 0, rival.progress > racer.progress)
    lead = int(places[0].progress - places[1].progress)
    trail = int(places[-2].progress - places[-1].progress)
    places[0].standing = places[0].standing._replace(leads_by=lead)
    places[-1].standing = places[-1].standing._replace(trails_by=trail)


def _in_order(race: Race, racing: list[Racer]) -> list[Racer]:
    if len(racing) < 2:
        return racing
    inside = race.arena.inside
    keys = [(r.state.speed, r.progress, float(inside[r.pose.hex])) for r in racing]
    return [racing[place] for place in order(keys)]


def _speed_check(race: Race, racer: Racer) -> None:
    """Start of the round, speed check, and what is played between it and the phases."""
    if racer.state.swaps:
        racer.state = start_of_round(racer.state)
    choice = racer.driver.speed(race, racer)
    played = racer.play(choice.plays, Moment.SPEED)
    racer.state, _ = check(
        racer.state, choice.plan, race.dice, race.options, played, racer.standing
    )
    plays = racer.driver.special(race, racer, Moment.BEFORE_MOVE, 0)
    if plays:
        played = racer.play(plays, Moment.BEFORE_MOVE)
        racer.state, rolls = before_move(racer.state, played, played.boost.brakes)
        if rolls and demand(racer.state, race.options, forced=True):
            phases.control_roll(race, racer, 0, forced=True)


def _end_round(race: Race, racer: Racer) -> None:
    state = racer.state
    losing = -state.vehicle.stamina[state.speed] if race.options.stamina else 0
    plays = racer.driver.special(race, racer, Moment.STAMINA, losing)
    played = racer.play(plays, Moment.STAMINA) if plays else None
    racer.state = end_of_round(racer.state, race.options, race.dice, played)
    if racer.state.condition.wiped_out:
        phases.wreck(race, racer)


def start_of_round(state: State) -> State:
    """The swaps of Adaptive start anew."""
    return state._replace(swaps=0)


def before_move(state: State, played: Played, brakes: int = 0) -> tuple[State, bool]:
    """Specials played between the speed check and the phases; whether a control roll follows.

    brakes: boxes to decelerate by Whoah!, ValueError for more than the card allows. Emergency Stop
    halves the rating, rounded down, and takes a control roll.
    """
    if not 0 <= brakes <= played.boost.brakes:
        raise ValueError(f"up to {played.boost.brakes} boxes, not {brakes}")
    state = cleared(state, played).moved(-brakes)
    if not played.boost.halves:
        return state, False
    return state.rated(state.speed // 2), True


def end_of_round(
    state: State,
    options: Options,
    dice: Dice,
    played: Played | None = None,
    lose: LoseCard = expendable,
) -> State:
    """Everything at the end of a round. played: Determination, if it was."""
    condition = state.condition
    rests = bool(played and played.boost.rests)
    state = stamina_at_end(state, options, rests=rests)
    if condition.damage_each_round:
        state = take(state, condition.damage_each_round, dice, lose)
    state = state.unsteadied(condition.clp_each_round).unsteadied(-state.modifiers.calms)
    state = recover(state, state.piles.spent[: state.modifiers.recovers])
    return state._replace(piles=state.piles.recovered())
