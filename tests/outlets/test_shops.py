"""Print shops: products by trim, their pictures, and pieces that they cannot take."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from outlets.helpers import change
from PIL import Image

from generator.build import Standing
from generator.project import Project, shipped_root

Export = Callable[..., tuple[int, str, str]]


def listed(folder: Path) -> list[tuple[str, int, str]]:
    told = json.loads((folder / "manifest.json").read_text("utf-8"))
    return [(f["file"], f["copies"], f["product"]) for f in told["files"]]


def test_a_kind_finds_its_product_by_its_trim(project: Path, export: Export) -> None:
    status, said, err = export("--for", "tgc")
    assert status == 0
    assert "4 files for 5 pieces" in said, "what is left out is not counted"
    folder = project / "output/mini/tgc"
    assert listed(folder) == [
        ("EuroPokerDeck/card/back.png", 4, "EuroPokerDeck"),
        ("EuroPokerDeck/card/one[face,3].png", 3, "EuroPokerDeck"),
        ("EuroPokerDeck/card/two[face,1].png", 1, "EuroPokerDeck"),
        ("CircleShard/chit/chit[face,1].png", 1, "CircleShard"),
    ]
    with Image.open(folder / "EuroPokerDeck/card/two[face,1].png") as picture:
        assert picture.size == (825, 1125)
        assert {picture.getpixel(at) for at in ((0, 0), (824, 1124))} == {(0x99, 0x33, 0)}
    assert "kinds/odd.yaml:1:7: warning[GP712]" in err
    assert "it makes nothing of 111 × 222 mm" in err


def test_a_product_a_little_larger_shows_what_is_bleed_otherwise(
    project: Path, export: Export
) -> None:
    status, _, err = export("--for", "mpc")
    assert status == 0
    folder = project / "output/mini/mpc/poker/card"
    assert sorted(path.name for path in (folder / "fronts").iterdir()) == [
        "001-one.png",
        "002-one.png",
        "003-one.png",
        "004-two.png",
    ]
    with Image.open(folder / "fronts/001-one.png") as picture:
        assert picture.size == (822, 1122)
        assert picture.getpixel((821, 0)) == (0x33, 0x66, 0x99)
    assert "63 × 88 mm is printed as MakePlayingCards's poker, 63.5 × 88.9 mm" in err
    assert "take the stock poker, and no bleed will show" in err
    assert "takes no 'odd': it makes nothing of 111 × 222 mm" in err
    assert (
        "nearest is large, 88.9 × 146.05 mm: take the stock oversize, "
        "or write outlets: {mpc:" in err
    )


def test_a_kind_of_several_sizes_shares_no_back(project: Path, export: Export) -> None:
    kind, cards = project / "cards/mini/kinds/card.yaml", project / "cards/mini/cards.yaml"
    sized = "stock: {like: euro, width: w}", "  w: {type: length, default: 63mm}\n"
    kind.write_text(kind.read_text().replace("stock: euro", sized[0]) + sized[1])
    more = "  - {id: three, name: Three, w: 63.5mm}\n  - {id: four, name: Four, w: 70mm}\n"
    more += "  - {id: five, name: Five, w: 70.1mm}\n"
    cards.write_text(cards.read_text() + more)
    status, _, err = export("--for", "mpc")
    assert status == 0
    folder = project / "output/mini/mpc/poker/card"
    for side in ("fronts", "backs"):
        names = ["001-one", "002-one", "003-one", "004-two", "005-three"]
        assert sorted(path.stem for path in (folder / side).iterdir()) == names
    assert err.count("takes no 'card'") == 1
    assert "70 × 88 mm (rounded), nor of its kind's other sizes (1)" in err


@pytest.mark.parametrize(("more", "product"), [("", ""), (", stickers: true", "TokenSticker")])
def test_stickers_become_stickers_where_a_shop_has_both(
    more: str, product: str, project: Path, export: Export
) -> None:
    pack = project / "cards/mini/pack.yaml"
    change(pack, "size: [19mm, 19mm]", "size: [1in, 1in]", "papers: [a4]", f"papers: [a4]{more}")
    assert export("--for", "tgc", "--only", "chit")[0] == 0
    (made,) = (path.name for path in (project / "output/mini/tgc.only").iterdir() if path.is_dir())
    assert (made == "TokenSticker") == bool(product)


def test_art_that_ends_before_the_picture_does_is_told(project: Path, export: Export) -> None:
    change(project / "templates/mini/front.svg.j2", "-stock.bleed", "-3")
    status, _, err = export("--for", "tgc")
    assert status == 0
    assert "warning[GP714]: card/one: the art of the front leaves" in err
    assert export("--for", "tgc", "--strict")[0] == 1


def test_round_art_that_ends_with_its_bleed_leaves_nothing_bare(
    project: Path, export: Export
) -> None:
    round_ = '<circle cx="9.5" cy="9.5" r="{{ 9.5 + stock.bleed }}" fill="#222255"/>'
    (project / "templates/mini/plain.svg.j2").write_text(round_, encoding="utf-8")
    status, _, err = export("--for", "tgc", "--only", "chit")
    assert status == 0
    assert "GP714" not in err
    short = round_.replace("stock.bleed", "stock.bleed - 0.3")
    (project / "templates/mini/plain.svg.j2").write_text(short, encoding="utf-8")
    assert "GP714" in export("--for", "tgc", "--only", "chit")[2]


def test_text_near_the_cut_of_the_product_is_told(project: Path, export: Export) -> None:
    change(project / "templates/mini/front.svg.j2", "10, 20, 43", "2.5, 20, 43")
    status, _, err = export("--for", "tgc")
    assert "cards.yaml:3:21: warning[GP714]: card/one: text of the front is nearer" in err
    assert status == 0


def test_a_pack_chooses_its_product(project: Path, export: Export) -> None:
    wish = "outlets: {tgc: {products: {odd: TarotDeck}}}\n"
    change(project / "cards/mini/pack.yaml", wish)
    assert export("--for", "tgc", "--only", "odd")[0] == 0
    names = [name for name, _, _ in listed(project / "output/mini/tgc.only")]
    assert names == ["TarotDeck/odd/odd[face,1].png"]


@pytest.mark.parametrize(
    ("outlet", "kind", "said"),
    [
        ("tgc", "odd", "9:33: error[GP711]: The Game Crafter makes no product 'TarotDek'"),
        ("tgc", "odd", "did you mean 'TarotDeck'"),
        ("tgc", "cart", "error[GP212]"),
        ("tcg", "odd", "9:16: error[GP711]: outlets: there is no outlet 'tcg'"),
    ],
)
def test_a_mistake_in_a_choice(
    outlet: str, kind: str, said: str, project: Path, export: Export
) -> None:
    wish = f"outlets: {{{outlet}: {{products: {{{kind}: TarotDek}}}}}}\n"
    change(project / "cards/mini/pack.yaml", wish)
    status, _, err = export("--for", "tgc")
    assert status == 1
    assert said in err


OWN = """\
shops: {mine: {title: Mine, fronts: "{id}", backs: "b/{id}", safe: 2mm, most: 3, dpi: 72,
  products: {slab: {canvas: [500, 900], trim: [111mm, 222mm], shape: rectangle}}}}
