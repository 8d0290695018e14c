"""Packs in, docs/packs/<pack>-rules.md out: where each numbered rule is printed; run `make rules`.

    python docs/rules.py [--check] [dragon-draft...]

A text of a pack names the rules that it prints in a field beside it, `rule: [DD-15, R-1]`; which
numbers there are is in tests/packs/rule_numbers.yaml. A text counts as printed where a face shows
it, for the most players, or for fewer if its rule is on no sheet for the most. `--check` writes
nothing and fails when a page is not as the pack prints it or a number is nowhere.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from generator.build import Order, draw, open_pack
from generator.cache import user_cache
from generator.model.face import Face
from generator.model.pack import Component, Field, Layout, Pack
from generator.model.values import Record
from generator.project import find_targets

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs/packs"
NUMBERS = ROOT / "tests/packs/rule_numbers.yaml"
HEADINGS = ("heading", "title", "question", "name")
FEW_WORDS = 6
WORD = re.compile(r"[^\W_]+")
FILLED_IN = re.compile(r"\{[^}]*\}|<[^>]*>|\[[^\]]*\]|[#@$%]+\w?")
"""What a template puts something else in for: icons and figures."""


@dataclass(frozen=True)
class Told:
    """A text with the rules that it prints, where it is written."""

    rules: tuple[str, ...]
    component: Component
    heading: str
    run: str
    """The longest part of it that is printed just as it is written."""


@dataclass(frozen=True)
class Drawn:
    """A pack for a number of players, and what can be read on each of its faces."""

    pack: Pack
    players: int | None
    words: Mapping[tuple[str, str, str], str]


def main(arguments: Sequence[str]) -> int:
    checks = "--check" in arguments
    wrong = []
    for pack in [word for word in arguments if word != "--check"] or listed():
        page, text = PAGES / f"{pack}-rules.md", rules_page(pack)
        if checks and (not page.exists() or page.read_text(encoding="utf-8") != text):
            wrong.append(f"{page}: not as the pack is printed now; run make rules")
        elif not checks:
            page.write_text(text, encoding="utf-8")
        nowhere = set(missing(pack)) - set(known(pack)["missing"])
        if nowhere:
            wrong.append(f"{pack}: no text prints {', '.join(sorted(nowhere))}")
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return int(bool(wrong))


def rules_page(pack: str) -> str:
    """The page: each number in order with its places."""
    title = drawn(pack).pack.title
    places = printed(pack)
    held = known(pack)["held"]
    rows = [
        f"| {number} | {'; '.join(places.get(number) or [_unprinted(number, held)])} |\n"
        for number in numbers(pack)
    ]
    return (
        f"# Where {title} prints its rules\n\nMade by `make rules` from the fields `rule` in "
        f"`cards/{pack}`; do not edit.\n\n| rule | printed |\n|---|---|\n{''.join(rows)}"
    )


def _unprinted(number: str, held: Mapping[str, str]) -> str:
    if number not in held:
        return "**nowhere yet**"
    file, _, words = held[number].partition("::")
    return f"nothing to print: `{file}` holds it, *{words}*"


def missing(pack: str) -> tuple[str, ...]:
    """The numbers that nothing prints and nothing else holds."""
    places = printed(pack)
    held = known(pack)["held"]
    return tuple(number for number in numbers(pack) if number not in {**places, **held})


def listed() -> dict[str, Any]:
    """The packs whose rules are numbered."""
    told: dict[str, Any] = yaml.safe_load(NUMBERS.read_text(encoding="utf-8"))
    return told


def known(pack: str) -> dict[str, Any]:
    """What is listed of a pack's numbers."""
    return {"held": {}, "missing": [], **listed()[pack]}


def numbers(pack: str) -> tuple[str, ...]:
    """All rules of a pack: DD-1, DD-2 ..."""
    lasts = known(pack)["numbers"].items()
    return tuple(f"{letters}-{n}" for letters, last in lasts for n in range(1, last + 1))


@cache
def printed(pack: str) -> dict[str, list[str]]:
    """Where each rule is printed; one that is on no sheet for the most players is looked for on
    those of fewer, which are drawn for that alone."""
    most = drawn(pack)
    places: dict[str, list[str]] = {}

    def look(told: Told, on: Drawn) -> None:
        for rule in told.rules:
            where = places.setdefault(rule, [])
            where.extend(place for place in places_of(told, on) if place not in where)

    several = sorted(texts(most.pack), key=lambda told: told.heading)
    for told in several:
        look(told, most)
    for told in several:
        for players in range(_fewest(pack), most.pack.players or 0):
            if not all(places[rule] for rule in told.rules):
                look(told, drawn(pack, players))
    strange = sorted(set(places) - set(numbers(pack)))
    if strange:
        raise SystemExit(f"{pack}: there is no rule {', '.join(strange)}; see {NUMBERS.name}")
    return {rule: sorted(where, key=_by_page) for rule, where in places.items() if where}


