"""`gridpress schema`: packs in, JSON Schemas for editors out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from generator.cli import options, terminal
from generator.diagnostics import Diagnostic, Span
from generator.order import Order
from generator.prepress import open_pack
from generator.project import SHARED, find_targets
from generator.validate import definition_schemas, json_schemas
from generator.writing import write_files


@click.command("schema")
@options.packs
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the schemas, those of a pack's kinds in one of its name; by default the "
    "pack's own kinds/ folder.",
)
def command(packs: tuple[str, ...], output: Path | None) -> int:
    """Write a JSON Schema for each kind, so that your editor completes and checks YAML; and those
    for all other files (pack, kind, styles, stocks, papers, printer, ...) to cards/shared/schemas.

    An editor with the YAML language server finds it through the first line of a file:
    `# yaml-language-server: $schema=kinds/KIND.schema.json`
    """
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
