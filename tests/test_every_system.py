"""Gridpress calls nothing that Windows does not have, starts no shell, and closes its files."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from generator.writing import cannot_write

PACKAGE = Path(__file__).parent.parent / "generator"

POSIX_ONLY = {
    "os": """chown chroot fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg
        getpgid getpgrp getpriority getsid getuid initgroups kill killpg lchown mkfifo mknod nice
        openpty pathconf pread preadv pwrite posix_fadvise posix_fallocate posix_spawn
        sched_getaffinity sched_yield setegid seteuid setgid setgroups setpgid setpriority setsid
        setuid statvfs sync ttyname uname wait wait3 wait4 waitid""",
    "signal": """SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1
        SIGUSR2 SIGXCPU alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt
        sigpending sigwait""",
    "faulthandler": "register unregister",
}
LACKING = set(" ".join(POSIX_ONLY.values()).split())
POSIX_MODULES = set("crypt fcntl grp posix pty pwd resource syslog termios tty".split())
SUSPECT = re.compile(rf"\b(?:{'|'.join(sorted(LACKING | POSIX_MODULES))})\b|import \*")
GUARDS = ("hasattr(", "getattr(", "sys.platform", "os.name", "except ImportError", "_CAN_WAIT")


def posix_only(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each unguarded use of a name that Windows does not have."""
    imported = (n for node in ast.walk(tree) if isinstance(node, ast.Import) for n in node.names)
    known_as = {name.asname: name.name for name in imported if name.asname}

    def look(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
        if isinstance(node, (ast.FunctionDef, ast.If, ast.IfExp, ast.Try, ast.BoolOp)):
            around = (*around, node)
        names = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names if name.name in POSIX_MODULES]
        elif isinstance(node, ast.ImportFrom):
            module = str(node.module)
            lacking = {"*", *POSIX_ONLY.get(module, "").split()}
            asked = [name.name for name in node.names if module in POSIX_ONLY]
            names = [f"{module}.{name}" for name in asked if name in lacking]
            names += [module] if module in POSIX_MODULES else []
        elif isinstance(node, ast.Attribute) and node.attr in LACKING:
            owner = ast.unparse(node.value).removesuffix(".Signals")
            owner = known_as.get(owner, owner)
            names = (
                [f"{owner}.{node.attr}"] if node.attr in POSIX_ONLY.get(owner, "").split() else []
            )
        if names and not any(guard in ast.unparse(one) for one in around for guard in GUARDS):
            yield from ((getattr(node, "lineno", 0), name) for name in names)
        for child in ast.iter_child_nodes(node):
            yield from look(child, around)

    yield from look(tree, ())


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_what_windows_lacks_is_asked_for_first() -> None:
    guests = PACKAGE.parent / "games"
    files = [*PACKAGE.rglob("*.py"), *guests.rglob("gridpress_*/**/*.py")]
    found = [
        (path.relative_to(PACKAGE.parent).as_posix(), line, name)
        for path in sorted(files)
        if SUSPECT.search(path.read_text("utf-8"))
        for line, name in posix_only(parsed(path))
    ]
    # guard.py forks on Linux only, nursery.py copies itself except on Windows; both check the
    # system first, and end only their own children.
    asked = {
        ("generator/guard.py", "os.fork"),
        ("generator/guard.py", "os.kill"),
        ("generator/studio/nursery.py", "os.kill"),
        ("generator/studio/nursery.py", "signal.SIGCHLD"),
    }
    assert {(path, name) for path, _, name in found} <= asked
    assert list(posix_only(ast.parse("import os\nos.kill(1, 2)\n"))) == [(2, "os.kill")]
    for line in (
        "from os import fork",
        "from signal import SIGKILL as end",
        "import os as system; system.geteuid()",
        "import signal; signal.Signals.SIGKILL",
        "from fcntl import flock",
        "import fcntl",
    ):
        assert len(list(posix_only(ast.parse(line)))) == 1, line
    assert list(posix_only(ast.parse("if hasattr(os, 'fork'):\n    os.fork()\n"))) == []


def test_nothing_is_started_by_a_shell() -> None:
    offenders = [
        (path.name, node.lineno)
        for path in sorted(PACKAGE.rglob("*.py"))
        if re.search("system|popen|shell", path.read_text("utf-8"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and (
            (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in ("system", "popen")
                and ast.unparse(node.func.value) == "os"
            )
            or any(keyword.arg == "shell" for keyword in node.keywords)
        )
    ]
    assert offenders == []


def test_a_file_that_a_viewer_holds_open_is_named() -> None:
    error = PermissionError(13, "The process cannot access the file", "cards-a4.pdf")
    error.winerror = 32  # type: ignore[attr-defined]
    (told,) = cannot_write(error, "output/my-game").diagnostics
    assert told.code == "GP702"
    assert "cards-a4.pdf is open in another program" in told.message
    assert "close it there" in told.hint
    (told,) = cannot_write(PermissionError(13, os.strerror(13), "x"), "output").diagnostics
    assert "open in another" not in told.message
