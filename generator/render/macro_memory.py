"""Keeps the output of macros that are called again with the same values.

A macro that is imported for all faces depends on its arguments alone, unless it leaves a text, a
picture or a finding on the face. Cars, kerbs and ornaments repeat, so this saves up to a tenth of a
cold build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from jinja2.runtime import Macro
from markupsafe import Markup

from generator.model.pack import Items, SourceText
from generator.render.dependencies import Place, Tracked

_KEPT: Final = 10_000
_MANY: Final = 32
"""Values in lists that a macro is given: comparing more takes longer than it saves."""
_FRAME: Final = frozenset(("_loop_vars", "_block_vars"))
"""Arguments that Jinja adds for functions that ask for its context; macros do not."""
_BY_VALUE: Final = frozenset((str, Markup, int, bool, type(None)))
_BY_IDENTITY: Final = frozenset((Items, SourceText, Tracked))
"""These never change, and the same object comes from the same place."""

CallKey = tuple[Any, ...]


class _UnstableError(Exception):
    """A value that may differ the next time."""


class MacroResult(NamedTuple):
    """The output of a call and its reads. `given` keeps the arguments alive, so that their ids stay
    valid."""

    text: str
    reads: frozenset[Place]
    given: tuple[Any, ...]


class MacroMemory:
    """Keeps the output of macros of imported templates."""

    def __init__(self) -> None:
        self._made: dict[CallKey, MacroResult] = {}
        self._macros: dict[int, Macro] = {}

    def share(self, names: Iterable[Any]) -> None:
        """Add the macros of a template that is imported for all faces."""
        self._macros |= {id(one): one for one in names if type(one) is Macro}

    def key(
        self, macro: Macro, escaping: bool, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> CallKey | None:
        """Return the key of a call; None for a call that must run each time."""
        if id(macro) not in self._macros:
            return None
        self._left = _MANY
        try:
            return (
                id(macro),
                escaping,
                *map(self._known, given),
                *[(name, self._known(named[name])) for name in named if name not in _FRAME],
            )
        except _UnstableError:
            return None

    def _known(self, value: Any) -> Any:
        kind = type(value)
        if kind in _BY_VALUE:
            return kind, value
        if kind is float:  # 0.0 and -0.0 are equal, and not written alike
            return kind, value or repr(value)
        if kind in _BY_IDENTITY:
            return kind, id(value)
        self._left -= len(value) if kind in (list, tuple, dict) else 0
        if self._left < 0:
            raise _UnstableError
        if kind is list or kind is tuple:
            return kind, *map(self._known, value)
        if kind is dict:
            return kind, *map(self._known, value), *map(self._known, value.values())
        if id(value) in self._macros:
            return kind, id(value)
        raise _UnstableError

    def made(self, key: CallKey) -> MacroResult | None:
        """Return the result of an equal call, if there was one."""
        return self._made.get(key)

    def keep(self, key: CallKey, made: MacroResult) -> None:
        """Keep the result of a call."""
        if len(self._made) >= _KEPT:
            self._made.clear()
        self._made[key] = made
