"""A session checks first, then draws the faces on view, and stops when a newer edit waits."""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.build import FaceName, Order, Session
from generator.build import session as session_module
from generator.export import face_pictures
from generator.fonts import fonts_of
from generator.geometry import MM_PER_INCH
from generator.load import documents
from generator.model.pack import Component
from generator.project import Target, find_targets
from generator.render import Deck, DrawnFace, FaceTask
from generator.render.renderer import Renderer

BASE = Path(__file__).parent.parent / "fixtures/faults/base"
CARD = (
    "  - {{id: {0}, name: {1}, text: Move {2}., speed: 1, suit: sun, "
    "art: art/field.png, mark: dot}}\n"
)
NAMES = ("anna", "bert", "carl")
THREE = "kind: card\ncomponents:\n" + "".join(
    CARD.format(name, name.title(), n) for n, name in enumerate(NAMES)
)
FRONTS = [FaceName("card", name, "front") for name in NAMES]
ANNA, BERT, CARL = FRONTS


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "project")
    path = tmp_path / "project/cards/mini/cards.yaml"
    path.write_text(THREE, encoding="utf-8")
    return path


@pytest.fixture
def session(cards: Path) -> Iterator[Session]:
    with Session(target(cards), Order()) as opened:
        opened.check()
        list(opened.draw())
        yield opened


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the ids of the faces drawn from now on."""
    found: list[str] = []
    draw = Deck.draw

    def noted(self: Deck, task: Any) -> Any:
        found.append(task[0].id)
        return draw(self, task)

    monkeypatch.setattr(Deck, "draw", noted)
    return found


def target(cards: Path) -> Target:
    return find_targets([str(cards.parent.parent.parent)])[0]


def codes(found: Any) -> list[str]:
    return [one.code for one in found]


def test_a_check_draws_nothing(cards: Path, drawn: list[str]) -> None:
    with Session(target(cards), Order()) as session:
        check = session.check()
        assert (check.ok, check.faces, drawn) == (True, tuple(FRONTS), [])
        assert check.opened is not None
        assert check.opened.pack.title
        assert [update.name for update in session.draw()] == FRONTS
        assert drawn == list(NAMES)


def test_a_word_changes_one_face(session: Session, cards: Path, drawn: list[str]) -> None:
    session.edit(cards, THREE.replace("Move 1", "Go 1"))
    session.check()
    assert [update.name for update in session.draw() if update.changed] == [BERT]
    assert drawn == ["bert"]


def test_what_is_looked_at_comes_first(session: Session, cards: Path, drawn: list[str]) -> None:
    session.edit(cards, THREE.replace("Move", "Go"))
    session.check()
    updates = session.draw(first=[CARL])
    assert next(updates).name == CARL
    assert drawn == ["carl"]
    updates.close()
    session.edit(cards, THREE.replace("Move", "Run"))
    session.check()
    assert [update.name for update in session.draw(first=[BERT])] == [BERT, ANNA, CARL]
    assert drawn == ["carl", "bert", "anna", "carl"]


def test_faces_that_hold_come_before_those_to_draw(session: Session, cards: Path) -> None:
    session.edit(cards, THREE.replace("Move 0", "Go 0"))
    session.check()
    assert [update.name for update in session.draw()] == [BERT, CARL, ANNA]


def test_only_some_faces(session: Session, cards: Path, drawn: list[str]) -> None:
    session.edit(cards, THREE.replace("Move", "Go"))
    session.check()
    assert [update.name for update in session.draw(only={BERT})] == [BERT]
    assert drawn == ["bert"]


def test_a_wrong_value_leaves_the_last_picture(session: Session, cards: Path) -> None:
    session.edit(cards, THREE.replace("Bert", "Berta").replace("speed: 1", "speed: fast", 1))
    check = session.check()
    assert codes(check.diagnostics) == ["GP203"]
    assert not check.ok
    assert check.faces == tuple(FRONTS)
    assert check.stale == {ANNA}
    updates = {update.name: update for update in session.draw()}
    assert [name for name in updates if updates[name].changed] == [BERT]
    session.edit(cards, THREE)
    assert session.check().stale == frozenset()


def test_a_wrong_value_before_the_first_drawing_leaves_the_last_sound_one(cards: Path) -> None:
    with Session(target(cards), Order()) as session:
        session.check()
        next(session.draw(first=[BERT]))
        session.edit(cards, THREE.replace("speed: 1", "speed: fast", 1))
        assert session.check().stale == {ANNA}
        updates = {update.name: update for update in session.draw()}
        assert updates[ANNA].face is not None
        assert updates[ANNA].diagnostics == ()
        assert codes(session.findings()) == ["GP203"]
        session.check()
        assert [update.name for update in session.draw()] == [BERT, CARL]


def test_a_card_that_is_removed_beside_an_error_is_gone(session: Session, cards: Path) -> None:
    rest = THREE.replace(CARD.format("bert", "Bert", 1), "").replace("speed: 1", "speed: x", 1)
    session.edit(cards, rest)
    assert session.check().faces == (ANNA, CARL)


def test_with_a_file_that_cannot_be_read_all_faces_stay(session: Session, cards: Path) -> None:
    session.edit(cards, THREE + "  - {id: x\n")
    check = session.check()
    assert codes(check.diagnostics) == ["GP101"]
    assert check.faces == tuple(FRONTS)


def test_pictures_of_superseded_faces(session: Session, cards: Path) -> None:
    before = next(u.face for u in session.draw() if u.name == BERT)
    session.edit(cards, THREE.replace("Move 1", "Go 1"))
    session.check()
    after = next(session.draw(first=[BERT])).face
    assert before is not None
    assert after is not None
    assert before.sha256 != after.sha256
    pictures = [session.picture(face.sha256, 150) for face in (before, after)]
    assert all(pictures)
    assert pictures[0] != pictures[1]
    with Image.open(io.BytesIO(pictures[0] or b"")) as picture:
        assert picture.width == 150
    assert session.picture("0" * 64, 150) is None


def test_findings_are_told_once_for_all_faces(session: Session, cards: Path) -> None:
    template = next((cards.parents[2] / "templates/mini").glob("card*.j2"))
    text = template.read_text(encoding="utf-8")
    session.edit(template, text + "{{ nonsense }}")
    assert session.check().ok
    updates = list(session.draw())
    assert [update.face for update in updates] == [None, None, None]
    assert codes(updates[0].diagnostics) == ["GP303"]
    found = session.findings()
    assert codes(found) == ["GP303"]
    assert "and 2 more" in found[0].message


def test_a_face_that_takes_too_much_ends_no_other(
    session: Session, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(self: Renderer, component: Component, side: str) -> DrawnFace:
        if component.id == "bert":
            raise MemoryError
        return draw(self, component, side)

    draw = Renderer.draw
    monkeypatch.setattr(Renderer, "draw", greedy)
    session.edit(cards, THREE.replace("Move", "Go"))
    session.check()
    updates = {update.name: update for update in session.draw()}
    assert codes(updates[BERT].diagnostics) == ["GP009"]
    assert [name for name in updates if updates[name].face] == [ANNA, CARL]
    assert codes(session.findings()) == ["GP009"]


def test_a_look_is_a_check_and_all_faces(session: Session, cards: Path) -> None:
    look = session.look()
    assert [face.component for face in look.faces] == list(NAMES)
    assert look.pages
    session.edit(cards, THREE.replace("Move 1", "Go 1"))
    assert [face.component for face in session.look().changed] == ["bert"]


def test_a_file_that_cannot_be_read_stops_no_other(session: Session, cards: Path) -> None:
    styles = cards.parents[2] / "templates/mini/styles.yaml"
    session.edit(styles, "colours: {")
    session.edit(cards, THREE.replace("Move 1", "Go 1").replace("speed: 1", "speed: x", 1))
    check = session.check()
    assert sorted(codes(check.diagnostics)) == ["GP101", "GP203"]
    assert [update.name for update in session.draw() if update.changed] == [BERT]


def test_a_fault_and_its_mending_draw_no_other_face(
    session: Session, cards: Path, drawn: list[str]
) -> None:
    template = next((cards.parents[2] / "templates/mini").glob("card*.j2"))
    more = "{% for one in components.card %}<g><!-- {{ one.name }} --></g>{% endfor %}"
    session.edit(template, template.read_text(encoding="utf-8") + more)
    session.check()
    list(session.draw())
    drawn.clear()
    for text in (THREE.replace("speed: 1", "speed: x", 1), THREE + "  - {id: x\n", THREE):
        session.edit(cards, text)
        session.check()
        assert not [update for update in session.draw() if update.changed]
    assert drawn == []


def test_when_all_faces_are_drawn_the_findings_are_those_of_a_look(
    session: Session, cards: Path
) -> None:
    session.edit(cards, THREE.replace("Bert", "Anna").replace("Move 1", "Move 0"))
    session.check()
    updates = session.draw()
    next(updates)
    assert "GP852" not in codes(session.findings())
    list(updates)
    found = session.findings()
    assert found == session.look().diagnostics


def test_a_picture_is_that_of_a_preview(session: Session, tmp_path: Path) -> None:
    face = next(session.draw()).face
    assert face is not None
    fonts = fonts_of(session.target.project)
    dpi = 149.99 * MM_PER_INCH / face.box.width
    [preview] = face_pictures([face], fonts, tmp_path, dpi=dpi).value.values()
    drawn = io.BytesIO(session.picture(face.sha256, 150) or b"")
    with Image.open(preview) as shown, Image.open(drawn) as picture:
        assert picture.size == shown.size
        assert picture.tobytes() == shown.tobytes()


FACE = """\
face: poker
boxes:
  name: {{text: name, at: [5, 5, 50, 10]}}
