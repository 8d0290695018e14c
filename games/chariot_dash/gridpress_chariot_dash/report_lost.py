"""Races in; the spaces where control was lost most as a table, and all of them as maps, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.sums import summed
from generator.tracks.courses import Course
from generator.tracks.grids import Vector
from generator.tracks.records import course_of
from generator.tracks.surfaces import Space, surface
from gridpress_chariot_dash.estimates import as_data, mean_text, share_text
from gridpress_chariot_dash.findings import Chart
from gridpress_chariot_dash.movement import Hex
from gridpress_chariot_dash.race.intervals import Estimate, mean, share
from gridpress_chariot_dash.race.results import Result
from gridpress_chariot_dash.showing import Table
from gridpress_chariot_dash.track_map import track_map

WORST: Final = 8
_RUNS: Final = 100


@dataclass(frozen=True, slots=True)
class LostAt:
    """A space in which control was lost: its cell, how often in a run, and which part of all."""

    cell: Hex
    where: str
    often: Estimate
    part: Estimate

    @property
    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "cell": list(self.cell),
            "where": self.where,
            "a_race": as_data(self.often),
            "of_all": as_data(self.part),
        }


def lost_places(result: Result, layout: Mapping[str, Any]) -> tuple[LostAt, ...]:
    """The worst spaces, the worst first."""
    runs = [Counter(run.lost) for race in result.runs for run in race]
    total = _together(runs)
    course = course_of(layout)
    spaces = surface(course).spaces
    worst = sorted(total.items(), key=lambda item: (-item[1], item[0]))[:WORST]
    found = []
    for cell, count in worst:
        often = mean([run[cell] for run in runs])
        assert often is not None, "what was lost was lost in a run"
        part = share(count, total.total())
        found.append(LostAt(cell, _where(course, spaces.get(cell)), often, part))
    return tuple(found)


def lost_table(result: Result, places: tuple[LostAt, ...]) -> Table:
    """The worst spaces in words; the numbers are those on the map."""
    rows = tuple(
        (str(n), place.where, mean_text(place.often, _RUNS), share_text(place.part))
        for n, place in enumerate(places, 1)
    )
    head = ("", "space", f"in {_RUNS} starts", "of all losses")
    title = "Where control was lost most"
    return Table(title, head, rows, "" if rows else f"nowhere, in {result.races:,} races")


def lost_maps(
    result: Result,
    places: tuple[LostAt, ...],
    layout: Mapping[str, Any],
    items: Mapping[Hex, object],
) -> Iterator[Chart]:
    """A map of all losses; one for each vehicle, too, if there are several."""
    starts = summed(one.runs for one in result.vehicles)
    total = _together(one.lost for one in result.vehicles)
    numbers: dict[Vector, int] = {place.cell: n for n, place in enumerate(places, 1)}
    note = "The numbers are those of the table: 1 is the worst space."
    drawn = _map(layout, total, starts, numbers, items)
    yield Chart("Where control was lost", drawn, note, wide=True)
    if len(result.vehicles) > 1:
        for one in result.vehicles:
            yield Chart(
                f"Where {one.vehicle} lost control", _map(layout, one.lost, one.runs, {}, items)
            )


def _together(losses: Iterable[Mapping[Hex, int]]) -> Counter[Hex]:
    total = Counter[Hex]()
    for lost in losses:
        total.update(lost)
    return total


def _map(
    layout: Mapping[str, Any],
    lost: Mapping[Hex, int],
    starts: int,
    numbers: Mapping[Vector, int],
    items: Mapping[Hex, object],
) -> str:
    heat: dict[Vector, float] = {cell: _RUNS * count / starts for cell, count in lost.items()}
    words = f"times control was lost there in {_RUNS} starts"
    return track_map(layout, heat, words, lambda v: f"{v:.3g}", numbers, frozenset(items))


def _where(course: Course, space: Space | None) -> str:
    """Which piece, lane and step."""
    if space is None:
        return "off the track"
    laid = course.tiles[space.tile - 1]
    return f"piece {laid.number} ({laid.tile.call}), lane {space.lane + 1}, step {space.step + 1}"
