"""Compile the racing engine with one optimisation for each function that Python calls.

numba alone optimises each function again with everything it calls, which takes minutes. Here a part
(`kernel`) is only translated. An entry (`entry`) is linked with all its parts, optimised once and
cached.
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
"""The prefix of functions that only compiled functions call."""


def _short(kind: Any) -> tuple[str, tuple[str]]:
    """Shorten a symbol's name to a digest: numba writes out every field of every record."""
    digest = hashlib.blake2b(kind.name.encode(), digest_size=12).hexdigest()
    return type(kind).__name__, (f"d{digest}",)


for _kind in (types.NamedTuple, types.Record):
    _kind.mangling_args = property(_short)  # type: ignore[assignment,method-assign]


class _PartLibrary(JITCodeLibrary):
    """A library that is compiled only where Python calls it."""

    def finalize(self) -> None:
        """Link and optimise an entry; leave a part for later."""
        if self.name.startswith(_PART):
            self._raise_if_finalized()  # type: ignore[no-untyped-call]
            self._finalized = True
            return
        self._gather()
        super().finalize()  # type: ignore[no-untyped-call]
        if any(library.name.startswith(_PART) for library in self._linking_libraries):
            _set_waiting()

    def _gather(self) -> None:
        """Collect the parts that are called, each once, after its callers."""
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
    """Set a function's globals once it has been linked."""
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
    """Mark a part, which only compiled functions call; `py_func` is the plain function.

    Parts count no references, so they must not create arrays. They are compiled once for each type,
    not again for each constant.
    """
    function.__qualname__ = _PART + function.__qualname__
    compiled: Any = _NJIT(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_HOW)(
        function
    )
    if compiled is function:  # numba is disabled
        return function
    resolve, plain = compiled.get_call_template, cast("Any", types.unliteral)

    def resolve_plain(args: Any, named: Any) -> Any:
        return resolve([plain(kind) for kind in args], {n: plain(k) for n, k in named.items()})

    compiled.get_call_template = resolve_plain
    return cast("Function", compiled)


def entry(function: Function) -> Function:
    """Mark a function that Python calls, compiled with its parts and cached if possible."""
    compiled: Any = _NJIT(cache=True, no_cfunc_wrapper=True, **_HOW)(function)
    if compiled is not function:
        compiled._cache.save_overload = _if_possible(compiled._cache.save_overload)
    return cast("Function", compiled)


def _if_possible(save: Callable[..., None]) -> Callable[..., None]:
    def save_if_possible(*what: Any) -> None:
        with suppress(OSError):
            save(*what)

    return save_if_possible
