"""Compiles the functions of the racing engine: parts are linked once, into what Python calls.

By itself numba optimises each function together with all that it calls, again and again up the
calls, which takes minutes for an engine of many small functions. Here a part (`kernel`) is only
translated; an entry (`entry`), which Python calls, is linked with all its parts and optimised once,
and kept for the next time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

Function = TypeVar("Function", bound=Callable[..., Any])

_NJIT: Any = njit
_HOW: Any = {"error_model": "numpy"}
_PART = "part."
"""How the names of functions begin that only compiled functions call."""


def _short(kind: Any) -> tuple[str, tuple[str]]:
    """A digest for a symbol's name: numba spells out every field of every record there, ten
    thousand letters for each function that takes a race, and most of the compiling went into it."""
    digest = hashlib.blake2b(kind.name.encode(), digest_size=12).hexdigest()
    return type(kind).__name__, (f"d{digest}",)


for _kind in (types.NamedTuple, types.Record):
    _kind.mangling_args = property(_short)  # type: ignore[assignment,method-assign]


class _PartLibrary(JITCodeLibrary):
    """Code that is made ready only where Python calls it."""

    def finalize(self) -> None:
        """Link and optimise, or only note what will have to be linked."""
        if self.name.startswith(_PART):
            self._raise_if_finalized()  # type: ignore[no-untyped-call]
            self._finalized = True
            return
        self._gather()
        super().finalize()  # type: ignore[no-untyped-call]
        if any(library.name.startswith(_PART) for library in self._linking_libraries):
            _set_waiting()

    def _gather(self) -> None:
        """All parts of parts, each once and after what calls it: only what is called is linked."""
        found: list[Any] = []
        seen: set[Any] = set()
        left: list[tuple[Any, bool]] = [(library, False) for library in self._linking_libraries]
        while left:
            library, done = left.pop()
            if done:
                found.append(library)
            elif library not in seen:
                seen.add(library)
                left.append((library, True))
                left += [(part, False) for part in library._linking_libraries]
        self._linking_libraries = found[::-1]


_CODEGEN = cpu_target.target_context.codegen()
_CODEGEN._library_class = _PartLibrary
_set_env = _CODEGEN.set_env
_WAITING: dict[str, Any] = {}


def _late_env(name: str, env: Any) -> None:
    """What a function needs of its module: set when it has been made ready."""
    if _CODEGEN._engine.get_global_value_address(name):
        _set_env(name, env)
    else:
        _WAITING[name] = env


def _set_waiting() -> None:
    for name in list(_WAITING):
        if _CODEGEN._engine.get_global_value_address(name):
            _set_env(name, _WAITING.pop(name))


_CODEGEN.set_env = _late_env


def kernel(function: Function) -> Function:
    """A part, which only compiled functions call; as plain Python it is its `py_func`.

    It counts no references, which took three quarters of a race: whatever it is given belongs to
    the entry's caller, and it makes no array of its own (numba refuses to compile one that does).
    Once for each kind of number, and not, as numba would, once more for each constant that another
    compiled function calls it with.
    """
    function.__qualname__ = _PART + function.__qualname__
    compiled: Any = _NJIT(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_HOW)(
        function
    )
    if compiled is function:  # numba is told not to compile
        return function
    resolve, plain = compiled.get_call_template, cast("Any", types.unliteral)

    def resolve_plain(args: Any, named: Any) -> Any:
        return resolve([plain(kind) for kind in args], {n: plain(k) for n, k in named.items()})

    compiled.get_call_template = resolve_plain
    return cast("Function", compiled)


def entry(function: Function) -> Function:
    """A function that Python calls, compiled with all its parts. What cannot be kept, as where
    somebody empties the cache meanwhile or the disk is full, only has to be compiled again."""
    compiled: Any = _NJIT(cache=True, no_cfunc_wrapper=True, **_HOW)(function)
    if compiled is not function:
        compiled._cache.save_overload = _if_possible(compiled._cache.save_overload)
    return cast("Function", compiled)


def _if_possible(save: Callable[..., None]) -> Callable[..., None]:
    def save_if_possible(*what: Any) -> None:
        with suppress(OSError):
            save(*what)

    return save_if_possible
