"""Let a process that runs tests read and compile each text once, in whatever folder it lies."""

from __future__ import annotations

import functools
import marshal
from collections.abc import Callable, Hashable
from types import CodeType
from typing import Any, Final

from generator import cache
from generator.load import documents
from generator.sandbox import environment
from generator.sandbox.environment import BoundedEnvironment

_KEPT: Final = 4000


def remember_texts(shared: cache.Cache) -> None:
    """Keep the nodes of YAML texts and the code of templates and expressions; share the code of
    templates with other processes through a cache."""
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
    environment._translated = functools.lru_cache(_KEPT)(environment._translated)


def _as_of(file: str, code: CodeType) -> CodeType:
    """Return the same code as if it had been compiled from another file."""
    if code.co_filename == file:
        return code
    inner = (_as_of(file, one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))
