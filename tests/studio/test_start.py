"""Requests start packs and give them looks; a new look is one step of undo."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from studio.studio_life import Tab, asked, lived

from generator.looks import Dress, card_looks
from generator.starters import start_pack
from generator.studio.app import STATIC
from generator.studio.drafts import KnownFolder, completed
from generator.studio.host import Studio

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "docs/look_pictures.py"))
TABLE = b"Name,Cost,Rules\nWolf,2,Bite.\nOwl,1,Look.\n"


def test_a_new_look_is_one_step_of_undo(tmp_path: Path) -> None:
    root = tmp_path / "project"
    start_pack(root, "duel", dress=Dress(card_looks()["classic"]))
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}

    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        wanted = {"look": "modern", "palette": "ocean", "label": "other look"}
        await asked(studio, "POST", "/api/look", json=wanted)
        assert studio.desk.undo_label == "other look"
        assert (root / "templates/duel/modern-look.face.yaml").exists()
        studio.turn(back=True, tab="")
        assert studio.save()
        assert studio.desk.undo_label is None

    lived(tmp_path, life)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_table_that_is_dropped_and_a_new_pack_are_opened(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")

    async def life(studio: Studio, tab: Tab) -> None:
        path = "/api/start/import?name=My%20Beasts.csv&look=modern&size=mini"
        assert (await asked(studio, "POST", path, content=TABLE))["pack"] == "my-beasts"
        hello = await tab.until(lambda e: e["type"] == "hello" and e["pack"] == "my-beasts")
        assert hello["project"]["draft"]
        faces = await tab.until(lambda e: e["type"] == "faces" and e["faces"])
        assert faces["faces"][0]["key"].split("/")[1] == "wolf"
        wanted = {"name": "Über Game", "look": "sci-fi", "size": "mini"}
        assert (await asked(studio, "POST", "/api/start/new", json=wanted))["pack"] == "ueber-game"

    lived(tmp_path, life)


def test_looks_are_listed_and_shown(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")

    async def life(studio: Studio, tab: Tab) -> None:
        looks = await asked(studio, "GET", "/api/looks")
        assert [look["name"] for look in looks] == list(card_looks())
        assert looks[0]["de"]["title"] == "Klassischer Rahmen"
        assert looks[0]["palettes"][0]["de"]["title"] == "Ton"
        picture = await asked(studio, "GET", "/api/looks/modern.webp?size=mini&palette=ocean")
        assert picture[8:12] == b"WEBP"

    lived(tmp_path, life)


def test_a_table_with_two_rows_of_heads_or_none_becomes_cards(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")

    async def life(studio: Studio, tab: Tab) -> None:
        async def taken(text: bytes, more: str = "") -> Any:
            path = f"/api/start/import?name=moor.csv{more}"
            return await asked(studio, "POST", path, content=text)

        told = await taken(b"Name,Stats,\n,Attack,Health\nWolf,2,3\nOwl,1,1\n")
        assert [column["head"] for column in told["columns"]] == ["Name", "Attack", "Health"]
        assert not told["is_unsure"]
        told = await taken(b"Wolf,3\nOwl,1\n")
        assert told["is_unsure"]
        assert told["columns"][0]["sample"] == "Owl"
        told = await taken(b"Wolf,3\nOwl,1\n", "&headless=")
        assert [column["sample"] for column in told["columns"]] == ["Wolf", "3"]
        assert not told["is_unsure"]

    lived(tmp_path, life)


def test_the_page_has_a_picture_of_each_look():
    assert {path.stem for path in (STATIC / "looks").glob("*.webp")} == {*card_looks()}


def test_the_pictures_of_looks_show_them_as_they_are():
    noted = json.loads((STATIC / "looks/digests.json").read_text("utf-8"))
    assert noted == SCRIPT["digests"](), "run: python docs/look_pictures.py"


def test_a_project_of_several_packs_is_listed_under_the_name_of_its_folder(tmp_path: Path) -> None:
    for pack in ("duel", "moor"):
        start_pack(tmp_path / "project", pack)

    async def life(studio: Studio, tab: Tab) -> None:
        recent = await asked(studio, "GET", "/api/start/recent")
        assert [one["title"] for one in recent["recent"]] == ["project"]

    lived(tmp_path, life)


def test_a_draft_is_kept_under_a_name(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")
    place = tmp_path / "games"

    async def life(studio: Studio, tab: Tab) -> None:
        told = await asked(studio, "POST", "/api/start/import?name=Beasts.csv", content=TABLE)
        parts = [(column["head"], column["part"]) for column in told["columns"]]
        assert parts == [("Name", "name"), ("Cost", "cost"), ("Rules", "text")]
        hello = await tab.until(lambda e: e["type"] == "hello" and e["pack"] == "beasts")
        assert hello["project"]["draft"]
        draft = Path(hello["project"]["folder"])
        wanted = {"name": "Beasts of Old", "folder": str(place)}
        await asked(studio, "POST", "/api/start/keep", json=wanted)
        hello = await tab.until(lambda e: e["type"] == "hello" and not e["project"]["draft"])
        assert hello["packs"] == [{"name": "beasts", "title": "Beasts of Old"}]
        assert not draft.exists()
        recent = await asked(studio, "GET", "/api/start/recent")
        assert recent["recent"][0]["title"] == "Beasts of Old"
        assert recent["recent"][0]["folder"] == str(place / "beasts-of-old")

    lived(tmp_path, life)
    assert (place / "beasts-of-old/cards/beasts/pack.yaml").exists()


def test_a_draft_is_kept_right_in_an_empty_folder(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")
    place = tmp_path / "first"
    (place / ".git").mkdir(parents=True)

    async def life(studio: Studio, tab: Tab) -> None:
        await asked(studio, "POST", "/api/start/import?name=Moor.csv", content=TABLE)
        wanted = {"name": "Moor", "folder": str(place)}
        told = await asked(studio, "POST", "/api/start/keep", json=wanted)
        assert told["folder"] == str(place)
        assert studio.root == place

    lived(tmp_path, life)
    assert (place / "cards/moor/pack.yaml").exists()


def test_a_draft_can_be_deleted_and_nothing_else(tmp_path: Path) -> None:
    start_pack(tmp_path / "project", "duel")

    async def life(studio: Studio, tab: Tab) -> None:
        draft = studio.drafts.new()
        start_pack(draft, "sketch")
        recent = (await asked(studio, "GET", "/api/start/recent"))["recent"]
        assert [one["folder"] for one in recent if one["draft"]] == [str(draft)]
        await asked(studio, "POST", "/api/start/delete", json={"folder": str(draft)})
        assert not draft.exists()
        for folder in (str(tmp_path / "project"), f"{draft}/../../project"):
            with pytest.raises(AssertionError, match="only a draft"):
                await asked(studio, "POST", "/api/start/delete", json={"folder": folder})
        assert (tmp_path / "project/cards/duel").is_dir()

    lived(tmp_path, life)


def test_folders_are_completed_as_they_are_typed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    start_pack(tmp_path / "Games/duel", "duel")
    assert completed("~/ga") == [KnownFolder("~/Games", False)]
    assert completed("~/Games/") == [KnownFolder("~/Games/duel", True)]
    assert completed("/etc/") == []