"""


def test_a_shop_of_ones_own(project: Path, export: Export) -> None:
    (project / "cards/shared").mkdir()
    (project / "cards/shared/shops.yaml").write_text(OWN)
    change(project / "cards/mini/kinds/odd.yaml", "fields:", "quantity: 4\nfields:")
    status, _, err = export("--for", "mine")
    assert status == 0
    assert "warning[GP715]: odd: 4 pieces of slab; Mine takes 3" in err
    with Image.open(project / "output/mini/mine/odd.png") as picture:
        assert picture.size == (500, 900)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("500, 900", "200, 900", "shops.yaml:2:29: error[GP213]"),
        ('"{id}"', '"{idd}"', "there is no {idd}"),
        (OWN[OWN.index("products") :], "any_size: {bleed: 2mm}}}\n", "there is no {product}"),
    ],
)
def test_a_mistake_in_a_shop(old: str, new: str, said: str, project: Path, export: Export) -> None:
    (project / "cards/shared").mkdir()
    text = OWN.replace('"b/{id}"', '"{product}/{id}"').replace(old, new)
    (project / "cards/shared/shops.yaml").write_text(text)
    status, _, err = export("--for", "mine")
    assert status == 1
    assert said in err


def test_more_pictures_than_anybody_uploads(project: Path, export: Export) -> None:
    change(project / "cards/mini/cards.yaml", "copies: 3", "copies: 6000")
    status, _, err = export("--for", "mpc")
    assert status == 1
    assert "error[GP715]: 6,002 pictures would be made; the most is 5,000" in err
    assert not (project / "output").exists()


def test_a_picture_too_large_to_be_drawn(project: Path, export: Export) -> None:
    status, _, err = export("--for", "images", "--dpi", "1200")
    assert status == 1
    assert "error[GP504]: the front of odd/odd would have" in err


def test_a_piece_too_large_for_a_picture_is_left_out_by_a_shop(
    project: Path, export: Export
) -> None:
    change(project / "cards/mini/pack.yaml", "[111mm, 222mm]", "[3000mm, 400mm]")
    status, _, err = export("--for", "printninja")
    assert status == 0
    assert "odd.yaml:1:7: warning[GP712]: PrintNinja takes no 'odd': 170 million pixels" in err
    made = {path.name for path in (project / "output/mini/printninja").rglob("*.png")}
    assert made
    assert not any("odd" in name for name in made)


def test_an_unknown_outlet(project: Path, export: Export) -> None:
    status, _, err = export("--for", "tgx")
    assert status == 1
    assert "error[GP711]: there is no outlet 'tgx'" in err
    assert "did you mean 'tgc'" in err
    assert export()[0] == 2
    assert not (project / "output").exists()


def test_several_outlets_at_once_and_options_of_one_alone(project: Path, export: Export) -> None:
    status, said, _ = export("--for", "TGC, pcio", "--for", "tgc", "--only", "chit")
    assert status == 0
    assert said.count(" for ") == 2
    assert {path.name for path in (project / "output/mini").iterdir()} == {"tgc.only", "pcio.only"}
    assert "no outlet 'tgx'" in export("--for", "images,tgx")[2]
    assert not (project / "output/mini/images").exists(), "names are looked at first"
    assert "--url is for --for tts" in export("--for", "pcio", "--url", "https://x.org/")[2]
    assert "are for --for images" in export("--for", "images,tgc", "--dpi", "72")[2]


def test_all_shops_that_are_shipped_are_sound() -> None:
    root = shipped_root()
    shops = Standing().shops(Project(root, root))
    assert shops.diagnostics == ()
    assert set(shops.value) >= {"tgc", "mpc", "printninja", "tabletopia"}
    for shop in shops.value.values():
        for product in shop.products.values():
            beyond = [
                (pixels / shop.dpi * 25.4 - side) / 2
                for pixels, side in zip(
                    product.canvas, (product.trim.width, product.trim.height), strict=True
                )
            ]
            assert all(-0.05 <= bleed <= 8 for bleed in beyond), (shop.name, product.name, beyond)


@pytest.mark.parametrize("file", ["EuroPokerDeck/card/back.png", "manifest.json"])
def test_a_link_in_the_folder_is_not_written_through(
    file: str, project: Path, export: Export, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    target = project / "output/mini/tgc" / file
    target.parent.mkdir(parents=True)
    target.symlink_to(precious)
    status, _, err = export("--for", "tgc")
    assert status == 1
    assert "GP705" in err
    assert precious.read_text() == "precious"
