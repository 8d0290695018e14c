"""A race and a racer in, one phase of its movement played out: steps, turn, control roll, line.

Decisions where the facts leave open:
- a vehicle that runs into something ends its phase there, without a turn;
- it faces aside only before what stands for good (a wall, an obstacle, a wreck at rest): another
  vehicle will move on;
- control that is lost in the middle of a phase (a hazard, debris) takes effect at once, and the
  hexes that are left are then driven from there;
- a turn that was meant for the end of a phase is given up if control is lost on its last hex;
- whoever is faced aside by what a slide ran into does not turn any more;
- a slide ends where a hazard or debris on it makes the vehicle slide or spin anew;
- of a slide, haste and damage in one roll, haste and damage come first;
- a wreck rolls over hazards, and leaves no debris on them;
- a card special for a control roll or damage is chosen before the dice fall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.sums import summed
from gridpress_chariot_dash import control
from gridpress_chariot_dash.cards import Moment
from gridpress_chariot_dash.damage import wreck_round
from gridpress_chariot_dash.movement import Pose, Step, ahead, phase_ended, turned
from gridpress_chariot_dash.race import clashes
from gridpress_chariot_dash.race.arena import FRAGILE, SOLID, Item
from gridpress_chariot_dash.specials import NO_BOOST, Boost

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.meet import Race
    from gridpress_chariot_dash.race.racer import Racer
    from gridpress_chariot_dash.race.ways import Way


def drive(race: Race, racer: Racer, phase: int) -> None:
    """One vehicle moves in a phase, and may then attack."""
    racer.moved, racer.drifted, racer.jumped = 0, False, False
    state = racer.state
    if not state.speed or not (state.vehicle.moves[state.speed][phase] or state.piles.hand):
        return
    left: int | None = None
    while True:
        choice = racer.driver.phase(race, racer, phase, left)
        if choice.plays and left is None:
            racer.play(choice.plays, Moment.MOVE)
        way = choice.way
        if way is None:
            break
        cost = summed([step.cost for step in way.steps])
        if way.open and _is_free(race, way):
            place(race, racer, way.steps[-1].pose, way.gain)
            racer.moved += cost
            racer.drifted = racer.drifted or way.drift >= 0
            going, left = True, 0
        else:
            before = racer.moved
            going = step_by_step(race, racer, way.steps)
            left = cost - (racer.moved - before)
        if not going or not racer.racing:
            break
        if left and left > 0:
            continue
        turn = choice.turn if racer.pose == way.steps[-1].pose else 0
        if turn:
            control_roll(race, racer, turn)
        else:
            racer.state = phase_ended(racer.state, racer.moved, racer.drifted, 0)
        break
    racer.spaces += racer.moved
    if racer.racing and racer.moved and len(race.racers) > 1:
        clashes.attacks(race, racer)


def _is_free(race: Race, way: Way) -> bool:
    """Whether nobody and nothing lies on a way now."""
    hexes = way.hexes
    return race.occupied.keys().isdisjoint(hexes) and race.items.keys().isdisjoint(hexes)


def place(race: Race, racer: Racer, pose: Pose, gain: float | None = None) -> None:
    """Put a vehicle where it now is, and see whether it has crossed the line for the last time."""
    at = racer.pose.hex
    racer.progress += race.arena.apart(at, pose.hex) if gain is None else gain
    racer.pose = pose
    if pose.hex != at:
        del race.occupied[at]
        race.occupied[pose.hex] = racer
    if racer.progress >= race.goal and racer.racing:
        racer.finished = race.round
        race.crossed.append(racer)
        del race.occupied[pose.hex]


def step_by_step(race: Race, racer: Racer, steps: tuple[Step, ...]) -> bool:
    """Go until something happens. False when the phase is over: a collision, or the finish."""
    for step in steps:
        if clashes.run_into(race, racer, step.pose):
            return False
        racer.state = racer.state.unsteadied(step.clp)
        place(race, racer, step.pose)
        racer.moved += step.cost
        racer.drifted = racer.drifted or step.drift
        racer.jumped = racer.jumped or bool(step.over)
        if not racer.racing:
            return False
        if step.pose.hex in race.items:
            pose = racer.pose
            clashes.cross(race, racer, race.items[step.pose.hex])
            if not racer.racing:
                return False
            if racer.pose != pose or not racer.state.speed:
                return bool(racer.state.speed)
    return True


def control_roll(race: Race, racer: Racer, turn: int, *, forced: bool = False) -> bool:
    """A control roll if one is due, and the turn; whether control was lost."""
    options = race.options
    if control.demand(racer.state, options, forced=forced) is None:
        racer.pose = turned(racer.pose, turn)
        return False
    plays = racer.driver.control(race, racer, forced=forced)
    played = racer.play(plays, Moment.CONTROL)
    asked = control.demand(racer.state, options, played, forced=forced)
    assert asked is not None, "cards do not make a control roll unnecessary"
    state = control.cleared(racer.state, played)
    outcome = control.roll(asked, race.dice)
    racer.rolls += 1
    slides, spin = control.swing(state, outcome)
    if slides or spin or outcome.damage:
        racer.lost.append(racer.pose.hex)
    extra = braced(race, racer, outcome.damage) if outcome.damage else NO_BOOST
    if extra is not NO_BOOST:
        state = state._replace(piles=racer.state.piles)
    racer.state, _ = control.resolve(state, outcome, race.dice, options, extra)
    facing = racer.pose.facing
    if slides:
        slide(race, racer, slides)
    if not racer.finished:
        if racer.pose.facing == facing:
            racer.pose = turned(racer.pose, turn + spin)
        if racer.state.condition.wiped_out:
            wreck(race, racer)
    return outcome.failed


def slide(race: Race, racer: Racer, hexes: int) -> None:
    """Hexes in the old direction. What stops a slide is hit once more by the rest of it."""
    for done in range(hexes):
        target = ahead(racer.pose)[0]
        if clashes.run_into(race, racer, target, slides_left=hexes - done - 1):
            return
        place(race, racer, target)
        if not racer.racing:
            return
        if target.hex in race.items:
            clashes.cross(race, racer, race.items[target.hex])
            if not racer.racing or racer.pose != target:
                return


def braced(race: Race, racer: Racer, dice: int) -> Boost:
    """Specials played for a damage roll of so many dice."""
    return special(race, racer, Moment.DAMAGE, dice)


def special(race: Race, racer: Racer, moment: Moment, stake: int) -> Boost:
    """Specials played at a moment; a wreck plays none."""
    if racer.state.condition.wiped_out:
        return NO_BOOST
    plays = racer.driver.special(race, racer, moment, stake)
    return racer.play(plays, moment).boost if plays else NO_BOOST


def wreck(race: Race, racer: Racer) -> None:
    """A vehicle is wiped out: note the round; at speed 0 it is an obstacle at once."""
    if not racer.wrecked:
        racer.wrecked = race.round
        racer.parked = racer.state.speed == 0


def roll_on(race: Race, racer: Racer) -> None:
    """A wreck rolls on by a hex and leaves debris; what is in its way stops it."""
    state, hexes, debris = wreck_round(racer.state)
    racer.state = state
    target = ahead(racer.pose)[0]
    at = racer.pose.hex
    way_free = target.hex in race.arena.along and target.hex not in race.occupied
    item = race.items.get(target.hex)
    if hexes and way_free and (item is None or item.kind != SOLID):
        del race.occupied[at]
        racer.progress += race.arena.apart(at, target.hex)
        racer.pose = target
        race.occupied[target.hex] = racer
        lying = race.items.get(at)
        if lying is None or lying.kind == FRAGILE:
            ratings = lying.ratings if lying else ()
            race.items[at] = Item(FRAGILE, (*ratings, *(0,) * debris))
    elif hexes:
        racer.state = racer.state.rated(0)
    racer.parked = racer.state.speed == 0
