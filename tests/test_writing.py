"""Files that are started: all of them or none."""

import errno
import os
from pathlib import Path

import pytest

from generator.diagnostics import GridpressError
from generator.writing import must_be_writable, write_named, write_texts


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "cards/größe/pack.yaml"
    assert write_texts(tmp_path, {path: "title: ğ\n"}, "") == (path,)
    assert path.read_text("utf-8") == "title: ğ\n"


@pytest.mark.parametrize("wrong", ["kept/x", "folder"])
def test_what_cannot_be_written_leaves_all_as_it_was(wrong: str, tmp_path: Path) -> None:
    kept, new = tmp_path / "kept", tmp_path / "deep" / "new"
    kept.write_text("before")
    (tmp_path / "folder").mkdir()
    path = tmp_path / wrong
    with pytest.raises(GridpressError) as caught:
        write_texts(tmp_path, {kept: "after", new: "new", path: "never"}, "choose another")
    (told,) = caught.value.diagnostics
    assert (told.code, told.hint) == ("GP702", "choose another")
    assert told.span.file in (str(path), str(path.parent))
    assert kept.read_text() == "before"
    assert names(tmp_path) == ["folder", "kept"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("nth", range(1, 7))
def test_whatever_fails_all_is_as_it_was(
    nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, new = tmp_path / "cards" / "kept", tmp_path / "templates" / "new"
    kept.parent.mkdir()
    kept.write_text("before")
    replace = os.replace
    calls: list[object] = []

    def full(*args: object, **keywords: object) -> None:
        calls.append(args)
        if len(calls) == nth:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(*args, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        if nth < 6:
            with pytest.raises(GridpressError) as caught:
                write_texts(tmp_path, {kept: "after", new: "new"}, "")
            assert caught.value.diagnostics[0].code == "GP701"
        else:
            write_texts(tmp_path, {kept: "after", new: "new"}, "")
    assert kept.read_text() == ("before" if nth < 6 else "after")
    assert names(kept.parent) == ["kept"]
    assert names(tmp_path) == (["cards"] if nth < 6 else ["cards", "templates"])


def test_what_speaks_of_other_files_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("cards/mini/pack.yaml", "cards/mini/kinds/a.yaml", "templates/mini/a.svg.j2")
    moved: list[object] = []
    replace = os.replace

    def note(*args: object, **keywords: object) -> None:
        moved.append(args[1])
        replace(*args, **keywords)

    monkeypatch.setattr(os, "replace", note)
    write_texts(tmp_path, {tmp_path / name: "x" for name in names}, "")
    kept = [name for name in moved if name in ("pack.yaml", "a.yaml", "a.svg.j2")]
    assert kept == ["a.svg.j2", "a.yaml", "pack.yaml"]


@pytest.mark.parametrize("link", ["cards", "cards/mini", "cards/mini/kinds", "cards/mini/kinds/a"])
def test_links_of_a_project_are_not_followed(link: str, tmp_path: Path) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("precious")
    path = project / "cards/mini/kinds/a"
    (project / link).parent.mkdir(parents=True)
    target = elsewhere / "precious" if link.endswith("a") else elsewhere
    (project / link).symlink_to(target)
    with pytest.raises(GridpressError) as caught:
        write_texts(project, {project / "new": "x", path: "text"}, "")
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP705", str(project / link))
    assert names(elsewhere) == ["precious"]
    assert (elsewhere / "precious").read_text() == "precious"
    assert not (project / "new").exists()


def test_other_names_of_a_file_keep_what_they_say(tmp_path: Path) -> None:
    path, other = tmp_path / "path", tmp_path / "other"
    other.write_text("before")
    os.link(other, path)
    write_texts(tmp_path, {path: "after"}, "")
    assert (path.read_text(), other.read_text()) == ("after", "before")


def test_a_file_that_the_user_named_may_be_a_link_or_a_device(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    write_named(link, b"after", "")
    assert (link.is_symlink(), target.read_text()) == (True, "after")
    null = Path(os.devnull)
    must_be_writable(null, "")
    write_named(null, b"after", "")
    assert not null.is_file()


def test_a_named_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "none" / "page.html"
    for write in (
        lambda: write_named(path, b"x", "hint", "page"),
        lambda: must_be_writable(path, "hint", "page"),
    ):
        with pytest.raises(GridpressError) as caught:
            write()
        (told,) = caught.value.diagnostics
        assert (told.code, told.span.file, told.hint) == ("GP702", str(path), "hint")
        assert told.message.startswith("the page cannot be written")
    assert names(tmp_path) == []


def test_to_ask_whether_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("before")
    must_be_writable(tmp_path / "kept", "")
    must_be_writable(tmp_path / "new", "")
    assert names(tmp_path) == ["kept"]
    assert (tmp_path / "kept").read_text() == "before"
