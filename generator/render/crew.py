"""The faces of a pack in; the same faces drawn, in the same order, out.

They are drawn here, and when that takes a while, in other processes as well. Each of these begins
with all that is known here, and is given one batch of faces after another.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from generator import processes
from generator.render.renderer import Drawn, Renderer, Setting
from generator.render.tasks import Task, faces_to_draw

Progress = Callable[[int, int], None]
_Batches = Sequence[Sequence[Task]]

BATCH: Final = 4
PATIENCE: Final = 0.05
"""Seconds of drawing after which help is called, if three times as much lies ahead: until then
templates are compiled and fonts read, which each process would do for itself."""
_READY: Final = -1
_AHEAD: Final = 2
"""Batches that a process has before it, so that it need not wait for the next one."""


def draw_all(
    setting: Setting,
    only: str | None = None,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
    patience: float = PATIENCE,
) -> list[Drawn]:
    """Draw the faces of `faces_to_draw`, by `jobs` processes at most, this one included.

    Raises what was raised in another process, and RuntimeError when one ended unasked.
    """
    renderer = Renderer(setting)
    tasks = faces_to_draw(setting.pack, only)
    batches = [tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH)]
    drawn: dict[int, list[Drawn]] = {}
    waiting = iter(range(len(batches)))
    begun = time.monotonic()
    with _crew() as crew:
        for number in waiting:
            drawn[number] = [renderer.draw(*task) for task in batches[number]]
            for helper in crew:
                drawn.update(helper.answers(waiting))
            left = len(batches) - len(drawn)
            passed = time.monotonic() - begun
            ahead = passed / len(drawn) * left
            if not crew and jobs > 1 and passed >= patience and ahead >= 3 * patience:
                crew += [_Helper(renderer, batches) for _ in range(1, jobs)]
            progress(min(len(drawn) * BATCH, len(tasks)), len(tasks))
        for helper in crew:
            while helper.busy:
                drawn.update(helper.answers(waiting, patient=True))
        progress(len(tasks), len(tasks))
    return [one for number in range(len(batches)) for one in drawn[number]]


class _Helper:
    """Another process that draws batches. `busy` are those it has not yet answered."""

    def __init__(self, renderer: Renderer, batches: _Batches) -> None:
        context = processes.copying_context()
        self.line, theirs = context.Pipe()
        self.busy: set[int] = set()
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_work, args=(theirs, self.line, renderer, batches), daemon=True
        )
        self.process.start()
        theirs.close()

    def answers(self, waiting: Iterator[int], patient: bool = False) -> dict[int, list[Drawn]]:
        """What it has drawn since; for each of its answers it is given what is `waiting`."""
        drawn: dict[int, list[Drawn]] = {}
        while self.line.poll(None if patient and not drawn else 0):
            try:
                number, batch, fault = self.line.recv()
            except EOFError:
                raise RuntimeError("a process that draws faces ended without an answer") from None
            if fault is not None:
                raise fault
            if number != _READY:
                self.busy.discard(number)
                drawn[number] = batch
            while len(self.busy) < _AHEAD and (after := next(waiting, None)) is not None:
                self.busy.add(after)
                self.line.send(after)
        return drawn


@contextmanager
def _crew() -> Iterator[list[_Helper]]:
    crew: list[_Helper] = []
    try:
        yield crew
    finally:
        for helper in crew:
            helper.line.close()
            helper.process.terminate()
            helper.process.join()


# From here on: what runs in the other processes.


def _work(line: Connection, ours: Connection, renderer: Renderer, batches: _Batches) -> None:
    """Say that all is ready, then answer batch for batch until the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked for the faces ends this
    ours.close()  # this process has it too, and would not hear that it was closed
    number = _READY
    try:
        line.send((_READY, [], None))
        while True:
            number = line.recv()
            line.send((number, [renderer.draw(*task) for task in batches[number]], None))
    except (EOFError, BrokenPipeError):
        return
    except Exception as fault:
        line.send((number, [], fault))
