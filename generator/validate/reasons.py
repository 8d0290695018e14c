"""A kind's quantity rule in, why so many of it are printed, in words, out."""

from __future__ import annotations

from generator.validate.evaluation import Evaluation
from generator.validate.plans import KindPlan
from generator.validate.quantities import chosen_players


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
