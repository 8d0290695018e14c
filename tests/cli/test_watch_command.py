"""`gridpress watch` reports the result of each save once, and ignores half-written files."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.build import Session
from generator.cli import run, watch_command
from generator.guard import INTERRUPTED

BASE = Path(__file__).parents[1] / "fixtures/faults/base"
Step = Callable[[], object]


class Editor:
    """Somebody who saves files while they are watched, and reads the output."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        shutil.copytree(BASE, folder)
        self.folder = folder
        self.cards = folder / "cards/mini/cards.yaml"
        self.text = self.cards.read_text(encoding="utf-8")
        self.said: list[str] = []
        self._capsys = capsys

    def saves(self, *steps: Step | None) -> Callable[[object], Iterator[frozenset[Path]]]:
        """Return a substitute for real file events: each step is one save, None a quiet moment."""

        def saves(_: object) -> Iterator[frozenset[Path]]:
            self.hear()
            yield frozenset([self.folder])
            for step in steps:
                self.hear()
                if step is None:
                    yield frozenset()
                else:
                    step()
                    yield frozenset([self.cards])
            self.hear()
            raise KeyboardInterrupt

        return saves

    def hear(self) -> None:
        """Note the output since the last call."""
        out, err = self._capsys.readouterr()
        self.said.append(out + err)

    def write(self, old: str, new: str) -> Step:
        """Save the cards with other words."""
        return lambda: self.cards.write_text(self.text.replace(old, new), encoding="utf-8")


@pytest.fixture
def editor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Editor:
    return Editor(tmp_path / "project", capsys)


def watched(
    editor: Editor,
    monkeypatch: pytest.MonkeyPatch,
    *steps: Step | None,
    words: tuple[str, ...] = (),
) -> list[str]:
    """Return the output printed at the start and after each step."""
    monkeypatch.setattr(watch_command, "saves", editor.saves(*steps))
    # collecting also scans objects that other tests keep, which takes longer than the whole test
    monkeypatch.setattr(watch_command, "collect_now", lambda: None)
    out = editor.folder.parent / "out"
    given = ["watch", str(editor.folder), "-o", str(out), "--jobs", "1", *words]
    assert run(given) == INTERRUPTED
    return [editor.said[0], *editor.said[2:]]


def test_a_save_is_told_once_with_what_it_changed(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = editor.write("x", "x")
    said = watched(editor, monkeypatch, editor.write("Move", "Go"), None, same, same)
    assert said[0].startswith("mini: printed cards-a4.pdf")
    assert said[1].startswith("mini: first front changed; printed cards-a4.pdf")
    assert said[2] == ""
    assert said[3].startswith("mini: first front changed; printed cards-a4.pdf")
    assert said[4].startswith("saved: the same prints")


def test_a_fault_is_told_when_nothing_more_is_saved(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = editor.write("speed: 3", "speed: fast")
    same = editor.write("x", "x")
    said = watched(editor, monkeypatch, wrong, None, None, wrong, None, same)
    assert said[1] == ""
    assert "error[GP" in said[2]
    assert "mini: not printed (1 error)" in said[2]
    assert said[3] == ""
    assert "GP" not in said[4] + said[5]
    assert said[6].startswith("mini: the same prints")


def test_a_file_that_is_half_written_is_waited_for(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def empty() -> None:
        editor.cards.write_text("", encoding="utf-8")

    def gone() -> None:
        editor.cards.unlink()

    half = editor.write("suit: sun", "su")
    same = editor.write("x", "x")
    said = watched(editor, monkeypatch, empty, same, gone, same, half, same, None)
    assert [words for words in said[1:] if words and not words.startswith("saved: the same")] == []


def test_a_file_that_does_not_come_back_is_gone(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = watched(editor, monkeypatch, editor.cards.unlink, None, None)
    assert said[1] == ""
    assert "GP606" in said[2] + said[3]


def test_what_breaks_down_is_told_and_the_next_save_is_printed(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, wrong = Session.look, [False, False, True, False]

    def looked(session: Session, *given: Any) -> object:
        if wrong.pop(0):
            raise ValueError("nobody thought of this")
        return look(session, *given)

    log = editor.folder.parent / "home"
    monkeypatch.setattr("click.get_app_dir", lambda _: str(log))
    monkeypatch.setattr(Session, "look", looked)
    said = watched(editor, monkeypatch, editor.write("Move", "Go"), None, editor.write("x", "x"))
    assert said[1] == ""
    assert "mini/pack.yaml:1:1: error[GP010]: " in said[2]
    assert "not printed (1 error)" in said[2]
    assert "ValueError: nobody thought of this" in (log / "crash.log").read_text("utf-8")
    assert said[3].startswith("mini: the same prints")


def test_packs_may_come_and_go(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    def comes() -> None:
        for part in ("cards", "templates"):
            shutil.copytree(editor.folder / part / "mini", editor.folder / part / "second")

    def goes() -> None:
        shutil.rmtree(editor.folder / "cards/second")

    said = watched(editor, monkeypatch, comes, None, goes, None)
    assert "second: printed cards-a4.pdf" in said[1]
    assert said[3].startswith("second: this pack is gone; its prints stay")
    assert (editor.folder.parent / "out/second/cards-a4.pdf").exists()


def test_the_studio_is_opened_beside_the_watching_and_ends_with_it(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], str]] = []

    class Process:
        def __init__(self, command: list[str], **_: object) -> None:
            self.command = command
            started.append((command[1:], "running"))

        def terminate(self) -> None:
            started[:] = [(self.command[1:], "asked to end")]

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(subprocess, "Popen", Process)
    watched(editor, monkeypatch, None, words=("--open",))
    folder = str(editor.folder)
    assert started == [(["-m", "generator", "studio", folder], "asked to end")]
