"""The files of a pack are listed by purpose, with those of required packs."""

from pathlib import Path

import pytest

from generator.project import Project, shipped_root
from generator.starters import start_pack
from generator.studio.desk import Desk
from generator.studio.journal import Journal
from generator.studio.project_files import files_of_pack, packs_of, sort_of
from generator.studio.told_files import one_file, takers_of


@pytest.mark.parametrize(
    ("file", "sort"),
    [
        ("cards/duel/pack.yaml", "pack"),
        ("cards/duel/heroes.yaml", "components"),
        ("cards/duel/heroes.csv", "table"),
        ("cards/duel/kinds/hero.yaml", "kind"),
        ("cards/duel/locales/de.yaml", "other"),
        ("cards/duel/art/hero.svg", "picture"),
        ("cards/shared/stocks.yaml", "other"),
        ("templates/duel/hero.face.yaml", "face"),
        ("templates/duel/hero.svg.j2", "template"),
        ("templates/duel/styles.yaml", "styles"),
        ("templates/duel/icons/coin.svg", "icon"),
        ("fonts/Own.ttf", "font"),
        ("cards/duel/rules.md", "text"),
    ],
)
def test_a_file_is_known_by_its_path(file: str, sort: str) -> None:
    assert sort_of(file) == sort


def test_files_of_a_required_pack_that_is_not_in_the_project_are_not_its_own(
    tmp_path: Path,
) -> None:
    start_pack(tmp_path, "duel")
    pack = tmp_path / "cards/duel/pack.yaml"
    pack.write_text(f"{pack.read_text()}requires: [road-joust]\n")
    found = files_of_pack(Project(tmp_path, shipped_root(), around=tmp_path), "duel")
    own = [one.path for one in found if one.is_own]
    others = {one.path for one in found if not one.is_own}
    assert "cards/duel/cards.yaml" in own
    assert "templates/duel/card-back.svg.j2" in own
    assert {"cards/road-joust/pack.yaml", "cards/joust-racers/pack.yaml"} <= others


def test_a_part_of_templates_leads_to_all_that_take_it(tmp_path: Path) -> None:
    texts = {
        "duel/parts/rim.svg.j2": "<rect/>",
        "duel/parts/card.svg.j2": '{% from "parts/rim.svg.j2" import rim %}',
        "duel/card.svg.j2": '{% include "duel/parts/card.svg.j2" %}',
        "duel/other.svg.j2": '{% include "more/parts/card.svg.j2" %}',
        "duel/base.face.yaml": "face: poker\n",
        "duel/hero.face.yaml": "like: base.face.yaml  # the other\n",
    }
    (tmp_path / "cards/duel").mkdir(parents=True)
    (tmp_path / "cards/duel/pack.yaml").write_text("name: duel\n")
    for name, text in texts.items():
        (tmp_path / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "templates" / name).write_text(text)
    desk = Desk(Project(tmp_path, tmp_path), Journal(tmp_path.parent / "journal", tmp_path))

    def takers(name: str) -> list[str]:
        found = takers_of(desk, "duel", f"templates/{name}")
        return [one.removeprefix("templates/") for one in found]

    assert takers("duel/parts/rim.svg.j2") == ["duel/parts/card.svg.j2", "duel/card.svg.j2"]
    assert takers("duel/base.face.yaml") == ["duel/hero.face.yaml"]
    assert takers("duel/card.svg.j2") == []


@pytest.mark.parametrize(
    ("file", "is_locked"), [("rules.md", False), ("cards.json", False), ("cards.xlsx", True)]
)
def test_all_text_can_be_edited_also_where_single_values_cannot(
    tmp_path: Path, file: str, is_locked: bool
) -> None:
    desk = Desk(Project(tmp_path, tmp_path), Journal(tmp_path.parent / "journal", tmp_path))
    assert bool(one_file(desk, f"cards/duel/{file}").readonly) is is_locked


def test_a_pack_that_cannot_be_read_has_its_name_for_a_title(tmp_path: Path) -> None:
    start_pack(tmp_path, "duel")
    project = Project(tmp_path, tmp_path)
    assert [pack.title for pack in packs_of(project)] == ["Duel"]
    (tmp_path / "cards/duel/pack.yaml").write_text("title: [")
    assert [pack.title for pack in packs_of(project)] == ["duel"]
