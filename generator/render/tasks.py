"""A pack in; the faces to draw, in the order in which they are handed on, out."""

from __future__ import annotations

from typing import Final

from generator.model.pack import Component, Pack

Task = tuple[Component, str]
"""A component and the name of its side."""

_SIDES: Final = ("front", "back")


def faces_to_draw(pack: Pack, only: str | None = None) -> list[Task]:
    """Kinds as in the pack, components as in the files, the front before the back.

    Left out are kinds without faces, components of which none is printed, and with `only` those
    that do not answer to it (`crew-*`).
    """
    return [
        (component, side)
        for kind in pack.kinds.values()
        if kind.faces
        for component in pack.components.get(kind.name, ())
        if component.stock is not None
        if component.quantity and (only is None or component.answers_to(only))
        for side in _SIDES
        if side in kind.faces
    ]
