"""The rules that a pack declares: effects of traits and specials, options, licences.

`control.dice+# attack.vehicle.value+1` is two changes: a modifier and an amount each, where # is
the vehicle's number. A bare name means +1. `none` or nothing is not simulated.

Options come from options.yaml, then the author's pack.yaml, then the command line.

A licence has a row of boxes for acceleration and one for deceleration. Each speed has the same
width in both, and boxes correspond where they overlap: box i of a covers i/a … (i+1)/a of the
width. The marker has a box in each row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from generator.diagnostics import Diagnostic, did_you_mean, warning
from generator.model.pack import Pack
from generator.model.values import Record, SourceText

Values = Mapping[str, Any]
"""The fields of a component as plain lists and maps."""
Components = Mapping[str, Sequence[Values]]

TRAITS: Final = frozenset(
    "recover swap reins-as-whip keep-any eager accelerating.rival accelerating.free "
    "accelerating.discards accelerating.rerolls accelerating.subtract accelerating.add "
    "accelerating.dice decelerating.dice decelerating.free decelerating.discards "
    "decelerating.rerolls decelerating.subtract "
    "decelerating.add flies leaps grounded control.discards control.rerolls control.dice clp.calms "
    "spins-further slides-further whip-as-reins attacks-ahead attack.vehicle.ties "
    "attack.vehicle.dice attack.vehicle.rerolls attack.vehicle.value defence.vehicle.dice "
    "defence.vehicle.rerolls defence.vehicle.value ambushes attack.personal.ties "
    "attack.personal.dice attack.personal.rerolls attack.personal.value defence.personal.dice "
    "defence.personal.rerolls defence.personal.value damage.collision.dice damage.control.dice "
    "damage.other.dice damage.dice".split()
)
EFFECTS: Final = TRAITS | frozenset(
    "clp.each-round unsafe resilience damage.now damage.each-round lose-trait lose-card "
    "accelerating.most decelerating.most speed.most slow-as-haste haste-as-slow random "
    "wipe-out".split()
)
SPECIALS: Final = frozenset(
    "value add dice discards rerolls slow-as-haste haste-as-slow rams stops rolls-again "
    "discards-icon recovers-all".split()
)
STAMINA: Final = frozenset("speed virtual.reins virtual.whips clp".split())

DIE: Final = "a die"
"""The number of what is rolled every time."""
_CHANGE: Final = re.compile(r"([a-z][a-z.-]*?)(?:([+-])(#|\d{1,2}))?")
_FORMS: Final = re.compile(r"\(([^()|]*)\|([^()|]*)\)")
_FIGURE: Final = re.compile(r"[+-]?\d{1,2}")


class ModifierChange(NamedTuple):
    """A change of a modifier by `by`, times the vehicle's number if `number`."""

    modifier: str
    by: int
    number: bool

    def amount(self, number: int) -> int:
        """Return the change for a vehicle's number."""
        return self.by * number if self.number else self.by


def figure(text: str) -> int | str:
    """Read a field of type `figure`: a whole number or `die`. Raises ValueError for others."""
    word = text.strip()
    if word in ("die", DIE):
        return DIE
    if not _FIGURE.fullmatch(word):
        raise ValueError("write a whole number such as 2, or die for one that is rolled each time")
    return int(word)


def numbered(text: object, shown: object) -> str:
    """Replace # in a text by `shown`, and choose the form of `# more (die|dice)`."""
    place = 1 if str(shown).lstrip("+−-") == "1" else 2
    return _FORMS.sub(lambda found: found[place], str(text)).replace("#", str(shown))


def trait(text: str) -> list[dict[str, Any]]:
    """Read a field of type `does-trait`."""
    return _records(text, TRAITS)


def special(text: str) -> list[dict[str, Any]]:
    """Read a field of type `does-special`."""
    return _records(text, SPECIALS)


def effect(text: str) -> list[dict[str, Any]]:
    """Read a field of type `does-effect`."""
    return _records(text, EFFECTS)


def stamina(text: str) -> list[dict[str, Any]]:
    """Read a field of type `does-stamina`."""
    return _records(text, STAMINA)


