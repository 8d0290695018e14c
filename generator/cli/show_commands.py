"""Commands that show what there is: `list`, `preview`, `schema` and `cache`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from generator.cache import MOST, VARIABLE, Cache, user_cache
from generator.cli import options, terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic, Span
from generator.geometry import Size, format_mm, summed
from generator.model.catalogue import Catalogue
from generator.model.pack import Pack
from generator.order import Order
from generator.project import SHARED, Target, find_targets, project_here
from generator.real_folders import TargetFolder


@click.command("list")
@options.packs
@options.players
@click.option("--stocks", is_flag=True, help="The sizes that a kind may name, with their shapes.")
@click.option("--papers", is_flag=True, help="The papers and label sheets that a print may name.")
def list_command(packs: tuple[str, ...], players: int | None, stocks: bool, papers: bool) -> int:
    """Show packs, their kinds, components and counts.

    Without a name: every pack, a line each kind. With one: every component too.
    With --stocks or --papers: the names to choose from, in mm.
    """
    from generator.prepress import open_pack

    targets = find_targets(packs)
    if stocks or papers:
        return _catalogue(targets if packs else (), stocks, papers)
    said: list[Diagnostic] = []
    for target in targets:
        outcome = open_pack(target, Order(players=players))
        terminal.show(outcome.diagnostics, said)
        said.extend(outcome.diagnostics)
        if outcome.value is not None:
            terminal.say("\n".join(_lines(outcome.value.pack, in_full=bool(packs))))
    return int(terminal.has_failed(said, strict=False))


def _catalogue(targets: tuple[Target, ...], stocks: bool, papers: bool) -> int:
    """What the projects of these packs may name, those here without any."""
    from generator.prepress import printer_of

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
    """Draw faces as pictures: OUTPUT/PACK/preview/KIND.ID.SIDE.png, and a contact sheet a kind.

    The pictures come from the same engine and fonts as the PDF.
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
    help="Folder for the schemas, those of a pack's kinds in one of its name; by default the "
    "pack's own kinds/ folder.",
)
def schema_command(packs: tuple[str, ...], output: Path | None) -> int:
    """Write a JSON Schema for each kind, so that your editor completes and checks YAML; and those
    for all other files (pack, kind, styles, stocks, papers, printer, ...) to cards/shared/schemas.

    An editor with the YAML language server finds it through the first line of a file:
    `# yaml-language-server: $schema=kinds/KIND.schema.json`
    """
    from generator.prepress import open_pack
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
        if root != target.project.shipped:  # there they are
            of_files = output or root / "cards" / SHARED / "schemas"
            texts |= {
                of_files / f"{n}.schema.json": _json(s) for n, s in definition_schemas().items()
            }
        theirs = [_not_ours(path) for path, text in texts.items() if not _is_ours(path, text)]
        if theirs:
            terminal.show(theirs)
            said.extend(theirs)
            continue
        for path in write_files(root, texts, "choose another folder with -o"):
            terminal.say(str(path) if output else target.project.display(path))
    return int(terminal.has_failed(said, strict=False))


def _is_ours(path: Path, text: str) -> bool:
    """Whether nothing is lost when this text comes there: nothing is, or a schema of that kind."""
    if path.is_symlink() or not path.is_file():  # which is told when it cannot be written
        return True
    try:
        there = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return there == text or _is_about(there) == _is_about(text)


def _is_about(text: str) -> object:
    """What tells a schema of ours from others; nothing for what is none."""
    try:
        schema = json.loads(text)
        kind = schema["properties"].get("kind", {}).get("const")
        return schema["$schema"], kind or schema["title"], "rows" in schema["properties"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _not_ours(path: Path) -> Diagnostic:
    message = "this lies where a schema is to come, and gridpress schema did not write it"
    return Diagnostic(Span(str(path)), "GP706", message, "move it elsewhere, or give -o a folder")


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@click.command("cache")
@click.option("--clear", is_flag=True, help="Forget all of it.")
def cache_command(clear: bool) -> int:
    """Show where Gridpress keeps what it worked out before, and how large that is.

    The next build, check or preview then only works out what has changed. Nothing in there is
    needed: without it, the same comes out later.
    """
    cache = user_cache()
    terminal.say(str(cache.folder))
    if not _is_to_be_made(cache.folder) and cache.trouble:
        terminal.say(f"nothing is kept: {cache.trouble}; {VARIABLE} may name another folder")
        return 0
    sizes = cache.sizes()
    if clear:
        cache.clear()
    for sort, size in sizes.items():
        terminal.say(f"  {sort:<12} {size.entries:>7,}  {_megabytes(size.bytes)}")
    total = summed(size.bytes for size in sizes.values())
    if clear:
        terminal.say(f"cleared: {_megabytes(total).strip()} given back")
    else:
        terminal.say(
            f"  {'together':<12} {'':>7}  {_megabytes(total)} of {MOST / 1e6:,.0f} MB at most"
        )
    return 0


def _is_to_be_made(folder: Path | None) -> bool:
    """True where nothing was kept yet: to ask what the trouble is makes the folder."""
    if folder is None or not folder.is_absolute() or os.path.lexists(folder):
        return False
    return next(path for path in folder.parents if os.path.lexists(path)).is_dir()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:>7,.1f} MB"
