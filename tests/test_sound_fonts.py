"""Font files whose numbers would keep an engine busy: none passes, each is told why."""

import struct
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text.printed import FONTS

from generator.fonts import MAX_MAPPED, UnsoundError, font_contents

SOUND = (FONTS / "germania-one/GermaniaOne_400Regular.ttf").read_bytes()


def tables_of(data: bytes) -> dict[bytes, bytes]:
    (count,) = struct.unpack_from(">4xH", data)
    entries = struct.iter_unpack(">4s4xLL", data[12 : 12 + 16 * count])
    return {tag: data[offset : offset + length] for tag, offset, length in entries}


def font(changed: Mapping[bytes, bytes], base: int = 0) -> bytes:
    """The sound font with other tables; `base` is where it begins in its file."""
    tables = {**tables_of(SOUND), **changed}
    place = base + 12 + 16 * len(tables)
    head, body = struct.pack(">4sH6x", b"\0\1\0\0", len(tables)), b""
    for tag, table in tables.items():
        head += struct.pack(">4sLLL", tag, 0, place + len(body), len(table))
        body += table
    return head + body


def collection(starts: list[int], fonts: bytes) -> bytes:
    return struct.pack(f">4sLL{len(starts)}L", b"ttcf", 0x10000, len(starts), *starts) + fonts


def why(data: bytes) -> str:
    with pytest.raises(UnsoundError) as raised:
        font_contents(data)
    return str(raised.value)


def groups(*ranges: tuple[int, int]) -> bytes:
    body = b"".join(struct.pack(">LLL", *ends, 0) for ends in ranges)
    return struct.pack(">HHLLL", 12, 0, 16 + len(body), 0, len(ranges)) + body


def cmap(mapping: bytes, times: int = 1) -> bytes:
    entries = struct.pack(">HHL", 3, 10, 4 + 8 * times) * times
    return struct.pack(">HH", 0, times) + entries + mapping


def segments(count: int) -> bytes:
    numbers = [0xFFFF] * count + [0] + [0] * count + [0] * count * 2
    return struct.pack(f">HHHHHHH{len(numbers)}H", 4, 0, 0, count * 2, 0, 0, 0, *numbers)


def composites(parts: list[list[int]]) -> dict[bytes, bytes]:
    """Letters put together from those numbered; one without parts is empty."""
    glyf, loca = bytearray(), [0]
    for inner in parts:
        for number, glyph in enumerate(inner):
            more = 0x20 if number < len(inner) - 1 else 0
            glyf += b"" if number else struct.pack(">hhhhh", -1, 0, 0, 0, 0)
            glyf += struct.pack(">HHbb", more, glyph, 0, 0)
        loca.append(len(glyf))
    head = bytearray(tables_of(SOUND)[b"head"])
    head[50:52] = b"\0\1"
    packed = struct.pack(f">{len(loca)}L", *loca)
    return {b"glyf": bytes(glyf), b"loca": packed, b"head": bytes(head)}


def names(count: int, length: int) -> bytes:
    record = struct.pack(">HHHHHH", 3, 1, 0x409, 1, length, 0)
    return struct.pack(">HHH", 0, count, 6 + 12 * count) + record * count + b"\0" * length


def drawings(start: bytes) -> bytes:
    return struct.pack(">HLL", 0, 10, 0) + struct.pack(">HHHLL", 1, 0, 9, 14, 9) + start


def test_what_is_shipped_is_sound() -> None:
    for path in FONTS.rglob("*.ttf"):
        assert font_contents(path.read_bytes()).fonts == 1


def test_a_collection_is_read_font_by_font() -> None:
    first = font({}, 20)
    second = font({}, 20 + len(first))
    found = font_contents(collection([20, 20 + len(first)], first + second))
    assert found == (2, 2 * font_contents(SOUND).characters)


def test_numbers_that_fonts_may_have() -> None:
    assert font_contents(font({b"cmap": cmap(groups((0, 0x10FFFF)), 3)})).characters == 3 * 0x110000
    font_contents(font(composites([[], [0, 0], [1, 1], [2, 0]])))
    font_contents(font({b"SVG ": drawings(b"<svg/>")}))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: b"hello", "no font"),
        (lambda: b"wOF2" + SOUND[4:], "WOFF"),
        (lambda: b"ttcf\0\1\0\0\xff\xff\xff\xff", "4,294,967,295 fonts"),
        (lambda: b"ttcf\0\1\0\0\0\0\0\0", "0 fonts"),
        (lambda: b"ttcf\0\1\0\0\0\0\0\1", "ends before"),
        (lambda: collection([0], b""), "no list of tables"),
        (lambda: collection([2**32 - 1], SOUND), "ends before"),
        (lambda: SOUND[: len(SOUND) // 2], "ends before"),
        (lambda: SOUND[:4] + b"\xff\xff" + SOUND[6:], "no list of tables"),
        (lambda: font({b"cmap": cmap(groups((0, 2**32 - 1)))}), "characters"),
        (lambda: font({b"cmap": cmap(groups((0, 2**31)) + b"\0" * 9, 2)}), "characters"),
        (lambda: font({b"cmap": cmap(groups(*[(0, 0x10FFFF)] * 9))}), "characters"),
        (lambda: font({b"cmap": cmap(groups((0, 0x10FFFF)), 60)}), "characters"),
        (lambda: font({b"cmap": cmap(groups((0, 9)), 65)}), "65 ways"),
        (lambda: font({b"cmap": cmap(segments(30_000))}), "characters"),
        (lambda: font({b"cmap": cmap(struct.pack(">HHLLLL", 12, 0, 0, 0, 2**32 - 1, 0))}), "ends"),
        (lambda: font({b"cmap": cmap(struct.pack(">HHLLLL", 10, 0, 0, 0, 0, 2**32 - 1))}), "char"),
        (lambda: font({b"name": names(5_000, 1)}), "5,000 names"),
        (lambda: font({b"name": names(4_000, 60_000)}), "2 MB"),
        (lambda: font({b"name": struct.pack(">HHH", 0, 9, 6)}), "ends before"),
        (lambda: font(composites([[], *([n, n] for n in range(40))])), "without end|parts"),
        (lambda: font(composites([[1], [0]])), "without end"),
        (lambda: font(composites([[], *([n] for n in range(40))])), "without end"),
        (lambda: font(composites([[], [0] * 1_100])), "1,000 parts"),
        (lambda: font(composites([[], *([[0] * 900] * 500)])), "too many parts"),
        (lambda: font({b"SVG ": drawings(b"\x1f\x8b\x08")}), "packed"),
    ],
)
def test_numbers_without_bounds(make: Callable[[], bytes], said: str) -> None:
    assert any(part in why(make()) for part in said.split("|"))


def test_a_collection_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = font({b"cmap": cmap(groups((0, 0x10FFFF)))}, 12 + 4 * 8)
    assert "characters" in why(collection([12 + 4 * 8] * 8, whole))
    assert MAX_MAPPED < 8 * 0x110000


@given(st.data())
def test_a_damaged_font_is_known_or_a_fault(data: st.DataObject) -> None:
    changed = bytearray(SOUND)
    for _ in range(data.draw(st.integers(1, 8))):
        changed[data.draw(st.integers(0, 400) | st.integers(0, len(changed) - 1))] = data.draw(
            st.integers(0, 255)
        )
    try:
        font_contents(bytes(changed)[: data.draw(st.integers(0, len(changed)))])
    except UnsoundError as error:
        assert str(error)  # noqa: PT017, either way is right
