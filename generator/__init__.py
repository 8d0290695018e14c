"""Gridpress: YAML definitions of game components in, print-ready PDF sheets out."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

# numpy starts threads for matrices, which nobody here multiplies; a process with threads that
# Python does not know cannot be copied, and workers would all begin anew.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "1.1.0.dev0"


def on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports what it offers when it is asked for: `homes` are
    its modules, each with the names that it gives; its own name stands for the module itself."""
    module_of = {name: home for home, names in homes.items() for name in names.split()}

    def given(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(f"{package}.{module_of[name]}")
        return getattr(home, name, home) if name == module_of[name] else getattr(home, name)

    return given
