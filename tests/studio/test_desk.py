"""The desk keeps texts, undo and conflicts; none of this needs a process."""

from pathlib import Path

import pytest

from generator.edits import SetValue, UnfitEditError
from generator.project import Project
from generator.studio.desk import OUTSIDE, Desk
from generator.studio.edited_texts import FileEdit, RefusedError, StaleError
from generator.studio.journal import Journal

FILE = "cards/duel/heroes.yaml"
TEXT = "kind: hero\ncomponents:\n  - {id: anna, name: Anna}  # the first\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / FILE).parent.mkdir(parents=True)
    (root / FILE).write_text(TEXT, "utf-8")
    return root


@pytest.fixture
def desk(root: Path) -> Desk:
    return opened(root)


def opened(root: Path) -> Desk:
    return Desk(Project(root, root), Journal(root.parent / "journal", root))


TABLE = "cards/duel/heroes.csv"


@pytest.mark.parametrize("coding", ["cp1252", "utf-16", "utf-8-sig", "utf-8", "mac_roman"])
def test_a_table_is_edited_and_saved_in_its_own_coding(root: Path, coding: str) -> None:
    end = "\r" if coding == "mac_roman" else "\r\n"
    text = f"name,text{end}Zoë,“Fürst”{end}"
    (root / TABLE).write_bytes(text.encode(coding))
    desk = opened(root)
    desk.edit([FileEdit(TABLE, changes=(SetValue((0, "name"), "Jörg"),))], "name", "", 0.0)
    assert desk.save() == ((TABLE,), "")
    assert (root / TABLE).read_bytes() == text.replace("Zoë", "Jörg").encode(coding)
    assert desk.look_again([TABLE]) == ((), ())


def test_what_the_coding_of_a_table_lacks_is_refused_in_words(root: Path) -> None:
    (root / TABLE).write_bytes("name\nZoë\n".encode("cp1252"))
    desk = opened(root)
    with pytest.raises(UnfitEditError, match="Windows-1252"):
        desk.edit([FileEdit(TABLE, changes=(SetValue((0, "name"), "Łukasz"),))], "", "", 0.0)
    assert (desk.text(TABLE), desk.undo_label) == ("name\nZoë\n", None)
    desk.edit([FileEdit(TABLE, changes=(SetValue((0, "name"), "Zoe"),))], "", "", 0.0)
    desk.save()
    desk.undo()
    desk.save()
    assert (root / TABLE).read_bytes() == "name\nZoë\n".encode("cp1252")


def typed(desk: Desk, text: str | None, at: float = 0.0, join: str = "") -> tuple[str, ...]:
    return desk.edit([FileEdit(FILE, text=text)], "typing", join, at)


def renamed(desk: Desk, name: str) -> None:
    change = SetValue(("components", 0, "name"), name)
    desk.edit([FileEdit(FILE, changes=(change,))], "name", "", 0.0)


def test_an_edit_is_a_new_revision_and_can_be_undone(desk: Desk) -> None:
    renamed(desk, "Berta")
    assert desk.text(FILE) == TEXT.replace("Anna", "Berta")
    assert (desk.number, desk.rev(FILE), desk.state(FILE)) == (2, 2, "unsaved")
    assert (desk.undo_label, desk.redo_label) == ("name", None)
    assert desk.undo() == (FILE,)
    assert (desk.text(FILE), desk.state(FILE), desk.redo_label) == (TEXT, "saved", "name")
    desk.redo()
    assert desk.text(FILE) == TEXT.replace("Anna", "Berta")
    assert desk.undo() == (FILE,)
    assert desk.undo() == ()


def test_typing_goes_on_in_one_step_for_two_seconds(desk: Desk) -> None:
    for at, text in ((0.0, "a"), (1.5, "ab"), (3.0, "abc"), (6.0, "abcd")):
        typed(desk, text, at, "field")
    desk.undo()
    assert desk.text(FILE) == "abc"
    desk.undo()
    assert desk.text(FILE) == TEXT


def test_a_step_over_two_files_is_undone_as_one(desk: Desk) -> None:
    desk.edit([FileEdit(FILE, text="a"), FileEdit("cards/duel/new.yaml", text="b")], "", "", 0.0)
    desk.save()
    assert (desk.project.root / "cards/duel/new.yaml").read_text() == "b"
    desk.undo()
    desk.save()
    assert not (desk.project.root / "cards/duel/new.yaml").exists()
    assert desk.text(FILE) == TEXT


def test_an_edit_of_an_older_revision_is_refused_with_the_text_as_it_is(desk: Desk) -> None:
    typed(desk, "new")
    with pytest.raises(StaleError) as caught:
        desk.edit([FileEdit(FILE, rev=1, text="older")], "", "", 0.0)
    assert (caught.value.rev, caught.value.text) == (2, "new")
    assert desk.text(FILE) == "new"


