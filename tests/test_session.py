"""A session answers the same as a build of the same files, after any saves in any order."""

import dataclasses
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from generator.build import FaceName, Order, Session, press_pack
from generator.files import UnreadableError
from generator.project import Target, find_targets

BASE = Path(__file__).parent / "fixtures/faults/base"
CARD = (
    "  - {{id: {0}, name: {1}, text: Move {2}., speed: 1, suit: sun, "
    "art: art/field.png, mark: dot}}\n"
)
THREE = "kind: card\ncomponents:\n" + "".join(
    CARD.format(name, name.title(), n) for n, name in enumerate(("anna", "bert", "carl"))
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "project")
    (tmp_path / "project/cards/mini/cards.yaml").write_text(THREE, encoding="utf-8")
    return tmp_path / "project"


@pytest.fixture
def session(project: Path) -> Iterator[Session]:
    with Session(target(project), Order()) as opened:
        opened.look()
        yield opened


def target(project: Path) -> Target:
    return find_targets([str(project)])[0]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def answers_as_a_build(session: Session, scratch: Path) -> tuple[str, ...]:
    """Check that a session reports and prints the same as a build, and return the reports."""
    session.look()
    out, cold = scratch / "of a session", scratch / "of a build"
    for folder in (out, cold):
        shutil.rmtree(folder, ignore_errors=True)
    said = session.print(out)
    project = dataclasses.replace(session.target.project, unsaved=dict(session._unsaved))
    built = press_pack(replace(session.target, project=project), Order(), cold)
    told = [str(d).replace(str(out), str(cold)) for d in said.diagnostics]
    assert told == [str(d) for d in built.diagnostics]
    assert len(said.value) == len(built.value)
    if built.value:
        assert files(out / "mini") == files(cold / "mini")
    return tuple(d.code for d in built.diagnostics)


def changed(session: Session) -> list[str]:
    return [f"{face.component} {face.name}" for face in session.look().changed]


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def styled(project: Path) -> None:
    replaced(project / "templates/mini/styles.yaml", "1d1a17", "102030")


def repainted(project: Path) -> None:
    path = project / "cards/mini/art/field.png"
    colour = "#336699" if path.read_bytes().count(b"\x33\x66\x99") == 0 else "#996633"
    picture = Image.linear_gradient("L").resize((400, 400)).convert("RGB")
    picture.paste(colour, (100, 100, 300, 300))
    picture.save(path)  # whatever an edit before left there


