"""New files take the place of old ones in one step: killed at every operation on files there is."""

import errno
import hashlib
import itertools
import json
import os
import pickle
import re
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from generator.diagnostics import GridpressError
from generator.export.delivery import delivering, tidy, tidy_all
from generator.real_folders import TargetFolder
from generator.writing import must_be_writable, save, write_files, write_named

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills copies of itself")

MOVES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}
MINE = {"notes.txt": b"mine"}
FIRST = {"cards-a4.pdf": b"first cards", "stickers-a4.pdf": b"first stickers"}
SECOND = {"cards-a4.pdf": b"second cards", "booklet-a4.pdf": b"second booklet"}
Build = dict[str, bytes]


def build(files: Build) -> Build:
    """The files with their manifest, and what a guest reports."""
    told = [{"file": n, "sha256": hashlib.sha256(b).hexdigest()} for n, b in files.items()]
    text = json.dumps({"files": told}).encode()
    return {**files, "manifest.json": text, "odds.txt": b"of " + text}


def state(folder: Path) -> Build:
    """Every file in a folder; hidden ones and folders too."""
    if not folder.exists():
        return {}
    paths = (path for path in folder.rglob("*") if not path.is_dir())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def put(folder: Path, files: Build) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def hear(step: Callable[[], None]) -> None:
    """From now on, `step` is called before each operation of this process that changes files; a
    process cannot be made deaf again."""

    def heard(event: str, told: tuple[object, ...]) -> None:
        is_new = event == "open" and isinstance(told[2], int) and told[2] & os.O_CREAT
        if event in MOVES or is_new:
            step()

    fsync = os.fsync

    def synced(fd: Any) -> None:
        step()
        fsync(fd)

    os.fsync = synced
    sys.addaudithook(heard)


Tree = dict[str, bytes | None]


def look(folder: Path) -> Tree:
    """Every file in a folder, and None for every folder; hidden ones too."""
    if not folder.exists():
        return {}
    found = {str(p.relative_to(folder)): p for p in folder.rglob("*")}
    return {name: None if path.is_dir() else path.read_bytes() for name, path in found.items()}


def lay(folder: Path, tree: Mapping[str, bytes | None]) -> None:
    """Let there be this and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in tree.items():
        path = folder / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def left_by(
    folder: Path, starts: Sequence[Mapping[str, bytes | None]], work: Callable[[], None]
) -> list[list[Tree]]:
    """What work leaves in a folder whenever it is killed, and when it is not, for each of the
    trees that it may start from: what is there before each of its operations that change files, for
    a killed process changes nothing more. A copy of this process does it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        found: list[list[Tree]] = []
        listens = False

        def step() -> None:
            nonlocal listens
            if listens:
                listens = False
                found[-1].append(look(folder))
                listens = True

        try:
            hear(step)
            for start in starts:
                lay(folder, start)
                found.append([])
                listens = True
                work()
                listens = False
                found[-1].append(look(folder))
            told: object = found
        except BaseException:
            told = traceback.format_exc()
        with os.fdopen(writing, "wb") as end:
            pickle.dump(told, end)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pickle.loads(pipe.read())
    os.waitpid(child, 0)
    assert isinstance(told, list), told
    return told


def different(trees: Iterable[Tree]) -> list[Tree]:
    """Each once: to sync changes nothing that can be seen."""
    found: list[Tree] = []
    known = set[frozenset[tuple[str, bytes | None]]]()
    for tree in trees:
        if (key := frozenset(tree.items())) not in known:
            known.add(key)
            found.append(tree)
    return found


def deliver(tmp_path: Path, files: Build) -> Callable[[], None]:
    staged = tmp_path / f"staged-{len(list(tmp_path.iterdir()))}"
    put(staged, build(files))

    def work() -> None:
        with delivering(TargetFolder(tmp_path, ("output", "pack"))) as delivered:
            delivered.publish(staged)

    return work


BEFORE = {"first": {}, "second": {**build(FIRST), **MINE}}


