"""The command line, the only place that prints or exits.

Exit status: 0 fine, 1 the user's files are wrong, 2 usage, 3 our bug, 130 interrupted.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import click

from generator import __version__, guests, limits, on_first_use
from generator.diagnostics import Diagnostic, GridpressError, Span, Suggestions
from generator.guard import FILES_WRONG, INTERRUPTED, early_end, end_once, on_request
from generator.guests import Command, Guest

if TYPE_CHECKING:
    from generator.cli import options, terminal
    from generator.cli.terminal import in_columns, note, progress_bar, say
    from generator.cli.track_commands import (
        Listed,
        find_track,
        gathered,
        in_reach,
        open_track,
        parted,
        the_one,
        written,
    )

__all__ = [
    "COMMANDS",
    "FILES_WRONG",
    "FINE",
    "INTERRUPTED",
    "OUR_BUG",
    "SAYS_MORE",
    "LazyGroup",
    "Listed",
    "answer_help",
    "carry_out",
    "find_track",
    "gathered",
    "in_columns",
    "in_reach",
    "note",
    "open_track",
    "options",
    "parted",
    "progress_bar",
    "run",
    "say",
    "terminal",
    "the_one",
    "written",
]

__getattr__ = on_first_use(
    __name__,
    {
        "options": "options",
        "terminal": "terminal in_columns note progress_bar say",
        "track_commands": "Listed find_track gathered in_reach open_track parted the_one written",
    },
)

FINE: Final = 0
OUR_BUG: Final = 3
SAYS_MORE: Final = "gridpress explain {} says more"
_UNLOADED: Final = ("failed to map segment", "annot allocate memory")
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _ours(where: str, words: str) -> Command:
    return Command(words, f"generator.cli.{where}_command")


COMMANDS: Final = {
    "build": _ours("print_commands:build", "Print packs: sheets as PDF, ready for the printer."),
    "watch": _ours("watch_command:watch", "Print packs, and print changes again on each save."),
    "studio": _ours("studio_command:studio", "See and edit a pack in the browser."),
    "check": _ours("print_commands:check", "Look for mistakes in packs without printing anything."),
    "preflight": _ours("print_commands:preflight", "Check a finished PDF before you print it."),
    "explain": _ours("explain_command:explain", "Say what a finding means and what to do."),
    "export": _ours(
        "show_commands:export", "Make files for a print shop, a virtual table or a program."
    ),
    "calibrate": _ours(
        "calibrate_command:calibrate",
        "Measure where your printer prints, and correct for it.",
    ),
    "list": _ours("show_commands:list", "Show packs, their kinds, components and counts."),
    "preview": _ours(
        "show_commands:preview", "Draw faces as PNG pictures, and contact sheets of them."
    ),
    "schema": _ours(
        "show_commands:schema", "Write JSON Schemas, so that your editor completes and checks YAML."
    ),
    "track": Command(
        "Show tracks, find circuits for your tiles, shorten tracks.",
        "generator.cli:track_command",
    ),
    "cache": _ours(
        "show_commands:cache",
        "Show or clear the results of earlier commands.",
    ),
    "import": _ours(
        "import_command:import",
        "Turn a spreadsheet into a deck in a look, ready to print.",
    ),
    "pull": _ours("pull_command:pull", "Fetch tables that are published on the web into a pack."),
    "pack-up": _ours("show_commands:pack_up", "Pack a project into one zip, to hand it on."),
    "looks": _ours("look_commands:looks", "Show the designs that a deck may have."),
    "look": _ours("look_commands:look", "Give cards another design, and keep their data."),
    "new": _ours("start_commands:new", "Start a pack of your own, or a kind of component in it."),
}
"""Gridpress's own commands; guests add more."""
_OF_TRACKS: Final = {
    "show": _ours(
        "track_commands:show", "Show a track: its tiles in order, or a plan of it as a picture."
    ),
    "solve": _ours("track_solve:solve", "Find all circuits that can be laid from a set of tiles."),
    "shorten": _ours(
        "track_commands:shorten",
        "Find which tiles can leave a track so that it is still a circuit.",
    ),
}


