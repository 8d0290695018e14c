"""The decorator of the racing engine's functions: compiled by numba, kept for the next time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """The function compiled; as plain Python it is its `py_func`."""
    return cast("Function", njit(cache=True)(function))