def changes(records: Any) -> tuple[ModifierChange, ...]:
    """Return the changes of a checked field."""
    return tuple(ModifierChange(r["modifier"], r["by"], r["number"]) for r in records or ())


def _records(text: str, known: Collection[str]) -> list[dict[str, Any]]:
    return [change._asdict() for change in _changes(text, known)]


def _changes(text: str, known: Collection[str]) -> Iterator[ModifierChange]:
    if text.strip() == "none":
        return
    for word in text.split():
        found = _CHANGE.fullmatch(word)
        if found is None:
            raise ValueError(f"{word!r}: write a modifier and an amount, such as control.dice+#")
        name, sign, amount = found.groups()
        if name not in known:
            hint = did_you_mean(name, known)
            raise ValueError(f"no modifier {name!r}; {hint}" if hint else f"no modifier {name!r}")
        by = 1 if amount in (None, "#") else int(amount)
        yield ModifierChange(name, -by if sign == "-" else by, amount == "#")


RuleSetting = bool | int
"""On, off, or on with a figure."""
_WORDS: Final[Mapping[str, bool]] = {
    "on": True, "yes": True, "true": True, "off": False, "no": False, "false": False,
}  # fmt: skip
SCORING: Final = "scoring"
"""The group of options that set points of a scoring race."""
RULES: Final = "rules"
"""The key under `options:` in pack.yaml."""


def setting(text: object) -> RuleSetting:
    """Read `on`, `off` or a figure. Raises ValueError for anything else."""
    word = str(text).strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    if word.isdecimal() and len(word) <= 2:
        return int(word)
    raise ValueError(f"{str(text)!r}: write on, off, or its figure if it has one, 99 at most")


def rules_of(options: Sequence[Values], pack_options: Values) -> list[Values]:
    """Return all options as they are in the pack being built, for templates.

    options: `components.option`; pack_options: `pack.options`.
    """
    return list(in_force(options, settings(options, pack_options)))


def scored(text: object, options: Iterable[Values]) -> str:
    """Replace `[score-debris]` by its points and `[score-hard+1]` by one more, for templates.

    options: from `rules_of`.
    """
    words = str(text)
    for option in options:
        if option["group"] == SCORING:
            points = int(option["figure"] or 0) if option["in_force"] else 0
            words = words.replace(f"[{option['id']}]", str(points))
            words = words.replace(f"[{option['id']}+1]", str(points + 1))
    return SourceText(words, text.span, text.rich) if isinstance(text, SourceText) else words


def settings(options: Iterable[Values], pack_options: Values) -> dict[str, RuleSetting]:
    """Return a pack's settings of options, without those that `check_rules` reports."""
    known = {str(option["id"]) for option in options}
    found: dict[str, RuleSetting] = {}
    for name, value in _written(pack_options):
        if name in known:
            try:
                found[name] = setting(value)
            except ValueError:
                continue
    return found


def _written(pack_options: Values) -> Iterator[tuple[str, Any]]:
    rules = pack_options.get(RULES)
    yield from rules.items() if isinstance(rules, Mapping) else ()


def in_force(options: Iterable[Values], changed: Mapping[str, RuleSetting]) -> Iterator[Values]:
    """Yield the options with changes applied.

    Raises ValueError for a figure of an option without one.
    """
    for option in options:
        name = str(option["id"])
        if name not in changed:
            yield option
            continue
        value = changed[name]
        if isinstance(value, bool):
            more: dict[str, RuleSetting] = {"in_force": value}
        elif option.get("figure") is None:
            raise ValueError(f"{name} has no figure: write {name}=on or {name}=off")
        else:
            more = {"in_force": True, "figure": value}
        yield (
            Record({**option, **more}, option.span)
            if isinstance(option, Record)
            else {
                **option,
                **more,
            }
        )


