"""A studio with its session process: the events that tabs receive, and the handling of failures."""

import json
import os
import signal
from pathlib import Path

import pytest
from studio.studio_life import Tab, lived

from generator.starters import start_pack
from generator.studio import line
from generator.studio.edited_texts import FileEdit
from generator.studio.host import Studio
from generator.studio.rows_at_once import RowsAtOnce

CARDS = "cards/duel/cards.yaml"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    start_pack(tmp_path / "project", "duel")


def typed(studio: Studio, file: str, old: str, new: str) -> int:
    text = studio.desk.text(file)
    assert text is not None
    assert old in text
    return studio.edit([FileEdit(file, text=text.replace(old, new, 1))], "typing", "", "me")[0]


def test_an_edit_is_drawn_told_and_saved(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        hello = await tab.until(lambda e: e["type"] == "hello")
        assert (hello["pack"], hello["packs"]) == ("duel", [{"name": "duel", "title": "Duel"}])
        assert {
            key: next(f for f in hello["files"] if f["path"] == CARDS)[key]
            for key in ("path", "sort", "rev")
        } == {"path": CARDS, "sort": "components", "rev": 1}
        model = (await tab.until(lambda e: e["type"] == "pack"))["model"]
        assert [kind["name"] for kind in model["kinds"]] == ["card"]
        faces = await tab.drawn(1)
        assert len(faces) == 6
        number = typed(studio, CARDS, "name: Watchtower", "name: Lighthouse")
        told = await tab.until(lambda e: e["type"] == "file")
        assert (told["tab"], "Lighthouse" in told["text"]) == ("me", True)
        rows = json.loads(await studio.line.ask("rows", "card"))
        name = rows["rows"][0]["nodes"]["name"]
        assert (rows["number"], name) == (number, {"text": "Lighthouse", "plain": True})
        (changed,) = await tab.drawn(number)
        assert changed["key"] == "card/watchtower/front"
        png = await studio.line.ask("picture", changed["sha"], 100)
        assert png.startswith(b"\x89PNG")
        assert await studio.line.ask("picture", "0" * 64, 100) is None
        await tab.until(lambda e: e["type"] == "save" and e["save"] == "saved")
        assert "Lighthouse" in (tmp_path / "project" / CARDS).read_text()

    lived(tmp_path, life)


def test_rows_follow_an_edit_that_the_session_has_not_seen(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        rows = RowsAtOnce()
        desk, line = studio.desk, studio.line
        await rows.answer(desk, line, "card", None)
        typed(studio, CARDS, "name: Watchtower", "name: Lighthouse")
        early = json.loads(await rows.answer(desk, line, "card", 0.0))
        checked = json.loads(await rows.answer(desk, line, "card", None))
        assert early["early"]
        assert early["rows"] == checked["rows"]
        assert checked["rows"][0]["nodes"]["name"]["text"] == "Lighthouse"

    lived(tmp_path, life)


def test_an_error_is_told_and_keeps_the_faces(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        parts = json.loads(await studio.line.ask("face", "card/watchtower/front"))
        (cost,) = [one["rect"] for one in parts["texts"] if one["field"][2] == ["cost"]]
        number = typed(studio, CARDS, "cost: 4", "cost: four")
        (found,) = (await tab.until(lambda e: e["type"] == "found" and e["findings"]))["findings"]
        assert (found["file"], found["id"], found["path"]) == (CARDS, "watchtower", ["cost"])
        assert found["end_column"] - found["column"] == len("four")
        assert found["faces"] == ["card/watchtower/front", "card/watchtower/back"]
        assert found["rects"] == [["card/watchtower/front", cost]]
        faces = await tab.drawn(number)
        assert {face["state"] for face in faces} == {"stale"}
        number = studio.turn(back=True, tab="")[0]
        assert {face["state"] for face in await tab.drawn(number)} == {"fresh"}

    lived(tmp_path, life)


def test_a_card_that_is_wrong_when_the_pack_is_opened_has_a_faulty_face(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        model = (await tab.until(lambda e: e["type"] == "pack"))["model"]
        assert model["components"]["card"][0]["id"] == "watchtower"
        faces = {face["key"]: (face["state"], bool(face["sha"])) for face in await tab.drawn(1)}
        assert faces["card/watchtower/front"] == ("faulty", False)
        assert [state for state in faces.values() if state != ("faulty", False)] == [
            ("fresh", True)
        ] * 4
        number = typed(studio, CARDS, "cost: four", "cost: 4")
        fixed = {face["key"]: face["state"] for face in await tab.drawn(number)}
        assert fixed["card/watchtower/front"] == "fresh"

    cards = tmp_path / "project" / CARDS
    cards.write_text(cards.read_text("utf-8").replace("cost: 4", "cost: four", 1), "utf-8")
    lived(tmp_path, life)


def test_a_file_written_by_another_program_is_drawn(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        path = tmp_path / "project" / CARDS
        path.write_text(path.read_text().replace("Watchtower", "Outside"), "utf-8")
        faces = await tab.drawn(2)
        assert [face["key"] for face in faces] == ["card/watchtower/front"]

    lived(tmp_path, life)


def test_a_session_that_is_silent_is_ended_and_opened_again_with_the_last_sound_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        first = studio.line.process
        await tab.is_in("ready")
        monkeypatch.setattr(line, "PATIENCE", 0.2)
        os.kill(first, signal.SIGSTOP)
        typed(studio, CARDS, "name: Watchtower", "name: Endless")
        again = await tab.is_in("again")
        monkeypatch.undo()
        assert "took more than" in again["worker"]["why"]
        found = await tab.until(lambda e: e["type"] == "found" and e["findings"])
        assert [one["code"] for one in found["findings"]] == ["GP008"]
        await tab.is_in("ready")
        assert studio.line.process not in (0, first)
        first_event = studio.first_events()[-1]
        assert b'"id":"watchtower"' in first_event
        number = typed(studio, CARDS, "name: Endless", "name: Lighthouse")
        assert not (await tab.until(lambda e: e["type"] == "found"))["findings"]
        faces = await tab.drawn(number)
        assert [face["key"] for face in faces] == ["card/watchtower/front"]

    lived(tmp_path, life)


def test_a_session_that_is_killed_is_opened_again_with_the_unsaved_text(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        number = typed(studio, CARDS, "name: Watchtower", "name: Lighthouse")
        (drawn,) = await tab.drawn(number)
        await tab.is_in("ready")
        os.kill(studio.line.process, signal.SIGKILL)
        await tab.is_in("again")
        await tab.is_in("ready")
        assert await studio.line.ask("picture", drawn["sha"], 60)

    lived(tmp_path, life)


def test_a_session_that_cannot_be_opened_waits_for_the_next_edit(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        os.kill(studio.line.process, signal.SIGKILL)
        await tab.is_in("again")
        assert studio.line.process == 0
        number = typed(studio, CARDS, "name: Watchtower", "name: Lighthouse")
        assert len(await tab.drawn(number)) == 6

    lived(tmp_path, life)


def test_a_second_tab_is_told_all_that_is_known(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        await tab.drawn(1)
        first = [json.loads(event[6:]) for event in studio.first_events()]
        assert [event["type"] for event in first] == ["hello", "pack", "found", "faces"]
        assert len(first[3]["faces"]) == 6

    lived(tmp_path, life)
