"""A deck of honest cards, in nine scripts and many looks, builds without a finding."""

from pathlib import Path

from generator.build import Order, lay_out
from generator.project import find_targets

FAIR = Path(__file__).parent / "fixtures/fair"


def test_honest_cards_have_no_finding() -> None:
    (target,) = find_targets([str(FAIR)])
    outcome = lay_out(target, Order())
    assert outcome.diagnostics == ()
    assert outcome.value is not None