@pytest.mark.parametrize("nth", [3, 20, 35, 50])
def test_a_killed_process_leaves_what_is_there_before_its_next_step(
    nth: int, tmp_path: Path
) -> None:
    """What the tests below go by."""
    folder = tmp_path / "output" / "pack"
    work = deliver(tmp_path, SECOND)
    [found] = left_by(folder, [BEFORE["second"]], work)
    lay(folder, BEFORE["second"])
    child = os.fork()
    if not child:
        steps = itertools.count(1)

        def step() -> None:
            if next(steps) == nth:
                os.kill(os.getpid(), signal.SIGKILL)

        hear(step)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert _unnamed(look(folder)) == _unnamed(found[nth - 1])


def _unnamed(tree: Tree) -> Tree:
    """A tree in which hidden folders are called alike."""
    return {re.sub(r"\.gridpress-[0-9a-f]{8}", "hidden", name): tree[name] for name in tree}


@pytest.mark.parametrize("which", BEFORE)
def test_killed_at_any_step_a_build_is_whole_after_the_next_command(
    which: str, tmp_path: Path
) -> None:
    folder = tmp_path / "output" / "pack"
    before = BEFORE[which]
    after = {**build(SECOND), **(MINE if before else {})}
    seen: list[Build] = []
    [left] = left_by(folder, [before], deliver(tmp_path, SECOND))
    for nth, tree in enumerate(left, start=1):
        lay(folder, tree)
        tidy_all(TargetFolder(tmp_path, ("output",)))
        seen.append(state(folder))
        assert seen[-1] in (before, after), f"killed at step {nth}"
        assert not [path.name for path in folder.glob("*") if path.is_dir()]
    assert len(seen) > 25
    assert before in seen
    assert after in seen


@pytest.mark.parametrize("way", ["export", "new"])
def test_killed_at_any_step_files_in_several_folders_are_all_new_or_all_old(
    way: str, tmp_path: Path
) -> None:
    names = ("pictures/a.png", "pictures/b.png", "pages/deep/c.png", "manifest.json")
    old, new = ({n: f"{which} {n}".encode() for n in names} for which in ("old", "new"))
    old = {n: b for n, b in old.items() if n != "pages/deep/c.png"}
    staged, project = tmp_path / "staged", tmp_path / "project"
    at = "output/pack/images/" if way == "export" else ""
    folder = project / at
    for name, content in new.items():
        put((staged / name).parent, {Path(name).name: content})
    texts = {folder / name: content.decode() for name, content in new.items()}

    def work() -> None:
        if way == "new":
            write_files(project, texts, "")
            return
        with delivering(TargetFolder(project, ("output", "pack", "images"))) as delivered:
            delivered.publish_tree(staged)

    seen = []
    [left] = left_by(project, [{at + name: content for name, content in old.items()}], work)
    for nth, tree in enumerate(left, start=1):
        lay(project, tree)
        tidy_all(TargetFolder(project, ("output",)))
        seen.append(state(folder))
        assert seen[-1] in (old, new), f"killed at step {nth}"
        assert not list(project.rglob(".gridpress-*"))
    assert old in seen
    assert new in seen


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("which", BEFORE)
def test_a_command_that_is_killed_while_it_mends_leaves_it_to_the_next(
    which: str, tmp_path: Path
) -> None:
    folder = tmp_path / "output" / "pack"
    before = BEFORE[which]
    after = {**build(SECOND), **(MINE if before else {})}
    mending = lambda: tidy(TargetFolder(folder))  # noqa: E731
    [left] = left_by(folder, [before], deliver(tmp_path, SECOND))
    halves = different(itertools.chain(*left_by(folder, different(left), mending)))
    assert len(halves) > 50
    for half in halves:
        lay(folder, half)
        mending()
        assert state(folder) in (before, after), half.keys()


def test_the_next_build_has_its_way_whatever_was_left(tmp_path: Path) -> None:
    folder = tmp_path / "output" / "pack"
    second, third = deliver(tmp_path, SECOND), deliver(tmp_path, FIRST)
    [left] = left_by(folder, [BEFORE["second"]], second)
    assert len(left) > 25
    for tree in different(left):
        lay(folder, tree)
        third()
        assert state(folder) == {**build(FIRST), **MINE}, tree.keys()


