"""Measure a running studio as a browser meets it.

    python benchmarks/studio_served_bench.py [--rounds 9] [--packs 50 540 chariot-dash]

`gridpress studio` is started with a warm cache, and is asked by HTTP: how long until the first face
is there, how long from an edit to its findings and to the new picture, and what the studio takes
while nobody types. Processor time is that of all its processes. studio_bench.py measures the
session alone.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
from studio_bench import WIDTH, Deck, Edit, cards, chariot_dash

from generator.studio.view import face_key

IDLE = 10.0  # seconds
REST = 1.5  # seconds, in which an edit is saved and all faces are drawn

Event = dict[str, Any]


class Tab:
    """A tab of a running studio."""

    def __init__(self, deck: Deck) -> None:
        command = (sys.executable, "-m", "generator", "studio", "--no-open", deck.pack)
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, cwd=deck.folder, stdout=subprocess.PIPE, text=True)
        address = next(line for line in self.process.stdout or () if "http://" in line).split()[-1]
        origin = address.partition("/?")[0]
        self.client = httpx.Client(base_url=origin, headers={"Origin": origin}, timeout=120)
        self.client.get(address)
        self.events: queue.Queue[Event] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            with self.client.stream("GET", "/api/events?tab=bench", timeout=None) as answer:
                for line in answer.iter_lines():
                    if line.startswith("data: "):
                        self.events.put(json.loads(line[6:]))
        except httpx.HTTPError:  # the studio has ended
            return

    def until(self, fits: Callable[[Event], bool]) -> Event:
        """Wait for an event."""
        while not fits(event := self.events.get(timeout=120)):
            pass
        return event

    def face(self, key: str, before: str = "") -> str:
        """Wait until a face has another picture; return its name."""
        while True:
            event = self.until(lambda one: one["type"] == "faces")
            for face in event["faces"]:
                if face["key"] == key and face["sha"] not in ("", before):
                    return str(face["sha"])

    def edit(self, file: str, text: str) -> None:
        """Give a file another text."""
        body = {"tab": "bench", "label": "bench", "edits": [{"file": file, "text": text}]}
        self.client.post("/api/edit", json=body).raise_for_status()

    def at_rest(self) -> None:
        """Wait until all is drawn, and told."""
        quiet_at = time.perf_counter() + REST
        while (left := quiet_at - time.perf_counter()) > 0:
            try:
                self.events.get(timeout=left)
                quiet_at = time.perf_counter() + REST
            except queue.Empty:
                return

    @property
    def processes(self) -> list[psutil.Process]:
        """Return the processes of the studio."""
        first = psutil.Process(self.process.pid)
        return [first, *first.children(recursive=True)]

    def cpu(self) -> float:
        """Return the processor time so far, in seconds."""
        return sum(sum(one.cpu_times()[:2]) for one in self.processes)

    def memory(self) -> int:
        """Return the memory that goes when the studio ends, in MiB."""
        return sum(one.memory_full_info().uss for one in self.processes) // 2**20


@contextmanager
def opened(deck: Deck) -> Iterator[Tab]:
    """Run a studio."""
    tab = Tab(deck)
    try:
        yield tab
    finally:
        tab.process.terminate()
        tab.process.wait()


def row(name: str, what: str, aim: str, took: list[tuple[float, float]]) -> None:
    """Print medians of processor time and wall time."""
    cpu, wall = map(statistics.median, zip(*took, strict=True))
    print(f"| {name} | {what} | {cpu * 1000:.0f} | {aim} | {wall * 1000:.0f} |", flush=True)


def measure(name: str, deck: Deck, rounds: int) -> None:
    """Print the rows of a pack."""
    key = face_key(deck.face)
    with opened(deck) as tab:
        tab.face(key)
        tab.at_rest()
    with opened(deck) as tab:
        tab.client.post("/api/show", json={"tab": "bench", "faces": [key]})
        sha = tab.face(key)
        row(
            name,
            "opened, to the face in view",
            "1500",
            [(tab.cpu(), time.perf_counter() - tab.began)],
        )
        tab.at_rest()
        row(
            name, "a word, to its picture", str(deck.first), typed(tab, deck.word, rounds, key, sha)
        )
        row(name, "a wrong value, to its finding", "150", wrong(tab, deck.wrong, rounds))
        time.sleep(IDLE / 2)  # what is tidied up after the last edit
        before = tab.cpu()
        time.sleep(IDLE)
        share = (tab.cpu() - before) / IDLE
        print(
            f"| {name} | at rest: {share:.1%} of a core (aim < 1 %), {tab.memory()} MiB (≤ 250) |"
        )


def typed(tab: Tab, edit: Edit, rounds: int, key: str, sha: str) -> list[tuple[float, float]]:
    """Measure from an edit to the picture, after a round that is not counted."""
    saved, took = text_of(tab, edit.file), []
    for number in range(rounds + 1):
        cpu, wall = tab.cpu(), time.perf_counter()
        tab.edit(edit.file, saved.replace(edit.old, edit.new.format(20 + number / 100), 1))
        sha = tab.face(key, sha)
        tab.client.get(f"/api/picture/{sha}?w={WIDTH}").raise_for_status()
        took.append((tab.cpu() - cpu, time.perf_counter() - wall))
        tab.at_rest()
    tab.edit(edit.file, saved)
    tab.at_rest()
    return took[1:]


def wrong(tab: Tab, edit: Edit, rounds: int) -> list[tuple[float, float]]:
    """Measure from a wrong value to what is found."""
    saved, took = text_of(tab, edit.file), []
    for number in range(rounds + 1):
        cpu, wall = tab.cpu(), time.perf_counter()
        tab.edit(edit.file, saved.replace(edit.old, edit.new.format(number), 1))
        tab.until(lambda one: one["type"] == "found" and bool(one["findings"]))
        took.append((tab.cpu() - cpu, time.perf_counter() - wall))
        tab.edit(edit.file, saved)
        tab.at_rest()
    return took[1:]


def text_of(tab: Tab, file: str) -> str:
    """Return a text as it is."""
    return str(tab.client.get("/api/file", params={"path": file}).json()["text"])


def main() -> None:
    """Measure all packs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--packs", nargs="+", default=["50", "540", "chariot-dash"])
    options = parser.parse_args()
    print("| pack | what | CPU ms | aim | wall ms |")
    print("|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRIDPRESS_CACHE"] = str(Path(folder, "cache"))
        for name in options.packs:
            project = Path(folder, f"of {name}")
            deck = cards(project, int(name)) if name.isdigit() else chariot_dash(project)
            measure(name, deck, options.rounds)


if __name__ == "__main__":
    main()
