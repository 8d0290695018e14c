"""Commands that hand packs on: `export`, what an outlet takes of them, and `pack-up`, one zip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator import guests, real_folders
from generator.cache import Cache
from generator.cli import options, terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic
from generator.model.catalogue import ADDRESS, OUTLETS, Shop
from generator.model.pack import words_in
from generator.order import Order
from generator.project import Project, find_targets, project_here, shipped_root
from generator.real_folders import TargetFolder

if TYPE_CHECKING:
    from generator.model.face import Face
    from generator.model.pack import Pack
    from generator.outlets import Exported


def _outlets(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words_in(",".join(given).lower())))


@click.command("export")
@options.packs
@click.option(
    "--for",
    "outlets",
    multiple=True,
    callback=_outlets,
    metavar="OUTLET",
    help="Where it goes; --list shows all of them; repeatable, or with commas.",
)
@click.option("--list", "listed", is_flag=True, help="Show the outlets, and what each takes.")
@options.only
@options.players
@options.locale
@options.ink
@click.option(
    "--dpi", type=click.IntRange(options.LEAST_DPI, 1200), help="Of pictures; 300 when left out."
)
@click.option(
    "--format", "format_", type=click.Choice(["png", "jpeg"]), help="Of pictures; png by default."
)
@click.option("--no-bleed", is_flag=True, help="Pictures of the trim alone.")
@click.option(
    "--transparent", is_flag=True, help="Pictures of what is inside the die line alone (PNG)."
)
@click.option("--url", default="", help="Where a virtual table finds the pictures; else on disk.")
@options.output
@options.jobs
@options.cache
@options.strict
def export_command(
    packs: tuple[str, ...],
    outlets: tuple[str, ...],
    listed: bool,
    only: str | None,
    players: int | None,
    locale: str | None,
    ink: str,
    dpi: int | None,
    format_: str | None,
    no_bleed: bool,
    transparent: bool,
    url: str,
    output: TargetFolder,
    jobs: int,
    cache: Cache,
    strict: bool,
) -> int:
    """Make what an outlet takes: OUTPUT/PACK/OUTLET/, with a manifest of it.

    An outlet is a print shop, a virtual table or a program; what it cannot take is told and left
    out. Files are read back before they are put in place.
    """
    from generator.outlets import ExportOptions, export_pack, outlet_named
    from generator.print_runs import Standing

    if listed:
        return _list()
    if not outlets:
        raise click.UsageError("say where it goes: --for OUTLET (--list shows all of them)")
    if transparent and format_ == "jpeg":
        raise click.UsageError("a JPEG has no transparency: leave out --format jpeg")
    if outlets != ("images",) and (dpi or format_ or no_bleed or transparent):
        message = "--dpi, --format, --no-bleed and --transparent are for --for images"
        raise click.UsageError(f"{message}; other outlets have their own")
    if url and outlets != ("tts",):
        raise click.UsageError("--url is for --for tts; other outlets bring their pictures along")
    if url and not ADDRESS.fullmatch(url):
        raise click.UsageError(f"--url: {url!r} is no address, such as https://example.org/mine")
    asked = ExportOptions(dpi, format_, not no_bleed, transparent, url)
    order = Order((), None, players, only, ink, locale, jobs, strict, cache)
    said: list[Diagnostic] = []
    journeys = list(product(find_targets(packs), outlets))
    for target, outlet in journeys:
        outlet_named(outlet, Standing().shops(target.project).value)
    for target, outlet in journeys:
        with progress_bar(target.pack) as progress:
            made = export_pack(target, order, outlet, asked, output, progress, terminal.note)
        terminal.show(made.diagnostics, said)
        said.extend(made.diagnostics)
        if made.value is None:
            summary = terminal.summary(made.diagnostics)
            terminal.say(f"{target.pack}: not exported ({summary})")
        else:
            _show(target.pack, made.value)
    return int(terminal.has_failed(said, strict))


def _show(pack: str, made: Exported) -> None:
    files, pieces = f"file{'s' * (made.files != 1)}", f"piece{'s' * (made.pieces != 1)}"
    terminal.say(f"{pack}: {made.files} {files} for {made.pieces} {pieces}")
    terminal.say(f"  {made.folder}")
    for draft in made.drafts:
        terminal.say(f"  a draft: {draft} accepts coarse pictures")


def _list() -> int:
    from generator.print_runs import Standing

    shops = Standing().shops(project_here())
    terminal.show(shops.diagnostics)
    brought = {name: kind for name, (_, kind) in guests.outlets().items()}
    width = max(map(len, (*OUTLETS, *shops.value, *brought)))
    for name, words in OUTLETS.items():
        terminal.say(f"  {name:<{width}}  {words}")
    for name, shop in shops.value.items():
        terminal.say(f"  {name:<{width}}  {shop.title}: {_takes(shop)}")
    for name, kind in brought.items():
        terminal.say(f"  {name:<{width}}  {kind.help}")
    return int(terminal.has_failed(shops.diagnostics, strict=False))


def _takes(shop: Shop) -> str:
    sizes = f"{len(shop.products)} products" if shop.products else "any size"
    copies = "a picture for each copy" if shop.repeats else "a picture for each face"
    return f"{sizes}, {shop.format.upper()} at {shop.dpi} dpi, {copies}"


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
def pack_up_command(folder: Path, output: Path | None, jobs: int) -> int:
    """Pack a project's FOLDER into one zip, to hand it on: `gridpress build that.zip` prints it.

    In it are the definitions of its packs, the templates, drawings, tables, texts and pictures that
    they use, the fonts that they name with their licences, and files such as LICENSE and CREDITS in
    the packs' folders; nothing else that lies there. What was packed is drawn again, in each of
    its languages: it shows the same.
    """
    from generator.bundle import bundle_contents, unpacked_archives, zipped
    from generator.fonts import fonts_of
    from generator.real_folders import workshop
    from generator.writing import must_be_writable, write_named

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
            with real_folders.at_work(), packed.open("w+b") as made:
                zipped(files, made)
            with unpacked_archives([str(packed)]) as (home,):
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