def test_what_the_disk_refuses_is_taken_back_even_if_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "output" / "pack"
    deliver_it = deliver(tmp_path, SECOND)
    before = BEFORE["second"]
    replace = os.replace

    def refused(*args: Any, **keywords: Any) -> None:
        if args[1] == "manifest.json" and keywords["dst_dir_fd"] != keywords["src_dir_fd"]:
            raise PermissionError(13, "open in a viewer")
        replace(*args, **keywords)

    def work() -> None:
        with pytest.raises(GridpressError):
            deliver_it()

    monkeypatch.setattr(os, "replace", refused)
    [left] = left_by(folder, [before], work)
    assert len(left) > 25
    for nth, tree in enumerate(left, start=1):
        lay(folder, tree)
        monkeypatch.setattr(os, "replace", refused)
        tidy(TargetFolder(folder))  # cannot be done forward
        monkeypatch.setattr(os, "replace", replace)
        tidy(TargetFolder(folder))
        assert state(folder) == before, f"killed at step {nth}"


def test_a_journal_of_a_stranger_moves_nothing_out_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "output"
    put(tmp_path, {"precious": b"precious"})
    put(folder, MINE)
    hidden = folder / ".gridpress-0123abcd"
    put(hidden / "new", {"x": b"x"})
    names = ["../precious", "/etc/passwd", "a\\b", "c:d", "..", "", "\0", "\ud800", "x" * 5000]
    names += [hidden.name, "a/../x", "a//x", "/x", ".git/hooks/x", "a/.b/x", f"a/{hidden.name}"]
    digest = hashlib.sha256(b"precious").hexdigest()
    put(hidden, {"journal": json.dumps(dict.fromkeys(names, (digest, digest))).encode()})
    tidy(TargetFolder(folder))
    assert state(tmp_path) == {"precious": b"precious", "output/notes.txt": b"mine"}


@pytest.mark.parametrize("other", [None, "0" * 64])
@pytest.mark.parametrize("name", ["journal", "journal-back"])
def test_a_journal_of_a_stranger_touches_no_file_that_it_does_not_know(
    name: str, other: str | None, tmp_path: Path
) -> None:
    put(tmp_path, MINE)
    hidden = tmp_path / ".gridpress-0123abcd"
    evil = hashlib.sha256(b"evil").hexdigest()
    for told in ([other, None], [None, other], [other, evil], [evil, other]):
        put(hidden / "new", {"notes.txt": b"evil"})
        put(hidden / "old", {"notes.txt": b"evil"})
        put(hidden, {name: json.dumps({"notes.txt": told}).encode()})
        tidy(TargetFolder(tmp_path))
        assert state(tmp_path) == MINE, told
    for told in ([other, None], [None, other]):
        put(hidden, {name: json.dumps({"notes.txt": told}).encode()})
        tidy(TargetFolder(tmp_path))
        assert state(tmp_path) == MINE, told


def test_what_was_changed_after_the_kill_stays(tmp_path: Path) -> None:
    folder = tmp_path / "output" / "pack"
    [left] = left_by(folder, [{**build(FIRST)}], deliver(tmp_path, SECOND))
    for nth, tree in enumerate(left, start=1):
        lay(folder, tree)
        put(folder, {"cards-a4.pdf": b"by hand"})
        tidy(TargetFolder(folder))
        assert state(folder)["cards-a4.pdf"] == b"by hand", f"killed at step {nth}"


@pytest.mark.parametrize(
    "journal", [b"", b"[" * 100_000, b"3", b'{"put": 3, "gone": {}}', b'{"notes.txt": []}', b"\xff"]
)
def test_a_journal_that_is_none(journal: bytes, tmp_path: Path) -> None:
    put(tmp_path, MINE)
    put(tmp_path / ".gridpress-0123abcd", {"journal": journal})
    tidy(TargetFolder(tmp_path))
    assert state(tmp_path) == MINE


