"""The one table through which a pack's game is reached."""

from pathlib import Path

from gridpress_chariot_dash.table import GAMES, game_of

ROOT = Path(__file__).parents[3]


def test_a_pack_or_what_it_requires_names_its_game() -> None:
    own = game_of("chariot-dash")
    assert own is not None
    assert game_of("my-stable", ("something", "chariot-dash")) is own
    assert game_of("dragon-draft", ("something",)) is None


def test_each_game_has_what_the_table_asks_for() -> None:
    for pack in GAMES:
        game = game_of(pack)
        assert game is not None
        assert (ROOT / f"cards/{pack}/kinds/{game.KIND}.yaml").is_file()
        assert game.BASELINE
        assert callable(game.appraise)
        assert callable(game.page)
        assert callable(game.race)
        assert callable(game.compare)
        assert 1 < game.FIELD <= game.MOST_AT_ONCE
        tracks = (ROOT / f"cards/{pack}/tracks.yaml").read_text("utf-8")
        assert f"- id: {game.TRACK}\n" in tracks
