"""`gridpress export`: packs in, what an outlet takes of them out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import click

from generator import guests
from generator.cache import Cache
from generator.cli import options, terminal
from generator.cli.progress import progress_bar
from generator.diagnostics import Diagnostic
from generator.model.catalogue import ADDRESS, OUTLETS, Shop
from generator.model.pack import words_in
from generator.order import Order
from generator.project import find_targets, project_here
from generator.realfolder import TargetFolder

if TYPE_CHECKING:
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
@click.option("--dpi", type=click.IntRange(36, 1200), help="Of pictures; 300 when left out.")
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
def command(
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
    terminal.say(f"{pack}: {made.files} files for {made.pieces} pieces")
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
