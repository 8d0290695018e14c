"""The work of errands: code of their processes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final

from generator import limits
from generator.build import StepProgress
from generator.cache import flush
from generator.diagnostics import GridpressError
from generator.studio.crashes import be_silent, note_crash
from generator.studio.errand_orders import MadeFiles
from generator.studio.errands import WorkDone, WorkPart, WorkStep
from generator.studio.outlet_list import outlets_told
from generator.studio.print_work import export_for_outlet, print_pack
from generator.studio.start_work import look_drawn, pack_dressed, pack_started, table_imported
from generator.workers import collecting_hardly

_OFTEN: Final = 0.1
"""Seconds between two steps that are reported."""
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


def work_on_errand(line: Connection, work: str, given: tuple[Any, ...]) -> None:
    """Do the work, and tell how it goes. Code of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupt)
    limits.end_with_parent(_KILL)
    be_silent()
    limits.limit_this_process()
    with suppress(OSError, KeyboardInterrupt):
        line.send(_done(work, given, _Telling(line)))
    flush()


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _done(work: str, given: tuple[Any, ...], progress: StepProgress) -> WorkDone:
    try:
        with limits.at(""), collecting_hardly():
            return WorkDone(_WORK[work](*given, progress))
    except GridpressError as error:
        return WorkDone(faults=error.diagnostics)
    except MemoryError:
        return WorkDone(faults=(limits.too_much_memory(limits.place()),))
    except Exception as error:  # a bug must not look like an end without an answer
        words = f"{type(error).__name__}, a bug in Gridpress; details are in {note_crash(error)}"
        return WorkDone(faults=(limits.broken_down("", words),))


class _Telling:
    """Tells the server each new step, and now and then how far it is."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._last: tuple[str, float] = ("", 0.0)

    def __call__(self, step: str, done: int, total: int) -> None:
        known, at = self._last
        if step != known or done == total or monotonic() - at > _OFTEN:
            self._last = step, monotonic()
            self._line.send(WorkStep(step, done, total))

    def ready(self, made: MadeFiles) -> None:
        """Tell of files that can be looked at."""
        self._line.send(WorkPart(made))


_WORK: Final[Mapping[str, Callable[..., Any]]] = {
    "outlets_told": outlets_told,
    "print": print_pack,
    "export": export_for_outlet,
    "pack_started": pack_started,
    "pack_dressed": pack_dressed,
    "look_drawn": look_drawn,
    "table_imported": table_imported,
}
