"""Explains the codes of findings, for `gridpress explain` and docs/errors.md.

`explanations.md` has a paragraph for each code of Gridpress, by subject. Guests bring those of
their codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator import guests
from generator.diagnostics import CODES

_FILE: Final = Path(__file__).with_name("explanations.md")
_LINK: Final = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


class Explanation(Struct, frozen=True):
    """A code, its meaning, and a paragraph of Markdown on what to do; links are those of docs/."""

    code: str
    meaning: str
    advice: str

    @property
    def plain_advice(self) -> str:
        """Return the paragraph without Markdown links: `kinds (docs/kinds.md)`."""
        return _LINK.sub(r"\1 (docs/\2)", self.advice)


class Subject(Struct, frozen=True):
    """Codes that are about the same thing."""

    title: str
    explanations: tuple[Explanation, ...]


def subjects() -> tuple[Subject, ...]:
    """Return all codes of Gridpress and of the installed guests, by subject."""
    return (*_own(), *_of_guests())


def _own() -> Iterator[Subject]:
    _, *parts = re.split(r"^# (.+)\n", _FILE.read_text("utf-8"), flags=re.MULTILINE)
    for title, part in zip(parts[::2], parts[1::2], strict=True):
        _, *given = re.split(r"^## (GP\d{3})\n", part, flags=re.MULTILINE)
        pairs = zip(given[::2], given[1::2], strict=True)
        found = (Explanation(code, CODES[code], advice.strip()) for code, advice in pairs)
        yield Subject(title, tuple(found))


def _of_guests() -> Iterator[Subject]:
    for guest in guests.installed().value:
        if guest.codes:
            found = (
                Explanation(code, meaning, guest.explanations.get(code, ""))
                for code, meaning in guest.codes.items()
            )
            yield Subject(f"The game {guest.name}", tuple(found))
