"""An SVG element and its attributes in; all that is to be known of it out, worked out once.

The same elements come again on every face, so what was worked out is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from generator.diagnostics import did_you_mean
from generator.matrices import IDENTITY, Matrix, parse_transform
from generator.render.vocabulary import (
    ELEMENTS,
    HIDDEN,
    ICON_ID,
    INSTEAD_OF_ATTRIBUTE,
    INSTEAD_OF_ELEMENT,
    SILENT,
    TEXTS,
)

_KEPT: Final = 100_000
_SHOWN: Final = 60
_MOST: Final = 20
_LAYERS: Final = frozenset(("opacity", "mask", "clip-path"))
_DRAWS: Final = ("href", "mask", "clip-path")
_MAY_HIDE: Final = frozenset(("display", "visibility"))


class Problem(NamedTuple):
    """What is wrong with an element; `word` is what to point at."""

    code: str
    message: str
    hint: str
    word: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element with something to remark. `matrix` is its own transform, None when what is
    inside is drawn elsewhere; `id` is `named` unless that is an icon's, which may stand twice;
    `draws` are those of its links whose shapes are drawn there; `layers` is how many times it is
    drawn by itself first, then put down; `hides` says that it, or what is in it, may not be seen;
    `attributes` are kept for texts and pictures only."""

    name: str
    problems: tuple[Problem, ...] = ()
    matrix: Matrix | None = IDENTITY
    id: str = ""
    named: str = ""
    links: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    layers: int = 0
    hides: bool = False
    attributes: Mapping[str, str] | None = None


class Elements(dict[tuple[str, ...], Element | None]):
    """Elements by their name and attributes (name, value, name, value, …); None for a shape with
    nothing to remark."""

    def __missing__(self, key: tuple[str, ...]) -> Element | None:
        if len(self) >= _KEPT:
            self.clear()
        name, *attributes = key
        found = _worked_out(name, dict(zip(attributes[::2], attributes[1::2], strict=True)))
        self[key] = found
        return found


def _worked_out(name: str, attributes: dict[str, str]) -> Element | None:
    if name not in ELEMENTS:
        named = attributes.get("id", "")
        return Element(name, (_unknown(name),), id=named, named=named)
    problems = tuple(islice(_wrong(name, attributes), _MOST))
    matrix = None if name in HIDDEN else _matrix(attributes)
    links = tuple(_links(name, attributes))
    named = attributes.get("id", "")
    keeps = name in TEXTS or name == "image"
    layers = len(_LAYERS & attributes.keys())
    hides = not _MAY_HIDE.isdisjoint(attributes)
    special = problems or links or named or keeps or layers or hides or name in SILENT
    if matrix is IDENTITY and not special:
        return None
    unique = "" if named.startswith(ICON_ID) else named
    draws = tuple(_links(name, {key: attributes[key] for key in _DRAWS if key in attributes}))
    kept = attributes if keeps else None
    return Element(name, problems, matrix, unique, named, links, draws, layers, hides, kept)


def _wrong(name: str, attributes: Mapping[str, str]) -> Iterator[Problem]:
    known = ELEMENTS[name]
    for key, value in attributes.items():
        check = known.get(key)
        if check is None:
            hint = INSTEAD_OF_ATTRIBUTE.get(key) or did_you_mean(key, known)
            yield Problem("GP308", f"{key} of <{name}> does not print", hint, key)
            continue
        problem = check(value)
        if problem:
            shown = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
            what, _, hint = problem.partition("; ")
            hint = hint or "correct it: it would be left out in silence"
            yield Problem("GP308", f'{key}="{shown}" of <{name}> {what}', hint, key)


def _unknown(name: str) -> Problem:
    hint = INSTEAD_OF_ELEMENT.get(name) or did_you_mean(name, ELEMENTS)
    if name.startswith("fe"):
        hint = INSTEAD_OF_ELEMENT["filter"]
    if ":" in name:
        hint = "leave out what drawing programs keep for themselves"
    return Problem("GP308", f"<{name}> does not print", hint, name)


def _matrix(attributes: Mapping[str, str]) -> Matrix | None:
    transform = attributes.get("transform")
    if transform is None:
        return IDENTITY
    try:
        return parse_transform(transform)
    except ValueError:
        return None  # a problem already


def _links(name: str, attributes: Mapping[str, str]) -> Iterator[str]:
    for key, value in attributes.items():
        if key == "href" and name != "image":
            if value.startswith("#"):  # another is a problem already
                yield value[1:]
        elif value.startswith("url(#"):
            yield value[5:-1]
