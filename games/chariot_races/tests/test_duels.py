"""Comparisons of two vehicles, on made-up races."""

import math
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from gridpress_chariot_races.comparison import (
    LEAST,
    Duel,
    Score,
    duel,
    is_known,
    mean_scores,
    score,
    sequence,
    verdict,
)
from gridpress_chariot_races.race.simulation import Run


def run(vehicle: int, place: int, rounds: int, finished: bool = True) -> Run:
    return Run(
        vehicle,
        1,
        place,
        finished,
        not finished,
        rounds,
        26.0,
        30,
        2,
        1,
        12,
        0,
        1,
        0,
        place == 1,
        (),
    )


def test_a_score_counts_places_wins_and_rounds_a_lap() -> None:
    first = [run(0, 1, 20), run(1, 2, 24), run(0, 3, 26), run(1, 4, 28)]
    second = [run(1, 1, 20), run(0, 2, 20), run(1, 3, 21), run(0, 4, 30, finished=False)]
    # a place ahead in the first race, a place behind in the second
    assert score([first, second], laps=2) == Score((1 - 1) / 2, 0.0, (2 + 0) / 2)
    assert score([first], laps=2) == Score(1.0, 0.5, 2.0)


def test_places_are_those_of_a_field_of_four() -> None:
    duo = [run(0, 1, 20), run(1, 2, 24)]
    six = [run(n % 2 if n else 0, n + 1, 20) for n in range(6)]
    assert score([duo], 1).places == 2.0
    assert (
        score([[run(0, p, 9) for p in (1, 2, 3)] + [run(1, p, 9) for p in (4, 5, 6)]], 1).places
        == 2
    )
    assert 0 < score([six], 1).places < 2


def test_a_draw_is_shared_by_those_who_are_first() -> None:
    """In a draw of two wrecks neither wins (CD-9)."""
    draw = [run(0, 1, 9, finished=False), run(1, 1, 9, finished=False)]
    assert score([draw], 1).wins == 0
    four = [run(0, 1, 9), run(0, 1, 9), run(1, 3, 9), run(1, 4, 9)]
    assert score([four], 1).wins == 0.5


def looks(seed: int, ahead: float, batches: int = 40) -> Iterator[Sequence[Score]]:
    luck = Random(seed)
    for _ in range(batches):
        yield [
            Score(luck.gauss(ahead, 1), luck.gauss(ahead / 4, 0.4), luck.gauss(ahead, 2))
            for _ in range(25)
        ]


def test_equal_vehicles_are_hardly_ever_told_apart_however_often_one_looks() -> None:
    answers = [duel(looks(seed, 0.0)) for seed in range(40)]
    assert sum(not answer.within_noise for answer in answers) <= 4  # 5 % of 40, with some luck


def test_the_better_one_is_found_and_the_sooner_the_better_it_is() -> None:
    clear, close = duel(looks(1, 0.8)), duel(looks(1, 0.25))
    assert (clear.better, close.better) == (1, 1)
    assert len(clear.scores) < len(close.scores)
    assert duel(looks(1, -0.8)).better == -1


def test_an_interval_narrows_and_of_few_nothing_is_said() -> None:
    luck = Random(3)
    values = [luck.gauss(0.2, 1) for _ in range(1000)]
    few, many = sequence(values[:50]), sequence(values)
    assert few.high - few.low > many.high - many.low
    assert sequence([]).high == sequence([1.0]).high == math.inf
    same = mean_scores([Score(1.0, 0.5, 1.0)] * (LEAST - 1))
    assert not is_known(same)


@pytest.mark.parametrize(
    ("places", "wins", "said"),
    [
        (0.0, 0.0, "The difference between A and B is within noise, in places, wins and rounds."),
        (0.5, 0.2, "A is better than B, in places and wins; rounds are within noise."),
        (-0.5, -0.2, "B is better than A, in places and wins; rounds are within noise."),
        (0.5, -0.2, "A and B differ, and each is better in something: A in places, B in wins."),
    ],
)
def test_the_answer_is_of_all_three(places: float, wins: float, said: str) -> None:
    scores = [Score(places + by, wins + by / 10, by) for by in (-0.1, 0.1)] * 200
    found = Duel(mean_scores(scores), tuple(scores), stopped=True)
    first, *rest = verdict(found, "A", "B")
    assert first == said
    assert [line.partition(":")[0] for line in rest] == ["Places", "Wins", "Rounds"]
    way = "behind" if places < 0 else "ahead of"
    assert f"A finishes {abs(places):.2f}" in rest[0]
    assert f"places {way} B" in rest[0]
