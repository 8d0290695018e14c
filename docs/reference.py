"""Codes, constants and commands of Gridpress in, three pages of the reference out.

    python docs/reference.py [--check]

It writes errors.md, limits.md and commands.md. `--check` writes nothing and fails when one of them
is out of date.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from generator.cli import gridpress
from generator.explanations import subjects

DOCS: Final = Path(__file__).parent
MADE: Final = "<!-- Made by docs/reference.py: run make reference. -->"
_NUMBER: Final = re.compile(r"(INTEGER|FLOAT) RANGE")
SHARED_BY: Final = 3
"""Commands that must have an option in common before it moves to the table at the top."""

ERRORS: Final = """# Errors and warnings

A finding names its place, its code, the problem, and the remedy:

```
cards/duel/cards.yaml:7:5: error[GP202]: cots: no such field
    did you mean 'cost'?
gridpress explain GP202 says more
```

| severity | result |
|---|---|
| **error** | Nothing of the pack is printed; the last good build stays |
| **warning** | The pack is printed; `--strict` turns warnings into errors |

`gridpress explain GP202` prints its paragraph from this page. One run reports every mistake that it
can see. You can [accept a warning](preflight.md#accept-a-warning) in one line of pack.yaml.
With `--format json`, `check`, `build` and `preflight` write for other programs.
"""

LIMITS: Final = """# Limits

Packs come from strangers, so all work on them is limited. A real game stays far below: a deck of
5,400 cards passes. Gridpress reports whatever exceeds a limit, with its place and a remedy.
"""

BOUNDS: Final[dict[str, dict[str, str]]] = {
    "Files": {
        "bytes of a definition file": "load.documents.MAX_BYTES",
        "lists, mappings, keys and values of a file": "load.documents.MAX_VALUES",
        "levels of lists and mappings": "load.documents.MAX_DEPTH",
        "values that aliases stand for": "load.documents.MAX_EXPANDED",
        "components of a pack": "load.packs.MAX_COMPONENTS",
        "bytes of a zip, and of all files in it": "bundle.MAX_TOTAL",
        "bytes of a file in a zip": "bundle.MAX_FILE",
        "files and folders in a zip": "bundle.MAX_FILES",
        "bytes of the text of a rulebook": "assets.MAX_TEXT",
        "filled cells of a table": "load.tables.MAX_CELLS",
        "cells of a sheet, with empty ones": "load.tables.MAX_SHEET",
        "bytes that a workbook unpacks to": "load.tables.MAX_UNPACKED",
        "files and folders in a folder of a project": "files.MAX_ENTRIES",
        "levels of folders": "files.MAX_DEPTH",
    },
    "Definitions": {
        "digits of a number": "validate.field_types.MAX_DIGITS",
        "millimetres of a length": "validate.field_types.MAX_MM",
        "copies of a component": "validate.components.MAX_QUANTITY",
        "sets of a collated kind": "validate.components.MAX_SETS",
        "pieces that a pack prints": "validate.components.MAX_PIECES",
        "pages of a poster": "impose.poster.MOST_PAGES",
        "tiles of a course": "tracks.courses.MOST_TILES",
    },
    "Faces": {
        "bytes of a face's SVG": "render.renderer.MAX_BYTES",
        "shapes of a face, repeated ones counted each time": "render.svg_lint.MAX_DRAWN",
        "levels of elements": "svg_parts.MAX_NESTED",
        "letters of a word that can be hyphenated": "text.paragraph.MAX_PARTED",
        "a number of a transform": "geometry.MAX_PLACE",
        "bytes of an icon or a drawing": "assets.MAX_BYTES",
        "bytes of a picture": "assets.MAX_FILE",
        "pixels of a picture": "assets.MAX_PIXELS",
        "bytes that a PNG or WebP picture unpacks to": "assets.MAX_UNPACKED",
        "bytes of a font": "fonts.MAX_FILE",
        "pixels of a face in `preview` and `export`": "outlets.images.MAX_PIXELS",
        "pictures of one `export`": "outlets.dispatch.MAX_PICTURES",
    },
    "Templates, expressions and patterns": {
        "steps of an expression, or of the templates of a face": "sandbox.bounds.MAX_STEPS",
        "characters that they print, counted in each macro": "sandbox.bounds.MAX_CHARACTERS",
        "items of a list": "sandbox.bounds.MAX_ITEMS",
        "characters of a text": "sandbox.bounds.MAX_TEXT",
        "characters that the templates of a face write": "sandbox.bounds.MAX_OUTPUT",
    },
    "PDFs and manifests": {
        "seconds of processor time to check a PDF": "preflight.pdf.pdf_check.SECONDS",
        "findings with one code that are listed": "preflight.pdf.gathered.MOST_OF_A_KIND",
        "bytes of a manifest": "model.manifest.MOST_BYTES",
    },
    "Processes": {
        "seconds of processor time for a file, face or page of ordinary size": (
            "limits.MOST_SECONDS"
        ),
        "bytes of memory of a process": "limits.MOST_MEMORY",
        "bytes of the cache folder": "cache.MOST",
        "bytes of an entry in it": "cache.MOST_ENTRY",
    },
    "Findings": {
        "findings that a run prints": "cli.terminal.MAX_SHOWN",
        "findings that a run lists as JSON": "cli.terminal.MAX_LISTED",
        "faults reported for a face": "render.svg_lint.MOST_REPORTED",
        "characters of a message, and of its hint": "diagnostics.MAX_WORDING",
        "names that are compared to suggest one": "diagnostics.MAX_COMPARED",
    },
}

COMMANDS: Final = """# Commands

`gridpress --help` lists the commands, `gridpress COMMAND --help` shows the options of one.

| exit status | meaning |
|---:|---|
| 0 | fine; perhaps with warnings |
| 1 | your files have mistakes |
| 2 | the command line is wrong |
| 3 | a bug in Gridpress |
| 130 | you pressed Ctrl-C |

## Options of several commands
"""


def main(words: list[str]) -> int:
    status = 0
    for name, text in pages().items():
        path = DOCS / name
        if "--check" not in words:
            path.write_text(text, "utf-8")
        elif path.read_text("utf-8") != text:
            sys.stderr.write(f"{path}: out of date; run make reference\n")
            status = 1
    return status


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    made = {"errors.md": errors(), "limits.md": limits(), "commands.md": commands()}
    texts = {name: "\n".join((MADE, "", *lines)) for name, lines in made.items()}
    return {name: f"{text.rstrip()}\n" for name, text in texts.items()}


def errors() -> Iterator[str]:
    yield ERRORS
    for subject in subjects():
        yield f"## {subject.title}\n"
        for found in subject.explanations:
            yield f"### {found.code}: {found.meaning}\n\n{found.advice}\n"


def limits() -> Iterator[str]:
    yield LIMITS
    for title, rows in BOUNDS.items():
        yield f"## {title}\n\n| what | the most | constant |\n| --- | ---: | --- |"
        for what, place in rows.items():
            module, _, name = f"generator.{place}".rpartition(".")
            most = getattr(import_module(module), name)
            yield f"| {what} | {int(most):,} | `{module}.{name}` |"
        yield ""


Row = tuple[str, str]


def commands() -> Iterator[str]:
    yield COMMANDS
    known = list(contexts(click.Context(gridpress, info_name="gridpress")))
    counts = Counter(row for context in known for row in dict.fromkeys(options(context)))
    shared = {row for row, count in counts.items() if count >= SHARED_BY}
    yield from rows_of(row for row in counts if row in shared)
    for context in known:
        yield from section(context, shared)


def contexts(above: click.Context) -> Iterator[click.Context]:
    """Yield each command below a group. Of those that start a component, only one is shown."""
    group = above.command
    assert isinstance(group, click.Group)
    starters = "track" if above.info_name == "new" else None
    for name in group.list_commands(above):
        command = group.get_command(above, name)
        assert command is not None
        if starters and name not in {*group.commands, starters}:
            continue
        context = click.Context(command, info_name=name, parent=above)
        yield context
        if isinstance(command, click.Group):
            yield from contexts(context)


def options(context: click.Context) -> list[Row]:
    """Return the options of a command with their words, except --help."""
    given = (one for one in context.command.params if isinstance(one, click.Option))
    rows = [one.get_help_record(context) for one in given]
    return [row for row in rows if row is not None]


def section(context: click.Context, shared: set[Row]) -> Iterator[str]:
    command, path = context.command, context.command_path
    yield f"## {path}\n"
    if not isinstance(command, click.Group):
        usage = " ".join(command.collect_usage_pieces(context)).removeprefix("[OPTIONS]").strip()
        yield f"```\n{path} {usage}".rstrip() + "\n```\n"
    paragraphs = re.split(r"\n\s*\n", (command.help or "").replace("\b", "").strip())
    for paragraph in paragraphs:
        yield f"{' '.join(paragraph.split())}\n"
    if isinstance(command, click.Group) and context.info_name == "new":
        others = [one for one in command.list_commands(context) if one not in command.commands]
        known = f"{', '.join(others[:-1])} and {others[-1]}"
        yield f"Packs have starters for {known}. All work like `new track` below.\n"
    own = [row for row in options(context) if row not in shared]
    common = [first_name(row) for row in options(context) if row in shared]
    yield from rows_of(own)
    if common:
        more = f"{', '.join(common)}: [see above](#options-of-several-commands)."
        yield f"{'Also ' if own else ''}{more}\n"


def first_name(row: Row) -> str:
    long = re.search(r"--[\w-]+", row[0])
    assert long
    return f"`{long[0]}`"


def rows_of(rows: Iterable[Row]) -> Iterator[str]:
    lines = [f"| `{piped(_NUMBER.sub('N', names))}` | {cell(words)} |" for names, words in rows]
    if lines:
        yield from ("| option | what it does |", "|---|---|", *lines, "")


def cell(words: str) -> str:
    """Return the words of an option for a table, its default and range at the end in brackets."""
    words, _, more = " ".join(words.split()).partition(" [")
    more = re.sub(r"\(|\)|\]$", "", more).replace("] [", "; ")
    more = re.sub(r"(\S+)<=x<=(\S+)", r"\1 to \2", more)
    more = re.sub(r"x>=(\d+)", r"\1 or more", more)
    return piped(f"{words} ({more})" if more else words).replace("*", r"\*")


def piped(words: str) -> str:
    return words.replace("|", r"\|")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
