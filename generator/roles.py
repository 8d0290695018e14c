"""Says which fields play which parts on a card: title, cost, type, picture, rules, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.model.source import as_id
from generator.picture_folder import BACK
from generator.table_columns import NAMES, Column
from generator.written_yaml import as_values

ROLES: Final = (
    "name", "cost", "type", "art", "text", "flavour", "rank", "artist", "attack", "defence",
    "health",
)  # fmt: skip
"""The parts that the boxes of a look know."""
NUMBERS: Final = ("attack", "defence", "health")
_CALLED: Final = {
    role: frozenset(names.split())
    for role, names in as_values(
        Path(__file__).with_name("starter").joinpath("roles.yaml").read_text("utf-8")
    ).items()
}
"""Names of columns by role."""
_WIDEST_COST: Final = 5
"""Characters of a cost that fit a badge."""
_FEW_TYPES, _A_TINT_EACH = 12, 5
_MOST_MARKS: Final = 3
_MOST_BADGES, _LONGEST_LABEL = 4, 6
_MOST_FACTS: Final = 6
_SHORT_TYPE: Final = 30


class Roles(Struct, frozen=True):
    """The columns that play a part, by its name, and those of each further sort.

    `badges` and `values` are numbers, `facts` short texts, `more` long ones. `answer` is for
    the back. `unused` have no place.
    """

    parts: dict[str, Column]
    badges: tuple[Column, ...] = ()
    values: tuple[Column, ...] = ()
    facts: tuple[Column, ...] = ()
    more: tuple[Column, ...] = ()
    answer: Column | None = None
    back: Column | None = None
    unused: tuple[Column, ...] = ()

    @property
    def shown(self) -> tuple[Column, ...]:
        """Return the columns with a place on the front."""
        return (*self.parts.values(), *self.badges, *self.values, *self.facts, *self.more)

    @property
    def has_pictures(self) -> bool:
        """Return whether the cards have a picture."""
        return "art" in self.parts

    @property
    def types(self) -> tuple[str, ...]:
        """Return the values of the type, the most frequent first; none if they are many."""
        column = self.parts.get("type")
        cells = [] if column is None else [cell for cell in column.cells if cell]
        values = sorted(dict.fromkeys(cells), key=cells.count, reverse=True)
        most = max(_A_TINT_EACH, min(_FEW_TYPES, len(cells) - 1))
        return tuple(values) if len(values) <= most else ()


def roles_of(columns: Iterable[Column]) -> Roles:
    """Return which part each column plays, by its name and by what its cells are."""
    return _Choice(columns).made()


class _Choice:
    """Takes columns for roles, the surest first."""

    def __init__(self, columns: Iterable[Column]) -> None:
        self._order = [c for c in columns if c.name not in ("id", "copies")]
        self._left = list(self._order)
        self._parts: dict[str, Column] = {}

    def made(self) -> Roles:
        unused = self._all(lambda c: c.name in _CALLED["notes"] or c.type == "colour")
        answer = self._question()
        self._take("name", lambda c: c.name == "name")
        self._take("art", lambda c: c.type == "image" and c.name != BACK)
        back = next(iter(self._all(lambda c: c.type == "image" and c.name == BACK)), None)
        unused += self._all(lambda c: c.type == "image")
        for role in ("text", "flavour", "artist"):
            self._take(role, _among(_CALLED[role], lambda c: c.type in ("text", "rich", "choice")))
        self._longest_text()
        self._take("rank", _among(_CALLED["rank"], _is_few))
        for names in (_CALLED["cost"], _CALLED["number"]):
            self._take("cost", _among(names, _fits_badge))
        for role in NUMBERS:
            self._take(role, _among(_CALLED[role], _is_value))
        self._take("type", _among(_CALLED["type"], _is_short))
        self._take("type", lambda c: c.type == "choice")
        self._name()
        if answer is not None and "name" in self._parts:
            self._parts.setdefault("type", self._parts["name"])
        numbers = self._all(_is_value)
        unused += self._all(_is_the_same)
        facts = self._all(lambda c: c.type in ("text", "choice", "bool"))
        more = self._all(lambda c: True)
        known = [role for role in NUMBERS if role in self._parts]
        are_badges = len(numbers) + len(known) <= _MOST_BADGES and all(
            len(c.label) <= _LONGEST_LABEL or len(numbers) + len(known) < _MOST_BADGES - 1
            for c in numbers
        )
        badges, values = (numbers, []) if are_badges else ([], numbers)
        if len(known) + len(numbers) > _MOST_BADGES:
            values += [self._parts.pop(role) for role in known]
            values.sort(key=self._order.index)
        return Roles(
            self._parts, (*badges,), (*values,), (*facts[:_MOST_FACTS],), (*more,), answer, back,
            (*unused, *facts[_MOST_FACTS:]),
        )  # fmt: skip

    def _question(self) -> Column | None:
        """Take the question of a flash card for the text, and return its answer."""
        found = [
            next((c for c in self._left if _is_called(c, role) and c.type != "image"), None)
            for role in ("question", "answer")
        ]
        question, answer = found
        if question is None or answer is None:
            return None
        self._parts["text"] = question
        self._left = [c for c in self._left if c not in (question, answer)]
        return answer

    def _longest_text(self) -> None:
        long = [c for c in self._left if c.type == "rich"]
        if "text" not in self._parts and long:
            self._parts["text"] = max(long, key=lambda c: c.longest)
            self._left.remove(self._parts["text"])

    def _name(self) -> None:
        """Use a short text or the type as the title of cards without a name, and a number as their
        cost."""
        if "name" in self._parts:
            return
        self._take("name", lambda c: c.type in ("text", "choice") and not _is_value(c))
        if "name" not in self._parts and "type" in self._parts:
            self._parts["name"] = self._parts["type"]
        self._take("cost", lambda c: _is_value(c) and _fits_badge(c))

    def _take(self, role: str, fits: Callable[[Column], bool]) -> None:
        if role in self._parts:
            return
        found = next(filter(fits, self._left), None)
        if found is not None:
            self._parts[role] = found
            self._left.remove(found)

    def _all(self, fits: Callable[[Column], bool]) -> list[Column]:
        found = list(filter(fits, self._left))
        self._left = [c for c in self._left if c not in found]
        return found


def has_usual_head(columns: Iterable[Column]) -> bool:
    """Return whether a head is a word that tables of cards usually have."""
    usual = frozenset(NAMES).union(*_CALLED.values())
    return any(as_id(column.head).replace("-", "_") in usual for column in columns)


def is_rules(column: Column) -> bool:
    """Return whether a text is a second one of rules, as in another language."""
    return column.name.partition("_")[0] in _CALLED["text"]


def is_beside_type(column: Column) -> bool:
    """Return whether a text needs no label beside the type: how rare a card is, or its name in
    another language."""
    return column.type != "bool" and (column.name in _CALLED["rank"] or is_called_name(column))


def is_called_name(column: Column) -> bool:
    """Return whether a text is a name, as one in another language."""
    return column.name.partition("_")[0] in NAMES


def _among(names: Collection[str], fits: Callable[[Column], bool]) -> Callable[[Column], bool]:
    return lambda column: column.name in names and fits(column)


def _is_called(column: Column, role: str) -> bool:
    """Return whether a column, or its head in the table, has a name of a role."""
    head = as_id(column.head).replace("-", "_")
    return bool({column.name, head} & _CALLED[role])


def _given(column: Column) -> Iterable[str]:
    return filter(None, column.cells)


def _is_the_same(column: Column) -> bool:
    """Return whether all of several cards have one short value, such as the name of the set."""
    is_short = column.type in ("text", "choice", "bool")
    return is_short and len(column.cells) > 2 and len(set(column.cells)) == 1


def _is_few(column: Column) -> bool:
    """Return whether all values are 1 to 3, which marks can count."""
    marks = {str(number) for number in range(_MOST_MARKS + 1)}
    return column.type == "int" and set(_given(column)) <= marks


def _fits_badge(column: Column) -> bool:
    return column.type in ("int", "number", "text", "choice") and column.longest <= _WIDEST_COST


def _is_short(column: Column) -> bool:
    return column.type in ("text", "choice") and column.longest <= _SHORT_TYPE


_AMOUNT: Final = re.compile(r"[-+×x]?\s*[0-9][0-9.,/+d]*\s*[%+″\"]?|[-–—]|[XV*?]", re.IGNORECASE)


def _is_value(column: Column) -> bool:
    """Return whether cells are numbers, or as good as: `2d6`, `+1`, `3/4`."""
    if column.type in ("int", "number"):
        return True
    cells = list(_given(column))
    return column.type in ("text", "choice") and bool(cells) and all(map(_AMOUNT.fullmatch, cells))
