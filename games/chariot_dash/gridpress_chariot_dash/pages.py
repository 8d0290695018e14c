"""Findings, or what a game's own template needs, in; pages of HTML that need no other file out."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from gridpress_chariot_dash.findings import Finding

_OWN: Final = PackageLoader("gridpress_chariot_dash", ".")


def finding_page(finding: Finding, kicker: str) -> str:
    """What a simulation found. kicker: the line above its title."""
    return page(
        "finding.html.j2",
        title=finding.title,
        kicker=kicker,
        words=finding.words,
        charts=finding.charts,
        tables=finding.tables,
    )


def page(template: str, **values: Any) -> str:
    """A template of this package, or of a game's folder in it as `game/name.html.j2`, filled in.

    Texts are escaped; charts, which are SVG already, a template marks as safe.
    """
    environment = Environment(
        loader=_OWN,
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)