class LazyGroup(click.Group):
    """A group that imports a command only to run it, so that `--help` answers at once."""

    table: Mapping[str, Command] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name].where.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names. Raises UsageError with the nearest name."""
        word = args[0]
        if word in self.list_commands(ctx) or ctx.resilient_parsing or word.startswith("-"):
            return super().resolve_command(ctx, args)
        near = Suggestions().nearest(word, self.list_commands(ctx))
        hint = f" Did you mean '{ctx.command_path} {near}'?" if near else ""
        raise click.UsageError(f"No such command {word!r}.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in self.table.items()])


class _Gridpress(LazyGroup):
    """Gridpress's commands and those of the installed guests."""

    table = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return Gridpress's commands, then those of guests."""
        return [*self.table, *_guests_commands(guests.installed().value)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. Raises GridpressError (GP012) when a guest's cannot be imported."""
        if cmd_name in self.table:
            return super().get_command(ctx, cmd_name)
        name, command = _guests_commands(_loaded()).get(cmd_name, ("", None))
        if command is None:
            return None
        found = guests.brought(name, command.where)
        if not isinstance(found, click.Command):
            raise guests.unusable_guest(name, f"{command.where} is no click command")
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out the command, then say once which finding can be explained."""
        result = super().invoke(ctx)
        if "generator.cli.terminal" in sys.modules:  # else no finding was shown
            sys.modules["generator.cli.terminal"].point_to_explanation()
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write Gridpress's commands, then those of guests."""
        super().format_commands(ctx, formatter)
        theirs = _guests_commands(_loaded())
        if theirs:
            with formatter.section("Commands of games"):
                formatter.write_dl([(word, command.help) for word, (_, command) in theirs.items()])


def _loaded() -> tuple[Guest, ...]:
    """Return the guests, and print why others cannot be loaded."""
    found = guests.installed()
    for diagnostic in found.diagnostics:
        click.echo(str(diagnostic), err=True)
    return found.value


def _guests_commands(known: tuple[Guest, ...]) -> dict[str, tuple[str, Command]]:
    """Return each guest's commands by word, with the guest's name. The first guest keeps a word."""
    found: dict[str, tuple[str, Command]] = {}
    for guest in known:
        for word, command in guest.commands.items():
            if word not in COMMANDS:
                found.setdefault(word, (guest.name, command))
    return found


@click.group(
    cls=_Gridpress,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 fine, 1 your files have mistakes, 2 wrong usage, 3 a bug in Gridpress.",
)
@click.version_option(__version__, prog_name="gridpress")
def gridpress() -> None:
    """Turn YAML definitions of game components into print-ready PDF sheets.

    Start with `gridpress list` to see the packs, then run `gridpress build PACK`: the sheets are
    written to output/PACK/. A PACK is the name of a shipped pack, or a folder of your own that
    contains cards/, templates/ and fonts/.
    """


class _TrackGroup(LazyGroup):
    table = _OF_TRACKS


@click.group("track", cls=_TrackGroup)
def track_command() -> None:
    """Show tracks, find circuits for your tiles, shorten tracks.

    A LAYOUT is a track of a pack: PACK/ID, such as my-tracks/oval, or its id alone where only one
    pack has it. FOLDER/ID works for a project of your own.
    """


def carry_out() -> NoReturn:
    """Run the command line and exit, in the child process that `guard.py` has started."""
    import logging

    from generator.workers import collect_seldom

    collect_seldom()  # before most of what is loaded is alive
    sys.stderr = _own_standard_error()
    _write_any_letters()
    sys.unraisablehook = lambda _: None  # a request to end that comes where none can be raised
    logging.disable()  # libraries would quote a stranger's file
    warnings.simplefilter("ignore")
    try:
        limits.end_with_parent(signal.SIGTERM)
        limits.limit_this_process()
        status = run(sys.argv[1:], end_once())
        on_request(lambda _number, _frame: None)  # what is left to do takes a moment
    except KeyboardInterrupt:  # while `run` was saying something else
        status = _interrupted()
    except OSError:  # a fault could not be said
        status = FILES_WRONG
    _hand_over()
    os._exit(status)  # Python would first take to pieces all that it holds, for nobody


def answer_help(arguments: list[str]) -> int:
    """Answer a command line that only asks for help. It reads no file, so no child process is
    needed."""
    _write_any_letters()
    status = run(arguments)
    _hand_over()
    return status


def _write_any_letters() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals with few letters


def _hand_over() -> None:
    """Flush what was printed. If that fails, it is lost: the exit status says enough."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _own_standard_error() -> TextIO:
    """Return a standard error of our own, and silence that of native libraries."""
    ours = os.dup(sys.stderr.fileno())
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stderr.fileno())
    os.close(nowhere)
    return open(ours, "w", encoding=sys.stderr.encoding, buffering=1)


def _stand_somewhere(arguments: list[str]) -> None:
    """Raise GridpressError (GP002) if the current folder was deleted."""
    try:
        os.getcwd()
    except OSError as error:
        if not {"-h", "--help", "--version"} & {*arguments}:
            hint = "go to another one (cd), and try again"
            message = "the folder that you are in is gone"
            raise GridpressError(Diagnostic(Span("."), "GP002", message, hint)) from error


def _never() -> bool:
    return False


def run(arguments: list[str], was_asked_to_end: Callable[[], bool] = _never) -> int:
    """Run one command line and return its exit status; never shows a traceback."""
    try:
        _stand_somewhere(arguments)
        status = gridpress.main(
            args=arguments, prog_name="gridpress", standalone_mode=False, obj=was_asked_to_end
        )
        sys.stdout.flush()
    except click.ClickException as error:
        if not _say_early(arguments, _of_usage(arguments, error)):
            error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except GridpressError as error:
        _tell(arguments, *error.diagnostics)
        return FILES_WRONG
    except (BrokenPipeError, SystemExit):
        # The reader (`head`, a pager) has closed the pipe, and click exits.
        # Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # anything else is our bug
        return _interrupted() if was_asked_to_end() else _failed(error, arguments)
    finally:
        _keep_what_was_made()
    return status if isinstance(status, int) else FINE


def _keep_what_was_made() -> None:
    if "generator.cache" in sys.modules:
        sys.modules["generator.cache"].flush()


def _of_usage(arguments: list[str], error: click.ClickException) -> Diagnostic:
    """Return what click reports about a command line (GP014)."""
    of = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    of = of or " ".join(["gridpress", *arguments[:1]])
    return Diagnostic(Span(of), "GP014", error.format_message(), f"see {of} --help")


def _say_early(arguments: list[str], *found: Diagnostic) -> bool:
    """Print findings that end a command as JSON, if the command line asks for JSON."""
    document = early_end(arguments, found)
    if document:
        click.echo(document)
    return bool(document)


def _tell(arguments: list[str], *found: Diagnostic) -> None:
    """Print findings that end a command."""
    if not _say_early(arguments, *found):
        for diagnostic in found:
            click.echo(str(diagnostic), err=True)
        for diagnostic in found[:1]:
            click.echo(SAYS_MORE.format(diagnostic.code), err=True)


def _interrupted() -> int:
    click.echo("\ninterrupted: no file is half written", err=True)
    return INTERRUPTED


def _is_out_of_memory(error: Exception) -> bool:
    """Return whether memory ran out, also while the system loaded a library."""
    if isinstance(error, ImportError | OSError) and any(w in str(error) for w in _UNLOADED):
        return True
    return isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM


def _failed(error: Exception, arguments: list[str]) -> int:
    """Report that a resource ran out, or that Gridpress has a bug; return the exit status."""
    if _is_out_of_memory(error):
        _tell(arguments, limits.too_much_memory(limits.place()))
        return FILES_WRONG
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        # Do not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with suppress(OSError):  # the message may need the same disk
            click.echo(f"gridpress: {error.strerror}: make room, and try again", err=True)
        return FILES_WRONG
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        hint = "close other programs, or raise the limit (ulimit -n)"
        _tell(arguments, Diagnostic(Span("gridpress"), "GP002", "too many files are open", hint))
        return FILES_WRONG
    from generator.cli.terminal import write_crash_log

    log = write_crash_log(error, arguments)
    theirs = _guests_commands(guests.installed().value)
    guest, _ = theirs.get(next(iter(arguments), ""), ("", None))
    whose = f"the game {guest!r}" if guest else "Gridpress"
    bug = f"this is a bug in {whose}, not in your files ({type(error).__name__})"
    what = f"Details are in {log}; please send that file with your report."
    if not _say_early(arguments, Diagnostic(Span("gridpress"), "GP010", bug, what)):
        click.echo(f"gridpress: {bug}.\n    {what}", err=True)
    return OUR_BUG
