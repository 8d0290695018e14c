"""Typst in a process of its own. Typst starts threads, and a process with threads is no longer
copied for workers, which would slow the tests down."""

from typing import Any

import typst

from generator import workers


def compiled(*arguments: Any, **named: Any) -> bytes:
    """Return what `typst.compile` makes of one page."""
    if workers.context().get_start_method() != "fork":
        made = typst.compile(*arguments, **named)
    else:
        made = dict(workers.answers(lambda _: typst.compile(*arguments, **named), [0], 1))[0]
    assert isinstance(made, bytes)
    return made
