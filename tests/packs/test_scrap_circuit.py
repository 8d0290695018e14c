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


@pytest.mark.thorough(but=2)
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


def test_the_worked_turns_of_the_booklet_are_true(pack: Pack) -> None:
    """The spaces, cards and markers that they name are those of circuit A and of the decks."""
    of = {kind: {c.id: c.values for c in found} for kind, found in pack.components.items()}
    shown = {
        page: [
            {at["racer"]["id"]: at["space"] for at in block["shows"]}
            for block in of["rules-page"][page]["blocks"]
            if block["shows"]
        ]
        for page in ("move-example", "crash-example")
    }
    spaces = []
    for laid in pack.components["track"][0].values["layout"]["tiles"]:
        tile = laid["component"]
        places = range(tile["spaces"], 0, -1) if laid["letter"] == "L" else range(1, 4)
        spaces += [n in tile["boosts"] for n in places]
    assert len(spaces) == 42
    assert [spaces[n - 1] for n in (7, 42, 39, 1, 2)] == [True, True, True, False, False]

    start, moved, fought, goal = shown["move-example"]
    dice, nudge = 5 + 2 + 3, of["bonus-card"]["nudge"]["spaces"]
    assert moved == {**start, "red-letter": start["red-letter"] + dice + nudge}
    assert start["red-letter"] < start["stray-voltage"] < start["overflow"] < moved["red-letter"]
    ability = of["racer"]["red-letter"]["ability"]
    assert ability["when"] == "pass"
    assert moved["red-letter"] + ability["number"] == start["night-shift"] == 42
    assert fought == {**moved, "red-letter": 1}
    closing = of["goal-card"]["closing-up"]
    assert closing["movers"] == "all-but-first-two"
    behind = {name: fought[name] + closing["value"] for name in ("overflow", "stray-voltage")}
    assert goal == {**fought, **behind}

    crashed, shunted, towed = shown["crash-example"]
    assert crashed == goal
    shunt = of["crash-effect"]["push-5"]
    assert crashed["overflow"] + shunt["number"] >= crashed["night-shift"]
    after = (crashed["night-shift"] + shunt["second"]) % 42
    assert shunted == {**crashed, "overflow": crashed["night-shift"], "night-shift": after}
    assert of["crash-card"]["smoke-push-5"]["deck"]["label"] == "3/4"
    tow = of["goal-card"]["tow-rope"]
    assert tow["movers"] == "last"
    assert towed == {**shunted, "stray-voltage": shunted["stray-voltage"] + tow["value"]}
    assert pack.options["bonus_cost"] == 3
