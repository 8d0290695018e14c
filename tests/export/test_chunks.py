from hypothesis import given
from hypothesis import strategies as st

from generator.export.chunks import chunk_count, even_chunks


@given(st.integers(0, 20_000))
def test_no_chunk_is_larger_than_three_hundred(faces: int) -> None:
    count = chunk_count(faces)
    assert (count == 0) == (faces == 0)
    assert faces <= 300 * count


def test_many_faces_are_two_chunks_at_least_few_are_one() -> None:
    assert [chunk_count(n) for n in (0, 1, 120, 121, 540, 600, 601, 5400)] == [
        0,
        1,
        1,
        2,
        2,
        2,
        3,
        18,
    ]


@given(st.integers(1, 50), st.integers(1, 20))
def test_chunks_keep_the_order_and_are_even(faces: int, count: int) -> None:
    whole = list(range(faces))
    chunks = even_chunks(whole, count)
    assert [one for chunk in chunks for one in chunk] == whole
    sizes = [len(chunk) for chunk in chunks]
    assert len(sizes) == count
    assert max(sizes) - min(sizes) <= 1
