"""Faults that `benchmarks/fuzz.py` found stay fixed, and it detects each sort of fault."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("cases run with what only Linux has", allow_module_level=True)

import fuzz
from fuzzing.cases import KINDS, Case
from fuzzing.judging import Fault, judge, tried
from fuzzing.projects import project
from fuzzing.running import Result, Stage

FIXTURES = Path(__file__).parent / "fixtures/fuzz"
FOUND = sorted(path.parent.name for path in FIXTURES.glob("*/case.json"))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    base = tmp_path_factory.getbasetemp()  # where tests keep what they compile
    made = Stage(base, base.parent)
    yield made
    made.close()


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_stays_fixed(name: str, stage: Stage) -> None:
    _, faults = tried(fuzz.read_case(FIXTURES / name), stage)
    assert [fault.key for fault in faults] == []


@pytest.fixture(scope="module", params=["mini", "scrap"])
def sound(request: pytest.FixtureRequest, stage: Stage) -> tuple[Case, Result]:
    case = Case("components", project(request.param), ("check", "."), ())
    return case, stage.run(case)


def test_a_project_that_is_broken_is_sound(sound: tuple[Case, Result], stage: Stage) -> None:
    case, result = sound
    assert (result.status, judge(case, result, stage)) == (0, ()), result.err


@pytest.mark.parametrize("sound", ["mini"], indirect=True)
@pytest.mark.parametrize(
    ("changes", "sort"),
    [
        ({"status": 3, "crash": "KeyError: 'x'"}, "bug"),
        ({"status": None, "ended_by": "signal 11"}, "ended"),
        ({"err": "Traceback (most recent call last):"}, "traceback"),
        ({"err": "KeyError: x"}, "exception"),
        ({"cpu": 11.0}, "cpu"),
        ({"peak": 1_100_000_000}, "memory"),
        ({"status": 1, "out": "", "err": ""}, "silent"),
        ({"err": "cards/mini/cards.yaml:999:1: error[GP201]: x"}, "place"),
        ({"err": "cards/mini/cards.yaml:2:99: error[GP201]: x"}, "place"),
        ({"err": "cards/mini/nosuch.yaml:1:1: error[GP201]: x"}, "place"),
        ({"out": "a\x1b[31mb"}, "control"),
        ({"out": "c4n4ry-in-the-coal-mine"}, "canary"),
        ({"outside": ("open /etc/passwd",)}, "outside"),
        ({"written": ("+project/cards/mini/x",)}, "written"),
        ({"written": ("-project/cards/mini/cards.yaml",)}, "written"),
        ({"written": ("+canary/x",)}, "written"),
        ({"left": True}, "left"),
    ],
)
def test_a_fault_is_seen(
    sound: tuple[Case, Result], stage: Stage, changes: dict[str, Any], sort: str
) -> None:
    case, result = sound
    assert sort in {fault.sort for fault in judge(case, replace(result, **changes), stage)}


@pytest.mark.parametrize("kind", ["font", "template", "tree", "workbook"])
def test_a_finding_is_made_small_and_written(
    kind: str, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(case: Case, stage: Stage) -> tuple[Result, tuple[Fault, ...]]:
        nothing = Result(0, "", 0, 0, "", "", "", (), (), False)
        sound = project(KINDS[kind].base)
        is_other = any(case.project.get(path) != content for path, content in sound.items())
        return nothing, (Fault("bug", kind),) if is_other else ()

    monkeypatch.setattr(fuzz, "tried", judged)
    assert fuzz.Campaign(stage, 5, tmp_path).run([kind], "7", most=1) == 1
    found = fuzz.read_case(tmp_path / f"bug-{kind}")
    assert found.kind == kind
    assert judged(found, stage)[1]
