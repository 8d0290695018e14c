"""Let a process that runs tests read and compile each text once, in whatever folder it lies, and
each shipped file that all packs share."""

from __future__ import annotations

import functools
import marshal
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from types import CodeType
from typing import Any, Final

import jinja2
import pytest

from generator import cache, guests, load, render, validate
from generator.build import Order, opening
from generator.build.standing import Standing
from generator.fonts import FontLibrary, fonts_of
from generator.load import documents
from generator.project import Project, shipped_root
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

_KEPT: Final = 4000
_PACKS: Final = 4


def remember_texts(shared: cache.Cache) -> None:
    """Keep the nodes of YAML texts and the code of templates and expressions; share the code of
    templates with other processes through a cache."""
    _keep_nodes()
    _keep_code(shared)
    _keep_expressions()


def compiler() -> bytes:
    """Return a digest of the modules that compile templates, and of Jinja's version."""
    folders = (Path(environment.__file__).parent, Path(render.__file__).parent)
    return b"".join(map(guests.stamp, folders)) + jinja2.__version__.encode()


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
    environment._translated = functools.lru_cache(_KEPT)(environment._translated)


def _as_of(file: str, code: CodeType) -> CodeType:
    """Return the same code as if it had been compiled from another file."""
    if code.co_filename == file:
        return code
    inner = (_as_of(file, one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))


def remember_what_is_shipped(patch: pytest.MonkeyPatch) -> None:
    """Read shipped stocks, papers, shops and fonts once, check a shipped pack once in a while, and
    look once at the files of the package: no test writes to them. Additions of a project are read
    each time."""
    _keep_shared_files(patch)
    _keep_packs(patch)
    _keep_fonts(patch)
    stamp = guests.stamp
    own = Path(cache.__file__).parent
    stamp_of_ours = functools.cache(lambda: stamp(own))
    patch.setattr(guests, "stamp", lambda path: stamp_of_ours() if path == own else stamp(path))


def _keep_shared_files(patch: pytest.MonkeyPatch) -> None:
    read, shipped = load.read_shared, shipped_root()
    known: dict[Hashable, Any] = {}

    def read_shared(project: Project, names: Iterable[str], documents: load.Documents) -> Any:
        names = tuple(names)
        paths = [path for name in names for path in project.shared_files(name)]
        if project.roots.unsaved or not all(path.is_relative_to(shipped) for path in paths):
            return read(project, names, documents)
        key = names, *map(project.display, paths)
        if key not in known:
            known[key] = read(project, names, load.Documents())
        return known[key]

    def remembered(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        results: dict[int, Any] = {}

        def result(documents: Any) -> Any:
            if not any(documents is outcome.value for outcome in known.values()):
                return function(documents)
            if id(documents) not in results:
                results[id(documents)] = function(documents)
            return results[id(documents)]

        return result

    patch.setattr(load, "read_shared", read_shared)
    for name in ("read_catalogue", "read_shops"):
        patch.setattr(validate, name, remembered(getattr(validate, name)))


def _keep_packs(patch: pytest.MonkeyPatch) -> None:
    check, shipped = opening._checked, shipped_root()
    known: dict[Hashable, Any] = {}

    def checked(read: opening.PackFiles, order: Order) -> Any:
        project = read.target.project
        if project.root != shipped or project.unsaved:
            return check(read, order)
        key = read.target, project.around, order.locale, order.players, order.only
        if key not in known:
            while len(known) >= _PACKS:
                del known[next(iter(known))]
            known[key] = check(read, order)
        return known[key]

    patch.setattr(opening, "_checked", checked)


def _keep_fonts(patch: pytest.MonkeyPatch) -> None:
    anew, shipped = Standing.fonts, (shipped_root() / "fonts",)
    known: dict[str, FontLibrary] = {}

    def fonts(self: Standing, project: Project) -> FontLibrary:
        if project.font_folders() != shipped:
            return anew(self, project)
        shown = project.display(shipped[0])
        if shown not in known:
            known[shown] = fonts_of(project)
        return known[shown]

    patch.setattr(Standing, "fonts", fonts)
