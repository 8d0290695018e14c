"""[[Whip]] in a text is the word that the locale has for it."""

from __future__ import annotations

from pathlib import Path

from generator.load import read_pack
from generator.model.source import Node, Scalar, Sequence
from generator.project import Project

PACK = """title: Mini
version: 1.0.0
prints: {cards: {title: Cards, kinds: [card], papers: [a4]}}
"""
CARDS = r"""kind: card
components:
  - {id: one, text: "Two [[Whips]] and [[ the rein ]].", list: [a, ["[[Whips]]!"]], end: "[[ ]] [["}
  - {id: two, text: '[[Whips]]', kept: '\[[Whips]] \\[[Whips]] \\\[[Whips]] \['}
"""
KEPT = r"[[Whips]] \\Whips \\[[Whips]] \["
"""A backslash before the brackets keeps them; two make one backslash of a rich text."""
WORDS = """words: {Whips: Throttles, the rein: a lever}
components: {card: {two: {text: "No [[Whips]], no [[race]]."}}}
"""


def texts(node: Node | None) -> list[str]:
    """Return the texts in a node, in their order."""
    if node is None or isinstance(node, Scalar):
        return [] if node is None else [node.text]
    parts = node.items if isinstance(node, Sequence) else [value for _, value in node.entries]
    return [text for part in parts for text in texts(part)]


def said(root: Path, pack: str, locale: str | None) -> list[list[str]]:
    outcome = read_pack(Project(root, root), pack, locale)
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    return [texts(component.node) for component in outcome.value.components]


def written(root: Path) -> Path:
    folder = root / "cards/mini"
    (folder / "locales").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    (folder / "cards.yaml").write_text(CARDS, "utf-8")
    (folder / "locales/engines.yaml").write_text(WORDS, "utf-8")
    return root


def test_a_place_says_itself_without_a_locale(tmp_path: Path) -> None:
    assert said(written(tmp_path), "mini", None) == [
        ["one", "Two Whips and the rein.", "a", "Whips!", "[[ ]] [["],
        ["two", "Whips", KEPT],
    ]


def test_a_locale_says_it_anew_in_its_own_texts_too(tmp_path: Path) -> None:
    assert said(written(tmp_path), "mini", "engines") == [
        ["one", "Two Throttles and a lever.", "a", "Throttles!", "[[ ]] [["],
        ["two", KEPT.replace("\\\\Whips", "\\\\Throttles"), "No Throttles, no race."],
    ]


def test_words_of_a_required_pack_count_unless_there_are_own(tmp_path: Path) -> None:
    folder = written(tmp_path) / "cards/more"
    (folder / "locales").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK + 'requires: {mini: ">= 1.0"}\n', "utf-8")
    card = 'kind: card\ncomponents: [{id: mine, text: "[[Whips]], [[the rein]]"}]\n'
    (folder / "cards.yaml").write_text(card, "utf-8")
    assert said(tmp_path, "more", "engines") == [["mine", "Throttles, a lever"]]
    (folder / "locales/engines.yaml").write_text("words: {Whips: Sails}\n", "utf-8")
    assert said(tmp_path, "more", "engines") == [["mine", "Sails, a lever"]]


def test_what_opens_and_never_ends_is_left_as_it_is(tmp_path: Path) -> None:
    """The text is scanned once; scanning the rest for each letter would take minutes."""
    endless = "[[a" + " " * 200_000 + "!"
    folder = written(tmp_path) / "cards/mini"
    (folder / "cards.yaml").write_text(
        f'kind: card\ncomponents: [{{id: one, text: "{endless}"}}]\n', "utf-8"
    )
    assert said(tmp_path, "mini", None) == [["one", endless]]
