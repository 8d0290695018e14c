"""A small game of cards and tokens for the outlets."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from outlets.helpers import FIXTURES, PIPS, add_kind, change

from generator.cli import run

PACK = """\
title: Mini
version: 1.0.0
stocks:
  euro: {size: [63mm, 88mm], shape: rounded, corner_radius: 3mm}
  chit: {size: [19mm, 19mm], shape: circle, safe: 2mm}
  odd: {size: [111mm, 222mm]}
prints:
  cards: {title: Cards, kinds: [card, chit, odd], papers: [a4]}
"""
CARD = """\
kind: card
stock: euro
quantity: copies
faces: {front: front.svg.j2, back: back.svg.j2}
fields:
  name: {type: text}
  copies: {type: int, default: 1}
  colour: {type: colour, default: "#336699"}
"""
CARDS = """\
kind: card
components:
  - {id: one, name: One, copies: 3}
  - {id: two, name: Two, colour: "#993300"}
"""
WHOLE = (
    '<rect x="{{ -stock.bleed }}" y="{{ -stock.bleed }}" width="{{ stock.w + 2 * stock.bleed }}"'
    ' height="{{ stock.h + 2 * stock.bleed }}" fill="COLOUR"/>'
)
TOYS = """\
  map: {size: [200mm, 160mm]}
  tent: {size: [24mm, 96mm], folds: [[[0, 12], [24, 12]], [[0, 48], [24, 48]], [[0, 84], [24, 84]]]}
  leaf: {size: [30mm, 40mm], shape: path, path: "M0 0 L30 20 L0 40 Z"}
  pip: {size: [16mm, 16mm]}
prints:
  toys: {title: Toys, kinds: [map, tent, leaf, pip], papers: [a4]}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder."""
    root = tmp_path / "project"
    shutil.copytree(FIXTURES / "faults/base", root)
    cards, templates = root / "cards/mini", root / "templates/mini"
    for path in (cards / "kinds").iterdir():
        path.unlink()
    for name in ("cards.yaml", "suits.yaml"):
        (cards / name).unlink(missing_ok=True)
    (cards / "pack.yaml").write_text(PACK, encoding="utf-8")
    (cards / "kinds/card.yaml").write_text(CARD, encoding="utf-8")
    (cards / "cards.yaml").write_text(CARDS, encoding="utf-8")
    for kind in ("chit", "odd"):
        add_kind(root, kind, "faces: {front: plain.svg.j2}")
    name = '{{ text_box(c.name, 10, 20, 43, 10, "body") }}'
    (templates / "front.svg.j2").write_text(
        WHOLE.replace("COLOUR", "{{ c.colour }}") + name, encoding="utf-8"
    )
    (templates / "back.svg.j2").write_text(WHOLE.replace("COLOUR", "#225522"), encoding="utf-8")
    ground = WHOLE.replace("COLOUR", "#222255")
    plain = f'{ground}<circle cx="9" cy="9" r="4" fill="#ffffff"/>'
    (templates / "plain.svg.j2").write_text(plain, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def toys(project: Path) -> Path:
    """The same project with a map, tents, a leaf and the faces of a die, for virtual tables."""
    change(project / "cards/mini/pack.yaml", "prints:\n", TOYS)
    for kind, quantity in (("map", 1), ("tent", 2), ("leaf", 1)):
        add_kind(project, kind, f"quantity: {quantity}", "faces: {front: plain.svg.j2}")
    add_kind(
        project,
        "pip",
        "faces: {front: pip.svg.j2}",
        "fields: {name: {type: text}, colour: {type: colour}}",
        components=", ".join(
            f'{{id: p{n}, name: Pip {n}, colour: "{c}"}}' for n, c in enumerate(PIPS, 1)
        ),
    )
    pip = WHOLE.replace("COLOUR", "{{ c.colour }}")
    (project / "templates/mini/pip.svg.j2").write_text(pip, encoding="utf-8")
    with (project / "cards/mini/pack.yaml").open("a", encoding="utf-8") as pack:
        pack.write("outlets: {tts: {objects: {pip: dice}}, ttpg: {objects: {pip: dice}}}\n")
    return project


@pytest.fixture
def export(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `gridpress export`; returns its status, output and errors."""

    def exported(*words: str) -> tuple[int, str, str]:
        status = run(["export", ".", *words, "--jobs", "1"])
        said = capsys.readouterr()
        return status, said.out, said.err

    return exported


@pytest.fixture(scope="session")
def _exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Copies of earlier exports, with their messages."""
    return {}


@pytest.fixture
def exported(
    export: Callable[..., tuple[int, str, str]],
    tmp_path_factory: pytest.TempPathFactory,
    _exports: dict[str, tuple[Path, str]],
) -> Callable[..., str]:
    """Exports the current project and returns the messages; the same project only once."""

    def once(*words: str) -> str:
        project = Path.cwd()
        of = hashlib.sha256(repr(words).encode())
        for path in sorted(project.rglob("*")):
            of.update(f"\0{path.relative_to(project)}\0".encode())
            of.update(path.read_bytes() if path.is_file() else b"")
        output, key = project / "output", of.hexdigest()
        if key not in _exports:
            status, _, err = export(*words)
            assert status == 0, err
            kept = tmp_path_factory.mktemp("exported") / "output"
            _exports[key] = Path(shutil.copytree(output, kept)), err
        kept, err = _exports[key]
        shutil.copytree(kept, output, dirs_exist_ok=True)
        return err

    return once


@pytest.fixture
def printable(project: Path) -> Path:
    """The same project in lighter colours, so that its text passes the checks of a build."""
    change(project / "cards/mini/kinds/card.yaml", "#336699", "#bbddff")
    change(project / "cards/mini/cards.yaml", "#993300", "#ffccaa")
    return project
