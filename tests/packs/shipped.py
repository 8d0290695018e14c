"""Shipped packs and their faces by name: opened and drawn once for all tests that only look at
them, or copied, changed and drawn anew."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

from generator.build import OpenPack, Order, draw, open_pack
from generator.cache import VARIABLE, Cache, user_cache
from generator.diagnostics import Outcome
from generator.model.face import Face
from generator.model.pack import Pack
from generator.project import Project, Target

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"\{[a-z][\w-]*\}|\[\[?[a-z][\w+-]*\]|\*\*|@")
"""Names of icons, options and components that a template should have replaced."""


def opened(
    root: Path, name: str, players: int | None = None, only: str | None = None
) -> Outcome[OpenPack | None]:
    """A pack under a root, read and validated."""
    return open_pack(Target(Project(root, ROOT), name), Order(players=players, only=only))


def _sound(root: Path, name: str, players: int | None, only: str | None = None) -> OpenPack:
    return _shipped(name, players, only) if root == ROOT else _anew(root, name, players, only)


@cache
def _shipped(name: str, players: int | None, only: str | None) -> OpenPack:
    return _anew(ROOT, name, players, only)


def _anew(root: Path, name: str, players: int | None, only: str | None) -> OpenPack:
    outcome = opened(root, name, players, only)
    chance = ("GP215", "GP216")  # alike by intent, near a standard size by chance
    left = [found for found in outcome.diagnostics if found.code not in chance]
    assert not left, left
    assert outcome.value is not None
    return outcome.value


def pack_in(root: Path, name: str, players: int | None = None) -> Pack:
    """Return a pack under a root, which must have no findings."""
    return _sound(root, name, players).pack


def drawn(
    root: Path,
    name: str,
    only: str | None = None,
    players: int | None = None,
    kinds: Collection[str] = (),
    but: Collection[str] = (),
) -> tuple[Face, ...]:
    """Draw faces of a pack under a root: all, those that a pattern names or those of some kinds.
    Only findings with the codes in `but` are allowed."""
    found = _sound(root, name, players)
    if only and not _is_printed(found.pack, only):
        found = _sound(root, name, players, only)  # what is for those alone who ask for it
    if kinds:
        found = replace(found, pack=printing(found.pack, kinds))
    order = Order(only=only, players=players, cache=_of_builds())
    faces = draw(found, order, for_export=True)
    assert [found for found in faces.diagnostics if found.code not in but] == []
    return faces.value


@cache
def _of_builds() -> Cache:
    """Return the cache of `make decks`, so that faces drawn there are not drawn again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        return user_cache()


def _is_printed(pack: Pack, only: str) -> bool:
    """Return True if the pack prints each component that a pattern names even when not asked for
    it."""
    asked = [c for found in pack.components.values() for c in found if c.answers_to(only)]
    return bool(asked) and all(component.quantity for component in asked)


def printing(pack: Pack, kinds: Collection[str]) -> Pack:
    """Return the pack with copies of some kinds only; the others remain as data."""
    components = {
        kind: found if kind in kinds else tuple(replace(c, quantity=0) for c in found)
        for kind, found in pack.components.items()
    }
    return replace(pack, components=components)


@cache
def shipped_pack(name: str, players: int | None = None) -> Pack:
    """Return the shipped pack for this number of players, or the largest."""
    return pack_in(ROOT, name, players)


SOME = {
    **dict.fromkeys(("rules-page", "guide-page", "crew-card"), slice(1)),
    **dict.fromkeys(("track-map", "vehicle"), slice(None, None, -2)),
    **dict.fromkeys(("blank-card", "blank-dragon", "counter", "standee", "bonus-card"), slice(2)),
    **dict.fromkeys(("knight", "part-card", "racer", "track-piece"), slice(4)),
    "dragon": slice(8),
}
"""Which components of a kind are drawn here, if not all."""


@cache
def shipped_faces(name: str) -> tuple[Face, ...]:
    """Return the faces of a shipped pack, of some kinds those of `SOME` components.

    A build of every pack in `.ci/run` draws the rest.
    """
    found = _sound(ROOT, name, None)
    pieces = dict(found.pack.components)
    for kind, part in SOME.items():
        every = pieces.get(kind, ())
        chosen = range(len(every))[part]
        pieces[kind] = tuple(
            c if n in chosen else replace(c, quantity=0) for n, c in enumerate(every)
        )
    pack = replace(found.pack, components=pieces)
    faces = draw(replace(found, pack=pack), Order(cache=_of_builds()), for_export=True)
    assert faces.diagnostics == ()
    return faces.value


def check_faces(faces: Iterable[Face], of: Mapping[str, str]) -> None:
    """Check that each kind has its sides, and that all words are filled in and large enough.

    `of` names the kinds with one side and those with two.
    """
    wanted = {kind: {"front"} for kind in of["one"].split()}
    wanted |= {kind: {"front", "back"} for kind in of["both"].split()}
    found: dict[str, set[str]] = {}
    for face in faces:
        found.setdefault(face.kind, set()).add(face.name)
        assert min((box.size_pt for box in face.text_boxes), default=8) >= 7, face.component
        assert NAMED.findall(face.words or "") == [], (face.kind, face.component)
    assert found == wanted


def listed(name: str, file: str) -> tuple[str, ...]:
    """Return the ids of the components in a shipped file, read without opening the pack, to name
    the tests."""
    entries = yaml.safe_load((ROOT / "cards" / name / file).read_text("utf-8"))["components"]
    return tuple(entry["id"] for entry in entries)


def copied(root: Path, name: str) -> Path:
    """Return a root with a copy of the pack."""
    for folder in ("cards", "templates"):
        shutil.copytree(ROOT / folder / name, root / folder / name)
    return root


def changed(root: Path, name: str, *edits: tuple[str, str, str]) -> Path:
    """Return a root with a copy of the pack; each edit (file, old, new) replaces one text."""
    copied(root, name)
    for file, old, new in edits:
        path = root / "cards" / name / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), encoding="utf-8")
    return root


def words(*faces: Face) -> str:
    """Return the words of faces as one line, without their drawing."""
    told = (text for face in faces for text in (face.words or _in_drawing(face)).split())
    return " ".join(told)


def _in_drawing(face: Face) -> str:
    return re.sub(r"<[^>]*>", " ", face.svg)


def printed(pack: Pack) -> Counter[str]:
    """Count the printed copies of each kind."""
    return Counter(
        {kind: sum(c.quantity for c in found) for kind, found in pack.components.items()}
    )


def said(root: Path, name: str, only: str, players: int | None = None) -> str:
    """Return all words of the components that a pattern names, drawn from a root."""
    return words(*drawn(root, name, only, players))