def asked_for(words: Iterable[str], options: Sequence[Values]) -> dict[str, RuleSetting]:
    """Read `--option NAME[=on|off|figure]`.

    Raises ValueError for an unknown option or a wrong figure.
    """
    known = {str(option["id"]): option for option in options}
    found: dict[str, RuleSetting] = {}
    for word in words:
        name, is_set, value = word.partition("=")
        if name not in known:
            raise ValueError(f"there is no option {name!r}; {did_you_mean(name, known)}")
        found[name] = chosen = setting(value) if is_set else True
        if isinstance(chosen, bool):
            continue
        if known[name].get("figure") is None:
            raise ValueError(f"{name} has no figure: write {name}=on or {name}=off")
        least, most = known[name]["least"], known[name]["most"]
        if not least <= chosen <= most:
            raise ValueError(f"{name}={chosen}: its figure must be from {least} to {most}")
    return found


def excluded(options: Iterable[Values]) -> Iterator[tuple[str, str]]:
    """Yield options in force that contradict another, and why."""
    on = {str(option["id"]) for option in options if option["in_force"]}
    both = {"control-damage-ignored", "control-damage-as-clp"}
    if both <= on:
        yield "control-damage-as-clp", "control damage is ignored, and is CLP: only one can hold"
    if {"rolling-start", "rolling-start-by-hexes"} <= on:
        yield "rolling-start-by-hexes", "all start at one speed already"


def idle_options(options: Iterable[Values]) -> Iterator[tuple[str, str]]:
    """Yield options in force that have no effect beside another, and why."""
    on = {str(option["id"]) for option in options if option["in_force"]}
    if "instant-wipe-out" in on and on & {"control-damage-ignored", "control-damage-as-clp"}:
        yield "instant-wipe-out", "control damage does little or nothing already"
    if {"free-drifts", "further-drifts"} <= on:
        yield "further-drifts", "any number of drifts is free already"


def check_rules(pack: Pack) -> Iterator[Diagnostic]:
    """Check that the options in force are valid and go together."""
    options = [component.values for component in pack.components.get("option", ())]
    if not options:
        return
    known = {str(option["id"]): option for option in options}
    rules = pack.options.get(RULES)
    changed: dict[str, RuleSetting] = {}
    for name, value in _written(pack.options):
        span = rules.span_of(name) if isinstance(rules, Record) else pack.span
        try:
            changed |= asked_for([f"{name}={value}"], options)
        except ValueError as error:
            yield Diagnostic(span, "GP923", f"options.rules.{name}: {error}",
                             f"the options are {', '.join(known)}")  # fmt: skip
    if changed or "option" not in pack.lent:
        held = list(in_force(options, changed))
        for found, tell in ((excluded(held), Diagnostic), (idle_options(held), warning)):
            for name, why in found:
                option = known[name]
                place = option.span if isinstance(option, Record) else pack.span
                yield tell(place, "GP923", f"{name} is in force, and {why}", "turn one of them off")


_A_DIE: Final = 2
SPEEDS: Final = 7

Pairs = Mapping[int, Sequence[tuple[int, int]]]
"""By speed, pairs of corresponding boxes, each from 0 within the speed."""


class Marker(NamedTuple):
    """The marker's box in each row, from 0 at the left end."""

    acceleration: int
    deceleration: int