def retemplated(project: Path) -> None:
    path = next((project / "templates/mini").glob("card*.j2"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text + '<circle cx="9" cy="9" r="3" fill="#aa2200"/>', encoding="utf-8")


def rekinded(project: Path) -> None:
    path = project / "cards/mini/kinds/card.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "quantity: 1 + 1\n", encoding="utf-8")


EDITS: dict[str, Callable[[Path], None]] = {
    "word": lambda p: replaced(p / "cards/mini/cards.yaml", "Move 1", "Go 1"),
    "template": retemplated,
    "picture": repainted,
    "styles": styled,
    "kind": rekinded,
    "printer": lambda p: (p / "printer.yaml").write_text("x: 0.5\n", encoding="utf-8") and None,
    "removed": lambda p: (p / "cards/mini/suits.yaml").unlink(),
    "renamed": lambda p: (p / "cards/mini/cards.yaml").rename(p / "cards/mini/deck.yaml") and None,
    "fault": lambda p: replaced(p / "cards/mini/cards.yaml", "speed: 1", "speed: fast"),
    "damaged": lambda p: (p / "cards/mini/art/field.png").write_bytes(b"no picture") and None,
}


def test_before_any_edit_a_session_answers_as_a_build(session: Session, tmp_path: Path) -> None:
    assert answers_as_a_build(session, tmp_path) == ()


@pytest.mark.parametrize("edit", EDITS)
def test_after_an_edit_a_session_answers_as_a_build(
    edit: str, session: Session, project: Path, tmp_path: Path
) -> None:
    assert session.print(tmp_path / "before").value
    EDITS[edit](project)
    said = answers_as_a_build(session, tmp_path)
    assert bool(said) == (edit in ("printer", "removed", "fault", "damaged"))


def test_after_any_edits_a_session_answers_as_a_build(project: Path, tmp_path: Path) -> None:
    chance = random.Random(1)
    kept = tmp_path / "kept"
    shutil.copytree(project, kept)
    with Session(target(project), Order()) as session:
        for _ in range(6):
            if chance.random() < 0.4:  # all as it was, with new times
                shutil.rmtree(project)
                shutil.copytree(kept, project)
            else:
                count = chance.randint(1, 2)
                for name in chance.sample(sorted(EDITS), count):
                    with suppress(AssertionError, OSError):  # it was done before
                        EDITS[name](project)
            answers_as_a_build(session, tmp_path)


def test_one_word_changes_one_face(session: Session, project: Path) -> None:
    EDITS["word"](project)
    assert changed(session) == ["bert front"]
    assert changed(session) == []


def test_faces_that_are_gone(session: Session, project: Path) -> None:
    replaced(project / "cards/mini/cards.yaml", CARD.format("carl", "Carl", 2), "")
    assert session.look().gone == (FaceName("card", "carl", "front"),)


def test_a_fault_and_its_mending(session: Session, project: Path, tmp_path: Path) -> None:
    EDITS["fault"](project)
    assert answers_as_a_build(session, tmp_path)
    assert len(session.look().faces) == 2, "an error blanks only the face that has it"
    assert session.print(tmp_path / "out").value == ()
    replaced(project / "cards/mini/cards.yaml", "speed: fast", "speed: 1")
    assert answers_as_a_build(session, tmp_path) == ()
    assert changed(session) == []


def test_unsaved_text_is_as_if_it_were_saved(
    session: Session, project: Path, tmp_path: Path
) -> None:
    cards = project / "cards/mini/cards.yaml"
    session.edit(cards, THREE.replace("Move 2", "Go 2"))
    assert changed(session) == ["carl front"]
    session.print(tmp_path / "unsaved")
    session.edit(cards, None)
    assert changed(session) == ["carl front"]
    replaced(cards, "Move 2", "Go 2")
    assert press_pack(target(project), Order(), tmp_path / "saved").value
    assert files(tmp_path / "unsaved/mini") == files(tmp_path / "saved/mini")


def test_unsaved_text_of_a_file_that_is_not_there_yet(session: Session, project: Path) -> None:
    more = "kind: card\ncomponents:\n" + CARD.format("dora", "Dora", 3)
    session.edit(project / "cards/mini/more.yaml", more)
    assert changed(session) == ["dora front"]
    session.edit(project / "cards/mini/more.yaml", None)
    assert session.look().gone == (FaceName("card", "dora", "front"),)


def test_unsaved_text_with_a_fault_is_told_where_it_is(session: Session, project: Path) -> None:
    session.edit(project / "cards/mini/cards.yaml", THREE + "  - {id: x\n")
    found = session.look().diagnostics[0]
    assert (found.code, found.span.line) == ("GP101", 6)


def test_unsaved_text_is_for_files_of_the_project_alone(session: Session, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        session.edit(tmp_path / "elsewhere.yaml", "kind: card\n")


def test_every_copy_of_a_collated_kind_has_the_new_words(project: Path, tmp_path: Path) -> None:
    kind = project / "cards/mini/kinds/card.yaml"
    kind.write_text(kind.read_text("utf-8") + "quantity: 2\ncollated: yes\n", "utf-8")
    with Session(target(project), Order()) as session:
        session.look()
        for old, new in (("Move 1", "Go 1"), ("Go 1", "Run 1")):
            replaced(project / "cards/mini/cards.yaml", old, new)
            assert changed(session) == ["bert front", "bert~2 front"]
        answers_as_a_build(session, tmp_path)


def test_components_without_copies_are_shown_last_and_come_on_no_sheet(
    project: Path, tmp_path: Path
) -> None:
    cards = project / "cards/mini/cards.yaml"
    replaced(cards, "Move 0.", 80 * "Far too many words. ")
    with (project / "cards/mini/kinds/card.yaml").open("a", encoding="utf-8") as kind:
        kind.write("quantity: 0 if id == 'anna' else 1\n")
    anna = FaceName("card", "anna", "front")
    with Session(target(project), Order(), shows_unprinted=True) as session:
        check = session.check()
        assert (check.faces[-1], check.unprinted) == (anna, {anna})
        first, *_, last = session.draw()
        assert (first.name.component, last.name) == ("bert", anna)
        assert last.face is not None
        assert last.diagnostics == session.findings() == ()
        assert answers_as_a_build(session, tmp_path) == ()