variants:
  by: name
  Anna: {{name: {{at: [5, {0}, 50, 10]}}}}
"""


def test_a_moved_box_of_a_variant_draws_only_its_faces(
    session: Session, cards: Path, drawn: list[str]
) -> None:
    kind = cards.parent / "kinds/card.yaml"
    faces = re.sub("front: .*j2", "front: card.face.yaml", kind.read_text(encoding="utf-8"))
    file = cards.parents[2] / "templates/mini/card.face.yaml"
    session.edit(kind, faces)
    session.edit(file, FACE.format(20))
    assert session.check().ok
    list(session.draw())
    assert drawn == list(NAMES)
    session.edit(file, FACE.format(25))
    session.check()
    assert [update.name for update in session.draw() if update.changed] == [ANNA]
    assert drawn == [*NAMES, "anna"]


def test_unsaved_text_switches_off_no_memory(
    session: Session, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the edited file is read again after an edit."""
    read: list[str] = []
    parsed = documents.parse_yaml

    def noted(text: str, shown: str, *more: Any) -> Any:
        read.append(Path(shown).name)
        return parsed(text, shown, *more)

    session.edit(cards, THREE.replace("Move 1", "Go 0"))
    session.check()
    monkeypatch.setattr(documents, "parse_yaml", noted)
    fonts = session._standing.fonts(session.target.project)
    for number in (1, 2):
        session.edit(cards, THREE.replace("Move 1", f"Go {number}"))
        session.check()
        list(session.draw())
    assert read == ["cards.yaml", "cards.yaml"]
    assert session._standing.fonts(session.target.project) is fonts


