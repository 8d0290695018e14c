from chariots import components
from gridpress_chariot_dash.traits import TRAITS, Fight, Modifiers, Pull, modifiers


def test_the_names_and_numbers_are_those_of_the_pack() -> None:
    listed = {c["id"]: c.get("number", "needed") == "needed" for c in components("traits.yaml")}
    assert {name: trait.numbered for name, trait in TRAITS.items()} == listed
    assert len(TRAITS) == 47


def test_no_two_traits_do_the_same() -> None:
    assert len({(trait.changes, trait.by) for trait in TRAITS.values()}) == len(TRAITS)


def test_no_traits_change_nothing() -> None:
    assert modifiers(()) == Modifiers()


def test_traits_add_up_by_their_numbers() -> None:
    both = modifiers((("lash", 2), ("long-legs", 1), ("flimsy", 3), ("leap", 0)))
    assert both.accelerate == Pull(rerolls=2, discards=1)
    assert both.vehicle_defence == Fight(plus=-3)
    assert both.leaps == 1
    assert modifiers((("stamina", -1),)) == Modifiers()
    assert modifiers((("fortune-smiles", 0), ("unlucky-charm", 0))).vehicle_ties == 0
