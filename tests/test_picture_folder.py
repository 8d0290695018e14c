"""Folders of finished pictures: the backs, numbers of copies and purposes of their cards."""

from pathlib import Path

import pytest
from PIL import Image

from generator.assets import PictureSize
from generator.diagnostics import GridpressError
from generator.geometry import Size
from generator.model.catalogue import Shape, Stock
from generator.picture_folder import Fitting, cropped, fitting_stock, read_folder

SIZES = {
    "poker": (63.5, 88.9),
    "euro-poker": (63, 88),
    "bridge": (57.15, 88.9),
    "tarot": (69.85, 120.65),
    "square-card-63": (63.5, 63.5),
    "mini-euro": (44, 68),
}
STOCKS = {name: Stock(name, Size(*size), shape=Shape.ROUNDED) for name, size in SIZES.items()}


def folder(tmp_path: Path, *names: str) -> Path:
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (5, 7)).save(path)
    return tmp_path


def deck(tmp_path: Path, *names: str) -> list[str]:
    """Return the cards of a folder with these pictures, as `name: front/back × copies`."""
    return [
        f"{card.name}: {card.front} | {card.back} × {card.copies}"
        for card in read_folder(folder(tmp_path, *names)).cards
    ]


def test_one_back_is_that_of_all_and_order_is_natural(tmp_path: Path) -> None:
    assert deck(tmp_path, "card10.png", "card2.png", "back.png") == [
        "card2: card2.png | back.png × 1",
        "card10: card10.png | back.png × 1",
    ]


@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("dragon.png", "dragon-back.png"),
        ("dragon_front.png", "dragon_back.png"),
        ("Dragon (front).jpg", "Dragon (back).jpg"),
        ("dragon-F.png", "dragon-B.png"),
        ("dragon[face].png", "dragon[back].png"),
        ("fronts/dragon.png", "backs/dragon.png"),
        ("Vorderseite Dragon.png", "Rückseite Dragon.png"),
        ("dragon recto.tif", "dragon verso.tif"),
        ("dragon-front.png", "dragon-reverse.png"),
        ("01 dragon.png", "01 dragon - back.bmp"),
    ],
)
def test_a_back_of_its_own(front: str, back: str, tmp_path: Path) -> None:
    (card,) = read_folder(folder(tmp_path, front, back)).cards
    assert (card.front, card.back) == (front, back)
    assert card.name.lower().removeprefix("01 ") == "dragon"


def test_backs_of_several_go_by_folder_and_by_words(tmp_path: Path) -> None:
    names = ("attack-1.png", "attack-2.png", "attack-back.png", "b/1.png", "b/back.png", "c/1.png")
    assert deck(tmp_path, *names, "card back.png") == [
        "attack 1: attack-1.png | attack-back.png × 1",
        "attack 2: attack-2.png | attack-back.png × 1",
        "b 1: b/1.png | b/back.png × 1",
        "c 1: c/1.png | card back.png × 1",
    ]


def test_a_back_may_be_named_after_the_folder(tmp_path: Path) -> None:
    home = folder(tmp_path / "wizards", "fire.png", "wizards-back.png")
    (card,) = read_folder(home).cards
    assert card.back == "wizards-back.png"


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        ("goblin x3.png", 3),
        ("goblin_×3.png", 3),
        ("3x goblin.png", 3),
        ("goblin[face,3].png", 3),
        ("goblin (3).png", 1),
        ("x3.png", 1),
        ("goblin 64x64.png", 1),
    ],
)
def test_a_name_may_say_how_many_are_printed(name: str, copies: int, tmp_path: Path) -> None:
    (card,) = read_folder(folder(tmp_path, name)).cards
    assert card.copies == copies


def test_what_is_no_picture_is_named_and_junk_is_not(tmp_path: Path) -> None:
    folder(tmp_path, "a.png")
    (tmp_path / "b.heic").write_bytes(b"\0\0\0\x18ftypheic")
    (tmp_path / "c.psd").write_bytes(b"8BPS")
    (tmp_path / "d.csv").write_text("a,b\n")
    for name in ("Thumbs.db", ".DS_Store", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    found = read_folder(tmp_path)
    assert [card.name for card in found.cards] == ["a"]
    assert [note.partition("\n")[0] for note in found.notes] == [
        "left out: b.heic is a HEIC photo, as iPhones save it",
        "left out: c.psd is a Photoshop file",
        "d.csv is not read: import that file to make cards from its rows",
    ]


def test_a_folder_without_pictures_says_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(GridpressError) as raised:
        read_folder(tmp_path)
    (told,) = raised.value.diagnostics
    assert (told.code, "run git lfs pull" in told.hint) == ("GP501", True)


def test_an_svg_may_be_a_card(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 7"/>')
    assert [card.front for card in read_folder(tmp_path).cards] == ["a.svg"]


@pytest.mark.parametrize(
    ("wide", "high", "dpi", "stock", "bleed"),
    [
        (750, 1050, 0, "poker", 0),
        (1500, 2100, 600, "poker", 0),
        (1500, 2100, 72, "poker", 0),
        (1050, 750, 0, "poker", 0),
        (825, 1125, 0, "poker", 3.175),
        (1650, 2250, 0, "poker", 3.175),
        (1488, 2078, 600, "euro-poker", 0),
        (815, 1110, 0, "euro-poker", 3),
        (900, 1500, 0, "tarot", 3.175),
        (519, 803, 0, "mini-euro", 0),
        (1024, 1024, 0, "square-card-63", 0),
        (1024, 1536, 0, "bridge", 0),
    ],
)
def test_the_size_follows_from_the_pictures(
    wide: int, high: int, dpi: float, stock: str, bleed: float
) -> None:
    found = fitting_stock([PictureSize(Size(wide, high), dpi)], STOCKS)
    assert (found.stock.name, found.bleed) == (stock, bleed)


def test_most_pictures_count_and_others_are_told() -> None:
    sizes = {f"{n}": PictureSize(Size(750, 1050)) for n in range(3)}
    sizes |= {"lying": PictureSize(Size(1050, 750)), "square": PictureSize(Size(700, 700))}
    found = fitting_stock(tuple(sizes.values()), STOCKS)
    assert found == Fitting(STOCKS["poker"], 0)
    assert cropped(sizes, found) == ["square"]
