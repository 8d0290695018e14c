"""The smallest changes to a vehicle, and the differences between two vehicles.

A change adds or removes one die, box, hex, card, trait, special or effect. Values are plain data,
with ids for references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from gridpress_chariot_dash.declared import Components, Values, numbered

Plain = dict[str, Any]

ROWS: Final = ("acceleration", "deceleration", "moves", "control", "stamina")
_RESILIENCE: Final = ("blank", "0", "1", "2")
_NUMBERS: Final = (1, 2, 3)
_LEVEL: Final = 2
"""The damage level at which effects are measured."""
_TIRED: Final = 7
"""The stamina at which stamina effects are measured."""
_LAST_LEVEL: Final = 12


class Tweak(Struct, frozen=True):
    """A change. part: the field changed, as in `keep:` of a vehicle. made: returns the changed
    values, or None if impossible.
    """

    id: str
    group: str
    name: str
    part: str
    made: Callable[[Plain], Plain | None]


def plain_values(values: Any) -> Any:
    """Return the values of a checked component as plain data, with ids for references."""
    if isinstance(values, Mapping):
        return {name: _referred(name, value) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [plain_values(value) for value in values]
    return str(values) if isinstance(values, str) else values


def _referred(name: str, value: Any) -> Any:
    if name in ("effect", "trait", "special") and isinstance(value, Mapping):
        return str(value["id"])
    return plain_values(value)


def vehicle_of(values: Values) -> Plain:
    """Return the values that races need, as plain data."""
    wanted = (
        "id", "name", *ROWS, "correspondence", "resilience", "damage_levels", "damage",
        "random_effects", "stamina_minimum", "stamina_effects", "control_minimum", "whip", "reins",
        "dual", "specials", "traits",
    )  # fmt: skip
    return {name: plain_values(values[name]) for name in wanted if name in values}


def every(components: Components) -> Iterator[Tweak]:
    """Yield all changes whose worth is measured, by group."""
    yield from _rows()
    yield from _tracks(components)
    yield from _hand(components)
    for trait in components.get("trait", ()):
        if trait.get("does"):
            numbers = _NUMBERS if trait["number"] == "needed" else (None,)
            for number in numbers:
                yield with_trait(str(trait["id"]), str(trait["name"]), number)


def _rows() -> Iterator[Tweak]:
    for row in ("acceleration", "deceleration"):
        for speed in range(7):
            for by in (-1, 1):
                name = f"1 {row} box {_more(by)} at speed {speed}"
                yield Tweak(
                    f"{row}-{speed}{_sign(by)}", "boxes", name, row, _added(row, (speed,), by, 1)
                )
    for speed in range(1, 7):
        for phase in range(4):
            for by in (-1, 1):
                name = f"1 hex {_more(by)} in phase {phase + 1} of speed {speed}"
                made = _added("moves", (speed, phase), by, 0)
                yield Tweak(f"moves-{speed}-{phase + 1}{_sign(by)}", "moves", name, "moves", made)
    yield from _by_speed()


def _by_speed() -> Iterator[Tweak]:
    for speed in range(7):
        for by in (-1, 1):
            name = f"1 control die {_more(by)} at speed {speed}"
            yield Tweak(f"control-{speed}{_sign(by)}", "control", name, "control", _dice(speed, by))
    for speed in range(7):
        for by in (-1, 1):
            name = f"stamina {'+' if by > 0 else '−'}1 a round at speed {speed}"
            made = _added("stamina", (speed,), by, -9)
            yield Tweak(f"stamina-{speed}{_sign(by)}", "stamina", name, "stamina", made)


def _tracks(components: Components) -> Iterator[Tweak]:
    for by in (-1, 1):
        name = f"resilience {'+' if by > 0 else '−'}1"
        yield Tweak(f"resilience{_sign(by)}", "resilience", name, "resilience", _resilience(by))
    for by in (-1, 1):
        name = f"1 damage level {_more(by)}"
        yield Tweak(f"damage-levels{_sign(by)}", "damage", name, "damage", _levels(by))
    yield Tweak("control-minimum-more", "control", "control track from 1 higher", "control_minimum",
                _added("control_minimum", (), 1, 0))  # fmt: skip
    for effect in components.get("damage-effect", ()):
        if (
            effect.get("does")
            and effect["names"] in ("none", "card")
            and effect["id"] != "wipe-out"
        ):
            signs = (-1, 1) if effect["number"] == "signed" else (1,)
            for sign in signs:
                yield _with_effect(effect, sign)
    for effect in components.get("stamina-effect", ()):
        if effect.get("does"):
            name = f"{_words(effect['label'], 1)} when tired to {_TIRED}"
            made = _listed(
                "stamina_effects", {"at": _TIRED, "effect": str(effect["id"]), "number": 1}
            )
            yield Tweak(f"tired-{effect['id']}", "stamina", name[:48], "stamina_effects", made)


def _with_effect(effect: Values, sign: int) -> Tweak:
    number = None if effect["number"] == "none" else sign
    entry: Plain = {"at": _LEVEL, "effect": str(effect["id"])}
    label = str(effect["label"])
    if number is not None:
        entry["number"] = number
        label = _words(label, number, signed=effect["number"] == "signed")
    if effect["names"] == "card":
        entry["card"] = "either"
        label = label.replace("@", "either")
    name = f"{label} at damage level {_LEVEL}"
    return Tweak(f"effect-{effect['id']}{_sign(sign) if effect['number'] == 'signed' else ''}",
                 "damage", name[:48], "damage", _damaged(entry))  # fmt: skip


def _hand(components: Components) -> Iterator[Tweak]:
    for card, name in (("whip", "Whip"), ("reins", "Reins"), ("dual", "dual card")):
        for by in (-1, 1):
            yield Tweak(f"{card}{_sign(by)}", "cards", f"1 {name} {_more(by)}", "cards",
                        _added(card, (), by, 0))  # fmt: skip
    for special in components.get("special", ()):
        if not special.get("does"):
            continue
        sides = ("whip", "reins") if special["type"] == "either" else (str(special["type"]),)
        for side in sides:
            numbers = (1, 2) if special["number"] == "needed" else (None,)
            for number in numbers:
                yield with_special(str(special["id"]), str(special["name"]), side, number)


def with_trait(trait: str, name: str, number: int | None) -> Tweak:
    """Return the change that adds a trait, or changes its number."""
    entry = {"trait": trait} if number is None else {"trait": trait, "number": number}

    def made(values: Plain) -> Plain:
        others = [one for one in values.get("traits", ()) if one["trait"] != trait]
        return {**values, "traits": [*others, entry]}

    return Tweak(_trait_id(trait, number), "traits", _told(name, number), "traits", made)


def with_special(special: str, name: str, side: str, number: int | None) -> Tweak:
    """Return the change that adds a special to a plain card."""
    told = _behind(name, side, number)
    entry: Plain = {"side": side, "special": special, "once": False, "copies": 1}
    if number is not None:
        entry["number"] = number

    def made(values: Plain) -> Plain | None:
        if values[side] < 1:
            return None
        more = [*values.get("specials", ()), entry]
        return {**values, side: values[side] - 1, "specials": more}

    return Tweak(_special_id(special, side, number), "specials", told, "specials", made)


def _added(
    field: str, where: tuple[int, ...], by: int, least: int
) -> Callable[[Plain], Plain | None]:
    def made(values: Plain) -> Plain | None:
        changed = _at(values.get(field, 0), where, lambda value: value + by)
        found = changed
        for step in where:
            found = found[step]
        return None if found < least else {**values, field: changed}

    return made


def _at(value: Any, where: tuple[int, ...], change: Callable[[Any], Any]) -> Any:
    if not where:
        return change(value)
    first, *rest = where
    return [_at(v, tuple(rest), change) if i == first else v for i, v in enumerate(value)]


def _dice(speed: int, by: int) -> Callable[[Plain], Plain | None]:
    def made(values: Plain) -> Plain | None:
        dice = dice_number(values["control"][speed]) + by
        if not 0 <= dice <= 9:
            return None
        shown = str(dice) if dice else "safe"
        return {**values, "control": _at(values["control"], (speed,), lambda _: shown)}

    return made


def dice_number(control: Any) -> int:
    """Return control dice as a number, 0 if safe."""
    return 0 if control == "safe" else int(control)


def _resilience(by: int) -> Callable[[Plain], Plain | None]:
    def made(values: Plain) -> Plain | None:
        place = _RESILIENCE.index(str(values["resilience"])) + by
        if not 0 <= place < len(_RESILIENCE):
            return None
        return {**values, "resilience": _RESILIENCE[place]}

    return made


def _levels(by: int) -> Callable[[Plain], Plain | None]:
    def made(values: Plain) -> Plain | None:
        levels = values["damage_levels"] + by
        *effects, last = values["damage"]
        if not 1 <= levels <= _LAST_LEVEL or any(entry["at"] > levels for entry in effects):
            return None
        return {**values, "damage_levels": levels, "damage": [*effects, {**last, "at": levels}]}

    return made


def _damaged(entry: Plain) -> Callable[[Plain], Plain | None]:
    def made(values: Plain) -> Plain | None:
        if values["damage_levels"] <= entry["at"]:
            return None
        return {**values, "damage": sorted([entry, *values["damage"]], key=lambda one: one["at"])}

    return made


def _listed(field: str, entry: Plain) -> Callable[[Plain], Plain | None]:
    return lambda values: {**values, field: [*values.get(field, ()), entry]}


def changes_from_baseline(values: Values, baseline: Values) -> Iterator[tuple[str, int, str]]:
    """Yield the differences from the baseline: id of the change, how often, and words if it has no
    id.
    """
    own, base = vehicle_of(values), vehicle_of(baseline)
    known = _referred_to(values) | _referred_to(baseline)
    for row in ("acceleration", "deceleration"):
        for speed, (a, b) in enumerate(zip(own[row], base[row], strict=True)):
            yield from _times(f"{row}-{speed}", a - b)
    for speed, (mine, theirs) in enumerate(zip(own["moves"], base["moves"], strict=True)):
        for phase, (a, b) in enumerate(zip(mine, theirs, strict=True), 1):
            yield from _times(f"moves-{speed}-{phase}", a - b)
    for speed, (a, b) in enumerate(zip(own["control"], base["control"], strict=True)):
        yield from _times(f"control-{speed}", dice_number(a) - dice_number(b))
    for speed, (a, b) in enumerate(zip(own["stamina"], base["stamina"], strict=True)):
        yield from _times(f"stamina-{speed}", a - b)
    yield from _single(own, base)
    yield from _entries(own, base, known)
    for entry in own.get("specials", ()):
        found = _special_id(entry["special"], entry["side"], entry.get("number"))
        name = _name(known, "special", entry["special"])
        words = _behind(name, entry["side"], entry.get("number"))
        yield found, entry.get("copies", 1), words
    for entry in own.get("traits", ()):
        if entry not in base.get("traits", ()):
            words = _told(_name(known, "trait", entry["trait"]), entry.get("number"))
            yield _trait_id(entry["trait"], entry.get("number")), 1, words


def _single(own: Plain, base: Plain) -> Iterator[tuple[str, int, str]]:
    places = [_RESILIENCE.index(str(one["resilience"])) for one in (own, base)]
    yield from _times("resilience", places[0] - places[1])
    yield from _times("damage-levels", own["damage_levels"] - base["damage_levels"])
    yield from _times("control-minimum", own["control_minimum"] - base["control_minimum"])
    for card in ("whip", "reins"):
        behind = [sum(s.get("copies", 1) for s in one.get("specials", ()) if s["side"] == card)
                  for one in (own, base)]  # fmt: skip
        yield from _times(card, own[card] + behind[0] - base[card] - behind[1])
    yield from _times("dual", own.get("dual", 0) - base.get("dual", 0))


KnownTweaks = Mapping[tuple[str, str], Values]
"""Components that vehicles refer to, by kind or list of effects, and id."""


def _referred_to(values: Values) -> dict[tuple[str, str], Values]:
    """Collect whole components; plain data has none."""
    return {
        (field if name == "effect" else name, str(found["id"])): found
        for field in ("damage", "stamina_effects", "specials", "traits")
        for entry in values.get(field) or ()
        for name, found in entry.items()
        if isinstance(found, Mapping)
    }


def _name(known: KnownTweaks, kind: str, name: str) -> str:
    return str(known.get((kind, name), {}).get("name", name))


def _entries(own: Plain, base: Plain, known: KnownTweaks) -> Iterator[tuple[str, int, str]]:
    """Yield differences in effects of damage and stamina.

    Those with number 1, near the level measured, have an id.
    """
    lists = (
        ("damage", "effect", _LEVEL, "damage level"),
        ("stamina_effects", "tired", _TIRED, "stamina"),
    )
    for field, called, measured, place in lists:
        mine, theirs = (Counter(map(_key, one.get(field, ()))) for one in (own, base))
        mine.subtract(theirs)
        for (at, effect, number, named), count in mine.items():
            if effect == "wipe-out" or not count:
                continue
            is_signed = effect in _SIGNED
            was_raced = effect not in _OTHERS and number in (None, 1, *(-1,) * is_signed)
            if was_raced and abs(at - measured) <= 1:
                yield (
                    f"{called}-{effect}" + (_sign(int(number or 0)) if is_signed else ""),
                    count,
                    "",
                )
            else:
                label = known.get((field, effect), {}).get("label", effect)
                words = _words(label, number, signed=is_signed)
                words = words.replace("@", _name(known, "trait", named))
                yield "", count, f"{words} at {place} {at}"


_OTHERS: Final = ("lose-trait", "random")
"""Effects that differ between vehicles."""
_SIGNED: Final = ("acceleration", "deceleration")
"""Effects in either direction."""


def _key(entry: Values) -> tuple[int, str, int | str | None, str]:
    names = entry.get("trait") or entry.get("card") or ""
    return entry["at"], str(entry["effect"]), entry.get("number"), str(names)


def _times(name: str, by: int) -> Iterator[tuple[str, int, str]]:
    if by:
        yield f"{name}{_sign(by)}", abs(by), ""


def _trait_id(trait: str, number: Any) -> str:
    return f"trait-{trait}" + ("" if number is None else f"-{number}")


def _special_id(special: str, side: str, number: Any) -> str:
    return f"special-{special}-{side}" + ("" if number is None else f"-{number}")


def _told(name: str, number: Any) -> str:
    return name if number is None else f"{name} {number}"


def _behind(name: str, side: str, number: Any) -> str:
    return f"{_told(name, number)} behind {'a Whip' if side == 'whip' else 'Reins'}"


def _more(by: int) -> str:
    return "more" if by > 0 else "fewer"


def _sign(by: int) -> str:
    return "-more" if by > 0 else "-fewer"


def _words(label: Any, number: int | str | None, signed: bool = False) -> str:
    shown = f"+{number}" if signed and isinstance(number, int) and number > 0 else number
    told = numbered(label, "" if shown is None else str(shown).replace("-", "−"))
    return told.replace("[[", "").replace("]]", "")


def applied(values: Plain, tweaks: Iterable[Tweak]) -> Plain | None:
    """Apply changes in order; None if one of them is impossible."""
    made: Plain | None = values
    for tweak in tweaks:
        made = tweak.made(made) if made is not None else None
    return made
