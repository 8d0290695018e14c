"""A macro and what it is called with in; what it wrote when it was called so before out.

A macro of a template that is imported for all faces knows nothing of the face that is being drawn
but what it is given. So what it writes, reads and spends follows from that, unless it leaves
something on the face: a text, a picture or a finding. Cars, kerbs and ornaments are drawn so many
times over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from jinja2.runtime import Macro
from markupsafe import Markup

from generator.model.values import Items, SourceText
from generator.render.reads import Watched
from generator.sandbox import Budget

ROOM: Final = 40_000_000
"""Characters that are kept of what macros wrote and were given."""
_PRICE: Final = 4_000
"""What a call that is kept takes beside them, at most."""
_MANY: Final = 32
"""Values in lists that a macro is given: to look at more takes longer than it saves."""
_FRAME: Final = frozenset(("_loop_vars", "_block_vars"))
"""What Jinja2 hands to functions that ask for it; macros do not."""
_BY_VALUE: Final = frozenset((str, Markup, int, bool, type(None)))
_BY_IDENTITY: Final = frozenset((Items, SourceText, Watched))
"""They do not change, and come from the same place as the same object."""

Key = tuple[Any, ...]


class _UnknownError(Exception):
    """A value that may be another the next time."""


class Made(NamedTuple):
    """What a call wrote, what it took of the budget and what it read. `given` stays, so that what
    is known by identity is nothing else in the meantime."""

    text: str
    steps: int
    characters: int
    reads: frozenset[int]
    given: tuple[Any, ...]


class Memory:
    """What the macros of imported templates have written."""

    def __init__(self) -> None:
        self._made: dict[Key, Made] = {}
        self._room = ROOM
        self._macros: dict[int, Macro] = {}

    def share(self, names: Iterable[Any]) -> None:
        """Among these are the macros of a template that is imported for all faces."""
        self._macros |= {id(one): one for one in names if type(one) is Macro}

    def key(
        self, macro: Macro, escaping: bool, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> Key | None:
        """What a call is known by; None for one that has to be made each time."""
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
        except _UnknownError:
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
            raise _UnknownError
        if kind is list or kind is tuple:
            return kind, *map(self._known, value)
        if kind is dict:
            return kind, *map(self._known, value), *map(self._known, value.values())
        if id(value) in self._macros:
            return kind, id(value)
        raise _UnknownError

    def made(self, key: Key, budget: Budget) -> Made | None:
        """The call, if it was made and what is left of the budget is enough for it."""
        made = self._made.get(key)
        if made is None or not budget.has(made.steps, made.characters):
            return None
        return made

    def keep(self, key: Key, made: Made) -> None:
        """Keep what a call made."""
        size = sum(len(value) for value in made.given if isinstance(value, str))
        self._room -= len(made.text) + size + _PRICE
        if self._room < 0:
            self._made.clear()
            self._room = ROOM
        self._made[key] = made
