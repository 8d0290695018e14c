"""A check that reuses unchanged parts finds the same as a fresh one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from validate.projects import FIXTURES, SHIPPED

from generator.assets import AssetFinder
from generator.cache import NOTHING_KEPT, Cache, InMemory
from generator.diagnostics import Diagnostic
from generator.load import Documents, read_pack, read_shared
from generator.model.pack import Pack
from generator.model.values import Items, Record, SourceText, to_parcel
from generator.project import Project
from generator.validate import check_pack, read_catalogue

SHARED = ("stocks.yaml", "papers.yaml", "label_sheets.yaml")
WORD = re.compile(r"[\w.+#-]+")
CARDS = {
    "cards/demo/pack.yaml": """\
title: Demo
version: 1.0.0
requires: {base: ">= 1"}
players: {min: 2, max: 4}
options: {bonus: 1}
prints: {all: {title: All, kinds: [card, step], papers: [a4]}}
""",
    "cards/demo/kinds/card.yaml": """\
kind: card
stock: poker
faces: {front: card.svg.j2}
quantity: copies + (components.card | length) - 4
fields:
  name: {type: text, unique: true}
  power: {type: int, min: 0, max: 9}
  suit: {type: ref, kind: suit}
  next: {type: ref, kind: card, optional: true}
  steps:
    {type: table, columns: {on: {type: ref, kind: suit}, far: {type: int}}, default: []}
  tint: {type: colour, default: ink}
  art: {type: image, optional: true}
  heft: {type: number, optional: true}
  copies: {type: int, default: 1}
derived:
  strength: power + suit.worth + pack.options.bonus
  after: next.strength + 1 if next else 0
checks:
  - {that: strength < 12, at: power, message: "too strong: {{ strength }}"}
  - {that: "power < 3 * (components.card | map(attribute='power') | min)", message: far above}
  - {that: "not after or after > 2", at: next, message: weak, severity: warning}
set_checks:
  - {sum: {of: power}, max: 30}
  - {unique: {of: strength}, severity: warning}
brings: suit
""",
    "cards/demo/kinds/step.yaml": """\
kind: step
stock: poker
faces: {front: step.svg.j2}
made_from: card
each: steps
where: far > 0
derived: {whole: far * on.worth + card.strength}
checks:
  - {that: whole < 40, message: "too far: {{ whole }}"}
""",
    "cards/demo/kinds/rank.yaml": """\
kind: rank
made_from: card
derived: {place: "components.card | selectattr('power', 'gt', card.power) | list | length"}
""",
    "cards/demo/kinds/tally.yaml": """\
kind: tally
fields: {factor: {type: int}}
derived: {whole: "factor * (components.card | map(attribute='power') | sum)"}
""",
    "cards/demo/tally.yaml": "kind: tally\ncomponents: [{id: all, factor: 2}]\n",
    "cards/demo/cards.yaml": """\
kind: card
defaults: {power: 3}
components:
  - {id: ada, name: Ada, suit: sun, next: bob, steps: [{on: sun, far: 2}, {on: moon, far: 0}]}
  - {id: bob, name: Bob, suit: moon, power: 5, tint: red}
  - {id: cy, name: Cy, suit: sun, next: dot, copies: 2}
  - {id: dot, name: Dot, suit: star, next: cy, steps: [{on: star, far: 3}]}
""",
    "cards/demo/more.yaml": "kind: card\nrows: more.csv\n",
    "cards/demo/more.csv": """\
id,name,suit,power,next,heft
eve,Eve,sun,1,ada,1.000
fay,Fay,moon,4,,2.500
gil,Gil,star,2,,2
""",
    "cards/demo/suits.yaml": "kind: suit\ncomponents: [{id: star, worth: 3}]\n",
    "templates/demo/styles.yaml": """\
fonts: {body: Alegreya Sans}
colours: {ink: "#111111", red: "#ff0000"}
styles: {body: {font: body, size: 9pt, colour: ink}}
""",
    "cards/base/pack.yaml": "title: Base\nversion: 1.0.0\n",
    "cards/base/kinds/suit.yaml": """\
kind: suit
fields: {worth: {type: int}}
derived: {twice: worth * 2}
""",
    "cards/base/suits.yaml": """\
