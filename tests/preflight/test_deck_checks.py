"""What is asked about a deck as a whole: one back for all of it, one size for its titles."""

import io
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from grain import grain
from PIL import Image

from generator.geometry import Rect
from generator.order import Order
from generator.preflight.deck_checks import (
    _is_more_than_grain,
    _set_otherwise,
    _standing_out,
    _Title,
)
from generator.press import press_pack
from generator.project import find_targets

BASE = Path(__file__).parent.parent / "fixtures/faults/base"
FRONT = '<rect width="63.5" height="88.9" fill="#ffffff"/>{{ text_line(c.name, 8, 20, "title") }}'
BACK = '<rect x="-3" y="-3" width="69.5" height="94.9" fill="#204060"/>'
MARKED = '{% if c.id == "c2" %}<circle cx="8" cy="8" r="0.5" fill="#f0c040"/>{% endif %}'
THIRD = '{% if c.id == "c3" %}<rect x="20" y="40" width="20" height="9" fill="#f0f0f0"/>{% endif %}'
OTHER = '{% if c.id == "c2" %}<circle cx="30" cy="40" r="12" fill="#f0c040"/>{% endif %}'


def codes(folder: Path, front: str, back: str, names: tuple[str, ...], only: str = "") -> set[str]:
    """What is found on a deck of cards with these names, drawn by two templates."""
    shutil.copytree(BASE, folder / "project", dirs_exist_ok=True)
    cards, templates = folder / "project/cards/mini", folder / "project/templates/mini"
    (cards / "kinds/card.yaml").write_text(
        "kind: card\nstock: {like: poker}\nfaces: {front: card.svg.j2, back: back.svg.j2}\n"
        "fields: {name: {type: text}}\n"
    )
    lines = "".join(f"  - {{id: c{n}, name: {name}}}\n" for n, name in enumerate(names, 1))
    (cards / "cards.yaml").write_text(f"kind: card\ncomponents:\n{lines}")
    (templates / "card.svg.j2").write_text(front)
    (templates / "back.svg.j2").write_text(back)
    with (templates / "styles.yaml").open("a") as styles:
        styles.write("  title: {font: body, size: 14pt, min: 7pt, colour: ink}\n")
    [target] = find_targets([str(folder / "project")])
    outcome = press_pack(target, Order(only=only or None), folder / "out")
    assert outcome.value, outcome.diagnostics
    return {found.code for found in outcome.diagnostics} & {"GP853", "GP858", "GP859", "GP860"}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("names", "back", "found"),
    [
        (("Ash", "Elm", "Fir", "Oak", "Yew"), BACK, set()),
        (("Ash", "Elm", "Fir", "Oak", "Yew"), BACK + OTHER, {"GP858"}),
        (("Ash", "Elm", "Fir"), BACK + OTHER, set()),
        (("Ash", "Elm", "Fir", "Oak", "Yew"), BACK + MARKED, {"GP853"}),
        (("Ash", "Elm", "Fir", "Oak", "Yew", "Box", "Bay", "Nut"), BACK + OTHER + THIRD, {"GP858"}),
        (("Ash", "Elm", "Fir", "Oak", "Yew"), BACK + OTHER + THIRD, set()),
    ],
)
def test_a_deck_has_one_back(
    names: tuple[str, ...], back: str, found: set[str], tmp_path: Path
) -> None:
    assert codes(tmp_path, FRONT, back, names) == found


@pytest.mark.thorough
def test_a_mark_stands_out_of_the_grain_of_pictures_that_were_each_saved_anew() -> None:
    def saved(quality: int, *, marked: bool = False) -> Image.Image:
        picture = Image.radial_gradient("L").resize((370, 520)).convert("RGB")
        picture.paste((90, 40, 20), (60, 300, 300, 420))
        if marked:
            picture.paste((255, 255, 255), (150, 150, 154, 154))
        stream = io.BytesIO()
        picture.save(stream, "JPEG", quality=quality)
        return Image.open(stream).convert("RGB")

    grain = {(n, 0): saved(80 + 5 * n) for n in range(4)}
    owners = dict.fromkeys(grain, 1)
    assert _standing_out(grain, owners) == set()
    assert _standing_out(grain | {(2, 0): saved(90, marked=True)}, owners) == {(2, 0)}
    assert _standing_out(grain | {(2, 0): grain[1, 0].point(lambda v: v - 4)}, owners) == {(2, 0)}
    assert not _is_more_than_grain(saved(95), saved(85))
    assert _is_more_than_grain(saved(95), saved(95, marked=True))


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("smaller", "only", "found"),
    [
        ("", "", set()),
        ('"c2"', "", {"GP859"}),
        ('"c2"', "c[2-5]", set()),  # others that are not printed may be as small
        ('"c2", "c3"', "", set()),
    ],
)
def test_a_title_of_another_size_is_told_of(
    smaller: str, only: str, found: set[str], tmp_path: Path
) -> None:
    sizes = f"size=9 if c.id in [{smaller}] else 14"
    front = FRONT.replace('"title")', f'"title", {sizes})')
    names = ("Ash", "Elm", "Fir", "Oak", "Yew")
    assert codes(tmp_path, front, BACK, names, only) == found


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("title", "found"),
    [
        ('text_line(c.name, 8, 20, "title", colour="#a02020" if odd else "#202020")', {"GP859"}),
        ('text_line(c.name, 8 if odd else 9, 20, "title")', {"GP859"}),
        ('text_line(c.name, 8, 20.2 if odd else 20, "title")', set()),
        ('text_line(c.name, 8, 24 if odd else 20, "title")', {"GP859"}),
        ('text_line(c.name, 30, 20, "title", anchor="start" if odd else "middle")', {"GP859"}),
        ('text_box(c.name, 8, 20, 40, 9, "title", size=9 if c.id == "c3" else 14)', {"GP859"}),
        ('text_box(c.name, 8, 20, 40, 9, "title", size=9 if odd else 14)', {"GP859"}),
        ('text_line(c.name, 8 + c.name | length, 20, "title")', set()),
    ],
)
def test_a_title_that_is_set_otherwise_is_told_of(
    title: str, found: set[str], tmp_path: Path
) -> None:
    front = FRONT.partition("{{")[0] + f"{{% set odd = c.id == 'c2' %}}{{{{ {title} }}}}"
    names = ("Ash", "Elm tree", "Fir", "Oaks", "Yew")
    assert codes(tmp_path, front, BACK, names) == found


