"""A face is kept while all that its template read is the same: no read is missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace
from render.studio import POKER, Studio, style, styles

from generator.diagnostics import Span
from generator.fonts import FontLibrary, own_fonts
from generator.model.pack import Component
from generator.model.values import Items, Record, SourceText
from generator.render.dependencies import Dependency, Moves, Tracked, Tracker
from generator.render.face_environment import Setting
from generator.render.kept_faces import KeptFace, moved_face
from generator.render.renderer import DrawnFace, Renderer

CARDS, TEAMS = "cards.yaml", "teams.yaml"


def record(file: str, line: int, values: Mapping[str, Any]) -> Record:
    spans = {name: Span(file, line, 9) for name in values}
    return Record(values, Span(file, line, 3), spans)


def written(value: Any, file: str, line: int) -> Any:
    """A value as an author wrote it."""
    if isinstance(value, str):
        return SourceText(value, Span(file, line, 11), rich=True)
    return Items(written(each, file, line) for each in value) if isinstance(value, tuple) else value


LIB = """
{% set SIZE = pack.options.size %}{% set title = pack.title %}{% set first = components.card[0] %}
{% set NAMES = components.card | map(attribute="id") | list %}
{% macro total(c) %}{{ c.cost + SIZE }}{% endmacro %}
{% macro inner() %}[{{ caller() }}]{% endmacro %}
{% macro label(c, y) %}{{ text_line(c.name, 31, y, "tiny", colour="bronze") }}{% endmacro %}
"""
FILES = {
    "lib.svg.j2": LIB,
    "between.svg.j2": '{% import "lib.svg.j2" as lib %}{% set SIZE = lib.SIZE %}',
    "part.svg.j2": "{{ c.name }}{{ players }}",
    "base.svg.j2": "<g>{% block inside %}{{ pack.version }}{% endblock %}</g>",
}
_WRITTEN = (
    "<<{{ c.name }}>>",
    "<<{{ c.cost + 1 }}>>",
    '<<{{ c.tags | join(",") }}>>',
    "<<{{ c.tags | length }}>>",
    '<<{{ "red" in c.tags }}>>',
    '<<{{ c.tags == ["red"] }}>>',
    "<<{{ c.tags[0] is defined }}>>",
    '<<{{ c.nick | default("none") }}>>',
    "<<{{ c.nick is defined }}>>",
    '<<{{ "nick" in c }}>>',
    "<<{{ c | length }}>>",
    "<<{% for name in c %}{{ name }}{% endfor %}>>",
    '<<{{ c["na" ~ "me"] }}>>',
    '<<{{ "cheap" if c.cost < 2 else c.name }}>>',
    "<<{{ c.look.size }}>>",
    "<<{% for p in c.look.parts %}{{ loop.index }}{{ p.at }}{% endfor %}>>",
    "<<{{ c.look == c.partner.look }}>>",
    '<<{{ c.team.name if c.team else "alone" }}>>',
    "<<{{ c.team.rank is defined and c.team.rank }}>>",
    "<<{{ c.partner.name }}{{ c.partner.partner.cost }}>>",
    '<<{{ c.team.members | map(attribute="name") | join(" ") }}>>',
    "<<{{ components.card | length }}>>",
    '<<{{ components.card | sum(attribute="cost") }}>>',
    '<<{{ (components.card | sort(attribute="cost", reverse=true) | first).name }}>>',
    '<<{% for cost, of in components.card | groupby("cost") %}{{ cost }}{{ of | length }}'
    "{% endfor %}>>",
    '<<{{ components.card | selectattr("tags") | map(attribute="id") | join(",") }}>>',
    '<<{{ components.team | map(attribute="id") | list | count }}>>',
    "<<{% for x in components.card if x.id == c.id %}{{ loop.length }}{% endfor %}>>",
    "<<{{ components.card | max(attribute='cost') == c }}>>",
    "<<{% for kind in components %}{{ kind }}{% endfor %}>>",
    "<<{{ pack.options.fog }}{{ pack.title }}>>",
    "<<{{ pack.options | length }}{{ pack.options.more is defined }}>>",
    "<<{{ players }}>>",
    "<<{{ word(c.name) }}>>",
    '<<{{ word("Ace") }}>>',
    "<<{{ colour.ink }}{{ colour | length }}>>",
    "<<{{ stock.w }}{{ stocks.card.w }}{{ side }}>>",
    "{% set ns = namespace(n=0) %}{% for x in components.card %}{% set ns.n = ns.n + x.cost %}"
    "{% endfor %}<<{{ ns.n }}>>",
    '{% import "lib.svg.j2" as lib %}<<{{ lib.total(c) }}>>',
    '{% import "lib.svg.j2" as lib %}<<{{ lib.title }}{{ lib.NAMES | join }}>>',
    '{% import "lib.svg.j2" as lib %}<<{{ lib.first.name }}>>',
    '{% import "lib.svg.j2" as lib %}<<{% call lib.inner() %}{{ c.cost }}{% endcall %}>>',
    '{% from "lib.svg.j2" import label %}{{ label(c, 20) }}',
    '{% from "lib.svg.j2" import SIZE with context %}<<{{ SIZE }}>>',
    '{% import "between.svg.j2" as it %}<<{{ it.SIZE }}>>',
    '<<{% include "part.svg.j2" %}>>',
    '<<{% include "extra.svg.j2" ignore missing %}>>',
    '<<{% include ["extra.svg.j2", "part.svg.j2"] %}>>',
    '{{ text_line(c.name, 31, 30, "tiny") }}',
    '{{ text_box(c.name, 5, 40, 50, 20, "body", colour="ink") }}',
    '<<{{ text_width(c.name, "body") }}>>',
    '{{ icon("dot", 5, 5, 4, colour="bronze") }}',
    '{{ draw.regular(9, 9, 4, 5, fill="bronze", stroke="#123") }}',
    "<<{{ jitter(c.id, 2)[0] }}>>",
)
SNIPPETS = tuple(
    snippet.replace("<<", "{% set out %}").replace(
        ">>", '{% endset %}{{ text_line(out, 31, 9, "plain") }}'
    )
    for snippet in _WRITTEN
)
"""Template snippets of every kind; the text between << and >> is printed."""


@dataclass
class World:
    """Three cards of two teams and every value that they may depend on, all of them changeable.
    Records refer to each other in circles, as those of games do."""

    cards: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"id": "ace", "name": "Ace {dot}", "cost": 1, "tags": ("swift", "red"), "team": 0},
            {"id": "bee", "name": "Bee", "cost": 2, "tags": (), "team": 1},
            {"id": "cat", "name": "Ace {dot}", "cost": 3, "tags": ("red",), "team": 0},
        ]
    )
    teams: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"id": "suns", "name": "Suns", "rank": 1},
            {"id": "moons", "name": "Moons"},
        ]
    )
    options: dict[str, Any] = field(default_factory=lambda: {"fog": True, "size": 4})
    pack: dict[str, Any] = field(default_factory=lambda: {"title": "Mini", "players": 3})
    words: dict[str, str] = field(default_factory=lambda: {"Bee": "Biene"})
    colours: dict[str, str] = field(default_factory=lambda: {"ink": "#1d1a17", "bronze": "#a8743a"})
    sizes: dict[str, float] = field(default_factory=lambda: {"body": 9, "tiny": 6})
    files: dict[str, str] = field(default_factory=lambda: dict(FILES))
    snippets: tuple[str, ...] = SNIPPETS
    """Drawn content: each card has one side for each snippet."""
    icon: float = 4
    line: int = 2
    """Line of the first card in its file."""

    def components(self) -> dict[str, tuple[Component, ...]]:
        teams = [
            record(
                TEAMS, line, {n: v if n == "id" else written(v, TEAMS, line) for n, v in t.items()}
            )
            for line, t in enumerate(self.teams, 1)
        ]
        cards = [self._card(one, self.line + 10 * at, teams) for at, one in enumerate(self.cards)]
        for team in teams:
            team.fill({"members": Items(card for card in cards if card.get("team") is team)})
        for card, partner in zip(cards, cards[::-1], strict=True):
            card.fill({"partner": partner})
        return {
            kind: tuple(
                Component(str(one["id"]), kind, one, 1, one.span, stock=POKER) for one in ones
            )
            for kind, ones in (("card", cards), ("team", teams))
        }

    @staticmethod
    def _card(values: dict[str, Any], line: int, teams: list[Record]) -> Record:
        own = {n: v if n == "id" else written(v, CARDS, line + 1) for n, v in values.items()}
        if own.get("team") is not None:
            own["team"] = teams[own["team"]] if own["team"] < len(teams) else None
        parts = Items((record(CARDS, line + 4, {"at": own.get("cost")}),))
        own["look"] = record(CARDS, line + 3, {"size": own.get("cost"), "parts": parts})
        return record(CARDS, line, own)

    def set_up(self, studio: Studio) -> Renderer:
        """A renderer of this world."""
        for path in (studio.root / "templates").rglob("*.j2"):
            path.unlink()
        faces = {f"side{n}": f"side{n}.svg.j2" for n in range(len(self.snippets))}
        for name, text in (*self.files.items(), *zip(faces.values(), self.snippets, strict=True)):
            studio.template(text, name)
        studio.icon("dot", f'<circle cx="5" cy="5" r="{self.icon}"/>')
        sizes = {**self.sizes, "plain": 9}
        texts = {name: style("body", size, 4) for name, size in sizes.items()}
        studio.styles = styles(
            colours=Record(self.colours, Span("styles.yaml")),
            styles=Record(texts, Span("styles.yaml")),
        )
        options = Record(self.options, Span("pack.yaml"))
        components = self.components()
        studio.more = {"options": options, "words": self.words, "components": components}
        pack = replace(studio.pack(faces), **self.pack)
        return Renderer(Setting(pack, studio.project, studio.fonts, studio.assets))


Change = Callable[[World], None]


@dataclass
class Kept:
    """A face and its dependencies, when its card was at `base`."""

    drawn: DrawnFace
    dependencies: tuple[Dependency, ...]
    base: Span

    def moved(self, moves: Moves) -> DrawnFace:
        if self.drawn.face is None:
            return self.drawn
        kept = moved_face(KeptFace(self.drawn.face, self.drawn.findings, ()), moves)
        return DrawnFace(kept.face, kept.findings)


Key = tuple[str, str]
"""The id of a card, and a side of it."""


def draw_all(world: World, studio: Studio) -> dict[Key, Kept]:
    renderer, kept = world.set_up(studio), dict[Key, Kept]()
    for component in renderer._pack.components["card"]:
        for side in renderer._pack.kinds["card"].faces:
            with renderer._tracker.reading() as log:
                drawn = renderer.draw(component, side)
            found = renderer._tracker.dependencies(log)
            assert found is not None
            kept[component.id, side] = Kept(drawn, found, component.span)
    return kept


def holding(world: World, studio: Studio, kept: Mapping[Key, Kept]) -> dict[Key, Moves]:
    """Return the faces that hold in this world, and how far their texts have moved."""
    renderer = world.set_up(studio)
    held = dict[Key, Moves]()
    for one in renderer._pack.components["card"]:
        for side in renderer._pack.kinds["card"].faces:
            if before := kept.get((one.id, side)):
                moves = renderer._tracker.still_hold(before.dependencies)
                if moves is not None:
                    held[one.id, side] = moves.also(before.base, one.span)
    return held


@pytest.fixture(scope="session")
def fonts() -> FontLibrary:
    return own_fonts()


def check(studio: Studio, before: Mapping[Key, Kept], world: World) -> tuple[int, set[str]]:
    """Check that each face that holds in this world is the same. Return their number, and the sides
    that have changed."""
    held = holding(world, studio, before)
    after = draw_all(world, studio)
    for key, moves in held.items():
        snippet = world.snippets[int(key[1][4:])]
        if before[key].drawn.face is not None:
            assert before[key].moved(moves) == after[key].drawn, snippet
    return len(held), {
        side
        for id_, side in before.keys() & after.keys()
        if before[id_, side].drawn != after[id_, side].drawn
    }


def test_what_did_not_change_holds(studio: Studio) -> None:
    world = World()
    kept = draw_all(world, studio)
    assert [key for key, one in kept.items() if one.drawn.face is None] == []
    assert len(kept) == 3 * len(SNIPPETS)
    assert set(holding(world, studio, kept)) == set(kept)
    world.line += 7  # somebody has written something above all of them
    assert set(holding(world, studio, kept)) == set(kept)


def renamed(world: World) -> None:
    world.cards[0]["name"] = "Asa"


def dearer(world: World) -> None:
    world.cards[0]["cost"] = 9


def one_more(world: World) -> None:
    world.cards.append({"id": "new", "name": "New", "cost": 1, "tags": (), "team": 1})


def in_other_words(world: World) -> None:
    world.words["Ace {dot}"] = "As"


def other_bronze(world: World) -> None:
    world.colours["bronze"] = "#000000"


def larger_tiny(world: World) -> None:
    world.sizes["tiny"] = 7


def larger_dot(world: World) -> None:
    world.icon = 1


def other_part(world: World) -> None:
    world.files["part.svg.j2"] += "!"


def other_library(world: World) -> None:
    world.files["lib.svg.j2"] += "!"


def extra(world: World) -> None:
    world.files["extra.svg.j2"] = ""


def in_another_size(world: World) -> None:
    world.options["size"] = 5


def spread_out(world: World) -> None:
    world.teams.insert(0, {"id": "stars"})
    for card in world.cards:
        card["team"] += 1


def reordered(world: World) -> None:
    world.cards.reverse()


def one_less(world: World) -> None:
    del world.cards[1]


def without_rank(world: World) -> None:
    del world.teams[0]["rank"]


CHANGES = (
    reordered, one_less, without_rank,
    renamed, dearer, one_more, in_other_words, other_bronze, larger_tiny, larger_dot, other_part,
    other_library, extra, in_another_size, spread_out,
)  # fmt: skip


@pytest.fixture(scope="module")
def drawn() -> dict[Key, Kept]:
    """The faces of the world as it is at first, drawn by the first test that needs them."""
    return {}


@pytest.mark.parametrize("change", CHANGES)
def test_where_the_reads_hold_the_face_is_the_same(
    studio: Studio, change: Change, drawn: dict[Key, Kept]
) -> None:
    world = World()
    drawn.update({} if drawn else draw_all(world, studio))
    change(world)
    check(studio, drawn, world)


@pytest.mark.parametrize(
    ("snippet", "change", "again"),
    [
        ("{{ c.name }}", renamed, "ace"),
        ("{{ c.cost }}", renamed, ""),
        ("{{ c.name }}{{ c.partner.name }}", renamed, "ace cat"),
        ("{{ components.card | length }}", renamed, ""),
        ("{{ components.card | length }}", one_more, "ace bee cat"),
        ("{{ components.team | length }}{{ c.cost }}", one_more, ""),
        ("{{ c.team.name is defined }}", renamed, ""),
        ('{{ c.team.members | map(attribute="cost") | sum }}', dearer, "ace cat"),
        ("{{ (components.card | sort(attribute='cost') | first).id }}", renamed, ""),
        ("{{ (components.card | sort(attribute='cost') | first).id }}", dearer, "ace bee cat"),
        ("{{ word(c.name) }}", in_other_words, "ace cat"),
        ('{% if c.cost == 2 %}{{ colour["bronze"] }}{% endif %}', other_bronze, "bee"),
        ('{{ draw.arrow(1, 2, 3, 4, fill="ink") }}', other_bronze, ""),
        ('{{ text_line(c.name, 9, 9, "body") }}', larger_tiny, ""),
        ('{{ text_line(c.name, 9, 9, "tiny") }}', larger_tiny, "ace bee cat"),
        ('{{ text_line(c.name, 9, 9, "tiny") }}', larger_dot, "ace cat"),
        ('{{ text_line("{dot}", 9, 9, "tiny", rich=true) }}', larger_dot, "ace bee cat"),
        ('{% if c.cost == 3 %}{% include "part.svg.j2" %}{% endif %}', other_part, "cat"),
        ('{% include "extra.svg.j2" ignore missing %}', extra, "ace bee cat"),
        ('{% import "between.svg.j2" as it %}{{ it.SIZE }}', in_another_size, "ace bee cat"),
        ('{% import "between.svg.j2" as it %}{{ it.SIZE }}', other_library, "ace bee cat"),
        ('{% import "between.svg.j2" as it %}{{ it.SIZE }}', one_more, "ace bee cat"),
        ("{{ c.team.id }}", spread_out, ""),
    ],
)
def test_only_what_shows_a_change_is_drawn_again(
    studio: Studio, snippet: str, change: Change, again: str
) -> None:
    world = World(snippets=(snippet,))
    kept = draw_all(world, studio)
    change(world)
    held = holding(world, studio, kept)
    assert {id_ for id_, _ in kept} - {id_ for id_, _ in held} == set(again.split())


def test_a_picture_is_read_by_what_is_in_it(studio: Studio) -> None:
    world = World(snippets=('{{ image("art.png", 0, 0, 9, 9) }}',))
    studio.picture("art.png", 90, 90)
    kept = draw_all(world, studio)
    assert len(holding(world, studio, kept)) == 3
    studio.picture("art.png", 90, 91)
    assert holding(world, studio, kept) == {}


def test_a_text_of_another_card_goes_along_with_it(studio: Studio) -> None:
    world = World(snippets=('{{ text_line(c.partner.name, 31, 30, "tiny") }}',))
    kept = draw_all(world, studio)
    world.cards.insert(1, {"id": "new", "name": "New", "cost": 1, "tags": (), "team": 1})
    assert check(studio, kept, world)[0] == 2  # one has another partner now


def test_a_value_without_a_digest_is_never_the_same() -> None:
    tracker = Tracker({"odd": {"a": 1}, "given": object()})
    tracker.shared("pack", Record({"odd": object()}, Span("x")))["odd"]
    assert tracker.dependencies(tracker.log) is None
    tracker.log.clear()
    tracker.named("odd")
    assert tracker.dependencies(tracker.log) is None
    tracker.log.clear()
    tracker.named("given")
    assert tracker.dependencies(tracker.log) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("1", 1),
        (None, "None"),
        (Items(("ab", "c")), Items(("a", "bc"))),
        (Items((Items(("a",)), "b")), Items((Items(("a", "b")),))),
        (Items(("a",)), ["a"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (SourceText("a", Span("x", 1, 2)), "a"),
        (SourceText("a", Span("x", 1, 2)), SourceText("a", Span("x", 1, 3))),
        (SourceText("a", Span("x", 1, 2)), SourceText("a", Span("x", 2, 2))),
        (SourceText("a", Span("x", 1, 2)), SourceText("a", Span("x", 1, 2), rich=True)),
        (Record({}, Span("x")), None),
        (Items((Record({}, Span("x")),)), Items((Record({}, Span("x")),) * 2)),
    ],
)
def test_values_are_told_apart(one: Any, other: Any) -> None:
    found = set[bytes]()
    for value in (one, other, deepcopy(one), deepcopy(other)):
        tracker = Tracker()
        tracker.shared("pack", Record({"value": Items((Span("x", 1), value))}, Span("x")))["value"]
        found |= {each.digest for each in tracker.dependencies(tracker.log) or ()}
    assert len(found) == 2


HELD = Record.__slots__


def test_a_record_is_looked_into_by_nothing_that_is_not_watched() -> None:
    """A new way to look into a record must be tracked too."""
    own = {name for name, value in vars(Record).items() if callable(value) or name in HELD}
    writing = {"fill", "defer", "__reduce__"}
    assert own - set(vars(Tracked)) - writing == {"_later", "_spans", "_values"}


@pytest.mark.parametrize(
    ("line", "now"), [(2, 2), (3, 3), (5, 5), (6, 9), (8, 11), (11, 13), (40, 42)]
)
def test_a_text_moves_with_the_value_that_begins_before_it(line: int, now: int) -> None:
    moves = Moves({"a.yaml": [(3, 3), (6, 9), (10, 12)]})
    assert moves.moved(Span("a.yaml", line, 7)) == Span("a.yaml", now, 7)
    assert moves.moved(Span("b.yaml", line, 7)) == Span("b.yaml", line, 7)
