"""The ICC profiles that say what the numbers of a colour mean: sRGB, and the same for grey."""

from __future__ import annotations

import functools
import struct
from collections.abc import Mapping
from typing import Final

# The white and the primaries of IEC 61966-2-1 under D50, XYZ, rounded so that in sixteen bits greys
# stay grey and each of the 256 steps comes back as itself.
_WHITE: Final = (0.9642, 1.0, 0.8249)
_PRIMARIES: Final = {
    "rXYZ": (0.43604, 0.22244, 0.0139),
    "gXYZ": (0.3851, 0.71694, 0.09708),
    "bXYZ": (0.14307, 0.06062, 0.71393),
}
_CURVE: Final = (2.40004, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
"""Its curve as ICC.1:2022, 10.18, has it: ((a·x + b)^g above d, c·x below)."""
_FROM_D65: Final = (
    *(1.047886, 0.022919, -0.050216),
    *(0.029582, 0.990484, -0.017079),
    *(-0.009252, 0.015073, 0.751678),
)
"""How its white became that of the profile (Bradford)."""


@functools.cache
def srgb() -> bytes:
    """The profile of three numbers."""
    curve = _parametric(*_CURVE)
    primaries = {name: _xyz(*value) for name, value in _PRIMARIES.items()}
    return _profile("RGB ", "sRGB", {**primaries, "rTRC": curve, "gTRC": curve, "bTRC": curve})


@functools.cache
def grey() -> bytes:
    """The profile of one number."""
    return _profile("GRAY", "Grey as in sRGB", {"kTRC": _parametric(*_CURVE)})


def _profile(space: str, name: str, own: Mapping[str, bytes]) -> bytes:
    """ICC.1:2022, chapter 7: a header, a table of tags, their data; equal data only once."""
    tags = {
        "desc": _words(name),
        "cprt": _words("No copyright"),
        "wtpt": _xyz(*_WHITE),
        "chad": b"sf32\0\0\0\0" + b"".join(map(_fixed, _FROM_D65)),
        **own,
    }
    data, places = b"", {}
    start = 128 + 4 + 12 * len(tags)
    for content in tags.values():
        if content not in places:
            places[content] = start + len(data)
            data += content
    table = b"".join(
        struct.pack(">4sII", tag.encode(), places[content], len(content))
        for tag, content in tags.items()
    )
    header = struct.pack(
        ">I4xI4s4s4s6H4s28x12s48x",
        start + len(data),
        0x04200000,
        b"mntr",
        space.encode(),
        b"XYZ ",
        *(2000, 1, 1, 0, 0, 0),
        b"acsp",
        b"".join(map(_fixed, _WHITE)),
    )
    return header + struct.pack(">I", len(tags)) + table + data


def _fixed(value: float) -> bytes:
    return struct.pack(">i", round(value * 65536))


def _xyz(*values: float) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(map(_fixed, values))


def _parametric(*values: float) -> bytes:
    return b"para\0\0\0\0\0\3\0\0" + b"".join(map(_fixed, values))


def _words(text: str) -> bytes:
    encoded = text.encode("utf-16-be")
    start = b"mluc\0\0\0\0" + struct.pack(">II4sII", 1, 12, b"enUS", len(encoded), 28)
    return start + encoded + b"\0" * (-len(encoded) % 4)
