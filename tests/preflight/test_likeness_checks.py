import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from export.hand_made import face, place, sheet, text, write
from msgspec.structs import replace
from preflight.tampering import tamper

from generator.diagnostics import Diagnostic, Severity
from generator.model.face import Face, Placement, Side
from generator.model.pack import Backs
from generator.preflight import preflight
from generator.preflight.differences import View

DOT = '<circle cx="{x}" cy="44" r="{r}" fill="#203050"/>'
SPOTS = [(20.0, 20.0), (110.0, 20.0), (20.0, 130.0), (110.0, 130.0)]


def dot(r: float = 6, x: float = 30, ground: str = "#ddccaa") -> dict[str, str]:
    return {"body": DOT.format(x=x, r=r), "ground": ground}


@dataclass
class Card:
    """A card: what is on its faces, its values as one text, its choices."""

    id: str
    front: dict[str, str]
    back: dict[str, str] | None = None
    content: str = ""
    choice: str = ""
    copy: int = 1


def drawn(card: Card, name: str) -> Face:
    look = card.front if name == "front" else card.back
    assert look is not None
    return face(card.id, look["body"], name=name, ground=look["ground"])


def built(folder: Path, cards: Sequence[Card], **more: str) -> Path:
    """A finished file of up to four cards, with what the manifest says of them."""
    spots = list(zip(cards, SPOTS, strict=False))
    fronts = [place(drawn(card, "front"), *at, copy=card.copy) for card, at in spots]
    backs = [
        place(drawn(card, "back"), 210 - x - 63, y, copy=card.copy)
        for card, (x, y) in spots
        if card.back
    ]
    sheets = [sheet(fronts), *([sheet(backs, side=Side.BACK)] if backs else [])]
    path = write(folder, sheets, backs=Backs.DUPLEX_LONG if backs else Backs.NONE)
    ids = [card.id for card in cards]
    kind: dict[str, Any] = {"title": "Card", "why": "", "safe_mm": 3, "edge": "ink", **more}
    kind["quantities"] = {id_: ids.count(id_) for id_ in ids}
    kind["components"] = {
        card.id: {
            "source": f"cards/hand/{card.id}.yaml:4:3",
            "content": card.content or card.id,
            "choices": {"level": card.choice} if card.choice else {},
        }
        for card in cards
    }
    manifest = folder / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["kinds"] = {"card": kind}
    manifest.write_text(json.dumps(told), encoding="utf-8")
    return path


def found(path: Path) -> list[Diagnostic]:
    return [d for d in preflight(path, own=True).diagnostics if d.code in ("GP852", "GP853")]


def test_different_cards_and_equal_backs_are_in_order(tmp_path: Path) -> None:
    cards = [Card("a", dot(6), dot(9)), Card("b", dot(4), dot(9)), Card("c", dot(5), dot(9))]
    assert found(built(tmp_path, cards)) == []


def test_cards_with_other_values_that_look_the_same_are_told_of(tmp_path: Path) -> None:
    [finding] = found(built(tmp_path, [Card("a", dot(), dot(9)), Card("b", dot(), dot(9))]))
    assert (finding.code, finding.severity) == ("GP852", Severity.WARNING)
    assert "'a', 'b' of 'card' look the same" in finding.message
    assert "card/a, from cards/hand/a.yaml:4:3" in finding.hint


def test_what_is_made_one_for_each_may_look_the_same(tmp_path: Path) -> None:
    cards = [Card("a", dot()), Card("b", dot())]
    assert found(built(tmp_path, cards, made_from="racer")) == []


@pytest.mark.parametrize(("choices", "count"), [("xxy", 0), ("xyz", 1), ("xxx", 1)])
def test_what_is_made_may_show_nothing_but_a_choice(
    tmp_path: Path, choices: str, count: int
) -> None:
    looks = [dot(), dot(), dot(3)]
    cards = [Card(f"c{n}", look, choice=choices[n]) for n, look in enumerate(looks)]
    assert len(found(built(tmp_path, cards, made_from="racer"))) == count


def test_a_difference_that_nobody_sees_is_none(tmp_path: Path) -> None:
    hidden = {**dot(), "body": '<circle cx="30" cy="44" r="3" fill="#fff"/>' + dot()["body"]}
    [finding] = found(built(tmp_path, [Card("a", dot()), Card("b", hidden)]))
    assert finding.code == "GP852"


def test_other_words_and_small_shapes_are_differences(tmp_path: Path) -> None:
    fronts = [dot(), dot(6.4), {**dot(), "body": text("A")}, {**dot(), "body": text("B")}]
    assert found(built(tmp_path, [Card(f"c{n}", front) for n, front in enumerate(fronts)])) == []


def test_one_face_that_differs_is_enough(tmp_path: Path) -> None:
    backs = [dot(9), dot(3, x=20)]
    cards = [Card(f"c{n}", dot(), back) for n, back in enumerate(backs)]
    assert found(built(tmp_path, cards)) == []


