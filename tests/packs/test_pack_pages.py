"""The samples and tables on the packs' pages in docs/packs/ are right."""

import re
from pathlib import Path
from textwrap import indent

import pytest
from packs.shipped import ROOT, shipped_pack

from generator.cli import run
from generator.model.pack import Field


def samples(pack: str) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```$", page(pack), re.M | re.S)


def page(pack: str) -> str:
    return (ROOT / f"docs/packs/{pack}.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("pack", "kind"), [("chariot-dash", "vehicle"), ("scrap-circuit", "character")]
)
def test_the_art_of_a_piece_is_right(pack: str, kind: str, tmp_path: Path) -> None:
    assert run(["new", kind, "red-hot", "--in", str(tmp_path)]) == 0
    (started,) = tmp_path.glob("cards/*/*/red-hot.yaml")
    (sample,) = samples(pack)
    art = indent(sample, "    ")
    text, count = re.subn(r"^    art: .*\n", art, started.read_text("utf-8"), flags=re.M)
    assert count == 1
    started.write_text(text, "utf-8")
    assert run(["check", str(tmp_path), "--only", "red-hot"]) == 0
    fields = shipped_pack(pack).kinds[kind].fields["art"].fields
    lines = dict(re.findall(r"^  (\w+): (.*)$", sample, re.M))
    assert [*lines] == [*fields]
    for name, field in fields.items():
        assert ", ".join(choices(field)) in lines[name].partition("#")[2]


def choices(field: Field) -> tuple[str, ...]:
    return choices(field.of) if field.of else tuple(field.choices)


def test_the_racer_and_the_ability_are_right(tmp_path: Path) -> None:
    racer, ability = samples("joust-racers")
    for kind, name in (("racer", "red-hot"), ("part", "kettle")):
        assert run(["new", kind, name, "--in", str(tmp_path)]) == 0
    racers = tmp_path / "cards/my-racers"
    (racers / "racers/red-hot.yaml").write_text(racer, "utf-8")
    assert run(["check", str(tmp_path), "--strict"]) == 0
    (racers / "ability.yaml").write_text(ability, "utf-8")
    (part,) = racers.glob("parts/kettle.yaml")
    (named,) = re.findall(r"`(abilities: .*thick-paint.*)`", page("joust-racers"))
    text = part.read_text("utf-8").replace("abilities: [{ability: reroll}]", named)
    assert named in text
    part.write_text(text, "utf-8")
    assert run(["check", str(tmp_path), "--strict"]) == 0
