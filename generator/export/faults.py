"""What the operating system says in, a diagnostic that names the way out, out."""

from __future__ import annotations

import errno
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HINTS: Final = {
    errno.EACCES: "you have no right to write there: choose another folder with -o",
    errno.EPERM: "you have no right to write there: choose another folder with -o",
    errno.EROFS: "that disk can only be read: choose another folder with -o",
    errno.ENOTDIR: "a file stands where a folder should be: move it, or choose another with -o",
    errno.EEXIST: "a file stands where a folder should be: move it, or choose another with -o",
    errno.EISDIR: "a folder stands where a file should be: move it, or choose another with -o",
    errno.ENAMETOOLONG: "the name is too long: choose a shorter folder with -o",
}


def is_full(error: OSError) -> bool:
    """True when there is no room: the disk, the user's quota or the largest file allowed."""
    return error.errno in _FULL


def cannot_write(error: OSError, place: str) -> GridpressError:
    """The error to raise when `place` (as the user knows it) could not be written."""
    what = error.strerror or str(error)
    if is_full(error):
        return GridpressError(
            Diagnostic(
                Span(place),
                "GP701",
                f"the disk is full ({what}); nothing was changed",
                "make room, or choose a folder on another disk with -o",
            )
        )
    hint = _HINTS.get(error.errno or 0, "look at the folder, or choose another one with -o")
    return GridpressError(
        Diagnostic(Span(place), "GP702", f"cannot be written: {what}; nothing was changed", hint)
    )
