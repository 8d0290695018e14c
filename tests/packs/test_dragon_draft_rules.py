"""The rules of dragon-draft in print: the turn that the booklet plays keeps them, and what holds
for some numbers of players alone is printed for those."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from packs.shipped import ROOT, drawn, shipped_pack, words

from generator.model.pack import Pack

NAME = "dragon-draft"
TURN = 3


def flights(pack: Pack) -> list[dict[str, Any]]:
    return [dict(flight.values) for flight in pack.components["flight"]]


def names(dragons: Any) -> list[str]:
    return [dragon["name"] for dragon in dragons]


def test_the_played_turn_deals_cards_that_are_in_the_deck(pack: Pack) -> None:
    setup = next(s.values for s in pack.components["setup"] if s.values["seats"] == 3)
    turned = [
        tile for tile in pack.components["tile"] if tile.id in ("eagle-stair", "drowned-lane")
    ]
    homes = {(tile.values["type"], tile.values["colour"]) for tile in turned}
    seen: Counter[str] = Counter()
    for flight in flights(pack):
        assert len(flight["kept"]) == 2 + TURN
        assert len(flight["team"]) == pack.options["team"]
        seen.update(names([*flight["team"], *flight["kept"]]))
        for dragon in (*flight["team"], *flight["kept"]):
            assert dragon["label"] in setup["labels"]
            assert dragon["level"] <= 2 or (dragon["type"], dragon["colour"]) in homes
        assert not any(dragon["attack"] for dragon in flight["team"])
    assert set(seen.values()) == {1}


def test_the_played_turn_keeps_the_rules_of_the_race(pack: Pack) -> None:
    raced = flights(pack)
    assert [flight["trophy"]["place"] for flight in raced] == [3, 2, 1]
    for number, flight in enumerate(raced):
        used: list[str] = []
        for go in flight["fired"]:
            need = Counter(go["dragon"]["requirement"])
            own = [flight["who"]["support"]] if go["shield"] else []
            assert need[own[0]] if own else True, "a character never answers an attack alone"
            if go["attacker"]:
                need[go["attacker"]["colour"]] += 1
                assert go["attacker"]["name"] in names(
                    card for earlier in raced[:number] for card in earlier["kept"]
                )
            assert need == Counter([card["colour"] for card in go["by"]] + own)
            used += names(go["by"])
        assert sum(go["shield"] for go in flight["fired"]) <= 1
        assert len(set(used)) == len(used)
        assert set(used) <= set(names(flight["kept"]))
        flown = names(go["dragon"] for go in flight["fired"])
        grounded = set(names(flight["team"])) - set(flown)
        assert grounded == ({flight["failed"]["name"]} if flight["failed"] else set())
        assert flight["out"]["name"] in names(flight["team"])
        assert flight["into"]["name"] in names(flight["kept"])
        assert not flight["into"]["attack"]


def test_the_played_abilities_are_those_of_the_characters(pack: Pack) -> None:
    for flight in flights(pack):
        ability = flight["who"]["ability"]
        attacks = [
            go
            for other in flights(pack)
            for go in other["fired"]
            if go["attacker"] and go["attacker"]["name"] in names(flight["kept"])
        ]
        times = {
            "clean-sweep": int(len(flight["fired"]) == len(flight["team"])),
            "spitfire": len(attacks),
            "turncoat": int(flight["out"]["colour"] != flight["into"]["colour"]),
        }[ability["id"]]
        assert flight["ability"] == times * ability["bonus"] > 0


def test_the_played_boosts_are_counted_from_the_cards(pack: Pack) -> None:
    (page,) = (face for face in drawn(ROOT, NAME, "counts") if face.kind == "rules-page")
    boost = pack.components["turn-chart"][0].values["turns"][TURN - 1]["boost"]
    total = Counter({f["who"]["name"]: f["speeds"] + f["ability"] for f in flights(pack)})
    for land in ("crag", "cinder", "fen", "wood"):
        has = {
            flight["who"]["name"]: sum(
                card["type"] == land for card in (*flight["team"], *flight["kept"])
            )
            for flight in flights(pack)
        }
        best = [name for name, count in has.items() if count == max(has.values())]
        total.update(dict.fromkeys(best, boost if len(best) == 1 else pack.options["tie_boost"]))
    shown = [int(n) for n in re.findall(r"= (\d+)", words(page))]
    assert shown == [total[flight["who"]["name"]] for flight in flights(pack)] == [14, 10, 11]


ONLY = {
    "attacks": ("Attackers", {3, 4, 5, 6, 7, 8}),
    "a duel": ("With label A alone", {2, 8}),
    "two copies": ("Shuffle both copies together", {5, 6, 7, 8}),
    "spare tokens": ("second of you takes a spare", {5, 6, 7, 8}),
    "Four-in-Hand": ("Four-in-Hand", {3, 4, 5, 6, 7, 8}),
}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("players", range(2, 9))
def test_what_holds_for_some_is_printed_for_those(players: int) -> None:
    only = "turn-overview,setup-sheet,summary,boost,seats,steps,characters,race,fire-up,box"
    kinds = ("turn-overview", "setup-sheet", "rules-page")
    shown = words(*drawn(ROOT, NAME, only, players=players, kinds=kinds))
    found = {name: part in shown for name, (part, _) in ONLY.items()}
    assert found == {name: players in seats for name, (_, seats) in ONLY.items()}
    cards = shipped_pack(NAME, players).components["setup"][players - 2].values["cards"]
    assert f" {cards} dragon cards " in shown


def test_sets_of_tiles_are_told_apart_however_they_lie() -> None:
    pack = shipped_pack(NAME)
    places = {tile.id: tile.values["place"] for tile in pack.components["tile"]}
    for face in drawn(ROOT, NAME, kinds=("tile",)):
        if face.name == "back" and places[face.component] != "corner":
            assert words(face) == places[face.component]
