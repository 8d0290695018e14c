"""Reports of races and time trials: tables, charts, and a map of where control was lost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from gridpress_chariot_dash.declared import Components, Values
from gridpress_chariot_dash.findings import Chart, Table, mean_text, stacks, two_decimals, whiskers
from msgspec import Struct

from generator.geometry import Point, summed
from generator.tracks import (
    GRIDS,
    Course,
    Space,
    Vector,
    course_of,
    path_point,
    port_heading,
    surface,
)
from gridpress_chariot_races.race import layout
from gridpress_chariot_races.race.setup import Hex, arena_of
from gridpress_chariot_races.race.simulation import (
    Estimate,
    Event,
    Result,
    Summary,
    mean,
    simulate,
    time_trials,
    wilson_share,
)
from gridpress_chariot_races.reports import (
    Running,
    SimulationReport,
    as_data,
    ratio_text,
    share_text,
)

PLACES: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")
SHADES: Final = ("#6d2315", "#b25a2b", "#dba45c", "#f0e0bd", "#d9d4c8", "#a9a294")
_MEANS: Final = {
    "spaces": "spaces",
    "cards": "cards spent",
    "rolls": "control rolls",
    "control_lost": "control lost",
    "damage": "damage",
    "collisions": "collisions",
    "attacks": "attacks",
    "progress": "spaces down the track",
    "score": "points",
}
"""Means in a summary, with their words."""


def is_racing(result: Result) -> bool:
    """Tell whether vehicles raced each other."""
    return any(len(race) > 1 for race in result.runs)


def race_tables(result: Result) -> Iterator[Table]:
    """Yield tables of places, pace, trouble and contact."""
    ranked = _ranked(result)
    if is_racing(result):
        yield _order(ranked)
        yield _places(ranked, _most(result))
    trouble = ["rolls", "control_lost", "damage"]
    yield _pace(ranked, result)
    yield Table(
        "Trouble in a race",
        ("", "wiped out", *map(_MEANS.__getitem__, trouble)),
        tuple((one.vehicle, share_text(one.wiped_out), *_means(one, trouble)) for one in ranked),
    )
    contact = ["collisions", "attacks"] if is_racing(result) else ["collisions"]
    yield Table(
        "Contact in a race",
        ("", *map(_MEANS.__getitem__, contact)),
        tuple((one.vehicle, *_means(one, contact)) for one in ranked),
    )


def _pace(ranked: list[Summary], result: Result) -> Table:
    means = ["spaces", "cards"]
    columns: tuple[str, ...] = ("finished", "rounds a lap")
    rows: list[tuple[str, ...]] = [
        (share_text(one.finished), mean_text(one.rounds_per_lap)) for one in ranked
    ]
    if not result.race.is_for_laps:
        means = ["progress", *means]
        columns, rows = (), [()] * len(ranked)
    if result.race.kind == layout.SCORING:
        means = ["score", *means]
    return Table(
        "Pace of a race",
        ("", *columns, *map(_MEANS.__getitem__, means)),
        tuple(
            (one.vehicle, *row, *_means(one, means)) for one, row in zip(ranked, rows, strict=True)
        ),
    )


def _means(one: Summary, names: Iterable[str]) -> Iterator[str]:
    return (mean_text(getattr(one, name)) for name in names)


def charts(result: Result) -> Iterator[Chart]:
    """Yield charts of wins, places and rounds."""
    ranked = _ranked(result)
    if is_racing(result):
        wins = {
            one.vehicle: tuple(part / one.expected_wins for part in one.wins[:3]) for one in ranked
        }
        yield Chart(
            "Wins, as multiples of the fair share",
            whiskers(_dots(wins), lambda value: f"×{two_decimals(value)}", (1.0, "fair share")),
            "A vehicle whose line reaches the fair share may well be just as good as the rest.",
        )
        most = _most(result)
        rows = {
            one.vehicle: [one.places.get(place, 0) / one.runs for place in range(1, most + 1)]
            for one in ranked
        }
        yield Chart("Places", stacks(rows, PLACES[:most], SHADES[:most]))
    rounds = {one.vehicle: tuple(one.rounds_per_lap[:3]) for one in ranked if one.rounds_per_lap}
    if rounds:
        yield Chart(
            "Rounds a lap, of those that finished",
            whiskers(_dots(rounds), two_decimals),
            "Fewer are better.",
        )


def result_data(result: Result) -> dict[str, Any]:
    """Return everything except the single runs."""
    return {
        "track": result.arena,
        "type": result.race.name,
        "laps": result.race.laps,
        "teams": result.race.teams,
        "races": result.races,
        "seed": result.seed,
        "vehicles": [_summary_data(one) for one in result.vehicles],
    }


def _summary_data(one: Summary) -> dict[str, Any]:
    names = ("wins", "finished", "wiped_out", "place", "rounds", "rounds_per_lap", *_MEANS)
    return {
        "vehicle": one.vehicle,
        "runs": one.runs,
        "fair_share": one.expected_wins,
        **{name: as_data(getattr(one, name)) for name in names},
        "places": {
            str(place): as_data(wilson_share(count, one.runs))
            for place, count in sorted(one.places.items())
        },
    }


def _order(ranked: list[Summary]) -> Table:
    rows = tuple(
        (
            one.vehicle,
            share_text(one.wins),
            ratio_text(one.wins, one.expected_wins),
            mean_text(one.place),
        )
        for one in ranked
    )
    return Table(
        "Finishing order", ("", "wins, of its starts", "of the fair share", "mean place"), rows
    )


def _places(ranked: list[Summary], most: int) -> Table:
    rows = tuple(
        (
            one.vehicle,
            *(
                share_text(wilson_share(one.places.get(place, 0), one.runs))
                for place in range(1, most + 1)
            ),
        )
        for one in ranked
    )
    return Table("Places", ("", *PLACES[:most]), rows)


def _ranked(result: Result) -> list[Summary]:
    """Return the best first: by wins, by distance, or by rounds a lap."""
    if is_racing(result):
        return sorted(result.vehicles, key=lambda one: (-one.wins.value, one.place.value))
    if not result.race.is_for_laps:
        return sorted(result.vehicles, key=lambda one: -one.progress.value)
    return sorted(
        result.vehicles,
        key=lambda one: one.rounds_per_lap.value if one.rounds_per_lap else math.inf,
    )


def _most(result: Result) -> int:
    return max(len(race) for race in result.runs)


def _dots(rows: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, float, float]]:
    return {name: (value, low, high) for name, (value, low, high) in rows.items()}


def raced(
    vehicles: Sequence[Values], track: Values, components: Components, running: Running
) -> SimulationReport:
    """Run races of vehicles, or time trials of each, and report them.

    Raises ValueError like `arena_of`, and for too many vehicles at a time.
    """
    arena, entered = arena_of(track), entered_of(vehicles)
    field = len(entered) if running.field is None else running.field
    event = Event(arena, components, running.race, running.seed, running.driver)
    if field == 1:
        result = time_trials(entered, event, running.races, running.jobs, running.progress)
    else:
        result = simulate(entered, event, running.races, field, running.jobs, running.progress)
    names = [str(one["name"]) for one in entered]
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} vehicles"
    places = lost_places(result, track["layout"])
    return SimulationReport(
        f"{who} on {arena.name}",
        (_what(result, field),),
        (*race_tables(result), lost_table(result, places)),
        (*charts(result), *lost_maps(result, places, track["layout"], arena.items)),
        {**result_data(result), "lost": [place.data for place in places]},
    )


def entered_of(vehicles: Sequence[Values]) -> list[Values]:
    """Return the vehicles with different names."""
    names = [str(values["name"]) for values in vehicles]
    before = [names[:n].count(name) for n, name in enumerate(names)]
    return [
        {**values, "name": f"{name} ({same + 1})" if same else name}
        for values, name, same in zip(vehicles, names, before, strict=True)
    ]


def _what(result: Result, field: int) -> str:
    if field == 1:
        each = " of each vehicle" if len(result.vehicles) > 1 else ""
        runs = result.vehicles[0].runs
        what = f"{runs:,} time trial{'' if runs == 1 else 's'}{each}, {result.race}"
    else:
        everybody = field == len(result.vehicles)
        drawn = "all vehicles" if everybody else "drawn by lot for each race"
        races = f"{result.races:,} race{'' if result.races == 1 else 's'}"
        what = f"{races} of {result.race}, {field} at a time, {drawn}"
    return f"{what}; seed {result.seed}. Every number comes with its 95% interval."


LayoutRecord = Mapping[str, Any]

GROUND: Final = "#e4d9bf"
EDGE: Final = "#b3a583"
ROAD: Final = "#fbf6ea"
SEAM: Final = "#d8cbab"
INK: Final = "#1f1a17"
HEAT: Final = ("#fbf6ea", "#f5d58a", "#e59a45", "#bf4a26", "#6a1512")
"""From none to the most, each darker than the last so that they differ in grey."""
_FOOT: Final = 0.085
"""The height of the legend and of its letters, relative to the map's width."""
_LETTER: Final = 0.018


