"""The dragon-draft pack: it has the components of the game, prints what each number of players
needs, and its page in the docs has its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from packs.shipped import ROOT, printed, shipped_pack

from generator.model.pack import Pack

NAME = "dragon-draft"


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("players", "labels", "copies", "dragons", "characters"),
    [
        (2, "A", 1, 32, 3),
        (3, "AB", 1, 48, 6),
        (4, "ABC", 1, 64, 6),
        (5, "AB", 2, 96, 12),
        (6, "AB", 2, 96, 12),
        (7, "ABC", 2, 128, 12),
        (8, "ABC", 2, 128, 12),
        (None, "ABC", 2, 128, 12),
    ],
)
def test_so_many_players_get_exactly_what_they_need(
    players: int | None, labels: str, copies: int, dragons: int, characters: int
) -> None:
    pack = shipped_pack(NAME, players)
    count = printed(pack)
    for dragon in pack.components["dragon"]:
        assert dragon.quantity == (copies if dragon.values["label"] in labels else 0)
    assert count["dragon"] == dragons
    assert count["character-card"] == characters
    seats = players or 8
    assert count["token"] == {2: 3, 3: 6, 4: 6}.get(seats, 8)
    for kind in ("trophy", "turn-overview"):
        assert count[kind] == seats, kind
    assert count["tile"] == 12


def test_two_players_have_normal_characters_only() -> None:
    for card in shipped_pack(NAME, 2).components["character-card"]:
        assert card.quantity == (0 if card.values["advanced"] else 1)


def test_dragons_are_sixteen_groups_of_four(pack: Pack) -> None:
    dragons = [dragon.values for dragon in pack.components["dragon"]]
    assert len({dragon["name"] for dragon in dragons}) == 64
    assert Counter(dragon["label"] for dragon in dragons) == {"A": 32, "B": 16, "C": 16}
    groups = Counter((d["type"], d["colour"], d["level"]) for d in dragons)
    assert len(groups) == 16
    assert set(groups.values()) == {4}
    attackers = [dragon for dragon in dragons if dragon["attack"]]
    assert {dragon["label"] for dragon in attackers} == {"B"}
    assert all(d["speed"] is None and not d["requirement"] for d in attackers)
    assert max(d["speed"] for d in dragons if not d["attack"]) >= 6


def test_each_level_is_faster_and_dearer(pack: Pack) -> None:
    levels = [level.values for level in pack.components["level"]]
    for key in ("mean_speed", "mean_price"):
        figures = [level[key] for level in levels]
        assert figures == sorted(set(figures))


def test_turns_are_those_of_the_game(pack: Pack) -> None:
    chart = pack.components["turn-chart"][0].values
    assert chart["id"] == pack.options["chart"] == "standard"
    turns = chart["turns"]
    assert [turn["cards"] for turn in turns] == [2 + number for number in range(1, 8)]
    assert [turn["boost"] for turn in turns] == [1, 2, 2, 2, 3, 3, 3]
    turned = ["nothing", *["upper"] * 3, *["lower"] * 3]
    assert [turn["turn_up"] for turn in turns] == turned


def test_supply_and_demand_add_up(pack: Pack) -> None:
    rows = [row.values for row in pack.components["supply"]]
    for setup in pack.components["setup"]:
        mine = [row for row in rows if row["setup"]["id"] == setup.id]
        assert {row["colour"] for row in mine} == {"red", "green", "blue", "gold"}
        assert sum(row["supplied"] for row in mine) == setup.values["cards"]
        asked = sum(dragon["price"] for dragon in setup.values["dragons"])
        assert sum(row["demanded"] for row in mine) == setup.values["copies"] * asked


PAGE = ROOT / "docs/packs/dragon-draft.md"


def row(*cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def supply_table(pack: Pack) -> list[str]:
    """What the page says of supply and demand: tables that have the same deck share their rows."""
    decks: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for setup in pack.components["setup"]:
        deck = (setup.values["copies"], tuple(setup.values["labels"]))
        decks.setdefault(deck, []).append(setup.values["seats"])
    rows = [row("players", "level", "red", "green", "blue", "gold"), "|---|---|---|---|---|---|"]
    for seats in decks.values():
        mine = {
            entry.values["colour"]: entry.values
            for entry in pack.components["supply"]
            if entry.values["setup"]["seats"] == seats[0]
        }
        clans = [mine[colour] for colour in ("red", "green", "blue", "gold")]
        players = ", ".join(map(str, seats))
        for n in range(4):
            cells = [f"{clan['supply'][n]} / {clan['demand'][n]}" for clan in clans]
            rows.append(row(players if n == 0 else "", n + 1, *cells))
        cells = [f"**{clan['supplied']} / {clan['demanded']}**" for clan in clans]
        rows.append(row("", "all", *cells))
    return rows


def level_table(pack: Pack) -> list[str]:
    """What the page says of the levels."""
    rows = [row("level", "name", "speed", "supporters asked for"), "|---|---|---|---|"]
    for level in pack.components["level"]:
        flyers = [dragon for dragon in level.values["dragons"] if not dragon["attack"]]
        speeds = [dragon["speed"] for dragon in flyers]
        prices = [dragon["price"] for dragon in flyers]
        rows.append(
            row(
                level.values["number"],
                level.values["name"],
                f"{min(speeds)} to {max(speeds)}, {level.values['mean_speed']} on average",
                f"{min(prices)} to {max(prices)}, {level.values['mean_price']} on average",
            )
        )
    return rows


@pytest.mark.parametrize("table", [supply_table, level_table])
def test_the_page_has_the_figures_of_the_data(
    table: Callable[[Pack], list[str]], pack: Pack
) -> None:
    expected = "\n".join(table(pack)) + "\n"
    assert expected in PAGE.read_text(encoding="utf-8"), f"write into {PAGE.name}:\n{expected}"
