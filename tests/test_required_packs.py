"""A pack that requires another: its kinds, components, templates, styles, options and stocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.build import Order, open_pack, press_pack
from generator.cli import run
from generator.diagnostics import Diagnostic
from generator.model.pack import Pack
from generator.project import Project, Target, find_targets, fits, is_requirement, shipped_root
from generator.validate import json_schemas

FILES = {
    "cards/parts/pack.yaml": """
title: Parts
version: 1.2.0
language: en
options: {unit: kg, spare: 2}
stocks: {plate: {size: [60mm, 40mm], edge: white}}
prints:
  parts: {title: Parts, kinds: [part], papers: [a4]}
""",
    "cards/parts/kinds/part.yaml": """
kind: part
stock: plate
faces: {front: part.svg.j2}
quantity: pack.options.spare
why: "{{ pack.options.spare }} of each of {{ components.part | length }}"
fields:
  name: {type: text, unique: true}
  weight: {type: int, min: 1}
derived:
  label: name ~ " " ~ weight ~ " " ~ pack.options.unit
checks:
  - {that: weight < 100, at: weight, message: too heavy, hint: take less}
set_checks:
  - {count: {}, is: 2, message: the set has 2 parts}
""",
    "cards/parts/kinds/tag.yaml": """
kind: tag
made_from: part
derived: {words: part.label}
""",
    "cards/parts/parts.yaml": """
kind: part
components:
  - {id: engine, name: Engine, weight: 30}
  - {id: wheel, name: Wheel, weight: 4}
""",
    "cards/parts/locales/de.yaml": """
words: {Weight: Gewicht}
components: {part: {wheel: {name: Rad}}}
""",
    "templates/parts/part.svg.j2": """
{% import "parts/frame.svg.j2" as frame %}
{{ frame.box() }}
{{ icon("bolt", 5, 5, 6) }}
{{ text_line(word("Weight"), 14, 10, "body") }}
{{ text_line(c.label, 6, 20, "body") }}
""",
    "templates/parts/parts/frame.svg.j2": """
{% macro box() %}<rect x="3" y="3" width="54" height="34" fill="none" stroke="{{ colour.ink }}"/>
{% endmacro %}
""",
    "templates/parts/icons/bolt.svg": """
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>
""",
    "templates/parts/styles.yaml": """
fonts: {body: Alegreya Sans}
colours: {ink: "#1d1a17"}
styles:
  body: {font: body, size: 9pt, colour: ink}
""",
    "cards/rides/pack.yaml": """
title: Rides
version: 0.1.0
requires: {parts: ">= 1.0, < 2"}
prints:
  rides: {title: Rides, kinds: [ride, label], papers: [a4]}
""",
    "cards/rides/kinds/ride.yaml": """
kind: ride
stock: plate
faces: {front: ride.svg.j2}
fields:
  parts: {type: list, of: {type: ref, kind: part}}
derived:
  weight: parts | sum(attribute="weight")
  share: weight / components.part | sum(attribute="weight")
""",
    "cards/rides/kinds/label.yaml": """
kind: label
stock: plate
faces: {front: label.svg.j2}
made_from: part
""",
    "cards/rides/rides.yaml": """
kind: ride
components:
  - {id: kart, parts: [engine, wheel, wheel]}
