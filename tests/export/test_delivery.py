import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.diagnostics import GridpressError
from generator.export.delivery import publish, staging

OLD = {"cards-a4.pdf": b"old cards", "stickers-a4.pdf": b"old stickers", "notes.txt": b"mine"}
NEW = {"cards-a4.pdf": b"new cards", "booklet-a4.pdf": b"new booklet"}


def manifest(names: list[str]) -> bytes:
    return json.dumps({"files": [{"file": name} for name in names]}).encode()


def fill(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    listed = [name for name in files if name.endswith(".pdf")]
    (folder / "manifest.json").write_bytes(manifest(listed))


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "output" / "pack"
    fill(folder, OLD)
    return folder


def deliver(output: Path) -> None:
    with staging(output) as staged:
        fill(staged, NEW)
        publish(staged, output)


def codes(error: GridpressError) -> list[str]:
    return [diagnostic.code for diagnostic in error.diagnostics]


def test_new_files_replace_old_ones_and_stale_ones_go(output: Path) -> None:
    deliver(output)
    listed = manifest(["cards-a4.pdf", "booklet-a4.pdf"])
    assert state(output) == {**NEW, "notes.txt": b"mine", "manifest.json": listed}
    assert [path.name for path in output.parent.iterdir()] == ["pack"]


def test_the_first_build_makes_the_folders(tmp_path: Path) -> None:
    deliver(tmp_path / "a" / "b" / "pack")
    assert set(state(tmp_path / "a" / "b" / "pack")) == {*NEW, "manifest.json"}


def test_the_manifest_is_the_last_to_come(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[str] = []
    replace = os.replace

    def note(source: Path, target: Path) -> None:
        moved.append(Path(target).name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", note)
    deliver(output)
    assert moved[-1] == "manifest.json"
    assert set(moved) == {*NEW, "manifest.json"}


@pytest.mark.parametrize(
    "listed",
    [
        b"not json",
        b"[]",
        b'{"files": 3}',
        b'{"files": [{"file": "../../precious.pdf"}, {"file": "/etc/x.pdf"}]}',
        b'{"files": [{"file": "notes.txt"}]}',
    ],
)
def test_a_spoilt_manifest_removes_nothing(output: Path, listed: bytes) -> None:
    precious = output.parents[1] / "precious.pdf"
    precious.write_bytes(b"precious")
    (output / "manifest.json").write_bytes(listed)
    deliver(output)
    assert precious.read_bytes() == b"precious"
    assert {"stickers-a4.pdf", "notes.txt"} <= set(state(output))


def failing_at(function: Callable[..., object], nth: int, number: int) -> Callable[..., object]:
    """The function, but for its nth call, which the disk refuses."""
    calls = iter(range(1, 1000))

    def refuse(*args: object, **keywords: object) -> object:
        if next(calls) == nth:
            raise OSError(number, os.strerror(number))
        return function(*args, **keywords)

    return refuse


@pytest.mark.parametrize("nth", [1, 2, 3])
@pytest.mark.parametrize("name", ["replace", "fsync"])
@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "GP701"), (errno.EDQUOT, "GP701"), (errno.EACCES, "GP702")]
)
def test_whatever_fails_the_last_good_build_stays_whole(
    output: Path, monkeypatch: pytest.MonkeyPatch, name: str, nth: int, number: int, code: str
) -> None:
    before = state(output)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, failing_at(getattr(os, name), nth, number))
        with pytest.raises(GridpressError) as caught:
            deliver(output)
    assert codes(caught.value) == [code]
    assert state(output) == before
    assert [path.name for path in output.parent.iterdir()] == ["pack"]


@pytest.mark.parametrize("nth", [1, 2])
def test_a_first_build_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing_at(os.replace, nth, errno.ENOSPC))
        with pytest.raises(GridpressError):
            deliver(tmp_path / "output" / "pack")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_half_way_leaves_the_last_good_build_whole(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(output)
    calls: list[object] = []
    replace = os.replace

    def interrupt(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            deliver(output)
    assert state(output) == before


def test_without_hard_links_old_files_are_kept_as_copies(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(output)
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", failing_at(os.link, 1, errno.EPERM))
        patch.setattr(os, "replace", failing_at(os.replace, 3, errno.ENOSPC))
        with pytest.raises(GridpressError):
            deliver(output)
    assert state(output) == before


def test_a_folder_in_the_place_of_a_file_is_left_alone(output: Path) -> None:
    (output / "booklet-a4.pdf").mkdir()
    (output / "booklet-a4.pdf" / "thesis.txt").write_bytes(b"years of work")
    with pytest.raises(GridpressError) as caught:
        deliver(output)
    assert codes(caught.value) == ["GP702"]
    assert (output / "booklet-a4.pdf" / "thesis.txt").read_bytes() == b"years of work"
    assert (output / "cards-a4.pdf").read_bytes() == b"old cards"


def test_a_file_where_the_output_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "output").write_bytes(b"a file")
    with pytest.raises(GridpressError) as caught:
        deliver(tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]
    assert "a file stands where" in caught.value.diagnostics[0].hint
    assert (tmp_path / "output").read_bytes() == b"a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    (tmp_path / "output").mkdir(mode=0o555)
    with pytest.raises(GridpressError) as caught:
        deliver(tmp_path / "output" / "pack")
    assert codes(caught.value) == ["GP702"]


def test_a_full_disk_while_a_file_is_staged(output: Path) -> None:
    """A file larger than the process may write: the nearest to a full disk without being root."""
    before = state(output)
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from generator.diagnostics import GridpressError\n"
        "from generator.export.delivery import publish, staging\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    with staging(Path(sys.argv[1])) as staged:\n"
        "        (staged / 'cards-a4.pdf').write_bytes(bytes(100_000))\n"
        "        publish(staged, Path(sys.argv[1]))\n"
        "except GridpressError as error:\n"
        "    print(error.diagnostics[0].code, error.diagnostics[0].span.file)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(output)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.split() == ["GP701", str(output)]
    assert state(output) == before
    assert [path.name for path in output.parent.iterdir()] == ["pack"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096


def test_other_errors_of_the_system_are_not_taken_for_the_disk(output: Path) -> None:
    with pytest.raises(FileNotFoundError), staging(output):
        (output / "no such file").read_bytes()