def _fewest(pack: str) -> int:
    about = yaml.safe_load((ROOT / "cards" / pack / "pack.yaml").read_text(encoding="utf-8"))
    return int(about["players"]["min"])


def _by_page(place: str) -> list[tuple[bool, int, str]]:
    parts = re.split(r"(\d+)", place)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


@cache
def drawn(pack: str, players: int | None = None) -> Drawn:
    (target,) = find_targets([pack])
    order = Order(players=players, cache=user_cache())
    opened = open_pack(target, order)
    if opened.value is None:
        raise SystemExit(f"{pack}: gridpress check {pack} says what is wrong with it")
    faces = draw(opened.value, order).value
    return Drawn(opened.value.pack, players, {_name(face): plain(face.words) for face in faces})


def _name(face: Face) -> tuple[str, str, str]:
    return face.kind, face.component, face.name


def plain(text: str | None) -> str:
    """Only the words of a text, a blank on either side of each."""
    return f" {' '.join(WORD.findall(text or ''))} "


def texts(pack: Pack) -> Iterator[Told]:
    """All texts that name rules, in components and in the records nested in them."""
    for kind in pack.kinds.values():
        for component in pack.components.get(kind.name, ()):
            yield from _texts(kind.fields, component.values, component, ())


def _texts(
    fields: Mapping[str, Field], values: Record, component: Component, above: tuple[str, ...]
) -> Iterator[Told]:
    heading = next((str(values[key]) for key in HEADINGS if values.get(key)), "")
    headings = (*above, heading) if heading else above
    if values.get("rule") and "rule" in fields:
        said = [text for name, field in fields.items() for text in _said(name, field, values)]
        yield Told(tuple(values["rule"]), component, "".join(headings[-1:]), longest_run(said))
    for name, field in fields.items():
        for nested_fields, nested in _nested(field, values.get(name)):
            yield from _texts(nested_fields, nested, component, headings)


def _nested(field: Field, value: Any) -> Iterator[tuple[Mapping[str, Field], Record]]:
    """The records in a field, without those of other components."""
    if field.type in ("list", "table"):
        for item in value or ():
            if field.of is not None:
                yield from _nested(field.of, item)
            elif isinstance(item, Record):
                yield field.fields, item
    elif field.type == "map" and isinstance(value, Record):
        yield field.fields, value


def _said(name: str, field: Field, values: Record) -> Iterable[str]:
    """The texts of one field."""
    if name in ("rule", "id") or not values.get(name):
        return ()
    if field.type in ("text", "rich"):
        return (str(values[name]),)
    is_list = field.type == "list" and field.of is not None and field.of.type in ("text", "rich")
    return map(str, values[name]) if is_list else ()


def longest_run(said: Iterable[str]) -> str:
    runs = (plain(run) for text in said for run in FILLED_IN.split(text))
    return max(runs, key=len, default="")


def places_of(told: Told, on: Drawn) -> list[str]:
    """The faces that show a text: its own component's, and others if that is hardly by chance."""
    if len(told.run) < 3:
        return []
    shown = [name for name, words in on.words.items() if told.run in words]
    own = (told.component.kind, told.component.id)
    mine = [name for name in shown if name[:2] == own]
    wide = not mine or told.run.count(" ") > FEW_WORDS
    places = (place(name, told, on) for name in (shown if wide else mine))
    return list(dict.fromkeys(places))


def place(name: tuple[str, str, str], told: Told, on: Drawn) -> str:
    """`Rules booklet, page 3: The turn, Draft`, `Character card`."""
    kind, component, _ = name
    where = on.pack.kinds[kind].title
    booklet = any(kind in p.kinds and p.layout is Layout.BOOKLET for p in on.pack.prints)
    if booklet:
        order = [each.id for each in on.pack.components[kind] if each.quantity]
        where += f", page {order.index(component) + 1}"
    if on.players is not None:
        where += f" for {on.players} players"
    return f"{where}: {told.heading}" if told.heading else where


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
