"""What is said on the terminal, findings and results, in words or as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Final

import click

from generator.diagnostics import Diagnostic, Severity, foremost, in_order, plain

MAX_SHOWN: Final = 200
"""Findings that a run tells in words; of more it says how many there are."""
MAX_LISTED: Final = 5_000
"""Findings that a run lists as JSON."""
_MEND: Final = "mend these first"
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def has_failed(diagnostics: Sequence[Diagnostic], strict: bool) -> bool:
    """True when there is an error, or with `strict` anything at all."""
    return any(strict or d.severity is Severity.ERROR for d in diagnostics)


def show(diagnostics: Sequence[Diagnostic], said: Collection[Diagnostic] = ()) -> None:
    """Print findings to standard error, sorted by place, with their hints indented.

    What was `said` of another pack is not said again: one pack may require another. In all it is
    `MAX_SHOWN` that are printed, errors first, with a line on how many more there are.
    """
    before = frozenset(said)
    found = in_order(found for found in diagnostics if found not in before)
    shown, others = foremost(found, max(0, MAX_SHOWN - len(before)))
    for diagnostic in shown:
        head, *hint = str(diagnostic).splitlines()
        place, _, rest = head.partition(f": {diagnostic.severity}")
        label = click.style(str(diagnostic.severity), fg=_COLOURS[diagnostic.severity], bold=True)
        click.echo(f"{place}: {label}{rest}", err=True)
        for line in hint:
            click.echo(click.style(line, dim=True), err=True)
    if others:
        click.echo(f"… and {others}; {_MEND}", err=True)


def note(words: str) -> None:
    """Something to know that is no finding."""
    click.echo(words, err=True)


def say(text: str) -> None:
    """Print lines to standard output: names and words of a stranger's file as no terminal obeys
    them."""
    click.echo("\n".join(map(plain, text.split("\n"))))


def say_json(value: Any) -> None:
    """The same for a value as JSON, where what is harmful is written as JSON has it."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def show_json(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings to standard output as a JSON list, as they are `listed`."""
    say_json(listed(diagnostics))


def listed(diagnostics: Sequence[Diagnostic]) -> list[dict[str, str | int]]:
    """Findings for JSON, at most `MAX_LISTED`; how many more there are goes to standard error."""
    shown, others = foremost(in_order(diagnostics), MAX_LISTED)
    if others:
        click.echo(f"… and {others}; {_MEND}", err=True)
    return [diagnostic.as_dict() for diagnostic in shown]


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`, or `no mistakes found`."""
    counts = [
        (sum(d.severity is severity for d in diagnostics), str(severity)) for severity in Severity
    ]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(said) or "no mistakes found"
