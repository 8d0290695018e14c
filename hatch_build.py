"""Build hook: the shipped packs, templates and fonts go into the wheel, not into a checkout's."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("cards", "templates", "fonts")


class ShippedFiles(BuildHookInterface[Any]):
    """Adds `generator/shipped/{cards,templates,fonts}`; `generator.project` looks there first."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install reads the checkout itself and needs no copy."""
        if version == "standard":
            for name in SHIPPED:
                build_data["force_include"][name] = f"generator/shipped/{name}"
