"""A small game of cards and tokens for the outlets."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.cli import run

BASE = Path(__file__).parents[1] / "fixtures/faults/base"
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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the current folder."""
    root = tmp_path / "project"
    shutil.copytree(BASE, root)
    cards, templates = root / "cards/mini", root / "templates/mini"
    for path in (cards / "kinds").iterdir():
        path.unlink()
    for name in ("cards.yaml", "suits.yaml"):
        (cards / name).unlink(missing_ok=True)
    (cards / "pack.yaml").write_text(PACK, encoding="utf-8")
    (cards / "kinds/card.yaml").write_text(CARD, encoding="utf-8")
    for kind, stock in (("chit", "chit"), ("odd", "odd")):
        text = f"kind: {kind}\nstock: {stock}\nfaces: {{front: plain.svg.j2}}\n"
        (cards / f"kinds/{kind}.yaml").write_text(f"{text}fields: {{}}\n", encoding="utf-8")
        (cards / f"{kind}s.yaml").write_text(
            f"kind: {kind}\ncomponents: [{{id: {kind}}}]\n", encoding="utf-8"
        )
    (cards / "cards.yaml").write_text(CARDS, encoding="utf-8")
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
def export(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `gridpress export`: the status, what was said, and what was found."""

    def exported(*words: str) -> tuple[int, str, str]:
        status = run(["export", ".", *words, "--jobs", "1"])
        said = capsys.readouterr()
        return status, said.out, said.err

    return exported


@pytest.fixture(scope="session")
def _exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """What was exported of a project before: a copy of its output, and what was said."""
    return {}


@pytest.fixture
def exported(
    project: Path,
    export: Callable[..., tuple[int, str, str]],
    tmp_path_factory: pytest.TempPathFactory,
    _exports: dict[str, tuple[Path, str]],
) -> Callable[..., str]:
    """Exports the project, the same one by the same words only once in all tests; each has an
    output of its own to spoil. What was said of it."""

    def once(*words: str) -> str:
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
    """The same with colours that a build prints: words are seen on them."""
    for path, dark, bright in (
        ("kinds/card.yaml", "#336699", "#bbddff"),
        ("cards.yaml", "#993300", "#ffccaa"),
    ):
        file = project / "cards/mini" / path
        file.write_text(file.read_text("utf-8").replace(dark, bright), encoding="utf-8")
    return project