kind: suit
components:
  - {id: sun, worth: 1}
  - {id: moon, worth: 2}
""",
}


def files_of(name: str) -> dict[str, str]:
    if name == "cards":
        return CARDS
    folder = FIXTURES / name
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".csv"))
    found = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
    track = "cards/demo/kinds/track.yaml"
    if track in found:  # so that tracks do not depend on all components
        found[track] = re.sub("components.marker.*", "9", found[track])
    return found


def mutated(texts: dict[str, str], draw: Random) -> tuple[str, str]:
    """Change a word, or remove or repeat a line, mostly of components."""
    definitions = [name for name in texts if re.search("kinds/|pack.yaml|styles.yaml", name)]
    of_components = sorted(texts.keys() - definitions)
    file = draw.choice(definitions if draw.random() < 0.2 else of_components)
    lines = texts[file].splitlines(keepends=True) or [""]
    at = draw.randrange(len(lines))
    words = list(WORD.finditer(lines[at]))
    what = draw.random()
    if what < 0.1:
        lines[at : at + 1] = []
    elif what < 0.25:
        lines.insert(at, lines[at])
    elif words:
        word = draw.choice(words)
        others = WORD.findall(texts[draw.choice([file, file, *sorted(texts)])])
        new = draw.choice([*others, "1", "7", "x"])
        lines[at] = lines[at][: word.start()] + new + lines[at][word.end() :]
    return file, "".join(lines)


class Reader:
    """A reader that checks a pack in the folder of the edited texts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents = Documents()
        shared = read_shared(Project(root, SHIPPED), SHARED, self.documents)
        self.catalogue = read_catalogue(shared.value).value

    def check(self, cache: Cache) -> tuple[Pack, tuple[Diagnostic, ...]] | None:
        project = Project(self.root, SHIPPED)
        source = read_pack(project, "demo", documents=self.documents).value
        if source is None:
            return None
        assets = AssetFinder([project.cards("demo")], [self.root / "templates/demo/icons"])
        found = check_pack(source, self.catalogue, assets=assets, cache=cache)
        return found.value, found.diagnostics


def described(found: tuple[Pack, tuple[Diagnostic, ...]]) -> Any:
    """Return the components of a pack with the places of their values, and its findings."""
    pack, said = found
    listed = [one for kind in pack.components.values() for one in kind]
    values = [one.values for one in listed]
    parcel = [(spans, span, plain(record)) for record, span, spans in to_parcel(values)]
    rest = [(c.id, c.kind, c.quantity, c.span, c.origins, c.stock) for c in listed]
    return parcel, rest, [str(kind.why) for kind in pack.kinds.values()], said


def plain(value: Any) -> Any:
    """Return a value with the places and types that a comparison ignores."""
    if isinstance(value, SourceText):
        return str(value), value.span, value.rich
    if isinstance(value, Items):
        return [plain(item) for item in value]
    if isinstance(value, Record):
        return value.span, plain(value.as_dict())
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return type(value).__name__, value


def lay(root: Path, name: str, texts: dict[str, str]) -> None:
    if name != "cards":
        shutil.copytree(FIXTURES / name, root, dirs_exist_ok=True)
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def edits(texts: dict[str, str], draw: Random, count: int) -> Iterator[tuple[str, str]]:
    """Yield edits one after another, often back to the first text."""
    now = dict(texts)
    for _ in range(count):
        file, text = mutated(now, draw)
        changed = [name for name in texts if now[name] != texts[name]]
        if draw.random() < 0.4 * len(changed):
            file = draw.choice(changed)
            text = texts[file]
        now[file] = text
        yield file, text


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["cards", "fine", "tracks"])
def test_random_edits(name: str, seed: int, tmp_path: Path) -> None:
    texts = files_of(name)
    lay(tmp_path, name, texts)
    reader, cache = Reader(tmp_path), InMemory(NOTHING_KEPT)
    for file, text in edits(texts, Random(seed), 15):
        (tmp_path / file).write_text(text, encoding="utf-8")
        anew, kept = reader.check(NOTHING_KEPT), reader.check(cache)
        assert (anew is None) == (kept is None)
        if anew and kept:
            assert described(kept) == described(anew), f"{file}:\n{text}"
