"""`gridpress cache`: where earlier work is kept and how large it is; out with it, if asked."""

from __future__ import annotations

import os
from pathlib import Path

import click

from generator.cache import MOST, VARIABLE, user_cache
from generator.cli import terminal
from generator.geometry import summed


@click.command("cache")
@click.option("--clear", is_flag=True, help="Forget all of it.")
def command(clear: bool) -> int:
    """Show where Gridpress keeps what it worked out before, and how large that is.

    The next build, check or preview then only works out what has changed. Nothing in there is
    needed: without it, the same comes out later.
    """
    cache = user_cache()
    terminal.say(str(cache.folder))
    if not _is_to_be_made(cache.folder) and cache.trouble:
        terminal.say(f"nothing is kept: {cache.trouble}; {VARIABLE} may name another folder")
        return 0
    sizes = cache.sizes()
    if clear:
        cache.clear()
    for sort, size in sizes.items():
        terminal.say(f"  {sort:<12} {size.entries:>7,}  {_megabytes(size.bytes)}")
    total = summed(size.bytes for size in sizes.values())
    if clear:
        terminal.say(f"cleared: {_megabytes(total).strip()} given back")
    else:
        terminal.say(
            f"  {'together':<12} {'':>7}  {_megabytes(total)} of {MOST / 1e6:,.0f} MB at most"
        )
    return 0


def _is_to_be_made(folder: Path | None) -> bool:
    """True where nothing was kept yet: to ask what the trouble is makes the folder."""
    if folder is None or not folder.is_absolute() or os.path.lexists(folder):
        return False
    return next(path for path in folder.parents if os.path.lexists(path)).is_dir()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:>7,.1f} MB"
