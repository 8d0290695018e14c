"""What `benchmarks/fuzz.py` once found stays mended; and it makes the same inputs everywhere."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

if sys.platform != "linux":
    pytest.skip("inputs are run with what only Linux has", allow_module_level=True)

from fuzzing.corpus import PARTS, project
from fuzzing.findings import CASE, read_case, write_case
from fuzzing.inputs import SORTS, Input, make
from fuzzing.judging import judge, tried
from fuzzing.running import Result, Stage
from fuzzing.tally import Tally

from generator import cache
from generator.load import documents
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

FIXTURES = Path(__file__).parent / "fixtures/fuzz"
CASES = sorted(path.parent.name for path in FIXTURES.glob(f"*/{CASE}"))
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
NOT_PRINTED = [name for name in SORTS if SORTS[name].base != "printed"]
DIGESTS = """
import sys; sys.path.insert(0, sys.argv[1])
from fuzzing.inputs import make
print(*(repr(make("7", name, 3)) for name in sys.argv[2:]), sep="\\n")
"""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:  # a stage remembers what it reads, and others' too
        patch.setattr(cache, "_versions", cache._versions)
        patch.setattr(documents, "parse_yaml", documents.parse_yaml)
        patch.setattr(environment, "_translated", environment._translated)
        # It looks into no folder of the tests.
        own = vars(BoundedEnvironment.compile)["__wrapped__"]
        patch.setattr(BoundedEnvironment, "compile", own)
        made = Stage()
        yield made
        made.close()


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("case", CASES)
def test_what_was_found_stays_mended(case: str, stage: Stage) -> None:
    broken = read_case(FIXTURES / case)
    assert [fault.key for fault in judge(broken, stage.run(broken), stage)] == []


@pytest.mark.thorough
def test_another_process_makes_the_same_inputs() -> None:
    made = subprocess.run(
        [sys.executable, "-c", DIGESTS, str(BENCHMARKS), *NOT_PRINTED],
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.splitlines() == [repr(make("7", name, 3)) for name in NOT_PRINTED]


@pytest.mark.parametrize("index", range(4))
def test_a_finding_is_read_as_it_was_written(index: int, tmp_path: Path) -> None:
    broken = make("7", "tree", index)
    write_case(tmp_path, broken, ())
    assert read_case(tmp_path).project == dict(broken.project)


@pytest.fixture(scope="module")
def sound(stage: Stage) -> tuple[Input, Result]:
    broken = _whole("mini")
    return broken, stage.run(broken)


def _whole(base: str) -> Input:
    return Input("components", 0, project(base), ("check", "."), ())


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("base", ["mini", *(f"mini-{part}" for part in PARTS), "scrap"])
def test_a_project_that_is_broken_is_sound(base: str, stage: Stage) -> None:
    broken = _whole(base)
    result = stage.run(broken, in_company=True)
    assert (result.status, judge(broken, result, stage)) == (0, ()), result.err


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("changes", "sort"),
    [
        ({"status": 3, "crash": "KeyError: 'x'"}, "exit"),
        ({"status": None, "ended_by": "signal 11"}, "ended"),
        ({"err": "Traceback (most recent call last):"}, "traceback"),
        ({"cpu": 11.0}, "cpu"),
        ({"peak": 1_100_000_000}, "memory"),
        ({"err": "cards/mini/cards.yaml:999:1: error[GP201]: x"}, "place"),
        ({"err": "cards/mini/cards.yaml:2:99: error[GP201]: x"}, "place"),
        ({"err": "cards/mini/nosuch.yaml:1:1: error[GP201]: x"}, "place"),
        ({"err": "KeyError: x"}, "form"),
        ({"out": "a\x1b[31mb"}, "control"),
        ({"canary": ("opened secret.txt",)}, "canary"),
        ({"outside": ("open /etc/passwd",)}, "outside"),
        ({"written": ("+project/cards/mini/x",)}, "written"),
        ({"written": ("+canary/x",)}, "written"),
        ({"left": ("+tmp/gridpress-x",)}, "left"),
    ],
)
def test_a_fault_is_seen(
    sound: tuple[Input, Result], stage: Stage, changes: dict[str, Any], sort: str
) -> None:
    broken, result = sound
    assert sort in {fault.sort for fault in judge(broken, replace(result, **changes), stage)}


@pytest.mark.thorough
def test_a_copy_that_serves_many_counts_each_by_itself(stage: Stage) -> None:
    whole, refused = _whole("scrap"), replace(_whole("scrap"), command=("nosuch",))
    first, second = (stage.run(one, in_company=True) for one in (whole, refused))
    assert (first.status, second.status, second.out) == (0, 2, "")
    assert second.cpu < first.cpu / 2


@pytest.mark.thorough
def test_what_takes_too_much_is_judged_as_a_person_starts_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, broken = stage.run, _whole("mini-boards")

    def slow(one: Input, *, in_company: bool = False) -> Result:
        return run(one) if one.real else replace(run(one, in_company=in_company), cpu=11.0)

    monkeypatch.setattr(stage, "run", slow)
    trial = tried(broken, stage, in_company=True)
    assert (trial.broken.real, trial.faults, trial.in_company) == (True, (), frozenset())


@pytest.mark.thorough
def test_a_fault_that_goes_when_alone_is_told_apart(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, broken = stage.run, _whole("mini-boards")

    def odd(one: Input, *, in_company: bool = False) -> Result:
        return replace(run(one), err="KeyError: x" if in_company else "")

    monkeypatch.setattr(stage, "run", odd)
    trial = tried(broken, stage, in_company=True)
    assert (trial.faults, trial.in_company) == ((), {"form KeyError: x"})


def test_a_tally_counts_on(tmp_path: Path) -> None:
    first = Tally(tmp_path / "tally.json")
    for is_clean in (True, False, True):
        first.count("font", is_clean=is_clean)
    first.save()
    second = Tally(tmp_path / "tally.json")
    second.count("pdf", is_clean=True)
    assert (second.done, second.clean) == ({"font": 3, "pdf": 1}, {"font": 1, "pdf": 1})
    assert second.in_a_row == 2
