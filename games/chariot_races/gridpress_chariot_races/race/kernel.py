"""The decorators of compiled functions.

numba optimises a part again with every function that calls it, and its time grows with the
arguments and with the length of a function. So a race is a single record (`layout.RACE_DTYPE`),
parts are short, and a part on the way to much else, with one or two callers, is `inlined`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic, overload, register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])

_HOW: Any = {"error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Mark a part: compiled where a compiled function calls it, plain for Python."""
    return register_jitable(no_cpython_wrapper=True, **_HOW)(function)


def inlined(function: Function) -> Function:
    """Mark a part that becomes a piece of its callers."""
    return cast("Function", njit(inline="always", **_HOW)(function))


def entry(function: Function) -> Function:
    """Mark a function that Python calls, kept in the cache with its parts."""
    compiled = njit(cache=True, **_HOW)(function)

    @wraps(function)
    def call(*given: Any) -> Any:
        try:
            return compiled(*given)
        except OSError:  # it is compiled, but could not be kept
            return compiled(*given)

    return cast("Function", call)


def floats_at(address: int, shape: tuple[int, ...]) -> Any:
    """Return the array of 32-bit floats at an address."""
    floats = (ctypes.c_float * int(np.prod(shape))).from_address(int(address))
    return np.ctypeslib.as_array(floats).reshape(shape)


@intrinsic
def _pointer(context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.voidptr(types.intp), generate


@overload(floats_at, strict=False)
def _floats_at(address: Any, shape: Any) -> Any:
    return lambda address, shape: carray(_pointer(address), shape, np.float32)  # type: ignore[call-arg]
