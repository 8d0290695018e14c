"""The chariots' parts: every choice of an art record is drawn, whatever it is combined with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from packs.shipped import ROOT, copied, drawn

NAME = "chariot-dash"
CARDS = ROOT / "cards" / "chariot-dash"
TEMPLATES = ROOT / "templates" / "chariot-dash"


def art() -> dict[str, list[str]]:
    """The choices of each key of an art record that has some."""
    kind = yaml.safe_load((CARDS / "kinds" / "vehicle.yaml").read_text(encoding="utf-8"))
    fields = kind["fields"]["art"]["fields"]
    return {
        "beast": fields["beast"]["choices"],
        "coat": fields["coat"]["choices"],
        "body": fields["body"]["choices"],
        "crew": fields["crew"]["of"]["choices"],
        "emblem": fields["emblem"]["choices"],
    }


def test_every_emblem_has_its_icon() -> None:
    assert [e for e in art()["emblem"] if not (TEMPLATES / f"icons/emblem-{e}.svg").is_file()] == []


def test_no_two_icons_are_alike() -> None:
    icons = [path.read_text(encoding="utf-8") for path in (TEMPLATES / "icons").glob("*.svg")]
    assert len(icons) > 60
    assert len(set(icons)) == len(icons)


def test_every_card_has_a_scene_of_its_own() -> None:
    table = (TEMPLATES / "parts" / "scenes.svg.j2").read_text(encoding="utf-8")
    scenes = dict(re.findall(r'"([a-z-]+)": ([a-z]+\.[a-z_]+)', table))
    ids = {
        component["id"]
        for file in ("specials.yaml", "card-types.yaml")
        for component in yaml.safe_load((CARDS / file).read_text(encoding="utf-8"))["components"]
    }
    assert ids - set(scenes) == set()
    assert len(set(scenes.values())) == len(scenes)


@pytest.mark.thorough
@pytest.mark.parametrize("shift", [1, 4])
def test_parts_go_with_each_other(tmp_path: Path, shift: int) -> None:
    """Each vehicle gets another's beast-and-body pairing, coat, crew and team."""
    path = copied(tmp_path, NAME) / "cards" / NAME / "vehicles.yaml"
    choices = art()
    seen = iter(range(100))

    def mixed(_: re.Match[str]) -> str:
        n = next(seen)
        body, coat, crew = (choices[key] for key in ("body", "coat", "crew"))
        return (
            f"art: {{beast: {choices['beast'][n % 9]}, team: {n % 3 + 1}, "
            f"coat: {coat[n % len(coat)]}, body: {body[(n + shift) % len(body)]}, "
            f"crew: [{', '.join(crew[(n + i) % len(crew)] for i in range(shift % 3 + 1))}], "
            f"emblem: {choices['emblem'][n % 9]}}}"
        )

    text, count = re.subn(r"art: \{[^}]*\}", mixed, path.read_text(encoding="utf-8"))
    assert count >= 9
    path.write_text(text, encoding="utf-8")
    kinds = ("vehicle", "counter", "standee")
    counters = [face.svg for face in drawn(tmp_path, NAME, kinds=kinds) if face.kind == "counter"]
    assert len(set(counters)) == len(counters) == 2 * count
