"""What a simulation is asked and what it found: words, tables, charts and plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gridpress_chariot_dash.showing import Table


@dataclass(frozen=True, slots=True)
class Running:
    """How races are run. races: how many, of time trials for each vehicle. field: how many vehicles
    race at a time; 1 for time trials, None for all of them. jobs: worker processes, which change
    nothing but the time. progress: called with how many are done, and of how many."""

    laps: int
    races: int
    seed: int
    jobs: int
    field: int | None = None
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as SVG, with what it shows and how it is read. wide: it takes the whole page."""

    title: str
    svg: str
    note: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found. words: sentences, the answer first; data: all of it for programs."""

    title: str
    words: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    data: Mapping[str, Any]
