"""The worth of changes, and tuning, on made-up races."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from arenas import empty_oval
from chariots import components
from gridpress_chariot_dash.account import OnTrack, Worth, account, worth_by_change
from gridpress_chariot_dash.tweaks import Plain, Tweak, every, vehicle_of
from gridpress_chariot_races.race import simulation
from gridpress_chariot_races.race.layout import RUN_DTYPE
from gridpress_chariot_races.race.setup import arena_of
from gridpress_chariot_races.race.simulation import Event, HeatTask, Meet
from gridpress_chariot_races.worth import (
    ENDED,
    KEPT,
    SOME,
    Measuring,
    Trials,
    as_yaml,
    likeness,
    measured,
    promising,
    tuned,
)
from msgspec.structs import replace
from scenes import known

from generator.build import Order, open_pack
from generator.cache import Cache
from generator.project import Project, Target

BASIC = {"control_minimum": 0, "specials": [], "traits": [], **components("vehicles.yaml")[0]}
PLAIN = vehicle_of(BASIC)


def declared(file: str, **more: Any) -> list[dict[str, Any]]:
    return [{**more, **one} for one in components(file)]


PACK = {
    "trait": declared("traits.yaml", number="needed"),
    "special": declared("specials.yaml", number="none"),
    "damage-effect": declared("effects.yaml", number="none", names="none"),
    "stamina-effect": declared("stamina-effects.yaml"),
}
TWEAKS = list(every(PACK))


def named(name: str) -> Tweak:
    return next(tweak for tweak in TWEAKS if tweak.id == name)


def test_what_cannot_be_made_is_not() -> None:
    assert named("control-0-fewer").made(PLAIN) is None
    assert named("moves-1-2-fewer").made(PLAIN) is None
    assert named("acceleration-0-fewer").made(PLAIN) is None
    safe = named("control-3-fewer").made(PLAIN)
    assert safe is not None
    assert safe["control"][3] == "safe"


def made_up(meets: Sequence[Meet], tasks: Sequence[HeatTask], _jobs: int) -> Iterator[Any]:
    """Yield races decided by the fastest row or the grid."""
    for which, heats in tasks:
        speeds = meets[which].vehicles["moves"][:, 6].sum(axis=1)[heats.lineups]
        field = speeds.shape[1]
        lots = (np.arange(field) + heats.numbers[:, None] // field) % field
        order = np.argsort(lots - 100 * speeds, axis=1)
        runs = np.zeros(speeds.shape, RUN_DTYPE)
        runs["place"] = np.argsort(order, axis=1) + 1
        runs["won"], runs["finished"], runs["rounds"] = runs["place"] == 1, 1, 40 - speeds
        yield runs


@pytest.fixture
def how(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Measuring:
    monkeypatch.setattr(simulation, "relay", made_up)
    return Measuring({"oval": Event(empty_oval(), known())}, 40, 1, Cache(tmp_path))


def test_a_hex_more_is_worth_places_and_rounds_and_a_whip_nothing(how: Measuring) -> None:
    faster, slower, same = measured(
        PLAIN, [named("moves-6-1-more"), named("moves-6-1-fewer"), named("whip-more")], how
    )
    assert faster.places == pytest.approx(1.5)  # first instead of 2.5th
    assert slower.places == pytest.approx(-1.5)
    assert (faster.rounds, same.rounds) == (1, 0)
    assert faster.is_sure
    assert (same.places, same.is_sure) == (0, False)


def test_what_was_measured_is_kept_and_not_raced_again(
    how: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = list(measured(PLAIN, [named("moves-6-1-more")], how))
    monkeypatch.setattr(simulation, "relay", raced_again)
    assert list(measured(PLAIN, [named("moves-6-1-more")], how)) == first
    with pytest.raises(AssertionError, match="again"):
        list(measured(PLAIN, [named("moves-6-1-more")], how._replace(races=44)))


def test_worth_on_several_tracks_is_the_mean_and_what_hangs_on_the_track_is_told(
    how: Measuring,
) -> None:
    event = how.events["oval"]
    both = how._replace(events={"oval": event, "again": replace(event, seed=2)})
    [found] = measured(PLAIN, [named("moves-6-1-more")], both)
    [alone] = measured(PLAIN, [named("moves-6-1-more")], how)
    assert [on.track for on in found.tracks] == ["oval", "again"]
    assert (found.places, found.of) == (alone.places, 80)
    assert found.places_error == pytest.approx(alone.places_error / 2**0.5, abs=0.001)
    assert found.apart is None
    assert [on.track for on in alone.tracks] == ["oval"]
    tracks = OnTrack("oval", 0.1, 0.2), OnTrack("fox", 0.5, 0.1), OnTrack("pit", -0.4, 0.2)
    apart = replace(found, tracks=tracks).apart
    assert apart == (tracks[2], tracks[1])
    [read] = worth_by_change(yaml.safe_load(as_yaml([found], ""))["components"]).values()
    assert read == found


def raced_again(*_: object) -> Iterator[Any]:
    raise AssertionError("again")


@pytest.mark.usefixtures("ready")
def test_the_shipped_table_is_of_the_engine_and_the_changes_as_they_are() -> None:
    """If it fails, renew the table as docs/vehicles.md says."""
    found = worth_by_change(components("worth.yaml")).values()
    named_so = {one.id: one.name.replace("[[", "").replace("]]", "") for one in found}
    assert named_so == {t.id: t.name for t in TWEAKS if t.made(PLAIN) is not None}
    root = Path(__file__).parents[3]
    told = (root / "cards/chariot-dash/worth.yaml").read_text("utf-8")
    [ended] = re.findall(rf"{ENDED}(\w+)", told)
    pack = open_pack(Target(Project(root, root), "chariot-dash"), Order()).value
    assert pack is not None
    known = {kind: [c.values for c in of] for kind, of in pack.pack.components.items()}
    measured_on = dict.fromkeys(on.track for one in found for on in one.tracks)
    tracks = [next(t for t in known["track"] if t["id"] == name) for name in measured_on]
    basic = vehicle_of(known["vehicle"][0])
    assert likeness(basic, [Event(arena_of(track), known) for track in tracks]) == ended


def test_differences_are_told_by_the_table_with_what_they_add_up_to() -> None:
    one = Worth("whip-more", "cards", "1 Whip more", 0.2, 0.05, 0.1, 0.02, 400)
    table = {"whip-more": one, "trait-tank-1": replace(one, id="trait-tank-1", places=0.5)}
    own: Plain = {**PLAIN, "whip": 5, "reins": 2, "traits": [{"trait": "tank", "number": 1}]}
    told = account(own, PLAIN, table)
    assert [(part.name, part.times) for part in told.parts if part.worth] == [
        ("1 Whip more", 1),
        ("1 Whip more", 2),
    ]
    assert told.places == pytest.approx(0.9)
    less = account({**PLAIN, "whip": 2}, PLAIN, table)
    assert less.places == pytest.approx(-0.2)
    assert less.parts[0].name == "not 1 Whip more"


def test_tuning_proposes_what_comes_nearest_and_names_the_biggest_lever(how: Measuring) -> None:
    trials = Trials(how.events["oval"], [PLAIN] * 3, 40, 1)
    changes = [named(n) for n in ("whip-more", "moves-6-1-more", "moves-6-1-fewer")]
    fast = named("moves-6-3-more").made(PLAIN)
    assert fast is not None
    found = tuned(fast, changes, 1.0, trials, most=1)
    assert found.now.value == pytest.approx(4.0)
    assert [tweak.id for tweak in found.proposals[0].changes] == ["moves-6-1-fewer"]
    assert found.proposals[0].ratio.value == pytest.approx(1.0)
    assert found.lever is not None
    assert found.lever.changes == found.proposals[0].changes


def test_tuning_tries_what_leads_the_right_way_and_what_nothing_is_known_of() -> None:
    known = worth_by_change(components("worth.yaml"))
    changes = [*TWEAKS, replace(TWEAKS[0], id="trait-own-1")]
    for gain in (True, False):
        tried = promising(changes, known, gain=gain)
        right = [t for t in tried if t.id in known and (known[t.id].places > 0) == gain]
        assert 30 <= len(right) <= len(tried) - 1
        assert len([t for t in tried if t.id in known]) <= SOME + KEPT
        assert "trait-own-1" in {t.id for t in tried}
    largest = max(known.values(), key=lambda one: abs(one.places))
    assert largest.id in {t.id for t in promising(TWEAKS, known, gain=largest.places < 0)}
    assert promising(TWEAKS, {}, gain=True) == TWEAKS
