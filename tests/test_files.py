"""A stranger's project is read only inside its folder, and only ordinary files of it."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator import files
from generator.files import FileTooLargeError, Roots, UnreadableError, is_link

on_posix = pytest.mark.skipif(os.name == "nt", reason="needs links and devices of POSIX")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a file, beside a folder that is not its own."""
    (tmp_path / "outside/deep").mkdir(parents=True)
    (tmp_path / "outside/secret.txt").write_text("secret")
    (tmp_path / "project/cards/mini").mkdir(parents=True)
    (tmp_path / "project/cards/mini/own.txt").write_text("own")
    return tmp_path / "project"


def refused(call: Callable[[], object]) -> UnreadableError:
    with pytest.raises(UnreadableError) as raised:
        call()
    return raised.value


def test_a_file_inside(project: Path) -> None:
    assert Roots((project,)).read(project / "cards/mini/own.txt", 3) == b"own"


def test_no_more_than_was_asked_for(project: Path) -> None:
    with pytest.raises(FileTooLargeError) as raised:
        Roots((project,)).read(project / "cards/mini/own.txt", 2)
    assert raised.value.size == 3


def test_a_sparse_file_is_told_by_its_size(project: Path) -> None:
    with (project / "vast").open("wb") as file:
        file.truncate(2**31)
    with pytest.raises(FileTooLargeError):
        Roots((project,)).read(project / "vast", 5_000_000)


WAYS_OUT = {
    "a link to a file": ("out", "{outside}/secret.txt", "out"),
    "a link that climbs": ("cards/out", "../../outside/secret.txt", "cards/out"),
    "a link to a folder": ("cards/out", "{outside}", "cards/out/secret.txt"),
    "a link to a link": ("first", "second", "first"),
    "a link to the root of the disk": ("out", "/", "out/etc/hostname"),
    "a link to a device": ("out", "/dev/zero", "out"),
}


@on_posix
@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_way_out_is_refused(way: str, project: Path) -> None:
    link, target, asked = WAYS_OUT[way]
    outside = project.parent / "outside"
    (project / link).symlink_to(target.format(outside=outside))
    (project / "second").symlink_to(outside / "secret.txt")
    roots = Roots((project,))
    for look in (roots.read, lambda path, _: roots.status(path), lambda p, _: roots.has_file(p)):
        found = refused(lambda look=look: look(project / asked, 100))  # type: ignore[misc]
        assert (found.code, "out of the project" in found.reason) == ("GP004", True)


@on_posix
def test_a_path_that_climbs_out(project: Path) -> None:
    for path in (project / "../outside/secret.txt", project.parent / "outside/secret.txt"):
        assert refused(lambda p=path: Roots((project,)).read(p, 100)).code == "GP004"  # type: ignore[misc]


@on_posix
def test_links_that_stay_inside_are_followed(project: Path) -> None:
    (project / "absolute").symlink_to(project / "cards/mini")
    (project / "cards/relative").symlink_to("../absolute/own.txt")
    assert Roots((project,)).read(project / "cards/relative", 9) == b"own"


@on_posix
def test_the_root_may_be_a_link_itself(project: Path) -> None:
    named = project.parent / "named"
    named.symlink_to(project)
    (project / "absolute").symlink_to(named / "cards")
    roots = Roots((named,))
    assert roots.read(named / "absolute/mini/own.txt", 9) == b"own"
    assert roots.read(project / "cards/mini/own.txt", 9) == b"own"


@on_posix
def test_links_in_a_circle(project: Path) -> None:
    (project / "a").symlink_to("b")
    (project / "b").symlink_to("a")
    assert "leads to itself" in refused(lambda: Roots((project,)).read(project / "a", 9)).reason


@pytest.fixture
def special(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a pipe and a socket."""
    os.mkfifo(project / "pipe")
    monkeypatch.chdir(project)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        yield project


@on_posix
@pytest.mark.parametrize("name", ["pipe", "socket", "cards"])
def test_what_is_no_file_is_neither_opened_nor_waited_for(name: str, special: Path) -> None:
    found = refused(lambda: Roots((special,)).read(special / name, 100))
    assert found.code == "GP002"
    assert found.reason.startswith("is a folder" if name == "cards" else "is not an ordinary file")


@pytest.mark.parametrize("name", ["none", "x" * 300, "x" * 5_000, "a/" * 4_000, "nul\0", "\ud800"])
def test_a_name_that_is_not_there_or_cannot_be(name: str, project: Path) -> None:
    roots = Roots((project,))
    assert roots.status(project / name) is None
    assert refused(lambda: roots.read(project / name, 9)).code == "GP002"


def test_a_folder_of_many_files_is_not_looked_through(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 10)
    for number in range(11):
        (project / f"{number}.txt").touch()
    assert refused(lambda: list(Roots((project,)).entries(project))).code == "GP011"
    (fault,) = [entry.fault for entry in Roots((project,)).walk(project) if entry.fault]
    assert fault.code == "GP011"


def test_many_folders_together_are_not_looked_through(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 50)
    for number in range(30):
        (project / f"sub{number}/one/two").mkdir(parents=True)
    found = list(Roots((project,)).walk(project))
    assert len(found) <= 52
    assert [e.fault.code for e in found if e.fault] == ["GP011"]


def test_folders_in_folders_end(project: Path) -> None:
    (project / "/".join("d" * 100)).mkdir(parents=True)
    (fault,) = [entry for entry in Roots((project,)).walk(project) if entry.fault]
    assert fault.fault
    assert fault.fault.code == "GP011"
    assert len(fault.path.relative_to(project).parts) == files.MAX_DEPTH + 1


@on_posix
def test_a_walk_goes_round_no_circle_and_not_out(project: Path) -> None:
    (project / "cards/round").symlink_to(project)
    (project / "cards/disk").symlink_to("/")
    found = {e.path.relative_to(project).as_posix(): e for e in Roots((project,)).walk(project)}
    assert list(found) == ["cards", "cards/disk", "cards/mini", "cards/round", "cards/mini/own.txt"]
    assert [name for name, entry in found.items() if entry.fault] == ["cards/disk"]


@on_posix
def test_names_that_are_not_utf_8(project: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (project / name).write_text("x")
    assert [e.path.name for e in Roots((project,)).entries(project) if not e.is_folder] == [name]
    assert Roots((project,)).read(project / name, 9) == b"x"


@pytest.mark.parametrize(
    ("tag", "link"),
    [(0, False), (0xA000000C, True), (0xA0000003, True), (0x9000701A, False), (0x80000013, False)],
    ids=["plain", "link", "junction", "cloud file", "deduplicated"],
)
def test_what_windows_calls_a_link(tag: int, link: bool) -> None:
    status: Any = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)
    assert is_link(status) is link
