"""The studio prints and exports the same as the commands do with the saved files."""

import asyncio
import multiprocessing
from pathlib import Path
from typing import cast

import pytest
from studio.studio_life import Tab, asked, lived, run_apart

from generator.build import Order, press_pack, silent
from generator.project import Target, find_targets, shipped_root
from generator.starters import start_pack
from generator.studio.edited_texts import FileEdit, RefusedError
from generator.studio.errand_orders import ExportWanted, MadeFiles, PrintOrder
from generator.studio.errands import WorkDone, WorkPart
from generator.studio.host import Studio
from generator.studio.jobs import Jobs, StudioJob
from generator.studio.messages import PackToOpen
from generator.studio.nursery import Nursery
from generator.studio.outlet_list import outlets_told

CARDS = "cards/duel/cards.yaml"


@pytest.fixture(autouse=True)
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    start_pack(root, "duel")
    return root


def test_a_print_is_that_of_the_command_byte_for_byte(tmp_path: Path, root: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        text = (studio.desk.text(CARDS) or "").replace("Watchtower", "Lighthouse")
        studio.edit([FileEdit(CARDS, text=text)], "", "", "")
        job = studio.start_job("print", PrintOrder(papers=("a4",)))
        assert "Lighthouse" in (root / CARDS).read_text()
        done = await tab.until(lambda e: e["type"] == "job" and e["job"]["state"] != "running")
        (file,) = done["job"]["files"]
        printed = studio.jobs.pdf_pages(job.id, file["name"])
        assert printed
        assert printed.pages[0].faces
        assert (done["job"]["state"], file["pages"] > 0) == ("done", True)
        path = studio.jobs.path(job.id, file["name"])
        assert path
        assert (await studio.jobs.page(job.id, file["name"], 1, 200) or b"").startswith(b"\x89PNG")
        assert await studio.jobs.page(job.id, file["name"], 99, 200) is None
        assert studio.jobs.path(job.id, "../../cards/duel/cards.yaml") is None

    lived(tmp_path, life)
    (target,) = find_targets([str(root)])
    press_pack(Target(target.project, "duel"), Order(papers=("a4",)), tmp_path / "command")
    (printed,) = (root / "output/duel").glob("*.pdf")
    assert printed.read_bytes() == (tmp_path / "command/duel" / printed.name).read_bytes()


class HeldWork:
    """Work with a pipe whose other end the test holds."""

    def __init__(self) -> None:
        self.line, self.work = multiprocessing.Pipe()

    def start(self, *_given: object) -> "HeldWork":
        return self

    def join(self) -> int:
        self.work.close()
        return 0


def test_a_file_can_be_seen_before_the_print_is_done(tmp_path: Path) -> None:
    (tmp_path / "cards.pdf").write_bytes(b"%PDF")
    made = MadeFiles(tmp_path, (("cards.pdf", 3),), ())

    async def life() -> list[tuple[str, list[str]]]:
        told: list[tuple[str, list[str]]] = []
        heard = asyncio.Event()

        def tell(job: StudioJob) -> None:
            told.append((job.state, [file.name for file in job.files]))
            heard.set()

        held = HeldWork()
        jobs = Jobs(cast(Nursery, held), tell)
        jobs.start("print", PackToOpen(tmp_path, tmp_path, "duel"), PrintOrder())
        for said in (WorkPart(made), WorkDone(made)):
            heard.clear()
            held.work.send(said)
            await asyncio.wait_for(heard.wait(), 20)
        return told

    told = run_apart(life())
    assert told == [("running", []), ("running", ["cards.pdf"]), ("done", ["cards.pdf"])]


def test_pages_count_as_printed_when_their_file_is_taken(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        job = studio.start_job("print", PrintOrder(papers=("a4",)))
        await tab.until(lambda e: e["type"] == "job" and e["job"]["state"] == "done")
        await asked(studio, "GET", f"/api/jobs/{job.id}/cards-a4.pdf/1.png?w=200")
        answer = await asked(studio, "GET", "/api/print/last")
        assert answer["last"]["job"]["files"]
        assert answer["printed"] is None
        await asked(studio, "GET", f"/api/jobs/{job.id}/cards-a4.pdf")
        told = await tab.until(lambda e: e["type"] == "job")
        assert told["job"]["printed"] == ["cards-a4.pdf"]
        printed = (await asked(studio, "GET", "/api/print/last"))["printed"]
        assert "card/watchtower/front" in printed["digests"]

    lived(tmp_path, life)


def test_a_print_of_a_pack_with_an_error_says_what_is_wrong(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        text = (studio.desk.text(CARDS) or "").replace("cost: 4", "cost: four")
        studio.edit([FileEdit(CARDS, text=text)], "", "", "")
        studio.start_job("print", PrintOrder())
        done = await tab.until(lambda e: e["type"] == "job" and e["job"]["state"] != "running")
        assert done["job"]["state"] == "failed"
        (found,) = done["job"]["findings"]
        assert (found["file"], found["kind"], found["path"]) == (CARDS, "card", ["cost"])

    lived(tmp_path, life)


def test_a_job_can_be_stopped(tmp_path: Path, root: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        job = studio.start_job("print", PrintOrder())
        studio.jobs.stop(job.id)
        await tab.until(lambda e: e["type"] == "job" and e["job"]["state"] == "stopped")

    lived(tmp_path, life)
    assert not list(root.glob("output/duel/*.pdf"))


def test_an_unknown_outlet_is_answered_in_words(tmp_path: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        studio.start_job("export", ExportWanted("nowhere"))
        done = await tab.until(lambda e: e["type"] == "job" and e["job"]["state"] != "running")
        assert "nowhere" in done["job"]["message"]

    lived(tmp_path, life)


def test_nothing_is_printed_while_a_conflict_is_open(tmp_path: Path, root: Path) -> None:
    async def life(studio: Studio, tab: Tab) -> None:
        studio.edit([FileEdit(CARDS, text="mine")], "", "", "")
        (root / CARDS).write_text("theirs", "utf-8")
        with pytest.raises(RefusedError, match="another program"):
            studio.start_job("print", PrintOrder())

    lived(tmp_path, life)


def test_all_outlets_are_told_with_what_they_are_for(root: Path) -> None:
    told = {one.name: one for one in outlets_told(PackToOpen(root, shipped_root(), "duel"), silent)}
    assert told["images"].options == ("dpi", "form", "bleed", "transparent", "ink")
    assert told["pnp"].options == ()  # it has both inks
    assert "92 products" in told["tgc"].about
