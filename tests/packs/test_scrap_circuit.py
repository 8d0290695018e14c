"""The scrap-circuit pack: it prints what its players need."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from packs.shipped import changed, pack_in, printed, shipped_pack

from generator.model.pack import Pack

NAME = "scrap-circuit"


def test_box_holds_the_whole_inventory(pack: Pack) -> None:
    count = printed(pack)
    assert count["segment"] == 14
    shapes = Counter(c.values["lane"]["shape"] for c in pack.components["segment"])
    assert shapes == {"straight": 6, "curve": 8}
    assert count["racer"] == count["standee"] == 6
    assert count["lap-marker"] == 18
    assert (count["finish-line"], count["start-marker"]) == (1, 1)
    assert count["goal-card"] == 16
    assert {c.values["value"]: c.quantity for c in pack.components["goal-card"]} == {
        2: 4, 3: 4, 5: 4, 7: 4,
    }  # fmt: skip
    assert count["bonus-card"] == 28
    assert len(pack.components["bonus-card"]) == 6
    assert count["bonus-marker"] == 17
    assert [c.quantity for c in pack.components["boost-marker"]] == [6, 6, 6]
    assert count["die-face"] == 36


def test_crash_decks_have_their_sizes_and_get_worse(pack: Pack) -> None:
    sizes: Counter[str] = Counter()
    for card in pack.components["crash-card"]:
        sizes[card.values["deck"]["label"]] += card.quantity
    assert sizes == {"1/2": 18, "3/4": 18, "5/6": 20}
    worth = {c.values["label"]: c.values["worth"] for c in pack.components["crash-deck"]}
    assert worth["1/2"] > worth["3/4"] > worth["5/6"]


@pytest.mark.parametrize(("players", "racers"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_print_for_some_players_takes_their_racers_only(players: int, racers: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    assert count["racer"] == count["standee"] == racers
    assert count["lap-marker"] == 3 * racers
    assert count["turn-sheet"] == players
    assert count["glossary-sheet"] == -(-players // 2)
    assert (count["goal-card"], count["crash-card"], count["bonus-card"]) == (16, 56, 28)
    used = [c.values["order"] for c in pack.components["racer"] if c.quantity]
    assert used == list(range(1, racers + 1))


def test_sets_print_the_cards_more_than_once(tmp_path: Path) -> None:
    root = changed(tmp_path, NAME, ("pack.yaml", "  sets: 1\n", "  sets: 2\n"))
    count = printed(pack_in(root, NAME))
    assert (count["crash-card"], count["goal-card"], count["bonus-card"]) == (112, 32, 56)
    assert (count["boost-marker"], count["bonus-marker"]) == (36, 34)
    assert (count["segment"], count["racer"]) == (14, 6)
