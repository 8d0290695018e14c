import pytest

from generator.fonts import FontLibrary
from generator.text.hyphenate import hyphenator


def parted(word: str, lang: str, fonts: FontLibrary) -> str:
    ends = [*hyphenator(lang, fonts)(word), len(word)]
    return "·".join(word[start:end] for start, end in zip([0, *ends], ends, strict=False))


@pytest.mark.parametrize(
    ("word", "lang", "expected"),
    [
        ("movement", "en", "move·ment"),
        ("“movement”,", "en", "“move·ment”,"),
        ("Movement", "en", "Movement"),
        ("MOVEMENT", "en", "MOVEMENT"),
        ("well-", "en", "well-"),
        ("hosszúság", "hu", "hosszú·ság"),
        ("over", "en", "over"),
        ("move2ment", "en", "move2ment"),
        ("geschwindigkeit", "de-AT", "ge·schwin·dig·keit"),
        ("movement", "xx", "movement"),
        ("", "en", ""),
    ],
)
def test_where_words_are_parted(word: str, lang: str, expected: str, fonts: FontLibrary) -> None:
    assert parted(word, lang, fonts) == expected
