import pytest

from generator.tracks.inventory import CountError, counts


@pytest.mark.parametrize(
    "text", ["6S 8C", "8c6s", " 6 S, 8 C ", "6xS + 8×C", "2S 8 curves 4 straights"]
)
def test_counts_are_read_as_people_write_them(text: str) -> None:
    assert counts(text) == (6, 8)


def test_what_is_not_named_is_not_there() -> None:
    assert counts("6C") == (0, 6)
    assert counts("") == (0, 0)


@pytest.mark.parametrize(("text", "offset"), [("6S 8Q", 4), ("6S C", 3), ("6", 0), ("6S 8C 4", 6)])
def test_what_cannot_be_read_is_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(CountError) as caught:
        counts(text)
    assert caught.value.offset == offset
