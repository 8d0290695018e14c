import json
from pathlib import Path

import pytest
from export.hand_made import face, place, sheet, text, write
from preflight.tampering import found, messages

from generator.model.pack import Backs

SHOWN = "Half-way fish, ﬁne Čaj 7"


def built(folder: Path, words: str | None) -> Path:
    """A card that shows some words, and a manifest that says it should show others."""
    card = face("card-1", text(SHOWN))
    path = write(folder, [sheet([place(card, 20, 20)])], backs=Backs.NONE)
    manifest = folder / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["words"] = {} if words is None else {card.sha256: words}
    manifest.write_text(json.dumps(told), encoding="utf-8")
    return path


def odd(path: Path) -> list[tuple[str, int]]:
    return [(code, page) for code, page in found(path) if code == "GP856"]


@pytest.mark.parametrize(
    "words", [SHOWN, "Halfway fish fine Čaj 7", "fine Čaj 7 fish Half way", None]
)
def test_a_face_with_its_own_words_is_fine(tmp_path: Path, words: str | None) -> None:
    assert odd(built(tmp_path, words)) == []


def test_a_text_and_its_shadow_may_count_as_one(tmp_path: Path) -> None:
    assert odd(built(tmp_path, f"{SHOWN}\n{SHOWN}")) == []


def test_a_letter_that_readers_see_twice_is_no_surplus(tmp_path: Path) -> None:
    assert odd(built(tmp_path, SHOWN.replace("j", ""))) == [("GP856", 1)]
    assert odd(built(tmp_path, SHOWN.replace("fish", "fis"))) == [("GP856", 1)]
    assert odd(built(tmp_path, SHOWN.replace("fish", "fsh"))) == []


def test_a_face_that_lacks_words_is_told_of(tmp_path: Path) -> None:
    path = built(tmp_path, f"{SHOWN} and more")
    assert odd(path) == [("GP856", 1)]
    assert "does not show its own words, ‘Half-way" in messages(path)
    assert "of its letters 7 are missing, 0 too many" in messages(path)


def test_a_face_with_the_words_of_another_is_told_of(tmp_path: Path) -> None:
    path = built(tmp_path, SHOWN.replace("7", "8"))
    assert odd(path) == [("GP856", 1)]
    assert "of its letters 1 are missing, 1 too many" in messages(path)
