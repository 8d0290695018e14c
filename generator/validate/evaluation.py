"""Formulas and the values they ask for in, results out; each formula that fails is told once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from generator import limits
from generator.diagnostics import Diagnostic, Span, Suggestions
from generator.model.values import Record
from generator.sandbox import Purse, SandboxError
from generator.validate.drafts import Draft
from generator.validate.formulas import Formula, Message
from generator.validate.types.base import INVALID

STEPS_EACH: Final = 500
CHARACTERS_EACH: Final = 5_000
"""What each expression may take, however long others were: a good deal more than any of ours."""


class AlreadyToldError(Exception):
    """A value is missing because its own formula failed, which has been noted."""


@dataclass(slots=True)
class _Failure:
    diagnostic: Diagnostic
    who: dict[str, None]


@dataclass(slots=True)
class Evaluation:
    """What all expressions see, and which of them failed.

    `players` and `only` are what the order is for, None when it does not say.
    When components are missing because of faults, `complete` is False, and what looks at all
    `components` is left alone.
    """

    players: int | None
    pack: Record
    components: Record
    only: str | None = None
    complete: bool = True
    purse: Purse = field(default_factory=lambda: Purse(STEPS_EACH, CHARACTERS_EACH))
    faults: list[Diagnostic] = field(default_factory=list)
    suggestions: Suggestions = field(default_factory=Suggestions)
    _failures: dict[tuple[Span, str], _Failure] = field(default_factory=dict)

    def names(self, own: Record | None = None) -> dict[str, Any]:
        """What an expression sees: the component's own values before what is always there."""
        common = {
            "players": self.players,
            "only": self.only,
            "pack": self.pack,
            "components": self.components,
        }
        return common if own is None else common | own.as_dict()

    def skips(self, part: Formula | Message) -> bool:
        """True when the part looks at components that a fault has left out."""
        if self.complete:
            return False
        formulas = part.formulas if isinstance(part, Message) else (part,)
        return any("components" in formula.names for formula in formulas)

    def value(self, part: Formula | Message, names: Mapping[str, Any], draft: Draft | None) -> Any:
        """What the part comes to for a component, or INVALID."""
        try:
            with limits.at(part.span, limits.VALUE):
                if isinstance(part, Message):
                    return part.written(names, self.purse)
                return part.value(names, part.span if draft is None else draft.span, self.purse)
        except SandboxError as error:
            if not isinstance(error.__cause__, AlreadyToldError):
                self._note(part, error, draft)
            return INVALID

    def blame(self, span: Span, code: str, message: str, hint: str, draft: Draft) -> None:
        """Note that what a formula comes to will not do; one that is mended alike once."""
        found = Diagnostic(span, code, message, f"{hint}; the {draft.name} is at {draft.span}")
        self._tell((span, hint), found, draft)

    def _note(self, part: Formula | Message, error: SandboxError, draft: Draft | None) -> None:
        key = part.span, part.text if isinstance(part, Formula) else ""
        where = "see docs/kinds.md" if draft is None else f"the {draft.name} is at {draft.span}"
        found = Diagnostic(part.span, "GP211", error.message, error.hint or where)
        self._tell(key, found, draft)

    def _tell(self, key: tuple[Span, str], found: Diagnostic, draft: Draft | None) -> None:
        failure = self._failures.setdefault(key, _Failure(found, {}))
        if draft is not None:
            failure.who[draft.name] = None

    def diagnostics(self) -> Iterator[Diagnostic]:
        """All faults, with the formulas that failed."""
        yield from self.faults
        for failure in self._failures.values():
            found = failure.diagnostic
            first, *others = failure.who or [""]
            more = f" and {len(others)} more" if others else ""
            who = f" (for {first}{more})" if first else ""
            yield Diagnostic(found.span, found.code, found.message + who, found.hint)
