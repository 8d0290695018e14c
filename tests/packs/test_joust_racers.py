"""The joust-racers pack: it prints what its players need, and racers add up."""

from __future__ import annotations

from collections import Counter

import pytest
from packs.shipped import printed, shipped_pack

from generator.model.pack import Pack

NAME = "joust-racers"
SPECIES = {"brock", "karkin", "lunet", "tock", "mire"}
COLUMNS = ("speed", "reflexes", "handling", "armor", "ram", "valor")


def test_each_species_has_a_whole_set_and_two_knights(pack: Pack) -> None:
    slots = Counter(
        (c.values["species"]["id"], c.values["slot"], c.values["half"])
        for c in pack.components["part"]
    )
    wanted = [("chassis", "a"), ("chassis", "b"), ("engine", None), ("tires", None)]
    wanted += [("weapon", None), ("shield", None)]
    assert set(slots) == {(species, *part) for species in SPECIES for part in wanted}
    knights = Counter(c.values["species"]["id"] for c in pack.components["knight"])
    assert knights == dict.fromkeys(SPECIES, 2)
    perfect = {
        c.values["knight"]["species"]["id"] for c in pack.components["racer"] if c.values["perfect"]
    }
    assert perfect == SPECIES


def test_every_ability_is_used_and_spelled_out(pack: Pack) -> None:
    used = [*pack.components["part-ability"], *pack.components["knight-ability"]]
    abilities = {c.values["id"] for c in pack.components["ability"]}
    assert {c.values["ability"]["id"] for c in used} == abilities
    spelled = {c.values["words"]: c.values["spelled"] for c in used}
    assert spelled["Protection Ram 2"] == "**+2** Armor against rams."
    assert spelled["Heavy"].startswith("You may pay **4**\u00a0{sp} for a shot instead of 2:")
    assert spelled["Attuned Prism 1"] == "**+1** Strength when you fire Prism weapons."
    assert not [text for text in spelled.values() if "#" in text]


def test_totals_are_the_sums_of_the_strips_and_durability_is_the_engines(pack: Pack) -> None:
    for racer in pack.components["racer"]:
        values = racer.values
        strips = [part for part in values["parts"] if part["half"] != "b"]
        for column in COLUMNS:
            total = sum(strip[column] for strip in (*strips, values["knight"]))
            assert values[column] == total, (racer.id, column)
        assert values["durability"] == values["engine"]["durability"]
        species = {part["species"]["id"] for part in (*values["parts"], values["knight"])}
        assert values["perfect"] == (len(species) == 1)
    mixed = next(c.values for c in pack.components["racer"] if c.id == "pot-luck")
    assert not mixed["perfect"]
    assert len(mixed["parts"]) == 9


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_print_has_what_its_players_need(players: int) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    assert count["waypoint"] == players + 1
    numbers = [c.values["number"] for c in pack.components["waypoint"] if c.quantity]
    assert numbers == list(range(1, players + 2))
    assert count["racer"] == count["racer-token"] == count["turn-sheet"] == players
    assert count["ruler"] == max(3, -(-players // 2))
    assert count["part-card"] == 20
    assert count["falcon"] == len(SPECIES)
    blockers = {c.id: c.quantity for c in pack.components["blocker"]}
    assert blockers == {
        "hay-cart": players, "toll-booth": -(-players // 2), "gate-tower": -(-players // 3),
    }  # fmt: skip


def test_a_racer_brings_the_cards_that_it_is_built_from(pack: Pack) -> None:
    def chosen(glob: str) -> dict[str, set[str]]:
        return {
            kind: {c.id for c in found if c.answers_to(glob)}
            for kind, found in pack.components.items()
            if pack.kinds[kind].stock and any(c.answers_to(glob) for c in found)
        }

    assert chosen("undermount") == {
        "racer": {"undermount"},
        "racer-token": {"undermount"},
        "part-card": {"brock-1a", "brock-1b", "brock-2", "brock-3"},
        "falcon": {"brock-2"},
        "knight": {"delve"},
    }
    cards = chosen("pot-luck")["part-card"]
    assert {"karkin-6a", "karkin-6b", "lunet-12", "mire-23", "tock-18"} < cards
    assert {"brock-2", "tock-17", "mire-22"} < cards  # its shields
