"""Parts of board games in one small game made of data and templates only: decks by label and by
players, copies, cards with two characters, standees, markers, dashboards, and quantities and
reference sheets that follow from other kinds."""

import json
import re
import shutil
from pathlib import Path

import pytest

from generator.build import OpenPack, Order, draw, open_pack
from generator.cli import run
from generator.model.face import Face
from generator.model.pack import Pack
from generator.preflight import preflight
from generator.project import find_targets

GAME = Path(__file__).parent / "fixtures/games"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GAME, tmp_path / "game"))


def opened(root: Path, players: int | None) -> OpenPack:
    outcome = open_pack(find_targets([str(root)])[0], Order(players=players))
    assert outcome.diagnostics == ()
    assert outcome.value is not None
    return outcome.value


def faces(root: Path, players: int) -> dict[tuple[str, str, str], Face]:
    outcome = draw(opened(root, players), Order(players=players), for_export=True)
    assert outcome.diagnostics == ()
    return {(face.kind, face.component, face.name): face for face in outcome.value}


def words_on(face: Face) -> list[str]:
    texts = re.findall(r"<text.*?</text>", face.svg)
    return [re.sub(r"<[^>]*>", "", text) for text in texts]


def printed(pack: Pack, kind: str) -> dict[str, int]:
    return {c.id: c.quantity for c in pack.components[kind] if c.quantity}


def said(root: Path) -> list[str]:
    outcome = open_pack(find_targets([str(root)])[0], Order())
    return [f"{Path(d.span.file).name}:{d.span.line} {d.message}" for d in outcome.diagnostics]


def change(root: Path, file: str, old: str, new: str) -> None:
    path = root / "cards/lantern" / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("players", "copies", "labels"), [(2, 1, "AB"), (3, 1, "ABC"), (4, 2, "AB"), (None, 2, "AB")]
)
def test_the_players_say_which_labels_and_how_many_copies(
    players: int | None, copies: int, labels: str
) -> None:
    pack = opened(GAME, players).pack
    flames = [c for c in pack.components["flame"] if c.quantity]
    assert {c.quantity for c in flames} == {copies}
    assert sorted(c.values["label"] for c in flames) == sorted(labels * 2)
    assert pack.kinds["flame"].why == f"{players or 4} players"


def test_a_quantity_follows_from_another_kind() -> None:
    pack = opened(GAME, 3).pack
    runners = ["red", "blue", "green"]
    assert list(printed(pack, "runner")) == runners
    assert printed(pack, "flag") == dict.fromkeys(runners, 3)
    assert printed(pack, "coin") == {"one": 12, "five": 3}
    assert list(printed(pack, "board")) == runners
    assert printed(pack, "chart") == {"chart": 3}


def test_a_card_has_another_character_on_its_back() -> None:
    drawn = faces(GAME, 2)
    words = {side: words_on(drawn["hero-card", "moons", side]) for side in ("front", "back")}
    assert words == {"front": ["Di", "moon"], "back": ["Cy", "moon"]}


def test_characters_of_a_card_must_fit(root: Path) -> None:
    change(root, "hero-cards.yaml", "back: cy", "back: bo")
    assert said(root) == [
        "hero-cards.yaml:4 back: both heroes of a card have the same support",
    ]


def test_a_back_tells_the_decks_apart() -> None:
    drawn = faces(GAME, 3)
    backs = {drawn["flame", c, "back"].sha256 for c in ("spark", "ember", "torch", "storm")}
    assert len(backs) == 3


def test_a_standee_is_mirrored_behind() -> None:
    drawn = faces(GAME, 2)
    assert 'transform="matrix(1 0 0 -1 0 96' in drawn["runner", "red", "front"].svg
    front, back = (drawn["pawn", "red", side].svg for side in ("front", "back"))
    assert 'transform="matrix(-1 0 0 1 12.7 0)"' in back
    assert back.replace(' transform="matrix(-1 0 0 1 12.7 0)"', "") == front


def test_a_dashboard_has_places_as_large_as_the_pieces(root: Path) -> None:
    kind = root / "cards/lantern/kinds/flame.yaml"
    assert '<rect width="64.5" height="89.9"' in faces(root, 2)["board", "red", "front"].svg
    kind.write_text(kind.read_text("utf-8").replace("stock: poker", "stock: tarot"), "utf-8")
    assert '<rect width="70.85" height="121.65"' in faces(root, 2)["board", "red", "front"].svg


def test_a_changed_deck_changes_its_chart(root: Path) -> None:
    def rows() -> list[str]:
        return words_on(faces(root, 2)["chart", "chart", "front"])[4:]

    assert rows() == ["2", "A B", "4", "3", "A B C", "6", "4", "A B", "8"]
    change(root, "flames.yaml", "{id: comet, label: C}", "{id: comet, label: B}")
    assert rows() == ["2", "A B", "5", "3", "A B C", "6", "4", "A B", "10"]


def test_a_deck_must_suffice_for_every_number_of_players_not_only_the_ordered(root: Path) -> None:
    change(root, "setups.yaml", "copies: 1, labels: [A, B, C]", "copies: 1, labels: [A, B]")
    assert said(root) == ["setups.yaml:4 labels: 4 cards do not suffice for 3 players"]


def test_markers_have_values_that_add_up(root: Path) -> None:
    change(root, "coins.yaml", "for_each_runner: 4", "for_each_runner: 3")
    assert said(root) == ["coin.yaml:11 each runner can earn 9 (the sum is 8, it must be 9)"]


def test_it_prints_and_passes_preflight(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", str(root), "--players", "3", "-o", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "lantern: printed for 3 players"
    assert "  Flame card  6 different       6 pieces   cards-a4 1–2   3 players" in lines
    folder = tmp_path / "out/lantern"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    placed: dict[str, set[tuple[str, int]]] = {}
    for file in manifest["files"]:
        for page in file["pages"]:
            for piece in page["placements"]:
                placed.setdefault(piece["kind"], set()).add((piece["component"], piece["copy"]))
    asked = {name: sum(kind["quantities"].values()) for name, kind in manifest["kinds"].items()}
    assert {name: len(copies) for name, copies in placed.items()} == asked
    for pdf in sorted(folder.glob("*.pdf")):
        assert preflight(pdf) == ()