class Spot(Struct, frozen=True):
    """The middle of a space, mm, and the direction of its tile."""

    middle: Point
    ahead: Point


def spots(layout: LayoutRecord) -> dict[Vector, Spot]:
    """Return every space by cell, the first one if tiles overlap."""
    found: dict[Vector, Spot] = {}
    for entry, laid in zip(layout["tiles"], course_of(layout).tiles, strict=True):
        ahead = port_heading(entry["entry"])
        for points, cells in zip(entry["lanes"], laid.piece.lanes, strict=True):
            for (x, y), cell in zip(points, cells, strict=True):
                found.setdefault(laid.on_table(cell), Spot(Point(x, y), ahead))
    return found


def heat_map(
    layout: LayoutRecord,
    heat: Mapping[Vector, float],
    words: str,
    told_as: Callable[[float], str],
    numbers: Mapping[Vector, int] | None = None,
    lying: frozenset[Vector] = frozenset(),
) -> str:
    """Draw the map as SVG.

    heat: value by cell. words: text of the legend, whose numbers `told_as` formats. numbers: rows
    of the table, by cell. lying: cells with an item.
    """
    most = max(heat.values(), default=0.0)
    known = spots(layout)
    cells = "".join(
        _cell(layout, spot, heat.get(cell, 0.0), most, told_as) for cell, spot in known.items()
    )
    radius = layout["pitch"]
    items = "".join(_item(known[cell].middle, radius) for cell in sorted(lying & set(known)))
    named = (numbers or {}).items()
    labels = "".join(_number(known[cell].middle, radius, number) for cell, number in named)
    width, height = layout["width"], layout["height"]
    foot = _foot(layout, most, words, told_as, has_items=bool(items))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="-4 -4 {width + 8:.1f} {height + 12 + width * _FOOT:.1f}">'
        f"{''.join(_grounds(layout))}{cells}{''.join(_finishes(layout))}{items}"
        f"{''.join(_arrows(layout))}{labels}{foot}</svg>"
    )


