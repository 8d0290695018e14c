"""The joust-racers pack: it prints what its players need, racers add up, and every rule on its data
catches what breaks it. Each case changes one line of the pack and names what must be said at which
line."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

from generator import load, validate
from generator.cli import run
from generator.diagnostics import Outcome
from generator.model.pack import Pack
from generator.project import Project

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "cards" / "joust-racers"
SPECIES = {"brock", "karkin", "lunet", "tock", "mire"}
COLUMNS = ("speed", "reflexes", "handling", "armor", "ram", "valor")


def checked(root: Path, players: int | None = None) -> Outcome[Pack]:
    """The pack under a root, validated; pictures are not looked for."""
    documents = [
        load.read_document(path, path.name).value
        for path in sorted((ROOT / "cards" / "shared").glob("*.yaml"))
    ]
    catalogue = validate.read_catalogue([d for d in documents if d is not None]).value
    source = load.read_pack(Project(root, ROOT), "joust-racers")
    assert source.value is not None
    assert catalogue is not None
    outcome = validate.check_pack(source.value, catalogue, players=players)
    return Outcome(outcome.value, (*source.diagnostics, *outcome.diagnostics))


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
    assert spelled["Protection Ram 2"] == "**+2** Armor against Ram."
    assert spelled["Repair 1"].endswith("above **1** you regain **1** Durability.")
    assert spelled["Attuned Prism 1"] == "**+1** Strength with weapons of Prism."
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
    outcome = checked(ROOT, players)
    assert outcome.diagnostics == ()
    count = printed(outcome.value)
    assert count["waypoint"] == players + 1
    numbers = [c.values["number"] for c in outcome.value.components["waypoint"] if c.quantity]
    assert numbers == list(range(1, players + 2))
    assert count["racer"] == count["racer-token"] == count["turn-sheet"] == players
    assert count["ruler"] == -(-players // 2)
    assert count["part-card"] == 20
    assert count["falcon"] == len(SPECIES)
    blockers = {c.id: c.quantity for c in outcome.value.components["blocker"]}
    assert blockers == {
        "hay-cart": players, "toll-booth": -(-players // 2), "gate-tower": -(-players // 3),
    }  # fmt: skip


def test_too_many_players_for_the_waypoints_and_racers() -> None:
    said = [d.message for d in checked(ROOT, 9).diagnostics]
    assert any("9 players need waypoints 1 to 10" in message for message in said)
    assert any("not enough racers for 9 players" in message for message in said)


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


def test_a_new_racer_passes_the_check_and_is_printed_for_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(CARDS, tmp_path / "cards" / "joust-racers")
    shutil.copytree(ROOT / "templates/joust-racers", tmp_path / "templates/joust-racers")
    assert run(["new", "racer", "red-hot", "--in", str(tmp_path)]) == 0
    assert run(["check", str(tmp_path), "--strict"]) == 0
    racer = next(c for c in checked(tmp_path).value.components["racer"] if c.id == "red-hot")
    assert (racer.values["name"], racer.quantity, racer.values["perfect"]) == ("Red Hot", 1, True)
    lines = (tmp_path / "cards/joust-racers/racers/red-hot.yaml").read_text("utf-8").splitlines()
    assert sum("#" in line for line in lines) > 6


FAULTS = yaml.safe_load((ROOT / "tests/fixtures/packs/joust-racers.yaml").read_text("utf-8"))


def changed(root: Path, file: str, old: str, new: str) -> Path:
    """A root whose pack says something else in one file, where it first says so."""
    shutil.copytree(CARDS, root / "cards" / "joust-racers")
    path = root / "cards" / "joust-racers" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return root


def line_of(root: Path, where: str) -> tuple[str, int]:
    """The file and line that `file:part` names: the first that holds the part, or the nth (#n)."""
    file, _, part = where.partition(":")
    part, _, nth = part.partition("#")
    path = f"cards/joust-racers/{file}"
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
