"""`gridpress studio`: shows a pack in the browser while one edits it."""

from __future__ import annotations

import os
import webbrowser
from contextlib import closing
from pathlib import Path

import click

from generator import limits
from generator.cache import user_folder
from generator.cli import terminal
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.project import Target, find_targets, is_no_project


@click.command("studio")
@click.argument("folder", required=False, metavar="[PACK|FOLDER]")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    metavar="N",
    help="The port on this computer; by default any that is free.",
)
@click.option("--no-open", is_flag=True, help="Only print the address.")
def studio_command(folder: str | None, port: int, no_open: bool) -> int:
    """See and edit a pack in the browser, until Ctrl-C.

    Only this computer can open the page. Your edits are saved to the files of the pack.
    """
    from generator.studio.nursery import Nursery

    target = pack_at(folder)
    root, pack = (target.project.root, target.pack) if target else (None, "")

    def tell(address: str) -> None:
        terminal.say(f"studio: {address}")
        terminal.say("Ctrl-C ends it")
        if not no_open:
            webbrowser.open(address)

    with limits.at("", limits.ENDLESS), closing(Nursery()) as nursery:
        nursery.begin()  # while this process imports the server
        from generator.studio.serving import ToServe, serve

        try:
            serve(ToServe(root, pack, port, user_folder() / "studio"), nursery, tell)
        except OSError as error:
            message = f"the studio cannot be served: {error.strerror or error}"
            hint = "choose another port with --port, or none"
            raise GridpressError(Diagnostic(Span("studio"), "GP702", message, hint)) from error
    return 0


def pack_at(name: str | None) -> Target | None:
    """Return the pack to open; None to begin with Start, which then offers this folder."""
    if name is None and is_no_project():
        return _only_project_in(Path.cwd())
    try:
        return find_targets((name,) if name else ())[0]
    except GridpressError as error:
        if name is None or error.diagnostics[0].code != "GP003":
            raise
        os.chdir(name)
        return _only_project_in(Path.cwd())


def _only_project_in(folder: Path) -> Target | None:
    """Return the pack of a sub-folder if no other holds a project: a deck that was kept here."""
    from generator.studio.drafts import is_project

    folders = (one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))
    found = [one for one in folders if is_project(one)]
    return find_targets((str(found[0]),))[0] if len(found) == 1 else None
