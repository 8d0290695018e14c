"""Starter files, and a new print in a pack.yaml that otherwise stays as the author wrote it."""

import re
from pathlib import Path

import pytest
import yaml

from generator.diagnostics import GridpressError
from generator.starters import (
    NEW,
    NewKind,
    plural,
    singular,
    start_component,
    start_kind,
    start_pack,
    starters,
)
from generator.written_yaml import with_print

ROOT = Path(__file__).parents[1]

ENTRY = "{kinds: [mat], papers: [a4]}"


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("title: A\n", f"title: A\nprints:\n  mat: {ENTRY}\n"),
        ("title: A\nprints:\n", f"title: A\nprints:\n  mat: {ENTRY}\n"),
        (
            "prints:  # in order\n    a: {kinds: [a]}\n",
            f"prints:  # in order\n    a: {{kinds: [a]}}\n    mat: {ENTRY}\n",
        ),
        (
            "prints:\n  a:\n    kinds: [a]  # first\n\n# whom to thank\ncredits: []\n",
            f"prints:\n  a:\n    kinds: [a]  # first\n  mat: {ENTRY}\n"
            "\n# whom to thank\ncredits: []\n",
        ),
    ],
)
def test_a_print_is_added_at_the_end_and_all_else_stays(text: str, then: str) -> None:
    assert with_print(text, "mat", ENTRY) == then
    prints = yaml.safe_load(text).get("prints") or {}
    assert yaml.safe_load(then)["prints"] == {**prints, "mat": yaml.safe_load(ENTRY)}


@pytest.mark.parametrize(
    "text",
    [
        "prints: {a: {kinds: [a]}}\n",
        "prints:\n  mat: {kinds: [x]}\n",
        "{title: A}\n",
        "prints:\n  a: |\n    b\n  - c\n",
        "",
        "prints: [\n",
        "prints:\n- a\n",
    ],
)
def test_what_is_written_otherwise_is_left_to_the_author(text: str) -> None:
    assert with_print(text, "mat", ENTRY) is None


def test_a_kind_that_pack_yaml_cannot_take_is_written_all_the_same(tmp_path: Path) -> None:
    start_pack(tmp_path, "game")
    pack = tmp_path / "cards/game/pack.yaml"
    pack.write_text("title: G\nversion: 1.0.0\nprints: {}\n", "utf-8")
    paths, is_printed = start_kind(tmp_path, "game", NewKind("mat", "mats"), ["a4"], NEW)
    assert not is_printed
    assert pack not in paths
    assert pack.read_text("utf-8").endswith("prints: {}\n")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    fonts = tmp_path / "fonts/README.txt"
    fonts.parent.mkdir()
    fonts.write_text("mine", "utf-8")
    assert fonts not in start_pack(tmp_path, "game")
    assert fonts.read_text("utf-8") == "mine"
    with pytest.raises(GridpressError) as caught:
        start_pack(tmp_path, "game")
    assert caught.value.diagnostics[0].code == "GP704"
    (tmp_path / "templates/game/mat.face.yaml").write_text("mine", "utf-8")
    with pytest.raises(GridpressError):
        start_kind(tmp_path, "game", NewKind("mat", "mats"), ["a4"], NEW)
    assert not (tmp_path / "cards/game/mats.yaml").exists()


def test_a_starter_is_filled_in_and_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "starters").mkdir()
    (tmp_path / "starters/hat.yaml").write_text("id: NAME\nname: TITLE\n", "utf-8")
    assert starters(tmp_path) == ("hat",)
    path = start_component(tmp_path, "hat", "top-hat")
    assert path == tmp_path / "hats/top-hat.yaml"
    assert path.read_text("utf-8") == "id: top-hat\nname: Top Hat\n"
    path.write_text("mine", "utf-8")
    with pytest.raises(GridpressError) as caught:
        start_component(tmp_path, "hat", "top-hat")
    assert caught.value.diagnostics[0].code == "GP704"
    assert path.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("one", "several"),
    [
        *[("hero", "heroes"), ("hex-tile", "hex-tiles"), ("box", "boxes"), ("wolf", "wolves")],
        *[("Hex tile", "Hex tiles"), ("die", "dice"), ("foe", "foes"), ("money", "money")],
    ],
)
def test_one_and_several(one: str, several: str) -> None:
    assert (plural(one), plural(several), singular(several)) == (several, several, one)


@pytest.mark.parametrize("word", ["preis", "kreis", "haus", "gras", "fuchs", "lens", "data"])
def test_what_may_be_no_plural_is_kept(word: str) -> None:
    assert singular(word) == word
    assert plural("Große Würfel") == "Große Würfel"
    assert plural("What a Surprise!") == "What a Surprises!"


@pytest.mark.parametrize("path", sorted((ROOT / "cards").glob("*/starters/*.yaml")), ids=str)
def test_a_starter_names_the_pack_that_it_is_put_into(path: Path) -> None:
    """The starter goes into the maker's own pack, and `PACK` becomes its name."""
    for named in re.findall(r"gridpress (?:build|check) ([^`]*)", path.read_text("utf-8")):
        assert named.split()[0] == "PACK", named
