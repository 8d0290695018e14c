"""Sound projects in, a process out that has imported and read all that they need: a copy of it has
only what is broken to work out.

What is kept is what follows from a text alone: the nodes of a YAML file, the code of a template,
the expressions that Gridpress keeps by itself. A file that was changed has another text, and is
read.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import marshal
import os
from collections.abc import Callable, Generator, Hashable, Iterable
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, Final

from gridpress_chariot_dash.race import simulation

from generator import cache
from generator.cli import gridpress, run
from generator.load import documents
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

_KEPT: Final = 4000
_ENGINES: Final = (
    *("generator.press", "generator.preflight.report", "generator.export.svg_to_pdf"),
    *("gridpress_chariot_dash.commands.vehicles", "openpyxl", "pikepdf", "typst"),
)


def warm(sound: Iterable[tuple[Path, tuple[str, ...]]]) -> None:
    """Import all that commands import, and carry out some in sound projects: a folder and a command
    each, none of which may start threads."""
    for name in gridpress.list_commands(None):  # type: ignore[arg-type]
        command = gridpress.get_command(None, name)  # type: ignore[arg-type]
        for part in getattr(command, "table", ()):
            command.get_command(None, part)  # type: ignore[union-attr, arg-type]
    for module in _ENGINES:
        __import__(module)
    cache._versions = functools.cache(cache._versions)
    remember_texts()
    before = len(os.listdir("/proc/self/task"))
    _carry_out(sound)
    after = len(os.listdir("/proc/self/task"))
    assert after == before, "a copy of a process has none of its threads"
    gc.collect()
    gc.freeze()


def race_here(engine: Path, sound: Iterable[tuple[Path, tuple[str, ...]]]) -> None:
    """Race in this process rather than in workers of it, by the engine that is kept in that folder,
    and carry out some commands that race: after that a race takes no time to speak of. Where the
    engine has not been compiled yet, that takes a minute."""

    def answers(
        racer: simulation.Racer, tasks: Iterable[simulation.HeatTask], _jobs: int
    ) -> Generator[tuple[int, Any], None, None]:
        yield from ((number, racer.races(task)) for number, task in enumerate(tasks))

    os.environ["NUMBA_CACHE_DIR"] = str(engine)
    simulation.workers = SimpleNamespace(answers=answers)  # type: ignore[assignment,attr-defined]
    simulation.engine_folder = lambda: engine  # type: ignore[assignment]
    simulation.is_ready = lambda: True  # type: ignore[assignment]
    # Who has a lesson back does not load what learns: a broken vehicle, which has to, would then.
    simulation.user_cache = lambda: cache.NOTHING_KEPT  # type: ignore[assignment,attr-defined]
    _carry_out(sound)


def _carry_out(sound: Iterable[tuple[Path, tuple[str, ...]]]) -> None:
    with open(os.devnull, "w") as nowhere:
        for folder, words in sound:
            with (
                contextlib.chdir(folder),
                contextlib.redirect_stdout(nowhere),
                contextlib.redirect_stderr(nowhere),
            ):
                run(list(words))


def remember_texts(shared: cache.Cache = cache.NOTHING_KEPT) -> None:
    """From now on no YAML text of a file is read twice, and no template or expression compiled
    twice; no template by another process either that has the same cache for it."""
    _keep_nodes()
    _keep_code(shared)
    _keep_expressions()


def _keep_nodes() -> None:
    read = functools.lru_cache(_KEPT)(documents.parse_yaml)

    def parse(text: str, shown: str, *more: Any) -> Any:
        root, faults = read(text, shown, *more)
        return root, list(faults)

    documents.parse_yaml = parse  # type: ignore[assignment]


def _keep_code(shared: cache.Cache) -> None:
    compiled: Any = BoundedEnvironment.compile
    known: dict[Hashable, CodeType] = {}

    @functools.wraps(compiled)
    def compile_(
        self: BoundedEnvironment,
        source: Any,
        name: str | None = None,
        filename: str | None = None,
        **options: Any,
    ) -> Any:
        if not isinstance(source, str) or options:
            return compiled(self, source, name, filename, **options)
        words = (*self.filters, "", *self.tests, "", *self.globals)
        key = (type(self), words, self.autoescape, source, name)
        if key not in known:
            if len(known) >= _KEPT:
                known.clear()
            known[key] = _shared(shared, repr(key), lambda: compiled(self, source, name, filename))
        return _as_of(filename or "<template>", known[key])

    BoundedEnvironment.compile = compile_  # type: ignore[method-assign, assignment]


def _shared(shared: cache.Cache, key: str, make: Callable[[], CodeType]) -> CodeType:
    code = shared.get(cache.Sort.TEMPLATES, key)
    if code is not None:
        found: CodeType = marshal.loads(code)
        return found
    made = make()
    shared.put(cache.Sort.TEMPLATES, marshal.dumps(made), key)
    return made


def _keep_expressions() -> None:
    """What a command keeps by itself is for the cache it was given, in a home that is cleared."""
    translated = environment._translated
    known: dict[tuple[str, int], tuple[frozenset[str], CodeType]] = {}

    def translated_(text: str, file: str, line: int) -> tuple[frozenset[str], CodeType]:
        if (text, line) not in known:
            if len(known) >= _KEPT:
                known.clear()
            known[text, line] = translated(text, file, line)
        names, code = known[text, line]
        return names, _as_of(file, code)

    environment._translated = translated_


def _as_of(file: str, code: CodeType) -> CodeType:
    """The same code, written in a file that another copy of a project may have."""
    if code.co_filename == file:
        return code
    inner = (_as_of(file, one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))
