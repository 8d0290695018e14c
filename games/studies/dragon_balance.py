"""Measure how often each character of Dragon Draft wins between simple players.

    python games/studies/dragon_balance.py [--games 2000] [--seed 1] [--players 2 3 4 6 8]

A random player keeps, attacks and swaps by chance; a greedy one keeps and swaps what helps most now
or soon, and attacks the leader. Both fly as far as their cards let them. A cell is a character's
share of wins over its fair share, how often its ability came true on its turns
(Four-in-Hand: four dragons flew), and how far it moved.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from generator.build import Order, open_pack
from generator.model.pack import Pack
from generator.project import find_targets

AHEAD = 2
"""Turns that a greedy player looks ahead when it swaps."""


@dataclass(frozen=True)
class Dragon:
    """A card. Two copies of it differ in `copy`."""

    name: str
    type: str
    colour: str
    level: int
    speed: int
    need: tuple[str, ...]
    attack: bool
    copy: int


@dataclass(frozen=True)
class Keeper:
    ability: str
    support: str
    bonus: int
    advanced: bool


@dataclass
class Player:
    keeper: Keeper
    greedy: bool
    team: list[Dragon] = field(default_factory=list)
    kept: list[Dragon] = field(default_factory=list)
    attacked: list[tuple[Dragon, str]] = field(default_factory=list)
    raced: bool = False
    moved: int = 0
    last: int = 0
    fired: Counter[str] = field(default_factory=Counter)

    def move(self, spaces: int) -> None:
        self.moved += spaces
        self.last += spaces

    def need(self, dragon: Dragon) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what a dragon asks for itself, and what attacks add."""
        return dragon.need, tuple(colour for at, colour in self.attacked if at is dragon)

    def met(self, dragons: Sequence[Dragon], cards: Counter[str]) -> bool:
        """Tell whether dragons can fly together on the colours of cards and of the character."""
        own: Counter[str] = Counter()
        added: Counter[str] = Counter()
        for dragon in dragons:
            asks, more = self.need(dragon)
            own.update(asks)
            added.update(more)
        support = self.keeper.support
        if support == "any":
            missing = own + added - cards
            return not missing or (missing.total() == 1 and bool(own[next(iter(missing))]))
        spare = Counter({support: 1}) if own[support] else Counter()
        return not own + added - cards - spare


@dataclass(frozen=True)
class Game:
    """The pack that all games start from."""

    pack: Pack

    @cached_property
    def turns(self) -> list[Any]:
        chart = self.pack.options["chart"]
        (turns,) = (c.values["turns"] for c in self.pack.components["turn-chart"] if c.id == chart)
        return list(turns)

    @cached_property
    def keepers(self) -> list[Keeper]:
        fronts = (card.values["front"] for card in self.pack.components["character-card"])
        return [
            Keeper(
                who["ability"]["id"],
                who["support"],
                who["ability"]["bonus"] or 0,
                who["ability"]["advanced"],
            )
            for who in fronts
        ]

    def setup(self, seats: int) -> Any:
        return next(s.values for s in self.pack.components["setup"] if s.values["seats"] == seats)

    def dragons(self, seats: int) -> list[Dragon]:
        setup = self.setup(seats)
        return [
            Dragon(
                d["name"], d["type"], d["colour"], d["level"], d["speed"] or 0,
                tuple(d["requirement"] or ()), d["attack"], copy,
            )
            for copy in range(setup["copies"])
            for d in setup["dragons"]
        ]  # fmt: skip

    def tiles(self, place: str) -> list[tuple[str, str]]:
        tiles = self.pack.components["tile"]
        return [(t.values["type"], t.values["colour"]) for t in tiles if t.values["place"] == place]


