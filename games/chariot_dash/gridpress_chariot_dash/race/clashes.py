"""A racer and what it runs into or attacks in, what both suffer carried out in the race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.sums import summed
from gridpress_chariot_dash import attack, collision
from gridpress_chariot_dash.cards import Moment
from gridpress_chariot_dash.collision import Impact
from gridpress_chariot_dash.damage import Hit
from gridpress_chariot_dash.movement import DIRECTIONS, FRONT, Hex, Pose, beside, neighbour
from gridpress_chariot_dash.race import phases
from gridpress_chariot_dash.race.arena import HAZARD, SOLID, Item
from gridpress_chariot_dash.race.driver import Strike
from gridpress_chariot_dash.race.ways import set_aside
from gridpress_chariot_dash.reach import Target, may_attack
from gridpress_chariot_dash.specials import NO_BOOST, Boost

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.meet import Race
    from gridpress_chariot_dash.race.racer import Racer


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
    hit = _suffer(race, racer, collision.solid(racer.state.speed, rating))
    if slides_left:
        _suffer(race, racer, collision.slide_again(slides_left, racer.state), again=True)
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
    how = collision.meeting(direction, other.pose.facing)
    impacts = collision.between(how, racer.state.speed, other.state.speed)
    pair = ((racer, other, impacts[0]), (other, racer, impacts[1]))
    rams = [phases.special(race, one, Moment.COLLISION, impact.dice) for one, _, impact in pair]
    hits = [
        _suffer(race, one, impact, against=against, rammed=rams[1 - place])
        for place, (one, against, impact) in enumerate(pair)
    ]
    if slides_left:
        for one, against, _ in pair:
            impact = collision.slide_again(slides_left, one.state)
            _suffer(race, one, impact, against=against, again=True)
    for (one, _, _), hit in zip(pair, hits, strict=True):
        _afterwards(race, one, hit)


def cross(race: Race, racer: Racer, item: Item) -> None:
    """The vehicle is in the hex of a hazard or a fragile obstacle, which is then broken."""
    if not collision.touches(racer.state, low=True):
        return
    speed = racer.state.speed
    if item.kind == HAZARD:
        impact = collision.hazard(speed, summed(item.ratings))
    else:
        impact = collision.fragile(speed, item.ratings)
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
    extra = phases.braced(race, racer, impact.dice) if impact.dice else NO_BOOST
    racer.state, hit = collision.suffer(
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
        phases.wreck(race, racer)
    elif hit.control_roll and not racer.finished:
        phases.control_roll(race, racer, 0, forced=True)


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
    sides = attack.sides(on, racer.state, other.state, struck, parried)
    clash = attack.fight(on, *sides, race.dice)
    racer.attacks += 1
    racer.state, _ = attack.aftermath(racer.state, struck, race.dice)
    hits = []
    for one, loss in ((racer, clash.attacker), (other, clash.defender)):
        extra = phases.braced(race, one, loss.damage_dice) if loss.damage_dice else NO_BOOST
        one.state, hit = attack.suffer(one.state, loss, race.dice, extra)
        hits.append((one, hit))
    for one, hit in hits:
        _afterwards(race, one, hit)
