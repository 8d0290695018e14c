import errno
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from generator import real_folders
from generator.diagnostics import GridpressError
from generator.export.delivery import delivering, tidy, tidy_all
from generator.real_folders import TargetFolder, opened
from generator.scratch import LOCK_FILE, Lock

OLD = {"cards-a4.pdf": b"old cards", "stickers-a4.pdf": b"old stickers", "notes.txt": b"mine"}
NEW = {"cards-a4.pdf": b"new cards", "booklet-a4.pdf": b"new booklet"}


def manifest(files: dict[str, bytes]) -> bytes:
    pdfs = {name: data for name, data in files.items() if name.endswith(".pdf")}
    told = [{"file": n, "sha256": hashlib.sha256(data).hexdigest()} for n, data in pdfs.items()]
    return json.dumps({"files": told}).encode()


def fill(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "manifest.json").write_bytes(manifest(files))


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "output" / "pack"
    fill(folder, OLD)
    return folder


@pytest.fixture
def staged(tmp_path: Path) -> Path:
    fill(tmp_path / "staged", NEW)
    return tmp_path / "staged"


def deliver(staged: Path, output: Path | TargetFolder) -> None:
    place = (
        output if isinstance(output, TargetFolder) else TargetFolder(output.parent, (output.name,))
    )
    with delivering(place) as delivered:
        delivered.publish(staged)


def codes(error: GridpressError) -> list[str]:
    return [diagnostic.code for diagnostic in error.diagnostics]


def test_new_files_replace_old_ones_and_stale_ones_go(output: Path, staged: Path) -> None:
    deliver(staged, output)
    assert state(output) == {**NEW, "notes.txt": b"mine", "manifest.json": manifest(NEW)}
    assert [path.name for path in output.parent.iterdir()] == ["pack"]


def test_the_first_build_makes_the_folders(tmp_path: Path, staged: Path) -> None:
    deliver(staged, tmp_path / "a" / "b" / "pack")
    assert set(state(tmp_path / "a" / "b" / "pack")) == {*NEW, "manifest.json"}


def test_a_build_that_delivers_nothing_leaves_no_folder(tmp_path: Path) -> None:
    with delivering(TargetFolder(tmp_path / "a", ("b", "pack"))):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_stale_file_that_somebody_changed_stays(output: Path, staged: Path) -> None:
    (output / "stickers-a4.pdf").write_bytes(b"with my notes on it")
    deliver(staged, output)
    assert (output / "stickers-a4.pdf").read_bytes() == b"with my notes on it"


def test_a_file_with_two_names_is_not_written_into(output: Path, staged: Path) -> None:
    other = output.parent / "other.pdf"
    os.link(output / "cards-a4.pdf", other)
    deliver(staged, output)
    assert other.read_bytes() == b"old cards"


def test_a_file_keeps_who_may_read_it(output: Path, staged: Path) -> None:
    (output / "cards-a4.pdf").chmod(0o640)
    deliver(staged, output)
    assert (output / "cards-a4.pdf").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "listed",
    [
        b"not json",
        b"[]",
        b'{"files": 3}',
        b"[" * 100_000,
        b'{"files": [{"file": "../../precious.pdf"}, {"file": "/etc/x.pdf"}]}',
        b'{"files": [{"file": "notes.txt"}]}',
        b'{"files": [{"file": "stickers-a4.pdf"}]}',
        b'{"files": [{"file": "\\ud800.pdf", "sha256": ""}]}',
        b'{"files": [{"file": "' + b"x" * 5000 + b'.pdf", "sha256": ""}]}',
    ],
)
def test_a_spoilt_manifest_removes_nothing(output: Path, staged: Path, listed: bytes) -> None:
    precious = output.parents[1] / "precious.pdf"
    precious.write_bytes(b"precious")
    (output / "manifest.json").write_bytes(listed)
    deliver(staged, output)
    assert precious.read_bytes() == b"precious"
    assert {"stickers-a4.pdf", "notes.txt"} <= set(state(output))


