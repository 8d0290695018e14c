"""A starter's text in; the same with colours that are free, or like another component, out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator import load
from generator.copying import free_colour, values_of, with_values
from generator.diagnostics import Diagnostic, GridpressError, did_you_mean
from generator.model.pack import Component, Pack
from generator.model.source import Mapping, Scalar, Sequence
from generator.project import Project

_HEX: Final = re.compile("#[0-9A-Fa-f]{6}")


def check_starter(project: Project, path: Path) -> None:
    """Looks at a starter before anything is made of it.

    Raises GridpressError when it cannot be read, or has no component whose id is NAME (GP203).
    """
    read = load.read_document(path, project.display(path), project.roots)
    if read.value is None or not read.ok:
        raise GridpressError(*read.diagnostics)
    root = read.value.root
    listed = root.get("components") if isinstance(root, Mapping) else None
    first = listed.items[0] if isinstance(listed, Sequence) and listed.items else None
    name = first.get("id") if isinstance(first, Mapping) else None
    if not isinstance(name, Scalar) or name.text != "NAME":
        hint = "write components: and - id: NAME; see docs/own-cards.md"
        message = "a starter holds a component whose id is NAME"
        raise GridpressError(Diagnostic(root.span, "GP203", message, hint))


@dataclass(frozen=True, slots=True)
class Starter:
    """What is to be started: a component of a kind, in an opened pack of a project."""

    project: Project
    pack: Pack
    kind: str
    name: str

    def with_free_colours(self, text: str) -> str:
        """The text with another colour wherever one must be unique and is taken."""
        values = values_of(text, self.name) or {}
        changed = False
        for field in self.pack.kinds[self.kind].fields.values():
            own = _HEX.search(values.get(field.name, "")) if field.type == "colour" else None
            if own and field.unique:
                taken = {str(c.values[field.name]).lower() for c in self._known}
                free = free_colour(own[0], taken)
                values[field.name] = values[field.name].replace(own[0], free)
                changed = True
        return with_values(text, self.name, values, ()) if changed else text

    def like(self, name: str) -> Callable[[str], str]:
        """What gives a text the values of another component, but for its own id and what must be
        unique. Raises GridpressError when there is none (GP205), or it is written in a table."""
        found = next((c for c in self._known if c.id == name), None)
        if found is None:
            hint = did_you_mean(name, (c.id for c in self._known))
            message = f"there is no {self.kind} {name!r}"
            raise GridpressError(Diagnostic(self.pack.span, "GP205", message, hint))
        values = values_of(self._written(found), name)
        if values is None:
            message, hint = f"{name} is written in a table", "take one that is written in YAML"
            raise GridpressError(Diagnostic(found.span, "GP205", message, hint))
        fields = self.pack.kinds[self.kind].fields.values()
        kept = ("id", *(field.name for field in fields if field.unique))

        def taken_over(text: str) -> str:
            try:
                return self.with_free_colours(with_values(text, self.name, values, kept))
            except ValueError as error:
                message = f"the values of {name} cannot be taken over as they are written"
                hint = "start without --from and copy what you like by hand"
                raise GridpressError(Diagnostic(found.span, "GP205", message, hint)) from error

        return taken_over

    @property
    def _known(self) -> tuple[Component, ...]:
        return tuple(self.pack.components.get(self.kind, ()))

    def _written(self, component: Component) -> str:
        """The text of the file that the component is in."""
        file = component.span.file
        folders = [self.project.cards(pack) for pack in (self.pack.name, *self.pack.requires)]
        roots = self.project.roots
        paths = (entry.path for folder in folders for entry in roots.walk(folder))
        path = next((p for p in paths if self.project.display(p) == file), None)
        if path is None or path.suffix not in (".yaml", ".yml"):
            return "{}"
        return load.read_text(path, file, roots)
