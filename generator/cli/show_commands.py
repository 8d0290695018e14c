"""Commands that show what there is (`list`, `preview`, `schema`, `cache`) or hand it on (`export`,
`pack-up`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator import guests, writing
from generator.build import Order
from generator.cache import MOST, VARIABLE, Cache, user_cache
from generator.cli import options, terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic
from generator.geometry import Size, format_mm, summed
from generator.model.catalogue import ADDRESS, OUTLETS, Catalogue
from generator.model.pack import Pack, words_in
from generator.project import SHARED, Project, Target, find_targets, project_here, shipped_root
from generator.writing import TargetFolder

if TYPE_CHECKING:
    from generator.model.face import Face
    from generator.outlets import Exported


@click.command("list")
@options.packs
@options.players
@click.option("--stocks", is_flag=True, help="The sizes that a kind may name, with their shapes.")
@click.option("--papers", is_flag=True, help="The papers and label sheets that a print may name.")
@click.option(
    "--icons",
    is_flag=True,
    help="A page of the icons a pack may use: OUTPUT/PACK/icons.html.",
)
@options.output
def list_command(
    packs: tuple[str, ...],
    players: int | None,
    stocks: bool,
    papers: bool,
    icons: bool,
    output: TargetFolder,
) -> int:
    """Show packs, their kinds, components and counts.

    Without a name: every pack, a line for each kind. With a name: every component too. With
    --stocks or --papers: the names to choose from, in mm. With --icons: a page of pictures.
    """
    from generator.build import open_pack

    targets = find_targets(packs)
    if icons:
        return _icons(targets, output)
    if stocks or papers:
        return _catalogue(targets if packs else (), stocks, papers)
    said: list[Diagnostic] = []
    for target in targets:
        with progress_bar(target.pack):
            outcome = open_pack(target, Order(players=players))
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            terminal.say("\n".join(_lines(outcome.value.pack, in_full=bool(packs))))
    return int(terminal.has_failed(said, strict=False))


def _icons(targets: tuple[Target, ...], output: TargetFolder) -> int:
    """Write a page of icons for each pack, also for packs with mistakes."""
    from generator.assets import assets_of
    from generator.build import open_pack
    from generator.icon_page import PAGE, icon_page
    from generator.writing import write_files

    for target in targets:
        with progress_bar(target.pack, "drawing icons"):
            opened = open_pack(target, Order(), in_parts=True).value
            title = opened.pack.title if opened else target.pack
            required = opened.pack.requires if opened else ()
            assets = assets_of(target.project, target.pack, required)
            page = icon_page(title, assets, target.project)
        path = (output / target.pack / PAGE).path
        write_files(output.named, {path: page}, "choose another folder with -o")
        terminal.say(f"{target.pack}: {path}")
    return 0


def _catalogue(targets: tuple[Target, ...], stocks: bool, papers: bool) -> int:
    """List the stocks and papers that the projects of these packs may use."""
    from generator.build import printer_of

    said: list[Diagnostic] = []
    for project in dict.fromkeys([target.project for target in targets] or [project_here()]):
        outcome = printer_of(project)
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            catalogue, _ = outcome.value
            rows = [*_stocks(catalogue)] if stocks else []
            rows += [*_papers(catalogue)] if papers else []
            terminal.say("\n".join(terminal.in_columns(rows)))
    return int(terminal.has_failed(said, strict=False))


def _stocks(catalogue: Catalogue) -> Iterator[tuple[str, str, str, str]]:
    for stock in catalogue.stocks.values():
        yield stock.name, _size(stock.trim), stock.shape.value, stock.description


def _papers(catalogue: Catalogue) -> Iterator[tuple[str, str, str, str]]:
    for paper in catalogue.papers.values():
        yield paper.name, _size(paper.size), "paper", paper.title
    for sheet in catalogue.label_sheets.values():
        yield sheet.name, _size(sheet.label), f"labels on {sheet.paper}", sheet.title


def _size(size: Size) -> str:
    return f"{format_mm(size.width)} × {format_mm(size.height)}"


def _lines(pack: Pack, in_full: bool) -> list[str]:
    lines = [f"{pack.name}  {pack.title} {pack.version}"]
    for kind in pack.kinds.values():
        components = pack.components.get(kind.name, ())
        pieces = summed(component.quantity for component in components) if kind.faces else 0
        if not pieces and not pack.is_own(kind.name):
            continue
        printed = f", {pieces} to print" if kind.faces else ""
        noun = "component" if len(components) == 1 else "components"
        lines.append(f"  {kind.name:<20} {len(components):>4} {noun}{printed}")
        if in_full:
            lines += [
                f"    {component.id:<28}" + (f" × {component.quantity}" if kind.faces else "")
                for component in components
            ]
    return [line.rstrip() for line in lines]


@click.command("preview")
@options.packs
@options.only
@options.ink
@options.locale
@click.option(
    "--dpi",
    type=click.IntRange(options.LEAST_DPI, 600),
    default=150,
    show_default=True,
    help="Dots per inch.",
)
@options.output
@options.jobs
@options.cache
def preview_command(
    packs: tuple[str, ...],
    only: str | None,
    ink: str,
    locale: str | None,
    dpi: int,
    output: TargetFolder,
    jobs: int,
    cache: Cache,
) -> int:
    """Draw pieces as they are cut out: OUTPUT/PACK/preview/KIND.ID.SIDE.png, and a contact sheet
    for each kind.

    The pictures come from the same engine and fonts as the PDF, and are transparent around round
    and other shapes. Faces with errors are shown with their bleed. For all pictures with bleed, use
    `gridpress export --for images`.
    """
    from generator.outlets import preview_pack

    order = Order(only=only, ink=ink, locale=locale, jobs=jobs, cache=cache)
    said: list[Diagnostic] = []
    for target in find_targets(packs):
        with progress_bar(target.pack) as progress:
            outcome = preview_pack(target, order, output, dpi, progress, terminal.note)
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        for path in outcome.value:
            terminal.say(str(path))
    return int(terminal.has_failed(said, strict=False))


@click.command("schema")
@options.packs
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the schemas, in a subfolder for each pack; by default the pack's own kinds/ "
    "folder.",
)
def schema_command(packs: tuple[str, ...], output: Path | None) -> int:
    """Write a JSON Schema for each kind, so that your editor completes and checks YAML. Schemas for
    all other files (pack, kind, styles, stocks, papers, printer, ...) go to cards/shared/schemas.

    An editor with the YAML language server finds a schema through the first line of a file: `#
    yaml-language-server: $schema=kinds/KIND.schema.json`
    """
    from generator.build import open_pack
    from generator.validate import definition_schemas, json_schemas
    from generator.writing import write_files

    said: list[Diagnostic] = []
    for target in find_targets(packs):
        outcome = open_pack(target, Order())
        said.extend(outcome.diagnostics)
        terminal.show(outcome.diagnostics)
        if outcome.value is None:
            continue
        root = output or target.project.home(target.pack)
        folder = output / target.pack if output else target.project.cards(target.pack) / "kinds"
        texts = {
            folder / f"{name}.schema.json": _json(schema)
            for name, schema in json_schemas(outcome.value.pack).items()
        }
        if root != target.project.shipped:  # it has them
            of_files = output or root / "cards" / SHARED / "schemas"
            texts |= {
                of_files / f"{n}.schema.json": _json(s) for n, s in definition_schemas().items()
            }
        for path in write_files(root, texts, "choose another folder with -o"):
            terminal.say(str(path) if output else target.project.display(path))
    return int(terminal.has_failed(said, strict=False))


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@click.command("cache")
@click.option("--clear", is_flag=True, help="Delete all of it.")
def cache_command(clear: bool) -> int:
    """Show where Gridpress keeps earlier results, and how large they are.

    With them, the next build, check or preview does only what has changed. Clearing costs
    nothing but time. The environment variable GRIDPRESS_CACHE names another folder for it.
    """
    cache = user_cache()
    terminal.say(str(cache.folder))
    if cache.trouble:
        terminal.say(f"nothing is kept: {cache.trouble}; set {VARIABLE} to use another folder")
        return 0
    megabytes = f"{cache.size / 1e6:,.1f} MB"
    if clear:
        cache.clear()
        terminal.say(f"cleared: {megabytes} given back")
    else:
        terminal.say(f"{megabytes} of {MOST / 1e6:,.0f} MB at most")
    return 0


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
    help="The outlet; --list shows all; repeatable, or with commas.",
)
@click.option("--list", "listed", is_flag=True, help="Show all outlets, and what each takes.")
@options.only
@options.players
@options.locale
@options.ink
@click.option(
    "--dpi",
    type=click.IntRange(options.LEAST_DPI, 1200),
    help="Dots per inch of pictures; by default 300.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["png", "jpeg"]),
    help="Format of pictures; by default png.",
)
@click.option("--no-bleed", is_flag=True, help="Pictures without the bleed.")
@click.option("--transparent", is_flag=True, help="Cut-out pieces on a transparent ground (PNG).")
@click.option(
    "--url",
    default="",
    help="Address where a virtual table finds the pictures.",
)
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
    """Make files for an outlet: OUTPUT/PACK/OUTLET/, with a manifest.

    An outlet is a print shop, a virtual table or a program. Anything that it cannot take is
    reported and left out.
    """
    from generator.build import Standing
    from generator.outlets import ExportOptions, export_pack, outlet_named

    if listed:
        return _list_outlets()
    if not outlets:
        raise click.UsageError("choose an outlet: --for OUTLET (--list shows all)")
    if transparent and format_ == "jpeg":
        raise click.UsageError("a JPEG has no transparency: leave out --format jpeg")
    if outlets != ("images",) and (dpi or format_ or no_bleed or transparent):
        message = "--dpi, --format, --no-bleed and --transparent are for --for images"
        raise click.UsageError(f"{message}; other outlets have their own")
    if url and outlets != ("tts",):
        raise click.UsageError("--url is for --for tts; other outlets include their pictures")
    if url and not ADDRESS.fullmatch(url):
        raise click.UsageError(f"--url: {url!r} is not an address such as https://example.org/mine")
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


def _list_outlets() -> int:
    from generator.build import Standing

    shops = Standing().shops(project_here())
    terminal.show(shops.diagnostics)
    brought = {name: kind for name, (_, kind) in guests.outlets().items()}
    width = max(map(len, (*OUTLETS, *shops.value, *brought)))
    for name, words in OUTLETS.items():
        terminal.say(f"  {name:<{width}}  {words}")
    for name, shop in shops.value.items():
        terminal.say(f"  {name:<{width}}  {shop.title}: {shop.takes}")
    for name, kind in brought.items():
        terminal.say(f"  {name:<{width}}  {kind.help}")
    return int(terminal.has_failed(shops.diagnostics, strict=False))


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
    """Pack a project's FOLDER into one zip: `gridpress build that.zip` prints it.

    The zip holds the definitions of its packs, the templates, drawings, tables, texts and pictures
    that they use, their fonts with licences, and files such as LICENSE and CREDITS in the packs'
    folders; nothing else. The packed project is drawn once more in each language, to make sure that
    it shows the same.
    """
    from generator.bundle import bundle_contents, unpacked_archives, zipped
    from generator.fonts import fonts_of
    from generator.writing import must_be_writable, workshop, write_named

    project = Project(folder.resolve(), shipped_root())
    target_path = output or Path(f"{project.root.name}.zip")
    must_be_writable(target_path, _ELSEWHERE)
    with workshop() as (scratch, _):
        fonts = fonts_of(project)
        seen = _seen(str(folder), jobs, scratch)
        if terminal.has_failed(seen.said, strict=False):
            terminal.show(seen.said)
            terminal.note(f"{folder}: fix this first, then pack it up")
            return 1
        packed = scratch / "packed.zip"
        for every in (False, True):
            files, bare = bundle_contents(project, seen.packs, seen.pictures, fonts, every=every)
            with writing.at_work(), packed.open("w+b") as made:
                zipped(files, made)
            with unpacked_archives([str(packed)]) as (home,):
                again = _seen(home, jobs, scratch)
            if again.faces == seen.faces:
                break  # otherwise pack every file: a name cannot be traced
        write_named(target_path, packed, _ELSEWHERE, "zip")
        count = packed.stat().st_size
    for home in bare:
        terminal.note(f"{home}: these fonts have no licence file beside them; add it")
    terminal.say("\n".join(f"  {name}" for name in sorted(files)))
    size = f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
    terminal.say(f"{target_path}: {len(files)} files, {size}")
    terminal.say(f"\nnow try: gridpress build {terminal.typed(target_path)}")
    return 0


class _Seen(NamedTuple):
    """The packs of a project with findings, digests of all faces, and the pictures on them."""

    packs: tuple[Pack, ...]
    said: tuple[Diagnostic, ...]
    faces: tuple[str, ...]
    pictures: frozenset[Path]


def _seen(folder: str, jobs: int, scratch: Path) -> _Seen:
    """Draw each component of a project once, in each of its languages."""
    from generator.build import draw, each_once, open_pack
    from generator.load import locales

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
