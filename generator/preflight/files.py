"""The name of a file that somebody sent in, the file opened for reading out."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Final

from generator.handles import is_link

_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def opened_plain(path: Path, *, named: bool = True) -> BufferedReader:
    """An ordinary file: a pipe or a device, which may keep a reader waiting for ever or never come
    to an end, is refused, and a link too unless the user has `named` it. Raises OSError."""
    try:
        if not named and is_link(os.lstat(path)):
            raise OSError(errno.ELOOP, "it is a link; name the file that you mean with --manifest")
        handle = os.open(path, _READ if named else _READ | _NO_LINK)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, "no file can have such a name") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        reason = os.strerror(code) if stat.S_ISDIR(mode) else "it is no ordinary file"
        raise OSError(code, reason)
    return os.fdopen(handle, "rb")
