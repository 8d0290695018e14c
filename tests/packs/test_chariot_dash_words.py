"""The words of the setting are changed by one file: no card, sheet or rule says the old ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from typing import Any

import pytest
from msgspec.structs import replace
from packs.shipped import ROOT, words

from generator.build import OpenPack, Order, draw, open_pack
from generator.model.pack import Component, Pack, SourceText
from generator.project import Project, Target

NAME = "chariot-dash"
OLD = re.compile(r"(?<!\{)\b(whips?|reins?|vehicles?)\b", re.IGNORECASE)
DRAWN = ("page-5", "page-10", "page-33", "page-39", "crib-sheet", "last-orders", "last-orders-[12]")


@pytest.fixture(scope="module")
def engines() -> OpenPack:
    """The pack in the words of its example."""
    target = Target(Project(ROOT, ROOT), NAME)
    opened = open_pack(target, Order(locale="engines", only="last-orders"))
    assert opened.diagnostics == ()
    assert opened.value is not None
    return opened.value


def texts(value: Any) -> Iterator[SourceText]:
    """All texts in a value, less names of icons, and choices of a card: templates say its word."""
    if isinstance(value, SourceText):
        if not re.fullmatch("[a-z.-]+", value):
            yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if name != "card":
                yield from texts(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from texts(part)


def wanted(pack: Pack) -> dict[str, tuple[Component, ...]]:
    """The components, of which only the page and the sheet that are full of such words and some
    of one vehicle's kit are printed."""
    return {
        kind: tuple(
            c if any(fnmatch(c.id, glob) for glob in DRAWN) else replace(c, quantity=0)
            for c in found
        )
        for kind, found in pack.components.items()
    }


def test_no_text_of_the_pack_has_an_old_word(engines: OpenPack) -> None:
    said = [
        text
        for components in engines.pack.components.values()
        for component in components
        for text in texts(component.values)
    ]
    assert len(said) > 500
    assert {str(text) for text in said if OLD.search(text) or "[[" in text} == set()


def test_no_face_has_an_old_word_and_cards_have_the_new(engines: OpenPack) -> None:
    pack = replace(engines.pack, components=wanted(engines.pack))
    faces = draw(replace(engines, pack=pack), Order())
    assert faces.diagnostics == ()
    assert OLD.findall(words(*faces.value)) == []
    for kind in ("crew-card", "rules-page"):
        said = words(*(face for face in faces.value if face.kind == kind))
        assert "Throttle" in said
        assert "Brake" in said
