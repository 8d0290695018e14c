"""How many copies of a component are printed, and why so many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from generator.diagnostics import Span
from generator.model.pack import Component
from generator.validate.formulas import Evaluation, Formula, spoken
from generator.validate.kinds import KindPlan
from generator.validate.reading import INVALID
from generator.validate.unresolved import UnresolvedComponent, place

MAX_QUANTITY: Final = 9999
MAX_SETS: Final = 99
"""Copies of a collated kind: each is drawn by itself."""
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
        evaluation.report(span, "GP214", message, hint)
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
            evaluation.report(component.span, "GP214", message, hint)
            return


def quantity_of(
    component: UnresolvedComponent, formula: Formula | None, evaluation: Evaluation
) -> int | None:
    """How many copies; 1 where the kind says nothing, None where what it says is wrong (GP214)."""
    if formula is None:
        return 1
    found = evaluation.value(formula, evaluation.names(component.record), component)
    if found is INVALID:
        return None
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    most = MAX_SETS if component.plan.kind.collated else MAX_QUANTITY
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= most:
        return found
    span = place(component, formula.text) if formula.text.isidentifier() else component.span
    message = f"the quantity of {component.name}, {formula.text}, is {spoken(found)}"
    hint = f"it must be a whole number from 0 to {most}"
    if found is None and "players" in formula.names:
        hint += "; give --players, or players: in pack.yaml"
    evaluation.report(span, "GP214", message, hint)
    return None


def reason(plan: KindPlan, evaluation: Evaluation) -> str:
    """The kind's own `why:` with its expressions worked out once, else words for its quantity.

    Empty for a kind that is only data, and where the expressions fail (GP211) or look at
    components that a fault has left out.
    """
    if not plan.kind.faces or not plan.sound:
        return ""
    if plan.why is None:
        return _words(plan, evaluation)
    if evaluation.skips(plan.why):
        return ""
    written = evaluation.value(plan.why, evaluation.names(), None)
    return " ".join(written.split()) if isinstance(written, str) else ""


def _words(plan: KindPlan, evaluation: Evaluation) -> str:
    """`one each`, `3 for each vehicle`, `its copies for each in a vehicle's hand`."""
    kind, formula, order = plan.kind, plan.quantity, ""
    number = "1" if formula is None else formula.text
    if plan.quantities:
        players = chosen_players(plan, evaluation)
        formula, order = plan.quantities.get(players), f", for {players} players"
        number = "0" if formula is None else formula.text
    if number == "players":
        number, order = "one", ", for each player"
    elif number == "1":
        number = "one"
    elif number.isidentifier():
        number = f"its {number}"
    if kind.made_from is None:
        return f"{number} each{order}"
    of = f"in a {kind.made_from}'s {kind.each}" if kind.each else kind.made_from
    return f"{number} for each {of}{order}"
