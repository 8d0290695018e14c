"""A template and its context in, the text it writes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from jinja2 import Template

from generator.diagnostics import GridpressError
from generator.sandbox.bounds import MAX_OUTPUT
from generator.sandbox.budget import TooMuchError
from generator.sandbox.environment import BoundedEnvironment
from generator.sandbox.faults import SandboxError, explained


def load_template(environment: BoundedEnvironment, name: str) -> Template:
    """The template of that name.

    Raises SandboxError (GP301, GP302); a GridpressError raised by a loader comes through as it is.
    """
    try:
        return environment.get_template(name)
    except GridpressError:
        raise
    except (Exception, RecursionError) as error:
        raise explained(error, ()) from error


def render(template: Template, context: Mapping[str, Any]) -> str:
    """What the template writes, at most `MAX_OUTPUT` characters.

    Raises SandboxError; a GridpressError raised by a helper comes through as it is.
    """
    environment = cast("BoundedEnvironment", template.environment)
    pieces: list[str] = []
    length = 0
    try:
        with environment.budget.fresh():
            for piece in template.root_render_func(template.new_context(dict(context))):
                length += len(piece)
                if length > MAX_OUTPUT:
                    raise TooMuchError(
                        f"more than {MAX_OUTPUT // 1_000_000} million characters written"
                    )
                pieces.append(piece)
    except (SandboxError, GridpressError):
        raise
    except Exception as error:
        raise explained(error, (*context, *environment.globals)) from error
    return "".join(pieces)
