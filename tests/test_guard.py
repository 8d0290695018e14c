"""A command in its child process: its end, its messages, and the folders it imports from."""

import faulthandler
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from generator import guard, limits
from generator.cli import run as run_here
from generator.guard import TO_END, end_once, guarded, on_request

only_copies = pytest.mark.skipif(sys.platform != "linux", reason="the child is no copy there")

START = """\
import os, signal, sys, time
from pathlib import Path
from generator import limits, workers
from generator.limits import at
def spin(_):
    with at("cards/mini/cards.yaml:3:5", 0, "drawing the front of 'ember'"):
        while True: pass
"""
SPIN = "spin(0)"
SPIN_ELSEWHERE = """
try: list(workers.answers(spin, [1, 2], 2))
except workers.WorkerCrash as crash: print(crash, file=sys.stderr); sys.exit(1)
"""
GROW = """
held = []
with at("big.pdf", 10):
    while True: held.append(bytearray(40_000_000))
"""
CRASH = """
with at("odd.pdf"): os.abort()
"""
DEAF = """
for name in ("SIGINT", "SIGTERM"): signal.signal(getattr(signal, name), signal.SIG_IGN)
Path("ready").touch()
time.sleep(60)
"""
TIDY = """
try:
    Path("ready").touch()
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.2)
    Path("tidied").touch()
    sys.exit(130)
"""


def carried_out(program: str) -> NoReturn:
    """Run a program instead of a command."""
    faulthandler.disable()  # pytest has it report crashes
    limits.end_with_parent(signal.SIGTERM)
    limits.limit_this_process()
    end_once()
    status = 0
    try:
        exec(START + program, {})
    except SystemExit as end:
        status = int(end.code or 0)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    handlers = {number: signal.getsignal(number) for number in TO_END}
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv(limits.RUN, "")  # so that it is taken back
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for number, handler in handlers.items():
        signal.signal(number, handler)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch):
    def run(program: str, *arguments: str) -> int:
        monkeypatch.setattr(limits, "MOST_SECONDS", 0.5)
        monkeypatch.setattr(guard, "_carry_out", lambda: carried_out(program))
        return guarded(list(arguments))

    return run


@only_copies
@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_a_command_ends_with_its_own_status(run, status: int) -> None:
    assert run(f"sys.exit({status})") == status


@only_copies
def test_words_and_streams_are_handed_on(run, capfd) -> None:
    assert run("print(sys.argv[1:]); print('wrong', file=sys.stderr)", "build", "--only", "a*") == 0
    assert capfd.readouterr() == ("['build', '--only', 'a*']\n", "wrong\n")


@only_copies
@pytest.mark.parametrize("program", [SPIN, SPIN_ELSEWHERE], ids=["itself", "a worker"])
def test_work_that_never_ends_is_ended_and_named(run, program: str, capfd) -> None:
    assert run(program) == 1
    said = capfd.readouterr().err
    assert said.startswith("cards/mini/cards.yaml:3:5: error[GP008]: drawing the front of 'ember'")
    assert said.count("error[") == 1


@only_copies
def test_a_program_for_json_gets_json(run, capfd) -> None:
    assert run(CRASH, "check", "--format", "json") == 1
    [found] = json.loads(capfd.readouterr().out)
    assert (found["code"], found["file"], found["line"]) == ("GP010", "odd.pdf", 1)


@only_copies
def test_a_command_that_goes_on_is_started_again(run, capfd) -> None:
    assert run(f"if limits.start_again(): print('again'); sys.exit(0)\n{CRASH}") == 0
    said = capfd.readouterr()
    assert said.out == "again\n"
    assert said.err.count("error[") == 1


@only_copies
def test_a_command_that_fails_before_it_goes_on_is_not(run, capfd) -> None:
    program = f"if not Path('begun').exists(): Path('begun').touch(); limits.start_again()\n{CRASH}"
    assert run(program) == 1
    assert capfd.readouterr().err.count("error[") == 2


@only_copies
def test_memory_that_grows_without_end(run, capfd) -> None:
    program = f"try:\n  exec({GROW!r})\nexcept Exception as e: print(e, file=sys.stderr)"
    assert run(program) == 0
    assert capfd.readouterr().err.startswith("big.pdf:1:1: error[GP009]: ")


@only_copies
def test_native_code_that_breaks_down(run, capfd) -> None:
    assert run(CRASH) == 1
    assert capfd.readouterr().err.startswith("odd.pdf:1:1: error[GP010]: ")


def ask_when_ready(here: Path, number: signal.Signals = signal.SIGINT, times: int = 1) -> None:
    def ask() -> None:
        while not (here / "ready").exists():
            time.sleep(0.01)
        for _ in range(times):
            os.kill(os.getpid(), number)
            time.sleep(0.1)

    threading.Thread(target=ask, daemon=True).start()


