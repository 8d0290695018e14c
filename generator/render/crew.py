"""The faces of a pack in; the same faces drawn, in the same order, out.

They are drawn here, and when that takes a while, in other processes as well. Each of these is
given the whole pack once, and then one batch of faces after another.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from generator import processes
from generator.assets import AssetFinder
from generator.fonts import FontLibrary
from generator.model.pack import Pack
from generator.project import Project
from generator.render.renderer import Drawn, Renderer, Setting
from generator.render.tasks import faces_to_draw

Progress = Callable[[int, int], None]
Reply = tuple[int, list[Drawn], Exception | None]

BATCH: Final = 4
PATIENCE: Final = 0.2
"""Seconds of drawing after which help is called, if three times as much lies ahead: so long a
process takes to begin and to learn what is known here."""
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
                sent = _sendable(setting, only, renderer.compiled)
                crew += [_Helper(sent) for _ in range(1, jobs)]
            progress(min(len(drawn) * BATCH, len(tasks)), len(tasks))
        for helper in crew:
            while helper.busy:
                drawn.update(helper.answers(waiting, patient=True))
        progress(len(tasks), len(tasks))
    return [one for number in range(len(batches)) for one in drawn[number]]


class _Helper:
    """Another process that draws batches. `busy` are those it has not yet answered."""

    def __init__(self, sent: _Sendable) -> None:
        context = processes.context()
        self.line, theirs = context.Pipe()
        self.busy: set[int] = set()
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_work, args=(theirs, sent), daemon=True
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


# From here on: what goes to the other processes, and what runs there.


@dataclass(frozen=True, slots=True)
class _Sendable:
    """A setting, with fonts and pictures as the folders that they are in."""

    pack: Pack
    project: Project
    fonts: tuple[Path, ...]
    assets: tuple[Sequence[Path], Sequence[Path], Sequence[Path]]
    ink: str
    scratch: Path | None
    only: str | None
    compiled: Mapping[str, bytes]


def _sendable(setting: Setting, only: str | None, compiled: Mapping[str, bytes]) -> _Sendable:
    assets = setting.assets
    return _Sendable(
        setting.pack,
        setting.project,
        setting.fonts.folders,
        (assets.image_folders, assets.icon_folders, assets.roots),
        setting.ink,
        setting.scratch,
        only,
        compiled,
    )


def _work(line: Connection, sent: _Sendable) -> None:
    """Say that all is ready, then answer batch for batch until the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked for the faces ends this
    number = _READY
    try:
        fonts, assets = FontLibrary(sent.fonts), AssetFinder(*sent.assets)
        setting = Setting(sent.pack, sent.project, fonts, assets, sent.ink, sent.scratch)
        renderer = Renderer(setting, sent.compiled)
        tasks = faces_to_draw(sent.pack, sent.only)
        line.send((_READY, [], None))
        while True:
            number = line.recv()
            batch = tasks[number * BATCH : (number + 1) * BATCH]
            line.send((number, [renderer.draw(*task) for task in batch], None))
    except (EOFError, BrokenPipeError):
        return
    except Exception as fault:
        line.send((number, [], fault))
