"""Lays out imported cards in a look, or as their finished pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from generator.looks import SIZES, CardLook, Dress, card_looks
from generator.model.face_file import SUFFIX
from generator.picture_folder import BACK, FRONT, Fitting, side_of
from generator.roles import NUMBERS, ROLES, Roles, is_beside_type, is_called_name, is_rules
from generator.table_columns import Column
from generator.written_yaml import as_values

_FINISHED: Final = """\
{{# A finished picture, which reaches this far beyond the cut, in mm. A landscape one is turned. #}}
{{% set over = {over:g} %}}
{{{{ image(c.{name}, -over, -over, stock.w + 2 * over, stock.h + 2 * over, turn=true) }}}}
"""
_FRONT: Final = """\
# Boxes are those of the look "{title}": {base} shows them with their places.
# Write here only what differs on these cards. docs/face-files.md lists all keys of a box.
like: {base}
"""
_FACT, _LINE, _HEAD = 60, 45, 20
"""Letters that a short text, a line of a table and the head of a long text count for."""
_LONG, _A_LOT, _BIG = 90, 250, 40


def look_for(roles: Roles) -> CardLook:
    """Return the look that suits cards with such columns."""
    text = roles.parts.get("text")
    length = 0 if text is None else text.longest
    has_numbers = "cost" in roles.parts or roles.badges or any(n in roles.parts for n in NUMBERS)
    has_words = bool(length or roles.facts or roles.more)
    if roles.has_pictures and not has_words:
        name = "classic" if has_numbers else "photo"
    elif roles.has_pictures:
        name = "classic" if "type" in roles.parts else "full-art"
    elif length > _A_LOT or roles.more or roles.answer:
        name = "text-heavy"
    elif not has_words and "cost" in roles.parts:
        name = "parchment"  # playing cards: it has their value in two corners
    else:
        name = "classic" if has_numbers and length > _LONG else "modern"
    return card_looks()[name]


def dressed(roles: Roles, dress: Dress, kind: str) -> CardFaces:
    """Return the faces of a kind in a look: its own front, which says where its columns stand, and
    the files of the look."""
    plain, size = not roles.has_pictures, SIZES[dress.size]
    files = dress.files(plain=plain)
    front = f"{kind}{SUFFIX}"
    names = {FRONT: front, BACK: dress.file("-back")}
    files[front] = _Front(roles, dress, plain).text()
    if roles.answer is not None:
        names[BACK] = f"{kind}-back{SUFFIX}"
        parts = {**roles.parts, "text": roles.answer}
        parts = {role: column for role, column in parts.items() if role in ("text", "type")}
        files |= dress.files(plain=True)
        files[names[BACK]] = _Front(Roles(parts), dress, plain=True).text()
    elif roles.back is not None:
        names[BACK] = f"{kind}-back{SUFFIX}"
        box = f"{{picture: {roles.back.name}, at: [0, 0, {size.width}, {size.height}]}}"
        files[names[BACK]] = f"face: {size.stock}\nboxes:\n  art: {box}\n"
    return CardFaces(names, files, size.stock)


class _Front:
    """The face file of a kind, on top of the look's."""

    def __init__(self, roles: Roles, dress: Dress, plain: bool) -> None:
        self._roles = roles
        self._dress = dress
        self._base = dress.file("-plain" if plain else "")
        self._layout = dress.layout(plain=plain)
        icons = {box["icon"] for box in self._layout["boxes"].values() if box and "icon" in box}
        # An icon is not looked up in a field that has its name.
        own = {column.name for column in roles.shown}
        self._fields = {name: _quoted(name) for name in sorted(icons & own - {*ROLES})}
        self._taken = {*ROLES, *icons, *self._layout["let"], "line", _SELF}

        rules = self._layout["boxes"].get("rules") or {"column": ()}
        lines = (box for box in rules["column"] if _BOTH in box.get("when", ""))
        self._line = next(lines, _LINE_BOX)
        self._beside = [each for each in roles.facts if is_beside_type(each)]
        self._second = self._name_of_rules()

    def _name_of_rules(self) -> Column | None:
        """Return the name in another language, if the rules have that language too."""
        if not any(map(is_rules, self._roles.more)):
            return None
        return next((each for each in self._beside if is_called_name(each)), None)

    def text(self) -> str:
        """Return the text of the file."""
        parts = self._roles.parts
        for role in ROLES:
            said = _value(parts[role]) if role in parts else "none"
            if said != role:
                self._fields[role] = said
        if "name" not in parts and "text" in parts:
            self._fields["name"] = _quoted(parts["text"].label)
        boxes, let = dict(self._boxes()), dict(self._let())
        text = _FRONT.format(title=self._dress.look.title, base=self._base)
        if self._fields:
            text += f"fields: {_flow(self._fields)}\n"
        text += "".join(_block("let", let))
        text += "".join(_block("boxes", boxes)) or "# boxes: {name: {size: 11pt}}\n"
        tints = self._tints()
        return text + "".join(_block("variants", {"by": "type", **tints} if tints else {}))

    def _let(self) -> Iterator[tuple[str, str]]:
        roles = self._roles
        facts = [each for each in roles.facts if each not in self._beside]
        count = _FACT * len(facts) + _LINE * ((len(roles.values) + 1) // 2)
        if letters := self._layout["let"].get("letters"):
            letters += "".join(f' + ({self._known(each)} or "") | length' for each in roles.more)
            count += _HEAD * sum(not is_rules(each) for each in roles.more)
            # Cards with fewer words look like the others.
            usual = self._usual_letters()
            plus = f" + {count}" if count else ""
            yield "letters", f"[{letters}, {usual}] | max{plus}"
        if facts or roles.values or roles.more:
            yield "bare", "false"
        if roles.badges:
            numbers: list[str] = [role for role in NUMBERS if role in roles.parts]
            numbers += map(self._known, roles.badges)
            yield "numbers", " or ".join(f"{number} is not none" for number in numbers)
        if also := self._also():
            if "typed" in self._layout["let"]:
                yield "typed", "true"
            yield "line", f'[type, {", ".join(also)}] | select | join(" · ")'

    def _usual_letters(self) -> int:
        """Return how many letters of long texts four of five cards have at most."""
        columns = [c for role, c in self._roles.parts.items() if role in ("text", "flavour")]
        cells = zip(*(column.cells for column in (*columns, *self._roles.more)), strict=True)
        counts = sorted(sum(map(len, row)) for row in cells) or [0]
        return counts[(len(counts) - 1) * 4 // 5]

    def _also(self) -> list[str]:
        """Return the texts beside the type: the rarity, and the name in another language."""
        return [self._known(column) for column in self._beside if column is not self._second]

    def _boxes(self) -> Iterator[tuple[str, dict[str, Any] | None]]:
        layout = self._layout["boxes"]
        parts = self._roles.parts
        if "type" in layout and self._also():
            yield "type", {"text": "line"}
        elif "type" in parts and parts["type"] is parts.get("name"):
            yield "type", None
        if "name" not in parts:  # what it says instead is only a label
            yield "name", {"size": "9pt"}
            if layout.get("rules") and "text" in parts and parts["text"].longest <= _BIG:
                yield "rules", {"size": "28pt"}
        label = parts["artist"].label if "artist" in parts else ""
        if "artist" in layout and label not in _ENGLISH:
            yield "artist", {"text": f"{label}: {{{{ artist }}}}"}
        if rules := layout.get("rules"):
            column = list(self._column(rules["column"]))
            if column != rules["column"]:
                at_top = {"valign": "top"} if self._roles.values else {}
                yield "rules", {"column": column, **at_top}
        if self._roles.badges and (stats := layout.get("stats")):
            yield "stats", {"row": list(self._badges(stats["row"]))}

    def _column(self, column: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """Yield the boxes of the rules: short texts and numbers, a line, the look's own, and
        further long texts behind the first."""
        facts, line = list(self._facts()), self._line
        yield from facts
        if facts:
            shown = [*self._roles.values, *self._roles.facts]
            shown = [one for one in shown if one not in self._beside]
            given = " or ".join(f"{self._known(one)} is not none" for one in shown)
            always = any(not one.is_optional for one in shown)
            some = "text or flavour" if always else f"(text or flavour) and ({given})"
            yield {**line, "when": some}
        yield column[0]
        for number, more in enumerate(self._roles.more):
            yield {**line, "when": f"text and {self._known(more)}"}
            if is_rules(more):
                if number == 0 and self._second is not None:
                    yield {"text": f"**{{{{ {self._known(self._second)} }}}}**"}
                yield {"text": self._known(more)}
            else:
                yield {"text": f"**{more.label}** {{{{ {self._known(more)} }}}}"}
        yield from column[1:]

    def _facts(self) -> Iterator[dict[str, Any]]:
        """Yield the boxes of short texts and numbers: tables, then texts that need more than a
        line, a rule before each."""
        facts = [fact for fact in self._roles.facts if fact not in self._beside]
        for fact in facts:
            if fact.type == "bool":
                yield {"words": fact.label, "when": self._known(fact)}
        if self._roles.values:
            lines = {column.label: self._sentence(column) for column in self._roles.values}
            across = 1 if len(lines) < _TWO else 2
            yield {"table": lines, "across": across, "gap": 4, "lines": "mark"}
        facts = [fact for fact in facts if fact.type != "bool"]
        short = list(filter(_fits_a_line, facts))
        if short:
            yield {"table": {fact.label: self._known(fact) for fact in short}, "lines": "mark"}
        long = [fact for fact in facts if fact not in short]
        for number, fact in enumerate(long):
            if number:
                yield {**self._line, "when": self._known(fact)}
            yield {"text": f"**{fact.label}** {{{{ {self._known(fact)} }}}}"}

    def _badges(self, row: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for number, role in enumerate(NUMBERS):
            if role in self._roles.parts and number < len(row):
                yield dict(row[number])
        what = "badge" if "badge" in row[0] else "text"
        for column in self._roles.badges:
            yield {
                **row[0],
                what: f"{column.label} {{{{ {_value(column, self._known(column))} }}}}",
            }

    def _sentence(self, column: Column) -> str:
        return f"**{{{{ {_value(column, self._known(column))} }}}}**"

    def _known(self, column: Column) -> str:
        """Return the name of a column in boxes: another one if a part has that name."""
        if column.name not in self._taken:
            return column.name
        self._fields[f"own_{column.name}"] = _field(column.name)
        return f"own_{column.name}"

    def _tints(self) -> dict[str, Any]:
        """Return the variants of each type, in the tints of the look."""
        known = {value: _without_icons(boxes) for value, boxes in self._layout["variants"].items()}
        types = [value for value in self._roles.types if value != "by" and value not in known]
        free = [{}, *(boxes for boxes in known.values() if boxes)]
        tints = {value: free[number % len(free)] for number, value in enumerate(types)}
        return {value: boxes for value, boxes in tints.items() if boxes}


_BOTH: Final = "text and flavour"
_LINE_BOX: Final = {"line": "mark", "width": 0.25}
_SELF: Final = "self"
_ENGLISH: Final = {"", "Artist", "Art by", "Illustrator", "Illustration by", "Drawn by"}
"""Heads that are printed as "Art: …"; others are printed as they are."""
_TWO, _A_LINE = 4, 36
"""Numbers that two columns need, and letters of a text that fits into a table."""


def _fits_a_line(column: Column) -> bool:
    """Return whether a text is short, and no sentence."""
    return column.longest <= _A_LINE and not any(
        cell[-1:] in ".!?…" for cell in column.cells if cell
    )


def _quoted(words: str) -> str:
    """Return words as an expression."""
    return json.dumps(words, ensure_ascii=False) if "'" in words else f"'{words}'"


def _without_icons(boxes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes of boxes without the signs that belong to the look's own types."""
    changes = {
        name: {key: value for key, value in box.items() if key != "icon"}
        if isinstance(box, dict)
        else box
        for name, box in boxes.items()
    }
    return {name: change for name, change in changes.items() if change != {}}


def _field(name: str) -> str:
    """Return the expression for a field: one name means something else in expressions."""
    return f"c.{name}" if name == _SELF else name


def _value(column: Column, name: str = "") -> str:
    """Return the expression for a field, with a decimal comma where the table has one."""
    name = name or _field(column.name)
    return f'{name} | string | replace(".", ",") if {name} is not none' if column.comma else name


def _block(key: str, entries: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a map, each of its entries on one."""
    if entries:
        yield f"{key}:\n"
    for name, value in entries.items():
        yield f"  {_flow(name)}: {_flow(value)}\n"


def _flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_flow(name)}: {_flow(each)}' for name, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    is_plain = isinstance(value, str) and _PLAIN.fullmatch(value) and as_values(value) == value
    if is_plain:
        return str(value)
    if isinstance(value, str) and '"' in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False)


_PLAIN: Final = re.compile(r"[^\W\d][\w .|()-]*[\w.)]|[^\W\d]")
"""Words that need no quotes; `yes` and the like are ruled out apart from this."""


class CardFaces(Struct, frozen=True):
    """The name of each side's file, the files by their paths in the pack's templates, the stock,
    and whether pictures that end at the cut are mirrored."""

    names: Mapping[str, str]
    files: Mapping[str, str]
    stock: str = "poker"
    mirrors: bool = False
    draft: bool = True


def sides_of(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of finished pictures, front first, if the table shows nothing else."""
    shown = [column for column in columns if column.name not in ("id", "name", "copies")]
    named = {side_of(column.name): column for column in shown if column.type == "image"}
    sides = tuple(named[side] for side in (FRONT, BACK) if side in named)
    return sides if FRONT in named and len(sides) == len(shown) else ()


def picture_faces(
    kind: str, sides: Sequence[Column], fits: Sequence[Fitting], *, draft: bool
) -> CardFaces:
    """Return the faces of finished pictures; a `draft` if some are missing."""
    names, files = {}, {}
    for side, column, fit in zip((FRONT, BACK), sides, fits, strict=False):
        placed = _FINISHED.format(over=fit.bleed, name=column.name)
        if column.is_optional:
            test = f'c.{column.name} is not none and c.{column.name} != ""'
            placed = f"{{% if {test} %}}\n{placed}{{% endif %}}\n"
        names[side] = f"{kind}{'-back' * (side == BACK)}.svg.j2"
        files[names[side]] = placed
    mirrors = any(fit.bleed < fit.stock.bleed for fit in fits)
    return CardFaces(names, files, fits[0].stock.name, mirrors, draft)
