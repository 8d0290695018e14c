"""The scrap-circuit pack: it prints what its players need, and every rule on its data catches what
breaks it. Each case changes one line of the pack and names what must be said at which line."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from generator import load, validate
from generator.diagnostics import Outcome
from generator.model.pack import Pack
from generator.project import Project

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "cards" / "scrap-circuit"


def checked(root: Path, players: int | None = None) -> Outcome[Pack]:
    """The pack under a root, validated; pictures are not looked for."""
    documents = [
        load.read_document(path, path.name).value
        for path in sorted((ROOT / "cards" / "shared").glob("*.yaml"))
    ]
    catalogue = validate.read_catalogue([d for d in documents if d is not None]).value
    source = load.read_pack(Project(root, ROOT), "scrap-circuit")
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


def printed(pack: Pack) -> Counter[str]:
    """How many copies of each kind are printed."""
    return Counter(
        {kind: sum(c.quantity for c in found) for kind, found in pack.components.items()}
    )


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


@pytest.mark.parametrize(("players", "racers"), [(2, 4), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_print_for_some_players_takes_their_racers_only(players: int, racers: int) -> None:
    outcome = checked(ROOT, players)
    assert outcome.diagnostics == ()
    count = printed(outcome.value)
    assert count["racer"] == count["standee"] == racers
    assert count["lap-marker"] == 3 * racers
    assert count["turn-sheet"] == players
    assert count["glossary-sheet"] == -(-players // 2)
    assert (count["goal-card"], count["crash-card"], count["bonus-card"]) == (16, 56, 28)
    used = [c.values["order"] for c in outcome.value.components["racer"] if c.quantity]
    assert used == list(range(1, racers + 1))


ERROR, WARNING = "error", "warning"
OPTIONS = "pack.yaml"
# file, what stands there, what stands there instead, severity, code, what is said, where: the
# file and a part of its line
CASES: list[tuple[str, str, str, str, str, str, str]] = [
    # the lane
    ("lanes.yaml", "turn: 60", "turn: 90", ERROR, "GP209", "cannot turn 90 degrees", "lanes.yaml:turn: 90"),
    ("lanes.yaml", "turn: 0", "turn: 60", ERROR, "GP209", "the straight turns 60 degrees", "lanes.yaml:id: straight"),
    # segments
    ("segments.yaml", "curve-9, number: 9", "curve-9, number: 8", ERROR, "GP208", "8 stands twice", "segments.yaml:curve-9"),
    ("segments.yaml", "curve-14, number: 14", "curve-14, number: 15", ERROR, "GP209", "has the number 15, but there are only 14", "segments.yaml:curve-14"),
    ("segments.yaml", "{id: straight-2, number: 2, lane: straight}", "{id: straight-2, number: 2, lane: curve}", ERROR, "GP209", "there are 5 segments of the lane straight, not 6", "lanes.yaml:id: straight"),
    ("segments.yaml", "{id: curve-8, number: 8, lane: curve}", "{id: curve-8, number: 8, lane: curve, boosts: [4]}", ERROR, "GP209", "a Boost mark on space 4 of 3", "segments.yaml:curve-8"),
    ("segments.yaml", "{id: curve-8, number: 8, lane: curve}", "{id: curve-8, number: 8, lane: curve, boosts: [1, 1]}", ERROR, "GP209", "two Boost marks on one space", "segments.yaml:curve-8"),
    ("boost-markers.yaml", "defaults: {copies: 6}", "defaults: {copies: 3}", WARNING, "GP210", "more than there are Boost markers", "kinds/segment.yaml:sum: {of: len(boosts)}"),
    # one of each
    ("finish-line.yaml", "  - {id: finish-line, name: Finish}", "  - {id: finish-line, name: Finish}\n  - {id: second, name: Finish}", ERROR, "GP210", "a circuit has one finish line", "kinds/finish-line.yaml:count:"),
    ("start-marker.yaml", "  - {id: start-marker, name: Start}", "  - {id: start-marker, name: Start}\n  - {id: second, name: Start}", ERROR, "GP210", "one player begins", "kinds/start-marker.yaml:count:"),
    # racers
    ("racers.yaml", "order: 6", "order: 5", ERROR, "GP208", "5 stands twice", "racers.yaml:order: 5#2"),
    ("racers.yaml", "order: 6", "order: 7", ERROR, "GP209", "Beeline is number 7 of 6 racers", "racers.yaml:order: 7"),
    ("racers.yaml", "emblem: spark", "emblem: valve", ERROR, "GP210", "two racers have the emblem valve", "racers.yaml:id: beeline"),
    ("racers.yaml", "number: 51", "number: 8", ERROR, "GP210", "two racers have the number 8", "racers.yaml:id: beeline"),
    ("racers.yaml", "ability: full-chat", "ability: apex", ERROR, "GP208", "apex stands twice", "racers.yaml:ability: apex#2"),
    (OPTIONS, "team_players: 2", "team_players: 4", ERROR, "GP210", "not enough racers for 6 players", "kinds/racer.yaml:count:"),
    ("abilities.yaml", "gives: cheaper-bonus, text: \"A bonus card costs you **# bonus markers**.\"", "gives: cheaper-bonus, text: \"Bonus cards are cheap.\"", ERROR, "GP209", "does not say its number", "abilities.yaml:id: haggler"),
    ("abilities.yaml", "number: 2, gives: cheaper-bonus", "number: 3, gives: cheaper-bonus", ERROR, "GP209", "is no less than anyone pays", "abilities.yaml:id: haggler"),
    # laps
    ("laps.yaml", "  - {id: third, number: 3, name: last lap}\n", "", ERROR, "GP210", "one lap marker for each of 3 laps", "kinds/lap.yaml:count:"),
    ("laps.yaml", "number: 3", "number: 4", ERROR, "GP209", "lap 4 is beyond the last", "laps.yaml:id: third"),
    # goal cards
    ("goal-cards.yaml", "value: 7", "value: 6", ERROR, "GP209", "a goal card has the value 6", "goal-cards.yaml:id: tow-rope"),
    ("goal-cards.yaml", "value: 7", "value: 5", ERROR, "GP210", "two goal cards have the value 5", "goal-cards.yaml:id: back-markers"),
    ("goal-cards.yaml", "value: 7,", "value: 7, copies: 5,", ERROR, "GP209", "5 goal cards of value 7, not 4", "goal-cards.yaml:id: tow-rope"),
    ("goal-cards.yaml", "movers: last-two", "movers: last", ERROR, "GP208", "'last' stands twice", "goal-cards.yaml:id: back-markers"),
    # bonus cards and markers
    ("bonus-cards.yaml", "copies: 3", "copies: 4", ERROR, "GP210", "the bonus deck has the wrong size (the sum is 29", "kinds/bonus-card.yaml:sum:"),
    ("bonus-cards.yaml", "effect: plus, spaces: 7", "effect: plus", ERROR, "GP209", "Launch needs its number of spaces", "bonus-cards.yaml:id: launch"),
    ("bonus-cards.yaml", "spaces: 7", "spaces: 9", ERROR, "GP209", "a bonus card moves 9 spaces", "bonus-cards.yaml:id: launch"),
    ("bonus-cards.yaml", "spaces: 7", "spaces: 5", ERROR, "GP210", "two bonus cards do the same, plus-5", "bonus-cards.yaml:id: launch"),
    ("bonus-markers.yaml", "copies: 17", "copies: 18", ERROR, "GP210", "too many or too few bonus markers", "kinds/bonus-marker.yaml:sum:"),
    ("boost-markers.yaml", "changes: turn,", "changes: turn, copies: 7,", ERROR, "GP209", "7 Boost markers Turn, not 6", "boost-markers.yaml:id: turn"),
    ("boost-markers.yaml", "changes: turn", "changes: reroll", ERROR, "GP208", "'reroll' stands twice", "boost-markers.yaml:id: reroll"),
    # crash decks
    ("crash-decks.yaml", 'label: "5/6"', 'label: "6/7"', ERROR, "GP207", '6/7', "crash-decks.yaml:id: fire"),
    ("crash-decks.yaml", 'label: "5/6"', 'label: "3/4"', ERROR, "GP208", "stands twice", "crash-decks.yaml:id: fire"),
    ("crash-cards.csv", "fire-back-4,fire,back-4,5", "fire-back-4,fire,back-4,6", ERROR, "GP209", "the deck 5/6 has 21 cards, not 20", "crash-decks.yaml:id: fire"),
    ("crash-cards.csv", "fire-back-4,fire,back-4,5", "fire-back-4,fire,back-6,5", ERROR, "GP210", "an effect stands twice in one deck", "crash-cards.csv:fire-back-6,"),
    ("crash-effects.yaml", "number: 3, worth: 3", "number: 3, worth: 20", WARNING, "GP209", "the deck 3/4 is no worse than the one before it", "crash-decks.yaml:id: smoke"),
    ("crash-effects.yaml", 'number: 3, worth: 3, text: "Move #."', 'number: 3, worth: 3, text: "Move on."', ERROR, "GP209", "the text and the number do not agree", "crash-effects.yaml:id: forward-3"),
    ("crash-effects.yaml", "number: 3, worth: 3, text: \"Move #.\"", "worth: 3, text: \"Move on.\"", ERROR, "GP209", "Limp home: its picture shows a number", "crash-effects.yaml:id: forward-3"),
    ("crash-effects.yaml", "moves back ##.", "moves back.", ERROR, "GP209", "the text and the second number do not agree", "crash-effects.yaml:id: forward-back"),
    ("crash-effects.yaml", "picture: push, who: active, also: other", "picture: push, who: active", ERROR, "GP209", "a second number belongs to another racer", "crash-effects.yaml:id: push-5"),
    ("crash-effects.yaml", "picture: back, who: active, number: 6", "picture: back, who: active, number: 4", ERROR, "GP210", "two crash effects are the same", "crash-effects.yaml:id: back-6"),
    # dice
    ("dice.yaml", "{number: 5}", "{number: 4}", ERROR, "GP209", "the faces are 1, 2, 3, 4, 4, 6", "dice.yaml:id: die"),
    ("dice.yaml", "count: 6", "count: 5", ERROR, "GP209", "there are 5 dice, not 6", "dice.yaml:id: die"),
    # the booklet
    ("rules.yaml", "number: 8", "number: 7", ERROR, "GP208", "7 stands twice", "rules.yaml:number: 7#2"),
]  # fmt: skip


def line_of(root: Path, where: str) -> tuple[str, int]:
    """The file and line that `file:part` names: the first that holds the part, or the nth (#n)."""
    file, _, part = where.partition(":")
    part, _, nth = part.partition("#")
    path = f"cards/scrap-circuit/{file}"
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    return path, [n for n, line in enumerate(lines, 1) if part in line][int(nth or 1) - 1]


@pytest.mark.parametrize(
    ("file", "old", "new", "severity", "code", "said", "where"),
    CASES,
    ids=[f"{case[0]}-{case[5]}" for case in CASES],
)
def test_broken_rule_is_told_at_its_line(
    file: str,
    old: str,
    new: str,
    severity: str,
    code: str,
    said: str,
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(CARDS, tmp_path / "cards" / "scrap-circuit")
    path = tmp_path / "cards" / "scrap-circuit" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = checked(tmp_path).diagnostics
    expected = line_of(tmp_path, where)
    told = [d for d in found if said in d.message]
    assert told, found
    assert all((d.severity, d.code) == (severity, code) for d in told), told
    assert expected in [(d.span.file, d.span.line) for d in told], told
    assert all(d.hint for d in told)


def test_too_many_players_for_the_racers() -> None:
    found = checked(ROOT, 8).diagnostics
    assert any("not enough racers for 8 players" in d.message for d in found)


def test_sets_print_the_cards_more_than_once(tmp_path: Path) -> None:
    shutil.copytree(CARDS, tmp_path / "cards" / "scrap-circuit")
    path = tmp_path / "cards" / "scrap-circuit" / "pack.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  sets: 1\n", "  sets: 2\n"), encoding="utf-8")
    outcome = checked(tmp_path)
    assert outcome.diagnostics == ()
    count = printed(outcome.value)
    assert (count["crash-card"], count["goal-card"], count["bonus-card"]) == (112, 32, 56)
    assert (count["boost-marker"], count["bonus-marker"]) == (36, 34)
    assert (count["segment"], count["racer"]) == (14, 6)


def test_schemas_are_those_of_the_kinds() -> None:
    for path in sorted((CARDS / "kinds").glob("*.schema.json")):
        json.loads(path.read_text(encoding="utf-8"))
        assert path.with_name(path.name.replace(".schema.json", ".yaml")).exists()