@only_copies
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_end_is_handed_on_and_waited_for(
    run, here: Path, number: signal.Signals
) -> None:
    ask_when_ready(here, number)
    assert run(TIDY) == 130
    assert (here / "tidied").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals go to one process")
def test_a_request_to_end_that_comes_first_of_all(monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    begin = guard._environment
    monkeypatch.setattr(guard, "_GRACE", 0.2)

    def asked_at_once(folder: Path) -> dict[str, str]:
        os.kill(os.getpid(), signal.SIGINT)
        return begin(folder)

    monkeypatch.setattr(guard, "_environment", asked_at_once)
    assert guarded(["list"]) == 130
    assert "interrupted" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="nobody hangs up here")
def test_a_closed_terminal_ends_nothing_under_nohup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    on_request(lambda _number, _frame: None)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@only_copies
@pytest.mark.parametrize("times", [1, 2])
def test_what_does_not_listen_is_ended(
    run, here: Path, times: int, monkeypatch: pytest.MonkeyPatch, capfd
) -> None:
    monkeypatch.setattr(guard, "_GRACE", 0.3)
    ask_when_ready(here, times=times)
    assert run(DEAF) == 130
    assert "interrupted" in capfd.readouterr().err


@only_copies
@pytest.mark.parametrize("how", ["interrupted", "killed"])
def test_all_processes_of_a_command_end_with_it(here: Path, how: str) -> None:
    work = "Path('ready').touch()\nlist(workers.answers(time.sleep, [60, 60], 2))"
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_guard import carried_out
from generator import guard
guard._carry_out = lambda: carried_out({work!r})
sys.exit(guard.guarded([]))
"""
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as started:
        while not (here / "ready").exists():
            time.sleep(0.01)
        time.sleep(0.5)
        started.send_signal(signal.SIGINT if how == "interrupted" else signal.SIGKILL)
        started.wait()
        for _ in range(200):
            left = group_of(started.pid)
            if not left:
                break
            time.sleep(0.05)
        assert left == []
    for folder in (here / "temporary").iterdir():
        assert how == "killed"
        shutil.rmtree(folder)


def test_the_child_may_be_a_new_interpreter(monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    monkeypatch.setattr(sys, "platform", "elsewhere")
    assert guarded(["list", "nobody"]) == 1
    assert "error[GP001]" in capfd.readouterr().err


def group_of(session: int) -> list[int]:
    import psutil

    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (psutil.Error, ProcessLookupError):
            continue
    return found


# Modules in the folder where a command is typed.

TRAP = "open({marker!r}, 'a').write(__name__ + '\\n')\n"
COMMANDS = (
    ["list"],
    ["preview"],
    ["schema"],
    ["preflight", "output/mini/cards-a4.pdf"],
    ["new", "kind", "token"],
    ["new", "pack", "second"],
    ["check"],
    ["track", "show", "hourglass", "-o", "plan.png"],
)
ONE_AFTER_THE_OTHER = """
import sys
from generator.__main__ import _without_the_current_folder
sys.path[:] = _without_the_current_folder()
from generator.cli import run
for words in {commands!r}:
    assert run(words) == 0, words
"""


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project with a trap for each module of Python, of the libraries and of Gridpress."""
    root = tmp_path_factory.mktemp("trapped")
    assert run_here(["new", "pack", "mini", "--in", str(root)]) == 0
    libraries = (
        "click",
        "typst",
        "yaml",
        "jinja2",
        "pikepdf",
        "PIL",
        "rich",
        "uharfbuzz",
        "icu4py",
    )
    optional = ("sitecustomize", "usercustomize", "brotli", "numpy", "lxml", "reportlab_settings")
    ours = ("generator", "psutil", "fontTools", "reportlab", "openpyxl", "pypdfium2", "svgwrite")
    trap = root / "trap"
    trap.write_text(TRAP.format(marker=str(root / "SPRUNG")), encoding="utf-8")
    (root / "output").mkdir()
    for name in {*sys.stdlib_module_names, *libraries, *optional, *ours}:
        for folder in (root, root / "output", root / "cards", root / "templates"):
            os.link(trap, folder / f"{name}.py")
    for name in (".reportlab_mods", ".reportlab_settings"):  # ReportLab looks in the home folder
        (root / name).write_text(TRAP.format(marker=str(root / "SPRUNG")), encoding="utf-8")
    return root


def test_no_command_imports_from_the_folder_where_it_is_typed(trapped: Path) -> None:
    script = str(Path(sys.executable).with_name("gridpress"))
    springs_no_trap([script, "build", "--jobs", "2", "-o", "output"], trapped)


def test_nor_does_any_of_the_others(trapped: Path) -> None:
    """All commands run in one process like that which the command line starts for its work."""
    is_built = (trapped / "output/mini/cards-a4.pdf").exists()  # by the test before, or by nobody
    first = () if is_built else (["build", "-o", "output"],)
    program = ONE_AFTER_THE_OTHER.format(commands=(*first, *COMMANDS))
    springs_no_trap([sys.executable, "-P", "-c", program], trapped)


