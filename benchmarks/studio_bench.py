"""Measure how long an author waits for findings and pictures while typing.

    python benchmarks/studio_bench.py [--rounds 9] [--packs 50 540 chariot-dash]

A session in this process is told of unsaved texts, as by the studio. Of each edit the processor
time and the wall time are printed, medians in ms, beside the aim for processor time: other
programs on the machine change the wall time, and other machines both.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from generator.build import FaceName, Order, Session
from generator.cache import flush, user_cache
from generator.project import find_targets
from generator.workers import collect_now, collect_seldom

HERE = Path(__file__).resolve().parent.parent
WIDTH = 400
"""Pixels of a picture of a card on the desk."""
IN_VIEW = 24
"""Cards that the gallery shows at once."""


class Edit(NamedTuple):
    """A file, a text in it, and a text that replaces it: `{}` is a number that changes."""

    file: str
    old: str
    new: str


class Deck(NamedTuple):
    """A project, one of its packs, the face in view, and edits with their aims, ms: a word, a wrong
    value, and the place of a box."""

    folder: Path
    pack: str
    face: FaceName
    word: Edit
    wrong: Edit
    drag: Edit | None
    first: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--packs", nargs="+", default=["50", "540", "chariot-dash"])
    options = parser.parse_args()
    collect_seldom()
    print("| pack | what | CPU ms | aim | wall ms |")
    print("|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRIDPRESS_CACHE"] = str(Path(folder, "cache"))
        for name in options.packs:
            project = Path(folder, f"of {name}")
            deck = cards(project, int(name)) if name.isdigit() else chariot_dash(project)
            for what, aim, took in _measured(deck, options.rounds):
                cpu, wall = map(statistics.median, zip(*took, strict=True))
                print(f"| {name} | {what} | {cpu * 1000:.0f} | {aim or ''} | {wall * 1000:.0f} |")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"\nat most {peak} MiB")


def cards(project: Path, count: int) -> Deck:
    """Make a deck of different poker cards, as `gridpress import` makes it of a table."""
    project.mkdir()
    types = ("Beast", "Hero", "Spell", "Event")
    with Path(project, "cards.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("name", "type", "cost", "text", "attack"))
        for n in range(count):
            text = f"Draw {n % 4 + 1} cards, then discard one. Foe {n} loses one life."
            rows.writerow((f"Card number {n}", types[n % 4], n % 9, text, n % 7))
    command = (sys.executable, "-m", "generator", "import", "cards.csv")
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    table, box = "cards/my-cards/cards.csv", "boxes: {{name: {{at: [6, {}, 50, 9]}}}}"
    return Deck(
        project,
        "my-cards",
        FaceName("card", "card-number-1", "front"),
        Edit(table, "Foe 1 loses", "Foe {} loses"),
        Edit(table, "number 1,Hero,1", "number 1,Hero,one {}"),
        Edit("templates/my-cards/card.face.yaml", "# boxes: {name: {size: 11pt}}", box),
        100 if count <= 50 else 150,
    )


def chariot_dash(project: Path) -> Deck:
    """Copy Chariot Dash, whose licences are the largest faces."""
    for name in ("cards", "templates", "fonts"):
        shutil.copytree(HERE / name, project / name)
    file = "cards/chariot-dash/vehicles.yaml"
    return Deck(
        project,
        "chariot-dash",
        FaceName("vehicle", "basic", "front"),
        Edit(file, "driver: Oat Fellowes", "driver: Oat F. {}"),
        Edit(file, "damage_levels: 6", "damage_levels: six {}"),
        None,
        300,
    )


Times = list[tuple[float, float]]
"""Seconds of processor time and of wall time, of each round."""


def _measured(deck: Deck, rounds: int) -> Iterator[tuple[str, int, Times]]:
    """Yield what was measured, with its aim in ms."""
    _opened(deck)[1].close()
    flush()
    seconds, session = _opened(deck)
    yield "opened, to the face in view; cached", 1500, [seconds]
    typing = _Typing(deck, session)
    typing.draw_all()
    yield "a word: findings", 150, typing.rounds(deck.word, rounds, typing.check)
    yield "a word: the face in view", deck.first, typing.rounds(deck.word, rounds, typing.draw)
    yield "the same with its picture", 0, typing.rounds(deck.word, rounds, typing.picture)
    yield "a word: all faces", 0, typing.rounds(deck.word, rounds, typing.draw_all)
    yield "a wrong value: findings", 150, typing.rounds(deck.wrong, rounds, typing.check)
    yield "a wrong value: all faces", 0, typing.rounds(deck.wrong, rounds, typing.draw_all)
    if deck.drag is not None:
        yield "a box: the face in view", 100, typing.rounds(deck.drag, rounds, typing.draw)
        in_view = typing.rounds(deck.drag, rounds, typing.draw_in_view)
        yield f"a box: {IN_VIEW} cards in view", 600, in_view
        few = max(1, rounds // 3)
        yield "a box: all faces", 0, typing.rounds(deck.drag, few, typing.draw_all)
    session.close()


def _opened(deck: Deck) -> tuple[tuple[float, float], Session]:
    target = next(t for t in find_targets([str(deck.folder)]) if t.pack == deck.pack)
    cpu, wall = time.process_time(), time.perf_counter()
    session = Session(target, Order(cache=user_cache()))
    session.check()
    next(session.draw(first=[deck.face]))
    took = time.process_time() - cpu, time.perf_counter() - wall
    list(session.draw())
    return took, session


class _Typing:
    """An author who edits one file after the other, each time from its saved text."""

    def __init__(self, deck: Deck, session: Session) -> None:
        self._deck = deck
        self._session = session
        self._number = 0

    def rounds(self, edit: Edit, count: int, then: Callable[[], object]) -> Times:
        """Measure an edit and what follows it, after a round that is not counted."""
        path = self._deck.folder / edit.file
        saved = path.read_text(encoding="utf-8")
        assert saved.count(edit.old) >= 1, edit
        took: Times = []
        for _ in range(count + 1):
            self._number += 1
            new = edit.new.format(20 + self._number / 100)
            collect_now()
            cpu, wall = time.process_time(), time.perf_counter()
            self._session.edit(path, saved.replace(edit.old, new, 1))
            then()
            took.append((time.process_time() - cpu, time.perf_counter() - wall))
        self._session.edit(path, None)
        self.draw_all()
        return took[1:]

    def check(self) -> None:
        """Wait for the findings."""
        self._session.check()

    def draw(self) -> str:
        """Wait for the face in view."""
        self._session.check()
        update = next(self._session.draw(first=[self._deck.face]))
        assert update.face is not None
        assert update.name == self._deck.face
        return update.face.sha256

    def picture(self) -> None:
        """Wait for its picture."""
        assert self._session.picture(self.draw(), WIDTH)

    def draw_in_view(self) -> None:
        """Wait for the cards that the gallery shows."""
        faces = self._session.check().faces[:IN_VIEW]
        drawn = self._session.draw(first=faces)
        assert [update.name for update in islice(drawn, len(faces))] == list(faces)
        drawn.close()

    def draw_all(self) -> None:
        """Wait for all faces."""
        self._session.check()
        list(self._session.draw())


if __name__ == "__main__":
    main()
