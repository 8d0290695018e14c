"""`gridpress pack-up`: a project in, one zip with what it uses out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator import realfolder
from generator.cli import options, terminal
from generator.diagnostics import Diagnostic
from generator.order import Order
from generator.project import Project, find_targets, shipped_root
from generator.writing import must_be_writable, write_named

if TYPE_CHECKING:
    from generator.model.face import Face
    from generator.model.pack import Pack

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

    In it are the definitions of its packs, the templates, drawings, tables, texts and pictures that
    they use, the fonts that they name with their licences, and files such as LICENSE and CREDITS in
    the packs' folders; nothing else that lies there. What was packed is drawn again, in each of
    its languages: it shows the same.
    """
    from generator.bundle import bundle_contents, unpacked, zipped
    from generator.fonts import fonts_of
    from generator.realfolder import workshop

    project = Project(folder.resolve(), shipped_root())
    target_path = output or Path(f"{project.root.name}.zip")
    must_be_writable(target_path, _ELSEWHERE)
    with workshop() as (scratch, _):
        fonts = fonts_of(project, scratch)
        seen = _seen(str(folder), jobs, scratch)
        if terminal.has_failed(seen.said, strict=False):
            terminal.show(seen.said)
            terminal.note(f"{folder}: mend this first, then pack it up")
            return 1
        packed = scratch / "packed.zip"
        for every in (False, True):
            files, bare = bundle_contents(project, seen.packs, seen.pictures, fonts, every=every)
            with realfolder.at_work(), packed.open("w+b") as made:
                zipped(files, made)
            with unpacked([str(packed)]) as (home,):
                again = _seen(home, jobs, scratch)
            if again.faces == seen.faces:
                break  # else something is named in a way that cannot be followed
        with packed.open("rb") as made:
            write_named(target_path, made, _ELSEWHERE, "zip")
        count = packed.stat().st_size
    for home in bare:
        terminal.note(f"{home}: no licence lies beside these fonts; who gets the zip needs it")
    terminal.say("\n".join(f"  {name}" for name in sorted(files)))
    size = f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
    terminal.say(f"{target_path}: {len(files)} files, {size}")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(target_path)}")
    return 0


class _Seen(NamedTuple):
    """The packs of a project, what was said of them, the digests of all their faces, and the
    pictures on these."""

    packs: tuple[Pack, ...]
    said: tuple[Diagnostic, ...]
    faces: tuple[str, ...]
    pictures: frozenset[Path]


def _seen(folder: str, jobs: int, scratch: Path) -> _Seen:
    """What a project shows, of each component once, whether it is printed or not, in each of its
    languages."""
    from generator.load import locales
    from generator.prepress import draw, each_once, open_pack

    packs: list[Pack] = []
    said: list[Diagnostic] = []
    faces: list[Face] = []
    for target in find_targets([folder]):
        for locale in (None, *locales(target.project, target.pack)):
            order = Order(jobs=jobs, locale=locale)
            opened = open_pack(target, order)
            said += opened.diagnostics
            if opened.value is not None and opened.ok:
                drawn = draw(each_once(opened.value), order, scratch)
                said += drawn.diagnostics
                faces += drawn.value
                packs += [opened.value.pack] if locale is None else []
    pictures = frozenset(asset.path for face in faces for asset in face.assets)
    return _Seen(tuple(packs), tuple(said), tuple(face.sha256 for face in faces), pictures)