class SpeedTable(Struct, frozen=True, eq=False):
    """The speed table of a licence, by box; `first` and `last` by speed.

    below: the right-most deceleration box under an acceleration box. above: the left-most
    acceleration box over a deceleration box. first, last: markers at the ends of a speed.
    """

    speeds: tuple[int, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    first: tuple[Marker, ...]
    last: tuple[Marker, ...]

    @classmethod
    def of(
        cls, acceleration: Sequence[int], deceleration: Sequence[int], pairs: Pairs | None = None
    ) -> SpeedTable:
        """Build the table from boxes by speed, with explicit pairs where given.

        Raises ValueError unless there are seven positive numbers and complete pairs.
        """
        rows = (tuple(acceleration), tuple(deceleration))
        if any(len(row) != SPEEDS or min(row) < 1 for row in rows):
            raise ValueError(f"{SPEEDS} numbers of boxes from 1 are needed, not {rows}")
        speeds: list[int] = []
        below: list[int] = []
        above: list[int] = []
        first: list[Marker] = []
        last: list[Marker] = []
        for speed, (a, d) in enumerate(zip(*rows, strict=True)):
            start = Marker(len(below), len(above))
            down, up = _mapped(pairs[speed], a, d) if pairs and speed in pairs else _equal(a, d)
            below += [start.deceleration + box for box in down]
            above += [start.acceleration + box for box in up]
            speeds += [speed] * a
            first.append(start)
            last.append(Marker(len(below) - 1, len(above) - 1))
        return cls(tuple(speeds), tuple(below), tuple(above), tuple(first), tuple(last))

    def speed(self, marker: Marker) -> int:
        """Return the speed, 0 to 6."""
        return self.speeds[marker.acceleration]

    def accelerate(self, marker: Marker, boxes: int) -> Marker:
        """Move right in the upper row; the excess decelerates (over-whipping)."""
        if boxes <= 0:
            return marker
        end = len(self.below) - 1
        box = marker.acceleration + boxes
        if box <= end:
            return Marker(box, self.below[box])
        return self.decelerate(Marker(end, self.below[end]), box - end)

    def decelerate(self, marker: Marker, boxes: int) -> Marker:
        """Move left in the lower row, at most to its left end."""
        if boxes <= 0:
            return marker
        box = max(0, marker.deceleration - boxes)
        return Marker(self.above[box], box)

    def moved(self, marker: Marker, boxes: int) -> Marker:
        """Move right for positive boxes, left for negative ones."""
        return self.accelerate(marker, boxes) if boxes > 0 else self.decelerate(marker, -boxes)


def _equal(a: int, d: int) -> tuple[list[int], list[int]]:
    """Return corresponding boxes of equal subdivision, downward and upward."""
    down = [-(-(i + 1) * d // a) - 1 for i in range(a)]
    up = [j * a // d for j in range(d)]
    return down, up


def _mapped(pairs: Sequence[tuple[int, int]], a: int, d: int) -> tuple[list[int], list[int]]:
    if {i for i, _ in pairs} != set(range(a)) or {j for _, j in pairs} != set(range(d)):
        raise ValueError(f"a map of {a} boxes over {d} must name each of them, and no other")
    if (0, 0) not in pairs or (a - 1, d - 1) not in pairs:
        raise ValueError("in a map the first boxes correspond, and so do the last")
    down = [max(j for i, j in pairs if i == box) for box in range(a)]
    up = [min(i for i, j in pairs if j == box) for box in range(d)]
    return down, up


BLANK: Final = -1
"""Blank resilience: any die exceeds it, even a 0."""
SAFE: Final = 0
"""The control dice of a safe speed."""
STAMINA_TOP: Final = 10


class Vehicle(Struct, frozen=True, eq=False):
    """A vehicle for exact odds.

    moves: hexes by speed and phase. control: dice by speed, 0 if safe. resilience: −1 if blank.
    mods: sums by modifier; a die counts 2, as its mean is 1.5.
    """

    id: str
    name: str
    table: SpeedTable
    moves: tuple[tuple[int, ...], ...]
    control: tuple[int, ...]
    resilience: int
    control_minimum: int
    mods: Mapping[str, int]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Vehicle:
        """Return the vehicle of a checked component."""
        resilience = values["resilience"]
        return cls(
            id=str(values["id"]),
            name=str(values["name"]),
            table=speed_table_of(values),
            moves=tuple(tuple(row) for row in values["moves"]),
            control=tuple(SAFE if dice == "safe" else int(dice) for dice in values["control"]),
            resilience=BLANK if resilience == "blank" else int(resilience),
            control_minimum=int(values.get("control_minimum", 0)),
            mods=_mods(values.get("traits", ())),
        )


def speed_table_of(values: Mapping[str, Any]) -> SpeedTable:
    """Return a vehicle's speed table. Raises ValueError like `SpeedTable.of`."""
    pairs = {
        int(entry["speed"]): [(int(a) - 1, int(d) - 1) for a, d in entry["pairs"]]
        for entry in values.get("correspondence") or ()
    }
    return SpeedTable.of(values["acceleration"], values["deceleration"], pairs)


def _mods(entries: Sequence[Mapping[str, Any]]) -> Counter[str]:
    mods = Counter[str]()
    for entry in entries:
        number = entry.get("number")
        amount = _A_DIE if number == DIE else max(0, int(number or 0))
        for change in changes(entry["trait"].get("does")):
            mods[change.modifier] += change.amount(amount)
    return mods
