import pytest

from generator.preflight.told import OddError, Told, legible, parsed


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"{\n 1}", "line 2, column 2"),
        (b"[" * 100_000, "too deep"),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": -Infinity}', "-Infinity is no number"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b"1" * 5_000, "thousands of digits"),
    ],
)
def test_what_is_no_json_is_told(content: bytes, reason: str) -> None:
    with pytest.raises(OddError, match=reason):
        parsed(content)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("3", "pages\\[1\\].w is a text, not a number"),
        (True, "is true or false, not a number"),
        (None, "is null, not a number"),
        (0, "is 0, not from 1 to 9"),
        (1e300, "not from 1 to 9"),
        (float("inf"), "not from 1 to 9"),
        (10**400, "is a number of hundreds of digits, not from 1 to 9"),
    ],
)
def test_another_value_is_told_by_its_path(value: object, reason: str) -> None:
    told = Told({"pages": [{}, {"w": value}]})["pages"].each(2)[1]["w"]
    with pytest.raises(OddError, match=reason):
        told.number(1, 9)


def test_too_many_entries_are_refused_by_their_number() -> None:
    with pytest.raises(OddError, match="the manifest has 3 entries; the most that is read is 2"):
        Told([1, 2, 3]).each(2)


def test_what_is_missing_is_told_where_it_should_be() -> None:
    with pytest.raises(OddError, match="printer has no 'front_mm'"):
        Told({"printer": {}})["printer"]["front_mm"]


def test_texts_disturb_no_terminal_and_can_be_written() -> None:
    text = Told("a\x1b[31m\ud800\u202eb\n").text()
    assert text == "a\ufffd[31m\ufffd\ufffdb\ufffd"
    text.encode()
    assert legible("Zoë\u00ad’s שלום") == "Zoë\u00ad’s שלום"
