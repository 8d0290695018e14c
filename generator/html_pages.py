"""Writes HTML pages that need no other file, with the colours, type and spacing of the docs."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from PIL import Image

_COLOURS: Final = 192


def html_page(package: str, template: str, **values: Any) -> str:
    """Fill in a template of a package that extends `html_page.html.j2`; texts are escaped."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), PackageLoader("generator", ".")]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)


def embedded(picture: Image.Image) -> str:
    """Return a picture as the source of an `img`."""
    out = io.BytesIO()
    picture.convert("RGB").quantize(_COLOURS).save(out, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
