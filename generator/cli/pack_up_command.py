"""`gridpress pack-up`: a project in, one zip with what it uses out."""

from __future__ import annotations

from pathlib import Path

import click

from generator import realfolder
from generator.cli import options, terminal
from generator.diagnostics import Diagnostic
from generator.order import Order
from generator.project import Project, find_targets, shipped_root
from generator.writing import must_be_writable, write_named

_ELSEWHERE = "choose another place with -o"


@click.command("pack-up")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The zip; FOLDER.zip in the current folder by default.",
)
@options.jobs
def command(folder: Path, output: Path | None, jobs: int) -> int:
    """Pack a project's FOLDER into one zip, to hand it on: `gridpress build that.zip` prints it.

    In it are the definitions and templates of its packs, the pictures that they show, and the fonts
    that they name with their licences; nothing else that lies in the folder.
    """
    from generator.bundle import contents, zipped
    from generator.fonts import fonts_of
    from generator.prepress import draw, open_pack
    from generator.realfolder import workshop

    project = Project(folder.resolve(), shipped_root())
    target_path = output or Path(f"{project.root.name}.zip")
    must_be_writable(target_path, _ELSEWHERE)
    order, packs, shown = Order(jobs=jobs), [], set()
    said: list[Diagnostic] = []
    with workshop() as (scratch, _):
        fonts = fonts_of(project, scratch)
        for target in find_targets([str(folder)]):
            opened = open_pack(target, order)
            said += opened.diagnostics
            if opened.value is not None and opened.ok:
                drawn = draw(opened.value, order, scratch, fonts=fonts)
                said += drawn.diagnostics
                packs.append(opened.value.pack)
                shown |= {asset.path for face in drawn.value for asset in face.assets}
        if terminal.has_failed(said, strict=False):
            terminal.show(tuple(said))
            terminal.note(f"{folder}: mend this first, then pack it up")
            return 1
        files, bare = contents(project, packs, shown, fonts)
        with realfolder.at_work(), (scratch / "packed").open("w+b") as made:
            zipped(files, made)
            count = made.tell()
            made.seek(0)
            write_named(target_path, made, _ELSEWHERE, "zip")
    for home in bare:
        terminal.note(f"{home}: no licence lies beside these fonts; who gets the zip needs it")
    terminal.say("\n".join(f"  {name}" for name in sorted(files)))
    size = f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
    terminal.say(f"{target_path}: {len(files)} files, {size}")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(target_path)}")
    return 0
