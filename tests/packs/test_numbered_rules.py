"""Every numbered rule of a pack is printed, or a check or test holds it.

A text names the rules that it prints in a field beside it, `rule: [DD-15, R-1]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from packs.shipped import ROOT, drawn, shipped_pack

from generator.model.pack import Field, Pack
from generator.model.values import Record

PACKS: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("rule_numbers.yaml").read_text("utf-8")
)
WORD = re.compile(r"[^\W_]+")
FILLED_IN = re.compile(r"\{[^}]*\}|<[^>]*>|\[[^\]]*\]|[#@$%]+\w?")
"""Icons and figures, which a template replaces."""


@dataclass(frozen=True)
class RuleText:
    """A text with the rules that it prints."""

    rules: tuple[str, ...]
    run: str
    """The longest part of the text that is printed unchanged."""

    def is_on(self, faces: Iterable[str]) -> bool:
        return bool(self.run.strip()) and any(self.run in words for words in faces)


@pytest.mark.parametrize("name", PACKS)
def test_every_numbered_rule_is_printed_or_held(name: str) -> None:
    """Rules missing from the print for the most players are searched in those for fewer."""
    pack = shipped_pack(name)
    texts = [*rule_texts(pack)]
    numbers = {
        f"{letters}-{number}"
        for letters, last in PACKS[name]["numbers"].items()
        for number in range(1, last + 1)
    }
    assert {rule for text in texts for rule in text.rules} <= numbers
    about = yaml.safe_load((ROOT / "cards" / name / "pack.yaml").read_text("utf-8"))
    missing = numbers - {*PACKS[name].get("held", ())}
    for players in (None, *range(about["players"]["min"], pack.players or 0)):
        if missing:
            faces = [plain(face.words) for face in drawn(ROOT, name, players=players)]
            missing -= {rule for text in texts if text.is_on(faces) for rule in text.rules}
    assert missing == set()


def test_a_rule_without_a_text_is_held_where_the_list_says() -> None:
    held = [place for listed in PACKS.values() for place in listed.get("held", {}).values()]
    places = [place.partition("::") for place in held]
    assert len(places) > 1
    assert [p for p, _, words in places if words not in (ROOT / p).read_text("utf-8")] == []


def rule_texts(pack: Pack) -> Iterator[RuleText]:
    """Yield all texts that name rules, in components and in the records nested in them."""
    for kind in pack.kinds.values():
        for component in pack.components.get(kind.name, ()):
            yield from _texts(kind.fields, component.values)


def _texts(fields: Mapping[str, Field], values: Record) -> Iterator[RuleText]:
    if values.get("rule") and "rule" in fields:
        texts = [text for name, field in fields.items() for text in _written(name, field, values)]
        yield RuleText(tuple(values["rule"]), longest_run(texts))
    for name, field in fields.items():
        for nested_fields, nested in _nested(field, values.get(name)):
            yield from _texts(nested_fields, nested)


def _nested(field: Field, value: Any) -> Iterator[tuple[Mapping[str, Field], Record]]:
    """Yield the records in a field, without those of other components."""
    if field.type in ("list", "table"):
        for item in value or ():
            if field.of is not None:
                yield from _nested(field.of, item)
            elif isinstance(item, Record):
                yield field.fields, item
    elif field.type == "map" and isinstance(value, Record):
        yield field.fields, value


def _written(name: str, field: Field, values: Record) -> Iterable[str]:
    """Return the texts of one field."""
    if name in ("rule", "id") or not values.get(name):
        return ()
    if field.type in ("text", "rich"):
        return (str(values[name]),)
    is_list = field.type == "list" and field.of is not None and field.of.type in ("text", "rich")
    return map(str, values[name]) if is_list else ()


def longest_run(texts: Iterable[str]) -> str:
    runs = (plain(run) for text in texts for run in FILLED_IN.split(text))
    return max(runs, key=len, default="")


def plain(text: str | None) -> str:
    """Return only the words of a text, a blank on either side of each."""
    return f" {' '.join(WORD.findall(text or ''))} "
