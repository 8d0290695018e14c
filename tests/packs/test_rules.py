"""docs/rules.py: every numbered rule of a pack is printed, and the page that says where is true."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import cache
from math import sqrt
from types import SimpleNamespace
from typing import Any

import pytest
from packs.shipped import ROOT, drawn, shipped_faces, shipped_pack, words

from generator.diagnostics import Span
from generator.geometry import Matrix, mm_to_pt
from generator.model.face import Face
from generator.model.pack import Component, Field, Items, Record

SCRIPT = runpy.run_path(str(ROOT / "docs/rules.py"))
HERE = Span("cards.yaml")
PLACE_OR_SIZE = re.compile(r"q (?:.* )?((?:[-\d.]+ ){6})cm$|/T\w+ (\S+) Tf", re.MULTILINE)


@cache
def drawn_here(pack: str, players: int | None = None) -> Any:
    """What the script would draw, of what all tests of a pack have opened and drawn."""
    faces = shipped_faces(pack) if players is None else drawn(ROOT, pack, players=players)
    read = {SCRIPT["_name"](face): SCRIPT["plain"](face.words) for face in faces}
    return SCRIPT["Drawn"](shipped_pack(pack, players), players, read)


SCRIPT["drawn"].__wrapped__.__globals__["drawn"] = drawn_here


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_every_rule_is_printed(pack: str) -> None:
    assert list(SCRIPT["missing"](pack)) == SCRIPT["known"](pack)["missing"], "nobody prints these"


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_the_page_says_where_the_rules_are_printed(pack: str) -> None:
    page = ROOT / f"docs/packs/{pack}-rules.md"
    assert page.read_text("utf-8") == SCRIPT["rules_page"](pack), "run make rules"


@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_what_holds_a_rule_without_a_text_is_there(pack: str) -> None:
    for held in SCRIPT["known"](pack)["held"].values():
        file, _, words = held.partition("::")
        assert words in (ROOT / file).read_text("utf-8")


def told(values: dict[str, Any], **fields: Field) -> list[Any]:
    record = Record(values, HERE)
    component = Component("page-1", "rules-page", record, 1, HERE)
    return list(SCRIPT["_texts"](fields, record, component, ()))


RULE = Field("rule", "list", HERE, of=Field("of", "text", HERE))
TEXT = Field("text", "rich", HERE)
TITLE = Field("title", "text", HERE)
LINES = Field("lines", "list", HERE, of=TEXT)
STEP = Field("of", "map", HERE, fields={"title": TITLE, "rule": RULE, "lines": LINES})
STEPS = Field("steps", "list", HERE, of=STEP)


def test_texts_are_found_in_nested_records() -> None:
    step = Record({"title": "Draft", "rule": ("DD-24",), "lines": ("Keep 1.", "Pass on.")}, HERE)
    values = {"title": "Turn", "rule": ("DD-15",), "steps": Items([step])}
    found = told(values, title=TITLE, rule=RULE, steps=STEPS)
    assert [(one.rules, one.heading, one.run) for one in found] == [
        (("DD-15",), "Turn", " Turn "),
        (("DD-24",), "Draft", " Pass on "),
    ]


def test_a_derived_value_of_that_name_and_other_components_name_no_rules() -> None:
    other = Record({"rule": ("DD-1",), "text": "Lay the ring."}, HERE)
    ref = Field("tile", "ref", HERE, kind="tile")
    assert told({"rule": "Move 3.", "tile": other}, text=TEXT, tile=ref) == []


def test_the_longest_part_without_icons_and_figures_is_looked_for() -> None:
    said = ["Move <n> spaces", "Lay it {attack} **on** a dragon’s card"]
    assert SCRIPT["longest_run"](said) == " on a dragon s card "
    faces = {("card", "one", "front"): SCRIPT["plain"]("… on a dragon’s card")}
    assert " on a dragon s card " in faces["card", "one", "front"]


def test_a_rule_that_is_on_sheets_of_fewer_players_alone_is_found_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Component("page-1", "rules-page", Record({}, HERE), 1, HERE)
    run, name = " two ride alone ", ("rules-page", "page-1", "front")
    kinds = {"rules-page": SimpleNamespace(title="Page")}
    pack = SimpleNamespace(players=4, kinds=kinds, prints=())
    asked = []

    def fewer(_: str, players: int | None = None) -> Any:
        asked.append(players)
        return SCRIPT["Drawn"](pack, players, {name: run} if players == 2 else {})

    names = SCRIPT["printed"].__wrapped__.__globals__
    told = [SCRIPT["Told"](("X-1",), page, "Alone", run)]
    for key, value in {"drawn": fewer, "texts": lambda _: told}.items():
        monkeypatch.setitem(names, key, value)
    monkeypatch.setitem(names, "_fewest", lambda _: 2)
    monkeypatch.setitem(names, "numbers", lambda _: ("X-1",))
    printed = SCRIPT["printed"].__wrapped__("any")
    assert printed == {"X-1": ["Page for 2 players: Alone"]}
    assert asked == [None, 2]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_no_page_is_referred_to_by_a_typed_number(pack: str) -> None:
    """A page that moves would leave it wrong; its name stands for it, and is never printed."""
    typed = (ROOT / "cards" / pack / "rules.yaml").read_text("utf-8")
    assert re.findall(r"\b[Pp]ages? \d+", typed) == []
    booklet = [f for f in shipped_faces(pack) if f.kind == "rules-page"]
    assert booklet
    assert [f.component for f in booklet if re.search(r"pages? [\[<]", words(f))] == []


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_no_sign_or_figure_is_printed_by_its_name(pack: str) -> None:
    """`{die}` is a sign, `[laps]` a figure of the options, `@` a name, wherever words are shown."""
    named = re.compile(r"\{[a-z][\w-]*\}|\[\[?[a-z][\w+-]*\]|\*\*|@")
    found = {(f.kind, f.component): named.findall(f.words or "") for f in shipped_faces(pack)}
    assert {face: names for face, names in found.items() if names} == {}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("pack", SCRIPT["listed"]())
def test_what_is_read_at_the_table_is_8_pt_or_more(pack: str) -> None:
    """References have no exception; the booklet's is what a piece shows that is drawn in small."""
    sheets, booklet = (
        {*run.kinds} for run in shipped_pack(pack).prints if run.name in ("sheets", "booklet")
    )
    small = [
        (face.component, face.name, round(size, 2))
        for face in shipped_faces(pack)
        if face.kind in sheets | booklet | {"guide-page", "glossary-page"}
        for size, scale in _sizes(face)
        if size < (7 if face.kind in booklet and scale < 1 else 8) - 0.005
    ]
    assert small == []


def _sizes(face: Face) -> Iterator[tuple[float, float]]:
    """The sizes that the words of a face are printed at, pt, and how large they are drawn."""
    scale = 1.0
    for content in (face.drawing.content, *(group.content for group in face.drawing.groups)):
        for matrix, size in PLACE_OR_SIZE.findall(content.plain.decode()):
            if matrix:
                scale = sqrt(abs(Matrix(*map(float, matrix.split())).area))
            else:
                yield mm_to_pt(float(size)) * scale, scale


def test_pages_of_rules_share_one_template() -> None:
    pages = sorted((ROOT / "templates").glob("*/rules-page.svg.j2"))
    assert len(pages) == 5
    own = [page for page in pages if "laid(" not in page.read_text(encoding="utf-8")]
    assert own == []
