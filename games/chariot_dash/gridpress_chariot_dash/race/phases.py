"""One phase played out: steps, turn, control roll, line, collisions and attacks.

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

from generator.units import summed
from gridpress_chariot_dash import control
from gridpress_chariot_dash.cards import NO_BOOST, Boost, Moment
from gridpress_chariot_dash.contact import (
    Impact,
    aftermath,
    between,
    fight,
    fragile,
    hazard,
    meeting,
    sides,
    slide_again,
    solid,
    suffer_impact,
    suffer_loss,
    touches,
)
from gridpress_chariot_dash.damage import Hit, wreck_round
from gridpress_chariot_dash.movement import (
    DIRECTIONS,
    FRONT,
    Hex,
    Pose,
    Step,
    Target,
    ahead,
    beside,
    may_attack,
    neighbour,
    phase_ended,
    turned,
)
from gridpress_chariot_dash.race.arena import FRAGILE, HAZARD, SOLID, Item, Way, set_aside
from gridpress_chariot_dash.race.driver import Race, Racer, Strike


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
        attacks(race, racer)


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
        if run_into(race, racer, step.pose):
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
            cross(race, racer, race.items[step.pose.hex])
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
        if run_into(race, racer, target, slides_left=hexes - done - 1):
            return
        place(race, racer, target)
        if not racer.racing:
            return
        if target.hex in race.items:
            cross(race, racer, race.items[target.hex])
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


def run_into(race: Race, racer: Racer, pose: Pose, slides_left: int = 0) -> bool:
    """Whether something is in the way to that pose; if so, the collision is carried out.

    slides_left: hexes of a slide that would go on; they hit the same thing once more.
    """
    target = pose.hex
    other = race.occupied.get(target)
    if other is None:
        item = race.items.get(target)
        if target in race.arena.along and (item is None or item.kind != SOLID):
            return False
        _solid(race, racer, summed(item.ratings) if item else 0, slides_left)
    elif other is racer:
        return False
    elif other.parked:
        _solid(race, racer, 0, slides_left)
    else:
        _vehicles(race, racer, other, target, slides_left)
    return True


def _solid(race: Race, racer: Racer, rating: int, slides_left: int) -> None:
    """A wall, an obstacle or a wreck at rest: the vehicle stays before it and is faced aside."""
    racer.collisions += 1
    hit = _suffer(race, racer, solid(racer.state.speed, rating))
    if slides_left:
        _suffer(race, racer, slide_again(slides_left, racer.state), again=True)
    racer.pose, stops = set_aside(race.arena, racer.pose, lambda at: is_blocked(race, at))
    if stops:
        racer.state = racer.state.rated(0).settled()
    _afterwards(race, racer, hit)


def is_blocked(race: Race, at: Hex) -> bool:
    """Whether a hex cannot be entered: wall, obstacle, or somebody in it."""
    item = race.items.get(at)
    solid = item is not None and item.kind == SOLID
    return at not in race.arena.along or at in race.occupied or solid


def _vehicles(race: Race, racer: Racer, other: Racer, target: Hex, slides_left: int) -> None:
    """One vehicle runs into another; the collider ends up in the hex before it."""
    racer.collisions += 1
    step = (target[0] - racer.pose.hex[0], target[1] - racer.pose.hex[1])
    # after a jump the last hex over is the one that it comes from
    direction = DIRECTIONS.index(step) if step in DIRECTIONS else FRONT[racer.pose.facing][0]
    how = meeting(direction, other.pose.facing)
    impacts = between(how, racer.state.speed, other.state.speed)
    pair = ((racer, other, impacts[0]), (other, racer, impacts[1]))
    rams = [special(race, one, Moment.COLLISION, impact.dice) for one, _, impact in pair]
    hits = [
        _suffer(race, one, impact, against=against, rammed=rams[1 - place])
        for place, (one, against, impact) in enumerate(pair)
    ]
    if slides_left:
        for one, against, _ in pair:
            impact = slide_again(slides_left, one.state)
            _suffer(race, one, impact, against=against, again=True)
    for (one, _, _), hit in zip(pair, hits, strict=True):
        _afterwards(race, one, hit)


def cross(race: Race, racer: Racer, item: Item) -> None:
    """The vehicle is in the hex of a hazard or a fragile obstacle, which is then broken."""
    if not touches(racer.state, low=True):
        return
    speed = racer.state.speed
    if item.kind == HAZARD:
        impact = hazard(speed, summed(item.ratings))
    else:
        impact = fragile(speed, item.ratings)
        del race.items[racer.pose.hex]
    _afterwards(race, racer, _suffer(race, racer, impact))


def _suffer(
    race: Race,
    racer: Racer,
    impact: Impact,
    against: Racer | None = None,
    rammed: Boost = NO_BOOST,
    *,
    again: bool = False,
) -> Hit:
    extra = braced(race, racer, impact.dice) if impact.dice else NO_BOOST
    racer.state, hit = suffer_impact(
        racer.state,
        impact,
        race.dice,
        race.options,
        other=against.state if against else None,
        extra=extra,
        others_extra=rammed,
        again=again,
    )
    return hit


def _afterwards(race: Race, racer: Racer, hit: Hit) -> None:
    """The control roll that damage asks for, or the end of the vehicle."""
    if racer.state.condition.wiped_out:
        wreck(race, racer)
    elif hit.control_roll and not racer.finished:
        control_roll(race, racer, 0, forced=True)


def attacks(race: Race, mover: Racer) -> None:
    """After a vehicle has moved it may attack, and who lies in ambush may attack it."""
    if not race.options.attacks_allowed(race.round):
        return
    targets = in_reach(race, mover)
    strike = mover.driver.attack(race, mover, targets) if targets else None
    if strike:
        carry_out(race, mover, strike)
    for other in race.racers:
        if other is not mover and other.racing and other.state.modifiers.ambushes:
            if mover not in in_reach(race, other):
                continue
            strike = other.driver.attack(race, other, (mover,), (Target.DRIVER,))
            if strike:
                carry_out(race, other, strike, own_move=False)


def in_reach(race: Race, racer: Racer) -> tuple[Racer, ...]:
    """Whom this vehicle may attack from where it stands."""
    near = beside(racer.pose)
    if racer.state.modifiers.attacks_ahead:
        near += tuple(neighbour(racer.pose.hex, way) for way in FRONT[racer.pose.facing])
    found = (race.occupied.get(at) for at in near)
    return tuple(other for other in found if other is not None and other.racing)


def carry_out(race: Race, racer: Racer, strike: Strike, *, own_move: bool = True) -> None:
    """An attack: both sides' cards, the fight, and what each suffers. ValueError if not allowed."""
    other, on = strike.target, strike.on
    if not may_attack(
        racer.state,
        racer.pose,
        other.pose.hex,
        on,
        race.options,
        race.round,
        racer.moved,
        own_move=own_move,
    ):
        raise ValueError("this attack is not allowed now")
    personal = on is Target.DRIVER
    moment = Moment.PERSONAL_ATTACK if personal else Moment.VEHICLE_ATTACK
    defending = Moment.PERSONAL_DEFENCE if personal else Moment.VEHICLE_DEFENCE
    answer = other.driver.defend(race, other, racer, on)
    struck = racer.play(strike.plays, moment)
    parried = other.play(answer, defending)
    both = sides(on, racer.state, other.state, struck, parried)
    clash = fight(on, *both, race.dice)
    racer.attacks += 1
    racer.state, _ = aftermath(racer.state, struck, race.dice)
    hits = []
    for one, loss in ((racer, clash.attacker), (other, clash.defender)):
        extra = braced(race, one, loss.damage_dice) if loss.damage_dice else NO_BOOST
        one.state, hit = suffer_loss(one.state, loss, race.dice, extra)
        hits.append((one, hit))
    for one, hit in hits:
        _afterwards(race, one, hit)
