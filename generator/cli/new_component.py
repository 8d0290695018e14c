"""A starter's text in; the same with colours that are free, or like another component, out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import yaml

from generator.copying import free_colour, values_of, with_values
from generator.diagnostics import Diagnostic, GridpressError, did_you_mean
from generator.model.pack import Component, Pack
from generator.project import Project


@dataclass(frozen=True, slots=True)
class Starter:
    """What is to be started: a component of a kind, in an opened pack of a project."""

    project: Project
    pack: Pack
    kind: str
    name: str

    def with_free_colours(self, text: str) -> str:
        """The text with another colour wherever one must be unique and is taken."""
        own = yaml.safe_load(text)["components"][0]
        values = values_of(text, self.name) or {}
        for field in self.pack.kinds[self.kind].fields.values():
            if field.type == "colour" and field.unique and field.name in own:
                taken = {str(c.values[field.name]).lower() for c in self._known}
                free = free_colour(own[field.name], taken)
                values[field.name] = values[field.name].replace(own[field.name], free)
        return with_values(text, self.name, values, ())

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
        paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
        path = next((p for p in paths if self.project.display(p) == file), Path(file))
        return path.read_text("utf-8") if path.suffix in (".yaml", ".yml") else "{}"
