"""The dragon-draft pack: it has the components of the game, prints what each number of players
needs, and every rule on its data catches what breaks it, at its line."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator import load, validate
from generator.diagnostics import Outcome
from generator.model.pack import Pack
from generator.project import Project

ROOT = Path(__file__).parents[2]
NAME = "dragon-draft"
FOLDER = f"cards/{NAME}"


def checked(root: Path, players: int | None = None) -> Outcome[Pack]:
    """The pack under a root, validated; pictures are not looked for."""
    shared = sorted((ROOT / "cards" / "shared").glob("*.yaml"))
    documents = [load.read_document(path, path.name).value for path in shared]
    catalogue = validate.read_catalogue([d for d in documents if d is not None]).value
    source = load.read_pack(Project(root, ROOT), NAME)
    assert source.value is not None
    assert not source.diagnostics
    assert catalogue is not None
    return validate.check_pack(source.value, catalogue, players=players)


@pytest.fixture(scope="session")
def pack() -> Pack:
    """The pack as it is shipped."""
    outcome = checked(ROOT)
    assert outcome.diagnostics == ()
    return outcome.value


def printed(pack: Pack, kind: str) -> int:
    """How many pieces of a kind come out of the printer."""
    return sum(component.quantity for component in pack.components[kind])


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
    outcome = checked(ROOT, players)
    assert outcome.diagnostics == ()
    pack = outcome.value
    for dragon in pack.components["dragon"]:
        assert dragon.quantity == (copies if dragon.values["label"] in labels else 0)
    assert printed(pack, "dragon") == dragons
    assert printed(pack, "character-card") == characters
    seats = players or 8
    for kind in ("token", "trophy", "turn-overview"):
        assert printed(pack, kind) == seats, kind
    assert printed(pack, "tile") == 12


def test_two_players_have_normal_characters_only() -> None:
    for card in checked(ROOT, 2).value.components["character-card"]:
        assert card.quantity == (0 if card.values["advanced"] else 1)


def test_dragons_are_sixteen_groups_of_four(pack: Pack) -> None:
    dragons = [dragon.values for dragon in pack.components["dragon"]]
    assert len({dragon["name"] for dragon in dragons}) == 64
    assert Counter(dragon["label"] for dragon in dragons) == {"A": 32, "B": 16, "C": 16}
    groups = Counter((d["type"], d["colour"], d["level"]) for d in dragons)
    assert len(groups) == 16
    assert set(groups.values()) == {4}
    attackers = [dragon for dragon in dragons if dragon["attack"]]
    assert {dragon["label"] for dragon in attackers} == {"B", "C"}
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


@dataclass(frozen=True)
class Case:
    """One thing written wrongly, and what must be said of it: where it stands, unless `at` names
    another file, something that stands on the line, and how many lines below it."""

    file: str
    old: str
    new: str
    said: str
    at: tuple[str, str] | tuple[str, str, int] | None = None
    code: str = "GP209"
    severity: str = "error"


SET = {"code": "GP210"}
WARN = {"severity": "warning"}
CASES = [
    # dragons
    Case("dragons.csv", "blue,1,A,,1,", "blue,1,B,,1,", "32 dragons of label A (the count is 31",
         ("kinds/dragon.yaml", 'label == "A"'), **SET),
    Case("dragons.csv", "blue,1,A,,1,", "blue,1,B,,1,", "16 dragons of label B (the count is 17",
         ("kinds/dragon.yaml", 'label == "B"'), **SET),
    Case("dragons.csv", "blue,1,B,,2,", "blue,1,C,,2,", "16 dragons of label C (the count is 17",
         ("kinds/dragon.yaml", 'label == "C"'), **SET),
    Case("dragons.csv", ",Slatepip,", ",Ledgerine,", "'Ledgerine'", code="GP208"),
    Case("dragons.csv", "blue,1,C,yes,,,", "blue,1,C,yes,2,,", "attack dragon and has speed 2"),
    Case("dragons.csv", "blue,1,C,yes,,,", "blue,1,C,yes,,red,", "attack dragon and asks for"),
    Case("dragons.csv", "blue,1,A,,1,,", "blue,1,A,,,,", "Pebblecough has no speed"),
    Case("dragons.csv", "blue,1,C,yes,,,", "blue,1,A,yes,,,", "an attack dragon of label A"),
    Case("dragons.csv", ",crag,gold,3,A,,4,", ",crag,red,3,A,,4,", "no home: there is no red tile"),
    Case("dragons.csv", ",crag,gold,3,A,,4,", ",fen,gold,3,A,,4,", "lives on Sallow Marsh"),
    Case("dragons.csv", ",crag,gold,3,A,,4,", ",crag,gold,4,A,,4,", "of level 4 and lives on"),
    Case("dragons.csv", ",cinder,gold,4,A,,6,", ",cinder,gold,3,A,,6,", "level 3 and lives on"),
    Case("dragons.csv", "blue,1,A,,2,gold,", "blue,1,A,,2,violet,", "asks for violet, more than",
         **WARN),
    Case("dragons.csv", "blue,1,A,,2,gold,", "blue,1,A,,4,gold; gold; gold,",
         "asks for gold, gold, gold, more than", **WARN),
    Case("dragons.csv", "blue,1,A,,2,gold,", "blue,1,A,,5,gold,", "speed 5 at level 1 for 1",
         **WARN),
    Case("dragons.csv", "barb,tufts,bands,none", "barb,tufts,bands,fire", "shows fire", **WARN),
    Case("dragons.csv", "regardant,gharial,ears,none", "sejant,drake,nose,fin", "silhouette",
         ("dragons.csv", "slatepip"), code="GP210", severity="warning"),
    Case("pack.yaml", "great_speed: 6", "great_speed: 9", "some dragon must be great",
         ("kinds/dragon.yaml", "{where: great}"), **SET),
    # levels
    Case("levels.yaml", "{id: yearling, number: 2", "{id: yearling, number: 4",
         "4 stands twice", ("levels.yaml", "elder"), code="GP208"),
    Case("levels.yaml", "  - {id: elder, number: 4, name: Elder}\n", "",
         "four levels (the count is 3", ("kinds/level.yaml", "is: 4"), **SET),
    # the ring
    Case("tiles.yaml", "place: upper, type: crag, colour: gold", "place: lower, type: crag, "
         "colour: gold", "four (the count is 3", ("kinds/tile.yaml", 'place == "upper"'), **SET),
    Case("tiles.yaml", "place: upper, type: crag, colour: gold", "place: lower, type: crag, "
         "colour: gold", "four (the count is 5", ("kinds/tile.yaml", 'place == "lower"'), **SET),
    Case("tiles.yaml", "place: corner, type: cinder", "place: upper, type: cinder",
         "four corners (the count is 3", ("kinds/tile.yaml", 'place == "corner"'), **SET),
    Case("tiles.yaml", "type: rime, colour: blue", "type: reef, colour: blue", "is on 3 tiles",
         ("tracks.yaml", "id: reef")),
    Case("tiles.yaml", "type: rime, colour: blue", "type: rime, colour: red", "are red",
         ("tracks.yaml", "id: rime")),
    Case("tiles.yaml", "colour: gold, spaces: 5, spaces_behind: 5}", "colour: gold, spaces: 5, "
         "spaces_behind: 4}", "5 spaces on its coloured side and 4 behind"),
    Case("tiles.yaml", "type: cinder, colour: red, spaces: 4}", "type: cinder, colour: red, "
         "spaces: 4, spaces_behind: 4}", "corners are not turned over"),
    Case("tiles.yaml", "colour: gold, spaces: 5, spaces_behind: 5}", "colour: gold, spaces: 6, "
         "spaces_behind: 6}", "unlike other", ("tiles.yaml", "spaces: 6"), **WARN),
    Case("tiles.yaml", "spaces: 4, start: true", "spaces: 4", "start line (the count is 0",
         ("kinds/tile.yaml", "where: start"), **SET),
    Case("tiles.yaml", "type: rime, colour: blue, spaces: 5, spaces_behind: 5",
         "type: rime, colour: blue, spaces: 5, spaces_behind: 5, start: true",
         "would be turned over"),
    Case("dragons.csv", "blue,1,A,,1,", "blue,1,B,,1,", "have the labels ABBC and AABC",
         ("tiles.yaml", "Gallows Steps")),
    Case("tiles.yaml", "type: wood, colour: green", "type: crag, colour: green",
         "only tiles that turn (the count is 3", ("kinds/track.yaml", '"equalto", "corner"'),
         **SET),
    Case("tracks.yaml", "  - {id: reef, name: Reef, icon: type-reef}\n", "",
         "six racetrack types (the count is 5", ("kinds/track.yaml", "is: 6"), **SET),
    # setup
    Case("setup.yaml", "seats: 4, copies: 1, labels: [A, B, C]", "seats: 4, copies: 1, labels: [A]",
         "4 players have 8 dragons of level 1, and 12 are dealt"),
    Case("turn-charts.yaml", "{cards: 9, boost: 3, turn_up: lower}\n\n",
         "{cards: 15, boost: 3, turn_up: lower}\n\n", "cards: 15", code="GP204"),
    Case("turn-charts.yaml", "{cards: 4, boost: 2,", "{cards: 10, boost: 2,",
         "turn 2 deals 20 cards to 2 players, and the deck has 18"),
    Case("turn-charts.yaml", "{cards: 5, boost: 2, turn_up: upper}\n      - {cards: 6, boost: 2, "
         "turn_up: upper}\n      - {cards: 7", "{cards: 5, boost: 2, turn_up: nothing}\n      - "
         "{cards: 6, boost: 2, turn_up: upper}\n      - {cards: 7", "turns up 2 upper tiles",
         ("turn-charts.yaml", "id: standard", 4)),
    Case("pack.yaml", "chart: standard", "chart: short", "names no turn chart",
         ("kinds/turn-chart.yaml", "pack.options.chart}"), **SET),
    Case("setup.yaml", "labels: [A], advanced: no", "labels: [A], advanced: yes",
         "2 players have advanced characters"),
    Case("setup.yaml", "{id: seven, seats: 7, copies: 2, labels: [A, B, C]",
         "{id: seven, seats: 7, copies: 1, labels: [A, B, C]", "7 players have 6 character cards"),
    Case("turn-charts.yaml", "turn_up: lower}\n\n", "turn_up: nothing}\n\n",
         "turns up 2 lower tiles", ("turn-charts.yaml", "id: standard", 4)),
    # characters
    Case("characters.yaml", "support: red, ability: clean-sweep, art: {face: square",
         "support: blue, ability: clean-sweep, art: {face: square",
         "Marta Hearth supports red, Brother Mallet on the other side blue",
         ("character-cards.yaml", "sweepers")),
    Case("characters.yaml", "support: red, ability: clean-sweep, art: {face: square",
         "support: red, ability: turncoat, art: {face: square",
         "Clean Sweep, Brother Mallet on the other side Turncoat",
         ("character-cards.yaml", "sweepers")),
    Case("character-cards.yaml", "back: brother-mallet", "back: marta-hearth",
         "Marta Hearth is on both sides"),
    Case("character-cards.yaml", "back: brother-mallet", "back: sir-scald",
         "Sir Scald is on 2 sides", ("characters.yaml", "id: sir-scald")),
    Case("abilities.yaml", "icon: boost\n    advanced: yes", "icon: boost\n    advanced: no",
         "normal (the count is 4", ("kinds/ability.yaml", "not advanced"), **SET),
    Case("abilities.yaml", "icon: boost\n    advanced: yes", "icon: boost\n    advanced: no",
         "are advanced (the count is 2", ("kinds/ability.yaml", "{where: advanced}"), **SET),
    Case("character-cards.yaml", "  - {id: drivers, front: the-quartermaster, back: lady-quill}\n",
         "", "six character cards (the count is 5", ("kinds/character-card.yaml", "is: 6"), **SET),
    Case("character-cards.yaml", "front: otho-twocoats, back: fennel-quick",
         "front: brother-mallet, back: marta-hearth", "two cards have the same ability", **SET),
    Case("characters.yaml", "  - {id: lady-quill,", "  - {id: nobody, name: Nobody, calling: none, "
         "support: any, ability: big-game, art: {face: oval, skin: '1', hair: none, hat: cap, "
         "cloak: fur, tool: map}}\n  - {id: lady-quill,", "twelve characters (the count is 13",
         ("kinds/character.yaml", "is: 12"), **SET),
    # booklet
    Case("rules.yaml", "  - id: page-8\n", "  - {id: page-9, number: 9, title: More}\n"
         "  - id: page-8\n", "8 pages (the count is 9", ("kinds/rules-page.yaml", "is: 8"), **SET),
    # trophies and tokens
    Case("trophies.yaml", "  - {id: eighth, place: 8, name: The Wooden Spoon, motto: Somebody has "
         "to stir.}\n", "", "every place needs a trophy", ("kinds/trophy.yaml", "min: players"),
         **SET),
    Case("tokens.yaml", '  - {id: mint, mark: 8, name: Mint, colour: "#8cc9a8"}\n', "",
         "every player needs a dragon token", ("kinds/token.yaml", "min: players"), **SET),
    Case("tokens.yaml", 'colour: "#8cc9a8"', 'colour: "#2f6fb3"', "the same colour", **SET),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.said for case in CASES])
def test_a_broken_rule_is_told_at_its_line(case: Case, tmp_path: Path) -> None:
    cards = tmp_path / FOLDER
    shutil.copytree(ROOT / FOLDER, cards)
    text = (cards / case.file).read_text(encoding="utf-8")
    assert case.old in text
    (cards / case.file).write_text(text.replace(case.old, case.new, 1), encoding="utf-8")
    file, line = case.file, text[: text.index(case.old)].count("\n") + 1
    if case.at is not None:
        file, mark, *below = case.at
        lines = (cards / file).read_text(encoding="utf-8").splitlines()
        line = max(number for number, row in enumerate(lines, 1) if mark in row) + sum(below)

    said = [d for d in checked(tmp_path).diagnostics if case.said in d.message]
    told = {(d.code, str(d.severity), d.span.line) for d in said}
    assert told == {(case.code, case.severity, line)}
    assert all(d.span.file.endswith(f"{FOLDER}/{file}") for d in said)
    assert all(d.hint for d in said)


def test_a_level_that_is_no_better_is_told(tmp_path: Path) -> None:
    cards = tmp_path / FOLDER
    shutil.copytree(ROOT / FOLDER, cards)
    rows = (cards / "dragons.csv").read_text(encoding="utf-8").splitlines()
    slow = []
    for row in rows:
        cells = row.split(",")
        if cells[4] == "3" and not cells[6]:
            cells[7], cells[8] = "1", ""
        slow.append(",".join(cells))
    (cards / "dragons.csv").write_text("\n".join(slow) + "\n", encoding="utf-8")
    errors = [d for d in checked(tmp_path).diagnostics if str(d.severity) == "error"]
    levels = (cards / "levels.yaml").read_text(encoding="utf-8").splitlines()
    line = next(n for n, text in enumerate(levels, 1) if "id: drake" in text)
    assert {(d.code, d.span.line) for d in errors} == {("GP209", line)}
    assert all(d.span.file.endswith("levels.yaml") for d in errors)
    assert len(errors) == 2
    for said in ("no faster than level 2", "no more than level 2"):
        assert any(said in d.message for d in errors)


@pytest.mark.parametrize(
    ("instead", "severity", "said"),
    [
        ("gold", "warning", "with 8 players red is asked for 92 times of 184"),
        ("gold green blue", "error", "8 players have 32 red dragons, and red is asked for 184"),
    ],
)
def test_a_colour_that_is_asked_for_too_often_is_told(
    instead: str, severity: str, said: str, tmp_path: Path
) -> None:
    cards = tmp_path / FOLDER
    shutil.copytree(ROOT / FOLDER, cards)
    rows = []
    for row in (cards / "dragons.csv").read_text(encoding="utf-8").splitlines():
        cells = row.split(",")
        for colour in instead.split():
            cells[8] = cells[8].replace(colour, "red")
        rows.append(",".join(cells))
    (cards / "dragons.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (found,) = [d for d in checked(tmp_path).diagnostics if d.message.startswith(said)]
    assert (found.code, str(found.severity)) == ("GP209", severity)
    assert found.span.file.endswith("clans.yaml") or found.span.file.endswith("setup.yaml")


def test_nine_players_are_told_what_is_missing() -> None:
    said = {d.message.partition(" (")[0] for d in checked(ROOT, 9).diagnostics}
    assert "every player needs a dragon token" in said
    assert "every place needs a trophy" in said
    assert any("setup.yaml does not say" in message for message in said)


PAGE = ROOT / "docs/packs/dragon-draft.md"


def row(*cells: object) -> str:
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
