"""`gridpress looks` and `gridpress look`: shows the designs of decks, and changes one."""

from __future__ import annotations

from pathlib import Path

import click

from generator.build import Order, open_pack
from generator.cache import Cache
from generator.cli import options, terminal
from generator.cli.look_sheet import look_sheet
from generator.cli.start_commands import chosen_pack, palette_option, size_option
from generator.diagnostics import did_you_mean
from generator.looks import SIZES, card_looks, palettes
from generator.project import Project, Target, shipped_root
from generator.relook import kinds_in_looks, relook
from generator.writing import TargetFolder, write_files

_SHEET = "looks.png"


@click.command("looks")
@size_option
@palette_option
@options.output
@options.cache
def looks_command(size: str, palette: str | None, output: TargetFolder, cache: Cache) -> None:
    """Show the designs that a deck may have, on one picture: OUTPUT/looks.png."""
    for look in card_looks().values():
        terminal.say(f"{look.name:12} {look.title}: {look.description}")
    terminal.say(f"\nsizes: {', '.join(SIZES)}\npalettes:")
    for name, colours in palettes().items():
        terminal.say(f"  {name:10} {colours['description']}")
    picture = look_sheet(size, palette, Order(cache=cache))
    path = output.path / _SHEET
    write_files(output.named, {path: lambda: picture}, "choose another folder with -o")
    terminal.say(f"\n{path}")


@click.command("look")
@click.argument("look", type=click.Choice(tuple(card_looks())), metavar="LOOK")
@click.option(
    "--in", "folder", type=click.Path(file_okay=False, path_type=Path), default=".",
    help="The project's folder; the current one by default.",
)  # fmt: skip
@click.option("--pack", "pack_name", help="The pack; not needed when the project has only one.")
@click.option("--kind", "kind_name", help="The kind; by default all that have a look.")
@palette_option
def look_command(
    look: str, folder: Path, pack_name: str | None, kind_name: str | None, palette: str | None
) -> int:
    """Give cards another look, and keep their fields and data.

    Columns are placed by name and type, as in `gridpress import`. If you
    changed KIND.face.yaml or styles.yaml, the old one stays beside the new one, as
    KIND-before.face.yaml or styles-before.yaml.
    """
    target = Target(Project(folder, shipped_root()), chosen_pack(folder, pack_name))
    opened = open_pack(target, Order())
    if opened.value is None:
        terminal.show(opened.diagnostics)
        terminal.note(f"{target.pack}: fix this first, then choose a look")
        return 1
    pack = opened.value.pack
    known = kinds_in_looks(pack)
    if kind_name is not None and kind_name not in pack.kinds:
        hint = did_you_mean(kind_name, pack.kinds)
        raise click.UsageError(f"--kind: there is no {kind_name!r}; {hint}")
    names = [kind_name] if kind_name is not None else list(known)
    if not names:
        raise click.UsageError(f"no kind of {pack.name} is in a look: name one with --kind")
    kinds = [pack.kinds[name] for name in names]
    paths, notes = relook(folder, pack, kinds, card_looks()[look], palette)
    for path in paths:
        terminal.say(str(path))
    for note in notes:
        terminal.note(f"\n{note}")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(folder)}")
    return 0
