"""What traits, specials and effects do in a simulated race: text of packs in, changes out.

`control.dice+# attack.vehicle.value+1` is two changes, each a modifier of the engine's vocabulary
and an amount: a whole number, or # for the number that a vehicle gives. A bare name is +1. `none`,
or nothing at all, is what no race simulates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from generator.diagnostics import did_you_mean

Values = Mapping[str, Any]
"""Of a component, in plain lists and maps."""
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
"""The number of a trait, special or effect that is rolled each time."""
_CHANGE: Final = re.compile(r"([a-z][a-z.-]*?)(?:([+-])(#|\d{1,2}))?")
_FORMS: Final = re.compile(r"\(([^()|]*)\|([^()|]*)\)")
_FIGURE: Final = re.compile(r"[+-]?\d{1,2}")


class ModifierChange(NamedTuple):
    """What is added to one modifier: by, or that many times the number that the vehicle gives."""

    modifier: str
    by: int
    number: bool

    def amount(self, number: int) -> int:
        """By how much, with the vehicle's number."""
        return self.by * number if self.number else self.by


def figure(text: str) -> int | str:
    """A field of type `figure`: a whole number, or `die`. ValueError for anything else."""
    word = text.strip()
    if word in ("die", DIE):
        return DIE
    if not _FIGURE.fullmatch(word):
        raise ValueError("write a whole number such as 2, or die for one that is rolled each time")
    return int(word)


def numbered(text: object, shown: object) -> str:
    """Words of a pack with a number for #, and of `# more (die|dice)` the form that goes with it.

    shown: the number as it is to stand there; # itself, where no vehicle has given one yet."""
    place = 1 if str(shown).lstrip("+−-") == "1" else 2
    return _FORMS.sub(lambda found: found[place], str(text)).replace("#", str(shown))


def trait(text: str) -> list[dict[str, Any]]:
    """A field of type `does-trait`."""
    return _records(text, TRAITS)


def special(text: str) -> list[dict[str, Any]]:
    """A field of type `does-special`."""
    return _records(text, SPECIALS)


def effect(text: str) -> list[dict[str, Any]]:
    """A field of type `does-effect`."""
    return _records(text, EFFECTS)


def stamina(text: str) -> list[dict[str, Any]]:
    """A field of type `does-stamina`."""
    return _records(text, STAMINA)


def changes(records: Any) -> tuple[ModifierChange, ...]:
    """The changes of a checked field; none of one that is left out."""
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