""",
    "templates/rides/ride.svg.j2": """
{% import "parts/frame.svg.j2" as frame %}
{{ frame.box() }}
{{ text_line(c.weight ~ pack.options.unit, 10, 10, "body") }}
{% for part in c.parts %}{{ text_line(part.name, 10, 15 + 5 * loop.index, "body") }}{% endfor %}
""",
    "templates/rides/label.svg.j2": """
{{ text_line(c.part.name, 10, 10, "body") }}
""",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip(), encoding="utf-8")


def opened(folder: Path, order: Order | None = None) -> Pack:
    outcome = open_pack(Target(Project(folder, shipped_root()), "rides"), order or Order())
    assert outcome.value is not None, outcome.diagnostics
    assert outcome.diagnostics == ()
    return outcome.value.pack


def faults(folder: Path) -> list[tuple[str, str]]:
    outcome = open_pack(Target(Project(folder, shipped_root()), "rides"), Order())
    return [(str(d.span), d.code) for d in outcome.diagnostics]


def built(folder: Path, order: Order | None = None) -> dict[str, object]:
    target = Target(Project(folder, shipped_root()), "rides")
    outcome = press_pack(target, order or Order(), folder / "output")
    assert outcome.value, outcome.diagnostics
    said: tuple[Diagnostic, ...] = outcome.diagnostics
    assert not [d for d in said if d.severity == "error"]
    manifest = (folder / "output/rides" / (order or Order()).called("manifest.json")).read_text(
        encoding="utf-8"
    )
    told: dict[str, object] = json.loads(manifest)
    return told


def test_refs_expressions_and_made_from_reach_into_the_required_pack(folder: Path) -> None:
    pack = opened(folder)
    (kart,) = pack.components["ride"]
    assert kart.values["weight"] == 38
    assert kart.values["share"] == 38 / 34
    assert [c.id for c in pack.components["label"]] == ["engine", "wheel"]
    assert [c.values["words"] for c in pack.components["tag"]] == ["Engine 30 kg", "Wheel 4 kg"]
    assert pack.requires == ("parts",)


def test_what_is_required_is_not_printed_unless_a_print_names_it(folder: Path) -> None:
    assert [c.quantity for c in opened(folder).components["part"]] == [0, 0]
    head = FILES["cards/rides/pack.yaml"].replace("[ride,", "[part, ride,")
    write(folder, {"cards/rides/pack.yaml": head})
    assert [c.quantity for c in opened(folder).components["part"]] == [2, 2]


def test_an_option_of_ones_own_counts_before_that_of_the_required_pack(folder: Path) -> None:
    head = FILES["cards/rides/pack.yaml"].replace("[ride,", "[part, ride,")
    write(folder, {"cards/rides/pack.yaml": f"{head}options: {{spare: 5}}\n"})
    pack = opened(folder)
    assert [c.quantity for c in pack.components["part"]] == [5, 5]
    assert dict(pack.options) == {"unit": "kg", "spare": 5}
    assert pack.components["part"][0].values["label"] == "Engine 30 kg"


def test_a_build_uses_its_templates_icons_and_styles(folder: Path) -> None:
    head = FILES["cards/rides/pack.yaml"].replace("[ride,", "[part, ride,")
    write(folder, {"cards/rides/pack.yaml": head})
    kinds = built(folder)["kinds"]
    assert isinstance(kinds, dict)
    assert {"part", "ride"} <= kinds.keys()


def test_ones_own_template_goes_before_that_of_the_required_pack(folder: Path) -> None:
    mine = FILES["templates/parts/parts/frame.svg.j2"].replace('width="54"', 'width="50"')
    write(folder, {"templates/rides/parts/frame.svg.j2": mine})
    target = Target(Project(folder, shipped_root()), "rides")
    folders = target.project.template_folders("rides", ("parts",))
    assert [path.name for path in folders[:2]] == ["rides", "parts"]
    built(folder)


def test_only_chooses_what_is_made_from_a_required_component(folder: Path) -> None:
    manifest = built(folder, Order(only="wheel"))
    kinds = manifest["kinds"]
    assert isinstance(kinds, dict)
    assert [list(kind["quantities"]) for kind in kinds.values()] == [["wheel"]]
    assert list(kinds) == ["label"]


GERMAN_RIDES = {
    "cards/rides/locales/de.yaml": "words: {Ride: Fahrt}\ncomponents: {ride: {}}\n",
    "templates/rides/heads.svg.j2": '{{ text_line(word("Ride"), 6, 6, "body") }}\n',
}


def test_the_required_pack_comes_in_the_language_of_the_order(folder: Path) -> None:
    write(folder, GERMAN_RIDES)
    pack = opened(folder, Order(locale="de"))
    assert pack.words == {"Weight": "Gewicht", "Ride": "Fahrt"}
    assert pack.components["label"][1].values["part"]["name"] == "Rad"


def test_components_of_a_required_kind_can_be_added(folder: Path) -> None:
    more = "kind: part\ncomponents:\n  - {id: seat, name: Seat, weight: 9}\n"
    write(folder, {"cards/rides/more.yaml": more})
    pack = opened(folder)
    assert [c.id for c in pack.components["part"]] == ["engine", "wheel", "seat"]
    assert [c.id for c in pack.components["label"]] == ["engine", "wheel", "seat"]
    head = FILES["cards/rides/pack.yaml"].replace("[ride,", "[part, ride,")
    write(folder, {"cards/rides/pack.yaml": head})
    assert opened(folder).kinds["part"].why == "2 of each of 3"
    assert [c.values["words"] for c in pack.components["tag"]][-1] == "Seat 9 kg"
    assert set(json_schemas(pack)) == {"ride", "part"}


def test_a_starter_of_the_required_pack_starts_a_component_of_ones_own(folder: Path) -> None:
    starter = "kind: part\ncomponents:\n  - {id: NAME, name: TITLE, weight: 7}\n"
    write(folder / "mine", {name: text for name, text in FILES.items() if "rides" in name})
    write(folder / "mine", {name: text for name, text in FILES.items() if "parts" in name})
    write(folder / "mine", {"cards/parts/starters/part.yaml": starter})
    assert run(["new", "part", "seat", "--in", "mine", "--pack", "rides"]) == 0
    assert run(["new", "part", "spare-seat", "--in", "mine"]) == 0
    made = sorted(path.parts[-3:] for path in folder.glob("mine/cards/*/*/*seat.yaml"))
    assert made == [("parts", "parts", "spare-seat.yaml"), ("rides", "parts", "seat.yaml")]


def test_what_is_added_obeys_the_rules_of_its_kind(folder: Path) -> None:
    more = (
        "kind: part\ncomponents:\n"
        "  - {id: seat, name: Seat, weight: 900}\n"
        "  - {id: engine, name: Wheel, weight: 9}\n"
    )
    write(folder, {"cards/rides/more.yaml": more})
    assert faults(folder) == [
        ("cards/rides/more.yaml:3:36", "GP209"),
        ("cards/rides/more.yaml:4:10", "GP206"),
        ("cards/rides/more.yaml:4:24", "GP208"),
    ]


def test_a_fault_in_the_required_pack_is_told_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ramps = 'title: Ramps\nversion: "3"\nrequires: {parts: ">= 1"}\n'
    head = FILES["cards/rides/pack.yaml"].replace("requires: {", 'requires: {ramps: "== 3", ')
    parts = FILES["cards/parts/parts.yaml"].replace("30", "thirty")
    write(
        folder,
        {
            "cards/ramps/pack.yaml": ramps,
            "cards/rides/pack.yaml": head,
            "cards/parts/parts.yaml": parts,
        },
    )
    assert faults(folder) == [("cards/parts/parts.yaml:3:40", "GP203")]
    assert run(["check", "."]) == 1
    assert capsys.readouterr().err.count("[GP203]") == 1


def test_a_shipped_pack_can_be_required(folder: Path) -> None:
    head = FILES["cards/rides/pack.yaml"].replace(
        "requires: {", 'requires: {chariot-dash: ">= 0", '
    )
    write(folder, {"cards/rides/pack.yaml": head})
    assert opened(folder).components["vehicle"]


def test_a_shipped_pack_requires_what_the_project_around_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "cards/joust-racers"
    monkeypatch.chdir(tmp_path)
    (alone,) = find_targets(["road-joust"])
    assert alone.project.root == alone.project.shipped
    own.mkdir(parents=True)
    (own / "pack.yaml").write_text("title: Mine\nversion: 1.0.0\n", encoding="utf-8")
    (target,) = find_targets(["road-joust"])
    assert target.project.cards("joust-racers") == own
    assert target.project.cards("road-joust") == target.project.shipped / "cards/road-joust"


def test_schemas_know_the_ids_of_the_required_pack(folder: Path) -> None:
    schemas = json_schemas(opened(folder))
    assert set(schemas) == {"ride"}
    assert '"examples": ["engine", "wheel"]' in json.dumps(schemas["ride"])


@pytest.mark.parametrize(
    ("version", "requirement", "fit"),
    [
        ("1.0.0", ">= 1.0.0", True),
        ("1.0", "== 1.0.0", True),
        ("1.10", "> 1.9", True),
        ("0.9.9", ">= 1", False),
        ("2.0", ">= 1, < 2", False),
        ("1.9.9-draft", ">=1,<2", True),
        ("1.2", "<= 1.2", True),
        ("draft", ">= 0", False),
    ],
)
def test_versions(version: str, requirement: str, fit: bool) -> None:
    assert is_requirement(requirement)
    assert fits(version, requirement) is fit


@pytest.mark.parametrize("text", ["", "1.0", "=> 1", ">= 1 < 2", ">= x", ">= 1,"])
def test_what_is_no_requirement(text: str) -> None:
    assert not is_requirement(text)