def test_each_print_is_written_as_soon_as_it_is_drawn(cards: Path, tmp_path: Path) -> None:
    early = tmp_path / "early"
    early.mkdir()
    with Session(target(cards), Order()) as session:
        session.check()
        parts = list(session.print_early(early))
        assert session.findings() == ()
        printed = session.print(tmp_path / "output").value
    written = [part.folder / run.file_name for part in parts for run in part.runs]
    assert [path.name for path in written] == [file.path.name for file in printed]
    for path, file in zip(written, printed, strict=True):
        assert path.read_bytes() == file.path.read_bytes()


def test_nothing_of_a_pack_with_an_error_is_written(cards: Path, tmp_path: Path) -> None:
    cards.write_text(THREE.replace("speed: 1", "speed: fast", 1), "utf-8")
    with Session(target(cards), Order()) as session:
        session.check()
        assert list(session.print_early(tmp_path)) == []
        assert codes(session.findings()) == ["GP203"]


def test_many_new_faces_are_drawn_by_another_process(
    cards: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "_MANY", 2)
    with Session(target(cards), Order()) as session:
        session.check()
        updates = list(session.draw(first=[BERT]))
        assert [update.name for update in updates] == [BERT, ANNA, CARL]
        assert all(update.face for update in updates)
        if sys.platform == "linux":
            assert drawn == ["bert"]


def test_faces_of_a_process_that_broke_down_are_drawn_here(
    cards: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, draw = os.getpid(), Deck.draw

    def ended(self: Deck, task: FaceTask) -> DrawnFace:
        return draw(self, task) if os.getpid() == here else os._exit(1)

    monkeypatch.setattr(session_module, "_MANY", 2)
    monkeypatch.setattr(Deck, "draw", ended)
    with Session(target(cards), Order()) as session:
        session.check()
        assert [update.name for update in session.draw() if update.face] == FRONTS
    assert drawn == list(NAMES)