def failing_at(function: Callable[..., object], nth: int, number: int) -> Callable[..., object]:
    """The function, but for its nth call, which the disk refuses."""
    calls = iter(range(1, 1000))

    def refuse(*args: Any, **keywords: Any) -> object:
        if next(calls) == nth:
            raise OSError(number, os.strerror(number))
        return function(*args, **keywords)

    return refuse


@pytest.mark.parametrize(
    ("name", "nth"), [*(("replace", n) for n in range(1, 8)), ("fsync", 1), ("fsync", 5)]
)
@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "GP701"), (errno.EDQUOT, "GP701"), (errno.EACCES, "GP702")]
)
def test_whatever_fails_the_last_good_build_stays_whole(
    output: Path,
    staged: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    nth: int,
    number: int,
    code: str,
) -> None:
    before = state(output)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, failing_at(getattr(os, name), nth, number))
        with pytest.raises(GridpressError) as caught:
            deliver(staged, output)
    assert codes(caught.value) == [code]
    assert state(output) == before
    assert [path.name for path in output.parent.iterdir()] == ["pack"]


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
def test_a_first_build_that_fails_leaves_nothing(
    tmp_path: Path, staged: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing_at(os.replace, nth, errno.ENOSPC))
        with pytest.raises(GridpressError):
            deliver(staged, tmp_path / "output" / "pack")
    assert [path.name for path in tmp_path.iterdir()] == ["staged"]