def test_an_edit_that_cannot_be_made_changes_nothing(desk: Desk) -> None:
    wrong = SetValue(("components", 7, "name"), "Nobody")
    with pytest.raises(UnfitEditError):
        desk.edit([FileEdit(FILE, text="a"), FileEdit(FILE, changes=(wrong,))], "", "", 0.0)
    assert (desk.text(FILE), desk.number, desk.undo_label) == (TEXT, 1, None)


@pytest.mark.parametrize(
    "file", ["../else.yaml", "/etc/passwd", "cards/../../x", ".git/config", "cards/link/x.yaml", ""]
)
def test_nothing_outside_the_project_is_read_or_written(desk: Desk, file: str) -> None:
    (desk.project.root / "cards/link").symlink_to(desk.project.root.parent)
    with pytest.raises(RefusedError):
        desk.edit([FileEdit(file, text="a")], "", "", 0.0)
    with pytest.raises(RefusedError):
        desk.text(file)


def test_line_ends_and_byte_order_mark_stay_when_a_browser_knows_only_newlines(desk: Desk) -> None:
    path = desk.project.root / FILE
    path.write_bytes("\ufeffkind: hero\r\nname: a\r\n".encode())
    typed(desk, "kind: hero\nname: b\n")
    desk.save()
    assert path.read_bytes() == "\ufeffkind: hero\r\nname: b\r\n".encode()


def test_a_file_written_outside_is_taken_up_and_can_be_undone(desk: Desk) -> None:
    desk.text(FILE)
    (desk.project.root / FILE).write_text("outside", "utf-8")
    assert desk.look_again([FILE]) == ((FILE,), ())
    assert (desk.text(FILE), desk.state(FILE), desk.undo_label) == ("outside", "saved", OUTSIDE)
    desk.undo()
    assert (desk.text(FILE), desk.state(FILE)) == (TEXT, "unsaved")


def test_what_was_saved_here_is_no_change_from_outside(desk: Desk) -> None:
    typed(desk, "mine")
    assert desk.save() == ((FILE,), "")
    assert desk.look_again([FILE]) == ((), ())
    assert (desk.project.root / FILE).read_text() == "mine"


@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_file_edited_here_and_outside_is_in_conflict_until_it_is_resolved(
    desk: Desk, *, is_noticed: bool
) -> None:
    path = desk.project.root / FILE
    typed(desk, "mine")
    path.write_text("theirs", "utf-8")
    if is_noticed:
        assert desk.look_again([FILE]) == ((), (FILE,))
    desk.save()
    assert (desk.state(FILE), desk.text(FILE), desk.theirs(FILE)) == ("conflict", "mine", "theirs")
    assert path.read_text() == "theirs"
    typed(desk, "mine again")
    desk.save()
    assert path.read_text() == "theirs"
    desk.resolve(FILE, keeps_mine=True, label="")
    desk.save()
    assert (path.read_text(), desk.state(FILE)) == ("mine again", "saved")


def test_their_text_is_taken_and_ours_comes_back_by_undo(desk: Desk) -> None:
    typed(desk, "mine")
    (desk.project.root / FILE).write_text("theirs", "utf-8")
    desk.look_again([FILE])
    desk.resolve(FILE, keeps_mine=False, label="")
    assert (desk.text(FILE), desk.state(FILE)) == ("theirs", "saved")
    desk.undo()
    assert (desk.text(FILE), desk.state(FILE)) == ("mine", "unsaved")
    with pytest.raises(RefusedError):
        desk.resolve(FILE, keeps_mine=True, label="")


def test_unsaved_texts_of_a_killed_studio_are_offered_again(root: Path) -> None:
    typed(opened(root), "typed and lost")
    again = opened(root)
    assert again.recover() == (FILE,)
    assert (again.text(FILE), again.state(FILE)) == ("typed and lost", "unsaved")
    again.undo()
    assert (again.text(FILE), again.state(FILE)) == (TEXT, "saved")
    assert opened(root).recover() == ()


def test_a_text_that_was_saved_is_not_offered_again(root: Path) -> None:
    desk = opened(root)
    typed(desk, "mine")
    desk.save()
    assert opened(root).recover() == ()


def test_a_recovered_text_of_a_file_that_others_changed_is_in_conflict(root: Path) -> None:
    typed(opened(root), "mine")
    (root / FILE).write_text("theirs", "utf-8")
    again = opened(root)
    again.recover()
    assert (again.state(FILE), again.theirs(FILE)) == ("conflict", "theirs")


def test_a_file_that_cannot_be_written_stays_unsaved_with_the_reason(desk: Desk) -> None:
    typed(desk, "mine")
    path = desk.project.root / FILE
    path.unlink()
    path.mkdir()
    changed, why = desk.save()
    assert (changed, desk.state(FILE)) == ((), "unsaved")
    assert "folder" in why


def test_what_is_no_text_is_refused(desk: Desk) -> None:
    (desk.project.root / "cards/duel/latin.md").write_bytes("Größe".encode("latin-1"))
    with pytest.raises(RefusedError, match="UTF-8"):
        desk.text("cards/duel/latin.md")