def play(game: Game, seats: int, greedy: bool, dice: random.Random) -> list[Player]:
    """Play a game. Return the players, in no order."""
    setup, options = game.setup(seats), game.pack.options
    cards = [k for k in game.keepers if setup["advanced"] or not k.advanced] * setup["copies"]
    players = [Player(keeper, greedy) for keeper in dice.sample(cards, seats)]
    dragons = game.dragons(seats)
    first = shuffled((d for d in dragons if d.level == 1), dice)
    for player in players:
        for _ in range(options["team"] + (player.keeper.ability == "four-in-hand")):
            player.team.append(first.pop())
    deck = first + [d for d in dragons if d.level == 2]
    hidden = {place: dice.sample(game.tiles(place), 4)[:3] for place in ("upper", "lower")}
    types = [kind for kind, _ in game.tiles("corner")]
    order = dice.sample(players, seats)
    for number, turn in enumerate(game.turns, start=1):
        if turn["turn_up"] != "nothing":
            tile = hidden[turn["turn_up"]].pop()
            level = 3 if turn["turn_up"] == "upper" else 4
            deck += [d for d in dragons if d.level == level and (d.type, d.colour) == tile]
            types += [tile[0]] * (tile[0] not in types)
        if number > 1:
            order = sorted(dice.sample(players, seats), key=lambda p: -p.moved)
        for player in players:
            player.last, player.raced, player.kept, player.attacked = 0, False, [], []
        deck = shuffled(deck, dice)
        hands = [[deck.pop() for _ in range(turn["cards"])] for _ in players]
        left = len(game.turns) - number
        draft(players, hands, 1 if number % 2 else -1, left, dice)
        for player in reversed(order):
            race(player, order, left, dice, options["great_speed"])
        boosts(players, types, turn["boost"], options["tie_boost"])
        for player in players:
            deck += player.kept
    return players


def shuffled(cards: Any, dice: random.Random) -> list[Dragon]:
    found = list(cards)
    dice.shuffle(found)
    return found


def draft(
    players: list[Player], hands: list[list[Dragon]], way: int, left: int, dice: random.Random
) -> None:
    while hands[0]:
        for player, hand in zip(players, hands, strict=True):
            card = (
                max(hand, key=lambda card: worth(player, card, left) + 0.01 * dice.random())
                if player.greedy
                else dice.choice(hand)
            )
            hand.remove(card)
            player.kept.append(card)
        hands[:] = [hands[(n - way) % len(hands)] for n in range(len(hands))]


def worth(player: Player, card: Dragon, left: int) -> float:
    """Return what a card is worth to a greedy player: as a supporter, for the team, for boosts."""
    asked = Counter(colour for dragon in player.team for colour in dragon.need)
    if player.keeper.support in asked:
        asked[player.keeper.support] -= 1
    asked -= Counter(kept.colour for kept in player.kept)
    value = 2.0 if asked[card.colour] > 0 else 0.2
    if not card.attack:
        weakest = min(lasting(dragon) for dragon in player.team)
        best = max((lasting(kept) for kept in player.kept if not kept.attack), default=weakest)
        value += min(left, AHEAD) * max(0.0, lasting(card) - max(best, weakest))
    else:
        value += player.keeper.bonus if player.keeper.ability == "spitfire" else 0.7
    same = sum(other.type == card.type for other in (*player.team, *player.kept))
    return value + 0.25 * same


def lasting(dragon: Dragon) -> float:
    """Return what a dragon is worth on a team: fast is good, asking for much is not."""
    return dragon.speed - 0.8 * len(dragon.need)


def race(player: Player, order: list[Player], left: int, dice: random.Random, great: int) -> None:
    keeper = player.keeper
    attackers = [card for card in player.kept if card.attack]
    supporters = [card for card in player.kept if not card.attack]
    flown, attacking = assigned(player, supporters, attackers, dice, great)
    victims = [other for other in order if not other.raced and other is not player]
    for card in attacking:
        attack(player, card, victims, dice)
    gained = keeper.bonus * len(attacking) if keeper.ability == "spitfire" else 0
    gained += of_ability(player, flown, great)
    gained += swapped(player, left, dice)
    player.move(sum(dragon.speed for dragon in flown) + gained)
    player.fired["turns"] += 1
    player.fired["came true"] += gained > 0 or (
        keeper.ability == "four-in-hand" and len(flown) == 4
    )
    player.raced = True


def of_ability(player: Player, flown: Sequence[Dragon], great: int) -> int:
    """Return the spaces that Clean Sweep or Big Game adds when these dragons fly."""
    match player.keeper.ability:
        case "clean-sweep":
            return player.keeper.bonus * (len(flown) == len(player.team))
        case "big-game":
            return player.keeper.bonus * sum(dragon.speed >= great for dragon in flown)
    return 0


def assigned(
    player: Player,
    supporters: list[Dragon],
    attackers: list[Dragon],
    dice: random.Random,
    great: int,
) -> tuple[list[Dragon], list[Dragon]]:
    """Choose the dragons that fly and those that attack, to get as far as the cards let it."""
    best: tuple[float, list[Dragon], list[Dragon]] = (-1.0, [], [])
    per_attack = player.keeper.bonus if player.keeper.ability == "spitfire" else 0.5
    by_chance = [card for card in attackers if dice.random() < 0.5]
    for attacking in subsets(attackers) if player.greedy else [by_chance]:
        cards = Counter(c.colour for c in (*supporters, *attackers) if c not in attacking)
        for flown in subsets(player.team):
            spaces = sum(d.speed for d in flown) + per_attack * len(attacking)
            spaces += of_ability(player, flown, great)
            if spaces > best[0] and player.met(flown, cards):
                best = (spaces, flown, attacking)
    return best[1], best[2]


