"""Where worker processes come from: one way to start them for all stages."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Final

_SERVER: Final = "forkserver"
_NEW_OBJECTS: Final = 50_000

_CAN_COPY: Final = sys.platform == "linux"

PRESSING: Final = (
    "generator.cli",  # each process runs the script that started this one, which imports it
    "generator.export.svg_to_pdf",
    *(() if _CAN_COPY else ("generator.preflight.scrutiny",)),
)
"""What processes need that print, and, unless copies do so, those that check what is printed."""


def context() -> BaseContext:
    """Forkserver where there is one: a clean process that forks in milliseconds; else spawn."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context(_SERVER if _SERVER in methods else "spawn")


def end_in_order() -> None:
    """Take a request to end (SIGTERM) as Ctrl-C is taken, so that the folders of a build that is
    not finished are cleared away. Copies of this process, which have none, just end."""
    here = os.getpid()

    def end(*_: object) -> None:
        if os.getpid() == here:
            raise KeyboardInterrupt
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGTERM, end)


def follow() -> None:
    """For a worker that lives on: who started it ends it, so Ctrl-C does not; and it ends with
    them, even if they are killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    signal.raise_signal(signal.SIGTERM)


def collect_seldom() -> None:
    """Look for garbage that refers to itself once in many thousands of new objects: each look
    goes over all that is alive, and as often as Python does it, it takes a tenth of a build."""
    gc.set_threshold(_NEW_OBJECTS)


def copying_context() -> BaseContext:
    """On Linux, processes that are copies of this one: there at once, with all that it has read,
    and what they are given is not pickled. Only for work that starts no threads before."""
    return multiprocessing.get_context("fork") if _CAN_COPY else context()


def warm_up(modules: Sequence[str]) -> None:
    """Start the fork server now, so that it imports `modules` while we still read files.

    Every worker then has them from its first moment. Where there is no fork server, or it cannot
    start, nothing is lost but time.
    """
    if _SERVER not in multiprocessing.get_all_start_methods():
        return
    from multiprocessing import forkserver  # noqa: PLC0415, not there on every system

    context().set_forkserver_preload(list(modules))
    with suppress(OSError):
        forkserver.ensure_running()
