"""The chariot-dash pack: its vehicles are right, and it has all its parts."""

from __future__ import annotations

from generator.model.pack import Pack

NAME = "chariot-dash"


def test_basic_chariot_has_the_figures_of_the_game(pack: Pack) -> None:
    basic = pack.components["vehicle"][0].values
    assert list(basic["acceleration"]) == [1, 1, 2, 2, 3, 3, 2]
    assert list(basic["deceleration"]) == [1, 1, 2, 2, 2, 2, 1]
    rows = ["".join(map(str, row)) for row in basic["moves"]]
    assert rows == ["0000", "1001", "2002", "2202", "3203", "4303", "4044"]
    assert list(basic["control"]) == ["safe", "safe", "safe", "1", "2", "3", "4"]
    assert list(basic["stamina"]) == [2, 2, 1, 0, -1, -2, -3]
    assert basic["resilience"] == "1"
    assert [(e["at"], e["effect"]["id"]) for e in basic["damage"]] == [
        (1, "control-die"),
        (6, "wipe-out"),
    ]
    assert [(e["at"], e["effect"]["id"]) for e in basic["stamina_effects"]] == [
        (9, "speed"),
        (9, "reins"),
        (6, "reins"),
        (5, "speed"),
    ]
    assert (basic["whip"], basic["reins"], basic["cards"]) == (3, 3, 6)


def test_pack_has_all_its_parts(pack: Pack) -> None:
    sizes = {kind: len(found) for kind, found in pack.components.items()}
    assert sizes["trait"] == 47
    assert sizes["special"] == 15
    assert sizes["damage-effect"] == 17
    assert sizes["vehicle"] >= 9
    assert sizes["counter"] == sizes["standee"] == sizes["vehicle"]
    assert sum(c.quantity for c in pack.components["die-face"]) == 72
    assert sum(c.quantity for c in pack.components["crib-sheet"]) == 6
    markers = pack.components["marker"]
    for group, least in (("hazard", 6), ("fragile", 24), ("solid", 8)):
        assert sum(m.quantity for m in markers if m.values["group"] == group) >= least


def test_hand_is_printed_card_for_card(pack: Pack) -> None:
    for vehicle in pack.components["vehicle"]:
        cards = [
            card
            for card in pack.components["crew-card"]
            if card.values["vehicle"]["id"] == vehicle.id
        ]
        assert sum(card.quantity for card in cards) == vehicle.values["cards"]
        assert all(card.quantity > 0 for card in cards)