def heat_colour(part: float) -> str:
    """Return the colour for 0 to 1, between the steps of `HEAT`."""
    place = max(0.0, min(part, 1.0)) * (len(HEAT) - 1)
    step = min(int(place), len(HEAT) - 2)
    low, high = (_rgb(HEAT[n]) for n in (step, step + 1))
    mixed = (round(a + (b - a) * (place - step)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[n : n + 2], 16) for n in (1, 3, 5))


def _grounds(layout: LayoutRecord) -> Iterator[str]:
    for tile in layout["tiles"]:
        yield f'<path d="{tile["outline"]}" fill="{GROUND}" stroke="{EDGE}" stroke-width="1.2"/>'


def _cell(
    layout: LayoutRecord, spot: Spot, value: float, most: float, told_as: Callable[[float], str]
) -> str:
    turns = GRIDS[layout["grid"]].turns
    far = layout["pitch"] / 2 / math.cos(math.pi / turns)
    first = math.atan2(spot.ahead.y, spot.ahead.x) + math.pi / turns
    corners = (
        spot.middle.moved(
            far * math.cos(first + n * math.tau / turns),
            far * math.sin(first + n * math.tau / turns),
        )
        for n in range(turns)
    )
    title = f"<title>{escape(told_as(value))}</title>" if value else ""
    fill = heat_colour(value / most) if value else ROAD
    points = "L".join(map(path_point, corners))
    return f'<path d="M{points}Z" fill="{fill}" stroke="{SEAM}" stroke-width=".9">{title}</path>'


def _finishes(layout: LayoutRecord) -> Iterator[str]:
    for tile in layout["tiles"]:
        if not tile["finish"]:
            continue
        left, right = (Point(x, y) for x, y in tile["entry"])
        ahead = port_heading(tile["entry"])
        across = Point(right.x - left.x, right.y - left.y)
        number = max(6, round(math.hypot(across.x, across.y) / 5))
        for row in range(2):
            for n in range(number):
                start = left.moved(across.x * n / number, across.y * n / number)
                start = start.moved(ahead.x * 5 * row, ahead.y * 5 * row)
                dx, dy = across.x / number, across.y / number
                corners = (
                    start,
                    start.moved(dx, dy),
                    start.moved(dx + ahead.x * 5, dy + ahead.y * 5),
                    start.moved(ahead.x * 5, ahead.y * 5),
                )
                fill = INK if (row + n) % 2 else "#ffffff"
                yield f'<path d="M{"L".join(map(path_point, corners))}Z" fill="{fill}"/>'


