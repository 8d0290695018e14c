"""The SVG of a face in; its elements as a tree out."""

from __future__ import annotations

from typing import Final, NamedTuple
from xml.parsers import expat

SVG: Final = "http://www.w3.org/2000/svg"


class LeftToEngineError(Exception):
    """A face has something on it that no plate is made of; the SVG engine draws the face."""


class Node(NamedTuple):
    """An element: its attributes as name, value, name, value, …; elements and words inside."""

    name: str
    attributes: tuple[str, ...]
    inside: list[Node | str]


class Drawing(NamedTuple):
    """A face's root, and its clip paths by their ids."""

    root: Node
    clips: dict[str, Node]


def read_drawing(svg: str) -> Drawing:
    """The tree of an SVG. Raises LeftToEngineError when it is none, or an id comes twice."""
    top = Node("", (), [])
    open_nodes = [top]
    clips: dict[str, Node] = {}

    def start(name: str, attributes: list[str]) -> None:
        node = Node(name, tuple(attributes), [])
        open_nodes[-1].inside.append(node)
        open_nodes.append(node)
        if name == "clipPath" and "id" in attributes[::2]:
            named = attributes[attributes[::2].index("id") * 2 + 1]
            if clips.setdefault(named, node).inside is not node.inside:
                raise LeftToEngineError(f"two things are called {named}")

    def end(_name: str) -> None:
        open_nodes.pop()

    def words(text: str) -> None:
        open_nodes[-1].inside.append(text)

    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = words
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as error:
        raise LeftToEngineError(str(error)) from error
    (root,) = top.inside
    assert isinstance(root, Node)
    return Drawing(root, clips)
