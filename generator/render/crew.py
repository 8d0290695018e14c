"""Faces to draw in; the same faces drawn, in the same order, by several processes, out.

Every process is given the whole pack once, and then draws its share, every n-th face.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final, cast

from generator import processes
from generator.assets import AssetFinder
from generator.fonts import FontLibrary
from generator.model.pack import Pack
from generator.project import Project
from generator.render.renderer import Drawn, Renderer, Setting
from generator.render.tasks import faces_to_draw

Progress = Callable[[int, int], None]

_BATCH: Final = 32


@dataclass(frozen=True, slots=True)
class _Share:
    """A setting as it can be sent to another process, and the number of its first face."""

    pack: Pack
    project: Project
    font_folders: tuple[Path, ...]
    asset_folders: tuple[tuple[Path, ...], tuple[Path, ...], tuple[Path, ...]]
    ink: str
    scratch: Path | None
    only: str | None
    first: int
    step: int


Reply = tuple[list[tuple[int, Drawn]], Exception | None]


def draw_together(setting: Setting, only: str | None, jobs: int, progress: Progress) -> list[Drawn]:
    """Draw the faces of a pack in `jobs` processes.

    Raises what a process raised, and RuntimeError when one ended without an answer.
    """
    context = processes.context()
    total = len(faces_to_draw(setting.pack, only))
    crew: dict[Connection, BaseProcess] = {}
    at_work: set[Connection] = set()
    drawn: dict[int, Drawn] = {}
    try:
        for first in range(jobs):
            receiver, sender = context.Pipe(duplex=False)
            share = _share(setting, only, first, jobs)
            process = context.Process(  # type: ignore[attr-defined]
                target=_work, args=(sender, share), daemon=True
            )
            process.start()
            sender.close()
            crew[receiver] = process
            at_work.add(receiver)
        while at_work:
            for ready in map(_connection, wait(at_work)):
                batch = _received(ready)
                if not batch:
                    at_work.discard(ready)
                drawn.update(batch)
                progress(len(drawn), total)
    finally:
        for receiver, process in crew.items():
            receiver.close()
            process.terminate()
            process.join()
    return [drawn[number] for number in range(total)]


def _connection(ready: object) -> Connection:
    return cast(Connection, ready)


def _share(setting: Setting, only: str | None, first: int, step: int) -> _Share:
    assets = setting.assets
    folders = assets.image_folders, assets.icon_folders, assets.roots
    return _Share(
        setting.pack,
        setting.project,
        setting.fonts.folders,
        folders,
        setting.ink,
        setting.scratch,
        only,
        first,
        step,
    )


def _received(receiver: Connection) -> list[tuple[int, Drawn]]:
    try:
        batch, fault = cast(Reply, receiver.recv())
    except EOFError:
        raise RuntimeError("a process that draws faces ended without an answer") from None
    if fault is not None:
        raise fault
    return batch


# From here on: what runs in the other processes.


def _work(sender: Connection, share: _Share) -> None:
    """Send batches of faces, at the end an empty one."""
    try:
        setting = Setting(
            share.pack,
            share.project,
            FontLibrary(share.font_folders),
            AssetFinder(*share.asset_folders),
            share.ink,
            share.scratch,
        )
        renderer = Renderer(setting)
        tasks = faces_to_draw(share.pack, share.only)
        mine = range(share.first, len(tasks), share.step)
        for start in range(0, len(mine), _BATCH):
            numbers = mine[start : start + _BATCH]
            sender.send(([(number, renderer.draw(*tasks[number])) for number in numbers], None))
        sender.send(([], None))
    except Exception as fault:
        sender.send(([], fault))
    sender.close()
