"""Files in `fonts/` that are not fonts, or are incomplete."""

import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text.printed import FONTS

from generator.fonts import UnsoundError, check_font

SOUND = (FONTS / "germania-one/GermaniaOne_400Regular.ttf").read_bytes()


def collection(starts: list[int], fonts: bytes) -> bytes:
    return struct.pack(f">4sLL{len(starts)}L", b"ttcf", 0x10000, len(starts), *starts) + fonts


def test_shipped_fonts_are_fonts() -> None:
    for path in FONTS.rglob("*.ttf"):
        check_font(path.read_bytes())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: b"hello", "not a font"),
        (lambda: b"wOF2" + SOUND[4:], "WOFF"),
        (lambda: b"ttcf\0\1\0\0\xff\xff\xff\xff", "is damaged"),
        (lambda: b"ttcf\0\1\0\0\0\0\0\0", "is damaged"),
        (lambda: collection([2**32 - 1], SOUND), "is damaged"),
        (lambda: SOUND[: len(SOUND) // 2], "is damaged"),
        (lambda: SOUND[:4] + b"\xff\xff" + SOUND[6:], "is damaged"),
    ],
)
def test_what_is_no_whole_font_is_refused(make: Callable[[], bytes], said: str) -> None:
    with pytest.raises(UnsoundError, match=said):
        check_font(make())


@given(st.integers(0, len(SOUND) - 4))
def test_a_download_that_broke_off_is_refused(length: int) -> None:
    with pytest.raises(UnsoundError):
        check_font(SOUND[:length])
