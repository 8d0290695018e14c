"""`gridpress explain`: says what a finding means and what to do, by its code."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from operator import ne
from typing import Final

import click

from generator.cli.terminal import in_columns, say
from generator.explanations import Explanation, subjects

_WIDTH: Final = 80
_CLOSE: Final = 3
"""Codes that are suggested for a wrong one."""


@click.command("explain")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def explain_command(codes: tuple[str, ...]) -> None:
    """Say what a finding means and what to do.

    CODE is the code in the brackets of a finding, such as GP401; 401 works too. Without a CODE,
    all codes are listed by subject.
    """
    if not codes:
        _list_all()
        return
    known = {found.code: found for subject in subjects() for found in subject.explanations}
    say("\n\n".join(_in_words(_coded(code, known)) for code in codes))


def _list_all() -> None:
    for number, subject in enumerate(subjects()):
        rows = [(found.code, found.meaning) for found in subject.explanations]
        lines = (f"  {line}" for line in in_columns(rows))
        say("\n".join(("",) * bool(number) + (subject.title, *lines)))


def _in_words(found: Explanation) -> str:
    return f"{found.code}: {found.meaning}\n\n{click.wrap_text(found.plain_advice, _WIDTH)}"


def _coded(word: str, known: Mapping[str, Explanation]) -> Explanation:
    """Return the explanation of a code. Raises UsageError with the closest codes."""
    code = word.strip("[]").upper()
    code = f"GP{code}" if code.isdecimal() else code
    if code in known:
        return known[code]
    close = [f"{near} ({known[near].meaning})" for near in _close(code, known)]
    hint = f"did you mean {', or '.join(close)}?" if close else "gridpress explain lists all"
    raise click.UsageError(f"there is no code {word!r}: {hint}")


def _close(code: str, known: Collection[str]) -> list[str]:
    """Return the codes that were probably meant, the same subject first."""
    same_letters = [each for each in known if sorted(each) == sorted(code)]
    one_wrong = [each for each in known if _differing(each, code) == 1]
    found = sorted({*same_letters, *one_wrong}, key=lambda each: (each[:3] != code[:3], each))
    return (found or get_close_matches(code, known))[:_CLOSE]


def _differing(one: str, other: str) -> int:
    return len(one) if len(one) != len(other) else sum(map(ne, one, other))
