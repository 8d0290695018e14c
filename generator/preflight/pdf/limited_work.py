"""Runs work on a stranger's file in a process with limits on memory and processor time."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from generator import limits
from generator.workers import Crew, WorkerCrash

T = TypeVar("T")
R = TypeVar("R")

SECONDS: Final = 20
"""Processor time for one file."""
_WAIT: Final = 60.0
"""Seconds to wait where the system counts no processor time, or a disk does not answer."""


class TooLongError(Exception):
    """Raised when the work takes longer than `SECONDS`."""


def limited(function: Callable[[T], R], task: T) -> R:
    """Return `function(task)`, worked out in another process; import the function by name.

    Raises TooLongError, WorkerCrash when the process breaks down, and whatever the function does.
    """
    crew = Crew(function, [task], 1)
    is_over = threading.Event()

    def end() -> None:
        is_over.set()
        crew.dismiss()

    timer = threading.Timer(_WAIT, end)
    timer.daemon = True
    timer.start()
    try:
        for _, answer in crew.answers():
            return answer
    except WorkerCrash as crash:
        if not (crash.was_slow or is_over.is_set()):
            raise
    finally:
        timer.cancel()
        crew.dismiss()
    raise TooLongError


def bound() -> None:
    """Limit the memory and the processor time of this process, where the system can."""
    limits.bound_memory()
    if sys.platform != "win32":
        import resource  # noqa: PLC0415, not there on every system

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + SECONDS, most))
