"""A component and its kind's quantity in, how many of it are printed out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from generator.diagnostics import Diagnostic, Span
from generator.model.pack import Component
from generator.validate.drafts import Draft
from generator.validate.evaluation import Evaluation
from generator.validate.formulas import Formula, spoken
from generator.validate.places import place
from generator.validate.plans import KindPlan
from generator.validate.types.base import INVALID

MAX_QUANTITY: Final = 9999
MAX_PIECES: Final = 20_000
"""Pieces that a pack prints, all copies counted: two thousand sheets of cards."""


def chosen_players(plan: KindPlan, evaluation: Evaluation) -> int:
    """Which line of a quantity by players counts: as ordered, else the most that it lists."""
    return max(plan.quantities) if evaluation.players is None else evaluation.players


def formula_for(plan: KindPlan, evaluation: Evaluation) -> Formula | None:
    """The quantity for the number of players that the order is for.

    Without an order the largest number of players that the kind lists. GP214 when it lists
    others only.
    """
    listed = plan.quantities
    if not listed:
        return plan.quantity
    players = chosen_players(plan, evaluation)
    if players not in listed:
        span: Span = next(iter(listed.values())).span
        known = ", ".join(map(str, sorted(listed)))
        message = f"quantity: nothing is said for {players} players"
        hint = f"it is given for {known}; add a line for {players}"
        evaluation.faults.append(Diagnostic(span, "GP214", message, hint))
        return None
    return listed[players]


def check_pieces(components: Iterable[Component], evaluation: Evaluation) -> None:
    """GP214 at the first component with which the pack has more than `MAX_PIECES` to print."""
    pieces = 0
    for component in components:
        pieces += component.quantity
        if pieces > MAX_PIECES:
            message = f"with this {component.kind} the pack prints more than {MAX_PIECES:,} pieces"
            hint = "print fewer copies of each, or make several packs"
            evaluation.faults.append(Diagnostic(component.span, "GP214", message, hint))
            return


def quantity_of(draft: Draft, formula: Formula | None, evaluation: Evaluation) -> int:
    """How many copies; 1 where the kind says nothing, 0 where what it says is wrong (GP214)."""
    return sound_quantity(draft, formula, evaluation) or 0


def sound_quantity(draft: Draft, formula: Formula | None, evaluation: Evaluation) -> int | None:
    """How many copies; 1 where the kind says nothing, None where what it says is wrong (GP214)."""
    if formula is None:
        return 1
    if evaluation.skips(formula):
        return None
    found = evaluation.value(formula, evaluation.names(draft.record), draft)
    if found is INVALID:
        return None
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MAX_QUANTITY:
        return found
    span = place(draft, formula.text) if formula.text.isidentifier() else draft.span
    message = f"the quantity of {draft.name}, {formula.text}, is {spoken(found)}"
    hint = f"it must be a whole number from 0 to {MAX_QUANTITY}"
    if found is None and "players" in formula.names:
        hint += "; give --players, or players: in pack.yaml"
    evaluation.faults.append(Diagnostic(span, "GP214", message, hint))
    return None
