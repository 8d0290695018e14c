"""Options in force, from packs and commands."""

import pytest
from chariots import components
from gridpress_chariot_dash.declared import (
    DIE,
    asked_for,
    excluded,
    figure,
    idle_options,
    in_force,
    rules_of,
    scored,
    setting,
    special,
    trait,
)

PLAIN = {"group": "added", "in_force": False, "figure": None, "least": 1, "most": 99}
OPTIONS = [{**PLAIN, **one} for one in components("options.yaml")]


def on(*words: str) -> dict[str, object]:
    held = in_force(OPTIONS, asked_for(words, OPTIONS))
    ruled = [o for o in held if o["in_force"] and o["group"] != "scoring"]
    return {str(o["id"]): o["figure"] or True for o in ruled}


def test_what_is_asked_for_is_in_force_beside_what_is_anyway() -> None:
    assert on() == {
        "truce": True,
        "grandstanding": 4,
        "whips-of-shame": 4,
        "stamina": True,
        "jumps": True,
    }
    changed = on("jumps=off", "grandstanding=6", "rolling-start", "truce=no")
    assert changed == {"grandstanding": 6, "whips-of-shame": 4, "stamina": True, "rolling-start": 3}


def test_a_pack_of_ones_own_says_it_under_its_options() -> None:
    held = rules_of(OPTIONS, {"rules": {"jumps": "off", "grandstanding": "7", "dancing": "on"}})
    found = {str(o["id"]): (o["in_force"], o["figure"]) for o in held}
    assert found["jumps"][0] is False
    assert found["grandstanding"] == (True, 7)
    assert list(rules_of(OPTIONS, {"hex": 25.4})) == OPTIONS


def test_cd_5_figures_of_scoring_stand_in_the_words_as_they_are_set() -> None:
    words = "[score-runner] or [score-runner+1]; [score-damage]; [races]"
    assert scored(words, OPTIONS) == "3 or 4; 2; [races]"
    held = rules_of(OPTIONS, {"rules": {"score-runner": 9, "score-damage": "off"}})
    assert scored(words, held) == "9 or 10; 0; [races]"


@pytest.mark.parametrize(
    "word",
    ["jmups", "jumps=3", "grandstanding=much", "grandstanding=400", "grandstanding=0",
     "rolling-start=7", "instant-wipe-out=1"],
)  # fmt: skip
def test_what_cannot_be_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"jumps|grandstanding|much|400|1 to 6|2 to 99"):
        asked_for([word], OPTIONS)


def test_options_that_do_not_go_together_are_told() -> None:
    def held(*words: str) -> list[dict[str, object]]:
        return list(in_force(OPTIONS, asked_for(words, OPTIONS)))  # type: ignore[arg-type]

    assert not list(excluded(held("control-damage-ignored")))
    assert list(excluded(held("control-damage-ignored", "control-damage-as-clp")))
    assert [n for n, _ in idle_options(held("control-damage-ignored", "instant-wipe-out"))] == [
        "instant-wipe-out"
    ]
    assert [n for n, _ in idle_options(held("free-drifts", "further-drifts"))] == ["further-drifts"]


def test_settings_are_words_or_figures() -> None:
    assert [setting(word) for word in ("on", "off", "yes", False, 6)] == [
        True,
        False,
        True,
        False,
        6,
    ]


def test_what_is_declared_is_a_modifier_and_an_amount() -> None:
    assert trait("control.dice+# damage.dice-1 flies") == [
        {"modifier": "control.dice", "by": 1, "number": True},
        {"modifier": "damage.dice", "by": -1, "number": False},
        {"modifier": "flies", "by": 1, "number": False},
    ]
    assert trait("none") == []
    assert figure("die") == DIE
    assert figure("-2") == -2


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (trait, "contrl.dice+#", "did you mean 'control.dice'"),
        (special, "flies", "no modifier 'flies'"),
        (trait, "Control dice", "write a modifier and an amount"),
        (figure, "many", "write a whole number"),
    ],
)
def test_what_is_not_is_told_with_what_is_near(read, text: str, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=said):
        read(text)
