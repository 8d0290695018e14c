"""The name of a file that somebody sent in, the file opened for reading out."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Final

_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def opened_plain(path: Path) -> BufferedReader:
    """An ordinary file: a pipe or a device, which may keep a reader waiting for ever or never come
    to an end, is refused. Raises OSError."""
    try:
        handle = os.open(path, _READ)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, "no file can have such a name") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        reason = os.strerror(code) if stat.S_ISDIR(mode) else "it is no ordinary file"
        raise OSError(code, reason)
    return os.fdopen(handle, "rb")