def test_links_in_what_a_stranger_left_are_not_followed(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "output"
    put(elsewhere, FIRST)
    put(folder, MINE)
    hidden = folder / ".gridpress-0123abcd"
    hidden.mkdir()
    (hidden / "new").symlink_to(elsewhere, target_is_directory=True)
    (hidden / "old").symlink_to(elsewhere, target_is_directory=True)
    digests = [hashlib.sha256(content).hexdigest() for content in (*MINE.values(), b"")]
    told = {"cards-a4.pdf": [None, digests[1]], "notes.txt": digests}
    put(hidden, {"journal": json.dumps(told).encode()})
    tidy(TargetFolder(folder))
    assert state(elsewhere) == FIRST
    assert state(folder)["notes.txt"] == b"mine"


def test_what_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    folder, staged = tmp_path / "out", tmp_path / "staged"
    for files in (FIRST, {**FIRST, "stickers-a4.pdf": b"other stickers"}):
        put(staged, build(files))
        before = {p.name: p.stat().st_ino for p in folder.iterdir()} if folder.exists() else {}
        with delivering(TargetFolder(folder)) as delivery:
            delivery.publish(staged)
    after = {path.name: path.stat().st_ino for path in folder.iterdir()}
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"stickers-a4.pdf", "manifest.json", "odds.txt"}
    assert state(folder) == build({**FIRST, "stickers-a4.pdf": b"other stickers"})


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    path = tmp_path / "cards/größe/pack.yaml"
    assert write_files(tmp_path, {path: "title: ğ\n"}, "") == (path,)
    assert path.read_text("utf-8") == "title: ğ\n"


@pytest.mark.parametrize("wrong", ["kept/x", "folder"])
def test_what_cannot_be_written_leaves_all_as_it_was(wrong: str, tmp_path: Path) -> None:
    kept, new = tmp_path / "kept", tmp_path / "deep" / "new"
    kept.write_text("before")
    (tmp_path / "folder").mkdir()
    path = tmp_path / wrong
    with pytest.raises(GridpressError) as caught:
        write_files(tmp_path, {kept: "after", new: "new", path: "never"}, "choose another")
    (told,) = caught.value.diagnostics
    assert (told.code, told.hint) == ("GP702", "choose another")
    assert told.span.file in (str(path), str(path.parent))
    assert kept.read_text() == "before"
    assert names(tmp_path) == ["folder", "kept"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("nth", range(1, 6))
def test_whatever_fails_all_is_as_it_was(
    nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, new = tmp_path / "cards" / "kept", tmp_path / "templates" / "new"
    kept.parent.mkdir()
    kept.write_text("before")
    replace = os.replace
    calls: list[object] = []

    def full(*args: Any, **keywords: Any) -> None:
        calls.append(args)
        if len(calls) == nth:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(*args, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        if nth < 5:
            with pytest.raises(GridpressError) as caught:
                write_files(tmp_path, {kept: "after", new: "new"}, "")
            assert caught.value.diagnostics[0].code == "GP701"
        else:
            write_files(tmp_path, {kept: "after", new: "new"}, "")
    assert kept.read_text() == ("before" if nth < 5 else "after")
    assert names(kept.parent) == ["kept"]
    assert names(tmp_path) == (["cards"] if nth < 5 else ["cards", "templates"])


def test_what_speaks_of_other_files_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("cards/mini/pack.yaml", "cards/mini/kinds/a.yaml", "templates/mini/a.svg.j2")
    moved: list[object] = []
    replace = os.replace

    def note(*args: Any, **keywords: Any) -> None:
        moved.append(args[1])
        replace(*args, **keywords)

    monkeypatch.setattr(os, "replace", note)
    write_files(tmp_path, {tmp_path / name: "x" for name in names}, "")
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_from_which_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for attempt in (lambda: write_named(pipe, b"x", ""), lambda: must_be_writable(pipe, "")):
        with pytest.raises(GridpressError, match="nobody reads"):
            attempt()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    must_be_writable(pipe, "")
    write_named(pipe, b"after", "")
    assert os.read(reader, 9) == b"after"
    os.close(reader)


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
    with pytest.raises(OSError, match="No space left") as caught:
        save(pdf(size), Path("/dev/full"), compress_streams=False)
    assert caught.value.errno == errno.ENOSPC


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