def title(
    card: int,
    choice: str = "",
    size: float = 14,
    x: float = 8,
    field: str = "body",
    shade: int = 0,
    wide: float = 30,
    font: str = "A",
) -> Any:
    """The title of a card as it is set, beside another text."""
    told = SimpleNamespace(style="title", field="name", size_pt=size, box=Rect(x, 10, wide, 4))
    other = SimpleNamespace(style="body", field=field)
    face = SimpleNamespace(kind="card", component=f"c{card}", texts=(told, other))
    look = SimpleNamespace(font=font, colour=(shade,) * 3, letters=9)
    return _Title(SimpleNamespace(expected=face, choice=choice), told, look)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "odd", "told"),
    [
        (11, {"size": 12, "wide": 20}, [3, 7]),
        (11, {"size": 12, "wide": 29}, []),
        (11, {"x": 9.5}, [3, 7]),
        (11, {"shade": 60}, [3, 7]),
        (11, {"shade": 255}, []),
        (11, {"font": "B"}, []),
        (9, {"size": 12, "wide": 20}, []),
        (11, {"size": 12, "wide": 20, "choice": "boss"}, []),
        (11, {"size": 12, "wide": 20, "field": "cost"}, []),
    ],
    ids=[
        "size",
        "to fit",
        "place",
        "colour",
        "reversed",
        "bold words",
        "of too few",
        "by choice",
        "another layout",
    ],
)
def test_a_few_titles_of_many_are_set_otherwise(
    count: int, odd: dict[str, Any], told: list[int]
) -> None:
    titles = [title(card, **(odd if card in (3, 7) else {})) for card in range(count)]
    pieces = {
        ("card", f"c{n}"): SimpleNamespace(choices={"rank": t.trace.choice})  # type: ignore[attr-defined]
        for n, t in enumerate(titles)
    }
    expected: Any = SimpleNamespace(components=pieces)
    found = {one.trace.expected.component: words for one, words in _set_otherwise(expected, titles)}
    assert sorted(found) == [f"c{card}" for card in told]
    assert all("on nearly all other cards of 'card'" in words for words in found.values())


@pytest.mark.thorough
@pytest.mark.parametrize(("shared", "found"), [("c1", set()), ("c2", {"GP860"})])
def test_two_cards_with_one_picture(shared: str, found: set[str], tmp_path: Path) -> None:
    pictures = tmp_path / "project/cards/mini/pictures"
    pictures.mkdir(parents=True)
    for number in range(1, 6):
        noise = grain((160, 160), 30 + number)
        noise.convert("RGB").save(pictures / f"c{number}.png")
    name = f'("{shared}" if c.id == "c1" else c.id) ~ ".png"'
    front = FRONT + f'{{{{ image("pictures/" ~ {name}, 20, 40, 20, 20) }}}}'
    names = ("Ash", "Elm", "Fir", "Oak", "Yew")
    assert codes(tmp_path, front, BACK, names) == found


@pytest.mark.thorough
def test_backs_of_one_picture_that_was_saved_for_each_card(tmp_path: Path) -> None:
    """Two of them may be the same file."""
    pictures = tmp_path / "project/cards/mini/pictures"
    pictures.mkdir(parents=True)
    picture = Image.radial_gradient("L").resize((370, 520)).convert("RGB")
    for number in range(1, 6):
        picture.save(pictures / f"c{number}.jpg", quality=96 - number % 4 * 3)
    back = '{{ image("pictures/" ~ c.id ~ ".jpg", -3, -3, 69.5, 94.9) }}'
    assert codes(tmp_path, FRONT, back, ("Ash", "Elm", "Fir", "Oak", "Yew")) == set()
