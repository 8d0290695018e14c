"""A pack's template folders and helpers in; the environment that its templates run in out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import BaseLoader, Template
from jinja2.environment import TemplateModule

from generator.render.draft import Desk
from generator.sandbox import BoundedEnvironment


class _Imported(Template):
    """A template that, while it is imported, cannot draw: its names are kept for all faces."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002, Jinja2's name
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002, Jinja2's name
    ) -> TemplateModule:
        """The template as a module of macros."""
        environment = self.environment
        assert isinstance(environment, FaceEnvironment)
        with environment.desk.importing():
            return super().make_module(vars, shared, locals)


class FaceEnvironment(BoundedEnvironment):
    """The sandbox, with a desk on which the helpers draw."""

    template_class = _Imported

    def __init__(self, loader: BaseLoader, desk: Desk) -> None:
        super().__init__(loader)
        self.auto_reload = False  # all faces of a pack are drawn by the same templates
        self.desk = desk
