"""A die of six for Tabletop Simulator: the model of a cube whose sides show the places of a sheet,
and how it lies when each of its values is up.

Opposite values add up to 7. The program's axes are left-handed and those of a model are not, so a
model's x points the other way there.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Final, NamedTuple

_COLUMNS: Final = 3
_ROWS: Final = 2
_INSET: Final = 0.004
"""Of the sheet: as much of each edge of a place is not shown, lest its neighbour be."""

Axis = tuple[int, int, int]


class Side(NamedTuple):
    """A side of a die: how it is turned when its value is up (degrees about x, y, z), where it
    points in the model, and what is right and up of its picture there."""

    turned: Axis
    out: Axis
    right: Axis
    up: Axis


SIDES: Final = (
    Side((-90, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0)),
    Side((0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, -1)),
    Side((0, 0, -90), (1, 0, 0), (0, 0, -1), (0, 1, 0)),
    Side((0, 0, 90), (-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    Side((0, 0, 180), (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    Side((90, 0, 0), (0, 0, -1), (-1, 0, 0), (0, 1, 0)),
)
"""Of the values 1 to 6."""


def model() -> str:
    """A cube with edges of 1 around the origin, as the text of an .obj file: the side of each value
    shows its place of a sheet of three columns and two rows, from left to right and down."""
    corners, texture, normals, faces = [], [], [], []
    for number, (_, out, right, up) in enumerate(SIDES):
        row, column = divmod(number, _COLUMNS)
        first = 4 * number + 1
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            point = [
                (o + across * r + along * u) / 2 for o, r, u in zip(out, right, up, strict=True)
            ]
            corners.append("v " + " ".join(f"{one:g}" for one in point))
            x = (column + (across + 1) / 2) / _COLUMNS - across * _INSET
            y = 1 - (row + (1 - along) / 2) / _ROWS - along * _INSET
            texture.append(f"vt {x:.6f} {y:.6f}")
        normals.append("vn " + " ".join(map(str, out)))
        for triangle in ((0, 1, 2), (0, 2, 3)):
            told = (f"{first + one}/{first + one}/{number + 1}" for one in triangle)
            faces.append("f " + " ".join(told))
    return "\n".join((*corners, *texture, *normals, *faces)) + "\n"


class Seen(NamedTuple):
    """A side of a model as it is on the table: where it points, in the axes of the table (y is up),
    and the part of the picture that it shows: left, top, right and bottom, 0 to 1."""

    out: Axis
    part: tuple[float, float, float, float]


def sides_of(text: str) -> Iterator[Seen]:
    """The sides of a model, from the text of its .obj file alone."""
    told = [line.split() for line in text.splitlines()]
    texture = [(float(x), float(y)) for kind, x, y in (t for t in told if t[0] == "vt")]
    normals = [
        (round(float(x)), round(float(y)), round(float(z)))
        for kind, x, y, z in (t for t in told if t[0] == "vn")
    ]
    parts: dict[Axis, set[tuple[float, float]]] = {}
    for corners in (line[1:] for line in told if line[0] == "f"):
        for corner in corners:
            _, at, normal = (int(number) - 1 for number in corner.split("/"))
            parts.setdefault(normals[normal], set()).add(texture[at])
    for (x, y, z), points in parts.items():
        across, along = zip(*points, strict=True)
        yield Seen((-x, y, z), (min(across), 1 - max(along), max(across), 1 - min(along)))


def up_of(turned: tuple[float, float, float]) -> Axis:
    """Which of its own axes points up on an object that is turned about z, then x, then y, as the
    program does it, by so many degrees about each."""
    about_x, _, about_z = (radians(angle) for angle in turned)
    up = (cos(about_x) * sin(about_z), cos(about_x) * cos(about_z), -sin(about_x))
    return (round(up[0]), round(up[1]), round(up[2]))
