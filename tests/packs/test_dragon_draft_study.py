"""The study of Dragon Draft plays whole games."""

from __future__ import annotations

import random

import dragon_balance
import pytest
from packs.shipped import shipped_pack


@pytest.fixture(scope="module")
def game() -> dragon_balance.Game:
    return dragon_balance.Game(shipped_pack("dragon-draft"))


@pytest.mark.parametrize("seats", [2, 5])
def test_no_card_is_lost_or_found(game: dragon_balance.Game, seats: int) -> None:
    for greedy in (False, True):
        players = dragon_balance.play(game, seats, greedy, random.Random(seats))
        held = [card for player in players for card in (*player.team, *player.kept)]
        assert len(held) == len(set(held))
        extra = sum(player.keeper.ability == "four-in-hand" for player in players)
        assert len(held) == seats * (3 + 9) + extra
        assert not any(card.attack for player in players for card in player.team)


def test_every_game_is_won_once(game: dragon_balance.Game) -> None:
    found = dragon_balance.tallies(game, 3, True, 10, 1)
    assert sum(tally.wins for tally in found.values()) == pytest.approx(10)
    assert sum(tally.turns for tally in found.values()) == 10 * 3 * 7


def test_a_supporter_of_the_character_answers_no_attack() -> None:
    keeper = dragon_balance.Keeper("clean-sweep", "red", 3, advanced=False)
    asks = dragon_balance.Dragon("a", "crag", "blue", 1, 2, ("green",), False, 0)
    player = dragon_balance.Player(keeper, greedy=True, team=[asks], attacked=[(asks, "red")])
    cards = dragon_balance.Counter({"green": 1})
    assert not player.met([asks], cards)
    assert player.met([asks], cards + dragon_balance.Counter({"red": 1}))
