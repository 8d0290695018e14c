"""The decorator of the racing engine's functions: compiled by numba, kept for the next time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit, types

Function = TypeVar("Function", bound=Callable[..., Any])


def _short(kind: Any) -> tuple[str, tuple[str]]:
    """A digest for a symbol's name: numba spells out every field of every record there, ten
    thousand letters for each function that takes a race, and most of the compiling went into it."""
    digest = hashlib.blake2b(kind.name.encode(), digest_size=12).hexdigest()
    return type(kind).__name__, (f"d{digest}",)


for _kind in (types.NamedTuple, types.Record):
    _kind.mangling_args = property(_short)  # type: ignore[assignment,method-assign]


def kernel(function: Function) -> Function:
    """The function compiled; as plain Python it is its `py_func`.

    Once for each kind of number, and not, as numba would, once more for each constant that another
    compiled function calls it with.
    """
    compiled: Any = njit(cache=True, error_model="numpy")(function)
    resolve, plain = compiled.get_call_template, cast("Any", types.unliteral)

    def resolve_plain(args: Any, named: Any) -> Any:
        return resolve([plain(kind) for kind in args], {n: plain(k) for n, k in named.items()})

    compiled.get_call_template = resolve_plain
    return cast("Function", compiled)
