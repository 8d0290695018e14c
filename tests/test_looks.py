"""Looks and palettes: every look prints in every size without a finding, and in low ink."""

import itertools
from pathlib import Path

import pytest
import yaml
from PIL import Image

from generator.cli import run
from generator.looks import SIZES, card_looks, palettes
from generator.luminance import contrast, luminance
from generator.preflight.colour_sight import Sight, apart

NOTHING_KEPT = "--no-cache"
"""No other test draws these faces again."""


def _contrast(one: str, other: str) -> float:
    return contrast(luminance(one), luminance(other))


PALETTES = itertools.cycle(palettes())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("look", card_looks())
def test_a_look_prints_without_a_finding(look: str, size: str, tmp_path: Path) -> None:
    root = str(tmp_path)
    assert run(["new", "pack", "deck", "--in", root, "--look", look, "--size", size]) == 0
    assert run(["check", root, "--strict", NOTHING_KEPT]) == 0
    if size == "poker":
        assert run(["check", root, "--strict", "--ink", "low", NOTHING_KEPT]) == 0


@pytest.mark.parametrize("look", card_looks())
def test_a_look_prints_in_other_colours(look: str, tmp_path: Path) -> None:
    root, palette = str(tmp_path), next(PALETTES)
    assert run(["new", "pack", "deck", "--in", root, "--look", look, "--palette", palette]) == 0
    assert run(["check", root, NOTHING_KEPT]) == 0


@pytest.mark.parametrize("look", card_looks())
def test_a_look_has_a_layout_for_cards_without_pictures(look: str) -> None:
    names = {path.name for path in card_looks()[look].folder.glob("*.face.yaml")}
    wanted = {f"{size}{part}.face.yaml" for size in SIZES for part in ("", "-plain", "-back")}
    assert names == wanted


@pytest.mark.parametrize("name", palettes())
def test_colours_of_a_palette_can_be_read_on_each_other(name: str) -> None:
    colours = palettes()[name]["colours"]
    for over, under in itertools.product(("light", "paper"), ("band", "cool", "mark", "ink")):
        assert _contrast(colours[over], colours[under]) >= 4.5
    assert _contrast(colours["warm"], colours["ink"]) >= 4.5
    low = {**colours, **palettes()[name]["low"]}
    for under in ("paper", "band", "warm", "cool"):
        assert _contrast(low["light"], low[under]) >= 4.5
        assert _contrast(low["ink"], low[under]) >= 7


@pytest.mark.parametrize("name", palettes())
def test_tints_of_a_palette_are_told_apart_by_everyone(name: str) -> None:
    """Return the colours that a type may have: band, cool, warm."""
    colours = palettes()[name]["colours"]
    for sight in Sight:
        for one, other in itertools.combinations(("band", "cool", "warm"), 2):
            assert apart(colours[one], colours[other], sight) >= 9


def test_looks_are_listed_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two looks are enough here: another test draws each look alone."""
    two = dict(itertools.islice(card_looks().items(), 2))
    monkeypatch.setattr("generator.cli.look_sheet.card_looks", lambda: two)
    assert run(["looks", "-o", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert all(f"{name} " in said for name in (*card_looks(), *palettes()))
    with Image.open(tmp_path / "looks.png") as picture:
        assert picture.width == 1800
        assert len(picture.convert("RGB").getcolors(1_000_000) or ()) > 1000


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("part", ["", "-plain"])
def test_words_of_parchment_end_above_its_lower_scrolls(size: str, part: str) -> None:
    face = yaml.safe_load(
        (card_looks()["parchment"].folder / f"{size}{part}.face.yaml").read_text()
    )
    _, y, width, height = face["boxes"]["scrolls"]["at"]
    top = y + height - 1.03 * max(5.4, min(9.4, width * 0.15))
    variants = (
        boxes for by in face["variants"] for boxes in by.values() if isinstance(boxes, dict)
    )
    for boxes in (
        face["boxes"],
        *(one for one in variants if "part" not in one.get("scrolls", {})),
    ):
        for name in ("type", "rules"):
            if at := boxes.get(name, {}).get("at"):
                assert at[1] + at[3] <= top
