"""`gridpress new`: a name in, files of the user's own to start from out."""

from __future__ import annotations

import re
from pathlib import Path

import click

from generator.diagnostics import Diagnostic, GridpressError, Span

_STARTER = Path(__file__).resolve().parent.parent / "starter"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@click.group("new")
def command() -> None:
    """Start something of your own."""


@command.command("pack")
@click.argument("name")
@click.option(
    "--in",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The project's folder; the current one by default.",
)
def new_pack(name: str, folder: Path) -> None:
    """Start a pack called NAME: three cards, their kind and templates, ready to build."""
    if not _NAME.fullmatch(name):
        raise click.BadParameter("use lower-case letters, digits and hyphens", param_hint="NAME")
    targets = [
        (source, folder / str(source.relative_to(_STARTER)).replace("NAME", name))
        for source in sorted(_STARTER.rglob("*"))
        if source.is_file()
    ]
    taken = [
        part / name for part in (folder / "cards", folder / "templates") if (part / name).exists()
    ]
    if taken:
        raise GridpressError(
            Diagnostic(
                Span(str(taken[0])), "GP702", "this pack is there already", "choose another name"
            )
        )
    title = name.replace("-", " ").title()
    for source, target in targets:
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8").replace("TITLE", title)
        target.write_text(text, encoding="utf-8")
        click.echo(str(target))
    click.echo(f"\nnow try: gridpress build {folder}")