def _arrows(layout: LayoutRecord) -> Iterator[str]:
    for tile in layout["tiles"]:
        left, right = (Point(x, y) for x, y in tile["exit"])
        middle, ahead = left.halfway(right), port_heading(tile["exit"])
        corners = (
            middle.moved(7 * (ahead.x * u - ahead.y * v), 7 * (ahead.y * u + ahead.x * v))
            for u, v in ((-0.5, 0.8), (0.5, 0.0), (-0.5, -0.8))
        )
        yield (
            f'<path d="M{"L".join(map(path_point, corners))}" fill="none" stroke="{INK}" '
            'stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/>'
        )


def _item(middle: Point, pitch: float) -> str:
    side = pitch * 0.17
    x, y = middle.x, middle.y
    return (
        f'<path d="M{x - side:.1f} {y - side:.1f}l{2 * side:.1f} {2 * side:.1f}m0 {-2 * side:.1f}'
        f'l{-2 * side:.1f} {2 * side:.1f}" stroke="{INK}" stroke-width="2.6" '
        'stroke-linecap="round"/>'
    )


def _number(middle: Point, pitch: float, number: int) -> str:
    size = pitch * 0.52
    return (
        f'<circle cx="{middle.x:.1f}" cy="{middle.y:.1f}" r="{pitch * 0.36:.1f}" fill="#fff" '
        f'stroke="{INK}" stroke-width="1.2"/><text x="{middle.x:.1f}" '
        f'y="{middle.y + size * 0.36:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'font-weight="bold" font-family="inherit" fill="{INK}">{number}</text>'
    )


def _foot(
    layout: LayoutRecord,
    most: float,
    words: str,
    told_as: Callable[[float], str],
    *,
    has_items: bool,
) -> str:
    width, size = layout["width"], layout["width"] * _LETTER
    top = layout["height"] + 6 + size
    bar, high = width * 0.3, size * 0.9
    steps = 30
    parts = [
        f'<rect x="{bar * n / steps:.2f}" y="{top:.1f}" width="{bar / steps + 0.3:.2f}" '
        f'height="{high:.1f}" fill="{heat_colour(n / (steps - 1))}"/>'
        for n in range(steps)
    ]
    parts.append(
        f'<rect y="{top:.1f}" width="{bar:.1f}" height="{high:.1f}" fill="none" stroke="{EDGE}"/>'
    )
    below = top + high + size * 1.15

    def text(x: float, y: float, said: str, anchor: str = "start") -> str:
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" '
            f'font-family="inherit" fill="currentColor">{escape(said)}</text>'
        )

    parts.append(text(0, below, told_as(0.0)))
    parts.append(text(bar, below, told_as(most), "end"))
    parts.append(text(bar + size, top + high * 0.85, words))
    if has_items:
        parts.append(_item(Point(bar + size * 1.4, below - size * 0.35), size * 1.8))
        parts.append(text(bar + size * 2.4, below, "a hazard or obstacle lies there"))
    return "".join(parts)


WORST: Final = 8
_RUNS: Final = 100


class LostAt(Struct, frozen=True):
    """A space where control was lost, with losses in a run and the share of all losses."""

    cell: Hex
    where: str
    often: Estimate
    part: Estimate

    @property
    def data(self) -> dict[str, Any]:
        """The data for programs."""
        return {
            "cell": list(self.cell),
            "where": self.where,
            "a_race": as_data(self.often),
            "of_all": as_data(self.part),
        }


def lost_places(result: Result, layout: Mapping[str, Any]) -> tuple[LostAt, ...]:
    """Return the worst spaces, the worst first."""
    runs = [Counter(run.lost) for race in result.runs for run in race]
    total = _together(runs)
    course = course_of(layout)
    spaces = surface(course).spaces
    worst = sorted(total.items(), key=lambda item: (-item[1], item[0]))[:WORST]
    found = []
    for cell, count in worst:
        often = mean([run[cell] for run in runs])
        assert often is not None, "what was lost was lost in a run"
        part = wilson_share(count, total.total())
        found.append(LostAt(cell, _where(course, spaces.get(cell)), often, part))
    return tuple(found)


def lost_table(result: Result, places: tuple[LostAt, ...]) -> Table:
    """Return the worst spaces in words, numbered as on the map."""
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
    """Yield a map of all losses, and of each vehicle's if there are several."""
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
    return heat_map(layout, heat, words, lambda v: f"{v:.3g}", numbers, frozenset(items))


def _where(course: Course, space: Space | None) -> str:
    if space is None:
        return "off the track"
    laid = course.tiles[space.tile - 1]
    return f"piece {laid.number} ({laid.tile.call}), lane {space.lane + 1}, step {space.step + 1}"
