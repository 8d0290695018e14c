"""A pack with one of everything comes out with every default, reference and unit resolved."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path

import pytest
from validate.projects import FIXTURES, check

from generator.diagnostics import Severity
from generator.model.catalogue import Shape
from generator.model.pack import Backs, Layout, Pack
from generator.model.values import Items, Record, SourceText


@pytest.fixture(scope="module")
def pack() -> Pack:
    checked = check(FIXTURES / "fine")
    assert checked.diagnostics == ()
    return checked.pack


def component(pack: Pack, kind: str, id_: str) -> Record:
    return next(c.values for c in pack.components[kind] if c.id == id_)


def test_scalars_are_resolved(pack: Pack) -> None:
    ember = component(pack, "dragon", "ember")
    assert ember["number"] == "0123"
    assert ember["speed"] == 4
    assert ember["tame"] is True
    assert ember["wing"] == 30.0
    assert ember["colour"] == "#aa33cc"
    assert (ember["name"].rich, ember["story"].rich) == (False, True)
    assert ember["story"].span.line == 9
    assert ember["art"] == "art/ember.png"


def test_what_is_left_out_is_its_default_or_empty(pack: Pack) -> None:
    ash = component(pack, "dragon", "ash")
    assert ash["speed"] is None
    assert ash["story"] == ""
    assert ash["support"] == ()
    assert ash["weight"] == 1.5
    assert ash["wing"] == pytest.approx(50.8)
    assert ash["colour"] == "#a8743a"
    assert ash["words"]["hello"] == "Hallo"
    assert ash["label"] == "1"
    assert ash["name"] == "12"


def test_containers_are_frozen(pack: Pack) -> None:
    ember = component(pack, "dragon", "ember")
    assert ember["support"] == ("red", "red")
    assert [row["count"] for row in ember["hand"]] == [2, 3, 4]
    assert ember["crew"] == {"head": "Bo", "hands": 2}
    with pytest.raises(TypeError):
        ember["support"][0] = "green"
    with pytest.raises(TypeError):
        ember["crew"]["head"] = "Al"  # type: ignore[index]


def test_references_are_the_records_themselves_in_circles_too(pack: Pack) -> None:
    ember, ada = component(pack, "dragon", "ember"), component(pack, "rider", "ada")
    assert ember["rider"] is ada
    assert ada["dragon"] is ember
    assert ember["hand"][1]["to"] is ada


def test_derived_values_reach_through_references(pack: Pack) -> None:
    assert component(pack, "rider", "ada")["mount"] == "Ember"
    assert component(pack, "rider", "bo")["attacks"] is True
    ember = component(pack, "dragon", "ember")
    assert ember["hands"] == [2, 3, 4]
    assert isinstance(ember["hands"], Items)
    assert ember["both"]["a"] == (1, 2)


def test_cells_of_tables_are_lists_where_a_list_is_asked_for(pack: Pack) -> None:
    assert component(pack, "skill", "a")["tags"] == ("one", "two")
    assert component(pack, "skill", "a")["values"] == (1, 2)
    assert component(pack, "skill", "b")["tags"] == ("one",)
    assert component(pack, "skill", "b")["values"] == ()


def test_made_kinds_have_a_component_for_each_entry_that_belongs(pack: Pack) -> None:
    claws = pack.components["claw"]
    assert [(c.id, c.quantity, *(origin.id for origin in c.origins)) for c in claws] == [
        ("ember-2", 3, "ember"),
        ("ember-3", 4, "ember"),
    ]
    assert claws[0].values["dragon"] is component(pack, "dragon", "ember")
    assert claws[0].values["card"] == "tail"
    assert claws[0].span.line == 24
    assert [c.id for c in pack.components["tag"]] == ["ember", "ash", "soot"]


def test_quantity_follows_the_players() -> None:
    def quantities(players: int | None) -> list[int]:
        found = check(FIXTURES / "fine", players).pack.components["dragon"]
        return [c.quantity for c in found]

    assert quantities(2) == [2, 1, 1]
    assert quantities(3) == quantities(None) == [3, 2, 2]


def test_without_any_number_of_players_the_most_that_a_kind_lists_counts(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "fine", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "cards/demo/pack.yaml"
    file.write_text(re.sub(r"(?m)^players:.*\n", "", file.read_text("utf-8")), "utf-8")
    assert [c.quantity for c in check(tmp_path).pack.components["dragon"]] == [3, 2, 2]


def test_an_unusual_number_of_players_is_a_warning_and_a_quantity_may_lack_it() -> None:
    found = check(FIXTURES / "fine", 4).diagnostics
    assert {(d.code, d.severity) for d in found} == {
        ("GP204", Severity.WARNING),
        ("GP214", Severity.ERROR),
    }


def test_the_pack_itself(pack: Pack) -> None:
    assert (pack.title, pack.version, pack.language, pack.players) == ("Demo", "1.0", "en-GB", 3)
    assert pack.options["truce"] is True
    assert pack.options["laps"] == 3
    assert pack.options["share"] == 0.5
    assert pack.options["name"] == "01"
    assert pack.options["list"] == (1, "no")
    assert pack.credits == ("Everyone",)
    assert list(pack.kinds) == ["claw", "dragon", "rider", "skill", "tag"]


def test_prints_and_stocks(pack: Pack) -> None:
    cards, labels = pack.prints
    assert (cards.papers, cards.layout, cards.gutter) == (("a4", "letter"), Layout.NUP, 6.0)
    assert (labels.papers, labels.labels, labels.backs) == (("a4",), {"a4": "l7651"}, Backs.NONE)
    big, star = pack.kinds["tag"].stock, pack.kinds["claw"].stock
    assert big is not None
    assert star is not None
    assert (big.trim.width, big.trim.height) == (120.0, pytest.approx(101.6))
    assert big.folds[0].start.x == 60.0
    assert (star.shape, star.safe) == (Shape.PATH, 3.0)


def test_styles_are_complete_and_in_millimetres(pack: Pack) -> None:
    body, title = pack.styles["styles"]["body"], pack.styles["styles"]["title"]
    assert body["size"] == pytest.approx(8.5 * 25.4 / 72)
    assert title["min"] == title["size"]
    assert (body["colour"], title["colour"]) == ("ink", "#000000")
    assert pack.styles["ink"]["low"]["bronze"] == "#e8dccb"
    assert dict(pack.styles["ink"]["mono"]) == {}
    assert pack.styles["fallback"] == ("Noto Sans",)


def test_printer_profile() -> None:
    profile = check(FIXTURES / "fine").profile
    assert (profile.front.x, profile.front.y, profile.back.x) == (0.3, -0.1, 0.0)


def test_a_pack_survives_the_way_to_another_process(pack: Pack) -> None:
    there = pickle.loads(pickle.dumps(pack))
    ember, ada = component(there, "dragon", "ember"), component(there, "rider", "ada")
    assert ember["rider"] is ada
    assert ada["dragon"] is ember
    assert isinstance(ember["name"], SourceText)
    assert ember["name"].span == component(pack, "dragon", "ember")["name"].span
    assert ember.span_of("speed") == component(pack, "dragon", "ember").span_of("speed")
    assert there.components["claw"][0].values["dragon"] is ember
    assert there.kinds == pack.kinds
    assert there.prints == pack.prints
