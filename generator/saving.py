"""A PDF in, its file out; a disk that is full is an OSError, not the end of the process."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from pikepdf import Pdf

_AT_ONCE: Final = 1 << 20
"""Bytes: qpdf writes word by word."""


def save(pdf: Pdf, path: Path, **options: Any) -> None:
    """Save with the options of `Pdf.save`. Raises OSError when the disk did not take it all."""
    with _written(path) as stream:
        pdf.save(stream, **options)


class _Patient(io.FileIO):
    """A file that keeps a failure to write to itself: an exception out of it would go through
    the C++ of qpdf, which aborts the whole process. So does a failure of qpdf's own, if it knows
    the number of the file and writes past us."""

    failure: OSError | None = None

    def fileno(self) -> int:
        """There is none for others."""
        raise io.UnsupportedOperation("fileno")

    def write(self, data: Any) -> int:
        """Write what the disk takes; after a failure, nothing."""
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    file = _Patient(path, "w")
    with io.BufferedWriter(file, _AT_ONCE) as stream:
        yield stream
    if file.failure is not None:
        raise file.failure
