"""`gridpress pull`: fetches published tables into files of the project. No other command uses the
network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from generator import limits
from generator.cli import terminal
from generator.cli.terminal import progress_bar
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.fetching import SECONDS, fetched
from generator.files import UnreadableError, refusal
from generator.load import mappings, read_document, read_table, table_named
from generator.model.source import Mapping, Scalar
from generator.project import Project, find_targets
from generator.writing import write_files

_SUFFIXES: Final = (".yaml", ".yml")


@click.command("pull")
@click.argument("packs", metavar="[PACK|FOLDER]...", nargs=-1)
def pull_command(packs: tuple[str, ...]) -> int:
    """Fetch published tables into the files that packs read.

    A component file names them: rows: {url: https://…, file: cards.csv}. No other command uses the
    network. A file stays unchanged if its table cannot be fetched or is not a table.
    """
    faults: list[Diagnostic] = []
    count = 0
    for target in find_targets(packs):
        for path, file, url in _tables(target.project, target.project.cards(target.pack)):
            count += 1
            try:
                terminal.say(_pulled(target.project, path, file, url))
            except GridpressError as error:
                faults += error.diagnostics
    if not count:
        terminal.note(
            "no pack here names a table on the web\n"
            "    write rows: {url: https://…, file: cards.csv} instead of rows: cards.csv"
        )
    terminal.show(faults)
    return 0 if Outcome(None, tuple(faults)).ok else 1


def _tables(project: Project, cards: Path) -> Iterator[tuple[Path, Scalar, Scalar]]:
    """Yield each component file that names a table on the web, with the table's file and
    address."""
    for entry in project.roots.walk(cards):
        if entry.is_folder or entry.fault or entry.path.suffix.lower() not in _SUFFIXES:
            continue
        document = read_document(entry.path, project.display(entry.path), project.roots).value
        rows = (
            document.root.get("rows") if document and isinstance(document.root, Mapping) else None
        )
        file, url = table_named(rows) if rows is not None else (None, None)
        if file is not None and url is not None:
            yield entry.path, file, url


def _pulled(project: Project, path: Path, file: Scalar, url: Scalar) -> str:
    """Fetch a table into its file; return what changed. Raises GridpressError."""
    refused = refusal(file.text, file.span)
    if refused is not None:
        raise GridpressError(refused)
    target = path.parent / file.text
    shown = project.display(target)
    with progress_bar(shown, "fetching"), limits.at(str(url.span), SECONDS):
        content = fetched(url.text, url.span)
        rows = _rows(content, shown)
    try:
        before = project.roots.read(target, len(content) * 20 + 5_000_000)
    except UnreadableError:
        before = None
    if before == content:
        return f"{shown}: {len(rows)} rows, as before"
    write_files(project.root, {target: lambda: content}, "check the folder")
    was = _rows_before(before, shown)
    return f"{shown}: {len(rows)} rows{_difference(was, rows)}"


def _rows(content: bytes, shown: str) -> list[tuple[str, ...]]:
    table = read_table(content, "", Span(shown), shown)
    found, faults = mappings(table.rows, shown, (), table.point)
    outcome = Outcome(None, tuple(faults))
    if not outcome.ok and not found:
        raise GridpressError(*faults)
    return [tuple(n.text for _, n in row.entries if isinstance(n, Scalar)) for row in found]


def _rows_before(content: bytes | None, shown: str) -> list[tuple[str, ...]] | None:
    try:
        return None if content is None else _rows(content, shown)
    except GridpressError:
        return None


def _difference(was: list[tuple[str, ...]] | None, rows: list[tuple[str, ...]]) -> str:
    if was is None:
        return ", new"
    before, after = set(was), set(rows)
    return f", {len(after - before)} of them new or changed, {len(before - after)} gone or changed"