def test_a_first_tree_that_fails_leaves_no_folder(
    tmp_path: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (staged / "a/b").mkdir(parents=True)
    (staged / "a/b/picture.png").write_bytes(b"x")
    place = TargetFolder(tmp_path, ("output", "pack"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing_at(os.replace, 1, errno.ENOSPC))
        with pytest.raises(GridpressError), delivering(place) as delivery:
            delivery.publish_tree(staged)
    assert [path.name for path in tmp_path.iterdir()] == ["staged"]


@pytest.mark.parametrize("nth", range(1, 8))
def test_ctrl_c_half_way_leaves_the_last_good_build_whole(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    before = state(output)
    calls: list[object] = []
    replace = os.replace

    def interrupt(*args: Any, **keywords: Any) -> None:
        calls.append(args)
        if len(calls) == nth:
            raise KeyboardInterrupt
        replace(*args, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            deliver(staged, output)
    assert state(output) == before


@pytest.mark.parametrize("kind", ["folder", "fifo"])
def test_a_folder_in_the_place_of_a_file_is_left_alone(
    output: Path, staged: Path, kind: str
) -> None:
    if kind == "folder":
        (output / "booklet-a4.pdf").mkdir()
        (output / "booklet-a4.pdf" / "thesis.txt").write_bytes(b"years of work")
    else:
        os.mkfifo(output / "booklet-a4.pdf")
    with pytest.raises(GridpressError) as caught:
        deliver(staged, output)
    assert codes(caught.value) == ["GP702"]
    assert kind == "fifo" or (output / "booklet-a4.pdf" / "thesis.txt").read_bytes()
    assert (output / "cards-a4.pdf").read_bytes() == b"old cards"


def test_a_manifest_that_is_a_pipe_is_not_waited_for(output: Path, staged: Path) -> None:
    (output / "manifest.json").unlink()
    os.mkfifo(output / "manifest.json")
    with pytest.raises(GridpressError) as caught:
        deliver(staged, output)
    assert codes(caught.value) == ["GP702"]


@pytest.mark.parametrize("name", ["cards-a4.pdf", "booklet-a4.pdf", "manifest.json"])
@pytest.mark.parametrize("leads", ["to a file", "nowhere"])
def test_a_link_in_the_place_of_a_file(output: Path, staged: Path, name: str, leads: str) -> None:
    precious = output.parents[1] / "precious"
    if leads == "to a file":
        precious.write_bytes(b"precious")
    (output / name).unlink(missing_ok=True)
    (output / name).symlink_to(precious)
    with pytest.raises(GridpressError) as caught:
        deliver(staged, output)
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP705", str(output / name))
    assert (output / name).is_symlink()
    assert leads == "nowhere" or precious.read_bytes() == b"precious"
    assert leads == "to a file" or not precious.exists()
    assert (output / "stickers-a4.pdf").read_bytes() == b"old stickers"


@pytest.mark.parametrize("link", ["output", "output/pack"])
def test_a_folder_that_is_a_link_is_not_written_to(
    tmp_path: Path, staged: Path, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    fill(elsewhere, OLD)
    before = state(elsewhere)
    Path(link).parent.mkdir(exist_ok=True)
    Path(link).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(GridpressError) as caught:
        deliver(staged, TargetFolder(Path(), ("output", "pack")))
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP705", link)
    assert state(elsewhere) == before


def test_a_link_that_the_user_named_is_written_through(tmp_path: Path, staged: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "output").symlink_to(tmp_path / "disk", target_is_directory=True)
    deliver(staged, TargetFolder(tmp_path / "output", ("pack",)))
    assert set(state(tmp_path / "disk" / "pack")) == {*NEW, "manifest.json"}


def test_a_folder_that_becomes_a_link_meanwhile(output: Path, staged: Path) -> None:
    elsewhere = output.parents[1] / "elsewhere"
    fill(elsewhere, OLD)
    before = state(elsewhere)
    with delivering(TargetFolder(output.parent, ("pack",))) as delivered:
        output.rename(output.parent / "moved")
        output.symlink_to(elsewhere, target_is_directory=True)
        with pytest.raises(GridpressError) as caught:
            delivered.publish(staged)
    assert codes(caught.value) == ["GP702"]
    assert state(elsewhere) == before


def test_a_folder_that_becomes_a_link_between_two_files(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = output.parents[1] / "elsewhere"
    fill(elsewhere, OLD)
    before = state(elsewhere)
    replace = os.replace

    def swapped(*args: Any, **keywords: Any) -> None:
        if not output.is_symlink():
            output.rename(output.parent / "moved")
            output.symlink_to(elsewhere, target_is_directory=True)
        replace(*args, **keywords)

    monkeypatch.setattr(os, "replace", swapped)
    deliver(staged, output)
    assert state(elsewhere) == before
    assert (output.parent / "moved" / "cards-a4.pdf").read_bytes() == b"new cards"


def test_a_file_where_the_output_folder_should_be(tmp_path: Path, staged: Path) -> None:
    (tmp_path / "output").write_bytes(b"a file")
    with pytest.raises(GridpressError) as caught:
        deliver(staged, tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]
    assert "something else stands there" in caught.value.diagnostics[0].hint
    assert (tmp_path / "output").read_bytes() == b"a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write(tmp_path: Path, staged: Path) -> None:
    (tmp_path / "output").mkdir(mode=0o555)
    with pytest.raises(GridpressError) as caught:
        deliver(staged, tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]


def test_another_build_is_waited_for_and_told_once(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lock.take(output / LOCK_FILE)
    assert other is not None
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            other.release()

    monkeypatch.setattr("generator.export.delivery.sleep", pause)
    said: list[str] = []
    with delivering(TargetFolder(output.parent, ("pack",)), said.append) as delivered:
        delivered.publish(staged)
    assert len(pauses) == 3
    (words,) = said
    assert str(output) in words
    assert "waiting" in words
    assert (output / "cards-a4.pdf").read_bytes() == b"new cards"


def test_a_disk_without_locks_is_written_to_all_the_same(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int) -> bool:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("generator.scratch._locked", refuse)
    deliver(staged, output)
    assert (output / "cards-a4.pdf").read_bytes() == b"new cards"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a disk")
def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=140k none {disk}") != 0:
        pytest.skip("no disk can be mounted here")
    try:
        fill(disk / "pack", OLD)
        before = state(disk / "pack")
        staged = tmp_path / "staged"
        fill(staged, {"cards-a4.pdf": bytes(200_000)})
        with pytest.raises(GridpressError) as caught:
            deliver(staged, TargetFolder(disk, ("pack",)))
        (told,) = caught.value.diagnostics
        assert (told.code, told.span.file) == ("GP701", str(disk / "pack"))
        assert state(disk / "pack") == before
        assert [path.name for path in disk.iterdir()] == ["pack"]
    finally:
        os.system(f"umount {disk}")


def test_the_empty_folder_of_a_first_build_that_was_killed_goes(output: Path) -> None:
    for path in output.iterdir():
        path.unlink()
    tidy(TargetFolder(output))
    assert output.is_dir()
    (output / LOCK_FILE).touch()
    tidy(TargetFolder(output))
    assert not output.exists()


def test_tidying_makes_nothing_and_follows_no_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / ".gridpress-0123abcd").mkdir(parents=True)
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "pack").symlink_to(elsewhere, target_is_directory=True)
    (tmp_path / "output" / "file").write_text("x")
    tidy(TargetFolder(tmp_path, ("nowhere",)))
    tidy_all(TargetFolder(tmp_path, ("nowhere",)))
    tidy_all(TargetFolder(tmp_path, ("output",)))
    assert [path.name for path in elsewhere.iterdir()] == [".gridpress-0123abcd"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "output"]


def test_a_folder_that_goes_by_one_that_was_not_there_is_still_found(tmp_path: Path) -> None:
    named = tmp_path / "output/../other"
    with opened(TargetFolder.of(named)) as folder:
        (folder.path / "a.pdf").touch()
    assert (named / "a.pdf").exists()


def test_nothing_that_comes_meanwhile_is_removed_below_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "output").symlink_to(elsewhere)

    def refused(place: TargetFolder) -> NoReturn:
        (elsewhere / "pack").mkdir()
        raise NotADirectoryError

    monkeypatch.setattr(real_folders, "_open", refused)
    with pytest.raises(NotADirectoryError), opened(TargetFolder(tmp_path, ("output", "pack"))):
        pass
    assert (elsewhere / "pack").is_dir()


def strangers(staged: Path, folder: Path) -> list[str]:
    with delivering(TargetFolder(folder)) as delivery:
        found = delivery.strangers(staged)
    assert {told.code for told in found} <= {"GP706"}
    return [Path(told.span.file).relative_to(folder).as_posix() for told in found]


def test_what_somebody_else_put_there_is_told(tmp_path: Path, staged: Path) -> None:
    names = ("cards-a4.pdf", "booklet-a4.pdf", "manifest.json", "odds.txt")
    (staged / "odds.txt").write_bytes(b"new odds")
    folder = tmp_path / "there"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"mine")
    assert strangers(staged, folder) == [
        "booklet-a4.pdf",
        "cards-a4.pdf",
        "manifest.json",
        "odds.txt",
    ]
    (folder / "cards-a4.pdf").write_bytes(NEW["cards-a4.pdf"])
    (folder / "booklet-a4.pdf").write_bytes(b"%PDF" + b"." * (1 << 20) + b"/Producer (Gridpress 1)")
    assert strangers(staged, folder) == ["manifest.json", "odds.txt"], "the same, or one of ours"
    (folder / "manifest.json").write_bytes(b'{\n "gridpress": "1.1.0",\n "files": [{"file"')
    assert strangers(staged, folder) == [], "a manifest of ours that was cut off"


def test_of_an_outlets_files_those_are_told_that_no_manifest_knows(tmp_path: Path) -> None:
    new = {"cards/one.png": b"new one", "cards/two.png": b"new two", "list.json": b"[]"}
    for folder, files in (("staged", new), ("there", {**new, "cards/one.png": b"old one"})):
        (tmp_path / folder / "cards").mkdir(parents=True)
        for name, data in files.items():
            (tmp_path / folder / name).write_bytes(data)
        listed = [{"file": n, "sha256": hashlib.sha256(d).hexdigest()} for n, d in files.items()]
        told = {"gridpress": "1.1.0", "outlet": "images", "files": listed}
        (tmp_path / folder / "manifest.json").write_text(json.dumps(told))
    assert strangers(tmp_path / "staged", tmp_path / "there") == []
    (tmp_path / "there/cards/one.png").write_bytes(b"touched up")
    assert strangers(tmp_path / "staged", tmp_path / "there") == ["cards/one.png"]
    (tmp_path / "there/manifest.json").unlink()
    assert strangers(tmp_path / "staged", tmp_path / "there") == ["cards/one.png"]
