from dataclasses import fields

from chariots import components
from gridpress_chariot_dash.state import Options


def test_the_names_are_those_of_the_pack() -> None:
    names = {component["id"].replace("-", "_") for component in components("options.yaml")}
    assert {field.name for field in fields(Options)} == names


def test_the_defaults_are_what_the_pack_has_in_force() -> None:
    with_all = [{"in_force": False, **component} for component in components("options.yaml")]
    assert Options.of(with_all) == Options()


def test_options_are_read_and_others_left_out() -> None:
    read = Options.of([{"id": "jumps", "in_force": False}, {"id": "night", "in_force": True}])
    assert not read.jumps
    assert read.truce


def test_truce_holds_in_the_first_round_and_friendly_races_always() -> None:
    assert [Options().attacks_allowed(n) for n in (1, 2)] == [False, True]
    assert Options(truce=False).attacks_allowed(1)
    assert not Options(friendly=True).attacks_allowed(5)
