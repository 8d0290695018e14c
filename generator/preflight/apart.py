"""Work that a stranger's file may break down in; its answer out, if there is one, from a process of
its own."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Final, TypeVar

from generator import workers

T = TypeVar("T")
R = TypeVar("R")

MOST_SECONDS: Final = 6
"""Of processor time for a page: twenty times that of a good one."""


def answer(function: Callable[[T], R], task: T) -> R | None:
    """What a function that is importable by name returns; None if its process broke down."""
    crew = workers.Crew(function, [task], 1)
    try:
        return next((found for _, found in crew.answers()), None)
    except workers.WorkerCrash:
        return None
    finally:
        crew.dismiss()


def bound_time() -> None:
    """Have the system end this process if it works much longer from now on, where it can."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415, not there on every system

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        end = math.ceil(time.process_time()) + MOST_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))
