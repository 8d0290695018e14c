"""A progress bar when a person watches, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

_SECONDS: Final = 0.1

if TYPE_CHECKING:  # preflight needs nothing of what draws and lays out
    from generator.prepress import Progress


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A `Progress` that draws on standard error while the block runs."""
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    # rich takes a while to import, and is needed only here.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,  # by a thread: but only a process without others is copied at once
    ) as bar:
        task = bar.add_task(title, total=None)
        shown = 0.0

        def report(step: str, done: int, total: int) -> None:
            nonlocal shown
            bar.update(task, description=f"{title}: {step}", completed=done, total=total or None)
            if monotonic() - shown > _SECONDS:
                bar.refresh()
                shown = monotonic()

        yield report
