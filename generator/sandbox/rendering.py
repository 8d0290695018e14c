"""A template and its context in, the text it writes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FrameType, GeneratorType
from typing import Any, cast

from jinja2 import Template

from generator.diagnostics import GridpressError
from generator.sandbox.bounds import MAX_OUTPUT
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
            stream = template.root_render_func(template.new_context(dict(context)))
            for piece in stream:
                length += len(piece)
                if length > MAX_OUTPUT:
                    raise _too_long(stream)
                pieces.append(piece)
    except (SandboxError, GridpressError):
        raise
    except Exception as error:
        raise explained(error, (*context, *environment.globals)) from error
    return "".join(pieces)


def writing(stream: Iterable[str]) -> FrameType | None:
    """Where a template stands that has just written something."""
    frame: FrameType | None = None
    inner: Any = stream
    while isinstance(inner, GeneratorType) and inner.gi_frame is not None:
        frame = inner.gi_frame
        # A block, or the template around it; or what is included, which Jinja2 calls so.
        inner = inner.gi_yieldfrom or frame.f_locals.get("gen")
    return frame


def _too_long(stream: Iterable[str]) -> SandboxError:
    frame = writing(stream)
    message = f"more than {MAX_OUTPUT // 1_000_000} million characters written"
    return SandboxError(
        f"{message}: that is too much for one face",
        "GP306",
        hint="is a loop too long?",
        line=frame and frame.f_lineno,
        template=frame and frame.f_code.co_filename,
    )
