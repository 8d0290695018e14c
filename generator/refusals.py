"""What the operating system says in, a diagnostic that names the way out, out."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.scratch import LOCK_FILE

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HINTS: Final = {
    errno.EACCES: "you have no right to write there",
    errno.EPERM: "you have no right to write there",
    errno.EROFS: "that disk can only be read",
    errno.ENOTDIR: "a file stands where a folder should be: move it",
    errno.EEXIST: "a file stands where a folder should be: move it",
    errno.EISDIR: "a folder stands where a file should be: move it",
    errno.ENAMETOOLONG: "the name is too long",
}
ELSEWHERE: Final = "choose another folder with -o"


def is_full(error: OSError) -> bool:
    """True when there is no room: the disk, the user's quota or the largest file allowed."""
    return error.errno in _FULL


def cannot_write(error: OSError, place: str, elsewhere: str = ELSEWHERE) -> GridpressError:
    """The error to raise when `place` (as the user knows it) could not be written; `elsewhere` is
    how to choose another."""
    what = error.strerror or str(error)
    if is_full(error):
        message = f"the disk is full ({what}); nothing was changed"
        hint = f"make room, or {elsewhere}"
        return GridpressError(Diagnostic(Span(place), "GP701", message, hint))
    hint = f"{_HINTS.get(error.errno or 0, 'look at the folder')}, or {elsewhere}"
    return GridpressError(
        Diagnostic(Span(place), "GP702", f"cannot be written: {what}; nothing was changed", hint)
    )


def is_a_link(path: Path) -> GridpressError:
    """The error to raise when a link stands where something is to be written."""
    message = "this is a link: what is written here would go to another place; nothing was changed"
    hint = (
        "remove the link (what it leads to stays), or choose the folder to write to yourself: "
        "one that you name may be a link"
    )
    return GridpressError(Diagnostic(Span(str(path)), "GP705", message, hint))


def no_room_for_work(error: OSError) -> GridpressError:
    """The error to raise when the temporary folder is full."""
    folder = Path(tempfile.gettempdir())
    if (folder / LOCK_FILE).exists():  # a folder of this run alone, in the one that the user knows
        folder = folder.parent
    message = f"there is no room in the temporary folder ({error.strerror or error})"
    hint = "make room there, or have TMPDIR name a folder on another disk; nothing was changed"
    return GridpressError(Diagnostic(Span(str(folder)), "GP701", message, hint))


@contextmanager
def at_work() -> Iterator[None]:
    """While everything that is written goes to the temporary folder: a disk that is full is its."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise no_room_for_work(error) from error
        raise
