from hypothesis import given
from hypothesis import strategies as st
from tracks.words import backwards, canonical, mirrored, net_turn

words = st.text("SLR", max_size=16)


@given(words, st.integers(0, 15))
def test_a_word_its_rotations_and_its_way_back_are_one(word: str, by: int) -> None:
    turned = word[by:] + word[:by]
    assert canonical(turned) == canonical(word) == canonical(backwards(turned))


@given(words, st.integers(0, 15))
def test_mirror_images_are_one_where_asked_for(word: str, by: int) -> None:
    turned = mirrored(word[by:] + word[:by])
    assert canonical(turned, mirror=True) == canonical(word, mirror=True)


@given(words, st.booleans())
def test_the_canonical_word_is_canonical_and_turns_left(word: str, mirror: bool) -> None:
    found = canonical(word, mirror=mirror)
    assert canonical(found, mirror=mirror) == found
    assert net_turn(found) == abs(net_turn(word))
    assert found.count("S") == word.count("S")


def test_a_circuit_and_its_mirror_image_can_differ() -> None:
    word = "SSLLSLLLL"
    assert canonical(word) != canonical(mirrored(word))
    assert canonical(word) == word
    assert canonical("R" * 6) == "L" * 6
    assert canonical("") == ""
