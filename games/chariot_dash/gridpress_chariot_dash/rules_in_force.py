"""The options of a pack, as they are in force.

options.yaml says so, then the pack.yaml of a pack of one's own, then what a command is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from generator.diagnostics import Diagnostic, did_you_mean, warning
from generator.model.pack import Pack, Record, SourceText
from gridpress_chariot_dash.declared import Values

RuleSetting = bool | int
"""On, off, or on with a figure."""
_WORDS: Final[Mapping[str, bool]] = {
    "on": True, "yes": True, "true": True, "off": False, "no": False, "false": False,
}  # fmt: skip
SCORING: Final = "scoring"
"""The group of options that are points of a scoring race."""
RULES: Final = "rules"
"""The key under `options:` of pack.yaml that has them."""


def setting(text: object) -> RuleSetting:
    """`on`, `off` or a figure. ValueError for anything else."""
    word = str(text).strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    if word.isdecimal() and len(word) <= 2:
        return int(word)
    raise ValueError(f"{str(text)!r}: write on, off, or its figure if it has one, 99 at most")


def rules_of(options: Sequence[Values], pack_options: Values) -> list[Values]:
    """For templates: all options, with `in_force` and `figure` as they hold in the pack that is
    built. options: `components.option`; pack_options: `pack.options`."""
    return list(in_force(options, settings(options, pack_options)))


def scored(text: object, options: Iterable[Values]) -> str:
    """For templates: words with the points of `[score-debris]`, or one more of `[score-hard+1]`,
    as they are in force. options: of `rules_of`."""
    words = str(text)
    for option in options:
        if option["group"] == SCORING:
            points = int(option["figure"] or 0) if option["in_force"] else 0
            words = words.replace(f"[{option['id']}]", str(points))
            words = words.replace(f"[{option['id']}+1]", str(points + 1))
    return SourceText(words, text.span, text.rich) if isinstance(text, SourceText) else words


def settings(options: Iterable[Values], pack_options: Values) -> dict[str, RuleSetting]:
    """What a pack says of the options; what cannot be read is left out, `check` tells of it."""
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
    """The options, each as it holds once some have been changed. ValueError for a figure of an
    option that has none."""
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
    """What `--option NAME[=on|off|figure]` says. ValueError for an option that there is not, or a
    figure that it may not have."""
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
            raise ValueError(f"{name}={chosen}: its figure may be {least} to {most}")
    return found


def excluded(options: Iterable[Values]) -> Iterator[tuple[str, str]]:
    """Pairs of options in force that do not go together, and why."""
    on = {str(option["id"]) for option in options if option["in_force"]}
    both = {"control-damage-ignored", "control-damage-as-clp"}
    if both <= on:
        yield "control-damage-as-clp", "control damage is ignored, and is CLP: only one can hold"
    if {"rolling-start", "rolling-start-by-hexes"} <= on:
        yield "rolling-start-by-hexes", "all start at one speed already"


def idle(options: Iterable[Values]) -> Iterator[tuple[str, str]]:
    """Options in force that others leave without work, and why."""
    on = {str(option["id"]) for option in options if option["in_force"]}
    if "instant-wipe-out" in on and on & {"control-damage-ignored", "control-damage-as-clp"}:
        yield "instant-wipe-out", "control damage does little or nothing already"
    if {"free-drifts", "further-drifts"} <= on:
        yield "further-drifts", "any number of drifts is free already"


def check_rules(pack: Pack) -> Iterator[Diagnostic]:
    """A check of a pack: the options that it, or its pack.yaml, puts in force go together."""
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
        for found, tell in ((excluded(held), Diagnostic), (idle(held), warning)):
            for name, why in found:
                option = known[name]
                place = option.span if isinstance(option, Record) else pack.span
                yield tell(place, "GP923", f"{name} is in force, and {why}", "take one of them off")
