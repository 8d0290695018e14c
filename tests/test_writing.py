"""New files replace old ones; an interrupted write is noticed and repaired."""

import errno
import hashlib
import json
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from generator.diagnostics import GridpressError
from generator.export.delivery import Delivery, delivering
from generator.writing import (
    TargetFolder,
    must_be_writable,
    save,
    write_files,
    write_named,
)

MINE = {"notes.txt": b"mine"}
FIRST = {"cards-a4.pdf": b"first cards", "stickers-a4.pdf": b"first stickers"}
SECOND = {"cards-a4.pdf": b"second cards", "booklet-a4.pdf": b"second booklet"}
THIRD = {"cards-a4.pdf": b"third cards", "posters-a4.pdf": b"third posters"}
Build = dict[str, bytes]


def build(files: Build, outlet: str = "") -> Build:
    """Return the files with their manifest."""
    listed = [{"file": n, "sha256": hashlib.sha256(b).hexdigest()} for n, b in files.items()]
    told = {"gridpress": "1.0", "outlet": outlet, "files": listed}
    return {**files, "manifest.json": json.dumps(told).encode()}


def tree(files: Build) -> Build:
    return build({f"pictures/{name}": content for name, content in files.items()}, "images")


def state(folder: Path) -> Build:
    """Return every file in a folder, hidden ones too."""
    paths = (path for path in folder.rglob("*") if not path.is_dir())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def put(folder: Path, files: Build) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


class Killed(BaseException):
    """The interruption of a write by a kill."""


def cut_off(patch: pytest.MonkeyPatch, nth: int) -> None:
    """Let the process die before its nth change of a file that others see."""
    left = iter(range(nth))

    def dying(function: Callable[..., object]) -> Callable[..., object]:
        def step(*args: Any, **keywords: Any) -> object:
            if next(left, None) is None:
                raise Killed
            return function(*args, **keywords)

        return step

    patch.setattr(os, "replace", dying(os.replace))
    patch.setattr(Path, "unlink", dying(Path.unlink))


@pytest.mark.parametrize("way", [Delivery.publish, Delivery.publish_tree], ids=["build", "export"])
def test_a_build_that_is_killed_is_noticed_and_made_good(
    way: Callable[[Delivery, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build if way is Delivery.publish else tree
    first, second, third = map(made, (FIRST, SECOND, THIRD))
    put(tmp_path / "second", second)
    put(tmp_path / "third", third)
    mixed = 0
    for nth in range(5):
        folder = tmp_path / f"output{nth}"
        put(folder, {**first, **MINE})
        with monkeypatch.context() as patch, delivering(TargetFolder(folder)) as delivery:
            cut_off(patch, nth)
            try:
                way(delivery, tmp_path / "second")
            except Killed:
                assert state(folder)["manifest.json"] == first["manifest.json"]
        mixed += state(folder).keys() not in (first.keys(), second.keys())
        with delivering(TargetFolder(folder)) as delivery:
            assert delivery.strangers(tmp_path / "third") == ()
            way(delivery, tmp_path / "third")
        assert state(folder) == {**third, **MINE}
        assert not list(folder.glob(".gridpress-*"))
    assert mixed


def test_nothing_changes_until_all_files_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, FIRST)

    def full() -> bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(GridpressError) as caught:
        write_files(tmp_path, {tmp_path / "cards-a4.pdf": "new", tmp_path / "deep/new": full}, "")
    assert caught.value.diagnostics[0].code == "GP701"
    assert state(tmp_path) == FIRST
    assert names(tmp_path) == [*FIRST]


def test_what_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    folder, staged = tmp_path / "out", tmp_path / "staged"
    for files in (FIRST, {**FIRST, "stickers-a4.pdf": b"other stickers"}):
        put(staged, {**build(files), "odds.txt": repr(files).encode()})
        before = {p.name: p.stat().st_ino for p in folder.iterdir()} if folder.exists() else {}
        with delivering(TargetFolder(folder)) as delivery:
            delivery.publish(staged)
    after = {path.name: path.stat().st_ino for path in folder.iterdir()}
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"stickers-a4.pdf", "manifest.json", "odds.txt"}
    assert state(folder) == state(staged)


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "cards/größe/pack.yaml"
    assert write_files(tmp_path, {path: "title: ğ\n"}, "") == (path,)
    assert path.read_text("utf-8") == "title: ğ\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_speaks_of_other_files_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("cards/mini/pack.yaml", "cards/mini/kinds/a.yaml", "templates/mini/a.svg.j2")
    moved: list[object] = []
    replace = os.replace

    def note(*args: Any, **keywords: Any) -> None:
        moved.append(args[1].name)
        replace(*args, **keywords)

    monkeypatch.setattr(os, "replace", note)
    write_files(tmp_path, {tmp_path / name: "x" for name in names}, "")
    assert moved == ["a.svg.j2", "a.yaml", "pack.yaml"]


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
        write_files(project, {project / "new": "x", path: "text"}, "")
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP705", str(project / link))
    assert names(elsewhere) == ["precious"]
    assert (elsewhere / "precious").read_text() == "precious"
    assert not (project / "new").exists()


def test_other_names_of_a_file_keep_what_they_say(tmp_path: Path) -> None:
    path, other = tmp_path / "path", tmp_path / "other"
    other.write_text("before")
    os.link(other, path)
    write_files(tmp_path, {path: "after"}, "")
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


def pdf(size: int) -> pikepdf.Pdf:
    made = pikepdf.new()
    made.add_blank_page()
    made.pages[0].Contents = made.make_stream(bytes(size))
    return made


def test_a_file_is_saved_whole(tmp_path: Path) -> None:
    save(pdf(100), tmp_path / "file.pdf", deterministic_id=True)
    with pikepdf.open(tmp_path / "file.pdf") as read:
        assert read.pages[0].Contents.read_bytes() == bytes(100)


@pytest.mark.parametrize("size", [10, 100_000])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_an_error(size: int) -> None:
    with pytest.raises(OSError, match="No space left"):
        save(pdf(size), Path("/dev/full"), compress_streams=False)


def test_a_disk_that_fills_up_on_the_way(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            save(pdf(1_000_000), tmp_path / "file.pdf", compress_streams=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
