"""Typst in a process of its own: it starts threads, and a process that has such is not
copied for workers any more, which tests would be slow without."""

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
