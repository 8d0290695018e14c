import errno
import hashlib
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from generator.diagnostics import GridpressError
from generator.export.delivery import delivering
from generator.writing import TargetFolder

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
    assert codes(caught.value) == ["GP705"]
    assert state(elsewhere) == before


def test_a_file_where_the_output_folder_should_be(tmp_path: Path, staged: Path) -> None:
    (tmp_path / "output").write_bytes(b"a file")
    with pytest.raises(GridpressError) as caught:
        deliver(staged, tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]
    assert "a file has the name of the folder" in caught.value.diagnostics[0].hint
    assert (tmp_path / "output").read_bytes() == b"a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write(tmp_path: Path, staged: Path) -> None:
    (tmp_path / "output").mkdir(mode=0o555)
    with pytest.raises(GridpressError) as caught:
        deliver(staged, tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]


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


def test_another_build_is_waited_for_and_reported_once(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = TargetFolder(output.parent, ("pack",))
    other = ExitStack()
    other.enter_context(delivering(place))
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            other.close()

    monkeypatch.setattr("generator.writing.sleep", pause)
    said: list[str] = []
    with delivering(place, said.append) as delivered:
        delivered.publish(staged)
    assert len(pauses) == 3
    (words,) = said
    assert str(output) in words
    assert "waiting" in words
    assert (output / "cards-a4.pdf").read_bytes() == b"new cards"


def test_a_disk_without_locks_is_written_to_all_the_same(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    deliver(staged, output)
    assert (output / "cards-a4.pdf").read_bytes() == b"new cards"


def test_a_build_that_fails_changes_nothing(
    output: Path, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(output)
    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", raises(OSError(errno.ENOSPC, "full")))
        with pytest.raises(GridpressError) as caught:
            deliver(staged, output)
    assert codes(caught.value) == ["GP701"]
    assert state(output) == before


def raises(error: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


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
