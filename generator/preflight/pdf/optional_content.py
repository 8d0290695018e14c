"""Finds layers (optional content) that are not printed, or not printed as they are seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf

ObjectId = tuple[int, int]


def layer_states(pdf: Pdf) -> Iterator[tuple[ObjectId, str, bool, bool]]:
    """Yield each layer: its object, its name, whether a screen shows it, whether print does."""
    layers = pdf.Root.get("/OCProperties", Dictionary())
    default = layers.get("/D", Dictionary())
    on, off = ({group.objgen for group in default.get(key, Array())} for key in ("/ON", "/OFF"))
    is_base_off = default.get("/BaseState") == Name.OFF
    printing = {
        group.objgen
        for rule in default.get("/AS", Array())
        if rule.get("/Event") == Name.Print
        for group in rule.get("/OCGs", Array())
    }
    for group in layers.get("/OCGs", Array()):
        number = group.objgen
        is_seen = number not in off and (not is_base_off or number in on)
        usage = group.get("/Usage", Dictionary()).get("/Print", Dictionary()).get("/PrintState")
        is_told = number in printing and usage is not None
        is_printed = usage == Name.ON if is_told else is_seen
        yield number, str(group.get("/Name", "")), is_seen, is_printed


class UnprintedLayers:
    """Says of optional content whether it is left out of the print."""

    def __init__(self, pdf: Pdf) -> None:
        self._layers = {number for number, _, _, printed in layer_states(pdf) if not printed}

    def has(self, content: Any) -> bool:
        """True for a layer that is not printed, or a group whose layers are all not printed."""
        if not self._layers or not isinstance(content, Dictionary):
            return False
        if content.get("/Type") != Name.OCMD:
            return content.objgen in self._layers
        members = content.get("/OCGs", Array())
        numbers = [each.objgen for each in (members if isinstance(members, Array) else [members])]
        return bool(numbers) and self._layers.issuperset(numbers)