def test_cards_with_the_same_values_may_look_the_same(tmp_path: Path) -> None:
    cards = [Card("a", dot(), content="x"), Card("b", dot(), content="x")]
    assert found(built(tmp_path, cards)) == []


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("other", [dot(6, x=31), dot(6, ground="#dd99aa"), dot(12)])
def test_cards_with_the_same_values_must(tmp_path: Path, other: dict[str, str]) -> None:
    cards = [Card("a", dot(), content="x"), Card("b", other, content="x")]
    [finding] = found(built(tmp_path, cards))
    assert (finding.code, finding.severity) == ("GP853", Severity.WARNING)
    assert "fronts of 'card': 'a' and 'b' with the same values differ" in finding.message


def test_numbered_pieces_may_differ_in_their_number(tmp_path: Path) -> None:
    cards = [Card(id_, {**dot(), "body": text(id_)}, content="x") for id_ in "12"]
    assert found(built(tmp_path, cards)) == []


PENCIL = '<circle cx="2" cy="2" r="0.4"/>'
MARKED = [
    dot(9, x=30.5),
    dot(9.2),
    dot(9, ground="#c9ccaa"),
    {**dot(9), "body": dot(9)["body"] + PENCIL},
]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("marked", MARKED)
def test_a_marked_back_is_told_of(tmp_path: Path, marked: dict[str, str]) -> None:
    backs = [dot(9), dot(9), marked]
    cards = [Card(f"c{n}", dot(n + 2), back) for n, back in enumerate(backs)]
    [finding] = found(built(tmp_path, cards))
    assert (finding.code, finding.severity) == ("GP853", Severity.WARNING)
    assert "are nearly, but not quite, alike" in finding.message


def test_backs_that_clearly_differ_are_meant_to(tmp_path: Path) -> None:
    backs = [dot(9), dot(9, x=33)]
    cards = [Card(f"c{n}", dot(n + 2), back) for n, back in enumerate(backs)]
    assert found(built(tmp_path, cards)) == []


@pytest.mark.thorough
def test_pieces_that_have_each_a_back_of_their_own_may_come_near(tmp_path: Path) -> None:
    """Racers that one tells by their backs: two of them happen to be built alike."""
    backs = [dot(9), dot(9.2), dot(3, x=20), dot(9, ground="#20553a")]
    cards = [Card(f"c{n}", dot(n + 2), back) for n, back in enumerate(backs)]
    assert found(built(tmp_path / "own", cards)) == []
    shared = [*cards[:3], Card("c9", dot(12), backs[0])]
    assert [finding.code for finding in found(built(tmp_path / "deck", shared))] == ["GP853"]


@pytest.mark.thorough
def test_backs_that_a_choice_tells_apart_are_meant_to(tmp_path: Path) -> None:
    backs = [dot(9), dot(9), dot(9.5), dot(9.5)]
    for levels, count in ((["i", "i", "ii", "ii"], 0), (["i", "ii", "i", "ii"], 1)):
        cards = [Card(f"c{n}", dot(n + 2), back, choice=levels[n]) for n, back in enumerate(backs)]
        assert len(found(built(tmp_path / str(count), cards))) == count


def test_copies_drawn_from_two_pictures_are_told_of(tmp_path: Path) -> None:
    cards = [Card("a", dot()), Card("a", dot(6.5), copy=2)]
    [finding] = found(built(tmp_path, cards))
    assert (finding.code, finding.severity) == ("GP853", Severity.ERROR)
    assert "copies of 'a' look different" in finding.message


def test_it_is_what_is_in_the_file_that_counts(tmp_path: Path) -> None:
    """The picture of one card is put under the name of another."""
    path = built(tmp_path, [Card("a", dot(6)), Card("b", dot(4))])
    assert found(path) == []

    def swap(pdf: Any) -> None:
        forms = pdf.pages[0].Resources.XObject
        one, other = forms.keys()
        forms[other].write(forms[one].read_bytes())
        forms[other].Resources = forms[one].Resources

    tamper(path, swap)
    [finding] = found(path)
    assert finding.code == "GP852"


def test_a_face_is_compared_however_it_lies(tmp_path: Path) -> None:
    """Equal backs in other places and turned otherwise are equal."""
    one, other = face("a", dot(9)["body"]), face("b", dot(9)["body"] + "<g/>")
    assert one.sha256 != other.sha256
    placed: list[Placement] = [place(one, 20.13, 20.2), place(other, 100.04, 30.4, rotation=90)]
    path = write(tmp_path, [sheet([replace(p, copy=n) for n, p in enumerate(placed, 1)])])
    manifest = tmp_path / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["kinds"] = {
        "card": {
            "quantities": {"a": 1, "b": 1},
            "components": {
                id_: {"source": f"x.yaml:{n}:1", "content": "same", "choices": {}}
                for n, id_ in enumerate("ab", 1)
            },
        }
    }
    manifest.write_text(json.dumps(told), encoding="utf-8")
    assert found(path) == []


def test_a_face_on_which_nothing_is_drawn_any_more_has_nothing_to_take_back() -> None:
    face: Any = SimpleNamespace(words="", expected=None)
    drawn: Any = SimpleNamespace(restated=lambda: iter(()), things=())
    assert View(face, None, None, None, None, None, drawn).undone() is None
