"""An unexpected exception in, a log file with its traceback out, and what to say of it."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from generator import __version__
from generator.cli.terminal import note
from generator.diagnostics import Diagnostic, Span
from generator.project import PACK_FILE, Target
from generator.scratch import LOCK_FILE


def write_crash_log(error: BaseException, arguments: list[str]) -> Path:
    """Write the traceback where the user can find it; returns the file's path."""
    return _write_log(["".join(traceback.format_exception(error))], arguments)


def tell_of_bugs(diagnostics: Iterable[Diagnostic]) -> bool:
    """Log what of Gridpress itself broke down while other work went on, and say where; whether
    anything did."""
    traces = list(dict.fromkeys(found.trace for found in diagnostics if found.trace))
    if traces:
        log = _write_log(traces, sys.argv[1:])
        note(f"gridpress: {_BUG}.\n    {_SENT.format(log)}")
    return bool(traces)


_BUG: Final = "GP010 tells of a bug in Gridpress, not in your files"
_SENT: Final = "What happened was written to {}; please send it with your report."


def _write_log(traces: Iterable[str], arguments: list[str]) -> Path:
    system = f"Python {platform.python_version()}, {platform.platform()}"
    head = (f"gridpress {__version__}, {system}", f"arguments: {arguments!r}")
    text = "\n".join((*head, *traces))
    folder = Path(click.get_app_dir("gridpress"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "crash.log"
        path.write_text(text, encoding="utf-8")
    except OSError:
        folder = Path(tempfile.gettempdir())
        if (folder / LOCK_FILE).exists():  # our own, which is gone in a moment
            folder = folder.parent
        path = folder / "gridpress-crash.log"
        path.write_text(text, encoding="utf-8")
    return path


def broken_down(error: Exception, target: Target) -> Diagnostic:
    """GP010, for a pack that is worked on by a command that goes on."""
    log = write_crash_log(error, [target.pack])
    project = target.project
    span = Span(project.display(project.cards(target.pack) / PACK_FILE))
    message = f"what works on the pack broke down ({type(error).__name__}): a bug in Gridpress"
    return Diagnostic(span, "GP010", message, f"what happened is in {log}; please send it to us")