def springs_no_trap(command: list[str], trapped: Path) -> None:
    at_home = {**os.environ, "HOME": str(trapped), "USERPROFILE": str(trapped)}
    done = subprocess.run(
        command,
        cwd=trapped,
        env=at_home,
        capture_output=True,
        text=True,
        check=False,
    )
    sprung = trapped / "SPRUNG"
    assert not sprung.exists(), sprung.read_text()
    assert done.returncode == 0, done.stderr


def test_nor_does_one_that_goes_on(trapped: Path) -> None:
    script = Path(sys.executable).with_name("gridpress")
    at_home = {**os.environ, "HOME": str(trapped), "USERPROFILE": str(trapped)}
    words = [str(script), "watch", "--jobs", "2", "-o", "output"]
    told = trapped / "told"
    with (
        told.open("wb") as out,
        subprocess.Popen(words, cwd=trapped, env=at_home, stdout=out, stderr=out) as started,
    ):
        while b"saved: the same" not in told.read_bytes() and started.poll() is None:
            (trapped / "cards/mini/pack.yaml").touch()
            time.sleep(0.2)
        started.terminate()
    sprung = trapped / "SPRUNG"
    assert not sprung.exists(), sprung.read_text()
    assert started.returncode == 130


def test_nor_does_python_m(here: Path) -> None:
    """Python itself searches there for `generator` and the few modules that it starts with."""
    for name in ("selectors", "socket", "struct", "json", "click", "typst"):
        (here / f"{name}.py").write_text(TRAP.format(marker=str(here / "SPRUNG")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "generator", "new", "pack", "mini"], capture_output=True, check=False
    )
    assert not (here / "SPRUNG").exists()
    assert done.returncode == 0


def test_an_empty_entry_of_pythonpath_is_not_followed(here: Path) -> None:
    (here / "click.py").write_text(TRAP.format(marker=str(here / "SPRUNG")), encoding="utf-8")
    done = subprocess.run(
        [str(Path(sys.executable).with_name("gridpress")), "cache"],
        env={**os.environ, "PYTHONPATH": ":."},
        capture_output=True,
        check=False,
    )
    assert not (here / "SPRUNG").exists()
    assert done.returncode == 0


# A place where almost nothing works.


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&- <&-"])
def test_closed_standard_streams(closed: str) -> None:
    script = Path(sys.executable).with_name("gridpress")
    done = subprocess.run(["sh", "-c", f"'{script}' cache {closed}"], check=False)
    assert done.returncode == 0


def test_libraries_say_nothing_themselves(here: Path) -> None:
    kids = b"<< /Type /Pages /Count 2 /Kids [null << /Type /Page >>] >>"
    objects = (b"<< /Type /Catalog /Pages 2 0 R >>", kids)
    body = b"".join(b"%d 0 obj %s endobj\n" % (n, o) for n, o in enumerate(objects, 1))
    Path("odd.pdf").write_bytes(b"%PDF-1.7\n" + body + b"trailer << /Root 1 0 R >>\n%%EOF\n")
    script = Path(sys.executable).with_name("gridpress")
    done = subprocess.run(
        [str(script), "preflight", "odd.pdf"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    first, *_ = done.stderr.splitlines()
    assert first.startswith("odd.pdf:1:1: error[GP808]")


@pytest.mark.parametrize("arguments", [["build", "--help"], ["--help"]])
def test_help_on_a_terminal_with_few_letters(arguments: list[str]) -> None:
    script = Path(sys.executable).with_name("gridpress")
    done = subprocess.run(
        [str(script), *arguments],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("--version", 0), ("", 2)])
def test_what_reads_no_file_is_answered_without_another_process(
    argument: str, status: int, here: Path
) -> None:
    program = (
        "import os, subprocess, sys; from generator.__main__ import main; "
        "os.fork = subprocess.Popen = None; sys.exit(main())"
    )
    command = [sys.executable, "-c", program, *filter(None, [argument])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "gridpress" in done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder that somebody is in")
def test_a_current_folder_that_was_deleted(here: Path) -> None:
    gone = here / "gone"
    gone.mkdir()
    script = Path(sys.executable).with_name("gridpress")
    done = subprocess.run(
        ["sh", "-c", f"cd '{gone}' && rmdir '{gone}' && '{script}' check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "the folder that you are in is gone" in done.stderr


def test_a_temporary_folder_with_a_long_name(here: Path) -> None:
    long = here / ("long" * 30)
    long.mkdir()
    script = Path(sys.executable).with_name("gridpress")
    subprocess.run([str(script), "new", "pack", "mini"], check=True, capture_output=True)
    done = subprocess.run(
        [str(script), "build", "--jobs", "2"],
        env={**os.environ, "TMPDIR": str(long)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(long.iterdir()) == []
