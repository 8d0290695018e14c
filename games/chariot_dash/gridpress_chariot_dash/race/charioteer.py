"""The driver that comes with the game: a race and a racer in, cards and ways out.

How he decides. Everything is weighed in cells of progress, with the worth of a pose at a speed from
his vehicle's `Outlook` (two rounds ahead) and the prices of `Prices`:

1. **Speed.** For no card and for each pair of types of up to two cards, in both directions, he
   works out the exact odds of the check, keeps in each roll the two dice that lead to the speed
   worth most from where he stands, and takes the plan whose mean, less the price of the cards, is
   the highest. A speed that is not safe is worth less by the CLP that he has, and by what it tires.
2. **Way.** In each phase he takes the way and the turn of the highest sum: cells gained, less the
   price of the control roll with the dice that he would roll now, plus the worth of where it leads.
   He does the same for one hex more (a Whip) and one fewer (Reins), each at the price of a card.
   A way through others or debris pays for the collision, unless a drift elsewhere or a jump
   avoids it.
3. **Control roll.** He plays as many cards, up to two, as lower the expected loss by more than
   they cost; and the special Control if the loss is large.
4. **Attack.** With cards to spare, if what the rival is expected to lose, times his spite, is more
   than what he risks himself and the cards. He defends with a card when he has three.
5. **Special cards** are played when what is at stake reaches the values of `STAKES`.
6. A card is dear when few are left: its price is divided by a third of the hand.
7. When at most a third of his damage track is left, damage counts double (`WEAK`, `CAUTION`); and
   before the last level almost as much as being wiped out (`LAST`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from generator.units import summed
from gridpress_chariot_dash.cards import Moment, Play
from gridpress_chariot_dash.contact import Side, odds, sides
from gridpress_chariot_dash.control import demand
from gridpress_chariot_dash.dice import Die
from gridpress_chariot_dash.movement import PHASES, Target
from gridpress_chariot_dash.race.arena import Arena
from gridpress_chariot_dash.race.driver import Drive, SpeedChoice, Strike
from gridpress_chariot_dash.race.outlook import Outlook, Prices
from gridpress_chariot_dash.race.steering import (
    any_cards,
    pick_cards,
    special_card,
    steer,
    throttle,
)
from gridpress_chariot_dash.state import Options, Played
from gridpress_chariot_dash.vehicle import Vehicle

if TYPE_CHECKING:
    from gridpress_chariot_dash.race.driver import Race, Racer

WEAK: Final = 3
CAUTION: Final = 2.0
LAST: Final = 0.75
"""What the last point of damage but one costs, as a part of being wiped out."""
SPITE: Final = 0.5
"""What a rival's loss is worth to a driver, as a part of what his own would cost; it is divided by
the number of rivals, since the others gain as much by it."""
STAKES: Final = {"survivor": 3, "lucky": 4, "determination": 2, "cool": 3, "ramming-speed": 2}
"""From what on a special is played: dice of damage, stamina about to go, CLP, dice of a hit."""


class Charioteer:
    """Drives any vehicle on one arena. Keeps charts only, so equal questions get equal answers."""

    def __init__(
        self, arena: Arena, options: Options, die: Die | None = None, prices: Prices | None = None
    ) -> None:
        self.arena, self.options = arena, options
        self.die = die or Die()
        self.prices = prices or Prices()
        self._outlooks: dict[tuple[Vehicle, int], Outlook] = {}

    def outlook(self, me: Racer) -> Outlook:
        """The outlook of a vehicle as it is now: whole, weak, or one point from being wiped out."""
        vehicle = me.state.vehicle
        left = vehicle.damage_levels - me.state.level
        level = 0 if left * WEAK > vehicle.damage_levels else min(left, 2)
        found = self._outlooks.get((vehicle, level))
        if found is None:
            share = 1 / vehicle.damage_levels
            point = (share, max(LAST, share), CAUTION * share)[level]
            found = Outlook(vehicle, self.arena, self.options, self.die, self.prices, point)
            self._outlooks[vehicle, level] = found
        return found

    def speed(self, race: Race, me: Racer) -> SpeedChoice:
        """The plan whose expected worth is the highest."""
        return throttle(self.outlook(me), race, me)

    def phase(self, race: Race, me: Racer, phase: int, left: int | None) -> Drive:
        """The way and the turn of the highest worth."""
        return steer(self.outlook(me), race, me, min(phase, PHASES - 1), left)

    def control(self, race: Race, me: Racer, *, forced: bool) -> tuple[Play, ...]:
        """As many cards as lower the expected loss by more than they cost."""
        asked = demand(me.state, race.options, forced=forced)
        hand = len(me.state.piles.hand)
        if asked is None or not hand or not asked.dice:
            return ()
        outlook = self.outlook(me)
        best, fewest = outlook.cards_for(me.state.speed, asked, min(2, hand), hand)
        special = special_card(me.state, "control") if best > 2 * self.prices.card * 3 else ()
        return special or any_cards(me.state, fewest)

    def attack(
        self,
        race: Race,
        me: Racer,
        targets: tuple[Racer, ...],
        on: tuple[Target, ...] = tuple(Target),
    ) -> Strike | None:
        """The attack that is expected to hurt most, if it is worth its cards."""
        hand = len(me.state.piles.hand)
        if hand < 2:
            return None
        own = self.outlook(me)
        best: Strike | None = None
        gain = 0.0
        spite = SPITE / max(1, summed(racer.racing for racer in race.racers) - 1)
        for target in targets:
            for at in on:
                for cards in (1, 2):
                    personal = at is Target.DRIVER
                    plays = pick_cards(me.state, *((cards, 0) if personal else (0, cards)))
                    if plays is None or hand - cards < 1:
                        continue
                    attacking = Played(cards, 0) if personal else Played(0, cards)
                    both = sides(at, me.state, target.state, attacking)
                    mine, his = _losses(at, *both, self.die)
                    weights = [
                        self.prices.point * 3 if personal else self.outlook(one).per_die
                        for one in (me, target)
                    ]
                    price = cards * own.card_price(hand)
                    value = spite * his * weights[1] - mine * weights[0] - price
                    if value > gain:
                        best, gain = Strike(target, at, plays), value
        return best

    def defend(self, race: Race, me: Racer, attacker: Racer, on: Target) -> tuple[Play, ...]:
        """A card, if there are three; a special that is made for it before any other."""
        for name in ("shield", "swerve"):
            special = special_card(me.state, name)
            if special:
                return special
        hand = len(me.state.piles.hand)
        return any_cards(me.state, 1) if hand >= 3 else ()

    def special(self, race: Race, me: Racer, moment: Moment, stake: int) -> tuple[Play, ...]:
        """Specials from a certain stake on."""
        if not self.outlook(me).specials:
            return ()
        state = me.state
        if moment is Moment.BEFORE_MOVE:
            return self._before_move(me)
        if moment is Moment.DAMAGE:
            names: tuple[str, ...] = ("survivor", "lucky")
        elif moment is Moment.STAMINA:
            names = ("determination",)
        else:
            names = ("ramming-speed",)
        for name in names:
            if stake >= STAKES[name]:
                plays = special_card(state, name)
                if plays:
                    return plays
        return ()

    def _before_move(self, me: Racer) -> tuple[Play, ...]:
        """Cool with many CLP; Emergency Stop where half the speed is worth much more."""
        state = me.state
        if state.clp >= STAKES["cool"]:
            plays = special_card(state, "cool")
            if plays:
                return plays
        outlook, node = self.outlook(me), self.arena.node(me.pose)
        burden = outlook.burden(state)
        now = outlook.worth(node, state.speed, burden=burden)
        for name in ("whoah", "emergency-stop"):
            plays = special_card(state, name)
            if not plays:
                continue
            slower, price = state.speed // 2, outlook.turn[burden][state.speed // 2]
            if name == "whoah":  # all of its boxes are taken, and no roll
                boxes = state.vehicle.cards[plays[0].card].number
                slower, price = state.moved(-boxes).speed, 0.0
            if slower >= state.speed:
                continue
            gain = outlook.worth(node, slower, burden=burden) - now - price
            if gain > 2 * self.prices.card:
                return plays
        return ()


@lru_cache(maxsize=4096)
def _losses(on: Target, attacker: Side, defender: Side, die: Die) -> tuple[float, float]:
    """Dice of damage, or CLP, that the attacker and the defender are expected to take."""
    mine = his = 0.0
    for clash, part in odds(on, attacker, defender, die).items():
        mine += part * (clash.attacker.damage_dice + clash.attacker.clp)
        his += part * (clash.defender.damage_dice + clash.defender.clp)
    return mine, his