def subsets(cards: list[Dragon]) -> Iterator[list[Dragon]]:
    for size in range(len(cards), -1, -1):
        yield from map(list, combinations(cards, size))


def attack(player: Player, card: Dragon, victims: list[Player], dice: random.Random) -> None:
    """Attack the fastest dragon of the leader among those who have not raced, or one by chance."""
    if not victims:
        return
    other = max(victims, key=lambda p: p.moved) if player.greedy else dice.choice(victims)
    target = max(other.team, key=lambda d: d.speed) if player.greedy else dice.choice(other.team)
    other.attacked.append((target, card.colour))


def swapped(player: Player, left: int, dice: random.Random) -> int:
    """Swap a dragon, if that is good. Return what Turncoat gains by it."""
    racers = [card for card in player.kept if not card.attack]
    pairs = [(into, out) for into in racers for out in player.team]
    if not pairs or (not player.greedy and dice.random() < 0.5):
        return 0
    turncoat = player.keeper.bonus if player.keeper.ability == "turncoat" else 0

    def gain(pair: tuple[Dragon, Dragon]) -> float:
        into, out = pair
        better = lasting(into) - lasting(out)
        return min(left, AHEAD) * better + turncoat * (into.colour != out.colour)

    into, out = max(pairs, key=gain) if player.greedy else dice.choice(pairs)
    if player.greedy and gain((into, out)) <= 0:
        return 0
    player.team[player.team.index(out)] = into
    player.kept[player.kept.index(into)] = out
    return turncoat * (into.colour != out.colour)


def boosts(players: list[Player], types: list[str], boost: int, tie: int) -> None:
    won = dict.fromkeys(range(len(players)), 0)
    for kind in types:
        has = [sum(card.type == kind for card in (*p.team, *p.kept)) for p in players]
        best = [n for n, count in enumerate(has) if count == max(has) > 0]
        for n in best:
            tailwind = players[n].keeper.ability == "tailwind"
            extra = players[n].keeper.bonus if tailwind else 0
            players[n].move((boost if len(best) == 1 else tie) + extra)
            won[n] += tailwind
    for n, times in won.items():
        players[n].fired["came true"] += times > 0


@dataclass
class Tally:
    played: int = 0
    wins: float = 0.0
    turns: int = 0
    fired: int = 0
    moved: int = 0

    def cell(self, seats: int) -> str:
        """Format the win ratio, the share of turns with the ability, and the spaces moved."""
        ratio, moved = self.wins * seats / self.played, self.moved / self.played
        return f"{ratio:.2f}, {self.fired / self.turns:.0%}, {moved:.0f}"


def tallies(game: Game, seats: int, greedy: bool, games: int, seed: int) -> dict[str, Tally]:
    dice = random.Random(f"{seed}/{seats}/{greedy}")
    found = {keeper.ability: Tally() for keeper in game.keepers}
    for _ in range(games):
        players = play(game, seats, greedy, dice)
        best = max((p.moved, p.last) for p in players)
        winners = [p for p in players if (p.moved, p.last) == best]
        for player in players:
            tally = found[player.keeper.ability]
            tally.played += 1
            tally.wins += (player in winners) / len(winners)
            tally.turns += player.fired["turns"]
            tally.fired += player.fired["came true"]
            tally.moved += player.moved
    return {ability: tally for ability, tally in found.items() if tally.played}


def table(game: Game, numbers: Sequence[int], games: int, seed: int) -> str:
    """Return the results as Markdown: a row for each number and kind of players."""
    abilities = [keeper.ability for keeper in game.keepers]
    lines = ["| players | they play | " + " | ".join(abilities) + " |", "|---" * 8 + "|"]
    for seats in numbers:
        for greedy in (False, True):
            found = tallies(game, seats, greedy, games, seed)
            cells = [
                found[ability].cell(seats) if ability in found else "–" for ability in abilities
            ]
            lines.append(f"| {seats} | {'greedy' if greedy else 'random'} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def shipped() -> Game:
    (target,) = find_targets(["dragon-draft"])
    opened = open_pack(target, Order()).value
    assert opened is not None
    return Game(opened.pack)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 6, 8])
    given = parser.parse_args()
    print(table(shipped(), given.players, given.games, given.seed), end="")


if __name__ == "__main__":
    main()
