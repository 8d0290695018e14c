"""The scrap-circuit pack: it prints what its players need, and every rule on its data catches what
breaks it. Each case changes one line of the pack and names what must be said at which line."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

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


FAULTS = yaml.safe_load(
    (ROOT / "tests/fixtures/packs/scrap-circuit.yaml").read_text(encoding="utf-8")
)


def changed(root: Path, file: str, old: str, new: str) -> Path:
    """A root whose pack says something else in one file, where it first says so."""
    shutil.copytree(CARDS, root / "cards" / "scrap-circuit")
    path = root / "cards" / "scrap-circuit" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return root


def line_of(root: Path, where: str) -> tuple[str, int]:
    """The file and line that `file:part` names: the first that holds the part, or the nth (#n)."""
    file, _, part = where.partition(":")
    part, _, nth = part.partition("#")
    path = f"cards/scrap-circuit/{file}"
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    return path, [n for n, line in enumerate(lines, 1) if part in line][int(nth or 1) - 1]


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{f['file']}-{f['said']}" for f in FAULTS])
def test_broken_rule_is_told_at_its_line(
    fault: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = changed(tmp_path, fault["file"], fault["old"], fault["new"])
    monkeypatch.chdir(root)
    found = checked(root).diagnostics
    told = [d for d in found if fault["said"] in d.message]
    assert told, found
    assert {f"{d.severity}[{d.code}]" for d in told} == {fault["code"]}
    assert line_of(root, fault["at"]) in [(d.span.file, d.span.line) for d in told], told
    assert all(d.hint for d in told)


def test_too_many_players_for_the_racers() -> None:
    found = checked(ROOT, 8).diagnostics
    assert any("not enough racers for 8 players" in d.message for d in found)


def test_sets_print_the_cards_more_than_once(tmp_path: Path) -> None:
    outcome = checked(changed(tmp_path, "pack.yaml", "  sets: 1\n", "  sets: 2\n"))
    assert outcome.diagnostics == ()
    count = printed(outcome.value)
    assert (count["crash-card"], count["goal-card"], count["bonus-card"]) == (112, 32, 56)
    assert (count["boost-marker"], count["bonus-marker"]) == (36, 34)
    assert (count["segment"], count["racer"]) == (14, 6)
