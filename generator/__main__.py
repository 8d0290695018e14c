"""Starts the command `gridpress`, also as `python -m generator`."""

import os
import sys

_OF_OURSELVES: tuple[list[str], ...] = ([], ["-h"], ["--help"], ["--version"])
"""Command lines that read no file of the user, and so need no child process."""


def _without_the_current_folder() -> list[str]:
    """Return the folders to import from, without the current one: it may be a stranger's.
    `python -m` adds it, and so does an empty entry of PYTHONPATH."""
    try:
        here = os.getcwd()
    except OSError:  # it was deleted
        here = ""
    site = sys.modules.get("site")
    installed = site.getsitepackages() if site else []
    absolute = (entry for entry in sys.path if os.path.isabs(entry))
    return [entry for entry in absolute if entry != here or entry in installed]


def main() -> int:
    """Carry out the command line; return the exit status."""
    sys.path[:] = _without_the_current_folder()
    # Only now, and the first imports from files.
    import signal  # noqa: PLC0415

    # Until there is anything to clear up Ctrl-C just ends this: Python would show where it was.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from generator.guard import guarded, have_standard_streams  # noqa: PLC0415

    have_standard_streams()
    if sys.argv[1:] in _OF_OURSELVES:
        from generator.cli import answer_help  # noqa: PLC0415, with all that a command line needs

        return answer_help(sys.argv[1:])
    return guarded(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
